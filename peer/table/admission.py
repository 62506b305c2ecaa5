"""Admission: a device that comes after the game has begun is let in, to look on or to claim a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Nonsense
from peer.channels.channel import Channel
from peer.crypto.keys import SignedText
from peer.game.types import claim_of, permit_of
from peer.order.raft import NEWCOMER, NOBODY
from peer.wire.bodies import MAX_DEVICES
from peer.wire.messages import Admitted, Join, TableFull

if TYPE_CHECKING:
    from peer.table.table import Table

ASK_PAUSE = 1_000  # milliseconds between two join requests
RESERVED_PLACES = 8  # of the DEVICES places at a table: reserved for devices that bring the permit of a seat
CATCH_UP_TIME = 1_000  # milliseconds a device may take to catch up with the game before it is shown
UNREACHABLE_AFTER = 5_000  # milliseconds in the room without reaching a device of the table, before the page is told


class Admission:
    """Both sides of an admission: this device asks to be let in, or lets others in."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked_at = 0  # time of the last join request
        self.requests = 0  # number of join requests so far
        self.asked_keys: set[str] = set()  # seal keys of the devices that were asked
        self.last_reachable = (
            table.now()
        )  # last time that no device was missing, or one that can let us in was reachable
        self.reported_missing = 0  # further devices needed to let this one in, as the device that was asked reported
        self.proposed: set[str] = set()  # seal keys of devices whose admission was proposed, until it is committed
        self.show_at = 0  # when the game is shown even if this device has not caught up; 0: not waiting for that

    @property
    def outside(self) -> bool:
        """Returns True if the game has begun and this device has not been let in yet."""
        return self.table.setup is not None and self.table.game is None

    @property
    def waiting(self) -> bool:
        """Returns True if this device has no game, and either knows no lobby yet or has not been let in."""
        return self.table.game is None and (self.outside or self.table.lobby is None)

    @property
    def catching_up(self) -> bool:
        """Returns True if this device was just let in and is still catching up. The page does not show the game until
        then, so that it shows where the game is, not how it got there."""
        game = self.table.game
        return game is not None and not game.device.ready and self.table.now() < self.show_at

    @property
    def _unconfirmed(self) -> bool:
        """Returns True if another device reported that this one was let in, but the log known here does not say so."""
        return self.table.game is not None and self.table.game.number == NEWCOMER

    @property
    def _claim_blocked(self) -> bool:
        """Returns True if this device brought rejoin tokens that cannot be claimed now: it has not caught up, or the
        table has no leader."""
        game = self.table.game
        if game is None or not game.device.claim_tokens:
            return False
        raft = game.device.raft
        return not game.device.ready or not raft.hears(raft.leader, game.device.timing.election_max)

    def tick(self) -> None:
        self.request_admission()
        if self.show_at and not self.catching_up:
            self.show_at = 0
            self.table.show_game()

    def request_admission(self) -> None:
        """Sends a join request to one device after the other, until this device is let in and can claim its seats."""
        table, wanted = self.table, self.outside or self._unconfirmed or self._claim_blocked
        original = self._askable_channels() if wanted else []
        if original or not self.waiting or not table.channels.relay:
            self.last_reachable = table.now()
        candidates = self._askable_channels(others=True) if wanted else []
        if not candidates:
            self.reported_missing = 0
        elif table.now() >= self.asked_at + ASK_PAUSE:
            self.asked_at, self.requests = table.now(), self.requests + 1
            if original and self.requests <= 2 * len(
                original
            ):  # the devices the game began with are asked first, twice each
                candidates = original
            channel = candidates[self.requests % len(candidates)]
            self.asked_keys.add(channel.seal_key)
            table.run(self._send_request(channel))

    async def _send_request(self, channel: Channel) -> None:
        """Sends a join request. It is signed, because the messages of a channel prove only the seal key, not the verify
        key that belongs to it."""
        table = self.table
        signature = await table.env.sign(table.keys, _request_text(table.keys.seal_key).encode())
        table.send(channel, Join(signature, tuple(map(permit_of, table.link_tokens))))

    def _askable_channels(self, *, others: bool = False) -> list[Channel]:
        """Returns the channels to reachable devices the game began with; with `others`, to all reachable devices,
        because the seats may have moved to them."""
        table, setup = self.table, self.table.setup
        original = setup.seal_keys if setup is not None else ()
        reachable = (one for one in table.channels.by_key.values() if table.state(one.seal_key) != "gone")
        return [channel for channel in reachable if others or channel.seal_key in original]

    @property
    def missing_devices(self) -> int:
        """The number of further devices that must be here before this one is let in; `NOBODY` if no device that could
        let it in can be reached."""
        if self.table.now() - self.last_reachable > UNREACHABLE_AFTER:
            return NOBODY
        return self.reported_missing

    def on_request(self, channel: Channel, signature: str, permits: tuple[str, ...]) -> None:
        """Handles a join request."""
        game = self.table.game
        if game is not None and game.number != NEWCOMER:
            signed_request = SignedText((channel.verify_key,), _request_text(channel.seal_key), signature)
            self.table.run(self._admit(channel, signed_request, permits))

    async def _admit(self, channel: Channel, signed_request: SignedText, permits: tuple[str, ...]) -> None:
        """Lets a device in to look on; it claims seats itself once the log has given it a number. Answers how many
        devices are missing if there is no majority to let it in. Some places are reserved for devices that bring the
        permit of a seat."""
        table = self.table
        if not await table.env.proven([signed_request]):
            table.channels.strike(channel, Nonsense("net.forged"))
            return
        game = table.game
        if game is None:
            return
        table.tokens.go_on_alone(permits)
        if game.number_of(channel.seal_key) >= 0:
            table.send(channel, Admitted(0))
            return
        state = game.device.state
        places = MAX_DEVICES if state.claims.keys() & {*map(claim_of, permits)} else MAX_DEVICES - RESERVED_PLACES
        if len(state.devices) >= places:
            table.send(channel, TableFull())
            return
        game.join(channel.verify_key, channel.seal_key)
        self.proposed.add(channel.seal_key)
        missing = game.missing_devices(table.state)
        if missing:
            table.send(channel, Admitted(missing))

    def on_applied(self) -> None:
        """Answers the devices whose admission is now committed. Called when new entries have been applied."""
        game, channels = self.table.game, self.table.channels.by_key
        self.proposed &= channels.keys()
        for seal_key in [key for key in self.proposed if game is not None and game.number_of(key) >= 0]:
            self.proposed.discard(seal_key)
            self.table.send(channels[seal_key], Admitted(0))

    def on_full(self, channel: Channel) -> None:
        """Handles the answer "full": there is no place for a device that only looks on."""
        if self.outside and channel.seal_key in self.asked_keys:
            self.table.reason, self.last_reachable = "net.full", self.table.now()
            self.table.changed()

    def on_admitted(self, channel: Channel, missing: int) -> None:
        """Handles the answer "in" to a join request. Any device may have been asked, so the answer proves nothing: it
        only tells this device to start listening to the log. Raises `Nonsense` if that device was not asked."""
        table = self.table
        if not (self.outside or self._unconfirmed):
            return
        if channel.seal_key not in self.asked_keys:
            raise Nonsense("net.not_a_message")
        self.reported_missing, self.last_reachable = missing, table.now()
        if self.reported_missing:
            table.changed()
        elif table.game is None:
            self.show_at = table.now() + CATCH_UP_TIME
            table.start_game([], admitted=True)


def _request_text(seal_key: str) -> str:
    return f"speakeasy/join\n{seal_key}"
