"""The same game as on the page, replayed in CPython: same seed, same bots, same answers."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

from e2e.conftest import wait_until_ready
from e2e.table import change_setting, setup_fragment
from engine import GAMES, bots, notation
from engine.core import Answer, Question
from engine.dealers import Seeded
from engine.session import Session
from ui.saves import saved_game

# returns the save of the game that the page shows: its header and its records
READ_SAVE = """() => new Promise((resolve, reject) => {
    const id = new URLSearchParams(location.hash.slice(1)).get("game");
    const request = indexedDB.open("speakeasy");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
        const whole = request.result.transaction(["games", "records"]);
        const header = whole.objectStore("games").get(id);
        const records = whole.objectStore("records").getAll(IDBKeyRange.bound([id, 0], [id, 1e6]));
        whole.oncomplete = () => { request.result.close(); resolve([header.result, records.result]); };
    };
})"""


class Twin:
    """A session that follows the page: it opens a game by its link, switches pauses off, and replays every answer."""

    GAME: str

    def __init__(self, page: Page, plays: str, seed: str, options: Mapping[str, Any] | None = None) -> None:
        page.goto(f"./{setup_fragment(self.GAME, plays, seed, options)}")
        wait_until_ready(page)
        change_setting(page, "speed", "off")
        self.page, self.app = page, page.locator("#app")
        self.plays, self.seed = plays.split(","), seed
        self.session = Session(GAMES[self.GAME], len(self.plays), options or {})
        self.rnd = Random("touch")
        self.press = Locator.tap if page.evaluate("navigator.maxTouchPoints > 0") else Locator.click
        self.run_bots()
        self.wait_for_page()

    @property
    def question(self) -> Question[Any]:
        return self.session.question

    def run_bots(self) -> None:
        """Lets chance and bots answer until a person is asked or the game is over."""
        session = self.session
        while not session.over:
            if session.deal(Seeded(self.seed)):
                continue
            seat = session.question.seat
            if self.plays[seat] == "p":
                return
            session.do(seat, bots.choose(session, seat, self.plays[seat], self.seed))

    def answers(self) -> dict[str, Answer]:
        """Returns the legal answers of the person who is asked, by their words."""
        session = self.session
        return {notation.text(session.game.WORDS, a): a for a in session.answers(session.question.seat)}

    def repeat(self, words: str) -> None:
        """Repeats an answer that was given on the page, and checks that the page shows the same state."""
        self.session.do(self.question.seat, self.answers()[words])
        self.run_bots()
        self.wait_for_page()

    def wait_for_page(self) -> None:
        """Waits until the page shows the twin's state, and lifts the curtain if it is down."""
        expect(self.app).to_have_attribute("data-entries", str(len(self.session.log)))
        expect(self.app).to_have_attribute("data-ask", self.question.key)
        if self.session.over:
            return
        expect(self.app).to_have_attribute("data-seat", str(self.question.seat))
        if self.app.get_attribute("data-curtain") is not None:
            assert self.offered() == set()
            self.lift()
            expect(self.page.locator("[data-curtain]")).to_have_count(0)

    def lift(self) -> None:
        """Lifts the curtain, as the person who is asked."""
        self.press(self.page.locator('[data-do="lift"]'))

    def offered(self) -> set[str]:
        """Returns the answers that can be given on the page without a pick."""
        found: list[str] = self.page.locator("[data-answer]").evaluate_all("all => all.map(n => n.dataset.answer)")
        return set(found)

    def stored_game(self) -> Session:
        """Returns the game as the browser has stored it, replayed in CPython."""
        header, records = self.page.evaluate(READ_SAVE)
        return saved_game.replay(saved_game.read_header(header), records)
