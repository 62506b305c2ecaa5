"""Nothing goes wrong unseen: what every page of every test is watched for."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

INSIDE = ("data:", "blob:", "about:")


class Guard:
    """Collects console errors (policy violations are among them), page errors and foreign requests."""

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

    def expect(self, pattern: str) -> None:
        """A test that breaks something on purpose says which words it causes; they have to come."""
        self._expected.append(re.compile(pattern))

    def allow(self, pattern: str) -> None:
        """The same for words that may come after the test is over."""
        self._allowed.append(re.compile(pattern))

    def settle(self) -> None:
        """What was not expected, or was expected and did not happen, fails the test."""
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
