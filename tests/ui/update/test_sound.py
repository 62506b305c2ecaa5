"""Sounds: off by default, and played only for what happens now."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import SPECTATOR
from engine.dealers import Seeded
from tests.ui.table import FakeTable, make_header
from ui.boards import PLAYABLE, SOUNDS, board
from ui.messages import PlaySounds, Remember
from ui.model import Settings
from ui.saves import saved_game


def played_sounds(plays: str = "b2,b2,b2", **settings: str) -> list[tuple[str, ...]]:
    """Returns the sounds of a whole game, by entry."""
    table = FakeTable(make_header(plays, "a"))
    table.model.settings = Settings(**settings)
    played: list[tuple[str, ...]] = []
    while table.commands:
        played += [command.names for command in table.commands if isinstance(command, PlaySounds)]
        table.commands = [command for command in table.commands if not isinstance(command, PlaySounds)]
        table.run(1)
    assert table.play.session.over
    return played


def test_sound_is_off_by_default() -> None:
    assert Settings().sound == "off"
    assert played_sounds() == []


def test_a_game_with_sound_plays_every_sound_of_its_board() -> None:
    found = played_sounds(sound="on")
    names = {name for names in found for name in names}
    assert {"paper", "felt", "brass", "trumpet", "siren"} <= names


def test_without_rests_only_named_sounds_are_played() -> None:
    assert len(played_sounds(sound="on", speed="off")) < len(played_sounds(sound="on"))
    assert ("paper",) not in played_sounds(sound="on", speed="off")


def test_switching_sound_on_plays_a_sound_and_is_stored() -> None:
    table = FakeTable(make_header())
    remember, sound = table.send("setting", "sound", "on")
    assert isinstance(remember, Remember)
    assert remember.settings.sound == "on"
    assert isinstance(sound, PlaySounds)
    assert [type(command) for command in table.send("setting", "sound", "off")] == [Remember]


def test_a_resumed_game_does_not_play_old_sounds() -> None:
    table = FakeTable(make_header("p,b2,b2"))
    table.run()
    other = FakeTable(make_header())
    other.model.settings = Settings(sound="on")
    session = saved_game.replay(table.play.header, table.records)
    commands = other.send("opened", data=(table.play.header, session, table.records, []))
    assert not any(isinstance(command, PlaySounds) for command in commands)


@pytest.mark.parametrize("game", PLAYABLE)
def test_every_sound_a_board_names_can_be_made(game: str) -> None:
    session, desk, rnd = saved_game.new_session(make_header("p,p,p", game=game)), board(game), Random(5)
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
