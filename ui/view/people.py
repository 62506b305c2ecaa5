"""The seats and who plays them: in a dialog of the lobby, and at the running table."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots import LEVELS
from engine.seats import EMBLEMS, LONGEST_NAME, PERSON
from ui.boards import Chair
from ui.boards.kit.seats import name_node
from ui.edges import EDGES, SMALL_EDGES, edges
from ui.html.parts import emblem, seat_mark
from ui.html.tree import Attr, Child, Node, h
from ui.model import ON_OFF, Model, Play
from ui.selectors import asked, seat_named
from ui.text.i18n import Texts
from ui.view.common import dialog, radio_group


def seat_fields(t: Texts, chairs: Sequence[Chair], seat: int, prefix: str) -> list[Node]:
    """Fields for the name, the player and the emblem of a seat.

    `about` is the first part of their messages: "seat" in the lobby, "chair" at the running table.
    """
    chair = chairs[seat]
    taken = {c.emblem for c in chairs} - {chair.emblem}
    plays = [(PERSON, h("span", None, t("lobby.person")), "")]
    plays += [(level, h("span", None, t(f"bot.{level}")), "") for level in LEVELS]
    signs = [(e, emblem(e, "taken" if e in taken else ""), t(f"emblem.{e}")) for e in EMBLEMS]
    name: dict[str, Attr] = {
        "type": "text",
        "id": f"{prefix}-name",
        "value": chair.name,
        "maxlength": LONGEST_NAME,
        "autocomplete": "off",
        "spellcheck": "false",
        "data-do": f"{prefix}.name",
        "data-arg": seat,
    }
    return [
        h("div.row", None, h("label.heading", {"for": f"{prefix}-name"}, t("seat.name")), h("input.txt.box", name)),
        h(
            "div.row",
            None,
            h("h3", None, t("seat.plays")),
            radio_group(
                f"{prefix}-plays", t("seat.plays"), plays, chair.plays, {"data-do": f"{prefix}.plays", "data-arg": seat}
            ),
        ),
        h(
            "div.row.signs",
            None,
            h("h3", None, t("seat.emblem")),
            radio_group(
                f"{prefix}-emblem",
                t("seat.emblem"),
                signs,
                chair.emblem,
                {"data-do": f"{prefix}.emblem", "data-arg": seat},
            ),
        ),
    ]


def edge_choice(model: Model, seat: int, seats: int) -> Node | None:
    """The choice of the edge at which the seat sits; None unless the device lies in the middle of the table."""
    t = model.t
    if model.settings.top != "on":
        return None
    choices = [
        (str(n), _edge(t, edge, small), "") for n, (edge, small) in enumerate(zip(EDGES, SMALL_EDGES, strict=True))
    ]
    chosen = str(edges(model.settings, seats)[seat])
    return h(
        "div.row.sits",
        {"key": "sits"},
        h("h3", None, t("top.sits")),
        radio_group("sits", t("top.sits"), choices, chosen, {"data-do": "edge", "data-arg": seat}),
    )


def _edge(t: Texts, edge: str, small: str) -> Child:
    """The name of an edge, and its name on a small device with two edges only. The style sheet shows one of them."""
    if edge == small:
        return h("span", None, t(f"top.{edge}"))
    return h("span", None, h("span.large", None, t(f"top.{edge}")), h("span.small", None, t(f"top.{small}")))


def in_middle_setting(model: Model) -> Node:
    """The setting for a device that lies in the middle of the table, or is handed round."""
    t = model.t
    choices = [(value, h("span", None, t(f"top.{value}")), "") for value in ON_OFF]
    return h(
        "div.row",
        {"key": "top"},
        h("h3", None, t("top.title")),
        radio_group("set-top", t("top.title"), choices, model.settings.top, {"data-do": "setting", "data-arg": "top"}),
        h("p.quiet", None, t("top.hint")),
    )


def seat_list(play: Play, t: Texts) -> Node:
    """All seats, with the asked one marked. Each opens the dialog of its seat."""
    return h(
        "ul.folk",
        {"aria-label": t("people.title"), "key": "folk"},
        [
            _seat_entry(t, chair, seat, asked_now=seat == asked(play.session))
            for seat, chair in enumerate(play.header.chairs)
        ],
    )


def _seat_entry(t: Texts, chair: Chair, seat: int, *, asked_now: bool) -> Node:
    who = t("lobby.person") if chair.plays not in LEVELS else t("people.bot", level=t(f"bot.{chair.plays}"))
    return h(
        "li",
        {"key": seat},
        h(
            "button",
            {
                "type": "button",
                "data-do": "dialog",
                "data-arg": f"chair:{seat}",
                "class": "asked" if asked_now else None,
                "aria-current": "true" if asked_now else None,
            },
            seat_mark(chair, "dot"),
            h("span", None, name_node(chair, t), " ", h("small", None, who)),
        ),
    )


def people_dialog(model: Model, argument: str) -> Node | None:
    t, play = model.t, model.play
    if play is None:
        return None
    return dialog(
        t,
        "people",
        t("people.title"),
        h("p.quiet", None, t("people.hint")),
        seat_list(play, t),
        in_middle_setting(model),
    )


def chair_dialog(model: Model, argument: str) -> Node | None:
    """The dialog of a seat in a running game."""
    t, play = model.t, model.play
    if play is None:
        return None
    chairs = play.header.chairs
    seat = seat_named(argument, len(chairs))
    if seat is None:
        return None
    note: Child = h("p.quiet", None, t("people.note"))
    rows = (seat_fields(t, chairs, seat, "chair"), edge_choice(model, seat, len(chairs)), note)
    return dialog(t, "chair", t("people.chair", who=chairs[seat].name), *rows)
