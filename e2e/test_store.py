"""Saves: every entry is stored before it is shown, games continue after a reload or a crash, and damaged saves are
reported and kept."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import wait_until_ready
from e2e.guard import Guard
from e2e.stored import READ, WRITE, wait_until_empty

Open = Callable[..., Page]
LINK = "#play=razzia&seats=p,p,p&seed=abc"
# Refuses our database only: PyScript opens one of its own while it starts
PRIVATE = """
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (name, ...rest) {
        if (name === "speakeasy") throw new DOMException("private", "SecurityError");
        return open.call(this, name, ...rest);
    };
"""
BREAK = """() => {
    document.createElement = () => { delete document.createElement; throw new Error("on purpose"); };
}"""


# acts as a browser does when its quota is used up: the transaction is aborted, its error names the reason
FULL = """() => {
    const add = window.addReally = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function (...given) {
        const request = add.apply(this, given);
        this.transaction.abort();
        return request;
    };
    const error = new DOMException("no room", "QuotaExceededError");
    Object.defineProperty(IDBTransaction.prototype, "error", { get: () => error });
}"""


def state(page: Page) -> list[str | None]:
    root = page.locator("#app")
    return [root.get_attribute(f"data-{name}") for name in ("game", "entries", "ask", "seat")]


def answer(page: Page, words: str) -> None:
    """Gives an answer, and waits until it is shown."""
    root = page.locator("#app")
    before = root.get_attribute("data-entries") or ""
    page.locator(f'[data-answer="{words}"]').first.click()
    expect(root).not_to_have_attribute("data-entries", before)


def wait_until_asked(page: Page) -> Page:
    """Waits until a person is asked."""
    expect(page.locator("[data-answer]").first).to_be_visible()
    return page


def play_to_auction(page: Page) -> list[str | None]:
    """Draws a card; if it is loot, calls an auction over it; lets the first person asked pass. Returns the state."""
    wait_until_asked(page)
    answer(page, "draw")
    wait_until_asked(page)
    if state(page)[2] == "razzia.turn":
        answer(page, "call")
        wait_until_asked(page)
    assert state(page)[2] == "razzia.auction"
    answer(page, "pass")
    wait_until_asked(page)
    return state(page)


def test_a_game_goes_on_after_a_reload_during_an_auction(open_app: Open) -> None:
    page = open_app(LINK)
    before = play_to_auction(page)
    shown = page.locator("main").inner_text()
    page.reload()
    wait_until_ready(page)
    wait_until_asked(page)
    assert state(page) == before
    assert page.locator("main").inner_text() == shown
    page.locator("[data-answer^='offer']").first.click()
    expect(page.locator("#app")).not_to_have_attribute("data-entries", before[1] or "")


def test_every_entry_that_was_shown_is_stored(open_app: Open) -> None:
    page = open_app(LINK)
    play_to_auction(page)
    records = page.evaluate(READ, "records")
    assert len(records) == int(page.locator("#app").get_attribute("data-entries") or 0)
    assert all(re.fullmatch(r"\[-?\d,.*\]", record) for record in records)


def test_a_crash_loses_no_entry_that_was_shown(context: BrowserContext, page: Page, open_app: Open) -> None:
    open_app(LINK)
    before = play_to_auction(page)
    address = page.url
    page.close(run_before_unload=False)
    other = context.new_page()
    other.goto(address)
    wait_until_ready(other)
    wait_until_asked(other)
    assert state(other) == before


def test_several_games_are_stored_side_by_side(open_app: Open) -> None:
    first = play_to_auction(open_app(LINK))
    page = open_app("#play=razzia&seats=p,p&seed=other")
    wait_until_asked(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="To the lobby").click()
    page.get_by_role("button", name="2 saved games").click()
    rows = page.get_by_role("dialog").get_by_role("listitem")
    expect(rows).to_have_count(2)
    three = rows.filter(has=page.locator(".emb:nth-child(3)"))
    expect(three).to_contain_text(re.compile(r"(Theo|Vera|Milo) to play"))
    three.get_by_role("button", name="Resume").click()
    wait_until_asked(page)
    assert state(page) == first


def test_the_list_of_saves_shows_how_far_each_game_is(open_app: Open) -> None:
    for seed, draws in (("one", 1), ("two", 0)):
        page = wait_until_asked(open_app(f"#play=razzia&seats=p,p&seed={seed}"))
        for _ in range(draws):
            answer(page, "draw")
    page = open_app("")
    page.locator('[data-do="dialog"][data-arg="saves"]').click()
    rows = page.locator(".saves li")
    expect(rows).to_have_count(2)
    for row in (rows.nth(0), rows.nth(1)):
        expect(row).to_contain_text(re.compile(r"Round 1/3 · Police \d"))


def test_deleting_a_game_has_to_be_confirmed(open_app: Open) -> None:
    page = open_app(LINK)
    wait_until_asked(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="To the lobby").click()
    page.get_by_role("button", name="1 saved game").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    wait_until_empty(page, "games")
    assert page.evaluate(READ, "records") == []
    open_app()
    expect(page.get_by_role("button", name="saved game")).to_have_count(0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("damage", ["<script>alert(1)</script>", '[0,"draw"', '[5,"offer",99]', None])
def test_a_damaged_save_is_reported_and_kept(damage: str | None, open_app: Open) -> None:
    page = open_app(LINK)
    play_to_auction(page)
    game = page.url.rpartition("=")[2]
    page.goto("about:blank")
    page.goto("./")
    wait_until_ready(page)
    page.evaluate(WRITE, ["records", [game, 1], damage])
    before = page.evaluate(READ, "records")
    open_app(f"#game={game}")
    expect(page.get_by_role("alert").filter(has_text="Entry 2 does not fit the game")).to_be_visible()
    expect(page.locator("#app")).to_have_attribute("data-screen", "lobby")
    assert page.evaluate(READ, "records") == before


def test_a_save_with_a_damaged_header_is_listed_and_kept(open_app: Open) -> None:
    page = open_app()
    page.evaluate(WRITE, ["games", "0123456789ab", '{"format":"<b>'])
    open_app()
    page.get_by_role("button", name="1 saved game").click()
    expect(page.get_by_role("dialog")).to_contain_text("This game cannot be opened")
    expect(page.get_by_role("dialog")).to_contain_text("Its text is damaged.")
    assert page.evaluate(READ, "games") == ['{"format":"<b>']


def test_a_game_goes_on_with_a_message_if_the_storage_is_full(open_app: Open) -> None:
    page = wait_until_asked(open_app(LINK))
    page.evaluate(FULL)
    answer(page, "draw")
    expect(page.get_by_role("alert").filter(has_text="There is no room left to keep games")).to_be_visible()
    page.get_by_role("button", name="Put this message away").click()
    wait_until_asked(page)
    before = page.locator("#app").get_attribute("data-entries") or ""
    page.locator("[data-answer]").first.click()
    expect(page.locator("#app")).not_to_have_attribute("data-entries", before)
    expect(page.locator(".note")).to_have_count(0)


def test_the_whole_game_is_stored_when_there_is_space_again(open_app: Open) -> None:
    page = wait_until_asked(open_app(LINK))
    page.evaluate(FULL)
    answer(page, "draw")
    expect(page.get_by_role("alert").filter(has_text="There is no room left to keep games")).to_be_visible()
    wait_until_asked(page)
    page.evaluate("() => { IDBObjectStore.prototype.add = window.addReally; }")
    answer(page, page.locator("[data-answer]").first.get_attribute("data-answer") or "")
    expect(page.get_by_text("There is room again")).to_be_visible()
    wait_until_asked(page)
    before = state(page)
    page.reload()
    wait_until_ready(page)
    wait_until_asked(page)
    assert state(page) == before


def test_other_games_can_be_deleted_from_a_game_that_has_no_storage_space(open_app: Open) -> None:
    wait_until_asked(open_app(LINK))
    page = wait_until_asked(open_app(LINK))
    page.evaluate(FULL)
    answer(page, "draw")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Saved games").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(1)
    expect(dialog.get_by_role("button", name="Resume")).to_have_count(0)
    dialog.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(dialog.get_by_role("listitem")).to_have_count(0)
    page.wait_for_function(f"() => ({READ})('games').then(all => all.length === 1)")


def test_a_game_can_be_played_without_storage(page: Page, open_app: Open) -> None:
    page.add_init_script(PRIVATE)
    open_app()
    expect(page.get_by_text("This browser keeps no games here")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#app")).to_have_attribute("data-game", "razzia")
    expect(page.get_by_role("alert").filter(has_text="This browser keeps no games here")).to_be_visible()


def test_two_windows_on_one_game_do_not_overwrite_each_other(context: BrowserContext, open_app: Open) -> None:
    page = wait_until_asked(open_app(LINK))
    other = context.new_page()
    other.goto(page.url)
    wait_until_ready(other)
    wait_until_asked(other)
    answer(page, "draw")
    wait_until_asked(page)
    other.locator('[data-answer="draw"]').first.click()
    expect(other.get_by_role("alert").filter(has_text="open in another window")).to_be_visible()
    records = page.evaluate(READ, "records")
    assert len(records) == int(state(page)[1] or 0), "only the first window wrote"
    wait_until_asked(other)
    answer(other, other.locator("[data-answer]").first.get_attribute("data-answer") or "")
    assert page.evaluate(READ, "records") == records, "nor does it write what comes after"


def test_a_game_deleted_in_another_window_shows_a_message_and_stores_nothing(
    context: BrowserContext, open_app: Open
) -> None:
    """Regression test: its next records were stored without those before them."""
    page = open_app(LINK)
    play_to_auction(page)
    lobby = context.new_page()
    lobby.goto(page.url.partition("#")[0])
    wait_until_ready(lobby)
    lobby.get_by_role("button", name="1 saved game").click()
    lobby.get_by_role("button", name=re.compile("^Delete")).first.click()
    lobby.locator('dialog [data-do="save.delete"]').click()
    wait_until_empty(lobby, "games")
    answer(page, "pass")
    expect(page.get_by_role("alert").filter(has_text="was deleted in another window")).to_be_visible()
    assert page.evaluate(READ, "records") == []


def test_a_link_to_an_unknown_game_leaves_stored_games_available(open_app: Open) -> None:
    page = open_app(LINK)
    play_to_auction(page)
    page.goto("about:blank")
    open_app("#game=0123456789ab")
    expect(page.get_by_role("alert").filter(has_text="not kept on this device")).to_be_visible()
    expect(page.get_by_role("button", name="1 saved game")).to_be_enabled()


def test_a_game_can_be_restarted_from_the_last_move_after_an_error(open_app: Open, guard: Guard) -> None:
    guard.expect("on purpose")
    page = open_app(LINK)
    before = play_to_auction(page)
    page.evaluate(BREAK)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("heading", name="Something went wrong")).to_be_visible()
    page.get_by_role("button", name="Restart from the last move").click()
    wait_until_asked(page)
    assert state(page) == before


WATCHED = """
    window.durabilities = {};
    const transaction = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (...given) {
        const made = transaction.apply(this, given);
        if (made.mode === "readwrite") (window.durabilities[this.name] ??= []).push(made.durability);
        return made;
    };
"""


def test_writes_use_strict_durability(open_app: Open, page: Page) -> None:
    """Transactions have to be "strict": without that, data is lost if the device loses power before it is written."""
    page.add_init_script(WATCHED)
    wait_until_asked(open_app(LINK))
    answer(page, page.locator("[data-answer]").first.get_attribute("data-answer") or "")
    found = page.evaluate("durabilities.speakeasy")
    assert len(found) > 1
    assert {*found} == {"strict"}
