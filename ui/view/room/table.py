"""A table by link during a game: how each device is reached, which seats the table waits for, and the chat."""

from __future__ import annotations

from peer.table.news import News
from ui.html.parts import button, emblem, symbol
from ui.html.tree import Attr, Child, Node, h
from ui.model import Model, Play
from ui.room import SIGNS, Room, room_of
from ui.text.i18n import Texts
from ui.view.common import dialog
from ui.view.room.codes import code_field, offer_controls, reach_note, reply_controls
from ui.view.room.lobby import STATE_SYMBOLS, alike_label, connection_label

#: the states of the endpoint in which a device that is away cannot come back by the link
NO_WAY_BACK = ("code", "full", "busy", "lost")
#: reasons for a bot that are more than patience: each has a sentence at the seat
SERIOUS_REASONS = {"muted": "room.cut_off", "not_believed": "room.not_believed"}


def status_button(model: Model, play: Play) -> Node:
    """A button of the top bar: the status in a word. It opens the dialog with the details."""
    t, news = model.t, room_of(model).news
    state, text = status(model, play)
    return h(
        "button.btn.ico.net",
        {
            "type": "button",
            "data-do": "dialog",
            "data-arg": "room",
            "data-state": state,
            "data-host": news.leader,
            "aria-label": t("room.status", text=text),
            "key": "net",
        },
        symbol(STATE_SYMBOLS.get(state, "u-warn")),
        h("span.word", {"aria-hidden": True}, text),
    )


def status(model: Model, play: Play) -> tuple[str, str]:
    """Returns the state and the text of what matters most now.

    The table cannot go on, or a device is away, or somebody has been thinking for a while. If all is well, the text
    says how the devices are connected.
    """
    t, news = model.t, room_of(model).news
    if news.endpoint == "replaced":
        return "gone", t("room.endpoint.replaced")
    away = [seat for seat, seated in enumerate(news.seated) if seated.state in ("gone", "quiet")]
    if news.claims and news.missing_devices:
        return "gone", t("room.status.seat", n=news.missing_devices)
    if not news.leader:
        return _away_status(model, play, away, "missing") if away else ("gone", t("room.status.alone"))
    if news.seats_moved:
        return ("quiet" if news.seats_moved == "soon" else "direct"), t(f"room.left.{news.seats_moved}")
    waits = news.waiting_for
    awaited = {*(waits.seats if waits else ())}
    if waits:
        awaited |= {seat for device in waits.devices if device < len(news.devices) for seat in news.devices[device]}
    missing = [seat for seat in away if seat in awaited]
    if missing:
        return _away_status(model, play, missing, "missing")
    if away:
        return "quiet", _away_status(model, play, away, "away")[1]
    if waits and waits.minutes and awaited and not any(news.seated[seat].mine for seat in waits.seats):
        key = "waits" if waits.seats else "owes"  # no seat is asked: a device is here, but owes something
        people = [seat for seat in sorted(awaited) if waits.seats or news.seated[seat].kind == "person"]
        who = ", ".join(play.header.chairs[seat].name for seat in people or sorted(awaited))
        return "quiet", t(f"room.status.{key}", who=who, n=waits.minutes)
    relayed = any(seated.state in ("relayed", "through") for seated in news.seated)
    return ("relayed", t("room.status.relayed")) if relayed else ("direct", t("room.status.direct"))


def _away_status(model: Model, play: Play, seats: list[int], how: str) -> tuple[str, str]:
    """Returns the state and the text about seats whose devices are away, and for how long.

    `how`: "missing" if the table waits for them, otherwise "away".
    """
    t, seated = model.t, [room_of(model).news.seated[seat] for seat in seats]
    who = ", ".join(play.header.chairs[seat].name for seat in seats)
    minutes = max(one.minutes for one in seated)
    if all(one.state == "quiet" for one in seated):
        return "quiet", t(f"room.status.{how}.quiet", who=who)
    text = t(f"room.status.{how}.since", who=who, n=minutes) if minutes else t(f"room.status.{how}", who=who)
    return "gone", text


def room_dialog(model: Model, argument: str) -> Node | None:
    """The dialog of the table: the seats, how each is reached, what can be done, and the chat."""
    t, play = model.t, model.play
    if play is None or model.room is None:
        return None
    room_model = model.room
    news = room_model.news
    return dialog(
        t,
        "room",
        t("room.table"),
        h("p", {"role": "status"}, status(model, play)[1]),
        h("p", {"role": "status", "key": "point"}, t(f"room.endpoint.{news.endpoint}"))
        if news.endpoint in NO_WAY_BACK
        else None,
        _missing_devices(t, news),
        h("ul.guests", None, [_seat(model, play, news, seat) for seat in range(len(news.seated))]),
        _pairing(model, news),
        _agreement(t, news),
        _fork_offer(t, news),
        _relay_note(t, news),
        h("p.quiet", {"key": "deal"}, t(f"room.deal.{news.deal_status}")) if news.deal_status else None,
        h("p.quiet", None, t("room.words"), " ", h("b.kode", None, news.words)),
        _chat(model, room_model),
        footer=(
            button({"data-do": "room.copy"}, symbol("u-copy"), t("room.copy.watch")),
            button({"data-do": "room.rejoin"}, symbol("u-link"), t("room.rejoin")) if _has_own_seat(news) else None,
            button({"data-do": "leave"}, symbol("u-key"), t("room.leave")),
        ),
        kind="wide",
    )


def _missing_devices(t: Texts, news: News) -> Child:
    """The number of missing devices, while too few are here, and what can be done."""
    if not news.missing_devices or (news.leader and not news.claims):
        return None  # there is a leader, and it may be connected to more devices than this one
    sentence = h("p", {"role": "status"}, t("room.lacks", n=news.missing_devices))
    return h("div", {"key": "lacks"}, sentence, h("p.quiet", None, t("room.lacks.seat")) if news.claims else None)


def _pairing(model: Model, news: News) -> Child:
    """Pairing by two codes, when no endpoint can bring a device back. Either device may make the first code."""
    if news.endpoint in ("in", "connecting", "replaced"):
        return None
    t = model.t
    if not room_of(model).can_connect:
        return h("p", {"key": "codes"}, t("room.no_way")) if news.endpoint == "none" else None
    body: list[Child] = [
        h("p", None, t("room.hand.back")),
        reach_note(model),
        *offer_controls(model, news),
        *(reply_controls(model, news) if news.code_reply else [code_field(model, "room.reply")]),
    ]
    away = any(seated.state in ("gone", "quiet") for seated in news.seated)
    if away or news.code_offer or news.code_reply:
        return h("div.codes", {"key": "codes"}, h("h3", None, t("room.hand.too")), body)
    return h("details", {"key": "hand"}, h("summary", None, t("room.hand.too")), h("div.codes", None, body))


def _has_own_seat(news: News) -> bool:
    return any(seated.mine and seated.kind == "person" for seated in news.seated)


def _agreement(t: Texts, news: News) -> Child:
    """The agreement that, of two devices, the other one may go on while this one is away.

    Two devices need each other, unless they agreed to this while both were here.
    """
    if news.voters != 2 or not _has_own_seat(news):
        return None
    if news.agreed:
        return h("p.quiet", {"key": "agree"}, t("room.agreed"))
    return h(
        "div.row",
        {"key": "agree"},
        h("p.quiet", None, t("room.agree.text")),
        button({"data-do": "room.agree"}, symbol("u-bot"), t("room.agree")),
    )


def _fork_offer(t: Texts, news: News) -> Child:
    """The offer to go on alone on this device while another one is away, or why that is impossible."""
    if not _has_own_seat(news) or not any(seated.state in ("gone", "quiet") for seated in news.seated):
        return None
    if not news.can_fork:
        return h("p.quiet", {"key": "alone"}, t("refused.net.cards_elsewhere"))
    return h(
        "div.row",
        {"key": "alone"},
        h("p.quiet", None, t("room.fork.text")),
        button({"data-do": "room.fork"}, symbol("u-table"), t("room.fork")),
    )


def _relay_note(t: Texts, news: News) -> Child:
    relayed = any(seated.state in ("relayed", "through") for seated in news.seated)
    return h("p.quiet", None, t("room.relay.text")) if relayed else None


def _seat(model: Model, play: Play, news: News, seat: int) -> Node:
    t, seated, chair = model.t, news.seated[seat], play.header.chairs[seat]
    waits = news.waiting_for
    wishes = (news.bot_wishes or {}).get(seat, 0)
    facts: list[Child] = [connection_label(t, seated.state)]
    if seated.state == "gone" and seated.minutes:
        facts.append(h("span", None, t("room.since", n=seated.minutes)))
    if chair.like:
        facts.append(alike_label(t, chair.like))
    if seated.kind == "bot":
        facts.append(h("span", None, t("room.bot_sits")))
    if waits is not None and seat in waits.seats:
        asked = t("room.asked", n=waits.minutes) if waits.minutes else t("room.asked.now")
        facts.append(h("span", None, asked))
    if seated.bot_reason in SERIOUS_REASONS:
        facts.append(h("span", None, t(SERIOUS_REASONS[seated.bot_reason])))
    if wishes:
        facts.append(h("span", None, t("room.wishes", n=wishes, of=news.majority)))
    return h(
        "li",
        {"key": seat},
        emblem(chair.emblem, "dot"),
        h("div", None, h("b", None, chair.name), h("p", None, facts)),
        _seat_button(model, news, seat),
    )


def _seat_button(model: Model, news: News, seat: int) -> Child:
    """The button of a seat: give the own seat to a bot, take it back, or vote for a bot where there is a reason."""
    t, seated = model.t, news.seated[seat]
    if seated.mine and seated.kind == "person":
        return button({"data-do": "room.give", "data-arg": f"{seat}:bot"}, symbol("u-bot"), t("room.give.bot"))
    if seated.is_home and seated.for_person and (seated.kind == "bot" or not seated.mine):
        return button({"data-do": "room.give", "data-arg": f"{seat}:person"}, symbol("u-person"), t("room.give.back"))
    if seat in news.own_wishes:
        stays = {"data-do": "room.give", "data-arg": f"{seat}:stays"}
        return button(stays, symbol("u-person"), t("room.give.stays"))
    if seated.state in ("gone", "quiet") and news.bot_allowed:
        return button({"data-do": "room.give", "data-arg": f"{seat}:bot"}, symbol("u-bot"), t("room.give.bot"))
    if seated.bot_reason and news.voters > 2:
        return button({"data-do": "room.give", "data-arg": f"{seat}:bot"}, symbol("u-bot"), t("room.give.agree"))
    return None


def _chat(model: Model, room_model: Room) -> Node:
    t = model.t
    rows = [
        h("p", {"key": word.number}, h("b", None, word.sender), t(f"room.sign.{word.sign}") if word.sign else word.text)
        for word in room_model.chat[-8:]
    ]
    signs = [button({"data-do": "room.sign", "data-arg": sign, "key": sign}, t(f"room.sign.{sign}")) for sign in SIGNS]
    field: dict[str, Attr] = {
        "type": "text",
        "id": "say",
        "value": "",
        "maxlength": 200,
        "autocomplete": "off",
        "enterkeyhint": "send",
        "data-do": "room.text",
    }
    return h(
        "section.talk",
        {"aria-labelledby": "talk"},
        h("h3", {"id": "talk"}, t("room.talk")),
        h("div.words", {"role": "log", "aria-live": "polite", "aria-label": t("room.talk")}, rows),
        h("div.signs-row", None, signs),
        h("label.heading", {"for": "say"}, t("room.say")),
        h("input.txt.box", field),
    )


def next_game_button(model: Model) -> Child:
    t = model.t
    if model.room is None:
        return None
    if room_of(model).news.opener:
        return button({"data-do": "room.again"}, t("result.again"), kind="pri")
    return h("p.quiet", None, t("room.again.wait"))
