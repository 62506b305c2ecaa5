"""Set-up links: `#play=razzia&seats=p,p,b1,b2&seed=abc`, with house rules as `&empty_auction=forbidden`.

A link comes from a stranger: its length is bounded, it is checked, and it is refused with a reason. It can lay out and
begin a game, as if that had been set up in the lobby. It changes nothing that is stored: a running game remains a save.
It names no version of the rules, because the game that it begins is a new one, by the present rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.bots import LEVELS
from engine.core import Refused
from engine.options import settle
from engine.seats import PERSON
from ui.boards import PLAYABLE

MAX_LENGTH = 2000  # characters: enough for every house rule and every card of the largest deck
SEED = re.compile(r"[A-Za-z0-9._-]{1,64}")
PLAYER_KINDS = (PERSON, *LEVELS)
ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class LinkedSetup:
    """The set-up in a link."""

    game: str
    plays: tuple[str, ...]
    seed: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableLink:
    """A link to a table (`r=`), or a code for pairing without an endpoint (`o=`, `by_hand`)."""

    fragment: str
    is_code: bool


def read(fragment: str) -> LinkedSetup | TableLink | str | None:
    """Returns what the fragment links to: a set-up, a table by link, the id of a save, or None if it is empty. Raises
    `Refused`."""
    text = fragment.removeprefix("#")
    if not text:
        return None
    if len(text) > MAX_LENGTH:
        raise Refused("link.too_long", most=MAX_LENGTH)
    from urllib.parse import parse_qsl  # imported here because most visits have no link

    pairs = parse_qsl(text, keep_blank_values=True)
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise Refused("link.twice")
    if set(fields) == {"game"} and ID.fullmatch(fields["game"]):
        return fields["game"]
    if set(fields) in ({"r"}, {"o"}):
        return TableLink(text, "o" in fields)
    if "play" not in fields:
        raise Refused("link.unknown")
    return _linked_setup(fields.pop("play"), fields)


def named_game(fragment: str) -> str:
    """Returns the game that a fragment names, which may be one we do not know; empty if it names none."""
    from urllib.parse import parse_qsl

    return dict(parse_qsl(fragment.removeprefix("#")[:MAX_LENGTH])).get("play", "")


def _linked_setup(game: str, fields: dict[str, str]) -> LinkedSetup:
    if game not in PLAYABLE:
        raise Refused("link.game", value=game[:40])
    plays = tuple(fields.pop("seats", "").split(","))
    for player in plays:
        if player not in PLAYER_KINDS:
            raise Refused("link.seat", value=player[:40])
    seed = fields.pop("seed", "")
    if seed and not SEED.fullmatch(seed):
        raise Refused("link.seed", value=seed[:40])
    options = _options(game, fields)
    settle(PLAYABLE[game], len(plays), options)
    return LinkedSetup(game, plays, seed, options)


def _options(game: str, fields: Mapping[str, str]) -> dict[str, Any]:
    known = {option.name: option for option in PLAYABLE[game].OPTIONS}
    options: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in known:
            raise Refused("option.unknown", option=name[:40])
        options[name] = known[name].parse(value)
    return options


def write(invitation: LinkedSetup) -> str:
    """Returns the fragment for a set-up, which `read` can read."""
    from urllib.parse import quote

    parts = [f"play={invitation.game}", f"seats={','.join(invitation.plays)}"]
    if invitation.seed:
        parts.append(f"seed={quote(invitation.seed)}")
    for name, value in invitation.options.items():
        text = ",".join(f"{card}:{count}" for card, count in value.items()) if isinstance(value, Mapping) else value
        parts.append(f"{name}={quote(text, safe=':,')}")
    return "&".join(parts)
