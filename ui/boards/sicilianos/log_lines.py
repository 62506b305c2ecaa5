"""The log lines for each entry of sicilianos, and how long the table rests after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from engine.core import NATURE, Answer, Entry, Question
from engine.session import Answered
from engine.sicilianos.box import COLOUR, FACE_NAMES, NO_MONEY, ONE, PARTNER, STEAL, TWO, Business
from engine.sicilianos.result import CATEGORIES, businesses_of, scores, shops_left, winners_of
from engine.sicilianos.roll import held_by_others
from engine.sicilianos.table import NOBODY, Table, sums
from engine.sicilianos.war import Traitor, face_down_seats
from ui.boards import Line, SeatName
from ui.boards.sicilianos.cards import BusinessNames, CardName, FamilyName, FamilyNames
from ui.text.i18n import Ref, Signed, Value

Values: TypeAlias = "dict[str, Value | SeatName]"

#: milliseconds at normal speed
RESTS = {
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
LAST_PAYDAY_REST = 3500


def rest_after(before: Table, entry: Entry, after: Table) -> int:
    verb, *values = entry[1]
    if verb == "clear" and game_ends(after):
        return 2600
    if verb == "payday" and values[0] == len(CATEGORIES):
        return LAST_PAYDAY_REST
    return RESTS[verb]


def game_ends(t: Table) -> bool:
    """Returns True if no other turn will follow."""
    return t.godfather != NOBODY or NO_MONEY in t.dirty


def tell(before: Table, entry: Entry, after: Table, asked: Question[Table]) -> list[Line]:
    """Returns the lines that an entry adds to the log."""
    verb = entry[1][0]
    if verb in LINE_MAKERS:
        return LINE_MAKERS[verb](before, entry, after, asked)
    return [LATEST_LINE_MAKERS[verb](*entry, asked)] if verb in LATEST_LINE_MAKERS else []


def latest_line(log: Sequence[Answered]) -> Line | None:
    """Returns the line about the last entry, for a corner of the felt, if it needs no table; else None."""
    make_line = LATEST_LINE_MAKERS.get(log[-1].answer[0]) if log else None
    return make_line(*log[-1]) if make_line else None


# The roll


def draw_line(seat: int, a: Answer, asked: Any) -> Line:
    return Line(asked.to, "sicilianos.log.draws", {"family": FamilyName(asked.colour)})


def starter_line(seat: int, a: Answer, asked: Any) -> Line:
    return Line(a[1], "sicilianos.log.starts", {})


def look_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(asked.to, "sicilianos.log.looks", {"family": FamilyName(asked.colour), "n": len(entry[1]) - 1})]


def keep_line(seat: int, a: Answer, asked: Any) -> Line:
    return Line(seat, "sicilianos.log.keeps", {"family": FamilyName(asked.colour)})


def steal_line(seat: int, a: Answer, asked: Any) -> Line:
    values: Values = {"family": FamilyName(asked.colour), "victim": SeatName(asked.victim)}
    return Line(asked.to, "sicilianos.log.steals", values)


def roll_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    """Returns the dice and, if the roll can have no effect, the reason."""
    _, first, second, face = entry[1]
    rolled = (first, second) if first != second else (first,)
    lines = [dice_line(*entry, asked)]
    colours_left = [colour for colour in rolled if before.piles[colour]]
    if (face == TWO and not colours_left) or (face == ONE and not any(before.piles)):
        lines.append(Line(NATURE, "sicilianos.log.no_card", {}))
    if face == STEAL and not held_by_others(before, asked.by, rolled):
        lines.append(Line(NATURE, "sicilianos.log.nobody_holds", {}))
    return lines


def dice_line(seat: int, a: Answer, asked: Any) -> Line:
    _, first, second, face = a
    word = Ref(f"sicilianos.card.{FACE_NAMES[face - 1]}")
    return Line(asked.by, "sicilianos.log.dice", {"families": FamilyNames((first, second)), "what": word})


# The war


def war_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    seat, (_, card, note) = entry
    values: Values = {"n": after.war, "family": FamilyName(COLOUR[card]), "note": note}
    return [Line(seat, f"sicilianos.log.war{open_stake_suffix(note)}", values, important=True)]


def join_line(seat: int, a: Answer, asked: Any) -> Line:
    _, card, note = a
    values: Values = {"family": FamilyName(COLOUR[card]), "note": note}
    return Line(seat, f"sicilianos.log.join{open_stake_suffix(note)}", values)


def add_line(seat: int, a: Answer, asked: Any) -> Line:
    return Line(seat, "sicilianos.log.add", {"family": FamilyName(COLOUR[a[1]])})


def stay_out_line(seat: int, a: Answer, asked: Any) -> Line:
    """Returns the line of a seat that stays out of the war, or that stops reinforcing."""
    return Line(seat, f"sicilianos.log.{a[0]}", {})


def plain_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    key = "sicilianos.log.loyal" if isinstance(asked, Traitor) else "sicilianos.log.quiet"
    return [Line(entry[0], key, {"family": FamilyName(before.family[entry[0]])})]


def traitor_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    own_family = before.family[entry[0]]
    ally = SeatName(before.family.index(PARTNER[own_family]))
    values: Values = {"family": FamilyName(own_family), "other": FamilyName(PARTNER[own_family]), "ally": ally}
    return [Line(entry[0], "sicilianos.log.traitor", values, important=True)]


def explosion_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    seat, (_, hit) = entry
    owner = next(owner for owner, card in before.lying if card == hit)
    values: Values = {"bomb": FamilyName(before.family[seat]), "card": CardName(hit), "victim": SeatName(owner)}
    return [Line(seat, "sicilianos.log.explode", values, important=True)]


def short_explosion_line(seat: int, a: Answer, asked: Any) -> Line:
    return Line(seat, "sicilianos.news.explode", {"card": CardName(a[1])})


def share_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    lines = [Line(entry[0], f"sicilianos.log.{entry[1][0]}", {"ally": SeatName(asked.ally)})]
    return lines if shops_left(before, asked.family) else [*lines, Line(NATURE, "sicilianos.log.nothing_left", {})]


def choice_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(asked.to, "sicilianos.log.chooses", {"family": FamilyName(asked.colour), "n": len(entry[1]) - 1})]


def founding_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    return [Line(entry[0], "sicilianos.log.founds", {"family": FamilyName(asked.colour)}, important=True)]


def open_stake_suffix(note: int) -> str:
    """Returns the suffix of a text's key: with open stakes the note is public, and the line names it."""
    return ".open" if note else ""


def reveal_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    _, cards, stakes = entry[1]
    lines = []
    for place, (seat, card) in enumerate(zip(face_down_seats(before), cards, strict=True)):
        if stakes:
            values = {"card": CardName(card), "note": stakes[place]}
            lines.append(Line(seat, "sicilianos.log.reveal.stake", values))
        else:
            lines.append(Line(seat, "sicilianos.log.reveal", {"card": CardName(card)}))
    return lines


def result_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    """Returns who wins the war, or that nobody does; before it the families that dropped out with equal sums."""
    family = entry[1][1]
    totals = sums(before)
    strengths = list(totals.values())
    tied_strengths = sorted({strength for strength in strengths if strengths.count(strength) > 1}, reverse=True)
    lines = [
        Line(NATURE, "sicilianos.log.tied", {"families": FamilyNames(families_with(totals, strength)), "n": strength})
        for strength in tied_strengths
    ]
    if not family:
        return [*lines, Line(NATURE, "sicilianos.log.nobody", {}, important=True)]
    values: Values = {"family": FamilyName(family), "n": totals[family]}
    winners = winners_of(before, family)
    if len(winners) > 1:
        lines.append(
            Line(winners[0], "sicilianos.log.allied", {**values, "ally": SeatName(winners[1])}, important=True)
        )
        return lines
    note = before.stakes[winners[0]]
    lines.append(Line(winners[0], "sicilianos.log.wins", {**values, "note": note, "sum": 2 * note}, important=True))
    if not shops_left(before, family):
        lines.append(Line(NATURE, "sicilianos.log.nothing_left", {}))
    return lines


def families_with(totals: dict[int, int], strength: int) -> tuple[int, ...]:
    return tuple(family for family, each in totals.items() if each == strength)


def ending_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    if after.godfather != NOBODY:
        return [Line(after.godfather, "sicilianos.log.godfather", {}, important=True)]
    without_notes = [seat for seat, money in enumerate(after.dirty) if money == NO_MONEY]
    return [Line(seat, "sicilianos.log.payday", {}, important=True) for seat in without_notes]


def business_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
    """Returns everybody's businesses, now that they are turned up."""
    lines: list[Line] = []
    for seat in range(after.seats):
        owned: tuple[Business, ...] = tuple(businesses_of(after, seat))
        lines.append(Line(seat, "sicilianos.log.open", {"owned": BusinessNames(owned)}))
    return lines


def payday_lines(before: Table, entry: Entry, after: Table, asked: Any) -> list[Line]:
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


#: the makers of lines that need no table, by verb; the line about the latest event is one of these
LATEST_LINE_MAKERS: dict[str, Callable[[int, Answer, Any], Line]] = {
    "card": draw_line,
    "starter": starter_line,
    "dice": dice_line,
    "keep": keep_line,
    "stolen": steal_line,
    "join": join_line,
    "out": stay_out_line,
    "explode": short_explosion_line,
    "add": add_line,
    "stop": stay_out_line,
}
#: the makers of all other lines of the log; for dice and bombs the log has more to say than the felt
LINE_MAKERS: dict[str, Callable[[Table, Entry, Table, Any], list[Line]]] = {
    "dice": roll_lines,
    "pile": look_lines,
    "war": war_lines,
    "reveal": reveal_lines,
    "plain": plain_lines,
    "traitor": traitor_lines,
    "explode": explosion_lines,
    "result": result_lines,
    "business": share_lines,
    "money": share_lines,
    "businesses": choice_lines,
    "found": founding_lines,
    "clear": ending_lines,
    "open": business_lines,
    "payday": payday_lines,
}
