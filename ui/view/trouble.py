"""The screen after an error: what to do now, in plain words, and the details to copy."""

from __future__ import annotations

from ui.html.parts import button, symbol
from ui.html.tree import Node, h
from ui.model import Model


def trouble(model: Model) -> Node:
    t = model.t
    go_on = button({"data-do": "restart"}, t("trouble.restart"), kind="pri") if model.play else None
    return h(
        "main.trouble",
        {"id": "main", "tabindex": "-1", "key": "trouble"},
        h(
            "div.trouble-in.deco",
            {"role": "alert"},
            symbol("u-warn"),
            h("h1", None, t("trouble.title")),
            h("p", None, t("trouble.text") if model.play else t("trouble.lobby")),
            h(
                "div.row.btns",
                None,
                go_on,
                button({"data-do": "trouble.copy"}, symbol("u-copy"), t("app.copy_details")),
                button({"data-do": "leave"}, t("menu.leave")),
            ),
            h("details", None, h("summary", None, t("trouble.details")), h("pre", None, model.error_report)),
        ),
    )
