"""A whole game of each by what screen readers know: controls by role and name, and every event heard once, in order."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from e2e.walk import GAMES_AT_LENGTH, Control, Twin, curious
from tests.first_screen import english

# What a screen reader would read out: what comes into a log, and what a status says anew
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


class Ears:
    """Somebody who sees nothing."""

    def __init__(self, page: Page, twin: Twin) -> None:
        self.page, self.twin = page, twin

    def use(self, control: Control) -> None:
        control.on(self.page).click()

    def settle(self) -> None:
        """All was told, and the question is the twin's."""
        self.page.wait_for_function(CAUGHT_UP, arg=len(self.twin.told()))
        role = "heading" if self.twin.covered is not None else "status"
        asks = self.page.get_by_role(role).filter(has_text=re.compile(self.twin.asks()))
        expect(asks.first).to_be_visible()

    def lift(self) -> None:
        seat = self.twin.covered
        if seat is None:
            return
        name = self.twin.table.play.header.chairs[seat].name
        self.page.get_by_role("button", name=f"I am {name}: show my cards").click()
        self.twin.send("lift", str(seat))
        self.settle()


def sit_down(page: Page, fragment: str) -> None:
    """Bots at once: a setting. Then the link."""
    page.add_init_script(LISTEN)
    page.goto("./")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radiogroup", name="Pace of the bots").get_by_role("radio", name="At once").check()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.goto("about:blank")
    page.goto(f"./#{fragment}")


@pytest.mark.parametrize("game", GAMES_AT_LENGTH)
def test_a_whole_game_by_role_and_name(game: str, page: Page) -> None:
    sit_down(page, GAMES_AT_LENGTH[game])
    twin = Twin(GAMES_AT_LENGTH[game], english())
    ears, rnd = Ears(page, twin), Random("walk")
    met: set[str] = set()
    ears.settle()
    while not twin.session.over:
        ears.lift()
        answer, key = curious(twin.session, rnd, met), twin.session.question.key
        met |= {key, f"{key} {answer[0]}"}
        words = twin.words(answer)
        for control in twin.picks(answer):
            ears.use(control)
            twin.send(control.node.attrs["data-do"], control.node.attrs["data-arg"])
        ears.use(twin.answering(words))
        twin.send("answer", words)
        if not twin.session.over:
            ears.settle()

    scores = twin.session.game.scores(twin.session.table)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem").first).to_be_visible()
    expect(dialog.get_by_role("listitem").first).to_contain_text(twin.t.number(max(scores)))
    # every sentence of the public log was heard once, in its order; the status asks, it does not tell it again
    heard = page.evaluate("window.heard")
    assert heard["log"] == twin.told()
    assert set(heard["status"]) & set(heard["log"]) == set()
