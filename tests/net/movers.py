"""A world in which seats go on to other devices, and the devices they came from are shut."""

from __future__ import annotations

from random import Random

from tests.net.fake import FakeKeys
from tests.net.node import Node
from tests.net.world import World
from ui.net.facts import hash_of
from ui.net.keys import text_of
from ui.net.setup import Setup
from ui.net.state import State


class Movers(World):
    """Now and then somebody opens a rejoin link on a new device, and shuts the old one when it is needed no more."""

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False) -> None:
        super().__init__(seed, game, calm=calm)
        self.moves = Random(f"moves/{seed}")
        self.left = self.moves.randint(1, 3)
        self.moving: Node | None = None
        self.brings: dict[int, tuple[str, ...]] = {}  # the tokens of a new device's link
        self.at(self.moves.randint(500, 20_000), self._move)

    def _setup(self, name: str, seats: int, keys: list[FakeKeys]) -> Setup:
        laid = super()._setup(name, seats, keys)
        self.tokens = {seat: text_of(bytes([seat]) * 32) for seat in range(seats)}
        return laid._replace(claims=tuple((hash_of(token), seat) for seat, token in self.tokens.items()))

    def _newest(self) -> State | None:
        """The table as whoever knows most sees it."""
        states = [node.device.state for node in self.nodes if node.device is not None]
        return max(states, key=lambda state: state.index, default=None)

    def _move(self) -> None:
        """One step on the way of seats to a new device; when it is done, the old one may go, and the next may come."""
        state = self._newest()
        if state is None or state.play.over:
            return
        self.at(self.now + self.moves.randint(100, 1000), self._move)
        node = self.moving
        if node is None:
            self._begin(state)
        elif node.device is None and node.life == 0:
            self._knock(node, state)
        elif node.number in state.voters:
            self._end(state)
        elif node.number in state.homes and self.moves.random() < 0.2:
            self._shut_early(state)

    def _begin(self, state: State) -> None:
        if not self.left:
            return
        self.left -= 1
        old = self.moves.choice([home for home in state.homes if not self.nodes[home].gone])
        seats = [seat for seat, home in enumerate(state.homes) if home == old]
        self.moving = Node(len(self.nodes), FakeKeys(self.moves.randbytes(32), self.ring))
        self.brings[self.moving.number] = tuple(self.tokens[seat] for seat in seats)

    def _knock(self, node: Node, state: State) -> None:
        """Ask this one or that until the log says that the device is let in."""
        if any(member.lock == node.keys.lock for member in state.devices):
            self.nodes.append(node)
            self.boot(node)
            return
        asked = self.moves.choice(self.nodes)
        device = asked.device
        if device is not None and device.ready and device.me in device.state.voters and not device.says("join"):
            device.author("join", (len(device.state.devices), node.keys.signer, node.keys.lock))
            self.after(asked)

    def boot(self, node: Node) -> None:
        super().boot(node)
        if node.device is not None and node.number in self.brings:
            node.device.tokens = self.brings[node.number]

    def _end(self, state: State) -> None:
        """The seats are there; the devices that have none any more are shut, or look on."""
        assert self.moving is not None
        device = self.moving.device
        for seat, home in enumerate(state.homes):
            if home == self.moving.number and device is not None:
                self.tokens[seat] = device.successor(self.tokens[seat])
        self.moving = None
        for number in state.left - {*state.voters}:
            if self.moves.random() < 0.7:
                self._shut(number)

    def _shut_early(self, state: State) -> None:
        """Before its vote has gone over: a majority is enough to let it go."""
        for number in state.left & {*state.voters}:
            self._shut(number)

    def _shut(self, number: int) -> None:
        """For good, if the table can do without it, and somebody stays whom a new device can know: it knows nobody but
        those the game began with."""
        there = [node for node in self.nodes if not node.gone and node.number != number]
        known = [node.device.state for node in there if node.device is not None]
        enough = all(
            sum(not self.nodes[voter].gone and voter != number for voter in voters) > len(voters) // 2
            for state in known
            for voters in (state.voters, state.due_votes)
        )
        first = [one.number for one in there if one.number < self.size]
        stays = any(all(one in state.voters for state in known) for one in first)
        if enough and stays and len(known) == len(there):
            super()._take_away(self.nodes[number])

    def _take_away(self, node: Node) -> None:
        self._shut(node.number)
