"""Changes of seats during the game: they are stored, they survive a reload, and the log has a line for each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core import Refused
from tests.ui.boards import plain_board
from tests.ui.table import FakeTable, T, find_nodes, make_header
from ui.html.tree import plain
from ui.messages import Think, Wait
from ui.saves import saved_game
from ui.selectors import all_lines, curtain_seat, rest_left
from ui.view.page import view


def sit_down(plays: str = "p,b2,p") -> FakeTable:
    table = FakeTable(make_header(plays))
    table.run()
    return table


def log(table: FakeTable) -> list[str]:
    return [plain(row) for row in next(find_nodes(view(table.model), "class", "log")).kids]


def reloaded(table: FakeTable) -> FakeTable:
    """Returns the same game after a reload."""
    other = FakeTable(make_header())
    other.commands.clear()
    kept = saved_game.read_header(saved_game.write_header(table.play.header))
    session, changes = saved_game.replay_with_changes(kept, table.records)
    other.send("opened", data=(kept, session, table.records, changes))
    return other


def answer_first(table: FakeTable) -> None:
    """Gives the first answer that is possible for the person who is asked."""
    table.send("answer", next(find_nodes(view(table.model), "data-answer")).attrs["data-answer"])
    table.run()


def test_a_bot_plays_on_for_a_person_and_a_person_for_a_bot() -> None:
    table = sit_down()
    seat = table.asked()[1]
    assert seat is not None
    table.send("chair.plays", str(seat), "b1")
    entries = len(table.play.session.log)
    table.run()
    assert len(table.play.session.log) > entries, "the bot goes on at once"
    assert table.play.header.chairs[seat].plays == "b1"
    other = 1
    table.send("chair.plays", str(other), "p")
    table.run()
    name = table.play.header.chairs[other].name
    assert f"A person plays on for {name}." in log(table)


def test_a_person_who_takes_over_from_a_thinking_bot_is_asked_instead() -> None:
    table = FakeTable(make_header("b2,b2"))
    while not any(isinstance(command, Think) for command in table.commands):
        table.run(1)
    seat = table.asked()[1]
    thinking = [command for command in table.commands if isinstance(command, Think)]
    table.commands.clear()
    entries = len(table.play.session.log)
    table.send("chair.plays", str(seat), "p")
    table.run()
    table.send("thought", data=(thinking[0].wait_id, seat, ("draw",)))
    assert len(table.play.session.log) == entries
    assert list(find_nodes(view(table.model), "data-answer"))


def test_a_name_is_cleaned_and_a_taken_emblem_is_exchanged() -> None:
    table = sit_down()
    table.send("chair.name", "1", "  <b>Zoë</b> ")
    table.run()
    table.send("chair.emblem", "1", "rose")
    table.run()
    assert [(c.name, c.emblem) for c in table.play.header.chairs][:2] == [("Theo", "anchor"), ("<b>Zoë</b>", "rose")]
    assert "Vera is now called <b>Zoë</b>." in log(table)
    assert "<b>Zoë</b> takes the emblem Rose." in log(table)


def test_changes_of_seats_are_at_their_places_after_a_reload() -> None:
    table = sit_down()
    for do, seat, value in (("chair.name", "0", "Ada"), ("chair.plays", "1", "b1")):
        table.send(do, seat, value)
        table.run()
        answer_first(table)
    other = reloaded(table)
    assert other.play.header.chairs == table.play.header.chairs
    assert log(other) == log(table)
    assert "Theo is now called Ada." in log(other)
    assert other.asked() == table.asked()
    assert other.play.read_out_from == len(all_lines(other.play)), "what was heard before is not read out again"


def test_a_take_back_leaves_the_changes_of_seats() -> None:
    table = sit_down("p,p,p")
    table.send("answer", "call")
    table.run()
    table.send("chair.name", "0", "Ada")
    table.run()
    table.send("undo")
    table.run()
    assert "Theo is now called Ada." in log(table)
    other = reloaded(table)
    assert log(other) == log(table)
    assert other.asked() == table.asked()


@pytest.mark.parametrize(
    ("do", "seat", "value"),
    [
        ("chair.plays", "0", "p"),
        ("chair.plays", "0", "b9"),
        ("chair.plays", "9", "b1"),
        ("chair.plays", "x", "b1"),
        ("chair.name", "0", "\u200b"),
        ("chair.name", "1", "theo"),
        ("chair.name", "0", "Theo"),
        ("chair.emblem", "0", "skull"),
        ("chair.emblem", "0", "rose"),
    ],
)
def test_a_change_without_effect_is_not_stored(do: str, seat: str, value: str) -> None:
    table = sit_down()
    before = (table.play.header, len(table.records))
    assert table.send(do, seat, value) == []
    assert (table.play.header, len(table.records)) == before


@pytest.mark.parametrize(("typed", "reason"), [("Theo", "taken"), ("", "empty"), ("a\u202eb", "unseen")])
def test_a_taken_or_invalid_name_is_refused(typed: str, reason: str) -> None:
    table = sit_down()
    before = (table.play.header, log(table))
    assert table.send("chair.name", "1", typed) == []
    assert (table.play.header, log(table)) == before
    assert table.model.notice
    assert table.model.notice.key == f"refused.name.{reason}"
    table.send("chair.name", "1", "Ada")
    assert table.model.notice is None


def test_a_refusal_is_shown_inside_the_open_dialog() -> None:
    table = sit_down()
    table.send("dialog", "chair:1")
    table.send("chair.name", "1", "Theo")
    shown = view(table.model)
    (dialog,) = (node for node in find_nodes(shown, "aria-labelledby", "dialog-title") if node.tag == "dialog")
    (alert,) = find_nodes(dialog, "role", "alert")
    assert "Theo" in plain(alert)
    assert list(find_nodes(shown, "role", "alert")) == [alert]


@pytest.mark.parametrize(
    "row",
    [
        ["chairs", [3, "name", "Theo", "Ada"]],
        ["chairs", [True, "name", "Theo", "Ada"]],
        ["chairs", [0, "name", "Theo", "A\u202eda"]],
        ["chairs", [0, "plays", "p", "b9"]],
        ["chairs", [0, "emblem", "rose", "<svg>"]],
        ["chairs", [0, "__class__", "p", "p"]],
        ["chairs", [0, "name", "Theo"]],
        ["chairs", "all"],
    ],
)
def test_an_impossible_change_in_a_save_is_refused_with_the_number_of_its_record(row: Any) -> None:
    with pytest.raises(Refused) as refused:
        saved_game.replay_with_changes(make_header("p,p,p"), [json.dumps(row)])
    assert (refused.value.reason, refused.value.values["number"]) == ("save.record", 1)


def test_the_last_person_among_bots_still_lifts_the_curtain_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_board.replace_board(monkeypatch, "bars")
    table = FakeTable(make_header("p,p,b1", game="bars"))
    table.run()
    asked = table.asked()[1]
    table.send("lift", str(asked))
    table.send("chair.plays", str(asked), "b1")
    table.run()
    left = curtain_seat(table.play)
    assert left not in (None, asked), "one person is left, but somebody else had the device"
    table.send("lift", str(left))
    answer_first(table)
    assert curtain_seat(table.play) is None, "from then on nobody else is there to hide from"


def test_a_game_that_is_over_stays_over_when_a_seat_is_renamed() -> None:
    table = sit_down("b2,b2")
    assert table.play.session.over
    table.send("chair.name", "0", "Ada")
    table.run()
    assert "Ada" in plain(view(table.model))
    assert list(find_nodes(view(table.model), "data-do", "again"))


def test_a_game_opened_in_the_middle_of_a_count_rests_as_before() -> None:
    table = FakeTable(make_header("b2,b2"))
    while table.asked()[0] != "razzia.score" or not rest_left(table.play).milliseconds:
        table.run(1)
    rest = rest_left(table.play).milliseconds
    other = reloaded(table)
    (wait,) = (command for command in other.commands if isinstance(command, Wait))
    assert wait.milliseconds == rest


def test_counting_waits_for_a_tap_if_people_want_it_so() -> None:
    table = FakeTable(make_header("b2,b2"))
    table.send("setting", "pauses", "tap")
    table.model.settings = table.model.settings.__class__(speed="off", pauses="tap")
    steps = 0
    while not table.play.session.over:
        table.run()
        steps += 1
        assert table.play.stage.rest.after_beat
        table.send("tap")
    assert steps > 10
    assert T.has("settings.pauses.tap")
