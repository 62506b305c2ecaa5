"""The board of sicilianos: six families in the middle, the seats around them, below them the viewer's hand and the
question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core import SPECTATOR
from engine.sicilianos.box import COLOURS
from engine.sicilianos.result import GODFATHER, shops_left
from engine.sicilianos.table import public_holdings
from ui.boards import Context
from ui.boards.kit.felt import felt_frame
from ui.boards.sicilianos.cards import family_name, say_value
from ui.boards.sicilianos.ledger import result, score
from ui.boards.sicilianos.log_lines import rest_after, tell
from ui.boards.sicilianos.middle import middle
from ui.boards.sicilianos.question import question_box
from ui.boards.sicilianos.rules import rules
from ui.boards.sicilianos.scene import make_scene
from ui.boards.sicilianos.seats import other_seats, own_things, seat_classes
from ui.boards.sicilianos.sheets import over_the_table
from ui.html.tree import Node, h

__all__ = ["felt", "rest_after", "result", "rules", "say_value", "score", "status", "tell"]


def felt(ctx: Context) -> Node:
    """Draws the felt. While a sheet is open over the table, everything below it is inert."""
    scene = make_scene(ctx)
    sheet = over_the_table(ctx, scene)
    spectator = ctx.viewer == SPECTATOR
    label = ctx.t("sicilianos.desk") if spectator else ctx.name(ctx.viewer)
    return felt_frame(
        ctx,
        "div.table.sicilianos",
        "div.board",
        sheet,
        other_seats(ctx, scene),
        middle(ctx, scene),
        h(
            "section.desk.deco",
            {"key": "desk", "class": None if spectator else seat_classes(ctx, scene, ctx.viewer), "aria-label": label},
            question_box(ctx, scene, home=sheet is None),
            None if spectator else own_things(ctx, scene),
        ),
    )


def status(ctx: Context) -> Sequence[str]:
    """Returns how near the end is: the lowest number of dirty notes, then the players close to Godfather, then the war.

    The war comes last because the middle of the table shows it too, and a phone has room for one fact only.
    """
    t, view = ctx.t, ctx.view
    fewest = min(public_holdings(view, seat)[1] for seat in range(len(ctx.chairs)))
    threats = [
        t("sicilianos.status.godfather", who=ctx.name(seat), family=family_name(t, colour))
        for colour in COLOURS
        for seat, owned in Counter(owner for owner, _, _ in view.founded[colour]).items()
        if owned == GODFATHER - 1 and shops_left(view, colour)
    ]
    war = t("sicilianos.status.war", n=view.war) if view.war else t("sicilianos.status.before")
    return [t("sicilianos.status.notes", n=fewest), *threats, war]
