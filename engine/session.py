"""A running game: its log, and everything that follows from it (taking back, views, masked logs, fingerprints)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from engine import notation
from engine.core import NATURE, SPECTATOR, Answer, Beat, Chance, Dealer, Entry, Game, Over, Question, Refused
from engine.options import changed_options, rules_of, settle
from engine.values import SeatOf


class Step(NamedTuple):
    """An answer that was checked and carried out on a copy of a session's table: see `Session.prepare`."""

    entry: Entry
    number: int  # the number of entries before it
    table: Any  # the table after the answer
    question: Question[Any]  # the question that follows


class Answered(NamedTuple):
    """An entry of the log, with the question that it answered."""

    seat: int
    answer: Answer
    question: Question[Any]


class Session:
    """One game from its first question on. `do` checks every answer. Only the log is ever stored or sent.

    `version` and `options` are those of the rules the game began under (see `is_playable`); without a version, of the
    present ones. What is stored, sent and hashed keeps them: `version` and `written_options`. `options` are all options
    of the present rules that the game is played by.

    Rows of answers count seats from `first_seat`: a game is written to its end in the form in which it was begun.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, Any] | None = None,
        version: int | None = None,
        *,
        first_seat: notation.FirstSeat = 0,
    ) -> None:
        self.game = game
        self.seats = seats
        self.version = game.VERSION if version is None else version
        settled = settle(game, seats, options or {}, self.version)
        self.written_options = changed_options(game, settled, self.version)
        self.options = rules_of(game, self.version).convert(settled)
        self.first_seat = first_seat
        self._words = notation.with_seats_from_1(game.WORDS) if first_seat else game.WORDS
        self.log: list[Entry] = []
        self.asked: list[Question[Any]] = []  # the question each entry answered
        self._masked: dict[int, list[Answered]] = {}  # by viewer: the masked log, as far as somebody has asked for it
        self.table: Any
        self.question: Question[Any]
        self.table, self.question = game.new(seats, self.options)

    @property
    def over(self) -> bool:
        return isinstance(self.question, Over)

    def answers(self, seat: int) -> list[Answer]:
        """Returns the answers that `seat` may give now: none if it is not asked."""
        return self.question.answers(self.table, seat) if seat in self.question.seats() else []

    def do(self, seat: int, answer: Answer) -> None:
        """Carries out an answer of `seat` (or NATURE). Raises `Refused` and changes nothing if it is not legal."""
        self.question.check(self.table, seat, answer)
        self.carry_out(seat, answer)

    def carry_out(self, seat: int, answer: Answer) -> None:
        """Carries out an answer without a check. It must be legal: an element of `answers`, or from `sample`."""
        question = self.question
        self.question = question.answer(self.table, seat, answer)
        self.log.append((seat, answer))
        self.asked.append(question)

    def prepare(self, seat: int, answer: Answer) -> Step:
        """Returns the step to the position after an answer, and changes nothing. Raises `Refused` if it is not legal.

        `apply` takes the step later, for example when the answer was stored.
        """
        self.question.check(self.table, seat, answer)
        table = self.table.copy()
        return Step((seat, answer), len(self.log), table, self.question.answer(table, seat, answer))

    def apply(self, step: Step) -> None:
        """Takes a step that `prepare` returned. Raises `ValueError` if it does not begin at the present position."""
        if step.number != len(self.log):
            raise ValueError(f"the step follows entry {step.number}, not entry {len(self.log)}")
        self.log.append(step.entry)
        self.asked.append(self.question)
        self.table, self.question = step.table, step.question

    def hides(self, step: Step) -> bool:
        """Returns True if the entry of a step from the present position does not name every card that it decides.

        The table must have no holes so far. Then an entry hides something if it is the masked form of another answer,
        if it is not the one outcome of a beat, or if it leaves a hole on the table. This follows from what every game
        has anyway: `answers`, `mask` and `whole`.
        """
        seat, answer = step.entry
        question = self.question
        listed = question.answers(self.table, seat)
        if answer not in listed:
            viewers = (*range(self.seats), SPECTATOR)
            if isinstance(question, Beat) or any(
                question.mask(seat, other, viewer) == answer for other in listed for viewer in viewers
            ):
                return True
        return not self.game.whole(step.table)

    def deal(self, dealer: Dealer) -> bool:
        """Lets NATURE answer once. Returns False if it is not asked. A beat needs no dealer for its outcome."""
        question = self.question
        if not isinstance(question, Chance):
            return False
        if isinstance(question, Beat):
            outcome = question.outcome(self.table)
        else:
            outcome = dealer(question, self.table, self.chance_count())
        self.do(NATURE, outcome)
        return True

    def deal_all(self, dealer: Dealer) -> None:
        """Lets NATURE answer until a seat is asked or the game is over."""
        while self.deal(dealer):
            pass

    def chance_count(self) -> int:
        """Returns the number of chance entries so far, without beats."""
        return sum(isinstance(asked, Chance) and not isinstance(asked, Beat) for asked in self.asked)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Carries out the entries of another log. Raises `Refused` at the first one that the rules do not allow."""
        for seat, answer in entries:
            self.do(seat, answer)

    def before_first_entry(self) -> Session:
        """Returns a session of the same game with an empty log."""
        return Session(self.game, self.seats, self.written_options, self.version, first_seat=self.first_seat)

    # Take-back

    def can_undo(self, seat: int) -> bool:
        """Returns True if the seat may take its last answer back: nothing was revealed since, nobody else answered."""
        return self._last_own(seat) is not None

    def undo(self, seat: int) -> None:
        """Takes back the last answer of `seat`, with the beats that followed it. Raises `Refused` if it is too late."""
        last = self._last_own(seat)
        if last is None:
            raise Refused("undo.too_late", seat=SeatOf(seat))
        self.rewind(last)

    def _last_own(self, seat: int) -> int | None:
        """Returns the index of the last answer of `seat` in the log, None if it cannot be taken back."""
        for index in range(len(self.log) - 1, -1, -1):
            asked = self.asked[index]
            if not isinstance(asked, Beat) or asked.reveals:
                return index if self.log[index][0] == seat and seat != NATURE else None
        return None

    def rewind(self, length: int) -> None:
        """Goes back to the first `length` entries."""
        entries = self.log[:length]
        self.log, self.asked = [], []
        self._masked = {viewer: masked[:length] for viewer, masked in self._masked.items()}
        self.table, self.question = self.game.new(self.seats, self.options)
        for seat, answer in entries:
            self.carry_out(seat, answer)

    # Views of a seat or a spectator

    def view(self, viewer: int) -> Any:
        """Returns the table as `viewer` may see it."""
        return self.game.view(self.table, viewer)

    def masked(self, viewer: int, start: int = 0) -> list[Entry]:
        """Returns the log from `start` on, as `viewer` may see it."""
        return [(seat, answer) for seat, answer, _ in self.masked_with_questions(viewer, start)]

    def masked_with_questions(self, viewer: int, start: int = 0) -> list[Answered]:
        """Returns the log from `start` on, as `viewer` may see it, each entry with the question that it answered.

        Questions carry nothing hidden. Every entry is masked once and then remembered.
        """
        masked = self._masked.setdefault(viewer, [])
        pairs = zip(self.asked[len(masked) :], self.log[len(masked) :], strict=True)
        masked += [Answered(seat, asked.mask(seat, answer, viewer), asked) for asked, (seat, answer) in pairs]
        return masked[start:]

    def record_row(self, entry: Entry) -> list[Any]:
        """Returns an entry as it is written in records: `[seat, verb, args...]`."""
        seat, answer = entry
        return [seat, *self.write_answer(answer)]

    def write_answer(self, answer: Answer) -> list[Any]:
        """Returns an answer as a row: `[verb, args...]`."""
        return notation.write(self._words, answer)

    def read_answer(self, row: Any) -> Answer:
        """Returns the answer in a row. Raises `Refused` if there is none."""
        return notation.read(self._words, row)

    def fingerprint(self, viewer: int = SPECTATOR) -> str:
        """Returns the head of the hash chain over the masked log of `viewer`.

        By default this is the log that everybody saw, so the fingerprint is the same in every copy of the game.
        """
        head = self.origin()
        for entry in self.masked(viewer):
            head = next_head(head, self.record_row(entry))
        return head

    def origin(self) -> str:
        """Returns the head of the chain before the first entry: a hash of game, version, seats and house rules."""
        return next_head("", self.written_setup())

    def written_setup(self) -> list[Any]:
        """Returns what the game began with, as it is stored and hashed: game, version, seats and house rules."""
        return [self.game.NAME, self.version, self.seats, self.written_options]


def next_head(head: str, item: Any) -> str:
    """Returns the next head of a hash chain."""
    return sha256(f"{head}\n{_sorted_json(item)}".encode("ascii")).hexdigest()


_sorted_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode  # made once, not for every entry
