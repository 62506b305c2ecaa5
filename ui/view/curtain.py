"""The curtain: it covers the table while the device is handed to the next person, who alone may look.

It does not have to hide anything: while it is down, private things are not drawn at all.
"""

from __future__ import annotations

from ui.html.parts import button, seat_mark
from ui.html.tree import Node, h
from ui.model import Play
from ui.selectors import curtain_seat
from ui.text.i18n import Texts


def curtain(play: Play, t: Texts, *, handed_round: bool) -> Node | None:
    """Returns the curtain, or None if the table is not covered.

    Holding its first button for a moment, by pointer or by key, lifts it; the second is for people who cannot hold.
    `passed`: the device is handed round; otherwise it lies in the middle of the table, and the view is turned.
    """
    seat = curtain_seat(play)
    if seat is None:
        return None
    chair = play.header.chairs[seat]
    title = t("curtain.title", who=chair.name) if handed_round else t("curtain.asked", who=chair.name)
    return h(
        "section.curtain.deco",
        {"key": "curtain", "class": f"e-{chair.emblem}", "aria-labelledby": "curtain-title"},
        seat_mark(chair, "big"),
        h("h2", {"id": "curtain-title", "tabindex": -1, "data-home": True}, title),
        h("p", None, t("curtain.text", who=chair.name)),
        button(
            {"data-hold": "lift", "data-arg": seat, "key": "hold"},
            h("span.held", {"aria-hidden": True}),
            h("span", None, t("curtain.hold")),
            kind="pri",
        ),
        button({"data-do": "lift", "data-arg": seat, "key": "lift"}, t("curtain.lift", who=chair.name)),
    )
