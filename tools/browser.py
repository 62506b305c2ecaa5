"""A Chromium to test with: Playwright's own, else the system's, else Debian's package."""

import shutil
from pathlib import Path

from tools.env import apt_install
from tools.places import Stop

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def playwrights_own() -> str:
    """Where Playwright would have its browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def find(own: str) -> str | None:
    """`own` (see above) when it is there, else a browser of the system."""
    by_name = (path for name in NAMES if (path := shutil.which(name)))
    return next((path for path in (own, *by_name, *PLACES) if Path(path).is_file()), None)


def prepare() -> str:
    """Have a Chromium; gives back its path."""
    own = playwrights_own()
    path = find(own)
    if path is None and apt_install("chromium"):
        path = find(own)
    if path is None:
        raise Stop("No Chromium found: install chromium (or Google Chrome) and try again.")
    return path
