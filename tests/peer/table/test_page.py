"""A table by link as the page shows it: sitting down, playing, chat, seats that change devices, errors."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from engine.razzia.box import CARDS
from peer.device import duties
from peer.table import header as kept
from peer.table.known import known
from tests.peer.simulation.in_memory import Street, evening
from tests.peer.simulation.page import Page, T, nodes
from ui.boards import OPEN
from ui.saves import saved_game
from ui.update.room import SIGNS
from ui.view.page import view

#: a deck that is soon played
FEW = {card.name: 0 for card in CARDS} | {"ring": 1, "coin": 1, "car": 1, "police": 1}


async def opened(street: Street, plays: str, game: str = "razzia") -> Page:
    """Returns the opener's page: a table for these players, opened by link."""
    page = Page(street)
    page.send("game", game)
    while len(page.model.setup.chairs) > plays.count(",") + 1:
        page.send("seat.remove", str(len(page.model.setup.chairs) - 1))
    for seat, who in enumerate(plays.split(",")):
        page.send("seat.plays", str(seat), who)
    page.send("room.open")
    await street.until(lambda: page.model.room is not None and page.model.room.news.endpoint in ("in", "none"))
    return page


async def guests(street: Street, host: Page, seats: int) -> list[Page]:
    """Lets so many guests sit down on the seats after the opener's. Returns all pages, the opener's first."""
    pages = [host]
    for seat in range(1, seats + 1):
        page = Page(street)
        page.send("visited", value=host.model.room.news.fragment)
        await street.until(lambda page=page: page.model.room is not None and page.model.room.news.phase == "lobby")
        page.send("room.sit", str(seat), f"Guest {seat}")
        await street.until(lambda seat=seat: host.model.room.news.spots[seat].name == f"Guest {seat}")
        pages.append(page)
    return pages


async def table(street: Street, plays: str, seats: int, game: str = "razzia") -> list[Page]:
    pages = await guests(street, await opened(street, plays, game), seats)
    pages[0].send("room.begin")
    await street.until(lambda: all(page.model.play is not None for page in pages))
    return pages


def entries(page: Page) -> int:
    return len(page.model.play.session.log) if page.model.play is not None else -1


def over(page: Page) -> bool:
    return page.model.play is not None and page.model.play.session.over


async def played(street: Street, pages: list[Page], least: int) -> None:
    def done() -> bool:
        for page in pages:
            assert page.trouble == []
            page.answer()
        return all(entries(page) >= least or over(page) for page in pages)

    await street.until(done)


def status(page: Page) -> str:
    shown = next(node for node in nodes(view(page.model)) if node.attrs.get("key", node.key) == "net")
    return str(shown.attrs["aria-label"]).partition(": ")[2]


def leave(pages: list[Page]) -> None:
    for page in pages:
        page.table.leave()
        assert page.trouble == []


@pytest.mark.parametrize("game", OPEN)
@evening
async def test_three_pages_and_a_bot_play(game: str) -> None:
    street = Street()
    pages = await table(street, "p,p,p,b2", 2, game)
    await played(street, pages, 25)
    for seat, page in enumerate(pages):
        play = page.model.play
        assert play is not None
        assert play.eyes == seat
        assert [chair.plays for chair in play.header.chairs][seat] == "p"
    assert {page.model.room.news.host for page in pages} <= {"me", "direct"}
    leave(pages)


@evening
async def test_that_the_deal_was_as_promised_is_said_when_it_was_checked() -> None:
    street = Street()
    pages = await table(street, "p,p,b1", 1, "thieves")
    for page in pages:
        page.send("dialog", "room")
        assert T("room.deal.kept") not in page.text
    await played(street, pages, 8)
    assert all(T("room.deal.promised") in page.text for page in pages)
    await played(street, pages, 10_000)
    await street.until(lambda: all(T("room.deal.kept") in page.text for page in pages))
    assert not any(T("room.deal.promised") in page.text for page in pages)
    leave(pages)


@evening
async def test_no_link_is_told_before_the_endpoint_has_named_the_table() -> None:
    """Regression: the link shown in the first moments led to no table."""
    street = Street()
    page = Page(street)
    told: list[str] = []

    def tell(what: str, data: Any = None) -> None:
        if what == "news":
            told.append(data.fragment)
        Page.tell(page, what, data)

    page.tell = tell
    page.send("room.open")
    await street.until(lambda: page.model.room is not None and page.model.room.news.endpoint == "in")
    link = page.table.invite.fragment
    assert told[0] == ""
    assert {*told} == {"", link}
    assert page.table.invite.code in street.hub.rooms
    await street.until(lambda: page.address == link)


@evening
async def test_a_seat_is_taken_once_and_its_name_is_text() -> None:
    street = Street()
    host = await opened(street, "p,p,p")
    pages = await guests(street, host, 1)
    pages[1].send("room.sit", "0", "Thief")
    await street.until(lambda: pages[1].model.notice is not None)
    assert pages[1].model.notice is not None
    assert pages[1].model.notice.key == "refused.net.seat_taken"
    pages[1].send("room.sit", "1", "<b>X</b>")
    await street.until(lambda: host.model.room.news.spots[1].name == "<b>X</b>")
    assert "<b>X</b>" in host.text
    pages[1].send("room.stand", "1")
    await street.until(lambda: host.model.room.news.spots[1].free)
    pages[1].send("room.sit", "2")
    pages[1].send("leave")
    await street.until(lambda: host.model.room.news.spots[2].free)
    assert pages[1].model.room is None
    leave([host])


@evening
async def test_words_at_the_table_are_text_and_signs_are_known_ones() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    pages[0].send("room.sign", SIGNS[0])
    pages[0].send("room.sign", "shout")
    pages[0].send("room.text", value="  <i>good \u202e evening</i>\n")
    await street.until(lambda: len(pages[1].model.room.words) == 2)
    words = pages[1].model.room.words
    assert [(word.who, word.sign, word.text) for word in words] == [
        ("Theo", SIGNS[0], ""),
        ("Theo", "", "<i>good  evening</i>"),
    ]
    pages[1].send("dialog", "room")
    assert "<i>good" in pages[1].text
    assert not any(node.tag == "i" and "good" in node.text for node in nodes(view(pages[1].model)))
    leave(pages)


@evening
async def test_a_bot_sits_in_and_hands_the_seat_back() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 6)
    pages[1].send("room.give", "1:bot")
    await street.until(lambda: all(page.model.room.news.seated[1].kind == "bot" for page in pages))
    await played(street, pages[:1], 14)
    pages[1].send("dialog", "room")
    pages[1].send("room.give", "1:person")
    await street.until(lambda: pages[1].model.room.news.seated[1].kind == "person")
    assert pages[1].model.dialog == "room", "a seat that changes hands puts nothing away"
    await played(street, pages, 20)
    leave(pages)


@evening
async def test_who_is_away_is_said_and_since_when() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 4)
    pages[1].sleeps()
    host = pages[0]
    await street.until(lambda: status(host) == "Reconnecting: waiting for Guest 1")
    await street.until(lambda: status(host) == "Waiting for Guest 1, who is away")
    await asyncio.sleep(60)
    assert status(host) == "Waiting for Guest 1, away for a minute"
    host.send("dialog", "room")
    assert "For a minute." in host.text
    pages[1].wakes()
    await street.until(lambda: status(host) == "Connected")
    leave(pages)


@evening
async def test_a_device_that_is_heard_and_owes_something_was_nobody_who_thought() -> None:
    """Regression: the page showed "… has been thinking for a minute" without a name. The bots of that device are not
    named: they owe nothing."""
    street = Street()
    pages = await table(street, "p,p,b1", 1)
    await played(street, pages, 4)
    host, guest = pages[0].table.game, pages[1]
    assert host is not None
    assert guest.model.play is not None
    name, share = guest.model.play.header.chairs[0].name, duties._share
    with patch.object(duties, "_share", lambda device: device is host.device or share(device)):
        while guest.model.room.news.waits.seats:
            for page in pages:
                page.answer()
            await asyncio.sleep(0.1)
        await asyncio.sleep(65)
        assert status(guest) == f"The table has been waiting for the device of {name} for a minute"
    await street.until(lambda: status(guest) == "Connected")
    leave(pages)


@evening
async def test_a_page_that_is_loaded_again_shows_the_table_at_once() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 6)
    for number, old in enumerate(pages):
        old.crash()
        again = Page(street)
        again.headers, again.disk = old.headers, old.disk
        again.send("visited", value=old.model.room.news.fragment)
        await street.until(lambda again=again: again.model.play is not None)
        assert again.text.count("On the way") == 0
        await street.until(lambda again=again: entries(again) >= 6)
        pages[number] = again
    await played(street, pages, 14)
    leave(pages)


async def finished(street: Street, pages: list[Page]) -> None:
    def done() -> bool:
        for page in pages:
            assert page.trouble == []
            page.answer()
        return all(page.model.play is not None and page.model.play.session.over for page in pages)

    await street.until(done)


@evening
async def test_again_is_another_game_for_the_same_people_behind_the_same_link() -> None:
    street = Street()
    host = await opened(street, "p,p,b2")
    host.table.lobby = replace(host.table.lobby, options={"deck": FEW})  # type: ignore[type-var]  # there is one
    pages = await guests(street, host, 1)
    host.send("room.begin")
    await street.until(lambda: all(page.model.play is not None for page in pages))
    await finished(street, pages)
    await street.until(lambda: all(not page.model.play.waiting for page in pages if page.model.play))
    words = host.model.room.news.words
    assert "data-do=room.again" in controls(host)
    assert "data-do=room.again" not in controls(pages[1])
    pages[1].send("room.again")  # not theirs to lay out
    await street.until(lambda: pages[1].model.notice is not None)
    host.send("room.again")
    await street.until(lambda: all(entries(page) == 0 for page in pages))
    assert len(words.split()) == 4
    assert host.model.room.news.words != words
    late = Page(street)
    late.send("visited", value=host.model.room.news.fragment)
    await played(street, pages, 6)
    pages[1].crash()
    again = Page(street)
    again.headers, again.disk = pages[1].headers, pages[1].disk
    again.send("visited", value=host.model.room.news.fragment)
    await street.until(lambda: entries(again) >= 6)
    await played(street, [host, again], 12)
    await street.until(lambda: entries(late) >= 12)
    leave([host, again, late])


def controls(page: Page) -> set[str]:
    return {f"data-do={node.attrs['data-do']}" for node in nodes(view(page.model)) if "data-do" in node.attrs}


@evening
async def test_the_lobby_knows_the_tables_this_device_was_at() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 4)
    header, code = pages[1].headers["table"], pages[1].table.invite.code
    laid = kept.read(header)
    laid.setup = ""
    laid.lobby = pages[0].table.header.lobby
    odd = kept.read(header)
    odd.setup = odd.setup.replace("razzia", "poker")
    fragment = pages[1].model.room.news.fragment
    leave(pages)
    lobby = Page(street)
    lobby.send("tables", data=known([header, laid.text(), odd.text(), "damaged"]))
    assert lobby.model.tables == (
        (code, fragment, "razzia", ("Theo", "Guest 1")),
        (code, fragment, "razzia", ("Theo", "Guest 1")),
        (code, fragment, "", ()),
    )
    lobby.model.tables = lobby.model.tables[:1]
    assert "1 table by link" in lobby.text
    assert "saved game" not in lobby.text
    lobby.send("dialog", "saves")
    assert "Theo, Guest 1" in lobby.text
    lobby.headers, lobby.disk = pages[1].headers, pages[1].disk
    lobby.send("dialog", f"forget:{code}")
    lobby.send("table.forget", code)
    assert lobby.model.tables == ()


@evening
async def test_who_is_left_alone_goes_on_on_this_device() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    await played(street, pages, 6)
    pages[1].table.leave()
    await street.until(lambda: pages[0].model.room.news.seated[1].state == "gone")
    pages[0].send("dialog", "room")
    assert "data-do=room.fork" in controls(pages[0])
    before = list(pages[0].model.play.session.log) if pages[0].model.play else []
    pages[0].send("room.fork")
    await street.until(lambda: pages[0].taken)
    header, records = pages[0].taken[0].header, pages[0].taken[0].records
    assert [chair.plays for chair in header.chairs] == ["p", "b2"]
    assert saved_game.replay(header, records).log == before
    assert pages[0].model.room is None


@evening
async def test_hidden_cards_that_lie_elsewhere_cannot_be_taken_along() -> None:
    street = Street()
    pages = await table(street, "p,p,b2", 1, "thieves")
    await played(street, pages, 6)
    pages[1].send("dialog", "room")
    pages[0].sleeps()
    await street.until(lambda: T("refused.net.cards_elsewhere") in pages[1].text)
    assert "data-do=room.fork" not in controls(pages[1]), "what cannot be is not offered"
    pages[0].wakes()
    pages[1].send("room.fork")
    await street.until(lambda: pages[1].model.notice is not None)
    assert pages[1].model.notice is not None
    assert pages[1].model.notice.key == "refused.net.cards_elsewhere"
    pages[0].send("room.fork")  # the device that deals knows them
    await street.until(lambda: pages[0].taken)
    header = pages[0].taken[0].header
    assert [chair.plays for chair in header.chairs] == ["p", "b2", "b2"]
    assert len(saved_game.replay(header, pages[0].taken[0].records).log) == header.entries
    leave(pages[1:])


@evening
async def test_a_scanned_code_goes_where_a_typed_one_would() -> None:
    street = Street()
    host = Page(street)
    host.dial = None
    host.send("room.open")
    await street.until(lambda: host.model.room is not None)
    host.send("room.can", data=(False, True))
    host.send("room.offer")
    await street.until(lambda: bool(host.model.room.news.code_offer))
    assert "data-do=room.scan" in controls(host)
    guest = Page(street)
    guest.dial = None
    guest.send("room.reply", value=host.model.room.news.code_offer)
    await street.until(lambda: guest.model.room is not None and bool(guest.model.room.news.code_reply))
    host.send("room.scan", "room.leave")
    assert host.model.dialog == ""
    host.send("room.scan", "room.take")
    assert host.model.dialog == "scan"
    assert "data-do=dialog.close" in controls(host)
    host.send("room.scanned", data="")
    assert host.model.dialog == "scan"
    host.send("room.scanned", data=guest.model.room.news.code_reply)
    assert host.model.dialog == ""
    await street.until(lambda: guest.model.room.news.phase == "lobby")
    leave([host, guest])
