"""Game records: JSON Lines that anybody can check without other data.

The first line is a header. Then follows one line `[seat, verb, args...]` for each entry (NATURE is -1), and last the
result with a hash over all lines before it. A finished record is open: it names every card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import GAMES, notation, strict_json
from engine.core import NATURE, Entry, Game, Nonsense, Refused
from engine.options import is_playable
from engine.session import Session, next_head

FORMAT = "speakeasy-record-1"
LONGEST = 1 << 20  # characters of a record; the longest game has some hundred lines
LONGEST_LINE = 8192
HEADER = {"format", "game", "version", "options", "seats", "names"}
NAME_LENGTH = 24


class Damaged(Refused):
    """Raised for a record that cannot be read or breaks the rules: the number of the line, and the reason."""

    def __init__(self, line: int, refused: Refused) -> None:
        super().__init__(refused.reason, **refused.typed)
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {super().__str__()}"


@dataclass(slots=True)
class Record:
    """A game that was read from a record. Every entry has been checked."""

    session: Session
    names: list[str]
    started: str | None = None
    result: dict[str, Any] | None = field(default=None)


def header(session: Session, names: Sequence[str], started: str | None = None) -> dict[str, Any]:
    """Returns the first line of a record."""
    game, version, seats, options = session.written_setup()
    first: dict[str, Any] = {
        "format": FORMAT,
        "game": game,
        "version": version,
        "options": options,
        "seats": seats,
        "names": list(names),
    }
    if started is not None:
        first["started"] = started
    return first


def result(session: Session, first: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the last line of a finished record: scores, winners, and a hash over all lines before it."""
    head = next_head("", first)
    for entry in session.log:
        head = next_head(head, session.record_row(entry))
    game, table = session.game, session.table
    return {
        "scores": game.scores(table),
        "winners": game.winners(table),
        "seen": session.fingerprint(),
        "hash": head,
    }


def write(session: Session, names: Sequence[str], started: str | None = None) -> str:
    """Returns the record of a game, with its result if the game is over."""
    first = header(session, names, started)
    lines: list[Any] = [first, *map(session.record_row, session.log)]
    if session.over:
        lines.append(result(session, first))
    return "".join(strict_json.dumps(line) + "\n" for line in lines)


def read(data: str | bytes) -> Record:
    """Returns the record in `data`, with every entry checked. Raises `Damaged`, which names the line."""
    lines = _lines(data)
    number, first = next(lines, (1, None))
    try:
        record = open_header(first)
    except Refused as refused:
        raise Damaged(number, refused) from refused
    for number, line in lines:
        try:
            if record.result is not None:
                raise Refused("record.after_result")
            if isinstance(line, dict):
                record.result = _check_result(line, record.session, first)
            else:
                record.session.do(*entry(record.session.game, line))
        except Damaged:
            raise
        except Refused as refused:
            raise Damaged(number, refused) from refused
    if record.session.over and record.result is None:
        raise Damaged(number, Refused("record.no_result"))
    return record


def verify(data: str | bytes) -> Record:
    """Returns the record of a finished game in `data`. Raises `Damaged`, also for an unfinished game."""
    record = read(data)
    if record.result is None:
        raise Damaged(len(record.session.log) + 1, Refused("record.not_finished"))
    return record


def _lines(data: str | bytes) -> Iterator[tuple[int, Any]]:
    """Yields the numbers of the lines, from 1 on, and their values."""
    if len(data) > LONGEST:
        raise Damaged(1, Refused("record.too_long", most=LONGEST))
    if not data:
        raise Damaged(1, Refused("record.empty"))
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Damaged(error.object[: error.start].count(b"\n") + 1, Refused("record.not_utf8")) from error
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            yield number, strict_json.loads(line, LONGEST_LINE)
        except Nonsense as nonsense:
            raise Damaged(number, Refused("record.not_json", why=nonsense.reason)) from nonsense


def open_header(first: Any) -> Record:
    """Returns the record that a header announces, before its first entry. Raises `Refused` for a bad header."""
    if not isinstance(first, dict) or first.get("format") != FORMAT:
        raise Refused("record.not_a_record")
    if not HEADER <= first.keys() <= HEADER | {"started"}:
        raise Refused("record.header")
    game = GAMES.get(first["game"]) if isinstance(first["game"], str) else None
    if game is None:
        raise Refused("record.unknown_game", game=str(first["game"])[:40])
    if not is_playable(game, first["version"]):
        raise Refused("record.version", version=str(first["version"])[:40], known=game.VERSION)
    options = first["options"]
    if not isinstance(options, dict):
        raise Refused("record.header")
    session = Session(game, first["seats"], options, first["version"])
    if session.written_options != options:
        raise Refused("record.header")
    names, started = first["names"], first.get("started")
    if not isinstance(names, list) or len(names) != session.seats or not all(map(_is_name, names)):
        raise Refused("record.names")
    if started is not None and not (isinstance(started, str) and len(started) <= 40 and started.isprintable()):
        raise Refused("record.header")
    return Record(session, names, started)


def _is_name(name: Any) -> bool:
    """Returns True for a short printable text, which excludes control and direction characters."""
    return isinstance(name, str) and len(name) <= NAME_LENGTH and name.isprintable()


def entry(game: Game, line: Any) -> Entry:
    """Returns the entry in a line `[seat, verb, args...]`."""
    if not isinstance(line, list) or not line or type(line[0]) is not int or line[0] < NATURE:
        raise Refused("record.entry")
    return line[0], notation.read(game.WORDS, line[1:])


def _check_result(line: dict[str, Any], session: Session, first: Any) -> dict[str, Any]:
    """Returns the result of the game. Raises `Refused` if the line is not exactly this result."""
    if not session.over:
        raise Refused("record.early_result")
    expected = result(session, first)
    for name in ("scores", "winners", "seen", "hash"):
        if line.get(name) != expected[name]:
            raise Refused(f"record.{name}")
    if line.keys() != expected.keys():
        raise Refused("record.result")
    return expected
