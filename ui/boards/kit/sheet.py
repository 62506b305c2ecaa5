"""Sheets that lie over the table, the controls that open them, and their close buttons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ui.boards import Context
from ui.html.parts import icon_button
from ui.html.tree import Attr, Child, Node, h


def open_sheet_name(ctx: Context, names: Iterable[str]) -> str:
    """Returns the first of these names that is unfolded: the name of the open sheet, "" if there is none."""
    return next((name for name in names if name in ctx.unfolded), "")


@dataclass(frozen=True, slots=True)
class Sheets:
    """The sheets of one game. A sheet is unfolded by its name.

    The control that opens a sheet and the close button of the sheet have the same id, so that the focus moves from one
    to the other.
    """

    game: str
    tag: str  # of every sheet, with its class
    title_id: str
    close: str  # the key of the close button's text

    def opener_attrs(
        self, ctx: Context, open_name: str, name: str, *, shown: bool = True, key: str = ""
    ) -> dict[str, Attr]:
        """Returns the attributes of a control that opens the sheet `name`, while the sheet `open_name` is open.

        A control that is not `shown` has no id.
        """
        if open_name == name and shown:
            return {"type": "button", "disabled": True}
        return {**ctx.unfold_attrs(name), "id": self._id(name) if shown else None, "key": key or f"open-{name}"}

    def opened(self, ctx: Context, name: str, title: Child, *body: Child, key: str = "") -> Node:
        """Returns a sheet that a person has opened, with a close button."""
        close = {**ctx.unfold_attrs(name), "id": self._id(name), "aria-expanded": None, "key": "close"}
        header = self.header(title, icon_button("u-close", ctx.t(self.close), close))
        return self.frame(key or f"sheet-{name}", header, body)

    def frame(self, key: str, *children: Child, kind: str = "") -> Node:
        """Returns a sheet with these children, one of which contains `title`. `kind`: more classes of the sheet."""
        return h(self.tag, {"key": key, "class": kind or None, "aria-labelledby": self.title_id}, children)

    def header(self, title: Child, control: Node | None = None) -> Node:
        return h("header", None, self.title(title), control)

    def title(self, title: Child) -> Node:
        """Returns the title of a sheet, which gets the focus when the focused control has disappeared."""
        return h("h2", {"id": self.title_id, "tabindex": -1, "data-home": True}, title)

    def _id(self, name: str) -> str:
        return f"{self.game}-{name}"
