"""The private views of a device: the sessions of its own seats and, if it is the dealer, the full session."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

from engine import strict_json
from engine.core import NATURE, SPECTATOR, Answer, Nonsense, Refused
from engine.session import Session
from peer.crypto.keys import Keys
from peer.crypto.sealed import open_box, padded, seal
from peer.crypto.shamir import recover, split
from peer.game.public import PublicEntry, Sealed, check_and_mask, read_row
from peer.game.state import State
from peer.game.types import majority_of
from peer.order.outputs import DealProblem, FalseDeal, HandsDiffer, HandUnreadable
from peer.wire.bodies import DEALER_ROLE, Boxes
from peer.wire.shapes import answer_row, integer, list_of, tuple_of

MAX_CHARS = 100_000  # characters of a decoded box
_PRIVATE = list_of(tuple_of(integer(), integer(0, 7), answer_row), 400)
_FULL = list_of(tuple_of(integer(), answer_row), 400)

Rows = list[list[Any]]


def padded_size(rows: Rows) -> int:
    """Returns the size to pad these rows to. It depends on how many cards are in them, not on which."""
    return 64 + sum(
        40 + 24 * (len(found[-1]) + sum(len(x) for x in found[-1] if isinstance(x, list))) for found in rows
    )


def packed(rows: Rows) -> bytes:
    return padded(strict_json.dumps_ascii(rows).encode("ascii"), padded_size(rows))


def unpacked(content: bytes, shape: Callable[[Any], Any]) -> Any:
    return shape(strict_json.loads(content.decode("ascii", "replace"), MAX_CHARS))


class PrivateViews:
    """The sessions only this device may see; the full one if it knows the secret of the dealer's role."""

    def __init__(self, keys: Keys, me: int) -> None:
        self.keys, self.me = keys, me
        self.secret = b""  # of the dealer's role; empty unless this device knows it
        self.role: Keys | None = None
        self.full: Session | None = None
        self.views: dict[int, Session] = {}
        self.handed_over: dict[tuple[int, int], Answer] = {}  # (seat, game entry) -> the answer in a hand-over
        self.read_hand_overs: dict[int, str] = {}  # seat -> place of the hand-over that was read
        self.rewinds = 0  # of the state that was followed last
        self.false_entry: int | None = None  # the game entry this dealer must object to
        self.problems: list[DealProblem] = []  # to be reported
        self.opened_boxes: dict[str, Any] = {}  # place -> the content of a box that was opened

    def set_secret(self, secret: bytes) -> None:
        """Sets the secret of the dealer's role."""
        self.secret, self.role, self.full = secret, self.keys.role(secret), None

    @property
    def role_keys(self) -> Keys:
        """The keys of the dealer's role. Raises `Refused` if they are not known."""
        if self.role is None:
            raise Refused("net.no_role")
        return self.role

    @property
    def full_session(self) -> Session:
        """The full session. Raises `Refused` if it is not known."""
        if self.full is None:
            raise Refused("net.no_role")
        return self.full

    # Opening

    def _shared_key(self, state: State, by: int) -> bytes:
        return self.keys.shared(state.promise.seal_key if by == DEALER_ROLE else state.devices[by].seal_key)

    def own_rows(self, state: State, sealed: Sealed) -> Sequence[tuple[int, int, Any]]:
        """Returns the rows of a sealed entry that are for this device: (offset, seat, row). Raises `Nonsense`."""
        box = sealed.boxes.get(self.me)
        if box is None:
            return ()
        place = f"{sealed.place}/{self.me}"
        if place not in self.opened_boxes:
            self.opened_boxes[place] = unpacked(open_box(self._shared_key(state, sealed.by), place, box), _PRIVATE)
        rows: Sequence[tuple[int, int, Any]] = self.opened_boxes[place]
        return rows

    def full_answer(self, state: State, played: PublicEntry) -> Answer:
        """Returns the full answer of an entry. Needs the secret of the dealer's role. Raises `Nonsense` for
        a box that cannot be opened, `Refused` for an answer that is none."""
        sealed = played.sealed
        if sealed is None or DEALER_ROLE not in sealed.boxes:
            return played.entry[1]
        seal_key = state.promise.seal_key if sealed.by == DEALER_ROLE else state.devices[sealed.by].seal_key
        place = f"{sealed.place}/{DEALER_ROLE}"
        if place not in self.opened_boxes:
            self.opened_boxes[place] = unpacked(
                open_box(self.role_keys.shared(seal_key), place, sealed.boxes[DEALER_ROLE]), _FULL
            )
        for offset, found in self.opened_boxes[place]:
            if offset == sealed.offset:
                return read_row(state.public.session, found)
        return played.entry[1]

    def answer_for(self, state: State, seat: int, number: int, played: PublicEntry) -> Answer:
        """Returns the answer of an entry as this seat sees it. Raises what `full_answer` raises."""
        if (seat, number) in self.handed_over:
            return self.handed_over[seat, number]
        if played.sealed is not None:
            for offset, whose, found in self.own_rows(state, played.sealed):
                if (offset, whose) == (played.sealed.offset, seat):
                    return read_row(state.public.session, found)
        return played.entry[1]

    # Following the log

    def follow(self, state: State) -> None:
        """Brings the sessions of this device up to the state. Errors are collected, to be reported."""
        if state.rewinds != self.rewinds:
            self.rewinds = state.rewinds
            self.views, self.full, self.false_entry = {}, None, None
            self.handed_over, self.read_hand_overs = {}, {}  # hand-overs are read again, as far as they are still valid
        own_seats = {seat for seat, place in enumerate(state.places) if place.device == self.me}
        for seat in [seat for seat in self.views if seat not in own_seats or self._hand_over_pending(state, seat)]:
            del self.views[seat]
        for seat in sorted(own_seats):
            if self._read_hand_over(state, seat):
                if seat not in self.views:
                    self.views[seat] = state.setup.session()
                self._feed(state, seat, self.views[seat])
        if self.role is not None and self.false_entry is None:
            self.full = self.full or state.setup.session()
            self._feed_full(state, self.full)

    def _hand_over_pending(self, state: State, seat: int) -> bool:
        """Returns True if the seat's session has to be built anew: a hand-over is owed or not read yet."""
        hand_over = state.hand_overs.get(seat)
        return seat in state.owed_hand_overs or (
            hand_over is not None and hand_over.place != self.read_hand_overs.get(seat)
        )

    def _read_hand_over(self, state: State, seat: int) -> bool:
        """Reads the seat's hand-over if it is new. Returns False while it is owed: the seat sees nothing until then."""
        if seat in state.owed_hand_overs:
            return False
        hand_over = state.hand_overs.get(seat)
        if hand_over is not None and self.read_hand_overs.get(seat) != hand_over.place and self.me in hand_over.boxes:
            self.read_hand_overs[seat] = hand_over.place
            try:
                content = open_box(
                    self._shared_key(state, DEALER_ROLE), f"{hand_over.place}/{self.me}", hand_over.boxes[self.me]
                )
                rows = unpacked(zlib.decompressobj().decompress(content, MAX_CHARS), _FULL)
                session = state.public.session
                answers = {
                    (seat, place): read_row(session, shown) for place, shown in rows if place < hand_over.valid_length
                }
            except (Nonsense, Refused, zlib.error) as error:
                self.problems.append(HandUnreadable(seat, str(error)[:80]))
                return True
            self.handed_over |= answers
        return True

    def _feed(self, state: State, seat: int, view: Session) -> None:
        for number in range(len(view.log), len(state.public.entries)):
            played = state.public.entries[number]
            try:
                view.do(played.entry[0], self.answer_for(state, seat, number, played))
            except (Nonsense, Refused) as refused:
                self.problems.append(HandsDiffer(seat, number, refused.reason))
                return

    def _feed_full(self, state: State, full: Session) -> None:
        for number in range(len(full.log), len(state.public.entries)):
            played = state.public.entries[number]
            seat, shown = played.entry
            try:
                answer = self.full_answer(state, played)
                if check_and_mask(full, seat, answer) != shown:
                    raise Refused("net.not_masked")
                full.carry_out(seat, answer)
            except (Nonsense, Refused) as refused:
                self.false_entry = number
                if seat == NATURE:
                    self.problems.append(FalseDeal(number, refused.reason))
                return

    # Sealing

    def seal_answer(self, state: State, seat: int, answer: Answer, place: str) -> Boxes:
        """Returns the boxes of an own answer: for the dealer's role and for devices that may see more of it."""
        view = self.views[seat]
        question = view.question
        shown = question.mask(seat, answer, SPECTATOR)
        private = private_rows(state, question, seat, answer, shown, 0)
        private.setdefault(self.me, [])
        boxes = [
            (DEALER_ROLE, self._seal(state.promise.seal_key, place, DEALER_ROLE, [[0, view.write_answer(answer)]]))
        ]
        for device, rows in sorted(private.items()):
            boxes.append((device, self._seal(state.devices[device].seal_key, place, device, rows)))
        return tuple(boxes)

    def _seal(self, seal_key: str, place: str, to: int, rows: Rows) -> str:
        return seal(self.keys.shared(seal_key), f"{place}/{to}", packed(rows))


def private_rows(state: State, question: Any, seat: int, answer: Answer, shown: Answer, offset: int) -> dict[int, Rows]:
    """Returns, by device, the rows that only its seats may see of an answer."""
    rows: dict[int, Rows] = {}
    for viewer, place in enumerate(state.places):
        seen = question.mask(seat, answer, viewer)
        if seen != shown:
            rows.setdefault(place.device, []).append([offset, viewer, state.public.session.write_answer(seen)])
    return rows


def shares_of(secret: bytes, keys: Keys, state: State, place: str, among: tuple[int, ...]) -> Boxes:
    """Returns the shares of a secret, each sealed for its device. A majority of them can recover the secret."""
    shares = split(secret, among, majority_of(among), place)
    return tuple(
        (device, seal(keys.shared(state.devices[device].seal_key), f"{place}/{device}", share))
        for device, share in shares.items()
    )


def own_share(keys: Keys, me: int, state: State, of: int, place: str, boxes: dict[int, str]) -> bytes:
    """Returns this device's share of another's secret. Raises `Refused` if it got none, `Nonsense` if it cannot be
    opened."""
    if me not in boxes:
        raise Refused("net.no_share", device=of)
    return open_box(keys.shared(state.devices[of].seal_key), f"{place}/{me}", boxes[me])


def role_secret(keys: Keys, state: State) -> bytes | None:
    """Returns the dealer's secret from the shares that others gave a new dealer; None if they are not enough."""
    shares: dict[int, bytes] = {}
    for device, box in state.role_shares.items():
        try:
            shares[device] = open_box(
                keys.shared(state.devices[device].seal_key), f"{state.mark}/reign/{state.dealer_term}/{device}", box
            )
        except Nonsense:
            continue  # a false share: the others may still be enough
    enough = majority_of(state.promise.shares)
    return recover(shares, enough, state.promise.fingerprint) if len(shares) >= enough else None
