"""Points are counted one by one, where people want motion; the raid's pictures, one by one, measured."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from statistics import median

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import ready
from e2e.table import RAID, choose, raid

Open = Callable[[str], Page]
POINT = 60  # ms
COUNTS = """() => document.getAnimations().filter(each => each.animationName === 'count').map(each => ({
    long: each.effect.getComputedTiming().duration, rate: each.playbackRate,
    points: Number(getComputedStyle(each.effect.target).getPropertyValue('--n')), state: each.playState}))"""
# every picture from the raid on, for as long as something moves
FRAMES = """() => {
    window.frames_ = [];
    const each = time => {
        const moves = document.getAnimations().some(one => one.playState === 'running');
        if (document.querySelector('.siren')) {
            if (frames_.length && !moves) { window.still = true; return; }
            frames_.push(time);
        }
        requestAnimationFrame(each);
    };
    requestAnimationFrame(each);
}"""


def jewels(page: Page) -> None:
    """No jewels at all costs five points: the last line of the first round, counted."""
    raid(page)
    page.get_by_role("heading", name="Raid!").click()
    pending = page.locator(".led .pending")
    while left := pending.count():
        page.get_by_role("button", name="Faster").click()
        expect(pending).to_have_count(left - 1)


@pytest.mark.parametrize(("speed", "rate"), [("1", 1), ("2", 2)])
def test_points_are_counted_one_by_one_at_the_pace_people_want(speed: str, rate: int, open_app: Open) -> None:
    page = open_app(RAID)
    choose(page, "pauses", "tap")
    choose(page, "speed", speed)
    jewels(page)
    counts = page.evaluate(COUNTS)
    assert [(count["points"], count["long"]) for count in counts] == [(5, 5 * POINT)] * len(counts)
    assert {count["rate"] for count in counts} <= {rate}
    # for two seats: the line, the sum and the total; the numbers passed are there for the eye alone
    expect(page.locator(".led .roll")).to_have_count(6)
    cell = page.locator(".led .fresh button").first
    expect(cell).to_have_accessible_name("Vera, Jewels: \N{MINUS SIGN}5. Show why")
    expect(cell).to_have_text("\N{MINUS SIGN}5")


def test_a_tap_ends_the_count(open_app: Open) -> None:
    page = open_app(RAID)
    choose(page, "pauses", "tap")
    jewels(page)
    page.evaluate(
        """() => document.querySelectorAll('.led .roll').forEach(node => {
            node.style.animation = 'none'; node.offsetWidth; node.style.animation = '';
            node.getAnimations().forEach(each => { each.playbackRate = 0.001; }); })"""
    )
    assert [count["state"] for count in page.evaluate(COUNTS)] == ["running"] * 6
    page.locator(".led thead").click()
    page.wait_for_function(f"() => ({COUNTS})().every(each => each.state !== 'running')")


@pytest.mark.parametrize("calm", ["device", "speed"])
def test_who_wants_calm_sees_the_points_at_once(calm: str, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(reduced_motion="reduce" if calm == "device" else "no-preference").new_page()
    page.goto(f"./{RAID}")
    ready(page)
    choose(page, "pauses", "tap")
    if calm == "speed":
        choose(page, "speed", "off")
    jewels(page)
    expect(page.locator(".led .roll")).to_have_count(6)
    assert page.evaluate(COUNTS) == []


def test_the_raid_s_pictures(open_app: Open, figures: Callable[[str], None]) -> None:
    page = open_app(RAID)
    page.evaluate(FRAMES)
    raid(page)
    page.wait_for_function("() => window.still")
    stamps = page.evaluate("() => window.frames_")
    gaps = [later - earlier for earlier, later in pairwise(stamps)]
    assert gaps
    figures(
        f"the raid: {1000 * len(gaps) / sum(gaps):.0f} pictures a second over {sum(gaps):.0f} ms, "
        f"a picture every {median(gaps):.1f} ms, longest {max(gaps):.0f} ms"
    )
