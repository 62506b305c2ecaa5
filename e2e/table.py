"""Actions and measurements that the tests of all games share: links, settings, sheets, overflow, target sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, expect

from engine import GAMES
from ui.saves import setup_link

# by how many pixels a table is larger than its place, across and down
OVERFLOW = "table => [table.scrollWidth - table.clientWidth, table.scrollHeight - table.clientHeight]"


def setup_fragment(game: str, plays: str, seed: str, options: Mapping[str, Any] | None = None) -> str:
    """Returns the fragment of a set-up link, which starts this game."""
    return f"#{setup_link.write(setup_link.LinkedSetup(game, tuple(plays.split(',')), seed, options or {}))}"


def deck_of(game: str, deck: str, /, **counts: int) -> dict[str, Any]:
    """Returns house rules with a deck of these cards only."""
    kinds = next(option.default for option in GAMES[game].OPTIONS if option.name == deck)
    return {deck: dict.fromkeys(kinds, 0) | counts}


def change_setting(page: Page, setting: str, value: str) -> None:
    """Changes a setting, from the menu of a table."""
    page.locator('[data-do="dialog"][data-arg="menu"]').click()
    page.locator('[data-do="dialog"][data-arg="settings"]').click()
    page.locator(f'label:has(input[name="set-{setting}"][value="{value}"])').click()
    page.locator('dialog [data-do="dialog.close"]').first.click()
    expect(page.locator("dialog")).to_have_count(0)


def hold_curtain_button(page: Page) -> None:
    """Lifts the curtain by holding its button for as long as it takes."""
    page.locator("[data-hold]").hover()
    page.mouse.down()
    expect(page.locator("[data-curtain]")).to_have_count(0)
    page.mouse.up()


@contextmanager
def opened_sheet(page: Page, opener: Locator) -> Iterator[None]:
    """Opens a sheet by key and closes it by key. Checks that it takes the focus, and gives it back."""
    way_out = page.get_by_role("button", name="Back to the table")
    opener.focus()
    page.keyboard.press("Enter")
    expect(way_out).to_be_focused()
    yield
    page.keyboard.press("Enter")
    expect(way_out).to_have_count(0)
    expect(opener).to_be_focused()


RAID = setup_fragment("razzia", "p,p", "raid", deck_of("razzia", "deck", police=60))


def play_to_raid(page: Page) -> None:
    """Plays the game of the link `RAID` up to its first raid: two people turn up only police, and the fifth is the
    raid."""
    for number in range(1, 6):
        page.locator('[data-answer="draw"]').click()
        if number < 5:
            expect(page.locator(".track .card")).to_have_count(number)
            _pass(page)
            _pass(page)


def _pass(page: Page) -> None:
    """Passes, and waits until the page has taken that up."""
    app = page.locator("#app")
    entries = app.get_attribute("data-entries") or ""
    page.locator('[data-answer="pass"]').click()
    expect(app).not_to_have_attribute("data-entries", entries)


def small_targets(controls: Locator) -> list[str]:
    """Returns the controls smaller than 44 pixels."""
    found: list[str] = controls.evaluate_all(
        """all => all.filter(n => n.offsetWidth < 44 || n.offsetHeight < 44)
            .map(n => `${n.className} ${n.offsetWidth}x${n.offsetHeight}`)"""
    )
    return found
