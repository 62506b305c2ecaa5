"""The page and a device that is no browser play together over a real connection."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.conftest import NewContext
from e2e.python_device import PythonDevice
from e2e.rooms import Person, play_until
from engine import GAMES
from peer.table.lobby import Lobby, Spot
from peer.table.news import Fault, OtherVersion, Refusal


def test_a_device_in_python_opens_a_table_and_the_page_plays_at_it(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    device = PythonDevice(site_with_endpoint)
    spots = (Spot("Python", "rose"), Spot("Page", "anchor"))
    fragment = device.run(device.open_table(Lobby("razzia", GAMES["razzia"].VERSION, {}, spots)))
    person = Person(new_context())
    person.follow_link(f"{site_with_endpoint}#{fragment}")
    person.sit(1)
    device.run(device.begin())
    play_together(device, person)


def test_the_page_opens_a_table_and_a_device_in_python_plays_at_it(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    device, person = PythonDevice(site_with_endpoint), Person(new_context())
    _, fragment = person.open_table("p,p", site_with_endpoint).split("#")
    device.run(device.join_table(fragment, 1))
    expect(person.page.locator(".room .seats li").nth(1)).to_contain_text("Python")
    person.page.get_by_role("button", name="Begin").click()
    play_together(device, person)


def play_together(device: PythonDevice, person: Person) -> None:
    """Lets both answer, and checks that neither reports a violation of the protocol by the other."""
    expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")

    def has_played() -> bool:
        device.run(device.answer_if_asked())
        return person.entry_count() > 15

    play_until([person], has_played)
    expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")
    device.run(device.wait_until_direct())
    assert [one for one in device.events if isinstance(one, Fault | Refusal | OtherVersion)] == []
    assert device.table.channels.refused == {}
    device.stop()
