"""Plays a game on the page by the roles and names of its controls, together with the same program in CPython.

The twin runs the page's own model and view without a browser. It says which controls lead to an answer and how each is
named; on the page they are found by that name alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page

from engine import notation
from engine.core import Answer
from engine.session import Session
from engine.thieves.cards import ACTION, CardPlay
from tests.ui.table import FakeTable
from ui.boards import PLAYABLE
from ui.boards.kit.lines import line_values
from ui.html.tree import Node
from ui.model import Header
from ui.saves import setup_link
from ui.selectors import all_lines, curtain_seat
from ui.text.i18n import Texts
from ui.update import lobby
from ui.view.page import view


class Control(NamedTuple):
    """A button with what identifies it on the page: its name, and its number among the buttons of that name."""

    name: str  # a regular expression
    number: int  # counted from 0
    node: Node

    def locate(self, page: Page) -> Locator:
        return page.get_by_role("button", name=re.compile(self.name)).nth(self.number)


class PageTwin:
    """The page's update loop in CPython, where every command succeeds at once: same link, same deal, same bots."""

    def __init__(self, fragment: str, t: Texts) -> None:
        found = setup_link.read(fragment)
        assert isinstance(found, setup_link.LinkedSetup)
        version = PLAYABLE[found.game].VERSION
        header = Header(
            "0123456789ab", found.game, version, found.options, lobby.new_chairs(t, (), found.plays), found.seed, 1, 1
        )
        self.t = t
        self.table = FakeTable(header)
        self.table.model.t = t
        self.table.run()

    @property
    def session(self) -> Session:
        session: Session = self.table.play.session
        return session

    @property
    def seat(self) -> int:
        return self.session.question.seats()[0]

    @property
    def covered(self) -> int | None:
        return curtain_seat(self.table.play)

    def words(self, answer: Answer) -> str:
        return notation.text(self.session.game.WORDS, answer)

    def send(self, do: str, arg: str = "") -> None:
        self.table.send(do, arg)
        self.table.run()

    def log_sentences(self) -> list[str]:
        """Returns every sentence of the public log."""
        play = self.table.play
        return [self.t(line.key, **line_values(play.header.chairs, line)) for line in all_lines(play)]

    def question_pattern(self) -> str:
        """Returns the current question as the table shows it, as a regular expression."""
        homes = [node for node in audible_nodes(view(self.table.model)) if "data-home" in node.attrs]
        return r"\s*".join(map(spaces_pattern, name_parts(homes[-1])))

    def controls(self) -> list[Control]:
        """Returns the buttons that are not disabled, with the names that screen readers use."""
        found: list[Control] = []
        for node in audible_nodes(view(self.table.model)):
            if node.tag == "button" and "disabled" not in node.attrs:
                name = r"^\s*" + r"\s*".join(map(spaces_pattern, name_parts(node))) + r"\s*$"
                found.append(Control(name, sum(each.name == name for each in found), node))
        return found

    def control(self, is_it: Callable[[Node], bool], what: object) -> Control:
        for control in self.controls():
            if is_it(control.node):
                return control
        raise LookupError(f"{self.session.question.key}: no button for {what}")

    def toggle(self, what: str) -> Control:
        """Returns the control that picks this, or puts it back."""
        return self.control(lambda node: what in node.attrs.get("data-arg", "").split(), what)

    def answer_control(self, words: str) -> Control:
        return self.control(lambda node: node.attrs.get("data-answer") == words, words)

    def picks(self, answer: Answer) -> Iterator[Control]:
        """Yields the controls to be picked before an answer can be given.

        Each is looked up when it is its turn, so the caller has to `send` every pick before it takes the next one.
        """
        yield from PICKS[self.session.game.NAME](self, answer)


def spaces_pattern(text: str) -> str:
    """Returns a regular expression for a text in which any whitespace matches: browsers collapse it."""
    return r"\s+".join(map(re.escape, text.split()))


def audible_nodes(node: Node) -> Iterator[Node]:
    """Yields a node and its descendants, except those that are hidden from screen readers."""
    attrs = node.attrs
    if "hidden" in attrs or "inert" in attrs or attrs.get("aria-hidden") == "true":
        return
    yield node
    for kid in node.kids:
        yield from audible_nodes(kid)


def name_parts(node: Node) -> list[str]:
    """Returns the parts of a control's accessible name, in the order in which browsers join them."""
    if node.attrs.get("aria-hidden") == "true" or "hidden" in node.attrs:
        return []
    if node.attrs.get("aria-label"):
        return [node.attrs["aria-label"]]
    own = [node.text] if node.text.strip() else []
    return own + [piece for kid in node.kids for piece in name_parts(kid)]


# The picks that an answer needs, by game


def _razzia(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    if answer[0] == "thieves":
        for slot in answer[1:]:
            yield twin.toggle(str(slot + 1))
    if answer[0] == "call" and not any(twin.session.table.row):
        yield twin.toggle("call")


def _bars(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    if answer[0] == "pick":
        yield twin.toggle(f"card-{answer[1]}")
    if answer[0] != "propose":
        return
    question: Any = twin.session.question
    left = list(enumerate(sorted(twin.session.table.notes[question.bar], reverse=True)))
    for other, notes in zip(question.others, answer[1:], strict=True):
        for note in notes:
            place = next(each for each in left if each[1] == note)
            left.remove(place)
            own = f"bars-note-{place[0]}"
            yield twin.control(lambda node, own=own: node.attrs.get("id") == own, own)  # type: ignore[misc]
        if notes and len(question.others) > 1:
            to = 1 + question.others.index(other)
            here = [control for control in twin.controls() if control.node.key == "here"]
            yield here[to]


def _sicilianos(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    if answer[0] in ("war", "join", "add"):
        yield twin.toggle(f"k{answer[1]}.0")
    if answer[0] in ("war", "join"):
        yield twin.toggle(f"n{answer[2]}")


def _thieves(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    question = twin.session.question
    if isinstance(question, CardPlay):
        kind = ACTION.get(answer[0], answer[1] if len(answer) > 1 else 0)
        yield twin.toggle(f"card={question.cards(twin.session.table).index(kind)}")
    elif answer[0] == "take":
        yield twin.toggle(f"take={answer[1]}.{answer[2]}")


PICKS: dict[str, Callable[[PageTwin, Answer], Iterator[Control]]] = {
    "razzia": _razzia,
    "bars": _bars,
    "sicilianos": _sicilianos,
    "thieves": _thieves,
}


def next_answer(session: Session, rnd: Random, seen: set[str]) -> Answer:
    """Returns an answer whose verb was not used yet for this question; if there is none, a random answer, with a
    preference for those that bring the end of the game nearer."""
    key, answers = session.question.key, session.answers(session.question.seats()[0])
    new = [answer for answer in answers if f"{key} {answer[0]}" not in seen]
    if new:
        return rnd.choice(new)
    laid = [answer for answer in answers if answer[0] in ("war", "join")]
    if laid and rnd.random() < 0.8:  # with a high note: a war that costs much
        return max(laid, key=lambda answer: int(answer[2]))
    if session.game.NAME == "razzia" and any(answer[0] == "draw" for answer in answers) and rnd.random() < 0.7:
        return ("draw",)
    return rnd.choice(answers)


#: for each game a set-up link whose game is short and asks nearly every question
SHORT_GAMES = {
    "razzia": "play=razzia&seats=p,b1&seed=w201&deck="
    + "ring:2,watch:0,brooch:0,necklace:0,diamond:0,coin:3,thief:20,driver:2,car:4,bodyguard:4,casino:0,transport:0,"
    + "film:0,racetrack:0,estate:0,nightclub:0,restaurant:0,police:40",
    "bars": "play=bars&seats=p,p,b1,b1&seed=w74&first_dealer=chosen&notes=5:4,10:5,15:0,20:5,25:4,30:0,40:0,50:3",
    "sicilianos": "play=sicilianos&seats=p,b1,b1&seed=w1282",
    "thieves": "play=thieves&seats=p,b1,b1&seed=w650&deck=getaway:14&alarm=one_each&thief=may_let_go",
}
