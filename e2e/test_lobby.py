"""The lobby in a real browser: setting up a game, links, settings, accessibility."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.axe import findings
from e2e.conftest import NewContext, wait_until_ready
from e2e.guard import Guard
from e2e.stored import wait_until_stored
from engine import GAMES
from ui.boards import PLAYABLE

Open = Callable[..., Page]
WIDER = "document.documentElement.scrollWidth - innerWidth"


def dialog(page: Page) -> None:
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_game_is_set_up_and_started(open_app: Open) -> None:
    page = open_app()
    expect(page.get_by_role("radio", name="Razzia! ")).to_be_checked()
    page.get_by_label("Name at seat 1").fill("Ábel")
    page.get_by_role("button", name="Remove Ines").click()
    page.get_by_role("radiogroup", name="Who plays Vera").get_by_role("radio", name="Person").check()
    expect(page.get_by_role("heading", name="At the table, 3 seats")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    root = page.locator("#app")
    expect(root).to_have_attribute("data-game", "razzia")
    expect(root).to_have_attribute("data-ready", "")
    expect(page.get_by_role("region", name="Ábel")).to_be_visible()
    expect(page).to_have_url(re.compile(r"#game=[0-9a-f]{12}$"))


def test_all_games_are_shown_and_those_with_a_board_can_be_chosen(open_app: Open) -> None:
    page = open_app()
    expect(page.locator(".poster")).to_have_count(len(GAMES))
    for game in GAMES:
        expect(page.locator(f'.poster input[value="{game}"]')).to_be_enabled(enabled=game in PLAYABLE)


def test_house_rules_and_the_deck_can_be_changed(open_app: Open) -> None:
    page = open_app()
    page.get_by_role("button", name="As in the book").click()
    dialog(page)
    page.get_by_role("radiogroup", name="A tie at the end").get_by_role("radio").nth(1).check()
    page.get_by_text("120 cards").click()
    page.get_by_label("Ring").fill("6")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="2 changed")).to_be_focused()
    page.get_by_role("button", name="2 changed").click()
    expect(page.get_by_text("122 cards")).to_be_visible()
    page.get_by_role("button", name="As in the book").click()
    expect(page.get_by_text("120 cards")).to_be_visible()


def test_a_language_that_cannot_be_fetched_is_reported(page: Page, open_app: Open, guard: Guard) -> None:
    """Regression test: it ended in "Something went wrong", and in WebKit in nothing at all."""
    guard.expect("Failed to load resource")
    page.add_init_script("delete navigator.__proto__.serviceWorker")  # it would have the language already
    page.route("**/pl*.mo", lambda route: route.abort())
    open_app()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Polski").check()
    expect(page.get_by_role("alert").filter(has_text="Polski could not be fetched")).to_be_visible()
    expect(page.get_by_role("radio", name="English")).to_be_checked()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_emblem_order_and_level_of_a_seat_can_be_changed(open_app: Open) -> None:
    page = open_app()
    page.get_by_role("button", name="Seat 2, Vera").click()
    dialog(page)
    page.get_by_role("dialog").get_by_role("radio", name="Easy").check()
    page.get_by_role("radio", name="Fish").check()
    page.get_by_role("button", name="Move up").click()
    expect(page.get_by_role("heading", name="Seat 1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Name at seat 1")).to_have_value("Vera")
    expect(page.get_by_label("How well Vera plays")).to_have_value("b1")
    expect(page.locator(".seats li").first.locator(".emb")).to_have_class(re.compile("e-fish"))


@pytest.mark.sample(1)
@pytest.mark.parametrize("shown", ["<img src onerror=hit=1>", "x" * 24])
def test_a_name_is_shown_as_text(shown: str, open_app: Open) -> None:
    page = open_app()
    page.get_by_label("Name at seat 1").fill(shown)
    page.get_by_label("Name at seat 2").focus()
    expect(page.get_by_label("Name at seat 1")).to_have_value(shown)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#app")).to_have_attribute("data-game", "razzia")
    expect(page.get_by_role("region", name=shown, exact=True)).to_be_visible()
    assert page.locator("main img").count() == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "fragment",
    [
        "#play=poker&seats=p,p",
        "#play=razzia&seats=p,p&seed=<script>alert(1)</script>",
        "#javascript:alert(1)",
        "#game=1",
    ],
)
def test_a_bad_link_shows_a_sentence_in_the_lobby(fragment: str, open_app: Open) -> None:
    page = open_app(fragment)
    expect(page.get_by_role("alert").filter(has_text=re.compile(r"\w+"))).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/speakeasy/$"))


def test_the_same_link_gives_the_same_deal(open_app: Open, new_context: NewContext) -> None:
    page = open_app("#play=razzia&seats=p,p,p&seed=abc")
    expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.turn")
    other = new_context().new_page()
    other.goto("./#play=razzia&seats=p,p,p&seed=abc")
    wait_until_ready(other)
    expect(other.locator("#app")).to_have_attribute("data-ask", "razzia.turn")
    assert other.locator("main").inner_text() == page.locator("main").inner_text()


def test_the_back_button_leads_to_the_lobby_and_forward_to_the_table(open_app: Open) -> None:
    page = open_app("#play=razzia&seats=p,p&seed=abc")
    expect(page.locator("#app")).to_have_attribute("data-screen", "table")
    page.go_back()
    expect(page.locator("#app")).to_have_attribute("data-screen", "lobby")
    page.go_forward()
    expect(page.locator("#app")).to_have_attribute("data-screen", "table")


def test_settings_are_kept_for_the_next_visit(open_app: Open) -> None:
    page = open_app()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Day").check()
    page.get_by_role("radio", name="At once").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "day")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Settings")).to_be_focused()
    wait_until_stored(page, "settings", '"speed": "off"')
    open_app()
    expect(page.locator("html")).to_have_attribute("data-theme", "day")
    assert page.evaluate("localStorage.getItem('theme')") == "day", (
        "the first screen of the next visit is in that light"
    )
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("radio", name="At once")).to_be_checked()


def test_choices_made_before_python_has_started_are_used(page: Page) -> None:
    held: list[Route] = []
    page.route("**/pyodide.asm.wasm", lambda route: held.append(route))
    page.goto("./")
    page.get_by_label("Name at seat 1").fill("Early Bird")
    page.get_by_role("radiogroup", name="Who plays Vera").get_by_role("radio", name="Person").check()
    page.locator("label.go-btn").click()
    expect(page.get_by_text("Lighting the lamps …")).to_be_visible()
    for route in held:
        route.continue_()
    page.unroute("**/pyodide.asm.wasm")
    wait_until_ready(page)
    expect(page.locator("#app")).to_have_attribute("data-game", "razzia")
    expect(page.get_by_role("region", name="Early Bird")).to_be_visible()


def test_python_takes_over_without_moving_anything(page: Page) -> None:
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(entry => moved += entry.value))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    page.goto("./")
    first = page.locator(".poster").first
    before = first.bounding_box()
    node = first.element_handle()
    wait_until_ready(page)
    assert node.evaluate("node => node.isConnected"), "the painted poster is still the same one"
    assert first.bounding_box() == before
    assert page.evaluate("moved") <= 0.05


def test_the_lobby_can_be_used_by_keyboard_alone(open_app: Open) -> None:
    page = open_app()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the table")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.get_by_role("button", name="Add a seat").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name at seat 5")).to_be_focused()
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#app")).to_have_attribute("data-game", "razzia")


def test_the_lobby_fits_on_a_phone_in_landscape(new_context: NewContext) -> None:
    page = new_context(viewport={"width": 844, "height": 390}).new_page()
    page.goto("./")
    wait_until_ready(page)
    assert page.evaluate(WIDER) <= 0
    page.get_by_role("button", name="Play", exact=True).scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport()
    assert findings(page) == []
