"""Games of sicilianos for the tests of its table: by hand or at random, and what a board may know of them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine import GAMES, notation
from engine.core import Answer
from engine.dealers import Seeded
from engine.session import Session
from tools.build import catalogue
from tools.places import ROOT
from ui.boards import EMBLEMS, Chair, Context, board
from ui.i18n import Texts
from ui.tree import Node

SICILIANOS = GAMES["sicilianos"]
BOARD = board("sicilianos")
ENGLISH = ROOT / "assets" / "lang" / "en"
T = Texts("en", catalogue(ENGLISH))
HOUSES: dict[str, Mapping[str, Any]] = {
    "book": {},
    "house": {
        "stake": "open",
        "lone_starter": "nothing",
        "different": "sets",
        "deck": {"yellow-5": 4, "blue-8": 3, "red-1": 0},
        "targets": {"yellow-yellow": 1, "blue-red": 0},
        "businesses": {"green-laundry": 0, "green-antiques": 0, "white-antiques": 3},
    },
}
NAMES = ("Theo", "Vera", "Milo", "Ines", "Bruno", "Ada")


def chairs(seats: int, plays: str = "p") -> tuple[Chair, ...]:
    return tuple(Chair(NAMES[seat], EMBLEMS[seat], plays) for seat in range(seats))


def context(
    session: Session, *, viewer: int | None = None, plays: str = "p", picked: str = "", unfolded: str = ""
) -> Context:
    """What the board may know: with the asked person's eyes, or with somebody else's, who then only watches."""
    asked = next(iter(session.question.seats()), None)
    seated = asked is not None and asked >= 0
    eyes = viewer if viewer is not None else asked if seated and asked is not None else 0
    yours = seated and plays == "p" and eyes == asked
    return Context(
        t=T,
        game=SICILIANOS,
        options=session.options,
        chairs=chairs(session.seats, plays),
        viewer=eyes,
        view=session.view(eyes),
        question=session.question,
        asked=asked,
        yours=yours,
        answers=session.answers(eyes) if yours else (),
        log=session.masked(eyes),
        picked=frozenset(picked.split()),
        unfolded=frozenset(unfolded.split()),
    )


def played(seats: int, seed: int, options: Mapping[str, Any] | None = None, *, rolls: float = 0.3) -> Iterator[Session]:
    """A random game, given out before every entry and once more when it is over. Seats roll as often as that."""
    session, rnd = Session(SICILIANOS, seats, options or {}), Random(seed)
    while not session.over:
        yield session
        if not session.deal(Seeded(seed)):
            seat = session.question.seat
            answers = session.answers(seat)
            session.do(seat, ("roll",) if ("roll",) in answers and rnd.random() < rolls else rnd.choice(answers))
    yield session


def some(sessions: Iterator[Session], most: int) -> Iterator[Session]:
    """Of a game only the first tables of every question: so many, and the last one."""
    met: Counter[str] = Counter()
    for session in sessions:
        met[session.question.key] += 1
        if session.over or met[session.question.key] <= most:
            yield session


def words(answer: Answer) -> str:
    return notation.text(SICILIANOS.WORDS, answer)


def every(node: Node) -> Iterator[Node]:
    yield node
    for kid in node.kids:
        yield from every(kid)


def offered(node: Node) -> set[str]:
    """The answers a person can give on what is shown."""
    return {each.attrs["data-answer"] for each in every(node) if "data-answer" in each.attrs}


def legal(session: Session) -> set[str]:
    return set(map(words, session.answers(session.question.seat)))


def toggles(node: Node) -> dict[str, str]:
    """What can be picked, and what a tap on it sends."""
    found = {}
    for each in every(node):
        if each.attrs.get("data-do") == "pick":
            what = each.attrs["data-arg"]
            found[what.split()[0]] = what
    return found


def texts_in(node: Node) -> Iterator[str]:
    for each in every(node):
        yield each.text
        yield from (value for name, value in each.attrs.items() if name == "aria-label")
