"""The seats around the table."""

from __future__ import annotations

from functools import lru_cache

from ui.boards import Chair
from ui.html.parts import for_screen_readers
from ui.html.tree import Node, h
from ui.text.i18n import Texts


def name_node(chair: Chair, t: Texts) -> Node:
    """Returns a name in bold, for screen readers with what it looks like in place of the sign."""
    if not chair.like:
        return h("b", None, chair.name)
    return h("b", None, h("span", {"aria-hidden": True}, chair.name), for_screen_readers(chair.spoken_name(t)))


@lru_cache(maxsize=800)
def name_plate(tag: str, name: str, standing: str) -> Node:
    """Returns the name of a seat, and a few words about its part in what is happening."""
    return h(tag, None, h("b", None, name), h("small", None, standing))
