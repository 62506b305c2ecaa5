"""A game in a terminal: the table in notation, with numbered answers. People count seats from 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random, SystemRandom

from engine import bots, notation
from engine.cli import sentences
from engine.cli.sentences import seat_text
from engine.core import NATURE, SPECTATOR, Dealer, Game, Refused
from engine.dealers import Host, Seeded
from engine.options import Options
from engine.session import Session
from engine.values import SeatOf

PERSON = "p"
SHOWN = 40  # listed answers; others can be typed


def play(game: Game, seats: int, options: Options, players: Sequence[str], seed: str | None) -> Session:
    """Plays a game with people and bots until it is over, or until a person leaves with `quit` or the end of input."""
    session = Session(game, seats, options)
    dealer: Dealer = Host() if seed is None else Seeded(seed)
    think: Random = SystemRandom() if seed is None else Random(f"{seed}/think")
    policies = [None if name == PERSON else bots.policy(game, name) for name in players]
    while not session.over:
        shown = len(session.log)
        seat = session.question.seat
        if seat == NATURE:
            session.deal(dealer)
        elif (choose := policies[seat]) is not None:
            session.do(seat, choose(session.question, session.view(seat), seat, think))
        elif not ask(session, seat):
            return session
        people = [seat for seat, name in enumerate(players) if name == PERSON]
        viewer = people[0] if len(people) == 1 else SPECTATOR
        if len(session.log) > shown:
            for entry in session.masked(viewer, shown):
                print("   " + entry_text(session, *entry))
    print("\n".join(session.game.lines(session.table)))
    print(f"scores {session.game.scores(session.table)}  winners {seats_text(session.game.winners(session.table))}")
    return session


def ask(session: Session, seat: int) -> bool:
    """Asks a person until the question is answered. Returns False if the person leaves."""
    print()
    print("\n".join(session.game.lines(session.view(seat))))
    numbered = {str(number): answer for number, answer in enumerate(session.answers(seat), 1)}
    for number, answer in islice(numbered.items(), SHOWN):
        print(f"  {number:>2} {notation.text(session.game.WORDS, answer)}")
    while True:
        try:
            line = input(f"{seat_text(seat)}, {session.question.key} (number, answer, undo, quit): ").strip()
        except EOFError:
            return False
        if line == "quit":
            return False
        try:
            if line == "undo":
                session.undo(seat)
            elif line in numbered:
                session.do(seat, numbered[line])
            else:
                session.do(seat, notation.parse(session.game.WORDS, line))
        except Refused as refused:
            print(f"  no: {sentences.sentence(refused)}")
        else:
            return True


def entry_text(session: Session, seat: int, answer: tuple[object, ...]) -> str:
    return f"{seat_text(seat)}: {notation.text(session.game.WORDS, answer)}"


def seats_text(seats: Iterable[int]) -> str:
    return ", ".join(map(seat_text, seats)) or "nobody"


def replay(session: Session, at: int | None, seat: int | None) -> Iterator[str]:
    """Yields the lines of the log as `seat` saw it (all of it if None), or of the table after `at` entries."""
    if seat is not None and seat not in range(session.seats):
        raise Refused("replay.seat", seat=SeatOf(seat), most=session.seats)
    if at is None:
        entries = session.log if seat is None else session.masked(seat)
        for number, entry in enumerate(entries, 1):
            yield f"{number:4} {entry_text(session, *entry)}"
        yield from session.game.lines(session.table if seat is None else session.view(seat))
        return
    if not 0 <= at <= len(session.log):
        raise Refused("replay.at", at=at, most=len(session.log))
    session.rewind(at)
    yield from session.game.lines(session.table if seat is None else session.view(seat))
    yield f"asked: {session.question.key}, {seats_text(session.question.seats())}"
