"""The contexts that are kept between tests: nothing that a test has left in one is found by the next test."""

from typing import Any

from playwright.sync_api import Page

from e2e.contexts import EMPTY_PAGE, KeptContexts

LEAVE = """async () => {
    localStorage.setItem("left", "yes");
    document.cookie = "left=yes; max-age=1000";
    await (await caches.open("left")).put("./left", new Response("yes"));
    await new Promise(done => { indexedDB.open("left").onsuccess = done; });
    await navigator.serviceWorker.register("sw.js");
}"""
FIND = """async () => [
    Object.keys(localStorage), document.cookie, await caches.keys(), await indexedDB.databases(),
    await navigator.serviceWorker.getRegistrations(),
]"""


def open_empty_page(page: Page, site: str) -> Page:
    """Opens an address of the site that has no app, which would store something of its own."""
    page.route(f"{site}empty", lambda route: route.fulfill(body=EMPTY_PAGE, content_type="text/html"))
    page.goto(f"{site}empty")
    return page


def test_a_kept_context_is_empty(kept_contexts: KeptContexts, browser_context_args: dict[str, Any], site: str) -> None:
    options = {**browser_context_args, "locale": "is"}
    first = kept_contexts.take(options)
    page = open_empty_page(first.context.new_page(), site)
    nothing = page.evaluate(FIND)
    page.evaluate(LEAVE)
    assert all(left != before for left, before in zip(page.evaluate(FIND), nothing, strict=True))
    kept_contexts.give_back(first, {site.partition("/speakeasy")[0]})
    second = kept_contexts.take(options)
    assert second.context is first.context
    assert second.context.pages == [second.page]
    assert open_empty_page(second.context.new_page(), site).evaluate(FIND) == nothing
    kept_contexts.give_back(second, set())


def test_a_context_whose_page_was_closed_is_not_kept(
    kept_contexts: KeptContexts, browser_context_args: dict[str, Any]
) -> None:
    options = {**browser_context_args, "locale": "fo"}
    first = kept_contexts.take(options)
    first.page.close()
    kept_contexts.give_back(first, set())
    second = kept_contexts.take(options)
    assert second.context is not first.context
    kept_contexts.give_back(second, set())
