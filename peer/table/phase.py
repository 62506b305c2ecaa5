"""The phases of a table by link on one device. Each carries exactly what there is in it.

    Knocking → InLobby → Waiting → Playing → Over → Waiting (the next game) → …
    Knocking → Waiting   this device comes after the game has begun
    Playing → Waiting    the game is abandoned: it has no leader, and the next one is laid out
    Over → Playing       the last entries are taken back

Every open phase can end in `Left` or `Replaced`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from peer.game.setup import Setup
from peer.table.lobby import Lobby

if TYPE_CHECKING:
    from peer.table.running import RunningGame


#: of each seat its emblem, and a person or the level of its bot
Looks = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Knocking:
    """A link was followed. Neither a lobby nor a game is known yet."""


@dataclass(frozen=True, slots=True)
class InLobby:
    """The seats are being taken."""

    lobby: Lobby


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game has begun that does not run here yet: its setup is being stored, or this device waits for admission."""

    setup: Setup
    looks: Looks
    lobby: Lobby | None  # as it was last known here; None if this device came later


@dataclass(frozen=True, slots=True)
class Playing:
    """A game runs here."""

    game: RunningGame
    lobby: Lobby | None


@dataclass(frozen=True, slots=True)
class Over:
    """The game that runs here has come to its end. The opener may lay out the next one."""

    game: RunningGame
    lobby: Lobby | None


@dataclass(frozen=True, slots=True)
class Left:
    """This device has left the table: the page does not show it any more."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """Another window of this device has taken over. The page, unless it was `Left`, still shows what was here."""

    former: Replaceable


#: the phases in which another window can take over
Replaceable = Knocking | InLobby | Waiting | Playing | Left
#: the phases that a table enters
Entered = Replaceable | Replaced
#: all phases: `Over` is not entered, but follows from the game
Phase = Entered | Over


def lobby_of(phase: Phase) -> Lobby | None:
    """Returns the lobby, also while a game runs; None if this device knows none, or the table is closed."""
    match phase:
        case InLobby(lobby) | Waiting(lobby=lobby) | Playing(lobby=lobby) | Over(lobby=lobby):
            return lobby
    return None


def game_of(phase: Phase) -> RunningGame | None:
    """Returns the game that runs here."""
    match phase:
        case Playing(game) | Over(game):
            return game
    return None


def setup_of(phase: Phase) -> Setup | None:
    """Returns the setup of the game that has begun, whether it runs here or not."""
    match phase:
        case Waiting(setup):
            return setup
        case Playing(game) | Over(game):
            return game.setup
    return None
