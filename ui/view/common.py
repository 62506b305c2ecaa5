"""Small parts that several views share."""

from __future__ import annotations

from collections.abc import Iterable

from ui.html.parts import button, icon_button, symbol
from ui.html.tree import Attr, Child, Node, h
from ui.model import Model
from ui.text.i18n import Texts


def seg(name: str, label: str, choices: Iterable[tuple[str, Child, str]], now: str, attrs: dict[str, Attr]) -> Node:
    """Radio buttons side by side. Each choice is a value, its content, and a label if the content is an icon.

    `now` is the chosen value; `attrs` are added to every radio button.
    """
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
    """A dialog with a title, a close button, a body and perhaps a footer.

    `kind` is a class; "read" also makes the body focusable, so that the keyboard can scroll a long text.
    """
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
    """The current notice, or else the offer of a newer version of the page.

    The region is always on the page, because screen readers announce only what is added to an existing one.
    """
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
