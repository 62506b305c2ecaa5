"""Tables by link in real browsers: from the link to the last card, with reloads, and after the opener has left."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from e2e.axe import findings
from e2e.conftest import SCREENS, TIMEOUT, NewContext, NewPhone
from e2e.guard import Guard
from e2e.rooms import Person, play_until, start_table, suspended, wait_for_asked_person
from e2e.table import deck_of, setup_fragment

#: whole games with few cards
FEW = {"ring": 1, "diamond": 1, "coin": 1, "thief": 1, "driver": 1, "car": 2, "bodyguard": 2, "casino": 1, "film": 1}
TWO = setup_fragment("razzia", "p,p", "two", deck_of("razzia", "deck", **FEW, police=12))
FIVE = setup_fragment("razzia", "p,p,p,p,p", "five", deck_of("razzia", "deck", **FEW, police=2))
THREE = "#play=bars&seats=p,p,p&notes=5:10,10:2,15:0,20:0,25:0,30:0,40:0,50:0"
#: a network in which no two browsers reach each other: only relays are allowed, and there is none
RELAY_ONLY = """
window.RTCPeerConnection = class extends window.RTCPeerConnection {
    constructor(given) { super({...given, iceTransportPolicy: 'relay'}); }
};
"""


@pytest.mark.sample(1, group="whole games by link")
def test_two_devices_play_a_whole_game_by_link(new_context: NewContext, site_with_endpoint: str) -> None:
    people = start_table(new_context, site_with_endpoint, TWO, 1)
    play_until(people, lambda: all(person.sees_result() for person in people))
    assert len({person.entry_count() for person in people}) == 1
    for person in people:
        person.page.keyboard.press("Escape")
        expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")


def test_a_table_of_three_devices_and_a_bot_goes_on_without_its_opener(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    people = start_table(new_context, site_with_endpoint, "p,p,p,b", 2)
    play_until(people, lambda: all(person.entry_count() > 10 for person in people))
    host, *rest = people
    for person in rest:
        expect(person.page.locator(".net[data-state=direct]")).to_be_visible()
    host.page.close()
    for person in rest:
        expect(person.page.locator(".net")).to_have_attribute("data-host", re.compile("me|direct"), timeout=5_000)
    for person in rest:
        for seat in ("Theo", "Ines"):
            person.agree_on_bot(seat)
    play_until(rest, lambda: all(person.entry_count() > 20 for person in rest))


def let_bots_finish(people: list[Person]) -> None:
    """Lets bots play the game to its end on every page, and checks that all pages agree."""
    for person in people:
        person.let_bot_play()
    for person in people:
        expect(person.page.locator("dialog .ranks")).to_be_visible(timeout=3 * TIMEOUT)
    assert len({person.entry_count() for person in people}) == 1
    for person in people:
        expect(person.page.get_by_role("alert")).to_be_empty()


@pytest.mark.sample(1, group="whole games by link")
def test_five_pages_play_a_whole_game(new_context: NewContext, site_with_endpoint: str) -> None:
    people = start_table(new_context, site_with_endpoint, FIVE, 4)
    play_until(people, lambda: all(person.entry_count() > 3 for person in people))
    let_bots_finish(people)


def test_three_devices_finish_a_game_with_hidden_hands_while_one_is_suspended(
    new_context: NewContext, new_phone: NewPhone, site_with_endpoint: str
) -> None:
    """A bot plays for the phone until it wakes up. At the end every page has verified every card."""
    phone, browser = new_phone()
    people = start_table(new_context, site_with_endpoint, THREE, 2, last=phone)
    play_until(people, lambda: all(person.entry_count() > 2 for person in people))
    *awake, asleep = people
    with suspended(browser):
        for person in awake:
            expect(person.page.locator(".net")).to_have_attribute("aria-label", re.compile("reconnecting", re.I))
        for person in awake:
            person.agree_on_bot("Milo")
        for person in awake:
            expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")
        least = 2 + max(person.entry_count() for person in awake)
        play_until(awake, lambda: all(person.entry_count() >= least for person in awake))
    for person in people:
        expect(person.page.locator(".net")).to_have_attribute("data-state", re.compile("direct|relayed"))
    asleep.page.locator(".net").click()
    asleep.page.get_by_role("button", name="Take the seat back").click()
    asleep.page.keyboard.press("Escape")
    play_until([asleep], lambda: asleep.entry_count() >= least)
    let_bots_finish(people)


def play_to_offer(people: list[Person]) -> None:
    """Plays on to an auction in which somebody has made an offer."""
    person = wait_for_asked_person(people)
    while not person.page.locator(".best").count():
        can = (words for words in ("offer", "call", "draw") if person.page.locator(f'[data-answer^="{words}"]').count())
        person.answer_with(next(can))
        person = wait_for_asked_person(people)


def shown_auction(person: Person) -> tuple[list[str], str | None]:
    """Returns the auction as this page shows it: the state that is the same for everybody, with the highest offer; and
    the question as this person reads it."""
    root, page = person.app_data, person.page
    offer = page.locator(".best .who").first.text_content() or ""
    return [root["entries"], root["ask"], root["seat"], offer], page.locator(".ask .question").text_content()


def test_a_reload_of_either_device_during_an_auction_loses_nothing(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    people = start_table(new_context, site_with_endpoint, "p,p", 1)
    for person in reversed(people):
        play_to_offer(people)
        before = [shown_auction(each) for each in people]
        assert before[0][0] == before[1][0]
        assert "offers" in before[0][0][-1]
        person.page.reload()
        expect(person.page.locator("#app[data-ready][data-screen=table]")).to_be_visible()
        who = wait_for_asked_person(people)
        assert [shown_auction(each) for each in people] == before
        who.answer_with("pass")
        expect(person.page.locator(".net")).to_have_attribute("data-host", re.compile("me|direct|relayed"))
    entries = wait_for_asked_person(people).entry_count()
    play_until(people, lambda: all(person.entry_count() > entries + 6 for person in people))
    guest = people[1].page
    guest.goto("about:blank")
    guest.goto(site_with_endpoint)
    guest.get_by_role("button", name="1 table by link").click()
    assert findings(guest) == []
    guest.get_by_role("button", name="Back to the table").click()
    expect(guest.locator("#app[data-screen=table]")).to_be_visible()
    assert people[1].entry_count() > entries


def test_a_second_window_takes_over_the_table_during_a_game(new_context: NewContext, site_with_endpoint: str) -> None:
    people = start_table(new_context, site_with_endpoint, "p,p", 1)
    play_until(people, lambda: all(person.entry_count() > 4 for person in people))
    host, first = people
    second = Person(first.page.context)
    second.page.goto(first.page.url)
    play_until(people, lambda: second.app_data.get("screen") == "table")
    expect(first.page.locator(".net")).to_have_attribute("aria-label", re.compile("another window"))
    entries = second.entry_count()
    play_until([host, second], lambda: all(person.entry_count() > entries + 6 for person in (host, second)))
    for person in (*people, second):
        expect(person.page.get_by_role("alert")).to_be_empty()


def test_a_page_restored_from_the_back_forward_cache_rejoins_its_table(
    launch_browser: Callable[..., Browser], browser_context_args: dict[str, Any], guard: Guard, site_with_endpoint: str
) -> None:
    """Regression test: after the back button the table was shown as it was left, and both devices seemed away."""
    browser = launch_browser(ignore_default_args=["--disable-back-forward-cache"])

    def context() -> BrowserContext:
        made = browser.new_context(**browser_context_args)
        made.set_default_timeout(TIMEOUT)
        guard.watch(made)
        return made

    people = start_table(
        context,
        site_with_endpoint,
        "p,p",
        1,
        script="addEventListener('pageshow', e => { window.kept = e.persisted });",
    )
    play_until(people, lambda: all(person.entry_count() > 6 for person in people))
    guest = people[1].page
    guard.allow("favicon")  # site.json is no page, so the browser asks for an icon
    before = people[1].entry_count()
    for _ in range(3):  # the browser decides each time whether it keeps the page in its back/forward cache
        guest.goto(f"{site_with_endpoint}assets/site.json")
        guest.go_back(wait_until="commit")
        if guest.evaluate("window.kept"):
            break
        why = guest.evaluate("JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons)")
        play_until(people, lambda before=before: all(person.entry_count() > before + 4 for person in people))
        before = people[1].entry_count()
    else:
        pytest.fail(f"the browser puts nothing aside: {why}")
    play_until(people, lambda: all(person.entry_count() > before + 4 for person in people))
    for person in people:
        expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")
    browser.close()


def test_the_seat_of_a_lost_device_of_two_moves_to_another_device(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    people = start_table(new_context, site_with_endpoint, "p,p", 1)
    play_until(people, lambda: all(person.entry_count() > 4 for person in people))
    host, lost = people
    link = copy_rejoin_link(lost)
    lost.page.context.close()
    expect(host.page.locator(".net")).to_have_attribute("data-host", "")
    found = Person(new_context())
    found.follow_link(link)
    entries = host.entry_count()
    play_until([host, found], lambda: all(person.entry_count() > entries + 6 for person in (host, found)))
    expect(found.page.locator(".net")).to_have_attribute("data-state", "direct")


def test_links_still_work_after_every_seat_has_moved_to_another_device(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    laptops = start_table(new_context, site_with_endpoint, "#play=thieves&seats=p,p,b1", 1)
    play_until(laptops, lambda: all(person.entry_count() > 4 for person in laptops))
    phones: list[Person] = []
    for laptop in laptops:
        phones.append(Person(new_context()))
        phones[-1].follow_link(copy_rejoin_link(laptop))
        expect(laptop.page.locator("dialog [role=status]")).to_contain_text("This page can be closed.")
        laptop.page.context.close()
    watcher = Person(new_context())
    watcher.follow_link(phones[0].page.url)
    tablet = Person(new_context())
    tablet.follow_link(copy_rejoin_link(phones[1]))
    expect(phones[1].page.locator("dialog [role=status]")).to_contain_text("This page can be closed.")
    entries = phones[0].entry_count()
    now = [phones[0], tablet]
    play_until(now, lambda: all(person.entry_count() > entries + 6 for person in (*now, watcher)))


def copy_rejoin_link(person: Person) -> str:
    page = person.page
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    page.locator(".net").click()
    page.get_by_role("button", name="Take the seat to another device").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    link: str = page.evaluate("window.copied")
    return link


def test_with_two_devices_an_agreed_bot_takes_a_seat_and_gives_it_back(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    people = start_table(new_context, site_with_endpoint, "p,p", 1)
    play_until(people, lambda: all(person.entry_count() > 4 for person in people))
    host, guest = people
    guest.page.locator(".net").click()
    guest.page.get_by_role("button", name="Agree to a bot for me").click()
    expect(guest.page.get_by_text("Agreed: while this device is away")).to_be_visible()
    link = guest.page.url
    guest.page.goto("about:blank")
    expect(host.page.locator(".net")).to_have_attribute("data-host", "")
    host.page.locator(".net").click()
    theirs = host.page.get_by_role("dialog").get_by_role("listitem").nth(1)
    theirs.get_by_role("button", name="Let a bot sit in").click()
    host.page.keyboard.press("Escape")
    entries = host.entry_count()
    play_until([host], lambda: host.entry_count() > entries + 6)
    guest.page.goto(link)
    expect(guest.page.locator("#app[data-ready][data-screen=table]")).to_be_visible()
    guest.page.locator(".net").click()
    guest.page.get_by_role("button", name="Take the seat back").click()
    guest.page.keyboard.press("Escape")
    entries = host.entry_count()
    play_until(people, lambda: all(person.entry_count() > entries + 8 for person in people))
    expect(host.page.locator(".net")).to_have_attribute("data-state", "direct")


def test_a_table_without_direct_connections_is_relayed_and_shows_it(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    people = start_table(new_context, site_with_endpoint, "p,p", 1, script=RELAY_ONLY)
    play_until(people, lambda: all(person.entry_count() > 10 for person in people))
    for person in people:
        expect(person.page.locator(".net")).to_have_attribute("data-state", "relayed")


def test_chat_messages_reach_the_other_device_as_text(new_context: NewContext, site_with_endpoint: str) -> None:
    people = start_table(new_context, site_with_endpoint, "p,p", 1)
    first, second = (person.page for person in people)
    first.locator(".net").click()
    first.get_by_label("Say something").fill("<b>Evening</b>, all")
    first.keyboard.press("Enter")
    expect(second.get_by_role("alert")).to_contain_text("Theo: <b>Evening</b>, all")
    second.locator(".net").click()
    second.get_by_role("button", name="Good evening!").click()
    expect(first.get_by_role("dialog").get_by_role("log")).to_contain_text("Good evening!")
    assert findings(first) == []


def test_a_name_that_is_taken_or_too_long_is_refused_in_the_lobby(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    host, guest = Person(new_context()), Person(new_context())
    link = host.open_table("p,p", site_with_endpoint)
    guest.follow_link(link)
    guest.sit(1)
    field = guest.page.locator(".room .seats").get_by_role("textbox")
    for name, said in (("theo", "Somebody here is called theo already"), ("x" * 30, "at most 24 letters")):
        field.fill(name)
        field.press("Enter")
        expect(guest.page.get_by_role("alert")).to_contain_text(said)
        assert findings(guest.page) == []
    field.fill("Zsófia")
    field.press("Enter")
    expect(host.page.locator(".room .seats li").nth(1)).to_contain_text("Zsófia")


def test_a_rejoin_link_shows_that_too_few_devices_are_present(new_context: NewContext, site_with_endpoint: str) -> None:
    """Regression test: the page only said that it was looking. The laptop is the dealer: the game cannot continue
    without it."""
    laptop, other = start_table(new_context, site_with_endpoint, "#play=thieves&seats=p,p,b1", 1)
    play_until([laptop, other], lambda: all(person.entry_count() > 4 for person in (laptop, other)))
    link, back = copy_rejoin_link(laptop), laptop.page.url
    laptop.page.goto("about:blank")
    phone = Person(new_context())
    phone.follow_link(link)
    expect(phone.page.get_by_role("status")).to_contain_text("one more must be open before this one is let in")
    expect(phone.page.get_by_text("The device the seat comes from counts too")).to_be_visible()
    assert findings(phone.page) == []
    laptop.page.goto(back)
    expect(phone.page.locator("#app")).to_have_attribute("data-screen", "table")
    entries = phone.entry_count()
    play_until([other, phone], lambda: all(person.entry_count() > entries + 4 for person in (other, phone)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", SCREENS)
def test_the_lobby_of_a_table_by_link_fits_every_screen_and_is_accessible(
    size: str, new_context: NewContext, site_with_endpoint: str
) -> None:
    host = Person(new_context(viewport=SCREENS[size]))
    host.open_table("p,p,b", site_with_endpoint)
    assert host.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert findings(host.page) == []
    host.page.get_by_role("button", name="Show as a code").click()
    expect(host.page.get_by_role("img", name="The link as a code")).to_be_visible()
    assert findings(host.page) == []


def test_a_link_to_no_table_shows_a_message(new_context: NewContext, site_with_endpoint: str) -> None:
    person = Person(new_context())
    person.follow_link(f"{site_with_endpoint}#r=000000000000.{'a' * 24}")
    expect(person.page.get_by_role("status")).to_contain_text("There is no table behind this link")
    person.page.get_by_role("button", name="Leave the table").click()
    expect(person.page.locator("[data-screen=lobby]")).to_be_visible()


def test_leaving_a_table_leads_to_the_lobby_and_stays_there(new_context: NewContext, site_with_endpoint: str) -> None:
    opener = Person(new_context())
    opener.open_table("p,p", site_with_endpoint)
    opener.page.get_by_role("button", name="Leave the table").click()
    _, guest = start_table(new_context, site_with_endpoint, "p,p", 1)
    guest.page.locator(".net").click()
    guest.page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    for person in (opener, guest):
        expect(person.page.locator("[data-screen=lobby]")).to_be_visible()
        person.page.get_by_role("button", name="Settings").click()  # by now all messages on leaving have arrived
        person.page.keyboard.press("Escape")
        expect(person.page.locator("[data-screen=lobby]")).to_be_visible()
        expect(person.page).to_have_url(site_with_endpoint)
