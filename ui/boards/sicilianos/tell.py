"""The log lines for each entry of sicilianos, and how long the table rests after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from engine.core import NATURE, Entry, Question
from engine.sicilianos.box import COLOUR, FACE_NAMES, NO_MONEY, ONE, PARTNER, STEAL, TWO, Business
from engine.sicilianos.result import CATEGORIES, businesses_of, scores, shops_left, winners_of
from engine.sicilianos.roll import held_by_others
from engine.sicilianos.table import NOBODY, Table, sums
from engine.sicilianos.war import Traitor, who_laid
from ui.boards import Line, Who
from ui.boards.sicilianos.cards import Businesses, Card, Families, Family
from ui.text.i18n import Ref, Signed, Value

Values: TypeAlias = "dict[str, Value | Who]"

#: milliseconds at normal speed
BEATS = {
    "take": 0,
    "card": 450,
    "starter": 1200,
    "roll": 100,
    "dice": 1500,
    "draw": 100,
    "look": 500,
    "pile": 200,
    "keep": 700,
    "steal": 400,
    "stolen": 900,
    "war": 1100,
    "join": 800,
    "out": 500,
    "reveal": 1900,
    "plain": 900,
    "traitor": 1700,
    "explode": 1800,
    "add": 600,
    "stop": 450,
    "result": 2600,
    "business": 1200,
    "money": 1200,
    "businesses": 300,
    "found": 1300,
    "clear": 700,
    "open": 2600,
    "payday": 1500,
}
LAST_PAYDAY = 3500


def beat(before: Table, entry: Entry, after: Table) -> int:
    verb, *values = entry[1]
    if verb == "clear" and ends(after):
        return 2600
    if verb == "payday" and values[0] == len(CATEGORIES):
        return LAST_PAYDAY
    return BEATS[verb]


def ends(t: Table) -> bool:
    """Returns True if no other turn will follow."""
    return t.godfather != NOBODY or NO_MONEY in t.dirty


def tell(before: Table, entry: Entry, after: Table, asked: Question[Table]) -> list[Line]:
    """Returns the lines that an entry adds to the log."""
    told = TOLD.get(entry[1][0])
    return told(before, entry, after, asked) if told else []


# The roll


def draws(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(asked.to, "sicilianos.log.draws", {"family": Family(asked.colour)})]


def starts(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(entry[1][1], "sicilianos.log.starts", {})]


def looks(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(asked.to, "sicilianos.log.looks", {"family": Family(asked.colour), "n": len(entry[1]) - 1})]


def keeps(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(asked.seat, "sicilianos.log.keeps", {"family": Family(asked.colour)})]


def steals(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(asked.to, "sicilianos.log.steals", {"family": Family(asked.colour), "victim": Who(asked.victim)})]


def thrown(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    """Returns the dice and, if the roll can have no effect, the reason."""
    _, first, second, what = entry[1]
    rolled = (first, second) if first != second else (first,)
    lines = [dice(asked.by, first, second, what)]
    there = [colour for colour in rolled if before.piles[colour]]
    if (what == TWO and not there) or (what == ONE and not any(before.piles)):
        lines.append(Line(NATURE, "sicilianos.log.no_card", {}))
    if what == STEAL and not held_by_others(before, asked.by, rolled):
        lines.append(Line(NATURE, "sicilianos.log.nobody_holds", {}))
    return lines


def dice(by: int, first: int, second: int, what: int) -> Line:
    word = Ref(f"sicilianos.card.{FACE_NAMES[what - 1]}")
    return Line(by, "sicilianos.log.dice", {"families": Families((first, second)), "what": word})


# The war


def begins(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    seat, (_, card, note) = entry
    values: Values = {"n": after.war, "family": Family(COLOUR[card]), "note": note}
    return [Line(seat, f"sicilianos.log.war{noted(note)}", values, loud=True)]


def joins(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    seat, (_, card, note) = entry
    return [Line(seat, f"sicilianos.log.join{noted(note)}", {"family": Family(COLOUR[card]), "note": note})]


def adds(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    seat, (_, card) = entry
    return [Line(seat, "sicilianos.log.add", {"family": Family(COLOUR[card])})]


def stays(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    """Returns the line of a seat that stays out of the war, or that stops reinforcing."""
    return [Line(entry[0], f"sicilianos.log.{entry[1][0]}", {})]


def plain(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    key = "sicilianos.log.loyal" if isinstance(asked, Traitor) else "sicilianos.log.quiet"
    return [Line(entry[0], key, {"family": Family(before.family[entry[0]])})]


def turns(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    mine = before.family[entry[0]]
    ally = Who(before.family.index(PARTNER[mine]))
    values: Values = {"family": Family(mine), "other": Family(PARTNER[mine]), "ally": ally}
    return [Line(entry[0], "sicilianos.log.traitor", values, loud=True)]


def explodes(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    seat, (_, hit) = entry
    owner = next(owner for owner, card in before.lying if card == hit)
    values: Values = {"bomb": Family(before.family[seat]), "card": Card(hit), "victim": Who(owner)}
    return [Line(seat, "sicilianos.log.explode", values, loud=True)]


def shares(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    lines = [Line(entry[0], f"sicilianos.log.{entry[1][0]}", {"ally": Who(asked.ally)})]
    return lines if shops_left(before, asked.family) else [*lines, Line(NATURE, "sicilianos.log.nothing_left", {})]


def chooses(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(asked.to, "sicilianos.log.chooses", {"family": Family(asked.colour), "n": len(entry[1]) - 1})]


def founds(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(entry[0], "sicilianos.log.founds", {"family": Family(asked.colour)}, loud=True)]


def noted(note: int) -> str:
    """Returns the suffix of a text's key: with open stakes the note is public, and the line names it."""
    return ".open" if note else ""


def turned_up(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    _, cards, stakes = entry[1]
    lines = []
    for place, (seat, card) in enumerate(zip(who_laid(before), cards, strict=True)):
        if stakes:
            values = {"card": Card(card), "note": stakes[place]}
            lines.append(Line(seat, "sicilianos.log.reveal.stake", values))
        else:
            lines.append(Line(seat, "sicilianos.log.reveal", {"card": Card(card)}))
    return lines


def decided(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    """Returns who wins the war, or that nobody does; before it the families that dropped out with equal sums."""
    family = entry[1][1]
    found = sums(before)
    strengths = list(found.values())
    equal = sorted({strength for strength in strengths if strengths.count(strength) > 1}, reverse=True)
    lines = [
        Line(NATURE, "sicilianos.log.tied", {"families": Families(same(found, strength)), "n": strength})
        for strength in equal
    ]
    if not family:
        return [*lines, Line(NATURE, "sicilianos.log.nobody", {}, loud=True)]
    values: Values = {"family": Family(family), "n": found[family]}
    winners = winners_of(before, family)
    if len(winners) > 1:
        lines.append(Line(winners[0], "sicilianos.log.allied", {**values, "ally": Who(winners[1])}, loud=True))
        return lines
    note = before.stakes[winners[0]]
    lines.append(Line(winners[0], "sicilianos.log.wins", {**values, "note": note, "sum": 2 * note}, loud=True))
    if not shops_left(before, family):
        lines.append(Line(NATURE, "sicilianos.log.nothing_left", {}))
    return lines


def same(found: dict[int, int], strength: int) -> tuple[int, ...]:
    return tuple(family for family, each in found.items() if each == strength)


def ending(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    if after.godfather != NOBODY:
        return [Line(after.godfather, "sicilianos.log.godfather", {}, loud=True)]
    out = [seat for seat, money in enumerate(after.dirty) if money == NO_MONEY]
    return [Line(seat, "sicilianos.log.payday", {}, loud=True) for seat in out]


def opened(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    """Returns everybody's businesses, now that they are turned up."""
    found: list[Line] = []
    for seat in range(after.seats):
        owned: tuple[Business, ...] = tuple(businesses_of(after, seat))
        found.append(Line(seat, "sicilianos.log.open", {"owned": Businesses(owned)}))
    return found


def paid(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    """Returns who is paid for this category; after the last category also everybody's sum."""
    category = CATEGORIES[asked.number - 1]
    lines = [
        Line(seat, f"sicilianos.log.paid.{category}", {"points": Signed(amount)})
        for _, seat, _, _, amount in after.book[len(before.book) :]
    ]
    if not lines:
        lines = [Line(NATURE, f"sicilianos.log.paid.{category}.none", {})]
    if asked.number == len(CATEGORIES):
        lines += [Line(seat, "sicilianos.log.total", {"n": sum_}) for seat, sum_ in enumerate(scores(after))]
    return lines


TOLD: dict[str, Callable[[Table, Entry, Table, Any], list[Line]]] = {
    "card": draws,
    "starter": starts,
    "dice": thrown,
    "pile": looks,
    "keep": keeps,
    "stolen": steals,
    "war": begins,
    "join": joins,
    "out": stays,
    "reveal": turned_up,
    "plain": plain,
    "traitor": turns,
    "explode": explodes,
    "add": adds,
    "stop": stays,
    "result": decided,
    "business": shares,
    "money": shares,
    "businesses": chooses,
    "found": founds,
    "clear": ending,
    "open": opened,
    "payday": paid,
}
