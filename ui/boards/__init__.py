"""How a game sits on the table: the seam between the shell and the boards.

A board is a package `ui/boards/<game>/` with the functions of `Board` below, its
texts in `assets/lang/<code>/<game>.po` and its look in `assets/style/<game>.css`. Boards know no rules: they show the
view they are given and light what `ctx.answers` allows.

Writing one
- `felt(ctx)` draws everything on the felt from `ctx.view` (a table with holes: what `ctx.viewer` may know, never more).
  It is called for every patch, so it is a pure function; keep what never changes in module constants. Give lists keys.
- The seat at the bottom is `ctx.viewer`; what is known is `ctx.view`, and that may be less than this seat knows: among
  several people at one device the shell draws what a spectator sees until the asked one has lifted the curtain. Then
  every hand is backs, the viewer's too, and `ctx.yours` is False. Never look elsewhere for what the view does not tell;
  name nothing (`data-fly`, `ctx.unfold`, keys) after a hidden card. `tests/ui/update/test_curtain.py` compares
  the pages.
- A control that answers carries `ctx.ask("offer", 7)` as its attributes: `data-answer`, or disabled and quiet if that
  is not possible now. Build it with `parts.button`. Seat by seat: `ctx.asked` is who is asked, `ctx.yours` says that
  a person sits there and may answer now (else: watch, the buttons are off).
- The question of the moment is one sentence in the element with `data-home` (and tabindex -1): focus goes there when
  its control has gone.
- What a person is picking together before answering (thieves): `ctx.pick("3")` as attributes of a toggle,
  `ctx.picked` the set; it empties when the question changes. `ctx.pick_only(…)` picks just these. What a person
  has unfolded (a family, a score line): `ctx.unfold("family-2")`, `ctx.unfolded`; it stays.
- Motion: give what travels `"data-fly": "c57"` (a name that stays with the thing wherever it lies): it moves from
  where it was to where it is. What appears can come `"data-from": "deck"`, from the element with `"data-spot":
  "deck"`; a flip is `"data-turn": "1"`. That is all; speed, reduced motion and skipping are the stage's business.
- Dragging is tapping twice: what carries `"data-drag": "row"` (beside the attributes of its tap, if it has one) can be
  dragged to what carries `"data-drop": "row"` (either may name several places, with spaces between). Dropped there, it
  is as if the one had been tapped and then the other; what has no `data-answer` or `data-do`, is quiet, or is pressed
  already (`aria-pressed`) adds nothing. What shall say something else when it is dropped, or nothing, takes its
  attributes from `ctx.drag("row", "offer", 7)`, `ctx.drag("row")`. Everything that can be dragged can be tapped too, so
  that there is nothing to do for those who cannot drag.
- `tell` says what an entry did, as `Line`s: facts, not sentences; the shell writes them in the log, reads them to
  screen readers and rewrites them when the language changes. Never "you". `before` and `after` are what a spectator
  sees. A line may name its sound, `sound="trumpet"`: paper, felt, brass, dice, trumpet, siren; nothing more to do.
- House rules need no code: name them in the catalogue, `<game>.option.<name>` for the rule,
  `<game>.option.<name>.<choice>` for each choice, `<game>.card.<name>` for the cards of an editable deck; a refusal
  is `refused.<reason>`.
- `beat` is how long the table rests after the last entry, so that people can follow; a tap skips it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from engine import GAMES, Games, notation
from engine.core import Answer, Entry, Game, Question
from engine.seats import PERSON
from ui.html.tree import Attr, Child, Node
from ui.text.i18n import Texts, Value

#: what a line may sound like
SOUNDS = ("paper", "felt", "brass", "dice", "trumpet", "siren")


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits there: a name people gave (text, never markup), an emblem, a person or a bot's level."""

    name: str
    emblem: str
    plays: str = PERSON  # "p", "b1", "b2"…


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened: entry `key` with `values`. The doer's name is filled in as {who}, other seats' with
    `Who`."""

    seat: int  # whose emblem stands before it; NATURE for the table's own
    key: str
    values: Mapping[str, Value | Who]
    loud: bool = False  # a big moment: a raid, the end
    sound: str = ""  # one of SOUNDS, when people want sounds; without one an entry rustles


@dataclass(frozen=True, slots=True)
class Who:
    """A seat as a value of a line."""

    seat: int


@dataclass(frozen=True, slots=True)
class Context:
    """All a board may know when it draws."""

    t: Texts
    game: Game
    options: Mapping[str, Any]
    chairs: tuple[Chair, ...]
    viewer: int  # the seat the table is turned to: the person asked, or the one who was asked last
    view: Any  # the table as it may be seen now: by the viewer, or by everybody
    question: Question[Any]
    asked: int | None  # the seat that is asked; NATURE for chance; None when it is over
    yours: bool  # a person sits there, and may answer now
    answers: Sequence[Answer]  # what that seat may answer
    log: Sequence[Entry]  # masked like the view
    picked: frozenset[str]
    unfolded: frozenset[str]
    resting: bool = False  # the table rests after the last entry, so that people can follow

    def name(self, seat: int) -> str:
        return self.chairs[seat].name

    def around(self) -> list[int]:
        """The seats clockwise, the viewer's first: the order in which they sit around the table."""
        return [(self.viewer + i) % len(self.chairs) for i in range(len(self.chairs))]

    def may(self, *answer: Any) -> bool:
        return self.yours and answer in self.answers

    def ask(self, *answer: Any) -> dict[str, Attr]:
        """The attributes of a control that answers so: `h("button.btn", ctx.ask("pass"), …)`."""
        words = notation.text(self.game.WORDS, answer)
        if self.may(*answer):
            return {"type": "button", "data-answer": words, "key": words}
        return {"type": "button", "aria-disabled": True, "key": words}

    def pick(self, what: str) -> dict[str, Attr]:
        """The attributes of a toggle that picks `what` for the answer to come."""
        return {"type": "button", "data-do": "pick", "data-arg": what, "aria-pressed": what in self.picked}

    def pick_only(self, wanted: Iterable[str]) -> dict[str, Attr]:
        """The attributes of a control after which exactly `wanted` is picked."""
        change = " ".join(sorted(self.picked ^ frozenset(wanted)))
        return {"type": "button", "data-do": "pick", "data-arg": change}

    def drag(self, place: str, *answer: Any) -> dict[str, Attr]:
        """The attributes of what can be dragged to `place` now, where it gives that answer, or only adds itself to what
        the place says: `h("span.chq", ctx.drag("centre", "offer", 7))`."""
        if not self.yours or (answer and answer not in self.answers):
            return {}
        return {"data-drag": place, "data-says": notation.text(self.game.WORDS, answer) if answer else ""}

    def unfold(self, what: str) -> dict[str, Attr]:
        """The attributes of a control that opens `what`, or closes it."""
        return {"type": "button", "data-do": "unfold", "data-arg": what, "aria-expanded": what in self.unfolded}


class Board(Protocol):
    """What a board module offers."""

    def felt(self, ctx: Context) -> Node:
        """The table: one element, `h("div.table.<game>", …)`."""

    def status(self, ctx: Context) -> Sequence[Child]:
        """Short facts for the top bar, most important first: "Round 2 of 3"."""

    def tell(self, before: Any, entry: Entry, after: Any, asked: Question[Any]) -> Sequence[Line]:
        """What an entry did, for everybody: nothing, one line, or more. `asked` is the question it answered."""

    def beat(self, before: Any, entry: Entry, after: Any) -> int:
        """How long the table rests after it, in milliseconds at normal speed; 0 not at all."""

    def rules(self, t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
        """The rules in own words, for the rules dialog: h3, p, ul, dl…"""

    def score(self, ctx: Context, number: int) -> str:
        """What a final score is called: points, money, gems."""

    def result(self, ctx: Context) -> Sequence[Node]:
        """What the result screen shows under the ranking: where the points came from."""


#: the games that can be played here: those in the registry that have a table
OPEN = Games(tuple(name for name in GAMES if find_spec(f"ui.boards.{name}")))


def board(game: str) -> Board:
    """The board of an open game."""
    if game not in OPEN:
        raise LookupError(game)
    module: Any = import_module(f"ui.boards.{game}")
    return module  # type: ignore[no-any-return]  # a module that keeps the protocol
