"""The virtual page: the tree of nodes that a view returns. This module needs no browser.

    h("button.btn.pri", {"data-answer": "offer 7", "key": "o7"}, "Offer ", h("b", None, "7,000"))

A view returns `Node`s. They are plain values: build them anew for every patch, or keep and share them (an icon, a card
face); a node that is the same object as in the last patch is skipped with all that is in it.

`ui.html.diff.Mirror` remembers what the page shows and turns a new tree into a short list of operations. Children with
a `key` keep their page node when they are reordered; without a key they are matched by order and tag.

Only whitelisted tags and attributes exist: no `on…`, no `style`, no HTML from strings. A custom property is an
attribute whose name starts with `--` and is set with `style.setProperty`. Text is always text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

Attr: TypeAlias = "str | int | bool | None"
Child: TypeAlias = "Node | str | bool | Iterable[Child] | None"

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
FREE_PREFIXES = ("data-", "aria-", "--")
LINK_PREFIXES = ("#", "assets/", "./assets/")


class Node:
    """An element, or a text among elements (tag ``#``). `text` is set when there are no element children."""

    __slots__ = ("attrs", "fixed", "key", "kids", "tag", "text")

    def __init__(self, tag: str, attrs: dict[str, str], kids: tuple[Node, ...], text: str, key: str | None) -> None:
        self.tag, self.attrs, self.kids, self.text, self.key = tag, attrs, kids, text, key
        self.fixed = False

    def __repr__(self) -> str:
        return self.text if self.tag == "#" else f"<{self.tag} {self.attrs}>{self.text or list(self.kids)}"


_parsed_tags: dict[str, tuple[str, str]] = {}


def h(tag: str, attrs: Mapping[str, Attr] | None = None, *kids: Child) -> Node:
    """Returns an element. `tag` may carry classes ("li.seat.own"). As an attribute's value, True gives an empty
    attribute, None and False leave it out; in `aria-…` booleans are written as "true" and "false". The attribute "key"
    becomes the node's key. None and booleans among the children are left out. Raises `TypeError` for a number among
    the children.
    """
    name, classes = _parsed_tags.get(tag) or _parse_tag(tag)
    result: dict[str, str] = {}
    key = None
    for a, v in attrs.items() if attrs else ():
        if a == "key":
            key = None if v is None else str(v)
        elif type(v) is str:
            result[a] = v
        elif v is True or v is False:
            if a.startswith("aria-"):
                result[a] = "true" if v else "false"
            elif v:
                result[a] = ""
        elif v is not None:
            result[a] = str(v)
    if classes:
        more = result.get("class")
        result["class"] = f"{classes} {more}" if more else classes
    return Node(name, result, *_children_or_text(kids), key)


def _parse_tag(tag: str) -> tuple[str, str]:
    name, _, classes = tag.partition(".")
    head = _parsed_tags[tag] = (name, classes.replace(".", " "))
    return head


def _children_or_text(kids: tuple[Child, ...]) -> tuple[tuple[Node, ...], str]:
    """Returns the children, or the text if there is nothing else."""
    if not kids:
        return (), ""
    if len(kids) == 1 and type(kids[0]) is str:
        return (), kids[0]
    flat: list[Node | str] = []
    _flatten(kids, flat)
    if str not in map(type, flat):
        return tuple(flat), ""  # type: ignore[arg-type]  # all of them are nodes
    if Node not in map(type, flat):
        return (), "".join(flat)  # type: ignore[arg-type]  # all of them are texts
    return tuple(_with_text_nodes(flat)), ""


def _flatten(kids: Iterable[Child], flat: list[Node | str]) -> None:
    """Appends all children to `flat`, those of iterables one by one."""
    for kid in kids:
        kind = type(kid)
        if kind is Node or kind is str:
            flat.append(kid)  # type: ignore[arg-type]  # it is one of the two
        elif kid is None or kid is False or kid is True:
            continue
        elif kind is not list and isinstance(kid, int | float | bytes | Mapping):
            raise TypeError(f"not a child: {kid!r}; numbers are formatted first")
        else:
            _flatten(kid, flat)  # type: ignore[arg-type]  # all other children are iterables


def _with_text_nodes(flat: list[Node | str]) -> Iterator[Node]:
    """Yields the children, with a text node for each run of texts."""
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
    """Marks the node as a drawing that never changes (an icon, a card's face) and returns it: the page copies it as a
    whole and never compares its inside. Keep the node and use the same object everywhere; two equal ones count as two
    drawings. Raises `ValueError` if something in it is not on the whitelist."""
    _check(node)
    node.fixed = True
    return node


def _check(node: Node) -> None:
    """Raises `ValueError` if a tag or an attribute in the node is not on the whitelist."""
    if node.tag == "#":
        return
    if node.tag not in TAGS:
        raise ValueError(f"tag not allowed: <{node.tag}>")
    for name, value in node.attrs.items():
        check_attr(node.tag, name, value)
    for kid in node.kids:
        _check(kid)


def check_attr(tag: str, name: str, value: str) -> None:
    if not allowed(name, value):
        raise ValueError(f"attribute not allowed: {name}={value!r} on <{tag}>")


def plain(node: Node) -> str:
    """Returns the text of the node without the markup."""
    return node.text + "".join(plain(kid) for kid in node.kids)


def allowed(name: str, value: str) -> bool:
    """Returns True if a view may set this attribute to this value: the whitelist."""
    if name == "href" or name == "src":
        return value.startswith(LINK_PREFIXES)
    return name in ATTRS or name.startswith(FREE_PREFIXES)
