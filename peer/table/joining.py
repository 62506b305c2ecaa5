"""Joining: a device that comes after the game has begun asks to be let in, to look on or to claim a seat."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Nonsense
from peer.channels.channel import Channel
from peer.table.news import UNREACHABLE
from peer.table.phase import Knocking, Over, Phase, Playing, Waiting, setup_of

ASK_PAUSE = 1_000  # milliseconds between two join requests
CATCH_UP_TIME = 1_000  # milliseconds a device may take to catch up with the game before it is shown
UNREACHABLE_AFTER = 5_000  # milliseconds in the room without reaching a device of the table, before the page is told


def request_text(seal_key: str) -> str:
    """Returns the text that a device signs to be let in: the messages of a channel prove only the seal key, not the
    verify key that belongs to it."""
    return f"speakeasy/join\n{seal_key}"


def wants_admission(phase: Phase) -> bool:
    """Returns True if this device has to ask to be let in, or has rejoin tokens that it cannot claim otherwise."""
    match phase:
        case Waiting():
            return True
        case Playing(game) | Over(game):
            return game.unconfirmed or game.claim_blocked
    return False


def _original(phase: Phase, reachable: Sequence[Channel]) -> list[Channel]:
    """Returns the channels to the devices that the game began with."""
    setup = setup_of(phase)
    return [channel for channel in reachable if setup is not None and channel.seal_key in setup.seal_keys]


class JoinRequests:
    """The join requests of this device: which devices were asked, and what they answered."""

    def __init__(self, now: int) -> None:
        self.asked_at = 0  # time of the last join request
        self.requests = 0  # number of join requests so far
        self.asked_keys: set[str] = set()  # seal keys of the devices that were asked
        # the last time that a device the game began with was reachable, or answered, or that none was needed; also set
        # while this device is not connected itself, as then nothing is known of the others
        self.last_reachable = now
        self.reported_missing = 0  # further devices needed to let this one in, as the device that was asked reported
        self.catch_up_until = 0  # when a game is shown even if this device, which was let in, has not caught up

    def note_reachable(self, phase: Phase, reachable: Sequence[Channel], now: int, *, online: bool) -> None:
        """Notes which devices are reachable now. Time counts against the table only while this device waits to be let
        in, is `online`, and reaches no device that the game began with."""
        if _original(phase, reachable) or not online or not isinstance(phase, Knocking | Waiting):
            self.last_reachable = now
        if not reachable or not wants_admission(phase):
            self.reported_missing = 0  # nobody is asked, so what was reported may be out of date

    def next_channel(self, phase: Phase, reachable: Sequence[Channel], now: int) -> Channel | None:
        """Returns the channel for the next join request, which is to be sent now; None if there is nothing to ask now.
        One device after the other is asked, until this one is let in and can claim its seats.

        The devices the game began with are asked first, twice each, then all: the seats may have moved to others.
        """
        if not reachable or not wants_admission(phase) or now < self.asked_at + ASK_PAUSE:
            return None
        self.asked_at, self.requests = now, self.requests + 1
        original = _original(phase, reachable)
        candidates = original if self.requests <= 2 * len(original) else reachable
        channel = candidates[self.requests % len(candidates)]
        self.asked_keys.add(channel.seal_key)
        return channel

    def missing_devices(self, now: int) -> int:
        """Returns the number of further devices that must be here before this one is let in; `UNREACHABLE` if no device
        that could let it in can be reached."""
        return UNREACHABLE if now - self.last_reachable > UNREACHABLE_AFTER else self.reported_missing

    def _check_asked(self, seal_key: str) -> None:
        """Raises `Nonsense` if the device that answers was not asked."""
        if seal_key not in self.asked_keys:
            raise Nonsense("net.not_a_message")

    def on_full(self, seal_key: str, now: int) -> None:
        """Handles the answer that there is no place for a device that only looks on. Raises `Nonsense` if that device
        was not asked."""
        self._check_asked(seal_key)
        self.last_reachable = now

    def on_answer(self, seal_key: str, missing: int, now: int) -> None:
        """Handles the answer that this device was let in (`missing` is 0), or will be when so many more devices are
        here. Any device may have been asked, so the answer proves nothing. Raises `Nonsense` if that device was not
        asked."""
        self._check_asked(seal_key)
        self.reported_missing, self.last_reachable = missing, now
        if not missing:
            self.catch_up_until = now + CATCH_UP_TIME
