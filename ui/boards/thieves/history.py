"""The names of the cards on the table, by which their movements are animated, and what has just happened.

A card gets its name when it is laid on the table. Cards in hands have none, because a name that a card kept from the
hand would reveal what is laid face down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core import Answer
from engine.session import Answered
from engine.thieves.alarm import LayOne
from engine.thieves.box import GETAWAY
from engine.thieves.cards import ACTION, card_of
from engine.thieves.rules import Play
from engine.thieves.thief import Look


@dataclass(slots=True)
class CardTracks:
    """The names of the cards on the table. A name is made from the number of the entry that laid the card."""

    loot: list[list[str]]  # by seat, in the order of the table
    police: list[tuple[str, int]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    getaways: list[str] = field(default_factory=list)
    laid_by: dict[str, int] = field(default_factory=dict)  # by name, the seat that laid or played the card
    moved: set[str] = field(default_factory=set)  # the cards that the last entry moved
    returned: list[str] = field(default_factory=list)  # the cards that the last entry put back into the deck
    looked_by: dict[str, int] = field(default_factory=dict)  # by card, the seat that looked at it since its last answer
    last_played: dict[int, int] = field(default_factory=dict)  # by seat, the kind that left its hand last

    def lay(self, pile: list[str], name: str, seat: int) -> None:
        pile.append(name)
        self.laid_by[name] = seat
        self.moved.add(name)

    def lay_police(self, name: str, kind: int, seat: int) -> None:
        self.police.append((name, kind))
        self.laid_by[name] = seat
        self.moved.add(name)

    def move(self, owner: int, place: int, to: int) -> None:
        """Moves a card of loot to the seat that a thief brings it to."""
        card = self.loot[owner].pop(place)
        self.loot[to].append(card)
        self.moved.add(card)

    def remove_police(self, kind: int) -> None:
        """Moves the first police card of this kind out of the game."""
        place = [lying for _, lying in self.police].index(kind)
        blocked, _ = self.police.pop(place)
        self.removed.append(blocked)
        self.moved.add(blocked)

    def return_to_deck(self, losers: Sequence[int]) -> None:
        """Puts the loot of the losers of a raid and all police back into the deck."""
        self.returned = [card for loser in losers for card in self.loot[loser]] + [card for card, _ in self.police]
        self.police = []
        for loser in losers:
            self.loot[loser] = []


def track_cards(log: Sequence[Answered], seats: int, *, over: bool) -> CardTracks:
    """Follows the entries of the current game.

    In a match the table is cleared after the gems of each game, but not after the last one (`over`).
    """
    last = len(log) - 1 if over else len(log)
    start = next((number + 1 for number in range(last - 1, -1, -1) if log[number].answer[0] == "gems"), 0)
    tracks = CardTracks([[] for _ in range(seats)])
    for number in range(start, len(log)):
        tracks.moved.clear()
        tracks.returned = []
        follow_entry(tracks, number, log[number])
    return tracks


def follow_entry(tracks: CardTracks, number: int, entry: Answered) -> None:
    """Applies one entry."""
    seat, a, asked = entry
    if seat >= 0:
        tracks.looked_by = {card: by for card, by in tracks.looked_by.items() if by != seat}
    if isinstance(asked, Play):
        tracks.last_played[seat] = card_of(a)
    elif isinstance(asked, LayOne) and a[0] == "police":
        tracks.last_played[seat] = a[1]
    name = f"c{number}"
    match a:
        case ("lay", _):
            tracks.lay(tracks.loot[seat], name, seat)
        case ("give", _, to):
            tracks.lay(tracks.loot[to], name, seat)
        case ("take", owner, place, to):
            tracks.move(owner, place, to)
        case ("look", _) if isinstance(asked, Look):
            card = tracks.loot[asked.to][-1]
            tracks.moved.add(card)
            tracks.looked_by[card] = asked.to
        case ("caught", *losers):
            tracks.return_to_deck(losers)
        case _:
            follow_public_card(tracks, name, seat, a)


def follow_public_card(tracks: CardTracks, name: str, seat: int, a: Answer) -> None:
    """Applies an entry that lays a getaway or police, or that takes cards out of the game."""
    match a:
        case ("card", kind) if kind == GETAWAY:
            tracks.lay(tracks.getaways, name, seat)
        case ("police", kind):
            tracks.lay_police(name, kind, seat)
        case ("police_laid", *hands):
            for by, kinds in enumerate(hands):
                for place, kind in enumerate(kinds):
                    tracks.lay_police(f"{name}-{by}-{place}", kind, by)
        case (verb, *blocked) if verb in ACTION:
            tracks.lay(tracks.removed, name, seat)
            for kind in blocked:
                tracks.remove_police(kind)
