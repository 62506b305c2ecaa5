"""Several people at one device: while the curtain is down, the page has nothing that not everybody may see. Two games
that differ only in hidden cards give equal pages."""

from __future__ import annotations

from copy import copy
from random import Random
from typing import Any

import pytest

from engine import GAMES, notation
from engine.core import SPECTATOR
from tests.ui.boards import plain_board
from tests.ui.table import T, Table, find, header
from ui.boards import OPEN
from ui.html.tree import Node, plain
from ui.model import Model
from ui.saves import saved_game
from ui.selectors import covered, private
from ui.view.page import title, view

HIDING = ("bars", "sicilianos", "thieves")
PEOPLE = "p,p,p"
#: every game on the plain board, which shows all it is given, and on its own board if it has one
TABLES = [(game, "plain") for game in GAMES] + [(game, "own") for game in OPEN]


def sit_down(patch: pytest.MonkeyPatch, game: str, plays: str = PEOPLE, *, on: str = "plain", seed: str = "x") -> Table:
    if on == "plain":
        plain_board.lay_out(patch, game)
    table = Table(header(plays, seed, game))
    table.run()
    return table


def page(model: Model) -> str:
    """Returns everything on a page as text: elements, attributes, texts, and the window's title."""
    return f"{title(model)}\n{_whole(view(model))}"


def _whole(node: Node) -> str:
    return f"<{node.tag} {node.key} {sorted(node.attrs.items())}>{node.text}{''.join(map(_whole, node.kids))}</>"


def other_world(table: Table, rnd: Random, viewer: int = SPECTATOR) -> Model:
    """Returns the same game as far as that viewer knows, with other hidden cards."""
    model, play = copy(table.model), copy(table.play)
    session = play.session = copy(play.session)
    session.table = session.game.fill(session.view(viewer), rnd)
    model.play = play
    return model


def lift(table: Table) -> None:
    table.send("lift", str(covered(table.play)))


def answers(table: Table) -> list[str]:
    session = table.play.session
    seat = table.ask()[1]
    return [notation.text(session.game.WORDS, answer) for answer in session.answers(seat)]


def go(table: Table, words: str) -> None:
    table.send("answer", words)
    table.run()


def walk(table: Table, rnd: Random, turns: int) -> Any:
    """Plays at random and lifts every curtain. Yields whenever a person is asked, before the curtain is lifted."""
    for _ in range(turns):
        if table.play.session.over:
            return
        yield
        lift(table)
        go(table, rnd.choice(answers(table)))


@pytest.mark.parametrize(("game", "on"), TABLES)
def test_what_is_hidden_is_nowhere_on_the_page_while_the_curtain_is_down(
    game: str, on: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, rnd, down = sit_down(monkeypatch, game, on=on), Random(game), 0
    for _ in walk(table, rnd, 60):
        if covered(table.play) is None:
            continue
        down += 1
        shown = page(table.model)
        for _ in range(2):
            assert page(other_world(table, rnd)) == shown
        assert not list(find(view(table.model), "data-answer"))
    assert bool(down) == (game in HIDING)


@pytest.mark.parametrize("game", HIDING)
def test_who_lifts_the_curtain_sees_the_own_cards_and_no_others(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rnd = sit_down(monkeypatch, game), Random(game)
    for _ in walk(table, rnd, 12):
        seat = covered(table.play)
        if seat is None:
            continue
        before = page(table.model)
        lift(table)
        shown = page(table.model)
        assert covered(table.play) is None
        assert shown != before
        assert repr(table.play.session.view(seat)) in plain(view(table.model))
        assert page(other_world(table, rnd, seat)) == shown


@pytest.mark.parametrize("game", HIDING)
def test_what_bots_and_chance_do_is_watched_without_anybodys_cards(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the turns of two people everybody may look at the table."""
    table, rnd, watched = sit_down(monkeypatch, game, "p,p,b1"), Random(game), 0
    for _ in range(15):
        lift(table)
        table.send("answer", rnd.choice(answers(table)))
        while table.todo:
            table.run(1)
            if table.play.waiting and table.ask()[1] == 2:
                watched += 1
                assert page(other_world(table, rnd)) == page(table.model)
    assert watched


@pytest.mark.parametrize("game", GAMES)
def test_one_person_among_bots_needs_no_curtain(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rnd = sit_down(monkeypatch, game, "b1,p,b1"), Random(game)
    for _ in range(10):
        assert covered(table.play) is None
        go(table, rnd.choice(answers(table)))
    assert not list(find(view(table.model), "data-do", "cover"))


@pytest.mark.parametrize("game", HIDING)
def test_bots_alone_play_with_closed_hands(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_board.lay_out(monkeypatch, game)
    table = Table(header("b1,b1,b1", game=game))
    table.run(120)
    assert page(other_world(table, Random(1))) == page(table.model)


def test_nobody_learns_from_the_page_what_was_picked_in_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """In bars all pick at the same time. People answer one after the other, and must not see each other's picks."""
    shown = set()
    for choice in range(3):
        table = sit_down(monkeypatch, "bars")
        while table.ask()[0] != "bars.pick":
            lift(table)
            go(table, answers(table)[0])
        picker = table.ask()[1]
        lift(table)
        words = answers(table)[choice]
        go(table, words)
        assert table.ask()[0] == "bars.pick"
        assert covered(table.play) not in (None, picker)
        shown.add(page(table.model))
        lift(table)
        shown_to_the_next = plain(view(table.model))
        assert repr(table.play.session.view(table.ask()[1])) in shown_to_the_next
        assert repr(table.play.session.view(picker)) not in shown_to_the_next
    assert len(shown) == 1


def test_an_answer_that_nobody_may_hear_is_private_even_where_nothing_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    session = table.play.session
    while table.ask()[0] != "bars.pick":
        lift(table)
        go(table, answers(table)[0])
    session.view = lambda viewer: "the same for everybody"
    assert private(session, table.ask()[1])


def test_the_curtain_falls_with_the_answer_and_stays_up_for_who_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    table, rnd, stayed, fell = sit_down(monkeypatch, "sicilianos"), Random(3), 0, 0
    for _ in walk(table, rnd, 60):
        lift(table)
        asked = table.ask()[1]
        go(table, rnd.choice(answers(table)))
        if table.play.session.over:
            break
        if table.ask()[1] == asked:
            stayed += 1
            assert covered(table.play) is None
        else:
            fell += covered(table.play) is not None
    assert stayed
    assert fell


def test_undo_and_reload_leave_the_curtain_down(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    while table.ask()[0] != "bars.pick":
        lift(table)
        go(table, answers(table)[0])
    first = table.ask()[1]
    lift(table)
    go(table, answers(table)[0])
    assert covered(table.play) not in (None, first)
    lift(table)
    table.send("undo")
    table.run()
    assert covered(table.play) == first, "the next person took it back, and does not see the first one's cards"
    lift(table)
    again = Table(header())
    again.todo.clear()
    session = saved_game.replay(table.play.header, table.records)
    again.send("opened", data=(table.play.header, session, len(table.records), []))
    assert covered(again.play) == first


def test_nothing_can_be_done_through_the_curtain(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    entries, seat = len(table.play.session.log), covered(table.play)
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
    assert covered(table.play) == seat


def test_what_a_person_picked_and_opened_goes_with_the_curtain(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    seat = covered(table.play)
    lift(table)
    table.send("pick", "hush-7")
    table.send("unfold", "hush-8")
    assert list(find(view(table.model), "data-do", "cover"))
    table.send("cover")
    assert covered(table.play) == seat
    assert "hush" not in page(table.model)


@pytest.mark.parametrize("game", HIDING)
def test_the_curtain_stayed_up_when_the_device_slept(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, game, on="own")
    while (seat := covered(table.play)) is None:
        go(table, answers(table)[0])
    shown = page(table.model)
    lift(table)
    table.send("hidden")
    assert covered(table.play) == seat
    assert page(table.model) == shown


def test_who_watched_bots_while_the_device_slept_lifts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars", "p,p,b1")
    lift(table)
    seat, words = table.ask()[1], answers(table)[0]
    table.send("answer", words)
    table.send("hidden")
    assert (table.play.eyes, table.play.pending is None) == (None, False)
    table.run()
    assert table.play.eyes is None
    assert seat != table.ask()[1] or covered(table.play) == seat


def test_nothing_changes_for_one_person_when_the_device_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars", "p,b1,b1")
    shown = page(table.model)
    assert table.send("hidden") == []
    assert (covered(table.play), page(table.model)) == (None, shown)
    table.send("leave")
    assert table.send("hidden") == []


def test_the_curtain_says_who_may_look_and_can_be_lifted_without_holding(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(monkeypatch, "bars")
    seat = covered(table.play)
    assert seat is not None
    shown = view(table.model)
    name = table.play.header.chairs[seat].name
    assert T("curtain.title", who=name) in plain(shown)
    assert [node.attrs["data-arg"] for node in find(shown, "data-hold", "lift")] == [str(seat)]
    assert [node.attrs["data-arg"] for node in find(shown, "data-do", "lift")] == [str(seat)]
    under = next(node for node in find(shown, "class", "under"))
    assert "inert" in under.attrs
    assert "you" not in plain(next(find(shown, "role", "log"))).lower().split()
