"""The engine: card games as tables and questions. It is pure Python and needs only the standard library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.core import Game


class Games(Mapping[str, "Game"]):
    """The games by name. Each is loaded on first use, so that playing one does not wait for the rules of all.

    `seats` are the numbers of players of each game, which are known before any game is loaded.
    """

    def __init__(self, seats: Mapping[str, range]) -> None:
        self.seats = seats

    def __getitem__(self, name: str) -> Game:
        if name not in self.seats:
            raise KeyError(name)
        game: Any = import_module(f"engine.{name}")
        return game  # type: ignore[no-any-return]  # a package with this protocol, as mypy checks at the end of each

    def __contains__(self, name: object) -> bool:
        return name in self.seats

    def __iter__(self) -> Iterator[str]:
        return iter(self.seats)

    def __len__(self) -> int:
        return len(self.seats)


#: the one list of the games; a new game is added here
GAMES = Games(
    {
        "razzia": range(2, 6),
        "bars": range(3, 9),
        "sicilianos": range(3, 7),
        "thieves": range(3, 7),
    }
)
