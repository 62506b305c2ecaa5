"""The log lines of the entries of bars, and how long the table rests after each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.bars.box import BAR, NUMBER, RAID
from engine.bars.notes import TurnUp
from engine.bars.rules import ChooseDealer
from engine.bars.settle import Duel, Propose, Replies, Reply
from engine.bars.table import ACCEPTED, Table, ranked
from engine.core import NATURE, Answer, Entry, Question
from ui.boards import Context, Line, Who
from ui.boards.bars.cards import Bar, Laid, Rank
from ui.boards.bars.story import tonight
from ui.text.i18n import Value

BEATS = {
    "dealer": 900,
    "deal": 50,
    "reshuffle": 700,
    "note": 220,
    "look": 350,
    "place": 650,
    "show": 1000,
    "pick": 250,
    "reveal": 1900,
    "empty": 700,
    "stay": 1100,
    "take": 1400,
    "propose": 1300,
    "accept": 1100,
    "challenge": 1300,
    "sealed": 250,
    "replies": 1600,
    "dice": 3000,
    "discard": 400,
}


def tell(before: Table, entry: Entry, after: Table, asked: Question[Table]) -> list[Line]:  # noqa: C901  one case per verb
    """Returns the lines that an entry adds to the log."""
    seat, a = entry
    match a:
        case ("dealer", dealer):
            chosen = isinstance(asked, ChooseDealer)
            return [Line(dealer, "bars.log.dealer.chosen" if chosen else "bars.log.dealer", {})]
        case ("reshuffle",):
            return [Line(NATURE, "bars.log.reshuffle", {"n": after.pile})]
        case ("note", bar, _) if isinstance(asked, TurnUp):
            return turned_up(after, bar)
        case ("look", _):
            return [Line(after.dealer, "bars.log.look", {})]
        case ("place", bar):
            down = after.house.extra_face_down
            return [Line(seat, "bars.log.place.down" if down else "bars.log.place", {"bar": Bar(bar)})]
        case ("show", bar, note):
            return [Line(after.dealer, "bars.log.show", {"bar": Bar(bar), "sum": note})]
        case ("reveal", *cards):
            return [
                Line(each, "bars.log.plays", {"bar": Bar(BAR[card]), "card": Rank(card)})
                for each, card in enumerate(cards)
            ]
        case ("empty" | "stay" | "take", *_):
            return [bar_settled(before, a)]
        case ("propose", *offers) if isinstance(asked, Propose):
            return proposal(before, asked, offers)
        case ("accept" | "challenge", *_) if isinstance(asked, Reply):
            return [replied(seat, a, asked), *concluded(before, after, asked)]
        case ("replies", *said) if isinstance(asked, Replies):
            return all_replied(before, after, asked, said)
        case ("dice", one, two) if isinstance(asked, Duel):
            return thrown(before, after, asked, (one, two))
        case ("discard",):
            return night_over(before, after)
    return []


def turned_up(after: Table, bar: int) -> list[Line]:
    """Returns one line for all of tonight's notes, with the last of them; before that, no line."""
    if bar < after.bars and after.stock:
        return []
    return [
        Line(
            NATURE,
            "bars.log.notes",
            {"notes": Laid(tuple((each, after.notes[each][-1]) for each in range(1, bar + 1)))},
        )
    ]


def bar_settled(before: Table, a: Answer) -> Line:
    bar = a[1]
    values: dict[str, Value | Who] = {"bar": Bar(bar), "sum": sum(before.notes[bar])}
    if a[0] != "take":
        return Line(NATURE, f"bars.log.{a[0]}", values)
    return Line(a[2], "bars.log.take.raid" if RAID[before.shown[a[2]]] else "bars.log.take", values)


def proposal(before: Table, asked: Propose, offers: Sequence[tuple[int, ...]]) -> list[Line]:
    """Returns the lines about what the proposer would keep, and what each of the others would get."""
    given = sum(map(sum, offers))
    keeps = sum(before.notes[asked.bar]) - given
    lines = [Line(asked.seat, "bars.log.propose", {"bar": Bar(asked.bar), "sum": keeps})]
    for other, offer in zip(asked.others, offers, strict=True):
        key = "bars.log.offer" if offer else "bars.log.offer.nothing"
        lines.append(Line(asked.seat, key, {"other": Who(other), "sum": sum(offer)}))
    return lines


def replied(seat: int, a: Answer, asked: Reply) -> Line:
    offer = asked.split.offers[asked.place]
    values: dict[str, Value | Who] = {"sum": sum(offer), "other": Who(asked.split.proposer)}
    if a[0] == "challenge":
        return Line(seat, "bars.log.challenge", values)
    return Line(seat, "bars.log.accept" if offer else "bars.log.accept.nothing", values)


def all_replied(before: Table, after: Table, asked: Replies, said: Sequence[int]) -> list[Line]:
    lines = []
    for seat, reply in zip(asked.split.others, said, strict=True):
        offer = asked.split.offer(seat)
        values: dict[str, Value | Who] = {"sum": sum(offer), "other": Who(asked.split.proposer)}
        key = "bars.log.challenge"
        if reply == ACCEPTED:
            key = "bars.log.accept" if offer else "bars.log.accept.nothing"
        lines.append(Line(seat, key, values))
    return [*lines, *concluded(before, after, asked)]


def concluded(before: Table, after: Table, asked: Reply | Replies) -> list[Line]:
    """Returns a line after the last reply if there is no duel: the proposer keeps the rest, or everything is paid."""
    split = asked.split
    if isinstance(asked, Reply) and asked.place + 1 < len(split.others):
        return []
    kept = [win for win in after.wins[len(before.wins) :] if win[3] == "proposal"]
    if kept:
        return [Line(split.proposer, "bars.log.keeps", {"sum": sum(kept[0][4]), "bar": Bar(split.bar)})]
    if after.notes[split.bar]:
        return []
    accepted = sum(sum(win[4]) for win in after.wins if win[0] == after.night and win[1] == split.bar)
    return [Line(NATURE, "bars.log.all_paid", {"bar": Bar(split.bar), "sum": accepted})]


def thrown(before: Table, after: Table, asked: Duel, dice: tuple[int, int]) -> list[Line]:
    """Returns the line about the dice of a duel, and after the last throw one about the pot."""
    high, low = NUMBER[before.shown[asked.high]], NUMBER[before.shown[asked.low]]
    first, second = high + dice[0], low + dice[1]
    wins = first > second
    winner, loser = (asked.high, asked.low) if wins else (asked.low, asked.high)
    mine, theirs = ((high, dice[0]), (low, dice[1])) if wins else ((low, dice[1]), (high, dice[0]))
    values: dict[str, Value | Who] = {
        "other": Who(loser),
        "card": mine[0],
        "die": mine[1],
        "sum": sum(mine),
        "other_card": theirs[0],
        "other_die": theirs[1],
        "other_sum": sum(theirs),
    }
    lines = [Line(winner, "bars.log.duel.equal" if first == second else "bars.log.duel", values)]
    if not asked.others:
        pot: dict[str, Value | Who] = {"sum": sum(before.notes[asked.bar]), "bar": Bar(asked.bar)}
        lines.append(Line(winner, "bars.log.duel.pot", pot, loud=True))
    return lines


def night_over(before: Table, after: Table) -> list[Line]:
    if not after.over:
        return [Line(after.dealer, "bars.log.night", {"night": after.night})]
    lost = sum(map(sum, after.notes))
    lines = [Line(NATURE, "bars.log.over", {}, loud=True)]
    return [*lines, Line(NATURE, "bars.log.lost", {"sum": lost})] if lost else lines


def beat(before: Table, entry: Entry, after: Table) -> int:
    """Returns how long the table rests after an entry, in milliseconds at normal speed."""
    return BEATS[entry[1][0]]


# The latest event, on the felt


def latest(ctx: Context) -> Line | None:
    """Returns the line about the last entry, as far as it follows from the table after it; None if there is none."""
    if not ctx.log:
        return None
    view, (seat, a) = ctx.view, ctx.log[-1]
    match a:
        case ("take", bar, taker):
            won = view.wins[-1][4]
            key = "bars.log.take.raid" if RAID[view.shown[taker]] else "bars.log.take"
            return Line(taker, key, {"bar": Bar(bar), "sum": sum(won)})
        case ("stay" | "empty", bar):
            return Line(NATURE, f"bars.log.{a[0]}", {"bar": Bar(bar), "sum": sum(view.notes[bar])})
        case ("show", bar, note):
            return Line(view.dealer, "bars.log.show", {"bar": Bar(bar), "sum": note})
        case ("reveal", *_):
            return Line(NATURE, "bars.felt.shown", {})
        case ("accept" | "challenge" | "replies" | "dice" | "sealed", *_):
            return in_split(ctx, seat, a)
    return None


def in_split(ctx: Context, seat: int, a: Answer) -> Line | None:
    view, splits = ctx.view, tonight(ctx.view, ctx.log)
    if not splits:
        return None
    told = list(splits.values())[-1]
    if a[0] == "dice":
        throw = told.throws[-1]
        winner = throw.winner(view)
        one, two = sorted(throw.sums(view), reverse=True)
        values: Mapping[str, Value | Who] = {
            "sum": one,
            "other_sum": two,
            "other": Who(throw.low if winner == throw.high else throw.high),
        }
        return Line(winner, "bars.felt.duel.equal" if one == two else "bars.felt.duel", values)
    if a[0] == "replies" or (len(told.replies) == len(told.others) and a[0] == "challenge"):
        fighters = ranked(view, told.duelists(view))
        if len(fighters) > 1 and view.notes[told.bar]:
            return Line(NATURE, "bars.felt.fight", {"sum": sum(view.notes[told.bar])})
    if a[0] == "challenge":
        return Line(seat, "bars.log.challenge", {"other": Who(told.proposer)})
    if a[0] == "accept":
        offer = sum(told.offer(seat))
        return Line(
            seat,
            "bars.log.accept" if offer else "bars.log.accept.nothing",
            {"sum": offer, "other": Who(told.proposer)},
        )
    return Line(NATURE, "bars.felt.settled", {"bar": Bar(told.bar)})
