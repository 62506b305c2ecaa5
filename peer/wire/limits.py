"""Rate limits for another device, and the count of refusals after which it is muted."""

from __future__ import annotations

STRIKES = 20  # refusals after which a device is muted
FORGIVEN = 10_000  # milliseconds after which one refusal is forgotten


class Meter:
    """A rate limit (token bucket): `burst` at once, then `per_second`. Times are in milliseconds."""

    def __init__(self, now: int, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, burst
        self.tokens, self.at = float(burst), now

    def take(self, now: int) -> bool:
        """Takes one token. Returns False if the limit is exceeded."""
        grown = self.tokens + max(0, now - self.at) * self.per_second / 1000
        self.tokens, self.at = min(max(self.burst, self.tokens), grown), now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def slept(self, most: int) -> None:
        """Refills to `most` tokens, at least `burst`: what piled up while this device was suspended is no flood."""
        self.tokens = float(max(self.burst, most))


class Meters:
    """One rate limit for each device."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, burst
        self.each: dict[int, Meter] = {}

    def take(self, device: int, now: int) -> bool:
        return self.each.setdefault(device, Meter(now, self.per_second, self.burst)).take(now)


class Strikes:
    def __init__(self, now: int) -> None:
        self.score, self.at = 0, now

    def one_more(self, now: int) -> bool:
        """Counts one refusal. Returns True if the device is to be muted."""
        forgiven = (now - self.at) // FORGIVEN
        self.at += forgiven * FORGIVEN
        self.score = max(0, self.score - forgiven) + 1
        return self.score >= STRIKES
