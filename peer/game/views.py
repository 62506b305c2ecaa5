"""The private views of a device: the sessions of its own seats and, if it is the dealer, the full session."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from engine import strict_json
from engine.core import NATURE, SPECTATOR, Answer, Refused
from engine.session import Session
from peer.crypto.keys import Keys
from peer.crypto.sealed import open_box, padded, seal
from peer.crypto.shamir import SECRET, recover, split
from peer.game.public import PublicEntry, Sealed, checked, read_row, write_row
from peer.game.state import State
from peer.game.types import most_of
from peer.wire.envelope import ROLE
from peer.wire.shapes import fixed, many, row, whole

LONGEST = 100_000  # characters of a decoded box
_PRIVATE = many(fixed(whole(), whole(0, 7), row), 400)
_FULL = many(fixed(whole(), row), 400)

Rows = list[list[Any]]


def room(rows: Rows) -> int:
    """Returns the size to pad these rows to. It depends on how many cards are in them, not on which."""
    return 64 + sum(
        40 + 24 * (len(found[-1]) + sum(len(x) for x in found[-1] if isinstance(x, list))) for found in rows
    )


def packed(rows: Rows) -> bytes:
    return padded(json.dumps(rows, separators=(",", ":")).encode("ascii"), room(rows))


def unpacked(content: bytes, shape: Callable[[Any], Any]) -> Any:
    return shape(strict_json.loads(content.decode("ascii", "replace"), LONGEST))


class PrivateViews:
    """The sessions only this device may see; the full one if it knows the secret of the dealer's role."""

    def __init__(self, keys: Keys, me: int) -> None:
        self.keys, self.me = keys, me
        self.secret = b""  # of the dealer's role; empty unless this device knows it
        self.role: Keys | None = None
        self.full: Session | None = None
        self.views: dict[int, Session] = {}
        self.told: dict[tuple[int, int], Answer] = {}  # (seat, game entry) -> the answer in a hand-over
        self.held: dict[int, str] = {}  # seat -> place of the hand-over that was read
        self.rewinds = 0  # of the state that was followed last
        self.untrue: int | None = None  # the game entry this dealer must object to
        self.trouble: list[tuple[str, dict[str, Any]]] = []  # reasons and values, to be reported
        self.opened: dict[str, Any] = {}  # place -> the content of a box that was opened

    def know(self, secret: bytes) -> None:
        """Sets the secret of the dealer's role."""
        self.secret, self.role, self.full = secret, self.keys.role(secret), None

    @property
    def role_keys(self) -> Keys:
        """The keys of the dealer's role. Raises `Refused` if they are not known."""
        if self.role is None:
            raise Refused("net.no_role")
        return self.role

    @property
    def table(self) -> Session:
        """The full session. Raises `Refused` if it is not known."""
        if self.full is None:
            raise Refused("net.no_role")
        return self.full

    # Opening

    def _key(self, state: State, by: int) -> bytes:
        return self.keys.shared(state.promise.seal_key if by == ROLE else state.devices[by].seal_key)

    def private(self, state: State, sealed: Sealed) -> Sequence[tuple[int, int, Any]]:
        """Returns the rows of a sealed entry that are for this device: (offset, seat, row). Raises `Refused`."""
        box = sealed.boxes.get(self.me)
        if box is None:
            return ()
        place = f"{sealed.place}/{self.me}"
        if place not in self.opened:
            self.opened[place] = unpacked(open_box(self._key(state, sealed.by), place, box), _PRIVATE)
        found: Sequence[tuple[int, int, Any]] = self.opened[place]
        return found

    def whole(self, state: State, played: PublicEntry) -> Answer:
        """Returns the full answer of an entry. Needs the secret of the dealer's role. Raises `Refused`."""
        sealed = played.sealed
        if sealed is None or ROLE not in sealed.boxes:
            return played.entry[1]
        lock = state.promise.seal_key if sealed.by == ROLE else state.devices[sealed.by].seal_key
        place = f"{sealed.place}/{ROLE}"
        if place not in self.opened:
            self.opened[place] = unpacked(open_box(self.role_keys.shared(lock), place, sealed.boxes[ROLE]), _FULL)
        for offset, found in self.opened[place]:
            if offset == sealed.offset:
                return read_row(state.play.session.game, found)
        return played.entry[1]

    def seen(self, state: State, seat: int, place: int, played: PublicEntry) -> Answer:
        """Returns the answer of an entry as this seat sees it. Raises `Refused`."""
        if (seat, place) in self.told:
            return self.told[seat, place]
        if played.sealed is not None:
            for offset, whose, found in self.private(state, played.sealed):
                if (offset, whose) == (played.sealed.offset, seat):
                    return read_row(state.play.session.game, found)
        return played.entry[1]

    # Following the log

    def follow(self, state: State) -> None:
        """Brings the sessions of this device up to the state. Errors are collected, to be reported."""
        if state.rewinds != self.rewinds:
            self.rewinds = state.rewinds
            self.views, self.full, self.untrue = {}, None, None
            self.told, self.held = {}, {}  # hand-overs are read again, as far as they are still valid
        mine = {seat for seat, place in enumerate(state.places) if place.device == self.me}
        for seat in [seat for seat in self.views if seat not in mine or self._new_hand(state, seat)]:
            del self.views[seat]
        for seat in sorted(mine):
            if self._may_see(state, seat):
                if seat not in self.views:
                    self.views[seat] = state.setup.session()
                self._feed(state, seat, self.views[seat])
        if self.role is not None and self.untrue is None:
            self.full = self.full or state.setup.session()
            self._feed_full(state, self.full)

    def _new_hand(self, state: State, seat: int) -> bool:
        """Returns True if the seat's session has to be built anew: a hand-over is owed or not read yet."""
        hand = state.hands.get(seat)
        return seat in state.owed or (hand is not None and hand.place != self.held.get(seat))

    def _may_see(self, state: State, seat: int) -> bool:
        """Reads the seat's hand-over if it is new. Returns False while it is owed: the seat sees nothing until then."""
        if seat in state.owed:
            return False
        hand = state.hands.get(seat)
        if hand is not None and self.held.get(seat) != hand.place and self.me in hand.boxes:
            self.held[seat] = hand.place
            try:
                content = open_box(self._key(state, ROLE), f"{hand.place}/{self.me}", hand.boxes[self.me])
                rows = unpacked(zlib.decompressobj().decompress(content, LONGEST), _FULL)
                game = state.play.session.game
                found = {(seat, place): read_row(game, shown) for place, shown in rows if place < hand.length}
            except (Refused, zlib.error) as error:
                self.trouble.append(("net.hand", {"seat": seat, "why": str(error)[:80]}))
                return True
            self.told |= found
        return True

    def _feed(self, state: State, seat: int, view: Session) -> None:
        for place in range(len(view.log), len(state.play.played)):
            played = state.play.played[place]
            try:
                view.do(played.entry[0], self.seen(state, seat, place, played))
            except Refused as refused:
                self.trouble.append(("net.hands_differ", {"seat": seat, "entry": place, "why": refused.reason}))
                return

    def _feed_full(self, state: State, full: Session) -> None:
        for place in range(len(full.log), len(state.play.played)):
            played = state.play.played[place]
            seat, shown = played.entry
            try:
                answer = self.whole(state, played)
                if checked(full, seat, answer) != shown:
                    raise Refused("net.not_masked")
                full.carry_out(seat, answer)
            except Refused as refused:
                self.untrue = place
                if seat == NATURE:
                    self.trouble.append(("net.false_deal", {"entry": place, "why": refused.reason}))
                return

    # Sealing

    def sealed_answer(self, state: State, seat: int, answer: Answer, place: str) -> list[list[Any]]:
        """Returns the boxes of an own answer: for the dealer's role and for devices that may see more of it."""
        game, question = state.play.session.game, self.views[seat].question
        shown = question.mask(seat, answer, SPECTATOR)
        private = private_rows(state, question, seat, answer, shown, 0)
        private.setdefault(self.me, [])
        boxes = [[ROLE, self._seal(state.promise.seal_key, place, ROLE, [[0, write_row(game, answer)]])]]
        for device, rows in sorted(private.items()):
            boxes.append([device, self._seal(state.devices[device].seal_key, place, device, rows)])
        return boxes

    def _seal(self, lock: str, place: str, to: int, rows: Rows) -> str:
        return seal(self.keys.shared(lock), f"{place}/{to}", packed(rows))


def private_rows(state: State, question: Any, seat: int, answer: Answer, shown: Answer, offset: int) -> dict[int, Rows]:
    """Returns, by device, the rows that only its seats may see of an answer."""
    found: dict[int, Rows] = {}
    for viewer, place in enumerate(state.places):
        seen = question.mask(seat, answer, viewer)
        if seen != shown:
            found.setdefault(place.device, []).append([offset, viewer, write_row(state.play.session.game, seen)])
    return found


def shares_of(secret: bytes, keys: Keys, state: State, place: str, among: tuple[int, ...]) -> list[list[Any]]:
    """Returns the shares of a secret, each sealed for its device. A majority of them can recover the secret."""
    shares = split(secret, among, most_of(among), place)
    return [
        [device, seal(keys.shared(state.devices[device].seal_key), f"{place}/{device}", share)]
        for device, share in shares.items()
    ]


def own_share(keys: Keys, me: int, state: State, of: int, place: str, boxes: dict[int, str]) -> bytes:
    """Returns this device's share of another's secret. Raises `Refused` if it got none that can be opened."""
    if me not in boxes:
        raise Refused("net.no_share", device=of)
    return open_box(keys.shared(state.devices[of].seal_key), f"{place}/{me}", boxes[me])


def role_secret(keys: Keys, state: State) -> bytes | None:
    """Returns the dealer's secret from the shares that others gave a new dealer; None if they are not enough."""
    shares: dict[int, bytes] = {}
    for device, box in state.given.items():
        try:
            shares[device] = open_box(
                keys.shared(state.devices[device].seal_key), f"{state.mark}/reign/{state.reign}/{device}", box
            )
        except Refused:
            continue  # a false share: the others may still be enough
    enough = most_of(state.promise.shares)
    return recover(shares, enough, state.promise.proof) if len(shares) >= enough else None


__all__ = ["SECRET", "PrivateViews", "own_share", "packed", "private_rows", "role_secret", "shares_of"]
