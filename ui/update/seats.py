"""Changes of seats during the game: a bot takes over from a person, or a person from a bot; new names and emblems.

A change is stored like an entry, as a record of its own, and has a line in the log at the place where it happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.bots import LEVELS
from engine.core import NATURE, Refused
from engine.seats import EMBLEMS, PERSON, checked_name
from ui.boards import Chair, Line
from ui.messages import Commands, Msg
from ui.model import Change, ChangeSeats, Keeping, Model, Note, Play
from ui.refusals import at_table, refusal
from ui.saves.saved_game import keep_command, write_changes
from ui.selectors import asked, is_busy, people_seats, rest_left, seat_named
from ui.text.i18n import Ref
from ui.update.curtain import turn_to_asked


def change_line(change: Change) -> Line:
    """Returns the line of the log for a change."""
    seat, field, old, new = change
    if field == "name":
        return Line(NATURE, "people.log.name", {"old": old, "new": new})
    if field == "emblem":
        return Line(seat, "people.log.emblem", {"emblem": Ref(f"emblem.{new}")})
    if new == PERSON:
        return Line(seat, "people.log.person", {})
    return Line(seat, "people.log.bot", {"level": Ref(f"bot.{new}")})


def change_notes(changes: Sequence[tuple[int, Change]]) -> list[Note]:
    """Returns notes for the changes of a game that is taken up again, each given with the number of entries before."""
    return [Note(at, change_line(change)) for at, change in changes]


def with_changes(chairs: tuple[Chair, ...], changes: Sequence[Change]) -> tuple[Chair, ...]:
    """Returns the chairs after the changes."""
    result = list(chairs)
    for seat, field, _, new in changes:
        result[seat] = replace(result[seat], **{field: new})
    return tuple(result)


def _change_handler(find_changes: Callable[[Play, int, str], list[Change]]) -> Callable[[Model, Msg], Commands]:
    """Returns the handler of a change. `arg` is the seat. The change is stored before it is shown, like an entry."""

    def handle(model: Model, msg: Msg) -> Commands:
        play = model.play
        if play is None or is_busy(play) or play.remote is not None:
            return []
        seat = seat_named(msg.arg, len(play.header.chairs))
        if seat is None:
            return []
        try:
            changes = tuple(find_changes(play, seat, msg.value))
        except Refused as refused:
            model.notice = refusal(refused, at_table(model))
            return []
        if not changes:
            return []
        model.clear_notice()
        play.stage = Keeping(ChangeSeats(changes, rest_left(play)))  # the answer of a bot that is thinking is ignored
        play.header = replace(play.header, chairs=with_changes(play.header.chairs, changes))
        return [keep_command(play, write_changes(changes), asked(play.session))]

    return handle


def apply_changes(play: Play, changes: Sequence[Change]) -> None:
    """Adds the notes of changes that were stored, and turns the table to the person who is asked now."""
    play.notes += [Note(len(play.session.log), change_line(change)) for change in changes]
    persons = people_seats(play)
    if play.revealed_to not in persons:
        play.revealed_to = None
    if persons and play.viewer not in persons:
        play.viewer = persons[0]
    turn_to_asked(play)


def _name(play: Play, seat: int, value: str) -> list[Change]:
    chairs = play.header.chairs
    new = checked_name(value, (chair.name for other, chair in enumerate(chairs) if other != seat))
    old = chairs[seat].name
    return [Change(seat, "name", old, new)] if new != old else []


def _plays(play: Play, seat: int, value: str) -> list[Change]:
    old = play.header.chairs[seat].plays
    return [Change(seat, "plays", old, value)] if value in (PERSON, *LEVELS) and value != old else []


def _emblem(play: Play, seat: int, value: str) -> list[Change]:
    return emblem_changes(play.header.chairs, seat, value)


def emblem_changes(chairs: Sequence[Chair], seat: int, value: str) -> list[Change]:
    """Returns the changes that give a seat this emblem. The seat that has it, if any, gets the old one."""
    old = chairs[seat].emblem
    if value not in EMBLEMS or value == old:
        return []
    exchanged = [Change(other, "emblem", value, old) for other, chair in enumerate(chairs) if chair.emblem == value]
    return [Change(seat, "emblem", old, value), *exchanged]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    "chair.name": _change_handler(_name),
    "chair.plays": _change_handler(_plays),
    "chair.emblem": _change_handler(_emblem),
}
