"""Games for the tests of the boards: at random or by hand, what a board may know of them, and what is on a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import polib

from engine import GAMES, notation
from engine.core import NATURE, SPECTATOR
from engine.dealers import Seeded
from engine.seats import EMBLEMS
from engine.session import Session
from tests.ui.first_screen import english
from tools.places import ROOT
from ui.boards import Chair, Context
from ui.html.tree import Node
from ui.text.i18n import Texts

T = english()
NAMES = ("Theo", "Vera", "Milo", "Ines", "Bruno", "Olga", "Piet", "Zora")


def entries(game: str) -> dict[str, polib.POEntry]:
    """A game's texts in English, by their names."""
    return {entry.msgid: entry for entry in polib.pofile(str(ROOT / "assets" / "lang" / "en" / f"{game}.po"))}


# Games


def played(game: str, seats: int, seed: int, options: Mapping[str, Any] | None = None) -> Iterator[Session]:
    """A random game, given out before every entry and once more when it is over."""
    session, rnd = Session(GAMES[game], seats, options or {}), Random(seed)
    while not session.over:
        yield session
        if not session.deal(Seeded(seed)):
            seat = session.question.seat
            session.do(seat, rnd.choice(session.answers(seat)))
    yield session


def legal(session: Session) -> set[str]:
    """The answers of who is asked, in words."""
    return {notation.text(session.game.WORDS, answer) for answer in session.answers(session.question.seat)}


# What a board may know


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
    """With the asked person's eyes, or with those of `viewer`, who only watches; `sight` when they see less than that
    seat may."""
    asked = next(iter(session.question.seats()), NATURE)
    place = max(asked, 0) if viewer is None else viewer
    eyes = place if sight is None else sight
    yours = asked >= 0 and plays == "p" and eyes == asked
    return Context(
        t=t,
        game=session.game,
        options=session.options,
        chairs=chairs(session.seats, plays),
        viewer=place,
        view=session.view(eyes),
        question=session.question,
        asked=None if session.over else asked,
        yours=yours,
        answers=session.answers(asked) if yours else (),
        log=session.masked(eyes),
        picked=frozenset(picked.split()),
        unfolded=frozenset(unfolded.split()),
    )


def curtained(session: Session) -> Context:
    """The seat that is asked at the bottom, and only what everybody may see."""
    return context(session, sight=SPECTATOR)


# What is on a drawing


def every(node: Node) -> Iterator[Node]:
    yield node
    for kid in node.kids:
        yield from every(kid)


def offered(node: Node) -> set[str]:
    """The answers a person can give on what is shown."""
    return {each.attrs["data-answer"] for each in every(node) if "data-answer" in each.attrs}


def picks(node: Node) -> list[str]:
    """What can be picked, and put back, on what is shown."""
    return [each.attrs["data-arg"] for each in every(node) if each.attrs.get("data-do") == "pick"]


def texts_in(node: Node) -> Iterator[str]:
    for each in every(node):
        yield each.text
        yield from (value for name, value in each.attrs.items() if name == "aria-label")
