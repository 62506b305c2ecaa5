"""A device that lies between people: the table turns to the person who is asked, and can be used from there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e import layout
from e2e.axe import findings
from e2e.conftest import SCREENS
from e2e.stored import wait_until_stored
from e2e.table import OVERFLOW, hold_curtain_button

Open = Callable[[str], Page]
STILL = "() => document.getAnimations().every(each => each.playState !== 'running')"
ANSWERS = "main [data-answer]:visible"
PICKS = 'main [data-do^="pick"]:not([aria-disabled="true"]):visible'
# returns by how many degrees the asked seat's own area is turned around the middle of the table, as seen on the screen
OWN = """() => {
    const middle = node => { const b = node.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] };
    const [x, y] = middle(document.querySelector('.desk')), [cx, cy] = middle(document.querySelector('.ring'));
    return Math.abs(x - cx) > Math.abs(y - cy) ? (x < cx ? '90' : '270') : (y < cy ? '180' : '0');
}"""


def open_table_lying_flat(open_app: Open, fragment: str, size: str) -> Page:
    """Sets in the lobby that the device lies in the middle of the table, then opens a table."""
    page = open_app("")
    page.set_viewport_size(SCREENS[size])
    page.get_by_role("button", name="In the middle of the table").click()
    expect(page.get_by_role("button", name="In the middle of the table")).to_have_attribute("aria-pressed", "true")
    wait_until_stored(page, "settings", '"top": "on"')
    return open_app(fragment)


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", ["tablet", "tablet-wide"])
def test_the_table_turns_to_each_of_four_people(size: str, open_app: Open) -> None:
    page = open_table_lying_flat(open_app, "#play=razzia&seats=p,p,p,p&seed=around", size)
    root = page.locator("#app")
    seen: set[str] = set()
    while len(seen) < 4:
        expect(root).to_have_attribute("data-ask", "razzia.turn")
        seat = root.get_attribute("data-seat")
        assert seat is not None
        facing = str(90 * int(seat))
        expect(page.locator("[data-turned]")).to_have_attribute("data-turned", facing)
        page.wait_for_function(STILL)
        assert page.evaluate(OWN) == facing
        assert page.locator(".board").evaluate(OVERFLOW) == [0, 0]
        if facing not in seen:
            assert findings(page) == []
        seen.add(facing)
        entries = root.get_attribute("data-entries")
        page.locator('[data-answer="draw"]').click()
        expect(root).not_to_have_attribute("data-entries", entries or "")
        while root.get_attribute("data-ask") != "razzia.turn":
            offer = page.locator('[data-answer="pass"]')
            offer.or_(page.locator('[data-ask="razzia.turn"]')).first.wait_for()
            if offer.count():
                offer.click()
    expect(page.locator(".edge")).to_have_count(4)


def test_a_seat_moved_to_another_edge_stays_there_after_a_reload(open_app: Open) -> None:
    page = open_table_lying_flat(open_app, "#play=razzia&seats=p,p&seed=edges", "tablet-wide")
    expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.turn")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name="People").click()
    page.get_by_role("dialog").get_by_role("button", name="Vera").click()
    page.get_by_role("radiogroup", name="Sits at").get_by_role("radio", name="the right").check()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator(".edge[data-edge='3']")).to_have_text("Vera")
    wait_until_stored(page, "settings", '"edges": "03')
    page.reload()
    expect(page.locator(".edge[data-edge='3']")).to_have_text("Vera")


def test_a_phone_offers_two_edges(open_app: Open) -> None:
    """Regression test: it offered four. A seat at the left edge of a tablet is at the near edge of a phone, and is back
    at the left on a tablet."""
    page = open_table_lying_flat(open_app, "#play=razzia&seats=p,p,p,p&seed=edges", "phone")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name="People").click()
    page.get_by_role("dialog").get_by_role("button", name="Vera").click()
    offered = page.get_by_role("radiogroup", name="Sits at").get_by_role("radio")
    near, far = offered.and_(page.get_by_label("the near edge")), offered.and_(page.get_by_label("the far edge"))
    expect(offered).to_have_count(2)
    expect(near).to_be_checked()
    page.set_viewport_size(SCREENS["tablet"])
    expect(offered).to_have_count(4)
    expect(page.get_by_role("radio", name="the left")).to_be_checked()
    page.set_viewport_size(SCREENS["phone"])
    far.check()
    expect(offered).to_have_count(2)
    near.check()
    expect(near).to_be_checked()


def test_two_people_sit_face_to_face_on_a_phone(open_app: Open) -> None:
    page = open_table_lying_flat(open_app, "#play=razzia&seats=p,p&seed=phone", "phone")
    expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.turn")
    expect(page.locator(".edge")).to_have_count(2)
    assert page.locator(".board").evaluate(OVERFLOW) == [0, 0]
    assert findings(page) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(("game", "seats"), [("razzia", 5), ("bars", 8), ("sicilianos", 6), ("thieves", 4)])
def test_with_many_people_a_phone_turns_to_two_edges_only(game: str, seats: int, open_app: Open) -> None:
    """Regression test: turned by a quarter there was no room for a table, bars had no height, texts were cut off, and
    targets too small."""
    page = open_table_lying_flat(open_app, f"#play={game}&seats={','.join('p' * seats)}&seed=phone", "phone")
    seen: set[str] = set()
    for _ in range(3 * seats):
        expect(page.locator(f"{ANSWERS}, {PICKS}, [data-hold]").first).to_be_visible()
        if page.locator("[data-hold]").count():
            hold_curtain_button(page)
            expect(page.locator("[data-hold]")).to_have_count(0)
        page.wait_for_function(STILL)
        turned = page.locator("[data-turned]").evaluate("node => getComputedStyle(node).rotate")
        if turned not in seen:
            for size in (SCREENS["phone"], {"width": 844, "height": 390}):
                page.set_viewport_size(size)
                assert (turned, layout.cut_off(page), layout.small_targets(page)) == (turned, [], [])
        seen.add(turned)
        if len(seen) == 2:
            break
        answer(page)
    assert seen == {"none", "180deg"}


def answer(page: Page) -> None:
    """Gives the first answer that is possible now."""
    root = page.locator("#app")
    entries = root.get_attribute("data-entries") or ""
    expect(page.locator(f"{ANSWERS}, {PICKS}").first).to_be_enabled()
    if not page.locator(ANSWERS).count():
        page.locator(PICKS).first.click()
    page.locator(ANSWERS).first.click()
    expect(root).not_to_have_attribute("data-entries", entries)
