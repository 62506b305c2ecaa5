"""Small pieces of the chrome."""

from __future__ import annotations

from collections.abc import Iterable

from ui.html.parts import button, icon_button, symbol
from ui.html.tree import Attr, Child, Node, h
from ui.model import Model
from ui.text.i18n import Texts


def seg(name: str, label: str, choices: Iterable[tuple[str, Child, str]], now: str, attrs: dict[str, Attr]) -> Node:
    """A few choices side by side, one of them taken. Each is (value, what is shown, its name where that is an icon)."""
    return h(
        "div.seg",
        {"role": "radiogroup", "aria-label": label},
        [
            h(
                "label",
                {"key": value},
                h(
                    "input",
                    {
                        "type": "radio",
                        "name": name,
                        "value": value,
                        "checked": value == now,
                        "aria-label": said or None,
                        **attrs,
                    },
                ),
                shown,
            )
            for value, shown, said in choices
        ],
    )


def dialog(t: Texts, name: str, title: str, *body: Child, foot: Child = None, kind: str = "") -> Node:
    """A dialog: a headline, a way out, what it is about. `kind` "read" is text to be scrolled, by keyboard too."""
    reading: dict[str, Attr] = {"tabindex": "0", "role": "group", "aria-labelledby": "dialog-title"}
    reading = reading if kind == "read" else {}
    return h(
        "dialog.dlg",
        {"key": f"dialog-{name}", "class": kind or None, "aria-labelledby": "dialog-title"},
        h(
            "div.dlg-in",
            None,
            h(
                "header.dlg-top",
                None,
                h("h2", {"id": "dialog-title"}, title),
                icon_button("u-close", t("app.close"), {"data-do": "dialog.close"}),
            ),
            h("div.dlg-body", reading, *body),
            h("footer.dlg-foot", None, foot) if foot else None,
        ),
    )


def notice(model: Model) -> Node:
    """What the person should know now. The region is always there, so that what comes into it is read out."""
    said = model.notice
    if said is None:
        return h("div.notes", {"role": "alert", "key": "notes"}, _newer(model.t) if model.newer else None)
    t = model.t
    return h(
        "div.notes",
        {"role": "alert", "key": "notes"},
        h(
            "div.note",
            {"key": f"{said.key}{sorted(said.values.items(), key=str)}"},
            symbol("u-warn" if said.stays else "u-log"),
            h("p", None, t(said.key, **said.values)),
            icon_button("u-close", t("app.put_away"), {"data-do": "notice.close"}),
        ),
    )


def _newer(t: Texts) -> Node:
    return h(
        "div.note.newer",
        {"key": "newer"},
        symbol("u-log"),
        h("p", None, t("app.newer")),
        button({"data-do": "newer.take"}, t("app.newer.take")),
        icon_button("u-close", t("app.put_away"), {"data-do": "newer.later"}),
    )
