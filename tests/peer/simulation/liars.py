"""A world in which people give answers their hands do not allow, and the dealer takes the game back."""

from __future__ import annotations

from random import Random
from typing import Any

from engine import bots
from engine.core import SPECTATOR, Answer, Refused
from peer.device.device import Device
from peer.game.public import may_hide_answers
from peer.order.outputs import HandsDiffer
from peer.wire.bodies import Do
from tests.engine.anything import WITH_SECRETS
from tests.peer.simulation.movers import Movers

MAX_LIES = 2  # of one seat: after a third the table would have to give the seat to another device


class Liars(Movers):
    """Now and then a seat plays as if it had another hand: correctly signed, and such that only the dealer can notice.
    The device of that seat may also crash, be lost, move to another one, or be the dealer."""

    max_lies, lie_probability = MAX_LIES, 0.05
    allowed_events = frozenset({HandsDiffer})  # noticed by the seat that lied, and the seat that has the named card

    def __init__(self, seed: int | str, game: str = "", *, calm: bool = False, make: type[Device] = Device) -> None:
        self.lie_rnd = Random(f"liars/{seed}")
        self.lies: dict[int, int] = {}
        super().__init__(seed, game or self.lie_rnd.choice(WITH_SECRETS), calm=calm, make=make)

    def give_answer(self, device: Device, seat: int) -> None:
        lies = self.may_lie(device) and self.lies.get(seat, 0) < self.max_lies
        if lies and self.lie_rnd.random() < self.lie_probability:
            lie = self._false_answer(device, seat)
            if lie is not None:
                self.lies[seat] = self.lies.get(seat, 0) + 1
                device.author(lie)
                return
        super().give_answer(device, seat)

    def may_lie(self, device: Device) -> bool:
        return True

    def _false_answer(self, device: Device, seat: int) -> Do | None:
        """Returns the body of an answer from a hand that agrees with all public knowledge but is not the real one; None
        if the answer chosen is allowed, or visibly wrong."""
        state, view = device.state, device.private.views[seat]
        session = state.public.session
        question = session.question
        try:
            full = session.game.fill(session.table, self.lie_rnd)
        except Refused:
            return None  # an earlier lie: no hands agree with what was played
        answer = bots.choose_at_random(question, full, seat, self.lie_rnd)
        shown = question.mask(seat, answer, SPECTATOR)
        if not _refused(view, seat, answer) or _refused(session, seat, shown):
            return None
        boxes = (
            device.private.seal_answer(state, seat, answer, device.outbox.next_box_place())
            if may_hide_answers(question)
            else ()
        )
        return Do(seat, state.public.asked_since[seat], session.write_answer(shown), boxes)


def _refused(session: Any, seat: int, answer: Answer) -> bool:
    try:
        session.question.check(session.table, seat, answer)
    except Refused:
        return True
    return False
