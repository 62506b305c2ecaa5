"""Somebody holds up the table: the others agree on a bot, and the person may take the seat back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core import Refused
from peer.game.setup import PATIENCES
from peer.order.outputs import MutedByLeader
from peer.table import lobby as lobbies
from peer.table.commands import SetPatience, carry_out
from peer.table.table import Table
from peer.wire.limits import MUTED_AT
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.simulation.page import TEXTS, Page
from tests.peer.table.test_page import entry_count, open_table, play_until, seat_guests
from tests.peer.table.test_page import leave as leave_pages
from tests.peer.table.test_tables import begin_game, leave, make_lobby, running_game, seat_all
from ui.messages import Think


class IdlePage(Page):
    """A page that plays no bots."""

    async def _run(self, command: Any) -> None:
        if not isinstance(command, Think):
            await super()._run(command)


async def impatient_table(network: Network, minutes: int, last: type[Page] = Page) -> list[Page]:
    """Returns three pages with a person each, at a table with that patience; all have begun to play."""
    pages = await seat_guests(network, await open_table(network, "p,p,p"), 1)
    pages.append(last(network))
    pages[2].send("visited", value=pages[0].model.room.news.fragment)
    await network.until(lambda: pages[2].model.room is not None and pages[2].model.room.news.phase == "lobby")
    pages[2].send("room.sit", "2", "Guest 2")
    await network.until(lambda: not pages[0].model.room.news.spots[2].free)
    pages[0].send("room.patience", value=str(minutes))
    await network.until(lambda: {page.model.room.news.patience for page in pages} == {minutes})
    pages[0].send("room.begin")
    await network.until(lambda: all(page.model.play is not None for page in pages))
    await play_until(network, pages, 4)
    return pages


async def until_only_asked(network: Network, pages: list[Page], seat: int) -> None:
    """Plays for all other people until the table waits for this seat."""

    def asked() -> bool:
        for page in pages:
            if page is not pages[seat]:
                page.answer()
        return bool(pages[seat].table.game.device.possible_answers(seat))

    await network.until(asked)


@simulated
async def test_a_bot_answers_for_somebody_who_thinks_for_too_long() -> None:
    network = Network()
    pages = await impatient_table(network, 1)
    thinker, rest = pages[2], pages[:2]
    await until_only_asked(network, pages, 2)
    rest[0].send("dialog", "room")
    await asyncio.sleep(30)
    assert [page.model.room.news.seated[2].bot_reason for page in rest] == ["", ""]
    assert TEXTS("room.give.agree") not in rest[0].text
    before = entry_count(rest[0])
    await network.until(lambda: TEXTS("room.give.agree") in rest[0].text)
    for page in rest:
        page.send("room.give", "2:bot")
    await network.until(lambda: entry_count(rest[0]) > before)
    seated = [page.model.room.news.seated[2] for page in pages]
    assert {one.kind for one in seated} == {"bot"}
    assert seated[2].mine, "the bot plays on the device of the person: nobody else sees the hand"
    thinker.send("room.give", "2:person")
    await network.until(lambda: {page.model.room.news.seated[2].kind for page in pages} == {"person"})
    await play_until(network, pages, before + 8)
    leave_pages(pages)


@simulated
async def test_after_a_second_vote_a_bot_elsewhere_answers_first() -> None:
    network = Network()
    pages = await impatient_table(network, 1, IdlePage)
    thinker, rest = pages[2], pages[:2]
    await until_only_asked(network, pages, 2)
    device = thinker.table.game.device
    for times in (1, 2):
        await asyncio.sleep(50)
        await network.until(lambda: all(page.model.room.news.seated[2].bot_reason == "thinking" for page in rest))
        for page in rest:
            page.table.game.give_seat(2, "bot")
        await network.until(lambda times=times: device.state.bots_voted(2) == times)
        if times == 1:
            thinker.table.game.give_seat(2, "person")
            await network.until(lambda: device.state.places[2].kind == "person")
    assert device.state.places[2].device != device.me
    assert device.state.bot_answers_first(2)
    device.give_seat(2, "person", device.me)
    thinker.table.game.driver.wake()
    await network.until(lambda: thinker.model.notice is not None)
    assert thinker.model.notice is not None
    assert thinker.model.notice.key == "refused.net.bot_answers_first"
    before = entry_count(rest[0])
    await network.until(lambda: entry_count(rest[0]) > before)
    thinker.send("room.give", "2:person")
    await network.until(lambda: device.state.places[2] == ("person", device.me))
    leave_pages(pages)


@simulated
async def test_people_may_think_for_ever_where_the_table_says_so() -> None:
    network = Network()
    pages = await impatient_table(network, 0)
    await until_only_asked(network, pages, 2)
    await asyncio.sleep(6 * 60)
    assert pages[0].model.room.news.seated[2].bot_reason == ""
    with pytest.raises(Refused, match=r"net\.not_yet"):
        pages[0].table.game.give_seat(2, "bot")
    leave_pages(pages)


@simulated
async def test_a_device_that_the_leader_has_muted_is_named_to_all_and_can_be_replaced() -> None:
    network, devices, tables = await running_game("p,p,p", entries=4)
    games = [table.game for table in tables if table.game is not None]
    leader = games[0].device.raft.leader
    bad = (leader + 1) % 3
    for _ in range(MUTED_AT):
        games[leader].driver.border.receive(bad, b"nonsense", devices[leader].now())
    games[leader].driver.wake()
    other = 3 - leader - bad
    for number in (bad, other):
        await network.until(lambda number=number: MutedByLeader(bad) in devices[number].tells)
    good = [tables[leader], tables[other]]
    await network.until(lambda: all(table.news().seated[bad].bot_reason == "muted" for table in good))
    for number in (leader, other):
        games[number].give_seat(bad, "bot")
    await network.until(lambda: {table.news().seated[bad].kind for table in good} == {"bot"})
    assert not games[bad].device.state.public.over
    leave(*tables)


@simulated
async def test_only_the_opener_sets_the_patience_and_only_before_the_game() -> None:
    network = Network()
    tables = await seat_all(network, [SimDevice(network), SimDevice(network)], make_lobby("p,p"))
    with pytest.raises(Refused, match="only_opener"):
        await carry_out(tables[1], SetPatience(1))
    with pytest.raises(Refused, match=r"net\.word"):
        await carry_out(tables[0], SetPatience(7))
    await carry_out(tables[0], SetPatience(0))
    await begin_game(network, tables)
    with pytest.raises(Refused, match="started"):
        await carry_out(tables[0], SetPatience(1))
    assert [_patience(table) for table in tables] == [0, 0]
    leave(*tables)


def _patience(table: Table) -> int:
    assert table.setup is not None
    return table.setup.patience


@pytest.mark.parametrize("minutes", PATIENCES)
def test_a_lobby_and_its_patience_are_read_as_they_were_written(minutes: int) -> None:
    lobby = make_lobby("p,p").set_patience(minutes)
    assert lobbies.read(lobby.text) == lobby


def test_the_usual_patience_is_not_written() -> None:
    """Lobbies and set-ups of earlier versions have none: theirs must keep their text, from which the log follows."""
    lobby = make_lobby("p,p")
    assert len(lobby.text) < len(lobby.set_patience(1).text)
    assert lobby.set_patience(1).set_patience(5).text == lobby.text
