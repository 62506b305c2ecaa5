"""The log of a device: entries, a hash chain over them, and the voters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from engine.core import Refused
from peer.wire.envelope import Entry, Envelope, link


class Log:
    """Entries are numbered from 1; head 0 is the origin, the hash of the table's setup.

    Entries can change the voters. While such an entry is not committed, a majority of the old voters *and* one of the
    new is needed (joint consensus). So any two majorities overlap, whether or not their members know of the change yet.
    """

    def __init__(self, origin: str, voters: tuple[int, ...]) -> None:
        self.entries: list[Entry] = []
        self.heads = [origin]
        self.counters: dict[int, int] = {}  # the last counter of each author
        self.places: dict[tuple[int, int], int] = {}  # (author, counter) -> index of the entry
        self.voters = voters  # according to the committed entries
        self.pending: list[tuple[int, Envelope]] = []  # (index, envelope) of later entries that change them

    def _sides(self, index: int) -> list[tuple[int, ...]]:
        """Returns the sets of voters of each of which a majority is needed to commit the entries up to `index`.

        An `alone` entry of one of two voters takes effect at once. A single voter commits the entry that adds a second
        voter without it; no later majority can exclude that single voter, so the entry cannot be lost.
        """
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
        """All devices that have a vote, or are about to get or to lose one."""
        return tuple(sorted({device for voters in self._sides(self.last + 1) for device in voters}))

    def carries(self, devices: Collection[int], index: int = 0) -> bool:
        """Returns True if these devices are a majority, for the entries up to `index`, or (0) for an election."""
        return all(sum(voter in devices for voter in voters) > len(voters) // 2 for voters in self._sides(index))

    def settle(self, index: int, voters: tuple[int, ...]) -> bool:
        """Sets the voters that result from the committed entries up to `index`.

        Returns True if one of these entries was a pending change of voters.
        """
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
        """Returns the entries after `index`: as many as fit into `most` characters, at most 200, but at least one."""
        found: list[Entry] = []
        for entry in self.entries[index:]:
            text = entry.envelope.text
            most -= len(text) + text.count('"') + text.count("\\") + 120
            if found and (most < 0 or len(found) == 200):
                break
            found.append(entry)
        return found

    def counts(self, length: int, entries: Iterable[Entry]) -> bool:
        """Returns True if every author's counters go up by one when these entries follow the first `length` entries."""
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
        """Removes all but the first `length` entries."""
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
        """Returns the envelope of this author with that counter, or None if it is not in the log."""
        index = self.places.get((author, counter))
        return self.entry(index).envelope if index else None


def changes_voters(said: Envelope, index: int) -> bool:
    """Returns True if this envelope, at this index, changes the voters.

    It names the index its author intended; at any other it is stale, and has no effect.
    """
    return said.kind in ("votes", "alone") and said.body[0] == index


class Differs(Refused):
    """A device has another entry where this log has a committed one: the two logs have diverged for good."""

    def __init__(self, device: int, index: int) -> None:
        super().__init__("net.histories_differ", device=device, index=index)
        self.index = index
