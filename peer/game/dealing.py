"""The dealer: it draws hidden outcomes on the full table and masks them; all devices check them when the game is over.

The n-th outcome follows from the dealer's secret (promised before the first card), a joint coin made after that
promise, and n. So a dealer can know a deal but not influence it; and when the secret is opened, every device deals the
whole game again. A deal without a dealer would replace this module, which answers when the table wants `DEAL`.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from engine.core import NATURE, SPECTATOR, Answer, Beat, Chance, Refused
from engine.session import Session
from peer.crypto.keys import Keys, derive
from peer.crypto.sealed import padded, seal
from peer.game.coin import rolled
from peer.game.public import DEAL, checked, own_outcome, wanted, write_row
from peer.game.state import State
from peer.game.views import PrivateViews, Rows, packed, private_rows, room
from peer.wire.envelope import ROLE

ROWS = 100  # outcomes in one envelope, at most
SPACE = 5000  # bytes in one envelope before sealing, about


def draw(secret: bytes, coin: bytes, question: Chance[Any], table: Any, number: int) -> Answer:
    """Returns the outcome that game entry `number` must have."""
    if isinstance(question, Beat):
        return question.outcome(table)
    return question.sample(table, rolled(derive(secret, "deal") + coin, number))


def deal(state: State, hands: PrivateViews, place: str) -> tuple[int, list[Any], list[Any]]:
    """Returns the body of a `deal`: all outcomes until a seat or a coin is asked, as far as they fit into one envelope.

    Two games run side by side: the full one draws, the public one shows what everybody may see.
    """
    deck, full, session = state.promise, hands.table, state.play.session
    game, start = session.game, len(session.log)
    table, question = full.table.copy(), full.question
    shown, asked = session.table.copy(), session.question
    rows: list[Any] = []
    whole: Rows = []
    private: dict[int, Rows] = {}
    number = start
    while len(rows) < ROWS and sum(map(room, (whole, *private.values()))) < SPACE:
        own = own_outcome(game, asked, shown)
        if own is not None and isinstance(question, Beat):
            outcome = question.outcome(table)
            question, asked = question.answer(table, NATURE, outcome), asked.answer(shown, NATURE, own)
            number += 1
            continue
        if wanted(asked) != DEAL or not isinstance(question, Chance):
            break
        outcome = draw(hands.secret, deck.coin, question, table, number)
        seen = question.mask(NATURE, outcome, SPECTATOR)
        if seen != outcome:
            whole.append([len(rows), write_row(game, outcome)])
        for device, found in private_rows(state, question, NATURE, outcome, seen, len(rows)).items():
            private.setdefault(device, []).extend(found)
        rows.append(write_row(game, seen))
        question, asked = question.answer(table, NATURE, outcome), asked.answer(shown, NATURE, seen)
        number += 1
    return start, rows, _boxes(state, hands.role_keys, place, whole, private)


def _boxes(state: State, role: Keys, place: str, whole: Rows, private: dict[int, Rows]) -> list[Any]:
    if not whole and not private:
        return []
    boxes = [[ROLE, seal(role.shared(role.seal_key), f"{place}/{ROLE}", packed(whole))]]
    for device, rows in sorted(private.items()):
        key = role.shared(state.devices[device].seal_key)
        boxes.append([device, seal(key, f"{place}/{device}", packed(rows))])
    return boxes


def hand(state: State, hands: PrivateViews, seat: int, place: str) -> tuple[int, int, list[Any]]:
    """Returns the body of a hand-over: every entry of which the seat saw more than everybody."""
    full, owed = hands.table, state.owed[seat]
    pairs = zip(full.masked(seat), state.play.played, strict=True)
    rows = [
        [number, write_row(full.game, seen[1])] for number, (seen, played) in enumerate(pairs) if seen != played.entry
    ]
    content = zlib.compress(json.dumps(rows, separators=(",", ":")).encode("ascii"), 9)
    key = hands.role_keys.shared(state.devices[owed.device].seal_key)
    return seat, owed.number, [[owed.device, seal(key, f"{place}/{owed.device}", padded(content, 512))]]


def audit(state: State, hands: PrivateViews) -> list[tuple[str, dict[str, Any]]]:
    """Deals and plays the whole game again, with the opened secret. Returns what was false, as reasons with values.

    The list is empty if everything was true; it stops at the first false entry.
    """
    deck = state.promise
    everything = PrivateViews(hands.keys, hands.me)
    everything.know(deck.opened)
    if everything.role_keys.seal_key != deck.seal_key:
        return [("net.audit.lock", {"device": deck.by[0]})]
    session = state.setup.session()
    for number, played in enumerate(state.play.played):
        seat, shown = played.entry
        try:
            answer = everything.whole(state, played)
            if checked(session, seat, answer) != shown:
                raise Refused("net.not_masked")
            _check(state, everything, hands, session, number, answer)
            session.carry_out(seat, answer)
        except Refused as refused:
            return [("net.audit.entry", {"entry": number, "seat": seat, "why": refused.reason})]
    return _objections(state, everything)


def _objections(state: State, every: PrivateViews) -> list[tuple[str, dict[str, Any]]]:
    """Returns the first objection of the dealer to an entry that was true, in the form of `audit`."""
    for seat, played in state.objections:
        session = state.setup.session()
        try:
            for one in played:
                answer = every.whole(state, one)
                if checked(session, one.entry[0], answer) != one.entry[1]:
                    raise Refused("net.not_masked")
                session.carry_out(one.entry[0], answer)
        except Refused:
            continue  # the objection was right
        return [("net.audit.entry", {"entry": len(played) - 1, "seat": seat, "why": "net.audit.objection"})]
    return []


def _check(
    state: State, every: PrivateViews, hands: PrivateViews, session: Session, number: int, answer: Answer
) -> None:
    """Raises `Refused` unless chance was as promised and this device's seats were shown the true entry."""
    deck, played, question = state.promise, state.play.played[number], session.question
    if played.sealed is not None and played.sealed.by == ROLE:
        if not isinstance(question, Chance):
            raise Refused("net.audit.chance")
        if answer != draw(every.secret, deck.coin, question, session.table, number):
            raise Refused("net.audit.chance")
    for seat, view in hands.views.items():
        if number < len(view.log) and view.log[number][1] != question.mask(played.entry[0], answer, seat):
            raise Refused("net.audit.hand")
