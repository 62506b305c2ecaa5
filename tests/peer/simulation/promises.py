"""Invariants that must hold when a world has settled, whatever faults happened in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import NATURE, SPECTATOR, Beat
from engine.session import Session
from peer.device.device import Device
from peer.game.dealing import draw
from peer.game.public import masks
from peer.game.views import PrivateViews

if TYPE_CHECKING:
    from tests.peer.simulation.world import World

NEVER = {"net.two_stories", "net.hands_differ", "net.false_deal", "net.muted", "net.hand", "net.histories_differ"}


class Broken(AssertionError):
    """An invariant does not hold in this world."""


def check(world: World) -> None:
    """Checks all invariants of a settled world. Raises `Broken`."""
    nothing_lost(world)
    for number, tell in world.tells:
        if tell.what in NEVER - world.excused:
            raise Broken(f"{number}: {tell}")
    devices = [node.device for node in world.nodes if node.device is not None]
    truth = whole(world, devices[0])
    for device in devices:
        same_state(device, devices[0], truth)
        only_own_hands(device, truth)


def nothing_lost(world: World) -> None:
    """Checks that every envelope a device had stored in its outbox is committed, with the same text."""
    for who, text in world.safe.items():
        if not world.nodes[who[0]].gone and world.committed.get(who, (0, ""))[1] != text:
            raise Broken(f"lost: {text}")


def same_state(device: Device, other: Device, truth: Session) -> None:
    mine, theirs = device.state.play.session, other.state.play.session
    if (mine.log, mine.table) != (theirs.log, theirs.table):
        raise Broken("same log, other state")
    if mine.table != truth.view(SPECTATOR):
        raise Broken("everybody sees something else than is true")
    if device.audited:
        raise Broken(f"audit: {device.audited}")


def only_own_hands(device: Device, truth: Session) -> None:
    for seat, view in device.private.views.items():
        if device.state.places[seat].device != device.me:
            raise Broken(f"device {device.me} sees the hand of seat {seat}")
        if view.table != truth.view(seat):
            raise Broken(f"seat {seat} sees something else than is true")
    if device.private.full is not None and device.state.dealer != device.me and not device.state.reign:
        raise Broken(f"device {device.me} sees the whole table")


def whole(world: World, device: Device) -> Session:
    """Returns the session with nothing hidden, from the dealer's opened secret. Draws every hidden outcome again, and
    raises `Broken` if it was dealt differently."""
    state = device.state
    session = world.setup.session()
    hands = PrivateViews(device.keys, device.me)
    if state.deck is not None:
        hands.know(state.deck.opened)
    for number, played in enumerate(state.play.played):
        seat, answer = played.entry
        if state.deck is not None:
            answer = hands.whole(state, played)
            if played.sealed is not None and seat == NATURE:
                question: Any = session.question
                if not masks(question) and not isinstance(question, Beat):
                    raise Broken(f"entry {number} was dealt, and not tossed")
                if answer != draw(hands.secret, state.deck.coin, question, session.table, number):
                    raise Broken(f"entry {number} was not dealt as promised")
        session.do(seat, answer)
    return session
