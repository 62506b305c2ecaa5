"""While nobody moves, the page does nothing: no timer, no animation, no style is computed anew."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from e2e.conftest import TIMEOUT, wait_until_ready
from e2e.table import setup_fragment

# Keeps the timers and frames that are asked for and have not come yet
RECORD_PENDING = """(() => {
    const pending = window.pendingTimers = new Set();
    for (const [ask, cancel, repeats] of [
        ["setTimeout", "clearTimeout", false],
        ["setInterval", "clearInterval", true],
        ["requestAnimationFrame", "cancelAnimationFrame", false],
    ]) {
        const [realAsk, realCancel] = [window[ask].bind(window), window[cancel].bind(window)];
        window[ask] = (use, ...rest) => {
            const id = realAsk((...given) => {
                if (!repeats) pending.delete(`${ask} ${id}`);
                return use(...given);
            }, ...rest);
            pending.add(`${ask} ${id}`);
            return id;
        };
        window[cancel] = id => {
            pending.delete(`${ask} ${id}`);
            realCancel(id);
        };
    }
})()"""
IS_QUIET = """() => pendingTimers.size === 0 && document.getAnimations().length === 0
    && document.fonts.status === "loaded" && [...document.images].every(image => image.complete)
    && [...document.querySelectorAll("#app use")].every(use => document.getElementById(use.href.baseVal.slice(1)))"""
COUNTED = ("RecalcStyleCount", "LayoutCount")
LOOKS = 30
PAUSE = 1000  # milliseconds between two looks

SCREENS_THAT_WAIT = {
    "lobby": ("", '[data-screen="lobby"]'),
    "table": (setup_fragment("razzia", "p,p", "idle"), '#app[data-seat="0"]'),
    "curtain": (setup_fragment("bars", "p,p,p", "idle"), "[data-curtain]"),
}


def counters(session: CDPSession) -> dict[str, float]:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return {each["name"]: each["value"] for each in metrics if each["name"] in COUNTED}


@pytest.mark.parametrize("screen", SCREENS_THAT_WAIT)
def test_a_page_on_which_nobody_moves_does_nothing(screen: str, page: Page, context: BrowserContext) -> None:
    """Regression test: PyScript's editor looked for editors in the page four times a second."""
    fragment, there = SCREENS_THAT_WAIT[screen]
    page.add_init_script(RECORD_PENDING)
    page.goto(f"./{fragment}")
    wait_until_ready(page)
    expect(page.locator(there)).to_be_attached()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function(IS_QUIET, timeout=2 * TIMEOUT)  # a cancelled timer of Python stays for as long as it was
    session = context.new_cdp_session(page)
    session.send("Performance.enable")
    # a page that does something now and then has no two looks alike, however slow the machine is
    before = counters(session)
    for _ in range(LOOKS):
        page.wait_for_timeout(PAUSE)
        before, last = counters(session), before
        if before == last:
            break
    assert before == last
