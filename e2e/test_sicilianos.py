"""Games of sicilianos in the browser, by touch on a tablet, each compared with the same game in CPython."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import SCREENS, NewContext
from e2e.table import OVERFLOW, opened_sheet, small_targets
from e2e.twin import Twin

TABLET = {"viewport": SCREENS["tablet"], "has_touch": True, "reduced_motion": "reduce"}
DESK = {"viewport": SCREENS["desktop"], "reduced_motion": "reduce"}
# Returns words that are broken over two lines without a space or a hyphen
BROKEN = """all => all.flatMap(node => {
    const text = [...node.childNodes].find(each => each.nodeType === 3);
    const range = document.createRange();
    return [...(text ? text.data.matchAll(/[^\\s-]+/g) : [])].filter(word => {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
    }).map(word => word[0]);
})"""


class Table(Twin):
    """A person who plays by tapping or clicking. To lay a card and a note, both are picked first."""

    GAME = "sicilianos"

    def choose(self) -> str:
        """Returns a random answer, but often the war with the highest stake, so that the game is not too long."""
        legal = list(self.answers())
        laid = [words for words in legal if words.startswith(("war", "join"))]
        if laid and self.rnd.random() < 0.8:
            return max(laid, key=lambda words: int(words.split()[2]))
        return self.rnd.choice(legal)

    def answer(self, words: str) -> None:
        """Gives an answer; picks its card and its note first if it has any."""
        answer = self.answers()[words]
        if answer[0] in ("war", "join", "add"):
            self.press(self.page.locator(f'.fan [data-arg^="k{answer[1]}.0"]'))
            if answer[0] != "add":
                self.press(self.page.locator(f'.pdirty [data-arg^="n{answer[2]}"]').first)
        self.press(self.page.locator(f'[data-answer="{words}"]'))
        self.repeat(words)


@pytest.mark.sample(2, group="whole games at one device")
def test_a_whole_game_is_played_by_touch_with_a_reload_during_a_war(new_context: NewContext) -> None:
    table = Table(new_context(**TABLET).new_page(), "p,b1,b1", "s11")
    page, session = table.page, table.session
    met: set[str] = set()
    while not session.over:
        key = session.question.key
        if key not in met:
            laid = {words for words in table.answers() if words.split()[0] in ("war", "join", "add")}
            assert table.offered() == set(table.answers()) - laid
            if key == "sicilianos.join":
                page.reload()
                table.wait_for_page()
        met.add(key)
        table.answer(table.choose())
    assert met >= {"sicilianos.join", "sicilianos.bomb", "sicilianos.keep"}
    expect(page.locator(".ranks li")).to_have_count(3)
    points = sorted(session.game.scores(session.table), reverse=True)
    shown = page.locator(".ranks li .score").all_inner_texts()
    assert [int(text.split()[0].replace("\N{MINUS SIGN}", "-")) for text in shown] == points


def test_several_people_at_one_device_fight_a_war(new_context: NewContext) -> None:
    table = Table(new_context(**TABLET).new_page(), "p,p,b1", "s1")
    while table.question.key != "sicilianos.turn":
        table.answer(next(iter(table.answers())))
    table.answer(next(words for words in table.answers() if words.startswith("war")))
    while table.question.key == "sicilianos.join":
        table.answer([words for words in table.answers() if words.startswith("join")][-1])
    # all cards laid were turned up together
    lying = table.session.table.lying
    assert len(lying) >= 2
    cards = table.page.locator(".lane .cards .family-card")
    expect(cards).to_have_count(len(lying))
    # regression test: on a tablet in landscape format they were 15 pixels wide, and unreadable
    table.page.set_viewport_size(SCREENS["tablet-wide"])
    assert min(cards.evaluate_all("all => all.map(card => card.offsetWidth)")) >= 40


def test_cards_are_picked_and_sheets_opened(new_context: NewContext) -> None:
    table = Table(new_context(**TABLET).new_page(), "p,b1,b1", "pick")
    page = table.page
    check_layout(page)
    while table.question.key != "sicilianos.turn":
        table.answer(next(iter(table.answers())))
    open_sheets(page)
    war = page.get_by_role("button", name="Start a war")
    expect(war).to_have_attribute("aria-disabled", "true")
    cards, notes = page.locator(".fan .pick"), page.locator(".pdirty .pick")
    cards.nth(0).tap()
    cards.nth(1).tap()
    expect(page.locator(".fan [aria-pressed=true]")).to_have_count(1)
    expect(page.locator("[data-home]")).to_contain_text("Now pick a note")
    notes.nth(2).tap()
    expect(page.locator("[data-home]")).to_contain_text("stake the 20?")
    expect(page.locator('[data-answer^="war"]')).to_have_count(1)
    # a click on an illegal answer is refused with a message
    page.locator('[data-answer="roll"]').evaluate("button => button.dataset.answer = 'explode yellow-1'")
    page.locator('[data-answer="explode yellow-1"]').tap()
    expect(page.get_by_role("alert").first).to_contain_text("That cannot be done now.")


def open_sheets(page: Page) -> None:
    for name in ("seat-0", "seat-1", "family-1", "family-6"):
        with opened_sheet(page, page.locator(f"#sicilianos-{name}")):
            expect(page.locator(".sicilianos .sheet")).to_be_visible()


def test_six_seats_fit_on_every_screen_before_and_during_a_war(new_context: NewContext) -> None:
    table = Table(new_context(**DESK).new_page(), "p,b1,b1,b1,b1,b1", "fits1")
    check_layout(table.page)
    while table.question.key != "sicilianos.join":
        answers = list(table.answers())
        table.answer("roll" if "roll" in answers else answers[0])
    check_layout(table.page)
    table.answer(next(words for words in table.answers() if words.startswith("join")))


@pytest.mark.sample(1)
@pytest.mark.parametrize("locale", ["en", "pl"])
def test_the_area_of_the_asked_seat_does_not_move_between_questions(new_context: NewContext, locale: str) -> None:
    """Regression test: it moved up and down with the text of the dice, and the piles changed their size."""
    context = new_context(viewport=SCREENS["tablet-wide"], reduced_motion="reduce", locale=locale)
    table = Table(context.new_page(), "p,p,p,p", "n1")
    tops: dict[str, float] = {}
    for _ in range(36):
        answers = list(table.answers())
        tops[table.question.key] = table.page.locator(".desk").evaluate("desk => desk.getBoundingClientRect().top")
        table.answer(next((words for words in answers if words == "roll"), answers[-1]))
    assert len(tops) > 3
    assert max(tops.values()) - min(tops.values()) < 2, tops


def test_large_letters_overlap_nothing(new_context: NewContext) -> None:
    """The table scrolls. Regression test: the question covered the piles, and the seats' money overlapped."""
    context = new_context(viewport=SCREENS["tablet"], reduced_motion="reduce", locale="pl")
    page = Table(context.new_page(), "p,b1,b1,b1", "big").page
    for name, size in SCREENS.items():
        page.set_viewport_size(size)
        for percent in (125, 200):
            page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
            assert (name, percent, overlaps(page)) == (name, percent, [])
            assert (name, percent, overlaps(page, ".seat dl > div, .seat .who")) == (name, percent, [])
            assert (name, percent, overlaps(page, ".put .words, .put .does, .own .who, .purse, .fan")) == (
                name,
                percent,
                [],
            )
            broken = page.locator(".does .btn > span:not(.badge)").evaluate_all(BROKEN)
            assert (name, percent, broken) == (name, percent, [])


def test_a_phone_shows_how_many_notes_everybody_has(new_context: NewContext) -> None:
    """The numbers matter, because the game ends when somebody has no more notes."""
    page = Table(new_context(viewport=SCREENS["phone"], reduced_motion="reduce").new_page(), "p,b1,b1", "notes").page
    expect(page.locator(".seat .dirty small")).to_have_text(["10 notes", "10 notes"])
    assert page.locator(".seat .dirty small").first.is_visible()


def check_layout(page: Page) -> None:
    """Checks in every size that nothing overlaps, nothing is cut off, and every target is large enough."""
    was = page.viewport_size
    assert was is not None
    for name, size in {**SCREENS, "small phone": {"width": 360, "height": 640}}.items():
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        over: list[int] = page.locator(".board").evaluate(OVERFLOW)
        assert (name, over[0]) == (name, 0)
        if "phone" not in name:  # there it scrolls
            assert (name, over[1]) == (name, 0)
        assert (name, overlaps(page)) == (name, [])
        assert small_targets(page.locator(".sicilianos .btn:visible, .sicilianos .fhead:visible")) == []
    page.set_viewport_size(was)


def overlaps(page: Page, parts: str = ".clan, .seat, .desk") -> list[Any]:
    """Returns the pairs of these parts that overlap. Once on phones the seats covered the families."""
    found: list[Any] = page.evaluate(
        """selector => {
            const parts = [...document.querySelectorAll(selector)]
            const boxes = parts.map(part => [part.className, part.getBoundingClientRect()])
            return boxes.flatMap(([a, p], n) => boxes.slice(n + 1).filter(([b, q]) =>
                p.left + 1 < q.right && q.left + 1 < p.right && p.top + 1 < q.bottom && q.top + 1 < p.bottom
            ).map(([b]) => `${a} and ${b}`))
        }""",
        parts,
    )
    return found
