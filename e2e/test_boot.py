"""The start of the page: painted before Python has started, running under the content security policy, and with a
message when it fails."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.conftest import wait_until_ready
from e2e.guard import Guard

PAINTS = "performance.getEntriesByType('paint').map(entry => entry.name)"
LOADED = "performance.getEntriesByType('resource').map(entry => entry.name.split('/').pop())"

ARRIVED = """bar => new Promise(done => {
    const ask = () => bar.value > 0.2 ? done(bar.value) : setTimeout(ask, 20);
    ask();
})"""


def test_python_takes_over_the_page(open_app: Callable[[], Page]) -> None:
    expect(open_app().locator("[data-ready]")).to_be_visible()


def test_the_first_screen_is_painted_before_python_has_started(page: Page) -> None:
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
    wait_until_ready(page)


def test_webassembly_stack_switching_is_not_used(open_app: Callable[[], Page]) -> None:
    """Not every browser has stack switching, so Pyodide runs the callbacks of Python's loop without it everywhere."""
    assert not open_app().evaluate("'Suspending' in WebAssembly")


def test_micropip_is_not_loaded_at_the_start(open_app: Callable[[], Page]) -> None:
    loaded = open_app().evaluate(LOADED)
    assert [name for name in loaded if name.startswith("app-")]
    assert [name for name in loaded if name.endswith(".whl")] == []


def test_every_file_is_requested_once(open_app: Callable[[], Page], guard: Guard) -> None:
    open_app()
    asked = [address for address in guard.requests if address.startswith("http")]
    assert sorted(asked) == sorted(set(asked))


def open_held_back(page: Page) -> Callable[[], None]:
    """Opens the page with Python held back, and returns a function that lets it start."""
    held: list[Route] = []
    page.route("**/pyodide.asm.wasm", lambda route: held.append(route))
    page.goto("./")
    expect(page.get_by_role("progressbar", name="Waking the house")).to_be_visible()

    def wake() -> None:
        for route in held:
            route.continue_()
        page.unroute("**/pyodide.asm.wasm")
        wait_until_ready(page)

    return wake


def test_choices_made_before_python_has_started_are_carried_out(page: Page) -> None:
    wake = open_held_back(page)
    page.get_by_role("textbox", name="Name at seat 2").fill("Zelda")
    page.get_by_role("combobox", name="How well Milo plays").select_option("b1")
    page.locator("[name=plays-bee][value=p]").check(force=True)
    page.get_by_role("button", name="Add a seat").click()
    pressed = page.get_by_role("button", name="Remove Milo")
    pressed.click()
    expect(pressed).to_have_attribute("aria-busy", "true")
    expect(page.locator("[aria-busy]")).to_have_count(1)
    wake()
    expect(page.locator(".seats li")).to_have_count(3)
    expect(page.get_by_role("textbox", name="Name at seat 2")).to_have_value("Zelda")
    expect(page.locator("[name=plays-bee][value=p]")).to_be_checked()
    expect(page.locator("[aria-busy]")).to_have_count(0)


def test_pressing_start_before_python_has_started_opens_the_table(page: Page) -> None:
    wake = open_held_back(page)
    page.locator("[name=start]").check(force=True)
    expect(page.get_by_text("Lighting the lamps …")).to_be_visible()
    wake()
    expect(page.locator("#app")).to_have_attribute("data-screen", "table")


def test_the_progress_bar_shows_the_share_of_files_that_has_arrived(page: Page) -> None:
    wake = open_held_back(page)
    bar = page.get_by_role("progressbar", name="Waking the house")
    # the library and the app have arrived, the large file has not
    assert 0.2 < bar.evaluate(ARRIVED) < 0.6
    wake()
    expect(bar).to_be_hidden()


def test_a_browser_without_webassembly_gets_a_message(page: Page, guard: Guard) -> None:
    guard.allow("WebAssembly")
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto("./")
    expect(page.get_by_role("alert")).to_contain_text("This browser cannot run Python")


def test_a_script_that_does_not_load_is_reported(page: Page, guard: Guard) -> None:
    guard.expect("Failed to load resource")
    page.route("**/core.js", lambda route: route.abort())
    page.goto("./")
    expect(page.get_by_role("alert")).to_contain_text("One of this page’s own scripts did not arrive")


def test_a_page_that_is_offline_and_not_cached_shows_a_message(page: Page, guard: Guard) -> None:
    guard.expect(".")
    page.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    page.route("**/app-*.zip", lambda route: route.abort())
    page.goto("./")
    expect(page.get_by_role("alert")).to_contain_text("There is no network, and the page is not on this device yet")


def test_a_page_whose_scripts_do_not_load_shows_a_message_after_a_while(page: Page, guard: Guard) -> None:
    guard.expect("Failed to load resource")
    page.route("**/*.js", lambda route: route.abort())
    page.goto("./")
    slow = page.locator("#slow")
    expect(slow).to_be_hidden()
    page.evaluate("document.getAnimations().find(each => each.animationName === 'slow').finish()")
    expect(slow).to_be_visible()


@pytest.mark.sample(1)
@pytest.mark.parametrize("file", ["pyodide-*/python_stdlib.zip", "app-*.zip"])
def test_a_truncated_file_is_reported_and_a_retry_repairs_it(file: str, page: Page, guard: Guard) -> None:
    guard.expect(".")
    page.route(f"**/{file}", lambda route: route.fulfill(body=route.fetch().body()[:20_000]))
    page.goto("./")
    note = page.get_by_role("alert")
    expect(note).to_contain_text("A file did not arrive as it should")
    page.unroute(f"**/{file}")
    note.get_by_role("button").click()
    wait_until_ready(page)


@pytest.mark.sample(2)
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
def test_a_start_that_fails_shows_a_message_and_offers_a_retry(missing: str, page: Page, guard: Guard) -> None:
    guard.expect("Failed to load resource")
    guard.expect(".*")
    page.route(f"**/{missing}", lambda route: route.abort())
    page.goto("./")
    note = page.get_by_role("alert")
    expect(note).to_be_visible()
    expect(note.locator("[data-cause]")).not_to_be_empty()
    page.unroute(f"**/{missing}")
    note.get_by_role("button").click()
    wait_until_ready(page)
    expect(page.locator("#boot-failed")).to_be_hidden()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("reads", "chosen", "said"),
    [
        (["hu-HU", "en"], None, "Az asztalt nem sikerült megteríteni."),
        (["xx", "fr-CA"], None, "La table n’a pas pu être mise."),
        (["hu", "en"], "pl", "Nie udało się nakryć do stołu."),
        (["nl"], "constructor", "De tafel kon niet worden gedekt."),
        (["xx"], None, "The table could not be set."),
    ],
)
def test_messages_before_python_has_started_are_in_the_persons_language(
    reads: list[str], chosen: str | None, said: str, page: Page, guard: Guard
) -> None:
    guard.expect(".")
    page.add_init_script(f"Object.defineProperty(navigator, 'languages', {{ get: () => {reads} }})")
    if chosen:
        page.add_init_script(f"localStorage.setItem('language', '{chosen}')")
    page.route("**/app-*.zip", lambda route: route.abort())
    page.goto("./")
    expect(page.get_by_role("alert")).to_contain_text(said)


def test_the_chosen_language_is_used_before_python_has_started(page: Page, guard: Guard) -> None:
    guard.allow(".")
    page.goto("./")
    wait_until_ready(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Magyar").check()
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.route("**/*", lambda route: route.abort() if "pyodide" in route.request.url else route.continue_())
    page.evaluate("caches.delete('speakeasy')")
    page.goto("about:blank")
    page.goto("./")
    expect(page.locator("#app .soon")).to_have_text("Gyulladnak a lámpák …")
    expect(page.get_by_role("progressbar", name="Ébred a ház")).to_be_attached()
