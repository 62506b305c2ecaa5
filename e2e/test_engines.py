"""The page in Firefox and WebKit: whole games, reloads, no network, dragging, keys, tables by link, and refusals.

An engine that is not installed is skipped, and the run says so at its end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from e2e.conftest import ENGINE, NewContext
from e2e.engines import DRIVERS
from e2e.engines.browser import Browser
from e2e.features import HAS, documented_features, documented_version
from e2e.playthrough import SHORT_GAMES, Control, PageTwin, next_answer
from e2e.refusals import AWAIT_REFUSALS, MAKE_REFUSERS, RUN_PROGRAM, check_refusals
from e2e.rooms import ANSWER_SOMEHOW, MOST_LOOKS, Person, look_until
from e2e.stored import WRITE
from e2e.test_offline import ACTIVE, Host
from e2e.twin import READ_SAVE
from tests.ui.first_screen import english
from tools.engines import ENGINES, missing
from ui.saves import saved_game

NewVisitor = Callable[[], Browser]
T = english()
READY = "document.querySelector('[data-ready]') !== null"
#: what the driver of an engine reports although it is no fault. PyScript calls Function() once at its start, which our
#: policy forbids; Firefox notes that although assets/boot.js catches it
KNOWN = ("blocked a JavaScript eval (script-src)",)
#: what Firefox reports about requests that a test has refused
REFUSED = ("Cross-Origin Request Blocked", "disallowed MIME type", "NetworkError", "ServiceWorker")
#: clicks controls, each as soon as it can be used, and waits until the page shows the state that must follow
PLAY = """
const [clicks, entries, ask] = arguments;
const data = document.getElementById("app").dataset;
const soon = found => new Promise((done, failed) => {
    const look = left => {
        const it = found();
        if (it) done(it);
        else if (left) setTimeout(look, 20, left - 1);
        else failed(new Error(`${found}: ${JSON.stringify([clicks, entries, ask, data])}`));
    };
    look(4000);
});
const live = node => !node.disabled && node.getAttribute("aria-disabled") !== "true" && node.checkVisibility();
const lifted = () => { document.querySelector("[data-do=lift]")?.click(); return data.curtain === undefined; };
for (const [selector, number] of clicks) {
    (await soon(() => lifted() && [...document.querySelectorAll(selector)].filter(live)[number])).click();
}
await soon(() => data.entries === entries && data.ask === ask);
"""
MOST_TABS = 150  # presses of the tab key: more than any page has stops
HALF = 5  # answers before the reload
ENOUGH = 12  # entries after which two pages have played together


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def allowed() -> list[str]:
    """Parts of errors that browsers may report; a test adds those that it causes."""
    return [*KNOWN]


@pytest.fixture
def new_visitor(
    engine: str, allowed: list[str], record_property: Callable[[str, object], None]
) -> Iterator[NewVisitor]:
    """Starts browsers of the engine, each with an empty profile. At the end none may have reported another error."""
    if ENGINES[engine].find() is None:
        pytest.skip(missing(ENGINES[engine]))
    with ExitStack() as started:
        visitors: list[Browser] = []

        def start() -> Browser:
            visitor = DRIVERS[engine]()
            started.callback(visitor.close)
            visitor.launch()
            visitors.append(visitor)
            record_property(ENGINE, f"{ENGINES[engine].title} {visitor.version}")
            return visitor

        yield start
        problems = [text for visitor in visitors for text in visitor.errors()]
        assert [text for text in problems if not any(words in text for words in allowed)] == []


@pytest.fixture
def visitor(new_visitor: NewVisitor) -> Browser:
    return new_visitor()


@pytest.fixture
def host(dist: Path, tmp_path: Path) -> Iterator[Host]:
    host = Host(dist, tmp_path)
    yield host
    host.close()


def visit(visitor: Browser, address: str) -> None:
    """Opens the page, and waits until it can be used."""
    visitor.go("about:blank")  # a change of only the fragment does not reload the page
    visitor.go(address)
    visitor.until(READY)


def store_page(visitor: Browser, host: Host) -> None:
    """Visits the page, and waits until it is stored completely for times without a network."""
    visit(visitor, host.address)
    assert visitor.run(f"return {ACTIVE}") in ("activating", "activated")


class Player:
    """The people at one device, who play the same game as a twin in CPython."""

    def __init__(self, visitor: Browser, fragment: str) -> None:
        self.visitor, self.twin = visitor, PageTwin(fragment, T)
        self.rnd, self.met = Random("walk"), set[str]()

    def play(self, most: int) -> None:
        """Gives so many answers, or fewer if the game is over before."""
        twin = self.twin
        for _ in range(most):
            if twin.session.over:
                return
            if twin.covered is not None:
                twin.send("lift", str(twin.covered))
            answer = next_answer(twin.session, self.rnd, self.met)
            self.met.add(f"{twin.session.question.key} {answer[0]}")
            clicks: list[tuple[str, int]] = []
            for control in twin.picks(answer):
                clicks.append(self.place(control))
                twin.send(control.node.attrs["data-do"], control.node.attrs["data-arg"])
            clicks.append(self.place(twin.answer_control(twin.words(answer))))
            twin.send("answer", twin.words(answer))
            self.visitor.run(PLAY, clicks, *self.state())

    def state(self) -> list[str]:
        return [str(len(self.twin.session.log)), self.twin.session.question.key]

    def place(self, control: Control) -> tuple[str, int]:
        """Returns a selector of the control, and its number among the controls with this selector."""
        attrs = {name: control.node.attrs.get(name) for name in ("id", "data-do", "data-arg", "data-answer")}
        given = {name: value for name, value in attrs.items() if value is not None}
        alike = [each[:2] for each in self.twin.controls() if given.items() <= each.node.attrs.items()]
        selector = control.node.tag + "".join(f'[{name}="{value}"]' for name, value in given.items())
        return selector, alike.index(control[:2])


@pytest.mark.parametrize(
    ("engine", "game"),
    [
        pytest.param(engine, game, marks=pytest.mark.sample(1, group=f"a whole game in {engine}"))
        for engine in ENGINES
        for game in SHORT_GAMES
    ],
)
def test_a_whole_game_is_played_at_one_device_without_a_network(game: str, visitor: Browser, host: Host) -> None:
    """It is reloaded in the middle, and stored at the end as it was played."""
    store_page(visitor, host)
    visitor.run(f"return ({WRITE})(...arguments)", ["settings", "settings", json.dumps({"settings": {"speed": "off"}})])
    host.close()
    fragment = SHORT_GAMES[game].replace("seats=p,b1", "seats=p,p")
    visit(visitor, f"{host.address}#{fragment}")
    player = Player(visitor, fragment)
    player.play(HALF)
    visitor.reload()
    visitor.until(READY)
    visitor.run(PLAY, [], *player.state())
    player.play(1000)
    visitor.until("document.querySelector('dialog .ranks') !== null")
    header, records = visitor.run(f"return ({READ_SAVE})()")
    assert saved_game.replay(saved_game.read_header(header), records).log == player.twin.session.log


def test_a_card_is_dragged_and_an_answer_is_given_by_key(visitor: Browser, site: str) -> None:
    visit(visitor, f"{site}#play=thieves&seats=p,p,b1&seed=drag")
    data = "document.getElementById('app').dataset"
    visitor.until(f"{data}.curtain !== undefined")
    with visitor.held("[data-hold]"):
        visitor.until(f"{data}.curtain === undefined")
    entries = visitor.run(f"return {data}.entries")
    visitor.drag("main [data-drag~='seats']", "main [data-drop~='seats']")
    visitor.until(f"{data}.entries !== arguments[0]", entries)
    visitor.until(f"{data}.curtain !== undefined")
    with visitor.held("[data-hold]"):
        visitor.until(f"{data}.curtain === undefined")
    entries = visitor.run(f"return {data}.entries")
    tab_to(visitor, "[data-do='pick']:not([aria-disabled='true'])", "Tab")
    visitor.press("Enter")
    # backwards: Firefox's driver loses clicks by key once the focus has left the page at its end and come back
    tab_to(visitor, "[data-answer]", "Shift", "Tab")
    visitor.press("Enter")
    visitor.until(f"{data}.entries !== arguments[0]", entries)


def tab_to(visitor: Browser, selector: str, *keys: str) -> None:
    """Presses the tab key, perhaps with shift, until such a control has the focus."""
    for _ in range(MOST_TABS):
        if visitor.run("return document.activeElement.matches(arguments[0])", selector):
            return
        visitor.press(*keys)
    raise AssertionError(f"never reached by the tab key: {selector}\n{visitor.describe()}")


def test_an_engine_has_what_the_documentation_says(
    visitor: Browser, site: str, engine: str, allowed: list[str]
) -> None:
    allowed += REFUSED
    title = ENGINES[engine].title
    if not f"{visitor.version}.".startswith(f"{documented_version(title)}."):
        pytest.skip(f"docs/browsers.md describes {title} {documented_version(title)}, this is {visitor.version}")
    visitor.go(site)
    assert set(visitor.run(f"return ({HAS})()")) == documented_features(title)


# Tables by link


def open_table(visitor: Browser, site: str) -> str:
    """Opens a table for two people, and returns its link."""
    visit(visitor, f"{site}#play=razzia&seats=p,p&seed=link")
    visitor.click('[data-do="dialog"][data-arg="menu"]')
    visitor.click('dialog [data-do="leave"]')
    visitor.click('[data-do="room.open"]')
    visitor.until("document.querySelector('[data-do=\"room.copy\"]:enabled') !== null")
    return str(visitor.run("return location.href"))


def sit_down(visitor: Browser, link: str) -> None:
    visit(visitor, link)
    visitor.click('.room .seats li:nth-child(2) [data-do="room.sit"]')


def play_together(state: str, *run: Callable[[str], Any]) -> None:
    """Lets two pages play for a while, until both show that they are connected in this way. `run` evaluates an
    expression in a page."""
    shown = "[document.querySelector('.net')?.dataset.state, Number(document.getElementById('app').dataset.entries)]"
    for _ in range(MOST_LOOKS):
        states = [page(shown) for page in run]
        if all(entries > ENOUGH and found == state for found, entries in states):
            return
        for page in run:
            page(f"({ANSWER_SOMEHOW})()")
    raise AssertionError(states)


def evaluate(visitor: Browser, expression: str) -> Any:
    return visitor.run(f"return {expression}")


def connection(visitor: Browser) -> str:
    """Returns how this browser must be connected to a page in its reach."""
    return "direct" if visitor.run("return 'RTCPeerConnection' in window") else "relayed"


def test_two_pages_of_an_engine_play_by_link(new_visitor: NewVisitor, site_with_endpoint: str) -> None:
    host, guest = new_visitor(), new_visitor()
    sit_down(guest, open_table(host, site_with_endpoint))
    host.click('[data-do="room.begin"][aria-disabled="false"]')
    for page in (host, guest):
        page.until("document.getElementById('app').dataset.screen === 'table'")
    play_together(connection(host), partial(evaluate, host), partial(evaluate, guest))


def test_chromium_and_an_engine_play_by_link(
    visitor: Browser, new_context: NewContext, site_with_endpoint: str
) -> None:
    person = Person(new_context())
    link = person.open_table("p,p", site_with_endpoint)
    sit_down(visitor, link)
    person.page.get_by_role("button", name="Begin").click()
    look_until(lambda: person.app_data["screen"] == "table", [person])
    visitor.until("document.getElementById('app').dataset.screen === 'table'")
    play_together(connection(visitor), person.page.evaluate, partial(evaluate, visitor))


# Refusals


def test_refused_promises_end_in_each_engine(visitor: Browser, site: str, dist: Path, allowed: list[str]) -> None:
    allowed += REFUSED
    made_of = json.loads((dist / "version.json").read_text("utf-8"))
    visit(visitor, site)
    visitor.run(f"({MAKE_REFUSERS})()")
    told = visitor.run(
        f"return ({RUN_PROGRAM})(...arguments)", [made_of["folders"]["pyodide"], made_of["app"], [], AWAIT_REFUSALS]
    )
    check_refusals(json.loads(told))


def test_without_a_network_each_refusal_ends_in_a_sentence(visitor: Browser, host: Host, allowed: list[str]) -> None:
    """Regression test: in WebKit a refused request never ended, and nothing was said."""
    allowed += REFUSED
    (host.dist / "sw.js").unlink()  # it would have everything
    visit(visitor, host.address)
    host.close()
    visitor.click('[data-do="dialog"][data-arg="settings"]')
    visitor.click('label:has(input[name="set-language"][value="pl"])')
    visitor.until(
        "document.querySelector('.note')?.innerText.includes(arguments[0])", T("settings.no_texts", language="Polski")
    )
    visitor.click('dialog [data-do="dialog.close"]')
    visitor.click('[data-do="room.open"]')
    sentence = T("room.hand.text" if connection(visitor) == "direct" else "room.no_way")
    visitor.until("document.querySelector('[data-screen=room]')?.innerText.includes(arguments[0])", sentence)


def test_a_table_by_link_is_reloaded_while_its_host_is_away(visitor: Browser, host: Host) -> None:
    """Regression test: in WebKit the page never got ready."""
    store_page(visitor, host)
    visitor.click('[data-do="room.open"]')
    visitor.until("location.hash.startsWith('#r=')")
    host.close()
    visitor.reload()
    visitor.until(READY)
    visitor.until("document.getElementById('app').dataset.screen === 'room'")
