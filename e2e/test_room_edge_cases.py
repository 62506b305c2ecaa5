"""Tables by link in real browsers: a leader that is suspended, two people at one device, answers that were not sent yet
when the page was closed."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from e2e.axe import findings
from e2e.conftest import NewContext, NewPhone, wait_until_ready
from e2e.guard import Guard
from e2e.rooms import Person, play_until, start_table, suspended, wait_for_asked_person
from e2e.test_pairing import connect_guest

#: hidden hands, and notes for three nights
BARS = "#play=bars&seats=p,p,p&notes=5:17,10:2,15:0,20:0,25:0,30:0,40:0,50:0"
NAMES = ("Theo", "Vera", "Milo")
REACHED = re.compile("direct|relayed")


def leader(people: list[Person]) -> Person | None:
    """Returns the person whose device is the leader; None if no page, or more than one, says so."""
    found = [person for person in people if person.page.locator('.net[data-host="me"]').count()]
    return found[0] if len(found) == 1 else None


def test_a_suspended_leader_is_replaced_and_takes_its_seat_back(new_phone: NewPhone, site_with_endpoint: str) -> None:
    """The leader's device disappears without a message: the others elect another one, and a bot plays for its seat."""
    people = start_table(lambda: new_phone()[0], site_with_endpoint, BARS, 2)
    play_until(
        people, lambda: leader(people) is not None and {person.app_data["ask"] for person in people} == {"bars.pick"}
    )
    asleep = leader(people)
    assert asleep
    seat, awake = people.index(asleep), [person for person in people if person is not asleep]
    browser = asleep.page.context.browser
    assert browser
    with suspended(browser):
        for person in awake:
            expect(person.page.locator(".net")).to_have_attribute("aria-label", re.compile("reconnecting|away", re.I))
        play_until(awake, lambda: leader(awake) is not None)
        for person in awake:
            person.agree_on_bot(NAMES[seat])
        for person in awake:
            expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")
        least = 8 + max(person.entry_count() for person in awake)
        play_until(awake, lambda: all(person.entry_count() >= least for person in awake))
    for person in people:
        expect(person.page.locator(".net")).to_have_attribute("data-state", REACHED)
    asleep.page.locator(".net").click()
    theirs = asleep.page.get_by_role("dialog").get_by_role("listitem")
    theirs.nth(seat).get_by_role("button", name="Take the seat back").click()
    expect(theirs.nth(seat).get_by_role("button", name="Let a bot sit in")).to_be_visible()
    expect(theirs.get_by_role("button")).to_have_count(1)
    asleep.page.keyboard.press("Escape")
    play_until(people, lambda: all(person.sees_result() for person in people))
    for person in people:
        expect(person.page.get_by_role("alert")).to_be_empty()


#: records everything that a page draws: the seat that the curtain waits for, and the cards shown in a hand
RECORD_CARDS = """
window.drawn = [];
new MutationObserver(() => {
    const curtain = document.getElementById('app')?.dataset.curtain ?? '';
    const cards = [...document.querySelectorAll('.hand [data-fly]')].map(card => card.dataset.fly);
    if (curtain || cards.length) drawn.push([curtain, cards]);
}).observe(document, { subtree: true, childList: true, attributes: true });
"""


def cards_by_curtain(person: Person) -> list[tuple[str, set[str]]]:
    """Returns the seats that the curtain on this page waited for, in order, each with all cards shown in a hand until
    it was down for another seat. The first item is the time before the first curtain."""
    found: list[tuple[str, set[str]]] = [("", set())]
    for curtain, cards in person.page.evaluate("drawn"):
        if curtain and curtain != found[-1][0]:
            found.append((curtain, set()))
        assert not (curtain and cards), "under the curtain lies nothing"
        found[-1][1].update(cards)
    return found


def test_people_at_one_device_and_at_another_never_see_each_others_hands(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    pair, alone = Person(new_context(), RECORD_CARDS), Person(new_context(), RECORD_CARDS)
    link = pair.open_table(BARS, site_with_endpoint)
    pair.sit(1)
    alone.follow_link(link)
    alone.sit(2)
    pair.page.get_by_role("button", name="Begin").click()
    play_until([pair, alone], lambda: len(cards_by_curtain(pair)) > 4)  # some nights are longer than others
    nobody, *looks = cards_by_curtain(pair)
    assert nobody == ("", set())
    hands: dict[str, set[str]] = {"2": cards_by_curtain(alone)[0][1]}
    for seat, cards in looks:
        hands.setdefault(seat, set()).update(cards)
    assert sorted(hands) == ["0", "1", "2"]
    assert min(map(len, hands.values())) >= 5
    assert sum(map(len, hands.values())) == len(set().union(*hands.values()))


def test_the_lobby_shows_which_devices_are_present_or_away(new_context: NewContext, site_with_endpoint: str) -> None:
    host, guest = Person(new_context()), Person(new_context())
    link = host.open_table("p,p", site_with_endpoint)
    count, standing = host.page.locator(".here h2"), host.page.locator(".here li")
    seat = host.page.locator(".room .seats li").nth(1)
    expect(count).to_have_text("One device is here")
    guest.follow_link(link)
    expect(standing).to_have_text(re.compile("A guest without a seat(Connected|Relayed)"))
    expect(count).to_have_text("2 devices are here")
    expect(guest.page.locator(".here")).to_have_text("2 devices are hereYou, without a seatThis device")
    guest.page.goto("about:blank")
    expect(standing).to_have_count(0)
    expect(count).to_have_text("One device is here")
    guest.follow_link(link)
    guest.sit(1)
    expect(seat).to_have_text(re.compile("Vera(Connected|Relayed)"))
    expect(standing).to_have_count(0)
    expect(count).to_have_text("2 devices are here")
    guest.page.goto("about:blank")
    expect(seat).to_contain_text("VeraAway")
    assert count.text_content() == "One device is here", "it is the same picture"
    guest.follow_link(link)
    expect(seat).to_have_text(re.compile("Vera(Connected|Relayed)"))
    expect(count).to_have_text("2 devices are here")


#: stops everything that this page sends from now on
STOP_SENDING = """() => { for (const way of [RTCDataChannel, WebSocket]) way.prototype.send = () => {}; }"""
#: returns the answers among this device's own envelopes, as its journal stores them
OWN_ANSWERS = """() => new Promise((done, failed) => {
    const opening = indexedDB.open("speakeasy-tables");
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
        const asked = opening.result.transaction("records").objectStore("records").getAll();
        asked.onsuccess = () => {
            opening.result.close();
            const said = asked.result.map(text => JSON.parse(text)).filter(([kind]) => kind === "out");
            done(said.map(([, text]) => text).filter(text => text.includes('"do"')));
        };
    };
})"""


def test_an_answer_given_while_disconnected_is_committed_once_after_reconnecting(
    new_phone: NewPhone, site_with_endpoint: str
) -> None:
    """The page is closed before anybody else has received the answer. A new page finds it in the journal and sends
    it."""
    people = start_table(lambda: new_phone()[0], site_with_endpoint, "p,p", 1)
    wait_for_asked_person(people)
    away = leader(people)
    assert away
    here = next(person for person in people if person is not away)
    while (who := wait_for_asked_person(people)) is not here or here.app_data["ask"] != "razzia.turn":
        who.answer_with("draw" if who.app_data["ask"] == "razzia.turn" else "pass")
    browser = away.page.context.browser
    assert browser
    before, said = here.entry_count(), here.page.evaluate(OWN_ANSWERS)
    with suspended(browser):
        here.page.evaluate(STOP_SENDING)
        here.page.locator('[data-answer="draw"]').click()
        here.page.wait_for_function(f"said => ({OWN_ANSWERS})().then(found => found.length > said)", arg=len(said))
        link, context = here.page.url, here.page.context
        here.page.close()
        here = Person(context)
        here.follow_link(link)
        expect(here.page.locator("#app[data-screen=table]")).to_be_visible()
        assert here.entry_count() <= before
        assert len(here.page.evaluate(OWN_ANSWERS)) == len(said) + 1
    for person in (here, away):
        expect(person.page.locator("#app")).to_have_attribute("data-entries", str(before + 2))  # the answer, the card
    wait_for_asked_person([here, away])
    assert [person.entry_count() for person in (here, away)] == [before + 2] * 2
    assert len(here.page.evaluate(OWN_ANSWERS)) == len(said) + 1
    play_until([here, away], lambda: all(person.entry_count() > before + 4 for person in (here, away)))


def test_two_codes_connect_a_guest_if_the_endpoint_cannot_be_reached(
    new_context: NewContext, guard: Guard, site_with_endpoint: str
) -> None:
    """The settings of the site name an endpoint that no longer exists."""
    guard.expect("WebSocket connection to .*/nowhere")
    people = [Person(new_context()) for _ in range(2)]
    for person in people:
        person.page.route("**/assets/site.json", lambda route: route.fulfill(json={"signaling": "/nowhere"}))
    host, guest = people
    host.page.goto(site_with_endpoint)
    wait_until_ready(host.page)
    host.set_seats(["p", "p"])
    host.page.get_by_role("button", name="Play by link").click()
    expect(host.page.get_by_role("status").first).to_contain_text("The meeting point does not answer")
    expect(host.page.get_by_role("button", name="Copy the link")).to_be_disabled()
    assert findings(host.page) == []
    host.page.get_by_text("Without the meeting point").click()
    connect_guest(host.page, guest.page, site_with_endpoint)
    guest.sit(1)
    host.page.get_by_role("button", name="Begin").click()
    for person in people:
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    play_until(people, lambda: all(person.entry_count() > 4 for person in people))
    for person in people:
        expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")
