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
from peer.order.outputs import GaveUpAlone, Tell
from peer.order.raft import NEWCOMER
from peer.wire.bodies import Join
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.node import Node
from tests.peer.simulation.world import World


class Movers(World):
    """Now and then a person opens a rejoin link on a new device, and shuts the old one down when it is not needed."""

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        super().__init__(seed, game, calm=calm, make=make)
        self.move_rnd = Random(f"moves/{seed}")
        self.moves_left = self.move_rnd.randint(1, 3)  # moves to come
        self.new_node: Node | None = None  # the new device of the present move
        self.link_tokens: dict[int, tuple[str, ...]] = {}  # the tokens of a new device's link, by its number
        self.showing_device = -1  # the device whose rejoin link is about to be shown
        self.schedule(self.move_rnd.randint(500, 20_000), self._step)

    def _setup(self, name: str, seats: int, keys: list[FakeKeys]) -> Setup:
        setup = super()._setup(name, seats, keys)
        self.tokens = {seat: [to_base64(bytes([seat]) * 32)] for seat in range(seats)}
        return setup._replace(claims=tuple((hash_of(token), seat) for seat, (token,) in self.tokens.items()))

    def _newest_state(self) -> State | None:
        """Returns the state of the device that has applied most entries; None if no device is running."""
        states = [node.device.state for node in self.nodes if node.device is not None]
        return max(states, key=lambda state: state.index, default=None)

    def _step(self) -> None:
        """Carries out one step of a move of seats to a new device: the old one may be shut down after the last step,
        and the next move may begin."""
        state = self._newest_state()
        if state is not None and state.public.over and self.new_node is None:
            return
        self.schedule(self.now + self.move_rnd.randint(100, 1000), self._step)
        node = self.new_node
        if state is None:  # no device is running
            return
        if node is None:
            self._begin_move(state)
        elif node.crashes == 0 if node.device is None else node.device.me == NEWCOMER:
            self._ask_admission(node, state)
        elif node.number in state.voters:
            self._end_move(state)
        elif node.number in state.homes and self.move_rnd.random() < 0.2:
            self._shut_down_early(state)

    def _begin_move(self, state: State) -> None:
        """Begins a move: a device that wants to show its rejoin link promises not to go on alone."""
        if self.moves_left and self.showing_device < 0:
            self.moves_left -= 1
            self.showing_device = self.move_rnd.choice([home for home in state.homes if not self.nodes[home].lost])
        device = self.nodes[self.showing_device].device if self.showing_device >= 0 else None
        if device is not None:
            with suppress(Refused):  # it is about to go on alone itself: the next step tries again
                device.going_alone.give_up()
            self.process(self.nodes[self.showing_device])

    def _on_tell(self, node: Node, tell: Tell) -> None:
        super()._on_tell(node, tell)
        state = self._newest_state()
        if isinstance(tell, GaveUpAlone) and node.number == self.showing_device and state is not None:
            self.showing_device = -1
            seats = [seat for seat, home in enumerate(state.homes) if home == node.number]
            tokens = tuple(self._valid_token(seat, state) for seat in seats)
            if node.device is not None and self.move_rnd.random() < 0.25:
                node.device.agree()
                self.schedule(self.now + self.move_rnd.randint(100, 5000), lambda: self._leave_to_bots(node, seats))
                return
            self.new_node = Node(len(self.nodes), FakeKeys(self.move_rnd.randbytes(32), self.keyring))
            self.link_tokens[self.new_node.number] = tokens
            if self.move_rnd.random() < 0.3:
                self.schedule(self.now, lambda: self.crash(node, restart_after=self.move_rnd.randint(2_000, 40_000)))
            elif self.move_rnd.random() < 0.7 and self._may_lose(node.number):
                self.schedule(self.now, lambda: World._lose(self, node))

    def _leave_to_bots(self, node: Node, seats: list[int]) -> None:
        """Takes a device away for a while. With two voters, the other lets bots play as soon as it may."""
        if not node.lost:
            self.crash(node, restart_after=self.move_rnd.randint(2_000, 40_000))
        for delay in (3_000, 6_000, 12_000):
            self.schedule(self.now + delay, lambda: self._let_bots_play(node, seats))

    def _let_bots_play(self, away: Node, seats: list[int]) -> None:
        state = self._newest_state()
        for node in self.nodes if state is not None and away.device is None else ():
            device = node.device
            if device is not None and state is not None and device.going_alone.other_agreed:
                own_tokens = [
                    self._valid_token(seat, state) for seat, home in enumerate(state.homes) if home == device.me
                ]
                device.going_alone.request((), own_tokens, seats)

    def _valid_token(self, seat: int, state: State) -> str:
        """Returns the valid token of a seat. A device that goes on alone replaces its tokens by their successors, and
        may have to do that twice."""
        issued, holder = self.tokens[seat], self.nodes[state.homes[seat]].device
        following = [holder.successor(token) for token in issued] if holder is not None else []
        valid = next((token for token in (*following, *issued) if hash_of(token) in state.claims), issued[-1])
        if valid not in issued:
            issued.append(valid)
        return valid

    def _may_lose(self, old: int) -> bool:
        """Returns True if, of two devices, this one may be lost before its seats have moved."""
        remaining = [node for node in self.nodes if not node.lost]
        other = next((node for node in remaining if node.number != old), None)
        states = [node.device.state for node in remaining if node.device is not None]
        if other is None or other.device is None or len(remaining) != 2 or len(states) != 2:
            return False
        hands, voters = other.device.private, {other.number, old}
        knows_deal = self.setup.game == "razzia" or (
            hands.role is not None and all(state.dealer == other.number for state in states)
        )
        may_go_alone = not other.device.going_alone.gave_up or other.number < old
        return (
            may_go_alone
            and knows_deal
            and other.number in other.device.state.voters
            and all({*state.voters, *state.future_voters} == voters for state in states)
            and not any(node.device.log.pending_changes for node in remaining if node.device is not None)
            and all(
                index <= other.disk.commit
                for index, entry in enumerate(other.disk.entries, 1)
                if changes_voters(entry.envelope, index)
            )
        )

    def _ask_admission(self, node: Node, state: State) -> None:
        """Asks a random device to let the new one in, until the log says that it was; the device that authored the
        entry may have lost it again."""
        if any(member.seal_key == node.keys.seal_key for member in state.devices):
            if node not in self.nodes:
                self.nodes.append(node)
                self.boot(node)
            return
        asked = self.move_rnd.choice(self.nodes)
        device = asked.device
        if device is not None:
            own_tokens = [
                self._valid_token(seat, state) for seat, home in enumerate(state.homes) if home == asked.number
            ]
            device.going_alone.request([permit_of(token) for token in self.link_tokens[node.number]], own_tokens)
        if (
            device is not None
            and device.ready
            and device.me in device.state.voters
            and not device.outbox.has_pending(Join)
        ):
            device.author(Join(len(device.state.devices), node.keys.verify_key, node.keys.seal_key))
            self.process(asked)

    def boot(self, node: Node) -> None:
        super().boot(node)
        if node.device is not None and node.number in self.link_tokens:
            node.device.claim_tokens = self.link_tokens[node.number]

    def _end_move(self, state: State) -> None:
        """Ends a move: the seats have arrived. Devices without a seat are shut down, or look on."""
        assert self.new_node is not None
        for seat in range(len(state.homes)):
            self._valid_token(seat, state)
        self.new_node = None
        for number in state.seatless - {*state.voters}:
            if self.move_rnd.random() < 0.7:
                self._shut_down(number)

    def _shut_down_early(self, state: State) -> None:
        """Shuts the old device down before its vote has moved: a majority is enough to change the voters."""
        for number in state.seatless & {*state.voters}:
            self._shut_down(number)

    def _shut_down(self, number: int) -> None:
        """Shuts a device down for good, if the table can go on without it."""
        remaining = [node for node in self.nodes if not node.lost and node.number != number]
        states = [node.device.state for node in remaining if node.device is not None]
        enough = all(
            sum(not self.nodes[voter].lost and voter != number for voter in voters) > len(voters) // 2
            for state in states
            for voters in (state.voters, state.future_voters)
        )
        if enough and len(states) == len(remaining):
            super()._lose(self.nodes[number])

    def _lose(self, node: Node) -> None:
        self._shut_down(node.number)


def world_named(name: str) -> World:
    """Returns the world with a name such as `World-5` or `Movers-21`."""
    kind, seed = name.split("-")
    return {"World": World, "Movers": Movers}[kind](int(seed))
