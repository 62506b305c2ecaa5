"""Whole games of thieves in the browser, by touch on a tablet, each compared with the same game in CPython."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.axe import findings
from e2e.conftest import SCREENS, NewContext, wait_until_ready
from e2e.table import deck_of, setup_fragment
from e2e.twin import Twin
from engine.thieves.cards import ACTION, CardPlay

Open = Callable[[str], Page]
SPECIAL = ("thief", "alarm", "roadblock", "double_loot", "police")


class Table(Twin):
    """A person who plays by tapping: first a card, then the button beside the question."""

    GAME = "thieves"

    def lift(self) -> None:
        expect(self.page.locator(".thieves [data-do=pick]")).to_have_count(0)
        super().lift()

    def choose(self) -> str:
        """Returns a random answer, but one with a special card as soon as that is possible."""
        answers = self.answers()
        special = [words for words, a in answers.items() if a[0] in SPECIAL]
        return self.rnd.choice(special or list(answers))

    def answer(self, words: str) -> None:
        question, a = self.question, self.answers()[words]
        if isinstance(question, CardPlay):
            kind = ACTION.get(a[0], a[1] if len(a) > 1 else 0)
            place = question.cards(self.session.table).index(kind)
            self.page.locator(f'.desk .lift[data-arg="card={place}"]').tap()
        elif a[0] == "take":
            self.page.locator(f'.lift[data-arg="take={a[1]}.{a[2]}"]').tap()
        self.page.locator(f'button[data-answer="{words}"]').tap()
        self.repeat(words)


@pytest.fixture
def tablet(new_context: NewContext) -> Page:
    return new_context(has_touch=True, viewport=SCREENS["tablet"]).new_page()


@pytest.mark.sample(2, group="whole games at one device")
def test_three_people_play_a_whole_game_on_a_tablet_and_reload_in_the_middle(tablet: Page) -> None:
    table = Table(tablet, "p,p,p", "t19")
    said: set[str] = set()
    steps = 0
    while not table.session.over:
        words = table.choose()
        said.add(words.split()[0])
        table.answer(words)
        steps += 1
        if steps == 6:
            tablet.reload()
            wait_until_ready(tablet)
            table.wait_for_page()
    assert said >= {"take", *SPECIAL}
    totals = tablet.locator("dialog .ledger tfoot td").all_inner_texts()
    assert totals == [str(n) for n in table.session.game.scores(table.session.table)]
    tablet.locator(".ledger .figure").first.tap()
    expect(tablet.locator(".ledger .why")).to_be_visible()


def test_a_raid_is_shown_until_a_tap(open_app: Open) -> None:
    """Plays one person among bots, with a deck that is mostly police."""
    deck = deck_of("thieves", "deck", getaway=7, two_cars=60, money_3=3)
    page = open_app(setup_fragment("thieves", "p,b1,b1", "raid", deck))
    raid = page.get_by_role("heading", name="Raid!")
    police = page.locator(".desk .lift", has=page.get_by_label("Two police cars"))
    while not raid.count():
        expect(raid.or_(police.first).first).to_be_visible()
        if not raid.count():
            police.first.click()
            page.locator('button[data-answer="police two_cars"]').click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Raid!")).to_have_count(0)
