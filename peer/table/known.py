"""The tables by link that this device keeps: enough to list them in the lobby and to go back."""

from __future__ import annotations

from typing import NamedTuple

from engine.core import Refused
from peer.channels.invite import Invite
from peer.game import setup
from peer.table import header, lobby


class Known(NamedTuple):
    """A table this device was at. A game it does not know (any more) has no name and no people."""

    code: str
    fragment: str
    game: str
    names: tuple[str, ...]


def known(texts: list[str]) -> tuple[Known, ...]:
    """What the headers on the shelf say; what is damaged cannot be gone back to."""
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
