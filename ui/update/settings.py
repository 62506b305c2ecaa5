"""The messages of settings, dialogs, notices and the newer version of the page."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from ui.messages import Commands, Copy, Focus, ListSaves, LoadNewerVersion, LoadTexts, Msg, PlaySounds, Remember
from ui.model import LONGEST_ADDRESS, MOTIONS, ON_OFF, PAUSES, RELAYS, SPEEDS, THEMES, Model, Notice, Settings
from ui.text.i18n import LANGUAGES
from ui.update.tabletop import ValidEdges

CHOICES: Mapping[str, Container[str]] = {
    "theme": THEMES,
    "motion": MOTIONS,
    "speed": SPEEDS,
    "pauses": PAUSES,
    "sound": ON_OFF,
    "undo": ON_OFF,
    "top": ON_OFF,
    "edges": ValidEdges(),
    "relay": RELAYS,
    "language": tuple(LANGUAGES),
}


def _settings(model: Model, msg: Msg) -> Commands:
    """Changes a setting. `arg` is its name, the value one of its choices."""
    if msg.value not in CHOICES.get(msg.arg, ()):
        return []
    fields = {name: getattr(model.settings, name) for name in Settings.__slots__}
    model.settings = Settings(**{**fields, msg.arg: msg.value})
    commands: Commands = [Remember(model.settings, model.names)]
    if msg.arg == "top" and msg.value == "on":
        model.log_open = False  # the table gets all the room
    if msg.arg == "sound" and msg.value == "on":
        commands.append(PlaySounds(("brass",)))  # an example, so that people hear what they switched on
    if msg.arg == "language" and msg.value != model.t.language:
        commands.append(LoadTexts(msg.value))
    return commands


def _endpoint(model: Model, msg: Msg) -> Commands:
    """Sets the address of the endpoint for tables by link. It is checked only when it is used."""
    model.settings = replace(model.settings, endpoint="".join(msg.value.split())[:LONGEST_ADDRESS])
    return [Remember(model.settings, model.names)]


def _ice(model: Model, msg: Msg) -> Commands:
    model.settings = replace(model.settings, ice=" ".join(msg.value.split())[:LONGEST_ADDRESS])
    return [Remember(model.settings, model.names)]


def _texts(model: Model, msg: Msg) -> Commands:
    model.t = msg.data
    return []


def _no_texts(model: Model, msg: Msg) -> Commands:
    """The texts of the language `value` did not arrive: the page keeps the language it has."""
    if model.settings.language != msg.value:
        return []  # another one was chosen meanwhile
    model.settings = replace(model.settings, language=model.t.language)
    model.notice = Notice("settings.no_texts", {"language": LANGUAGES[msg.value]}, stays=True)
    return [Remember(model.settings, model.names)]


def _dialog(model: Model, msg: Msg) -> Commands:
    """Opens the dialog that `arg` names."""
    model.dialog = msg.arg
    return [ListSaves()] if msg.arg == "saves" else []


def _dialog_close(model: Model, msg: Msg) -> Commands:
    """Closes the dialog, else the result (a dialog too, which then stays away), else the log on a narrow window."""
    if model.dialog:
        model.dialog = ""
    elif model.play and model.play.session.over:
        model.play.result_seen = True
    elif not model.wide:
        model.log_open = False
    return []


def _result(model: Model, msg: Msg) -> Commands:
    if model.play:
        model.play.result_seen = False
    return []


def _rail(model: Model, msg: Msg) -> Commands:
    model.log_open = not model.log_open
    return []


def _wide(model: Model, msg: Msg) -> Commands:
    model.wide = bool(msg.value)
    model.log_open = model.wide and model.settings.top != "on"
    return []


def _notice_close(model: Model, msg: Msg) -> Commands:
    model.notice = None
    return []


def _copied(model: Model, msg: Msg) -> Commands:
    model.notice = Notice("app.copied")
    return []


def _uncopied(model: Model, msg: Msg) -> Commands:
    model.dialog, model.notice = f"copy:{msg.value}", None
    return []


def _copy_trouble(model: Model, msg: Msg) -> Commands:
    return [Copy(model.error_report)]


def _copy_save(model: Model, msg: Msg) -> Commands:
    return [Copy(save.text) for save in model.saves if save.id == msg.arg and not hasattr(save, "chairs")]


def _unremembered(model: Model, msg: Msg) -> Commands:
    model.storage_error = msg.value
    return []


def _newer(model: Model, msg: Msg) -> Commands:
    model.newer = True
    return []


def _no_room(model: Model, msg: Msg) -> Commands:
    """The page could not be stored for use without a network."""
    model.notice = Notice("app.no_room", stays=True)
    return []


def _newer_later(model: Model, msg: Msg) -> Commands:
    model.newer = False
    return []


def _newer_take(model: Model, msg: Msg) -> Commands:
    return [LoadNewerVersion()]


def _skip(model: Model, msg: Msg) -> Commands:
    return [Focus("id", "main")]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    "setting": _settings,
    "setting.endpoint": _endpoint,
    "setting.ice": _ice,
    "texts": _texts,
    "no_texts": _no_texts,
    "dialog": _dialog,
    "dialog.close": _dialog_close,
    "result": _result,
    "rail": _rail,
    "wide": _wide,
    "notice.close": _notice_close,
    "copied": _copied,
    "uncopied": _uncopied,
    "trouble.copy": _copy_trouble,
    "save.copy": _copy_save,
    "unremembered": _unremembered,
    "newer": _newer,
    "no_room": _no_room,
    "newer.later": _newer_later,
    "newer.take": _newer_take,
    "skip": _skip,
}
