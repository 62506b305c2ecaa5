"""The log lines of razzia's entries, and how long the table rests after each."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import NATURE, Answer, Entry, Question
from engine.razzia.box import EMPTY, NAMES, POLICE
from engine.razzia.rules import AT_THE_END, CATEGORIES, EVERY_ROUND, Auction, Table, TurnUp, is_last_round
from engine.session import Answered
from ui.boards import Line
from ui.boards.razzia.cards import CardCounts, CardNames, ChequeSums, count_by_kind
from ui.boards.razzia.history import auction_start, best_bidder, follow_cards, nobody_left_to_ask
from ui.text.i18n import Money, Signed, Value

#: milliseconds in which people read the ledger after the last category of a round, unless somebody goes on
READING_TIME = 60_000
RAID_REST = 2600
SETTLED_REST = 1400
RESTS = {"hands": 600, "draw": 120, "thieves": 900, "call": 700, "offer": 800, "pass": 550, "clear": 500}


def tell(before: Table, entry: Entry, after: Table, asked: Question[Table]) -> list[Line]:
    """Returns the lines that an entry adds to the log."""
    seat, a = entry
    match a:
        case ("hands", *_):
            return deal_lines(after)
        case ("card", kind) if isinstance(asked, TurnUp):
            return card_lines(asked.by, kind, after)
        case ("thieves", *slots):
            kinds = tuple(before.row[slot] for slot in slots)
            return [Line(seat, "razzia.log.thieves", {"n": len(kinds), "cards": CardNames(kinds)})]
        case ("call",):
            return [Line(seat, "razzia.log.call" if any(before.row) else "razzia.log.call.empty", {})]
        case ("offer" | "pass", *_) if isinstance(asked, Auction):
            return [auction_line(seat, a), *settlement_lines(before, after, asked, a)]
        case ("score", number):
            return category_lines(after, CATEGORIES[number - 1])
        case ("clear",):
            return [Line(starter(after), "razzia.log.round", {"round": after.round})]
    return []


def deal_lines(after: Table) -> list[Line]:
    """Returns the lines about the cheques of each seat, and about the seat that therefore starts."""
    lines = [Line(seat, "razzia.log.hand", {"sums": ChequeSums(hand)}) for seat, hand in enumerate(after.open)]
    return [*lines, Line(starter(after), "razzia.log.starts", {})]


def starter(t: Table) -> int:
    highest = [max(hand, default=0) for hand in t.open]
    return highest.index(max(highest))


def card_lines(by: int, kind: int, after: Table) -> list[Line]:
    if kind != POLICE:
        lines = [Line(by, f"razzia.log.card.{NAMES[kind]}", {})]
        return lines if EMPTY in after.row else [*lines, Line(NATURE, "razzia.log.full", {})]
    values = {"police": after.police, "limit": after.raid_at}
    if after.police < after.raid_at:
        return [Line(by, "razzia.log.police", values, sound="brass")]
    return [Line(by, "razzia.log.raid", values, important=True, sound="siren")]


def auction_line(seat: int, a: Answer) -> Line:
    if a[0] == "offer":
        return Line(seat, "razzia.log.offer", {"sum": Money(a[1])}, sound="brass")
    return Line(seat, "razzia.log.pass", {}, sound="felt")


def settlement_lines(before: Table, after: Table, asked: Auction, a: Answer) -> list[Line]:
    """Returns the lines about the end of the auction, none while it goes on."""
    if after.centre != before.centre:
        winner = auction_winner(before, after)
        loot = [kind for kind in before.row if kind]
        values: dict[str, Value] = {"sum": Money(after.centre), "n": len(loot)}
        if not loot:
            return [Line(winner, "razzia.log.swaps", {**values, "centre": Money(before.centre)})]
        return [Line(winner, "razzia.log.wins", {**values, "cards": CardCounts(count_by_kind(loot))}, sound="trumpet")]
    if a[0] == "pass" and asked.best_bidder < 0 and nobody_left_to_ask(asked, before):
        return [Line(NATURE, "razzia.log.away" if EMPTY not in before.row else "razzia.log.stays", {})]
    return []


def auction_winner(before: Table, after: Table) -> int:
    """Returns the winner of an auction: the seat that has more spent cheques than before."""
    return next(seat for seat in range(after.seats) if len(after.spent[seat]) > len(before.spent[seat]))


def category_lines(after: Table, category: str) -> list[Line]:
    """Returns one line for each seat to which the category gave or cost points.

    After the last category of the round, lines with everybody's total follow.
    """
    scored = after.scored[-1]
    lines = [
        Line(seat, f"razzia.log.score.{category}", {"points": Signed(points)}, sound="brass")
        for seat, points in enumerate(scored.points)
        if points
    ]
    if not lines:
        lines = [Line(NATURE, f"razzia.log.score.{category}.none", {})]
    if category == last_category(after):
        lines += [Line(seat, "razzia.log.total", {"points": after.points[seat]}) for seat in range(after.seats)]
    return lines


def last_category(t: Table) -> str:
    return AT_THE_END[-1] if is_last_round(t) else EVERY_ROUND[-1]


def rest_after(before: Table, entry: Entry, after: Table) -> int:
    """Returns how long the table rests after an entry, in milliseconds at normal speed."""
    verb, *values = entry[1]
    if verb == "card":
        return RAID_REST if after.police >= after.raid_at else 900 if values[0] == POLICE else 650
    if verb == "score":
        scored = after.scored[-1]
        if scored.category == last_category(after) and not is_last_round(after):
            return READING_TIME
        return 900 + 60 * max(map(abs, scored.points))
    if after.centre != before.centre:
        return SETTLED_REST
    return RESTS[verb]


def latest_line(log: Sequence[Answered], t: Table, question: Question[Table]) -> Line | None:
    """Returns the line about the latest event, for a corner of the felt; in an auction, about its cause."""
    if not log:
        return None
    seat, a, asked = log[-1]
    match a:
        case ("card", kind) if isinstance(asked, TurnUp):
            return card_lines(asked.by, kind, t)[-1]
        case ("thieves", *_):
            cards = follow_cards(log, question)
            return Line(seat, "razzia.log.thieves", {"n": len(a) - 1, "cards": CardNames(tuple(cards.taken.values()))})
        case ("offer" | "pass", *_) if isinstance(question, Auction):
            return latest_line(log[: auction_start(log)], t, question)
        case ("offer" | "pass", *_):
            winner = best_bidder(log[-1])
            if winner == NATURE:
                return Line(NATURE, "razzia.log.nobody", {})
            return Line(winner, "razzia.felt.wins", {"sum": Money(t.centre)})
        case ("call",):
            return Line(seat, "razzia.log.call" if any(t.row) else "razzia.log.call.empty", {})
        case ("clear",):
            return Line(starter(t), "razzia.log.starts", {})
    return None
