"""Functions that derive values from the model: the seat that is asked, and whose view of the table is drawn.

Several people may share one device, and some cards are not for everybody. A person's own view is drawn only after the
device was handed over and the curtain was lifted. Until then, and whenever another seat is asked, the table is drawn as
a spectator sees it. The game itself decides each time if there is anything to hide: something in a seat's view, or in
its answers, that a spectator may not see.
"""

from __future__ import annotations

from engine.core import NATURE, SPECTATOR, Beat
from engine.seats import PERSON
from engine.session import Session
from ui.boards import Context, Line
from ui.model import Header, Model, Play, Settings
from ui.text.i18n import Texts


def asked(session: Session) -> int | None:
    """Returns the seat the table waits for: NATURE, the first of the seats that are asked, or None."""
    return next(iter(session.question.seats()), None)


def turn(play: Play) -> int | None:
    """Returns the seat the people at this device wait for. In a game by link several seats may answer in any order: a
    person at this device goes first."""
    seats = play.session.question.seats()
    here = (seat for seat in seats if play.door is not None and person(play, seat))
    return next(here, asked(play.session))


def people(play: Play) -> list[int]:
    """Returns the seats that are played by people at this device."""
    return [seat for seat, chair in enumerate(play.header.chairs) if chair.plays == PERSON]


def person(play: Play, seat: int | None) -> bool:
    return seat is not None and seat >= 0 and play.header.chairs[seat].plays == PERSON


def private(session: Session, seat: int) -> bool:
    """Returns True if the seat's view, or one of its possible answers, has something that a spectator may not see."""
    if session.view(seat) != session.view(SPECTATOR):
        return True
    mask = session.question.mask
    return any(mask(seat, answer, SPECTATOR) != answer for answer in session.answers(seat))


def covered(play: Play) -> int | None:
    """Returns the seat of the person to whom the device must be handed: the curtain is down. None: no curtain."""
    seat = turn(play)
    if seat is None or not person(play, seat) or play.eyes == seat or not private(play.session, seat):
        return None
    return seat


def sight(play: Play) -> int:
    """Returns the seat whose view is drawn, or SPECTATOR. One person alone always sees the own cards. Among several
    people they are visible only while their owner is asked, or while chance answers right after the owner did. Beats
    are shown to all of them, as a spectator sees the table."""
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
    """Returns the seat that answered last, not counting chance."""
    return next((seat for seat, _ in reversed(session.log) if seat != NATURE), None)


def coverable(play: Play) -> bool:
    """Returns True if the person may put the curtain down again: there are other people, and something to hide."""
    eyes = play.eyes
    return eyes is not None and sight(play) == eyes and len(people(play)) > 1 and private(play.session, eyes)


def look(play: Play) -> None:
    """Turns the table to the person who is asked. If that is another person, the curtain no longer counts as lifted."""
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
    """Returns what the board may know now, without what the viewer may not see."""
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
    """Returns True if moves may be taken back at this table. In a game by link they may not: others have seen them."""
    return model.settings.undo == "on" and model.play is not None and model.play.door is None


def can_undo(model: Model) -> int | None:
    """Returns the seat of a person whose last answer may be taken back, or None."""
    play = model.play
    if play is None or not takes_back(model):
        return None
    chairs = enumerate(play.header.chairs)
    return next((seat for seat, chair in chairs if chair.plays == PERSON and play.session.can_undo(seat)), None)


def flat(play: Play) -> list[Line]:
    """Returns all lines of the log: those of the entries, and between them the notes about changes of seats."""
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
    """Returns the key of a save's status: it depends on the language and on the number of records."""
    return model.t.language, save.id, save.entries


#: the edges of the device, clockwise from the one where the top bar can be read
EDGES = ("near", "left", "far", "right")


#: the edge used in place of each of these, on a device with room for two edges only
SMALL = ("near", "near", "far", "far")


#: by the number of seats: the default edge of each seat, as an index into `EDGES`
AROUND = {1: "0", 2: "02", 3: "013", 4: "0123", 5: "00123", 6: "001223", 7: "0011223", 8: "00112233"}


def edges(settings: Settings, seats: int) -> tuple[int, ...]:
    """Returns the edge of every seat, as an index into `EDGES`."""
    return tuple(map(int, settings.edges if len(settings.edges) == seats else AROUND[seats]))


def facing(settings: Settings, play: Play) -> int:
    """Returns the angle by which the table is turned, in degrees clockwise."""
    return 90 * edges(settings, len(play.header.chairs))[play.viewer] if settings.top == "on" else 0
