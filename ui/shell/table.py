"""Around the felt: the top bar, the log, what screen readers hear, the result."""

from __future__ import annotations

from ui.boards import Board, Context, Line, Who, board
from ui.i18n import Texts, Value
from ui.model import Model, Play
from ui.parts import button, icon_button, seat_mark, symbol
from ui.play import can_undo, flat, takes_back
from ui.shell.bits import dialog
from ui.shell.curtain import curtain
from ui.shell.people import folk
from ui.sight import asked, context, coverable, covered
from ui.tabletop import EDGES, edges, facing
from ui.tree import Child, Node, h

LINES = 80  # the log shows so many of the latest, or up to half as many more; a whole game is in its record
READ_OUT = 6


def table(model: Model, play: Play) -> Node:
    t, desk = model.t, board(play.header.game)
    ctx = context(play, t)
    return h(
        "div.app",
        {"key": "table", "data-rail": "open" if model.rail else "shut"},
        _bar(model, play, desk, ctx),
        _felt(model, play, desk.felt(ctx)),
        _rail(model, play),
        h("div.vh", {"role": "log", "aria-live": "polite", "key": "heard"}, _read_out(play, t)),
    )


def _felt(model: Model, play: Play, board_: Node) -> Node:
    """The board, turned to the edge where the asked one sits if the device lies among people, and the curtain."""
    t, top = model.t, model.settings.top == "on"
    turn = h(
        "div.turn",
        {"key": "turn", "data-turned": facing(model.settings, play)},
        h("div.under", {"key": "under", "inert": covered(play) is not None}, board_),
        curtain(play, t, passed=not top),
    )
    around = edges(model.settings, len(play.header.chairs))
    room = {f"--e{edge}": "34px" for edge in set(around)} if top else {}
    return h(
        "main.felt",
        {"id": "main", "tabindex": "-1", "data-top": top, **room},
        h("div.ring", {"key": "ring"}, turn),
        [_edge(play, t, edge, around) for edge in sorted(set(around))] if top else None,
    )


def _edge(play: Play, t: Texts, edge: int, around: tuple[int, ...]) -> Node:
    """Who sits at that edge, for the eye: the names turn to them."""
    seats = [seat for seat, where in enumerate(around) if where == edge]
    if edge in (2, 3):
        seats.reverse()  # clockwise around the table, seen from here
    chairs, now = play.header.chairs, asked(play.session)
    return h(
        "ul.edge",
        {"key": f"edge-{edge}", "data-edge": edge, "aria-label": t(f"top.{EDGES[edge]}")},
        [
            h(
                "li",
                {"key": seat, "class": "asked" if seat == now else None},
                seat_mark(chairs[seat], "dot"),
                h("b", None, chairs[seat].name),
            )
            for seat in seats
        ],
    )


def _bar(model: Model, play: Play, desk: Board, ctx: Context) -> Node:
    t = model.t
    return h(
        "header.bar",
        None,
        h(
            "div.title",
            None,
            h("h1", None, t(f"game.{play.header.game}")),
            h("p.st.lab", None, [h("span", {"key": n}, fact) for n, fact in enumerate(desk.status(ctx))]),
        ),
        h("span.sp"),
        _by_link(model, play),
        icon_button("u-skip", t("table.skip"), {"data-do": "tap", "aria-disabled": not play.waiting, "class": "skip"}),
        icon_button("u-eye", t("curtain.cover"), {"data-do": "cover"}) if coverable(play) else None,
        icon_button("u-undo", t("table.undo"), {"data-do": "undo", "aria-disabled": can_undo(model) is None})
        if takes_back(model)
        else None,
        icon_button(
            "u-help", t("rules.open"), {"data-do": "dialog", "data-arg": "rules", "class": "how"}, t("rules.word")
        ),
        icon_button(
            "u-log",
            t("log.open"),
            {"data-do": "rail", "aria-expanded": model.rail, "aria-controls": "rail"},
            t("log.word"),
        ),
        icon_button("u-menu", t("menu.title"), {"data-do": "dialog", "data-arg": "menu"}),
    )


def _by_link(model: Model, play: Play) -> Child:
    if play.door is None or model.room is None:
        return None
    from ui.shell.room_table import strip

    return strip(model, play)


def _rail(model: Model, play: Play) -> Node:
    t = model.t
    lines = flat(play)
    first = _first(len(lines))
    rows = [_row(play, t, number, lines[number]) for number in range(first, len(lines))]
    return h(
        "aside.rail",
        {"id": "rail", "aria-label": t("log.word"), "hidden": not model.rail},
        h(
            "header",
            None,
            h("h2.lab", None, t("log.word")),
            icon_button("u-close", t("log.close"), {"data-do": "rail"}),
        ),
        folk(play, t),
        h(
            "ol.log",
            {"key": f"from-{first}", "tabindex": "0", "aria-label": t("log.word"), "data-latest": True},
            rows,
        ),
        h(
            "div.raft",
            None,
            button({"data-do": "undo", "aria-disabled": can_undo(model) is None}, symbol("u-undo"), t("table.undo")),
        )
        if takes_back(model)
        else None,
    )


def _first(lines: int) -> int:
    """The first line that is shown. Lines go many at a time, seldom: then the list begins anew, none of it moves."""
    half = LINES // 2
    return max(0, (lines - LINES) // half * half)


def _row(play: Play, t: Texts, number: int, line: Line) -> Node:
    """A line of the log, drawn once."""
    drawn = play.drawn.get(number)
    if drawn is None or drawn[0] is not line or drawn[1] is not t:
        mark: Child = seat_mark(play.header.chairs[line.seat], "dot") if line.seat >= 0 else h("span.dot.none")
        node = h(
            "li", {"key": number, "class": "loud" if line.loud else None}, mark, h("span", None, rich(play, t, line))
        )
        drawn = play.drawn[number] = (line, t, node)
    return drawn[2]


def line_values(play: Play, line: Line) -> dict[str, Value]:
    """A line's values with names for seats."""
    chairs = play.header.chairs
    found: dict[str, Value] = {"who": chairs[line.seat].name} if line.seat >= 0 else {}
    for name, value in line.values.items():
        found[name] = chairs[value.seat].name if isinstance(value, Who) else value
    return found


def rich(play: Play, t: Texts, line: Line) -> list[Child]:
    """A line with the names set off."""
    names = {name for name, value in line.values.items() if isinstance(value, Who)} | {"who"}
    said = line_values(play, line)
    shown: dict[str, Value | Child] = {n: h("b", None, str(v)) if n in names else v for n, v in said.items()}
    return t.rich(line.key, **shown)


def _read_out(play: Play, t: Texts) -> list[Node]:
    """The latest lines as text: each new one is read once, in order."""
    lines = flat(play)
    first = max(play.heard, len(lines) - READ_OUT)
    return [h("p", {"key": n}, t(lines[n].key, **line_values(play, lines[n]))) for n in range(first, len(lines))]


def result(model: Model, play: Play) -> Node:
    """The end: who won, and where it came from."""
    t, session = model.t, play.session
    chairs, desk, ctx = play.header.chairs, board(play.header.game), context(play, t)
    scores, winners = session.game.scores(session.table), session.game.winners(session.table)
    order = sorted(range(len(chairs)), key=lambda seat: (seat not in winners, -scores[seat]))
    title = t("result.won", who=chairs[winners[0]].name) if len(winners) == 1 else t("result.shared")
    ranks = [
        h(
            "li",
            {"key": seat, "class": "won" if seat in winners else None},
            seat_mark(chairs[seat]),
            h("b", None, chairs[seat].name, h("span.vh", None, t("result.winner")) if seat in winners else None),
            symbol("u-crown", kind="crown") if seat in winners else None,
            h("span.score", None, desk.score(ctx, scores[seat])),
        )
        for seat in order
    ]
    return dialog(
        t,
        "result",
        title,
        h("ol.ranks", None, ranks),
        h("div.prose", None, *desk.result(ctx)),
        foot=(
            _again(model, play),
            button({"data-do": "dialog.close"}, t("result.look")),
            button({"data-do": "leave"}, t("menu.leave")),
        ),
        kind="wide result",
    )


def _again(model: Model, play: Play) -> Child:
    """Another game: at a table by link it is laid out by who opened that."""
    if play.door is None:
        return button({"data-do": "again"}, model.t("result.again"), kind="pri")
    from ui.shell import room_table

    return room_table.again(model)
