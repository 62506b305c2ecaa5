"""The seats around the table."""

from __future__ import annotations

from functools import lru_cache

from ui.html.tree import Node, h


@lru_cache(maxsize=800)
def name_plate(tag: str, name: str, standing: str) -> Node:
    """Returns the name of a seat, and a few words about its part in what is happening."""
    return h(tag, None, h("b", None, name), h("small", None, standing))
