"""Firefox and WebKit for the tests, which need them beside Chromium: the machine's own, else Debian's packages."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from tools.environments import apt_install
from tools.paths import ToolError, report

FIREFOXES = ("firefox-esr", "firefox")
FIREFOX_PLACES = ("/Applications/Firefox.app/Contents/MacOS/firefox",)
#: WebKitGTK's window for tests, which no distribution puts on the search path
MINI_BROWSERS = ("lib/*/webkit2gtk-4.*/MiniBrowser", "lib*/webkit2gtk-4.*/MiniBrowser")
#: WebKit's driver, and a screen for its window
WEBKIT_PROGRAMS = ("WebKitWebDriver", "Xvfb")


class Engine(NamedTuple):
    """A browser engine with which the page is tested if it is there."""

    title: str
    find: Callable[[], str | None]  # returns the path of the browser, or None if something it needs is missing
    packages: tuple[str, ...]  # Debian's

    @property
    def advice(self) -> str:
        return f"apt-get install {' '.join(self.packages)}"


def find_firefox() -> str | None:
    found = (path for name in FIREFOXES if (path := shutil.which(name)))
    return next((path for path in (*found, *FIREFOX_PLACES) if Path(path).is_file()), None)


def find_webkit() -> str | None:
    if not all(map(shutil.which, WEBKIT_PROGRAMS)):
        return None
    return next((str(path) for place in MINI_BROWSERS for path in sorted(Path("/usr").glob(place))), None)


ENGINES: Mapping[str, Engine] = {
    "firefox": Engine("Firefox", find_firefox, ("firefox-esr",)),
    "webkit": Engine("WebKitGTK", find_webkit, ("webkit2gtk-driver", "xvfb")),
}


def prepare() -> None:
    """Installs the engines that are missing, where this user may. Else the tests of an engine are skipped, and the run
    says so at its end."""
    for engine in ENGINES.values():
        if engine.find() is None:
            try:
                apt_install(*engine.packages)
            except ToolError as error:
                report(str(error))
            if engine.find() is None:
                report(missing(engine))


def missing(engine: Engine) -> str:
    return f"{engine.title} is missing, so the page is not tested with it. On Debian: {engine.advice}"


def summary(tested: Collection[str]) -> list[str]:
    """Returns the lines for the end of a run that has tested these engines, each with its version."""
    absent = [missing(engine) for engine in ENGINES.values() if engine.find() is None]
    return [f"The page was tested with {name}." for name in sorted(tested)] + absent
