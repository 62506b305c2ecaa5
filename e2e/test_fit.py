"""Crowded moments, in the middle of a game: nothing scrolls, nothing sticks out, every target can be hit."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import SCREENS, ready
from e2e.table import OVERFLOW, small
from engine import GAMES
from engine.dealers import Seeded
from engine.session import Session
from ui import bots, saves
from ui.boards import EMBLEMS, Chair
from ui.model import Header

ID = "abcdef012345"
LONG = "Maximiliane Featherstone"
KEEP = """([id, header, records]) => new Promise((resolve, reject) => {
    const request = indexedDB.open("speakeasy");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
        const whole = request.result.transaction(["games", "records"], "readwrite");
        whole.objectStore("games").put(header, id);
        records.forEach((record, number) => whole.objectStore("records").add(record, [id, number]));
        whole.oncomplete = () => { request.result.close(); resolve(); };
    };
})"""


class Moment(NamedTuple):
    """The first time a person is asked that, after so many entries."""

    game: str
    seats: int
    asks: str
    entries: int
    felt: str  # the element that would scroll


MOMENTS = (
    Moment("thieves", 6, "thieves.play", 45, ".heist"),
    Moment("sicilianos", 6, "sicilianos.turn", 130, ".floor"),
    Moment("sicilianos", 6, "sicilianos.reinforce", 100, ".floor"),
    Moment("bars", 8, "bars.pick", 100, ".lay"),
    Moment("bars", 8, "bars.reply", 80, ".lay"),
    Moment("bars", 4, "bars.duel", 80, ".lay"),
    Moment("razzia", 5, "razzia.auction", 100, ".lay"),
)


def played_to(moment: Moment, seed: str) -> Session:
    session = Session(GAMES[moment.game], moment.seats, {})
    while True:
        question: Any = session.question
        first = 0 in question.seats() or question.seat < 0
        if question.key == moment.asks and first and len(session.log) > moment.entries:
            return session
        assert not session.over
        if not session.deal(Seeded(seed)):
            seat = question.seats()[0]
            session.do(seat, bots.choose(session, seat, "b2", seed))


def lay_out(page: Page, session: Session, game: str, seed: str, names: str) -> None:
    """Put the game on the shelf and take it up."""
    page.goto("./")
    ready(page)
    chairs = tuple(Chair(f"{names}{seat}"[-24:], EMBLEMS[seat], "b2" if seat else "p") for seat in range(session.seats))
    header = Header(
        id=ID,
        game=game,
        version=session.game.VERSION,
        options={},
        chairs=chairs,
        seed=seed,
        started=1,
        touched=1,
        entries=len(session.log),
        asked=next(iter(session.question.seats()), None),
    )
    records = [saves.write_entry(session, entry) for entry in session.log]
    page.evaluate(KEEP, [ID, saves.write_header(header), records])
    page.goto("about:blank")
    page.goto(f"./#game={ID}")
    ready(page)


@pytest.mark.parametrize("names", ["Vera ", LONG], ids=["short", "long"])
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: f"{moment.asks}-{moment.seats}")
def test_it_fits(moment: Moment, names: str, page: Page) -> None:
    session = played_to(moment, "fits")
    lay_out(page, session, moment.game, "fits", names)
    table = page.locator(f".{moment.game} {moment.felt}")
    expect(table).to_be_visible()
    for name, size in SCREENS.items():
        page.set_viewport_size(size)
        sideways, down = table.evaluate(OVERFLOW)
        assert (name, sideways) == (name, 0)
        # a sentence with two long names has one line more
        assert down == 0 or (name == "phone" and names == LONG), (name, down)
        assert small(page.locator("main button:visible")) == [], name
