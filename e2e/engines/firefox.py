"""Firefox, over WebDriver BiDi: https://w3c.github.io/webdriver-bidi/"""

from __future__ import annotations

import json
import subprocess
import time
from contextlib import ExitStack
from itertools import count
from typing import Any

from websockets.sync.client import connect

from e2e.engines.browser import LOOK_EVERY, SIZE, TIMEOUT, Browser, DriverError
from tools.engines import find_firefox

#: keep Firefox from contacting any host but ours, and from opening pages of its own
PREFERENCES: dict[str, bool | int | str] = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.input_events.security.minNumTicks": 0,  # input counts at once after the page was painted
    "extensions.update.enabled": False,
    "focusmanager.testmode": True,  # the page has the focus, also in a window that is not in front
    "intl.accept_languages": "en",
    "media.peerconnection.ice.obfuscate_host_addresses": False,  # there is no multicast DNS on test machines
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,  # BiDi only
    "services.settings.server": "data:,none",
    "toolkit.telemetry.server": "data:,",
}


class Firefox(Browser):
    def __init__(self) -> None:
        super().__init__()
        self.numbers, self.problems = count(1), list[str]()
        self.connection = ExitStack()

    def launch(self) -> None:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        (self.home / "user.js").write_text("".join(lines), "utf-8")
        path = find_firefox()
        assert path
        process = self.start(
            path, "--headless", "--no-remote", "--profile", str(self.home), "--remote-debugging-port=0", "about:blank",
            MOZ_HEADLESS_WIDTH="1600", MOZ_HEADLESS_HEIGHT="1400",
        )  # fmt: skip
        address = self._address(process)
        self.socket = self.connection.enter_context(connect(address, max_size=None))
        self.version = str(self.command("session.new", capabilities={})["capabilities"]["browserVersion"])
        self.command("session.subscribe", events=["log.entryAdded"])
        # a window of its own: in the first tab the address bar has the focus, and gets the keys
        self.context = self.command("browsingContext.create", type="window")["context"]
        self.command("browsingContext.activate", context=self.context)
        width, height = SIZE
        self.command("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def _address(self, process: subprocess.Popen[bytes]) -> str:
        """Returns where Firefox listens, once it has written that into its profile."""
        file = self.home / "WebDriverBiDiServer.json"
        end = time.monotonic() + TIMEOUT
        while not file.exists() or not file.read_text("utf-8").endswith("}"):
            assert process.poll() is None, self.log()
            assert time.monotonic() < end, self.log()
            time.sleep(LOOK_EVERY)
        told = json.loads(file.read_text("utf-8"))
        return f"ws://{told['ws_host']}:{told['ws_port']}/session"

    def command(self, method: str, **parameters: Any) -> Any:
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=TIMEOUT))
            if message.get("id") != number:
                self._note(message)
            elif message["type"] == "error":
                raise DriverError(f"{method}: {message['message']}")
            else:
                return message["result"]

    def _note(self, event: dict[str, Any]) -> None:
        entry = event.get("params", {})
        if event.get("method") == "log.entryAdded" and entry["level"] == "error":
            self.problems.append(str(entry["text"]))

    def go(self, address: str) -> None:
        self.command("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def reload(self) -> None:
        self.command("browsingContext.reload", context=self.context, wait="complete")

    def run(self, body: str, *arguments: Any) -> Any:
        function = f"(async function () {{ {body} }}).apply(null, {json.dumps(arguments)})"
        found = self.command(
            "script.evaluate",
            expression=f"{function}.then(value => JSON.stringify(value ?? null))",
            target={"context": self.context},
            awaitPromise=True,
        )
        if found["type"] == "exception":
            raise DriverError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self.command("input.performActions", context=self.context, actions=actions)

    def errors(self) -> list[str]:
        self.command("session.status")  # what was logged before has arrived with the answer
        return self.problems

    def close(self) -> None:
        self.connection.close()
        super().close()
