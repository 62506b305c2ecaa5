"""The log lines for each entry of thieves, and how long the table rests after it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import NATURE, Answer, Entry, Question
from engine.thieves.alarm import Alarm
from engine.thieves.box import AT_RAID, CARS, GETAWAY, LAST_GETAWAY, RAID_AT, worth
from engine.thieves.rules import Draw, DrawTwo
from engine.thieves.score import points
from engine.thieves.table import Table, cars
from engine.thieves.thief import Look
from ui.boards import Line, Who
from ui.boards.thieves.cards import Listed, The
from ui.text.i18n import Value

#: milliseconds at normal speed. After a raid, or a game of a match, people read what is shown: at most this long, or
#: until somebody goes on
READ = 12_000
NEXT_GAME = 60_000
SPLASH = 2400
BEATS = {
    "first": 700,
    "hand": 160,
    "card": 420,
    "lay": 800,
    "give": 950,
    "police": 900,
    "roadblock": 1100,
    "alarm": 1300,
    "police_laid": 1300,
    "none": 600,
    "thief": 800,
    "take": 1200,
    "let_go": 800,
    "look": 700,
    "double_loot": 900,
    "raid": READ,
    "caught": 1700,
    "count": 2400,
    "gems": 600,
}


def tell(before: Table, entry: Entry, after: Table, asked: Question[Table]) -> list[Line]:
    """Returns the lines that an entry adds to the log."""
    seat, a = entry
    match a:
        case ("card", kind) if isinstance(asked, Draw | DrawTwo):
            return escape(asked.to, after) if kind == GETAWAY else []
        case ("police_laid", *_) if isinstance(asked, Alarm):
            return laid(a[1:])
        case ("take", owner, place, to):
            return [Line(seat, *taken(before, owner, place, to))]
        case ("look", _) if isinstance(asked, Look):
            return [Line(asked.to, "thieves.log.look", {})]
        case ("police", kind):
            return [Line(seat, "thieves.log.police", {"n": CARS[kind], "cars": cars(after), "limit": RAID_AT})]
        case ("raid", *_):
            return [Line(NATURE, "thieves.log.raid", {}, loud=True), *shown(after)]
        case ("caught", *losers):
            return caught(before, losers)
        case ("count", *_):
            lines = [Line(by, "thieves.log.count", {"n": n}) for by, n in enumerate(points(after))]
            return [Line(NATURE, "thieves.log.end", {}, loud=True), *lines]
        case ("gems", *found):
            return [Line(by, "thieves.log.gems", {"n": n}) for by, n in enumerate(found) if n]
    line = plainly(seat, a, loot=any(before.loot))
    return [line] if line else []


def plainly(seat: int, a: Answer, *, loot: bool) -> Line | None:
    """Returns the line of an entry that can be described without the table, else None. `loot`: there is any loot."""
    match a:
        case ("first", int(first)):
            return Line(first, "thieves.log.first", {})
        case ("give", int(kind), int(to)):
            return Line(seat, "thieves.log.give", {"card": The(kind), "to": Who(to)})
        case ("roadblock", int(police)):
            return Line(seat, "thieves.log.roadblock", {"n": CARS[police]})
        case ("roadblock",):
            return Line(seat, "thieves.log.roadblock.none", {})
        case ("thief",) if not loot:
            return Line(seat, "thieves.log.thief.none", {})
        case ("lay" | "alarm" | "thief" | "double_loot" | "none" | "let_go" as verb, *_):
            return Line(seat, f"thieves.log.{verb}", {})
    return None


def escape(by: int, after: Table) -> list[Line]:
    values: dict[str, Value] = {"getaways": after.getaways, "limit": LAST_GETAWAY}
    return [Line(by, "thieves.log.getaway", dict(values), loud=after.getaways >= LAST_GETAWAY)]


def laid(hands: Sequence[Sequence[int]]) -> list[Line]:
    """Returns the police cards that each hand laid because of the alarm."""
    lines = [
        Line(by, "thieves.log.laid", {"cards": Listed(tuple(kinds)), "n": worth(kinds, CARS)})
        for by, kinds in enumerate(hands)
        if kinds
    ]
    return lines or [Line(NATURE, "thieves.log.laid.none", {})]


def taken(before: Table, owner: int, place: int, to: int) -> tuple[str, dict[str, Value | Who]]:
    """Returns key and values of the line for a thief. The card is named only if everybody knows it."""
    card = before.loot[owner][place]
    key = "thieves.log.take" if card.up or not card.kind else "thieves.log.take.down"
    return key, {"card": The(card.kind), "owner": Who(owner), "to": Who(to)}


def shown(after: Table) -> list[Line]:
    """Returns the loot of each seat as a raid shows it."""
    return [
        Line(by, "thieves.log.shown", {"cards": Listed(kinds), "n": worth(kinds, AT_RAID)})
        for by, cards in enumerate(after.loot)
        if (kinds := tuple(card.kind for card in cards))
    ]


def caught(before: Table, losers: Sequence[int]) -> list[Line]:
    if not losers:
        return [Line(NATURE, "thieves.log.caught.none", {})]
    return [
        Line(by, "thieves.log.caught", {"cards": Listed(tuple(card.kind for card in before.loot[by]))}, loud=True)
        for by in losers
    ]


def beat(before: Table, entry: Entry, after: Table) -> int:
    """Returns how long the table rests after an entry, in milliseconds at normal speed."""
    verb, *values = entry[1]
    if verb == "card" and values[0] == GETAWAY:
        return SPLASH if after.getaways >= LAST_GETAWAY else 1000
    if verb in ("police", "police_laid", "none") and cars(after) >= RAID_AT:
        return SPLASH
    if verb == "count" and after.house.match:
        return NEXT_GAME
    return BEATS[verb]


def latest(log: Sequence[Entry], t: Table) -> Line | None:
    """Returns the line of the most recent event worth showing in a corner of the felt, or None."""
    for seat, a in reversed(log):
        match a:
            case ("card", kind) if kind != GETAWAY:
                continue
            case ("hand" | "look" | "raid", *_):
                continue
            case ("card", _):
                return Line(NATURE, "thieves.felt.getaway", {"getaways": t.getaways, "limit": LAST_GETAWAY})
            case ("police", kind):
                return Line(seat, "thieves.felt.police", {"n": CARS[kind]})
            case ("police_laid", *hands):
                kinds = tuple(kind for hand in hands for kind in hand)
                return Line(NATURE, "thieves.felt.laid", {"n": worth(kinds, CARS)})
            case ("take", owner, _, to):
                return Line(seat, "thieves.felt.take", {"owner": Who(owner), "to": Who(to)})
            case ("caught", *losers):
                return Line(
                    losers[0] if losers else NATURE, "thieves.felt.caught" if losers else "thieves.log.caught.none", {}
                )
            case ("count" | "gems", *_):
                return None
        return plainly(seat, a, loot=any(t.loot))
    return None
