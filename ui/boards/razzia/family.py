"""The cheques and the family of a seat, the family as small cells or as piles. Nodes are cached by their content."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from engine.razzia.box import NIGHTCLUB, THIEF
from engine.razzia.rules import Cards
from ui.boards.razzia.cards import GROUPS, SORTED, face, face_down, listed, small_cheque, sums, tile
from ui.boards.razzia.worth import Set
from ui.html.parts import hidden
from ui.html.tree import Attr, Child, Node, h
from ui.text.i18n import Texts

Attrs: TypeAlias = "tuple[tuple[str, Attr], ...]"
#: the cheques that can be dragged, with their attributes
Drags: TypeAlias = "tuple[tuple[int, Attrs], ...]"
#: the kinds to which a card is just being added, with its `data-fly` name
Fresh: TypeAlias = "tuple[tuple[int, str], ...]"


@lru_cache(maxsize=200)
def cheques(t: Texts, open_: Cards, spent: Cards, lifted: int, flying: Cards, drags: Drags, *, face_up: bool) -> Node:
    """The open cheques, then the spent ones.

    The offered one (`lifted`) is raised. Spent ones are grey, or face down by house rule. `flying` are the cheques with
    a `data-fly` name, `drags` those that can be offered now, and so dragged.
    """
    away = dict(drags)
    shown = [
        small_cheque(
            t, value, "out" if value == lifted else "", f"q{value}" if value in flying else None, away.get(value, ())
        )
        for value in open_
    ]
    said = t("razzia.cheques.open", sums=sums(t, open_) or t("razzia.none"))
    if spent and face_up:
        shown += [small_cheque(t, value, "spent", f"q{value}" if value in flying else None) for value in spent]
        said = f"{said} {t('razzia.cheques.spent', sums=sums(t, spent))}"
    elif spent:
        shown += [face_down(place) for place in range(len(spent))]
        said = f"{said} {t('razzia.cheques.hidden', n=len(spent))}"
    return h("div.chqs", None, hidden(said), shown)


@lru_cache(maxsize=200)
def cells(t: Texts, who: str, family: Cards, fresh: Fresh, attrs: Attrs) -> Node:
    """The family as seventeen small cells, the same for every seat. A button over all of them opens the family."""
    coming = dict(fresh)
    shown = [_cell(t, kind, family[kind], coming.get(kind)) for kind in SORTED]
    return h("div.cells", None, h("div.cellsin", {"aria-hidden": True}, shown), _closer(t, who, family, attrs))


def _closer(t: Texts, who: str, family: Cards, attrs: Attrs) -> Node:
    """The button that opens a family. It lies over the drawing of the family, and has the words for it."""
    words = t("razzia.family.of", who=who, cards=listed(t, family))
    return h("button.closer", {**dict(attrs), "aria-label": words})


@lru_cache(maxsize=400)
def _cell(t: Texts, kind: int, count: int, fly: str | None) -> Node:
    mark = tile(kind)
    if fly:
        mark = h(mark.tag, {**mark.attrs, "data-fly": fly}, mark.kids)
    number = t.number(count) if count else t("razzia.dash")
    return h("span.cell", {"class": None if count else "no", "aria-hidden": True}, mark, number)


@lru_cache(maxsize=100)
def piles(t: Texts, who: str, family: Cards, worths: tuple[Set, ...], fresh: Fresh, attrs: Attrs, thief: Attrs) -> Node:
    """The family as piles, in groups that are scored together, each with its points now and with one more card.

    The pile of thieves can be dragged; `thief` are its attributes.
    """
    coming = dict(fresh)
    number = sum(max(1, sum(family[kind] > 0 for kind in kinds)) for kinds in GROUPS.values())
    groups = [_group(t, found, family, coming, thief) for found in worths]
    shown = h("span.famin", {"aria-hidden": True}, groups)
    return h("div.fam", {"--n": number}, shown, _closer(t, who, family, attrs))


def _group(t: Texts, found: Set, family: Cards, coming: dict[int, str], thief: Attrs) -> Node:
    kinds = [kind for kind in GROUPS[found.group] if family[kind]]
    shown: list[Child] = [
        _pile(t, kind, family[kind], coming.get(kind), thief if kind == THIEF else ()) for kind in kinds
    ]
    return h(
        "span.grpc", {"key": found.group}, h("span.stk", None, shown or _ghost(GHOSTS[found.group])), _caption(t, found)
    )


#: the kind whose drawing stands for a group without cards
GHOSTS = {name: NIGHTCLUB if name == "businesses" else kinds[0] for name, kinds in GROUPS.items()}


@lru_cache(maxsize=20)
def _ghost(kind: int) -> Node:
    return h("span.pile.ghost", None, h("span.slot", None, h("span.em", None, tile(kind).kids)))


@lru_cache(maxsize=400)
def _pile(t: Texts, kind: int, count: int, fly: str | None, drag: Attrs) -> Node:
    badge = h("span.n", None, t.number(count)) if count > 1 else None
    card = face(t, kind, {"data-fly": fly}) if fly else face(t, kind)
    return h("span.pile", {**dict(drag), "class": "one" if count == 1 else None, "key": kind}, card, badge)


@lru_cache(maxsize=400)
def _caption(t: Texts, found: Set) -> Node:
    return h(
        "span.capt",
        None,
        h("span", None, t.rich(f"razzia.set.{found.group}", points=h("b", None, t.number(found.now)))),
        h("small", None, t.rich("razzia.set.more", points=h("i", None, t.signed(found.more)))),
    )
