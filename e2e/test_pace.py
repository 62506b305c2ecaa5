"""Measures how fast each board reacts to a tap: figures for the end of a test run and for bench/pace.md."""

import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from statistics import mean

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e import pace
from e2e.conftest import FLAGS, PACE_FILE
from e2e.contexts import KeptContexts
from e2e.table import RAID, change_setting, play_to_raid, setup_fragment
from engine import GAMES
from ui.boards import PLAYABLE

#: limit for a single layout shift, also one that follows a tap: half of the sum at which a page still counts as good
LARGEST_SHIFT = 0.05
TAPS = {"off": 12, "1": 6}
FEW_TAPS = 3
PACES = {"off": "at once", "1": "calm   "}
#: the bots and their pace: tests use bots without pauses; `make pace` also measures usual settings, and a slow device
FULL_SPEED, SLOWER = 1, 4
TIMES = [FULL_SPEED, *([SLOWER] if PACE_FILE in os.environ else [])]
TABLES = [("b1", "off"), *([("b1", "1"), ("b2", "1")] if PACE_FILE in os.environ else [])]
ANSWERS = "main [data-answer]:visible"
PICKS = 'main [data-do^="pick"]:not([aria-disabled="true"]):visible'
# records the time of every frame during the siren's animation
FRAMES = """() => {
    window.sweep = { frames: [], over: false };
    let on = false;
    const tick = now => { if (on) { sweep.frames.push(now); requestAnimationFrame(tick); } };
    const siren = (type, use) =>
        document.addEventListener(type, event => { if (event.animationName === "sweep") use(); });
    siren("animationstart", () => { on = true; requestAnimationFrame(tick); });
    siren("animationend", () => { on = false; sweep.over = true; });
}"""


@pytest.fixture(scope="module")
def browser(launch_browser: Callable[..., Browser]) -> Iterator[Browser]:
    """A browser with V8's optimizer, as people have it; the other tests switch that off."""
    browser = launch_browser(args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def kept_contexts(browser: Browser, site: str) -> KeptContexts:
    return KeptContexts(browser, site)


@pytest.mark.sample(1)
@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(("bot", "speed"), TABLES)
@pytest.mark.parametrize("name", PLAYABLE)
def test_a_tap_shifts_the_layout_little_and_its_time_is_measured(
    name: str,
    bot: str,
    speed: str,
    times: int,
    open_app: Callable[[str], Page],
    context: BrowserContext,
    figures: Callable[[str], None],
) -> None:
    """Plays one person among bots; at the usual pace with all seats taken."""
    least, most = GAMES[name].SEATS[0], GAMES[name].SEATS[-1]
    seats = ",".join(["p", *[bot] * ((min(least + 2, most) if speed == "off" else most) - 1)])
    page = open_app(setup_fragment(name, seats, "pace"))
    change_setting(page, "speed", speed)
    if times > FULL_SPEED:
        pace.slow_down(context, page, times)
    pace.watch(page)
    found = pace.measure(page, give_answers(page, TAPS[speed]))
    figures(f"{name:10} {bot} {PACES[speed]} {slower(times):9} {found}")
    assert (
        found.largest_shift <= LARGEST_SHIFT
    )  # a single shift does not depend on the machine's speed; the sum of a burst does


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PLAYABLE)
def test_layout_shifts_between_questions_are_measured(
    name: str, open_app: Callable[[str], Page], figures: Callable[[str], None]
) -> None:
    """At the usual pace every question is drawn, so every jump between two of them is measured."""
    seats = ",".join(["p", *["b1"] * (GAMES[name].SEATS[0] - 1)])
    page = open_app(setup_fragment(name, seats, "pace"))
    pace.watch(page)
    found = pace.measure(page, give_answers(page, FEW_TAPS))
    figures(f"{name:10} at speed 1  {found.shift_summary}")


@pytest.mark.parametrize("times", TIMES)
def test_the_frame_rate_of_a_raid_is_measured(
    times: int, open_app: Callable[[str], Page], context: BrowserContext, figures: Callable[[str], None]
) -> None:
    page = open_app(RAID)
    if times > FULL_SPEED:
        pace.slow_down(context, page, times)
    page.evaluate(FRAMES)
    play_to_raid(page)
    page.wait_for_function("() => sweep.over")
    frames: list[float] = page.evaluate("sweep.frames")
    gaps = [after - before for before, after in pairwise(frames)]
    found = f"{1000 / mean(gaps):.0f} frames a second in the sweep, longest {max(gaps):.0f} ms ({len(gaps)} frames)"
    figures(f"a raid     {slower(times):9} {found}")


def give_answers(page: Page, most: int) -> int:
    """Gives up to `most` answers for the person; returns how many were given before the game was over."""
    rnd, app, taps = Random(1), page.locator("#app"), 0
    while taps < most:
        expect(page.locator('#app[data-seat="0"], #app[data-ask="over"]')).to_be_attached()
        if app.get_attribute("data-ask") == "over":
            break
        expect(page.locator(f"{ANSWERS}, {PICKS}").first).to_be_enabled()
        if not page.locator(ANSWERS).count():  # for some answers something has to be picked first
            page.locator(PICKS).first.click()
            expect(page.locator(ANSWERS).first).to_be_enabled()
        entries = app.get_attribute("data-entries") or ""
        controls = page.locator(ANSWERS)
        controls.nth(rnd.randrange(controls.count())).click()
        expect(app).not_to_have_attribute("data-entries", entries)
        taps += 1
    return taps


def slower(times: int) -> str:
    return f"{times}× slower" if times > FULL_SPEED else "as it is"
