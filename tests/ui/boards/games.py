"""Helpers for the tests of the boards: random games, the contexts a board draws from, and questions to a drawing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import polib

from engine import GAMES, notation
from engine.core import NATURE, SPECTATOR
from engine.dealers import Seeded
from engine.seats import EMBLEMS
from engine.session import Session
from tests import samples
from tests.ui.first_screen import english
from tools.paths import ROOT
from ui.boards import Chair, Context
from ui.html.tree import Node
from ui.text.i18n import Texts

T = english()
NAMES = ("Theo", "Vera", "Milo", "Ines", "Bruno", "Olga", "Piet", "Zora")


def entries(game: str) -> dict[str, polib.POEntry]:
    """Returns the English texts of a game, by key."""
    return {entry.msgid: entry for entry in polib.pofile(str(ROOT / "assets" / "lang" / "en" / f"{game}.po"))}


# Games


def played(game: str, seats: int, seed: int, options: Mapping[str, Any] | None = None) -> Iterator[Session]:
    """Plays a random game. Yields its session, always the same one, before every entry and once more at the end."""
    session, rnd = Session(GAMES[game], seats, options or {}), Random(seed)
    while not session.over:
        yield session
        if not session.deal(Seeded(seed)):
            seat = session.question.seat
            session.do(seat, rnd.choice(session.answers(seat)))
    yield session


def first_of_each_question(sessions: Iterator[Session], count: int) -> Iterator[Session]:
    """Yields only the first `count` sessions of each question, and the one that is over. `make everything` yields
    all."""
    asked: Counter[str] = Counter()
    for session in sessions:
        asked[session.question.key] += 1
        if samples.everything or session.over or asked[session.question.key] <= count:
            yield session


def legal_answers(session: Session) -> set[str]:
    """Returns the answers of the asked seat, in notation."""
    return {notation.text(session.game.WORDS, answer) for answer in session.answers(session.question.seat)}


# Contexts


def chairs(seats: int, plays: str = "p") -> tuple[Chair, ...]:
    return tuple(Chair(NAMES[seat], EMBLEMS[seat], plays) for seat in range(seats))


def context(
    session: Session,
    viewer: int | None = None,
    *,
    plays: str = "p",
    picked: str = "",
    unfolded: str = "",
    t: Texts = T,
    sight: int | None = None,
) -> Context:
    """Returns the context of the asked seat, or of `viewer`, who may answer only if it is the asked seat.

    `sight`: draw the view of this viewer instead, which may contain less.
    """
    asked = next(iter(session.question.seats()), NATURE)
    seat = max(asked, 0) if viewer is None else viewer
    shown_to = seat if sight is None else sight
    yours = asked >= 0 and plays == "p" and shown_to == asked
    return Context(
        t=t,
        game=session.game,
        options=session.options,
        chairs=chairs(session.seats, plays),
        viewer=seat,
        view=session.view(shown_to),
        question=session.question,
        asked=None if session.over else asked,
        yours=yours,
        answers=session.answers(asked) if yours else (),
        log=session.masked_with_questions(shown_to),
        picked=frozenset(picked.split()),
        unfolded=frozenset(unfolded.split()),
    )


def under_curtain(session: Session) -> Context:
    """Returns the context while the curtain is down: the asked seat at the bottom, but the view of a spectator."""
    return context(session, sight=SPECTATOR)


# Drawings


def all_nodes(node: Node) -> Iterator[Node]:
    """Yields a node and all nodes in it, in their order on the page."""
    waiting = [node]  # a stack: nested generators would hand each node through all levels above it
    while waiting:
        each = waiting.pop()
        yield each
        if each.kids:
            waiting += reversed(each.kids)


def comparable(node: Node) -> list[tuple[str, str | None, dict[str, str], str, int]]:
    """Returns everything in a drawing, node by node. Two drawings are alike if these lists are equal."""
    return [(each.tag, each.key, each.attrs, each.text, len(each.kids)) for each in all_nodes(node)]


def values_on(node: Node, name: str) -> list[str]:
    """Returns the values of an attribute in a drawing."""
    return [each.attrs[name] for each in all_nodes(node) if name in each.attrs]


def answers_on(node: Node) -> set[str]:
    """Returns the answers that the controls of a drawing give, in notation."""
    return set(values_on(node, "data-answer"))


def picks_on(node: Node) -> list[str]:
    """Returns what the controls of a drawing pick, or put back."""
    return [each.attrs["data-arg"] for each in all_nodes(node) if each.attrs.get("data-do") == "pick"]


def texts_in(node: Node) -> Iterator[str]:
    for each in all_nodes(node):
        if each.text:
            yield each.text
        if "aria-label" in each.attrs:
            yield each.attrs["aria-label"]


def texts_with(pattern: re.Pattern[str], *drawings: Node) -> list[str]:
    """Returns the texts of the drawings in which the pattern is found."""
    texts = [text for node in drawings for text in texts_in(node)]
    if not pattern.search("\n".join(texts)):  # one search is faster than one in each of hundreds of texts
        return []
    return [text for text in texts if pattern.search(text)]
