"""Tables and questions: the form every game takes.

A game is a table (plain mutable data) and one question (a value: who is asked, what may be answered,
what an answer does). An answer is a tuple, verb first; a log entry is `(seat, answer)`.
Rules never roll and never peek: chance, and what only somebody else's hand can tell, is a question too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from math import floor
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from engine.notation import Words
    from engine.options import Option, Options

NATURE = -1  # the seat that answers for chance
SPECTATOR = -2  # the viewer who may see only what everybody sees
NOBODY = -3  # who is asked when the game is over
HIDDEN = 0  # a card this viewer may not see

Answer = tuple[Any, ...]
Entry = tuple[int, Answer]

T = TypeVar("T")


class Refused(Exception):
    """What the rules do not allow: a reason id, and the values a person needs to understand it."""

    def __init__(self, reason: str, **values: object) -> None:
        super().__init__(reason, values)
        self.reason = reason
        self.values = values

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"{self.reason} ({values})" if values else self.reason


class Table:
    """Base of the games' tables. Fields are declared values first, then lists, then lists of lists."""

    __slots__ = ()

    def copy(self) -> Self:
        """An independent table. Values inside the lists are never changed in place, so they may be shared."""
        copier = _COPIERS.get(type(self)) or _copier(type(self))
        return copier(self)  # type: ignore[no-any-return]  # a copier gives what it is given


_COPIERS: dict[type, Callable[[Any], Any]] = {}


def _copier(cls: type[Table]) -> Callable[[Any], Any]:
    """How to copy a `cls`: read off its one declaration, once."""
    groups: tuple[list[str], list[str], list[str]] = ([], [], [])
    reached = 0
    for field in fields(cls):  # type: ignore[arg-type]  # every table is a dataclass
        depth = 2 if str(field.type).startswith("list[list") else 1 if str(field.type).startswith("list[") else 0
        if depth < reached:
            raise TypeError(f"{cls.__name__}.{field.name}: declare values first, then lists, then lists of lists")
        reached = depth
        groups[depth].append(field.name)
    values, lists, nests = map(_getter, groups)
    copy_list = list.copy

    def flat(table: Any) -> Any:
        return cls(*values(table), *map(copy_list, lists(table)))

    def nested(table: Any) -> Any:
        return cls(
            *values(table),
            *map(copy_list, lists(table)),
            *[list(map(copy_list, nest)) for nest in nests(table)],
        )

    _COPIERS[cls] = copier = nested if groups[2] else flat
    return copier


def _getter(names: Sequence[str]) -> Callable[[Any], Any]:
    """`attrgetter` that always gives a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        one = attrgetter(names[0])
        return lambda table: (one(table),)
    return lambda table: ()


class Question(Generic[T]):
    """One question of the rule book. Subclasses are slots dataclasses, never changed after they were asked.

    A question carries nothing hidden: what is secret lies on the table.
    """

    __slots__ = ()
    key: ClassVar[str]
    together: ClassVar[bool] = False  # whether it is `Together`
    strays: ClassVar[bool] = False  # whether `playout` should `stray` instead of listing all answers
    seat: int  # who answers, the first of `seats`

    def seats(self) -> tuple[int, ...]:
        """Who may answer now; several when the choice is simultaneous."""
        return (self.seat,)

    def answers(self, t: T, seat: int) -> list[Answer]:
        """Every sensible legal answer, in a fixed order."""
        raise NotImplementedError

    def check(self, t: T, seat: int, a: Answer) -> None:
        """The law, as this table sees it: raises `Refused`, or lets the answer pass."""
        if seat not in self.seats():
            raise Refused("not_asked", seat=seat)
        if a not in self.answers(t, seat):
            raise self.refusal(t, seat, a)

    def refusal(self, t: T, seat: int, a: Answer) -> Refused:
        """Why an answer that is not among `answers` is refused."""
        return Refused("not_an_answer", verb=a[0])

    def answer(self, t: T, seat: int, a: Answer) -> Question[T]:
        """Carry out a legal answer on the table and return what is asked next."""
        raise NotImplementedError

    def stray(self, t: T, rnd: Random) -> Question[T]:
        """All of `seats` answer at random, one after the other. For speed a game may do so in one step, and go on with
        what chance decides next; what comes out must be what one draw from each list of answers brings about."""
        question: Question[T] = self
        for seat in self.seats():
            answers = question.answers(t, seat)
            question = question.answer(t, seat, answers[floor(rnd.random() * len(answers))])
        return question

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        """The answer as `viewer` may see it."""
        return a


class Together(Question[T]):
    """A simultaneous choice: all of `seats` are still to answer, in any order; `seat` is the first of them."""

    __slots__ = ()
    together = True
    strays = True


class Chance(Question[T]):
    """A question to NATURE: `answers` are the outcomes, `sample` draws one as the cards and dice would."""

    __slots__ = ()
    seat = NATURE

    def sample(self, t: T, rnd: Random) -> Answer:
        raise NotImplementedError

    def roll(self, t: T, rnd: Random) -> Question[T]:
        """Draw an outcome and carry it out. For speed a game may do so in one step, and go on with what chance
        decides next; what comes out must be what `sample` and `answer` bring about one by one."""
        return self.answer(t, NATURE, self.sample(t, rnd))


class Beat(Chance[T]):
    """Bookkeeping with one outcome: a chance question so that it can be shown, step by step.

    One that `reveals` what somebody could not see yet ends the time for taking back.
    """

    __slots__ = ()
    reveals: ClassVar[bool] = False

    def outcome(self, t: T) -> Answer:
        raise NotImplementedError

    def answers(self, t: T, seat: int) -> list[Answer]:
        return [self.outcome(t)]

    def sample(self, t: T, rnd: Random) -> Answer:
        return self.outcome(t)

    def roll(self, t: T, rnd: Random) -> Question[T]:
        return self.answer(t, NATURE, self.outcome(t))


class Over(Question[Any]):
    """The game has ended: nobody is asked."""

    __slots__ = ()
    key = "over"
    seat = NOBODY

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Over)

    def seats(self) -> tuple[int, ...]:
        return ()

    def check(self, t: Any, seat: int, a: Answer) -> None:
        raise Refused("game_over")

    def answers(self, t: Any, seat: int) -> list[Answer]:
        return []


def playout(t: T, question: Question[T], rnd: Random) -> int:
    """Play to the end at random, on the table itself; gives the number of decisions. The fast path of search."""
    random, decisions = rnd.random, 0
    while True:
        if question.strays:
            decisions += len(question.seats()) if question.together else 1
            question = question.stray(t, rnd)
        elif (seat := question.seat) >= 0:
            answers = question.answers(t, seat)
            question = question.answer(t, seat, answers[floor(random() * len(answers))])
            decisions += 1
        elif seat == NATURE:
            question = question.roll(t, rnd)  # type: ignore[attr-defined]  # only Chance is put to NATURE
        else:
            return decisions


class Line(NamedTuple):
    """One line of the score ledger: the points (or money) a seat got, and the cards they came from."""

    round: int
    seat: int
    category: str
    cards: tuple[int, ...]
    points: int


class Game(Protocol):
    """What a game's package offers; `engine.GAMES` is the registry of them."""

    NAME: str
    VERSION: int
    SEATS: range
    OPTIONS: tuple[Option, ...]
    WORDS: Words
    BOTS: Mapping[str, Policy]

    def new(self, seats: int, options: Options) -> tuple[Any, Question[Any]]:
        """The table before the first card, and the first question. `options` are settled."""

    def view(self, t: Any, viewer: int) -> Any:
        """A copy with holes: what `viewer` (a seat or SPECTATOR) knows."""

    def fill(self, t: Any, rnd: Random) -> Any:
        """A full table that agrees with the view `t`, drawn evenly from all that do."""

    def whole(self, t: Any) -> bool:
        """Whether the view `t` has no holes: there is nothing to fill in."""

    def scores(self, t: Any) -> list[int]:
        """Points or money by seat, as they stand."""

    def winners(self, t: Any) -> list[int]:
        """The seats that have won, or are ahead."""

    def ledger(self, t: Any) -> list[Line]:
        """Where every point so far came from."""

    def lines(self, t: Any) -> list[str]:
        """The table in notation words, for a terminal; holes are written `?`."""


class Policy(Protocol):
    """A bot: given the question and its own view of the table, one of the legal answers."""

    def __call__(self, question: Question[Any], view: Any, seat: int, rnd: Random) -> Answer: ...


class Dealer(Protocol):
    """Where chance comes from. `number` counts the real chance entries (not beats) before this one."""

    def __call__(self, question: Chance[Any], table: Any, number: int) -> Answer: ...


def clockwise(after: int, seats: int) -> Iterable[int]:
    """All seats, beginning at the left of `after`, `after` itself last."""
    return [seat % seats for seat in range(after + 1, after + 1 + seats)]
