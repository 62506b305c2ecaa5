"""The game as everybody sees it: a session that follows the log, with holes where hands are hidden.

It decides which answers are accepted, so it is equal on every device. Beats that reveal nothing need no log entry:
every device carries them out by itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.core import NATURE, SPECTATOR, Answer, Beat, Chance, Entry, Game, Question, Refused
from engine.session import Session
from peer.order.raft import NOBODY
from peer.wire.bodies import Row

OVER, SEATS, COIN, DEAL = "over", "seats", "coin", "deal"


class Sealed(NamedTuple):
    """The sealed parts of a game entry: boxes by device (or role), their author, and the place they are bound to."""

    by: int  # a device, or ROLE
    place: str
    boxes: dict[int, str]
    offset: int  # which of the outcomes in the boxes this entry is


class PublicEntry(NamedTuple):
    """An entry of the game, as everybody may see it."""

    entry: Entry
    sealed: Sealed | None
    device: int = NOBODY  # that gave the answer; `NOBODY` for outcomes of chance


def may_hide_answers(question: Question[Any]) -> bool:
    """Returns True if answers to this question may be hidden from somebody."""
    return type(question).mask is not Question.mask


def check_and_mask(session: Session, seat: int, answer: Answer) -> Answer:
    """Returns an answer as everybody may see it. Raises `Refused`: only an answer the rules allow can be masked."""
    session.question.check(session.table, seat, answer)
    return session.question.mask(seat, answer, SPECTATOR)


def no_holes(game: Game, table: Any) -> bool:
    """Returns True if a spectator's view of the table has no holes: then nothing can be revealed."""
    return game.whole(game.view(table, SPECTATOR))


def local_outcome(game: Game, question: Question[Any], table: Any) -> Answer | None:
    """Returns the outcome of a beat that reveals nothing new, which every device can compute itself; else None."""
    if isinstance(question, Beat) and (not question.reveals or no_holes(game, table)):
        return question.outcome(table)
    return None


def wanted(question: Question[Any]) -> str:
    """Returns what the table waits for: `COIN`, `DEAL`, `SEATS` or `OVER`.

    A coin decides an outcome that everybody may see; it is drawn from what everybody knows. The dealer decides an
    outcome that somebody may not see, and answers a beat that reveals what it knows.
    """
    if isinstance(question, Chance):
        return DEAL if isinstance(question, Beat) or may_hide_answers(question) else COIN
    return SEATS if question.seats() else OVER


class PublicGame:
    """The public session of a game, its entries, and what the table waits for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.entries: list[PublicEntry] = []
        self.asked_since = [0] * session.seats  # by seat: the game entry at which its present question began
        self.last_asked: tuple[str, tuple[int, ...]] = ("", ())
        self.waits_for = SEATS
        self._advance(NATURE)

    @property
    def over(self) -> bool:
        return self.waits_for == OVER

    def seat_answers(self, seat: int, turn: int, row: Row, sealed: Sealed | None, device: int) -> None:
        """Carries out a seat's masked answer, which this device gave. Raises `Refused` and changes nothing if it is not
        allowed."""
        session = self.session
        question = session.question
        if seat not in question.seats():
            raise Refused("not_asked", seat=seat)
        if turn != self.asked_since[seat]:
            raise Refused("net.stale")
        answer = read_row(session, row)
        if check_and_mask(session, seat, answer) != answer or may_hide_answers(question) != (sealed is not None):
            raise Refused("net.not_masked")
        session.carry_out(seat, answer)
        self._append(PublicEntry((seat, answer), sealed, device))

    def nature_answers(self, answer: Answer, sealed: Sealed | None) -> None:
        """Carries out an outcome of a coin or the dealer. Raises `Refused` and changes nothing if it is not allowed."""
        if check_and_mask(self.session, NATURE, answer) != answer:
            raise Refused("net.not_masked")
        self.session.carry_out(NATURE, answer)
        self._append(PublicEntry((NATURE, answer), sealed))

    def _append(self, played: PublicEntry) -> None:
        self.entries.append(played)
        self._advance(played.entry[0])

    def _advance(self, answered_by: int) -> None:
        """Carries out the beats that follow, then sets what the table waits for."""
        session = self.session
        while (outcome := local_outcome(session.game, session.question, session.table)) is not None:
            session.do(NATURE, outcome)
            self.entries.append(PublicEntry((NATURE, outcome), None))
        self.waits_for = wanted(session.question)
        asked = (session.question.key if self.waits_for != OVER else "", session.question.seats())
        for seat in asked[1]:
            if seat >= 0 and (seat == answered_by or asked[0] != self.last_asked[0] or seat not in self.last_asked[1]):
                self.asked_since[seat] = len(session.log)
        self.last_asked = asked

    def rewind(self, length: int) -> None:
        """Takes the game back to its first `length` entries, because the next one was false."""
        self.session.rewind(length)
        del self.entries[length:]
        self.asked_since = [length] * self.session.seats
        self.last_asked = ("", ())
        self._advance(NATURE)


def read_row(session: Session, row: Row) -> Answer:
    """Returns the answer in a decoded row. Raises `Refused` if there is none."""
    # decoded rows hold tuples, but the notation reads lists
    return session.read_answer([list(item) if isinstance(item, tuple) else item for item in row])
