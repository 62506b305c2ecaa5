"""Wishes for a bot on another person's seat, and refusals: what the person who asked sees of them."""

from __future__ import annotations

import asyncio

import pytest

from engine.core import Refused
from peer.device.device import MAX_REFUSED_IN_A_ROW
from peer.order.outputs import Equivocated, HandUnreadable, NotTaken, OwnRefused, Warned
from peer.table.commands import BeginGame, LayOutNext, SetPlayer, TableCommand, carry_out
from peer.table.table import Table
from peer.wire import bodies
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.simulation.page import TEXTS, Page
from tests.peer.table.test_page import controls, entry_count, play_until, start_table
from tests.peer.table.test_page import leave as leave_pages
from tests.peer.table.test_tables import leave, make_lobby, running_game, seat_all, until_gone


def wish_counts(tables: list[Table]) -> set[int]:
    """Returns the numbers of wishes for a bot on the last seat, as these tables know them."""
    return {(table.news().bot_wishes or {}).get(3, 0) for table in tables}


def send_wish(table: Table, kind: str = "bot") -> None:
    assert table.game is not None
    table.game.give_seat(3, kind)


@pytest.mark.parametrize("command", [SetPlayer(2, "b1"), BeginGame(), LayOutNext()])
@simulated
async def test_only_the_opener_seats_bots_and_lays_out_games(command: TableCommand) -> None:
    network = Network()
    tables = await seat_all(network, [SimDevice(network), SimDevice(network)], make_lobby("p,p,b1"))
    lobbies = [table.lobby for table in tables]
    with pytest.raises(Refused) as refused:
        await carry_out(tables[1], command)
    assert refused.value.reason == "net.only_opener"
    await asyncio.sleep(2)
    assert [table.lobby for table in tables] == lobbies
    assert [(table.game, table.channels.refused) for table in tables] == [(None, {})] * 2
    leave(*tables)


@simulated
async def test_a_wish_for_a_bot_can_be_taken_back() -> None:
    network, _, tables = await running_game("p,p,p,p", entries=4)
    gone, rest = tables[3], tables[:3]
    gone.leave()
    await until_gone(network, rest, gone)
    await network.until(lambda: all(one.news().leader in ("me", "direct") for one in rest))
    send_wish(rest[0], "stays")  # nothing was wished
    for one in rest[:2]:
        send_wish(one)
    await network.until(lambda: wish_counts(rest) == {2})
    assert [one.news().own_wishes for one in rest] == [(3,), (3,), ()]
    send_wish(rest[0], "stays")
    await network.until(lambda: wish_counts(rest) == {1})
    send_wish(rest[2])
    await network.until(lambda: wish_counts(rest) == {2})
    assert {one.news().seated[3].kind for one in rest} == {"person"}
    send_wish(rest[0])
    await network.until(lambda: {one.news().seated[3].kind for one in rest} == {"bot"})
    assert wish_counts(rest) == {0}
    leave(*rest)


@simulated
async def test_a_wish_for_a_bot_ends_when_the_absent_person_is_heard_again() -> None:
    """Regression: an old wish and one new one took the seat of a person who was only away for some seconds."""
    network, devices, tables = await running_game("p,p,p,p", entries=4)
    phone, rest = tables[3], tables[:3]
    devices[3].suspend()
    await until_gone(network, rest, phone)
    await network.until(lambda: all(one.news().leader in ("me", "direct") for one in rest))
    for one in rest[:2]:
        send_wish(one)
    await network.until(lambda: wish_counts(rest) == {2})
    devices[3].resume()
    await network.until(lambda: wish_counts(tables) == {0})
    devices[3].suspend()
    await until_gone(network, rest, phone)
    await network.until(lambda: all(one.news().leader in ("me", "direct") for one in rest))
    send_wish(rest[2])
    await network.until(lambda: wish_counts(rest) == {1})
    await asyncio.sleep(10)
    assert {one.news().seated[3].kind for one in rest} == {"person"}
    devices[3].resume()
    await network.until(lambda: wish_counts(tables) == {0})
    leave(*tables)


@simulated
async def test_the_page_shows_a_wish_and_takes_it_back() -> None:
    network = Network()
    pages = await start_table(network, "p,p,p,p", 3)
    await play_until(network, pages, 4)
    pages[3].table.leave()
    opener = pages[0]
    await network.until(lambda: all(page.model.room.news.seated[3].state == "gone" for page in pages[:3]))
    await network.until(lambda: all(page.model.room.news.leader in ("me", "direct") for page in pages[:3]))
    opener.send("dialog", "room")
    await network.until(lambda: TEXTS("room.give.agree") in opener.text)
    opener.send("room.give", "3:bot")
    await network.until(lambda: TEXTS("room.give.stays") in opener.text)
    assert TEXTS("room.wishes", n=1, of=3) in opener.text
    assert TEXTS("room.give.agree") not in opener.text
    opener.send("room.give", "3:stays")
    await network.until(lambda: TEXTS("room.give.agree") in opener.text)
    assert TEXTS("room.give.stays") not in opener.text
    assert "data-do=room.give" in controls(opener)
    leave_pages(pages[:3])


@pytest.mark.parametrize(
    ("warning", "what"),
    [(HandUnreadable(1, "net.box"), "net.hand"), (NotTaken(7, "net.too_many_refused"), "net.not_taken")],
)
@simulated
async def test_failures_of_the_device_show_a_notice(warning: Warned, what: str) -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    pages[1].receive_event(warning)
    notice = pages[1].model.notice
    assert notice is not None
    assert notice.key == f"refused.{what}"
    assert notice.stays
    assert notice.key not in pages[1].text
    leave_pages(pages)


@simulated
async def test_a_warning_stays_until_it_is_put_away() -> None:
    """Regression: the warning vanished with the next move, or when the person it warned of sent a greeting."""
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 4)
    warned = pages[1]
    warned.receive_event(Equivocated(0, 7))
    warning = warned.model.notice
    pages[0].send("room.sign", "hello")
    await network.until(lambda: warned.model.room.chat)
    await play_until(network, pages, entry_count(warned) + 4)
    warned.send("room.sign", "bye")
    assert warned.model.notice is warning is not None
    warned.send("notice.close")
    assert warned.model.notice is None
    leave_pages(pages)


@simulated
async def test_a_device_the_leader_rejects_is_informed_once() -> None:
    _, devices, tables = await running_game("p,p,p", entries=4)
    leader = next(one for one in tables if one.news().leader == "me")
    guest = next(one for one in tables if one is not leader)
    assert leader.game is not None
    assert guest.game is not None
    leader.game.device.state.refused_in_a_row[guest.game.number] = MAX_REFUSED_IN_A_ROW
    guest.game.give_seat(tables.index(guest), "bot")
    await asyncio.sleep(10)
    assert [type(tell) for tell in devices[tables.index(guest)].tells].count(NotTaken) == 1
    leave(*tables)


@simulated
async def test_a_refused_wish_is_shown_to_its_author_only() -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 4)
    game = pages[1].table.game
    game.device.give_seat(0, "bot", 1)  # of two voters one cannot outvote the other
    game.driver.wake()
    await network.until(lambda: pages[1].model.notice is not None)
    assert pages[1].model.notice is not None
    assert pages[1].model.notice.key == "refused.net.not_your_seat"
    assert pages[0].model.notice is None
    leave_pages(pages)


@simulated
async def test_a_refused_wish_does_not_let_anybody_answer_twice() -> None:
    """A refused "seat" entry must not clear the pending answer, which is still on its way."""
    network = Network()
    pages = await start_table(network, "p,p", 1)
    await play_until(network, pages, 4)
    answered: list[Page] = []

    def answers() -> bool:
        answered.extend(page for page in pages if page.answer())
        return bool(answered)

    await network.until(answers)
    page = answered[0]
    assert page.model.play is not None
    remote = page.model.play.remote
    assert remote is not None
    sent = remote.sent
    assert sent is not None
    page.receive_event(OwnRefused(bodies.Seat, "net.stale", {}))
    assert remote.sent == sent
    page.receive_event(OwnRefused(bodies.Do, "net.stale", {}))
    assert remote.sent is None
    leave_pages(pages)


@simulated
async def test_a_reason_without_a_text_is_shown_in_a_sentence() -> None:
    network = Network()
    page = Page(network)
    page.send("room.open")
    await network.until(lambda: page.model.room is not None)
    refusal = OwnRefused(bodies.Do, "net.word", {})
    page.receive_event(refusal)
    assert page.model.notice is not None
    assert page.model.notice.key == "refused.net.other"
    assert "(net.word)" in page.text
    leave_pages([page])
