"""Invariants that must hold when a world has settled, whatever faults happened in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import NATURE, SPECTATOR, Beat
from engine.session import Session
from peer.device.device import Device
from peer.game.dealing import draw
from peer.game.public import may_hide_answers
from peer.game.views import PrivateViews
from peer.order.outputs import (
    Equivocated,
    FalseDeal,
    HandsDiffer,
    HandUnreadable,
    LogsDiffer,
    Muted,
    MutedByLeader,
    NotTaken,
    Tell,
)

if TYPE_CHECKING:
    from tests.peer.simulation.world import World

FORBIDDEN_EVENTS: set[type[Tell]] = {
    Equivocated,
    HandsDiffer,
    FalseDeal,
    Muted,
    MutedByLeader,
    NotTaken,
    HandUnreadable,
    LogsDiffer,
}


class Violation(AssertionError):
    """An invariant does not hold in this world."""


def check_invariants(world: World) -> None:
    """Checks all invariants of a settled world. Raises `Violation`."""
    no_envelope_lost(world)
    for number, tell in world.tells:
        if type(tell) in FORBIDDEN_EVENTS - world.allowed_events:
            raise Violation(f"{number}: {tell}")
    devices = [node.device for node in world.nodes if node.device is not None and world.counts(node)]
    truth = full_session(world, devices[0])
    for device in devices:
        same_state(device, devices[0], truth)
        only_own_views(device, truth)


def no_envelope_lost(world: World) -> None:
    """Checks that every envelope a device had stored in its outbox is committed, with the same text."""
    for author_counter, text in world.stored_envelopes.items():
        if world.counts(world.nodes[author_counter[0]]) and world.committed.get(author_counter, (0, ""))[1] != text:
            raise Violation(f"lost: {text}")


def same_state(device: Device, other: Device, truth: Session) -> None:
    own, theirs = device.state.public.session, other.state.public.session
    if (own.log, own.table) != (theirs.log, theirs.table):
        raise Violation("same log, other state")
    if own.table != truth.view(SPECTATOR):
        raise Violation("everybody sees something else than is true")
    if device.audit_result:
        raise Violation(f"audit: {device.audit_result}")


def only_own_views(device: Device, truth: Session) -> None:
    for seat, view in device.private.views.items():
        if device.state.places[seat].device != device.me:
            raise Violation(f"device {device.me} sees the hand of seat {seat}")
        if view.table != truth.view(seat):
            raise Violation(f"seat {seat} sees something else than is true")
    if device.private.full is not None and device.state.dealer != device.me and not device.state.dealer_term:
        raise Violation(f"device {device.me} sees the whole table")


def full_session(world: World, device: Device) -> Session:
    """Returns the session with nothing hidden, from the dealer's opened secret. Draws every hidden outcome again, and
    raises `Violation` if it was dealt differently."""
    state = device.state
    session = world.setup.session()
    views = PrivateViews(device.keys, device.me)
    if state.dealer_promise is not None:
        views.set_secret(state.dealer_promise.opened)
    for number, played in enumerate(state.public.entries):
        seat, answer = played.entry
        if state.dealer_promise is not None:
            answer = views.full_answer(state, played)
            if played.sealed is not None and seat == NATURE:
                question: Any = session.question
                if not may_hide_answers(question) and not isinstance(question, Beat):
                    raise Violation(f"entry {number} was dealt, and not tossed")
                if answer != draw(views.secret, state.dealer_promise.coin, question, session.table, number):
                    raise Violation(f"entry {number} was not dealt as promised")
        session.do(seat, answer)
    return session
