"""Rate limits for another device, and the count of refusals after which it is muted."""

from __future__ import annotations

MUTED_AT = 20  # refusals after which a device is muted
FORGIVEN_AFTER = 10_000  # milliseconds after which one refusal is forgotten


class RateLimit:
    """A rate limit (token bucket): `burst` at once, then `per_second`. Times are in milliseconds."""

    def __init__(self, now: int, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, burst
        self.tokens, self.refilled_at = float(burst), now

    def take(self, now: int) -> bool:
        """Takes one token. Returns False if the limit is exceeded."""
        refilled = self.tokens + max(0, now - self.refilled_at) * self.per_second / 1000
        self.tokens, self.refilled_at = min(max(self.burst, self.tokens), refilled), now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def refill(self, tokens: int) -> None:
        """Refills to so many tokens, at least `burst`: what piled up while this device was suspended is no flood."""
        self.tokens = float(max(self.burst, tokens))


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
