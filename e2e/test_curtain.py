"""Hidden hands at one device: nothing that the curtain hides is anywhere on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from e2e.conftest import SCREENS
from e2e.table import hold_curtain_button
from engine import GAMES
from engine.core import SPECTATOR
from engine.dealers import Seeded
from engine.session import Session

Open = Callable[[str], Page]
SEATS = 3
PAGE_CONTENT = """async () => [document.title, document.documentElement.outerHTML.replace(/<script.*/s, ""),
    ...Object.keys(localStorage), ...(await indexedDB.databases()).map(each => each.name)].join("\\n")"""

#: presses and releases the button at once, however busy the machine is. Returns whether it was held in between and
#: afterwards, once a timer has fired that was set after that of the hold, and for longer
PRESS_BRIEFLY = """async button => {
    const send = kind => button.dispatchEvent(new PointerEvent(kind, { bubbles: true, isPrimary: true }));
    send("pointerdown");
    const pressed = button.hasAttribute("data-holding");
    send("pointerup");
    await new Promise(done => setTimeout(done, 1000));
    return [pressed, button.hasAttribute("data-holding")];
}"""


def seeds_of_similar_deals() -> tuple[str, str]:
    """Returns the seeds of two deals of bars that look the same to spectators, but differ in the first hand."""
    seen: dict[str, tuple[str, Any]] = {}
    for number in range(100_000):
        seed = f"t{number}"
        session = Session(GAMES["bars"], SEATS)
        session.deal_all(Seeded(seed))
        public, own = repr((session.view(SPECTATOR), session.masked(SPECTATOR))), session.view(session.question.seat)
        if public in seen and seen[public][1] != own:
            return seen[public][0], seed
        seen.setdefault(public, (seed, own))
    raise AssertionError("no two deals alike")


def expect_curtain_down(page: Page) -> None:
    expect(page.locator("[data-curtain]")).to_be_attached()


def expect_curtain_up(page: Page) -> None:
    expect(page.locator("[data-curtain]")).to_have_count(0)


def open_table(open_app: Open, seed: str) -> Page:
    page = open_app(f"#play=bars&seats={','.join('p' * SEATS)}&seed={seed}")
    expect_curtain_down(page)
    page.wait_for_function("() => document.getAnimations().every(each => each.playState !== 'running')")
    return page


def test_pages_that_differ_only_in_hidden_cards_have_the_same_content(open_app: Open) -> None:
    shown, heard, lifted = [], [], []
    for seed in seeds_of_similar_deals():
        page = open_table(open_app, seed)
        shown.append(page.evaluate(PAGE_CONTENT))
        heard.append(page.locator("body").aria_snapshot())
        page.get_by_role("button", name="show my cards").click()
        expect_curtain_up(page)
        lifted.append(page.locator("main").evaluate("main => main.outerHTML"))
    assert shown[0] == shown[1]
    assert heard[0] == heard[1]
    assert lifted[0] != lifted[1]


def test_holding_the_button_lifts_the_curtain_and_an_early_release_does_not(open_app: Open) -> None:
    page = open_table(open_app, "hold")
    button = page.locator("[data-hold]")
    assert button.evaluate(PRESS_BRIEFLY) == [True, False]
    expect_curtain_down(page)
    hold_curtain_button(page)
    expect(page.locator("[data-home]:visible").first).to_be_focused()
    page.get_by_role("button", name="Cover the cards").click()
    expect_curtain_down(page)
    # by key
    button.focus()
    page.keyboard.down("Enter")
    expect_curtain_up(page)
    page.keyboard.up("Enter")


def test_the_curtain_is_down_again_after_a_reload(open_app: Open) -> None:
    page = open_table(open_app, "reload")
    name = page.locator("#curtain-title").inner_text()
    hold_curtain_button(page)
    page.reload()
    expect_curtain_down(page)
    expect(page.locator("#curtain-title")).to_have_text(name)


def test_the_curtain_drops_when_the_page_is_hidden(open_app: Open) -> None:
    page = open_table(open_app, "asleep")
    before = page.locator("main").evaluate("main => main.outerHTML")
    hold_curtain_button(page)
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { configurable: true, value: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    # at once, while the event is handled: on a device that goes to sleep nothing runs later
    assert page.locator("main").evaluate("main => main.outerHTML") == before
    expect_curtain_down(page)
    # after the device wakes up it stays down
    page.evaluate("() => { delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); }")
    expect_curtain_down(page)


def test_the_curtain_fits_every_screen(open_app: Open) -> None:
    page = open_table(open_app, "fits")
    for size in (*SCREENS.values(), {"width": 844, "height": 390}):
        page.set_viewport_size(size)
        for control in ("[data-hold]", "[data-do='lift']", "#curtain-title"):
            expect(page.locator(control)).to_be_in_viewport(ratio=1)
