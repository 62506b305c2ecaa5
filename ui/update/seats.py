"""Seats change hands in mid-game: a bot plays on for a person, a person for a bot; names and emblems are put right.

A change is kept like an entry, as a record of its own between the entries, and told in the log where it happened.
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
    """The change in the log."""
    seat, field, old, new = change
    if field == "name":
        return Line(NATURE, "people.log.name", {"old": old, "new": new})
    if field == "emblem":
        return Line(seat, "people.log.emblem", {"emblem": Ref(f"emblem.{new}")})
    if new == PERSON:
        return Line(seat, "people.log.person", {})
    return Line(seat, "people.log.bot", {"level": Ref(f"bot.{new}")})


def notes(changes: Sequence[tuple[int, Change]]) -> list[Note]:
    """The changes of a game that is taken up again, each with the number of entries there were before it."""
    return [Note(at, line(change)) for at, change in changes]


def seated(chairs: tuple[Chair, ...], changes: Sequence[Change]) -> tuple[Chair, ...]:
    """The chairs after the changes."""
    found = list(chairs)
    for seat, field, _, new in changes:
        found[seat] = replace(found[seat], **{field: new})
    return tuple(found)


def _changing(wanted: Callable[[Play, int, str], list[Change]]) -> Callable[[Model, Msg], Commands]:
    """`arg` is the seat, the value what it shall be. Kept first, like everything that happens at the table."""

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
        play.turn += 1  # what a bot was thinking of is nobody's any more
        play.waiting = play.thinking = False
        play.pending = changes
        play.header = replace(play.header, chairs=seated(play.header.chairs, changes))
        play.drawn.clear()
        return [keep(play, write_changes(changes), asked(play.session))]

    return handle


def changed(play: Play, changes: Sequence[Change]) -> None:
    """The change is safe: it is told, and the table turns to whoever is asked now."""
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
    """Who has that emblem gets the other in exchange."""
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
