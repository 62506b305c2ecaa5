"""Who is asked, and who may look: several people at one device, with cards that are not for everybody.

A person at the device has eyes on the table once the device was handed over and the curtain lifted; until then, and
whenever somebody else is asked, the table is drawn as a spectator sees it. Whether there is anything to hide is asked
of the game, every time: what a seat's view, or its answer, has that everybody's has not.
"""

from __future__ import annotations

from engine.core import NATURE, SPECTATOR, Beat
from engine.seats import PERSON
from engine.session import Session
from ui.boards import Context, Line
from ui.model import Header, Model, Play, Settings
from ui.text.i18n import Texts


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


def takes_back(model: Model) -> bool:
    """Whether moves may be taken back here. By link what the others have seen stays."""
    return model.settings.undo == "on" and model.play is not None and model.play.door is None


def can_undo(model: Model) -> int | None:
    """The seat whose last answer may be taken back, if a person sits there."""
    play = model.play
    if play is None or not takes_back(model):
        return None
    chairs = enumerate(play.header.chairs)
    return next((seat for seat, chair in chairs if chair.plays == PERSON and play.session.can_undo(seat)), None)


def flat(play: Play) -> list[Line]:
    """The whole log: what the entries told, and between them what changed about the seats."""
    if not play.notes:
        return [line for lines in play.lines for line in lines]
    found: list[Line] = []
    notes = sorted(play.notes, key=lambda note: note.at)
    for at, lines in enumerate((*play.lines, ())):
        while notes and notes[0].at <= at:
            found.append(notes.pop(0).line)
        found += lines
    return found


def place(model: Model, save: Header) -> tuple[str, str, int]:
    """What a save's facts are found under: another entry, or another language, and they are others."""
    return model.t.language, save.id, save.entries


#: clockwise, from the edge where the top bar stands upright
EDGES = ("near", "left", "far", "right")


#: where a device with room for two edges only puts who sits there
SMALL = ("near", "near", "far", "far")


#: by the number of seats: where each sits unless people say otherwise
AROUND = {1: "0", 2: "02", 3: "013", 4: "0123", 5: "00123", 6: "001223", 7: "0011223", 8: "00112233"}


def edges(settings: Settings, seats: int) -> tuple[int, ...]:
    """The edge of every seat."""
    return tuple(map(int, settings.edges if len(settings.edges) == seats else AROUND[seats]))


def facing(settings: Settings, play: Play) -> int:
    """How far the table is turned, in degrees clockwise."""
    return 90 * edges(settings, len(play.header.chairs))[play.viewer] if settings.top == "on" else 0
