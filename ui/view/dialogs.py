"""The dialogs of lobby and table. `model.dialog` names the open one; its argument follows a colon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import GAMES
from engine.options import Choice, Deck, with_defaults
from ui.boards import PLAYABLE, board
from ui.html.parts import button, emblem, icon_button, symbol
from ui.html.tree import Attr, Child, Node, h
from ui.model import MOTIONS, ON_OFF, PAUSES, RELAYS, SPEEDS, THEMES, Damaged, Header, Model
from ui.selectors import save_key, seat_named, undo_allowed, undo_seat
from ui.text.i18n import LANGUAGES, Texts
from ui.view.common import dialog, radio_group
from ui.view.people import chair_dialog, edge_choice, people_dialog, seat_fields


def open_dialog(model: Model) -> Node | None:
    name, _, argument = model.dialog.partition(":")
    draw = _dialog_by_link(model, name) or DIALOGS.get(name)
    return draw(model, argument) if draw else None


def _dialog_by_link(model: Model, name: str) -> Callable[[Model, str], Node | None] | None:
    if model.room is None:
        return None
    from ui.view.room import codes
    from ui.view.room import table as room_table

    at_table = dict.fromkeys(("room", "people", "chair"), room_table.room_dialog) if model.play else {}
    return {**at_table, "qr": codes.qr_dialog, "scan": codes.scan_dialog}.get(name)


def _settings(model: Model, argument: str) -> Node:
    t, s = model.t, model.settings
    rows: list[Child] = []
    groups = (
        ("language", tuple(LANGUAGES), s.language),
        ("theme", THEMES, s.theme),
        ("speed", SPEEDS, s.speed),
        ("pauses", PAUSES, s.pauses),
        ("motion", MOTIONS, s.motion),
        ("sound", ON_OFF, s.sound),
        ("undo", ON_OFF, s.undo),
        ("relay", RELAYS, s.relay),
    )
    for name, choices, chosen in groups:
        if len(choices) < 2:
            continue
        label = t(f"settings.{name}")
        shown = [
            (c, h("span", None, LANGUAGES[c] if name == "language" else t(f"settings.{name}.{c}")), "") for c in choices
        ]
        rows.append(
            h(
                "div.row",
                {"key": name},
                h("h3", None, label),
                radio_group(f"set-{name}", label, shown, chosen, {"data-do": "setting", "data-arg": name}),
            )
        )
    about_us = h(
        "details",
        {"key": "about"},
        h("summary", None, t("about.title")),
        [h("p", None, t(f"about.{n}")) for n in range(1, 6)],
    )
    return dialog(
        t,
        "settings",
        t("settings.title"),
        rows,
        _address_field(t, "endpoint", s.endpoint),
        _address_field(t, "ice", s.ice),
        about_us,
    )


def _address_field(t: Texts, name: str, value: str) -> Node:
    """A text field for a setting that is an address."""
    field: dict[str, Attr] = {
        "type": "text",
        "id": name,
        "value": value,
        "maxlength": 200,
        "autocomplete": "off",
        "autocapitalize": "off",
        "spellcheck": "false",
        "inputmode": "url",
        "data-do": f"setting.{name}",
    }
    return h(
        "div.row",
        {"key": name},
        h("label.heading", {"for": name}, t(f"settings.{name}")),
        h("input.txt.box", field),
        h("p.quiet", None, t(f"settings.{name}.hint")),
    )


def _seat(model: Model, argument: str) -> Node | None:
    t, chairs = model.t, model.setup.chairs
    seat = seat_named(argument, len(chairs))
    if seat is None:
        return None
    at_minimum = len(chairs) <= GAMES.seats[model.setup.game][0]
    return dialog(
        t,
        "seat",
        t("seat.title", n=seat + 1),
        seat_fields(t, chairs, seat, "seat"),
        edge_choice(model, seat, len(chairs)),
        h(
            "div.row.btns",
            None,
            button({"data-do": "seat.up", "data-arg": seat, "disabled": seat == 0}, symbol("u-up"), t("seat.up")),
            button(
                {"data-do": "seat.down", "data-arg": seat, "disabled": seat == len(chairs) - 1},
                symbol("u-down"),
                t("seat.down"),
            ),
            button(
                {"data-do": "seat.remove", "data-arg": seat, "disabled": at_minimum},
                symbol("u-close"),
                t("seat.remove"),
            ),
        ),
    )


def _options(model: Model, argument: str) -> Node:
    """The house rules, generated from the options of the game."""
    t, setup = model.t, model.setup
    game = PLAYABLE[setup.game]
    rows: list[Child] = []
    for option in game.OPTIONS:
        key = f"{setup.game}.option.{option.name}"
        if isinstance(option, Choice):
            chosen = setup.options.get(option.name, option.default)
            choices = [(c, h("span", None, t(f"{key}.{c}")), "") for c in option.choices]
            rows.append(
                h(
                    "div.row",
                    {"key": option.name},
                    h("h3", None, t(key)),
                    radio_group(
                        f"opt-{option.name}", t(key), choices, chosen, {"data-do": "option", "data-arg": option.name}
                    ),
                )
            )
        else:
            rows.append(_deck(model, option))
    foot = (
        button({"data-do": "option.defaults", "disabled": not setup.options}, symbol("u-undo"), t("options.defaults")),
        button({"data-do": "dialog.close"}, t("options.done"), kind="pri"),
    )
    return dialog(t, "options", t("options.title", game=t(f"game.{setup.game}")), rows, footer=foot, kind="wide")


def _deck(model: Model, option: Deck) -> Node:
    t, setup = model.t, model.setup
    changed = setup.options.get(option.name, {})
    total = sum({**option.default, **changed}.values())
    fields = [
        h(
            "label.copies",
            {"key": card.name, "class": "new" if card.name in changed else None},
            h("span", None, t(f"{setup.game}.card.{card.name}")),
            h(
                "input.num",
                {
                    "type": "number",
                    "min": 0,
                    "max": option.most,
                    "inputmode": "numeric",
                    "value": changed.get(card.name, card.count),
                    "data-do": "option",
                    "data-arg": f"{option.name}:{card.name}",
                },
            ),
            h("small", None, t("options.deck.box", n=card.count)),
        )
        for card in option.cards
    ]
    return h(
        "details.house",
        {"key": option.name},
        h("summary", None, t(f"{setup.game}.option.{option.name}"), h("span", None, t("options.deck.total", n=total))),
        h("div.box-list", None, fields),
    )


def _saves(model: Model, argument: str) -> Node:
    """All saves, and the known tables by link.

    During a running game only the other saves: people delete some of them when there is no room to store the game.
    """
    t, running_id = model.t, model.play.header.id if model.play else ""
    saves = [save for save in model.saves if save.id != running_id]
    rows = [_damaged(model, save) if isinstance(save, Damaged) else _save(model, save) for save in saves]
    if not running_id:
        rows += [_known_table(model, table) for table in model.tables]
    body: Child = h("ul.saves", None, rows) if rows else h("p", None, t("saves.none"))
    return dialog(t, "saves", t("saves.title"), body, kind="wide")


def _save(model: Model, save: Header) -> Node:
    t = model.t
    if save.over:
        state = t("saves.over")
    elif save.asked is not None and 0 <= save.asked < len(save.chairs):
        state = t("saves.turn", who=save.chairs[save.asked].name)
    else:
        state = t("saves.running")
    return h(
        "li",
        {"key": save.id},
        h("img.pic", {"src": f"assets/art/poster-{save.game}.svg", "alt": "", "width": 52, "height": 57}),
        h(
            "div",
            None,
            h("b", None, t(f"game.{save.game}")),
            h("span.faces", None, [emblem(chair.emblem, "dot") for chair in save.chairs]),
            h("p", None, state, h("span", None, _time_since(model, save.touched))),
            h("p", {"key": "far"}, " · ".join(progress))
            if (progress := model.save_status.get(save_key(model, save)))
            else None,
        ),
        button(
            {"data-do": "save.resume", "data-arg": save.id},
            t("saves.look" if save.over else "saves.resume"),
            kind="pri",
        )
        if model.play is None
        else None,
        icon_button("u-trash", t("saves.delete"), {"data-do": "dialog", "data-arg": f"delete:{save.id}"}),
    )


def _known_table(model: Model, table: Any) -> Node:
    """A table by link, with a button that goes back to it by its own link."""
    t = model.t
    title = t("room.title", game=t(f"game.{table.game}")) if table.game else t("room.unknown")
    return h(
        "li",
        {"key": table.code},
        h("span.pic", None, symbol("u-link")),
        h("div", None, h("b", None, title), h("p", None, ", ".join(table.names))),
        button({"data-do": "visited", "data-value": table.fragment}, t("room.back"), kind="pri"),
        icon_button("u-trash", t("room.forget"), {"data-do": "dialog", "data-arg": f"forget:{table.code}"}),
    )


def _damaged(model: Model, save: Damaged) -> Node:
    t = model.t
    return h(
        "li.broken",
        {"key": save.id},
        h("span.pic", None, symbol("u-warn")),
        h("div", None, h("b", None, t("saves.broken")), h("p", None, t(save.reason, **save.values))),
        button({"data-do": "save.copy", "data-arg": save.id}, t("app.copy_details")),
        icon_button("u-trash", t("saves.delete"), {"data-do": "dialog", "data-arg": f"delete:{save.id}"}),
    )


def _time_since(model: Model, minute: int) -> str:
    since = max(0, model.now - minute)
    if since < 2:
        return model.t("time.now")
    if since < 60:
        return model.t("time.minutes", n=since)
    return model.t("time.hours", n=since // 60) if since < 1440 else model.t("time.days", n=since // 1440)


def _delete(model: Model, argument: str) -> Node:
    words = (model.t("delete.title"), model.t("delete.text"), model.t("delete.yes"))
    return _confirm(model, "delete", words, {"data-do": "save.delete", "data-arg": argument})


def _forget(model: Model, argument: str) -> Node:
    words = (model.t("room.forget"), model.t("room.forget.text"), model.t("room.forget"))
    return _confirm(model, "forget", words, {"data-do": "table.forget", "data-arg": argument})


def _confirm(model: Model, name: str, words: tuple[str, str, str], confirm_attrs: dict[str, str]) -> Node:
    """Asks for confirmation before something stored is deleted.

    `words` are the title, the text and the label of the button; `done` are the attributes of the button.
    """
    title, text, yes = words
    return dialog(
        model.t,
        name,
        title,
        h("p", None, text),
        footer=(
            button(confirm_attrs, symbol("u-trash"), yes, kind="danger"),
            button({"data-do": "dialog", "data-arg": "saves"}, model.t("delete.no")),
        ),
    )


def _copy(model: Model, argument: str) -> Node:
    """Shows a text to be copied by hand, when the browser has refused access to the clipboard."""
    t = model.t
    field = h(
        "textarea.txt.box",
        {"id": "copy-text", "readonly": True, "rows": 6, "value": argument, "aria-label": t("copy.label")},
    )
    return dialog(t, "copy", t("copy.title"), h("p", None, t("copy.text")), field)


def _rules(model: Model, argument: str) -> Node:
    t = model.t
    game = model.play.header.game if model.play else model.setup.game
    options = model.play.session.options if model.play else with_defaults(PLAYABLE[game], model.setup.options)
    body = h("div.prose", None, *board(game).rules(t, options))
    return dialog(t, "rules", t("rules.title", game=t(f"game.{game}")), body, kind="read")


def _menu(model: Model, argument: str) -> Node | None:
    t, play = model.t, model.play
    if play is None:
        return None
    return dialog(
        t,
        "menu",
        t("menu.title"),
        h(
            "div.menu",
            None,
            button({"data-do": "undo", "disabled": undo_seat(model) is None}, symbol("u-undo"), t("table.undo"))
            if undo_allowed(model)
            else None,
            button({"data-do": "dialog", "data-arg": "rules"}, symbol("u-help"), t("rules.open")),
            button({"data-do": "dialog", "data-arg": "people"}, symbol("u-person"), t("people.title")),
            button(
                {
                    "data-do": "setting",
                    "data-arg": "sound",
                    "data-value": "off" if model.settings.sound == "on" else "on",
                    "aria-pressed": model.settings.sound == "on",
                },
                symbol("u-sound"),
                t("settings.sound"),
                h("span.now", {"aria-hidden": True}, t(f"settings.sound.{model.settings.sound}")),
            ),
            button({"data-do": "dialog", "data-arg": "settings"}, symbol("u-gear"), t("settings.title")),
            button({"data-do": "result"}, symbol("u-crown"), t("result.open")) if play.session.over else None,
            button({"data-do": "dialog", "data-arg": "saves"}, symbol("u-trash"), t("saves.title"))
            if play.unsaved
            else None,
            button({"data-do": "leave"}, symbol("u-key"), t("menu.leave")),
        ),
        h("p.quiet", None, t("menu.kept") if not play.unsaved else t("menu.unkept")),
        kind="side",
    )


DIALOGS: dict[str, Callable[[Model, str], Node | None]] = {
    "settings": _settings,
    "seat": _seat,
    "options": _options,
    "saves": _saves,
    "delete": _delete,
    "forget": _forget,
    "copy": _copy,
    "rules": _rules,
    "menu": _menu,
    "people": people_dialog,
    "chair": chair_dialog,
}
