"""Games of razzia for the tests of its table: by hand or at random, and what a board may know of them."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine import GAMES, notation
from engine.dealers import Scripted, Seeded
from engine.razzia import box
from engine.razzia.rules import Cards
from engine.session import Session
from tools.build import catalogue
from tools.places import ROOT
from ui.boards import EMBLEMS, Chair, Context, board
from ui.boards.razzia_cards import counts
from ui.i18n import Texts
from ui.tree import Node

RAZZIA = GAMES["razzia"]
BOARD = board("razzia")
ENGLISH = ROOT / "assets" / "lang" / "en"
T = Texts("en", catalogue(ENGLISH))
NAMES = ("Theo", "Vera", "Milo", "Ines", "Bruno")


def chairs(seats: int, plays: str = "p") -> tuple[Chair, ...]:
    return tuple(Chair(NAMES[seat], EMBLEMS[seat], plays) for seat in range(seats))


def context(session: Session, *, plays: str = "p", picked: str = "", unfolded: str = "", t: Texts = T) -> Context:
    """What the board may know, with the asked person's eyes."""
    asked = next(iter(session.question.seats()), None)
    seated = asked is not None and asked >= 0
    viewer = asked if seated and asked is not None else 0
    yours = seated and plays == "p"
    return Context(
        t=t,
        game=RAZZIA,
        options=session.options,
        chairs=chairs(session.seats, plays),
        viewer=viewer,
        view=session.view(viewer),
        question=session.question,
        asked=asked,
        yours=yours,
        answers=session.answers(viewer) if yours else (),
        log=session.masked(viewer),
        picked=frozenset(picked.split()),
        unfolded=frozenset(unfolded.split()),
    )


def played(seats: int, seed: int, options: Mapping[str, Any] | None = None) -> Iterator[Session]:
    """A random game, given out before every entry and once more when it is over."""
    session, rnd = Session(RAZZIA, seats, options or {}), Random(seed)
    while not session.over:
        yield session
        if not session.deal(Seeded(seed)):
            seat = session.question.seat
            session.do(seat, rnd.choice(session.answers(seat)))
    yield session


def scripted(seats: int, *entries: str, options: Mapping[str, Any] | None = None) -> Session:
    """A game by hand: hands in seat order, then answers; cards by their names."""
    session = Session(RAZZIA, seats, options or {})
    hands = ("hands", *(hand[0] for hand in box.HANDS[seats]))
    session.deal(Scripted([hands]))
    for words in entries:
        answer = notation.parse(RAZZIA.WORDS, words)
        session.do(session.question.seat, answer)
    return session


def every(node: Node) -> Iterator[Node]:
    yield node
    for kid in node.kids:
        yield from every(kid)


def offered(node: Node) -> set[str]:
    """The answers a person can give on what is shown."""
    return {each.attrs["data-answer"] for each in every(node) if "data-answer" in each.attrs}


def legal(session: Session) -> set[str]:
    return {notation.text(RAZZIA.WORDS, answer) for answer in session.answers(session.question.seat)}


def texts_in(node: Node) -> Iterator[str]:
    for each in every(node):
        yield each.text
        yield from (value for name, value in each.attrs.items() if name == "aria-label")


def family(**cards: int) -> Cards:
    kinds = {name: kind for kind, name in box.NAMES.items()}
    return counts(kinds[name] for name, count in cards.items() for _ in range(count))
