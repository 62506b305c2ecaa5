"""One window at a time has a stored table: the one that opened it last.

It appends a record of its own to the journal. Every other window then finds the number of its next record taken, before
it has sent what it wanted to store: it has been replaced, and stops. This prevents equivocation: a device never signs
two different envelopes under one counter.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from engine import strict_json
from engine.core import Refused
from peer.device.driver import NotStored
from peer.table.header import Header
from peer.table.header import read as read_kept

TAKE_OVER = '["here"]'  # the record with which a window takes over
NUMBER_TAKEN = "elsewhere"  # the reason of `NotStored` if another window has taken the number of the record
MAX_TRIES = 20  # attempts to take over, while the other window goes on writing

Read = Callable[[str], Awaitable[tuple[str, list[str]] | None]]
Write = Callable[[str, str, int, list[str]], Awaitable[None]]


async def take_over(read: Read, write: Write, code: str, secret: str) -> tuple[Header, list[str]] | None:
    """Takes over a stored table for this window. Returns its header and records, or None if nothing is stored.

    Raises `NotStored` if reading fails. Raises `Refused` if the secret is not that of the stored table: the link is
    damaged, and the table stored under its code must not be lost.
    """
    header, records = None, []
    for _ in range(MAX_TRIES):
        stored = await read(code)
        if stored is None:
            return None
        header, records = read_kept(stored[0]), stored[1]
        if header.secret != secret:
            raise Refused("link.room")
        header.records = len(records)
        if not header.setup:
            break  # no game has begun, so nothing has been signed under a counter
        header.records += 1
        try:
            await write(code, header.text(), len(records), [TAKE_OVER])
        except NotStored as unsafe:
            header.records -= 1
            if unsafe.reason != NUMBER_TAKEN:
                break  # the table can be shown; the error is reported when something has to be stored
        else:
            return header, [*records, TAKE_OVER]
    return (header, records) if header is not None else None


async def store(header: Header, write: Write, records: list[list[Any]]) -> None:
    """Stores the header and the next records, if any. Raises `NotStored`; with the reason `NUMBER_TAKEN` if another
    window has taken over."""
    texts = [strict_json.dumps_ascii(record) for record in records]
    first, header.records = header.records, header.records + len(texts)
    try:
        await write(header.code, header.text(), first, texts)
    except NotStored:
        header.records -= len(texts)
        raise
