"""Functions that derive values from the model and change nothing: the seat that is asked, whose view of the table is
drawn, what the board may know, whose answer may be taken back, and the lines of the log.

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
from ui.model import NO_REST, Header, Keeping, Model, Play, Rest, Resting
from ui.text.i18n import Texts


def asked(session: Session) -> int | None:
    """Returns the seat the table waits for: NATURE, the first of the seats that are asked, or None."""
    return next(iter(session.question.seats()), None)


def asked_here(play: Play) -> int | None:
    """Returns the seat the people at this device wait for. In a game by link several seats may answer in any order: a
    person at this device goes first."""
    seats = play.session.question.seats()
    own_seats = (seat for seat in seats if play.remote is not None and is_person(play, seat))
    return next(own_seats, asked(play.session))


def is_resting(play: Play) -> bool:
    """Returns True while the table rests after its last entry; a tap ends that."""
    return isinstance(play.stage, Resting)


def rest_left(play: Play) -> Rest:
    """Returns the rest that is not over yet. If it is interrupted, it begins again from its start."""
    return play.stage.rest if isinstance(play.stage, Resting) else NO_REST


def is_busy(play: Play) -> bool:
    """Returns True while an answer or a change is being stored or sent, so that no other one may be given."""
    return isinstance(play.stage, Keeping) or (play.remote is not None and play.remote.sent is not None)


def people_seats(play: Play) -> list[int]:
    """Returns the seats that are played by people at this device."""
    return [seat for seat, chair in enumerate(play.header.chairs) if chair.plays == PERSON]


def is_person(play: Play, seat: int | None) -> bool:
    return seat is not None and seat >= 0 and play.header.chairs[seat].plays == PERSON


def has_secrets(session: Session, seat: int) -> bool:
    """Returns True if the seat's view, or one of its possible answers, has something that a spectator may not see."""
    if session.view(seat) != session.view(SPECTATOR):
        return True
    mask = session.question.mask
    return any(mask(seat, answer, SPECTATOR) != answer for answer in session.answers(seat))


def curtain_seat(play: Play) -> int | None:
    """Returns the seat of the person to whom the device must be handed: the curtain is down. None: no curtain."""
    seat = asked_here(play)
    if seat is None or not is_person(play, seat) or play.revealed_to == seat or not has_secrets(play.session, seat):
        return None
    return seat


def view_seat(play: Play) -> int:
    """Returns the seat whose view is drawn, or SPECTATOR. One person alone always sees the own cards. Among several
    people they are visible only while their owner is asked, or while chance answers right after the owner did. Beats
    are shown to all of them, as a spectator sees the table."""
    eyes, session = play.revealed_to, play.session
    if eyes is None or not is_person(play, eyes):
        return SPECTATOR
    seat = asked_here(play)
    if seat == eyes or people_seats(play) == [eyes]:
        return eyes
    if seat == NATURE and not isinstance(session.question, Beat) and _last_answered(session) == eyes:
        return eyes
    return SPECTATOR


def _last_answered(session: Session) -> int | None:
    """Returns the seat that answered last, not counting chance."""
    return next((seat for seat, _ in reversed(session.log) if seat != NATURE), None)


def can_cover(play: Play) -> bool:
    """Returns True if the person may put the curtain down again: there are other people, and something to hide."""
    eyes = play.revealed_to
    return (
        eyes is not None and view_seat(play) == eyes and len(people_seats(play)) > 1 and has_secrets(play.session, eyes)
    )


def context(play: Play, t: Texts) -> Context:
    """Returns what the board may know now, without what the viewer may not see."""
    session = play.session
    seat, eyes = asked_here(play), view_seat(play)
    yours = is_person(play, seat) and not is_busy(play) and curtain_seat(play) is None
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
        log=session.masked_with_questions(eyes),
        picked=play.picked,
        unfolded=play.unfolded,
        resting=is_resting(play),
    )


def undo_allowed(model: Model) -> bool:
    """Returns True if moves may be taken back at this table. In a game by link they may not: others have seen them."""
    return model.settings.undo == "on" and model.play is not None and model.play.remote is None


def undo_seat(model: Model) -> int | None:
    """Returns the seat of a person whose last answer may be taken back, or None."""
    play = model.play
    if play is None or not undo_allowed(model):
        return None
    chairs = enumerate(play.header.chairs)
    return next((seat for seat, chair in chairs if chair.plays == PERSON and play.session.can_undo(seat)), None)


def all_lines(play: Play) -> list[Line]:
    """Returns all lines of the log: those of the entries, and between them the notes about changes of seats."""
    if not play.notes:
        return [line for lines in play.lines for line in lines]
    result: list[Line] = []
    notes = sorted(play.notes, key=lambda note: note.at)
    for at, lines in enumerate((*play.lines, ())):
        while notes and notes[0].at <= at:
            result.append(notes.pop(0).line)
        result += lines
    return result


def save_key(model: Model, save: Header) -> tuple[str, str, int]:
    """Returns the key of a save's status: it depends on the language and on the number of records."""
    return model.t.language, save.id, save.entries


def seat_named(text: str, seats: int) -> int | None:
    """Returns the seat whose number a message or a dialog gives as text; None if there is no such seat."""
    return next((seat for seat in range(seats) if text == str(seat)), None)
