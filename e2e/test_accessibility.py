"""Every screen of every game, checked for accessibility and layout: axe's rules, target sizes, room for texts.

A whole game of each is played by what screen readers get: controls are found by role and name, and every event is
announced once, in order. It is played in a pseudo-language, in which every text is 40 % longer than in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle
from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

from e2e import layout, pseudo
from e2e.axe import colour_findings, findings
from e2e.conftest import SCREENS, NewContext, wait_until_ready
from e2e.playthrough import SHORT_GAMES, Control, PageTwin, next_answer
from ui.boards import PLAYABLE
from ui.text.i18n import Texts

#: the size that has the least room for letters twice as large
LARGE_LETTERS_SCREEN = "phone"
# Records what a screen reader would announce: additions to a log, and new texts of a status
LISTEN = """
window.heard = { log: [], status: [] };
new MutationObserver(changes => {
    for (const change of changes) {
        const at = change.target.nodeType === 1 ? change.target : change.target.parentElement;
        const region = at && at.closest("[role=log], [role=status]");
        if (!region) continue;
        if (region.getAttribute("role") === "log") {
            const came = change.type === "childList" ? [...change.addedNodes] : [change.target];
            window.heard.log.push(...came.map(node => node.textContent));
        } else {
            const said = region.cloneNode(true);
            said.querySelectorAll("[aria-hidden=true]").forEach(each => each.remove());
            if (said.textContent !== window.heard.status.at(-1)) window.heard.status.push(said.textContent);
        }
    }
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
CAUGHT_UP = "count => window.heard.log.length >= count"


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A page in the pseudo-language, with reduced motion, so that nothing moves while it is checked."""
    page = new_context(reduced_motion="reduce", color_scheme="dark").new_page()

    def answer(route: Route) -> None:
        route.fulfill(body=pseudo.pseudo())

    page.route("**/en.mo", answer)
    page.add_init_script(LISTEN)
    page.goto("./")
    wait_until_ready(page)
    return page


class ScreenChecker:
    """Checks every screen when it is shown for the first time, each in another size."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seen: set[str] = set()
        self.troubles: list[str] = []
        self.sizes = cycle(SCREENS)

    def check_if_new(self, screen: str, *, other_buttons: bool = False) -> None:
        if screen not in self.seen:
            self.seen.add(screen)
            close = next(self.sizes)
            self.troubles += [f"{screen}, {each}" for each in self.layout_problems(close)]
            if not other_buttons:
                self.troubles += [f"{screen}, {close}: {each}" for each in self.violations()]

    def layout_problems(self, last: str) -> Iterator[str]:
        """Yields texts without room and small targets in every size, and texts without room in large letters."""
        page = self.page
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.set_viewport_size(SCREENS[LARGE_LETTERS_SCREEN])
        yield from (f"200 %: {each}" for each in layout.cut_off(page))
        page.evaluate("document.documentElement.style.fontSize = ''")
        for name in sorted(SCREENS, key=last.__eq__):
            page.set_viewport_size(SCREENS[name])
            yield from (f"{name}: {each}" for each in [*layout.cut_off(page), *layout.small_targets(page)])

    def violations(self) -> Iterator[str]:
        """Yields violations of axe's rules in both colour schemes, and elements that can only be dragged."""
        page = self.page
        yield from (*findings(page), *layout.only_dragged(page))
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        yield from (f"light: {each}" for each in colour_findings(page))
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")


class ScreenReaderPlayer:
    """A person who plays with a screen reader, while a `ScreenChecker` checks the screens."""

    def __init__(self, page: Page, twin: PageTwin, checker: ScreenChecker) -> None:
        self.page, self.twin, self.checker = page, twin, checker

    def use(self, control: Control) -> None:
        control.locate(self.page).click()

    def wait_for_twin(self) -> None:
        """Waits until all events were announced, and the page asks the twin's question."""
        self.page.wait_for_function(CAUGHT_UP, arg=len(self.twin.log_sentences()))
        role = "heading" if self.twin.covered is not None else "status"
        asks = self.page.get_by_role(role).filter(has_text=re.compile(self.twin.question_pattern()))
        expect(asks.first).to_be_visible()

    def lift(self) -> None:
        seat = self.twin.covered
        if seat is None:
            return
        self.checker.check_if_new("curtain")
        name = self.twin.table.play.header.chairs[seat].name
        self.page.get_by_role("button", name=self.twin.t("curtain.lift", who=name)).click()
        self.twin.send("lift", str(seat))
        self.wait_for_twin()

    def open_sheets(self) -> None:
        """Opens every new kind of sheet, has it checked, and closes it. Checks that it gives the focus back."""
        openers = [
            control.node.attrs for control in self.twin.controls() if control.node.attrs.get("data-do") == "unfold"
        ]
        for name in [attrs["id"] for attrs in openers if "id" in attrs]:
            sort = f"sheet {name.rstrip('0123456789')}"
            if sort in self.checker.seen:
                continue
            self.page.locator(f"#{name}").click()
            way_out = self.page.get_by_role("button", name=self.twin.t(f"{self.twin.session.game.NAME}.close"))
            expect(way_out).to_be_focused()
            self.checker.check_if_new(sort)
            way_out.click()
            expect(self.page.locator(f"#{name}")).to_be_focused()


def sit_down(page: Page, t: Texts, fragment: str) -> None:
    """Switches all pauses off in the settings, then follows the link."""
    page.get_by_role("button", name=t("settings.title")).click()
    page.get_by_role("radio", name=t("settings.speed.off")).check()
    page.get_by_role("button", name=t("app.close"), exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate("fragment => { location.hash = fragment }", fragment)


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", SHORT_GAMES)
def test_every_screen_of_a_whole_game_is_accessible(game: str, page: Page) -> None:
    twin = PageTwin(SHORT_GAMES[game], pseudo.texts())
    checker = ScreenChecker(page)
    player, rnd = ScreenReaderPlayer(page, twin, checker), Random("walk")
    sit_down(page, twin.t, SHORT_GAMES[game])
    met: set[str] = set()
    player.wait_for_twin()
    while not twin.session.over:
        player.lift()
        answer, key = next_answer(twin.session, rnd, met), twin.session.question.key
        checker.check_if_new(key)
        player.open_sheets()
        met |= {key, f"{key} {answer[0]}"}
        words = twin.words(answer)
        for control in twin.picks(answer):
            player.use(control)
            twin.send(control.node.attrs["data-do"], control.node.attrs["data-arg"])
            checker.check_if_new(f"{key} {answer[0]} picked", other_buttons=True)
        player.use(twin.answer_control(words))
        twin.send("answer", words)
        if not twin.session.over:
            player.wait_for_twin()

    scores = twin.session.game.scores(twin.session.table)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem").first).to_be_visible()
    expect(dialog.get_by_role("listitem").first).to_contain_text(twin.t.number(max(scores)))
    checker.check_if_new("result")
    # every sentence of the public log was announced once, in its order; the status does not repeat any of them
    heard = page.evaluate("window.heard")
    assert heard["log"] == twin.log_sentences()
    assert set(heard["status"]) & set(heard["log"]) == set()
    assert checker.troubles == []


def screens_outside_the_game(page: Page) -> Iterator[str]:
    """Opens every screen that is no table, one after the other, and yields its name."""
    close = page.locator('dialog [data-do="dialog.close"]').first

    def opens(*names: str) -> None:
        for name in names:
            page.locator(f'[data-do="dialog"][data-arg="{name}"]:visible').last.click()
        page.locator("dialog").wait_for()

    def shuts() -> None:
        close.click()
        expect(page.locator("dialog")).to_have_count(0)

    yield "lobby"
    opens("settings")
    page.locator("dialog summary").click()
    yield "settings"
    shuts()
    opens("seat:1")
    yield "seat"
    shuts()
    for game in PLAYABLE:
        page.locator(f'.poster:has(input[value="{game}"])').click()
        opens("options")
        for summary in page.locator("dialog summary").all():
            summary.click()
        yield f"house rules of {game}"
        shuts()
        page.locator('[data-do="start"]').click()
        expect(page.locator("#app")).to_have_attribute("data-game", game)
        opens("menu", "rules")
        yield f"rules of {game}"
        shuts()
        page.go_back()
        expect(page.locator("#app")).to_have_attribute("data-screen", "lobby")
    page.locator('[data-do="start"]').click()
    opens("menu")
    yield "menu"
    opens("people")
    yield "people"
    opens("chair:1")
    yield "somebody's seat"
    shuts()
    page.go_back()
    opens("saves")
    yield "saves"
    page.locator('dialog [data-arg^="delete:"]').first.click()
    yield "delete"
    shuts()
    page.evaluate("location.hash = 'play=poker'")
    page.get_by_role("alert").locator("p").wait_for()
    yield "refusal"
    page.locator('[data-do="notice.close"]').click()
    page.locator('[data-do="room.open"]').click()
    expect(page.locator("#app")).to_have_attribute("data-screen", "room")
    yield "table by link"


def test_every_screen_outside_the_game_is_accessible(page: Page) -> None:
    checker = ScreenChecker(page)
    for screen in screens_outside_the_game(page):
        checker.check_if_new(screen)
    assert checker.troubles == []
