"""Dragging, tapping and sounds."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from e2e.conftest import SCREENS, NewContext, wait_until_ready
from e2e.table import deck_of, setup_fragment

Open = Callable[[str], Page]
# counts the audio contexts that are made, and the sounds that begin
LISTEN = """
window.opened = 0; window.begun = 0;
const Real = window.AudioContext;
window.AudioContext = class extends Real { constructor(...given) { super(...given); window.opened += 1 } };
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const own = kind.prototype.start;
    kind.prototype.start = function (...given) { window.begun += 1; return own.apply(this, given) };
}
"""

# an audio context that iOS has interrupted; counts how often it is resumed
INTERRUPTED = """
window.resumed = 0;
const resume = AudioContext.prototype.resume;
Object.defineProperty(AudioContext.prototype, "state", { get: () => "interrupted" });
AudioContext.prototype.resume = function () { window.resumed += 1; return resume.call(this) };
"""


def expect_entries(page: Page, count: int) -> None:
    expect(page.locator("#app")).to_have_attribute("data-entries", str(count))


def entry_count(page: Page) -> int:
    return int(page.locator("#app").get_attribute("data-entries") or 0)


def test_a_cheque_is_dragged_to_the_centre(open_app: Open) -> None:
    page = open_app("#play=razzia&seats=p,p&seed=drag")
    page.locator('[data-answer="draw"]').click()
    page.locator('[data-answer="call"]').click()
    expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.auction")
    cheque = page.locator(".mine:visible [data-drag='centre']").last
    says = cheque.get_attribute("data-says")
    count = entry_count(page)
    # dropped where it cannot go, it returns
    cheque.drag_to(page.locator(".bar h1"))
    expect(page.locator("[data-dragging]")).to_have_count(0)
    assert entry_count(page) == count
    cheque.drag_to(page.locator(".centre"))
    expect_entries(page, count + 1)
    assert says
    expect(page.locator(".log li").filter(has_text=f"{says.split()[1]},000").first).to_be_visible()


def test_a_thief_is_dragged_to_a_card_of_the_row(open_app: Open) -> None:
    page = open_app(setup_fragment("razzia", "p,p", "thief", deck_of("razzia", "deck", thief=60)))
    page.locator('[data-answer="draw"]').click()
    page.locator('[data-answer="call"]').click()
    first = page.locator("#app").get_attribute("data-seat")
    page.locator('[data-answer^="offer"]').first.click()
    passes = page.locator('[data-answer="pass"]')
    if page.locator("#app").get_attribute("data-ask") == "razzia.auction":
        passes.click()
    expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.turn")
    while not page.locator(".mine:visible [data-drag='row']").count():
        before = entry_count(page)
        page.locator('[data-answer="draw"]').click()
        expect(page.locator("#app")).not_to_have_attribute("data-entries", str(before))
        expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.turn")
    assert first is not None
    card = page.locator(".pick").first
    page.locator(".mine:visible [data-drag='row']").drag_to(card)
    expect(card).to_have_attribute("aria-pressed", "true")
    # the same again by tapping
    card.click()
    expect(card).to_have_attribute("aria-pressed", "false")


def test_a_tap_on_the_pile_turns_up_a_card(open_app: Open) -> None:
    page = open_app("#play=razzia&seats=p,p&seed=pile")
    expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.turn")
    count = entry_count(page)
    page.locator(".deck").click()
    expect_entries(page, count + 2)


def test_the_rules_are_one_tap_away_on_a_phone(new_context: NewContext) -> None:
    page = new_context(viewport=SCREENS["phone"], has_touch=True).new_page()
    page.goto("./#play=razzia&seats=p,p&seed=rules")
    wait_until_ready(page)
    page.get_by_role("button", name="Rules").tap()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_sounds_are_off_until_they_are_switched_on(page: Page, open_app: Open) -> None:
    page.add_init_script(LISTEN)
    page = open_app("#play=razzia&seats=p,p&seed=sound")
    count = entry_count(page)
    page.locator('[data-answer="draw"]').click()
    expect_entries(page, count + 2)
    assert page.evaluate("[opened, begun]") == [0, 0]
    page.get_by_role("button", name="Menu").click()
    switch = page.get_by_role("dialog").get_by_role("button", name="Sounds")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => opened === 1 && begun > 0")
    page.keyboard.press("Escape")
    already = page.evaluate("begun")
    page.locator("[data-answer='draw'], [data-answer='pass']").first.click()
    page.wait_for_function("already => begun > already", arg=already)
    # the next visit has sounds, but makes none before the page is touched
    page.reload()
    wait_until_ready(page)
    assert page.evaluate("[opened, begun]") == [0, 0]
    page.locator("[data-answer='draw'], [data-answer='pass']").first.click()
    page.wait_for_function("() => opened === 1 && begun > 0")


def test_sounds_come_back_after_an_interruption(page: Page, open_app: Open) -> None:
    """Regression test: they came back only when they were suspended, and iOS has another word for it after a call."""
    page.add_init_script(INTERRUPTED)
    open_app("#play=razzia&seats=p,p&seed=sound")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Sounds").click()
    page.wait_for_function("() => resumed > 0")


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_card_is_played_by_dragging_it(open_app: Open) -> None:
    page = open_app("#play=thieves&seats=p,b1,b1&seed=drag")
    app = page.locator("#app")
    expect(app).to_have_attribute("data-seat", "0")
    card = page.locator("main [data-drag='seats']:visible").first
    entries = app.get_attribute("data-entries") or ""
    card.hover()
    page.mouse.down()
    # the place comes to the front only while a card is dragged
    page.mouse.move(*middle(page.locator("main [data-drop='seats']").first), steps=4)
    page.mouse.up()
    expect(app).not_to_have_attribute("data-entries", entries)
