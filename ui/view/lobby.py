"""The lobby: the game, the seats, the house rules. Until Python has started, static HTML shows the same lobby."""

from __future__ import annotations

from engine import GAMES
from engine.bots import LEVELS
from engine.seats import LONGEST_NAME, PERSON
from ui.boards import PLAYABLE, Chair
from ui.html.parts import button, emblem, icon_button, symbol
from ui.html.tree import Child, Node, h
from ui.model import Model
from ui.view.common import radio_group


def lobby(model: Model) -> Node:
    t = model.t
    return h(
        "div.lob",
        {"key": "lobby"},
        h(
            "header.top",
            None,
            h("h1", None, t("app.name")),
            h("p", None, t("lobby.tagline")),
            _saves_button(model),
            icon_button(
                "u-gear",
                t("settings.title"),
                {"data-do": "dialog", "data-arg": "settings"},
            ),
        ),
        h(
            "main",
            {"id": "main", "tabindex": "-1"},
            _posters(model),
            h("div.set", None, _seats(model), _summary(model)),
        ),
    )


def _saves_button(model: Model) -> Node:
    t, games, tables = model.t, len(model.saves), len(model.tables)
    count = games + tables
    text = ", ".join(  # a phone shows only the symbol
        [t("saves.open", n=games)] * (games > 0 or not tables) + [t("tables.open", n=tables)] * (tables > 0)
    )
    attrs = {"data-do": "dialog", "data-arg": "saves", "class": None if count else "none", "disabled": not count}
    return h(
        "button.btn.ico.saved",
        {"type": "button", "aria-label": text, **attrs},
        symbol("u-log"),
        h("span.word", None, text),
    )


def _posters(model: Model) -> Node:
    t = model.t
    return h(
        "div.posters",
        {"role": "radiogroup", "aria-label": t("lobby.games")},
        [_poster(model, game) for game in GAMES],
    )


def _poster(model: Model, game: str) -> Node:
    t, open_ = model.t, game in PLAYABLE
    return h(
        "label.poster.deco",
        {"class": None if open_ else "shut", "key": game},
        h(
            "input",
            {
                "type": "radio",
                "name": "game",
                "value": game,
                "data-do": "game",
                "checked": game == model.setup.game,
                "disabled": not open_,
            },
        ),
        h("img", {"src": f"assets/art/poster-{game}.svg", "alt": "", "width": 200, "height": 220}),
        h(
            "span.cap",
            None,
            h("b", None, t(f"game.{game}")),
            h("span", None, h("span.by", None, t(f"game.{game}.by")), h("span", None, _players(model, game)))
            if open_
            else h("span", None, t("lobby.shut")),
        ),
    )


def _players(model: Model, game: str) -> str:
    seats = GAMES.seats[game]
    return model.t("lobby.players", least=seats[0], most=seats[-1])


def _seats(model: Model) -> Node:
    t, chairs = model.t, model.setup.chairs
    seats = GAMES.seats[model.setup.game]
    full, in_middle = len(chairs) >= seats[-1], model.settings.top == "on"
    return h(
        "section.at",
        {"aria-labelledby": "at"},
        h("h2.lab", {"id": "at"}, t("lobby.seats", n=len(chairs))),
        h("ol.seats", None, [_seat(model, seat, chair) for seat, chair in enumerate(chairs)]),
        h(
            "div.add",
            None,
            button({"data-do": "seat.add", "disabled": full}, symbol("u-plus"), t("lobby.add")),
            button({"data-do": "seat.turn"}, symbol("u-undo"), t("lobby.turn")),
            button(
                {
                    "data-do": "setting",
                    "data-arg": "top",
                    "data-value": "off" if in_middle else "on",
                    "aria-pressed": in_middle,
                    "class": "top-switch",
                },
                symbol("u-table"),
                t("top.switch"),
            ),
        ),
    )


def _seat(model: Model, seat: int, chair: Chair) -> Node:
    t, bot = model.t, chair.plays != PERSON
    number = seat + 1
    at_minimum = len(model.setup.chairs) <= GAMES.seats[model.setup.game][0]
    return h(
        "li",
        {"key": chair.emblem},
        h(
            "button.who",
            {
                "type": "button",
                "data-do": "dialog",
                "data-arg": f"seat:{seat}",
                "aria-label": t("lobby.seat.more", n=number, who=chair.name),
            },
            emblem(chair.emblem),
        ),
        h(
            "input.txt",
            {
                "type": "text",
                "id": f"name-{number}",
                "value": chair.name,
                "maxlength": LONGEST_NAME,
                "autocomplete": "off",
                "spellcheck": "false",
                "data-do": "seat.name",
                "data-arg": seat,
                "aria-label": t("lobby.seat.name", n=number),
            },
        ),
        _level(model, seat, chair) if bot else None,
        radio_group(
            f"plays-{chair.emblem}",
            t("lobby.seat.plays", who=chair.name),
            [
                (PERSON, [symbol("u-person"), h("span", None, t("lobby.person"))], t("lobby.person")),
                (
                    chair.plays if bot else LEVELS[-1],
                    [symbol("u-bot"), h("span", None, t("lobby.bot"))],
                    t("lobby.bot"),
                ),
            ],
            chair.plays,
            {"data-do": "seat.plays", "data-arg": seat},
        ),
        icon_button(
            "u-close",
            t("lobby.seat.remove", who=chair.name),
            {"data-do": "seat.remove", "data-arg": seat, "disabled": at_minimum},
        ),
    )


def _level(model: Model, seat: int, chair: Chair) -> Node:
    t = model.t
    return h(
        "select.level",
        {
            "data-do": "seat.plays",
            "data-arg": seat,
            "value": chair.plays,
            "aria-label": t("lobby.seat.level", who=chair.name),
        },
        [h("option", {"value": level, "selected": level == chair.plays}, t(f"bot.{level}")) for level in LEVELS],
    )


def _summary(model: Model) -> Node:
    t, setup = model.t, model.setup
    people = sum(chair.plays == PERSON for chair in setup.chairs)
    changed_rules = len(setup.options)
    length = f"game.{setup.game}.length"
    start: Child = button({"data-do": "start", "key": "start"}, t("lobby.start"), kind="pri go-btn")
    if not model.ready:
        start = h(
            "label.btn.pri.go-btn",
            {"key": "soon"},
            h("input.vh", {"type": "checkbox", "name": "start", "data-do": "start"}),
            h("span.now", None, t("lobby.start")),
            h("span.soon", None, t("lobby.soon")),
        )
    return h(
        "section.go",
        {"aria-labelledby": "tonight"},
        h("h2.lab", {"id": "tonight"}, t("lobby.tonight")),
        h(
            "dl",
            None,
            h("dt", None, t("lobby.game")),
            h(
                "dd",
                None,
                h("button.link", {"type": "button", "data-do": "dialog", "data-arg": "rules"}, t("lobby.rules.read")),
                h("span", None, t(f"game.{setup.game}")),
            ),
            [h("dt", None, t("lobby.length")), h("dd", None, t(length))] if t.has(length) else None,
            h("dt", None, t("lobby.rules")),
            h(
                "dd",
                None,
                h(
                    "button.link",
                    {"type": "button", "data-do": "dialog", "data-arg": "options"},
                    t("lobby.rules.changed", n=changed_rules) if changed_rules else t("lobby.rules.none"),
                ),
            ),
        ),
        h(
            "div.acts",
            None,
            start,
            button(
                {"data-do": "room.open", "key": "by-link"},
                symbol("u-people"),
                h("span.word", None, t("lobby.by_link")),
            ),
            button(
                {"data-do": "setup.link"},
                symbol("u-link"),
                h("span.word", None, t("lobby.link")),
            ),
        ),
        h(
            "p",
            None,
            t(f"lobby.hint.{_hint(model, people)}"),
        ),
        h("p.warn", None, t(f"store.{model.storage_error}")) if model.storage_error else None,
    )


def _hint(model: Model, people: int) -> str:
    if people < 2:
        return "alone" if people else "watch"
    return "top" if model.settings.top == "on" else "pass"
