"""Changes of seats during the game: a bot takes over from a person, or a person from a bot; new names and emblems.

A change is stored like an entry, as a record of its own, and has a line in the log at the place where it happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.bots import LEVELS
from engine.core import NATURE, Refused
from engine.seats import EMBLEMS, PERSON, checked
from ui.boards import Chair, Line
from ui.messages import Commands, Msg
from ui.model import Change, Model, Note, Play
from ui.refusals import refusal
from ui.saves.saved_game import keep, write_changes
from ui.selectors import asked, look, people
from ui.text.i18n import Ref


def line(change: Change) -> Line:
    """Returns the line of the log for a change."""
    seat, field, old, new = change
    if field == "name":
        return Line(NATURE, "people.log.name", {"old": old, "new": new})
    if field == "emblem":
        return Line(seat, "people.log.emblem", {"emblem": Ref(f"emblem.{new}")})
    if new == PERSON:
        return Line(seat, "people.log.person", {})
    return Line(seat, "people.log.bot", {"level": Ref(f"bot.{new}")})


def notes(changes: Sequence[tuple[int, Change]]) -> list[Note]:
    """Returns notes for the changes of a game that is taken up again, each given with the number of entries before."""
    return [Note(at, line(change)) for at, change in changes]


def seated(chairs: tuple[Chair, ...], changes: Sequence[Change]) -> tuple[Chair, ...]:
    """Returns the chairs after the changes."""
    found = list(chairs)
    for seat, field, _, new in changes:
        found[seat] = replace(found[seat], **{field: new})
    return tuple(found)


def _changing(wanted: Callable[[Play, int, str], list[Change]]) -> Callable[[Model, Msg], Commands]:
    """Returns the handler of a change. `arg` is the seat. The change is stored before it is shown, like an entry."""

    def handle(model: Model, msg: Msg) -> Commands:
        play = model.play
        if play is None or play.pending is not None or play.door is not None:
            return []
        if not (msg.arg.isascii() and msg.arg.isdigit() and int(msg.arg) < len(play.header.chairs)):
            return []
        try:
            changes = tuple(wanted(play, int(msg.arg), msg.value))
        except Refused as refused:
            model.notice = refusal(refused)
            return []
        if not changes:
            return []
        model.hush()
        play.turn += 1  # the answer of a bot that is thinking is ignored
        play.waiting = play.thinking = False
        play.pending = changes
        play.header = replace(play.header, chairs=seated(play.header.chairs, changes))
        play.drawn.clear()
        return [keep(play, write_changes(changes), asked(play.session))]

    return handle


def changed(play: Play, changes: Sequence[Change]) -> None:
    """Adds the notes of changes that were stored, and turns the table to the person who is asked now."""
    play.notes += [Note(len(play.session.log), line(change)) for change in changes]
    here = people(play)
    if play.eyes not in here:
        play.eyes = None
    if here and play.viewer not in here:
        play.viewer = here[0]
    look(play)


def _name(play: Play, seat: int, value: str) -> list[Change]:
    chairs = play.header.chairs
    new = checked(value, (chair.name for other, chair in enumerate(chairs) if other != seat))
    old = chairs[seat].name
    return [Change(seat, "name", old, new)] if new != old else []


def _plays(play: Play, seat: int, value: str) -> list[Change]:
    old = play.header.chairs[seat].plays
    return [Change(seat, "plays", old, value)] if value in (PERSON, *LEVELS) and value != old else []


def _emblem(play: Play, seat: int, value: str) -> list[Change]:
    """Exchanges the emblem with the seat that has it, if any."""
    chairs = play.header.chairs
    old = chairs[seat].emblem
    if value not in EMBLEMS or value == old:
        return []
    given = [Change(other, "emblem", value, old) for other, chair in enumerate(chairs) if chair.emblem == value]
    return [Change(seat, "emblem", old, value), *given]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    "chair.name": _changing(_name),
    "chair.plays": _changing(_plays),
    "chair.emblem": _changing(_emblem),
}
