"""Small screens and large letters: no text overlaps another one or is cut off; where there is no room, one scrolls."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from e2e import layout
from e2e.conftest import MORE_SCREENS, SCREENS, NewContext, wait_until_ready
from e2e.table import change_setting

SIZES = {**SCREENS, **MORE_SCREENS}
#: letter sizes in per cent of ours, with the screens on which they are checked
LETTERS = {100: tuple(SIZES), 125: ("phone", "tablet-wide", "small-tablet"), 200: tuple(SCREENS)}


def draw(page: Page) -> None:
    """Draws a police card, which leads to an auction at once: the question with the most answers."""
    page.locator('main [data-answer="draw"]').click()
    expect(page.locator(".razzia .acts .offer").first).to_be_visible()


def look(page: Page) -> None:
    """Lifts the curtain and picks a card from the hand."""
    page.locator('[data-do="lift"]').click()
    page.locator(".desk .lift").first.click()


def leave_as_is(page: Page) -> None:
    """Leaves the page as it is."""


def pick(page: Page) -> None:
    """Picks the card for tonight: its button has the most words."""
    expect(page.locator('#app[data-ask="bars.pick"][data-seat="0"]')).to_be_attached()
    page.locator('main [data-do^="pick"]').first.click()
    expect(page.locator('main button[data-answer^="pick"]')).to_be_visible()


def arm(page: Page) -> None:
    """Picks a card and a note for a war: the longest question."""
    change_setting(page, "speed", "off")
    for number, colour in enumerate(("yellow", "blue", "red", "black"), 1):
        page.locator(f'main [data-answer="take {colour}"]').click()
        expect(page.locator(".fan .family-card")).to_have_count(number)
    expect(page.locator('#app[data-ask="sicilianos.turn"][data-seat="0"]')).to_be_attached()
    page.locator(".fan .pick").first.click()
    page.locator(".pdirty .pick").first.click()
    expect(page.locator('main button[data-answer^="war"]')).to_be_visible()


#: language, link, and what is done before the check
TABLES = {
    "lobby": ("hu", "", leave_as_is),
    "razzia": ("hu", "#play=razzia&seats=p,p,p&seed=zz", draw),
    "razzia, four": ("fr", "#play=razzia&seats=p,p,p,p&seed=zz", draw),
    "bars": ("hu", "#play=bars&seats=p,b1,b1,b1&seed=zz", pick),
    "bars, eight": ("pl", "#play=bars&seats=p,b1,b1,b1,b1,b1,b1,b1&seed=zz", pick),
    "sicilianos": ("hu", "#play=sicilianos&seats=p,b1,b1&seed=w1282", arm),
    "sicilianos, six": ("pl", "#play=sicilianos&seats=p,p,p,p,p,p&seed=zz", leave_as_is),
    "thieves": ("hu", "#play=thieves&seats=p,p,p&seed=zz", look),
    "thieves, five": ("nl", "#play=thieves&seats=p,p,p,p,p&seed=zz", look),
}


def open_page(new_context: NewContext, language: str, fragment: str, size: str = "tablet-wide") -> Page:
    page = new_context(reduced_motion="reduce", locale=language, viewport=SIZES[size]).new_page()
    page.goto(f"./{fragment}")
    wait_until_ready(page)
    return page


def layout_problems(page: Page) -> Iterator[str]:
    for letters, sizes in LETTERS.items():
        page.evaluate("percent => { document.documentElement.style.fontSize = percent }", f"{letters}%")
        for size in sizes:
            page.set_viewport_size(SIZES[size])
            cut = layout.shortened(page) if letters > 100 else []
            found = [*layout.overlapping(page), *layout.cut_off(page), *layout.scrolled_sideways(page), *cut]
            yield from (f"{size}, {letters} %: {each}" for each in found)


@pytest.mark.sample(3)
@pytest.mark.parametrize("table", TABLES)
def test_no_two_texts_overlap(table: str, new_context: NewContext) -> None:
    language, fragment, first = TABLES[table]
    page = open_page(new_context, language, fragment)
    first(page)
    assert list(layout_problems(page)) == []


@pytest.mark.parametrize(("language", "game"), [("hu", "bars"), ("nl", "thieves")])
def test_the_bar_of_a_phone_shows_its_fact_without_an_ellipsis(
    language: str, game: str, new_context: NewContext
) -> None:
    """Regression test: beside one more button both the name and the fact were shortened with an ellipsis."""
    page = open_page(new_context, language, f"#play={game}&seats=p,p,p&seed=zz", "phone")
    page.locator('[data-do="lift"]').click()
    expect(page.locator('.bar [data-do="cover"]')).to_be_visible()
    assert page.locator(".bar .facts > span").first.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.sample(1)
@pytest.mark.parametrize("language", ["en", "fr", "hu", "nl", "pl"])
def test_a_phone_shows_how_few_notes_a_player_has(language: str, new_context: NewContext) -> None:
    """The number matters, because Sicilianos ends when somebody has no more notes."""
    page = open_page(new_context, language, "#play=sicilianos&seats=p,b1,b1&seed=zz", "phone")
    fact = page.locator(".bar .facts > span").first
    expect(fact).to_contain_text("10")
    # with the least room: beside the button that skips a pause
    page.locator(".bar .skip").evaluate("node => { node.style.display = 'inline-flex' }")
    assert fact.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_the_centre_stays_beside_the_police_on_a_french_phone(new_context: NewContext) -> None:
    """Regression test: it took a row of its own, so that the hand was off the screen."""
    page = open_page(new_context, "fr", "#play=razzia&seats=p,p,p,p&seed=zz", "phone")
    bottoms = page.locator(".razzia .mid > .group").evaluate_all(
        "all => all.map(n => n.getBoundingClientRect().bottom)"
    )
    assert len({round(bottom) for bottom in bottoms}) == 1
    assert page.locator(".razzia .board").evaluate("node => node.scrollHeight <= node.clientHeight")
    worths = page.locator(".razzia .mine:not([hidden]) .caption b")
    assert [worth.is_visible() for worth in worths.all()] == [True] * 6


@pytest.mark.sample(1)
@pytest.mark.parametrize("language", ["en", "fr", "hu", "nl", "pl"])
def test_a_phone_shows_what_sets_are_worth_with_five_players(language: str, new_context: NewContext) -> None:
    """Regression test: the numbers below the family were left out for lack of room. With two lines for the question
    there is room."""
    page = open_page(new_context, language, "#play=razzia&seats=p,p,p,p,p&seed=zz", "phone")
    draw(page)
    page.locator('[data-answer^="offer"]').first.click()
    expect(page.locator(".opps .best")).to_be_visible()
    worths = page.locator(".razzia .mine:not([hidden]) .caption").get_by_text("+")
    assert [worth.is_visible() for worth in worths.all()] == [True] * 6
    assert page.locator(".razzia .board").evaluate("node => node.scrollHeight <= node.clientHeight")


def test_rules_and_settings_fit_on_a_phone_without_scrolling_sideways(new_context: NewContext) -> None:
    """Checks the widest table of rules, and the languages side by side, from the lobby."""
    page = open_page(new_context, "hu", "", "phone")
    page.locator('.poster:has(input[value="thieves"])').click()
    page.locator('.go [data-arg="rules"]').click()
    expect(page.locator("dialog .prose table").first).to_be_visible()
    assert [*layout.scrolled_sideways(page), *layout.cut_off(page)] == []
    page.locator('dialog [data-do="dialog.close"]').first.click()
    page.locator('.top [data-arg="settings"]').click()
    page.get_by_role("radio", name="Français").check()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert [*layout.overlapping(page), *layout.scrolled_sideways(page)] == []


@pytest.mark.parametrize(("language", "game"), [("hu", "thieves"), ("pl", "sicilianos")])
def test_tables_of_the_rules_fit_on_a_phone_in_large_letters(language: str, game: str, new_context: NewContext) -> None:
    """Regression test: on a phone the tables of cards and of families had to be scrolled sideways."""
    page = open_page(new_context, language, "", "phone")
    page.locator(f'.poster:has(input[value="{game}"])').click()
    page.locator('.go [data-arg="rules"]').click()
    expect(page.locator("dialog .prose table").first).to_be_visible()
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert [*layout.scrolled_sideways(page), *layout.cut_off(page), *layout.overlapping(page)] == []


def test_the_designer_of_a_game_is_named_on_a_phone(new_context: NewContext) -> None:
    """Two of the games have the same name except for an exclamation mark."""
    page = open_page(new_context, "en", "", "phone")
    for name in ("Reiner Knizia", "Stefan Dorra"):
        expect(page.get_by_text(name)).to_be_visible()


def test_the_level_of_a_bot_is_shown_without_an_ellipsis(new_context: NewContext) -> None:
    page = open_page(new_context, "hu", "#play=razzia&seats=p,b2,b2,b2&seed=zz")
    kinds = page.locator(".rail .folk small")
    assert kinds.evaluate_all("all => all.filter(n => getComputedStyle(n).textOverflow === 'ellipsis').length") == 0
    assert layout.cut_off(page) == []
