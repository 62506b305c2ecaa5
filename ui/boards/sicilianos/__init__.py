"""The board of sicilianos: six families in the middle, the seats around them, below them the viewer's hand and the
question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core import SPECTATOR
from engine.sicilianos.box import COLOURS
from engine.sicilianos.result import GODFATHER, shops_left
from engine.sicilianos.table import shown
from ui.boards import Context
from ui.boards.sicilianos.ask import say
from ui.boards.sicilianos.cards import family_name
from ui.boards.sicilianos.ledger import result, score
from ui.boards.sicilianos.rules import rules
from ui.boards.sicilianos.scene import scene
from ui.boards.sicilianos.seats import around, marks, own
from ui.boards.sicilianos.sheets import over_the_table
from ui.boards.sicilianos.tell import beat, tell
from ui.boards.sicilianos.town import town
from ui.html.tree import Node, h

__all__ = ["beat", "felt", "result", "rules", "score", "status", "tell"]


def felt(ctx: Context) -> Node:
    """Draws the felt. While a sheet is open over the table, everything below it is inert."""
    now = scene(ctx)
    above = over_the_table(ctx, now)
    spectator = ctx.viewer == SPECTATOR
    name = ctx.t("sicilianos.desk") if spectator else ctx.name(ctx.viewer)
    return h(
        "div.table.sicilianos",
        {"data-seats": len(ctx.chairs), "class": "dim2" if above else None},
        h(
            "div.floor",
            {"key": "floor", "inert": above is not None},
            around(ctx, now),
            town(ctx, now),
            h(
                "section.desk.deco",
                {"key": "desk", "class": None if spectator else marks(ctx, now, ctx.viewer), "aria-label": name},
                say(ctx, now, home=above is None),
                None if spectator else own(ctx, now),
            ),
        ),
        above,
    )


def status(ctx: Context) -> Sequence[str]:
    """Returns how near the end is: the lowest number of dirty notes, then the players close to Godfather, then the war.

    The war comes last because the middle of the table shows it too, and a phone has room for one fact only.
    """
    t, view = ctx.t, ctx.view
    fewest = min(shown(view, seat)[1] for seat in range(len(ctx.chairs)))
    threats = [
        t("sicilianos.status.godfather", who=ctx.name(seat), family=family_name(t, colour))
        for colour in COLOURS
        for seat, owned in Counter(owner for owner, _, _ in view.founded[colour]).items()
        if owned == GODFATHER - 1 and shops_left(view, colour)
    ]
    war = t("sicilianos.status.war", n=view.war) if view.war else t("sicilianos.status.before")
    return [t("sicilianos.status.notes", n=fewest), *threats, war]
