"""The cheques and the family of a seat, the family as small cells or as piles. Nodes are cached by their content."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from engine.razzia.box import NIGHTCLUB, THIEF, Family
from engine.razzia.rules import Cheques
from ui.boards.razzia.cards import (
    FAMILY_ORDER,
    GROUPS,
    cheques_in_words,
    face,
    face_down,
    family_in_words,
    small_cheque,
    tile,
)
from ui.boards.razzia.valuation import GroupPoints
from ui.html.parts import for_screen_readers
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Texts

Attrs: TypeAlias = "tuple[tuple[str, Attr], ...]"
#: the cheques that can be dragged, with their attributes
Drags: TypeAlias = "tuple[tuple[int, Attrs], ...]"
#: the kinds to which a card is just being added, with its `data-fly` name
Arriving: TypeAlias = "tuple[tuple[int, str], ...]"


@lru_cache(maxsize=200)
def cheques(
    t: Texts, open_: Cheques, spent: Cheques, offered: int, moving: Cheques, drags: Drags, *, face_up: bool
) -> Node:
    """The open cheques, then the spent ones.

    The offered one (`lifted`) is raised. Spent ones are grey, or face down by house rule. `flying` are the cheques with
    a `data-fly` name, `drags` those that can be offered now, and so dragged.
    """
    drag_attrs = dict(drags)
    shown = [
        small_cheque(
            t,
            value,
            "out" if value == offered else "",
            f"q{value}" if value in moving else None,
            drag_attrs.get(value, ()),
        )
        for value in open_
    ]
    words = t("razzia.cheques.open", sums=cheques_in_words(t, open_) or t("razzia.none"))
    if spent and face_up:
        shown += [small_cheque(t, value, "spent", f"q{value}" if value in moving else None) for value in spent]
        words = f"{words} {t('razzia.cheques.spent', sums=cheques_in_words(t, spent))}"
    elif spent:
        shown += [face_down(place) for place in range(len(spent))]
        words = f"{words} {t('razzia.cheques.hidden', n=len(spent))}"
    return h("div.chqs", None, for_screen_readers(words), shown)


@lru_cache(maxsize=200)
def cells(t: Texts, who: str, family: Family, arriving: Arriving, attrs: Attrs) -> Node:
    """The family as seventeen small cells, the same for every seat. A button over all of them opens the family."""
    flight_names = dict(arriving)
    shown = [_cell(t, kind, family[kind], flight_names.get(kind)) for kind in FAMILY_ORDER]
    return h("div.cells", None, h("div.cell-grid", {"aria-hidden": True}, shown), _open_button(t, who, family, attrs))


def _open_button(t: Texts, who: str, family: Family, attrs: Attrs) -> Node:
    """The button that opens a family. It lies over the drawing of the family, and has the words for it."""
    words = t("razzia.family.of", who=who, cards=family_in_words(t, family))
    return h("button.look", {**dict(attrs), "aria-label": words})


@lru_cache(maxsize=400)
def _cell(t: Texts, kind: int, count: int, fly: str | None) -> Node:
    mark = tile(kind)
    if fly:
        mark = h(mark.tag, {**mark.attrs, "data-fly": fly}, mark.kids)
    number = t.number(count) if count else t("razzia.dash")
    return h("span.cell", {"class": None if count else "no", "aria-hidden": True}, mark, number)


@lru_cache(maxsize=100)
def piles(
    t: Texts,
    who: str,
    family: Family,
    points_by_group: tuple[GroupPoints, ...],
    arriving: Arriving,
    attrs: Attrs,
    thief_attrs: Attrs,
) -> Node:
    """The family as piles, in groups that are scored together, each with its points now and with one more card.

    The pile of thieves can be dragged; `thief` are its attributes.
    """
    flight_names = dict(arriving)
    columns = sum(max(1, sum(family[kind] > 0 for kind in kinds)) for kinds in GROUPS.values())
    groups = [_group(t, group, family, flight_names, thief_attrs) for group in points_by_group]
    shown = h("span.columns", {"aria-hidden": True}, groups)
    return h("div.family", {"--n": columns}, shown, _open_button(t, who, family, attrs))


def _group(t: Texts, group: GroupPoints, family: Family, flight_names: dict[int, str], thief_attrs: Attrs) -> Node:
    kinds = [kind for kind in GROUPS[group.group] if family[kind]]
    shown: list[Child] = [
        _pile(t, kind, family[kind], flight_names.get(kind), thief_attrs if kind == THIEF else ()) for kind in kinds
    ]
    return h(
        "span.column",
        {"key": group.group},
        h("span.stack", None, shown or _empty_group(EMPTY_GROUP_KINDS[group.group])),
        _caption(t, group),
    )


#: the kind whose drawing stands for a group without cards
EMPTY_GROUP_KINDS = {name: NIGHTCLUB if name == "businesses" else kinds[0] for name, kinds in GROUPS.items()}


@lru_cache(maxsize=20)
def _empty_group(kind: int) -> Node:
    return h("span.pile.ghost", None, h("span.slot", None, h("span.drawing", None, tile(kind).kids)))


@lru_cache(maxsize=400)
def _pile(t: Texts, kind: int, count: int, fly: str | None, drag: Attrs) -> Node:
    badge = h("span.n", None, t.number(count)) if count > 1 else None
    card = face(t, kind, {"data-fly": fly}) if fly else face(t, kind)
    return h("span.pile", {**dict(drag), "class": "one" if count == 1 else None, "key": kind}, card, badge)


@lru_cache(maxsize=400)
def _caption(t: Texts, group: GroupPoints) -> Node:
    return h(
        "span.caption",
        None,
        h("span", None, t.rich(f"razzia.set.{group.group}", points=h("b", None, t.number(group.points)))),
        h("small", None, t.rich("razzia.set.more", points=h("i", None, t.signed(group.gain)))),
    )
