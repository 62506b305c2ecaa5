"""The entry point of the page: reads texts and settings, then takes over the page painted by `index.html`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from js import document, window
from pyodide.ffi import create_proxy

from engine.seats import clean_name
from peer.browser.database import StoreFailed
from ui.boards import PLAYABLE, board
from ui.browser.animator import Animator
from ui.browser.page import Page
from ui.browser.runner import Runner, address_fragment, app_element, load_texts, preferred_languages
from ui.browser.store import Store
from ui.loop import App
from ui.messages import Command, Msg
from ui.model import LONGEST_ADDRESS, Model, Settings
from ui.saves import saved_game
from ui.text.i18n import best_language
from ui.update import lobby
from ui.update.settings import CHOICES

WIDE = "(min-width: 1000px) and (min-height: 501px), (orientation: portrait) and (min-width: 601px)"


async def main() -> None:
    store = Store()
    stored = await _remembered(store)
    stored_settings = stored.get("settings")
    valid = (
        {n: v for n, v in stored_settings.items() if v in CHOICES.get(n, ())}
        if isinstance(stored_settings, dict)
        else {}
    )
    settings = Settings(**{"language": best_language(preferred_languages()), **valid})
    for name in ("endpoint", "ice"):
        address = stored_settings.get(name) if isinstance(stored_settings, dict) else ""
        if isinstance(address, str) and len(address) <= LONGEST_ADDRESS:
            settings = replace(settings, **{name: address})
    names = stored.get("names")
    known_names = tuple(clean_name(n) for n in names[:8] if isinstance(n, str)) if isinstance(names, list) else ()
    t = await load_texts(settings.language)
    model = Model(t, lobby.first_setup(t, known_names), settings, names=known_names)
    element = app_element()
    page, animator = Page(element, lambda msg: app.send(msg)), Animator(element)
    app = App(model, page, animator)
    runner = Runner(page, animator, store, app.send)
    app.run = lambda command: _start(app, runner, command)
    _listen(app)
    for msg in page.choices():
        app.send(msg)
    fragment = address_fragment()
    app.send(Msg("visited", value=fragment))
    if fragment:
        await asyncio.sleep(1)  # what the link opens is loaded first
    for game in PLAYABLE:
        for load in (PLAYABLE.__getitem__, board):
            await asyncio.sleep(0.1)  # the page is in use already: load in small pieces, so that it keeps responding
            load(game)
    await runner.offline.start()


async def _remembered(store: Store) -> Mapping[str, Any]:
    """Returns settings and names of the last visit; nothing if the browser stores nothing (the lobby says so)."""
    try:
        await store.open()
        return saved_game.read_settings(await store.read_settings())
    except StoreFailed:
        return {}


def _start(app: App, runner: Runner, command: Command) -> None:
    task = asyncio.ensure_future(runner.run(command))
    _running.add(task)
    task.add_done_callback(lambda done: _end(app, done))


_running: set[asyncio.Future[None]] = set()


def _end(app: App, done: asyncio.Future[None]) -> None:
    _running.discard(done)
    if not done.cancelled() and (error := done.exception()):
        app.fail(error)


def _listen(app: App) -> None:
    """Sends messages for events of the window: its width, the address, and that the page was hidden."""
    wide = window.matchMedia(WIDE)
    wide.addEventListener(
        "change", create_proxy(lambda event: app.send(Msg("wide", value="on" if event.matches else "")))
    )
    app.send(Msg("wide", value="on" if wide.matches else ""))
    window.addEventListener("popstate", create_proxy(lambda _: app.send(Msg("visited", value=address_fragment()))))
    document.addEventListener(
        "visibilitychange", create_proxy(lambda _: app.send(Msg("hidden")) if document.hidden else None)
    )
