"""Games of bars for the tests of its table: at random or built by hand, and what a board may know of them."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine import GAMES, notation
from engine.core import SPECTATOR
from engine.dealers import Seeded
from engine.session import Session
from tools.build import catalogue
from tools.places import ROOT
from ui.boards import EMBLEMS, Chair, Context, board
from ui.i18n import Texts
from ui.tree import Node

BARS = GAMES["bars"]
BOARD = board("bars")
ENGLISH = ROOT / "assets" / "lang" / "en"
T = Texts("en", catalogue(ENGLISH))
NAMES = ("Theo", "Vera", "Milo", "Ines", "Bruno", "Olga", "Piet", "Zora")


def chairs(seats: int, plays: str = "p") -> tuple[Chair, ...]:
    return tuple(Chair(NAMES[seat], EMBLEMS[seat], plays) for seat in range(seats))


def asked(session: Session) -> int | None:
    return next(iter(session.question.seats()), None)


def context(
    session: Session, *, viewer: int | None = None, plays: str = "p", picked: str = "", unfolded: str = "", t: Texts = T
) -> Context:
    """What the board may know; without a viewer, with the asked person's eyes. A spectator may answer nothing."""
    seat = asked(session)
    seated = seat is not None and seat >= 0
    eyes = viewer if viewer is not None else seat if seated and seat is not None else 0
    yours = seated and plays == "p" and eyes != SPECTATOR
    return Context(
        t=t,
        game=BARS,
        options=session.options,
        chairs=chairs(session.seats, plays),
        viewer=eyes,
        view=session.view(eyes),
        question=session.question,
        asked=seat,
        yours=yours,
        answers=session.answers(seat) if yours and seat is not None else (),
        log=session.masked(eyes),
        picked=frozenset(picked.split()),
        unfolded=frozenset(unfolded.split()),
    )


def played(seats: int, seed: int, options: Mapping[str, Any] | None = None) -> Iterator[Session]:
    """A random game, given out before every entry and once more when it is over."""
    session, rnd = Session(BARS, seats, options or {}), Random(seed)
    while not session.over:
        yield session
        if not session.deal(Seeded(str(seed))):
            seat = session.question.seat
            session.do(seat, rnd.choice(session.answers(seat)))
    yield session


def every(node: Node) -> Iterator[Node]:
    yield node
    for kid in node.kids:
        yield from every(kid)


def offered(node: Node) -> set[str]:
    """The answers a person can give on what is shown."""
    return {each.attrs["data-answer"] for each in every(node) if "data-answer" in each.attrs}


def picks(node: Node) -> set[str]:
    """What can be picked, and put back, on what is shown."""
    return {each.attrs["data-arg"] for each in every(node) if each.attrs.get("data-do") == "pick"}


def legal(session: Session) -> set[str]:
    return {notation.text(BARS.WORDS, answer) for answer in session.answers(session.question.seat)}


def texts_in(node: Node) -> Iterator[str]:
    for each in every(node):
        yield each.text
        yield from (value for name, value in each.attrs.items() if name == "aria-label")
