"""The engine: card games as tables and questions. It is pure Python and needs only the standard library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.core import Game

#: the games and their numbers of players, which are known before any game is loaded
PLAYERS: Mapping[str, range] = {
    "razzia": range(2, 6),
    "bars": range(3, 9),
    "sicilianos": range(3, 7),
    "thieves": range(3, 7),
}


class Games(Mapping[str, "Game"]):
    """The games by name. Each is loaded on first use, so that playing one does not wait for the rules of all."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def __getitem__(self, name: str) -> Game:
        if name not in self.names:
            raise KeyError(name)
        game: Any = import_module(f"engine.{name}")
        return game  # type: ignore[no-any-return]  # a package with this protocol: see the end of this file

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


GAMES = Games(tuple(PLAYERS))

if TYPE_CHECKING:
    from engine import bars, razzia, sicilianos, thieves

    KEPT: tuple[Game, ...] = (razzia, bars, sicilianos, thieves)
