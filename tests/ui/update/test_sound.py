"""Sounds: off by default, and played only for what happens now."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import SPECTATOR
from engine.dealers import Seeded
from tests.ui.table import Table, header
from ui.boards import OPEN, SOUNDS, board
from ui.messages import Remember, Sound
from ui.model import Settings
from ui.saves import saved_game


def heard(plays: str = "b2,b2,b2", **settings: str) -> list[tuple[str, ...]]:
    """Returns the sounds of a whole game, by entry."""
    table = Table(header(plays, "a"))
    table.model.settings = Settings(**settings)
    found: list[tuple[str, ...]] = []
    while table.todo:
        found += [command.names for command in table.todo if isinstance(command, Sound)]
        table.todo = [command for command in table.todo if not isinstance(command, Sound)]
        table.run(1)
    assert table.play.session.over
    return found


def test_a_first_visit_is_quiet() -> None:
    assert Settings().sound == "off"
    assert heard() == []


def test_a_game_with_sounds_rustles_and_has_its_big_moments() -> None:
    found = heard(sound="on")
    names = {name for names in found for name in names}
    assert {"paper", "felt", "brass", "trumpet", "siren"} <= names


def test_where_bots_answer_at_once_only_what_was_named_is_heard() -> None:
    assert len(heard(sound="on", speed="off")) < len(heard(sound="on"))
    assert ("paper",) not in heard(sound="on", speed="off")


def test_switching_on_is_heard_and_kept() -> None:
    table = Table(header())
    remember, sound = table.send("setting", "sound", "on")
    assert isinstance(remember, Remember)
    assert remember.settings.sound == "on"
    assert isinstance(sound, Sound)
    assert [type(command) for command in table.send("setting", "sound", "off")] == [Remember]


def test_a_game_that_is_taken_up_again_is_not_heard_again() -> None:
    table = Table(header("p,b2,b2"))
    table.run()
    other = Table(header())
    other.model.settings = Settings(sound="on")
    session = saved_game.replay(table.play.header, table.records)
    commands = other.send("opened", data=(table.play.header, session, len(table.records), []))
    assert not any(isinstance(command, Sound) for command in commands)


@pytest.mark.parametrize("game", OPEN)
def test_every_sound_a_board_names_can_be_made(game: str) -> None:
    session, desk, rnd = saved_game.begin(header("p,p,p", game=game)), board(game), Random(5)
    for _ in range(150):
        if session.over:
            break
        before, asked, entries = session.view(SPECTATOR), session.question, len(session.log)
        if not session.deal(Seeded("sounds")):
            seat = asked.seats()[0]
            session.do(seat, rnd.choice(session.answers(seat)))
        entry = session.masked(SPECTATOR, entries)[0]
        for line in desk.tell(before, entry, session.view(SPECTATOR), asked):
            assert line.sound in ("", *SOUNDS)
