"""The service worker: whole games without a network, one version at a time, damaged files refused and repaired."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import SUB_FOLDER, NewContext, PlainHandler, wait_until_ready
from e2e.guard import Guard
from e2e.stored import WRITE
from e2e.test_store import LINK, play_to_auction, state, wait_until_asked
from tools import build
from tools.serve import Listener
from ui.boards import PLAYABLE
from ui.text.i18n import LANGUAGES

ACTIVE = "navigator.serviceWorker.ready.then(found => found.active.state)"
KEPT = """caches.open("speakeasy").then(cache => cache.keys()).then(keys => keys.map(key => key.url))"""
UPDATE = "navigator.serviceWorker.ready.then(found => found.update()).then(() => null)"
STATE = """navigator.serviceWorker.getRegistration().then(found => [
    found?.installing?.state, found?.waiting?.state, found?.active?.state].map(state => state ?? ""))"""


class OneRequestHandler(PlainHandler):
    """Keeps no connection open, over which a host would answer even after it was shut down."""

    protocol_version = "HTTP/1.0"


class Host:
    """A static host for one test: its files can be changed, and it can be shut down."""

    def __init__(self, dist: Path, folder: Path) -> None:
        self.dist = Path(shutil.copytree(dist, folder / SUB_FOLDER))
        handler = partial(OneRequestHandler, directory=str(folder))
        self.server = Listener(("127.0.0.1", 0), handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/{SUB_FOLDER}/"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def publish(self, change: str) -> str:
        """Publishes the next version, with another title. Returns its name."""
        html = (self.dist / "index.html").read_text("utf-8")
        old = re.findall(r'data-version="([^"]+)"', html)[0]
        new = f"{change:0>12}"
        html = html.replace(old, new).replace("<title>Speakeasy", f"<title>Speakeasy {change}")
        (self.dist / "index.html").write_text(html, "utf-8")
        script = (self.dist / "sw.js").read_text("utf-8").replace(f'"{old}"', f'"{new}"')
        sum_ = build.integrity(html.encode())
        (self.dist / "sw.js").write_text(re.sub(r'"\./": "[^"]+"', f'"./": "{sum_}"', script), "utf-8")
        return new


@pytest.fixture
def host(dist: Path, tmp_path: Path) -> Iterator[Host]:
    host = Host(dist, tmp_path)
    yield host
    host.close()


@pytest.fixture
def guard(host: Host) -> Iterator[Guard]:
    guard = Guard(host.address)
    yield guard
    guard.check()


@pytest.fixture
def context(new_context: NewContext, host: Host) -> BrowserContext:
    """A browser context with this host as its base address."""
    return new_context(base_url=host.address)


def wait_until_stored(page: Page) -> None:
    """Waits until this version is stored completely on the device."""
    wait_until_ready(page)
    assert page.evaluate(ACTIVE) in ("activating", "activated")


def version(page: Page) -> str:
    return page.locator("html").get_attribute("data-version") or ""


def visit(page: Page, fragment: str = "") -> Page:
    page.goto("about:blank")
    page.goto(f"./{fragment}")
    wait_until_ready(page)
    return page


def test_every_file_that_a_player_needs_is_cached(page: Page, host: Host) -> None:
    visit(page)
    wait_until_stored(page)
    names = {address.removeprefix(host.address).partition("?")[0] for address in page.evaluate(KEPT)}
    files = {path.relative_to(host.dist).as_posix() for path in host.dist.rglob("*") if path.is_file()}
    assert {"" if name == "index.html" else name for name in files if not build.ONLINE_ONLY.match(name)} == names


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", PLAYABLE)
def test_a_whole_game_is_played_offline_from_the_second_visit_on(game: str, page: Page, host: Host) -> None:
    visit(page)
    wait_until_stored(page)
    page.evaluate(WRITE, ["settings", "settings", json.dumps({"settings": {"speed": "off"}})])
    host.close()
    visit(page, f"#play={game}&seats={','.join(['b2'] * PLAYABLE[game].SEATS[0])}&seed=tunnel")
    root = page.locator("#app")
    expect(root).to_have_attribute("data-game", game)
    expect(page.get_by_role("dialog")).to_be_visible(timeout=240_000)
    expect(root).not_to_have_attribute("data-seat", re.compile("."))


def test_a_game_at_one_device_is_played_and_reloaded_offline(page: Page, host: Host) -> None:
    visit(page)
    wait_until_stored(page)
    host.close()
    visit(page, LINK)
    before = play_to_auction(page)
    page.reload()
    wait_until_ready(page)
    wait_until_asked(page)
    assert state(page) == before


@pytest.mark.sample(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_shown_offline_in_every_language(language: str, page: Page, host: Host) -> None:
    visit(page)
    wait_until_stored(page)
    host.close()
    visit(page)
    page.evaluate(WRITE, ["settings", "settings", json.dumps({"settings": {"language": language}})])
    visit(page, f"#play={next(iter(PLAYABLE))}&seats=p,p&seed=tunnel")
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.locator("[data-arg=menu]").click()
    page.locator("dialog [data-arg=rules]").click()
    expect(page.get_by_role("dialog").get_by_role("heading", level=3).first).to_be_visible()


def test_a_new_version_is_announced_and_a_running_game_survives_it(page: Page, host: Host) -> None:
    visit(page)
    wait_until_stored(page)
    old = version(page)
    visit(page, LINK)
    assert version(page) == old
    before = play_to_auction(page)
    new = host.publish("newer")
    page.evaluate(UPDATE)
    note = page.get_by_role("alert").filter(has_text="A new version is ready")
    expect(note).to_be_visible()
    assert version(page) == old
    note.get_by_role("button", name="Load it").click()
    expect(page.locator("html")).to_have_attribute("data-version", new)
    wait_until_ready(page)
    wait_until_asked(page)
    assert state(page) == before


def test_an_open_page_keeps_its_version_when_another_page_is_updated(
    context: BrowserContext, page: Page, host: Host
) -> None:
    visit(page)
    wait_until_stored(page)
    old = version(page)
    other = context.new_page()
    visit(other)
    files = [name for name in page.evaluate(KEPT) if "app-" in name]
    # the next version has another archive, and the host forgets the old one
    script = host.dist / "sw.js"
    app = next(host.dist.glob("app-*.zip"))
    app.rename(host.dist / "app-ffffffff.zip")
    script.write_text(script.read_text("utf-8").replace(app.name, "app-ffffffff.zip"), "utf-8")
    html = host.dist / "index.html"
    html.write_text(html.read_text("utf-8").replace(app.name, "app-ffffffff.zip"), "utf-8")
    new = host.publish("newer")
    other.evaluate(UPDATE)
    other.get_by_role("button", name="Load it").click()
    expect(other.locator("html")).to_have_attribute("data-version", new)
    wait_until_ready(other)
    # the first page is still the old one, and finds its own files
    assert version(page) == old
    assert page.evaluate("name => fetch(name).then(answer => answer.status)", files[0]) == 200
    # with only one page open, files that nobody needs any more are deleted
    page.close()
    visit(other)
    expect_gone = "name => caches.open('speakeasy').then(cache => cache.match(name)).then(found => !found)"
    assert wait_for(other, expect_gone, files[0])


def test_a_new_page_replaces_an_old_service_worker_without_a_message(page: Page, host: Host) -> None:
    visit(page)
    wait_until_stored(page)
    new = host.publish("newer")
    # a reload that bypasses the worker, as with the shift key
    session = page.context.new_cdp_session(page)
    session.send("Page.reload", {"ignoreCache": True})
    expect(page.locator("html")).to_have_attribute("data-version", new)
    wait_until_ready(page)
    assert wait_for(page, "version => caches.open('speakeasy').then(c => c.match('./?' + version)).then(Boolean)", new)
    assert wait_for(page, f"() => {STATE}.then(states => states[1] === '' && states[0] === '')", None)
    expect(page.get_by_role("alert").filter(has_text="A new version is ready")).to_have_count(0)
    visit(page)
    assert version(page) == new


@pytest.mark.sample(1)
@pytest.mark.parametrize("damage", ["cut short", "changed"])
def test_a_damaged_file_is_not_cached_and_the_version_in_use_stays(damage: str, page: Page, host: Host) -> None:
    visit(page)
    wait_until_stored(page)
    old = version(page)
    new = host.publish("newer")
    html = host.dist / "index.html"
    text = html.read_text("utf-8")
    html.write_text(text[:-200] if damage == "cut short" else text.replace("Card games", "Dice games"), "utf-8")
    assert "did not" not in str(page.evaluate(UPDATE))
    assert wait_for(page, f"() => {STATE}.then(states => states[0] === '' && states[1] === '')", None)
    visit(page)
    assert version(page) == old
    html.write_text(text, "utf-8")
    page.evaluate(UPDATE)
    page.get_by_role("button", name="Load it").click()
    expect(page.locator("html")).to_have_attribute("data-version", new)


def test_a_damaged_cached_file_is_replaced(page: Page, host: Host, guard: Guard) -> None:
    visit(page)
    wait_until_stored(page)
    archive = next(host.dist.glob("app-*.zip")).name
    page.evaluate(
        "name => caches.open('speakeasy').then(cache => cache.put(name, new Response('PK', {headers: {}})))", archive
    )
    guard.expect(".")
    page.goto("about:blank")
    page.goto("./")
    note = page.locator("#boot-failed")
    expect(note).to_be_visible()
    note.get_by_role("button", name="Try again").click()
    wait_until_ready(page)
    expect(note).to_be_hidden()


def test_the_page_starts_from_its_host_after_the_cache_was_deleted(page: Page, host: Host) -> None:
    visit(page)
    wait_until_stored(page)
    page.evaluate("caches.delete('speakeasy')")
    visit(page)
    assert version(page)


def wait_for(page: Page, question: str, given: str | None) -> bool:
    """Waits until a function in the page, called with `given`, returns a promise of something true."""
    asked = """([question, given]) => new Promise(done => {
        const ask = () => question(given).then(yes => yes ? done(true) : setTimeout(ask, 50));
        ask();
    })""".replace("question(given)", f"({question})(given)")
    return bool(page.evaluate(asked, ["", given]))
