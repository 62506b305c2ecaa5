"""Parsing of client frames: valid commands, and everything that is refused."""

import json

import pytest

from signaling.frames import BadFrame, Bye, Create, Join, Ping, To, code_from, is_code, parse
from signaling.limits import Limits

MOST = Limits().frame_bytes


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('["create",{}]', Create(None)),
        ('["create",{"seats":5}]', Create(5)),
        ('["join","7ZQ4M1KX0B2C",null]', Join("7ZQ4M1KX0B2C", None)),
        ('["join","7zq4-mikx-ob2c","AbCdEfGhIjKlMnOp"]', Join("7ZQ4M1KX0B2C", "AbCdEfGhIjKlMnOp")),
        ('["join","7ZQ4M1KX0B2C",null,"make"]', Join("7ZQ4M1KX0B2C", None, make=True)),
        ('["to",3,{"s":1,"g":{"not":["checked"]}}]', To(3, {"s": 1, "g": {"not": ["checked"]}})),
        ('["to",0,{"s":"a1","g":null}]', To(0, {"s": "a1", "g": None})),
        ('["to",0,{"s":1,"g":"c2VhbGVk é 🂡"}]', To(0, {"s": 1, "g": "c2VhbGVk é 🂡"})),
        ('["ping"]', Ping()),
        ('["bye"]', Bye()),
    ],
)
def test_every_command_is_parsed(text: str, command: object) -> None:
    assert parse(text, MOST) == command


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "json"),
        ("ping", "json"),
        ('["ping"', "json"),
        ("[" * 8000, "json"),
        ("[" * 7 + "]" * 7, "json"),
        ('{"a":' * 2000 + "1" + "}" * 2000, "json"),
        ('["to",1e9,{"s":1,"g":"x"}]', "json"),
        ('["to",NaN,{"s":1,"g":"x"}]', "json"),
        ('["to",12345678901,{"s":1,"g":"x"}]', "json"),
        ('["to",0,{"s":1,"g":1.5}]', "json"),
        ('["to",0,{"s":1,"g":"x","g":"y"}]', "json"),
        ('["to",0,{"s":1,"g":"\\ud800"}]', "json"),
        ('["to",0,{"s":1,"\\udfff":"g"}]', "json"),
        ("null", "frame"),
        ("[]", "frame"),
        ("{}", "frame"),
        ('"ping"', "frame"),
        ('["shout"]', "frame"),
        ('["ping",1]', "frame"),
        ('["create"]', "frame"),
        ('["create",null]', "frame"),
        ('["create",{"seats":true}]', "frame"),
        ('["create",{"seats":-1}]', "frame"),
        ('["create",{"seats":5,"name":"x"}]', "frame"),
        ('["join","7ZQ4M1KX0B2C"]', "frame"),
        ('["join",7,null]', "frame"),
        ('["join","7ZQ4M1KX0B2C",null,true]', "frame"),
        ('["join","7ZQ4M1KX0B2C",null,"make","make"]', "frame"),
        ('["join","7ZQ4M1KX0B2C",7]', "frame"),
        ('["join","' + "7" * 25 + '",null]', "frame"),
        ('["join","7ZQ4M1KX0B2C","' + "x" * 17 + '"]', "frame"),
        ('["to",true,{"s":1,"g":"x"}]', "frame"),
        ('["to",-1,{"s":1,"g":"x"}]', "frame"),
        ('["to","0",{"s":1,"g":"x"}]', "frame"),
        ('["to",0,"g"]', "frame"),
        ('["to",0,{"s":1}]', "frame"),
        ('["to",0,{"g":"x"}]', "frame"),
        ('["to",0,{"s":1,"x":"x"}]', "frame"),
        ('["to",0,{"s":1,"d":"x"}]', "frame"),
        ('["to",0,{"s":1,"c":"x"}]', "frame"),
        ('["to",0,{"s":null,"g":"x"}]', "frame"),
        ('["to",0,{"s":1,"g":"x","d":"y"}]', "frame"),
        ('["to",null,{"s":1,"g":"x"}]', "frame"),
        ('["to",0,{"s":"' + "x" * 33 + '","g":"x"}]', "frame"),
        ('["claim",1]', "frame"),
        ('["bye","now"]', "frame"),
        (json.dumps(["to", 0, {"s": 1, "g": "x" * MOST}]), "long"),
        ('["to",0,{"s":1,"g":"' + "🂡" * (MOST // 4) + '"}]', "long"),
    ],
)
def test_an_invalid_frame_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(BadFrame) as refusal:
        parse(text, MOST)
    assert refusal.value.args == (why,)


def test_a_surrogate_pair_is_one_character() -> None:
    assert parse('["to",0,{"s":1,"g":"\\ud83c\\udca1"}]', MOST) == To(0, {"s": 1, "g": "🂡"})


def test_codes_have_sixty_bits_in_letters_that_can_be_read_aloud() -> None:
    assert code_from(bytes(8)) == "0" * 12
    assert code_from(b"\xff" * 8) == "Z" * 12
    assert is_code(code_from(b"speakeas"))
    assert not is_code("0123456789AU")
    assert not is_code("0" * 11)
