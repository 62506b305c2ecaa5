"""Games of thieves for the tests of its table: by hand or at random, and what a board may know of them."""

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

THIEVES = GAMES["thieves"]
BOARD = board("thieves")
ENGLISH = ROOT / "assets" / "lang" / "en"
T = Texts("en", catalogue(ENGLISH))
NAMES = ("Theo", "Vera", "Milo", "Ines", "Bruno", "Ada")


def chairs(seats: int, plays: str = "p") -> tuple[Chair, ...]:
    return tuple(Chair(NAMES[seat], EMBLEMS[seat], plays) for seat in range(seats))


def context(
    session: Session, viewer: int | None = None, *, plays: str = "p", picked: str = "", unfolded: str = ""
) -> Context:
    """What the board may know: with the asked person's eyes, or with those of `viewer`, who only watches."""
    asked = next(iter(session.question.seats()), None)
    seated = asked is not None and asked >= 0
    if viewer is None:
        viewer = asked if seated and asked is not None else 0
    yours = seated and plays == "p" and viewer == asked
    return Context(
        t=T,
        game=THIEVES,
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


def curtained(session: Session) -> Context:
    """The seat that is asked at the bottom, and only what everybody may see."""
    asked = next(iter(session.question.seats()), None)
    viewer = asked if asked is not None and asked >= 0 else 0
    return Context(
        T, THIEVES, session.options, chairs(session.seats), viewer, session.view(SPECTATOR), session.question,
        asked, False, (), session.masked(SPECTATOR), frozenset(), frozenset(),
    )  # fmt: skip


def played(seats: int, seed: int, options: Mapping[str, Any] | None = None) -> Iterator[Session]:
    """A random game, given out before every entry and once more when it is over."""
    session, rnd = Session(THIEVES, seats, options or {}), Random(seed)
    while not session.over:
        yield session
        if not session.deal(Seeded(f"{seed}")):
            seat = session.question.seat
            session.do(seat, rnd.choice(session.answers(seat)))
    yield session


def scripted(seats: int, *entries: str, options: Mapping[str, Any] | None = None) -> Session:
    """A game by hand: every entry in words, NATURE's too; beats answer for themselves."""
    session = Session(THIEVES, seats, options or {})
    for words in entries:
        session.do(session.question.seat, notation.parse(THIEVES.WORDS, words))
    return session


def random_rules(rnd: Random) -> dict[str, Any]:
    return {option.name: rnd.choice(option.choices) for option in THIEVES.OPTIONS if hasattr(option, "choices")}


def every(node: Node) -> Iterator[Node]:
    yield node
    for kid in node.kids:
        yield from every(kid)


def offered(node: Node) -> set[str]:
    """The answers a person can give on what is shown."""
    return {each.attrs["data-answer"] for each in every(node) if "data-answer" in each.attrs}


def by_button(node: Node) -> set[str]:
    """The same, without what is for pointers only."""
    return {each.attrs["data-answer"] for each in every(node) if "data-answer" in each.attrs and each.tag == "button"}


def toggles(node: Node) -> list[str]:
    return [each.attrs["data-arg"] for each in every(node) if each.attrs.get("data-do") == "pick"]


def legal(session: Session) -> set[str]:
    return {notation.text(THIEVES.WORDS, answer) for answer in session.answers(session.question.seat)}


def texts_in(node: Node) -> Iterator[str]:
    for each in every(node):
        yield each.text
        yield from (value for name, value in each.attrs.items() if name == "aria-label")


def whole(node: Node) -> str:
    """All there is to a drawing: elements, keys, attributes, texts."""
    return f"<{node.tag} {node.key} {sorted(node.attrs.items())}>{node.text}{''.join(map(whole, node.kids))}</>"
