"""Who is asked, and who may look: several people at one device, with cards that are not for everybody.

A person at the device has eyes on the table once the device was handed over and the curtain lifted; until then, and
whenever somebody else is asked, the table is drawn as a spectator sees it. Whether there is anything to hide is asked
of the game, every time: what a seat's view, or its answer, has that everybody's has not.
"""

from __future__ import annotations

from engine.core import NATURE, SPECTATOR, Beat
from engine.session import Session
from ui.boards import PERSON, Context
from ui.i18n import Texts
from ui.model import Play


def asked(session: Session) -> int | None:
    """The seat the table waits for: NATURE, the first of those asked, or nobody."""
    return next(iter(session.question.seats()), None)


def turn(play: Play) -> int | None:
    """The seat the people here wait for. By link the others answer when they like: somebody here goes first."""
    seats = play.session.question.seats()
    here = (seat for seat in seats if play.door is not None and person(play, seat))
    return next(here, asked(play.session))


def people(play: Play) -> list[int]:
    """The seats where somebody sits."""
    return [seat for seat, chair in enumerate(play.header.chairs) if chair.plays == PERSON]


def person(play: Play, seat: int | None) -> bool:
    return seat is not None and seat >= 0 and play.header.chairs[seat].plays == PERSON


def private(session: Session, seat: int) -> bool:
    """Does the seat see something that not everybody sees, or is it to answer something not everybody may hear?"""
    if session.view(seat) != session.view(SPECTATOR):
        return True
    mask = session.question.mask
    return any(mask(seat, answer, SPECTATOR) != answer for answer in session.answers(seat))


def covered(play: Play) -> int | None:
    """The person the device is to be handed to: the curtain is down until it is lifted. None: no curtain."""
    seat = turn(play)
    if seat is None or not person(play, seat) or play.eyes == seat or not private(play.session, seat):
        return None
    return seat


def sight(play: Play) -> int:
    """Whose view is drawn. One person alone always sees the own cards. Among several they are on show only while
    their owner is asked, or waits for the card that chance brings; what everybody watches, everybody watches."""
    eyes, session = play.eyes, play.session
    if eyes is None or not person(play, eyes):
        return SPECTATOR
    seat = turn(play)
    if seat == eyes or people(play) == [eyes]:
        return eyes
    if seat == NATURE and not isinstance(session.question, Beat) and _last(session) == eyes:
        return eyes
    return SPECTATOR


def _last(session: Session) -> int | None:
    """Who answered last, chance apart."""
    return next((seat for seat, _ in reversed(session.log) if seat != NATURE), None)


def coverable(play: Play) -> bool:
    """May the person who looks put the curtain down again? Where others sit, and there is something to hide."""
    eyes = play.eyes
    return eyes is not None and sight(play) == eyes and len(people(play)) > 1 and private(play.session, eyes)


def look(play: Play) -> None:
    """The table turns to the person who is asked. Who looked before looks no more, once another person is asked."""
    seat = turn(play)
    if seat is None or not person(play, seat):
        return
    play.viewer = seat
    if play.door is not None:
        play.session = play.door.session(seat)
    if play.eyes != seat:
        play.eyes = None
    if covered(play) is not None:
        play.picked = play.unfolded = frozenset()


def context(play: Play, t: Texts) -> Context:
    """What the board may know now."""
    session = play.session
    seat, eyes = turn(play), sight(play)
    yours = person(play, seat) and play.pending is None and covered(play) is None
    return Context(
        t=t,
        game=session.game,
        options=session.options,
        chairs=play.header.chairs,
        viewer=play.viewer,
        view=session.view(eyes),
        question=session.question,
        asked=seat,
        yours=yours,
        answers=session.answers(seat) if yours and seat is not None else (),
        log=session.masked(eyes),
        picked=play.picked,
        unfolded=play.unfolded,
        resting=play.waiting,
    )
