"""Saves as text: how a game is written, and how it is read back. A save is checked like data from a stranger.

A save is a header and a list of records, all JSON. A record is an entry as in game records, `[seat, verb, args...]`,
a take-back, `["undo", seat]`, or changes of seats, `["chairs", [seat, field, old, new], ...]`. Records are only ever
appended. Reading replays them through `Session.do`, which checks every answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import strict_json
from engine.bots import LEVELS
from engine.core import NATURE, Entry, Nonsense, Refused
from engine.notation import FirstSeat
from engine.options import is_playable
from engine.seats import EMBLEMS, PERSON, clean_name, distinct_names
from engine.session import Session
from ui.boards import PLAYABLE, Chair
from ui.messages import Keep
from ui.model import Change, Header, Play
from ui.refusals import Because
from ui.saves.setup_link import ID, SEED

#: the number of the first seat in the answers of a save, by its format
FORMATS: dict[str, FirstSeat] = {"speakeasy-save/2": 0, "speakeasy-save/1": 1}
#: the format of a newer page: its saves are not damaged, this page is too old for them
NEWER_FORMAT = re.compile(r"speakeasy-save/[1-9]\d{0,3}")
NEWER_BOT = re.compile(r"b[1-9]\d?")
LONGEST_HEADER = 16_000
LONGEST_RECORD = 2_000
MOST_RECORDS = 5_000


def write_header(header: Header) -> str:
    chairs = [{"name": c.name, "emblem": c.emblem, "plays": c.plays} for c in header.chairs]
    fields = {name: getattr(header, name) for name in _PLAIN_FIELDS}
    written_as = next(name for name, first_seat in FORMATS.items() if first_seat == header.first_seat)
    return json.dumps({"format": written_as, **fields, "chairs": chairs}, ensure_ascii=False)


def write_entry(session: Session, entry: Entry) -> str:
    return strict_json.dumps_ascii(session.record_row(entry))


def write_undo(seat: int) -> str:
    return strict_json.dumps_ascii(["undo", seat])


def write_changes(changes: Sequence[Change]) -> str:
    return strict_json.dumps_ascii(["chairs", *changes])


def keep_command(play: Play, record: str, next_seat: int | None) -> Keep:
    """Returns the command that stores the next record, together with those that could not be stored before.

    Updates the header of the game to its state after the record. `asks`: the seat asked then; None when it is over.
    """
    play.header = replace(play.header, entries=play.serial + 1, asked=next_seat, over=next_seat is None)
    return Keep(play.header, play.serial - len(play.backlog), (*play.backlog, record))


_PLAIN_FIELDS = ("id", "game", "version", "options", "seed", "started", "touched", "entries", "asked", "over")


def _is_int(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def read_header(text: str) -> Header:
    """Returns the header written in the text. Raises `Refused` if it is not valid."""
    try:
        data = strict_json.loads(text, LONGEST_HEADER)
    except Nonsense as nonsense:
        raise Refused("save.damaged") from nonsense
    known = isinstance(data, dict) and data.get("format") in [*FORMATS]
    if isinstance(data, dict) and not known and NEWER_FORMAT.fullmatch(str(data.get("format"))):
        raise Refused("save.newer")
    if not known or set(data) != {"format", "chairs", *_PLAIN_FIELDS}:
        raise Refused("save.header")
    fields: dict[str, Any] = {name: data[name] for name in _PLAIN_FIELDS}
    chairs = data["chairs"]
    latest = 10**9
    valid = (
        isinstance(fields["id"], str)
        and ID.fullmatch(fields["id"])
        and isinstance(fields["game"], str)
        and _is_int(fields["version"], 0, 10**6)
        and isinstance(fields["options"], dict)
        and isinstance(fields["seed"], str)
        and SEED.fullmatch(fields["seed"])
        and _is_int(fields["started"], 0, latest)
        and _is_int(fields["touched"], 0, latest)
        and _is_int(fields["entries"], 0, MOST_RECORDS)
        and (fields["asked"] is None or _is_int(fields["asked"], NATURE, 7))
        and type(fields["over"]) is bool
        and isinstance(chairs, list)
        and len(chairs) in range(1, len(EMBLEMS) + 1)
    )
    if not valid:
        raise Refused("save.header")
    checked = [_chair(chair) for chair in chairs]
    names = distinct_names(chair.name for chair in checked)
    return Header(chairs=tuple(map(_renamed, checked, names)), first_seat=FORMATS[data["format"]], **fields)


#: the fields of a chair, each with a check of its value
CHAIR_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "name": lambda name: bool(name) and clean_name(name) == name,
    "emblem": lambda emblem: emblem in EMBLEMS,
    "plays": lambda plays: plays in (PERSON, *LEVELS),
}


def _chair(data: Any) -> Chair:
    match data:
        case {"name": str(name), "emblem": str(emblem), "plays": str(plays)} if len(data) == 3:
            if all(may(data[field]) for field, may in CHAIR_CHECKS.items()):
                return Chair(name, emblem, plays)
            if NEWER_BOT.fullmatch(plays) and plays not in LEVELS:
                raise Refused("save.newer")
    raise Refused("save.header")


def _renamed(chair: Chair, name: str) -> Chair:
    """Returns the chair with that name. Older saves may have two equal names; the second one then gets a number."""
    return replace(chair, name=name)


def new_session(header: Header) -> Session:
    """Returns the session a header describes, before its first entry. Raises `Refused` if this page cannot play it."""
    game = PLAYABLE.get(header.game)
    if game is None:
        raise Refused("save.game", value=header.game[:40])
    if header.version > game.VERSION:
        raise Refused("save.newer")
    if not is_playable(game, header.version):
        raise Refused("save.version", value=header.version, ours=game.VERSION)
    return Session(game, len(header.chairs), header.options, header.version, first_seat=header.first_seat)


def replay(header: Header, records: Sequence[str]) -> Session:
    """Returns the session after the records. Raises `Refused` with the number of an invalid record, counted from 1."""
    return replay_with_changes(header, records)[0]


def replay_with_changes(header: Header, records: Sequence[str]) -> tuple[Session, list[tuple[int, Change]]]:
    """Returns the session after the records, and the changes of seats, each with the number of entries before it.

    Raises `Refused` with the number of an invalid record, counted from 1.
    """
    session = new_session(header)
    if len(records) > MOST_RECORDS:
        raise Refused("save.too_long", most=MOST_RECORDS)
    changes: list[tuple[int, Change]] = []
    for number, text in enumerate(records, 1):
        try:
            match _record(text):
                case ["chairs", *rows]:
                    changes += [(len(session.log), _change(row, len(header.chairs))) for row in rows]
                case row:
                    apply_record(session, row)
        except Refused as refused:
            raise Refused("save.record", number=number, why=Because(refused.reason, refused)) from refused
        changes = [(min(at, len(session.log)), change) for at, change in changes]  # after a take-back
    return session, changes


def _record(text: str) -> Any:
    """Returns the value of a record's text."""
    try:
        return strict_json.loads(text, LONGEST_RECORD)
    except Nonsense as nonsense:
        raise Refused("save.damaged") from nonsense


def apply_to_table(session: Session, text: str) -> None:
    """Carries out one record on the table only: changes of seats are ignored, as the header has their result."""
    match _record(text):
        case ["chairs", *_]:
            pass
        case row:
            apply_record(session, row)


def _change(row: Any, seats: int) -> Change:
    match row:
        case [int(seat), str(field), str(old), str(new)] if _is_int(seat, 0, seats - 1) and field in CHAIR_CHECKS:
            if CHAIR_CHECKS[field](old) and CHAIR_CHECKS[field](new):
                return Change(seat, field, old, new)
    raise Refused("save.not_a_record")


def apply_record(session: Session, row: Any) -> None:
    """Carries out an entry or a take-back, given as the parsed record. Raises `Refused` if it is not valid."""
    match row:
        case ["undo", int(seat)] if type(seat) is int:
            session.undo(seat)
        case [int(seat), *words] if type(seat) is int:
            session.do(seat, session.read_answer(list(words)))
        case _:
            raise Refused("save.not_a_record")


def read_settings(text: str) -> Mapping[str, Any]:
    """Returns the stored settings and names, or an empty mapping if the text cannot be read. Values are not checked."""
    try:
        data = strict_json.loads(text, LONGEST_HEADER)
    except Nonsense:
        return {}
    return data if isinstance(data, dict) else {}
