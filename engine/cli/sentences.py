"""Sentences of the command line: one for each refusal, except for those in the middle of a game.

A game has its own sentences for the decks that it cannot be played with, `SENTENCES`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import GAMES
from engine.core import NATURE, Refused
from engine.records import Damaged
from engine.values import SeatOf, plain

SENTENCES = {
    "bot.unknown": "there is no bot '{bot}' for this game; there are {known}",
    "file.unreadable": "{file} cannot be read: {why}",
    "file.unwritable": "{file} cannot be written: {why}",
    "game_over": "the game is over",
    "not_an_answer": "'{verb}' is no answer to what is asked",
    "not_asked": "{seat} is not asked",
    "undo.too_late": "it is too late to take that back",
    # Typed text, and lines of a record
    "notation.arguments": "'{verb}' does not go with {count} words",
    "notation.list": "a list of more than {most}",
    "notation.number": "'{value}' is not a number from {least} to {most}",
    "notation.row": "this is no answer",
    "notation.too_long": "an answer of more than {most} characters",
    "notation.verb": "there is no answer '{verb}' in this game",
    "notation.word": "nothing in this game is called '{value}'",
    # House rules
    "option.choice": "'{value}' is no choice for {option}; there are {choices}",
    "option.deck": "{option} is to be a list such as card:3,other:0",
    "option.deck_card": "{option} has no card '{card}'",
    "option.deck_count": "{option} wants a whole number from 0 to {most} for '{card}', as in {card}:1, not '{value}'",
    "option.deck_twice": "{option} names '{card}' twice",
    "option.seats": "this game is for {least} to {most} players, not {value}",
    "option.form": "a house rule is given as NAME=VALUE, not '{given}'",
    "option.unknown": "this game has no house rule '{option}'; the command games lists them",
    "seats.count": "{given} named to sit down at a table for {players}",
    # Records
    "record.after_result": "there is more after the result",
    "record.early_result": "a result before the game is over",
    "record.empty": "the file is empty",
    "record.entry": "an entry is to be [seat, verb, ...]",
    "record.hash": "the hash is not that of the lines before",
    "record.header": "the header is not one of ours",
    "record.masked": "this entry hides something, so the result cannot be checked",
    "record.names": "the names do not fit the seats, or one is longer than 24 characters or cannot be printed",
    "record.no_result": "the game is over, but its result is missing",
    "record.not_a_record": "this is not a game record",
    "record.not_json": "this is not JSON as records have it ({why})",
    "record.not_finished": "the game is not finished",
    "record.not_utf8": "this is not UTF-8 text",
    "record.result": "the result is not one of ours",
    "record.scores": "the scores are not those of this game",
    "record.seen": "the fingerprint of what everybody saw is not that of this game",
    "record.too_long": "longer than {most} characters, which no game is",
    "record.unknown_game": "there is no game '{game}'",
    "record.version": "written by version {version} of the rules; here is version {known}",
    "record.winners": "the winners are not those of this game",
    "replay.at": "there are {most} entries, not {at}",
    "replay.seat": "there is no {seat}; the seats are 1 to {most}",
}


def sentence(refused: Refused) -> str:
    """Returns a refusal as one line. In the middle of a game it is the reason id with its values."""
    where = f"line {refused.line}: " if isinstance(refused, Damaged) else ""
    game = refused.reason.partition(".")[0]
    sentences: Mapping[str, str] = GAMES[game].SENTENCES if game in GAMES else SENTENCES
    values = {name: _said(value) for name, value in refused.typed.items()}
    if refused.reason in sentences:
        text = sentences[refused.reason].format_map(values)
    else:
        words = [str(value) if name == "seat" else f"{name} {value}" for name, value in values.items()]
        text = ", ".join([refused.reason, *words])
    return where + printable(text)


def seat_text(seat: int) -> str:
    """Returns a seat as people read it, counted from 1."""
    return "nature" if seat == NATURE else f"seat {seat + 1}"


def printable(text: object) -> str:
    """Returns a text that any terminal can show, with escapes for the rest of a file name or a record."""
    return str(text).encode("utf-8", "backslashreplace").decode()


def _said(value: object) -> object:
    """Returns a value as people read it."""
    match value:
        case SeatOf(int(seat)):
            return seat_text(seat)
        case list() | tuple():
            return ", ".join(map(str, value))
    return plain(value)
