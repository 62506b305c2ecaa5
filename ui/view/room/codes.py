"""Codes for a table by link: pairing by two short codes for each guest where no endpoint is, and QR codes."""

from __future__ import annotations

from peer.table.news import News
from ui.html.parts import button, symbol
from ui.html.tree import Attr, Child, Node, h
from ui.model import Model
from ui.room import room_of
from ui.view.common import dialog


def reach_note(model: Model) -> Child:
    """Says that codes work in one network only, where no STUN or TURN server helps to connect two of them."""
    if room_of(model).can_reach_far:
        return None
    return h("p.quiet", {"key": "near"}, model.t("room.hand.near"))


def offer_controls(model: Model, news: News) -> list[Child]:
    """Pairing, on the device that makes the first code: a button for it; then the code, and a field for the reply."""
    if not news.code_offer:
        return [button({"data-do": "room.offer"}, symbol("u-plus"), model.t("room.hand.offer"), kind="pri")]
    t = model.t
    return [
        code(model, "offer", news.code_offer),
        code_field(model, "room.take"),
        h(
            "div.code",
            {"key": "fresh"},
            h("p.quiet", None, t("room.hand.once")),
            h("div.acts", None, button({"data-do": "room.offer"}, symbol("u-undo"), t("room.hand.fresh"))),
        ),
    ]


def reply_controls(model: Model, news: News) -> list[Child]:
    """Pairing, on the other device: the reply code, to be entered where the first code was made.

    This device cannot know whether it was entered there. So it says for how long the code has been waiting, and how
    to begin again.
    """
    t, n = model.t, news.code_minutes
    return [
        code(model, "reply", news.code_reply),
        h("p", {"role": "status", "key": "waits"}, t("room.hand.waits", n=n) if n else t("room.hand.waits.now")),
        h(
            "div.code",
            {"key": "anew"},
            h("p.quiet", None, t("room.hand.stuck")),
            h("div.acts", None, button({"data-do": "room.anew"}, symbol("u-undo"), t("room.hand.anew"))),
        ),
    ]


def code(model: Model, which: str, text: str) -> Node:
    t = model.t
    return h(
        "div.code",
        {"key": which},
        h("output.kode", {"aria-label": t(f"room.code.{which}")}, text),
        h(
            "div.acts",
            None,
            button(
                {"data-do": "room.code.copy", "data-arg": which},
                symbol("u-copy"),
                t(f"room.code.copy.{which}"),
                kind="pri",
            ),
            button({"data-do": "room.share", "data-arg": which}, symbol("u-share"), t("room.share"))
            if room_of(model).can_share
            else None,
            button({"data-do": "room.show_qr", "data-arg": which}, symbol("u-qr"), t("room.qr")),
        ),
    )


def code_field(model: Model, message: str) -> Node:
    """A field for the code of another device, and a button for the camera if the browser can read QR codes."""
    t = model.t
    label = t("room.hand.given") if message == "room.reply" else t("room.hand.reply")
    attrs: dict[str, Attr] = {
        "type": "text",
        "id": message.replace(".", "-"),
        "value": "",
        "maxlength": 900,
        "autocomplete": "off",
        "autocapitalize": "off",
        "spellcheck": "false",
        "data-do": message,
        "placeholder": t("room.code.paste"),
    }
    return h(
        "div.row",
        {"key": message},
        h("label.heading", {"for": message.replace(".", "-")}, label),
        h("input.txt.box", attrs),
        button({"data-do": "room.scan", "data-arg": message}, symbol("u-qr"), t("room.scan"))
        if room_of(model).can_scan
        else None,
    )


def qr_dialog(model: Model, argument: str) -> Node | None:
    """The dialog with a QR code: always dark on light, with its quiet zone. None if there is no code."""
    t = model.t
    if model.room is None or model.room.qr is None:
        return None
    text, size, path = model.room.qr
    drawing = h(
        "svg.qr",
        {"viewBox": f"0 0 {size} {size}", "role": "img", "aria-label": t("room.qr.label")},
        h("rect", {"width": size, "height": size, "fill": "#fff"}),
        h("path", {"d": path, "stroke": "#000", "stroke-width": 1, "fill": "none"}),
    )
    return dialog(t, "qr", t("room.qr"), h("p", None, t("room.qr.text")), drawing, h("p.quiet.kode", None, text))


def scan_dialog(model: Model, argument: str) -> Node | None:
    """The dialog with the picture of the camera, shown until it sees a code."""
    t = model.t
    picture = h("video.camera", {"id": "camera", "playsinline": True, "aria-label": t("room.scan.label")})
    return dialog(t, "scan", t("room.scan"), h("p", None, t("room.scan.text")), picture)
