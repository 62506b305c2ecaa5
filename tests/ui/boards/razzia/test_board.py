"""The board of razzia without a browser: its drawings for every question, and its texts."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from engine.options import Choice
from engine.razzia import box
from engine.razzia.rules import SCORERS, Turn
from engine.session import Session
from tests.ui.boards.games import (
    T,
    all_nodes,
    answers_on,
    context,
    entries,
    first_of_each_question,
    legal_answers,
    texts_with,
    values_on,
)
from tests.ui.boards.razzia.games import BOARD, RAZZIA, played, scripted
from tools.paths import ROOT
from ui.html.diff import Mirror
from ui.html.tree import plain

UNTRANSLATED = re.compile(r"razzia\.|[{}]")

# Drawings


@pytest.mark.sample(2)
@pytest.mark.parametrize("plays", ["p", "b1"])
@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_every_question_is_drawn(seats: int, plays: str) -> None:
    mirror: Mirror | None = None
    asked: set[str] = set()
    for session in first_of_each_question(played(seats, seed=20 + seats), 25):
        ctx = context(session, plays=plays)
        shown = BOARD.felt(ctx)
        if mirror is None:
            mirror = Mirror(shown)
        mirror.diff(shown)
        asked.add(session.question.key)
        assert texts_with(UNTRANSLATED, shown) == []
        assert plain_texts(BOARD.status(ctx)) == [f"Round {session.table.round}/3", *police(session)]
        if plays == "b1":
            assert answers_on(shown) == set()
    assert asked == {
        "razzia.hands",
        "razzia.turn",
        "razzia.card",
        "razzia.auction",
        "razzia.score",
        "razzia.clear",
        "over",
    }


def plain_texts(children: Any) -> list[str]:
    return [child if isinstance(child, str) else plain(child) for child in children]


def police(session: Session) -> list[str]:
    return [f"Police {session.table.police} of {session.table.raid_at}"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_the_controls_are_the_legal_answers(seats: int) -> None:
    for session in played(seats, seed=30 + seats):
        if session.question.seat < 0:
            continue
        shown, answers = answers_on(BOARD.felt(context(session))), legal_answers(session)
        thieves = {words for words in answers if words.startswith("thieves")}
        # thieves are used by picking cards first; an auction over an empty row is confirmed in a second step
        swap = {"call"} & answers if not any(session.table.row) else set()
        assert shown == answers - thieves - swap
        assert {*shown, *(answers_after_picking(session, "call") if swap else ())} == answers - thieves
        for words in sorted(thieves)[:6]:
            assert words in answers_after_picking(session, words.removeprefix("thieves "))


def answers_after_picking(session: Session, picked: str) -> set[str]:
    return answers_on(BOARD.felt(context(session, picked=picked)))


def test_no_more_cards_can_be_picked_than_there_are_thieves() -> None:
    session = thief_at_hand()
    toggles = [n for n in all_nodes(BOARD.felt(context(session, picked="1"))) if "aria-pressed" in n.attrs]
    assert [(n.attrs["aria-pressed"], "data-do" in n.attrs) for n in toggles] == [("true", True), ("false", False)]


def test_a_thief_of_the_row_cannot_be_picked_if_the_house_rule_forbids_it() -> None:
    session = thief_at_hand(options={"thief_takes_thief": "forbidden"}, second="thief")
    toggles = [n for n in all_nodes(BOARD.felt(context(session))) if "aria-pressed" in n.attrs]
    assert ["data-do" in n.attrs for n in toggles] == [True, False]


def thief_at_hand(options: Mapping[str, Any] | None = None, second: str = "car") -> Session:
    """Returns a game in which seat 0 has a thief, and two cards lie in the row."""
    won = ["draw", "card thief", "call", "offer 5", "pass", "draw", "card ring", "draw", f"card {second}"]
    session = scripted(2, *won, options=options)
    assert session.question == Turn(0)
    return session


@pytest.mark.sample(1)
@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_sheets_lie_over_every_table(seats: int) -> None:
    names = ("scores", "worth", *(f"family-{seat}" for seat in range(seats)))
    for session in played(seats, seed=40 + seats):
        for name in names if len(session.log) % 9 == 0 or session.over else ():
            shown = BOARD.felt(context(session, unfolded=name))
            Mirror(shown)
            assert texts_with(UNTRANSLATED, shown) == []
            assert len(values_on(shown, "data-home")) == 1
            ids = values_on(shown, "id")
            assert sorted(ids) == sorted(set(ids))


def test_every_point_of_the_result_unfolds_to_its_cards_and_its_rule() -> None:
    *_, session = played(4, seed=8)
    shut = BOARD.result(context(session))
    cells = [n.attrs["data-arg"] for node in shut for n in all_nodes(node) if n.tag == "button"]
    assert len(cells) == (5 + 5 + 8) * 4
    before = sum(len(list(all_nodes(node))) for node in shut)
    for cell in cells:
        opened = BOARD.result(context(session, unfolded=cell))
        category = cell.split("-")[1]
        assert sum(len(list(all_nodes(node))) for node in opened) > before
        assert any(T(f"razzia.rule.{category}") in plain(node) for node in opened)


def test_the_result_adds_up_to_the_final_points() -> None:
    *_, session = played(5, seed=2)
    shown = BOARD.result(context(session))
    last = [row for row in all_nodes(shown[-1]) if row.tag == "tr"][-1]
    assert [plain(cell) for cell in last.kids] == ["All rounds", *map(T.number, session.table.points)]
    assert any(points < 0 for points in session.table.points)
    assert "\N{MINUS SIGN}" in plain(last)


def test_spent_cheques_are_face_down_by_house_rule() -> None:
    entries = ["draw", "card ring", "call", "offer 5", "pass"]
    shown = BOARD.felt(context(scripted(2, *entries)))
    hidden = BOARD.felt(context(scripted(2, *entries, options={"spent_cheques": "hidden"})))
    assert "Spent: 1,000." in plain(shown)
    assert "Spent" not in plain(hidden)
    assert "1 spent cheque, face down." in plain(hidden)


def test_the_house_rule_of_one_pile_draws_one_pile() -> None:
    def backs(session: Session) -> int:
        return sum("back" in n.attrs.get("class", "").split() for n in all_nodes(BOARD.felt(context(session))))

    assert [backs(scripted(2)), backs(scripted(2, options={"piles": "one"}))] == [2, 1]


def test_the_rules_name_the_house_rules_in_force() -> None:
    options = {"tie": "highest_cheque", "deck": {"police": 3}}
    words = " ".join(plain(node) for node in BOARD.rules(T, Session(RAZZIA, 3, options).options))
    assert "the highest own cheque wins (this table’s own)" in words
    assert "102 cards: 3 police cards (this table’s own)" in words
    assert "victory is shared" not in words


# Texts


def test_every_refusal_is_explained() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "engine" / "razzia").glob("*.py"))
    reasons = set(re.findall(r'Refused\(\s*"(razzia\.[a-z_.]+)"', sources))
    assert {f"refused.{reason}" for reason in reasons} == {
        key for key in entries("razzia") if key.startswith("refused.")
    }
    assert len(reasons) > 10


def test_every_house_rule_has_a_name() -> None:
    for option in RAZZIA.OPTIONS:
        key = f"razzia.option.{option.name}"
        assert T.has(key)
        if isinstance(option, Choice):
            assert [choice for choice in option.choices if not T.has(f"{key}.{choice}")] == []
        else:
            assert [card.name for card in option.cards if not T.has(f"razzia.card.{card.name}")] == []


def test_every_text_is_used() -> None:
    """Every key is written in the sources in full, or the sources build it from a table of its parts."""
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "ui" / "boards" / "razzia").glob("*.py"))
    named = set(re.findall(r"""["'](razzia\.[a-z_.]+)["']""", sources))
    kinds, categories = "|".join(box.NAMES.values()), "|".join(SCORERS)
    of_tables = re.compile(
        rf"refused\..*|game\..*|razzia\.(option|source|rules|ruling|group|set)\..*|razzia\.(card|count|the|log\.card|letter\.\w+)\.({kinds})"
        rf"|razzia\.(category|rule|log\.score)\.({categories})(\.none)?"
    )
    assert [key for key in entries("razzia") if key and not of_tables.fullmatch(key) and key not in named] == []
