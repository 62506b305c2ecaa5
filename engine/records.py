"""Game records: JSON Lines that anybody can check without other data.

The first line is a header. Then follows one line `[seat, verb, args...]` for each entry (NATURE is -1), and last the
result with a hash over all lines before it. All seats count from 0; in records of the first format, until version
0.1.0, those in answers counted from 1.

A record is verified if its game is over and every entry names every card that it decides. That proves that these
answers were legal and lead to this result. It does not prove who gave them, nor that the cards were dealt at random:
anybody can write a record of a game that was never played. A masked record, such as a spectator's, can be read, but it
proves nothing: a card that is only shown later can be any card that was not seen before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import GAMES, strict_json
from engine.core import NATURE, Answer, Entry, Nonsense, Refused
from engine.notation import FirstSeat
from engine.options import is_playable
from engine.session import Session, next_head

#: the number of the first seat in the answers of a record, by its format
FORMATS: dict[str, FirstSeat] = {"speakeasy-record-2": 0, "speakeasy-record-1": 1}
LONGEST = 1 << 20  # characters of a record; the longest game has some hundred lines
LONGEST_LINE = 8192
HEADER = {"format", "game", "version", "options", "seats", "names"}
NAME_LENGTH = 24
FIRST_ENTRY = 2  # the line of the first entry


class Damaged(Refused):
    """Raised for a record that cannot be read or breaks the rules: the number of the line, and the reason."""

    def __init__(self, line: int, refused: Refused) -> None:
        super().__init__(refused.reason, **refused.typed)
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {super().__str__()}"


@dataclass(slots=True)
class Record:
    """A game that was read from a record. Every entry is legal as far as the entries before it tell: see `verified`."""

    session: Session
    names: list[str]
    started: str | None = None
    result: dict[str, Any] | None = field(default=None)
    first_masked: int | None = None  # the place in the log of the first entry that hides a card

    @property
    def verified(self) -> bool:
        """Returns True if the record proves its result: the game is over, and no entry hides a card."""
        return self.refusal is None

    @property
    def refusal(self) -> Damaged | None:
        """Returns why the record does not prove a result; None if it is verified."""
        if self.first_masked is not None:
            return Damaged(self.first_masked + FIRST_ENTRY, Refused("record.masked"))
        if not self.session.over:
            return Damaged(len(self.session.log) + 1, Refused("record.not_finished"))
        return None

    def add(self, seat: int, answer: Answer) -> None:
        """Carries out the next entry. Raises `Refused` and changes nothing if it is not legal."""
        step = self.session.prepare(seat, answer)
        if self.first_masked is None and self.session.hides(step):
            self.first_masked = step.number
        self.session.apply(step)


def header(session: Session, names: Sequence[str], started: str | None = None) -> dict[str, Any]:
    """Returns the first line of a record."""
    game, version, seats, options = session.written_setup()
    first: dict[str, Any] = {
        "format": next(name for name, first_seat in FORMATS.items() if first_seat == session.first_seat),
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
    """Returns the record in `data`, with every entry checked. Raises `Damaged`, which names the line.

    The game need not be over, and entries may hide cards: `verified` and `refusal` of the record tell.
    """
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
                record.add(*entry(record.session, line))
        except Damaged:
            raise
        except Refused as refused:
            raise Damaged(number, refused) from refused
    if record.session.over and record.result is None:
        raise Damaged(number, Refused("record.no_result"))
    return record


def verify(data: str | bytes) -> Record:
    """Returns the verified record in `data`. Raises `Damaged`, also for an unfinished game or a masked record."""
    record = read(data)
    if record.refusal is not None:
        raise record.refusal
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
    if not isinstance(first, dict) or first.get("format") not in [*FORMATS]:
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
    session = Session(game, first["seats"], options, first["version"], first_seat=FORMATS[first["format"]])
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


def entry(session: Session, line: Any) -> Entry:
    """Returns the entry in a line `[seat, verb, args...]`."""
    if not isinstance(line, list) or not line or type(line[0]) is not int or line[0] < NATURE:
        raise Refused("record.entry")
    return line[0], session.read_answer(line[1:])


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
