"""People who play by link in tests. Each has a browser context of their own, which acts as another device."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e.conftest import NewContext, wait_until_ready

LOOK_EVERY = 40  # milliseconds between two looks at a condition that concerns several pages
MOST_LOOKS = 10_000


@contextmanager
def suspended(browser: Browser) -> Iterator[None]:
    """Suspends the browser's page processes, as on a phone in a pocket.

    The browser's network process keeps running, so that connections stay open.
    """
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [process["id"] for process in processes if process["type"] == "renderer"]
    assert pages
    try:
        for page in pages:
            os.kill(page, signal.SIGSTOP)
        yield
    finally:
        for page in pages:
            os.kill(page, signal.SIGCONT)


class Person:
    """A person at a device."""

    def __init__(self, context: BrowserContext, script: str = "") -> None:
        self.page: Page = context.new_page()
        if script:
            self.page.add_init_script(script)

    def open_table(self, seats: str, site: str) -> str:
        """Opens a table and returns its link.

        `seats` is the list of seats as in set-up links, or a whole fragment ("#play=…"): then the game that it starts
        is left again, so that the table is opened with its house rules.
        """
        is_fragment = seats.startswith("#play=")
        self.page.goto(site + (seats if is_fragment else ""))
        wait_until_ready(self.page)
        if is_fragment:
            self.page.locator('[data-do="dialog"][data-arg="menu"]').click()
            self.page.locator('dialog [data-do="leave"]').click()
        else:
            self.set_seats(seats.split(","))
        self.page.get_by_role("button", name="Play by link").click()
        expect(self.page.locator("[data-screen=room]")).to_be_visible()
        expect(self.page.get_by_role("button", name="Copy the link")).to_be_enabled()
        expect(self.page).to_have_url(re.compile(r"#r=[0-9A-Z]{12}\.[\w-]{24}$"))
        return self.page.url

    def set_seats(self, plays: list[str]) -> None:
        seats = self.page.locator(".seats li")
        while seats.count() > len(plays):
            seats.last.get_by_role("button", name=re.compile("^Remove")).click()
        while seats.count() < len(plays):
            self.page.get_by_role("button", name="Add a seat").click()
        for seat, who in enumerate(plays):
            group = seats.nth(seat).get_by_role("radiogroup")
            group.get_by_role("radio", name="Person" if who == "p" else "Bot").check()

    def follow_link(self, link: str) -> None:
        self.page.goto(link)
        wait_until_ready(self.page)

    def sit(self, seat: int) -> None:
        row = self.page.locator(".room .seats li").nth(seat)
        row.get_by_role("button", name="Sit here").click()
        expect(row.get_by_role("textbox")).to_be_visible()

    @property
    def app_data(self) -> dict[str, str]:
        data: dict[str, str] = self.page.evaluate("Object.assign({}, document.getElementById('app').dataset)")
        return data

    def sees_result(self) -> bool:
        """Returns True if this page shows the ranking: the game is over."""
        return self.page.locator("dialog .ranks").count() > 0

    def agree_on_bot(self, name: str) -> None:
        """Agrees that a bot plays for the named person, as soon as that is possible."""
        self.page.locator(".net").click()
        row = self.page.get_by_role("dialog").get_by_role("listitem").filter(has_text=name)
        row.get_by_role("button", name="Agree on a bot").click()
        self.page.keyboard.press("Escape")

    def let_bot_play(self) -> None:
        """Lets a bot on this device take over, and switches all pauses off."""
        page = self.page
        page.locator('[data-do="dialog"][data-arg="menu"]').click()
        page.locator('[data-do="dialog"][data-arg="settings"]').click()
        page.locator('label:has(input[name="set-speed"][value="off"])').click()
        page.locator('dialog [data-do="dialog.close"]').first.click()
        page.locator(".net").click()
        page.get_by_role("button", name="Let a bot sit in").click()
        page.keyboard.press("Escape")

    def entry_count(self) -> int:
        return int(self.app_data.get("entries", -1))

    def answer_with(self, words: str) -> None:
        """Gives the first answer that begins with these words, again while it is refused, and waits until it is
        shown."""
        before = self.app_data["entries"]
        look_until(lambda: bool(self.page.evaluate(ANSWER, [before, words])), [self])


#: answers, unless there is a new entry since `before`; returns True once there is
ANSWER = """([before, words]) => {
    const {entries} = document.getElementById('app').dataset;
    if (entries === before) document.querySelector(`[data-answer^="${words}"]`)?.click();
    return entries !== before;
}"""


def start_table(
    new_context: NewContext,
    site_with_endpoint: str,
    seats: str,
    guests: int,
    *,
    last: BrowserContext | None = None,
    script: str = "",
) -> list[Person]:
    """Opens a table, seats the host first and the guests on the following seats, and starts the game.

    `last` is the browser context of the last guest, if it has to be a certain one.
    """
    contexts = [*(new_context() for _ in range(guests)), last or new_context()]
    host, *others = (Person(context, script) for context in contexts)
    link = host.open_table(seats, site_with_endpoint)
    for seat, guest in enumerate(others, 1):
        guest.follow_link(link)
        guest.sit(seat)
    host.page.get_by_role("button", name="Begin").click()
    for person in (host, *others):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    return [host, *others]


#: uses a random control that answers now; if there is none, picks something or skips an animation; lifts the curtain
#: first if it is down
ANSWER_SOMEHOW = """() => {
    document.querySelector('[data-do=lift]')?.click();
    const live = node => !node.disabled && node.getAttribute('aria-disabled') !== 'true' && node.checkVisibility();
    const all = [...document.querySelectorAll('[data-answer]')].filter(live);
    const pass = all.find(node => node.dataset.answer === 'pass');
    const some = found => found[Math.floor(Math.random() * found.length)];
    const one = (Math.random() < .7 && pass) || some(all);
    (one ?? some([...document.querySelectorAll('[data-do=tap], [data-do=pick]')].filter(live)))?.click();
}"""


def answer_somehow(page: Page) -> None:
    page.evaluate(ANSWER_SOMEHOW)


def play_until(people: list[Person], until: Callable[[], bool]) -> None:
    """Lets everybody answer whenever they are asked, until `until()` is true. Fails after too long."""

    def is_so_after_answers() -> bool:
        if until():
            return True
        assert all(person.app_data.get("screen") != "trouble" for person in people), "the console says why"
        for person in people:
            answer_somehow(person.page)
        return False

    look_until(is_so_after_answers, people)


def look_until(condition: Callable[[], bool], people: list[Person]) -> None:
    """Waits for a condition that concerns several pages. Looks only now and then: looking takes time from the pages."""
    for _ in range(MOST_LOOKS):
        if condition():
            return
        people[0].page.wait_for_timeout(LOOK_EVERY)
    raise AssertionError([person.app_data for person in people])


def wait_for_asked_person(people: list[Person]) -> Person:
    """Waits until all pages show the same entry and exactly one can answer; returns that person.

    No page may have an answer on its way.
    """
    able: list[Person] = []

    def agree() -> bool:
        seen = [person.page.evaluate(CAN_ANSWER) for person in people]
        able[:] = [person for person, (_, live) in zip(people, seen, strict=True) if live]
        return len(able) == 1 and len({state for state, _ in seen}) == 1

    look_until(agree, people)
    return able[0]


#: returns what this page shows, and whether it can answer; skips animations if it cannot
CAN_ANSWER = """() => {
    const {entries, ask} = document.getElementById('app').dataset;
    const live = document.querySelector('[data-answer]') !== null;
    if (!live) document.querySelector('[data-do=tap]:not([aria-disabled=true])')?.click();
    return [`${entries} ${ask}`, live];
}"""
