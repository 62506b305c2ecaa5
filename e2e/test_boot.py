"""The start: painted before Python, awake under the content security policy, in words when it fails."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.conftest import ready
from e2e.guard import Guard

PAINTS = "performance.getEntriesByType('paint').map(entry => entry.name)"
LOADED = "performance.getEntriesByType('resource').map(entry => entry.name.split('/').pop())"


def test_python_takes_the_page_over(open_app: Callable[[], Page]) -> None:
    expect(open_app().locator("[data-ready]")).to_be_visible()


def test_the_first_screen_is_painted_before_python_is_awake(page: Page) -> None:
    held: list[Route] = []
    page.route("**/pyodide.asm.wasm", lambda route: held.append(route))
    page.goto("./")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[data-ready]")).not_to_be_attached()
    page.evaluate("new Promise(painted => requestAnimationFrame(() => setTimeout(painted)))")
    assert "first-contentful-paint" in page.evaluate(PAINTS)
    for route in held:
        route.continue_()
    page.unroute("**/pyodide.asm.wasm")
    ready(page)


def test_micropip_is_not_on_the_way_to_the_table(open_app: Callable[[], Page]) -> None:
    loaded = open_app().evaluate(LOADED)
    assert [name for name in loaded if name.startswith("app-")]
    assert [name for name in loaded if name.endswith(".whl")] == []


def test_every_file_is_asked_for_once(open_app: Callable[[], Page], guard: Guard) -> None:
    open_app()
    asked = [address for address in guard.requests if address.startswith("http")]
    assert sorted(asked) == sorted(set(asked))


@pytest.mark.parametrize(
    "missing",
    [
        "pyscript-*/core.js",
        "pyscript-*/core-*.js",
        "pyscript-*/error-*.js",
        "pyodide-*/pyodide.mjs",
        "pyodide-*/pyodide.asm.mjs",
        "pyodide-*/pyodide.asm.wasm",
        "pyodide-*/python_stdlib.zip",
        "app-*.zip",
    ],
)
def test_a_start_that_fails_says_so_and_offers_another_try(missing: str, page: Page, guard: Guard) -> None:
    guard.expect("Failed to load resource")
    guard.expect(".*")
    page.route(f"**/{missing}", lambda route: route.abort())
    page.goto("./")
    note = page.get_by_role("alert")
    expect(note).to_be_visible()
    expect(note.locator("[data-cause]")).not_to_be_empty()
    page.unroute(f"**/{missing}")
    note.get_by_role("button").click()
    ready(page)
    expect(page.locator("#boot-failed")).to_be_hidden()
