"""Paints the first screen of index.html: the lobby as HTML, before Python is awake, as the page will draw it."""

from html import escape

from ui.html.tree import Node
from ui.model import Model
from ui.text.i18n import Texts
from ui.update import lobby
from ui.view.page import view

PLACE = "<!-- the first screen -->"
VOID = {"input", "img", "br", "hr"}
BLOCKS = {"div", "header", "main", "section", "ol", "li", "dl", "label", "a", "h1", "h2", "p", "img", "button"}


def html(node: Node) -> str:
    """Returns a tree as HTML, with a line for every larger piece."""
    if node.tag == "#":
        return escape(node.text, quote=False)
    shown = {n: v for n, v in node.attrs.items() if (node.tag, n) != ("select", "value")}
    attrs = "".join(f' {n}="{escape(v)}"' if v or n == "alt" else f" {n}" for n, v in shown.items())
    if node.tag in VOID:
        return f"<{node.tag}{attrs}>"
    key = f' data-key="{escape(node.key)}"' if node.key else ""
    inside = escape(node.text, quote=False)
    for kid in node.kids:
        inside += ("\n" if kid.tag in BLOCKS else "") + html(kid)
    return f"<{node.tag}{attrs}{key}>{inside}</{node.tag}>"


def painted(catalogue: bytes, language: str = "en") -> str:
    """Returns the lobby as nobody has touched it yet, in the language of this catalogue."""
    t = Texts(language, catalogue)
    return html(view(Model(t, lobby.first_setup(t, ()))))
