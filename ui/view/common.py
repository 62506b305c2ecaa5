"""Small parts that several views share."""

from __future__ import annotations

from collections.abc import Iterable

from ui.html.parts import button, icon_button, symbol
from ui.html.tree import Attr, Child, Node, h
from ui.model import Model
from ui.text.i18n import Texts


def radio_group(
    name: str, label: str, choices: Iterable[tuple[str, Child, str]], chosen: str, attrs: dict[str, Attr]
) -> Node:
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
                        "checked": value == chosen,
                        "aria-label": icon_label or None,
                        **attrs,
                    },
                ),
                content,
            )
            for value, content, icon_label in choices
        ],
    )


def dialog(t: Texts, name: str, title: str, *body: Child, footer: Child = None, kind: str = "") -> Node:
    """A dialog with a title, a close button, a body and perhaps a footer.

    `kind` is a class; "read" also makes the body focusable, so that the keyboard can scroll a long text.
    """
    body_attrs: dict[str, Attr] = {"tabindex": "0", "role": "group", "aria-labelledby": "dialog-title"}
    body_attrs = body_attrs if kind == "read" else {}
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
            h("div.dlg-body", body_attrs, *body),
            h("footer.dlg-foot", None, footer) if footer else None,
        ),
    )


def notice(model: Model) -> Node:
    """The current notice, or else the offer of a newer version of the page.

    The region is always on the page, because screen readers announce only what is added to an existing one.
    """
    current = model.notice
    if current is None:
        return h("div.notes", {"role": "alert", "key": "notes"}, _newer_version(model.t) if model.newer else None)
    t = model.t
    return h(
        "div.notes",
        {"role": "alert", "key": "notes"},
        h(
            "div.note",
            {"key": f"{current.key}{sorted(current.values.items(), key=str)}"},
            symbol("u-warn" if current.stays else "u-log"),
            h("p", None, t(current.key, **current.values)),
            icon_button("u-close", t("app.put_away"), {"data-do": "notice.close"}),
        ),
    )


def _newer_version(t: Texts) -> Node:
    return h(
        "div.note.newer",
        {"key": "newer"},
        symbol("u-log"),
        h("p", None, t("app.newer")),
        button({"data-do": "newer.take"}, t("app.newer.take")),
        icon_button("u-close", t("app.put_away"), {"data-do": "newer.later"}),
    )
