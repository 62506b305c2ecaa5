"""Measures tables by link under floods, in Chromium on this machine: `python -m bench.floods` (after `make site`).

Four pages sit at a table, and one of them floods the others: with texts of several sizes, binary messages, pieces,
greetings and repeated messages, by direct connections and through the endpoint. Told are, for each kind:

- Taps: the median and the longest time from a tap on a flooded page to the frame that shows what it changed, while the
  flood goes on; and both as multiples of the median before it. Wanted: 4 times or less.
- Longest task: of the flooded page, during and before the flood. Wanted: 100 ms or less.
- Closed: the time from the first message of the flood until the flooding page has no direct connection. Wanted: 2 s.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from bench.by_link import machine_speed
from e2e.conftest import FLAGS, SCREENS, SUB_FOLDER, TIMEOUT, serve_with_endpoint
from e2e.floods import DIRECT, FLOODER, RELAYED, VICTIM, Tapper, take_longest
from e2e.rooms import Person
from tools import browser as chromium
from tools.paths import DIST

FLOOD = 5_000  # milliseconds
CALM_TAPS = 12


def seat(person: Callable[[str], Person], site_with_endpoint: str) -> list[Person]:
    """Returns four people at a game, all of whom are directly connected; the last one's page can flood."""
    people = [*(person(VICTIM) for _ in range(3)), person(FLOODER)]
    link = people[0].open_table("p,p,p,p", site_with_endpoint)
    for number, guest in enumerate(people[1:], 1):
        guest.follow_link(link)
        guest.sit(number)
    people[0].page.get_by_role("button", name="Begin").click()
    for one in people:
        expect(one.page.locator("#app")).to_have_attribute("data-screen", "table")
        expect(one.page.locator(".net[data-state=direct]")).to_be_visible()
    return people


def measure(name: str, command: str, people: list[Person]) -> None:
    victim, flooder = people[1], people[3]
    tapper = Tapper(victim.page)
    take_longest(victim.page)
    calm = [tapper.tap() for _ in range(CALM_TAPS)]
    calm_task = take_longest(victim.page)
    flooder.page.evaluate(command)
    taps: list[float] = []
    until = time.monotonic() + FLOOD / 1000
    while time.monotonic() < until:
        taps.append(tapper.tap())
    task, closed = take_longest(victim.page), flooder.page.evaluate("window.closedAfter ?? -1")
    usual = statistics.median(calm)
    print(
        f"  {name:24} taps {statistics.median(taps):4.0f} ms, at most {max(taps):5.0f}"
        f" ({statistics.median(taps) / usual:4.1f} and {max(taps) / usual:5.1f} × calm: {usual:.0f}, at most"
        f" {max(calm):.0f})   longest task {task:4.0f} (calm {calm_task:.0f})"
        f"   {f'closed after {closed / 1000:.1f} s' if closed >= 0 else 'NOT CLOSED'}",
        flush=True,
    )


def main(dist_folder: Path = DIST) -> None:
    print(f"Floods by link; ten million additions in Python take {machine_speed():,.0f} ms here and now (700 at rest)")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        dist = Path(shutil.copytree(dist_folder, Path(folder) / SUB_FOLDER))
        path = chromium.find_browser(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)

        def person(script: str) -> Person:
            context = browser.new_context(viewport=SCREENS["tablet-wide"], locale="en")
            context.set_default_timeout(TIMEOUT)
            return Person(context, script)

        floods = [(f"directly: {kind}", f"window.flood({kind!r}, {FLOOD})") for kind in DIRECT]
        floods += [(f"relayed: {kind}", f"window.floodRelay({kind!r}, {FLOOD})") for kind in RELAYED]
        with serve_with_endpoint(dist) as site_with_endpoint:
            for name, command in floods:
                people = seat(person, site_with_endpoint)
                measure(name, command, people)
                for one in people:
                    one.page.context.close()
        browser.close()
    print(f"  {machine_speed():6,.0f} ms for the additions, at the end")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
