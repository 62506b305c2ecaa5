"""Browser contexts that are kept from test to test, and emptied in between.

A new context has a renderer process of its own, in which Pyodide's WebAssembly is compiled anew: a third of a page's
start. All pages of a kept context run in one process (the browser is started with `--process-per-site`), and one page
stays open in it, so that the process goes on and has the compiled code.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

#: a page of the site that loads nothing, not even the icon that browsers ask for
EMPTY_PAGE = '<!doctype html><title>kept</title><link rel="icon" href="data:,">'
MOST_FREE = 6  # contexts kept open for later tests; each holds the memory of a renderer process


class Kept(NamedTuple):
    """A context, with the page that keeps its process alive.

    What Playwright cannot undo would reach later tests: scripts that run first (`add_init_script`) and exposed
    functions belong to a page, not to its context.
    """

    context: BrowserContext
    page: Page
    session: CDPSession
    options: dict[str, Any]

    @property
    def is_usable(self) -> bool:
        return not self.page.is_closed()

    def empty(self, origins: Collection[str]) -> None:
        """Closes the pages of the test, and deletes what they have stored for these origins."""
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.session.send("ServiceWorker.enable")
        self.session.send("ServiceWorker.stopAllWorkers")
        for origin in origins:
            self.session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self.session.send("Network.clearBrowserCache")
        self.context.clear_cookies()
        self.context.clear_permissions()
        if "permissions" in self.options:
            self.context.grant_permissions(self.options["permissions"])
        self.context.unroute_all()

    def has_ended_workers(self) -> bool:
        """Waits until service workers have ended: one that still fetches files would do so in the next test. Returns
        False if one goes on."""
        for _ in range(100):
            if not self.context.service_workers:
                return True
            self.page.wait_for_timeout(10)
        return False


class KeptContexts:
    """The contexts of one browser that no test uses now."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser, self.address = browser, f"{site}kept"
        self.free: list[Kept] = []

    def take(self, options: dict[str, Any]) -> Kept:
        """Returns an empty context with these options."""
        for kept in self.free:
            if kept.options == options:
                self.free.remove(kept)
                return kept
        context = self.browser.new_context(**options)
        page = context.new_page()
        page.route(self.address, lambda route: route.fulfill(body=EMPTY_PAGE, content_type="text/html"))
        page.goto(self.address)
        return Kept(context, page, context.new_cdp_session(page), options)

    def give_back(self, kept: Kept, origins: Collection[str]) -> None:
        """Empties the context and keeps it for another test. One is closed instead if its page has crashed or was
        closed, or if a service worker does not end."""
        if kept.is_usable:
            kept.empty(origins)
        if not kept.is_usable or not kept.has_ended_workers():
            kept.context.close()
            return
        self.free.append(kept)
        if len(self.free) > MOST_FREE:
            self.free.pop(0).context.close()
