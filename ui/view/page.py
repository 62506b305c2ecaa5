"""The whole page, as a function of the model."""

from __future__ import annotations

from ui.edges import table_angle
from ui.html.tree import Attr, Node, h
from ui.model import Model
from ui.selectors import asked_here, curtain_seat, is_resting
from ui.view.common import notice
from ui.view.dialogs import open_dialog
from ui.view.lobby import lobby
from ui.view.result import result
from ui.view.table import table
from ui.view.trouble import trouble


def view(model: Model) -> Node:
    """Returns the root element, #app. Its data attributes expose the state that scripts and tests need."""
    play = model.play
    by_link = _room(model)
    attrs: dict[str, Attr] = {"id": "app", "data-ready": model.ready}
    if model.error_report:
        return h("div", {**attrs, "data-screen": "trouble"}, trouble(model))
    skip = h("a.skip", {"href": "#main", "key": "skip", "data-do": "skip"}, model.t("app.skip"))
    dialog_node = open_dialog(model)
    if play is None:
        screen = "room" if by_link else "lobby"
        overlay = _overlay(model, dialog_node) if model.ready else ()
        return h("div", {**attrs, "data-screen": screen}, skip, by_link or lobby(model), *overlay)
    session = play.session
    state: dict[str, Attr] = {
        **attrs,
        "data-screen": "table",
        "data-game": play.header.game,
        "data-entries": len(session.log),
        "data-ask": session.question.key,
        "data-seat": asked_here(play),
        "data-curtain": curtain_seat(play),
        "data-facing": table_angle(model.settings, play) or None,
    }
    if dialog_node is None and session.over and not is_resting(play) and not play.result_seen:
        dialog_node = result(model, play)
    return h("div", state, skip, table(model, play), *_overlay(model, dialog_node))


def _overlay(model: Model, dialog_node: Node | None) -> tuple[Node, ...]:
    """Returns the notice, or the open dialog with the notice in it.

    While a dialog is open, the rest of the page can neither be reached nor be read out.
    """
    notice_node = notice(model)
    return (
        (notice_node,)
        if dialog_node is None
        else (Node(dialog_node.tag, dialog_node.attrs, (*dialog_node.kids, notice_node), "", dialog_node.key),)
    )


def _room(model: Model) -> Node | None:
    """The lobby of a table by link, or None. The module that draws it is imported only when there is such a table."""
    if model.room is None or model.play is not None:
        return None
    from ui.view.room.lobby import room

    return room(model)


def title(model: Model) -> str:
    """Returns the title of the window."""
    return model.t(f"game.{model.play.header.game}") if model.play else model.t("app.name")
