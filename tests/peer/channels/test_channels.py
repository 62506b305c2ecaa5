"""Connection descriptions, invitations, sealed channels, the endpoint, the site file, and headers of stored tables."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.core import Refused
from peer.browser import site
from peer.browser.qr import BORDER, path
from peer.channels import invite, sdp
from peer.channels.channel import DIRECT, Channel
from peer.channels.endpoint import BURST, Endpoint
from peer.channels.sdp import Address, Description
from peer.crypto.keys import as_words, to_base64
from peer.table import header
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


class Hears:
    """A user of the endpoint that records what the endpoint reports."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.here = False

    def seated(self) -> None:
        self.told.append("seated")

    def came(self, seat: int) -> None:
        self.told.append(("came", seat))

    def went(self, seat: int) -> None:
        self.told.append(("went", seat))

    def said(self, seat: int, text: str) -> None:
        self.told.append((seat, text))

    def changed(self) -> None:
        self.told.append("changed")

    def holds(self) -> bool:
        return self.here


class Wire:
    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.closed = False

    def send(self, text: str) -> None:
        self.sent.append(json.loads(text))

    def close(self) -> None:
        self.closed = True


def endpoint(code: str = "") -> tuple[Endpoint, Wire, Hears]:
    wire, hears = Wire(), Hears()
    point = Endpoint(lambda _: wire, hears, code)
    point.open(0)
    point.opened()
    return point, wire, hears


def pair() -> tuple[Channel, Channel]:
    ring: dict[str, bytes] = {}
    ann, bob = FakeKeys(b"a" * 32, ring), FakeKeys(b"b" * 32, ring)
    return Channel(ann, "n-ann", bob.verify_key, bob.seal_key, "n-bob", 0), Channel(
        bob, "n-bob", ann.verify_key, ann.seal_key, "n-ann", 0
    )


def test_a_description_shrinks_and_comes_back() -> None:
    told = sdp.read(CHROMIUM)
    assert told.addresses == (
        Address(sdp.HOST, "2f4712db-94a5-4f5a-9f6e-3d2bd5e8a0c1.local", 53123),
        Address(sdp.REFLEXIVE, "203.0.113.7", 41000),
        Address(sdp.HOST, "2001:db8::1", 53124),
    )
    data = sdp.pack(told)
    assert sdp.unpack(data) == told
    assert sdp.read(sdp.write(told, offer=True)) == told
    assert len(sdp.pack(told._replace(addresses=told.addresses[:1]))) == 74


def unpacked(data: bytes) -> Description | None:
    try:
        return sdp.unpack(data)
    except Refused:
        return None


def test_no_bytes_make_a_description_with_anything_but_addresses_in_it() -> None:
    rnd = Random(1)
    good = sdp.pack(sdp.read(CHROMIUM))
    for _ in range(20_000):
        data = bytearray(good[: rnd.randrange(1, len(good) + 1)] if rnd.random() < 0.5 else good)
        for _ in range(rnd.randrange(4)):
            data[rnd.randrange(len(data))] = rnd.randrange(256)
        told = unpacked(bytes(data))
        if told is not None:
            assert len(sdp.write(told, offer=False).split("\r\n")) == 16 + len(told.addresses)


def test_ice_names_of_any_length_are_carried() -> None:
    told = Description("abcde", "p" * 23, bytes(32), ())
    assert sdp.unpack(sdp.pack(told)) == told


def test_an_invitation_is_a_fragment_and_the_codes_carry_it() -> None:
    keys = FakeKeys(b"k" * 32, {})
    given = invite.Invite(invite.new_code(b"12345678"), invite.new_secret(b"123456789", keys.verify_key, keys.seal_key))
    assert invite.read(given.fragment.removeprefix("r=")) == given
    assert given.opened_by(keys.verify_key, keys.seal_key)
    assert not given.opened_by(keys.verify_key, keys.seal_key[::-1])
    code = invite.write_offer(given, b"o" * 74)
    assert len(code) <= 140
    assert invite.read_offer(f" https://example.org/#o={code[:40]}\n{code[40:]} ") == (given, b"o" * 74)
    assert invite.read_reply(invite.write_reply(b"a" * 74)) == b"a" * 74
    for wrong in ("", "hello", code[:30], code.replace(code[0], "%"), invite.write_reply(b"a" * 74)):
        with pytest.raises(Refused, match=r"net\.code_by_hand"):
            invite.read_offer(wrong)


@pytest.mark.parametrize("wrong", ["", "A", "ABCDEFGHJKMN", "ABCDEFGHJKMN.short", "ILOUILOUILOU." + "a" * 24])
def test_a_link_that_is_not_whole_is_refused(wrong: str) -> None:
    with pytest.raises(Refused, match=r"link\.room"):
        invite.read(wrong)


@pytest.mark.parametrize("size", [0, 10, 8_000, 60_000])
def test_a_message_arrives_in_pieces_no_browser_refuses(size: int) -> None:
    ann, bob = pair()
    texts = ann.sealed(["f", "x" * size])
    assert all(len(text) <= 9_100 for text in texts)
    Random(size).shuffle(texts)
    assert [found for text in texts if (found := bob.opened(text)) is not None] == [["f", "x" * size]]


def test_a_sealed_message_is_taken_once_and_only_where_it_belongs() -> None:
    ann, bob = pair()
    [text] = ann.sealed(["p"])
    assert bob.opened(text) == ["p"]
    with pytest.raises(Refused, match=r"net\.twice"):
        bob.opened(text)
    [other] = ann.sealed(["p"])
    for wrong in (other.replace("2.", "3.", 1), other[:-2] + "AA", "x", "", "+1.0.99.x", "+1.5.2.x", "9" * 40 + ".x"):
        with pytest.raises(Refused):
            bob.opened(wrong)
    with pytest.raises(Refused):
        ann.opened(other)  # sent back to its author
    later = Channel(bob.me, "n-new", ann.me.verify_key, ann.me.seal_key, "n-ann", 0)
    with pytest.raises(Refused):
        later.opened(other)  # sealed for the page before its reload


def test_pieces_without_end_fill_nothing() -> None:
    _, bob = pair()
    for number in range(1000):
        assert bob.opened(f"+{number}.0.9.{'x' * 100}") is None
    assert len(bob.parts[DIRECT]) <= 5


def test_who_carries_pieces_cannot_spoil_those_that_come_by_another_way() -> None:
    ann, bob = pair()
    texts = ann.sealed(["f", "x" * 30_000])
    for number, place in ((1, 0), (1, 1), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0)):
        assert bob.opened(f"+{number}.{place}.{len(texts)}.spoilt", "evil") is None
    assert [found for text in texts if (found := bob.opened(text, "@1")) is not None] == [["f", "x" * 30_000]]


def test_the_endpoint_is_joined_and_joined_again_with_the_token() -> None:
    point, wire, hears = endpoint()
    assert wire.sent == [["create", {}]]
    point.received('["room","ABCDEFGHJKMN",0,[2],"token",0,0]', 10)
    assert (point.state, point.code, hears.told) == ("in", "ABCDEFGHJKMN", ["seated", ("came", 2)])
    point.closed(20)
    assert point.state == "lost"
    point.tick(point.again - 1)
    assert point.state == "lost"
    point.tick(point.again)
    point.opened()
    assert wire.sent[1:] == [["join", "ABCDEFGHJKMN", "token"]]


def test_what_the_endpoint_says_is_no_more_than_news() -> None:
    point, _, hears = endpoint("ABCDEFGHJKMN")
    for text in ("", "[" * 9000, '{"a":1}', '["from",0,{"g":3}]', '["in","x"]', '["room"]', "[1]", '["out",1,2]'):
        point.received(text, 0)
    assert hears.told == []


def test_the_endpoint_cannot_rename_a_table() -> None:
    """The code is the key of everything stored of a table: part of the log would be stored under another key."""
    point, _, hears = endpoint("ABCDEFGHJKMN")
    point.received('["room","ZZZZZZZZZZZZ",1,[],"token",0,0]', 0)
    assert (point.code, hears.told) == ("ABCDEFGHJKMN", [])
    fresh, _, hears = endpoint()
    fresh.received('["room","../..",1,[],"token",0,0]', 0)
    fresh.received(json.dumps(["room", "ABCDEFGHJKMN", 1, [], "é" * 19_000, 0, 0]), 0)  # too long to be stored
    assert (fresh.code, hears.told) == ("", [])


def test_a_seat_that_was_taken_up_elsewhere_is_not_asked_for_again() -> None:
    point, wire, _ = endpoint("ABCDEFGHJKMN")
    point.received('["err","replaced"]', 0)
    assert wire.closed
    point.closed(1)
    point.tick(10**6)
    assert point.state == "replaced"


def test_no_more_is_sent_than_the_endpoint_takes() -> None:
    point, wire, _ = endpoint()
    point.received('["room","ABCDEFGHJKMN",0,[],"token",0,0]', 0)
    for number in range(300):
        point.say(number % 2, "x" * 9_000)
    point.pump(0)
    assert len(wire.sent) == 1 + int(BURST)
    point.pump(1000)
    assert len(wire.sent) == 1 + int(BURST) + 15


def test_what_waits_for_the_endpoint_can_go_another_way() -> None:
    point, wire, _ = endpoint()
    point.received('["room","ABCDEFGHJKMN",0,[],"token",0,0]', 0)
    for number in range(6):
        point.say(number % 2, f"text{number}")
    assert point.withdraw(1) == ["text1", "text3", "text5"]
    assert point.withdraw(1) == []
    point.pump(0)
    assert [sent[1] for sent in wire.sent[1:]] == [0]


def test_texts_for_one_seat_travel_together() -> None:
    point, wire, hears = endpoint()
    point.received('["room","ABCDEFGHJKMN",0,[],"token",0,0]', 0)
    for number in range(10):
        point.say(1, f"text{number}")
    point.pump(0)
    [(_, _, data)] = wire.sent[1:]
    point.received(json.dumps(["from", 1, {"g": data["g"]}]), 0)
    assert hears.told[1:] == [(1, f"text{number}") for number in range(10)]


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
def test_the_endpoints_address_is_seen_from_the_page(given: str, page: str, whole: str) -> None:
    assert site.address(given, page) == whole


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
def test_a_site_file_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(Refused, match=r"net\.site"):
        site.read_site(text, {}, "https://example.org/")


def test_a_player_may_say_otherwise() -> None:
    relay = {"urls": ["turn:t.example.org"], "username": "u", "credential": "c"}
    found = site.read_site(
        '{"signaling": "/a", "ice": [{"urls": "stun:s.example.org"}]}',
        {"signaling": "", "relay_only": True, "ice": [relay]},
        "https://example.org/",
    )
    assert (found.signaling, found.relay_only, found.turn) == ("wss://example.org/a", True, True)


def test_what_is_kept_of_a_table_is_read_back_or_refused() -> None:
    one = header.Header("ABCDEFGHJKMN", "a" * 24, "s" * 43, tokens={"0": "t"})
    assert header.read(one.text()) == one
    for wrong in ("", "[]", one.text().replace('"since":0', '"since":"x"'), one.text().replace("ABC", "abc")):
        with pytest.raises(Refused):
            header.read(wrong)


def test_a_code_for_cameras_is_strokes_with_quiet_around() -> None:
    assert path([[1, 1, 0], [0, 0, 1]]) == f"M{BORDER} {BORDER}.5h2M{BORDER + 2} {BORDER + 1}.5h1"


def test_the_pages_policy_names_whom_it_may_speak_to() -> None:
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


def test_servers_are_typed_in_words() -> None:
    assert site.typed("") == []
    assert site.typed(" turn:a.example:3478 me secret ; stun:b.example;") == [
        {"urls": "turn:a.example:3478", "username": "me", "credential": "secret"},
        {"urls": "stun:b.example"},
    ]
    for text in ("https://a.example", "turn:a.example me", "turn:a.example", "; ".join(["stun:a"] * 9)):
        with pytest.raises(Refused, match=r"net\.ice"):
            site.typed(text)


def test_four_words_stand_for_a_hash() -> None:
    assert as_words(to_base64(bytes(32))) == "babab babab babab babab"
    assert as_words(to_base64(bytes.fromhex("7f000001" + "ffff0001" + "00" * 24))) == "lusab babad zuzuz babad"
