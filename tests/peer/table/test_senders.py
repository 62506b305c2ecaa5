"""Every kind of message in a channel, from every kind of sender, in every phase: taken, or the reason for which it is
refused. The table is in `REFUSED`; a kind that is in neither of the two tables fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import pytest

from engine.core import Nonsense, Refused
from peer.channels.channel import Channel
from peer.crypto.keys import to_base64
from peer.table.phase import InLobby, Knocking, Playing, Waiting
from peer.table.table import Table
from peer.wire.messages import (
    Answer,
    ChannelMessage,
    Decline,
    GameFrame,
    Goodbye,
    Identity,
    Introduction,
    Join,
    JoinAnswer,
    LobbyUpdate,
    Message,
    Offer,
    Ping,
    Pong,
    Redial,
    Relay,
    Relayed,
    RequestRefused,
    Sit,
    Stand,
    Start,
    TableFull,
    TableMessage,
)
from tests.peer.channels.test_hostile_channels import all_connected
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.table.test_tables import begin_game, leave, make_lobby, seat_all

NOT_A_MESSAGE = "net.not_a_message"
OPENER, GUEST, STRANGER = "the opener", "a guest with a seat", "a guest without a seat"
DIALS, ANSWERS = "the device that dials", "the device that does not dial"

#: by kind: who may send it, of the two devices of a channel
CHANNEL_SENDERS: dict[type[Any], tuple[str, ...]] = {
    Ping: (DIALS, ANSWERS),
    Pong: (DIALS, ANSWERS),
    Offer: (DIALS,),
    Answer: (ANSWERS,),
    Decline: (ANSWERS,),
    Redial: (ANSWERS,),
    Goodbye: (DIALS, ANSWERS),
    Introduction: (DIALS, ANSWERS),
    Relay: (DIALS, ANSWERS),
    Relayed: (DIALS, ANSWERS),
}

#: by kind: who may send it to a guest, and who may send it to the opener; what is not in its place in the present phase
#: has no effect, but an honest device may have sent it before it knew of that phase
TABLE_SENDERS: dict[type[Any], tuple[tuple[str, ...], tuple[str, ...]]] = {
    GameFrame: ((OPENER, GUEST, STRANGER), (GUEST, STRANGER)),  # to the border of the game, see device/test_senders.py
    Start: ((OPENER, GUEST, STRANGER), (GUEST, STRANGER)),  # signed by the opener, whoever passes it on
    Join: ((OPENER, GUEST, STRANGER), (GUEST, STRANGER)),  # signed by the sender
    JoinAnswer: ((), ()),  # only devices that were asked
    TableFull: ((), ()),  # likewise
    LobbyUpdate: ((OPENER,), ()),
    Sit: ((), (GUEST, STRANGER)),
    Stand: ((), (GUEST, STRANGER)),
    RequestRefused: ((), ()),  # only the opener, and only a request of this device
}
#: answers to a join request: in other phases than this one no request is open, and they have no effect
ONLY_WHILE_WAITING = (JoinAnswer, TableFull)


def kinds(union: Any) -> Iterator[type[Any]]:
    yield from get_args(union)


def message(kind: type[Any], table: Table) -> Message:
    """Returns a message of that kind that is well-formed: only who sends it can be wrong."""
    somebody = Identity(*(to_base64(bytes([size]) * size) for size in (32, 32, 16)))
    lobby = make_lobby("p,p,p")
    made: dict[type[Any], Message] = {
        Ping: Ping(), Pong: Pong(), Offer: Offer(1, b"o"), Answer: Answer(99, b"a"), Decline: Decline(),
        Redial: Redial(99), Goodbye: Goodbye(), Introduction: Introduction(()), Relay: Relay(somebody.seal_key, "1.A"),
        Relayed: Relayed(Identity(table.keys.verify_key, table.keys.seal_key, "n" * 22), "1.A"),
        GameFrame: GameFrame("[]"), Start: table.header.start or Start("", "", "s" * 20),
        Join: Join("s" * 86, ()), JoinAnswer: JoinAnswer(1), TableFull: TableFull(),
        LobbyUpdate: LobbyUpdate(lobby.text),
        Sit: Sit(0, "Eve", "h" * 43), Stand: Stand(1), RequestRefused: RequestRefused("net.started", {}),
    }  # fmt: skip
    return made[kind]


def reason(table: Table, sender: Channel, sent: Message) -> str:
    """Returns the reason for which a message is refused; "" if it is taken."""
    try:
        table.channels._handle(sender, sent)
    except (Nonsense, Refused) as refused:
        return refused.reason
    return ""


def test_every_kind_of_message_has_a_row() -> None:
    assert CHANNEL_SENDERS.keys() == {*kinds(ChannelMessage)}
    assert TABLE_SENDERS.keys() == {*kinds(TableMessage)}
    assert {*CHANNEL_SENDERS} | {*TABLE_SENDERS} == {*kinds(Message)}


async def people(phase: type[Any]) -> tuple[Network, Table, Table, Table, Table]:
    """Returns the opener, two guests with seats, and one without. The first guest is in that phase, the others in the
    lobby or in the game."""
    network = Network()
    tables = await seat_all(network, [SimDevice(network) for _ in range(3)], make_lobby("p,p,p"))
    tables.append(SimDevice(network).visit(tables[0].invite.fragment))
    await network.until(lambda: all_connected(tables))
    opener, guest, other, stranger = tables
    if phase in (Waiting, Playing):
        await begin_game(network, tables[:3])
        await network.until(lambda: stranger.game is not None)
    if phase is Knocking:
        guest._phase = Knocking()
    if phase is Waiting:
        assert guest.game is not None
        guest.game.end()
        guest._phase = Waiting(guest.game.setup, guest.game.looks, None)
    return network, opener, guest, other, stranger


@pytest.mark.parametrize("phase", [Knocking, InLobby, Waiting, Playing])
@simulated
async def test_messages_about_the_table_are_believed_only_from_who_may_send_them(phase: type[Any]) -> None:
    _, opener, guest, other, stranger = await people(phase)
    guest.join_requests.asked_keys.clear()
    guest.seating.requests = 0
    for sender, (name, kind) in product((opener, other, stranger), _named(kinds(TableMessage))):
        who = {id(opener): OPENER, id(other): GUEST, id(stranger): STRANGER}[id(sender)]
        for receiver, allowed in zip((guest, opener), TABLE_SENDERS[kind], strict=True):
            if sender is receiver:
                continue
            channel = receiver.channels.by_key[sender.keys.seal_key]
            before = type(receiver.phase)
            found = reason(receiver, channel, message(kind, receiver))
            is_open = kind not in ONLY_WHILE_WAITING or isinstance(receiver.phase, Waiting)
            expected = "" if who in allowed or not is_open else NOT_A_MESSAGE
            assert found == expected, (name, who, receiver is opener)
            if expected:
                assert type(receiver.phase) is before
    leave(opener, guest, other, stranger)


def _named(found: Iterator[type[Any]]) -> list[tuple[str, type[Any]]]:
    return [(kind.__name__, kind) for kind in found]


@simulated
async def test_messages_of_a_channel_are_believed_only_from_the_end_that_may_send_them() -> None:
    """Only one of two devices dials; the other one answers, declines, or asks to be dialed again."""
    _, *tables = await people(InLobby)
    for receiver, sender in product(tables, tables):
        if receiver is sender:
            continue
        channel = receiver.channels.by_key[sender.keys.seal_key]
        role = DIALS if sender.keys.seal_key < receiver.keys.seal_key else ANSWERS
        for name, kind in _named(kinds(ChannelMessage)):
            found = reason(receiver, channel, message(kind, receiver))
            assert found == ("" if role in CHANNEL_SENDERS[kind] else NOT_A_MESSAGE), (name, role)
    leave(*tables)


@simulated
async def test_the_opener_can_refuse_only_what_was_requested() -> None:
    """It could once show any of the page's sentences to a guest, as often as it liked."""
    _, opener, guest, other, stranger = await people(InLobby)
    channel = guest.channels.by_key[opener.keys.seal_key]
    refusal = RequestRefused("net.started", {})
    guest.seating.requests = 0
    assert reason(guest, channel, refusal) == NOT_A_MESSAGE
    guest.seating.sit(1, "Renamed")
    assert reason(guest, channel, refusal) == ""
    assert reason(guest, channel, refusal) == NOT_A_MESSAGE
    leave(opener, guest, other, stranger)


@simulated
async def test_a_muted_device_is_not_heard_whatever_it_sends() -> None:
    network, opener, guest, other, stranger = await people(InLobby)
    channel = guest.channels.by_key[opener.keys.seal_key]
    guest.channels.mute(channel)
    lobby = guest.lobby
    opener.seating.set_player(2, "b1")
    await network.until(lambda: other.lobby == opener.lobby)
    assert guest.lobby is lobby
    leave(opener, guest, other, stranger)
