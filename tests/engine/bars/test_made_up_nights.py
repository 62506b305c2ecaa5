"""Made-up nights and ends of bars, counted a second time from what was played, said and thrown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from engine.bars import box
from engine.bars.settle import Duel, Propose, Replies, Reply, SecretReply, seats_by_bar, settle_bars
from engine.bars.table import Table, ledger, winners
from engine.core import NATURE, Answer, Over, Question
from tests.engine.bars.positions import BARS, start

NIGHTS = 400  # for each number of players

BAR_NAMES = ("colibri", "cotton_club", "havanna", "jungle", "lincoln", "jazz_house")


@dataclass(frozen=True)
class Played:
    """A card, read from its name: `jungle-raid-4`, `jungle-3b`."""

    bar: str
    raid: bool
    number: int

    @classmethod
    def read(cls, name: str) -> Played:
        bar, *words = name.split("-")
        return cls(bar, "raid" in words, int(words[-1].rstrip("bcdefghi")))


def made_up_night(seats: int, rnd: Random) -> Table:
    """Returns a night in which all cards were shown. Often they meet in few bars, and there are equal numbers."""
    deck = {card.name: rnd.choice((1, 2, 3)) for card in box.CARDS if rnd.random() < 0.3}
    options: dict[str, Any] = {"replies": rnd.choice(("open", "secret"))}
    t, _ = start(seats, **options, cards=deck if rnd.random() < 0.5 else {})
    t.dealer, t.night = rnd.randrange(seats), rnd.randint(1, 12)
    t.money = [rnd.choice((0, 100, rnd.randint(0, 80) * 5)) for _ in range(seats)]
    bars = rnd.sample(range(1, t.bars + 1), rnd.randint(1, t.bars))
    cards = [card for card in t.left if box.BAR[card] in bars]
    cards = cards if len(cards) >= seats else t.left
    t.shown = rnd.sample(cards, seats)
    for bar in range(1, t.bars + 1):
        t.notes[bar] = tuple(rnd.choice(box.NOTE_VALUES) for _ in range(rnd.choice((0, 1, 1, 2, 3, 5))))
    return t


def settle_all(t: Table, rnd: Random) -> list[tuple[Question[Table], int, Answer]]:
    """Settles all bars with random answers. Returns every answer with its question and its seat."""
    question: Question[Table] = settle_bars(t, seats_by_bar(t), Over())
    said = []
    while not isinstance(question, Over):
        seat = rnd.choice(question.seats())
        answer = rnd.choice(question.answers(t, seat))
        question.check(t, seat, answer)
        said.append((question, seat, answer))
        question = question.answer(t, seat, answer)
    return said


class Recount:
    """The same night, counted from the cards as they are named, and from what was said in each bar."""

    def __init__(self, t: Table, said: list[tuple[Question[Table], int, Answer]]) -> None:
        self.seats, self.dealer = t.seats, t.dealer
        self.cards = [Played.read(box.CARD_NAMES[card]) for card in t.shown]
        self.proposals = {seat: answer[1:] for question, seat, answer in said if isinstance(question, Propose)}
        self.replies = {
            seat: answer for question, seat, answer in said if isinstance(question, Reply | SecretReply)
        }  # each seat is in one bar, so it replies once at most
        self.dice = [
            ({question.high: answer[1], question.low: answer[2]}, question.bar)
            for question, _, answer in said
            if isinstance(question, Duel)
        ]

    def lower(self, one: int, two: int) -> int:
        """Returns the seat with the lower card: of equal numbers the one farther from the dealer, clockwise."""
        if self.cards[one].number != self.cards[two].number:
            return one if self.cards[one].number < self.cards[two].number else two
        far = [(seat + self.seats - self.dealer) % self.seats for seat in (one, two)]
        return one if far[0] > far[1] else two

    def highest(self, seats: list[int]) -> int:
        best = seats[0]
        for seat in seats[1:]:
            best = seat if self.lower(best, seat) == best else best
        return best

    def lowest(self, seats: list[int]) -> int:
        worst = seats[0]
        for seat in seats[1:]:
            worst = self.lower(worst, seat)
        return worst

    def bar(self, name: str, notes: list[int]) -> dict[int, list[int]]:
        """Returns the notes that each seat wins in a bar."""
        here = [seat for seat, card in enumerate(self.cards) if card.bar == name]
        raids = [seat for seat in here if self.cards[seat].raid]
        gamblers = [seat for seat in here if not self.cards[seat].raid]
        claiming = raids if raids and gamblers else gamblers
        if not notes or not claiming:
            return {}
        if len(claiming) == 1:
            return {claiming[0]: notes}
        proposer = self.highest(claiming)
        others = [(proposer + step) % self.seats for step in range(1, self.seats)]
        others = [seat for seat in others if seat in claiming]
        won: dict[int, list[int]] = {}
        rest = Counter(notes)
        fighting = [proposer]
        for seat, offer in zip(others, self.proposals[proposer], strict=True):
            if self.replies[seat] == ("accept",):
                won[seat] = list(offer)
                rest.subtract(offer)
            else:
                fighting.append(seat)
        if min(rest.values()) < 0:
            raise AssertionError("more was offered than lies there")
        pot = list(rest.elements())
        if pot:
            won[self.duel(BAR_NAMES.index(name) + 1, fighting) if len(fighting) > 1 else proposer] = pot
        return won

    def duel(self, bar: int, fighting: list[int]) -> int:
        """Returns the winner of the duels: the highest card meets the lowest, the winner the highest of the rest."""
        one, other = self.highest(fighting), self.lowest(fighting)
        waiting = [seat for seat in fighting if seat not in (one, other)]
        throws = [dice for dice, at in self.dice if at == bar]
        while True:
            dice = throws.pop(0)
            lower = self.lower(one, other)
            sums = {seat: self.cards[seat].number + dice[seat] for seat in (one, other)}
            winner = max((one, other), key=lambda seat: (sums[seat], seat == lower))
            if not waiting:
                assert not throws
                return winner
            one, other = winner, self.highest(waiting)
            waiting.remove(other)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", BARS.SEATS)
def test_made_up_nights_are_counted_alike_in_two_ways(seats: int) -> None:
    rnd = Random(f"nights of {seats}")
    ways: Counter[str] = Counter()
    ties = 0
    for _ in range(NIGHTS):
        t = made_up_night(seats, rnd)
        money, lying = list(t.money), [sorted(notes) for notes in t.notes]
        said = settle_all(t, rnd)
        recount = Recount(t, said)
        for bar, name in enumerate(BAR_NAMES[: t.bars], 1):
            left = Counter(lying[bar])
            for seat, notes in recount.bar(name, lying[bar]).items():
                money[seat] += sum(notes)
                left.subtract(notes)
            assert sorted(t.notes[bar]) == sorted(left.elements())
        assert t.money == money == BARS.scores(t)
        assert winners(t) == [seat for seat in range(seats) if money[seat] == sorted(money)[-1]]
        assert sum(line.points for line in ledger(t)) + sum(map(sum, t.notes)) == sum(map(sum, lying))
        ways.update(line.category for line in ledger(t))
        ways["secret"] += any(isinstance(question, Replies) and seat == NATURE for question, seat, _ in said)
        cards = recount.cards
        ties += any(
            cards[question.high].number == cards[question.low].number
            for question, _, _ in said
            if isinstance(question, Duel)
        )
    assert min(ways[way] for way in ("alone", "raid", "share", "proposal", "duel")) > 3, ways
    assert seats == 3 or min(ways["secret"], ties) > 0
