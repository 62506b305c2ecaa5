"""The interface between the page and the boards. A board draws one game and writes the lines of its log.

A board is a package `ui/boards/<game>/` with the functions of `Board` below. Its texts are in
`assets/lang/<code>/<game>.po`, its style sheet is `assets/style/<game>.css`. A board knows no rules: it draws the view
it is given, and enables the controls whose answers are in `ctx.answers`. This is how to write one.

Drawing
- `felt(ctx)` draws everything on the felt from `ctx.view`, a table with holes. It is called for every patch, so it must
  be a pure function. Keep nodes that never change in module constants. Give the children of lists a `key`.
- `ctx.log` has every entry so far with the question that it answered, so that a board need not follow the rules to
  find out what an entry meant: `ctx.log[-1].question` names the seat that turned up the last card.
- The seat at the bottom is `ctx.viewer`. `ctx.view` contains what may be shown, which may be less than this seat knows:
  when several people share a device, the page passes the view of a spectator until the asked person has lifted the
  curtain. All hands are then backs, the viewer's too, and `ctx.yours` is False. Take nothing about hidden cards from
  anywhere else, and never use a hidden card in a name (`data-fly`, `ctx.unfold_attrs`, a key): pages that differ only
  in hidden cards must be equal. `tests/ui/update/test_curtain.py` compares them.

Answering
- `ctx.answer_attrs("offer", 7)` returns the attributes of a control that gives this answer: `data-answer` if the answer
  is possible now, otherwise the control is disabled. Build the control with `parts.button`.
- Seats are asked one at a time. `ctx.asked` is the seat that is asked; `ctx.yours` is True if a person sits there who
  may answer now. Otherwise people only watch, and every control that answers is disabled.
- The question is one sentence, in an element with `data-home` and a tabindex of -1. This element gets the focus when
  the focused control has disappeared.
- People may pick several things before they answer (see thieves). `ctx.pick_attrs("3")` returns the attributes of a
  toggle, `ctx.pick_only_attrs(...)` those of a control that picks exactly these things, and `ctx.picked` is the set of
  all that is picked. The set is emptied after every entry.
- People may unfold details (a family, a row of the ledger): `ctx.unfold_attrs("family-2")` and `ctx.unfolded` work in
  the same way, but what is unfolded stays so after an entry.

Moving
- Give an element that travels a name that stays the same wherever it lies: `"data-fly": "c57"`. After a patch it moves
  from its old place to its new one. A new element may come from another one: `"data-from": "deck"` names the element
  with `"data-spot": "deck"`. `"data-turn": "1"` turns it over on arrival. The page takes care of the speed, of reduced
  motion and of skipping.
- Dragging is a short form of two taps. An element with `"data-drag": "row"` can be dropped on an element with
  `"data-drop": "row"`; each may name several places, separated by spaces. A drop has the effect of a tap on the first
  and then a tap on the second. A tap has no effect on an element without `data-answer` or `data-do`, on a disabled one,
  and on one that is pressed already (`aria-pressed`). If the drop should give another answer than the tap on the
  dragged element, or none, take the attributes from `ctx.drag_attrs("row", "offer", 7)` or `ctx.drag_attrs("row")`.
  Everything must be possible by tapping alone, so that people who cannot drag need nothing else.

Telling
- `tell` returns the lines that an entry adds to the log. A `Line` contains facts, not sentences: the page writes it in
  the log, has it read out by screen readers, and writes it anew when the language changes. The texts never say "you".
  `before` and `after` are the views of a spectator. A line may name a sound, one of `SOUNDS`: `sound="trumpet"`.
- `rest_after` returns how long the table rests after an entry, so that people can follow. A tap ends the rest.
- `say_value` returns how the board writes a value of a refusal: an amount as it is printed, a card by its name.

The kit
- `ui.boards.kit` has what most boards need: the frame of the felt with the sheet over it (`felt`, `sheet`), the
  sentence of the question (`prompt`), the latest event and values for lines (`lines`), the ledger (`ledger`) and the
  rules page (`rules_page`). Look there first. A board takes nothing from another board.

House rules need no code, only texts: `<game>.option.<name>` for the rule, `<game>.option.<name>.<choice>` for each
choice, and `<game>.card.<name>` for each card of a deck that can be edited. The text `refused.<reason>` explains a
refused answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from engine import GAMES, Games, notation
from engine.core import Answer, Entry, Game, Question
from engine.seats import PERSON
from engine.session import Answered
from engine.values import TypedValue
from ui.html.tree import Attr, Child, Node
from ui.text.i18n import Texts, Value
from ui.text.names import given_name

#: the sounds that a line may name
SOUNDS = ("paper", "felt", "brass", "dice", "trumpet", "siren")


@dataclass(frozen=True, slots=True)
class Chair:
    """The player of a seat: a name that people gave (text, never markup), an emblem, and a person or a bot's level."""

    name: str
    emblem: str
    plays: str = PERSON  # "p", "b1", "b2"…
    like: str = ""  # by link: the name at the table that this one looks like; then `name` begins with a sign for that

    def spoken_name(self, t: Texts) -> str:
        """Returns the name for screen readers, which may not read the sign."""
        return f"{given_name(self.name)} ({t('room.alike', who=self.like)})" if self.like else self.name


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: the text `key` of the catalogue, with `values`.

    The name of `seat` is filled in as {who}. A value of type `SeatName` is replaced by the name of another seat.
    """

    seat: int  # its emblem stands before the line; NATURE for a line without one
    key: str
    values: Mapping[str, Value | SeatName] = field(hash=False)  # a dict cannot be hashed
    important: bool = False  # an important event: a raid, the end
    sound: str = ""  # one of SOUNDS; an entry whose lines name none sounds like paper


@dataclass(frozen=True, slots=True)
class SeatName:
    """A seat as a value of a line; shown as its name."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameWord:
    """A word of a game's notation, as people read it: the first of `keys` that has a text, else the word itself."""

    word: str
    keys: tuple[str, ...]

    def say(self, t: Texts) -> str:
        return next((t(key) for key in self.keys if t.has(key)), self.word)


def game_word(game: str, word: object, *groups: str) -> GameWord:
    """Returns a word that is looked up among the game's cards, then in these groups of its texts: `bars.bar.jungle`."""
    return GameWord(str(word), tuple(f"{game}.{group}.{word}" for group in ("card", *groups)))


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a board may know when it draws."""

    t: Texts
    game: Game
    options: Mapping[str, Any]
    chairs: tuple[Chair, ...]
    viewer: int  # the seat at the bottom: the person who is asked, or who was asked last
    view: Any  # the table as it may be shown now: the viewer's view, or that of a spectator
    question: Question[Any]
    asked: int | None  # the seat that is asked; NATURE for chance; None when the game is over
    yours: bool  # a person plays the asked seat, and may answer now
    answers: Sequence[Answer]  # the possible answers of the asked seat; none unless `yours`
    log: Sequence[Answered]  # masked like the view
    picked: frozenset[str]
    unfolded: frozenset[str]
    resting: bool = False  # the table still rests after the last entry, see `Board.rest_after`

    def name(self, seat: int) -> str:
        return self.chairs[seat].name

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self.asked is None

    @property
    def person_is_asked(self) -> bool:
        """True if the asked seat is played by a person, who may sit at another device."""
        return self.asked is not None and self.asked >= 0 and self.chairs[self.asked].plays == PERSON

    @property
    def viewer_is_asked(self) -> bool:
        """True if the viewer is asked, and may answer now."""
        return self.yours and self.viewer == self.asked

    def seats_clockwise(self) -> list[int]:
        """Returns the seats in the order in which they sit around the table: clockwise, the viewer's first."""
        return [(self.viewer + i) % len(self.chairs) for i in range(len(self.chairs))]

    def may(self, *answer: Any) -> bool:
        """Returns True if a person may give this answer now."""
        return self.yours and answer in self.answers

    def answer_attrs(self, *answer: Any) -> dict[str, Attr]:
        """Returns the attributes of a control that gives this answer: `h("button.btn", ctx.answer_attrs("pass"), …)`.

        If the answer is not possible now, the control is disabled.
        """
        words = notation.text(self.game.WORDS, answer)
        if self.may(*answer):
            return {"type": "button", "data-answer": words, "key": words}
        return {"type": "button", "aria-disabled": True, "key": words}

    def pick_attrs(self, what: str) -> dict[str, Attr]:
        """Returns the attributes of a toggle that picks `what`, or puts it back, before the person answers."""
        return {"type": "button", "data-do": "pick", "data-arg": what, "aria-pressed": what in self.picked}

    def pick_only_attrs(self, wanted: Iterable[str]) -> dict[str, Attr]:
        """Returns the attributes of a control that makes `wanted` the set of all that is picked."""
        change = " ".join(sorted(self.picked ^ frozenset(wanted)))
        return {"type": "button", "data-do": "pick", "data-arg": change}

    def drag_attrs(self, place: str, *answer: Any) -> dict[str, Attr]:
        """Returns the attributes of an element that can be dragged.

        Example: `h("span.chq", ctx.drag_attrs("centre", "offer", 7))`. Dropped on `place`, it gives the
        answer. Without an answer, only the tap on the place has an effect. Returns no attributes if the answer is not
        possible now.
        """
        if not self.yours or (answer and answer not in self.answers):
            return {}
        return {"data-drag": place, "data-says": notation.text(self.game.WORDS, answer) if answer else ""}

    def unfold_attrs(self, what: str) -> dict[str, Attr]:
        """Returns the attributes of a control that unfolds `what`, or folds it up."""
        return {"type": "button", "data-do": "unfold", "data-arg": what, "aria-expanded": what in self.unfolded}


class Board(Protocol):
    """The functions of a board's package."""

    def felt(self, ctx: Context) -> Node:
        """Returns everything on the felt as one element, `h("div.table.<game>", …)`."""

    def status(self, ctx: Context) -> Sequence[Child]:
        """Returns short facts for the top bar, the most important first: "Round 2 of 3"."""

    def tell(self, before: Any, entry: Entry, after: Any, asked: Question[Any]) -> Sequence[Line]:
        """Returns the lines that an entry adds to the log, the same for everybody: none, one, or more.

        `before` and `after` are the views of a spectator; `asked` is the question that the entry answers.
        """

    def rest_after(self, before: Any, entry: Entry, after: Any) -> int:
        """Returns how long the table rests after an entry, in milliseconds at normal speed; 0 for no rest."""

    def say_value(self, value: TypedValue) -> Value:
        """Returns the board's words for an amount, a card or a word in a refused answer: "7,000", "Watch"."""

    def rules(self, t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
        """Returns the rules in our own words, for the dialog of the rules: h3, p, ul, dl…"""

    def score(self, ctx: Context, number: int) -> str:
        """Returns a final score in words: points, money, gems."""

    def result(self, ctx: Context) -> Sequence[Node]:
        """Returns the part of the result below the ranking: where the points came from."""


#: the games that can be played here: those in the registry that have a board
PLAYABLE = Games({name: seats for name, seats in GAMES.seats.items() if find_spec(f"ui.boards.{name}")})


def board(game: str) -> Board:
    """Returns the board of a game. Raises LookupError if the game has none."""
    if game not in PLAYABLE:
        raise LookupError(game)
    module: Any = import_module(f"ui.boards.{game}")
    return module  # type: ignore[no-any-return]  # the package implements the protocol
