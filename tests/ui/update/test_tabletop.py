"""Table-top, with the device in the middle: the edge of each seat, and the turning of the table."""

from __future__ import annotations

import pytest

from tests.ui.boards import plain_board
from tests.ui.table import FakeTable, find_nodes, make_header, new_model
from ui.boards import PLAYABLE
from ui.edges import DEFAULT_EDGES, EDGES, edges
from ui.html.tree import Node, plain
from ui.loop import update
from ui.messages import Msg, Remember
from ui.model import Settings
from ui.selectors import curtain_seat
from ui.update.settings import CHOICES
from ui.view.page import view


def sit_down(plays: str = "p,p,p,p", game: str = "razzia") -> FakeTable:
    table = FakeTable(make_header(plays, game=game))
    table.run()
    table.send("setting", "top", "on")
    return table


def table_angle(table: FakeTable) -> str:
    return next(find_nodes(view(table.model), "data-turned")).attrs["data-turned"]


def test_every_number_of_seats_has_its_edges_clockwise() -> None:
    for game in PLAYABLE.values():
        assert set(game.SEATS) <= set(DEFAULT_EDGES)
    for seats, around in DEFAULT_EDGES.items():
        assert len(around) == seats
        assert list(around) == sorted(around)
    assert edges(Settings(), 4) == (0, 1, 2, 3)


def test_the_table_turns_to_the_seat_that_is_asked() -> None:
    table, seen = sit_down(), set()
    for _ in range(12):
        seat = table.asked()[1]
        assert seat is not None
        assert table_angle(table) == str(90 * seat)
        assert view(table.model).attrs.get("data-facing", "0") == str(90 * seat)
        seen.add(seat)
        table.send("answer", next(find_nodes(view(table.model), "data-answer")).attrs["data-answer"])
        table.run()
    assert len(seen) == 4


def test_the_table_does_not_turn_without_the_table_top_setting() -> None:
    table = sit_down()
    table.send("setting", "top", "off")
    assert table_angle(table) == "0"
    assert "data-facing" not in view(table.model).attrs
    assert not list(find_nodes(view(table.model), "data-edge"))


def test_each_edge_shows_the_names_of_its_seats() -> None:
    table = sit_down()
    shown = list(find_nodes(view(table.model), "data-edge"))
    assert [(edge.attrs["data-edge"], plain(edge)) for edge in shown] == [
        (str(n), chair.name) for n, chair in enumerate(table.play.header.chairs)
    ]


def test_a_seat_gets_another_edge_and_keeps_it_for_the_next_visit() -> None:
    table = sit_down()
    (remember,) = table.send("edge", "3", "0")
    assert isinstance(remember, Remember)
    assert remember.settings.edges == "0120"
    assert edges(remember.settings, 4) == (0, 1, 2, 0)
    assert edges(remember.settings, 3) == (0, 1, 3), "with other people it starts anew"
    for seat, value in (("4", "0"), ("x", "0"), ("0", "7"), ("0", ""), ("²", "1")):
        assert table.send("edge", seat, value) == []


def test_only_valid_stored_edges_are_accepted() -> None:
    for good in ("", "0123", "00112233"):
        assert good in CHOICES["edges"]
    for bad in ("4", "012301230", "0 1", "x", None, 7, ["0"]):
        assert bad not in CHOICES["edges"]  # type: ignore[operator]  # a stored value may be anything


@pytest.mark.parametrize("dialog", ["seat:1", "chair:1"])
def test_the_dialog_of_a_seat_sets_its_edge(dialog: str) -> None:
    model = new_model() if dialog == "seat:1" else sit_down().model
    model.dialog = dialog
    update(model, Msg("setting", "top", "on"))
    choices = list(find_nodes(view(model), "name", "sits"))
    assert [choice.attrs["value"] for choice in choices] == ["0", "1", "2", "3"]
    assert len(choices) == len(EDGES)
    update(model, Msg("setting", "top", "off"))
    assert not list(find_nodes(view(model), "name", "sits"))


def test_the_lobby_has_the_switch_of_the_table_top_setting() -> None:
    model = new_model()
    switch = next(node for node in find_nodes(view(model), "data-arg", "top") if node.tag == "button")
    assert (switch.attrs["data-value"], switch.attrs["aria-pressed"]) == ("on", "false")


def _inside(node: Node, wanted: Node) -> bool:
    return node is wanted or any(_inside(kid, wanted) for kid in node.kids)


def test_the_curtain_hangs_at_the_edge_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It turns with the table. It need not cover the cards of others: they are face down anyway."""
    plain_board.replace_board(monkeypatch, "bars")
    table = sit_down("p,p,p,p", "bars")
    seat = curtain_seat(table.play)
    assert seat is not None
    page = view(table.model)
    turn = next(find_nodes(page, "data-turned"))
    assert turn.attrs["data-turned"] == str(90 * seat)
    assert _inside(turn, next(find_nodes(page, "data-hold")))
