"""A whole game of each by keyboard alone: every control is reached, and the focus is never lost and always visible."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from random import Random
from typing import Any

import pytest
from playwright.sync_api import ElementHandle, JSHandle, Page, expect

from e2e.playthrough import SHORT_GAMES, Control, PageTwin, next_answer
from e2e.stored import wait_until_stored
from tests.ui.first_screen import english
from ui.html.tree import Node

Open = Callable[[str], Page]
MOST_TABS = 150  # presses of the tab key: more than any page has stops
FRAMES_WAITED = 60
# Counts from now on how often no element has the focus after a change
WATCH = """() => {
    window.lost = 0;
    window.reached = new WeakSet();
    new MutationObserver(() => { if (document.activeElement === document.body) window.lost += 1; })
        .observe(document.body, { childList: true, subtree: true, attributes: true });
}"""
# Checks the focused element: is it `target`, is it visible, is the focus marked. A control that covers all of its seat
# or card counts as visible if that is; transparent elements cover nothing.
CHECK_FOCUS = """target => {
    const at = document.activeElement;
    if (!at || at === document.body) return { here: false, nowhere: true, trouble: "" };
    let trouble = "";
    if (at === target || !window.reached.has(at)) {
        const label = at.matches("input[type=radio], input[type=checkbox]") ? at.closest("label") : at;
        const box = label.getBoundingClientRect(), around = label.parentElement.getBoundingClientRect();
        const whole = ["x", "y", "width", "height"].every(side => Math.abs(box[side] - around[side]) < 6);
        const shown = whole ? label.parentElement : label;
        const glass = each => {
            const style = getComputedStyle(each);
            return style.backgroundImage === "none" && /, 0\\)$|^transparent$/.test(style.backgroundColor)
                && !each.textContent.trim() && !each.closest("svg");
        };
        const points = [[.5, .5], [.2, .2], [.8, .2], [.2, .8], [.8, .8]];
        const over = points.map(([x, y]) => document.elementsFromPoint(box.x + box.width * x, box.y + box.height * y)
            .find(each => shown.contains(each) || !glass(each)));
        const covered = over.filter(each => !each || !shown.contains(each));
        const style = getComputedStyle(label);
        const marked = style.boxShadow !== "none" || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth));
        const name = `${at.id || at.className} ${at.getAttribute("aria-label") || at.textContent}`.slice(0, 80);
        const above = covered.map(each => each && `${each.tagName} ${each.className}`);
        if (covered.length) trouble = `${name}: under ${above}`;
        else if (!marked && !at.matches("[data-home], main")) trouble = `${name}: nothing marks the focus`;
        if (!trouble) window.reached.add(at);
    }
    return { here: at === target, nowhere: false, trouble };
}"""

# Checks that a control was reached, or that it was not if it is under an open dialog
REACHED = """node => {
    const sheet = document.querySelector("dialog:modal");
    return window.reached.has(node) === (!sheet || sheet.contains(node));
}"""


class KeyboardPlayer:
    """A person who plays with the keyboard."""

    def __init__(self, page: Page, twin: PageTwin) -> None:
        self.page, self.twin = page, twin
        self.press_with = cycle(("Enter", "Space"))
        self.troubles: set[str] = set()

    def check_focus(self, target: JSHandle | None = None) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(CHECK_FOCUS, target)
        for _ in range(FRAMES_WAITED):  # elements that still move do not cover it for long
            if not found["trouble"]:
                return found
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
            found = self.page.evaluate(CHECK_FOCUS, target)
        self.troubles.add(found["trouble"])
        return found

    def tab_to(self, target: ElementHandle, key: str = "Tab") -> None:
        """Presses the tab key until this element has the focus."""
        for _ in range(MOST_TABS):
            if self.check_focus(target)["here"]:
                return
            self.page.keyboard.press(key)
        raise AssertionError("never reached by the tab key")

    def use(self, control: Control) -> None:
        handle = control.locate(self.page).element_handle()
        self.tab_to(handle)
        self.page.keyboard.press(next(self.press_with))

    def tab_around(self) -> None:
        """Goes once around the page with the tab key, and checks that every usable control is reached."""
        self.page.keyboard.press("Tab")  # leaves the question, which is no stop itself
        first = self.page.evaluate_handle("() => { window.reached = new WeakSet(); return document.activeElement; }")
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            if self.check_focus(first)["here"]:
                break
        else:
            raise AssertionError("the tab key never comes round")
        for control in self.twin.controls():
            if is_usable(control.node):
                handle = control.locate(self.page).element_handle()
                assert self.page.evaluate(REACHED, handle), control.name

    def wait_for_twin(self) -> None:
        """Waits until the page shows the twin's state, and some element has the focus."""
        root = self.page.locator("#app")
        expect(root).to_have_attribute("data-entries", str(len(self.twin.session.log)))
        expect(root).to_have_attribute("data-ask", self.twin.session.question.key)
        self.page.wait_for_function("() => !document.activeElement.matches('body')")
        self.check_focus()

    def lift(self) -> None:
        """Lifts the curtain by holding a key, if it is down."""
        seat = self.twin.covered
        if seat is None:
            return
        hold = self.twin.control(lambda node: "data-hold" in node.attrs, "the curtain")
        self.tab_to(hold.locate(self.page).element_handle())
        self.page.keyboard.down("Enter")
        expect(self.page.locator("[data-curtain]")).to_have_count(0)
        self.page.keyboard.up("Enter")
        self.twin.send("lift", str(seat))
        self.wait_for_twin()


def is_usable(node: Node) -> bool:
    return "disabled" not in node.attrs and node.attrs.get("aria-disabled") != "true"


def switch_pauses_off(page: Page) -> None:
    """Switches all pauses off in the settings, by keyboard."""
    page.locator("[data-ready]").wait_for()
    keys = page.keyboard
    while page.evaluate("document.activeElement.getAttribute('aria-label')") != "Settings":
        keys.press("Tab")
    keys.press("Enter")
    page.get_by_role("dialog", name="Settings").wait_for()
    while page.evaluate("document.activeElement.name") != "set-speed":
        keys.press("Tab")
    while page.evaluate("document.activeElement.value") != "off":
        keys.press("ArrowRight")
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    wait_until_stored(page, "settings", '"speed": "off"')
    expect(page.get_by_role("button", name="Settings")).to_be_focused()


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", SHORT_GAMES)
def test_the_question_has_a_focus_ring_only_after_a_key_press(game: str, open_app: Open) -> None:
    """Regression test: it had a ring when a table was opened by its address, and looked like a text field."""
    page = open_app(f"#{SHORT_GAMES[game].replace('seats=p,p', 'seats=p,b1')}")
    question = page.locator("[data-home]")
    expect(question).to_be_focused()
    expect(question).to_have_css("outline-style", "none")
    expect(question).to_have_css("box-shadow", "none")
    page.keyboard.press("Shift")
    expect(question).to_be_focused()
    expect(question).to_have_css("outline-style", "solid")


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", SHORT_GAMES)
def test_a_whole_game_is_played_by_keyboard(game: str, open_app: Open) -> None:
    page = open_app("")
    switch_pauses_off(page)
    fragment = SHORT_GAMES[game]
    page = open_app(f"#{fragment}")
    twin = PageTwin(fragment, english())
    keys, rnd = KeyboardPlayer(page, twin), Random("walk")
    page.evaluate(WATCH)
    keys.wait_for_twin()
    met: set[str] = set()
    while not twin.session.over:
        keys.lift()
        question, session = twin.session.question, twin.session
        answer = next_answer(session, rnd, met)
        words = twin.words(answer)
        if question.key not in met:
            keys.tab_around()
        met |= {question.key, f"{question.key} {answer[0]}"}
        for control in twin.picks(answer):
            keys.use(control)
            twin.send(control.node.attrs["data-do"], control.node.attrs["data-arg"])
            keys.check_focus()
        keys.use(twin.answer_control(words))
        twin.send("answer", words)
        keys.wait_for_twin()
    expect(page.get_by_role("dialog")).to_be_visible()
    keys.tab_around()
    keys.page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("window.lost") == 0
    assert keys.troubles == set()
