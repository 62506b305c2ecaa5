"""What a device puts out.

A driver carries it out strictly in order: nothing after a `Store` goes out before that is safe.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from peer.wire.frames import Frame


class Send(NamedTuple):
    """Give this frame to that device, directly or through others; it may be lost."""

    to: int
    frame: Frame


class Store(NamedTuple):
    """Keep this record for good: `[kind, ...]`, plain values. See `records.py` for what is read back."""

    record: list[Any]


class Sign(NamedTuple):
    """Sign this text, then call `Device.signed` with text and signature, in this order."""

    text: str


class Tell(NamedTuple):
    """Something a person should know: a reason id and its values."""

    what: str
    values: dict[str, Any]


Output = Send | Store | Sign | Tell


@dataclass(frozen=True, slots=True)
class Timing:
    """All in milliseconds of the driver's clock."""

    beat: int = 500  # the host tells that it is there
    least: int = 1800  # so long without the host before anybody thinks of taking over
    most: int = 3000
    resend: int = 1000  # own envelopes, until they are committed
    away: int = 3000  # so long without a device before it is called away, if the table waits for it
