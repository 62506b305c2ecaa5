"""Names in a lobby by link follow the rules of a local table. The opener checks them too: a guest may not be a page."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.core import Refused
from engine.seats import LONGEST_NAME
from peer.table import lobby as lobbies
from peer.table.news import GameStarted
from peer.table.phase import InLobby
from peer.wire.messages import RequestRefused, Sit
from tests.peer.simulation.in_memory import Network, SimDevice, send_raw, simulated
from tests.peer.simulation.page import Page
from tests.peer.table.test_page import leave, open_table, seat_guests
from tests.peer.table.test_tables import begin_game, make_lobby, seat_all
from tests.peer.table.test_tables import leave as leave_tables

ANN, BOB = "A" * 43, "B" * 43
CLAIM, OTHER = "C" * 43, "D" * 43
TAKEN = {
    "Guest 1": "Somebody here is called Guest 1 already. Another name, please.",
    "GUEST  1": "Somebody here is called GUEST 1 already. Another name, please.",
}
BAD_NAMES = {
    **TAKEN,
    "x" * (LONGEST_NAME + 1): f"A name has at most {LONGEST_NAME} letters.",
    "A\u202eevil": "A name takes only letters that can be seen, with at most two accents on each.",
    " ": "Everybody at the table needs a name.",
    "": "Everybody at the table needs a name.",
}


def notice_text(page: Page) -> str:
    notice = page.model.notice
    return page.model.t(notice.key, **notice.values) if notice is not None else ""


@pytest.mark.parametrize("name", BAD_NAMES)
@simulated
async def test_a_bad_name_is_refused_with_a_sentence(name: str) -> None:
    network = Network()
    pages = await seat_guests(network, await open_table(network, "p,p,p"), 2)
    for page, seat in ((pages[0], 0), (pages[2], 2)):
        before = page.model.room.news.spots[seat].name
        page.send("room.sit", str(seat), name)
        assert notice_text(page) == BAD_NAMES[name]
        assert page.model.room.news.spots[seat].name == before
        page.send("room.sit", str(seat), "Zsófia" if seat else "Ábel")
        assert notice_text(page) == ""
    await network.until(lambda: pages[1].model.room.news.spots[2].name == "Zsófia")
    leave(pages)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ann", "name.taken"),
        ("x" * (LONGEST_NAME + 1), "name.long"),
        ("x" * 100_000, "name.long"),
        ("A\u202eevil", "name.unseen"),
        ("a\u200bb", "name.unseen"),
        ("", "name.empty"),
    ],
)
def test_the_opener_refuses_a_bad_name_from_a_guest(name: str, reason: str) -> None:
    table = make_lobby("p,p,p").sit(ANN, 0, "Ann", CLAIM)
    with pytest.raises(Refused) as refused:
        table.apply_request(BOB, Sit(1, name, OTHER))
    assert refused.value.reason == reason


@simulated
async def test_the_openers_refusal_of_a_name_reaches_the_guest_as_a_sentence() -> None:
    """The guest's page allows the name, because it does not know of the other guest yet."""
    network = Network()
    pages = await seat_guests(network, await open_table(network, "p,p,p"), 2)
    stale = pages[2].table.lobby
    assert stale is not None
    spots = (stale.spots[0], make_lobby("p,p").spots[1], stale.spots[2])
    pages[2].table._phase = InLobby(replace(stale, spots=spots))
    pages[2].table.seating.sit(2, "Guest 1")
    await network.until(lambda: notice_text(pages[2]) == TAKEN["Guest 1"])
    assert [spot.name for spot in pages[0].model.room.news.spots] == ["Theo", "Guest 1", "Guest 2"]
    leave(pages)


@simulated
async def test_unexpected_values_in_a_refusal_break_no_page() -> None:
    network = Network()
    opener, guest = await seat_guests(network, await open_table(network, "p,p"), 1)
    channel = next(iter(opener.table.channels.by_key.values()))
    for values in ({"key": "x", "who": "Ann"}, {"reason": "x"}, {"self": "x"}, {"who": 1}, {"who": "x" * 61}, []):
        send_raw(opener.table, channel, json.dumps(["refused", "name.taken", values]))
    await network.until(lambda: guest.table.channels.refused.get("net.not_a_message") == 6)
    assert notice_text(guest) == ""
    opener.table.connections.send(channel, RequestRefused("name.taken", {"who": "Ann"}))
    await network.until(lambda: notice_text(guest) == "Somebody here is called Ann already. Another name, please.")
    leave([opener, guest])


def test_the_name_of_a_free_seat_changes_if_a_person_takes_it() -> None:
    table = make_lobby("p,p,p").sit(ANN, 0, "Seat 2", CLAIM)
    assert [spot.name for spot in table.spots] == ["Seat 2", "Seat 2 2", "Seat 3"]
    table = table.set_player(1, "b2").stand(ANN, 0).sit(BOB, 2, "seat 2", OTHER)
    assert [spot.name for spot in table.spots] == ["Seat 2 3", "Seat 2 2", "seat 2"]


@simulated
async def test_a_remembered_name_gets_a_number_if_it_is_taken() -> None:
    """The name was not typed now: a refusal would keep a person with the same name from sitting down at all."""
    network = Network()
    opener = await open_table(network, "p,p")
    guest = Page(network)
    guest.model.names = ("theo", "")
    guest.send("visited", value=opener.model.room.news.fragment)
    await network.until(lambda: guest.model.room is not None and guest.model.room.news.phase == "lobby")
    guest.send("room.sit", "1")
    await network.until(lambda: opener.model.room.news.spots[1].name == "theo 2")
    leave([opener, guest])


def test_equal_names_in_a_received_lobby_are_made_distinct() -> None:
    text = json.loads(make_lobby("p,p,p").text)
    for spot in text[3]:
        spot[0] = "Ann"
    assert [spot.name for spot in lobbies.read(json.dumps(text)).spots] == ["Ann", "Ann 2", "Ann 3"]


@simulated
async def test_a_game_with_two_of_one_name_and_one_with_none_shows_them_apart() -> None:
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    tables = await seat_all(network, devices, make_lobby("p,p,b2"))
    lobby_ = tables[0].lobby
    assert lobby_ is not None
    spots = (spot._replace(name=name) for spot, name in zip(lobby_.spots, ("Ann", "Ann", ""), strict=True))
    tables[0]._phase = InLobby(replace(lobby_, spots=tuple(spots)))
    await begin_game(network, tables)
    [shown] = [event for event in devices[1].events if isinstance(event, GameStarted)]
    assert shown.names == ("Ann", "Ann 2", "3")
    leave_tables(*tables)
