"""Messages are read back as they were written; anything else is refused, whatever it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import strict_json
from engine.core import Nonsense
from peer.channels import channel, sdp
from peer.channels.invite import SEATS
from peer.channels.sdp import Address, Description
from peer.wire import messages
from peer.wire.bodies import MAX_DEVICES
from peer.wire.frames import MAX_BYTES
from peer.wire.messages import (
    KINDS,
    MAX_DESCRIPTION,
    MAX_INTRODUCED,
    MAX_LOBBY,
    MAX_NAME,
    MAX_SEATS,
    MAX_SETUP,
    MAX_TEXT,
    MAX_VALUE,
    Answer,
    Decline,
    GameFrame,
    Goodbye,
    Greeting,
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
)
from peer.wire.shapes import FAR

KEY, HASH, SIGNATURE = "K" * 42 + "E", "h" * 43, "s" * 86
ANN, BOB = Identity(KEY, "A" * 43, "n" * 22), Identity("A" * 43, KEY, "N" * 16)

#: messages of every kind, with the shortest and the longest fields
MESSAGES: tuple[Message, ...] = (
    Ping(), Ping(HASH),
    Pong(), Pong(HASH),
    Offer(1, b"o"), Offer(FAR, b"\xff" * MAX_DESCRIPTION),
    Answer(0, b""), Answer(FAR, b"\xff" * MAX_DESCRIPTION),
    Decline(),
    Redial(0), Redial(FAR),
    Goodbye(),
    Introduction(()), Introduction((ANN, BOB)), Introduction((ANN,) * MAX_INTRODUCED),
    Relay(KEY, ""), Relay(KEY, "~" * MAX_TEXT),
    Relayed(ANN, ""), Relayed(BOB, "~" * MAX_TEXT),
    GameFrame(""), GameFrame("é\n" * (MAX_BYTES // 2)),
    Start("", "", "s" * 20), Start("x" * MAX_SETUP, "x" * MAX_LOBBY, SIGNATURE),
    Join(SIGNATURE, ()), Join(SIGNATURE, (HASH,) * MAX_SEATS),
    JoinAnswer(0), JoinAnswer(MAX_DEVICES),
    TableFull(),
    LobbyUpdate(""), LobbyUpdate("x" * MAX_LOBBY),
    Sit(0, "", HASH), Sit(MAX_SEATS - 1, "é" * MAX_NAME, HASH),
    Stand(0), Stand(MAX_SEATS - 1),
    RequestRefused("", {}), RequestRefused("x" * 60, dict.fromkeys(("who", "most", "seat"), "é" * MAX_VALUE)),
)  # fmt: skip
ROWS = [messages.write(message) for message in MESSAGES]

#: values that no field of any message takes
WRONG: tuple[Any, ...] = (None, True, 1.5, -1, FAR + 1, "x" * (MAX_BYTES + 1), [[]], [None], {"a": 1}, {"who": 1})

#: for each kind, fields of which exactly one has a wrong length, number or character
WRONG_FIELDS: dict[str, list[list[Any]]] = {
    "ping": [["h" * 44], ["é"], ["+"]],
    "pong": [["h" * 44], ["é"], ["+"]],
    "offer": [[1, "A"], [1, "AB"], [1, "_" * 536], [1, "Zg=="], [-1, "Zg"], [FAR + 1, "Zg"], [True, "Zg"], ["1", "Zg"]],
    "answer": [[1, "A"], [1, "AB"], [1, "_" * 536], [1, "é"], [-1, "Zg"], [FAR + 1, "Zg"], [False, "Zg"]],
    "decline": [],
    "redial": [[-1], [FAR + 1], [True], ["1"]],
    "goodbye": [],
    "introduction": [
        [[[*ANN]] * (MAX_INTRODUCED + 1)],
        [[[*ANN][:2]]],
        [[[*ANN, "n"]]],
        [[[*ANN[:2], "n" * 15]]],
        [[[*ANN[:2], "n" * 23]]],
        [[[KEY[:-1] + "F", *ANN[1:]]]],
        [[["x", *ANN[1:]]]],
        [[*ANN]],
    ],
    "relay": [["x", "1.A"], [KEY[:-1] + "F", "1.A"], [KEY, "~" * (MAX_TEXT + 1)], [KEY, "é"], [KEY, "\n"]],
    "relayed": [
        [[*ANN], "~" * (MAX_TEXT + 1)],
        [[*ANN], "é"],
        [[*ANN][:2], "1.A"],
        [["x", *ANN[1:]], "1.A"],
        [[*ANN[:2], ""], "1.A"],
    ],
    "frame": [["x" * (MAX_BYTES + 1)]],
    "start": [
        ["x" * (MAX_SETUP + 1), "", SIGNATURE],
        ["", "x" * (MAX_LOBBY + 1), SIGNATURE],
        ["é", "", SIGNATURE],
        ["", "\n", SIGNATURE],
        ["", "", "s" * 19],
        ["", "", "s" * 87],
        ["", "", "=" * 86],
    ],
    "join": [
        ["s" * 19, []],
        ["s" * 87, []],
        [SIGNATURE, [HASH] * (MAX_SEATS + 1)],
        [SIGNATURE, ["h" * 42]],
        [SIGNATURE, ["h" * 44]],
        [SIGNATURE, HASH],
    ],
    "admitted": [[-1], [MAX_DEVICES + 1], [True], ["0"]],
    "full": [],
    "lobby": [["x" * (MAX_LOBBY + 1)], ["é"], ["\n"]],
    "sit": [
        [-1, "Ann", HASH],
        [MAX_SEATS, "Ann", HASH],
        [True, "Ann", HASH],
        [1, "x" * (MAX_NAME + 1), HASH],
        [1, "Ann", ""],
        [1, "Ann", "h" * 42],
        [1, "Ann", "h" * 44],
    ],
    "stand": [[-1], [MAX_SEATS], [True], ["0"]],
    "refused": [
        ["x" * 61, {}],
        ["é", {}],
        ["net.token", {"key": "x"}],
        ["net.token", {"self": "x"}],
        ["net.token", {"who": "x" * (MAX_VALUE + 1)}],
        ["net.token", {"seat": 1}],
        ["net.token", []],
    ],
}


def refuses(value: Any) -> bool:
    """Returns True if this is refused as no message. Any other error is raised."""
    try:
        messages.read(value)
    except Nonsense as refused:
        return refused.reason == "net.not_a_message"
    return False


def test_the_samples_contain_messages_of_every_kind() -> None:
    assert {type(message) for message in MESSAGES} == {kind for kind, _ in KINDS.values()} == {*messages.KIND_OF}
    assert len(messages.KIND_OF) == len(KINDS)
    assert WRONG_FIELDS.keys() == KINDS.keys()


def test_the_limits_are_those_of_the_code_that_uses_them() -> None:
    longest_piece = f"+{FAR}.{channel.PIECES - 1}.{channel.PIECES}.{'x' * channel.PIECE}"
    assert len(longest_piece) <= MAX_TEXT
    assert SEATS == MAX_SEATS
    address = Address(sdp.REFLEXIVE, "2001:db8::1", 65_535)
    longest = Description("u" * 63, "p" * 63, bytes(32), (address,) * sdp.MAX_ADDRESSES)
    assert len(sdp.pack(longest)) <= MAX_DESCRIPTION


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_read_back_as_it_was_written(message: Message) -> None:
    text = json.dumps(messages.write(message), ensure_ascii=False)
    found = messages.read(strict_json.loads(text, 2 * MAX_BYTES))
    assert (type(found), found) == (type(message), message)
    assert messages.read(messages.write(message)) == message


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_missing_or_extra_field_is_refused(row: list[Any]) -> None:
    assert refuses([*row, 0])
    assert refuses([*row, ""])
    assert refuses([*row, row[-1]])
    for place in range(1, len(row)):
        assert refuses([*row[:place], *row[place + 1 :]]), place


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_field_with_a_wrong_type_is_refused(row: list[Any]) -> None:
    for place in range(len(row)):
        for wrong in WRONG:
            assert refuses([*row[:place], wrong, *row[place + 1 :]]), (place, wrong)


@pytest.mark.parametrize("name", KINDS)
def test_a_field_with_a_wrong_length_or_number_is_refused(name: str) -> None:
    for fields in WRONG_FIELDS[name]:
        assert refuses([name, *fields]), fields


@pytest.mark.parametrize(
    "value", [None, 1, "ping", {}, {"ping": ""}, [], [[]], [["ping"], ""], ["nonsense"], ("ping", "")]
)
def test_anything_but_a_list_that_names_its_kind_is_refused(value: Any) -> None:
    assert refuses(value)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([KEY, HASH, SIGNATURE])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.just("who"), inner, max_size=3),
    max_leaves=12,
)
FIELDS = st.builds(lambda name, fields: [name, *fields], st.sampled_from([*KINDS]), st.lists(VALUES, max_size=4))


@given(VALUES | FIELDS)
@settings(max_examples=300, deadline=None)
def test_arbitrary_json_is_a_message_or_refused(value: Any) -> None:
    if not refuses(value):
        assert messages.write(messages.read(value)) == value


def test_a_greeting_is_read_back_as_it_was_written() -> None:
    greeting = Greeting(1, "build", ANN, 1)
    row = messages.write_greeting(greeting)
    assert row == ["hey", 1, "build", *ANN, 1], "pages of all versions read it"
    assert messages.read_greeting(row) == greeting


@given(VALUES | st.lists(VALUES, min_size=6, max_size=6).map(lambda fields: ["hey", *fields]))
@settings(max_examples=300, deadline=None)
def test_arbitrary_json_is_no_greeting(value: Any) -> None:
    with pytest.raises(Nonsense, match=r"net\."):
        messages.read_greeting(value)
