"""A table by link as the page shows it: sitting down, playing, chat, seats that change devices, errors."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from unittest.mock import patch

import pytest

from engine.razzia.box import CARDS
from peer.device.duties import CoinDuties
from peer.table import header as kept
from peer.table.known import known_tables
from peer.table.news import Abilities, Event, News, Scanned
from peer.table.phase import InLobby
from tests.peer.simulation.in_memory import Network, simulated
from tests.peer.simulation.page import TEXTS, Page
from tests.ui.boards.games import all_nodes
from ui.boards import PLAYABLE
from ui.saves import saved_game
from ui.selectors import is_resting
from ui.update.room import SIGNS

#: a deck that is soon played
SHORT_DECK = {card.name: 0 for card in CARDS} | {"ring": 1, "coin": 1, "car": 1, "police": 1}


async def open_table(network: Network, plays: str, game: str = "razzia") -> Page:
    """Returns the opener's page: a table for these players, opened by link."""
    page = Page(network)
    page.send("game", game)
    while len(page.model.setup.chairs) > plays.count(",") + 1:
        page.send("seat.remove", str(len(page.model.setup.chairs) - 1))
    for seat, who in enumerate(plays.split(",")):
        page.send("seat.plays", str(seat), who)
    page.send("room.open")
    await network.until(lambda: page.model.room is not None and page.model.room.news.endpoint in ("in", "none"))
    return page


async def seat_guests(network: Network, opener: Page, seats: int) -> list[Page]:
    """Lets so many guests sit down on the seats after the opener's. Returns all pages, the opener's first."""
    pages = [opener]
    for seat in range(1, seats + 1):
        page = Page(network)
        page.send("visited", value=opener.model.room.news.fragment)
        await network.until(lambda page=page: page.model.room is not None and page.model.room.news.phase == "lobby")
        page.send("room.sit", str(seat), f"Guest {seat}")
        await network.until(lambda seat=seat: opener.model.room.news.spots[seat].name == f"Guest {seat}")
        pages.append(page)
    return pages


async def start_table(network: Network, plays: str, seats: int, game: str = "razzia") -> list[Page]:
    pages = await seat_guests(network, await open_table(network, plays, game), seats)
    pages[0].send("room.begin")
    await network.until(lambda: all(page.model.play is not None for page in pages))
    return pages


def entry_count(page: Page) -> int:
    return len(page.model.play.session.log) if page.model.play is not None else -1


def is_over(page: Page) -> bool:
    return page.model.play is not None and page.model.play.session.over


async def play_until(network: Network, pages: list[Page], least: int) -> None:
    def done() -> bool:
        for page in pages:
            assert page.errors == []
            page.answer()
        return all(entry_count(page) >= least or is_over(page) for page in pages)

    await network.until(done)


def status_text(page: Page) -> str:
    shown = next(node for node in all_nodes(page.shown) if node.attrs.get("key", node.key) == "net")
    return str(shown.attrs["aria-label"]).partition(": ")[2]


def leave(pages: list[Page]) -> None:
    for page in pages:
        page.table.leave()
        assert page.errors == []


@pytest.mark.parametrize("game", PLAYABLE)
@simulated
async def test_three_pages_and_a_bot_play(game: str) -> None:
    network = Network()
    pages = await start_table(network, "p,p,p,b2", 2, game)
    await play_until(network, pages, 25)
    for seat, page in enumerate(pages):
        play = page.model.play
        assert play is not None
        assert play.revealed_to == seat
        assert [chair.plays for chair in play.header.chairs][seat] == "p"
    assert {page.model.room.news.leader for page in pages} <= {"me", "direct"}
    leave(pages)


@simulated
async def test_the_page_shows_that_the_deal_was_checked() -> None:
    network = Network()
    pages = await start_table(network, "p,p,b1", 1, "thieves")
    for page in pages:
        page.send("dialog", "room")
        assert TEXTS("room.deal.kept") not in page.text
    await play_until(network, pages, 8)
    assert all(TEXTS("room.deal.promised") in page.text for page in pages)
    await play_until(network, pages, 10_000)
    await network.until(lambda: all(TEXTS("room.deal.kept") in page.text for page in pages))
    assert not any(TEXTS("room.deal.promised") in page.text for page in pages)
    leave(pages)


@simulated
async def test_no_link_is_shown_before_the_table_has_its_code() -> None:
    """Regression: the link shown in the first moments led to no table."""
    network = Network()
    page = Page(network)
    fragments: list[str] = []

    def tell(event: Event) -> None:
        if isinstance(event, News):
            fragments.append(event.fragment)
        Page.tell(page, event)

    page.tell = tell
    page.send("room.open")
    await network.until(lambda: page.model.room is not None and page.model.room.news.endpoint == "in")
    link = page.table.invite.fragment
    assert fragments[0] == ""
    assert {*fragments} == {"", link}
    assert page.table.invite.code in network.hub.rooms
    await network.until(lambda: page.address == link)


@simulated
async def test_a_seat_is_taken_once_and_its_name_is_text() -> None:
    network = Network()
    opener = await open_table(network, "p,p,p")
    pages = await seat_guests(network, opener, 1)
    pages[1].send("room.sit", "0", "Thief")
    await network.until(lambda: pages[1].model.notice is not None)
    assert pages[1].model.notice is not None
    assert pages[1].model.notice.key == "refused.net.seat_taken"
    pages[1].send("room.sit", "1", "<b>X</b>")
    await network.until(lambda: opener.model.room.news.spots[1].name == "<b>X</b>")
    assert "<b>X</b>" in opener.text
    pages[1].send("room.stand", "1")
    await network.until(lambda: opener.model.room.news.spots[1].free)
    pages[1].send("room.sit", "2")
    pages[1].send("leave")
    await network.until(lambda: opener.model.room.news.spots[2].free)
    assert pages[1].model.room is None
    leave([opener])


@simulated
async def test_chat_messages_are_text_and_unknown_signs_are_dropped() -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    pages[0].send("room.sign", SIGNS[0])
    pages[0].send("room.sign", "shout")
    pages[0].send("room.text", value="  <i>good \u202e evening</i>\n")
    await network.until(lambda: len(pages[1].model.room.chat) == 2)
    words = pages[1].model.room.chat
    assert [(word.sender, word.sign, word.text) for word in words] == [
        ("Theo", SIGNS[0], ""),
        ("Theo", "", "<i>good  evening</i>"),
    ]
    pages[1].send("dialog", "room")
    assert "<i>good" in pages[1].text
    assert not any(node.tag == "i" and "good" in node.text for node in all_nodes(pages[1].shown))
    leave(pages)


@simulated
async def test_a_bot_sits_in_and_hands_the_seat_back() -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 6)
    pages[1].send("room.give", "1:bot")
    await network.until(lambda: all(page.model.room.news.seated[1].kind == "bot" for page in pages))
    await play_until(network, pages[:1], 14)
    pages[1].send("dialog", "room")
    pages[1].send("room.give", "1:person")
    await network.until(lambda: pages[1].model.room.news.seated[1].kind == "person")
    assert pages[1].model.dialog == "room", "a seat that changes hands puts nothing away"
    await play_until(network, pages, 20)
    leave(pages)


@simulated
async def test_the_page_shows_who_is_away_and_for_how_long() -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 4)
    pages[1].suspend()
    opener = pages[0]
    await network.until(lambda: status_text(opener) == "Reconnecting: waiting for Guest 1")
    await network.until(lambda: status_text(opener) == "Waiting for Guest 1, who is away")
    await asyncio.sleep(60)
    assert status_text(opener) == "Waiting for Guest 1, away for a minute"
    opener.send("dialog", "room")
    assert "For a minute." in opener.text
    pages[1].resume()
    await network.until(lambda: status_text(opener) == "Connected")
    leave(pages)


@simulated
async def test_a_present_device_that_owes_a_share_is_named() -> None:
    """Regression: the page showed "… has been thinking for a minute" without a name. The bots of that device are not
    named: they owe nothing."""
    network = Network()
    pages = await start_table(network, "p,p,b1", 1)
    await play_until(network, pages, 4)
    opener_game, guest = pages[0].table.game, pages[1]
    assert opener_game is not None
    assert guest.model.play is not None
    name, share = guest.model.play.header.chairs[0].name, CoinDuties._reveal_link
    opener_duties = opener_game.device.coin_duties
    with patch.object(CoinDuties, "_reveal_link", lambda self: () if self is opener_duties else share(self)):
        while guest.model.room.news.waiting_for.seats:
            for page in pages:
                page.answer()
            await asyncio.sleep(0.1)
        await asyncio.sleep(65)
        assert status_text(guest) == f"The table has been waiting for the device of {name} for a minute"
    await network.until(lambda: status_text(guest) == "Connected")
    leave(pages)


@simulated
async def test_a_page_that_is_loaded_again_shows_the_table_at_once() -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 6)
    for number, old in enumerate(pages):
        old.crash()
        again = Page(network)
        again.headers, again.disk = old.headers, old.disk
        again.send("visited", value=old.model.room.news.fragment)
        await network.until(lambda again=again: again.model.play is not None)
        assert again.text.count("On the way") == 0
        await network.until(lambda again=again: entry_count(again) >= 6)
        pages[number] = again
    await play_until(network, pages, 14)
    leave(pages)


async def play_to_end(network: Network, pages: list[Page]) -> None:
    def done() -> bool:
        for page in pages:
            assert page.errors == []
            page.answer()
        return all(page.model.play is not None and page.model.play.session.over for page in pages)

    await network.until(done)


@simulated
async def test_the_next_game_has_the_same_people_and_link() -> None:
    network = Network()
    opener = await open_table(network, "p,p,b2")
    assert opener.table.lobby is not None
    opener.table._phase = InLobby(replace(opener.table.lobby, options={"deck": SHORT_DECK}))
    pages = await seat_guests(network, opener, 1)
    opener.send("room.begin")
    await network.until(lambda: all(page.model.play is not None for page in pages))
    await play_to_end(network, pages)
    await network.until(lambda: all(not is_resting(page.model.play) for page in pages if page.model.play))
    words = opener.model.room.news.words
    assert "data-do=room.again" in controls(opener)
    assert "data-do=room.again" not in controls(pages[1])
    pages[1].send("room.again")  # not theirs to lay out
    await network.until(lambda: pages[1].model.notice is not None)
    opener.send("room.again")
    await network.until(lambda: all(entry_count(page) == 0 for page in pages))
    assert len(words.split()) == 4
    assert opener.model.room.news.words != words
    late = Page(network)
    late.send("visited", value=opener.model.room.news.fragment)
    await play_until(network, pages, 6)
    pages[1].crash()
    again = Page(network)
    again.headers, again.disk = pages[1].headers, pages[1].disk
    again.send("visited", value=opener.model.room.news.fragment)
    await network.until(lambda: entry_count(again) >= 6)
    await play_until(network, [opener, again], 12)
    await network.until(lambda: entry_count(late) >= 12)
    leave([opener, again, late])


def controls(page: Page) -> set[str]:
    return {f"data-do={node.attrs['data-do']}" for node in all_nodes(page.shown) if "data-do" in node.attrs}


@simulated
async def test_the_lobby_knows_the_tables_this_device_was_at() -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 4)
    header, code = pages[1].headers["table"], pages[1].table.invite.code
    lobby_header = kept.read(header)
    lobby_header.setup = ""
    lobby_header.lobby = pages[0].table.header.lobby
    odd = kept.read(header)
    odd.setup = odd.setup.replace("razzia", "poker")
    fragment = pages[1].model.room.news.fragment
    leave(pages)
    lobby = Page(network)
    lobby.send("tables", data=known_tables([header, lobby_header.text(), odd.text(), "damaged"]))
    assert lobby.model.tables == (
        (code, fragment, "razzia", ("Theo", "Guest 1")),
        (code, fragment, "razzia", ("Theo", "Guest 1")),
        (code, fragment, "", ()),
    )
    lobby.send("tables", data=known_tables([header]))
    assert "1 table by link" in lobby.text
    assert "saved game" not in lobby.text
    lobby.send("dialog", "saves")
    assert "Theo, Guest 1" in lobby.text
    lobby.headers, lobby.disk = pages[1].headers, pages[1].disk
    lobby.send("dialog", f"forget:{code}")
    lobby.send("table.forget", code)
    assert lobby.model.tables == ()


@simulated
async def test_a_person_left_alone_can_continue_locally() -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 6)
    pages[1].table.leave()
    await network.until(lambda: pages[0].model.room.news.seated[1].state == "gone")
    pages[0].send("dialog", "room")
    assert "data-do=room.fork" in controls(pages[0])
    before = list(pages[0].model.play.session.log) if pages[0].model.play else []
    pages[0].send("room.fork")
    await network.until(lambda: pages[0].take_overs)
    header, records = pages[0].take_overs[0].header, pages[0].take_overs[0].records
    assert [chair.plays for chair in header.chairs] == ["p", "b2"]
    assert saved_game.replay(header, records).log == before
    assert pages[0].model.room is None


@simulated
async def test_a_game_with_unknown_cards_cannot_be_continued_locally() -> None:
    network = Network()
    pages = await start_table(network, "p,p,b2", 1, "thieves")
    await play_until(network, pages, 6)
    pages[1].send("dialog", "room")
    pages[0].suspend()
    await network.until(lambda: TEXTS("refused.net.cards_elsewhere") in pages[1].text)
    assert "data-do=room.fork" not in controls(pages[1]), "what cannot be is not offered"
    pages[0].resume()
    pages[1].send("room.fork")
    await network.until(lambda: pages[1].model.notice is not None)
    assert pages[1].model.notice is not None
    assert pages[1].model.notice.key == "refused.net.cards_elsewhere"
    pages[0].send("room.fork")  # the device that deals knows them
    await network.until(lambda: pages[0].take_overs)
    header = pages[0].take_overs[0].header
    assert [chair.plays for chair in header.chairs] == ["p", "b2", "b2"]
    assert len(saved_game.replay(header, pages[0].take_overs[0].records).log) == header.entries
    leave(pages[1:])


@simulated
async def test_a_scanned_code_is_handled_like_a_typed_one() -> None:
    network = Network()
    opener = Page(network)
    opener.dial = None
    opener.send("room.open")
    await network.until(lambda: opener.model.room is not None)
    opener.receive_event(Abilities(share=False, scan=True, direct=True, far=True))
    opener.send("room.offer")
    await network.until(lambda: bool(opener.model.room.news.code_offer))
    assert "data-do=room.scan" in controls(opener)
    guest = Page(network)
    guest.dial = None
    guest.send("room.reply", value=opener.model.room.news.code_offer)
    await network.until(lambda: guest.model.room is not None and bool(guest.model.room.news.code_reply))
    opener.send("room.scan", "room.leave")
    assert opener.model.dialog == ""
    opener.send("room.scan", "room.take")
    assert opener.model.dialog == "scan"
    assert "data-do=dialog.close" in controls(opener)
    opener.receive_event(Scanned(""))
    assert opener.model.dialog == "scan"
    opener.receive_event(Scanned(guest.model.room.news.code_reply))
    assert opener.model.dialog == ""
    await network.until(lambda: guest.model.room.news.phase == "lobby")
    leave([opener, guest])
