"""A table is taken up from the shelf by one window at a time: the one that came last.

It says so with a record of its own. From then on every other window finds its next number taken, before it has said
what it wished to keep: it has been replaced, and falls silent. So no device ever says two things under one number.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from engine.core import Refused
from peer.device.driver import NotStored
from peer.table.header import Header
from peer.table.header import read as read_kept

if TYPE_CHECKING:
    from peer.table.table import Table

HERE = '["here"]'
ELSEWHERE = "elsewhere"  # why something could not be kept: its number is taken
TRIES = 20  # the other window writes meanwhile

Read = Callable[[str], Awaitable[tuple[str, list[str]] | None]]
Write = Callable[[str, str, int, list[str]], Awaitable[None]]


async def taken_up(read: Read, write: Write, code: str, secret: str) -> tuple[Header, list[str]] | None:
    """What is kept of that table, for this window alone; None if there is nothing. Both may raise `Unsafe`; a link that
    is not whole is `Refused`: what is kept of the table it nearly names must not be lost."""
    own, records = None, []
    for _ in range(TRIES):
        found = await read(code)
        if found is None:
            return None
        own, records = read_kept(found[0]), found[1]
        if own.secret != secret:
            raise Refused("link.room")
        own.records = len(records)
        if not own.setup:
            break  # nothing has begun, and nothing is said under a number
        own.records += 1
        try:
            await write(code, own.text(), len(records), [HERE])
        except NotStored as unsafe:
            own.records -= 1
            if str(unsafe) != ELSEWHERE:
                break  # it can be looked at, and is told when something must be kept
        else:
            return own, [*records, HERE]
    return (own, records) if own is not None else None


async def keep(table: Table, records: list[list[Any]]) -> None:
    """The next records. Raises `Unsafe`."""
    kept, texts = table.header, [json.dumps(record, separators=(",", ":")) for record in records]
    first, kept.records = kept.records, kept.records + len(records)
    try:
        await table.env.keep(kept.code, kept.text(), first, texts)
    except NotStored as unsafe:
        kept.records = first
        if str(unsafe) == ELSEWHERE:
            table.retire()
        raise


def fall_silent(table: Table) -> None:
    """Another window has the seat: this one must not speak for it any more, not even to say good-bye."""
    if table.game is not None:
        table.game.end()
    for line in table.channels.by_key.values():
        line.drop()
    point = table.endpoint
    if point is not None:
        point.state = "replaced"
        if point.wire is not None:
            point.wire.close()
    table.env.tell("news", table.news())
