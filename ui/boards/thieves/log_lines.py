"""The log lines for each entry of thieves, and how long the table rests after it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import NATURE, Answer, Entry, Question
from engine.session import Answered
from engine.thieves.alarm import Alarm
from engine.thieves.box import AT_RAID, CARS, GETAWAY, LAST_GETAWAY, RAID_AT, worth
from engine.thieves.rules import Draw, DrawTwo
from engine.thieves.score import points
from engine.thieves.table import Table, police_cars
from engine.thieves.thief import Look
from ui.boards import Line, SeatName
from ui.boards.thieves.cards import CardCounts, CardWithArticle
from ui.text.i18n import Value

#: milliseconds at normal speed. After a raid, or a game of a match, people read what is shown: at most this long, or
#: until somebody goes on
READING_TIME = 12_000
NEXT_GAME_TIME = 60_000
SPLASH_REST = 2400
RESTS = {
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
    "raid": READING_TIME,
    "caught": 1700,
    "count": 2400,
    "gems": 600,
}


def tell(before: Table, entry: Entry, after: Table, asked: Question[Table]) -> list[Line]:
    """Returns the lines that an entry adds to the log."""
    seat, a = entry
    match a:
        case ("card", kind) if isinstance(asked, Draw | DrawTwo):
            return getaway_lines(asked.to, after) if kind == GETAWAY else []
        case ("police_laid", *_) if isinstance(asked, Alarm):
            return police_lines(a[1:])
        case ("take", owner, place, to):
            return [Line(seat, *thief_line(before, owner, place, to))]
        case ("look", _) if isinstance(asked, Look):
            return [Line(asked.to, "thieves.log.look", {})]
        case ("police", kind):
            return [Line(seat, "thieves.log.police", {"n": CARS[kind], "cars": police_cars(after), "limit": RAID_AT})]
        case ("raid", *_):
            return [Line(NATURE, "thieves.log.raid", {}, important=True), *raid_lines(after)]
        case ("caught", *losers):
            return caught_lines(before, losers)
        case ("count", *_):
            lines = [Line(by, "thieves.log.count", {"n": n}) for by, n in enumerate(points(after))]
            return [Line(NATURE, "thieves.log.end", {}, important=True), *lines]
        case ("gems", *found):
            return [Line(by, "thieves.log.gems", {"n": n}) for by, n in enumerate(found) if n]
    line = simple_line(seat, a, loot=any(before.loot))
    return [line] if line else []


def simple_line(seat: int, a: Answer, *, loot: bool) -> Line | None:
    """Returns the line of an entry that can be described without the table, else None. `loot`: there is any loot."""
    match a:
        case ("first", int(first)):
            return Line(first, "thieves.log.first", {})
        case ("give", int(kind), int(to)):
            return Line(seat, "thieves.log.give", {"card": CardWithArticle(kind), "to": SeatName(to)})
        case ("roadblock", int(police)):
            return Line(seat, "thieves.log.roadblock", {"n": CARS[police]})
        case ("roadblock",):
            return Line(seat, "thieves.log.roadblock.none", {})
        case ("thief",) if not loot:
            return Line(seat, "thieves.log.thief.none", {})
        case ("lay" | "alarm" | "thief" | "double_loot" | "none" | "let_go" as verb, *_):
            return Line(seat, f"thieves.log.{verb}", {})
    return None


def getaway_lines(by: int, after: Table) -> list[Line]:
    values: dict[str, Value] = {"getaways": after.getaways, "limit": LAST_GETAWAY}
    return [Line(by, "thieves.log.getaway", dict(values), important=after.getaways >= LAST_GETAWAY)]


def police_lines(hands: Sequence[Sequence[int]]) -> list[Line]:
    """Returns the police cards that each hand laid because of the alarm."""
    lines = [
        Line(by, "thieves.log.laid", {"cards": CardCounts(tuple(kinds)), "n": worth(kinds, CARS)})
        for by, kinds in enumerate(hands)
        if kinds
    ]
    return lines or [Line(NATURE, "thieves.log.laid.none", {})]


def thief_line(before: Table, owner: int, place: int, to: int) -> tuple[str, dict[str, Value | SeatName]]:
    """Returns key and values of the line for a thief. The card is named only if everybody knows it."""
    card = before.loot[owner][place]
    key = "thieves.log.take" if card.up or not card.kind else "thieves.log.take.down"
    return key, {"card": CardWithArticle(card.kind), "owner": SeatName(owner), "to": SeatName(to)}


def raid_lines(after: Table) -> list[Line]:
    """Returns the loot of each seat as a raid shows it."""
    return [
        Line(by, "thieves.log.shown", {"cards": CardCounts(kinds), "n": worth(kinds, AT_RAID)})
        for by, cards in enumerate(after.loot)
        if (kinds := tuple(card.kind for card in cards))
    ]


def caught_lines(before: Table, losers: Sequence[int]) -> list[Line]:
    if not losers:
        return [Line(NATURE, "thieves.log.caught.none", {})]
    return [
        Line(
            by,
            "thieves.log.caught",
            {"cards": CardCounts(tuple(card.kind for card in before.loot[by]))},
            important=True,
        )
        for by in losers
    ]


def rest_after(before: Table, entry: Entry, after: Table) -> int:
    """Returns how long the table rests after an entry, in milliseconds at normal speed."""
    verb, *values = entry[1]
    if verb == "card" and values[0] == GETAWAY:
        return SPLASH_REST if after.getaways >= LAST_GETAWAY else 1000
    if verb in ("police", "police_laid", "none") and police_cars(after) >= RAID_AT:
        return SPLASH_REST
    if verb == "count" and after.house.match:
        return NEXT_GAME_TIME
    return RESTS[verb]


def latest_line(log: Sequence[Answered], t: Table) -> Line | None:
    """Returns the line of the most recent event worth showing in a corner of the felt, or None."""
    for seat, a, _ in reversed(log):
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
                return Line(seat, "thieves.felt.take", {"owner": SeatName(owner), "to": SeatName(to)})
            case ("caught", *losers):
                return Line(
                    losers[0] if losers else NATURE, "thieves.felt.caught" if losers else "thieves.log.caught.none", {}
                )
            case ("count" | "gems", *_):
                return None
        return simple_line(seat, a, loot=any(t.loot))
    return None
