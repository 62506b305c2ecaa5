"""The people who meet at a host with an endpoint: each is a browser context of its own, another device."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e.conftest import New, ready


@contextmanager
def suspended(browser: Browser) -> Iterator[None]:
    """Its pages stand still, as on a phone in a pocket; what answers for them in the network does not know."""
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
    """Somebody at a device."""

    def __init__(self, context: BrowserContext, script: str = "") -> None:
        if script:
            context.add_init_script(script)
        self.page: Page = context.new_page()

    def opens(self, seats: str, site: str) -> str:
        """Lay out a table and open it for others; gives the link. `seats` as in set-up links, or a whole one: then
        the game it begins is left for its table, laid out with the house rules."""
        whole = seats.startswith("#play=")
        self.page.goto(site + (seats if whole else ""))
        ready(self.page)
        if whole:
            self.page.locator('[data-do="dialog"][data-arg="menu"]').click()
            self.page.locator('dialog [data-do="leave"]').click()
        else:
            self.lay(seats.split(","))
        self.page.get_by_role("button", name="Play by link").click()
        expect(self.page.locator("[data-screen=room]")).to_be_visible()
        expect(self.page.get_by_role("button", name="Copy the link")).to_be_enabled()
        expect(self.page).to_have_url(re.compile(r"#r=[0-9A-Z]{12}\.[\w-]{24}$"))
        return self.page.url

    def lay(self, plays: list[str]) -> None:
        seats = self.page.locator(".seats li")
        while seats.count() > len(plays):
            seats.last.get_by_role("button", name=re.compile("^Remove")).click()
        while seats.count() < len(plays):
            self.page.get_by_role("button", name="Add a seat").click()
        for seat, who in enumerate(plays):
            group = seats.nth(seat).get_by_role("radiogroup")
            group.get_by_role("radio", name="Person" if who == "p" else "Bot").check()

    def follows(self, link: str) -> None:
        self.page.goto(link)
        ready(self.page)

    def sits(self, seat: int) -> None:
        row = self.page.locator(".room .seats li").nth(seat)
        row.get_by_role("button", name="Sit here").click()
        expect(row.get_by_role("textbox")).to_be_visible()

    @property
    def root(self) -> dict[str, str]:
        told: dict[str, str] = self.page.evaluate("Object.assign({}, document.getElementById('app').dataset)")
        return told

    def won(self) -> bool:
        """The game is over, and this page says who won."""
        return self.page.locator("dialog .ranks").count() > 0

    def agrees_on_a_bot(self, name: str) -> None:
        """The table decides that a bot sits in for somebody who is away."""
        self.page.locator(".net").click()
        row = self.page.get_by_role("dialog").get_by_role("listitem").filter(has_text=name)
        expect(row).to_be_visible()
        button = row.get_by_role("button", name="Agree on a bot")
        if button.count():
            button.click()
        self.page.keyboard.press("Escape")

    def lets_a_bot_play(self) -> None:
        """A bot on this device takes over, and nothing rests any more."""
        page = self.page
        page.locator('[data-do="dialog"][data-arg="menu"]').click()
        page.locator('[data-do="dialog"][data-arg="settings"]').click()
        page.locator('label:has(input[name="set-speed"][value="off"])').click()
        page.locator('dialog [data-do="dialog.close"]').first.click()
        page.locator(".net").click()
        page.get_by_role("button", name="Let a bot sit in").click()
        page.keyboard.press("Escape")

    def entries(self) -> int:
        return int(self.root.get("entries", -1))

    def answers(self, words: str) -> None:
        """Give the first answer that begins so, and wait until it is shown; what is refused is given again."""
        before = self.root["entries"]
        for _ in range(20_000):
            if self.page.evaluate(ANSWER, [before, words]):
                return
        raise AssertionError([words, self.root, self.page.locator("body").inner_text()])


#: unless the table has gone on meanwhile
ANSWER = """([before, words]) => {
    const {entries} = document.getElementById('app').dataset;
    if (entries === before) document.querySelector(`[data-answer^="${words}"]`)?.click();
    return entries !== before;
}"""


def meet(
    new_context: New,
    house: str,
    seats: str,
    guests: int,
    *,
    last: BrowserContext | None = None,
    script: str = "",
) -> list[Person]:
    """The host on the first seat, guests on the following ones; then it begins. `last`: where the last guest sits."""
    contexts = [*(new_context() for _ in range(guests)), last or new_context()]
    host, *others = (Person(context, script) for context in contexts)
    link = host.opens(seats, house)
    for seat, guest in enumerate(others, 1):
        guest.follows(link)
        guest.sits(seat)
    host.page.get_by_role("button", name="Begin").click()
    for person in (host, *others):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    return [host, *others]


def answer(page: Page) -> None:
    """Use some control that answers now; if there is none, pick something up, or hurry what moves. Whoever the curtain
    waits for is there."""
    page.evaluate(
        """() => {
        document.querySelector('[data-do=lift]')?.click();
        const live = node => !node.disabled && node.getAttribute('aria-disabled') !== 'true' && node.checkVisibility();
        const all = [...document.querySelectorAll('[data-answer]')].filter(live);
        const pass = all.find(node => node.dataset.answer === 'pass');
        const some = found => found[Math.floor(Math.random() * found.length)];
        const one = (Math.random() < .7 && pass) || some(all);
        (one ?? some([...document.querySelectorAll('[data-do=tap], [data-do=pick]')].filter(live)))?.click();
    }"""
    )


def play(people: list[Person], until: Callable[[], bool]) -> None:
    """Everybody answers whenever they are asked, and hurries the table."""
    patience = 6000
    while not until():
        patience -= 1
        assert patience, [person.root for person in people]
        assert all(person.root.get("screen") != "trouble" for person in people), "the console says why"
        for person in people:
            answer(person.page)


def asked(people: list[Person]) -> Person:
    """Wait until everybody sees the same table; gives who is asked there. Nobody may be about to answer."""
    for _ in range(20_000):
        seen = [person.page.evaluate(ASKED) for person in people]
        able = [person for person, (_, live) in zip(people, seen, strict=True) if live]
        if len(able) == 1 and len({state for state, _ in seen}) == 1:
            return able[0]
    raise AssertionError([person.root for person in people])


#: what this page sees, and whether somebody at it can answer; what moves is hurried
ASKED = """() => {
    const {entries, ask} = document.getElementById('app').dataset;
    const live = document.querySelector('[data-answer]') !== null;
    if (!live) document.querySelector('[data-do=tap]:not([aria-disabled=true])')?.click();
    return [`${entries} ${ask}`, live];
}"""
