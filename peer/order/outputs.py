"""The outputs of a device.

A driver carries them out strictly in order: nothing after a `Store` is carried out before the record is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from peer.wire.frames import Frame


class Send(NamedTuple):
    """A frame to be sent to a device, directly or through others. It may be lost."""

    to: int
    frame: Frame


class Store(NamedTuple):
    """A record to be stored durably: `[kind, ...]`, plain values. `journal.py` reads the records back."""

    record: list[Any]


class Sign(NamedTuple):
    """A text to be signed. `Device.signed` must then be called with text and signature, in the order of the texts."""

    text: str


class Tell(NamedTuple):
    """News for the user interface: the id of a reason or an event, and its values."""

    what: str
    values: dict[str, Any]


Output = Send | Store | Sign | Tell


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations, all in milliseconds of the driver's clock."""

    heartbeat: int = 500  # interval of the leader's heartbeats
    election_min: int = 1800  # without hearing the leader, before a device starts an election: at least …
    election_max: int = 3000  # … and at most
    resend: int = 1000  # interval at which own envelopes are offered again, until they are committed
    away_after: int = 3000  # without hearing a device, before it is called away if the table waits for it
