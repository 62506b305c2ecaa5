"""The curtain: the device goes to the next person, who alone may look. It hides nothing that is drawn under it; what
is private is not drawn at all while it is down."""

from __future__ import annotations

from ui.html.parts import button, seat_mark
from ui.html.tree import Node, h
from ui.model import Play
from ui.selectors import covered
from ui.text.i18n import Texts


def curtain(play: Play, t: Texts, *, passed: bool) -> Node | None:
    """Held for a moment it goes up: by pointer or by key. Who cannot hold has a plain button. `passed`: the device goes
    from hand to hand, else it lies in the middle and turns."""
    seat = covered(play)
    if seat is None:
        return None
    chair = play.header.chairs[seat]
    title = t("curtain.title", who=chair.name) if passed else t("curtain.asked", who=chair.name)
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
