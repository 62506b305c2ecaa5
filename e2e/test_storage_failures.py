"""Browsers that cannot store anything, or no longer; and an old page that finds saves of a newer version. The page
shows a message, the game goes on, and no save is lost."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import wait_until_ready
from e2e.guard import Guard
from e2e.stored import READ, WRITE
from e2e.test_store import LINK, answer, state, wait_until_asked

Open = Callable[..., Page]
# upgrades the store as a newer page would, while no old page has it open
UPGRADE_STORE = """() => new Promise((done, failed) => {
    const opening = indexedDB.open("speakeasy", 2);
    opening.onerror = () => failed(opening.error);
    opening.onupgradeneeded = () => {
        for (const name of ["games", "records", "settings"])
            if (!opening.result.objectStoreNames.contains(name)) opening.result.createObjectStore(name);
    };
    opening.onsuccess = () => {
        const whole = opening.result.transaction("games", "readwrite");
        whole.objectStore("games").put("newer", "0123456789ab");
        whole.oncomplete = () => { opening.result.close(); done(); };
    };
})"""
# init scripts, so that they run before the page replaces any of these functions itself
REFUSING = {
    "at once": "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); };",
    "after a while": """const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function () {
        const request = open.call(this, `refused-${Math.random()}`);
        request.addEventListener("upgradeneeded", event => {
            event.stopImmediatePropagation();
            event.target.transaction.abort();
        });
        return request;
    };""",
    "everything": """for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
    IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };""",
}
NEWER = "kept by a newer version of this page"
NO_ROOM = "There is no room left to keep the page itself"


def expect_alert(page: Page, words: str) -> None:
    expect(page.get_by_role("alert").filter(has_text=words)).to_be_visible()


def check_answer(page: Page) -> None:
    """Checks that an answer changes the table."""
    wait_until_asked(page)
    before = state(page)
    page.locator("[data-answer]").first.click()
    expect(page.locator("#app")).not_to_have_attribute("data-entries", before[1] or "")


@pytest.mark.sample(1)
@pytest.mark.parametrize("refusal", REFUSING)
def test_a_game_goes_on_with_a_message_if_the_browser_refuses_storage(refusal: str, page: Page, open_app: Open) -> None:
    page.add_init_script(REFUSING[refusal])
    open_app()
    expect(page.get_by_text("This browser keeps no games here")).to_be_visible()
    open_app(LINK)
    expect_alert(page, "This browser keeps no games here")
    check_answer(page)


def test_an_old_page_shows_that_a_newer_version_has_upgraded_the_store(
    page: Page, open_app: Open, guard: Guard
) -> None:
    guard.allow("favicon")
    page.goto("./version.json")
    page.evaluate(UPGRADE_STORE)
    open_app()
    expect(page.get_by_text(NEWER)).to_be_visible()
    open_app("#game=0123456789ab")
    expect_alert(page, NEWER)
    open_app(LINK)
    expect_alert(page, NEWER)
    check_answer(page)
    assert page.evaluate(READ, "games") == ["newer"]


def test_an_open_page_shows_that_a_newer_version_upgrades_the_store(
    context: BrowserContext, page: Page, open_app: Open, guard: Guard
) -> None:
    guard.allow("favicon")
    wait_until_asked(open_app(LINK))
    other = context.new_page()
    other.goto("./version.json")
    other.evaluate(UPGRADE_STORE)
    check_answer(page)
    expect_alert(page, NEWER)


@pytest.mark.sample(1)
@pytest.mark.parametrize("change", ["the form", "a bot", "the rules"])
def test_a_save_of_a_newer_version_is_kept_and_not_called_damaged(change: str, open_app: Open) -> None:
    page = wait_until_asked(open_app(LINK))
    game = page.url.rpartition("=")[2]
    header = json.loads(page.evaluate(READ, "games")[0])
    match change:
        case "the form":
            header |= {"format": "speakeasy-save/3", "new": True}
        case "a bot":
            header["chairs"][1]["plays"] = "b9"
        case _:
            header["version"] += 1
    open_app()
    page.evaluate(WRITE, ["games", game, json.dumps(header)])
    records = page.evaluate(READ, "records")
    open_app()
    page.get_by_role("button", name="1 saved game").click()
    if change != "the rules":
        expect(page.get_by_role("dialog")).to_contain_text(NEWER)
    open_app(f"#game={game}")
    expect_alert(page, NEWER)
    expect(page.locator("#app")).to_have_attribute("data-screen", "lobby")
    assert page.evaluate(READ, "records") == records
    assert page.evaluate(READ, "games") == [json.dumps(header)]


def test_the_page_shows_that_the_browser_has_deleted_a_game(context: BrowserContext, open_app: Open) -> None:
    page = wait_until_asked(open_app(LINK))
    address = page.url
    page.goto("about:blank")
    context.new_cdp_session(page).send(
        "Storage.clearDataForOrigin", {"origin": address.partition("/speakeasy")[0], "storageTypes": "indexeddb"}
    )
    page.goto(address)
    wait_until_ready(page)
    expect_alert(page, "That game is not kept on this device")


def test_a_running_game_goes_on_when_the_browser_deletes_the_store(context: BrowserContext, open_app: Open) -> None:
    page = wait_until_asked(open_app(LINK))
    context.new_cdp_session(page).send(
        "Storage.clearDataForOrigin", {"origin": page.url.partition("/speakeasy")[0], "storageTypes": "indexeddb"}
    )
    answer(page, "draw")
    expect_alert(page, "This browser keeps no games here")
    check_answer(page)


def test_a_page_that_cannot_be_cached_is_reported_once_and_games_are_stored(
    context: BrowserContext, page: Page, site: str, open_app: Open, guard: Guard
) -> None:
    guard.allow("QuotaExceeded|Quota exceeded")
    origin = site.partition("/speakeasy")[0]
    quota = context.new_cdp_session(page)
    quota.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 2_000_000})
    open_app(LINK)
    expect_alert(page, NO_ROOM)
    kept = "caches.open('speakeasy').then(cache => cache.keys()).then(keys => keys.length)"
    assert page.evaluate(kept) == 0, "what games need is not taken up by half a page"
    page.get_by_role("button", name="Put this message away").click()
    check_answer(page)
    shown = int(state(page)[1] or 0)  # first: bots go on, and what is shown was stored before
    assert len(page.evaluate(READ, "records")) >= shown > 0, "games are kept as before"
    page.evaluate("navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: 'full' }))")
    expect(page.get_by_role("alert").filter(has_text=NO_ROOM)).to_have_count(0)
