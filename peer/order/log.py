"""The log of a device: entries, a hash chain over them, and the voters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from engine.core import Nonsense
from peer.wire.bodies import Alone, Votes
from peer.wire.envelope import Entry, Envelope, next_head


class Log:
    """Entries are numbered from 1; head 0 is the origin, the hash of the table's setup.

    Entries can change the voters. While such an entry is not committed, a majority of the old voters *and* a majority
    of the new ones is needed (joint consensus). So any two majorities overlap, whether or not their members know of the
    change yet.
    """

    def __init__(self, origin: str, voters: tuple[int, ...]) -> None:
        self.entries: list[Entry] = []
        self.heads = [origin]
        self.counters: dict[int, int] = {}  # the last counter of each author
        self.index_of: dict[tuple[int, int], int] = {}  # (author, counter) -> index of the entry
        self.voters = voters  # according to the committed entries
        self.pending_changes: list[tuple[int, Envelope]] = []  # (index, envelope) of later entries that change them

    def _voter_sets(self, index: int) -> list[tuple[int, ...]]:
        """Returns the sets of voters of each of which a majority is needed to commit the entries up to `index`.

        An `alone` entry of one of two voters takes effect at once. A single voter commits the entry that adds a second
        voter without it; no later majority can exclude that single voter, so the entry cannot be lost.
        """
        voter_sets = [self.voters]
        for position, envelope in self.pending_changes:
            if isinstance(envelope.body, Votes):
                voters = envelope.body.voters
                adds_second = len(self.voters) == 1 and len(voters) == 2 and self.voters[0] in voters
                if not adds_second or index > position:
                    voter_sets.append(voters)
            elif len(voter_sets) == 1 and len(self.voters) == 2 and envelope.author in self.voters:
                voter_sets = [(envelope.author,)]
        return voter_sets

    @property
    def all_voters(self) -> tuple[int, ...]:
        """All devices that have a vote, or are about to get or to lose one."""
        if not self.pending_changes:
            return tuple(sorted({*self.voters}))
        return tuple(sorted({device for voters in self._voter_sets(self.last_index + 1) for device in voters}))

    def is_majority(self, devices: Collection[int], index: int = 0) -> bool:
        """Returns True if these devices are a majority, for the entries up to `index`, or (0) for an election."""
        return all(sum(voter in devices for voter in voters) > len(voters) // 2 for voters in self._voter_sets(index))

    def set_voters(self, index: int, voters: tuple[int, ...]) -> bool:
        """Sets the voters that result from the committed entries up to `index`.

        Returns True if one of these entries was a pending change of voters.
        """
        before, self.pending_changes = (
            self.pending_changes,
            [later for later in self.pending_changes if later[0] > index],
        )
        self.voters = voters
        return self.pending_changes != before

    @property
    def last_index(self) -> int:
        return len(self.entries)

    def term_at(self, index: int) -> int:
        return self.entries[index - 1].term if index else 0

    def entry(self, index: int) -> Entry:
        return self.entries[index - 1]

    def has_head(self, index: int, head: str) -> bool:
        return index < len(self.heads) and self.heads[index] == head

    def entries_after(self, index: int, max_chars: int) -> Sequence[Entry]:
        """Returns the entries after `index`: as many as fit into `max_chars`, at most 200, but at least one."""
        entries: list[Entry] = []
        for entry in self.entries[index:]:
            text = entry.envelope.text
            max_chars -= len(text) + text.count('"') + text.count("\\") + 120
            if entries and (max_chars < 0 or len(entries) == 200):
                break
            entries.append(entry)
        return entries

    def counters_continue(self, length: int, entries: Iterable[Entry]) -> bool:
        """Returns True if every author's counters go up by one when these entries follow the first `length` entries."""
        known = self.counters if length == self.last_index else self._counters_at(length)
        counters: dict[int, int] = {}
        for _, envelope in entries:
            if envelope.counter != counters.get(envelope.author, known.get(envelope.author, 0)) + 1:
                return False
            counters[envelope.author] = envelope.counter
        return True

    def append(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            envelope = entry.envelope
            self.entries.append(entry)
            self.heads.append(next_head(self.heads[-1], entry))
            self.index_of.setdefault((envelope.author, envelope.counter), self.last_index)
            self.counters[envelope.author] = envelope.counter
            if changes_voters(envelope, self.last_index):
                self.pending_changes.append((self.last_index, envelope))

    def truncate(self, length: int) -> None:
        """Removes all but the first `length` entries."""
        for index in range(length + 1, self.last_index + 1):
            envelope = self.entry(index).envelope
            if self.index_of.get((envelope.author, envelope.counter)) == index:
                del self.index_of[envelope.author, envelope.counter]
        self.pending_changes = [one for one in self.pending_changes if one[0] <= length]
        del self.entries[length:]
        del self.heads[length + 1 :]
        self.counters = self._counters_at(length)

    def _counters_at(self, length: int) -> dict[int, int]:
        return {said.author: said.counter for _, said in self.entries[:length]}

    def find_envelope(self, author: int, counter: int) -> Envelope | None:
        """Returns the envelope of this author with that counter, or None if it is not in the log."""
        index = self.index_of.get((author, counter))
        return self.entry(index).envelope if index else None


def changes_voters(envelope: Envelope, index: int) -> bool:
    """Returns True if this envelope, at this index, changes the voters.

    It names the index its author intended; at any other it is stale, and has no effect.
    """
    return isinstance(envelope.body, Votes | Alone) and envelope.body.log_index == index


class HistoriesDiffer(Nonsense):
    """A device has another entry where this log has a committed one: the two logs have diverged for good."""

    def __init__(self, device: int, index: int) -> None:
        super().__init__("net.histories_differ")
        self.device, self.index = device, index
