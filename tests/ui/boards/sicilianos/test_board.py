"""The sicilianos board without a browser: what it draws for every question and every viewer, and its texts."""

import re
from random import Random

import pytest

from engine.core import SPECTATOR
from engine.session import Session
from engine.sicilianos.box import COLOUR, COLOUR_NAMES
from engine.sicilianos.result import scores
from engine.sicilianos.war import Bomb, Traitor
from tests.ui.boards.games import (
    NAMES,
    T,
    all_nodes,
    answers_on,
    comparable,
    context,
    first_of_each_question,
    legal_answers,
    texts_in,
    texts_with,
    values_on,
)
from tests.ui.boards.sicilianos.games import (
    BOARD,
    HOUSES,
    SICILIANOS,
    answer_words,
    played,
    toggle_args,
)
from tools.build import texts_of
from tools.paths import ROOT
from ui.boards.sicilianos.cards import face
from ui.boards.sicilianos.ledger import ROWS
from ui.html.diff import Mirror
from ui.html.tree import Node, plain
from ui.text.i18n import LANGUAGES

QUESTIONS = {
    "take",
    "turn",
    "one",
    "keep",
    "steal",
    "nine",
    "join",
    "traitor",
    "bomb",
    "reinforce",
    "share",
    "founding",
}
CHANCES = {"starter", "dice", "card", "pile", "stolen", "reveal", "result", "businesses", "clear", "open", "payday"}
#: bare keys, and placeholders that were not filled in
UNTRANSLATED = re.compile(r"sicilianos\.|[{}]")


# What is shown


@pytest.mark.sample(2)
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("seats", SICILIANOS.SEATS)
def test_every_question_is_drawn_for_every_viewer(seats: int, house: str) -> None:
    """Draws the board in turn for the asked seat, for a spectator, and for another seat."""
    mirrors: dict[int, Mirror] = {}
    for number, session in enumerate(first_of_each_question(played(seats, seed=seats, options=HOUSES[house]), 7)):
        eyes = number % 3
        ctx = context(session, viewer=(None, SPECTATOR, number % seats)[eyes])
        shown = BOARD.felt(ctx)
        assert texts_with(UNTRANSLATED, shown) == []
        assert len(values_on(shown, "data-home")) == 1
        ids = values_on(shown, "id")
        assert sorted(ids) == sorted(set(ids))
        mirrors.setdefault(eyes, Mirror(shown)).diff(shown)
        assert len(BOARD.status(ctx)) >= 2


def test_random_games_ask_every_question() -> None:
    asked = {
        session.question.key
        for seed in range(9)
        for session in played(
            3 + seed % 4, seed=100 + seed, options=HOUSES["house" if seed % 2 else "book"], rolls=seed % 3 / 2
        )
    }
    assert asked == {f"sicilianos.{name}" for name in (*QUESTIONS, *CHANCES)} | {"over"}


@pytest.mark.sample(3)
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("seats", SICILIANOS.SEATS)
def test_every_answer_can_be_given_and_no_other(seats: int, house: str) -> None:
    for session in first_of_each_question(played(seats, seed=30 + seats, options=HOUSES[house]), 12):
        if session.question.seat < 0:
            continue
        shown, answers = answers_on(BOARD.felt(context(session))), legal_answers(session)
        # a card and a note are picked before they are laid
        laid = {each for each in answers if each.split()[0] in ("war", "join", "add")}
        assert shown == answers - laid
        assert laid == laid_by_picking(session) if len(session.log) % 7 == 0 else True


def laid_by_picking(session: Session) -> set[str]:
    """Returns the answers that become possible by picking a card and, where needed, a note."""
    found: set[str] = set()
    choices = toggle_args(BOARD.felt(context(session)))
    cards, notes = [c for c in choices if c[0] == "k"], [n for n in choices if n[0] == "n"]
    for card in cards:
        for note in notes or [""]:
            now = answers_on(BOARD.felt(context(session, picked=f"{card} {note}")))
            found |= {each for each in now if each.split()[0] in ("war", "join", "add")}
    return found


@pytest.mark.parametrize("plays", ["b1", "p"])
def test_a_seat_that_is_not_asked_has_no_controls_for_an_answer(plays: str) -> None:
    for session in first_of_each_question(played(4, seed=5), 8):
        seat = session.question.seat
        viewer = (seat + 1) % 4 if seat >= 0 else 0
        shown = BOARD.felt(context(session, plays=plays, viewer=viewer))
        assert answers_on(shown) == set()
        assert toggle_args(shown) == {}
        assert [each for each in all_nodes(shown) if each.attrs.get("data-do") == "answer"] == []


def test_a_tap_on_a_pile_is_the_answer_beside_the_question() -> None:
    for session in first_of_each_question(played(3, seed=2), 12):
        if session.question.seat < 0:
            continue
        taps = {
            n.attrs["data-arg"] for n in all_nodes(BOARD.felt(context(session))) if n.attrs.get("data-do") == "answer"
        }
        assert taps <= legal_answers(session)
        if session.question.key in ("sicilianos.take", "sicilianos.nine"):
            assert taps == legal_answers(session)


def test_picking_another_card_puts_the_first_one_back() -> None:
    session = game_at("turn", 4, seed=1)
    first, second, *_ = sorted(toggle_args(BOARD.felt(context(session))))
    assert first[0] == second[0] == "k"
    again = toggle_args(BOARD.felt(context(session, picked=first)))
    assert again[second] == f"{second} {first}"
    assert again[first] == first


@pytest.mark.sample(1)
@pytest.mark.parametrize("seats", SICILIANOS.SEATS)
def test_sheets_lie_over_every_table(seats: int) -> None:
    names = (*(f"seat-{seat}" for seat in range(seats)), *(f"family-{colour}" for colour in range(1, 7)))
    for session in played(seats, seed=40 + seats):
        for name in names if len(session.log) % 90 == 30 else ():
            for viewer in (None, SPECTATOR):
                shown = BOARD.felt(context(session, viewer=viewer, unfolded=name))
                Mirror(shown)
                assert texts_with(UNTRANSLATED, shown) == []
                assert len(values_on(shown, "data-home")) == 1
                (close,) = (each for each in all_nodes(shown) if each.attrs.get("id") == f"sicilianos-{name}")
                assert close.attrs["data-arg"] == name


# What is hidden


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 2])
def test_tables_that_differ_in_what_is_hidden_are_drawn_alike(viewer: int) -> None:
    rnd, compared = Random(viewer), 0
    for session in played(4, seed=17):
        if len(session.log) % 6 or session.over:
            continue
        ctx = context(session, viewer=viewer)
        other = SICILIANOS.view(SICILIANOS.fill(ctx.view, rnd), viewer)
        elsewhere = type(ctx)(**{**{name: getattr(ctx, name) for name in ctx.__slots__}, "view": other})
        assert comparable(BOARD.felt(ctx)) == comparable(BOARD.felt(elsewhere))
        compared += 1
    assert compared > 20


def test_no_card_is_named_that_the_viewer_does_not_know() -> None:
    for session in played(3, seed=9):
        ctx = context(session, viewer=SPECTATOR)
        known = {card for hand in ctx.view.hands for card in hand if card > 0} | {card for _, card in ctx.view.lying}
        shown = values_on(BOARD.felt(ctx), "data-fly")
        assert {int(name[1:].split("-")[0]) for name in shown if name[0] == "k"} <= known


def test_a_business_is_shown_by_kind_to_its_owner_alone() -> None:
    *_, session = (s for s in played(3, seed=4) if not s.table.opened)
    owner = next(seat for founded in session.table.founded for seat, _, _ in founded)
    kinds = re.compile(r"(antiques shop|restaurant|laundry)$")
    mine = [x for x in texts_in(BOARD.felt(context(session, viewer=owner))) if kinds.search(x)]
    theirs = [x for x in texts_in(BOARD.felt(context(session, viewer=SPECTATOR))) if kinds.search(x)]
    assert len(mine) == sum(seat == owner for founded in session.table.founded for seat, _, _ in founded)
    assert theirs == []


# The war, in figures


def game_at(question: str, seats: int, seed: int) -> Session:
    """Returns a random game at the moment when it asks this question."""
    for offset in range(60):
        for session in played(seats, seed=seed + offset):
            if session.question.key == f"sicilianos.{question}":
                return session
    raise LookupError(question)


def test_a_traitor_is_told_what_turning_does_to_both_families() -> None:
    session = game_at("traitor", 4, seed=3)
    assert isinstance(session.question, Traitor)
    shown = BOARD.felt(context(session))
    seat = session.question.seat
    mine = session.table.family[seat]
    buttons = {each.attrs["data-answer"]: plain(each) for each in all_nodes(shown) if "data-answer" in each.attrs}
    assert set(buttons) == {"plain", "traitor"}
    assert T(f"sicilianos.family.{COLOURS[mine]}") in buttons["plain"]
    assert " 8" in buttons["plain"]
    before = next(card for owner, card in session.table.lying if COLOUR[card] == partner(mine))
    value = (before - 1) % 11 + 1
    assert f"{value} → {value + 4}" in buttons["traitor"]


COLOURS = ("", "yellow", "blue", "red", "black", "white", "green")


def partner(colour: int) -> int:
    return (colour + 2) % 6 + 1


def test_a_bomb_names_its_victims_and_what_is_left() -> None:
    session = game_at("bomb", 5, seed=3)
    assert isinstance(session.question, Bomb)
    shown = BOARD.felt(context(session))
    buttons = {each.attrs["data-answer"]: plain(each) for each in all_nodes(shown) if "data-answer" in each.attrs}
    assert len(buttons) == 1 + len(session.question.hits)
    for hit in session.question.hits:
        owner = next(owner for owner, card in session.table.lying if card == hit)
        text = buttons[answer_words(("explode", hit))]
        assert NAMES[owner] in text
        assert "→" in text


def test_running_strengths_stand_in_every_lane() -> None:
    for session in first_of_each_question(played(5, seed=21), 12):
        t = session.table
        if t.starter < 0:
            continue
        shown = BOARD.felt(context(session))
        figures = [plain(each) for each in all_nodes(shown) if each.attrs.get("class") == "sum"]
        assert len(figures) == sum(1 for family in t.family if family)


# The ledger


def test_every_figure_of_the_result_unfolds_to_its_parts_and_its_rule() -> None:
    *_, session = (s for s in played(4, seed=8) if s.table.godfather < 0)
    shut = BOARD.result(context(session))
    cells = [n.attrs["data-arg"] for node in shut for n in all_nodes(node) if n.tag == "button"]
    assert len(cells) == len(ROWS) * 4
    before = sum(len(list(all_nodes(node))) for node in shut)
    for cell in cells:
        opened = BOARD.result(context(session, unfolded=cell))
        assert sum(len(list(all_nodes(node))) for node in opened) > before
        assert any(T(f"sicilianos.rule.{cell.split('-')[1]}") in plain(node) for node in opened)


@pytest.mark.parametrize("seats", SICILIANOS.SEATS)
def test_the_ledger_adds_up_to_the_scores(seats: int) -> None:
    *_, session = next(
        games for games in (list(played(seats, seed=seed)) for seed in range(50, 90)) if games[-1].table.godfather < 0
    )
    shown = BOARD.result(context(session))
    rows = [row for row in all_nodes(shown[0]) if row.tag == "tr"]
    last = [plain(cell) for cell in rows[-1].kids]
    assert last == ["In all", *map(T.signed, scores(session.table))]
    figures = [[int(plain(cell).replace("\N{MINUS SIGN}", "-")) for cell in row.kids[1:]] for row in rows[1:-1]]
    assert [sum(column) for column in zip(*figures, strict=True)] == scores(session.table)


def test_the_result_shows_the_businesses_of_the_godfather() -> None:
    *_, session = next(
        games for games in (list(played(3, seed=seed)) for seed in range(200)) if games[-1].table.godfather >= 0
    )
    shown = BOARD.result(context(session))
    text = " ".join(map(plain, shown))
    assert f"{NAMES[session.table.godfather]} is the Godfather" in text
    assert len([n for n in all_nodes(shown[0].kids[1]) if n.attrs.get("role") == "img"]) == 3


def test_the_rules_name_the_house_rules_in_force() -> None:
    book = " ".join(plain(node) for node in BOARD.rules(T, {}))
    house = " ".join(plain(node) for node in BOARD.rules(T, Session(SICILIANOS, 4, HOUSES["house"]).options))
    assert UNTRANSLATED.search(book + house) is None
    assert "this table’s own" not in book
    assert "At this table notes lie open." in house
    assert "Yellow 5: 4, Blue 8: 3, Red 1: 0" in house or "Red 1: 0" in house
    assert "At this table the 50 are paid for each such set" in house


def test_the_rules_of_a_game_of_version_1_say_how_equal_antiques_count() -> None:
    words = [
        " ".join(plain(node) for node in BOARD.rules(T, Session(SICILIANOS, 4, {"different": rule}, version).options))
        for version, rule in ((1, "sets"), (1, "once"), (2, "sets"))
    ]
    assert [T("sicilianos.rules.different.equal_antiques") in each for each in words] == [True, False, False]


def test_the_number_of_compared_nodes_is_limited() -> None:
    """Limits the number of nodes that are compared for every answer; a fixed subtree counts as one."""
    most = 0
    for session in first_of_each_question(played(6, seed=13), 12):
        most = max(most, node_count(BOARD.felt(context(session))))
    assert most < 700


def node_count(node: Node) -> int:
    return 1 if node.fixed else 1 + sum(map(node_count, node.kids))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_family_has_a_letter_of_its_own(language: str) -> None:
    """A card can be recognized by its shape, its letter and its colour."""
    said = texts_of(ROOT / "assets" / "lang" / language)
    letters = {said[f"sicilianos.letter.{name}"] for name in COLOUR_NAMES}
    assert len(letters) == len(COLOUR_NAMES)
    assert [plain(node) for node in all_nodes(face(T, 1)) if node.tag == "i"] == [T("sicilianos.letter.yellow")]
