"""The whole page, as a function of the model."""

from __future__ import annotations

from ui.html.tree import Attr, Node, h
from ui.model import Model
from ui.selectors import covered, facing, turn
from ui.view.common import notice
from ui.view.dialogs import open_dialog
from ui.view.lobby import lobby
from ui.view.result import result
from ui.view.table import table
from ui.view.trouble import trouble


def view(model: Model) -> Node:
    """Returns the root element, #app. Its data attributes expose the state that scripts and tests need."""
    play = model.play
    by_link = _by_link(model)
    attrs: dict[str, Attr] = {"id": "app", "data-ready": model.ready}
    if model.trouble:
        return h("div", {**attrs, "data-screen": "trouble"}, trouble(model))
    skip = h("a.skip", {"href": "#main", "key": "skip", "data-do": "skip"}, model.t("app.skip"))
    over = _over(model, open_dialog(model)) if model.ready else ()
    if play is None:
        screen = "room" if by_link else "lobby"
        return h("div", {**attrs, "data-screen": screen}, skip, by_link or lobby(model), *over)
    session = play.session
    state: dict[str, Attr] = {
        **attrs,
        "data-screen": "table",
        "data-game": play.header.game,
        "data-entries": len(session.log),
        "data-ask": session.question.key,
        "data-seat": turn(play),
        "data-curtain": covered(play),
        "data-facing": facing(model.settings, play) or None,
    }
    shown = open_dialog(model)
    if shown is None and session.over and not play.waiting and not play.result_seen:
        shown = result(model, play)
    return h("div", state, skip, table(model, play), *_over(model, shown))


def _over(model: Model, shown: Node | None) -> tuple[Node, ...]:
    """Returns the notice, or the open dialog with the notice in it.

    While a dialog is open, the rest of the page can neither be reached nor be read out.
    """
    said = notice(model)
    return (said,) if shown is None else (Node(shown.tag, shown.attrs, (*shown.kids, said), "", shown.key),)


def _by_link(model: Model) -> Node | None:
    """The lobby of a table by link, or None. The module that draws it is imported only when there is such a table."""
    if model.room is None or model.play is not None:
        return None
    from ui.view.room.lobby import room

    return room(model)


def title(model: Model) -> str:
    """Returns the title of the window."""
    return model.t(f"game.{model.play.header.game}") if model.play else model.t("app.name")
