"""Games of bars in the browser, by touch on a tablet, each compared with the same game in CPython."""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e import layout
from e2e.conftest import SCREENS, NewContext, wait_until_ready
from e2e.table import OVERFLOW, deck_of, hold_curtain_button, opened_sheet, small_targets
from e2e.twin import Twin
from engine.bars.settle import Propose
from engine.session import Session

Open = Callable[[str], Page]


class Seat(Twin):
    """A person who plays by tapping, and lifts the curtain by holding its button."""

    GAME = "bars"

    def __init__(self, page: Page, plays: str, seed: str, options: Mapping[str, Any] | None = None) -> None:
        self.seen: set[str] = set()
        super().__init__(page, plays, seed, options)

    def lift(self) -> None:
        hold_curtain_button(self.page)

    def answer(self, words: str) -> None:
        question = self.question
        verb, *rest = words.split()
        if verb == "pick":
            card = self.answers()[words][1]
            self.page.locator(f"#bars-card-{card}").tap()
        if isinstance(question, Propose):
            self.share(question, rest)
        where = ".put" if verb == "place" else ".doing"
        self.page.locator(f'{where} [data-answer="{words}"], {where}[data-answer="{words}"]').tap()
        self.seen.add(verb)
        self.repeat(words)

    def share(self, asks: Propose, lists: list[str]) -> None:
        """Moves the notes to the players who get them by this answer."""
        left = list(enumerate(sorted(self.session.table.notes[asks.bar], reverse=True)))
        for number, notes in enumerate(lists):
            for note in notes.split("+") if notes != "-" else ():
                place, value = next(each for each in left if each[1] == int(note))
                left.remove((place, value))
                self.page.locator(f"#bars-note-{place}").tap()
                if len(asks.others) > 1:
                    self.page.locator(".split .tray").nth(number + 1).locator("button.whose").tap()

    def play(self, *, until: Callable[[Session], bool]) -> None:
        while not self.session.over and not until(self.session):
            self.answer(self.rnd.choice(sorted(self.answers())))


def is_asked(key: str) -> Callable[[Session], bool]:
    return lambda session: session.question.key == key


@pytest.mark.sample(2, group="whole games at one device")
def test_two_people_and_two_bots_play_a_whole_game_by_touch(tablet: Page) -> None:
    seat = Seat(tablet, "p,p,b2,b1", "s270", deck_of("bars", "notes", **{"5": 5, "10": 5, "20": 5, "25": 4, "50": 3}))
    seat.play(until=is_asked("bars.reply"))
    tablet.reload()
    wait_until_ready(tablet)
    seat.wait_for_page()
    seat.play(until=lambda session: session.over)
    assert seat.seen >= {"pick", "propose", "place", "accept", "challenge"}

    money = seat.session.table.money
    expect(tablet.locator(".ranks li")).to_have_count(4)
    assert seat.stored_game().table.money == money
    totals = tablet.locator(".ledger tfoot td").all_inner_texts()
    assert totals == list(map(str, money))
    tablet.locator(".ledger .figure:not(.nil)").first.tap()
    expect(tablet.locator(".why")).to_contain_text("Night ")


def drag(page: Page, thing: Locator, place: Locator) -> None:
    thing.hover()  # waits until it no longer moves
    end = place.bounding_box()
    assert end
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] * 0.8, steps=6)
    page.mouse.up()


def test_notes_and_cards_can_be_dragged(new_context: NewContext) -> None:
    page = new_context(has_touch=True).new_page()
    seat = Seat(page, "p,p,p,p", "s1")
    seat.play(until=is_asked("bars.place"))
    answer = next(iter(seat.answers()))
    drag(page, page.locator(".spare .bill"), page.locator(f'.put[data-answer="{answer}"]'))
    seat.repeat(answer)
    # a card dropped on its bar is played there; on another bar it returns to the hand
    seat.play(until=is_asked("bars.pick"))
    words, answer_ = next(iter(seat.answers().items()))
    card = page.locator(f"#bars-card-{answer_[1]}")
    club = int(str(card.get_attribute("data-drag")).split("-")[1])
    drag(page, card, page.locator(".club").nth(club % 6))
    expect(seat.app).to_have_attribute("data-entries", str(len(seat.session.log)))
    drag(page, card, page.locator(".club").nth(club - 1))
    seat.repeat(words)
    seat.play(until=is_asked("bars.propose"))
    note = page.locator("#bars-note-0")
    propose = page.locator(".doing .pri")
    before = propose.get_attribute("data-answer")
    drag(page, note, page.locator(".split .tray").nth(1))
    expect(propose).not_to_have_attribute("data-answer", str(before))
    drag(page, note, page.locator(".split .tray").first)
    expect(propose).to_have_attribute("data-answer", str(before))


@pytest.mark.sample(1)
@pytest.mark.parametrize("seats", [3, 8])
def test_the_table_fits_and_every_target_is_large_enough(open_app: Open, seats: int) -> None:
    page = open_game(open_app, seats)
    for size in (*SCREENS.values(), {"width": 360, "height": 640}):
        page.set_viewport_size(size)
        assert page.locator(".board").evaluate(OVERFLOW) == [0, 0]
        assert small_targets(page.locator(".bars button:visible")) == []


def test_every_bar_is_tall_enough_on_a_phone_in_landscape(open_app: Open) -> None:
    """Regression test: the six bars were two pixels high while the question asked to tap one."""
    page = open_game(open_app, 8)
    for width, height in ((844, 390), (932, 430)):
        page.set_viewport_size({"width": width, "height": height})
        heights = page.locator(".club").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().height)")
        assert min(heights) > 90
        assert layout.cut_off(page) == []
        assert small_targets(page.locator(".bars button:visible")) == []


def test_large_letters_overlap_nothing(open_app: Open) -> None:
    """The table scrolls. Regression test: the question covered the name, and notes covered their sum."""
    page = open_game(open_app, 8)
    for size, percent in product(SCREENS.values(), (125, 200)):
        page.set_viewport_size(size)
        page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        assert overlaps(page, ".seat, .house, .club, .question, .doing, .ident, .hand") == []
        assert overlaps(page, ".club:first-child :is(.sign, .bills .bill, .bar-total)") == []


def open_game(open_app: Open, seats: int) -> Page:
    """Opens a game with one person and bots, and waits until the person is asked for a card."""
    page = open_app(f"#play=bars&seats={','.join(['p', *['b1'] * (seats - 1)])}&seed=fits")
    expect(page.locator("#app[data-ask='bars.pick'] .choose, .put").first).to_be_visible()
    return page


def overlaps(page: Page, selector: str) -> list[str]:
    """Returns the pairs of these elements that overlap. Those of one class, such as a bar's notes, may do so."""
    found: list[str] = page.locator(selector).evaluate_all(
        """all => { const boxes = all.filter(each => each.checkVisibility() && each.textContent.trim())
                .map(each => [each.className, each.getBoundingClientRect()]);
            return boxes.flatMap(([a, p], n) => boxes.slice(n + 1).filter(([b, q]) => a !== b &&
                p.left + 2 < q.right && q.left + 2 < p.right && p.top + 2 < q.bottom && q.top + 2 < p.bottom)
                .map(([b]) => `${a} and ${b}`)); }"""
    )
    return found


def test_the_ledger_takes_the_focus_and_gives_it_back(open_app: Open) -> None:
    page = open_app("#play=bars&seats=p,b1,b1&seed=books")
    with opened_sheet(page, page.locator("#bars-books")):
        expect(page.locator(".ledger")).to_be_visible()
