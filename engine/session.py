"""A running game: the log, and all that derives from it (undo, views, masked logs, fingerprints)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from engine import notation
from engine.core import NATURE, SPECTATOR, Answer, Beat, Chance, Dealer, Entry, Game, Over, Question, Refused
from engine.options import changed, settle


class Session:
    """One game from its first question on. `do` is the one checked door; the log alone is ever stored or sent."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self.seats = seats
        self.options = settle(game, seats, options or {})
        self.log: list[Entry] = []
        self.asked: list[Question[Any]] = []  # the question each entry answered
        self.table: Any
        self.question: Question[Any]
        self.table, self.question = game.new(seats, self.options)

    @property
    def over(self) -> bool:
        return isinstance(self.question, Over)

    def answers(self, seat: int) -> list[Answer]:
        """What `seat` may answer now; nothing if it is not asked."""
        return self.question.answers(self.table, seat) if seat in self.question.seats() else []

    def do(self, seat: int, answer: Answer) -> None:
        """Let `seat` (or NATURE) answer. Raises `Refused` and changes nothing if the rules do not allow it."""
        self.question.check(self.table, seat, answer)
        self.carry_out(seat, answer)

    def carry_out(self, seat: int, answer: Answer) -> None:
        """The fast path, for answers that are known to be legal: drawn from `answers` or `sample`."""
        question = self.question
        self.question = question.answer(self.table, seat, answer)
        self.log.append((seat, answer))
        self.asked.append(question)

    def deal(self, dealer: Dealer) -> bool:
        """Let NATURE answer once, if she is asked; beats answer for themselves."""
        question = self.question
        if not isinstance(question, Chance):
            return False
        if isinstance(question, Beat):
            outcome = question.outcome(self.table)
        else:
            outcome = dealer(question, self.table, self.chances())
        self.do(NATURE, outcome)
        return True

    def deal_all(self, dealer: Dealer) -> None:
        """Let NATURE answer until a seat is asked or the game is over."""
        while self.deal(dealer):
            pass

    def chances(self) -> int:
        """How often chance has spoken, beats not counted."""
        return sum(isinstance(asked, Chance) and not isinstance(asked, Beat) for asked in self.asked)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Carry out a log from elsewhere, every entry through the checked door."""
        for seat, answer in entries:
            self.do(seat, answer)

    # Take-back

    def can_undo(self, seat: int) -> bool:
        """A seat may take its last answer back until something was revealed or somebody else answered."""
        return self._last_own(seat) is not None

    def undo(self, seat: int) -> None:
        """Take the last answer of `seat` back, with the beats that followed it."""
        last = self._last_own(seat)
        if last is None:
            raise Refused("undo.too_late", seat=seat)
        self.rewind(last)

    def _last_own(self, seat: int) -> int | None:
        for index in range(len(self.log) - 1, -1, -1):
            asked = self.asked[index]
            if not isinstance(asked, Beat) or asked.reveals:
                return index if self.log[index][0] == seat and seat != NATURE else None
        return None

    def rewind(self, length: int) -> None:
        """Go back to the first `length` entries."""
        entries = self.log[:length]
        self.log, self.asked = [], []
        self.table, self.question = self.game.new(self.seats, self.options)
        for seat, answer in entries:
            self.carry_out(seat, answer)

    # What others may see

    def view(self, viewer: int) -> Any:
        """The table as `viewer` may see it."""
        return self.game.view(self.table, viewer)

    def masked(self, viewer: int, start: int = 0) -> list[Entry]:
        """The log from `start` on, as `viewer` may see it."""
        pairs = zip(self.asked[start:], self.log[start:], strict=True)
        return [(seat, asked.mask(seat, answer, viewer)) for asked, (seat, answer) in pairs]

    def line(self, entry: Entry) -> list[Any]:
        """An entry as it is written in records: `[seat, verb, args...]`."""
        seat, answer = entry
        return [seat, *notation.write(self.game.WORDS, answer)]

    def fingerprint(self, viewer: int = SPECTATOR) -> str:
        """The head of the hash chain over what `viewer` saw; by default what everybody saw, equal at every table."""
        head = self.origin()
        for entry in self.masked(viewer):
            head = link(head, self.line(entry))
        return head

    def origin(self) -> str:
        """The head of the chain before the first entry: game, version, seats and house rules."""
        game = self.game
        return link("", [game.NAME, game.VERSION, self.seats, changed(game, self.options)])


def link(head: str, item: Any) -> str:
    """The next head of a hash chain."""
    written = json.dumps(item, separators=(",", ":"), sort_keys=True, ensure_ascii=True)
    return sha256(f"{head}\n{written}".encode("ascii")).hexdigest()
