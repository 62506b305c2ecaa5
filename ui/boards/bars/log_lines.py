"""The log lines of the entries of bars, and how long the table rests after each."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bars.box import BAR, NUMBER, RAID
from engine.bars.notes import TurnUp
from engine.bars.rules import ChooseDealer
from engine.bars.settle import Duel, Propose, Replies, Reply, SecretReply, Split
from engine.bars.table import ACCEPTED, Table
from engine.core import NATURE, Answer, Entry, Question
from ui.boards import Context, Line, SeatName
from ui.boards.bars.cards import BarName, CardRank, LaidNotes
from ui.text.i18n import Value

RESTS = {
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
            return note_lines(after, bar)
        case ("look", _):
            return [Line(after.dealer, "bars.log.look", {})]
        case ("place", bar):
            down = after.house.extra_face_down
            return [Line(seat, "bars.log.place.down" if down else "bars.log.place", {"bar": BarName(bar)})]
        case ("show", bar, note):
            return [Line(after.dealer, "bars.log.show", {"bar": BarName(bar), "sum": note})]
        case ("reveal", *cards):
            return [
                Line(each, "bars.log.plays", {"bar": BarName(BAR[card]), "card": CardRank(card)})
                for each, card in enumerate(cards)
            ]
        case ("empty" | "stay" | "take", *_):
            return [settled_line(before, a)]
        case ("propose", *offers) if isinstance(asked, Propose):
            return proposal_lines(before, asked, offers)
        case ("accept" | "challenge", *_) if isinstance(asked, Reply):
            return [reply_line(seat, a[0], asked.split), *conclusion_lines(before, after, asked)]
        case ("replies", *said) if isinstance(asked, Replies):
            return secret_reply_lines(before, after, asked, said)
        case ("dice", one, two) if isinstance(asked, Duel):
            return duel_lines(before, asked, (one, two))
        case ("discard",):
            return night_end_lines(before, after)
    return []


def note_lines(after: Table, bar: int) -> list[Line]:
    """Returns one line for all of tonight's notes, with the last of them; before that, no line."""
    if bar < after.bars and after.stock:
        return []
    return [
        Line(
            NATURE,
            "bars.log.notes",
            {"notes": LaidNotes(tuple((each, after.notes[each][-1]) for each in range(1, bar + 1)))},
        )
    ]


def settled_line(before: Table, a: Answer) -> Line:
    bar = a[1]
    values: dict[str, Value | SeatName] = {"bar": BarName(bar), "sum": sum(before.notes[bar])}
    if a[0] != "take":
        return Line(NATURE, f"bars.log.{a[0]}", values)
    return Line(a[2], "bars.log.take.raid" if RAID[before.shown[a[2]]] else "bars.log.take", values)


def proposal_lines(before: Table, asked: Propose, offers: Sequence[tuple[int, ...]]) -> list[Line]:
    """Returns the lines about what the proposer would keep, and what each of the others would get."""
    offered = sum(map(sum, offers))
    keeps = sum(before.notes[asked.bar]) - offered
    lines = [Line(asked.seat, "bars.log.propose", {"bar": BarName(asked.bar), "sum": keeps})]
    for other, offer in zip(asked.others, offers, strict=True):
        key = "bars.log.offer" if offer else "bars.log.offer.nothing"
        lines.append(Line(asked.seat, key, {"other": SeatName(other), "sum": sum(offer)}))
    return lines


def reply_line(seat: int, verb: str, split: Split) -> Line:
    offer = split.offer(seat)
    values: dict[str, Value | SeatName] = {"sum": sum(offer), "other": SeatName(split.proposer)}
    if verb == "challenge":
        return Line(seat, "bars.log.challenge", values)
    return Line(seat, "bars.log.accept" if offer else "bars.log.accept.nothing", values)


def secret_reply_lines(before: Table, after: Table, asked: Replies, replies: Sequence[int]) -> list[Line]:
    lines = [
        reply_line(seat, "accept" if reply == ACCEPTED else "challenge", asked.split)
        for seat, reply in zip(asked.split.others, replies, strict=True)
    ]
    return [*lines, *conclusion_lines(before, after, asked)]


def conclusion_lines(before: Table, after: Table, asked: Reply | Replies) -> list[Line]:
    """Returns a line after the last reply if there is no duel: the proposer keeps the rest, or everything is paid."""
    split = asked.split
    if isinstance(asked, Reply) and asked.place + 1 < len(split.others):
        return []
    rest_wins = [win for win in after.wins[len(before.wins) :] if win[3] == "proposal"]
    if rest_wins:
        return [Line(split.proposer, "bars.log.keeps", {"sum": sum(rest_wins[0][4]), "bar": BarName(split.bar)})]
    if after.notes[split.bar]:
        return []
    accepted = sum(sum(win[4]) for win in after.wins if win[0] == after.night and win[1] == split.bar)
    return [Line(NATURE, "bars.log.all_paid", {"bar": BarName(split.bar), "sum": accepted})]


def duel_lines(before: Table, asked: Duel, dice: tuple[int, int]) -> list[Line]:
    """Returns the line about the dice of a duel, and after the last throw one about the pot."""
    line = throw_line(before, asked, dice, "bars.log.duel")
    if asked.others:
        return [line]
    pot: dict[str, Value | SeatName] = {"sum": sum(before.notes[asked.bar]), "bar": BarName(asked.bar)}
    return [line, Line(line.seat, "bars.log.duel.pot", pot, important=True)]


def throw_line(t: Table, asked: Duel, dice: tuple[int, int], key: str) -> Line:
    """Returns the line about the dice of a duel: the text `key`, or its variant for equal sums."""
    high, low = NUMBER[t.shown[asked.high]], NUMBER[t.shown[asked.low]]
    first, second = high + dice[0], low + dice[1]
    high_wins = first > second
    winner, loser = (asked.high, asked.low) if high_wins else (asked.low, asked.high)
    winner_parts, loser_parts = ((high, dice[0]), (low, dice[1])) if high_wins else ((low, dice[1]), (high, dice[0]))
    values: dict[str, Value | SeatName] = {
        "other": SeatName(loser),
        "card": winner_parts[0],
        "die": winner_parts[1],
        "sum": sum(winner_parts),
        "other_card": loser_parts[0],
        "other_die": loser_parts[1],
        "other_sum": sum(loser_parts),
    }
    return Line(winner, f"{key}.equal" if first == second else key, values)


def night_end_lines(before: Table, after: Table) -> list[Line]:
    if not after.over:
        return [Line(after.dealer, "bars.log.night", {"night": after.night})]
    lost = sum(map(sum, after.notes))
    lines = [Line(NATURE, "bars.log.over", {}, important=True)]
    return [*lines, Line(NATURE, "bars.log.lost", {"sum": lost})] if lost else lines


def rest_after(before: Table, entry: Entry, after: Table) -> int:
    """Returns how long the table rests after an entry, in milliseconds at normal speed."""
    return RESTS[entry[1][0]]


# The latest event, on the felt


def latest_line(ctx: Context) -> Line | None:
    """Returns the line about the last entry, as far as it follows from the table after it; None if there is none."""
    if not ctx.log:
        return None
    view, (seat, a, asked) = ctx.view, ctx.log[-1]
    match a:
        case ("take", bar, taker):
            won = view.wins[-1][4]
            key = "bars.log.take.raid" if RAID[view.shown[taker]] else "bars.log.take"
            return Line(taker, key, {"bar": BarName(bar), "sum": sum(won)})
        case ("stay" | "empty", bar):
            return Line(NATURE, f"bars.log.{a[0]}", {"bar": BarName(bar), "sum": sum(view.notes[bar])})
        case ("show", bar, note):
            return Line(view.dealer, "bars.log.show", {"bar": BarName(bar), "sum": note})
        case ("reveal", *_):
            return Line(NATURE, "bars.felt.shown", {})
        case ("dice", one, two) if isinstance(asked, Duel):
            return throw_line(view, asked, (one, two), "bars.felt.duel")
        case (verb, *_) if isinstance(asked, Reply | SecretReply | Replies):
            return latest_reply_line(ctx, seat, verb, asked.split)
    return None


def latest_reply_line(ctx: Context, seat: int, verb: str, split: Split) -> Line:
    if verb in ("challenge", "replies") and isinstance(ctx.question, Duel):
        return Line(NATURE, "bars.felt.fight", {"sum": sum(ctx.view.notes[split.bar])})
    if verb in ("accept", "challenge"):
        return reply_line(seat, verb, split)
    return Line(NATURE, "bars.felt.settled", {"bar": BarName(split.bar)})
