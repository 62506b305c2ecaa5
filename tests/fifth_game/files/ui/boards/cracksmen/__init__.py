"""The board of Cracksmen: the other seats, the safe of the night, the question, and the viewer's tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core import HIDDEN, NATURE, Entry, Question
from engine.cracksmen.box import CARDS, HAND, NAMES, OPTIONS, POINTS
from engine.cracksmen.rules import Table, Use
from engine.options import Deck
from engine.values import TypedValue
from ui.boards import Context, Line, game_word
from ui.boards.kit.felt import felt_frame
from ui.boards.kit.prompt import bold_name, sentence_home
from ui.boards.kit.rules_page import chapter, house_rules, list_of
from ui.boards.kit.seats import name_plate
from ui.html.parts import back, button, card, for_screen_readers, seat_mark
from ui.html.tree import Child, Node, h
from ui.text.i18n import Ref, Texts, Value

DIAL = "cracksmen/dial"
RESTS = {"hand": 200, "safe": 700, "use": 300, "reveal": 1500}


def felt(ctx: Context) -> Node:
    """Draws everything on the felt."""
    me, *others = ctx.seats_clockwise()
    return felt_frame(
        ctx,
        "div.table.cracksmen",
        "div.lay",
        None,
        h("div.gang", {"key": "others"}, [seat_box(ctx, seat) for seat in others]),
        h("div.middle", {"key": "safe"}, safe(ctx)),
        h("div.asks", {"key": "asks"}, sentence_home("p.say", sentence(ctx), home=True)),
        seat_box(ctx, me),
    )


def seat_box(ctx: Context, seat: int) -> Node:
    """Draws a seat: its player, points, the tool of the last night, and its hand."""
    t, view = ctx.t, ctx.view
    standing = t("cracksmen.standing", points=view.points[seat])
    if view.used:
        standing = t("cracksmen.standing.used", points=view.points[seat], tool=view.used[seat])
    return h(
        "section.safecracker.deco",
        {"key": f"seat-{seat}", "aria-label": ctx.name(seat)},
        h("header", None, seat_mark(ctx.chairs[seat]), name_plate("p.who", ctx.name(seat), standing)),
        h(
            "ul.tools",
            None,
            [h("li", {"key": n}, tool_node(ctx, seat, tool)) for n, tool in enumerate(view.hands[seat])],
        ),
    )


def tool_node(ctx: Context, seat: int, tool: int) -> Node:
    """Draws a tool: a control while its owner is asked, a back for everybody who may not see it."""
    if tool == HIDDEN:
        return back()
    text = ctx.t("cracksmen.tool", tool=tool)
    if seat == ctx.viewer and isinstance(ctx.question, Use):
        return button({**ctx.answer_attrs("use", tool), "key": tool}, text)
    return h("span.btn", {"key": tool}, text)


def safe(ctx: Context) -> Child:
    kind = ctx.view.safe
    if not kind:
        return back()
    name = ctx.t(f"cracksmen.card.{NAMES[kind]}")
    return [
        card("biz", DIAL, ctx.t.number(POINTS[kind]), name, {"key": len(ctx.view.opened)}),
        for_screen_readers(ctx.t("cracksmen.worth", points=POINTS[kind])),
    ]


def sentence(ctx: Context) -> list[Child]:
    """Returns the question to the person who is asked; for others what the table waits for."""
    if ctx.asked is None:
        return [ctx.t("cracksmen.watch.over")]
    if ctx.asked == NATURE:
        return [ctx.t("cracksmen.watch.chance")]
    return ctx.t.rich("cracksmen.ask" if ctx.yours else "cracksmen.watch", who=bold_name(ctx, ctx.asked))


def status(ctx: Context) -> Sequence[Child]:
    return [ctx.t("cracksmen.night", night=min(len(ctx.view.opened) + 1, HAND), nights=HAND)]


def tell(before: Table, entry: Entry, after: Table, asked: Question[Table]) -> list[Line]:
    """Returns the lines that an entry adds to the log."""
    seat, (verb, *_) = entry
    if verb == "safe":
        return [Line(NATURE, "cracksmen.log.safe", {"safe": Ref(f"cracksmen.card.{NAMES[after.safe]}")})]
    if verb == "use":
        return [Line(seat, "cracksmen.log.use", {}, sound="felt")]
    if verb == "reveal":
        shown = [Line(other, "cracksmen.log.shows", {"tool": tool}) for other, tool in enumerate(after.used)]
        won = after.opened[-1]
        values: Mapping[str, Value] = {"safe": Ref(f"cracksmen.card.{won.category}"), "points": won.points}
        return [*shown, Line(won.seat, "cracksmen.log.opens", values, important=True, sound="brass")]
    return []


def rest_after(before: Table, entry: Entry, after: Table) -> int:
    return RESTS[entry[1][0]]


def say_value(value: TypedValue) -> Value:
    return game_word("cracksmen", value.plain)


def rules(t: Texts, options: Mapping[str, Any]) -> Sequence[Node]:
    def counts(option: Deck, deck: Mapping[str, int]) -> str:
        return ", ".join(f"{t(f'cracksmen.card.{name}')}: {t.number(count)}" for name, count in deck.items())

    points = {one.name: f"{t(f'cracksmen.card.{one.name}')}: {t.number(POINTS[n])}" for n, one in enumerate(CARDS, 1)}
    return [
        *chapter(t, "cracksmen.rules.aim", "cracksmen.rules.aim.text"),
        list_of(points),
        *chapter(t, "cracksmen.rules.night", "cracksmen.rules.night.text"),
        h("h3", None, t("cracksmen.rules.house")),
        house_rules(t, "cracksmen", OPTIONS, options, counts, t("cracksmen.rules.own")),
    ]


def score(ctx: Context, number: int) -> str:
    return ctx.t("result.points", n=number, points=ctx.t.number(number))


def result(ctx: Context) -> Sequence[Node]:
    """Returns the safes that were opened, night by night."""
    return [
        h(
            "ol",
            None,
            [
                h(
                    "li",
                    {"key": won.round},
                    *ctx.t.rich(
                        "cracksmen.log.opens",
                        who=ctx.name(won.seat),
                        points=won.points,
                        safe=ctx.t(f"cracksmen.card.{won.category}"),
                    ),
                )
                for won in ctx.game.ledger(ctx.view)
            ],
        )
    ]
