"""Measures playing by link, in Chromium on this machine: `python -m bench.by_link` (after `make site`).

- Seated: the time from a page that is ready to the table behind its link, and from the click on a seat to having it.
- Entry: the time from a click on one page to the drawing on the other, unless that one is resting: a count that people
  follow has its own pace.
- Catching up: the time for a page that joins when a whole game is over, from being ready to the last entry.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from e2e.conftest import FLAGS, SCREENS, SUB_FOLDER, TIMEOUT, serve_with_endpoint
from e2e.rooms import Person, answer_somehow
from tools import browser as chromium
from tools.paths import DIST

ENTRIES = 40
PEOPLE = "p,p,b,b,b"
RECORD_TIMES = """(() => {
    const note = () => {
        const app = document.getElementById('app');
        if (!app) return;
        const now = performance.now();
        window.times ??= {entries: {}};
        if (app.dataset.ready !== undefined) window.times.ready ??= now;
        window.times.since = performance.timeOrigin;
        if (app.querySelector('.room .seats li')) window.times.table ??= now;
        if (app.querySelector('.room #name-2')) window.times.seated ??= now;
        if (app.dataset.entries) window.times.entries[app.dataset.entries] ??= [Date.now(), window.busy];
        window.busy = app.querySelector('[data-do=tap].skip')?.getAttribute('aria-disabled') === 'false';
    };
    new MutationObserver(note).observe(document, {subtree: true, childList: true, attributes: true});
    addEventListener('click', event => {
        const app = document.getElementById('app');
        window.times ??= {entries: {}};
        if (event.target.closest('[data-answer]')) (window.clicks ??= {})[+app.dataset.entries + 1] ??= Date.now();
        if (event.target.closest('[data-do="room.sit"]')) window.times.click ??= performance.now();
    }, true);
})()"""


def times(page: Page) -> dict[str, float]:
    return dict(page.evaluate("window.times"))


def measure_seating(host: Person, guest: Person, site_with_endpoint: str) -> str:
    link = host.open_table(PEOPLE, site_with_endpoint)
    guest.follow_link(link)
    guest.sit(1)
    recorded = times(guest.page)
    print(f"  {recorded['table'] - recorded['ready']:6.0f} ms from a page that is ready to the table behind its link")
    print(
        f"  {recorded['seated'] - recorded['click']:6.0f} ms from the click to the seat"
        " (wanted together: 1,500 or less)"
    )
    host.page.get_by_role("button", name="Begin").click()
    for person in (host, guest):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    return link


def click_count(person: Person) -> int:
    return int(person.page.evaluate("Object.keys(window.clicks ?? {}).length"))


def measure_entries(host: Person, guest: Person) -> None:
    people = (host, guest)
    while host.entry_count() < ENTRIES:
        for person, other in (people, people[::-1]):
            before, clicks = person.entry_count(), click_count(person)
            answer_somehow(person.page)
            if click_count(person) > clicks:  # no other page is used meanwhile: that would be measured too
                for page in (person.page, other.page):
                    expect(page.locator("#app")).not_to_have_attribute("data-entries", str(before))
    delays: list[float] = []
    for person, other in ((host, guest), (guest, host)):
        seen = other.page.evaluate("window.times.entries")
        for entry, click in person.page.evaluate("window.clicks ?? {}").items():
            shown_at, busy = seen.get(entry, (0, True))
            if not busy:
                delays.append(shown_at - click)
    print(f"  {statistics.median(delays):6.0f} ms for an entry to the other page, of {len(delays)} (wanted 50 or less)")


def measure_catching_up(late: Person, host: Person, link: str) -> None:
    entries = host.entry_count()
    late.follow_link(link)
    expect(late.page.locator("#app")).to_have_attribute("data-entries", str(entries))
    recorded = late.page.evaluate("window.times")
    shown_at = {int(entry): when for entry, (when, _) in recorded["entries"].items()}
    took = shown_at[entries] - recorded["since"] - recorded["ready"]
    print(f"  {took:6.0f} ms to catch up {entries} entries (wanted, of 400: 500)")


def machine_speed() -> float:
    """Returns the milliseconds this machine takes now for ten million additions, to compare other times with."""
    begun, total = time.perf_counter(), 0
    while total < 10_000_000:
        total += 1
    return (time.perf_counter() - begun) * 1000


def main() -> None:
    print(
        f"By link, Chromium; ten million additions in Python take {machine_speed():,.0f} ms here and now (700 at rest)"
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        dist = Path(shutil.copytree(DIST, Path(folder) / SUB_FOLDER))
        path = chromium.find_browser(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)

        def person() -> Person:
            context = browser.new_context(viewport=SCREENS["tablet-wide"], locale="en")
            context.set_default_timeout(TIMEOUT)
            return Person(context, script=RECORD_TIMES)

        with serve_with_endpoint(dist) as site_with_endpoint:
            host, guest, late = person(), person(), person()
            link = measure_seating(host, guest, site_with_endpoint)
            measure_entries(host, guest)
            for one in (host, guest):
                one.let_bot_play()
            for one in (host, guest):
                expect(one.page.locator("dialog .ranks")).to_be_visible(timeout=3 * TIMEOUT)
            measure_catching_up(late, host, link)
        browser.close()
    print(f"  {machine_speed():6,.0f} ms for the additions, at the end")


if __name__ == "__main__":
    main()
