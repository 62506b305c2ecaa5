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

from e2e.conftest import FLAGS, PATIENCE, SCREENS, PlainHandler, ready
from e2e.table import choose
from e2e.walk import GAMES_AT_LENGTH, Twin, curious
from tests.ui.first_screen import english
from tools import browser as chromium
from tools.places import BUILD, DIST
from tools.serve import Listener
from ui.boards import OPEN

SHOTS = BUILD / "shots"
LIGHTS = ("light", "dark")
MOVED = "entries => document.getElementById('app').dataset.entries !== entries"
SOON = 200  # milliseconds: if nothing has happened by then, the page waits for a tap


def shoot(page: Page, name: str) -> None:
    for light in LIGHTS:
        page.emulate_media(color_scheme=light, reduced_motion="reduce")  # type: ignore[arg-type]
        for size, box in SCREENS.items():
            page.set_viewport_size(box)  # type: ignore[arg-type]
            page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
            page.screenshot(path=SHOTS / f"{name}-{size}-{light}.png")


def set_up(page: Page, game: str) -> None:
    """Takes pictures of the lobby and of the house rules."""
    page.goto("./")
    ready(page)
    page.locator(f'.poster:has(input[value="{game}"])').click()
    shoot(page, f"{game}-00-lobby")
    page.locator('[data-do="dialog"][data-arg="options"]').click()
    shoot(page, f"{game}-00-options")
    page.keyboard.press("Escape")


def steps(page: Page, entries: int) -> Iterator[str]:
    """Waits until the page shows this number of entries. Where it stops for a tap, yields the question and taps."""
    root, before = page.locator("#app"), ""
    while (now := root.get_attribute("data-entries") or "") != str(entries):
        if now == before:  # the page waits for a tap
            yield root.get_attribute("data-ask") or ""
            page.locator("main").dispatch_event("click")
        before = now
        with suppress(TimeoutError):
            page.wait_for_function(MOVED, arg=now, timeout=SOON)


def count_up(page: Page) -> None:
    """Taps through the last count until the result is shown."""
    while not page.locator("dialog").count():
        page.locator("main").dispatch_event("click")
        with suppress(TimeoutError):
            page.locator("dialog").wait_for(timeout=SOON)


def walk(page: Page, game: str) -> Iterator[str]:
    """Plays a whole game, and yields the name of each screen when it is shown for the first time."""
    fragment = GAMES_AT_LENGTH[game]
    # a change of only the fragment does not reload the page, and an immediate reload would lose a game not yet saved
    page.goto("about:blank")
    page.goto(f"./#{fragment}")
    ready(page)
    choose(page, "speed", "off")
    choose(page, "pauses", "tap")
    twin, rnd, met = Twin(fragment, english()), Random("walk"), set[str]()
    root = page.locator("#app")
    while True:
        session = twin.session
        for key in steps(page, len(session.log)):
            if key not in met:
                yield key.partition(".")[2]
            met.add(key)
        expect(root).to_have_attribute("data-ask", session.question.key)
        if session.over:
            break
        key = session.question.key
        if (seat := twin.covered) is not None:
            if "curtain" not in met:
                yield "curtain"
            met.add("curtain")
            page.locator('[data-do="lift"]').click()
            twin.send("lift", str(seat))
            continue
        answer = curious(session, rnd, met)
        words, picks = twin.words(answer), 0
        if key not in met:
            yield key.partition(".")[2]
        for control in twin.picks(answer):
            control.on(page).click()
            twin.send(control.node.attrs["data-do"], control.node.attrs["data-arg"])
            picks += 1
        if picks and f"{key} {answer[0]}" not in met:
            yield f"{key.partition('.')[2]}-{answer[0]}"
        met |= {key, f"{key} {answer[0]}"}
        twin.answering(words).on(page).click()
        twin.send("answer", words)
    count_up(page)
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
        path = chromium.find(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for game in games or OPEN:
            context = browser.new_context(base_url=f"http://127.0.0.1:{server.server_port}/", locale="en")
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            set_up(page, game)
            for number, screen in enumerate(walk(page, game), 1):
                shoot(page, f"{game}-{number:02}-{screen}")
            context.close()
        browser.close()
        server.shutdown()
    print(f"{len(list(Path(SHOTS).iterdir()))} pictures in {SHOTS}")


if __name__ == "__main__":
    main(sys.argv[1:])
