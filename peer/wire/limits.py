"""Rate limits for what comes from others, and the count of refusals after which a device is muted.

Everything that comes from outside passes a `Meter` first, where it enters this device: before it is decoded, decrypted,
parsed, verified or queued. What exceeds the allowance is dropped unread. The allowances are here, with their reasons.
"""

from __future__ import annotations

from typing import NamedTuple

MUTED_AT = 20  # refusals after which a device is muted
FORGIVEN_AFTER = 10_000  # milliseconds after which one refusal is forgotten


class Allowance(NamedTuple):
    """The limits of one sender: so many messages and characters at once, and then so many per second.

    Of a binary message the bytes count as characters.
    """

    messages_at_once: int
    messages_per_second: float
    characters_at_once: int
    characters_per_second: float


#: Everything from one device, or from one slot at the endpoint. Measured in Chromium, from one device to another: bots
#: without pauses send 13 texts and 4,500 characters a second; a device that is let in after a whole game gets 51 texts
#: with 270,000 characters at once; a wake-up, a reload, or a table of eight that begins, needs less than 60. Without a
#: network between them, devices play a whole game in two simulated seconds: 600 texts at once, then 200 a second.
DEVICE = Allowance(800, 200, 1_200_000, 200_000)
#: Texts of all others that one device relays to a third one. Each becomes up to two texts, half as long again in all,
#: that are counted as the relaying device's. That leaves half of `DEVICE` for its own texts: nobody can have a device
#: that relays honestly taken for one that floods.
RELAYED = Allowance(200, 50, 400_000, 50_000)
#: Everything from the endpoint: sixteen slots at the endpoint's own limits (`signaling/limits.py`), so only an endpoint
#: that does not keep them exceeds this.
ENDPOINT = Allowance(1_280, 320, 20_000_000, 5_000_000)
#: Before a device has proved its keys on a connection made by codes. An honest one sends a greeting and a challenge.
BEFORE_PROOF = Allowance(60, 0, 100_000, 0)
#: What may have piled up, from one device, while this one was suspended: browsers buffer a megabyte on each side.
BACKLOG, BACKLOG_CHARACTERS = 2_000, 4_000_000
#: A text that brings nothing, because it is a greeting or was received before, counts as so many more. Honest devices
#: send a few of them when a connection opens.
USELESS = 9
FIRST_PAUSE, LONGEST_PAUSE = 30_000, 600_000  # milliseconds for which a slot that floods is blocked


class RateLimit:
    """A rate limit (token bucket): `burst` at once, then `per_second`. Times are in milliseconds."""

    def __init__(self, now: int, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, burst
        self.tokens, self.refilled_at = float(burst), now

    def take(self, now: int, amount: int = 1) -> bool:
        """Takes so many tokens. Returns False, and takes none, if the limit is exceeded."""
        refilled = self.tokens + max(0, now - self.refilled_at) * self.per_second / 1000
        self.tokens, self.refilled_at = min(max(self.burst, self.tokens), refilled), now
        if self.tokens < amount:
            return False
        self.tokens -= amount
        return True

    def refill(self, tokens: int) -> None:
        """Refills to so many tokens, at least `burst`: what piled up while this device was suspended is no flood."""
        self.tokens = float(max(self.burst, tokens))


class Meter:
    """Counts everything from one sender before it is read. What exceeds the allowance must be dropped unread."""

    def __init__(self, now: int, allowance: Allowance) -> None:
        self.messages = RateLimit(now, allowance.messages_per_second, allowance.messages_at_once)
        self.characters = RateLimit(now, allowance.characters_per_second, allowance.characters_at_once)

    def take(self, now: int, characters: int, messages: int = 1) -> bool:
        """Counts so many messages with so many characters in all. Returns False if the allowance is exceeded."""
        is_allowed = self.messages.take(now, messages)
        return self.characters.take(now, characters) and is_allowed

    def charge(self, messages: int) -> None:
        """Counts so many messages more."""
        self.messages.tokens = max(0.0, self.messages.tokens - messages)

    def allow_backlog(self) -> None:
        """Allows, once, what piled up while this device was suspended."""
        self.messages.refill(BACKLOG)
        self.characters.refill(BACKLOG_CHARACTERS)


class GrowingPause:
    """A pause after a flood, during which nothing is taken from its sender. Each one is twice as long as the last."""

    def __init__(self) -> None:
        self.length = self.until = 0

    def begin(self, now: int) -> None:
        self.length = min(max(FIRST_PAUSE, 2 * self.length), LONGEST_PAUSE)
        self.until = now + self.length

    def is_over(self, now: int) -> bool:
        return now >= self.until


class RateLimits:
    """One rate limit for each device."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, burst
        self.by_device: dict[int, RateLimit] = {}

    def take(self, device: int, now: int) -> bool:
        return self.by_device.setdefault(device, RateLimit(now, self.per_second, self.burst)).take(now)


class Strikes:
    """The refusals of a device, of which one is forgotten after some time."""

    def __init__(self, now: int) -> None:
        self.count, self.forgiven_at = 0, now

    def add(self, now: int) -> bool:
        """Counts one refusal. Returns True if the device is to be muted."""
        forgiven = (now - self.forgiven_at) // FORGIVEN_AFTER
        self.forgiven_at += forgiven * FORGIVEN_AFTER
        self.count = max(0, self.count - forgiven) + 1
        return self.count >= MUTED_AT
