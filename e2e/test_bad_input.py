"""Illegal answers, bad links and odd names on the page: each leads to a clear message, and the game does not change."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import SCREENS, NewContext, wait_until_ready
from e2e.layout import cut_off
from e2e.playthrough import game_against_bots
from tests.ui.saves.test_setup_link import REFUSED
from ui.boards import PLAYABLE

Open = Callable[[str], Page]
SENTENCE = re.compile(r"^(?!refused\.)[^{}]*\w+ \w+[^{}]*\.$")
MARKUP = "<img src=x onerror=window.hit=1>"
#: answers that no table here asks for, and texts that are no answers
ANSWERS = [
    "explode yellow-1",
    "offer 99",
    "give ring 7",
    "pick jungle-6",
    "propose 50",
    "thieves 9",
    "take 0 0 0",
    MARKUP,
    "__class__",
    "x" * 10_000,
    "\N{RIGHT-TO-LEFT OVERRIDE}ward",
    "draw draw draw",
]
TABLES = {game: game_against_bots(game, "wrong") for game in PLAYABLE}
WIDER = "Math.max(0, document.documentElement.scrollWidth - innerWidth)"
ASKED = "main [data-answer]:visible, main [data-do=pick]:visible"


def settled(page: Page) -> str:
    """Waits until the first seat is asked, and returns the text of the table."""
    expect(page.locator("#app")).to_have_attribute("data-seat", "0")
    expect(page.locator(ASKED).first).to_be_enabled()
    return page.locator("main").inner_text()


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", PLAYABLE)
def test_an_illegal_answer_is_refused_with_a_sentence_and_changes_nothing(game: str, open_app: Open) -> None:
    page = open_app(f"#{TABLES[game]}")
    before = settled(page)
    root, alert = page.locator("#app"), page.get_by_role("alert")
    entries, asks = root.get_attribute("data-entries"), root.get_attribute("data-ask")
    for words in ANSWERS:
        # as if a control of an earlier question were still there
        page.locator("main").evaluate(
            """(main, words) => {
                const stray = document.createElement("button");
                stray.dataset.answer = words;
                main.append(stray);
                stray.click();
                stray.remove();
            }""",
            words,
        )
        expect(alert).to_have_text(SENTENCE)
        page.get_by_role("button", name="Put this message away").click()
        expect(alert).to_have_text("")
        assert (root.get_attribute("data-entries"), root.get_attribute("data-ask")) == (entries, asks)
    assert page.locator("main").inner_text() == before
    assert page.evaluate("window.hit") is None
    page.reload()
    wait_until_ready(page)
    assert settled(page) == before
    expect(root).to_have_attribute("data-entries", entries or "")


def test_two_clicks_at_once_give_one_answer(open_app: Open) -> None:
    page = open_app("#play=razzia&seats=p,p&seed=twice")
    root, draw = page.locator("#app"), page.locator('[data-answer="draw"]')
    expect(draw).to_be_enabled()  # the starter is drawn before that
    entries = int(root.get_attribute("data-entries") or 0)
    draw.evaluate("button => { button.click(); button.click(); }")
    expect(root).to_have_attribute("data-entries", str(entries + 2))  # the answer and its card
    expect(root).to_have_attribute("data-ask", re.compile("razzia"))
    page.reload()
    wait_until_ready(page)
    expect(root).to_have_attribute("data-entries", str(entries + 2))


def test_a_bad_link_shows_a_sentence_and_the_running_game_is_kept(open_app: Open) -> None:
    page = open_app(f"#{TABLES['razzia']}")
    before = settled(page)
    alert = page.get_by_role("alert")
    for fragment in [*(fragment for fragment, _ in REFUSED), f"play=razzia&seats=p,p&seed={MARKUP}", "play=" + MARKUP]:
        page.evaluate("fragment => { location.hash = fragment; }", fragment)
        expect(alert).to_have_text(SENTENCE)
        expect(page.locator("#app")).to_have_attribute("data-screen", "lobby")
        page.get_by_role("button", name="Put this message away").click()
        expect(alert).to_have_text("")
    assert page.evaluate("window.hit") is None
    page.locator('[data-do="dialog"][data-arg="saves"]').click()
    page.get_by_role("button", name="Resume").first.click()
    assert settled(page) == before


NAMES = ["<img src onerror=hit=1>", "e\u0323\u0302\u0301vil", "W" * 24, "\u05e9\u05dc\u05d5\u05dd"]
#: refused names; the field keeps the old one
NO_NAMES = ["\N{RIGHT-TO-LEFT OVERRIDE}evil\N{RIGHT-TO-LEFT ISOLATE}", "V\u200bera", " ", "theo"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", PLAYABLE)
def test_unusual_names_are_shown_as_text_and_fit_on_every_screen(game: str, new_context: NewContext) -> None:
    page = new_context(reduced_motion="reduce").new_page()
    page.goto("./")
    wait_until_ready(page)
    page.locator(f'.poster:has(input[value="{game}"])').click()
    seats = page.locator(".seats li")
    names = NAMES[: PLAYABLE.seats[game][-1]]
    while seats.count() < len(names):
        page.get_by_role("button", name="Add a seat").click()
    alert, elsewhere = page.get_by_role("alert"), page.get_by_role("button", name="Settings")
    for name in NO_NAMES:
        page.get_by_label("Name at seat 2").fill(name)
        elsewhere.focus()
        expect(page.get_by_label("Name at seat 2")).to_have_value("Vera")
        expect(alert).to_have_text(SENTENCE)
        page.get_by_role("button", name="Put this message away").click()
    for seat, name in enumerate(names, 1):
        page.get_by_label(f"Name at seat {seat}").fill(name)
        elsewhere.focus()
        expect(alert).to_have_text("")
    page.get_by_role("button", name="Play", exact=True).click()
    root = page.locator("#app")
    expect(root).to_have_attribute("data-game", game)
    expect(page.locator(ASKED).first).to_be_enabled()
    for name in names:
        expect(page.locator("main")).to_contain_text(unicodedata.normalize("NFC", name))
    for name, size in SCREENS.items():
        page.set_viewport_size(size)
        assert (name, page.evaluate(WIDER), cut_off(page)) == (name, 0, [])
    assert page.locator("#app img").count() == 0
    assert page.evaluate("window.hit") is None


def test_a_name_that_is_taken_at_the_table_is_refused(open_app: Open) -> None:
    page = open_app("#play=razzia&seats=p,p&seed=names")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="People").click()
    page.get_by_role("dialog").get_by_role("button", name="Vera").click()
    field, alert = page.get_by_label("Name"), page.get_by_role("alert")
    field.fill("Theo")
    field.press("Enter")
    expect(alert).to_contain_text("Somebody here is called Theo already.")
    page.get_by_role("button", name="Put this message away").click()
    expect(page.get_by_role("heading", name="Vera")).to_be_visible()
    field.fill("Ada")
    field.press("Enter")
    expect(page.get_by_role("heading", name="Ada")).to_be_visible()
    expect(alert).to_have_text("")
