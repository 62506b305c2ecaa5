"""A table by link before its first card: the seats, the link, the devices; and the screen of a device that joins."""

from __future__ import annotations

from engine.bots import LEVELS
from engine.core import Refused
from engine.seats import PERSON
from peer.game.setup import PATIENCES
from peer.table.lobby import Spot
from peer.table.news import Guest, News
from ui.html.parts import button, emblem, icon_button, symbol
from ui.html.tree import Child, Node, h
from ui.model import Model
from ui.refusals import at_table, refusal
from ui.room import room_of
from ui.text.i18n import Texts
from ui.view.common import radio_group
from ui.view.room.codes import code_field, offer_controls, reach_note, reply_controls

#: more than a name may have: a pasted name that is too long is refused with a notice, not cut by its field
NAME_FIELD_LENGTH = 60
#: the symbol for each state of a device, beside the word for it
STATE_SYMBOLS = {
    "me": "u-person",
    "direct": "u-near",
    "relayed": "u-relay",
    "through": "u-relay",
    "quiet": "u-wait",
    "gone": "u-off",
}


def room(model: Model) -> Node:
    """The screen of a table by link before its first card."""
    t, news = model.t, room_of(model).news
    return h(
        "div.lob.room",
        {"key": "room"},
        h(
            "header.top",
            None,
            h("h1", None, t("app.name")),
            h("p", None, t("room.title", game=t(f"game.{news.game}")) if news.game else t("room.coming")),
            icon_button("u-gear", t("settings.title"), {"data-do": "dialog", "data-arg": "settings"}),
        ),
        h(
            "main",
            {"id": "main", "tabindex": "-1", "data-home": True},
            _lobby(model, news) if news.phase == "lobby" else _joining(model, news),
        ),
    )


def _lobby(model: Model, news: News) -> Node:
    t = model.t
    return h(
        "div.set",
        {"key": "set"},
        h("img.bill", {"src": f"assets/art/poster-{news.game}.svg", "alt": "", "width": 200, "height": 220}),
        h(
            "section.at",
            {"aria-labelledby": "at"},
            h("h2.lab", {"id": "at"}, t("lobby.seats", n=len(news.spots))),
            h("ol.seats", None, [_spot(model, news, seat, spot) for seat, spot in enumerate(news.spots)]),
            h("p.quiet", None, t("room.hint.sit")),
            _patience(t, news),
        ),
        h(
            "section.go",
            {"aria-labelledby": "invite"},
            _invite(model, news),
            _devices(model, news),
            _begin_controls(model, news),
        ),
    )


def _spot(model: Model, news: News, seat: int, spot: Spot) -> Node:
    t = model.t
    own = spot.device == news.me
    name, like = room_of(model).names[seat], room_of(model).lookalikes.get(seat)
    first_name = news.spots[like].name if like is not None else ""
    alike, note = alike_label(t, first_name) if first_name else None, f"alike-{seat + 1}"
    state = next((guest.state for guest in news.guests if guest.seal_key == spot.device), "gone")
    if spot.plays != PERSON:
        who: Child = h("p.sits", None, h("b", None, name), h("span", None, t(f"bot.{spot.plays}")), alike)
    elif own:
        who = h(
            "input.txt",
            {
                "type": "text",
                "id": f"name-{seat + 1}",
                "value": spot.name,
                "maxlength": NAME_FIELD_LENGTH,
                "autocomplete": "off",
                "spellcheck": "false",
                "data-do": "room.sit",
                "data-arg": seat,
                "aria-label": t("lobby.seat.name", n=seat + 1),
                "aria-describedby": note if first_name else None,
            },
        )
    elif spot.device:
        who = h("p.sits", None, h("b", None, name), connection_label(t, state), alike)
    else:
        who = h("p.sits", None, h("span", None, t("room.free")))
    told = h("p.alike", {"id": note}, t("room.alike.yours", who=first_name)) if own and first_name else None
    return h("li", {"key": spot.emblem}, emblem(spot.emblem), who, _spot_buttons(model, news, seat, spot), told)


def _patience(t: Texts, news: News) -> Node:
    """The patience of the table: the opener chooses how long people may think, the others read it."""
    label = t("room.patience")
    if not news.opener:
        return h("p.quiet", {"key": "patience"}, label, ": ", t(f"room.patience.{news.patience}"))
    choices = [(str(minutes), h("span", None, t(f"room.patience.{minutes}")), "") for minutes in PATIENCES]
    group = radio_group("patience", label, choices, str(news.patience), {"data-do": "room.patience"})
    return h("div.row", {"key": "patience"}, h("p.heading", {"aria-hidden": True}, label), group)


def _spot_buttons(model: Model, news: News, seat: int, spot: Spot) -> Node:
    t = model.t
    acts: list[Child] = []
    if spot.device == news.me and spot.plays == PERSON:
        acts.append(button({"data-do": "room.stand", "data-arg": seat, "key": "stand"}, t("room.stand")))
    elif spot.free:
        acts.append(button({"data-do": "room.sit", "data-arg": seat, "key": "sit"}, t("room.sit"), kind="pri"))
    if news.opener and (spot.free or spot.plays != PERSON):
        bot = spot.plays != PERSON
        plays = [
            (PERSON, [symbol("u-person"), h("span", None, t("lobby.person"))], t("lobby.person")),
            (spot.plays if bot else LEVELS[-1], [symbol("u-bot"), h("span", None, t("lobby.bot"))], t("lobby.bot")),
        ]
        label = t("room.plays", n=seat + 1)
        acts.append(
            radio_group(f"r-{spot.emblem}", label, plays, spot.plays, {"data-do": "room.plays", "data-arg": seat})
        )
    elif news.opener and spot.device not in ("", news.me):
        label = t("room.free_again", who=room_of(model).names[seat])
        acts.append(icon_button("u-close", label, {"data-do": "room.plays", "data-arg": seat, "data-free": True}))
    return h("div.acts", None, acts)


def alike_label(t: Texts, who: str) -> Node:
    """Says that a name looks like another one at the table."""
    return h("span.how", {"key": "alike"}, symbol("u-warn"), h("span", None, t("room.alike", who=who)))


def connection_label(t: Texts, state: str) -> Node:
    return h("span.how", {"data-state": state}, symbol(STATE_SYMBOLS[state]), h("span", None, t(f"room.state.{state}")))


def _invite(model: Model, news: News) -> Node:
    t = model.t
    room_model = room_of(model)
    if news.endpoint == "none":
        return _pairing(model, news)
    ready = news.endpoint == "in"
    text_key = "room.link.text" if ready else f"room.endpoint.{news.endpoint}"
    return h(
        "div.invite",
        {"key": "invite"},
        h("h2.lab", {"id": "invite"}, t("room.link")),
        h("p", {"role": "status"}, t(text_key)),
        h(
            "div.acts",
            None,
            button({"data-do": "room.copy", "disabled": not ready}, symbol("u-copy"), t("room.copy"), kind="pri"),
            button({"data-do": "room.share", "disabled": not ready}, symbol("u-share"), t("room.share"))
            if room_model.can_share
            else None,
            button({"data-do": "room.show_qr", "disabled": not ready}, symbol("u-qr"), t("room.qr")),
        ),
        _pairing_details(model, news) if not ready and news.opener and room_model.can_connect else None,
    )


def _pairing_details(model: Model, news: News) -> Node:
    return h("details", {"key": "hand"}, h("summary", None, model.t("room.hand.too")), _pairing(model, news))


def _pairing(model: Model, news: News) -> Node:
    """Pairing by two short codes for each guest: an offer to the guest, and the reply.

    Where direct connections are impossible too, it says so instead.
    """
    t = model.t
    if not room_of(model).can_connect:
        return h("div.invite.hand", {"key": "hand"}, h("p", {"id": "invite", "role": "status"}, t("room.no_way")))
    return h(
        "div.invite.hand",
        {"key": "hand"},
        h("h2.lab", {"id": "invite"}, t("room.hand")),
        h("p", None, t("room.hand.text")),
        reach_note(model),
        offer_controls(model, news),
    )


def _devices(model: Model, news: News) -> Node:
    """The number of devices that are here, and a list of those without a seat, with how each is reached."""
    t = model.t
    without_seat = [guest for guest in news.guests if not guest.seats]
    rows = [
        h("li", {"key": guest.seal_key}, _guest_name(t, guest), connection_label(t, guest.state))
        for guest in without_seat
    ]
    return h(
        "div.here",
        {"key": "here", "aria-live": "polite"},
        h("h2.lab", None, t("room.here", n=sum(guest.state != "gone" for guest in news.guests))),
        h("ul.guests", None, rows) if rows else None,
    )


def _guest_name(t: Texts, guest: Guest) -> Node:
    return h("span", None, t("room.looking.you" if guest.state == "me" else "room.looking"))


def _begin_controls(model: Model, news: News) -> Child:
    t = model.t
    free = sum(spot.free for spot in news.spots)
    leave = button({"data-do": "leave"}, symbol("u-key"), t("room.leave"))
    if not news.opener:
        waiting_text = t("room.wait.free", n=free) if free else t("room.wait.begin")
        return h("div.acts", {"key": "begin"}, h("p", {"role": "status"}, waiting_text), leave)
    seated = sum(spot.plays == PERSON and not spot.free for spot in news.spots)
    ready = not free and seated > 0
    return h(
        "div.acts",
        {"key": "begin"},
        button({"data-do": "room.begin", "aria-disabled": not ready}, t("room.begin"), kind="pri go-btn"),
        h("p", {"role": "status"}, t("room.wait.free", n=free) if free else t("room.ready")),
        leave,
    )


def _joining(model: Model, news: News) -> Node:
    """The screen of a device that joins a table: what is happening, and what can be done."""
    t = model.t
    why = news.reason or (f"room.endpoint.{news.endpoint}" if news.endpoint in ENDPOINT_FAILURES else "")
    if news.code_reply:
        body: list[Child] = [h("h2", None, t("room.code.back")), h("p", None, t("room.code.back.text"))]
        body += [*reply_controls(model, news), reach_note(model)]
    else:
        body = [
            h("h2", None, t("room.coming")),
            h("p", {"role": "status"}, _reason_text(model, news, why)),
        ]
        if news.missing_devices and news.claims:
            body.append(h("p", {"key": "seat"}, t("room.lacks.seat")))
        reply_field = code_field(model, "room.reply") if room_of(model).can_connect else None
        if news.endpoint == "none":
            body += [reply_field, reach_note(model) if reply_field else None]
        elif reply_field and why and news.endpoint in ENDPOINT_FAILURES[:-1]:
            body.append(
                h("details", {"key": "hand"}, h("summary", None, t("room.hand.too")), reply_field, reach_note(model))
            )
    reload_ = button({"data-do": "room.reload"}, symbol("u-undo"), t("room.reload")) if why else None
    leave = button({"data-do": "leave"}, symbol("u-key"), t("room.leave"))
    return h("div.coming.deco", {"key": "coming"}, body, h("div.row.btns", None, reload_, leave))


ENDPOINT_FAILURES = ("code", "full", "busy", "lost", "replaced")


def _reason_text(model: Model, news: News, why: str) -> str:
    """Returns the text that says why this device is not at the table yet."""
    t = model.t
    if news.missing_devices > 0:
        return t("room.lacks.few", n=news.missing_devices)
    if why.startswith("net."):
        notice = refusal(Refused(why), at_table(model))
        return t(notice.key, **notice.values)
    if why:
        return t(why)
    if news.missing_devices:
        return t("room.lacks.nobody")
    if news.endpoint != "none":
        return t("room.coming.text")
    return t("room.hand.coming" if room_of(model).can_connect else "room.no_way")
