"""A Chromium for the tests: Playwright's own, else the system's, else Debian's package."""

import shutil
from pathlib import Path

from tools.environments import apt_install
from tools.paths import ToolError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def playwright_path() -> str:
    """Returns the path at which Playwright expects its browser; there may be no file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def find_browser(expected: str) -> str | None:
    """Returns `own` (see above) if that file exists, else the path of a browser of the system, or None."""
    by_name = (path for name in NAMES if (path := shutil.which(name)))
    return next((path for path in (expected, *by_name, *PLACES) if Path(path).is_file()), None)


def prepare() -> str:
    """Makes sure that there is a Chromium and returns its path. Raises Stop if none can be had."""
    expected = playwright_path()
    path = find_browser(expected)
    if path is None and apt_install("chromium"):
        path = find_browser(expected)
    if path is None:
        raise ToolError("No Chromium found: install chromium (or Google Chrome) and try again.")
    return path
