"""One table in two windows: the last one takes over, the other stops, and no envelope is sent twice."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from engine.core import Refused
from peer.channels.invite import new_code, new_secret
from peer.device.driver import NotStored
from peer.table.header import Header, read
from peer.table.one_window import ELSEWHERE, HERE, keep, taken_up
from tests.peer.simulation.in_memory import evening
from tests.peer.table.test_tables import answer, leave, played, under_way


@pytest.mark.parametrize("moment", range(12))
@evening
async def test_a_second_window_in_mid_game_takes_the_seat_and_the_game_goes_on(moment: int) -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    for _ in range(moment):
        answer(tables)
        await asyncio.sleep(0.003)
    answer(tables)
    first = tables[1]
    again = homes[1].visits(first.invite.fragment)
    await street.until(lambda: first.news().endpoint == "replaced")
    await played(street, [tables[0], again], 14)
    told = [data.what for home in homes for what, data in home.told if what == "told"]
    assert not {"net.store", "net.two_stories", "net.muted"} & {*told}
    assert first.game is not None
    assert first.game.over
    leave(tables[0], again)


@evening
async def test_a_second_window_silences_the_first_with_no_endpoint_to_tell_it() -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    first = tables[1]
    homes[1].dial = homes[0].dial = None
    again = homes[1].visits(first.invite.fragment)

    def silent() -> bool:
        answer(tables)
        return first.news().endpoint == "replaced"

    await street.until(silent)
    assert first.game is not None
    assert first.game.over
    assert homes[1].told[-1][0] == "news"
    assert "net.store" not in [data.what for what, data in homes[1].told if what == "told"]
    leave(tables[0], again)


class Books:
    """A store to which another window writes, `others` times, between reading and writing."""

    def __init__(self, header: Header, records: int, others: int = 0, why: str = ELSEWHERE) -> None:
        self.header, self.records = header.text(), ["[]"] * records
        self.others, self.why = others, why

    async def read(self, code: str) -> tuple[str, list[str]] | None:
        return self.header, [*self.records]

    async def write(self, code: str, header: str, first: int, records: list[str]) -> None:
        if self.others:
            self.others -= 1
            self.records.append("[]")
        if self.why != ELSEWHERE or first < len(self.records):
            raise NotStored(self.why)
        self.header = header
        self.records += records


KEPT = Header(new_code(b"12345678"), new_secret(b"123456789", "s" * 43, "l" * 43), "e" * 43, setup="{}")


def test_a_window_that_finds_its_number_taken_reads_the_shelf_again() -> None:
    books = Books(KEPT, 5, others=3)
    found = asyncio.run(taken_up(books.read, books.write, KEPT.code, KEPT.secret))
    assert found is not None
    assert found[1] == books.records == ["[]"] * 8 + [HERE]
    assert found[0].records == json.loads(books.header)["records"] == 9


def test_what_cannot_be_claimed_can_be_looked_at() -> None:
    books = Books(KEPT, 5, why="full")
    found = asyncio.run(taken_up(books.read, books.write, KEPT.code, KEPT.secret))
    assert found is not None
    assert (found[0].records, len(found[1])) == (5, 5)


def test_a_link_with_one_wrong_letter_does_not_destroy_what_is_kept_of_the_table() -> None:
    """Regression: another secret was stored under the same code, and the seat was lost."""
    books = Books(KEPT, 5)
    with pytest.raises(Refused, match=r"link\.room"):
        asyncio.run(taken_up(books.read, books.write, KEPT.code, "other"))
    found = asyncio.run(taken_up(books.read, books.write, KEPT.code, KEPT.secret))
    assert found is not None
    assert found[0].seed == KEPT.seed


def test_what_could_not_be_kept_leaves_no_gap_in_the_numbers() -> None:
    """After a gap no record is found on a reload."""

    async def full(*_: object) -> None:
        raise NotStored("full")

    kept = Header(KEPT.code, KEPT.secret, KEPT.seed, records=5)
    table: Any = SimpleNamespace(header=kept, env=SimpleNamespace(keep=full))
    with pytest.raises(NotStored):
        asyncio.run(keep(table, [["term", 1, 0]]))
    assert kept.records == 5


def test_before_the_game_nothing_is_claimed() -> None:
    books = Books(Header(KEPT.code, KEPT.secret, KEPT.seed), 0)
    found = asyncio.run(taken_up(books.read, books.write, KEPT.code, KEPT.secret))
    assert found is not None
    assert (found[1], books.records) == ([], [])
    assert read(books.header).records == 0
