"""The log a device holds: entries, the chain of heads over them, and what can be counted from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from engine.core import Refused
from peer.wire.envelope import Entry, Envelope, link


class Log:
    """Entries count from 1; head 0 is the origin, a hash of what the table is.

    Who has a vote is said in the log too. As long as such an entry is not committed a majority of the old voters *and*
    one of the new is needed: so no two majorities can miss each other, whoever knows of it and whoever does not yet.
    """

    def __init__(self, origin: str, voters: tuple[int, ...]) -> None:
        self.entries: list[Entry] = []
        self.heads = [origin]
        self.counters: dict[int, int] = {}  # the last counter of every author
        self.places: dict[tuple[int, int], int] = {}  # (author, counter) -> index
        self.voters = voters  # as far as is committed
        self.pending: list[tuple[int, Envelope]] = []  # entries that change them

    def _sides(self, index: int) -> list[tuple[int, ...]]:
        """Of each of these a majority is needed, up to that entry. One of two may go on alone, as soon as it says so.
        And who decided alone until then gives another one the vote without asking: nothing can pass it by later."""
        sides = [self.voters]
        for place, said in self.pending:
            if said.kind == "votes":
                second = len(self.voters) == 1 and len(said.body[1]) == 2 and self.voters[0] in said.body[1]
                if not second or index > place:
                    sides.append(said.body[1])
            elif len(sides) == 1 and len(self.voters) == 2 and said.author in self.voters:
                sides = [(said.author,)]
        return sides

    @property
    def everybody(self) -> tuple[int, ...]:
        """Who has a vote, or is about to have or to lose one."""
        return tuple(sorted({device for voters in self._sides(self.last + 1) for device in voters}))

    def carries(self, devices: Collection[int], index: int = 0) -> bool:
        """Whether these are enough to decide who is the host, or on the entries up to that one."""
        return all(sum(voter in devices for voter in voters) > len(voters) // 2 for voters in self._sides(index))

    def settle(self, index: int, voters: tuple[int, ...]) -> bool:
        """Entries up to that one are committed, and left these voters; whether one of them was about that."""
        before, self.pending = self.pending, [later for later in self.pending if later[0] > index]
        self.voters = voters
        return self.pending != before

    @property
    def last(self) -> int:
        return len(self.entries)

    def term(self, index: int) -> int:
        return self.entries[index - 1].term if index else 0

    def entry(self, index: int) -> Entry:
        return self.entries[index - 1]

    def holds(self, index: int, head: str) -> bool:
        return index < len(self.heads) and self.heads[index] == head

    def after(self, index: int, most: int) -> Sequence[Entry]:
        """Entries after `index`, as many as fit into `most` characters, but at least one."""
        found: list[Entry] = []
        for entry in self.entries[index:]:
            text = entry.envelope.text
            most -= len(text) + text.count('"') + text.count("\\") + 120
            if found and (most < 0 or len(found) == 200):
                break
            found.append(entry)
        return found

    def counts(self, length: int, entries: Iterable[Entry]) -> bool:
        """Whether the counters of all authors go up by one where these entries follow so many of this log."""
        known = self.counters if length == self.last else self._counters(length)
        counters: dict[int, int] = {}
        for _, said in entries:
            if said.counter != counters.get(said.author, known.get(said.author, 0)) + 1:
                return False
            counters[said.author] = said.counter
        return True

    def append(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            said = entry.envelope
            self.entries.append(entry)
            self.heads.append(link(self.heads[-1], entry))
            self.places.setdefault((said.author, said.counter), self.last)
            self.counters[said.author] = said.counter
            if changes_voters(said, self.last):
                self.pending.append((self.last, said))

    def cut(self, length: int) -> None:
        """Forget what comes after the first `length` entries."""
        for index in range(length + 1, self.last + 1):
            said = self.entry(index).envelope
            if self.places.get((said.author, said.counter)) == index:
                del self.places[said.author, said.counter]
        self.pending = [one for one in self.pending if one[0] <= length]
        del self.entries[length:]
        del self.heads[length + 1 :]
        self.counters = self._counters(length)

    def _counters(self, length: int) -> dict[int, int]:
        return {said.author: said.counter for _, said in self.entries[:length]}

    def same(self, author: int, counter: int) -> Envelope | None:
        """What this author said under that counter, if it is in the log."""
        index = self.places.get((author, counter))
        return self.entry(index).envelope if index else None


def changes_voters(said: Envelope, index: int) -> bool:
    """Only where its author meant it to stand: elsewhere it is stale, and harmless."""
    return said.kind in ("votes", "alone") and said.body[0] == index


class Differs(Refused):
    """A committed entry is told differently: this log and that device's have parted for good."""

    def __init__(self, device: int, index: int) -> None:
        super().__init__("net.histories_differ", device=device, index=index)
        self.index = index
