"""The guard itself: it notices every kind of problem that it is there for."""

import pytest
from playwright.sync_api import Page, expect

from e2e.guard import Guard

ELSEWHERE = "http://elsewhere.invalid"


def open_without_app(page: Page) -> Page:
    """Opens the page without the app: that is quick, and causes no other messages."""
    page.route("**/assets/vendor/pyscript-*/**", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto("./")
    return page


def test_an_error_on_the_console_is_reported(page: Page, guard: Guard) -> None:
    guard.expect("console: something is wrong")
    open_without_app(page).evaluate("console.error('something is wrong')")


def test_an_error_in_the_page_is_reported(page: Page, guard: Guard) -> None:
    guard.expect("page: nobody caught this")
    open_without_app(page).evaluate("setTimeout(() => { throw new Error('nobody caught this') })")
    expect(page.get_by_role("alert")).to_be_visible()


def test_an_unhandled_promise_rejection_is_reported(page: Page, guard: Guard) -> None:
    guard.expect("page: nobody kept this")
    open_without_app(page).evaluate("void Promise.reject(new Error('nobody kept this'))")
    expect(page.get_by_role("alert")).to_be_visible()


@pytest.mark.parametrize(
    "attempt",
    [
        f"fetch('{ELSEWHERE}/a.json').catch(() => undefined)",
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'var a = 1'}))",
        "document.body.append(Object.assign(document.createElement('style'), {textContent: 'b { color: red }'}))",
        "document.body.setAttribute('style', 'color: red')",
        "document.body.setAttribute('onclick', 'alert(1)')",
    ],
    ids=["fetch", "script", "style", "style attribute", "handler attribute"],
)
def test_violations_of_the_content_policy_are_blocked_and_reported(attempt: str, page: Page, guard: Guard) -> None:
    guard.expect("console: .*Content Security Policy")
    open_without_app(page).evaluate(attempt)


def test_an_image_from_another_host_is_blocked_and_reported(page: Page, guard: Guard) -> None:
    guard.expect("console: .*Content Security Policy")
    guard.expect(f"foreign request: {ELSEWHERE}/a.png")
    source = f"{ELSEWHERE}/a.png"
    open_without_app(page).evaluate(
        "source => new Promise(done => { Object.assign(new Image, {src: source, onerror: done}) })", source
    )


def test_a_request_to_another_host_is_reported(page: Page, guard: Guard) -> None:
    guard.expect(f"foreign request: {ELSEWHERE}")
    page.route(f"{ELSEWHERE}/**", lambda route: route.fulfill(body="hello", content_type="text/html"))
    page.goto(f"{ELSEWHERE}/")


def test_an_unexpected_problem_fails_the_test(site: str) -> None:
    guard = Guard(site)
    guard.problems.append("console: something is wrong")
    with pytest.raises(AssertionError, match="something is wrong"):
        guard.check()


def test_an_expected_problem_that_does_not_happen_fails_the_test(site: str) -> None:
    guard = Guard(site)
    guard.expect("console: something is wrong")
    with pytest.raises(AssertionError, match="something is wrong"):
        guard.check()
