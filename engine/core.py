"""Tables and questions: the form every game takes.

A game is a table (plain mutable data) and one question (a value: which seat is asked, which answers are legal, what an
answer does). An answer is a tuple, verb first; a log entry is `(seat, answer)`.
Rules draw no random numbers and use no hidden information: a random outcome, and a fact that only another hand shows,
is the answer to a question too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from math import floor
from operator import attrgetter
from random import Random
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    Protocol,
    Self,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from engine.values import SeatOf, plain

if TYPE_CHECKING:
    from engine.notation import Words
    from engine.options import Option, Options, Rules

NATURE = -1  # the seat that answers for chance
SPECTATOR = -2  # the viewer without a seat, who sees only what everybody sees
NOBODY = -3  # the seat that is asked when the game is over
HIDDEN = 0  # a card this viewer may not see

Answer = tuple[Any, ...]
Entry = tuple[int, Answer]

T = TypeVar("T")


class Refused(Exception):
    """Raised for what the rules do not allow, and for a file or link of a person that cannot be opened. A person may
    read why: it holds a reason id, and the values a person needs to understand it.

    `values` are plain, as they are sent and stored; `typed` are the same ones as they were raised (`engine.values`).
    """

    def __init__(self, reason: str, /, **values: object) -> None:
        self.reason = reason
        self.typed = values
        self.values = {name: plain(value) for name, value in values.items()}
        super().__init__(reason, self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles the attributes without a call of `__init__`, which takes other arguments than `args`. A
        process of the arena sends its refusals to the main one in this way."""
        return _without_init, (type(self), *self.args), self.__dict__

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"{self.reason} ({values})" if values else self.reason


def _without_init(kind: type[Refused], *args: object) -> Refused:
    return kind.__new__(kind, *args)


class Nonsense(Exception):
    """Raised for input of another program that breaks a format, the protocol or a limit.

    The reason is for counters and logs. It is no `Refused`, so that no handler that shows refusals to people can show
    it by mistake: code that reads a person's file or link raises a `Refused` in its place.
    """

    def __init__(self, reason: str, /) -> None:
        self.reason = reason
        super().__init__(reason)


def not_asked(seat: int) -> Refused:
    """Returns the refusal for a seat that is not asked now."""
    return Refused("not_asked", seat=SeatOf(seat))


def not_an_answer(a: Answer) -> Refused:
    """Returns the refusal for an answer that does not belong to the question."""
    return Refused("not_an_answer", verb=a[0])


class Table:
    """Base of the games' tables, which are slots dataclasses.

    Fields are declared in this order: values, lists, lists of lists, and last perhaps one NamedTuple of lists.
    """

    __slots__ = ()

    def copy(self) -> Self:
        """Returns an independent table. Values inside lists are never changed in place, so both tables share them."""
        copier = _COPIERS.get(type(self)) or _copier(type(self))
        return copier(self)  # type: ignore[no-any-return]  # a copier returns the type it is given


_COPIERS: dict[type, Callable[[Any], Any]] = {}


def _copier(cls: type[Any]) -> Callable[[Any], Any]:
    """Builds the function that copies a `cls`. Search copies often, so the declaration is read only once."""
    names: tuple[list[str], list[str], list[str], list[str]] = ([], [], [], [])
    types, previous = get_type_hints(cls), 0
    for field in fields(cls):
        kind = _kind(types[field.name])
        if kind < previous or names[3]:
            raise TypeError(f"{cls.__name__}.{field.name}: declare values, then lists, then lists of lists")
        previous = kind
        names[kind].append(field.name)
    values, lists, nests = map(_getter, names[:3])
    copy_list = list.copy

    def flat(table: Any) -> Any:
        return cls(*values(table), *map(copy_list, lists(table)))

    def nested(table: Any) -> Any:
        return cls(
            *values(table),
            *map(copy_list, lists(table)),
            *[list(map(copy_list, nest)) for nest in nests(table)],
        )

    def grouped(table: Any) -> Any:
        return cls(
            *values(table),
            *map(copy_list, lists(table)),
            *[list(map(copy_list, nest)) for nest in nests(table)],
            make_group(map(copy_list, group(table))),
        )

    if names[3]:
        group, make_group = attrgetter(names[3][0]), partial(tuple.__new__, types[names[3][0]])
    _COPIERS[cls] = copier = grouped if names[3] else nested if names[2] else flat
    return copier


def _kind(hint: Any) -> int:
    """Returns how a field of this type is copied: 0 a value, 1 a list, 2 a list of lists, 3 a NamedTuple of lists."""
    if get_origin(hint) is list:
        return 2 if get_origin(get_args(hint)[0]) is list else 1
    return 3 if hasattr(hint, "_fields") and set(map(_kind, get_type_hints(hint).values())) == {1} else 0


def _getter(names: Sequence[str]) -> Callable[[Any], Any]:
    """Returns an `attrgetter` that always gives a tuple, also for one name or none."""
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        only = attrgetter(names[0])
        return lambda table: (only(table),)
    return lambda table: ()


class Question(Generic[T]):
    """One question of the rule book. Subclasses are slots dataclasses and are never changed after they are made.

    A question carries nothing hidden: hidden information is on the table.
    """

    __slots__ = ()
    key: ClassVar[str]
    seat: int  # the seat that is asked, the first of `seats`

    def seats(self) -> tuple[int, ...]:
        """Returns the seats that may answer now: several when the choice is simultaneous."""
        return (self.seat,)

    def answers(self, t: T, seat: int) -> list[Answer]:
        """Returns the sensible legal answers of a seat, in a fixed order. `check` may allow more than these."""
        raise NotImplementedError

    def check(self, t: T, seat: int, a: Answer) -> None:
        """Raises `Refused` if the rules do not allow this answer, as far as this table can tell.

        A question with reasons of its own overrides this. `not_asked` comes first, and a listed answer is legal.
        """
        if seat not in self.seats():
            raise not_asked(seat)
        if a not in self.answers(t, seat):
            raise not_an_answer(a)

    def answer(self, t: T, seat: int, a: Answer) -> Question[T]:
        """Carries out a legal answer on the table and returns the question that follows."""
        raise NotImplementedError

    def mask(self, seat: int, a: Answer, viewer: int) -> Answer:
        """Returns the answer as `viewer` may see it."""
        return a


class Chance(Question[T]):
    """A question to NATURE: `answers` are the outcomes, `sample` draws one with the probabilities of cards and dice."""

    __slots__ = ()
    seat = NATURE

    def sample(self, t: T, rnd: Random) -> Answer:
        raise NotImplementedError


class Beat(Chance[T]):
    """A chance question with one outcome: bookkeeping that is a log entry so that it can be shown step by step.

    A beat that `reveals` something a seat could not see yet ends the time for taking back.
    """

    __slots__ = ()
    reveals: ClassVar[bool] = False

    def outcome(self, t: T) -> Answer:
        raise NotImplementedError

    def answers(self, t: T, seat: int) -> list[Answer]:
        return [self.outcome(t)]

    def sample(self, t: T, rnd: Random) -> Answer:
        return self.outcome(t)


class Over(Question[Any]):
    """The game has ended: no seat is asked."""

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
    """Plays to the end at random, on the given table itself. Returns the number of decisions; chance is not counted."""
    random, decisions = rnd.random, 0
    while (seat := question.seat) != NOBODY:
        if seat == NATURE:
            question = question.answer(t, NATURE, question.sample(t, rnd))  # type: ignore[attr-defined]  # it is a Chance
        else:
            answers = question.answers(t, seat)
            question = question.answer(t, seat, answers[floor(random() * len(answers))])
            decisions += 1
    return decisions


class LedgerLine(NamedTuple):
    """One line of the score ledger: the points (or money) that a seat got, and the cards that they came from."""

    round: int
    seat: int
    category: str
    cards: tuple[int, ...]
    points: int


class Game(Protocol):
    """The interface of a game's package. `engine.GAMES` is the registry of the games."""

    NAME: str
    VERSION: int  # of the rules; a change of the rules that changes a game makes it one higher
    EARLIER: Mapping[int, Rules]  # the earlier versions of the rules, by number: games of theirs are still played
    SEATS: range
    OPTIONS: tuple[Option, ...]
    WORDS: Words
    SENTENCES: Mapping[str, str]  # for the command line, by reason: why a deck cannot be played with
    BOTS: Mapping[str, Policy]

    def new(self, seats: int, options: Options) -> tuple[Any, Question[Any]]:
        """Returns the table before the first card, and the first question. `options` are settled."""

    def view(self, t: Any, viewer: int) -> Any:
        """Returns a copy with holes: what `viewer` (a seat or SPECTATOR) knows."""

    def fill(self, t: Any, rnd: Random) -> Any:
        """Returns a full table that agrees with the view `t`, drawn evenly from all that do."""

    def whole(self, t: Any) -> bool:
        """Returns True if the view or full table `t` has no holes, so that there is nothing to fill in."""

    def scores(self, t: Any) -> list[int]:
        """Returns the present points or money, by seat."""

    def winners(self, t: Any) -> list[int]:
        """Returns the seats that have won, or that are ahead now."""

    def ledger(self, t: Any) -> list[LedgerLine]:
        """Returns the lines that all points so far came from."""

    def lines(self, t: Any) -> list[str]:
        """Returns the table in notation words, for a terminal. Holes are written `?`."""


class Policy(Protocol):
    """A bot: returns one of the legal answers, given the question and its own view of the table."""

    def __call__(self, question: Question[Any], view: Any, seat: int, rnd: Random) -> Answer: ...


class Dealer(Protocol):
    """A source of chance. `number` counts the chance entries before this one, without beats."""

    def __call__(self, question: Chance[Any], table: Any, number: int) -> Answer: ...


def clockwise(after: int, seats: int) -> list[int]:
    """Returns all seats clockwise, beginning with the one to the left of `after`. `after` itself is last."""
    return [seat % seats for seat in range(after + 1, after + 1 + seats)]
