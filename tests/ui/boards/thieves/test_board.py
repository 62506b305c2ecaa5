"""The thieves board without a browser: what it draws for every question and every viewer, its log lines, and its
texts."""

import re
from collections.abc import Mapping
from copy import copy
from random import Random
from typing import Any

import pytest

from engine.core import SPECTATOR
from engine.options import Choice
from engine.session import Session
from engine.thieves.box import CARDS, NAMES
from engine.thieves.rules import Gems
from tests.ui.boards.games import (
    T,
    all_nodes,
    answers_on,
    comparable,
    context,
    entries,
    first_of_each_question,
    legal_answers,
    picks_on,
    texts_in,
    texts_with,
    under_curtain,
    values_on,
)
from tests.ui.boards.thieves.games import BOARD, THIEVES, button_answers, played, random_rules, scripted
from tools.paths import ROOT
from ui.boards import Line, SeatName
from ui.boards.thieves.history import track_cards
from ui.html.diff import Mirror
from ui.html.tree import Node, plain

QUESTIONS = {
    "first", "deal", "draw", "play", "draw_two", "play_both", "alarm", "one_each", "thief", "look", "raid", "caught",
    "count", "gems",
}  # fmt: skip
UNTRANSLATED = re.compile(r"thieves\.|[{}]")


def drawings(session: Session) -> list[Node]:
    """Draws the board for the asked seat: as it is, and once for each toggle that can be pressed."""
    shown = BOARD.felt(context(session))
    return [shown, *(BOARD.felt(context(session, picked=what)) for what in picks_on(shown))]


def test_every_question_is_drawn_for_every_viewer() -> None:
    asked: set[str] = set()
    # together these four games ask every question, and one of them is a match
    for seed, seats in enumerate(THIEVES.SEATS, 7):
        rnd = Random(seed)
        mirrors: dict[int, Mirror] = {}
        for session in first_of_each_question(played(seats, seed, random_rules(rnd)), 15):
            asked.add(session.question.key.removeprefix("thieves."))
            for viewer in (SPECTATOR, rnd.randrange(seats)):
                shown = BOARD.felt(context(session, viewer))
                mirrors.setdefault(viewer, Mirror(shown)).diff(shown)
                assert texts_with(UNTRANSLATED, shown) == []
                assert values_on(shown, "data-home") == [""]
    assert asked == QUESTIONS | {"over"}


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", THIEVES.SEATS)
def test_every_answer_has_a_button_and_no_button_answers_anything_else(seats: int) -> None:
    rnd = Random(seats)
    for session in played(seats, 30 + seats, random_rules(rnd)):
        if session.question.seat < 0:
            continue
        shown = drawings(session)
        assert (
            set().union(*map(button_answers, shown)) == set().union(*map(answers_on, shown)) == legal_answers(session)
        )
        assert texts_with(UNTRANSLATED, *shown) == []


def test_a_seat_that_is_not_asked_has_no_controls_for_an_answer() -> None:
    for session in played(4, 5):
        seat = session.question.seat
        for ctx in (under_curtain(session), context(session, plays="b1"), context(session, (seat + 1) % 4)):
            shown = BOARD.felt(ctx)
            assert answers_on(shown) == set()
            assert picks_on(shown) == []


def test_tables_that_differ_in_what_is_hidden_are_drawn_alike() -> None:
    """Tables that differ only in what the viewer does not know are drawn alike, with the curtain and without it."""
    rnd = Random(9)
    for seed, seats in enumerate(THIEVES.SEATS):
        # one of these games is a match, which begins eight times
        for session in first_of_each_question(played(seats, seed, random_rules(rnd)), 25):
            if rnd.random() < 0.7:
                continue
            for viewer in (SPECTATOR, rnd.randrange(seats)):
                other = with_other_cards(session, viewer, rnd)
                assert other.view(viewer) == session.view(viewer)
                assert comparable(BOARD.felt(context(other, viewer))) == comparable(
                    BOARD.felt(context(session, viewer))
                )
                if viewer == SPECTATOR:
                    assert comparable(BOARD.felt(under_curtain(other))) == comparable(
                        BOARD.felt(under_curtain(session))
                    )


def with_other_cards(session: Session, viewer: int, rnd: Random) -> Session:
    """Returns the same game as far as that viewer knows, with other hidden cards."""
    other = copy(session)
    other.table = THIEVES.fill(session.view(viewer), rnd)
    return other


def test_the_tracked_cards_are_those_on_the_table() -> None:
    for seed, seats in enumerate(3 * list(THIEVES.SEATS)):
        for session in played(seats, seed, random_rules(Random(seed))):
            told = track_cards(session.masked_with_questions(SPECTATOR), seats, over=session.over)
            t = session.table
            if isinstance(session.question, Gems) or t.results:
                continue
            assert [len(cards) for cards in told.loot] == [len(cards) for cards in t.loot]
            assert [kind for _, kind in told.police] == t.police
            assert (len(told.removed), len(told.getaways)) == (len(t.gone), t.getaways)
            names = [name for cards in told.loot for name in cards] + [name for name, _ in told.police]
            assert len(names) == len(set(names))


# Single situations

DEALT = ("first 1", "hand money_1 money_2 ring", "hand money_3 one_car thief", "hand one_car two_cars alarm")


def after_deal(*entries: str, options: Mapping[str, Any] | None = None) -> Session:
    return scripted(3, *DEALT, *entries, options=options)


def test_dealt_cards_fly_from_the_deck_to_the_seat_that_was_dealt_them() -> None:
    """Regression: dealt hands appeared without a flight, and after the last deal the next seat's cards flew."""
    for dealt, seat in ((2, 0), (3, 1), (4, 2)):
        session = scripted(3, *DEALT[:dealt])
        shown = BOARD.felt(context(session, SPECTATOR))
        flying = {
            each.attrs["data-fly"][1]
            for each in all_nodes(shown)
            if each.attrs.get("data-from") == "deck" and re.fullmatch(r"h\d-\d", each.attrs["data-fly"])
        }
        assert flying == {str(seat)}


def test_loot_is_kept_or_given_and_the_seats_are_lit() -> None:
    session = after_deal("card horseshoe")
    place = session.table.hands[0].index(6)
    shown = BOARD.felt(context(session, picked=f"card={place}"))
    assert button_answers(shown) == {"lay ring", "give ring 2", "give ring 3"}
    lit = [each.attrs["data-answer"] for each in all_nodes(shown) if each.tag == "span" and "data-answer" in each.attrs]
    assert sorted(lit) == ["give ring 2", "give ring 3", "lay ring"]
    assert "Diamond ring, 3 in a raid, 1 at the end" in plain(shown)


def gaps_in_hand(session: Session) -> list[bool]:
    """Returns for each place in the hand of the first seat whether it is empty."""
    shown = all_nodes(BOARD.felt(context(session, 0)))
    hand = next(each for each in shown if str(each.attrs.get("class")).startswith("palm"))
    return [each.attrs.get("class") == "gap" for each in hand.kids]


def test_a_played_card_leaves_its_place_empty() -> None:
    """Regression test: the other cards closed the gap under the finger, and moved again for the next card."""
    assert gaps_in_hand(after_deal("card horseshoe")) == [False] * 4
    session = after_deal("card horseshoe", "lay money_2")
    assert gaps_in_hand(session) == [False, True, False, False]
    # cards that double loot brought were never in the hand
    assert (
        gaps_in_hand(
            after_deal("card double_loot", "double_loot", "card money_0", "card money_0", "lay money_0")
        ).index(True)
        == 3
    )


def test_police_laid_from_the_hand_between_the_cards_of_double_loot_leaves_the_gap() -> None:
    session = scripted(
        3,
        *("first 1", "hand money_1 ring one_car", "hand money_3 money_3 thief", "hand money_2 two_cars alarm"),
        *("card double_loot", "double_loot", "card money_0", "card alarm", "alarm"),
        *("police one_car", "none", "police two_cars", "lay money_0"),
        options={"alarm": "one_each"},
    )
    assert gaps_in_hand(session) == [False, False, True, True]


def test_police_says_whether_it_brings_the_raid() -> None:
    session = after_deal("card horseshoe", "lay money_2", "card two_cars", "police two_cars", "card two_cars")
    hand = session.table.hands[2]
    one, two = (plain(BOARD.felt(context(session, picked=f"card={hand.index(kind)}"))) for kind in (8, 9))
    assert "One police car: that makes 3 of 4." in one
    assert "Two police cars: that makes 4 of 4, and brings a raid." in two


def test_face_down_loot_is_a_back_to_those_who_did_not_lay_it() -> None:
    session = after_deal("card horseshoe", "lay money_2", "card money_0")
    backs = [
        sum("Money 2, face down" in text for text in texts_in(BOARD.felt(context(session, seat)))) for seat in (0, 1)
    ]
    assert [min(1, n) for n in backs] == [1, 0]


def test_by_memory_own_face_down_loot_is_not_shown_again() -> None:
    session = after_deal("card horseshoe", "lay money_2", "card money_0", options={"own_loot": "by_memory"})
    assert not any("Money 2, face down" in text for text in texts_in(BOARD.felt(context(session, 0))))


def test_by_memory_a_new_owner_sees_the_card_until_their_next_move() -> None:
    rules = {"own_loot": "by_memory"}
    session = after_deal(
        "card horseshoe", "lay money_2", "card money_0", "thief", "take 1 1 3", "look money_2", options=rules
    )

    def seen() -> bool:
        return any("Money 2, face down" in text for text in texts_in(BOARD.felt(context(session, 2))))

    assert seen()
    session.do(-1, ("card", 2))
    session.do(2, ("lay", 2))
    assert not seen()


def game_at_raid(options: Mapping[str, Any] | None = None) -> Session:
    """Returns a game at a raid: four cars are on the table, seat 0 has the ring, the others have no loot."""
    moves = ("card horseshoe", "lay ring", "card two_cars", "police two_cars", "card money_1", "police two_cars")
    return after_deal(*moves, options=options)


def test_a_raid_is_announced_shown_and_carried_out() -> None:
    session = game_at_raid()
    shown = BOARD.felt(context(session))
    assert "4 police cars: all loot is shown" in plain(shown)
    # two cards of two cars each are four cars
    assert sum(each.attrs.get("class") == "chit police" for each in all_nodes(shown)) == 4
    session.deal(lambda *_: ())
    shown = BOARD.felt(context(session, 1))
    assert "Theo is the richest and loses it all." in plain(shown)
    assert any(text == "Diamond ring" for text in texts_in(shown))
    session.deal(lambda *_: ())
    shown = BOARD.felt(context(session, 1))
    assert session.table.loot == [[], [], []]
    heap = next(each for each in all_nodes(shown) if each.attrs.get("data-spot") == "deck")
    # the ring and both police cards travel to the deck
    assert [each.attrs["data-fly"] for each in all_nodes(heap) if "data-fly" in each.attrs] == ["c5", "c7", "c9"]


def test_a_roadblock_names_the_police_it_can_stop() -> None:
    moves = ("card roadblock", "lay ring", "card two_cars", "police two_cars", "card one_car", "police one_car")
    session = after_deal(*moves, "card money_0")
    place = session.table.hands[0].index(11)
    shown = BOARD.felt(context(session, picked=f"card={place}"))
    assert button_answers(shown) == answers_on(shown) == {"roadblock one_car", "roadblock two_cars"}


def deeds(session: Session, picked: str = "") -> dict[str, str]:
    """Returns the buttons beside the question: their words, and the answer that each gives, "" for a disabled one."""
    shown = all_nodes(BOARD.felt(context(session, picked=picked)))
    row = next(each for each in shown if "data-count" in each.attrs)
    return {plain(each): each.attrs.get("data-answer", "") for each in all_nodes(row) if each.tag == "button"}


def test_a_person_may_take_nothing_with_a_thief_and_no_double_tap_does() -> None:
    """The button stands, disabled, beside the one that sends the thief, so that it does not come up in its place."""
    moves = ("card horseshoe", "lay ring", "card thief")
    session = after_deal(*moves)
    card = f"card={session.table.hands[1].index(12)}"
    assert deeds(session, card) == {"Send the thief": "thief", "Take nothing": ""}
    session.do(1, ("thief",))
    assert deeds(session) == {"Play": "", "Take nothing": "let_go"}
    assert deeds(session, "take=0.0") == {"To Vera": "take 1 1 2", "To Milo": "take 1 1 3", "Take nothing": "let_go"}
    assert "or take nothing" in plain(BOARD.felt(context(session)))
    for options in ({"thief": "must_take"}, None):
        bound = Session(THIEVES, 3, options, 2 if options else 1)
        bound.extend(after_deal(*moves).log)
        assert deeds(bound, card) == {"Send the thief": "thief"}
        bound.do(1, ("thief",))
        assert deeds(bound) == {"Play": ""}


# The log lines


def carried_out(session: Session, entry: tuple[int, Any]) -> tuple[Any, tuple[int, Any], Any, Any]:
    """Carries out an entry. Returns what a board is told of it: the views before and after, entry and question."""
    before, question = session.view(SPECTATOR), session.question
    masked = (entry[0], question.mask(*entry, SPECTATOR))
    session.do(*entry)
    return before, masked, session.view(SPECTATOR), question


def lines_of(session: Session, entry: tuple[int, Any]) -> list[Line]:
    return list(BOARD.tell(*carried_out(session, entry)))


def line_text(line: Line) -> str:
    names = dict(enumerate(("Theo", "Vera", "Milo", "Ines", "Bruno", "Ada")))
    values: dict[str, Any] = {k: names[v.seat] if isinstance(v, SeatName) else v for k, v in line.values.items()}
    if line.seat >= 0:
        values["who"] = names[line.seat]
    return T(line.key, **values)


def test_every_entry_but_drawing_and_dealing_has_a_line() -> None:
    silent, loud = set(), set()
    for seed, seats in enumerate(5 * list(THIEVES.SEATS)):
        session, rnd = Session(THIEVES, seats, random_rules(Random(seed))), Random(seed)
        while not session.over:
            seat = session.question.seat
            answers = session.question.answers(session.table, seat)
            entry = (seat, rnd.choice(answers))
            before, masked, after, question = carried_out(session, entry)
            lines = BOARD.tell(before, masked, after, question)
            assert BOARD.rest_after(before, masked, after) > 0
            (loud if lines else silent).add(entry[1][0])
            for line in lines:
                words = line_text(line)
                assert not UNTRANSLATED.search(words)
                assert not re.search(r"\byou", words, re.IGNORECASE)
    assert silent <= {"hand", "card"}
    assert loud == set(THIEVES.WORDS) - {"hand"}


def test_the_log_names_what_everybody_knows_and_nothing_else() -> None:
    session = after_deal("card horseshoe")
    assert [line_text(line) for line in lines_of(session, (0, ("lay", 6)))] == ["Theo lays loot face down"]
    session.do(-1, ("card", 2))
    assert [line_text(line) for line in lines_of(session, (1, ("thief",)))] == ["Vera sends a thief"]
    lines = lines_of(session, (1, ("take", 0, 0, 2)))
    assert [line_text(line) for line in lines] == ["Vera: the thief carries a face-down card from Theo to Milo"]


def test_the_lines_of_a_raid_name_the_loot_of_each_seat_and_the_losers() -> None:
    session = game_at_raid()
    shown = [line_text(line) for line in lines_of(session, (-1, ("raid", (6,), (), ())))]
    assert shown == ["Raid! All loot is shown", "Theo has 3 in the raid: 1 diamond ring"]
    assert [line_text(line) for line in lines_of(session, (-1, ("caught", 0)))] == [
        "Theo is caught and loses 1 diamond ring"
    ]


# The result and the rules


@pytest.mark.parametrize("match", ["one_game", "seven_gems"])
def test_the_result_adds_up_and_every_number_unfolds(match: str) -> None:
    *_, session = played(4, 8, {"match": match})
    shut = BOARD.result(context(session))
    rows = [row for node in shut for row in all_nodes(node) if row.tag == "tr"]
    assert [plain(cell) for cell in rows[-1].kids] == ["Total", *map(T.number, THIEVES.scores(session.table))]
    for cell in [n.attrs["data-arg"] for node in shut for n in all_nodes(node) if n.tag == "button"]:
        opened = BOARD.result(context(session, unfolded=cell))
        assert sum("why" in each.attrs.get("class", "") for node in opened for each in all_nodes(node)) == 1
        assert texts_with(UNTRANSLATED, *opened) == []


def test_the_rules_are_those_of_this_table() -> None:
    def words(options: dict[str, Any]) -> str:
        return " ".join(plain(node) for node in BOARD.rules(T, Session(THIEVES, 3, options).options))

    usual = words({})
    assert not UNTRANSLATED.search(usual)
    for option in THIEVES.OPTIONS:
        if isinstance(option, Choice):
            for choice in option.choices[1:]:
                own = words({option.name: choice})
                assert T(f"thieves.option.{option.name}.{choice}") in own
                assert own.replace(" (this table’s own)", "") != usual
    assert "53 cards: 2 diamond rings (this table’s own)" in words({"deck": {"ring": 2}})


# The texts


def test_every_refusal_is_explained() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "engine" / "thieves").glob("*.py"))
    keys = set(re.findall(r'key = "(thieves\.[a-z_.]+)"', sources))
    reasons = set(re.findall(r'"(thieves\.[a-z_.]+)"', sources)) - keys
    assert {f"refused.{reason}" for reason in reasons} == {
        key for key in entries("thieves") if key.startswith("refused.")
    }


def test_every_house_rule_and_every_card_has_a_name() -> None:
    for option in THIEVES.OPTIONS:
        assert T.has(f"thieves.option.{option.name}")
        if isinstance(option, Choice):
            assert [c for c in option.choices if not T.has(f"thieves.option.{option.name}.{c}")] == []
    assert [card.name for card in CARDS if not T.has(f"thieves.card.{card.name}")] == []
    assert set(NAMES.values()) == {card.name for card in CARDS}
