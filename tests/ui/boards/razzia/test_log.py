"""The board of razzia without a browser: the worth of cards, and the log lines of every entry."""

import re
from random import Random
from typing import Any

import pytest

from engine.core import NATURE, SPECTATOR, Entry
from engine.dealers import Seeded
from engine.razzia.box import BODYGUARD, CAR, CASINO, COIN, FILM, LOOT, NECKLACE, POLICE, RING, THIEF
from engine.razzia.rules import SCORERS, Auction, Cards, Score
from engine.session import Session
from tests.ui.boards.games import NAMES, T
from tests.ui.boards.razzia.games import BOARD, RAZZIA, family, played, scripted
from ui.boards import Line
from ui.boards.razzia.cards import FAMILY_ORDER, count_by_kind
from ui.boards.razzia.history import auction_state, follow_cards
from ui.boards.razzia.log_lines import READING_TIME
from ui.boards.razzia.valuation import Worth, gains, group_points, score_if_ended, worth

# The worth of cards


def test_every_kind_of_loot_has_its_place_in_a_family() -> None:
    assert sorted(FAMILY_ORDER) == list(LOOT)


def test_the_row_is_worth_points_now_and_points_at_the_end() -> None:
    families = (family(driver=1, ring=1, watch=1, bodyguard=1), family(bodyguard=2), family(car=3))
    row = (CAR, NECKLACE, COIN, CASINO, FILM, 0, 0)
    # a car, a third jewel, a coin; two businesses
    assert worth(families, 0, row) == Worth(now=1 + 5 + 3, end=2)
    # cars count only with a driver; the first jewel avoids a loss of 5
    assert worth(families, 2, row) == Worth(now=0 + 5 + 3, end=2)


def test_bodyguards_in_the_row_are_weighed_against_the_others() -> None:
    families = (family(bodyguard=4), family(bodyguard=4), family(bodyguard=2), family(bodyguard=1))
    assert [gains(families, seat, [BODYGUARD] * 2)["bodyguards"] for seat in range(4)] == [0, 0, 5, 2]


def test_the_worth_of_the_row_is_the_difference_it_makes_to_the_score() -> None:
    rnd = Random(5)
    for _ in range(200):
        families = [count_by_kind(rnd.choices(LOOT, k=rnd.randrange(12))) for _ in range(4)]
        row, seat = rnd.choices(LOOT, k=rnd.randrange(1, 8)), rnd.randrange(4)
        after = [count_by_kind([*elements(f), *(row if s == seat else ())]) for s, f in enumerate(families)]
        found = gains(families, seat, row)
        assert found == {name: SCORERS[name](after)[seat] - SCORERS[name](families)[seat] for name in found}


def elements(cards: Cards) -> list[int]:
    return [kind for kind, count in enumerate(cards) for _ in range(count)]


def test_a_set_says_what_it_is_worth_and_what_the_best_next_card_adds() -> None:
    families = (family(ring=1, watch=1, car=3, thief=1, casino=2, film=1), family(bodyguard=1))
    found = {each.group: (each.points, each.gain) for each in group_points(families, 0)}
    assert found == {
        "jewels": (0, 5),  # a third kind
        "coins": (0, 3),
        "bodyguards": (-2, 2),  # a tie with the other: nobody gets anything
        "thieves": (2, 2),
        "businesses": (2, 5),  # a third casino
        "cars": (0, 4),  # with a driver, the three cars count too
    }


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_the_score_if_the_round_ended_now_is_what_is_counted_then(seats: int) -> None:
    rounds = 0
    for session in played(seats, seed=11):
        if session.question == Score(1):
            foretold = score_if_ended(session.table, with_cheques=True)
            counted = Session(RAZZIA, seats, {})
            counted.extend(session.log)
            while isinstance(counted.question, Score):
                counted.deal(Seeded(11))
            assert counted.table.scored[-len(foretold) :] == foretold
            rounds += 1
    assert rounds == 3


# Facts that only the log contains


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_every_card_of_the_row_is_known_by_the_entry_that_turned_it_up(seats: int) -> None:
    for session in played(seats, seed=3):
        story = follow_cards(session.masked_with_questions(SPECTATOR), session.question)
        turned = [session.log[number][1][1] if number >= 0 else 0 for number in story.row]
        assert turned == session.table.row
        assert [session.log[number][1] for number in story.police] == [("card", POLICE)] * session.table.police


def test_the_winner_of_an_auction_takes_the_cards_of_the_row() -> None:
    session = scripted(4, "draw", "card thief", "draw", "card ring", "call", "pass", "pass", "pass", "offer 11")
    story = follow_cards(session.masked_with_questions(SPECTATOR), session.question)
    assert (story.taker, sorted(story.taken.values())) == (2, [RING, THIEF])


def test_no_seat_takes_cards_after_a_raid() -> None:
    session = scripted(2, "draw", "card ring", *["draw", "card police", "pass", "pass"] * 4, "draw", "card police")
    assert isinstance(session.question, Score)
    assert follow_cards(session.masked_with_questions(SPECTATOR), session.question).taker == NATURE


def test_the_auction_state_has_the_part_of_each_seat() -> None:
    # A {2,6,13}, B {3,7,12}, C {4,8,11}, D {5,9,10}; A starts
    session = scripted(4, "draw", "card police", "offer 12")
    assert isinstance(session.question, Auction)
    assert session.question.seat == 0
    found = auction_state(session.question, session.table, session.masked_with_questions(SPECTATOR))
    assert (found.offers, found.passed, found.cannot_raise, found.waiting) == (
        {1: 12},
        frozenset(),
        frozenset({2, 3}),
        (),
    )


def test_a_seat_that_cannot_offer_is_not_waited_for() -> None:
    session = scripted(4, "draw", "card police", "pass", "offer 11")
    assert isinstance(session.question, Auction)
    found = auction_state(session.question, session.table, session.masked_with_questions(SPECTATOR))
    assert (found.passed, found.cannot_raise, found.waiting) == (frozenset({1}), frozenset({3}), ())


# The lines of the log


def all_lines(session: Session, seed: int = 0) -> list[str]:
    """Returns all lines of a game, as the log shows them."""
    again = Session(RAZZIA, session.seats, session.options)
    return [line for entry in session.log for line in entry_lines(again, entry)]


def entry_lines(session: Session, entry: Entry) -> list[str]:
    before, asked = session.view(SPECTATOR), session.question
    session.do(*entry)
    return [line_text(line) for line in BOARD.tell(before, entry, session.view(SPECTATOR), asked)]


def line_text(line: Line) -> str:
    values: dict[str, Any] = {"who": NAMES[line.seat]} if line.seat >= 0 else {}
    return T(line.key, **{**values, **line.values})


def test_the_lines_of_an_auction_with_a_winner() -> None:
    session = scripted(4, "draw", "card ring", "draw", "card police", "pass", "offer 5", "offer 6", "pass")
    assert all_lines(session) == [
        "Theo gets the cheques 2,000, 6,000, 13,000",
        "Vera gets the cheques 3,000, 7,000, 12,000",
        "Milo gets the cheques 4,000, 8,000, 11,000",
        "Ines gets the cheques 5,000, 9,000, 10,000",
        "Theo has the highest cheque and begins",
        "Theo turns up a ring",
        "Vera turns up police, 1 of 7",
        "Milo passes",
        "Ines offers 5,000",
        "Theo offers 6,000",
        "Vera passes",
        "Theo wins with 6,000 and takes 1 card: 1 ring",
    ]


def test_the_lines_of_thieves_calls_swaps_and_an_auction_without_offers() -> None:
    # the hands: 2 5 6 9 and 3 4 7 8
    entries = ["draw", "card thief", "call", "offer 5", "pass"]
    entries += ["draw", "card car", "draw", "card watch", "thieves 1", "call", "pass", "offer 3"]
    entries += ["call", "pass", "offer 2", "draw", "card police", "pass", "pass"]
    assert all_lines(scripted(2, *entries))[4:] == [
        "Vera calls an auction",
        "Theo offers 5,000",
        "Vera passes",
        "Theo wins with 5,000 and takes 1 card: 1 thief",
        "Theo turns up a car",
        "Vera turns up a watch",
        "Theo uses a thief and takes the car",
        "Vera calls an auction",
        "Theo passes",
        "Vera offers 3,000",
        "Vera wins with 3,000 and takes 1 card: 1 watch",
        "Theo calls an auction over an empty row",
        "Vera passes",
        "Theo offers 2,000",
        "Theo swaps the 2,000 for the 3,000 in the centre",
        "Vera turns up police, 1 of 5",
        "Theo passes",
        "Vera passes",
        "Nobody makes an offer: the loot stays",
    ]


def test_the_line_of_a_raid_is_important_and_followed_by_a_long_rest() -> None:
    session = scripted(2, *["draw", "card police", "pass", "pass"] * 4, "draw")
    before, entry = session.view(SPECTATOR), (NATURE, ("card", POLICE))
    asked = session.question
    session.do(*entry)
    (line,) = BOARD.tell(before, entry, session.view(SPECTATOR), asked)
    assert (line.important, line_text(line)) == (True, "Raid! Theo turns up police card 5")
    assert BOARD.rest_after(before, entry, session.view(SPECTATOR)) > 2000


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_every_line_is_complete_and_addresses_nobody(seats: int) -> None:
    *_, session = played(seats, seed=seats)
    lines = all_lines(session)
    assert [line for line in lines if re.search(r"[{}]|razzia\.|\byou\b|\byour\b", line, re.IGNORECASE)] == []
    verbs = {answer[0] for _, answer in session.log}
    assert verbs >= {"hands", "draw", "card", "call", "offer", "pass", "score", "clear"}


def test_the_table_rests_long_after_the_last_category_of_a_round() -> None:
    *_, session = played(3, seed=1)
    again, rests = Session(RAZZIA, 3, {}), list[int]()
    for entry in session.log:
        before = again.view(SPECTATOR)
        again.do(*entry)
        rests.append(BOARD.rest_after(before, entry, again.view(SPECTATOR)))
    assert rests.count(READING_TIME) == 2
    assert all(rest > 0 for rest in rests)
