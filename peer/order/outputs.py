"""The outputs of a device.

A driver carries them out strictly in order: nothing after a `Store` is carried out before the record is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from peer.wire.bodies import Body
from peer.wire.frames import Frame


class Send(NamedTuple):
    """A frame to be sent to a device, directly or through others. It may be lost."""

    to: int
    frame: Frame


class Store(NamedTuple):
    """A record to be stored durably: `[kind, ...]`, plain values. `journal.py` reads the records back."""

    record: list[Any]


class Sign(NamedTuple):
    """A text to be signed. `Device.take_signature` must then be called with text and signature, in the order of the
    texts."""

    text: str


# What a device tells its table, which passes most of it on to the page


class Applied(NamedTuple):
    """The committed entries up to this one were applied."""

    up_to: int


class LeaderChanged(NamedTuple):
    """This device knows the leader of a term: another device, or itself."""

    device: int
    term: int


class GaveUpAlone(NamedTuple):
    """It is stored that this device gave up going on alone."""


class OwnRefused(NamedTuple):
    """An envelope of this device was committed, but what it asks for was refused."""

    kind: type[Body]
    reason: str
    values: dict[str, object]


class OtherRefused(NamedTuple):
    """An envelope of another device was committed, but what it asks for was refused."""

    device: int
    kind: type[Body]
    reason: str
    values: dict[str, object]


class Said(NamedTuple):
    """A person on another device sent a chat message: a known sign or a text, as `kind` says."""

    device: int
    kind: str
    text: str


class OtherBuild(NamedTuple):
    """A device has another version of the page: it is not heard until it reloads."""

    device: int


class NotTaken(NamedTuple):
    """The leader does not append this device's envelope with that counter."""

    counter: int
    reason: str


class StoringFailed(NamedTuple):
    """A record could not be stored: this device takes no more part."""


class Muted(NamedTuple):
    """A device was muted. `who` names its people if its table knows them, but its log does not."""

    device: int
    reason: str
    who: str = ""


class MutedByLeader(NamedTuple):
    """The leader has muted a device: nothing it says reaches the log, although it may be heard here."""

    device: int


class Equivocated(NamedTuple):
    """A device has signed two different envelopes under this counter."""

    device: int
    counter: int


class LogsDiffer(NamedTuple):
    """A device has another entry where this log has a committed one."""

    device: int
    entry: int


class HandUnreadable(NamedTuple):
    """The hand-over of a seat cannot be read."""

    seat: int
    reason: str


class HandsDiffer(NamedTuple):
    """An entry does not fit the hand of a seat of this device."""

    seat: int
    entry: int
    reason: str


class FalseDeal(NamedTuple):
    """The dealer has dealt something that the rules do not allow."""

    entry: int
    reason: str


class FalsePromise(NamedTuple):
    """The dealer's secret, once opened, is not the one that was promised. `device` made the promise."""

    device: int


class FalseEntry(NamedTuple):
    """An entry of the game was not what it should have been, as the opened secret shows."""

    entry: int
    seat: int
    reason: str


#: what the audit of a finished game can find
AuditFailure = FalsePromise | FalseEntry
#: what can be wrong with what this device was dealt
DealProblem = HandUnreadable | HandsDiffer | FalseDeal
#: what people are warned of
Warned = (
    OtherBuild
    | NotTaken
    | StoringFailed
    | Muted
    | MutedByLeader
    | Equivocated
    | LogsDiffer
    | DealProblem
    | AuditFailure
)
Tell = Applied | LeaderChanged | GaveUpAlone | OwnRefused | OtherRefused | Said | Warned


Output = Send | Store | Sign | Tell


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations, all in milliseconds of the driver's clock."""

    heartbeat: int = 500  # interval of the leader's heartbeats
    election_min: int = 1800  # without hearing the leader, before a device starts an election: at least …
    election_max: int = 3000  # … and at most
    resend: int = 1000  # interval at which own envelopes are offered again, until they are committed
    away_after: int = 3000  # without hearing a device, before it is called away if the table waits for it
