"""Messages, what two devices send each other in a channel: JSON arrays `[kind, fields...]`, sealed for the other one.

The channels handle their own messages (`ChannelMessage`) and pass the others (`TableMessage`) to the table. `read`
checks every field, so the code above works with the classes alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.core import Nonsense
from peer.crypto.keys import from_base64, to_base64
from peer.wire.bodies import HASH_LENGTH, MAX_DEVICES
from peer.wire.frames import MAX_BYTES
from peer.wire.shapes import Shape, base64url, integer, list_of, one_of, printable_ascii, public_key, text, tuple_of

MAX_TEXT = 9_030  # characters of one text of a channel: a sealed message, or a piece of one
MAX_DESCRIPTION = 400  # bytes of a packed session description
MAX_INTRODUCED = 40  # devices in one introduction
MAX_SETUP = 12_000  # characters of a set-up
MAX_LOBBY = 12_000  # characters of a lobby, and of the looks of its seats
MAX_NAME = 1_000  # characters of a name as it was typed; the lobby refuses long ones with a reason for people
MAX_SEATS = 8
REFUSAL_VALUES = ("who", "most", "seat")  # the values a refusal may bring: they fill places in a text of the page
MAX_VALUE = 60  # characters of one of them


class Identity(NamedTuple):
    """One visit of a device: the public halves of its keys, and the nonce of the visit."""

    verify_key: str
    seal_key: str
    nonce: str


# Messages of the channels


class Ping(NamedTuple):
    """Asks for a pong: sent to a silent device, and with a challenge to one that has not proved its keys yet."""

    challenge: str = ""


class Pong(NamedTuple):
    """The answer to a ping, by the route it came by. Returning a challenge proves the sender's keys."""

    challenge: str = ""


class Offer(NamedTuple):
    """The dialing device offers a direct connection. `description` is packed (`sdp.py`)."""

    attempt: int
    description: bytes


class Answer(NamedTuple):
    """The answer to the offer of that attempt."""

    attempt: int
    description: bytes


class Decline(NamedTuple):
    """The answer to an offer from a device that makes no direct connections."""


class Redial(NamedTuple):
    """Sent by a device that has lost the direct connection of that attempt, and may not dial itself."""

    attempt: int


class Goodbye(NamedTuple):
    """The sender leaves the table, because its page is being closed."""


class Introduction(NamedTuple):
    """The devices that can be reached through the sender. Sent to all when they change; replaces the list before."""

    devices: tuple[Identity, ...]


class Relay(NamedTuple):
    """Asks the receiver to relay a text to the device with that seal key. Only that device can decrypt the text."""

    to: str
    text: str


class Relayed(NamedTuple):
    """A text that the sender relays from another device, its author."""

    author: Identity
    text: str


# Messages of the table


class GameFrame(NamedTuple):
    """A frame of the running game (`frames.py`), as JSON."""

    data: str


class Start(NamedTuple):
    """The signed set-up of a game, and the looks of its seats.

    From the opener to all when it lays the game out, and from every device to each one that connects.
    """

    setup: str
    looks: str
    signature: str


class Join(NamedTuple):
    """The join request of a device that comes after the game has begun: signed, with the permits of its rejoin link."""

    signature: str
    permits: tuple[str, ...]


class JoinAnswer(NamedTuple):
    """The answer to a join request."""

    missing: int  # 0 if the device was let in, else the number of further devices needed before it is


class TableFull(NamedTuple):
    """The answer to a join request if there is no place left."""


class LobbyUpdate(NamedTuple):
    """The lobby as text: from the opener to each device that connects, and to all whenever it changes."""

    lobby: str


class Sit(NamedTuple):
    """A guest asks the opener for a seat, under a name. `claim` is the hash of the seat's rejoin token."""

    seat: int
    name: str
    claim: str


class Stand(NamedTuple):
    """A guest asks the opener to free its seat."""

    seat: int


class RequestRefused(NamedTuple):
    """The opener refuses a guest's request. `values` fill the places in the text of that reason."""

    reason: str
    values: Mapping[str, str]


LobbyMessage = LobbyUpdate | Sit | Stand | RequestRefused
TableMessage = GameFrame | Start | Join | JoinAnswer | TableFull | LobbyMessage
ForwardingMessage = Redial | Introduction | Relay | Relayed
ChannelMessage = Ping | Pong | Offer | Answer | Decline | Goodbye | ForwardingMessage
Message = ChannelMessage | TableMessage


# Schemas


def _identity(value: Any) -> Identity:
    return Identity(*_IDENTITY(value))


def _description(value: Any) -> bytes:
    return from_base64(_PACKED(value))


def _refusal_values(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not value.keys() <= {*REFUSAL_VALUES}:
        raise Nonsense("net.word")
    return {name: _VALUE(one) for name, one in value.items()}


_nonce = base64url(22, 16)
_IDENTITY = tuple_of(public_key, public_key, _nonce)
_PACKED = base64url((4 * MAX_DESCRIPTION + 2) // 3)
_VALUE = text(MAX_VALUE)
_challenge = base64url(HASH_LENGTH)
_hash = base64url(HASH_LENGTH, HASH_LENGTH)
_signature = base64url(86, 20)
_sealed = printable_ascii(MAX_TEXT)
_seat = integer(0, MAX_SEATS - 1)

KINDS: dict[str, tuple[type[Any], Shape]] = {
    "ping": (Ping, tuple_of(_challenge)),
    "pong": (Pong, tuple_of(_challenge)),
    "offer": (Offer, tuple_of(integer(), _description)),
    "answer": (Answer, tuple_of(integer(), _description)),
    "decline": (Decline, tuple_of()),
    "redial": (Redial, tuple_of(integer())),
    "goodbye": (Goodbye, tuple_of()),
    "introduction": (Introduction, tuple_of(list_of(_identity, MAX_INTRODUCED))),
    "relay": (Relay, tuple_of(public_key, _sealed)),
    "relayed": (Relayed, tuple_of(_identity, _sealed)),
    "frame": (GameFrame, tuple_of(text(MAX_BYTES))),
    "start": (Start, tuple_of(printable_ascii(MAX_SETUP), printable_ascii(MAX_LOBBY), _signature)),
    "join": (Join, tuple_of(_signature, list_of(_hash, MAX_SEATS))),
    "admitted": (JoinAnswer, tuple_of(integer(0, MAX_DEVICES))),
    "full": (TableFull, tuple_of()),
    "lobby": (LobbyUpdate, tuple_of(printable_ascii(MAX_LOBBY))),
    "sit": (Sit, tuple_of(_seat, text(MAX_NAME), _hash)),
    "stand": (Stand, tuple_of(_seat)),
    "refused": (RequestRefused, tuple_of(printable_ascii(60), _refusal_values)),
}
KIND_OF = {kind: name for name, (kind, _) in KINDS.items()}


def read(value: object) -> Message:
    """Returns the message in a JSON array. Raises `Nonsense` if it is none."""
    if not isinstance(value, list) or not value or not isinstance(value[0], str) or value[0] not in KINDS:
        raise Nonsense("net.not_a_message")
    kind, shape = KINDS[value[0]]
    try:
        message: Message = kind(*shape(value[1:]))
    except Nonsense as refused:
        raise Nonsense("net.not_a_message") from refused
    return message


def write(message: Message) -> list[Any]:
    """Returns the JSON array of a message."""
    return [KIND_OF[type(message)], *map(_json, message)]


def _json(value: Any) -> Any:
    if isinstance(value, bytes):
        return to_base64(value)
    return [*map(_json, value)] if isinstance(value, tuple) else value


# The greeting


class Greeting(NamedTuple):
    """The first text between two devices that find each other at the endpoint or by a code. It names the sender.

    It is no `Message`: it is sealed with the link's key, which everybody has who has the link. Its form never changes,
    so that devices with different builds can tell each other to reload.
    """

    protocol: int
    build: str
    author: Identity
    answer: int  # 1 if the sender asks for a greeting in return


_GREETING = tuple_of(one_of("hey"), integer(), printable_ascii(64), public_key, public_key, _nonce, integer(0, 1))


def read_greeting(value: object) -> Greeting:
    """Returns the greeting in a JSON array. Raises `Nonsense` if it is none."""
    _, protocol, build, verify_key, seal_key, nonce, answer = _GREETING(value)
    return Greeting(protocol, build, Identity(verify_key, seal_key, nonce), answer)


def write_greeting(greeting: Greeting) -> list[Any]:
    return ["hey", greeting.protocol, greeting.build, *greeting.author, greeting.answer]
