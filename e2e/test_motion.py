"""Animations can be skipped, sped up and switched off; a count is read at one's own pace, also after a reload."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import NewContext, wait_until_ready
from e2e.table import RAID, change_setting, play_to_raid

Open = Callable[[str], Page]
MOVING = "() => document.getAnimations().filter(each => each.playState === 'running').length"
SWEEP = "() => document.getAnimations().filter(each => each.animationName === 'sweep').map(each => each.playbackRate)"


@pytest.mark.sample(1)
@pytest.mark.parametrize(("speed", "rates"), [("1", [1]), ("2", [2]), ("off", [])])
def test_the_siren_sweeps_once_at_the_chosen_speed(speed: str, rates: list[int], open_app: Open) -> None:
    page = open_app(RAID)
    change_setting(page, "speed", speed)
    page.evaluate(
        "document.addEventListener('animationstart', event => (window.started ??= []).push(event.animationName))"
    )
    page.evaluate(
        "new MutationObserver(() => { const found = (" + SWEEP + ")(); if (found.length) window.swept = found; })"
        ".observe(document.body, {subtree: true, childList: true, attributes: true})"
    )
    play_to_raid(page)
    if speed == "off":
        expect(page.locator(".bar")).to_contain_text("Round 2/3")
        assert page.evaluate("(window.started ?? []).includes('sweep')") is False
        return
    page.wait_for_function("() => (window.started ?? []).includes('sweep')")
    assert page.evaluate("started.filter(name => name === 'sweep').length") == 1
    page.wait_for_function("rates => JSON.stringify(window.swept) === JSON.stringify(rates)", arg=rates)


def test_a_tap_ends_all_animations(open_app: Open) -> None:
    page = open_app(RAID)
    play_to_raid(page)
    page.wait_for_function(f"() => ({SWEEP})().length")
    page.evaluate("document.getAnimations().forEach(each => { each.playbackRate = 0.001 })")  # it would take minutes
    # by force: Playwright waits until an element no longer moves, and this one moves very slowly
    page.get_by_role("heading", name="Raid!").click(force=True)
    page.wait_for_function(f"() => ({MOVING})() === 0")


def test_no_siren_is_shown_with_reduced_motion(new_context: NewContext) -> None:
    page = new_context(reduced_motion="reduce").new_page()
    page.goto(f"./{RAID}")
    wait_until_ready(page)
    play_to_raid(page)
    assert page.evaluate(SWEEP) == []


def test_the_count_waits_for_taps_and_goes_on_after_a_reload(open_app: Open) -> None:
    page = open_app(RAID)
    change_setting(page, "pauses", "tap")
    play_to_raid(page)
    page.get_by_role("heading", name="Raid!").click()
    pending = page.locator(".ledger .pending")
    expect(page.get_by_role("heading", name="Round 1 is counted")).to_be_visible()
    left = pending.count()
    page.get_by_role("button", name="Faster").click()
    expect(pending).to_have_count(left - 1)
    page.reload()
    wait_until_ready(page)
    expect(page.locator(".ledger")).to_be_visible()
    expect(pending).to_have_count(left - 1)
    page.get_by_role("button", name="Faster").click()
    expect(pending).to_have_count(left - 2)
