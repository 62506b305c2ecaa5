"""Signatures, key exchange, sealed boxes and secret sharing: the published test vectors, and inputs to refuse."""

from __future__ import annotations

import pytest

from engine.core import Nonsense
from peer.crypto import curve25519
from peer.crypto.keys import PlainKeys, from_base64, plain_verify, to_base64
from peer.crypto.sealed import open_box, padded, seal
from peer.crypto.shamir import combine, fingerprint, recover, split

# RFC 8032, 7.1: secret, public, message, signature
ED25519_VECTORS = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe2465"
        "5141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb0"
        "0d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc0"
        "27beceea1ec40a",
    ),
)


@pytest.mark.parametrize(("secret", "public", "message", "signature"), ED25519_VECTORS)
def test_ed25519_agrees_with_the_test_vectors(secret: str, public: str, message: str, signature: str) -> None:
    key, data, signed = bytes.fromhex(secret), bytes.fromhex(message), bytes.fromhex(signature)
    assert curve25519.public_key(key).hex() == public
    assert curve25519.sign(key, data).hex() == signature
    assert curve25519.verify(bytes.fromhex(public), data, signed)
    assert not curve25519.verify(bytes.fromhex(public), data + b"x", signed)


def test_ed25519_refuses_signatures_that_are_not_canonical() -> None:
    secret = bytes(32)
    public, signed = curve25519.public_key(secret), curve25519.sign(secret, b"said")
    shifted = (int.from_bytes(signed[32:], "little") + curve25519.ORDER).to_bytes(32, "little")
    assert curve25519.verify(public, b"said", signed)
    assert not curve25519.verify(public, b"said", signed[:32] + shifted)
    assert not curve25519.verify(public, b"said", signed[:-1])
    assert not curve25519.verify(b"\xff" * 32, b"said", signed)
    assert not curve25519.verify(public[:-1], b"said", signed)


def test_x25519_agrees_with_the_test_vectors() -> None:
    """The test vectors of RFC 7748, 5.2 and 6.1."""
    scalar = bytes.fromhex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
    point = bytes.fromhex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
    assert (
        curve25519.exchange(scalar, point).hex() == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    )
    alice = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df1a4b0f9a4b3c5d4c4b4a7a5b3a6d2a")
    bob = bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    assert curve25519.exchange(bob).hex() == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
    assert curve25519.exchange(alice, curve25519.exchange(bob)) == curve25519.exchange(bob, curve25519.exchange(alice))


def test_plain_keys_sign_and_agree() -> None:
    one, other = PlainKeys(b"1" * 32), PlainKeys(b"2" * 32)
    signed = one.sign(b"said")
    assert plain_verify(one.verify_key, b"said", signed)
    assert not plain_verify(other.verify_key, b"said", signed)
    assert not plain_verify(one.verify_key, b"said", "no signature!")
    assert one.shared(other.seal_key) == other.shared(one.seal_key)
    assert one.shared(other.seal_key) != one.shared(one.seal_key)


def test_base64_has_one_encoding() -> None:
    for size in range(70):
        data = bytes(range(size))
        assert from_base64(to_base64(data)) == data
    for bad in ("A", "AB", "A=", "A A", "é", "AA\n", "//", "AAAAB"):
        with pytest.raises(Nonsense, match=r"net\.text"):
            from_base64(bad)


def test_boxes_open_with_their_key_at_their_place_only() -> None:
    key = b"k" * 32
    box = seal(key, "here", b"a hidden card")
    assert open_box(key, "here", box) == b"a hidden card"
    assert b"hidden" not in from_base64(box)
    for other_key, place, text in (
        (b"x" * 32, "here", box),
        (key, "there", box),
        (key, "here", to_base64(from_base64(box)[:-1] + b"x")),
        (key, "here", "AAAA"),
    ):
        with pytest.raises(Nonsense, match=r"net\.box"):
            open_box(other_key, place, text)


def test_a_padded_box_hides_the_length_of_its_content() -> None:
    key = b"k" * 32
    assert len({len(seal(key, "", padded(b"x" * size, 64))) for size in range(65)}) == 1
    assert len(padded(b"x" * 65, 64)) == 128


def test_shares_of_two_sharings_do_not_add_up() -> None:
    """Regression: a share of each sharing restored the dealer's secret, and with it every card."""
    secret = bytes(range(31))
    one, other = split(secret, (0, 1, 2), 2, "deck"), split(secret, (0, 2, 3), 2, "reshare")
    assert recover({1: one[1], 3: other[3]}, 2, fingerprint(secret)) is None
    assert recover({0: other[0], 3: other[3]}, 2, fingerprint(secret)) == secret


@pytest.mark.parametrize(("devices", "enough"), [(3, 2), (4, 3), (5, 3), (8, 5)])
def test_enough_shares_give_the_secret_back(devices: int, enough: int) -> None:
    secret = bytes(range(31))
    shares = split(secret, tuple(range(devices)), enough, "place")
    some = dict(list(shares.items())[-enough:])
    assert combine(some) == secret
    too_few = dict(list(shares.items())[: enough - 1])
    assert combine(too_few) != secret
    assert recover(too_few, enough, fingerprint(secret)) is None
    false = {**shares, 0: b"\1" * 32}
    assert recover(false, enough, fingerprint(secret)) == secret
