"""Rate limits: for the frames of a connection, and for the actions of an address."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from signaling.limits import MINUTE


class TokenBucket:
    """A token bucket: `rate` frames a second in the long run, and at most `most` at once."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, rate: float, most: int, now: float) -> None:
        self._rate, self._most, self._left, self._at = rate, most, float(most), now

    def take(self, now: float) -> bool:
        self._left = min(self._most, self._left + max(0.0, now - self._at) * self._rate)
        self._at = max(self._at, now)
        if self._left < 1:
            return False
        self._left -= 1
        return True


class MinuteCounter:
    """Counts how often each address did something. An address's minute begins with its first action."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: dict[str, tuple[float, int]] = {}

    def allows(self, address: str, now: float) -> bool:
        since, count = self._counts.get(address, (now, 0))
        return count < self._most or now - since >= MINUTE

    def count(self, address: str, now: float) -> None:
        since, count = self._counts.get(address, (now, 0))
        self._counts[address] = (now, 1) if now - since >= MINUTE else (since, count + 1)

    def forget(self, now: float) -> None:
        """Deletes the counts whose minute is over, so that memory does not grow with the number of addresses."""
        self._counts = {who: told for who, told in self._counts.items() if now - told[0] < MINUTE}


def counted_address(address: str) -> str:
    """Returns the address that is counted. One IPv6 customer has a whole /64, so all of it counts as one."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(IPv6Address(int(ip) >> 64 << 64))
