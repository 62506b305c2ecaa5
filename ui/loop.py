"""The loop: message → update → (model, commands) → view → patch. And what happens when something goes wrong in it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Protocol

from ui.html.tree import Node
from ui.messages import Command, Commands, Keep, Msg, Net, Think
from ui.model import Model
from ui.update import lobby, saves, settings, table, tabletop
from ui.view.page import title, view

#: messages after which the page has something to show
FIRST = ("saves", "begun", "opened", "unreadable", "room.news", "room.refused")


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    **lobby.UPDATES,
    **table.UPDATES,
    **tabletop.UPDATES,
    **saves.UPDATES,
    **settings.UPDATES,
}


def _by_link(name: str) -> Callable[[Model, Msg], Commands] | None:
    """What has to do with tables by link is loaded when the first of it happens."""
    if not name.startswith("room."):
        return None
    from ui.update import room

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
