"""The difference between two trees of nodes, as a short list of operations on the page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, pairwise
from typing import Any, TypeAlias

from ui.html.tree import TAGS, Node, check_attr

Op: TypeAlias = "tuple[Any, ...]"


#: attributes a person can change by using the control: set again with every patch, after the children
USER_STATE = ("value", "checked")


class ShownNode:
    """A node that the page shows, with its number on the page, and its children."""

    __slots__ = ("id", "kids", "node")

    def __init__(self, node: Node, number: int, kids: list[ShownNode]) -> None:
        self.node, self.id, self.kids = node, number, kids


class Mirror:
    """The tree the page shows now. `diff` returns the operations that make the page show another tree.

    Operations, in the order in which they must be carried out (numbers are page nodes, the root is 1):
    ("make", id, tag, svg) · ("copy", id, node) · ("text", id, text) · ("set", id, name, value or None)
    · ("write", id, text) · ("put", parent, id, before or 0) · ("drop", id, ids of it and all in it)
    """

    def __init__(self, shown: Node) -> None:
        self._next = count(1)
        self.root = self._number(shown)

    def _number(self, node: Node) -> ShownNode:
        number = next(self._next)
        return ShownNode(node, number, [self._number(kid) for kid in node.kids])

    def diff(self, new: Node) -> list[Op]:
        """Returns the operations that lead from the tree shown to `new`, which counts as shown from then on. Raises
        `ValueError` for what is not allowed in a tree."""
        if new.tag != self.root.node.tag:
            raise ValueError("the root stays what it is")
        ops: list[Op] = []
        self._patch(self.root, new, ops, svg=new.tag == "svg")
        return ops

    def _patch(self, live: ShownNode, new: Node, ops: list[Op], *, svg: bool) -> None:
        old = live.node
        if old is new:
            return
        live.node = new
        if new.fixed:
            return  # a fixed drawing continues only an equal one
        if new.tag == "#":
            if old.text != new.text:
                ops.append(("write", live.id, new.text))
            return
        if old.attrs != new.attrs:
            self._attrs(live.id, old.attrs, new, ops)
        if new.kids or live.kids:
            if old.text:
                ops.append(("write", live.id, ""))
            self._kids(live, new.kids, ops, svg=svg)
            if new.text:
                ops.append(("write", live.id, new.text))
        elif old.text != new.text:
            ops.append(("write", live.id, new.text))
        self._state(live.id, new, ops)

    def _attrs(self, number: int, old: dict[str, str], new: Node, ops: list[Op]) -> None:
        for name, value in new.attrs.items():
            if old.get(name) != value and name not in USER_STATE:
                check_attr(new.tag, name, value)
                ops.append(("set", number, name, value))
        ops.extend(("set", number, name, None) for name in old if name not in new.attrs and name not in USER_STATE)

    def _state(self, number: int, new: Node, ops: list[Op]) -> None:
        if new.tag in ("input", "select", "textarea"):
            for name in USER_STATE:
                if name == "checked" and new.attrs.get("type") not in ("checkbox", "radio"):
                    continue
                if name in new.attrs or name == "checked":
                    ops.append(("set", number, name, new.attrs.get(name)))
        elif new.tag == "option" and "value" in new.attrs:
            ops.append(("set", number, "value", new.attrs["value"]))

    def _make(self, node: Node, ops: list[Op], *, svg: bool) -> ShownNode:
        number = next(self._next)
        if node.tag == "#":
            ops.append(("text", number, node.text))
            return ShownNode(node, number, [])
        if node.fixed:
            ops.append(("copy", number, node))
            return ShownNode(node, number, [])
        if node.tag not in TAGS:
            raise ValueError(f"tag not allowed: <{node.tag}>")
        svg = svg or node.tag == "svg"
        ops.append(("make", number, node.tag, svg))
        self._attrs(number, {}, node, ops)
        if node.text:
            ops.append(("write", number, node.text))
        kids = []
        for kid in node.kids:
            child = self._make(kid, ops, svg=svg)
            ops.append(("put", number, child.id, 0))
            kids.append(child)
        self._state(number, node, ops)
        return ShownNode(node, number, kids)

    def _kids(self, live: ShownNode, new: tuple[Node, ...], ops: list[Op], *, svg: bool) -> None:
        svg = svg or live.node.tag == "svg"
        old = live.kids
        if len(old) == len(new) and all(_reusable(a.node, b) for a, b in zip(old, new, strict=True)):
            for a, b in zip(old, new, strict=True):
                if a.node is not b:
                    self._patch(a, b, ops, svg=svg)
            return
        matches = _match(old, new)
        stay = set(matches)
        for place, gone in enumerate(old):
            if place not in stay:
                ops.append(("drop", gone.id, tuple(_ids(gone))))
        fixed = _longest_rising([place for place in matches if place >= 0])
        # each new child is put before the next child that does not move, the first one first: screen readers read the
        # lines of a log in the order in which they are inserted
        anchors, after = [0] * len(new), 0
        for number in range(len(new) - 1, -1, -1):
            anchors[number] = after
            after = old[matches[number]].id if matches[number] in fixed else after
        kids: list[ShownNode] = []
        for node, place, before in zip(new, matches, anchors, strict=True):
            if place < 0:
                child = self._make(node, ops, svg=svg)
                ops.append(("put", live.id, child.id, before))
            else:
                child = old[place]
                self._patch(child, node, ops, svg=svg)
                if place not in fixed:
                    ops.append(("put", live.id, child.id, before))
            kids.append(child)
        live.kids = kids


def _reusable(old: Node, new: Node) -> bool:
    """Returns True if the page node of `old` can become `new`. A fixed drawing must be that drawing already."""
    if old is new:
        return True
    if old.tag != new.tag or old.key != new.key or old.fixed:
        return False
    return not new.fixed or _equal(old, new)


def _equal(old: Node, new: Node) -> bool:
    """Returns True if two trees are equal: the page painted before Python runs may have the drawing already."""
    return ((old.tag, old.attrs, old.text, len(old.kids)) == (new.tag, new.attrs, new.text, len(new.kids))) and all(
        map(_equal, old.kids, new.kids)
    )


def _match(old: list[ShownNode], new: tuple[Node, ...]) -> list[int]:
    """Returns for each new child the index of the old child it continues, or -1: by key, else by tag in order."""
    by_key: dict[tuple[str, str], int] = {}
    by_tag: dict[object, list[int]] = {}
    for place, live in enumerate(old):
        if live.node.key is not None:
            by_key[live.node.tag, live.node.key] = place
        else:
            by_tag.setdefault(live.node if live.node.fixed else live.node.tag, []).append(place)
    for places in by_tag.values():
        places.reverse()
    matches: list[int] = []
    seen: set[tuple[str, str]] = set()
    for node in new:
        if node.key is not None:
            name = (node.tag, node.key)
            if name in seen:
                raise ValueError(f"two children with the key {node.key!r} in one parent")
            seen.add(name)
            place = by_key.get(name, -1)
            matches.append(place if place >= 0 and _reusable(old[place].node, node) else -1)
        else:
            left = by_tag.get(node if node.fixed else node.tag)
            matches.append(left.pop() if left else -1)
    return matches


def _ids(live: ShownNode) -> Iterator[int]:
    yield live.id
    for kid in live.kids:
        yield from _ids(kid)


def _longest_rising(places: list[int]) -> set[int]:
    """Returns the members of a longest increasing subsequence: those nodes need not move."""
    if all(a < b for a, b in pairwise(places)):
        return set(places)
    best: list[int] = []
    tails: list[int] = []
    back = [-1] * len(places)
    for i, place in enumerate(places):
        low, high = 0, len(best)
        while low < high:
            middle = (low + high) // 2
            if best[middle] < place:
                low = middle + 1
            else:
                high = middle
        back[i] = tails[low - 1] if low else -1
        if low == len(best):
            best.append(place)
            tails.append(i)
        else:
            best[low], tails[low] = place, i
    keep: set[int] = set()
    i = tails[-1] if tails else -1
    while i >= 0:
        keep.add(places[i])
        i = back[i]
    return keep
