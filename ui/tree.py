"""The virtual page: what a view returns, and the difference between two of them. No browser in here.

    h("button.btn.pri", {"data-answer": "offer 7", "key": "o7"}, "Offer ", h("b", None, "7,000"))

A view returns `Node`s. They are plain values: build them anew for every patch, or keep and share them (an icon, a card
face); a node that is the very same object as last time is skipped with all that is in it.

`Mirror` remembers what the page shows and turns a new tree into a short list of operations. Children with a `key` keep
their page node however they are reordered; without a key they are matched by place and tag.

Only whitelisted tags and attributes exist: no `on…`, no `style`, no HTML from strings. A custom property is an
attribute whose name starts with `--` and is set with `style.setProperty`. Text is always text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count, pairwise
from typing import Any, TypeAlias

Attr: TypeAlias = "str | int | bool | None"
Child: TypeAlias = "Node | str | bool | Iterable[Child] | None"
Op: TypeAlias = "tuple[Any, ...]"

TAGS = frozenset(
    """
    a abbr article aside b br button caption dd del details dialog div dl dt em fieldset figcaption figure footer form
    h1 h2 h3 h4 header hr i img input ins kbd label legend li main nav ol optgroup option output p pre progress q s
    section select small span strong sub summary sup table tbody td textarea tfoot th thead time tr u ul video
    svg g path circle ellipse rect line polygon polyline use text tspan symbol defs pattern clipPath title desc
    """.split()
)
ATTRS = frozenset(
    """
    abbr alt autocapitalize autocomplete autofocus checked class colspan cols datetime dir disabled draggable
    enterkeyhint for form headers height hidden href id inert inputmode lang list loading max maxlength min minlength
    multiple name open placeholder playsinline readonly required reversed role rows rowspan scope selected size span
    spellcheck src start step tabindex title translate type value width
    clip-path cx cy d dx dy fill fill-opacity fill-rule focusable gradientTransform offset opacity pathLength
    patternTransform patternUnits points preserveAspectRatio r rx ry stroke stroke-dasharray stroke-dashoffset
    stroke-linecap stroke-linejoin stroke-opacity stroke-width text-anchor transform vector-effect viewBox
    x x1 x2 y y1 y2
    """.split()
)
FREE = ("data-", "aria-", "--")
#: what the person can change by hand: set again with every patch, after the children
STATE = ("value", "checked")
LINKS = ("#", "assets/", "./assets/")


class Node:
    """One element, or one text among elements (tag ``#``). `text` is set when there are no element children."""

    __slots__ = ("attrs", "fixed", "key", "kids", "tag", "text")

    def __init__(self, tag: str, attrs: dict[str, str], kids: tuple[Node, ...], text: str, key: str | None) -> None:
        self.tag, self.attrs, self.kids, self.text, self.key = tag, attrs, kids, text, key
        self.fixed = False

    def __repr__(self) -> str:
        return self.text if self.tag == "#" else f"<{self.tag} {self.attrs}>{self.text or list(self.kids)}"


_heads: dict[str, tuple[str, str]] = {}


def h(tag: str, attrs: Mapping[str, Attr] | None = None, *kids: Child) -> Node:
    """An element. `tag` may carry classes ("li.seat.own"). True is an empty attribute, None and False leave it out
    (in `aria-…` they are spelt out). "key" is taken from the attributes. None and booleans among children are nothing.
    """
    name, classes = _heads.get(tag) or _head(tag)
    plain: dict[str, str] = {}
    key = None
    for a, v in attrs.items() if attrs else ():
        if a == "key":
            key = None if v is None else str(v)
        elif type(v) is str:
            plain[a] = v
        elif v is True or v is False:
            if a.startswith("aria-"):
                plain[a] = "true" if v else "false"
            elif v:
                plain[a] = ""
        elif v is not None:
            plain[a] = str(v)
    if classes:
        more = plain.get("class")
        plain["class"] = f"{classes} {more}" if more else classes
    return Node(name, plain, *_inside(kids), key)


def _head(tag: str) -> tuple[str, str]:
    name, _, classes = tag.partition(".")
    head = _heads[tag] = (name, classes.replace(".", " "))
    return head


def _inside(kids: tuple[Child, ...]) -> tuple[tuple[Node, ...], str]:
    """Children, or the text when there is nothing else."""
    if not kids:
        return (), ""
    if len(kids) == 1 and type(kids[0]) is str:
        return (), kids[0]
    flat = list(_flat(kids))
    if not any(isinstance(kid, Node) for kid in flat):
        return (), "".join(kid for kid in flat if isinstance(kid, str))
    return tuple(_nodes(flat)), ""


def _flat(kids: Iterable[Child]) -> Iterator[Node | str]:
    for kid in kids:
        if type(kid) is Node or type(kid) is str:
            yield kid
        elif kid is None or kid is False or kid is True:
            continue
        elif isinstance(kid, int | float | bytes | Mapping):
            raise TypeError(f"not a child: {kid!r}; numbers are formatted first")
        else:
            yield from _flat(kid)  # type: ignore[arg-type]  # what is left is an iterable of children


def _nodes(flat: list[Node | str]) -> Iterator[Node]:
    run = ""
    for kid in flat:
        if not isinstance(kid, Node):
            run += kid
            continue
        if run:
            yield Node("#", {}, (), run, None)
            run = ""
        yield kid
    if run:
        yield Node("#", {}, (), run, None)


def fixed(node: Node) -> Node:
    """A drawing used again and again as it is (an icon, a card's face): the page copies it in one go, and never looks
    inside. Keep the node and use the same one everywhere; two that merely look alike are two drawings."""
    _check(node)
    node.fixed = True
    return node


def _check(node: Node) -> None:
    """Is everything in it on the whitelist?"""
    if node.tag == "#":
        return
    if node.tag not in TAGS:
        raise ValueError(f"tag not allowed: <{node.tag}>")
    for name, value in node.attrs.items():
        _check_attr(node.tag, name, value)
    for kid in node.kids:
        _check(kid)


def _check_attr(tag: str, name: str, value: str) -> None:
    if not allowed(name, value):
        raise ValueError(f"attribute not allowed: {name}={value!r} on <{tag}>")


def plain(node: Node) -> str:
    """What a reader would read, without the markup."""
    return node.text + "".join(plain(kid) for kid in node.kids)


def allowed(name: str, value: str) -> bool:
    """The whitelist: is this attribute one a view may set?"""
    if name == "href" or name == "src":
        return value.startswith(LINKS)
    return name in ATTRS or name.startswith(FREE)


class Live:
    """What the page shows for a node: its number on the page and its children's."""

    __slots__ = ("id", "kids", "node")

    def __init__(self, node: Node, number: int, kids: list[Live]) -> None:
        self.node, self.id, self.kids = node, number, kids


class Mirror:
    """What the page shows now. `diff` says what to change so that it shows something else.

    Operations, in the order they must be done (numbers are page nodes, the root is 1):
    ("make", id, tag, svg) · ("copy", id, node) · ("text", id, text) · ("set", id, name, value or None)
    · ("write", id, text) · ("put", parent, id, before or 0) · ("drop", id, ids of all in it)
    """

    def __init__(self, shown: Node) -> None:
        self._next = count(1)
        self.root = self._number(shown)

    def _number(self, node: Node) -> Live:
        number = next(self._next)
        return Live(node, number, [self._number(kid) for kid in node.kids])

    def diff(self, new: Node) -> list[Op]:
        if new.tag != self.root.node.tag:
            raise ValueError("the root stays what it is")
        ops: list[Op] = []
        self._patch(self.root, new, ops, svg=new.tag == "svg")
        return ops

    def _patch(self, live: Live, new: Node, ops: list[Op], *, svg: bool) -> None:
        old = live.node
        if old is new:
            return
        live.node = new
        if new.fixed:
            return  # alike in everything, see `_same`
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
            if old.get(name) != value and name not in STATE:
                _check_attr(new.tag, name, value)
                ops.append(("set", number, name, value))
        ops.extend(("set", number, name, None) for name in old if name not in new.attrs and name not in STATE)

    def _state(self, number: int, new: Node, ops: list[Op]) -> None:
        if new.tag in ("input", "select", "textarea"):
            for name in STATE:
                if name == "checked" and new.attrs.get("type") not in ("checkbox", "radio"):
                    continue
                if name in new.attrs or name == "checked":
                    ops.append(("set", number, name, new.attrs.get(name)))
        elif new.tag == "option" and "value" in new.attrs:
            ops.append(("set", number, "value", new.attrs["value"]))

    def _make(self, node: Node, ops: list[Op], *, svg: bool) -> Live:
        number = next(self._next)
        if node.tag == "#":
            ops.append(("text", number, node.text))
            return Live(node, number, [])
        if node.fixed:
            ops.append(("copy", number, node))
            return Live(node, number, [])
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
        return Live(node, number, kids)

    def _kids(self, live: Live, new: tuple[Node, ...], ops: list[Op], *, svg: bool) -> None:
        svg = svg or live.node.tag == "svg"
        old = live.kids
        if len(old) == len(new) and all(_same(a.node, b) for a, b in zip(old, new, strict=True)):
            for a, b in zip(old, new, strict=True):
                if a.node is not b:
                    self._patch(a, b, ops, svg=svg)
            return
        found = _match(old, new)
        stay = set(found)
        for place, gone in enumerate(old):
            if place not in stay:
                ops.append(("drop", gone.id, tuple(_ids(gone))))
        fixed = _rising([place for place in found if place >= 0])
        # what comes is put before the next child that stays where it is, the first one first: a log is heard in order
        anchors, after = [0] * len(new), 0
        for number in range(len(new) - 1, -1, -1):
            anchors[number] = after
            after = old[found[number]].id if found[number] in fixed else after
        kids: list[Live] = []
        for node, place, before in zip(new, found, anchors, strict=True):
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


def _same(old: Node, new: Node) -> bool:
    """May the page node of `old` become `new`? A fixed drawing only if it is that drawing already."""
    if old is new:
        return True
    if old.tag != new.tag or old.key != new.key or old.fixed:
        return False
    return not new.fixed or _alike(old, new)


def _alike(old: Node, new: Node) -> bool:
    """What was painted before Python was awake may be the drawing."""
    return ((old.tag, old.attrs, old.text, len(old.kids)) == (new.tag, new.attrs, new.text, len(new.kids))) and all(
        map(_alike, old.kids, new.kids)
    )


def _match(old: list[Live], new: tuple[Node, ...]) -> list[int]:
    """For each new child the place of the old one it continues, or -1: by key, else by tag in order."""
    by_key: dict[tuple[str, str], int] = {}
    by_tag: dict[object, list[int]] = {}
    for place, live in enumerate(old):
        if live.node.key is not None:
            by_key[live.node.tag, live.node.key] = place
        else:
            by_tag.setdefault(live.node if live.node.fixed else live.node.tag, []).append(place)
    for places in by_tag.values():
        places.reverse()
    found: list[int] = []
    seen: set[tuple[str, str]] = set()
    for node in new:
        if node.key is not None:
            name = (node.tag, node.key)
            if name in seen:
                raise ValueError(f"two children with the key {node.key!r} in one parent")
            seen.add(name)
            place = by_key.get(name, -1)
            found.append(place if place >= 0 and _same(old[place].node, node) else -1)
        else:
            left = by_tag.get(node if node.fixed else node.tag)
            found.append(left.pop() if left else -1)
    return found


def _ids(live: Live) -> Iterator[int]:
    yield live.id
    for kid in live.kids:
        yield from _ids(kid)


def _rising(places: list[int]) -> set[int]:
    """The members of a longest rising run: those nodes need not move."""
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
