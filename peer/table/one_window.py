"""One window at a time has a stored table: the one that opened it last.

It appends a record of its own to the journal. Every other window then finds the number of its next record taken, before
it has sent what it wanted to store: it has been replaced, and stops. This prevents equivocation: a device never signs
two different envelopes under one counter.
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

HERE = '["here"]'  # the record with which a window takes over
ELSEWHERE = "elsewhere"  # the reason in `NotStored` if another window has taken the number of the record
TRIES = 20  # attempts to take over, while the other window goes on writing

Read = Callable[[str], Awaitable[tuple[str, list[str]] | None]]
Write = Callable[[str, str, int, list[str]], Awaitable[None]]


async def taken_up(read: Read, write: Write, code: str, secret: str) -> tuple[Header, list[str]] | None:
    """Takes over a stored table for this window. Returns its header and records, or None if nothing is stored.

    Raises `NotStored` if reading fails. Raises `Refused` if the secret is not that of the stored table: the link is
    damaged, and the table stored under its code must not be lost.
    """
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
            break  # no game has begun, so nothing has been signed under a counter
        own.records += 1
        try:
            await write(code, own.text(), len(records), [HERE])
        except NotStored as unsafe:
            own.records -= 1
            if str(unsafe) != ELSEWHERE:
                break  # the table can be shown; the error is reported when something has to be stored
        else:
            return own, [*records, HERE]
    return (own, records) if own is not None else None


async def keep(table: Table, records: list[list[Any]]) -> None:
    """Stores the next records. Raises `NotStored`; if another window has taken over, this one also retires."""
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
    """Stops this window after another one has taken over: it must not send anything any more, not even a good-bye."""
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
