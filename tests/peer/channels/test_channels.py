"""Connection descriptions, invitations, sealed channels, the endpoint, the site file, and headers of stored tables."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.core import Nonsense, Refused
from peer.browser import site
from peer.browser.qr import BORDER, svg_path
from peer.channels import invite, sdp
from peer.channels.channel import DIRECT, INCOMPLETE, Channel
from peer.channels.endpoint import BURST, Endpoint
from peer.channels.sdp import Address, Description
from peer.crypto.keys import as_words, to_base64
from peer.table import header
from peer.wire import messages
from peer.wire.messages import GameFrame, Message, Ping
from tests.peer.simulation.fake_keys import FakeKeys

CHROMIUM = """v=0
o=- 4611731400430051336 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0
a=extmap-allow-mixed
a=msid-semantic: WMS
m=application 53123 UDP/DTLS/SCTP webrtc-datachannel
c=IN IP4 203.0.113.7
a=candidate:1 1 udp 2113937151 2f4712db-94a5-4f5a-9f6e-3d2bd5e8a0c1.local 53123 typ host generation 0 network-cost 999
a=candidate:2 1 udp 1677729535 203.0.113.7 41000 typ srflx raddr 0.0.0.0 rport 0 generation 0
a=candidate:3 1 tcp 1518280447 192.0.2.1 9 typ host tcptype active
a=candidate:4 1 udp 2113939711 2001:db8::1 53124 typ host
a=ice-ufrag:Xy7+
a=ice-pwd:2pAYz9/zSL7JqU3SPrQCDB4Z
a=ice-options:trickle
a=fingerprint:sha-256 00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF
a=setup:actpass
a=mid:0
a=sctp-port:5000
a=max-message-size:262144
""".replace("\n", "\r\n")


class RecordingUser:
    """A user of the endpoint that records what the endpoint reports."""

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.goes_on = False

    def room_joined(self) -> None:
        self.events.append("seated")

    def slot_taken(self, seat: int) -> None:
        self.events.append(("came", seat))

    def slot_left(self, seat: int, *, flooded: bool) -> None:
        self.events.append(("went", seat))

    def admit_from_slot(self, slot: int, texts: int, characters: int) -> bool:
        return True

    def receive_from_slot(self, seat: int, text: str) -> None:
        self.events.append((seat, text))

    def changed(self) -> None:
        self.events.append("changed")

    def keeps_table(self) -> bool:
        return self.goes_on


class RecordingSocket:
    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.closed = False

    def send(self, text: str) -> None:
        self.sent.append(json.loads(text))

    def close(self) -> None:
        self.closed = True


def open_endpoint(code: str = "") -> tuple[Endpoint, RecordingSocket, RecordingUser]:
    wire, user = RecordingSocket(), RecordingUser()
    point = Endpoint(lambda _: wire, user, code)
    point.open(0)
    point.opened()
    return point, wire, user


def channel_pair() -> tuple[Channel, Channel]:
    ring: dict[str, bytes] = {}
    ann, bob = FakeKeys(b"a" * 32, ring), FakeKeys(b"b" * 32, ring)
    return Channel(ann, "n-ann", bob.verify_key, bob.seal_key, "n-bob", 0), Channel(
        bob, "n-bob", ann.verify_key, ann.seal_key, "n-ann", 0
    )


def received(channel: Channel, texts: list[str], route_name: str = DIRECT) -> list[Message]:
    """Returns the messages in these texts."""
    contents = (channel.decrypt(text, route_name) for text in texts)
    return [messages.read(json.loads(content)) for content in contents if content is not None]


def test_a_description_is_packed_and_unpacked() -> None:
    description = sdp.read(CHROMIUM)
    assert description.addresses == (
        Address(sdp.HOST, "2f4712db-94a5-4f5a-9f6e-3d2bd5e8a0c1.local", 53123),
        Address(sdp.REFLEXIVE, "203.0.113.7", 41000),
        Address(sdp.HOST, "2001:db8::1", 53124),
    )
    data = sdp.pack(description)
    assert sdp.unpack(data) == description
    assert sdp.read(sdp.write(description, offer=True)) == description
    assert len(sdp.pack(description._replace(addresses=description.addresses[:1]))) == 74


def unpack_or_none(data: bytes) -> Description | None:
    try:
        return sdp.unpack(data)
    except Nonsense:
        return None


def test_damaged_bytes_never_add_lines_to_a_description() -> None:
    rnd = Random(1)
    good = sdp.pack(sdp.read(CHROMIUM))
    for _ in range(20_000):
        data = bytearray(good[: rnd.randrange(1, len(good) + 1)] if rnd.random() < 0.5 else good)
        for _ in range(rnd.randrange(4)):
            data[rnd.randrange(len(data))] = rnd.randrange(256)
        description = unpack_or_none(bytes(data))
        if description is not None:
            assert len(sdp.write(description, offer=False).split("\r\n")) == 16 + len(description.addresses)


def test_ice_names_of_any_length_are_carried() -> None:
    description = Description("abcde", "p" * 23, bytes(32), ())
    assert sdp.unpack(sdp.pack(description)) == description


def test_an_invitation_is_written_as_a_fragment_and_in_codes() -> None:
    keys = FakeKeys(b"k" * 32, {})
    invitation = invite.Invite(
        invite.new_code(b"12345678"), invite.new_secret(b"123456789", keys.verify_key, keys.seal_key)
    )
    assert invite.read(invitation.fragment.removeprefix("r=")) == invitation
    assert invitation.opened_by(keys.verify_key, keys.seal_key)
    assert not invitation.opened_by(keys.verify_key, keys.seal_key[::-1])
    code = invite.write_offer(invitation, b"o" * 74)
    assert len(code) <= 140
    assert invite.read_offer(f" https://example.org/#o={code[:40]}\n{code[40:]} ") == (invitation, b"o" * 74)
    assert invite.read_reply(invite.write_reply(b"a" * 74)) == b"a" * 74
    for wrong in ("", "hello", code[:30], code.replace(code[0], "%"), invite.write_reply(b"a" * 74)):
        with pytest.raises(Refused, match=r"net\.code_by_hand"):
            invite.read_offer(wrong)


@pytest.mark.parametrize("wrong", ["", "A", "ABCDEFGHJKMN", "ABCDEFGHJKMN.short", "ILOUILOUILOU." + "a" * 24])
def test_an_incomplete_link_is_refused(wrong: str) -> None:
    with pytest.raises(Refused, match=r"link\.room"):
        invite.read(wrong)


@pytest.mark.parametrize("size", [0, 10, 8_000, 60_000])
def test_a_long_message_is_sent_in_pieces(size: int) -> None:
    ann, bob = channel_pair()
    texts = ann.encode(GameFrame("x" * size))
    assert all(len(text) <= 9_100 for text in texts)
    Random(size).shuffle(texts)
    assert received(bob, texts) == [GameFrame("x" * size)]


def test_a_sealed_message_opens_once_and_only_in_its_channel() -> None:
    ann, bob = channel_pair()
    [text] = ann.encode(Ping())
    assert received(bob, [text]) == [Ping()]
    with pytest.raises(Nonsense, match=r"net\.twice"):
        bob.decrypt(text)
    [other] = ann.encode(Ping())
    for wrong in (other.replace("2.", "3.", 1), other[:-2] + "AA", "x", "", "+1.0.99.x", "+1.5.2.x", "9" * 40 + ".x"):
        with pytest.raises(Nonsense):
            bob.decrypt(wrong)
    with pytest.raises(Nonsense):
        ann.decrypt(other)  # sent back to its author
    later = Channel(bob.own_keys, "n-new", ann.own_keys.verify_key, ann.own_keys.seal_key, "n-ann", 0)
    with pytest.raises(Nonsense):
        later.decrypt(other)  # sealed for the page before its reload


def test_incomplete_messages_do_not_fill_the_memory() -> None:
    _, bob = channel_pair()
    for number in range(INCOMPLETE):
        assert bob.decrypt(f"+{number}.0.9.{'x' * 100}") is None
    for number in range(INCOMPLETE, 1000):
        with pytest.raises(Nonsense, match=r"net\.pieces"):
            bob.decrypt(f"+{number}.0.9.{'x' * 100}")
    assert len(bob.parts[DIRECT]) == INCOMPLETE


def test_false_pieces_by_one_route_do_not_spoil_those_of_another() -> None:
    ann, bob = channel_pair()
    texts = ann.encode(GameFrame("x" * 30_000))
    for number, place in ((1, 0), (1, 1), (5, 0), (6, 0), (7, 0)):
        assert bob.decrypt(f"+{number}.{place}.{len(texts)}.spoilt", "evil") is None
    for number in (8, 9, 10):
        with pytest.raises(Nonsense, match=r"net\.pieces"):
            bob.decrypt(f"+{number}.0.{len(texts)}.spoilt", "evil")
    assert received(bob, texts, "@1") == [GameFrame("x" * 30_000)]


def test_the_endpoint_is_joined_and_joined_again_with_the_token() -> None:
    point, wire, user = open_endpoint()
    assert wire.sent == [["create", {}]]
    point.received('["room","ABCDEFGHJKMN",0,[2],"token"]', 10)
    assert (point.state, point.code, user.events) == ("in", "ABCDEFGHJKMN", ["seated", ("came", 2)])
    point.closed(20)
    assert point.state == "lost"
    point.tick(point.retry_at - 1)
    assert point.state == "lost"
    point.tick(point.retry_at)
    point.opened()
    assert wire.sent[1:] == [["join", "ABCDEFGHJKMN", "token"]]


@pytest.mark.parametrize("register", ["", ",0,0", ",3,1"])
def test_a_room_of_this_version_and_of_the_previous_one_is_joined(register: str) -> None:
    """An endpoint of the previous version adds the two numbers of a register to the frame."""
    point, _, user = open_endpoint()
    point.received(f'["room","ABCDEFGHJKMN",1,[0,2],"token"{register}]', 10)
    assert (point.state, point.code, point.slot, point.token) == ("in", "ABCDEFGHJKMN", 1, "token")
    assert user.events == ["seated", ("came", 0), ("came", 2)]


@pytest.mark.parametrize("more", [",0", ',0,"1"', ",null,null", ",0,0,0"])
def test_a_room_of_no_version_is_ignored(more: str) -> None:
    point, _, user = open_endpoint()
    point.received(f'["room","ABCDEFGHJKMN",1,[0,2],"token"{more}]', 10)
    assert (point.state, point.code, point.slot, user.events) == ("connecting", "", -1, [])


def test_malformed_texts_of_the_endpoint_are_ignored() -> None:
    point, _, user = open_endpoint("ABCDEFGHJKMN")
    for text in ("", "[" * 9000, '{"a":1}', '["from",0,{"g":3}]', '["in","x"]', '["room"]', "[1]", '["out",1,2]'):
        point.received(text, 0)
    assert user.events == []


def test_the_endpoint_cannot_rename_a_table() -> None:
    """The code is the key of everything stored of a table: part of the log would be stored under another key."""
    point, _, user = open_endpoint("ABCDEFGHJKMN")
    point.received('["room","ZZZZZZZZZZZZ",1,[],"token"]', 0)
    assert (point.code, user.events) == ("ABCDEFGHJKMN", [])
    fresh, _, user = open_endpoint()
    fresh.received('["room","../..",1,[],"token"]', 0)
    fresh.received(json.dumps(["room", "ABCDEFGHJKMN", 1, [], "é" * 19_000]), 0)  # too long to be stored
    assert (fresh.code, user.events) == ("", [])


def test_a_replaced_window_does_not_reconnect() -> None:
    point, wire, _ = open_endpoint("ABCDEFGHJKMN")
    point.received('["err","replaced"]', 0)
    assert wire.closed
    point.closed(1)
    point.tick(10**6)
    assert point.state == "replaced"


def test_sending_keeps_to_the_rate_limit_of_the_endpoint() -> None:
    point, wire, _ = open_endpoint()
    point.received('["room","ABCDEFGHJKMN",0,[],"token"]', 0)
    for number in range(300):
        point.send(number % 2, "x" * 9_000)
    point.pump(0)
    assert len(wire.sent) == 1 + int(BURST)
    point.pump(1000)
    assert len(wire.sent) == 1 + int(BURST) + 15


def test_texts_waiting_for_the_endpoint_can_be_withdrawn() -> None:
    point, wire, _ = open_endpoint()
    point.received('["room","ABCDEFGHJKMN",0,[],"token"]', 0)
    for number in range(6):
        point.send(number % 2, f"text{number}")
    assert point.withdraw(1) == ["text1", "text3", "text5"]
    assert point.withdraw(1) == []
    point.pump(0)
    assert [sent[1] for sent in wire.sent[1:]] == [0]


def test_texts_for_one_slot_are_sent_in_one_frame() -> None:
    point, wire, user = open_endpoint()
    point.received('["room","ABCDEFGHJKMN",0,[],"token"]', 0)
    for number in range(10):
        point.send(1, f"text{number}")
    point.pump(0)
    [(_, _, data)] = wire.sent[1:]
    point.received(json.dumps(["from", 1, {"g": data["g"]}]), 0)
    assert user.events[1:] == [(1, f"text{number}") for number in range(10)]


@pytest.mark.parametrize(
    ("given", "page", "whole"),
    [
        ("", "https://example.org/a/", ""),
        ("/signaling", "https://example.org/a/#r=x", "wss://example.org/signaling"),
        ("signaling", "http://localhost:8000/a/", "ws://localhost:8000/a/signaling"),
        ("wss://meet.example.org/x", "https://example.org/", "wss://meet.example.org/x"),
        ("https://meet.example.org", "https://example.org/", "wss://meet.example.org"),
    ],
)
def test_the_endpoints_address_is_relative_to_the_page(given: str, page: str, whole: str) -> None:
    assert site.endpoint_address(given, page) == whole


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ("wss://play.example.ws:8010/s", "wss://play.example.ws:8010/s"),
        ("ws://play.example.ws:8010/s", "ws://play.example.ws:8010/s"),
        ("https://play.example.ws:8010/s", "wss://play.example.ws:8010/s"),
        ("https://play.example.wss:8010/s", "wss://play.example.wss:8010/s"),
        ("wss://play.example.org/ws:/wss:/s", "wss://play.example.org/ws:/wss:/s"),
        ("/to/ws:8010/s", "wss://example.org/to/ws:8010/s"),
    ],
)
def test_only_the_scheme_of_the_endpoints_address_is_replaced(given: str, whole: str) -> None:
    """Only the scheme of an address is replaced, not the same letters elsewhere in it."""
    assert site.endpoint_address(given, "https://example.org/a/") == whole


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"signaling": 3}',
        '{"signaling": "javascript:alert(1)"}',
        '{"signaling": "wss://["}',
        '{"other": ""}',
        '{"ice": {}}',
        '{"ice": [{"urls": "http://example.org"}]}',
        '{"ice": [{"urls": "stun:x", "more": 1}]}',
    ],
)
def test_an_invalid_site_file_is_refused(text: str) -> None:
    with pytest.raises(Refused, match=r"net\.site"):
        site.read_site(text, {}, "https://example.org/")


def test_a_players_settings_replace_those_of_the_site() -> None:
    relay = {"urls": ["turn:t.example.org"], "username": "u", "credential": "c"}
    settings = site.read_site(
        '{"signaling": "/a", "ice": [{"urls": "stun:s.example.org"}]}',
        {"signaling": "", "relay_only": True, "ice": [relay]},
        "https://example.org/",
    )
    assert (settings.signaling, settings.relay_only, settings.has_turn) == ("wss://example.org/a", True, True)


def test_a_stored_header_is_read_back_or_refused() -> None:
    stored = header.Header("ABCDEFGHJKMN", "a" * 24, "s" * 43, tokens={"0": "t"})
    assert header.read(stored.text()) == stored
    for wrong in ("", "[]", stored.text().replace('"since":0', '"since":"x"'), stored.text().replace("ABC", "abc")):
        with pytest.raises(Refused):
            header.read(wrong)


def test_a_qr_code_is_drawn_as_strokes_with_a_border() -> None:
    assert svg_path([[1, 1, 0], [0, 0, 1]]) == f"M{BORDER} {BORDER}.5h2M{BORDER + 2} {BORDER + 1}.5h1"


def test_the_pages_policy_limits_its_endpoints() -> None:
    policy = "default-src 'none'; connect-src 'self' wss://meet.example:8443; style-src 'self'"
    page = "https://play.example/speakeasy/"
    assert site.allowed("wss://play.example/signaling", policy, page)
    assert site.allowed("wss://meet.example:8443/x", policy, page)
    assert not site.allowed("wss://meet.example/x", policy, page)
    assert not site.allowed("ws://meet.example:8443/x", policy, page)
    assert not site.allowed("wss://play.example/signaling", "connect-src 'none'", page)
    assert site.allowed("wss://anywhere.example/", "style-src 'self'", page)
    html = (Path(__file__).parent.parent.parent.parent / "index.html").read_text("utf-8")
    ours = html.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    assert site.allowed("wss://anywhere.example/", ours, page)
    assert not site.allowed("ws://anywhere.example/", ours, page)


def test_ice_servers_are_typed_as_text() -> None:
    assert site.parse_servers("") == []
    assert site.parse_servers(" turn:a.example:3478 me secret ; stun:b.example;") == [
        {"urls": "turn:a.example:3478", "username": "me", "credential": "secret"},
        {"urls": "stun:b.example"},
    ]
    for text in ("https://a.example", "turn:a.example me", "turn:a.example", "; ".join(["stun:a"] * 9)):
        with pytest.raises(Refused, match=r"net\.ice"):
            site.parse_servers(text)


def test_four_words_stand_for_a_hash() -> None:
    assert as_words(to_base64(bytes(32))) == "babab babab babab babab"
    assert as_words(to_base64(bytes.fromhex("7f000001" + "ffff0001" + "00" * 24))) == "lusab babad zuzuz babad"
