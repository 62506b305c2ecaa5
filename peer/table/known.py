"""The tables by link stored on this device: enough to list them in the lobby and to return to one."""

from __future__ import annotations

from typing import NamedTuple

from engine.core import Nonsense, Refused
from peer.channels.invite import Invite
from peer.game import setup
from peer.table import header, lobby


class KnownTable(NamedTuple):
    """A table this device was at. If its game is not known (any more), `game` and `names` are empty."""

    code: str
    fragment: str
    game: str
    names: tuple[str, ...]


def known_tables(texts: list[str]) -> tuple[KnownTable, ...]:
    """Returns the tables these stored headers describe; damaged headers are left out."""
    tables: list[KnownTable] = []
    for text in texts:
        try:
            tables.append(_known_table(header.read(text)))
        except Refused:
            continue
    return tuple(tables)


def _known_table(stored: header.Header) -> KnownTable:
    fragment = Invite(stored.code, stored.secret).fragment
    try:
        if stored.setup:
            started = setup.read(stored.setup)
            return KnownTable(stored.code, fragment, started.game, started.shown_names)
        stored_lobby = lobby.read(stored.lobby)
    except (Nonsense, Refused):
        return KnownTable(stored.code, fragment, "", ())
    return KnownTable(stored.code, fragment, stored_lobby.game, tuple(spot.name for spot in stored_lobby.spots))
