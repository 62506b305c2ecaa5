"""The loop without a browser: messages in, commands out; a game goes on only after its records were stored."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from unittest.mock import Mock

import pytest

from engine.core import NATURE
from engine.seats import EMBLEMS
from peer.order.outputs import HandsDiffer
from tests.ui.table import FakeTable, T, find_nodes, make_header, new_model, with_types
from ui.html.tree import Node, plain
from ui.loop import App, update
from ui.messages import Address, Begin, Command, Copy, Keep, ListSaves, LoadTexts, Msg, Open, Wait
from ui.model import Rest, Resting, Setup
from ui.saves import saved_game
from ui.selectors import is_resting
from ui.update.table import go_on
from ui.view.log import LINES_SHOWN
from ui.view.page import view


def test_an_unknown_message_changes_nothing() -> None:
    model = new_model()
    assert update(model, Msg("no.such.thing", "x", "y")) == (model, [])


def test_an_answer_is_stored_before_it_is_shown() -> None:
    table = FakeTable(make_header("p,p"))
    table.run()
    length = len(table.play.session.log)
    (keep,) = table.send("answer", "draw")
    assert isinstance(keep, Keep)
    assert len(table.play.session.log) == length
    assert dict(view(table.model).attrs)["data-entries"] == str(length)
    assert not list(find_nodes(view(table.model), "data-answer")), (
        "a second click while the first is being kept finds nothing"
    )
    table.send("kept", data=keep)
    assert len(table.play.session.log) == length + 1


def test_an_answer_is_checked_and_carried_out_once_on_its_way_to_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    table = FakeTable(make_header("p,p"))
    table.run()
    question = type(table.play.session.question)
    check, answer = (Mock(side_effect=getattr(question, name)) for name in ("check", "answer"))
    monkeypatch.setattr(question, "check", lambda *args: check(*args))
    monkeypatch.setattr(question, "answer", lambda *args: answer(*args))
    (keep,) = table.send("answer", "call")
    table.send("kept", data=keep)
    assert table.play.session.log[-1][1] == ("call",)
    assert (check.call_count, answer.call_count) == (1, 1)


def test_the_header_stored_with_a_record_names_the_seat_that_is_asked_next() -> None:
    table = FakeTable(make_header("p,p"))
    table.run()
    seat = table.asked()[1]
    (keep,) = table.send("answer", "call")
    assert isinstance(keep, Keep)
    assert (keep.header.asked, keep.header.entries, keep.header.over) == (1 - (seat or 0), keep.serial + 1, False)


@pytest.mark.parametrize("words", ["offer 99", "fly", "", "draw draw", "offer <b>", "x" * 2000, "card ring"])
def test_an_invalid_answer_gives_a_notice_and_changes_nothing(words: str) -> None:
    table = FakeTable(make_header("p,p"))
    table.run()
    before = list(table.play.session.log)
    assert table.send("answer", words) == []
    assert table.play.session.log == before
    notice = table.model.notice
    assert notice
    assert T.has(notice.key)
    assert "{" not in T(notice.key, **notice.values)


def test_a_bots_turn_cannot_be_answered_by_hand() -> None:
    table = FakeTable(make_header("b2,b2"))
    while table.asked()[1] == NATURE:
        table.run(1)
    table.send("answer", "draw")
    assert table.model.notice
    assert table.model.notice.key == "refused.not_your_turn"


def test_a_game_of_bots_ends_by_itself_and_all_its_records_are_stored() -> None:
    table = FakeTable(make_header("b2,b1,b2"))
    table.run()
    play = table.play
    assert play.session.over
    assert not is_resting(play)
    again = saved_game.replay(play.header, table.records)
    assert again.log == play.session.log
    page = view(table.model)
    assert list(find_nodes(page, "data-do", "again"))
    assert page.attrs["data-ask"] == "over"


def test_the_log_on_the_table_grows_at_its_end() -> None:
    """Lines that are shown do not move. Old ones are removed rarely, and then many at once."""
    table = FakeTable(make_header("p,b2,b2"))
    table.run()
    shown: list[list[str]] = []
    while table.asked()[0] != "over":
        log = next(each for each in find_nodes(view(table.model), "data-latest"))
        shown.append([str(line.key) for line in log.kids])
        words = next(find_nodes(view(table.model), "data-answer")).attrs["data-answer"]
        table.send("answer", words)
        table.run()
    firsts: set[int] = set()
    for before, after in pairwise(shown):
        gone = before.index(after[0])
        assert after[: len(before) - gone] == before[gone:]
        firsts.add(int(after[0]))
    assert max(map(len, shown)) < LINES_SHOWN * 1.5
    assert max(firsts) > 0
    assert {first % (LINES_SHOWN // 2) for first in firsts} == {0}


def test_a_game_that_is_opened_again_is_as_it_was_left() -> None:
    table = FakeTable(make_header("p,b2,b2"))
    table.run()
    for _ in range(6):
        words = next(find_nodes(view(table.model), "data-answer")).attrs["data-answer"]
        table.send("answer", words)
        table.run()
    play = table.play
    session = saved_game.replay(play.header, table.records)
    other = FakeTable(make_header())
    other.commands.clear()
    other.send("opened", data=(play.header, session, table.records, []))
    assert other.asked() == table.asked()
    assert other.play.lines == play.lines
    felts = [plain(next(find_nodes(view(each.model), "id", "main"))) for each in (table, other)]
    assert felts[0] == felts[1]
    assert plain(next(find_nodes(view(other.model), "role", "log"))) == "", (
        "what was heard before is not read out again"
    )


def test_a_tap_ends_the_rest_and_a_late_timer_is_ignored() -> None:
    table = FakeTable(make_header("b2,b2"))
    (wait,) = (command for command in table.commands if isinstance(command, Wait))
    table.commands.clear()
    assert any(isinstance(command, Keep) for command in table.send("tap"))
    assert table.send("rested", data=wait.wait_id) == []


def test_the_pace_of_the_bots_is_a_setting() -> None:
    lengths = {}
    for speed in ("1", "2", "off"):
        table = FakeTable(make_header("b2,b2"))
        table.commands.clear()
        table.model.settings = replace(table.model.settings, speed=speed)
        table.play.stage = Resting(Rest(800), wait_id=0)
        lengths[speed] = [c.milliseconds for c in go_on(table.model) if isinstance(c, Wait)]
    assert lengths == {"1": [800], "2": [400], "off": [0]}


def test_a_move_can_be_taken_back_until_somebody_reacts() -> None:
    table = FakeTable(make_header("p,p,p"))
    table.run()
    length, seat = len(table.play.session.log), table.asked()[1]
    table.send("answer", "call")
    table.run()
    assert next(find_nodes(view(table.model), "data-do", "undo")).attrs["aria-disabled"] == "false"
    table.send("undo")
    table.run()
    assert (len(table.play.session.log), table.asked()[1]) == (length, seat)
    assert saved_game.replay(table.play.header, table.records).log == table.play.session.log
    assert len(table.play.lines) == length
    table.send("answer", "draw")
    table.run()
    assert table.send("undo") == [], "a card was turned up"


def test_a_setting_switches_taking_back_off() -> None:
    table = FakeTable(make_header("p,p,p"))
    table.run()
    table.send("answer", "call")
    table.run()
    table.send("setting", "undo", "off")
    table.model.dialog = "menu"
    assert list(find_nodes(view(table.model), "data-do", "undo")) == []
    assert table.send("undo") == []
    table.send("setting", "undo", "on")
    assert len(list(find_nodes(view(table.model), "data-do", "undo"))) == 3
    assert table.send("undo") != []


def test_if_records_cannot_be_stored_the_game_goes_on_with_one_notice() -> None:
    table = FakeTable(make_header("p,p"))
    (wait,) = (command for command in table.commands if isinstance(command, Wait))
    (keep,) = table.send("rested", data=wait.wait_id)
    assert isinstance(keep, Keep)
    table.send("unkept", value="full", data=keep)
    assert table.model.notice
    assert table.model.notice.key == "store.full"
    assert len(table.play.session.log) == 1
    table.model.notice = None
    (keep,) = table.send("answer", "call")
    assert isinstance(keep, Keep)
    table.send("unkept", value="full", data=keep)
    assert table.model.notice is None
    assert len(table.play.session.log) == 2


def test_records_that_could_not_be_stored_are_stored_with_the_next_one() -> None:
    table = FakeTable(make_header("p,p"))
    table.run()
    kept = len(table.records)
    for answer in ("call", "pass"):
        table.send("lift", str(table.asked()[1]))
        (keep,) = table.send("answer", answer)
        assert isinstance(keep, Keep)
        table.send("unkept", value="full", data=keep)
    assert (keep.first, len(keep.records)) == (kept, 2)
    table.commands = []
    table.send("undo")
    table.run()
    assert not table.play.unsaved
    assert len(table.records) == kept + 3
    assert saved_game.replay(table.play.header, table.records).log == table.play.session.log
    table.send("lift", str(table.asked()[1]))
    (keep,) = table.send("answer", "pass")
    assert isinstance(keep, Keep)
    assert len(keep.records) == 1


def test_an_opened_game_that_is_not_stored_is_stored_whole_with_its_next_record() -> None:
    """Regression: the log was empty, and later only the new records were stored, as if they were the first ones."""
    table = FakeTable(make_header("p,p"))
    table.run()
    for answer in ("call", "pass"):
        table.send("lift", str(table.asked()[1]))
        table.send("answer", answer)
        table.run()
    header, records = table.play.header, tuple(table.records)
    other = FakeTable(make_header("p,p"))
    other.commands.clear()
    session, changes = saved_game.replay_with_changes(header, records)
    other.send("opened", value="full", data=(header, session, records, changes))
    assert other.model.notice
    assert (other.model.notice.key, other.play.unsaved) == ("store.full", True)
    assert other.play.lines == table.play.lines
    other.run()
    other.send("lift", str(other.asked()[1]))
    (keep,) = other.send("answer", next(find_nodes(view(other.model), "data-answer")).attrs["data-answer"])
    assert isinstance(keep, Keep)
    assert (keep.first, keep.records[:-1]) == (0, records)
    other.run()
    assert not other.play.unsaved
    assert len(other.records) > len(records)
    assert saved_game.replay(other.play.header, other.records).log == other.play.session.log


@pytest.mark.parametrize("reason", ["full", "elsewhere", "closed"])
def test_every_storage_failure_has_a_text(reason: str) -> None:
    assert T.has(f"store.{reason}")


def test_a_setting_accepts_only_its_choices() -> None:
    model = new_model()
    assert update(model, Msg("setting", "theme", "day"))[0].settings.theme == "day"
    for arg, value in (("theme", "pink"), ("language", "xx"), ("__class__", "x"), ("", "")):
        before = model.settings
        assert update(model, Msg("setting", arg, value)) == (model, [])
        assert model.settings == before
    assert not any(isinstance(c, LoadTexts) for c in update(model, Msg("setting", "language", "en"))[1])


def test_a_language_that_cannot_be_fetched_leaves_the_page_in_its_language() -> None:
    """Regression test: it ended in "Something went wrong"."""
    model = new_model()
    remember, load = update(model, Msg("setting", "language", "pl"))[1]
    assert (remember.settings.language, load) == ("pl", LoadTexts("pl"))
    (remember,) = update(model, Msg("no_texts", value="pl"))[1]
    assert (remember.settings.language, model.t.language) == ("en", "en")
    assert T("settings.no_texts", language="Polski") in plain(view(model))


def test_a_language_that_was_not_fetched_is_forgotten_once_another_is_chosen() -> None:
    model = new_model()
    for language in ("pl", "en"):
        update(model, Msg("setting", "language", language))
    assert update(model, Msg("no_texts", value="pl"))[1] == []
    assert (model.settings.language, model.notice) == ("en", None)


def test_every_dialog_can_be_drawn() -> None:
    model = new_model()
    for name in ("settings", "seat:0", "options", "saves", "delete:x", "copy:text", "rules"):
        model.dialog = name
        assert list(find_nodes(view(model), "aria-labelledby", "dialog-title")), name
    for nonsense in ("seat:99", "seat:x", "no such"):
        model.dialog = nonsense
        assert not list(find_nodes(view(model), "aria-labelledby", "dialog-title"))


def test_play_again_asks_for_the_same_people_and_rules() -> None:
    table = FakeTable(make_header("b2,b2"))
    table.run()
    (begin,) = table.send("again")
    assert with_types([begin]) == with_types([Begin(Setup("razzia", table.play.header.chairs, {}))])


def test_leaving_goes_back_to_the_lobby() -> None:
    table = FakeTable(make_header("p,p"))
    assert with_types(table.send("leave")) == with_types([Address(""), ListSaves()])
    assert view(table.model).attrs["data-screen"] == "lobby"


class FakePage:
    """A fake page and animator. It remembers the tree it was given, and can be made to fail."""

    motion = speed = ""

    def __init__(self) -> None:
        self.shown: Node | None = None
        self.failures = 0
        self.reasons: list[str] = []

    def mark_start(self) -> None: ...

    def patch(self, new: Node) -> int:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("the page broke")
        self.shown = new
        return 1

    def start_over(self, reason: str) -> None:
        self.reasons.append(reason)

    def set_document(self, language: str, theme: str, motion: str, endpoint: str, title: str) -> None:
        self.document = (language, theme, motion, endpoint, title)

    def before_patch(self) -> None: ...

    def after_patch(self) -> None: ...


def test_an_error_is_shown_with_buttons_that_lead_out_of_it() -> None:
    table = FakeTable(make_header("p,p"))
    table.run()
    page = FakePage()
    app = App(table.model, page, page)
    done: list[Command] = []
    app.run = done.append
    page.failures = 1
    app.send(Msg("rail"))
    assert [why.splitlines()[-1] for why in page.reasons] == ["RuntimeError: the page broke"]
    assert page.shown
    assert "Something went wrong" in plain(page.shown)
    assert "the page broke" in plain(page.shown)
    assert f"entry {len(table.play.session.log)}, razzia.turn" in plain(page.shown)
    app.send(Msg("answer", "draw"))
    assert done == [], "nothing else is heard until the person chose a way on"
    app.send(Msg("trouble.copy"))
    app.send(Msg("restart"))
    assert with_types(done) == with_types([Copy(done[0].text), Open(table.play.header.id)])  # type: ignore[union-attr]  # it is a Copy


def test_after_an_error_a_game_that_is_not_stored_restarts_from_its_log() -> None:
    table = FakeTable(make_header("p,p"))
    table.run()
    (keep,) = table.send("answer", "draw")
    assert isinstance(keep, Keep)
    table.send("unkept", value="closed", data=keep)
    log = list(table.play.session.log)
    table.model.error_report = "x"
    assert [c for c in table.send("restart") if isinstance(c, Open)] == []
    assert table.play.session.log[: len(log)] == log
    assert table.play.backlog == keep.records
    assert table.model.error_report == ""


def test_the_attributes_of_the_page_give_its_state() -> None:
    table = FakeTable(make_header("p,p"))
    table.run()
    attrs = view(table.model).attrs
    assert attrs["data-ready"] == ""
    assert attrs["data-game"] == "razzia"
    assert attrs["data-entries"] == str(len(table.play.session.log))
    assert attrs["data-ask"] == "razzia.turn"
    assert attrs["data-seat"] == str(table.asked()[1])


def test_there_are_eight_emblems() -> None:
    assert len(set(EMBLEMS)) == 8


def test_a_seat_in_a_message_of_a_table_by_link_is_the_name_of_its_player() -> None:
    model = new_model()
    model, _ = update(model, Msg("room.event", data=HandsDiffer(0, 7, "x")))
    assert model.notice is not None
    assert model.notice.values["seat"] == model.setup.chairs[0].name
