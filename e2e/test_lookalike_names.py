"""Names that look alike at a table by link, in real browsers."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from e2e.axe import findings
from e2e.conftest import NewContext
from e2e.rooms import Person
from ui.text.names import shown_names

CYRILLIC = "\N{CYRILLIC CAPITAL LETTER TE}heo"
MARKED = shown_names(["Theo", CYRILLIC], {1: 0})[1]


def test_a_guest_whose_name_looks_like_the_hosts_is_marked_and_told(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    host, guest = (Person(new_context()) for _ in range(2))
    guest.follow_link(host.open_table("p,p", site_with_endpoint))
    guest.sit(1)
    row = host.page.locator(".room .seats li").nth(1)
    field = guest.page.locator(".room .seats li").nth(1).get_by_role("textbox")
    told = re.compile("Your name looks like another one at this table, Theo")
    for name, is_marked in ((CYRILLIC, True), ("Vera", False), (CYRILLIC, True)):
        field.fill(name)
        field.press("Tab")
        expect(row.locator("b")).to_have_text(MARKED if is_marked else name)
        expect(row.get_by_text("looks like Theo")).to_have_count(int(is_marked))
        expect(guest.page.get_by_role("alert")).to_have_text(told if is_marked else "")
        expect(field).to_have_accessible_description(told if is_marked else "")
        assert findings(guest.page) == []
    assert findings(host.page) == []
    expect(host.page.get_by_role("alert")).to_have_text("")
    host.page.get_by_role("button", name="Begin").click()
    for person in (host, guest):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
        expect(person.page.locator("main").get_by_text(MARKED).filter(visible=True)).not_to_have_count(0)
        person.page.locator(".net").click()
        row = person.page.get_by_role("dialog").get_by_role("listitem").filter(has_text=MARKED)
        expect(row.get_by_text("looks like Theo")).to_be_visible()
        assert findings(person.page) == []
