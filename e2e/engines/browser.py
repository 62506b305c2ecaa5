"""The interface of both drivers: one browser process with an empty profile and one page."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

TIMEOUT = 120  # seconds: long enough for a busy machine
LOOK_EVERY = 0.05  # seconds between two looks at a condition
#: keys as WebDriver names them
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008"}
SIZE = (1180, 820)  # width and height of the page
STEPS = 8  # pointer moves of a drag
#: returns the middle of the first visible element
MIDDLE = """
const node = [...document.querySelectorAll(arguments[0])].find(each => each.checkVisibility());
if (!node) return null;
node.scrollIntoView({ block: "nearest", inline: "nearest" });
const box = node.getBoundingClientRect();
return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
"""


class DriverError(Exception):
    """The browser could not carry out a command; for example, the page is just being loaded."""


class Browser(ABC):
    """A browser. Its processes run from `launch` to `close`."""

    version = ""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="speakeasy-"))
        self.processes: list[subprocess.Popen[bytes]] = []

    @abstractmethod
    def launch(self) -> None:
        """Starts the browser with one page of the size `SIZE`. Whatever happens, `close` ends what was started."""

    @abstractmethod
    def go(self, address: str) -> None:
        """Opens an address, and waits until the page is loaded."""

    @abstractmethod
    def reload(self) -> None: ...

    @abstractmethod
    def run(self, body: str, *arguments: Any) -> Any:
        """Runs the body of an async function in the page and returns its result, which must be JSON. Raises
        `DriverError`."""

    @abstractmethod
    def perform(self, actions: list[dict[str, Any]]) -> None:
        """Performs actions of the WebDriver standard: of a pointer or of keys."""

    @abstractmethod
    def errors(self) -> list[str]:
        """Returns the errors that the page has reported, as far as this driver is told of them."""

    def close(self) -> None:
        """Ends the processes that this object has started, and deletes the profile."""
        for process in reversed(self.processes):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self, *command: str, pass_fds: tuple[int, ...] = (), **environment: str) -> subprocess.Popen[bytes]:
        """Starts a process that lives as long as this browser, in a process group of its own."""
        with (self.home / "log").open("ab") as log:
            process = subprocess.Popen(
                command,
                env={**os.environ, "HOME": str(self.home), "LANG": "C.UTF-8", "LANGUAGE": "en", **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=pass_fds,
            )
        self.processes.append(process)
        return process

    def log(self) -> str:
        """Returns what the browser itself has printed last."""
        return (self.home / "log").read_text("utf-8", "replace")[-2000:]

    # Conditions

    def wait_for(self, condition: Callable[[], Any]) -> Any:
        """Waits until the condition is true, and returns its value. Errors of a page that is being loaded count as
        false."""
        end = time.monotonic() + TIMEOUT
        trouble = ""
        while time.monotonic() < end:
            try:
                if value := condition():
                    return value
            except DriverError as error:
                trouble = str(error)
            time.sleep(LOOK_EVERY)
        raise AssertionError(f"{trouble}\n{self.describe()}\n{self.log()}")

    def until(self, expression: str, *arguments: Any) -> Any:
        """Waits until a JavaScript expression in the page is true, and returns its value."""
        return self.wait_for(lambda: self.run(f"return {expression}", *arguments))

    def describe(self) -> str:
        try:
            return str(self.run("return document.body.innerText.slice(0, 1500) + JSON.stringify(app.dataset)"))
        except DriverError as error:
            return str(error)

    # Actions of a person

    def middle(self, selector: str) -> tuple[int, int]:
        """Returns the middle of the first visible element, once there is one."""
        x, y = self.wait_for(lambda: self.run(MIDDLE, selector))
        return x, y

    def click(self, selector: str) -> None:
        self.perform([_pointer(_move(self.middle(selector)), {"type": "pointerDown", "button": 0}, UP)])

    @contextmanager
    def held(self, selector: str) -> Iterator[None]:
        """Holds the pointer down on an element."""
        self.perform([_pointer(_move(self.middle(selector)), {"type": "pointerDown", "button": 0})])
        yield
        self.perform([_pointer(UP)])

    def drag(self, selector: str, target: str) -> None:
        """Drags an element to another one, whose place may come to the front only meanwhile."""
        start = self.middle(selector)
        self.perform([_pointer(_move(start), {"type": "pointerDown", "button": 0})])
        end = self.middle(target)
        for step in range(1, STEPS + 1):
            place = tuple(round(a + (b - a) * step / STEPS) for a, b in zip(start, end, strict=True))
            self.perform([_pointer(_move((place[0], place[1])))])
        self.perform([_pointer(UP)])

    def press(self, *keys: str) -> None:
        """Presses a key, or several at the same time: `press("Shift", "Tab")`."""
        values = [KEYS.get(key, key) for key in keys]
        actions = [{"type": "keyDown", "value": value} for value in values]
        actions += [{"type": "keyUp", "value": value} for value in reversed(values)]
        self.perform([{"type": "key", "id": "keys", "actions": actions}])


UP = {"type": "pointerUp", "button": 0}


def _move(place: tuple[int, int]) -> dict[str, Any]:
    return {"type": "pointerMove", "x": place[0], "y": place[1], "duration": 0}


def _pointer(*actions: dict[str, Any]) -> dict[str, Any]:
    return {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(actions)}
