"""Measures how fast the table reacts, by the browser's own clocks. The figures are printed, and stored by `make pace`.

Times are never asserted. Only how far elements jump is, because that does not depend on the machine's speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page

# Records the time from a tap to the first frame that shows its effect; long tasks; layout shifts; and what the page
# itself measures as "show": a whole view made in Python and patched into the page.
WATCH = """() => {
    const pace = { taps: [], tasks: [], shifts: [], shows: [] };
    let tapped = 0;
    addEventListener("pointerup", event => { tapped = event.timeStamp; }, true);
    const shown = () => {
        if (!tapped) return;
        const since = tapped;
        tapped = 0;
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port2.onmessage = () => pace.taps.push(performance.now() - since);
            port1.postMessage(0);
        });
    };
    new MutationObserver(shown).observe(
        document.querySelector("#app"), { attributes: true, attributeFilter: ["data-entries"] });
    const look = (type, use) =>
        new PerformanceObserver(list => list.getEntries().forEach(use)).observe({ type });
    look("longtask", entry => pace.tasks.push(entry.duration));
    // also what follows a tap: the table may answer it, not jump
    look("layout-shift", entry => pace.shifts.push([entry.startTime, entry.value]));
    look("measure", entry => { if (entry.name === "show") pace.shows.push(entry.duration); });
    window.pace = pace;
}"""


A_SECOND = 1000


@dataclass(frozen=True)
class Pace:
    """The figures of one measurement; times are in milliseconds."""

    taps: list[float]
    tasks: list[float]
    shifts: list[tuple[float, float]]  # time and layout shift score
    shows: list[float]

    @property
    def worst_burst(self) -> float:
        """The sum of the worst burst: shifts less than a second apart, within at most five seconds."""
        worst = burst = first = last = 0.0
        for at, value in self.shifts:
            if at - last > A_SECOND or at - first > 5 * A_SECOND:
                burst, first = 0.0, at
            burst, last = burst + value, at
            worst = max(worst, burst)
        return worst

    @property
    def largest_shift(self) -> float:
        """The largest single shift."""
        return max((value for _, value in self.shifts), default=0.0)

    @property
    def shift_summary(self) -> str:
        """The layout shifts in words. The worst burst is the web's "cumulative layout shift"; the sum shows how often
        something moves."""
        total = sum(value for _, value in self.shifts)
        worst, largest = self.worst_burst, self.largest_shift
        return f"layout shift {worst:.3f} in the worst burst, {largest:.3f} at most alone, {total:.3f} in all"

    def __str__(self) -> str:
        tasks = f"{len(self.tasks)} over 50 ms, longest {max(self.tasks):.0f}" if self.tasks else "none over 50 ms"
        return (
            f"tap to paint {summary(self.taps, 0)}; a picture {summary(self.shows, 1)}; tasks {tasks}; "
            f"{self.shift_summary} ({len(self.taps)} taps, {len(self.shows)} pictures)"
        )


def summary(values: list[float], digits: int) -> str:
    """Returns median, third quartile and maximum as text."""
    found = median(values), quantiles(values, n=4)[2], max(values)
    return "{} p75 {} max {} ms".format(*(f"{value:.{digits}f}" for value in found))


def watch(page: Page) -> None:
    page.evaluate(WATCH)


def measure(page: Page, taps: int) -> Pace:
    """Waits until `taps` taps are painted, and returns all figures."""
    figures: dict[str, Any] = page.evaluate(
        """async taps => {
            while (window.pace.taps.length < taps) await new Promise(requestAnimationFrame);
            return window.pace;
        }""",
        taps,
    )
    return Pace(**figures)


def slow_down(context: BrowserContext, page: Page, times: int) -> CDPSession:
    """Slows the page's processor down by this factor."""
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": times})
    return session
