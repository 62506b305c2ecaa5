"""The pieces every table shares: icons, emblems, cards, cheques, buttons. Their look is in assets/style/base.css."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from engine.options import Choice, Deck, Option
from engine.seats import EMBLEMS
from ui.boards import Chair
from ui.html.tree import Attr, Child, Node, fixed, h, plain
from ui.text.i18n import Texts

SPRITE = "assets/art/sprite.svg"
ICONS = "assets/vendor/icons.svg"


@cache
def symbol(name: str, box: str = "0 0 100 100", kind: str = "") -> Node:
    """A drawing from the sprite, for the eye only. Colours come from around it: `color`, `--k`, `--paper`."""
    attrs: dict[str, Attr] = {"viewBox": box, "aria-hidden": True, "class": kind or None}
    if box != "0 0 100 100":
        attrs["preserveAspectRatio"] = "none"
    return fixed(h("svg", attrs, h("use", {"href": f"{SPRITE}#{name}"})))


@cache
def icon(name: str, kind: str = "") -> Node:
    """A drawing in one colour, named in assets/art/icons.txt, for the eye only."""
    attrs: dict[str, Attr] = {"viewBox": "0 0 512 512", "aria-hidden": True, "class": kind or None}
    return fixed(h("svg", attrs, h("use", {"href": f"{ICONS}#gi-{name}"})))


@cache
def emblem(name: str, extra: str = "") -> Node:
    """A seat's disc: its colour and its sign."""
    if name not in EMBLEMS:
        raise ValueError(name)
    dark = "dark" if name in ("shell", "bee") else ""
    return fixed(h("span", {"class": f"emb e-{name} {dark} {extra}".strip(), "aria-hidden": True}, symbol(f"e-{name}")))


def seat_mark(chair: Chair, extra: str = "") -> Node:
    return emblem(chair.emblem, extra)


@cache
def hidden(text: str) -> Node:
    """For screen readers only."""
    return h("span.vh", None, text)


def whole(words: Child) -> Node:
    """What the question of the moment says. Another sentence takes its place as a whole: none of its words moves."""
    said = h("span.sentence", None, words)
    said.key = plain(said)
    return said


def button(attrs: Mapping[str, Attr], *kids: Child, kind: str = "") -> Node:
    """A button. `kind`: "pri" for the answers one is asked for, "ico" for an icon in the chrome."""
    return h("button.btn", {"type": "button", "class": kind or None, **attrs}, *kids)


def icon_button(name: str, label: str, attrs: Mapping[str, Attr], word: str = "") -> Node:
    """A button that is an icon; its name is for everybody who cannot see it, `word` is shown where there is room."""
    shown: Child = h("span.t", {"aria-hidden": True}, word) if word else None
    return h("button.btn.ico", {"type": "button", "aria-label": label, **attrs}, symbol(name), shown)


def card(kind: str, sign: str, letter: str, name: str, attrs: Mapping[str, Attr] | None = None) -> Node:
    """A card face up. `kind` gives the colour (jewel, guard, auto, thief, coin, biz, police), `sign` the drawing.

    At small sizes the name drops out, then the letter; the drawing stays. Screen readers hear `name`.
    """
    return h("div.card", {"class": kind, "role": "img", "aria-label": name, **(attrs or {})}, _face(sign, letter, name))


@cache
def _face(sign: str, letter: str, name: str) -> Node:
    return fixed(
        h(
            "div.f",
            {"aria-hidden": True},
            h("span.band"),
            h("span.co", None, letter),
            h("span.em", None, symbol(sign)),
            h("span.rule"),
            h("span.nm", None, name),
        )
    )


@cache
def back(label: str = "") -> Node:
    """A card's back. With a label screen readers hear of it."""
    attrs: dict[str, Attr] = {"role": "img", "aria-label": label} if label else {"aria-hidden": True}
    return fixed(h("span.back", attrs, symbol("back", "0 0 100 140")))


def cheque(sum_: str, serial: str, attrs: Mapping[str, Attr] | None = None, state: str = "") -> Node:
    """A cheque. `state`: "full" with all digits, "spent" face down and grey, "out" lifted as the best offer."""
    lines = (symbol("guilloche", "0 0 100 50"), h("b", None, sum_), h("i", {"aria-hidden": True}, serial))
    return h("span.chq", {"class": state or None, **(attrs or {})}, *lines)


def house_rules(
    t: Texts,
    game: str,
    options: Sequence[Option],
    chosen: Mapping[str, Any],
    deck: Callable[[Deck, Mapping[str, int]], str],
    own: str,
) -> Node:
    """Every house rule as this table plays it; what differs from the book is marked, in words too: `own`."""
    rows: list[Node] = []
    for option in options:
        value = chosen.get(option.name, option.default)
        key = f"{game}.option.{option.name}"
        said = t(f"{key}.{value}") if isinstance(option, Choice) else deck(option, value)
        mark = h("strong", None, symbol("u-check", kind="own"), own) if value != option.default else None
        rows.append(h("tr", {"key": option.name}, h("th", {"scope": "row"}, t(key)), h("td", None, said, " ", mark)))
    return h("table", None, h("tbody", None, rows))
