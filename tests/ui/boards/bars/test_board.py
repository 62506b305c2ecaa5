"""The board of bars without a browser: its drawings for every question and every viewer, and its texts."""

import re
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine import notation
from engine.bars.box import CARD_NAMES
from engine.bars.settle import Duel, Propose
from engine.core import NATURE, SPECTATOR
from engine.session import Session
from tests.ui.boards.bars.games import BARS, BOARD, played
from tests.ui.boards.games import (
    NAMES,
    T,
    all_nodes,
    answers_on,
    comparable,
    context,
    first_of_each_question,
    legal_answers,
    picks_on,
    texts_with,
    values_on,
)
from ui.boards import Line, SeatName
from ui.boards.bars.history import tonights_splits
from ui.boards.bars.scene import make_scene
from ui.boards.bars.seats import night_count
from ui.boards.bars.split import owners
from ui.html.diff import Mirror
from ui.html.tree import plain

HOUSE = {
    "first_dealer": "chosen",
    "short_night": "left_out",
    "replies": "secret",
    "money": "hidden",
    "extra_note": "face_down",
}
EVERY_NIGHT = {
    "bars.deal",
    "bars.note",
    "bars.look",
    "bars.place",
    "bars.show",
    "bars.pick",
    "bars.reveal",
    "bars.settle",
    "bars.propose",
    "bars.reply",
    "bars.discard",
    "bars.reshuffle",
    "over",
}
#: bare keys, places that were not filled in, and thousands: a note of 50 is 50 everywhere
UNTRANSLATED = re.compile(r"bars\.|[{}]|,000")

# Drawings


@pytest.mark.sample(2)
@pytest.mark.parametrize("options", [{}, HOUSE], ids=["book", "house"])
@pytest.mark.parametrize("seats", BARS.SEATS)
def test_every_question_is_drawn_for_every_viewer(seats: int, options: Mapping[str, Any]) -> None:
    mirror: Mirror | None = None
    asked: set[str] = set()
    some = first_of_each_question(played(seats, seed=20 + seats, options=options), 12)
    for number, session in enumerate(some):
        asked.add(session.question.key)
        plays = "p" if number % 3 else "b1"
        for viewer in (None, (SPECTATOR, number % seats)[number % 2]):
            shown = BOARD.felt(context(session, viewer=viewer, plays=plays))
            mirror = mirror or Mirror(shown)
            mirror.diff(shown)
            assert texts_with(UNTRANSLATED, shown) == []
            assert len(values_on(shown, "data-home")) == 1
            flying = values_on(shown, "data-fly")
            assert sorted(flying) == sorted(set(flying))
            ids = values_on(shown, "id")
            assert sorted(ids) == sorted(set(ids))
            if plays == "b1":
                assert answers_on(shown) == set()
    assert asked >= EVERY_NIGHT
    assert ("bars.choose_dealer" in asked) == bool(options)


def test_a_played_card_leaves_its_place_empty_and_the_others_where_they_are() -> None:
    """The empty place once came last, and every other card of the hand moved up."""
    before: list[str | None] = []
    seen: set[str] = set()
    for session in played(4, seed=7):
        shown = BOARD.felt(context(session, viewer=0))
        hand = next(each for each in all_nodes(shown) if each.tag == "ul" and "hand" in str(each.attrs.get("class")))
        keys = [each.key for each in hand.kids]
        if session.question.key == "bars.pick":
            before = keys
        elif session.table.shown[0]:
            card = str(session.table.shown[0])
            before = ["gone" if key == card else key for key in before]
        elif session.log and session.log[-1][1][0] != "discard":
            continue
        if before:
            assert keys == before
            seen.add(session.question.key)
    assert seen >= {"bars.settle", "bars.discard", "bars.deal"}


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", BARS.SEATS)
def test_every_answer_can_be_given(seats: int) -> None:
    options = HOUSE if seats % 2 else {}
    for session in played(seats, seed=30 + seats, options=options):
        if session.question.seat < 0:
            continue
        shown = BOARD.felt(context(session))
        if session.question.key == "bars.pick":
            assert answers_on(shown) == set()
            assert {answer_after_picking(session, picked) for picked in picks_on(shown)} == legal_answers(session)
        elif isinstance(session.question, Propose):
            assert answers_on(shown) <= legal_answers(session)
            assert {
                answer_after_picking(session, picks_for(session, words)) for words in legal_answers(session)
            } == legal_answers(session)
        else:
            assert answers_on(shown) == legal_answers(session)


def answer_after_picking(session: Session, picked: str) -> str:
    """Returns the one answer that can be given when that is picked."""
    (words,) = answers_on(BOARD.felt(context(session, picked=picked)))
    return words


def picks_for(session: Session, words: str) -> str:
    """Returns what has to be picked to make that proposal."""
    question = session.question
    assert isinstance(question, Propose)
    answer = notation.parse(BARS.WORDS, words)
    left = list(enumerate(sorted(session.table.notes[question.bar], reverse=True)))
    picked = []
    for seat, notes in zip(question.others, answer[1:], strict=True):
        for note in notes:
            place, value = next(each for each in left if each[1] == note)
            left.remove((place, value))
            picked.append(f"n{place}-{seat}")
    return " ".join(picked)


def test_every_proposal_that_can_be_picked_is_legal() -> None:
    rnd = Random(4)
    proposals = 0
    for session in played(7, seed=72):
        if not isinstance(session.question, Propose):
            continue
        picked: frozenset[str] = frozenset()
        for _ in range(12):
            shown = BOARD.felt(context(session, picked=" ".join(picked)))
            (words,) = answers_on(shown)
            session.question.check(session.table, session.question.seat, notation.parse(BARS.WORDS, words))
            picked ^= frozenset(rnd.choice(sorted(picks_on(shown))).split())
            proposals += 1
    assert proposals > 50


def test_between_two_a_tap_moves_a_note_and_back() -> None:
    session = game_with_proposal(others=1)
    asks = session.question
    assert isinstance(asks, Propose)
    give = picked_after(session, "", f"Give {top(session)} to {NAMES[asks.others[0]]}")
    assert answer_after_picking(session, give).split()[1] != "-"
    assert picked_after(session, give, f"Take {top(session)} back from {NAMES[asks.others[0]]}") == ""


def test_among_more_than_two_a_note_is_picked_up_and_given_to_a_seat() -> None:
    session = game_with_proposal(others=2)
    asks = session.question
    assert isinstance(asks, Propose)
    first, second = asks.others
    up = picked_after(session, "", f"{top(session)}, with {NAMES[asks.seat]}")
    gave = picked_after(session, up, f"Give the {top(session)} to {NAMES[second]}")
    assert owners(context(session, picked=gave), asks)[0] == second
    again = picked_after(session, gave, f"{top(session)}, with {NAMES[second]}")
    moved = picked_after(session, again, f"Give the {top(session)} to {NAMES[first]}")
    assert owners(context(session, picked=moved), asks)[0] == first
    assert picked_after(session, up, f"{top(session)}, with {NAMES[asks.seat]}") == ""
    even = picked_after(session, "", "Even shares")
    assert "-" not in answer_after_picking(session, even).split()[1:]
    assert picked_after(session, even, "Keep all") == ""


def game_with_proposal(others: int) -> Session:
    """Returns a game in which a proposal is due, with so many other claimants and at least three notes."""
    for seed in range(100):
        for session in played(6, seed=seed):
            asks = session.question
            if isinstance(asks, Propose) and len(asks.others) == others and len(session.table.notes[asks.bar]) > 2:
                copy = Session(BARS, 6, session.options)
                copy.extend(session.log)
                return copy
    raise LookupError(others)


def top(session: Session) -> str:
    assert isinstance(session.question, Propose)
    return T.number(max(session.table.notes[session.question.bar]))


def picked_after(session: Session, picked: str, said: str) -> str:
    """Returns what is picked after the control with that label was used."""
    shown = BOARD.felt(context(session, picked=picked))
    for each in all_nodes(shown):
        if each.attrs.get("data-do") == "pick" and said in plain(each):
            return " ".join(frozenset(picked.split()) ^ frozenset(each.attrs["data-arg"].split()))
    raise LookupError(said)


@pytest.mark.parametrize("options", [{}, HOUSE], ids=["book", "house"])
def test_tables_that_differ_in_what_is_hidden_are_drawn_alike(options: Mapping[str, Any]) -> None:
    rnd, compared = Random(9), 0
    for number, session in enumerate(played(5, seed=3, options=options)):
        if number % 7:
            continue
        full = session.table
        for viewer in (SPECTATOR, number % 5):
            seen = BOARD.felt(context(session, viewer=viewer))
            session.table = BARS.fill(session.view(viewer), rnd)
            other = BOARD.felt(context(session, viewer=viewer))
            session.table = full
            assert comparable(seen) == comparable(other)
            compared += 1
        hand = {f"c{card}" for card in full.hands[0]}
        assert hand.isdisjoint(
            each.attrs.get("data-fly") for each in all_nodes(BOARD.felt(context(session, viewer=SPECTATOR)))
        )
    assert compared > 60


def test_hidden_money_is_a_number_of_notes_until_the_end() -> None:
    *_, before, over = played(4, seed=6, options={"money": "hidden"})
    rich = max(range(4), key=lambda seat: over.table.money[seat])
    assert T.number(over.table.money[rich]) in plain(BOARD.felt(context(over, viewer=(rich + 1) % 4)))
    copy = Session(BARS, 4, over.options)
    copy.extend(over.log[:-1])
    assert before is over
    shown = BOARD.felt(context(copy, viewer=(rich + 1) % 4, unfolded="books"))
    assert T.number(copy.table.money[rich]) not in plain(shown)
    assert "At this table the others’ money is hidden until the end." in plain(shown)
    assert T.number(copy.table.money[rich]) in plain(BOARD.felt(context(copy, viewer=rich)))


def test_a_note_face_down_is_seen_by_its_dealer_alone() -> None:
    for session in played(4, seed=2, options={"extra_note": "face_down"}):
        if session.question.key == "bars.pick":
            dealer, note = session.table.dealer, session.table.extra
            mine = [
                each
                for each in all_nodes(BOARD.felt(context(session, viewer=dealer)))
                if each.attrs.get("data-fly") == "extra"
            ]
            theirs = [
                each
                for each in all_nodes(BOARD.felt(context(session, viewer=dealer - 1)))
                if each.attrs.get("data-fly") == "extra"
            ]
            assert [each.attrs["data-worth"] for each in mine] == [str(note)]
            assert ["down" in each.attrs["class"].split() for each in theirs] == [True]
            break


@pytest.mark.parametrize(
    "options", [{}, {"short_night": "left_out"}, {"notes": {"5": 13}}], ids=["book", "left", "deck"]
)
@pytest.mark.parametrize("seats", [3, 4])
def test_the_table_says_how_many_nights_there_will_be(seats: int, options: Mapping[str, Any]) -> None:
    *_, session = played(seats, seed=1, options=options)
    assert night_count(session.options, session.table) == session.table.night
    assert BOARD.status(context(session))[0] == f"Night {session.table.night}/{session.table.night}"


# Tonight's splits


@pytest.mark.parametrize("options", [{}, {"replies": "secret"}], ids=["open", "secret"])
@pytest.mark.parametrize("seats", [3, 6, 8])
def test_each_throw_of_a_duel_is_between_the_seats_that_the_engine_names(
    seats: int, options: Mapping[str, Any]
) -> None:
    throws = 0
    for seed in range(2):
        for session in played(seats, seed=seed, options=options):
            asked = session.asked[-1] if session.log else None
            if not isinstance(asked, Duel):
                continue
            *_, split = tonights_splits(session.table, session.masked_with_questions(SPECTATOR)).values()
            throw = split.throws[-1]
            assert (throw.high, throw.low, throw.waiting) == (asked.high, asked.low, asked.others)
            assert session.log[-1] == (NATURE, ("dice", *throw.dice))
            if not asked.others:
                assert session.table.wins[-1][2:4] == (throw.winner(session.table), "duel")
            throws += 1
    assert throws > 2


def test_a_note_keeps_its_name_when_it_is_won() -> None:
    """A note that lay in a bar before an entry is still drawn after it, with the same name, while the night lasts."""
    before: set[str] = set()
    for session in played(6, seed=12):
        ctx = context(session, viewer=0)
        names = {name for won in make_scene(ctx).won_notes for name, _ in won}
        names.update(values_on(BOARD.felt(ctx), "data-fly"))
        names = {name for name in names if re.match(r"n\d", name)}
        if session.question.key not in ("bars.deal", "bars.reshuffle", "bars.note", "over"):
            assert before - names == set()
        before = names


def test_the_bar_where_something_has_just_happened_is_lit() -> None:
    for session in played(4, seed=5):
        if session.log and session.log[-1][1][0] == "take" and session.question.seat == NATURE:
            assert make_scene(context(session)).bar == session.log[-1][1][1]


# The lines of the log


def entry_lines(session: Session, seat: int, answer: Any) -> list[str]:
    before, asked = session.view(SPECTATOR), session.question
    entry = (seat, asked.mask(seat, answer, SPECTATOR))
    session.do(seat, answer)
    return [line_text(line) for line in BOARD.tell(before, entry, session.view(SPECTATOR), asked)]


def line_text(line: Line) -> str:
    values: dict[str, Any] = {n: NAMES[v.seat] if isinstance(v, SeatName) else v for n, v in line.values.items()}
    return T(line.key, **({"who": NAMES[line.seat]} if line.seat >= 0 else {}), **values)


@pytest.mark.parametrize("options", [{}, HOUSE], ids=["book", "house"])
@pytest.mark.parametrize("seats", [3, 5, 8])
def test_every_line_is_complete_and_addresses_nobody(seats: int, options: Mapping[str, Any]) -> None:
    *_, session = played(seats, seed=40 + seats, options=options)
    again, lines = Session(BARS, seats, session.options), list[str]()
    for seat, answer in session.log:
        before, asked = again.view(SPECTATOR), again.question
        lines += entry_lines(again, seat, answer)
        assert BOARD.rest_after(before, (seat, asked.mask(seat, answer, SPECTATOR)), again.view(SPECTATOR)) > 0
    assert [line for line in lines if re.search(r"[{}]|bars\.|,000|\byou\b|\byour\b", line, re.IGNORECASE)] == []
    assert lines[-1].startswith(("The last night is over", T.number(sum(map(sum, session.table.notes)))))
    assert any("would keep" in line for line in lines)


def test_the_log_reveals_no_secret() -> None:
    """Picks, the dealer's look and sealed replies add no card, note or reply to the log."""
    for seed in range(3):
        *_, session = played(6, seed=seed, options=HOUSE)
        again = Session(BARS, 6, session.options)
        for seat, answer in session.log:
            lines = entry_lines(again, seat, answer)
            if answer[0] in ("pick", "deal") or (answer[0] in ("accept", "challenge") and again.table.said[seat] >= 0):
                assert lines == []
            if answer[0] == "look":
                assert lines == [f"{NAMES[again.table.dealer]} looks at one more note."]


# The ledger and the rules


def test_the_ledger_adds_up_and_every_sum_unfolds() -> None:
    *_, session = played(8, seed=8)
    shut = BOARD.result(context(session))
    cells = [n.attrs["data-arg"] for node in shut for n in all_nodes(node) if n.tag == "button"]
    assert len(cells) == 5 * 8
    foot = next(n for node in shut for n in all_nodes(node) if n.tag == "tfoot")
    assert [plain(cell) for cell in foot.kids[0].kids] == ["Money", *map(T.number, session.table.money)]
    for cell in cells:
        how, seat = cell.split("-")[1:]
        opened = " ".join(plain(node) for node in BOARD.result(context(session, unfolded=cell)))
        assert T(f"bars.rule.{how}") in opened
        for night, _, winner, by, notes in session.table.wins:
            if (winner, by) == (int(seat), how):
                assert f"Night {night}, " in opened
                assert T.number(notes[0]) in opened


def test_the_ledger_lies_over_the_table_which_is_inert() -> None:
    session = next(each for each in played(4, seed=1) if each.question.key == "bars.pick")
    shown = BOARD.felt(context(session, unfolded="books"))
    Mirror(shown)
    assert len([each for each in all_nodes(shown) if each.attrs.get("id") == "bars-books"]) == 1
    assert [each.attrs["class"] for each in all_nodes(shown) if "inert" in each.attrs] == ["board"]


def test_the_rules_name_the_house_rules_in_force() -> None:
    book = " ".join(plain(node) for node in BOARD.rules(T, Session(BARS, 4, {}).options))
    assert "this table’s own" not in book
    assert "They reply openly" in book
    house = " ".join(plain(node) for node in BOARD.rules(T, Session(BARS, 4, {**HOUSE, "notes": {"50": 9}}).options))
    assert house.count("this table’s own") == 6
    assert "86 notes in the box: 9 × 50" in house
    for words in ("reply secretly and all at once", "lies face down", "is not played", "only how many notes"):
        assert words in house


def test_every_card_and_note_has_its_name() -> None:
    named = {T(f"bars.card.{name}") for name in CARD_NAMES.values() if T.has(f"bars.card.{name}")}
    assert len(named) == 60
    assert T("bars.card.jungle-raid-4") == "Jungle, raid 4"
