"""STUN: what is answered, how much, and what a client believes."""

import asyncio
import random
import socket

import pytest

from signaling import stun
from signaling.stun import Stun, answer, make_request, mapped_address
from tests.signaling.people import TIMEOUT, run_scene

#: the answers of RFC 5769, sections 2.2 and 2.3, without the attributes that authenticate them
TRANSACTION = bytes.fromhex("b7e7a701bc34d686fa87dfae")
REQUEST = bytes.fromhex("000100002112a442") + TRANSACTION
SAMPLES = [
    ("192.0.2.1", 32853, "002000080001a147e112a643"),
    ("2001:db8:1234:5678:11:2233:4455:6677", 32853, "002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9"),
]


@pytest.mark.parametrize(("host", "port", "body"), SAMPLES)
def test_addresses_are_written_and_read_as_in_the_standard(host: str, port: int, body: str) -> None:
    reply = answer(REQUEST, host, port)
    assert reply is not None
    assert reply[20:] == bytes.fromhex(body)
    assert str(mapped_address(reply, REQUEST)) == host
    assert len(reply) - len(REQUEST) <= 24


def test_an_ipv4_client_of_a_socket_for_both_kinds_is_named_by_its_ipv4_address() -> None:
    assert answer(REQUEST, "::ffff:192.0.2.1", 32853) == answer(REQUEST, "192.0.2.1", 32853)


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        REQUEST[:-1],
        REQUEST + b"\0\0",
        REQUEST + bytes(4),  # longer than it says
        b"\0\x11" + REQUEST[2:],  # an indication
        b"\x01\x01" + REQUEST[2:],  # an answer: two services would answer each other for ever
        REQUEST[:4] + bytes(4) + REQUEST[8:],  # no cookie
        bytes.fromhex("000100082112a442") + TRANSACTION + bytes.fromhex("0003000400000006"),  # asks for another sender
        bytes.fromhex("000100042112a442") + TRANSACTION + bytes.fromhex("802200ff"),  # ends within an attribute
        bytes.fromhex("000102582112a442") + TRANSACTION + bytes.fromhex("80220254") + bytes(596),  # too long
    ],
)
def test_other_packets_get_no_answer(packet: bytes) -> None:
    assert answer(packet, "192.0.2.1", 1) is None


def test_attributes_that_may_be_ignored_are_ignored() -> None:
    packet = bytes.fromhex("000100082112a442") + TRANSACTION + bytes.fromhex("8022000361626300")
    assert answer(packet, "192.0.2.1", 32853) == answer(REQUEST, "192.0.2.1", 32853)


def test_random_packets_raise_nothing() -> None:
    rnd = random.Random(1)
    answered = 0
    for _ in range(5000):
        packet = bytearray(REQUEST + rnd.randbytes(4 * rnd.randrange(5)))
        packet[3] = len(packet) - 20
        packet[rnd.randrange(len(packet))] ^= rnd.randrange(256)
        reply = answer(bytes(packet), "192.0.2.1", 1)
        answered += reply is not None
        mapped_address(b"\x01\x01" + bytes(packet[2:]), REQUEST)
    assert 0 < answered < 5000


def test_an_answer_to_another_request_is_not_believed() -> None:
    reply = answer(REQUEST, "192.0.2.1", 1)
    assert reply is not None
    assert mapped_address(reply, make_request()) is None
    assert mapped_address(reply[:20], REQUEST) is None
    assert mapped_address(REQUEST, REQUEST) is None


def test_an_address_and_all_together_get_a_limited_number_of_answers() -> None:
    service = Stun()
    assert sum(service.allows("192.0.2.1", 100.0) for _ in range(500)) == stun.ANSWERS_A_MINUTE
    rest = stun.ANSWERS_A_SECOND - stun.ANSWERS_A_MINUTE
    assert sum(service.allows(f"198.51.{n // 256}.{n % 256}", 100.0) for n in range(5000)) == rest
    assert service.allows("198.51.99.99", 101.0)
    assert not service.allows("192.0.2.1", 101.0)
    assert service.allows("192.0.2.1", 161.0)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_service_answers_on_every_address(host: str) -> None:
    if host == "::1" and not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")

    async def scene() -> None:
        async with Stun() as service:
            seen = await asyncio.to_thread(stun.ask, host, service.port, (TIMEOUT,))
        assert seen is not None
        assert [str(address) for address in seen] == [host, host]

    run_scene(scene())
