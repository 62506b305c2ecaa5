"""`make shots`: screenshots of every screen of every game in build/shots, in the four sizes and both colour schemes.
`make shots ARGS="bars thieves"` for some games only."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

from playwright.sync_api import Page, TimeoutError, expect, sync_playwright

from e2e.conftest import FLAGS, SCREENS, TIMEOUT, PlainHandler, wait_until_ready
from e2e.playthrough import SHORT_GAMES, PageTwin, next_answer
from e2e.table import change_setting
from tests.ui.first_screen import english
from tools import browser as chromium
from tools.paths import BUILD, DIST
from tools.serve import Listener
from ui.boards import PLAYABLE

SHOTS = BUILD / "shots"
LIGHTS = ("light", "dark")
ENTRIES_CHANGED = "entries => document.getElementById('app').dataset.entries !== entries"
SOON = 200  # milliseconds: if nothing has happened by then, the page waits for a tap


def take_pictures(page: Page, name: str) -> None:
    for light in LIGHTS:
        page.emulate_media(color_scheme=light, reduced_motion="reduce")  # type: ignore[arg-type]
        for size, box in SCREENS.items():
            page.set_viewport_size(box)  # type: ignore[arg-type]
            page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
            page.screenshot(path=SHOTS / f"{name}-{size}-{light}.png")


def shoot_lobby(page: Page, game: str) -> None:
    """Takes pictures of the lobby and of the house rules."""
    page.goto("./")
    wait_until_ready(page)
    page.locator(f'.poster:has(input[value="{game}"])').click()
    take_pictures(page, f"{game}-00-lobby")
    page.locator('[data-do="dialog"][data-arg="options"]').click()
    take_pictures(page, f"{game}-00-options")
    page.keyboard.press("Escape")


def taps_needed(page: Page, entries: int) -> Iterator[str]:
    """Waits until the page shows this number of entries. Where it stops for a tap, yields the question and taps."""
    root, before = page.locator("#app"), ""
    while (now := root.get_attribute("data-entries") or "") != str(entries):
        if now == before:  # the page waits for a tap
            yield root.get_attribute("data-ask") or ""
            page.locator("main").dispatch_event("click")
        before = now
        with suppress(TimeoutError):
            page.wait_for_function(ENTRIES_CHANGED, arg=now, timeout=SOON)


def skip_count(page: Page) -> None:
    """Taps through the last count until the result is shown."""
    while not page.locator("dialog").count():
        page.locator("main").dispatch_event("click")
        with suppress(TimeoutError):
            page.locator("dialog").wait_for(timeout=SOON)


def screens_of_game(page: Page, game: str) -> Iterator[str]:
    """Plays a whole game, and yields the name of each screen when it is shown for the first time."""
    fragment = SHORT_GAMES[game]
    # a change of only the fragment does not reload the page, and an immediate reload would lose a game not yet saved
    page.goto("about:blank")
    page.goto(f"./#{fragment}")
    wait_until_ready(page)
    change_setting(page, "speed", "off")
    change_setting(page, "pauses", "tap")
    twin, rnd, seen = PageTwin(fragment, english()), Random("walk"), set[str]()
    root = page.locator("#app")
    while True:
        session = twin.session
        for key in taps_needed(page, len(session.log)):
            if key not in seen:
                yield key.partition(".")[2]
            seen.add(key)
        expect(root).to_have_attribute("data-ask", session.question.key)
        if session.over:
            break
        key = session.question.key
        if (seat := twin.covered) is not None:
            if "curtain" not in seen:
                yield "curtain"
            seen.add("curtain")
            page.locator('[data-do="lift"]').click()
            twin.send("lift", str(seat))
            continue
        answer = next_answer(session, rnd, seen)
        words, picks = twin.words(answer), 0
        if key not in seen:
            yield key.partition(".")[2]
        for control in twin.picks(answer):
            control.locate(page).click()
            twin.send(control.node.attrs["data-do"], control.node.attrs["data-arg"])
            picks += 1
        if picks and f"{key} {answer[0]}" not in seen:
            yield f"{key.partition('.')[2]}-{answer[0]}"
        seen |= {key, f"{key} {answer[0]}"}
        twin.answer_control(words).locate(page).click()
        twin.send("answer", words)
    skip_count(page)
    yield "result"
    page.keyboard.press("Escape")
    yield "end"
    page.get_by_role("button", name="Rules").click()
    yield "rules"


def main(games: list[str]) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    handler = partial(PlainHandler, directory=str(DIST))
    with Listener(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = chromium.find_browser(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for game in games or PLAYABLE:
            context = browser.new_context(base_url=f"http://127.0.0.1:{server.server_port}/", locale="en")
            context.set_default_timeout(TIMEOUT)
            page = context.new_page()
            shoot_lobby(page, game)
            for number, screen in enumerate(screens_of_game(page, game), 1):
                take_pictures(page, f"{game}-{number:02}-{screen}")
            context.close()
        browser.close()
        server.shutdown()
    print(f"{len(list(Path(SHOTS).iterdir()))} pictures in {SHOTS}")


if __name__ == "__main__":
    main(sys.argv[1:])
