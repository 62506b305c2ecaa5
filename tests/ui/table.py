"""Helpers for tests of the loop: a table where every command succeeds at once, and a search in a tree of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine import bots
from engine.seats import EMBLEMS
from tests.ui.boards.games import all_nodes
from tests.ui.first_screen import english
from ui.boards import PLAYABLE, Chair
from ui.html.tree import Node
from ui.loop import update
from ui.messages import Command, Keep, Msg, Think, Wait
from ui.model import Header, Model
from ui.saves import saved_game
from ui.update import lobby

T = english()


def new_model() -> Model:
    return Model(T, lobby.first_setup(T, ()), ready=True)


def make_header(plays: str = "p,b2,b1", seed: str = "abc", game: str = "razzia") -> Header:
    chairs = tuple(Chair(T(f"lobby.name.{seat + 1}"), EMBLEMS[seat], who) for seat, who in enumerate(plays.split(",")))
    return Header("0123456789ab", game, PLAYABLE[game].VERSION, {}, chairs, seed, 1, 1)


class FakeTable:
    """A game without a page: carries out the commands, stores records in a list, and never waits."""

    def __init__(self, head: Header) -> None:
        self.model = new_model()
        self.records: list[str] = []
        self.commands: list[Command] = []
        self.send("begun", data=(head, saved_game.new_session(head), ""))

    def send(self, do: str, arg: str = "", value: str = "", data: Any = None) -> list[Command]:
        self.model, commands = update(self.model, Msg(do, arg, value, data))
        self.commands += commands
        return commands

    def run(self, limit: int = 10_000) -> None:
        """Carries out commands until the table waits for a person, or at most `limit` of them."""
        while self.commands and limit:
            limit -= 1
            match self.commands.pop(0):
                case Keep(_, first, records) as keep:
                    assert first == len(self.records)
                    self.records += records
                    self.send("kept", data=keep)
                case Wait(_, turn):
                    self.send("rested", data=turn)
                case Think(session, seat, level, seed, turn):
                    self.send("thought", data=(turn, seat, bots.choose(session, seat, level, seed)))

    @property
    def play(self) -> Any:
        return self.model.play

    def asked(self) -> tuple[str, int | None]:
        return self.play.session.question.key, next(iter(self.play.session.question.seats()), None)


def find_nodes(node: Node, name: str, value: str | None = None) -> Iterator[Node]:
    for each in all_nodes(node):
        if name in each.attrs and value in (None, each.attrs[name]):
            yield each


def with_types(commands: Iterable[Command]) -> list[tuple[object, ...]]:
    """Returns commands with their types, to be compared: named tuples of different types may be equal."""
    return [(type(command).__name__, *command) for command in commands]
