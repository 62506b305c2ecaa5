"""The count of everything in the box of Razzia!"""

from __future__ import annotations

from engine.razzia.box import CENTRE, EMPTY, HANDS, KINDS, POLICE
from engine.session import Session


def check(session: Session) -> None:
    """Cards may have left the game, so there may be fewer than in the box. Cheques never leave it."""
    t = session.table
    for kind, boxed in zip(KINDS, session.options["deck"].values(), strict=True):
        lying = t.row.count(kind) + sum(family[kind] for family in t.family) + (t.police if kind == POLICE else 0)
        assert 0 <= t.deck_counts[kind] <= boxed
        assert lying <= boxed - t.deck_counts[kind], kind
    assert not any(family[EMPTY] for family in t.family)
    cheques = [t.centre, *[value for hand in (*t.open, *t.spent) for value in hand]]
    dealt = [value for hand in HANDS[t.seats] for value in hand] if any(map(any, (*t.open, *t.spent))) else []
    assert sorted(cheques) == sorted([CENTRE, *dealt])
