"""A world in which seats move to other devices by rejoin links, and the old devices are shut down."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from engine.core import Refused
from peer.crypto.keys import to_base64
from peer.device.device import Device
from peer.game.setup import Setup
from peer.game.state import State
from peer.game.types import hash_of, permit_of
from peer.order.log import changes_voters
from peer.order.outputs import Tell
from peer.order.raft import NEWCOMER
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import World


class Movers(World):
    """Now and then a person opens a rejoin link on a new device, and shuts the old one down when it is not needed."""

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        super().__init__(seed, game, calm=calm, make=make)
        self.moves = Random(f"moves/{seed}")
        self.left = self.moves.randint(1, 3)  # moves to come
        self.moving: Node | None = None  # the new device of the present move
        self.brings: dict[int, tuple[str, ...]] = {}  # the tokens of a new device's link, by its number
        self.showing = -1  # the device whose rejoin link is about to be shown
        self.at(self.moves.randint(500, 20_000), self._move)

    def _setup(self, name: str, seats: int, keys: list[FakeKeys]) -> Setup:
        laid = super()._setup(name, seats, keys)
        self.tokens = {seat: [to_base64(bytes([seat]) * 32)] for seat in range(seats)}
        return laid._replace(claims=tuple((hash_of(token), seat) for seat, (token,) in self.tokens.items()))

    def _newest(self) -> State | None:
        """Returns the state of the device that has applied most entries; None if no device is running."""
        states = [node.device.state for node in self.nodes if node.device is not None]
        return max(states, key=lambda state: state.index, default=None)

    def _move(self) -> None:
        """Carries out one step of a move of seats to a new device: the old one may be shut down after the last step,
        and the next move may begin."""
        state = self._newest()
        if state is not None and state.play.over and self.moving is None:
            return
        self.at(self.now + self.moves.randint(100, 1000), self._move)
        node = self.moving
        if state is None:  # no device is running
            return
        if node is None:
            self._begin(state)
        elif node.life == 0 if node.device is None else node.device.me == NEWCOMER:
            self._knock(node, state)
        elif node.number in state.voters:
            self._end(state)
        elif node.number in state.homes and self.moves.random() < 0.2:
            self._shut_early(state)

    def _begin(self, state: State) -> None:
        """Begins a move: a device that wants to show its rejoin link promises not to go on alone."""
        if self.left and self.showing < 0:
            self.left -= 1
            self.showing = self.moves.choice([home for home in state.homes if not self.nodes[home].gone])
        device = self.nodes[self.showing].device if self.showing >= 0 else None
        if device is not None:
            with suppress(Refused):  # it is about to go on alone itself: the next step tries again
                device.alone.promise()
            self.after(self.nodes[self.showing])

    def _told(self, node: Node, tell: Tell) -> None:
        super()._told(node, tell)
        state = self._newest()
        if tell.what == "promised" and node.number == self.showing and state is not None:
            self.showing = -1
            seats = [seat for seat, home in enumerate(state.homes) if home == node.number]
            tokens = tuple(self._token(seat, state) for seat in seats)
            if node.device is not None and self.moves.random() < 0.25:
                node.device.alone.agree()
                self.at(self.now + self.moves.randint(100, 5000), lambda: self._leave_to_bots(node, seats))
                return
            self.moving = Node(len(self.nodes), FakeKeys(self.moves.randbytes(32), self.ring))
            self.brings[self.moving.number] = tokens
            if self.moves.random() < 0.3:
                self.at(self.now, lambda: self.crash(node, back=self.moves.randint(2_000, 40_000)))
            elif self.moves.random() < 0.7 and self._can_do_without(node.number):
                self.at(self.now, lambda: World._take_away(self, node))

    def _leave_to_bots(self, node: Node, seats: list[int]) -> None:
        """Takes a device away for a while. With two voters, the other lets bots play as soon as it may."""
        if not node.gone:
            self.crash(node, back=self.moves.randint(2_000, 40_000))
        for delay in (3_000, 6_000, 12_000):
            self.at(self.now + delay, lambda: self._let_bots_play(node, seats))

    def _let_bots_play(self, away: Node, seats: list[int]) -> None:
        state = self._newest()
        for node in self.nodes if state is not None and away.device is None else ():
            device = node.device
            if device is not None and state is not None and device.alone.let:
                own = [self._token(seat, state) for seat, home in enumerate(state.homes) if home == device.me]
                device.alone.wish((), own, seats)

    def _token(self, seat: int, state: State) -> str:
        """Returns the valid token of a seat. A device that goes on alone replaces its tokens by their successors, and
        may have to do that twice."""
        known, holder = self.tokens[seat], self.nodes[state.homes[seat]].device
        following = [holder.successor(token) for token in known] if holder is not None else []
        counts = next((token for token in (*following, *known) if hash_of(token) in state.claims), known[-1])
        if counts not in known:
            known.append(counts)
        return counts

    def _can_do_without(self, old: int) -> bool:
        """Returns True if, of two devices, this one may be lost before its seats have moved."""
        there = [node for node in self.nodes if not node.gone]
        other = next((node for node in there if node.number != old), None)
        known = [node.device.state for node in there if node.device is not None]
        if other is None or other.device is None or len(there) != 2 or len(known) != 2:
            return False
        hands, voters = other.device.private, {other.number, old}
        knows = self.setup.game == "razzia" or (
            hands.role is not None and all(state.dealer == other.number for state in known)
        )
        may = not other.device.alone.promised or other.number < old
        return (
            may
            and knows
            and other.number in other.device.state.voters
            and all({*state.voters, *state.due_votes} == voters for state in known)
            and not any(node.device.log.pending for node in there if node.device is not None)
            and all(
                index <= other.disk.commit
                for index, entry in enumerate(other.disk.entries, 1)
                if changes_voters(entry.envelope, index)
            )
        )

    def _knock(self, node: Node, state: State) -> None:
        """Asks a random device to let the new one in, until the log says that it was; the device that authored the
        entry may have lost it again."""
        if any(member.seal_key == node.keys.seal_key for member in state.devices):
            if node not in self.nodes:
                self.nodes.append(node)
                self.boot(node)
            return
        asked = self.moves.choice(self.nodes)
        device = asked.device
        if device is not None:
            own = [self._token(seat, state) for seat, home in enumerate(state.homes) if home == asked.number]
            device.alone.wish([permit_of(token) for token in self.brings[node.number]], own)
        if device is not None and device.ready and device.me in device.state.voters and not device.says("join"):
            device.author("join", (len(device.state.devices), node.keys.verify_key, node.keys.seal_key))
            self.after(asked)

    def boot(self, node: Node) -> None:
        super().boot(node)
        if node.device is not None and node.number in self.brings:
            node.device.tokens = self.brings[node.number]

    def _end(self, state: State) -> None:
        """Ends a move: the seats have arrived. Devices without a seat are shut down, or look on."""
        assert self.moving is not None
        for seat in range(len(state.homes)):
            self._token(seat, state)
        self.moving = None
        for number in state.left - {*state.voters}:
            if self.moves.random() < 0.7:
                self._shut(number)

    def _shut_early(self, state: State) -> None:
        """Shuts the old device down before its vote has moved: a majority is enough to change the voters."""
        for number in state.left & {*state.voters}:
            self._shut(number)

    def _shut(self, number: int) -> None:
        """Shuts a device down for good, if the table can go on without it."""
        there = [node for node in self.nodes if not node.gone and node.number != number]
        known = [node.device.state for node in there if node.device is not None]
        enough = all(
            sum(not self.nodes[voter].gone and voter != number for voter in voters) > len(voters) // 2
            for state in known
            for voters in (state.voters, state.due_votes)
        )
        if enough and len(known) == len(there):
            super()._take_away(self.nodes[number])

    def _take_away(self, node: Node) -> None:
        self._shut(node.number)


def named(name: str) -> World:
    """Returns the world with a name such as `World-5` or `Movers-21`."""
    kind, seed = name.split("-")
    return {"World": World, "Movers": Movers}[kind](int(seed))
