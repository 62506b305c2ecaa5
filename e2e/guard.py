"""The guard: it watches every page of every test for errors, so that none goes unnoticed."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

INSIDE = ("data:", "blob:", "about:")


class Guard:
    """Collects console errors (violations of the content security policy included), page errors and requests to other
    hosts."""

    def __init__(self, site: str) -> None:
        self.origin = urlsplit(site)[:2]
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        self._allowed: list[re.Pattern[str]] = []

    def watch(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)

    def leave(self, context: BrowserContext) -> None:
        """Ends the watch."""
        context.remove_listener("console", self._console)
        context.remove_listener("weberror", self._error)
        context.remove_listener("request", self._request)

    def origins(self) -> set[str]:
        """Returns the origins of all requests so far, such as "http://127.0.0.1:8000"."""
        parts = [urlsplit(request) for request in self.requests if not request.startswith(INSIDE)]
        return {f"{each.scheme}://{each.netloc}" for each in parts}

    def expect(self, pattern: str) -> None:
        """Declares a problem that the test causes on purpose; it has to happen."""
        self._expected.append(re.compile(pattern))

    def allow(self, pattern: str) -> None:
        """Declares a problem that may happen, for example because it may come after the test is over."""
        self._allowed.append(re.compile(pattern))

    def check(self) -> None:
        """Raises AssertionError if an undeclared problem happened, or an expected one did not."""
        unmet = [p.pattern for p in self._expected if not any(p.search(text) for text in self.problems)]
        known = self._expected + self._allowed
        rest = [text for text in self.problems if not any(p.search(text) for p in known)]
        if rest or unmet:
            raise AssertionError("\n".join([*rest, *(f"expected, and did not happen: {words}" for words in unmet)]))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            place = message.location
            self.problems.append(f"console: {message.text} ({place['url']}:{place['lineNumber']})")

    def _error(self, error: WebError) -> None:
        self.problems.append(f"page: {error.error.message}\n{error.error.stack}")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith(INSIDE) and urlsplit(request.url)[:2] != self.origin:
            self.problems.append(f"foreign request: {request.url}")
