"""The tables by link stored on this device: enough to list them in the lobby and to return to one."""

from __future__ import annotations

from typing import NamedTuple

from engine.core import Refused
from peer.channels.invite import Invite
from peer.game import setup
from peer.table import header, lobby


class Known(NamedTuple):
    """A table this device was at. If its game is not known (any more), `game` and `names` are empty."""

    code: str
    fragment: str
    game: str
    names: tuple[str, ...]


def known(texts: list[str]) -> tuple[Known, ...]:
    """Returns the tables these stored headers describe; damaged headers are left out."""
    found: list[Known] = []
    for text in texts:
        try:
            found.append(_known(header.read(text)))
        except Refused:
            continue
    return tuple(found)


def _known(one: header.Header) -> Known:
    fragment = Invite(one.code, one.secret).fragment
    try:
        if one.setup:
            begun = setup.read(one.setup)
            return Known(one.code, fragment, begun.game, begun.called)
        laid = lobby.read(one.lobby)
    except Refused:
        return Known(one.code, fragment, "", ())
    return Known(one.code, fragment, laid.game, tuple(spot.name for spot in laid.spots))
