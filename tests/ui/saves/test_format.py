"""Saves: what was written can be read back; anything else is refused and never carried out."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import NATURE, Refused
from engine.seats import EMBLEMS
from engine.session import Session
from tests.ui.first_screen import english
from ui.boards import Chair
from ui.model import Header
from ui.saves import saved_game
from ui.update.table import chance_answer

HEADER = Header(
    id="0123456789ab",
    game="razzia",
    version=1,
    options={"empty_auction": "forbidden"},
    chairs=(Chair("Theo", "rose"), Chair("<b>Vera</b>", "bee", "b2"), Chair("Ábel", "key", "b1")),
    seed="abc",
    started=29_000_000,
    touched=29_000_001,
    entries=3,
    asked=NATURE,
)


def played(steps: int) -> tuple[Session, list[str]]:
    """Returns a game after so many records, and the records."""
    session, rnd, records = saved_game.new_session(HEADER), Random(7), []
    while len(records) < steps and not session.over:
        seat = session.question.seats()[0]
        answer = chance_answer(session, HEADER.seed) if seat == NATURE else rnd.choice(session.answers(seat))
        records.append(saved_game.write_entry(session, (seat, answer)))
        session.do(seat, answer)
    return session, records


def test_a_header_is_read_back_as_it_was_written() -> None:
    assert saved_game.read_header(saved_game.write_header(HEADER)) == HEADER


def test_a_save_with_one_name_twice_is_opened_with_two_names() -> None:
    twice = replace(HEADER, chairs=tuple(replace(chair, name="Theo") for chair in HEADER.chairs))
    names = [chair.name for chair in saved_game.read_header(saved_game.write_header(twice)).chairs]
    assert names == ["Theo", *(f"Theo {n}" for n in range(2, len(names) + 1))]


def test_a_whole_game_is_read_back_as_it_was_played() -> None:
    session, records = played(2000)
    assert session.over
    again = saved_game.replay(HEADER, records)
    assert (again.log, again.table) == (session.log, session.table)


def test_a_take_back_is_one_more_record() -> None:
    session, records = played(1)
    seat = session.question.seats()[0]
    records += [saved_game.write_entry(session, (seat, ("call",))), saved_game.write_undo(seat)]
    options = replace(HEADER, options={})
    assert saved_game.replay(options, records).log == session.log


def _changed(**fields: Any) -> str:
    return json.dumps({**json.loads(saved_game.write_header(HEADER)), **fields})


CHAIR = {"name": "Theo", "emblem": "rose", "plays": "p"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "save.damaged"),
        ("{", "save.damaged"),
        ("[" * 5000, "save.damaged"),
        ('{"a":1,"a":2}', "save.damaged"),
        ("[1e5]", "save.damaged"),
        ("x" * 20_000, "save.damaged"),
        ("[]", "save.header"),
        (_changed(format="speakeasy-save/9"), "save.newer"),
        (_changed(format="speakeasy-save/0"), "save.header"),
        (_changed(format="speakeasy-save/9<b>"), "save.header"),
        (_changed(format=["speakeasy-save/9"]), "save.header"),
        (_changed(chairs=[{**CHAIR, "plays": "b9"}]), "save.newer"),
        (_changed(id="../../x"), "save.header"),
        (_changed(extra=1), "save.header"),
        (_changed(chairs=[]), "save.header"),
        (_changed(chairs=[CHAIR] * 9), "save.header"),
        (_changed(chairs=[{**CHAIR, "name": "A\u202eB"}]), "save.header"),
        (_changed(chairs=[{**CHAIR, "plays": "root"}]), "save.header"),
        (_changed(chairs=[{**CHAIR, "emblem": "skull"}]), "save.header"),
        (_changed(chairs=["Theo"]), "save.header"),
        (_changed(seed="<img>"), "save.header"),
        (_changed(entries=-1), "save.header"),
        (_changed(over=1), "save.header"),
    ],
)
def test_a_damaged_header_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        saved_game.read_header(text)
    assert refused.value.reason == reason
    assert english().has(f"refused.{reason}")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (replace(HEADER, game="poker"), "save.game"),
        (replace(HEADER, version=99), "save.newer"),
        (replace(HEADER, version=0), "save.version"),
        (replace(HEADER, options={"tie": "never"}), "option.choice"),
        (replace(HEADER, chairs=HEADER.chairs[:1]), "option.seats"),
    ],
)
def test_a_game_we_do_not_play_is_refused(header: Header, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        saved_game.replay(header, [])
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("", "save.damaged"),
        ("[0]", "notation.row"),
        ('[0,"draw","draw"]', "notation.arguments"),
        ('[0,"explode"]', "notation.verb"),
        ('[7,"draw"]', "not_asked"),
        ('["undo",true]', "save.not_a_record"),
        ('["undo",2]', "undo.too_late"),
        ('{"seat":0}', "save.not_a_record"),
        ('[0,"offer",{"a":1}]', "notation.number"),
        ('"draw"', "save.not_a_record"),
    ],
)
def test_a_damaged_record_is_named_and_nothing_after_it_is_carried_out(damage: str, why: str) -> None:
    _, records = played(9)
    with pytest.raises(Refused) as refused:
        saved_game.replay(HEADER, [*records[:5], damage, *records[5:]])
    assert (refused.value.reason, refused.value.values) == ("save.record", {"number": 6, "why": why})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.text(max_size=200) | JSON.map(json.dumps))
def test_any_stored_text_is_read_or_refused(text: str) -> None:
    for read in (saved_game.read_header, lambda given: saved_game.replay(HEADER, [given]), saved_game.read_settings):
        try:
            read(text)
        except Refused as refused:
            _sentence(refused)


def _sentence(refused: Refused) -> None:
    assert english().has(f"refused.{refused.reason}")


def test_settings_that_cannot_be_read_are_ignored() -> None:
    assert saved_game.read_settings("nonsense") == {}
    assert saved_game.read_settings("[1]") == {}
    assert saved_game.read_settings('{"names":["Theo"]}') == {"names": ["Theo"]}


def test_every_emblem_can_be_stored() -> None:
    chairs = tuple(Chair(f"Seat {n}", emblem) for n, emblem in enumerate(EMBLEMS))
    assert saved_game.read_header(saved_game.write_header(replace(HEADER, chairs=chairs))).chairs == chairs
