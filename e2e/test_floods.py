"""Pages whose program was changed, so that they flood the others: they are muted, named and closed, and the others play
on. How long that takes is measured by `bench/floods.py`."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.conftest import NewContext
from e2e.floods import CLOSED, FLOODER
from e2e.guard import Guard
from e2e.rooms import Person, play_until

MUTED = "{} sent nonsense again and again, and is heard no more."


def test_pages_that_flood_are_muted_named_and_closed_and_three_others_play_on(
    new_context: NewContext, site_with_endpoint: str, guard: Guard
) -> None:
    """The first is a guest without a seat, who floods through the endpoint. The second sits at the table, and floods
    its direct connections with messages that it has sent before."""
    guard.allow("WebSocket")  # the endpoint cuts the first of them
    others = [Person(new_context()) for _ in range(3)]
    guest, player = Person(new_context(), FLOODER), Person(new_context(), FLOODER)
    link = others[0].open_table("p,p,p,p", site_with_endpoint)
    for seat, person in ((1, others[1]), (2, others[2]), (3, player)):
        person.follow_link(link)
        person.sit(seat)
    guest.follow_link(link)
    guest.page.wait_for_function("() => window.lines.filter(line => line.readyState === 'open').length === 4")

    guest.page.evaluate("window.floodRelay('short', 60000)")
    for person in others:
        expect(person.page.get_by_role("alert")).to_contain_text(MUTED.format("Somebody"))
        person.page.locator('[data-do="notice.close"]').click()
    guest.page.wait_for_function(CLOSED)
    guest.page.close()

    others[0].page.get_by_role("button", name="Begin").click()
    for person in (*others, player):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
        expect(person.page.locator(".net[data-state=direct]")).to_be_visible()
    player.page.evaluate("window.flood('repeated', 60000)")
    for person in others:
        expect(person.page.get_by_role("alert")).to_contain_text(MUTED.format("Ines"))
    player.page.wait_for_function(CLOSED)
    for person in others:
        person.agree_on_bot("Ines")
    play_until(others, lambda: all(person.entry_count() > 8 for person in others))
