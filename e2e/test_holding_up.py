"""One of three devices holds up a table by link in real browsers: the others go on."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from e2e.conftest import NewContext
from e2e.python_device import PythonDevice
from e2e.rooms import Person, look_until, play_until, wait_for_asked_person
from peer.order.outputs import Timing
from peer.wire.limits import MUTED_AT
from peer.wire.messages import GameFrame

PATIENCE = 90_000  # milliseconds: the table's minute, and some time for a busy machine


def seat_in_dialog(person: Person, seat: int) -> Locator:
    """Opens the dialog of the table, unless it is open. Returns the row of a seat in it."""
    dialog = person.page.get_by_role("dialog")
    if not dialog.count():
        person.page.locator(".net").click()
    return dialog.get_by_role("listitem").nth(seat)


def test_a_bot_answers_for_a_person_who_never_does_and_the_seat_can_be_taken_back(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    people = [Person(new_context()) for _ in range(3)]
    host, *guests = people
    link = host.open_table("p,p,p", site_with_endpoint)
    for seat, guest in enumerate(guests, 1):
        guest.follow_link(link)
        guest.sit(seat)
    host.page.locator("label", has_text="after a minute").click()
    expect(guests[0].page.get_by_text("after a minute")).to_be_visible()
    host.page.get_by_role("button", name="Begin").click()
    for person in people:
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    play_until(people, lambda: all(person.entry_count() >= 3 for person in people))
    thinker = wait_for_asked_person(people)
    seat, others = people.index(thinker), [person for person in people if person is not thinker]
    before = thinker.entry_count()
    for person in others:
        expect(seat_in_dialog(person, seat).get_by_role("button")).to_have_count(0)
    for person in others:
        button = seat_in_dialog(person, seat).get_by_role("button", name="Agree on a bot")
        expect(button).to_be_visible(timeout=PATIENCE)
        button.click()
    look_until(lambda: all(person.entry_count() > before for person in people), people)
    seat_in_dialog(thinker, seat).get_by_role("button", name="Take the seat back").click()
    for person in others:
        expect(seat_in_dialog(person, seat)).not_to_contain_text("A bot sits in")
    for person in people:
        person.page.keyboard.press("Escape")
    least = max(person.entry_count() for person in people) + 6
    play_until(people, lambda: all(person.entry_count() >= least or person.sees_result() for person in people))


def test_a_device_that_sends_nonsense_to_the_leader_only_is_named_to_all_and_replaced(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    device, people = PythonDevice(site_with_endpoint), [Person(new_context()), Person(new_context())]
    device.timing = Timing(election_min=10**8, election_max=10**8)  # so that it never leads
    link = people[0].open_table("p,p,p", site_with_endpoint)
    people[1].follow_link(link)
    people[1].sit(1)
    device.run(device.join_table(link.split("#")[1], 2))
    expect(people[0].page.locator(".room .seats li").nth(2)).to_contain_text("Python")
    people[0].page.get_by_role("button", name="Begin").click()
    for person in people:
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")

    async def whisper() -> bool:
        """Sends nonsense to the leader, if there is one."""
        table, game = device.table, device.table.game
        leader = game.device.raft.leader if game is not None else -1
        if game is None or leader not in (0, 1):
            return False
        channel = table.channels.by_key[game.seal_key_of(leader)]
        for _ in range(MUTED_AT):
            table.connections.send(channel, GameFrame("nonsense"))
        return True

    def waits_for_device() -> bool:
        awaited = people[0].app_data.get("ask", "") and not any(
            person.page.locator("[data-answer]").count() for person in people
        )
        return bool(awaited) and bool(device.run(whisper()))

    play_until(people, waits_for_device)
    for person in people:
        notice = re.compile("Python sent nonsense|nothing more from the device of Python")
        expect(person.page.get_by_role("alert")).to_contain_text(notice)
    before = max(person.entry_count() for person in people)
    for person in people:
        seat_in_dialog(person, 2).get_by_role("button", name="Agree on a bot").click()
        person.page.keyboard.press("Escape")
    play_until(people, lambda: all(person.entry_count() > before for person in people))
    device.stop()
