"""The dealer: it draws hidden outcomes on the full table and masks them; all devices check them when the game is over.

The n-th outcome follows from the dealer's secret (promised before the first card), a joint coin made after that
promise, and n. So a dealer can know a deal but not influence it; and when the secret is opened, every device deals the
whole game again. A deal without a dealer would replace this module, which answers when the table wants `DEAL`.
"""

from __future__ import annotations

import zlib
from typing import Any

from engine import strict_json
from engine.core import NATURE, SPECTATOR, Answer, Beat, Chance, Nonsense, Refused
from engine.session import Session
from peer.crypto.keys import Keys, derive
from peer.crypto.sealed import padded, seal
from peer.game.coin import rolled
from peer.game.public import DEAL, check_and_mask, local_outcome, wanted
from peer.game.state import State
from peer.game.views import PrivateViews, Rows, packed, padded_size, private_rows
from peer.order.outputs import AuditFailure, FalseEntry, FalsePromise
from peer.wire.bodies import DEALER_ROLE, Boxes, Deal, HandOver, Row

MAX_OUTCOMES = 100  # outcomes in one envelope, at most
MAX_BYTES = 5000  # bytes in one envelope before sealing, about


def draw(secret: bytes, coin: bytes, question: Chance[Any], table: Any, number: int) -> Answer:
    """Returns the outcome that game entry `number` must have."""
    if isinstance(question, Beat):
        return question.outcome(table)
    return question.sample(table, rolled(derive(secret, "deal") + coin, number))


def deal(state: State, private: PrivateViews, place: str) -> Deal:
    """Returns the body of a `deal`: all outcomes until a seat or a coin is asked, as far as they fit into one envelope.

    Two games run side by side: the full one draws, the public one shows what everybody may see.
    """
    promise, full, session = state.promise, private.full_session, state.public.session
    game, start = session.game, len(session.log)
    table, question = full.table.copy(), full.question
    public_table, public_question = session.table.copy(), session.question
    rows: list[Row] = []
    full_rows: Rows = []
    rows_by_device: dict[int, Rows] = {}
    number = start
    while len(rows) < MAX_OUTCOMES and sum(map(padded_size, (full_rows, *rows_by_device.values()))) < MAX_BYTES:
        local = local_outcome(game, public_question, public_table)
        if local is not None and isinstance(question, Beat):
            outcome = question.outcome(table)
            question, public_question = (
                question.answer(table, NATURE, outcome),
                public_question.answer(public_table, NATURE, local),
            )
            number += 1
            continue
        if wanted(public_question) != DEAL or not isinstance(question, Chance):
            break
        outcome = draw(private.secret, promise.coin, question, table, number)
        visible = question.mask(NATURE, outcome, SPECTATOR)
        if visible != outcome:
            full_rows.append([len(rows), session.write_answer(outcome)])
        for device, found in private_rows(state, question, NATURE, outcome, visible, len(rows)).items():
            rows_by_device.setdefault(device, []).extend(found)
        rows.append(session.write_answer(visible))
        question, public_question = (
            question.answer(table, NATURE, outcome),
            public_question.answer(public_table, NATURE, visible),
        )
        number += 1
    return Deal(start, rows, _boxes(state, private.role_keys, place, full_rows, rows_by_device))


def _boxes(state: State, role: Keys, place: str, full_rows: Rows, rows_by_device: dict[int, Rows]) -> Boxes:
    if not full_rows and not rows_by_device:
        return ()
    boxes = [(DEALER_ROLE, seal(role.shared(role.seal_key), f"{place}/{DEALER_ROLE}", packed(full_rows)))]
    for device, rows in sorted(rows_by_device.items()):
        key = role.shared(state.devices[device].seal_key)
        boxes.append((device, seal(key, f"{place}/{device}", packed(rows))))
    return tuple(boxes)


def hand_over(state: State, private: PrivateViews, seat: int, place: str) -> HandOver:
    """Returns the body of a hand-over: every entry of which the seat saw more than everybody."""
    full, owed = private.full_session, state.owed_hand_overs[seat]
    pairs = zip(full.masked(seat), state.public.entries, strict=True)
    rows = [[number, full.write_answer(seen[1])] for number, (seen, played) in enumerate(pairs) if seen != played.entry]
    content = zlib.compress(strict_json.dumps_ascii(rows).encode("ascii"), 9)
    key = private.role_keys.shared(state.devices[owed.device].seal_key)
    box = seal(key, f"{place}/{owed.device}", padded(content, 512))
    return HandOver(seat, owed.log_index, ((owed.device, box),))


def audit(state: State, private: PrivateViews) -> list[AuditFailure]:
    """Deals and plays the whole game again, with the opened secret. Returns what was false.

    The list is empty if everything was true; it stops at the first false entry.
    """
    promise = state.promise
    full_views = PrivateViews(private.keys, private.me)
    full_views.set_secret(promise.opened)
    if full_views.role_keys.seal_key != promise.seal_key:
        return [FalsePromise(promise.sealed_in[0])]
    session = state.setup.session()
    for number, played in enumerate(state.public.entries):
        seat, shown = played.entry
        try:
            answer = full_views.full_answer(state, played)
            if check_and_mask(session, seat, answer) != shown:
                raise Refused("net.not_masked")
            _check_entry(state, full_views, private, session, number, answer)
            session.carry_out(seat, answer)
        except (Nonsense, Refused) as refused:
            return [FalseEntry(number, seat, refused.reason)]
    return _check_objections(state, full_views)


def _check_objections(state: State, full_views: PrivateViews) -> list[AuditFailure]:
    """Returns the first objection of the dealer to an entry that was true, in the form of `audit`."""
    for objection in state.objections:
        session = state.setup.session()
        try:
            for one in objection.entries:
                answer = full_views.full_answer(state, one)
                if check_and_mask(session, one.entry[0], answer) != one.entry[1]:
                    raise Refused("net.not_masked")
                session.carry_out(one.entry[0], answer)
        except (Nonsense, Refused):
            continue  # the objection was right
        return [FalseEntry(objection.length, objection.seat, "net.audit.objection")]
    return []


def _check_entry(
    state: State, full_views: PrivateViews, private: PrivateViews, session: Session, number: int, answer: Answer
) -> None:
    """Raises `Refused` unless chance was as promised and this device's seats were shown the true entry."""
    promise, played, question = state.promise, state.public.entries[number], session.question
    if played.sealed is not None and played.sealed.by == DEALER_ROLE:
        if not isinstance(question, Chance):
            raise Refused("net.audit.chance")
        if answer != draw(full_views.secret, promise.coin, question, session.table, number):
            raise Refused("net.audit.chance")
    for seat, view in private.views.items():
        if number < len(view.log) and view.log[number][1] != question.mask(played.entry[0], answer, seat):
            raise Refused("net.audit.hand")
