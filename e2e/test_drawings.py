"""The drawings: each file of them is fetched once, its symbols are in the page, and nothing of them is announced."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from e2e.conftest import wait_until_ready
from e2e.guard import Guard
from e2e.table import setup_fragment

# the symbols that the page shows but does not have
MISSING = """() => [...document.querySelectorAll("#app use")].map(use => use.href.baseVal.slice(1))
    .filter(id => !document.getElementById(id))"""

#: links, and the files of drawings that they need
TABLES = {
    "": ["sprite"],
    setup_fragment("thieves", "p,b1,b1", "x"): ["sprite", "icons"],
    setup_fragment("sicilianos", "p,b1,b1", "x"): ["sprite", "icons"],
}


def expect_all_drawn(page: Page) -> None:
    page.wait_for_function(f"() => ({MISSING})().length === 0")


def test_each_file_of_drawings_is_fetched_once_when_it_is_first_shown(
    page: Page, open_app: Callable[[str], Page]
) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(re.split(r"[-.]", request.url.rpartition("/")[2])[0]))
    for fragment, wanted in TABLES.items():
        open_app(fragment)
        expect(page.locator(f'#app use[href^="#{wanted[-1]}/"]').first).to_be_attached()
        expect_all_drawn(page)
        assert [name for name in fetched if name in ("sprite", "icons")] == wanted
        fetched.clear()


def test_the_symbols_are_hidden_from_screen_readers_and_take_no_room(page: Page) -> None:
    page.goto("./")
    expect(page.locator("#drawings symbol").first).to_be_attached()
    drawings = page.locator("#drawings")
    assert drawings.evaluate("svg => [svg.getAttribute('aria-hidden'), svg.clientWidth, svg.clientHeight]") == [
        "true",
        0,
        0,
    ]
    assert drawings.evaluate("svg => svg.querySelectorAll('[style], style, script').length") == 0


def test_drawings_that_do_not_arrive_are_fetched_again(page: Page, guard: Guard) -> None:
    """Regression: the page would have stayed without its drawings until the next visit."""
    answers = iter(["failed", "empty"])

    def fail_twice(route: Route) -> None:
        match next(answers, "there"):
            case "failed":
                route.abort()
            case "empty":
                route.fulfill(body="<!doctype html><p>no drawings", content_type="text/html")
            case _:
                route.continue_()

    guard.expect("Failed to load resource: net::ERR_FAILED")
    guard.expect("Applying inline style violates")  # in the browser's own message that the second answer is no XML
    page.route("**/sprite.svg", fail_twice)
    page.goto("./")
    wait_until_ready(page)
    expect_all_drawn(page)
