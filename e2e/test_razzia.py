"""Whole games of razzia in the browser, by touch and by clicking, each compared with the same game in CPython."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.axe import findings
from e2e.conftest import SCREENS, wait_until_ready
from e2e.table import OVERFLOW, RAID, change_setting, deck_of, opened_sheet, play_to_raid, small_targets
from e2e.twin import Twin
from engine.session import Session

Open = Callable[[str], Page]
#: decks with few cards and all kinds of scores, for short games
FOUR = deck_of(
    "razzia", "deck", ring=1, diamond=1, coin=1, thief=3, driver=1, car=2, bodyguard=2, casino=1, film=1, police=8
)
TWO = deck_of("razzia", "deck", ring=2, coin=2, thief=6, driver=4, car=6, bodyguard=6, casino=2, film=2, police=24)


class Seat(Twin):
    """A person who plays by tapping or clicking."""

    GAME = "razzia"

    def choose(self) -> str:
        """Returns a random answer, but one with a thief as soon as that is possible."""
        legal = list(self.answers())
        return next((words for words in legal if words.startswith("thieves")), self.rnd.choice(legal))

    def check(self) -> None:
        """Checks that exactly the legal answers can be clicked, except those that need a pick first: thieves, and a
        call over an empty row, which has to be confirmed."""
        legal, row = set(self.answers()), self.session.table.row
        apart = {words for words in legal if words.startswith("thieves") or (words == "call" and not any(row))}
        assert self.offered() == legal - apart

    def answer(self, words: str) -> None:
        for place in words.split()[1:] if words.startswith("thieves") else ():
            self.press(self.page.locator(f'[data-do="pick"][data-arg="{place}"]'))
        if words == "call" and not any(self.session.table.row):
            self.press(self.page.locator('[data-do="pick"][data-arg="call"]'))
        self.press(self.page.locator(f'[data-answer="{words}"]'))
        self.repeat(words)

    def play(self, *, until: Callable[[Session], bool]) -> list[str]:
        """Plays until `until` is true or the game is over. Returns the answers."""
        answers: list[str] = []
        while not self.session.over and not until(self.session):
            self.check()
            answers.append(self.choose())
            self.answer(answers[-1])
        return answers


def ranks(page: Page) -> list[str]:
    return page.locator(".ranks li .score").all_inner_texts()


def in_words(points: list[int]) -> list[str]:
    return [f"{str(n).replace('-', chr(0x2212))} point{'' if abs(n) == 1 else 's'}" for n in points]


@pytest.mark.sample(2, group="whole games at one device")
def test_four_people_play_a_whole_game_by_touch_and_reload_during_an_auction(tablet: Page) -> None:
    seat = Seat(tablet, "p,p,p,p", "s81", FOUR)
    seat.play(until=lambda s: s.question.key == "razzia.auction" and len(s.log) > 10)

    # an answer is taken back: the same question is asked again
    asked, entries = seat.question.seat, len(seat.session.log)
    seat.answer("pass")
    assert seat.question.seat != asked
    tablet.locator('.bar [data-do="undo"]').tap()
    seat.session.undo(asked)
    seat.wait_for_page()
    assert len(seat.session.log) == entries

    # a reload: the game goes on from the same entry
    seat.answer(next(iter(seat.answers())))
    assert seat.question.key == "razzia.auction"
    tablet.reload()
    wait_until_ready(tablet)
    seat.wait_for_page()
    said = seat.play(until=lambda s: s.over)
    assert any(words.startswith("thieves") for words in said)

    points = seat.session.table.points
    expect(tablet.locator(".ranks li")).to_have_count(4)
    assert ranks(tablet) == in_words(sorted(points, reverse=True))
    assert seat.stored_game().table.points == points
    totals = tablet.locator("dialog .ledger").last.locator("tfoot tr").last.locator("td").all_inner_texts()
    assert totals == [text.split()[0] for text in in_words(points)]

    # the same people, another deal
    tablet.locator('[data-do="again"]').tap()
    expect(seat.app).to_have_attribute("data-ask", "razzia.turn")
    expect(seat.app).to_have_attribute("data-entries", "1")


@pytest.mark.sample(2, group="whole games at one device")
def test_a_whole_game_is_played_against_a_bot(page: Page) -> None:
    seat = Seat(page, "p,b2", "s13", TWO)
    said = seat.play(until=lambda s: s.over)
    assert any(words.startswith("thieves") for words in said)
    points = seat.session.table.points
    expect(page.locator(".ranks li")).to_have_count(2)
    assert ranks(page) == in_words(sorted(points, reverse=True))
    assert seat.stored_game().table.points == points


def test_a_raid_is_shown_and_its_points_are_counted_and_explained(open_app: Open) -> None:
    page = open_app(RAID)
    play_to_raid(page)
    expect(page.get_by_role("heading", name="Raid!")).to_be_visible()
    expect(page.get_by_role("heading", name="Round 1 is counted")).to_be_visible()
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_focused()
    books = page.locator(".sheet .ledger")
    assert findings(page) == []
    # nobody has a jewel, which costs five points, and the page explains it
    jewels = books.get_by_role("button", name="Theo, Jewels: \N{MINUS SIGN}5")
    expect(jewels).to_have_attribute("aria-expanded", "false")
    jewels.click()
    expect(books.locator(".why")).to_contain_text("none at all costs 5")
    expect(books.locator("tfoot tr").last.locator("td").first).to_have_text("\N{MINUS SIGN}5")
    page.get_by_role("button", name="On to round 2").click()
    expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.turn")
    expect(page.locator(".bar")).to_contain_text("Round 2/3")
    expect(page.locator("[data-home]")).to_be_focused()


def test_taps_skip_through_the_count_of_points(open_app: Open) -> None:
    page = open_app(RAID)
    change_setting(page, "pauses", "tap")  # only taps go on with the count
    play_to_raid(page)
    page.get_by_role("heading", name="Raid!").click()
    go_on = page.locator(".sheet .btn.pri")
    expect(go_on).to_have_text("Faster")
    while go_on.inner_text() == "Faster":
        done = page.locator(".ledger .pending").count()
        go_on.click()
        expect(page.locator(".ledger .pending")).to_have_count(done - 1)
    expect(go_on).to_have_text("On to round 2")


def test_a_call_over_an_empty_row_has_to_be_confirmed(open_app: Open) -> None:
    page = open_app("#play=razzia&seats=p,p&seed=swap")
    call = page.locator('[data-answer="call"]')
    expect(call).to_have_count(0)
    page.get_by_role("button", name="Call an auction").click()
    expect(page.locator("[data-home]")).to_contain_text("The row is empty")
    page.get_by_role("button", name="Not now").click()
    expect(call).to_have_count(0)
    page.get_by_role("button", name="Call an auction").click()
    page.get_by_role("button", name="Call it").click()
    expect(page.locator("#app")).to_have_attribute("data-ask", "razzia.auction")
    # a click on an illegal answer is refused with a message
    page.locator('[data-answer="pass"]').evaluate("button => button.dataset.answer = 'offer 16'")
    page.locator('[data-answer="offer 16"]').click()
    expect(page.get_by_role("alert").first).to_contain_text("The cheque 16,000 does not lie open there")
    expect(page.locator("#app")).to_have_attribute("data-entries", "2")


def test_a_sheet_takes_the_focus_and_gives_it_back(open_app: Open) -> None:
    page = open_app("#play=razzia&seats=p,b1&seed=sheets")
    for name in ("worth", "scores", "family-0", "family-1"):
        with opened_sheet(page, page.locator(f"#razzia-{name}")):
            expect(page.locator(".razzia .sheet")).to_be_visible()


@pytest.mark.sample(1)
@pytest.mark.parametrize("seats", [2, 4, 5])
def test_the_table_fits_and_every_target_is_large_enough(open_app: Open, seats: int) -> None:
    page = open_app(f"#play=razzia&seats={','.join('p' * seats)}&seed=fits")
    expect(page.locator('[data-answer="draw"]')).to_be_visible()
    for size in SCREENS.values():
        page.set_viewport_size(size)
        # the table does not scroll
        assert page.locator(".board").evaluate(OVERFLOW) == [0, 0]
        assert small_targets(page.locator(".razzia button:visible")) == []
    # a phone in landscape format: the other seats scroll, the question stays in place
    page.set_viewport_size({"width": 844, "height": 390})
    last = page.locator(".seat:visible").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=0.9)
    expect(page.locator('[data-answer="draw"]')).to_be_in_viewport(ratio=1)
