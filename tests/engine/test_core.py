"""The parts that all games use: dealers, options, notation, taking back."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from engine import GAMES, core, notation
from engine.core import HIDDEN, NATURE, SPECTATOR, Beat, Nonsense, Over, Refused, clockwise
from engine.dealers import Host, Scripted, Seeded
from engine.notation import List, Number, Rest, Seat, Word
from engine.options import changed_options, settle
from engine.records import Damaged
from engine.session import Session
from engine.values import Amount, SeatOf
from tests.engine.anything import played

RAZZIA = GAMES["razzia"]


def dealt(dealer: core.Dealer, seats: int = 3) -> Session:
    """Returns a game in which everybody only turns up cards and passes."""
    session = Session(RAZZIA, seats)
    while not session.over:
        if not session.deal(dealer):
            seat = session.question.seat
            session.do(seat, ("pass",) if session.question.key == "razzia.auction" else ("draw",))
    return session


# Dealers


def test_a_seed_deals_the_same_game() -> None:
    assert dealt(Seeded("abc")).log == dealt(Seeded("abc")).log
    assert dealt(Seeded("abc")).log != dealt(Seeded("abd")).log


def test_a_seed_continues_the_same_deal_after_a_reload() -> None:
    whole = dealt(Seeded("abc"))
    session = Session(RAZZIA, 3)
    session.extend(whole.log[:40])
    rest = dealt_on(session, Seeded("abc"))
    assert rest.log == whole.log


def dealt_on(session: Session, dealer: core.Dealer) -> Session:
    while not session.over:
        if not session.deal(dealer):
            session.do(session.question.seat, session.answers(session.question.seat)[-1 if _auction(session) else 0])
    return session


def _auction(session: Session) -> bool:
    return session.question.key == "razzia.auction"


def test_a_scripted_dealer_gives_the_listed_outcomes_and_refuses_others() -> None:
    session = Session(RAZZIA, 3)
    session.deal_all(Scripted([("hands", 2, 3, 4)]))
    assert session.log == [(NATURE, ("hands", 2, 3, 4))]
    session.do(0, ("draw",))
    with pytest.raises(Refused, match=r"dealer\.script_ended"):
        session.deal_all(Scripted([]))
    with pytest.raises(Refused, match="not_an_answer"):
        session.deal_all(Scripted([("card", HIDDEN)]))


def test_the_host_dealer_deals_whole_games() -> None:
    session = dealt(Host())
    assert isinstance(session.question, Over)
    assert session.chance_count() == sum(answer[0] in ("hands", "card") for _, answer in session.log)


# Sessions


def test_a_refused_answer_changes_nothing() -> None:
    session = Session(RAZZIA, 3)
    session.deal_all(Seeded(1))
    seat, table, log = session.question.seat, session.table.copy(), list(session.log)
    with pytest.raises(Refused):
        session.do(seat, ("offer", 3))
    assert (session.table, session.log) == (table, log)
    assert str(Refused("razzia.auction.not_higher", value=3, best=7)) == "razzia.auction.not_higher (value=3, best=7)"


def test_a_step_changes_nothing_until_it_is_applied_and_then_equals_the_answer() -> None:
    session, other = Session(RAZZIA, 3), Session(RAZZIA, 3)
    for entry in dealt(Seeded(1)).log:
        before = session.table.copy(), session.question, list(session.log)
        step = session.prepare(*entry)
        assert (session.table, session.question, session.log) == before
        session.apply(step)
        other.do(*entry)
        assert (session.table, session.question) == (other.table, other.question)
    assert (session.log, session.asked) == (other.log, other.asked)


def test_an_illegal_or_outdated_step_is_refused() -> None:
    session = Session(RAZZIA, 3)
    session.deal_all(Seeded(1))
    seat = session.question.seat
    with pytest.raises(Refused):
        session.prepare(seat, ("offer", 3))
    step = session.prepare(seat, ("draw",))
    session.do(seat, ("call",))
    with pytest.raises(ValueError, match="follows entry"):
        session.apply(step)


def test_the_masked_log_follows_extensions_and_rewinds_of_the_log() -> None:
    """Every entry is masked once; what was taken back is masked again when it comes again."""
    session = played("thieves", 3, 1)
    whole, viewers = list(session.log), (0, 1, SPECTATOR)
    session.rewind(0)
    for length in (7, 20, 12, 30, 30):
        if length < len(session.log):
            session.rewind(length)
        session.extend(whole[len(session.log) : length])
        for viewer in viewers:
            fresh = Session(session.game, session.seats, session.options)
            fresh.extend(session.log)
            assert session.masked(viewer) == fresh.masked(viewer)
            assert session.masked(viewer, 5) == fresh.masked(viewer)[5:]
            questions = [entry.question for entry in session.masked_with_questions(viewer)]
            assert questions == session.asked == fresh.asked
    given = session.masked(0)
    given.clear()
    assert len(session.masked(0)) == 30, "the caller's list is the caller's own"


def test_an_answer_can_be_taken_back_until_a_card_is_revealed() -> None:
    session = Session(RAZZIA, 3)
    session.deal_all(Seeded(1))
    seat = session.question.seat
    session.do(seat, ("draw",))
    assert session.can_undo(seat)
    session.undo(seat)
    session.do(seat, ("draw",))
    session.deal(Seeded(1))
    assert not session.can_undo(seat)


def test_an_answer_can_be_taken_back_until_another_seat_answers() -> None:
    session = Session(RAZZIA, 3)
    session.deal_all(Seeded(1))
    caller = session.question.seat
    session.do(caller, ("call",))
    left = session.question.seat
    assert session.can_undo(caller)
    assert not session.can_undo(left)
    session.do(left, ("pass",))
    assert not session.can_undo(caller)
    session.undo(left)
    session.undo(caller)
    assert session.question.key == "razzia.turn"


def test_an_answer_is_taken_back_together_with_the_beats_after_it() -> None:
    """The last cheque of a round is offered, and its first category counted: nothing was revealed yet."""
    session = next(
        game
        for game in (played("razzia", 2, seed) for seed in range(99))
        if (first := next(i for i, asked in enumerate(game.asked) if asked.key == "razzia.score"))
        and game.log[first - 1][1][0] == "offer"
    )
    session.rewind(first + 2)
    seat = session.log[first - 1][0]
    assert session.can_undo(seat)
    session.undo(seat)
    assert len(session.log) == first - 1
    assert session.question.key == "razzia.auction"


def test_clockwise_order_begins_to_the_left() -> None:
    assert clockwise(2, 4) == [3, 0, 1, 2]


# Options


def test_settled_options_are_complete_and_only_changed_ones_are_listed() -> None:
    settled = settle(RAZZIA, 4, {"tie": "highest_cheque", "deck": {"ring": 5, "watch": 4}})
    assert settled["piles"] == "two"
    assert changed_options(RAZZIA, settled) == {"tie": "highest_cheque", "deck": {"ring": 5}}
    assert changed_options(RAZZIA, settle(RAZZIA, 4, {})) == {}


@pytest.mark.parametrize(
    ("seats", "given", "expected"),
    [
        (1, {}, "option.seats"),
        (6, {}, "option.seats"),
        ("4", {}, "option.seats"),
        (4, {"colour": "red"}, "option.unknown"),
        (4, {"tie": "dice"}, "option.choice"),
        (4, {"tie": ["shared"]}, "option.choice"),
        (4, {"deck": None}, "option.deck"),
    ],
)
def test_options_that_do_not_exist_are_refused(seats: Any, given: dict[str, Any], expected: str) -> None:
    with pytest.raises(Refused) as caught:
        settle(RAZZIA, seats, given)
    assert caught.value.reason == expected


@pytest.mark.parametrize("text", ["ring", "ring:", "ring:x", "ring:-1", "ring:9999", "ring:٣"])
def test_a_deck_on_the_command_line_needs_counts(text: str) -> None:
    deck = next(option for option in RAZZIA.OPTIONS if option.name == "deck")
    with pytest.raises(Refused, match=r"option\.deck_count"):
        deck.parse(text)


def test_a_deck_that_names_a_card_twice_is_refused() -> None:
    deck = next(option for option in RAZZIA.OPTIONS if option.name == "deck")
    with pytest.raises(Refused) as caught:
        deck.parse("ring:5,police:18,ring:3")
    assert (caught.value.reason, caught.value.values) == ("option.deck_twice", {"option": "deck", "card": "ring"})


# Notation

WORDS: notation.Words = {
    "pass": (),
    "bid": (Number(1, 9),),
    "slots": (Rest(Number(0, 6, base=1), most=3),),
    "give": (Seat(3),),
    "caught": (Rest(Seat(3)),),
    "pairs": (List(Seat(3)),),
    "show": (Word({1: "ring", -1: "red"}), Rest(List(Number(0, 99)), most=2)),
}


@pytest.mark.parametrize(
    ("answer", "row", "text"),
    [
        (("pass",), ["pass"], "pass"),
        (("bid", 7), ["bid", 7], "bid 7"),
        (("slots", 0, 2), ["slots", 1, 3], "slots 1 3"),
        (("slots",), ["slots"], "slots"),
        (("give", 0), ["give", 0], "give 1"),
        (("caught", 2, 0), ["caught", 2, 0], "caught 3 1"),
        (("pairs", (1, 2)), ["pairs", [1, 2]], "pairs 2+3"),
        (("show", 1), ["show", "ring"], "show ring"),
        (("show", -1, (5, 10), ()), ["show", "red", [5, 10], []], "show red 5+10 -"),
        (("show", HIDDEN), ["show", "?"], "show ?"),
    ],
)
def test_answers_are_written_and_read_back_unchanged(answer: core.Answer, row: list[Any], text: str) -> None:
    assert notation.write(WORDS, answer) == row
    assert notation.read(WORDS, row) == answer
    assert notation.text(WORDS, answer) == text
    assert notation.parse(WORDS, text) == answer


@pytest.mark.parametrize(
    ("answer", "row"),
    [
        (("slots", 0, 2), ["slots", 1, 3]),
        (("give", 0), ["give", 1]),
        (("caught", 2, 0), ["caught", 3, 1]),
        (("pairs", (1, 2)), ["pairs", [2, 3]]),
    ],
)
def test_rows_of_version_0_1_0_count_seats_from_1(answer: core.Answer, row: list[Any]) -> None:
    words = notation.with_seats_from_1(WORDS)
    assert notation.write(words, answer) == row
    assert notation.read(words, row) == answer
    assert notation.text(words, answer) == notation.text(WORDS, answer)


@pytest.mark.parametrize(
    ("row", "line", "bounds"), [(["give", 3], "give 4", (0, 2, 1, 3)), (["give", -1], "give 0", (0, 2, 1, 3))]
)
def test_a_refused_seat_names_the_bounds_as_they_are_written(
    row: list[Any], line: str, bounds: tuple[int, ...]
) -> None:
    with pytest.raises(Refused) as in_row:
        notation.read(WORDS, row)
    with pytest.raises(Refused) as in_text:
        notation.parse(WORDS, line)
    found = (in_row.value.values[name] for name in ("least", "most"))
    assert (*found, *(in_text.value.values[name] for name in ("least", "most"))) == bounds


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (None, "notation.row"),
        ([], "notation.row"),
        ("bid 7", "notation.row"),
        ([["bid"], 7], "notation.verb"),
        (["bid"], "notation.arguments"),
        (["bid", 1, 2], "notation.arguments"),
        (["slots", 1, 2, 3, 4], "notation.arguments"),
        (["bid", 10], "notation.number"),
        (["bid", True], "notation.number"),
        (["bid", 7.0], "notation.number"),
        (["slots", 0], "notation.number"),
        (["show", 1], "notation.word"),
        (["show", "ring", [100]], "notation.number"),
        (["show", "ring", (5,)], "notation.list"),
        (["show", "ring", list(range(99)) * 2], "notation.list"),
    ],
)
def test_rows_that_are_no_answers_are_refused(row: Any, expected: str) -> None:
    with pytest.raises(Refused) as caught:
        notation.read(WORDS, row)
    assert caught.value.reason == expected


@pytest.mark.parametrize("line", ["", "bid", "bid x", "bid 1e3", "bid ٣", "bid 9999999", "bid --1", "x" * 2000])
def test_texts_that_are_no_answers_are_refused(line: str) -> None:
    with pytest.raises(Refused, match="notation"):
        notation.parse(WORDS, line)


# Tables


@dataclass(slots=True)
class Small(core.Table):
    number: int
    pair: tuple[int, int]
    cards: list[int] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)


def test_a_copy_shares_no_list() -> None:
    table = Small(1, (2, 3), [4], [[5], [6]])
    copy = table.copy()
    copy.cards.append(7)
    copy.hands[0].append(8)
    copy.hands.append([])
    assert table == Small(1, (2, 3), [4], [[5], [6]])


class Group(NamedTuple):
    cards: list[int]
    seats: list[int]


@dataclass(slots=True)
class Grouped(core.Table):
    number: int
    group: Group


def test_a_copy_shares_no_list_of_a_group() -> None:
    table = Grouped(1, Group([2], [3]))
    copy = table.copy()
    copy.group.cards.append(4)
    assert table == Grouped(1, Group([2], [3]))
    assert copy == Grouped(1, Group([2, 4], [3]))
    assert isinstance(copy.group, Group)


def test_a_table_declares_values_before_lists() -> None:
    @dataclass(slots=True)
    class Muddled(core.Table):
        cards: list[int]
        number: int

    with pytest.raises(TypeError, match=r"Muddled\.number"):
        Muddled([], 1).copy()


def test_a_beat_has_one_outcome() -> None:
    class Count(Beat[Any]):
        __slots__ = ()

        def outcome(self, t: Any) -> core.Answer:
            return ("count", t.number)

    table = SimpleNamespace(number=3)
    assert Count().answers(table, NATURE) == [Count().sample(table, Random(1))] == [("count", 3)]


REFUSAL = Refused("razzia.auction.not_higher", value=Amount(3), best=Amount(7), seat=SeatOf(2))


@pytest.mark.parametrize(
    "raised",
    [REFUSAL, Refused("game_over"), Damaged(4, REFUSAL), Nonsense("too_long")],
    ids=repr,
)
def test_a_refusal_can_be_pickled_and_copied(raised: Exception) -> None:
    """Regression test: a bot that answered illegally in a process of the arena ended the pool with a TypeError."""
    for twin in (pickle.loads(pickle.dumps(raised)), copy.copy(raised), copy.deepcopy(raised)):
        assert type(twin) is type(raised)
        assert (twin.args, twin.__dict__, str(twin)) == (raised.args, raised.__dict__, str(raised))
