"""A slow connection: choices made while the page still loads are carried out, and the progress shown is correct."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import wait_until_ready
from e2e.test_store import state, wait_until_asked

# 8 Mbit/s and 80 ms for a round trip: about six seconds for all that the page needs
LINE = {"offline": False, "latency": 80, "downloadThroughput": 1_000_000, "uploadThroughput": 250_000}
PROGRESS = """
    window.progress = [];
    new MutationObserver(() => progress.push(document.getElementById("waking").value)).observe(
        document, { subtree: true, attributes: true, attributeFilter: ["value"] });
"""
# returns the progress that is shown, and the share of the needed bytes that has arrived by the browser's own records
ARRIVED = """() => {
    const links = [...document.querySelectorAll("link[data-bytes]")];
    const sizes = new Map(links.map(link => [link.href, Number(link.dataset.bytes)]));
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const there = performance.getEntriesByType("resource").filter(entry => entry.responseEnd && sizes.has(entry.name));
    const named = new Set(there.map(entry => entry.name));
    const arrived = [...named].reduce((sum, name) => sum + sizes.get(name), 0);
    return [document.getElementById("waking").value, all && arrived / (all * 1.1)];
}"""


def slow(context: BrowserContext, page: Page) -> None:
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)


def test_a_game_set_up_on_a_slow_connection_is_played(context: BrowserContext, page: Page) -> None:
    slow(context, page)
    page.add_init_script(PROGRESS)
    page.goto("./", wait_until="commit")
    page.get_by_role("textbox", name="Name at seat 1").fill("Slowpoke")
    page.get_by_role("button", name="Remove Ines").click()
    page.locator("label.go-btn").click()
    expect(page.get_by_text("Lighting the lamps …")).to_be_visible()
    expect(page.locator("[data-ready]")).not_to_be_attached()
    wait_until_ready(page)
    root = page.locator("#app")
    expect(root).to_have_attribute("data-game", "razzia")
    expect(page.get_by_role("region", name="Slowpoke")).to_be_visible()
    expect(page.get_by_role("region", name="Ines")).to_have_count(0)
    wait_until_asked(page)
    before = state(page)[1] or ""
    page.locator("[data-answer]").first.click()
    expect(root).not_to_have_attribute("data-entries", before)
    progress: list[float] = page.evaluate("progress")
    assert progress == sorted(progress), "it never goes back"
    assert len(set(progress)) >= 3
    assert 0.85 < progress[-1] <= 1


def test_the_progress_bar_always_shows_the_share_of_bytes_that_has_arrived(context: BrowserContext, page: Page) -> None:
    slow(context, page)
    page.goto("./", wait_until="commit")
    expect(page.get_by_role("progressbar", name="Waking the house")).to_be_visible()
    seen: list[Any] = []
    while not page.locator("[data-ready]").count():
        shown, arrived = page.evaluate(ARRIVED)
        seen.append((shown, arrived))
    assert seen
    # the bar gets to know of an arrival a moment after the browser has recorded it
    assert all(shown <= arrived + 0.001 for shown, arrived in seen)
    wait_until_ready(page)
    shown, arrived = page.evaluate(ARRIVED)
    assert abs(shown - arrived) < 0.02
