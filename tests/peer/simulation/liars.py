"""A world in which people answer what their hands do not allow, and the dealer takes the game back."""

from __future__ import annotations

from random import Random
from typing import Any

from engine import bots
from engine.core import SPECTATOR, Answer, Refused
from peer.device.device import Device
from peer.game.public import masks, write_row
from tests.peer.simulation.movers import Movers

HIDDEN_HANDS = ("bars", "sicilianos", "thieves")
LIES = 2  # of one seat: a third is one too many, and the table would have to give the seat to somebody else


class Liars(Movers):
    """Now and then somebody plays as if they had another hand: truly signed, and such that nobody but the dealer can
    know. Whoever it is may also crash, be lost, move, or deal."""

    excused = frozenset({"net.hands_differ"})  # who lied, and whose card was named, see that it cannot be

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        self.lying = Random(f"liars/{seed}")
        self.lies: dict[int, int] = {}
        super().__init__(seed, game or self.lying.choice(HIDDEN_HANDS), calm=calm, make=make)

    def answers(self, device: Device, seat: int) -> None:
        if self.lies.get(seat, 0) < LIES and self.lying.random() < 0.05:
            lie = self._lie(device, seat)
            if lie is not None:
                self.lies[seat] = self.lies.get(seat, 0) + 1
                device.author("do", lie)
                return
        super().answers(device, seat)

    def _lie(self, device: Device, seat: int) -> tuple[Any, ...] | None:
        """An answer out of a hand that could be, for all that everybody knows, and is not."""
        state, view = device.state, device.private.views[seat]
        session = state.play.session
        question = session.question
        try:
            full = session.game.fill(session.table, self.lying)
        except Refused:
            return None  # somebody has lied already
        answer = bots.choose_at_random(question, full, seat, self.lying)
        shown = question.mask(seat, answer, SPECTATOR)
        if not _refused(view, seat, answer) or _refused(session, seat, shown):
            return None
        boxes = device.private.sealed_answer(state, seat, answer, device.place()) if masks(question) else []
        return seat, state.play.turns[seat], write_row(session.game, shown), boxes


def _refused(session: Any, seat: int, answer: Answer) -> bool:
    try:
        session.question.check(session.table, seat, answer)
    except Refused:
        return True
    return False
