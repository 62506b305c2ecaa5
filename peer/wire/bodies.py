"""The bodies of envelopes: one class for each kind of entry, and its schema.

The order of a class's fields is their order in the signed text, `[..., kind, [fields...]]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from peer.wire.shapes import Shape, answer_row, base64url, integer, list_of, one_of, public_key, tuple_of

MAX_CHARS = 12_000  # characters of one envelope
MAX_DEVICES = 32
HASH_LENGTH = 43  # characters of a head, or of any other hash
DEALER_ROLE = -1  # as the recipient of a box, in place of a device's number: the dealer's role

Scalar = int | str
Row = Sequence[Scalar | Sequence[Scalar | Sequence[Scalar]]]  # an answer in words and numbers: `engine/notation.py`
Boxes = tuple[tuple[int, str], ...]  # recipients, each with what is sealed for it


class Start(NamedTuple):
    """A new leader's first entry: it lets the older ones be committed."""


class Do(NamedTuple):
    """An answer of a seat."""

    seat: int
    turn: int  # the game entry at which the seat's present question began
    answer: Row  # as everybody may see it
    boxes: Boxes  # the hidden parts


class Pledge(NamedTuple):
    """A device commits itself to a hash chain."""

    number: int
    tip: str  # of the chain
    fingerprint: str  # of the secret
    shares: Boxes  # of the secret


class Link(NamedTuple):
    """A device's link for the open coin."""

    number: int  # of the coin
    link: str


class Away(NamedTuple):
    """The author does not hear a device that the table waits for."""

    device: int


class RecoveryShare(NamedTuple):
    """The author's share of the secret of a device that was called away, or (`DEALER_ROLE`) of the dealer's secret."""

    of: int
    number: int  # of the device's pledge; or how many times the dealer has changed
    share: str  # the dealer's is sealed for the new dealer


class Deck(NamedTuple):
    """The dealer's promise."""

    seal_key: str  # of the dealer's role
    fingerprint: str  # of the secret
    shares: Boxes  # of the secret


class Deal(NamedTuple):
    """From the dealer: outcomes that somebody may not see."""

    start: int  # index of the first game entry
    rows: Sequence[Row]  # as everybody may see them
    boxes: Boxes  # the hidden parts


class Cede(NamedTuple):
    """From a leaving dealer: another device is the dealer now."""

    to: int
    box: str  # the secret, sealed for the next dealer; empty if nothing was promised yet


class Reshare(NamedTuple):
    """From the dealer: new shares of its secret, for the devices that should have a vote."""

    shares: Boxes


class Object(NamedTuple):
    """From the dealer: a seat gave an answer that its hand does not allow."""

    length: int  # index of that game entry, and so the length of the game before it


class Seat(NamedTuple):
    """The author gives a seat to a player, or wishes that it had it."""

    seat: int
    kind: str  # person or bot
    device: int


class HandOver(NamedTuple):
    """From the dealer: the hand-over for a seat's new device."""

    seat: int
    number: int  # index of the log entry that moved the seat
    boxes: Boxes


class Open(NamedTuple):
    """The dealer's secret, published after the game."""

    secret: str


class Join(NamedTuple):
    """A device is let in."""

    number: int
    verify_key: str
    seal_key: str


class Votes(NamedTuple):
    """From the leader: the new voters."""

    log_index: int  # of this entry; at any other index it has no effect
    voters: tuple[int, ...]


class Agree(NamedTuple):
    """While the author is away, the other of two voters may go on alone."""


class Alone(NamedTuple):
    """One of two voters goes on alone."""

    log_index: int  # of this entry; at any other index it has no effect
    permits: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]  # of the author's own seats: each with the one that replaces it


class Vow(NamedTuple):
    """Commitments to tokens before they are shown, each bound to the author."""

    vows: tuple[str, ...]


class Claim(NamedTuple):
    """The author claims the seats of a rejoin link."""

    tokens: tuple[tuple[str, str], ...]  # each with the hash of its successor


Body = (
    Start
    | Do
    | Pledge
    | Link
    | Away
    | RecoveryShare
    | Deck
    | Deal
    | Cede
    | Reshare
    | Object
    | Seat
    | HandOver
    | Open
    | Join
    | Votes
    | Agree
    | Alone
    | Vow
    | Claim
)

_device = integer(0, MAX_DEVICES - 1)
_seat = integer(0, 7)
_head = base64url(HASH_LENGTH, HASH_LENGTH)
_proof = base64url(64, 64)
_boxes = list_of(tuple_of(integer(DEALER_ROLE, MAX_DEVICES - 1), base64url(MAX_CHARS)), MAX_DEVICES)
_token = base64url(HASH_LENGTH, HASH_LENGTH)

KINDS: dict[str, tuple[type[Any], Shape]] = {
    "start": (Start, tuple_of()),
    "do": (Do, tuple_of(_seat, integer(), answer_row, _boxes)),
    "pledge": (Pledge, tuple_of(integer(), _head, _proof, _boxes)),
    "share": (Link, tuple_of(integer(), _head)),
    "away": (Away, tuple_of(_device)),
    "yield": (RecoveryShare, tuple_of(integer(DEALER_ROLE, MAX_DEVICES - 1), integer(), base64url(400))),
    "deck": (Deck, tuple_of(_head, _proof, _boxes)),
    "deal": (Deal, tuple_of(integer(), list_of(answer_row, 100), _boxes)),
    "cede": (Cede, tuple_of(_device, base64url(400))),
    "reshare": (Reshare, tuple_of(_boxes)),
    "object": (Object, tuple_of(integer())),
    "seat": (Seat, tuple_of(_seat, one_of("person", "bot"), _device)),
    "hand": (HandOver, tuple_of(_seat, integer(), _boxes)),
    "open": (Open, tuple_of(base64url(HASH_LENGTH))),
    "join": (Join, tuple_of(_device, public_key, public_key)),
    "votes": (Votes, tuple_of(integer(1), list_of(_device, 8, 1))),
    "agree": (Agree, tuple_of()),
    "alone": (Alone, tuple_of(integer(1), list_of(_head, 8), list_of(tuple_of(_head, _head), 8))),
    "vow": (Vow, tuple_of(list_of(_head, 8, 1))),
    "claim": (Claim, tuple_of(list_of(tuple_of(_token, _head), 8, 1))),
}
KIND_OF: dict[type[Body], str] = {body: kind for kind, (body, _) in KINDS.items()}


def read(kind: str, value: Any) -> Body:
    """Decodes the body of an envelope of this kind, which must be one of `KINDS`. Raises `Nonsense`."""
    make, shape = KINDS[kind]
    body: Body = make(*shape(value))
    return body
