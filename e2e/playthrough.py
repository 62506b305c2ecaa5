"""Plays a game on the page by the roles and names of its controls, together with the same program in CPython.

The twin runs the page's own model and view without a browser. It says which controls lead to an answer and how each is
named; on the page they are found by that name alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from playwright.sync_api import Locator, Page

from e2e import games
from engine import notation
from engine.core import Answer
from engine.session import Session
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

    def offers(self, words: str) -> bool:
        """Returns True if a button gives this answer now."""
        return any(control.node.attrs.get("data-answer") == words for control in self.controls())

    def picks(self, answer: Answer) -> Iterator[Control]:
        """Yields the controls to be picked before an answer can be given.

        Each is looked up when it is its turn, so the caller has to `send` every pick before it takes the next one.
        """
        yield from games.own(self.session.game.NAME, "picks", one_pick)(self, answer)


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


def game_against_bots(game: str, seed: str) -> str:
    """Returns a set-up link of the game for a person and as few bots as possible."""
    seats = ["p"] + ["b1"] * (PLAYABLE.seats[game][0] - 1)
    return f"play={game}&seats={','.join(seats)}&seed={seed}"


#: for each game a set-up link of a short game
SHORT_GAMES: dict[str, str] = {game: games.own(game, "SHORT_GAME", game_against_bots(game, "w1")) for game in PLAYABLE}


def one_pick(twin: PageTwin, answer: Answer) -> Iterator[Control]:
    """Yields the control to be picked before an answer can be given, if there has to be one."""
    words = twin.words(answer)
    if twin.offers(words):
        return
    for control in twin.controls():
        if control.node.attrs.get("data-do") == "pick":
            twin.send("pick", control.node.attrs["data-arg"])
            leads_there = twin.offers(words)
            twin.send("pick", control.node.attrs["data-arg"])
            if leads_there:
                yield control
                return
    raise LookupError(f"{twin.session.question.key}: no button that leads to {words}")


def next_answer(session: Session, rnd: Random, seen: set[str]) -> Answer:
    """Returns an answer whose verb was not used yet for this question; if there is none, a random answer, or one that
    brings the end of the game nearer."""
    key, answers = session.question.key, session.answers(session.question.seats()[0])
    new = [answer for answer in answers if f"{key} {answer[0]}" not in seen]
    if new:
        return rnd.choice(new)
    hasten = games.own(session.game.NAME, "hasten", None)
    return (hasten and hasten(answers, rnd)) or rnd.choice(answers)
