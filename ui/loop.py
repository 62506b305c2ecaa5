"""The loop of the page: message → update → (model, commands) → view → patch; and the handling of errors in it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Protocol

from peer.table.commands import GiveAnswer
from ui.html.tree import Node
from ui.messages import Begin, Command, Commands, Keep, Msg, Open, RoomRequest, Think
from ui.model import Model
from ui.update import lobby, saves, settings, table, tabletop
from ui.view.page import title, view

#: messages that are accepted while an error is shown, besides first results
WAYS_OUT = ("restart", "leave", "trouble.copy", "copied", "uncopied")
#: results after which the page can be shown for the first time; of the events of a table by link see `is_first_result`
FIRST_RESULTS = ("saves", "begun", "opened", "unreadable")


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    **lobby.UPDATES,
    **table.UPDATES,
    **tabletop.UPDATES,
    **saves.UPDATES,
    **settings.UPDATES,
}


def _room_handler(name: str) -> Callable[[Model, Msg], Commands] | None:
    """Returns the handler of a message of tables by link. Their code is loaded when the first such message comes."""
    if not name.startswith("room."):
        return None
    from ui.update import room

    return room.UPDATES.get(name)


def is_first_result(msg: Msg) -> bool:
    """Returns True if the page can be shown for the first time after this message."""
    if msg.do != "room.event":
        return msg.do in FIRST_RESULTS
    from peer.table.news import News, Refusal  # loaded already, by the code that sends this message

    return isinstance(msg.data, News | Refusal)


def update(model: Model, msg: Msg) -> tuple[Model, Commands]:
    """Applies the message to the model; returns the model and the commands that follow. Ignores unknown messages."""
    handle = UPDATES.get(msg.do) or _room_handler(msg.do)
    if handle is None:
        return model, []
    commands = handle(model, msg)
    if is_first_result(msg) and not any(isinstance(command, Begin | Open) for command in commands):
        model.ready = True
    return model, commands


def defers_drawing(command: Command) -> bool:
    """Returns True if the page need not be drawn before the result of the command: the result will be drawn."""
    return isinstance(command, Keep | Think) or (
        isinstance(command, RoomRequest) and isinstance(command.command, GiveAnswer)
    )


class PageProtocol(Protocol):
    """The page, as the loop uses it."""

    def mark_start(self) -> None: ...

    def patch(self, new: Node) -> int: ...

    def start_over(self, reason: str) -> None: ...

    def set_document(self, language: str, theme: str, motion: str, endpoint: str, title: str) -> None: ...


class AnimatorProtocol(Protocol):
    """The animator, as the loop uses it."""

    motion: str
    speed: str

    def before_patch(self) -> None: ...

    def after_patch(self) -> None: ...


class App:
    """Connects model, page, animator and runner."""

    def __init__(self, model: Model, page: PageProtocol, animator: AnimatorProtocol) -> None:
        self.model, self.page, self.animator = model, page, animator
        self.run: Callable[[Command], None] = lambda command: None
        self._shown_state: tuple[int, frozenset[str]] = (0, frozenset())

    def send(self, msg: Msg) -> None:
        """Applies a message, shows the model and runs the commands. Shows any error, so that the page never goes dead.

        While an error is shown, only messages that lead out of it are accepted.
        """
        if self.model.error_report and msg.do not in WAYS_OUT and not is_first_result(msg):
            return
        try:
            self.model, commands = update(self.model, msg)
            if not any(map(defers_drawing, commands)):
                self.show()
            for command in commands:
                self.run(command)
        except Exception as error:  # noqa: BLE001  the last resort: the person gets a way to go on
            self.fail(error)

    def show(self) -> None:
        model = self.model
        if not model.ready:
            return
        play = model.play
        state = (len(play.session.log), play.picked) if play else (-1, frozenset())
        animated = state[0] > 0 and state != self._shown_state
        self._shown_state = state
        self.animator.motion, self.animator.speed = model.settings.motion, model.settings.speed
        if animated:
            self.animator.before_patch()
        self.page.mark_start()
        motion = "calm" if model.settings.speed == "off" else model.settings.motion
        settings = model.settings
        self.page.set_document(model.t.language, settings.theme, motion, settings.endpoint, title(model))
        self.page.patch(view(model))
        if animated:
            self.animator.after_patch()

    def fail(self, error: BaseException) -> None:
        """Shows the error. The page is built anew, because its old state cannot be trusted any more."""
        self.model.error_report = error_report(self.model, error)
        self.model.ready = True
        self.page.start_over(self.model.error_report)
        self.page.mark_start()
        self.page.patch(view(self.model))


def error_report(model: Model, error: BaseException) -> str:
    """Returns the text of an error report: game, entry and question if a game runs, and the end of the traceback."""
    trace = "".join(traceback.format_exception(error))
    position = ""
    if model.play:
        play = model.play
        header, session = play.header, play.session
        position = f"{header.game} v{header.version}, entry {len(session.log)}, {session.question.key}\n"
    return f"{position}{trace}"[-6000:]
