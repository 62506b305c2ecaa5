"""Drivers of the browsers that Playwright does not drive here: Firefox and WebKitGTK as their users get them."""

from __future__ import annotations

from e2e.engines.browser import Browser
from e2e.engines.firefox import Firefox
from e2e.engines.webkit import WebKit

DRIVERS: dict[str, type[Browser]] = {"firefox": Firefox, "webkit": WebKit}
