"""Records and links from untrusted sources: a refusal that names the line, never a traceback."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES, bots, links, records, strict_json
from engine.cli import arena
from engine.core import NATURE, Nonsense, Refused
from engine.options import Choice
from engine.records import Damaged
from engine.session import Session

NAMES = ["Ada", "Bó", "Çem", "Łucja"]


@cache
def a_game(name: str = "razzia") -> Session:
    """A whole game between random bots, four if so many may play."""
    seats = min(len(NAMES), GAMES[name].SEATS[-1])
    return arena.play(GAMES[name], seats, {}, [bots.choose_at_random] * seats, Random(1), Random(2))


@cache
def written_game(name: str = "razzia") -> str:
    """Returns the record of that game."""
    session = a_game(name)
    return records.write(session, NAMES[: session.seats])


@cache
def link_of_game() -> str:
    return links.write(a_game(), NAMES)


def lines(name: str = "razzia") -> list[Any]:
    return [json.loads(line) for line in written_game(name).splitlines()]


def text(values: list[Any]) -> str:
    return "\n".join(json.dumps(value) for value in values) + "\n"


def reason(data: str | bytes) -> tuple[int, str]:
    """Returns the line and the reason for which `verify` refuses a record."""
    with pytest.raises(Damaged) as caught:
        records.verify(data)
    return caught.value.line, caught.value.reason


def test_a_record_consists_of_words_and_numbers() -> None:
    found = lines()
    assert found[0] == {
        "format": "speakeasy-record-2",
        "game": "razzia",
        "version": 1,
        "options": {},
        "seats": 4,
        "names": NAMES,
    }
    assert found[1][:2] == [-1, "hands"]
    assert {line[1] for line in found[1:-1]} == set(a_game().game.WORDS)
    assert [-1, "score", "jewels"] in found
    assert found[-1]["scores"] == a_game().table.points
    assert records.verify(text(found)).names == NAMES


def test_a_record_may_say_when_the_game_started() -> None:
    written = records.write(a_game(), NAMES, started="2026-11-18T20:00:00Z")
    assert records.verify(written).started == "2026-11-18T20:00:00Z"


LENGTH = len(lines())


def first(found: list[Any], verb: str) -> int:
    return next(index for index, line in enumerate(found) if index and line[1] == verb)


Lines = list[Any]


def change_an_answer(session: Session, found: Lines) -> None:
    """Changes an answer to another one that the same seat could have given."""
    again = Session(session.game, session.seats)
    for number, (seat, answer) in enumerate(session.log, 1):
        others = [other for other in again.answers(seat) if other != answer] if seat != NATURE else []
        if others and number > len(session.log) // 2:
            found[number] = session.record_row((seat, others[0]))
            return
        again.do(seat, answer)
    raise AssertionError("nobody ever had a choice")


def change_a_card(session: Session, found: Lines) -> None:
    """Changes a card to another possible one."""
    again = Session(session.game, session.seats)
    for number, (seat, answer) in enumerate(session.log, 1):
        others = [other for other in again.answers(seat) if other != answer] if seat == NATURE else []
        if others and number > len(session.log) // 2:
            found[number] = session.record_row((seat, others[0]))
            return
        again.do(seat, answer)
    raise AssertionError("nothing ever was left to chance")


def remove_a_line(session: Session, found: Lines) -> None:
    del found[len(found) // 2]


def remove_the_last_entry(session: Session, found: Lines) -> None:
    del found[-2]


def swap_two_lines(session: Session, found: Lines) -> None:
    index = next(i for i in range(len(found) // 2, len(found) - 2) if found[i] != found[i + 1])
    found[index], found[index + 1] = found[index + 1], found[index]


def change_an_option(session: Session, found: Lines) -> None:
    if not session.game.OPTIONS:
        pytest.skip("this game has no options")
    option = session.game.OPTIONS[0]
    if isinstance(option, Choice):
        found[0]["options"] = {option.name: option.choices[1]}
    else:
        card = option.cards[0]
        found[0]["options"] = {option.name: {card.name: card.count + 1}}


def change_the_result(session: Session, found: Lines) -> None:
    found[-1]["scores"][0] += 1


def change_the_winner(session: Session, found: Lines) -> None:
    found[-1]["winners"] = [seat for seat in range(session.seats) if seat not in found[-1]["winners"]][:1]


def change_a_name(session: Session, found: Lines) -> None:
    found[0]["names"][0] = "Eve"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "tamper",
    [
        change_an_answer,
        change_a_card,
        remove_a_line,
        remove_the_last_entry,
        swap_two_lines,
        change_an_option,
        change_the_result,
        change_the_winner,
        change_a_name,
    ],
)
def test_verify_rejects_a_tampered_record(tamper: Callable[[Session, Lines], None], name: str) -> None:
    found = lines(name)
    records.verify(text(found))
    tamper(a_game(name), found)
    line, _reason = reason(text(found))
    assert 1 <= line <= len(found)


def test_the_hash_reveals_a_change_that_the_rules_allow() -> None:
    """The hash finds changes that the rules allow."""
    found = lines()
    index = first(found, "hands")
    found[index][2:4] = reversed(found[index][2:4])
    reason(text(found))


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda found: "", (1, "record.empty")),
        (lambda found: "hello", (1, "record.not_json")),
        (lambda found: "[]", (1, "record.not_a_record")),
        (lambda found: text([{**found[0], "format": "x"}]), (1, "record.not_a_record")),
        (lambda found: text([{**found[0], "game": "chess"}]), (1, "record.unknown_game")),
        (lambda found: text([{**found[0], "game": ["razzia"]}]), (1, "record.unknown_game")),
        (lambda found: text([{**found[0], "version": 99}]), (1, "record.version")),
        (lambda found: text([{**found[0], "seats": 9}]), (1, "option.seats")),
        (lambda found: text([{**found[0], "seats": True}]), (1, "option.seats")),
        (lambda found: text([{**found[0], "options": {"x": 1}}]), (1, "option.unknown")),
        (lambda found: text([{**found[0], "options": {"tie": "shared"}}]), (1, "record.header")),
        (lambda found: text([{**found[0], "options": []}]), (1, "record.header")),
        (lambda found: text([{**found[0], "names": ["a"]}]), (1, "record.names")),
        (lambda found: text([{**found[0], "names": ["a", "b", "c", "d\u202e"]}]), (1, "record.names")),
        (lambda found: text([{**found[0], "names": ["a", "b", "c", "d" * 25]}]), (1, "record.names")),
        (lambda found: text([{**found[0], "started": 7}]), (1, "record.header")),
        (lambda found: text([{**found[0], "more": 7}]), (1, "record.header")),
        (lambda found: text(found[:20]), (20, "record.not_finished")),
        (lambda found: text(found[:-1]), (LENGTH - 1, "record.no_result")),
        (lambda found: text([*found, found[2]]), (LENGTH + 1, "record.after_result")),
        (lambda found: text([*found[:5], found[-1]]), (6, "record.early_result")),
        (lambda found: text([*found[:-1], {**found[-1], "hash": "0"}]), (LENGTH, "record.hash")),
        (lambda found: text([*found[:-1], {**found[-1], "seen": "0"}]), (LENGTH, "record.seen")),
        (lambda found: text([*found[:-1], {**found[-1], "more": "0"}]), (LENGTH, "record.result")),
        (lambda found: text([found[0], "x"]), (2, "record.entry")),
        (lambda found: text([found[0], [True, "pass"]]), (2, "record.entry")),
        (lambda found: text([found[0], [-2, "pass"]]), (2, "record.entry")),
        (lambda found: text([found[0], [-1]]), (2, "notation.row")),
        (lambda found: text([found[0], [-1, {}]]), (2, "notation.verb")),
        (lambda found: text([found[0], [-1, "hands", 99]]), (2, "notation.number")),
        (lambda found: text([found[0], [-1, "card"]]), (2, "notation.arguments")),
        (lambda found: text([found[0], [-1, "card", "tiger"]]), (2, "notation.word")),
        (lambda found: text([found[0]]) + "[1.5]", (2, "record.not_json")),
        (lambda found: text([found[0]]) + "[NaN]", (2, "record.not_json")),
        (lambda found: text([found[0]]) + "[12345678901]", (2, "record.not_json")),
        (lambda found: text([found[0]]) + "[" * 5000, (2, "record.not_json")),
        (lambda found: text([found[0]]) + '["' + "x" * 9000 + '"]', (2, "record.not_json")),
        (lambda found: text([found[0]]) + '{"a":1,"a":2}', (2, "record.not_json")),
        (lambda found: text(found) + "\n" * (1 << 20), (1, "record.too_long")),
        (lambda found: text(found[:3]).encode() + b"\xff\n", (4, "record.not_utf8")),
    ],
)
def test_a_damaged_record_is_refused_with_the_line_and_the_reason(
    spoil: Callable[[list[Any]], str | bytes], expected: Any
) -> None:
    assert reason(spoil(lines())) == expected


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_random_damage_raises_no_other_exception_than_damaged(data: st.DataObject) -> None:
    written = bytearray(written_game().encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(written) - 1))
        written[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    try:
        found = records.verify(bytes(written))
    except Damaged as damaged:
        line = damaged.line
    else:
        line = 1
        assert found.session.log == a_game().log
    assert line >= 1


def test_a_deeply_nested_text_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(Nonsense, match=r"json\.too_deep"):
        strict_json.loads("[" * 100_000, 1 << 20)
    assert strict_json.depth('["[[[[[[[[", {"a": [1]}]') == 3
    assert strict_json.depth(r'["\"[[[["]') == 1


@pytest.mark.parametrize("half", [r'"\ud800"', r'["\uDFFF"]', r'{"\udc00\ud800":1}', '"\ud800"'])
def test_a_lone_surrogate_is_refused(half: str) -> None:
    with pytest.raises(Nonsense, match=r"json\.damaged"):
        strict_json.loads(half, 100)
    assert strict_json.loads(r'["\ud83d\ude00", "\\ud800"]', 100) == ["😀", r"\ud800"]


# Links


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_any_razzia_game_fits_into_a_link_of_two_kilobytes(seats: int) -> None:
    longest = 0
    for seed in range(60):
        policies = [bots.choose_at_random] * seats
        session = arena.play(GAMES["razzia"], seats, {}, policies, Random(seed), Random(-seed))
        longest = max(longest, len(links.write(session, ["Maximiliánné W. Kovács-Ő"] * seats)))
    assert longest <= 2000


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", "link.damaged"),
        ("!!!", "link.damaged"),
        ("é", "link.damaged"),
        ("AAAA", "link.damaged"),
        ("A" * 9000, "link.too_long"),
    ],
)
def test_a_damaged_link_is_refused(written: str, expected: str) -> None:
    with pytest.raises(Refused) as caught:
        links.read(written)
    assert caught.value.reason == expected


def test_a_link_that_unpacks_to_too_much_data_is_refused() -> None:
    bomb = urlsafe_b64encode(zlib.compress(bytes(4_000_000), 9, -15)).decode()
    assert len(bomb) < links.LONGEST
    with pytest.raises(Refused, match=r"link\.damaged"):
        links.read(bomb)


def test_a_truncated_link_is_refused() -> None:
    whole = link_of_game()
    for length in range(0, len(whole), 3):
        with pytest.raises(Refused):
            links.read(whole[:length])


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_changed_link_is_refused_or_gives_another_game(data: st.DataObject) -> None:
    whole = link_of_game()
    place = data.draw(st.integers(0, len(whole) - 1))
    letter = data.draw(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
    try:
        found = links.read(whole[:place] + letter + whole[place + 1 :])
    except Refused:
        return
    assert found.session.log == a_game().log or letter != whole[place]
