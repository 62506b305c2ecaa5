"""Measures how the page's memory grows while bots play at full tempo: `python -m bench.memory [MINUTES [GAMES]]`.

Every table has as many bots as it seats, without pauses; when a game is over, the next one begins. It is measured in
the middle and at the end, ten minutes after the start unless another number of minutes is given: the private memory of
the page's process (Linux only) after a garbage collection, the nodes and listeners of the page, and how many entries
were shown. A full table needs some MB more than one that was just laid out, so the smallest of several looks counts.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, expect, sync_playwright

from bench.start import Host
from e2e.conftest import FLAGS, SCREENS, TIMEOUT, wait_until_ready
from e2e.table import change_setting, setup_fragment
from engine import GAMES
from tools import browser as chromium
from tools.paths import DIST

MINUTES = 10
LOOKS = 10
PAUSE = 3  # seconds between two looks
#: MB: the wanted upper limit of the growth in the second half of ten minutes
MOST_GROWTH = 5
# Counts entries, and starts the next game as soon as one is over
PLAY_ON = """() => {
    const app = document.getElementById("app");
    window.entries = 0;
    new MutationObserver(() => { window.entries += 1; }).observe(app, { attributeFilter: ["data-entries"] });
    new MutationObserver(() => app.querySelector("dialog [data-do=again]")?.click()).observe(app, { childList: true });
}"""


class Sample(NamedTuple):
    """The figures of one moment; the smaller one has less private memory. Memory is in MB."""

    private: float
    heap: float
    nodes: int
    listeners: int
    entries: int

    def __str__(self) -> str:
        page = f"{self.nodes:6,} nodes, {self.listeners} listeners"
        return f"{self.private:6.1f} MB ({self.heap:4.1f} of scripts), {page}, {self.entries:,} entries"


def private_memory(browser: Browser) -> float:
    """Returns the private memory of the largest renderer process in MB; 0 on other systems than Linux."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    rollups = (Path(f"/proc/{each['id']}/smaps_rollup") for each in processes if each["type"] == "renderer")
    return max((private_part(each.read_text()) for each in rollups if each.is_file()), default=0.0)


def private_part(rollup: str) -> float:
    """Returns the private memory in MB from the text of a `smaps_rollup` file."""
    return sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_")) / 1e3


def take_sample(browser: Browser, session: CDPSession, entries: int) -> Sample:
    session.send("HeapProfiler.collectGarbage")
    counters = session.send("Memory.getDOMCounters")
    heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    return Sample(private_memory(browser), heap, counters["nodes"], counters["jsEventListeners"], entries)


def measure_table(browser: Browser, address: str, game: str, minutes: float) -> list[Sample]:
    """Lets bots play a game, again and again. Returns what was measured in the middle and at the end."""
    context = browser.new_context(base_url=address, viewport=SCREENS["tablet-wide"], locale="en")  # type: ignore[arg-type]
    context.set_default_timeout(TIMEOUT)
    page = context.new_page()
    page.goto("./" + setup_fragment(game, ",".join(["b2"] * GAMES[game].SEATS[-1]), "memory"))
    wait_until_ready(page)
    expect(page.locator("#app")).to_have_attribute("data-screen", "table")
    page.evaluate(PLAY_ON)
    change_setting(page, "speed", "off")
    session = context.new_cdp_session(page)
    samples = []
    for _ in range(2):
        page.wait_for_timeout(minutes * 30_000 - LOOKS * PAUSE * 1000)
        looks = []
        for _ in range(LOOKS):
            page.wait_for_timeout(PAUSE * 1000)
            looks.append(take_sample(browser, session, page.evaluate("entries")))
        samples.append(min(looks))
    context.close()
    return samples


def main(minutes: float, games: list[str]) -> None:
    print(f"memory of the page in Chromium: bots at full tempo, after {minutes / 2:g} and {minutes:g} minutes")
    host = Host(DIST)
    with sync_playwright() as playwright:
        path = chromium.find_browser(playwright.chromium.executable_path)
        for game in games or GAMES:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            half, end = measure_table(browser, host.address, game, minutes)
            browser.close()
            print(f"  {game:11} {half}")
            print(f"  {'':11} {end}", flush=True)
            growth = f"{end.private - half.private:+.1f} MB in the second half"
            print(f"  {'':11} {growth} (wanted of ten minutes: {MOST_GROWTH} or less)", flush=True)
    host.close()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES, sys.argv[2:])
