"""Names in a lobby by link follow the rules of a local table. The opener checks them too: a guest may not be a page."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.core import Refused
from engine.seats import LONGEST
from peer.table import lobby as lobbies
from tests.peer.simulation.in_memory import Home, Street, evening
from tests.peer.simulation.page import Page
from tests.peer.table.test_page import guests, leave, opened
from tests.peer.table.test_tables import begun, lobby, seated
from tests.peer.table.test_tables import leave as leave_tables

ANN, BOB = "A" * 43, "B" * 43
CLAIM, OTHER = "C" * 43, "D" * 43
TAKEN = {
    "Guest 1": "Somebody here is called Guest 1 already. Another name, please.",
    "GUEST  1": "Somebody here is called GUEST 1 already. Another name, please.",
}
BAD = {
    **TAKEN,
    "x" * (LONGEST + 1): f"A name has at most {LONGEST} letters.",
    "A\u202eevil": "A name takes only letters that can be seen, with at most two accents on each.",
    " ": "Everybody at the table needs a name.",
    "": "Everybody at the table needs a name.",
}


def said(page: Page) -> str:
    notice = page.model.notice
    return page.model.t(notice.key, **notice.values) if notice is not None else ""


@pytest.mark.parametrize("name", BAD)
@evening
async def test_in_a_lobby_by_link_two_could_have_one_name_and_a_long_one_was_cut_without_a_word(name: str) -> None:
    street = Street()
    pages = await guests(street, await opened(street, "p,p,p"), 2)
    for page, seat in ((pages[0], 0), (pages[2], 2)):
        before = page.model.room.news.spots[seat].name
        page.send("room.sit", str(seat), name)
        assert said(page) == BAD[name]
        assert page.model.room.news.spots[seat].name == before
        page.send("room.sit", str(seat), "Zsófia" if seat else "Ábel")
        assert said(page) == ""
    await street.until(lambda: pages[1].model.room.news.spots[2].name == "Zsófia")
    leave(pages)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ann", "name.taken"),
        ("x" * (LONGEST + 1), "name.long"),
        ("x" * 100_000, "name.long"),
        ("A\u202eevil", "name.unseen"),
        ("a\u200bb", "name.unseen"),
        ("", "name.empty"),
    ],
)
def test_who_opened_the_table_took_any_name_a_guest_sent(name: str, reason: str) -> None:
    table = lobby("p,p,p").sit(ANN, 0, "Ann", CLAIM)
    with pytest.raises(Refused) as refused:
        table.asked(BOB, ["sit", 1, name, OTHER])
    assert refused.value.reason == reason


@evening
async def test_the_hosts_refusal_of_a_name_reaches_the_guest_as_a_sentence() -> None:
    """The guest's page allows the name, because it does not know of the other guest yet."""
    street = Street()
    pages = await guests(street, await opened(street, "p,p,p"), 2)
    stale = pages[2].table.lobby
    assert stale is not None
    pages[2].table.lobby = replace(stale, spots=(stale.spots[0], lobby("p,p").spots[1], stale.spots[2]))
    pages[2].table.seating.sit(2, "Guest 1")
    await street.until(lambda: said(pages[2]) == TAKEN["Guest 1"])
    assert [spot.name for spot in pages[0].model.room.news.spots] == ["Theo", "Guest 1", "Guest 2"]
    leave(pages)


@evening
async def test_what_a_host_fills_into_a_refusal_breaks_no_page() -> None:
    street = Street()
    host, guest = await guests(street, await opened(street, "p,p"), 1)
    line = next(iter(host.table.channels.by_key.values()))
    host.table.send(line, ["no", "name.taken", {"key": "x", "reason": "x", "self": "x", "who": "Ann"}])
    await street.until(lambda: said(guest) == "Somebody here is called Ann already. Another name, please.")
    leave([host, guest])


def test_a_free_seats_name_gives_way_to_somebody_who_has_it() -> None:
    table = lobby("p,p,p").sit(ANN, 0, "Seat 2", CLAIM)
    assert [spot.name for spot in table.spots] == ["Seat 2", "Seat 2 2", "Seat 3"]
    table = table.plays(1, "b2").stand(ANN, 0).sit(BOB, 2, "seat 2", OTHER)
    assert [spot.name for spot in table.spots] == ["Seat 2 3", "Seat 2 2", "seat 2"]


@evening
async def test_the_name_of_another_evening_gets_a_number_where_it_is_taken() -> None:
    """The name was not typed now: a refusal would keep a person with the same name from sitting down at all."""
    street = Street()
    host = await opened(street, "p,p")
    guest = Page(street)
    guest.model.names = ("theo", "")
    guest.send("visited", value=host.model.room.news.fragment)
    await street.until(lambda: guest.model.room is not None and guest.model.room.news.phase == "lobby")
    guest.send("room.sit", "1")
    await street.until(lambda: host.model.room.news.spots[1].name == "theo 2")
    leave([host, guest])


def test_what_a_host_tells_of_a_table_never_shows_two_of_one_name() -> None:
    text = json.loads(lobby("p,p,p").text)
    for spot in text[3]:
        spot[0] = "Ann"
    assert [spot.name for spot in lobbies.read(json.dumps(text)).spots] == ["Ann", "Ann 2", "Ann 3"]


@evening
async def test_a_game_with_two_of_one_name_and_one_with_none_shows_them_apart() -> None:
    street = Street()
    homes = [Home(street), Home(street)]
    tables = await seated(street, homes, lobby("p,p,b2"))
    laid = tables[0].lobby
    assert laid is not None
    spots = (spot._replace(name=name) for spot, name in zip(laid.spots, ("Ann", "Ann", ""), strict=True))
    tables[0].lobby = replace(laid, spots=tuple(spots))
    await begun(street, tables)
    [shown] = [data for what, data in homes[1].told if what == "begun"]
    assert shown.names == ("Ann", "Ann 2", "3")
    leave_tables(*tables)
