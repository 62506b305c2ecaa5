"""The parts all tables share: icons, emblems, cards, cheques, buttons. Their styles are in assets/style/base.css."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.seats import EMBLEMS
from ui.boards import Chair
from ui.html.tree import Attr, Child, Node, fixed, h, plain

ICONS = "assets/vendor/icons.svg"


@cache
def symbol(name: str, box: str = "0 0 100 100", kind: str = "") -> Node:
    """Returns a drawing of assets/art/sprite.svg, hidden from screen readers. It inherits `color`, `--k` and `--paper`.

    A game's own drawings are named with their file: `<game>/lock` is in assets/art/<game>.svg.
    """
    attrs: dict[str, Attr] = {"viewBox": box, "aria-hidden": True, "class": kind or None}
    if box != "0 0 100 100":
        attrs["preserveAspectRatio"] = "none"
    return fixed(h("svg", attrs, h("use", {"href": f"#{name}" if "/" in name else f"#sprite/{name}"})))


@cache
def icon(name: str, kind: str = "") -> Node:
    """Returns a drawing in one colour, named in assets/art/icons.txt, hidden from screen readers."""
    attrs: dict[str, Attr] = {"viewBox": "0 0 512 512", "aria-hidden": True, "class": kind or None}
    return fixed(h("svg", attrs, h("use", {"href": f"#icons/{name}"})))


def drawings_file(href: str) -> str:
    """Returns the address of the file with the symbol that a `<use>` shows."""
    name = href.removeprefix("#").partition("/")[0]
    return ICONS if name == "icons" else f"assets/art/{name}.svg"


@cache
def emblem(name: str, extra: str = "") -> Node:
    """Returns a seat's disc: its colour and its sign. Raises `ValueError` for an unknown emblem."""
    if name not in EMBLEMS:
        raise ValueError(name)
    dark = "dark" if name in ("shell", "bee") else ""
    return fixed(h("span", {"class": f"emb e-{name} {dark} {extra}".strip(), "aria-hidden": True}, symbol(f"e-{name}")))


def seat_mark(chair: Chair, extra: str = "") -> Node:
    return emblem(chair.emblem, extra)


@cache
def for_screen_readers(text: str) -> Node:
    """Returns a text for screen readers only."""
    return h("span.vh", None, text)


def sentence_node(text: Child) -> Node:
    """Returns the sentence of the current question. Its key is its text, so another sentence replaces it as a whole and
    no word of it moves."""
    node = h("span.sentence", None, text)
    node.key = plain(node)
    return node


def button(attrs: Mapping[str, Attr], *kids: Child, kind: str = "") -> Node:
    """Returns a button. `kind`: "pri" for answers to the question, "ico" for an icon around the table."""
    return h("button.btn", {"type": "button", "class": kind or None, **attrs}, *kids)


def icon_button(name: str, label: str, attrs: Mapping[str, Attr], word: str = "") -> Node:
    """Returns an icon button. `label` is its name for screen readers, `word` is shown where there is room."""
    shown: Child = h("span.word", {"aria-hidden": True}, word) if word else None
    return h("button.btn.ico", {"type": "button", "aria-label": label, **attrs}, symbol(name), shown)


def card(kind: str, sign: str, letter: str, name: str, attrs: Mapping[str, Attr] | None = None) -> Node:
    """Returns a card face up. `kind` is the colour (jewel, guard, auto, thief, coin, biz, police), `sign` the drawing.

    At small sizes the name is left out, then the letter; the drawing stays. Screen readers read `name`.
    """
    return h("div.card", {"class": kind, "role": "img", "aria-label": name, **(attrs or {})}, _face(sign, letter, name))


@cache
def _face(sign: str, letter: str, name: str) -> Node:
    return fixed(
        h(
            "div.face",
            {"aria-hidden": True},
            h("span.band"),
            h("span.corner", None, letter),
            h("span.drawing", None, symbol(sign)),
            h("span.rule"),
            h("span.card-name", None, name),
        )
    )


@cache
def back(label: str = "") -> Node:
    """Returns a card's back. With a label it is not hidden from screen readers."""
    attrs: dict[str, Attr] = {"role": "img", "aria-label": label} if label else {"aria-hidden": True}
    return fixed(h("span.back", attrs, symbol("back", "0 0 100 140")))


def cheque(sum_: str, serial: str, attrs: Mapping[str, Attr] | None = None, state: str = "") -> Node:
    """Returns a cheque. `state`: "full" with all digits, "spent" face down and grey, "out" lifted as the best offer."""
    lines = (symbol("guilloche", "0 0 100 50"), h("b", None, sum_), h("i", {"aria-hidden": True}, serial))
    return h("span.chq", {"class": state or None, **(attrs or {})}, *lines)
