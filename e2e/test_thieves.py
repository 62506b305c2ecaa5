"""Whole games of thieves in the browser, by pointer on a tablet; beside each of them the same game in CPython."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.axe import findings
from e2e.conftest import SCREENS, ready
from engine import GAMES, notation
from engine.core import Answer
from engine.dealers import Seeded
from engine.session import Session
from engine.thieves.box import NAMES
from engine.thieves.cards import ACTION, CardPlay

THIEVES = GAMES["thieves"]
Open = Callable[[str], Page]


class Table:
    """The page, and the game in CPython that is played along: same seed, same answers."""

    def __init__(self, page: Page, seed: str, seats: int) -> None:
        self.page, self.seed = page, seed
        self.session = Session(THIEVES, seats, {})
        self.rnd = Random("clicks")
        self.app = page.locator("#app")
        self.session.deal_all(Seeded(seed))

    def look(self) -> None:
        """The page stands where the twin stands, and the one who is asked has lifted the curtain."""
        expect(self.app).to_have_attribute("data-entries", str(len(self.session.log)))
        expect(self.app).to_have_attribute("data-ask", self.session.question.key)
        if not self.session.over:
            self.lift()

    def lift(self) -> None:
        """The curtain is down whenever somebody else is asked; nothing can be chosen before it is lifted."""
        curtain, toggles = self.page.locator('[data-do="lift"]'), self.page.locator(".thieves [data-do=pick]")
        expect(curtain.or_(toggles.first)).to_be_visible()
        if curtain.count():
            expect(toggles).to_have_count(0)
            curtain.tap()
            expect(curtain).to_have_count(0)

    def choose(self) -> Answer:
        """Anything at random, but the special cards as soon as there are any."""
        answers = self.session.answers(self.session.question.seat)
        special = [a for a in answers if a[0] in ("thief", "alarm", "roadblock", "double_loot", "police")]
        return self.rnd.choice(special or answers)

    def answer(self, a: Answer) -> None:
        """Tap the card, then the button beside the question."""
        question, seat = self.session.question, self.session.question.seat
        if isinstance(question, CardPlay):
            kind = ACTION.get(a[0], a[1] if len(a) > 1 else 0)
            place = question.cards(self.session.table).index(kind)
            self.page.locator(f'.den .lift[data-arg="card={place}"]').tap()
        elif a[0] == "take":
            self.page.locator(f'.lift[data-arg="take={a[1]}.{a[2]}"]').tap()
        self.page.locator(f'button[data-answer="{notation.text(THIEVES.WORDS, a)}"]').tap()
        self.session.do(seat, a)
        self.session.deal_all(Seeded(self.seed))
        self.look()


@pytest.fixture
def tablet(new_context: Callable[..., BrowserContext]) -> Page:
    return new_context(has_touch=True, viewport=SCREENS["tablet"]).new_page()


def sit_down(page: Page, seed: str, seats: int) -> Table:
    page.goto(f"./#play=thieves&seats={','.join('p' * seats)}&seed={seed}")
    ready(page)
    set_speed(page, "off")
    return Table(page, seed, seats)


def set_speed(page: Page, speed: str) -> None:
    page.locator('[data-do="dialog"][data-arg="menu"]').click()
    page.locator('[data-do="dialog"][data-arg="settings"]').click()
    page.locator(f'label:has(input[name="set-speed"][value="{speed}"])').click()
    page.locator('dialog [data-do="dialog.close"]').first.click()
    expect(page.locator("dialog")).to_have_count(0)


def test_three_people_play_a_whole_game_on_a_tablet_and_reload_in_the_middle(tablet: Page) -> None:
    table = sit_down(tablet, "t5", 3)
    table.look()
    assert findings(tablet) == []
    said: set[str] = set()
    steps = 0
    while not table.session.over:
        a = table.choose()
        said.add(a[0])
        table.answer(a)
        steps += 1
        if steps == 6:
            tablet.reload()
            ready(tablet)
            table.look()
            assert findings(tablet) == []
    assert {"thief", "take", "police", "alarm", "roadblock", "double_loot"} <= said
    totals = tablet.locator("dialog .tally tfoot td").all_inner_texts()
    assert totals == [str(n) for n in THIEVES.scores(table.session.table)]
    assert findings(tablet) == []
    tablet.locator(".tally .pt").first.tap()
    expect(tablet.locator(".tally .why")).to_be_visible()


def only(**cards: int) -> str:
    counts = {name: cards.get(name, 0) for name in NAMES.values()}
    return "&deck=" + ",".join(f"{name}:{count}" for name, count in counts.items())


def test_a_raid_is_seen_and_waits_for_its_readers(open_app: Open) -> None:
    """One person among bots, and a deck of little but police."""
    page = open_app(f"#play=thieves&seats=p,b1,b1&seed=raid{only(getaway=7, two_cars=60, money_3=3)}")
    raid = page.get_by_role("heading", name="Raid!")
    police = page.locator(".den .lift", has=page.get_by_label("Two police cars"))
    while not raid.count():
        expect(raid.or_(police.first).first).to_be_visible()
        if not raid.count():
            police.first.click()
            page.locator('button[data-answer="police two_cars"]').click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Raid!")).to_have_count(0)
