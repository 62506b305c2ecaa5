"""Several people at one device: while the curtain is down, the page has nothing that not everybody may see. Two games
that differ only in hidden cards give equal pages."""

from __future__ import annotations

from copy import copy
from random import Random
from typing import Any

import pytest

from engine import GAMES, notation
from engine.core import SPECTATOR
from tests.engine.anything import WITH_SECRETS
from tests.ui.boards import plain_board
from tests.ui.boards.games import comparable
from tests.ui.table import FakeTable, T, find_nodes, make_header
from ui.boards import PLAYABLE
from ui.html.tree import plain
from ui.model import Model
from ui.saves import saved_game
from ui.selectors import curtain_seat, has_secrets, is_busy, is_resting
from ui.view.page import title, view

PEOPLE = "p,p,p"
#: every game on the plain board, which shows all it is given, and on its own board if it has one
TABLES = [(game, "plain") for game in GAMES] + [(game, "own") for game in PLAYABLE]


def sit_down(
    patch: pytest.MonkeyPatch, game: str, plays: str = PEOPLE, *, on: str = "plain", seed: str = "x"
) -> FakeTable:
    if on == "plain":
        plain_board.replace_board(patch, game)
    table = FakeTable(make_header(plays, seed, game))
    table.run()
    return table


def page(model: Model) -> tuple[object, ...]:
    """Returns everything on a page, to be compared: elements, attributes, texts, and the window's title."""
    return (title(model), *comparable(view(model)))


def with_other_cards(table: FakeTable, rnd: Random, viewer: int = SPECTATOR) -> Model:
    """Returns the same game as far as that viewer knows, with other hidden cards."""
    model, play = copy(table.model), copy(table.play)
    session = play.session = copy(play.session)
    session.table = session.game.fill(session.view(viewer), rnd)
    model.play = play
    return model


def lift(table: FakeTable) -> None:
    table.send("lift", str(curtain_seat(table.play)))


def answers(table: FakeTable) -> list[str]:
    session = table.play.session
    seat = table.asked()[1]
    return [notation.text(session.game.WORDS, answer) for answer in session.answers(seat)]


def answer_and_run(table: FakeTable, words: str) -> None:
    table.send("answer", words)
    table.run()


def play_random(table: FakeTable, rnd: Random, turns: int) -> Any:
    """Plays at random and lifts every curtain. Yields whenever a person is asked, before the curtain is lifted."""
    for _ in range(turns):
        if table.play.session.over:
            return
        yield
        lift(table)
        answer_and_run(table, rnd.choice(answers(table)))


@pytest.mark.sample(3)
@pytest.mark.parametrize(("game", "on"), TABLES)
def test_pages_under_the_curtain_that_differ_in_hidden_cards_are_equal(
    game: str, on: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, rnd, down = sit_down(monkeypatch, game, on=on), Random(game), 0
    for _ in play_random(table, rnd, 60):
        if curtain_seat(table.play) is None:
            continue
        down += 1
        shown = page(table.model)
        for _ in range(2):
            assert page(with_other_cards(table, rnd)) == shown
        assert not list(find_nodes(view(table.model), "data-answer"))
    assert bool(down) == (game in WITH_SECRETS)


@pytest.mark.parametrize("game", WITH_SECRETS)
def test_the_person_who_lifts_the_curtain_sees_only_their_own_cards(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rnd = sit_down(monkeypatch, game), Random(game)
    for _ in play_random(table, rnd, 12):
        seat = curtain_seat(table.play)
        if seat is None:
            continue
        before = page(table.model)
        lift(table)
        shown = page(table.model)
        assert curtain_seat(table.play) is None
        assert shown != before
        assert repr(table.play.session.view(seat)) in plain(view(table.model))
        assert page(with_other_cards(table, rnd, seat)) == shown


@pytest.mark.parametrize("game", WITH_SECRETS)
def test_all_hands_are_hidden_while_bots_and_chance_answer(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the turns of two people everybody may look at the table."""
    table, rnd, watched = sit_down(monkeypatch, game, "p,p,b1"), Random(game), 0
    for _ in range(15):
        if table.play.session.over:
            break
        lift(table)
        table.send("answer", rnd.choice(answers(table)))
        while table.commands:
            table.run(1)
            if is_resting(table.play) and table.asked()[1] == 2:
                watched += 1
                assert page(with_other_cards(table, rnd)) == page(table.model)
    assert watched


@pytest.mark.parametrize("game", GAMES)
def test_one_person_among_bots_needs_no_curtain(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rnd = sit_down(monkeypatch, game, "b1,p,b1"), Random(game)
    for _ in range(10):
        assert curtain_seat(table.play) is None
        if table.play.session.over:
            break
        answer_and_run(table, rnd.choice(answers(table)))
    assert not list(find_nodes(view(table.model), "data-do", "cover"))


@pytest.mark.parametrize("game", WITH_SECRETS)
def test_all_hands_are_hidden_in_a_game_of_bots_only(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_board.replace_board(monkeypatch, game)
    table = FakeTable(make_header("b1,b1,b1", game=game))
    table.run(120)
    assert page(with_other_cards(table, Random(1))) == page(table.model)


def test_a_secret_choice_changes_nothing_on_the_page_of_the_next_person(monkeypatch: pytest.MonkeyPatch) -> None:
    """In bars all pick at the same time. People answer one after the other, and must not see each other's picks."""
    shown = set()
    for choice in range(3):
        table = sit_down(monkeypatch, "bars")
        while table.asked()[0] != "bars.pick":
            lift(table)
            answer_and_run(table, answers(table)[0])
        picker = table.asked()[1]
        lift(table)
        words = answers(table)[choice]
        answer_and_run(table, words)
        assert table.asked()[0] == "bars.pick"
        assert curtain_seat(table.play) not in (None, picker)
        shown.add(str(page(table.model)))
        lift(table)
        shown_to_the_next = plain(view(table.model))
        assert repr(table.play.session.view(table.asked()[1])) in shown_to_the_next
        assert repr(table.play.session.view(picker)) not in shown_to_the_next
    assert len(shown) == 1


def test_a_secret_answer_needs_the_curtain_even_if_no_card_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    session = table.play.session
    while table.asked()[0] != "bars.pick":
        lift(table)
        answer_and_run(table, answers(table)[0])
    session.view = lambda viewer: "the same for everybody"
    assert has_secrets(session, table.asked()[1])


def test_the_curtain_falls_after_an_answer_unless_the_same_seat_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    table, rnd, stayed, fell = sit_down(monkeypatch, "sicilianos"), Random(3), 0, 0
    for _ in play_random(table, rnd, 60):
        lift(table)
        asked = table.asked()[1]
        answer_and_run(table, rnd.choice(answers(table)))
        if table.play.session.over:
            break
        if table.asked()[1] == asked:
            stayed += 1
            assert curtain_seat(table.play) is None
        else:
            fell += curtain_seat(table.play) is not None
    assert stayed
    assert fell


def test_undo_and_reload_leave_the_curtain_down(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    while table.asked()[0] != "bars.pick":
        lift(table)
        answer_and_run(table, answers(table)[0])
    first = table.asked()[1]
    lift(table)
    answer_and_run(table, answers(table)[0])
    assert curtain_seat(table.play) not in (None, first)
    lift(table)
    table.send("undo")
    table.run()
    assert curtain_seat(table.play) == first, "the next person took it back, and does not see the first one's cards"
    lift(table)
    again = FakeTable(make_header())
    again.commands.clear()
    session = saved_game.replay(table.play.header, table.records)
    again.send("opened", data=(table.play.header, session, table.records, []))
    assert curtain_seat(again.play) == first


def test_no_answer_or_pick_is_accepted_while_the_curtain_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    entries, seat = len(table.play.session.log), curtain_seat(table.play)
    assert seat is not None
    assert table.send("answer", answers(table)[0]) == []
    assert table.model.notice
    assert table.model.notice.key == "refused.covered"
    for do, arg in (
        ("pick", "1"),
        ("unfold", "x"),
        ("cover", ""),
        ("lift", str(seat + 1)),
        ("lift", "x"),
        ("lift", ""),
    ):
        table.send(do, arg)
    assert (len(table.play.session.log), table.play.picked, table.play.unfolded) == (entries, frozenset(), frozenset())
    assert curtain_seat(table.play) == seat


def test_picks_and_unfolded_details_are_cleared_when_the_curtain_comes_down(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    seat = curtain_seat(table.play)
    lift(table)
    table.send("pick", "hush-7")
    table.send("unfold", "hush-8")
    assert list(find_nodes(view(table.model), "data-do", "cover"))
    table.send("cover")
    assert curtain_seat(table.play) == seat
    assert "hush" not in str(page(table.model))


@pytest.mark.parametrize("game", WITH_SECRETS)
def test_the_curtain_comes_down_when_the_device_sleeps(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, game, on="own")
    while (seat := curtain_seat(table.play)) is None:
        answer_and_run(table, answers(table)[0])
    shown = page(table.model)
    lift(table)
    table.send("hidden")
    assert curtain_seat(table.play) == seat
    assert page(table.model) == shown


def test_the_curtain_is_down_after_the_device_slept_during_a_bots_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars", "p,p,b1")
    lift(table)
    seat, words = table.asked()[1], answers(table)[0]
    table.send("answer", words)
    table.send("hidden")
    assert (table.play.revealed_to, is_busy(table.play)) == (None, True)
    table.run()
    assert table.play.revealed_to is None
    assert seat != table.asked()[1] or curtain_seat(table.play) == seat


def test_nothing_changes_for_one_person_when_the_device_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars", "p,b1,b1")
    shown = page(table.model)
    assert table.send("hidden") == []
    assert (curtain_seat(table.play), page(table.model)) == (None, shown)
    table.send("leave")
    assert table.send("hidden") == []


def test_the_curtain_says_who_may_look_and_can_be_lifted_without_holding(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    seat = curtain_seat(table.play)
    assert seat is not None
    shown = view(table.model)
    name = table.play.header.chairs[seat].name
    assert T("curtain.title", who=name) in plain(shown)
    assert [node.attrs["data-arg"] for node in find_nodes(shown, "data-hold", "lift")] == [str(seat)]
    assert [node.attrs["data-arg"] for node in find_nodes(shown, "data-do", "lift")] == [str(seat)]
    under = next(node for node in find_nodes(shown, "class", "under"))
    assert "inert" in under.attrs
    assert "you" not in plain(next(find_nodes(shown, "role", "log"))).lower().split()
