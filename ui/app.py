"""The loop: message → update → (model, commands) → view → patch. And what happens when something goes wrong in it."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from typing import Protocol

from ui import play, setup, shelf, tabletop
from ui.i18n import LANGUAGES
from ui.model import (
    LONGEST_ADDRESS,
    MOTIONS,
    PAUSES,
    RELAYS,
    SPEEDS,
    SWITCH,
    THEMES,
    Command,
    Commands,
    Copy,
    Focus,
    Keep,
    ListSaves,
    Model,
    Msg,
    Net,
    Notice,
    Remember,
    Settings,
    Sound,
    Speak,
    TakeNewer,
    Think,
)
from ui.shell.page import title, view
from ui.tabletop import Seatings
from ui.tree import Node

CHOICES: Mapping[str, Container[str]] = {
    "theme": THEMES,
    "motion": MOTIONS,
    "speed": SPEEDS,
    "pauses": PAUSES,
    "sound": SWITCH,
    "undo": SWITCH,
    "top": SWITCH,
    "edges": Seatings(),
    "relay": RELAYS,
    "language": tuple(LANGUAGES),
}
#: messages after which the page has something to show
FIRST = ("saves", "begun", "opened", "unreadable", "room.news", "room.refused")


def _settings(model: Model, msg: Msg) -> Commands:
    """`arg` is the setting, the value one of its choices."""
    if msg.value not in CHOICES.get(msg.arg, ()):
        return []
    fields = {name: getattr(model.settings, name) for name in Settings.__slots__}
    model.settings = Settings(**{**fields, msg.arg: msg.value})
    commands: Commands = [Remember(model.settings, model.names)]
    if msg.arg == "top" and msg.value == "on":
        model.rail = False  # all the room there is
    if msg.arg == "sound" and msg.value == "on":
        commands.append(Sound(("brass",)))  # so that it is heard what was switched on
    if msg.arg == "language" and msg.value != model.t.language:
        commands.append(Speak(msg.value))
    return commands


def _endpoint(model: Model, msg: Msg) -> Commands:
    """By link: where people meet, if not where the page says. Whether it is an address is seen when it is used."""
    model.settings = replace(model.settings, endpoint="".join(msg.value.split())[:LONGEST_ADDRESS])
    return [Remember(model.settings, model.names)]


def _ice(model: Model, msg: Msg) -> Commands:
    model.settings = replace(model.settings, ice=" ".join(msg.value.split())[:LONGEST_ADDRESS])
    return [Remember(model.settings, model.names)]


def _texts(model: Model, msg: Msg) -> Commands:
    model.t = msg.data
    return []


def _dialog(model: Model, msg: Msg) -> Commands:
    """`arg` names the dialog. The result is a dialog too, and once put away it stays away."""
    model.dialog = msg.arg
    return [ListSaves()] if msg.arg == "saves" else []


def _dialog_close(model: Model, msg: Msg) -> Commands:
    if model.dialog:
        model.dialog = ""
    elif model.play and model.play.session.over:
        model.play.result_seen = True
    elif not model.wide:
        model.rail = False
    return []


def _result(model: Model, msg: Msg) -> Commands:
    if model.play:
        model.play.result_seen = False
    return []


def _rail(model: Model, msg: Msg) -> Commands:
    model.rail = not model.rail
    return []


def _wide(model: Model, msg: Msg) -> Commands:
    model.wide = bool(msg.value)
    model.rail = model.wide and model.settings.top != "on"
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
    return [Copy(model.trouble)]


def _copy_save(model: Model, msg: Msg) -> Commands:
    return [Copy(save.text) for save in model.saves if save.id == msg.arg and not hasattr(save, "chairs")]


def _unremembered(model: Model, msg: Msg) -> Commands:
    model.unkept = msg.value
    return []


def _newer(model: Model, msg: Msg) -> Commands:
    model.newer = True
    return []


def _no_room(model: Model, msg: Msg) -> Commands:
    """The page itself could not be kept."""
    model.notice = Notice("app.no_room", stays=True)
    return []


def _newer_later(model: Model, msg: Msg) -> Commands:
    model.newer = False
    return []


def _newer_take(model: Model, msg: Msg) -> Commands:
    return [TakeNewer()]


def _skip(model: Model, msg: Msg) -> Commands:
    return [Focus("id", "main")]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    **setup.UPDATES,
    **play.UPDATES,
    **tabletop.UPDATES,
    **shelf.UPDATES,
    "setting": _settings,
    "setting.endpoint": _endpoint,
    "setting.ice": _ice,
    "texts": _texts,
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


def _by_link(name: str) -> Callable[[Model, Msg], Commands] | None:
    """What has to do with tables by link is loaded when the first of it happens."""
    if not name.startswith("room."):
        return None
    from ui import room

    return room.UPDATES.get(name)


def update(model: Model, msg: Msg) -> tuple[Model, Commands]:
    """What the message changes, and what has to be done about it. A name nobody knows changes nothing."""
    handle = UPDATES.get(msg.do) or _by_link(msg.do)
    if handle is None:
        return model, []
    commands = handle(model, msg)
    if msg.do in FIRST and not any(type(c).__name__ == "Begin" or type(c).__name__ == "Open" for c in commands):
        model.ready = True
    return model, commands


def unshown(command: Command) -> bool:
    """While these are on their way there is nothing new to see: what comes of them is shown."""
    return isinstance(command, Keep | Think) or (isinstance(command, Net) and command.what == "answer")


class Surface(Protocol):
    """The page, as the loop needs it."""

    def begin(self) -> None: ...

    def patch(self, new: Node) -> int: ...

    def start_over(self, why: str) -> None: ...

    def dress(self, language: str, theme: str, motion: str, title: str) -> None: ...


class Theatre(Protocol):
    """The stage, as the loop needs it."""

    motion: str
    speed: str

    def before(self) -> None: ...

    def after(self) -> None: ...


class App:
    """Model, page and runner, joined."""

    def __init__(self, model: Model, page: Surface, stage: Theatre) -> None:
        self.model, self.page, self.stage = model, page, stage
        self.run: Callable[[Command], None] = lambda command: None
        self._shown: tuple[int, frozenset[str]] = (0, frozenset())

    def send(self, msg: Msg) -> None:
        """Something happened. Whatever goes wrong with it is shown, never left as a dead page."""
        if self.model.trouble and msg.do not in ("restart", "leave", "trouble.copy", "copied", "uncopied", *FIRST):
            return
        try:
            self.model, commands = update(self.model, msg)
            if not any(map(unshown, commands)):
                self.show()
            for command in commands:
                self.run(command)
        except Exception as error:  # noqa: BLE001  the last net: the person gets a way on
            self.fail(error)

    def show(self) -> None:
        model = self.model
        if not model.ready:
            return
        play_ = model.play
        stands = (len(play_.session.log), play_.picked) if play_ else (-1, frozenset())
        moving = stands[0] > 0 and stands != self._shown
        self._shown = stands
        self.stage.motion, self.stage.speed = model.settings.motion, model.settings.speed
        if moving:
            self.stage.before()
        self.page.begin()
        calm = "calm" if model.settings.speed == "off" else model.settings.motion
        self.page.dress(model.t.language, model.settings.theme, calm, title(model))
        self.page.patch(view(model))
        if moving:
            self.stage.after()

    def fail(self, error: BaseException) -> None:
        """Say what happened; the page is built anew, for the old one cannot be trusted any more."""
        self.model.trouble = report(self.model, error)
        self.model.ready = True
        self.page.start_over(self.model.trouble)
        self.page.begin()
        self.page.patch(view(self.model))


def report(model: Model, error: BaseException) -> str:
    """What somebody who mends it needs to know."""
    where = "".join(traceback.format_exception(error))
    at = ""
    if model.play:
        play_ = model.play
        header, session = play_.header, play_.session
        at = f"{header.game} v{header.version}, entry {len(session.log)}, {session.question.key}\n"
    return f"{at}{where}"[-6000:]
