"""The board of Cracksmen without a browser."""

from __future__ import annotations

import pytest

from tests.ui.boards.games import all_nodes, answers_on, context, legal_answers, played, texts_in, under_curtain
from ui.boards import board
from ui.html.diff import Mirror


@pytest.mark.parametrize("seats", [2, 3])
def test_every_answer_has_a_control_and_nothing_is_untranslated(seats: int) -> None:
    felt, mirror = board("cracksmen").felt, None
    for session in played("cracksmen", seats, seed=seats):
        for ctx in (context(session), under_curtain(session), context(session, plays="b1")):
            shown = felt(ctx)
            mirror = mirror or Mirror(shown)
            mirror.diff(shown)
            assert [text for text in texts_in(shown) if "cracksmen." in text or "{" in text] == []
            assert len([each for each in all_nodes(shown) if "data-home" in each.attrs]) == 1
            assert answers_on(shown) == (legal_answers(session) if ctx.yours else set())
