"""Dragging on the board of razzia: it gives the same answers as tapping."""

from __future__ import annotations

from engine.razzia.box import THIEF
from tests.ui.boards.games import context, first_of_each_question
from tests.ui.boards.razzia.games import BOARD, played
from tests.ui.table import find_nodes
from ui.html.tree import Node


def felts(seed: int, plays: str = "p") -> list[tuple[Node, set[str]]]:
    """Returns drawings of a random game, with the answers that are possible on each, in notation."""
    found = []
    for session in first_of_each_question(played(3, seed), 30):
        ctx = context(session, plays=plays)
        words = {" ".join(map(str, answer)) for answer in ctx.answers}
        found.append((BOARD.felt(ctx), words))
    return found


def test_a_cheque_that_can_be_offered_can_be_dragged_to_the_centre_and_says_so() -> None:
    seen = 0
    for felt, words in felts(3):
        offers = {word for word in words if word.startswith("offer")}
        dragged = {node.attrs["data-says"] for node in find_nodes(felt, "data-drag", "centre")}
        assert dragged == offers
        assert list(find_nodes(felt, "data-drop", "centre"))
        seen += bool(offers)
    assert seen


def test_thieves_can_be_dragged_to_the_cards_that_can_be_tapped() -> None:
    seen = 0
    for session in played(3, 26):
        ctx = context(session)
        felt = BOARD.felt(ctx)
        toggles = list(find_nodes(felt, "data-drop", "row"))
        thieves = list(find_nodes(felt, "data-drag", "row"))
        out = any(answer[0] == "thieves" for answer in ctx.answers)
        assert bool(thieves) == bool(toggles) == out
        assert all(node.attrs["data-says"] == "" for node in thieves), "the card that it is dropped on says all"
        if out:
            seen += 1
            assert ctx.view.family[ctx.viewer][THIEF]
            assert any(node.attrs.get("data-do") == "pick" for node in toggles)
    assert seen


def test_nothing_can_be_dragged_while_bots_play() -> None:
    for felt, _ in felts(4, plays="b2"):
        assert not list(find_nodes(felt, "data-drag"))


def test_the_pile_can_be_tapped_when_a_card_may_be_turned_up() -> None:
    seen = set()
    for felt, words in felts(5):
        piles = [node for node in find_nodes(felt, "data-do", "answer") if node.attrs["data-arg"] == "draw"]
        assert bool(piles) == ("draw" in words)
        seen.add(bool(piles))
    assert seen == {True, False}
