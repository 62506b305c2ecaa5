"""Generates the first screen in index.html: the lobby as Python will draw it. `python -m tests.ui.first_screen` writes
it again."""

from __future__ import annotations

import re
from html import escape

from tools.build import catalogue
from tools.paths import ROOT
from ui.html.tree import Node
from ui.model import Model
from ui.text.i18n import Texts
from ui.update import lobby
from ui.view.page import view

PAGE = ROOT / "index.html"
MARKED = re.compile(r"<!-- painted -->\n(.*?)\n<!-- /painted -->", re.DOTALL)
VOID = {"input", "img", "br", "hr"}
BLOCKS = {"div", "header", "main", "section", "ol", "li", "dl", "label", "a", "h1", "h2", "p", "img", "button"}


def english() -> Texts:
    return Texts("en", catalogue(ROOT / "assets" / "lang" / "en"))


def to_html(node: Node) -> str:
    """Returns a tree as HTML, with a line for every block element."""
    if node.tag == "#":
        return escape(node.text, quote=False)
    shown = {n: v for n, v in node.attrs.items() if (node.tag, n) != ("select", "value")}
    attrs = "".join(f' {n}="{escape(v)}"' if v or n == "alt" else f" {n}" for n, v in shown.items())
    if node.tag in VOID:
        return f"<{node.tag}{attrs}>"
    key = f' data-key="{escape(node.key)}"' if node.key else ""
    start = f"<{node.tag}{attrs}{key}>"
    inside = escape(node.text, quote=False)
    for kid in node.kids:
        inside += ("\n" if kid.tag in BLOCKS else "") + to_html(kid)
    return f"{start}{inside}</{node.tag}>"


def lobby_html() -> str:
    """Returns the HTML of the lobby before Python runs."""
    t = english()
    return to_html(view(Model(t, lobby.first_setup(t, ()))))


def main() -> None:
    page = PAGE.read_text("utf-8")
    PAGE.write_text(MARKED.sub(lambda _: f"<!-- painted -->\n{lobby_html()}\n<!-- /painted -->", page), "utf-8")


if __name__ == "__main__":
    main()
