"""WebKitGTK on a virtual screen, over WebDriver: https://www.w3.org/TR/webdriver2/"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from e2e.engines.browser import SIZE, TIMEOUT, Browser, DriverError
from tools.engines import find_webkit


class WebKit(Browser):
    def __init__(self) -> None:
        super().__init__()
        self.port = _free_port()
        self.address, self.session = f"http://127.0.0.1:{self.port}", ""

    def launch(self) -> None:
        self.start(
            "WebKitWebDriver", f"--port={self.port}",
            DBUS_SESSION_BUS_ADDRESS="disabled:",  # there is none, and none is needed
            DISPLAY=self._screen(),
            GDK_BACKEND="x11",
            LIBGL_ALWAYS_SOFTWARE="1",
            NO_AT_BRIDGE="1",  # no accessibility bus, which would be started otherwise
            WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",  # root, and containers, have none; only our pages are opened
            XDG_CACHE_HOME=str(self.home / "cache"),
            XDG_CONFIG_HOME=str(self.home / "config"),
            XDG_DATA_HOME=str(self.home / "data"),
        )  # fmt: skip
        self.wait_for(lambda: self.command("GET", "/status")["ready"])
        browser = {"binary": find_webkit(), "args": ["--automation"]}
        wanted = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": browser}
        made = self.command("POST", "/session", capabilities={"alwaysMatch": wanted})
        self.session, self.version = f"/session/{made['sessionId']}", str(made["capabilities"]["browserVersion"])
        self.command("POST", "/timeouts", script=TIMEOUT * 1000, pageLoad=TIMEOUT * 1000)
        self._resize(*SIZE)

    def _screen(self) -> str:
        """Starts a virtual screen, which chooses a free number itself, and returns its name."""
        reading, writing = os.pipe()
        screen = ("-screen", "0", "1600x1400x24", "-nolisten", "tcp")
        self.start("Xvfb", "-displayfd", str(writing), *screen, pass_fds=(writing,))
        os.close(writing)
        with os.fdopen(reading) as number:
            return f":{number.readline().strip()}"

    def _resize(self, width: int, height: int) -> None:
        """Makes the page this large: the window's frame comes on top."""
        self.command("POST", "/window/rect", width=width, height=height)

        def fits() -> bool:
            inner = self.run("return [innerWidth, innerHeight]")
            if inner == [width, height]:
                return True
            rect = self.command("GET", "/window/rect")
            larger = {"width": rect["width"] + width - inner[0], "height": rect["height"] + height - inner[1]}
            self.command("POST", "/window/rect", **larger)
            return False

        self.wait_for(fits)

    def command(self, method: str, path: str, **parameters: Any) -> Any:
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = Request(
            f"{self.address}{self.session}{path}", body, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urlopen(request, timeout=2 * TIMEOUT) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise DriverError(error.read().decode()[:600]) from None
        except OSError as error:  # it is not there yet, or gone
            raise DriverError(str(error)) from None

    def go(self, address: str) -> None:
        self.command("POST", "/url", url=address)

    def reload(self) -> None:
        self.command("POST", "/refresh")

    def run(self, body: str, *arguments: Any) -> Any:
        script = f"""const done = arguments[arguments.length - 1];
            (async function () {{ {body} }}).apply(null, [...arguments].slice(0, -1))
                .then(value => done([value ?? null, ""]), error => done([null, String(error)]));"""
        value, error = self.command("POST", "/execute/async", script=script, args=list(arguments))
        if error:
            raise DriverError(error)
        return value

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self.command("POST", "/actions", actions=actions)

    def errors(self) -> list[str]:
        return []  # its driver does not tell

    def close(self) -> None:
        if self.session:
            with suppress(DriverError):
                self.command("DELETE", "")
        super().close()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
