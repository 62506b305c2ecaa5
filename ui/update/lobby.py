"""The messages of the lobby: laying out a game, links, and the saves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine import GAMES
from engine.bots import LEVELS
from engine.core import Refused
from engine.options import Choice, Deck, changed_options, settle
from engine.seats import EMBLEMS, PERSON, checked_name, distinct_names
from peer.table.commands import Forget, Leave, MakeReply, Visit
from ui.boards import PLAYABLE, Chair
from ui.messages import Address, Begin, Commands, CopyLink, Delete, Focus, ListSaves, Msg, Open, Remember, RoomRequest
from ui.model import Model, Notice, Setup
from ui.refusals import At, at_table, refusal
from ui.saves import setup_link
from ui.selectors import seat_named
from ui.text.i18n import Ref, Texts
from ui.update.seats import emblem_changes, with_changes

FIRST_SEATS = (PERSON, "b2", "b2", "b2")


def first_setup(t: Texts, names: tuple[str, ...]) -> Setup:
    """Returns the set-up the lobby starts with."""
    game = next(iter(PLAYABLE))
    return Setup(game, fit_chairs(t, names, game, new_chairs(t, names, FIRST_SEATS)))


def new_chairs(t: Texts, names: tuple[str, ...], plays: Sequence[str]) -> tuple[Chair, ...]:
    """Returns chairs for these players, each with a different name and emblem."""
    unique_names = distinct_names(seat_name(t, names, seat) for seat in range(len(plays)))
    return tuple(map(Chair, unique_names, EMBLEMS, plays))


def seat_name(t: Texts, names: tuple[str, ...], seat: int) -> str:
    """Returns the name people last gave to that seat, or the default name."""
    return names[seat] if seat < len(names) and names[seat] else t(f"lobby.name.{seat + 1}")


def fit_chairs(t: Texts, names: tuple[str, ...], game: str, chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """Returns as many chairs as the game allows: removes the last ones, or adds bots."""
    seats = GAMES.seats[game]
    result = list(chairs[: seats[-1]])
    while len(result) < seats[0]:
        result.append(new_bot(t, names, result))
    return tuple(result)


def new_bot(t: Texts, names: tuple[str, ...], chairs: list[Chair]) -> Chair:
    """Returns a bot's chair with an emblem and a name that no other chair has."""
    taken = {chair.emblem for chair in chairs}
    emblem = next(e for e in EMBLEMS if e not in taken)
    used = {chair.name for chair in chairs}
    free = [n for seat in range(len(EMBLEMS)) if (n := seat_name(t, names, seat)) not in used]
    return Chair(free[0] if free else distinct_names([*used, t(f"emblem.{emblem}")])[-1], emblem, LEVELS[-1])


def _game(model: Model, msg: Msg) -> Commands:
    game = msg.value or msg.arg
    if game in PLAYABLE:
        chairs = fit_chairs(model.t, model.names, game, model.setup.chairs)
        model.setup = Setup(game, chairs)
    return []


def _set_chairs(model: Model, chairs: Iterable[Chair]) -> None:
    model.setup = replace(model.setup, chairs=tuple(chairs))


def _on_seat(change: Callable[[Model, int, Msg], Commands]) -> Callable[[Model, Msg], Commands]:
    def handle(model: Model, msg: Msg) -> Commands:
        seat = seat_named(msg.arg, len(model.setup.chairs))
        return [] if seat is None else change(model, seat, msg)

    return handle


def _name(model: Model, seat: int, msg: Msg) -> Commands:
    chairs = list(model.setup.chairs)
    try:
        new = checked_name(msg.value, (chair.name for other, chair in enumerate(chairs) if other != seat))
    except Refused as refused:
        model.notice = refusal(refused, at_table(model))
        return []
    model.clear_notice()
    chairs[seat] = replace(chairs[seat], name=new)
    _set_chairs(model, chairs)
    names = [*model.names, *[""] * len(chairs)][: len(EMBLEMS)]
    names[seat] = chairs[seat].name
    model.names = tuple(names)
    return [Remember(model.settings, model.names)]


def _plays(model: Model, seat: int, msg: Msg) -> Commands:
    if msg.value in (PERSON, *LEVELS):
        chairs = list(model.setup.chairs)
        chairs[seat] = replace(chairs[seat], plays=msg.value)
        _set_chairs(model, chairs)
    return []


def _emblem(model: Model, seat: int, msg: Msg) -> Commands:
    chairs = model.setup.chairs
    _set_chairs(model, with_changes(chairs, emblem_changes(chairs, seat, msg.value)))
    return []


def _remove(model: Model, seat: int, msg: Msg) -> Commands:
    if len(model.setup.chairs) > GAMES.seats[model.setup.game][0]:
        chairs = list(model.setup.chairs)
        del chairs[seat]
        _set_chairs(model, chairs)
        model.dialog = ""
    return []


def _move(step: int) -> Callable[[Model, int, Msg], Commands]:
    def handle(model: Model, seat: int, msg: Msg) -> Commands:
        chairs = list(model.setup.chairs)
        to = seat + step
        if 0 <= to < len(chairs):
            chairs[seat], chairs[to] = chairs[to], chairs[seat]
            _set_chairs(model, chairs)
            if model.dialog:
                model.dialog = f"seat:{to}"
        return []

    return handle


def _add(model: Model, msg: Msg) -> Commands:
    chairs = list(model.setup.chairs)
    if len(chairs) < GAMES.seats[model.setup.game][-1]:
        _set_chairs(model, [*chairs, new_bot(model.t, model.names, chairs)])
        return [Focus("id", f"name-{len(chairs) + 1}")]
    return []


def _turn(model: Model, msg: Msg) -> Commands:
    """Moves everybody on by one seat; the last one becomes the first."""
    chairs = list(model.setup.chairs)
    _set_chairs(model, [*chairs[-1:], *chairs[:-1]])
    return []


def _option(model: Model, msg: Msg) -> Commands:
    """Changes a house rule. `arg` is its name, or `deck:ring` for one kind of card of an editable deck."""
    rule, _, card = msg.arg.partition(":")
    game = PLAYABLE[model.setup.game]
    option = next((o for o in game.OPTIONS if o.name == rule), None)
    chosen: dict[str, Any] = dict(model.setup.options)
    if isinstance(option, Choice) and not card:
        chosen[rule] = msg.value
    elif isinstance(option, Deck) and card in option.default:
        if not (msg.value.isascii() and msg.value.isdigit() and int(msg.value[:4]) <= option.most):
            model.notice = Notice("lobby.deck.number", {"card": Ref(f"{game.NAME}.card.{card}"), "most": option.most})
            return []
        chosen[rule] = {**chosen.get(rule, {}), card: int(msg.value)}
    return _settle(model, chosen)


def _settle(model: Model, chosen: dict[str, Any]) -> Commands:
    game = PLAYABLE[model.setup.game]
    try:
        options = settle(game, len(model.setup.chairs), chosen)
    except Refused as refused:
        model.notice = refusal(refused, at_table(model))
    else:
        model.setup = replace(model.setup, options=changed_options(game, options))
    return []


def _defaults(model: Model, msg: Msg) -> Commands:
    model.setup = replace(model.setup, options={})
    return []


def _start(model: Model, msg: Msg) -> Commands:
    model.notice = None
    return [Begin(model.setup)] if options_fit(model) else []


def options_fit(model: Model) -> bool:
    """Returns True if the house rules fit the number of seats, which may have changed since; else sets a notice."""
    setup = model.setup
    try:
        settle(PLAYABLE[setup.game], len(setup.chairs), setup.options)
    except Refused as refused:
        model.notice = refusal(refused, at_table(model))
        return False
    return True


def _link(model: Model, msg: Msg) -> Commands:
    setup = model.setup
    plays = tuple(chair.plays for chair in setup.chairs)
    return [CopyLink(setup_link.write(setup_link.LinkedSetup(setup.game, plays, setup.seed, setup.options)))]


def _visited(model: Model, msg: Msg) -> Commands:
    """Follows the fragment of the address: the page was opened with it, or it has changed."""
    if model.play and msg.value == f"game={model.play.header.id}":
        return []
    try:
        link = setup_link.read(msg.value)
    except Refused as refused:
        model.play, model.notice = None, refusal(refused, At(setup_link.named_game(msg.value)), stays=True)
        return [Address("", replace=True), ListSaves()]
    if link is None:
        by_link = model.room is not None
        if model.play or by_link:
            model.play, model.room, model.dialog, model.notice = None, None, "", None
        return [*([RoomRequest(Leave())] if by_link else []), ListSaves()]
    if isinstance(link, str):
        return [Open(link)]
    if isinstance(link, setup_link.TableLink):
        if model.room and model.room.is_at(link):
            return []
        visit = MakeReply(link.fragment, followed=True) if link.is_code else Visit(link.fragment)
        return [RoomRequest(visit, model.settings)]
    chairs = new_chairs(model.t, model.names, link.plays)
    model.setup = Setup(link.game, chairs, link.options, link.seed)
    return [Address("", replace=True), Begin(model.setup)]


def _tables(model: Model, msg: Msg) -> Commands:
    model.tables = msg.data
    return []


def _forget(model: Model, msg: Msg) -> Commands:
    """Removes a table by link from the list and from this device. `arg` is its code."""
    model.tables = tuple(table for table in model.tables if table.code != msg.arg)
    model.dialog = "saves" if (model.saves or model.tables) and model.dialog else ""
    return [RoomRequest(Forget(msg.arg))]


def _delete(model: Model, msg: Msg) -> Commands:
    model.saves = tuple(save for save in model.saves if save.id != msg.arg)
    model.dialog = "saves" if (model.saves or model.tables) and model.dialog else ""
    return [Delete(msg.arg)]


def _resume(model: Model, msg: Msg) -> Commands:
    model.dialog = ""
    return [Open(msg.arg)]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    "game": _game,
    "seat.name": _on_seat(_name),
    "seat.plays": _on_seat(_plays),
    "seat.emblem": _on_seat(_emblem),
    "seat.remove": _on_seat(_remove),
    "seat.up": _on_seat(_move(-1)),
    "seat.down": _on_seat(_move(1)),
    "seat.add": _add,
    "seat.turn": _turn,
    "option": _option,
    "option.defaults": _defaults,
    "start": _start,
    "setup.link": _link,
    "visited": _visited,
    "tables": _tables,
    "table.forget": _forget,
    "save.delete": _delete,
    "save.resume": _resume,
}
