"""One table in two windows: the last one takes over, the other stops, and no envelope is sent twice."""

from __future__ import annotations

import asyncio
import json

import pytest

from engine.core import Refused
from peer.channels.invite import new_code, new_secret
from peer.device.driver import NotStored
from peer.order.outputs import Equivocated, Muted, StoringFailed
from peer.table.header import Header, read
from peer.table.news import News
from peer.table.one_window import NUMBER_TAKEN, TAKE_OVER, store, take_over
from peer.table.phase import Playing, Replaced
from tests.peer.simulation.in_memory import simulated
from tests.peer.table.test_tables import answer_all, leave, play_until, running_game


@pytest.mark.parametrize("moment", range(12))
@simulated
async def test_a_second_window_in_mid_game_takes_the_seat_and_the_game_goes_on(moment: int) -> None:
    network, devices, tables = await running_game("p,p", entries=6)
    for _ in range(moment):
        answer_all(tables)
        await asyncio.sleep(0.003)
    answer_all(tables)
    first = tables[1]
    again = devices[1].visit(first.invite.fragment)
    await network.until(lambda: first.news().endpoint == "replaced")
    await play_until(network, [tables[0], again], 14)
    reported = [tell for home in devices for tell in home.tells]
    assert not any(isinstance(tell, StoringFailed | Equivocated | Muted) for tell in reported)
    assert isinstance(first.phase, Replaced)
    assert isinstance(first.phase.former, Playing)
    assert first.phase.former.game.ended
    leave(tables[0], again)


@simulated
async def test_without_an_endpoint_a_second_window_still_stops_the_first() -> None:
    network, devices, tables = await running_game("p,p", entries=6)
    first = tables[1]
    devices[1].dial = devices[0].dial = None
    again = devices[1].visit(first.invite.fragment)

    def silent() -> bool:
        answer_all(tables)
        return first.news().endpoint == "replaced"

    await network.until(silent)
    assert isinstance(first.phase, Replaced)
    assert isinstance(first.phase.former, Playing)
    assert first.phase.former.game.ended
    assert isinstance(devices[1].events[-1], News)
    assert not any(isinstance(tell, StoringFailed) for tell in devices[1].tells)
    leave(tables[0], again)


class FakeStore:
    """A store to which another window writes, `others` times, between reading and writing."""

    def __init__(self, header: Header, records: int, others: int = 0, why: str = NUMBER_TAKEN) -> None:
        self.header, self.records = header.text(), ["[]"] * records
        self.other_writes, self.why = others, why

    async def read(self, code: str) -> tuple[str, list[str]] | None:
        return self.header, [*self.records]

    async def write(self, code: str, header: str, first: int, records: list[str]) -> None:
        if self.other_writes:
            self.other_writes -= 1
            self.records.append("[]")
        if self.why != NUMBER_TAKEN or first < len(self.records):
            raise NotStored(self.why)
        self.header = header
        self.records += records


HEADER = Header(new_code(b"12345678"), new_secret(b"123456789", "s" * 43, "l" * 43), "e" * 43, setup="{}")


def test_a_window_whose_record_number_is_taken_reads_the_stored_table_again() -> None:
    books = FakeStore(HEADER, 5, others=3)
    stored = asyncio.run(take_over(books.read, books.write, HEADER.code, HEADER.secret))
    assert stored is not None
    assert stored[1] == books.records == ["[]"] * 8 + [TAKE_OVER]
    assert stored[0].records == json.loads(books.header)["records"] == 9


def test_a_table_that_cannot_be_taken_over_can_be_read() -> None:
    books = FakeStore(HEADER, 5, why="full")
    stored = asyncio.run(take_over(books.read, books.write, HEADER.code, HEADER.secret))
    assert stored is not None
    assert (stored[0].records, len(stored[1])) == (5, 5)


def test_a_link_with_a_wrong_secret_does_not_destroy_the_stored_table() -> None:
    """Regression: another secret was stored under the same code, and the seat was lost."""
    books = FakeStore(HEADER, 5)
    with pytest.raises(Refused, match=r"link\.room"):
        asyncio.run(take_over(books.read, books.write, HEADER.code, "other"))
    stored = asyncio.run(take_over(books.read, books.write, HEADER.code, HEADER.secret))
    assert stored is not None
    assert stored[0].seed == HEADER.seed


def test_a_failed_write_leaves_no_gap_in_the_record_numbers() -> None:
    """After a gap no record is found on a reload."""

    async def full(*_: object) -> None:
        raise NotStored("full")

    header = Header(HEADER.code, HEADER.secret, HEADER.seed, records=5)
    with pytest.raises(NotStored):
        asyncio.run(store(header, full, [["term", 1, 0]]))
    assert header.records == 5


def test_no_take_over_record_is_written_before_the_game() -> None:
    books = FakeStore(Header(HEADER.code, HEADER.secret, HEADER.seed), 0)
    stored = asyncio.run(take_over(books.read, books.write, HEADER.code, HEADER.secret))
    assert stored is not None
    assert (stored[1], books.records) == ([], [])
    assert read(books.header).records == 0
