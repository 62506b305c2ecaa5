"""The state of a table: a pure function of the committed log, equal on every device.

An entry that is not allowed is refused here, for the same reason on all devices, and its author is notified.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core import Refused
from peer.crypto.keys import from_base64
from peer.crypto.shamir import fingerprint
from peer.game import claims, pair
from peer.game.coin import Coins, Pledge, rolled
from peer.game.public import COIN, DEAL, SEATS, PublicGame, Sealed, masks, read_row
from peer.game.setup import Member, Place, Setup
from peer.game.types import HandOver, Objection, Outcome, OwedHandOver, Promise, most_of
from peer.wire.envelope import DEVICES, ROLE, Entry, Envelope

TO_AND_FRO = 6  # times a seat may be given to another device before the game goes on
#: reasons for which an entry may be refused only because its author had not seen the latest entries
LATE = ("net.stale", "net.not_your_seat", "net.not_the_dealer", "net.not_awaited", "net.coin.not_asked", "not_asked")
OBJECTIONS = 3  # false answers of a seat; then its answers are refused: others must give it to another player


class State:
    """The state of a table after the first `index` entries of its log."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.mark = setup.mark
        self.play = PublicGame(setup.session())
        self.devices = list(setup.devices)
        self.voters = tuple(range(len(setup.devices)))
        self.places = list(setup.places)
        self.homes = [place.device for place in setup.places]  # the device a seat belongs to, whoever plays it
        self.claims = dict(setup.claims)
        self.left: set[int] = set()  # devices whose last seat went to another device
        self.vows: list[tuple[int, str]] = []  # author and vow, in the order of the log
        self.agreed: set[int] = set()  # devices (of two) that agreed that the other may go on alone
        self.alone = False  # one of two devices has gone on alone, and the other has no vote again yet
        self.coins = Coins(self.voters)
        self.for_deck = False  # the open coin is for the promise, not for the game
        self.deck: Promise | None = None
        self.dealer = 0
        self.reign = 0  # number of times the dealer has changed
        self.ceded: tuple[int, int, str] | None = None  # author and counter of a `cede`, and its box
        self.given: dict[int, str] = {}  # by device: shares of the dealer's secret, sealed for the new dealer
        self.away: dict[int, set[int]] = {}  # device -> the voters that do not hear it
        self.wishes: dict[int, dict[int, Place]] = {}  # seat -> voter -> the player it votes for
        self.moved = 0  # index of the entry that last gave a seat to another device
        self.gone: dict[int, tuple[int, int]] = {}  # seat -> length of the game, times given away since
        self.owed: dict[int, OwedHandOver] = {}
        self.hands: dict[int, HandOver] = {}  # by seat: the last one since it changed devices
        self.objections: list[Objection] = []
        self.rewound = 0  # index of the entry that last took the game back
        self.strikes: dict[int, int] = {}  # device -> its refused entries in a row
        self.counters: dict[int, int] = {}  # the last counter of every author
        self.index = 0
        self.head = setup.origin
        self._go_on()

    @property
    def rewinds(self) -> int:
        """The number of times the game was taken back."""
        return len(self.objections)

    @property
    def majority(self) -> int:
        return most_of(self.voters)

    @property
    def promise(self) -> Promise:
        """The dealer's promise. Raises `Refused` if there is none."""
        if self.deck is None:
            raise Refused("net.no_deck")
        return self.deck

    # What the table waits for

    @property
    def wants_deck(self) -> bool:
        """True if a promise is missing: it must precede the first card and the first answer somebody may not see."""
        play = self.play
        return self.deck is None and (play.wants == DEAL or (play.wants == SEATS and masks(play.session.question)))

    @property
    def wants_coin(self) -> bool:
        unmixed = self.deck is not None and not self.deck.coin
        return self.play.wants == COIN or (self.play.wants == DEAL and unmixed)

    def awaited(self) -> list[int]:
        """Returns the devices the table waits for, apart from those whose seats are asked."""
        if self.coins.coin is not None:
            return [device for device in self.coins.coin.missing() if device not in self.coins.lost]
        if self.wants_coin:
            return self.coins.unready()
        return [self.dealer] if self.wants_deck or self.play.wants == DEAL or self.owed else []

    # Entries

    def apply(self, entry: Entry, head: str, *, honest: bool) -> Outcome:
        """Applies the next committed entry and returns what became of it.

        Every author's counters go up by one, so that no envelope counts twice. `honest`: the head that its author had
        seen is one of this log.
        """
        said = entry.envelope
        self.index += 1
        self.head = head
        if said.counter != self.counters.get(said.author, 0) + 1:
            return Outcome(said, "net.twice", {})
        self.counters[said.author] = said.counter
        self.away.pop(said.author, None)
        try:
            if said.author >= len(self.devices):
                raise Refused("net.stale")  # its key came from a `join` that was refused
            if not honest:
                raise Refused("net.histories_differ", device=said.author, index=said.seen)
            HANDLERS[said.kind](self, said, *said.body)
        except Refused as refused:
            if refused.reason != "net.to_and_fro" and (refused.reason not in LATE or said.seen == self.index - 1):
                self.strikes[said.author] = self.strikes.get(said.author, 0) + 1
            return Outcome(said, refused.reason, refused.values)
        finally:
            self._go_on()
        self.strikes.pop(said.author, None)
        return Outcome(said, "", {})

    def _go_on(self) -> None:
        """Uses coins that are complete, and asks for the next one if it is needed."""
        while True:
            value = self.coins.take()
            if value is not None:
                self._spend(value)
            elif self.coins.coin is None and self.wants_coin and not self.coins.unready() and not self._expects:
                self.for_deck = self.play.wants == DEAL
                self.coins.ask(self.head)
            else:
                return

    @property
    def _expects(self) -> bool:
        """True if a coin has to wait: one of two devices went on alone, and a person with a seat has no vote yet."""
        votes = (place.device in self.voters for place in self.places if place.kind == "person")
        return self.alone and not all(votes)

    def _spend(self, value: bytes) -> None:
        """Mixes a coin into the promise, or draws the outcome the game waits for."""
        if self.for_deck:
            self.promise.coin = value
            return
        session = self.play.session
        outcome = session.question.sample(session.table, rolled(value))  # type: ignore[attr-defined]  # it is Chance
        self.play.nature_answers(outcome, None)

    def _start(self, said: Envelope) -> None:
        """Changes nothing: the entry only lets a new leader commit older ones."""
        if said.author not in self.voters:
            raise Refused("net.no_voter", device=said.author)

    def _do(self, said: Envelope, seat: int, turn: int, row: Any, boxes: Any) -> None:
        if seat >= len(self.places) or self.places[seat].device != said.author:
            raise Refused("net.not_your_seat", seat=seat)
        if said.seen < self.rewound:
            raise Refused("net.stale")  # its author answered before the game was taken back
        if [one.seat for one in self.objections].count(seat) >= OBJECTIONS:
            raise Refused("net.not_believed", seat=seat)
        place = self.place(said.author, said.counter)
        sealed = Sealed(said.author, place, dict(boxes), 0) if boxes else None
        if sealed is not None and (said.seen < self.moved or ROLE not in sealed.boxes or self.deck is None):
            raise Refused("net.stale")
        self.play.seat_answers(seat, turn, row, sealed)
        self.wishes.pop(seat, None)

    def place(self, author: int, counter: int) -> str:
        """Returns the name that binds a sealed box to its envelope."""
        return f"{self.mark}/{author}/{counter}"

    # Coins

    def _pledge(self, said: Envelope, number: int, tip: str, proof: str, boxes: Any) -> None:
        if tuple(sorted(dict(boxes))) != self.voters:
            raise Refused("net.stale")  # its shares are for the former voters
        self.coins.pledge(said.author, Pledge(number, tip, proof, dict(boxes), (said.author, said.counter)))

    def _share(self, said: Envelope, number: int, link: str) -> None:
        self.coins.give(said.author, number, link)

    def _away(self, said: Envelope, device: int) -> None:
        """Counts a voter that does not hear a device. A majority of more than two calls the device away.

        A coin then goes on without the device's own link; where the dealer was awaited, another one takes over.
        """
        if said.author not in self.voters or device == said.author or device not in self.awaited():
            raise Refused("net.not_awaited", device=device)
        votes = self.away.setdefault(device, set())
        votes.add(said.author)
        if len(votes) >= self.majority and len(self.voters) > 2:
            del self.away[device]
            if self.coins.coin is not None or self.wants_coin:
                self.coins.call_away(device)
            else:
                self.dealer, self.ceded = min(votes), None
                self.reign += 1
                self.given = {}

    def _yield(self, said: Envelope, of: int, number: int, share: str) -> None:
        """Takes a share of the secret of a device that was called away, or of the dealer's secret."""
        if of == ROLE:
            if number != self.reign or said.author in self.given or said.author not in self.promise.shares:
                raise Refused("net.stale")
            self.given[said.author] = share
            return
        pledge = self.coins.pledges.get(of)
        if pledge is None or pledge.number != number or said.author not in pledge.shares:
            raise Refused("net.stale")
        gone = {*self.coins.lost, *self.coins.out}
        self.coins.restore(of, said.author, from_base64(share), most_of(pledge.shares), len({*pledge.shares} - gone))

    # The dealer

    def _from_dealer(self, said: Envelope) -> Promise:
        """Returns the promise. Raises `Refused` if there is none or the author is not the dealer."""
        if said.author != self.dealer:
            raise Refused("net.not_the_dealer", device=said.author)
        return self.promise

    def _deck(self, said: Envelope, lock: str, proof: str, boxes: Any) -> None:
        if said.author != self.dealer:
            raise Refused("net.not_the_dealer", device=said.author)
        if not self.wants_deck or tuple(sorted(dict(boxes))) != self.voters:
            raise Refused("net.stale")  # not needed, or its shares are for the former voters
        self.deck = Promise(lock, proof, dict(boxes), (said.author, said.counter))

    def _deal(self, said: Envelope, start: int, rows: Any, boxes: Any) -> None:
        deck = self._from_dealer(said)
        play = self.play
        if start != len(play.session.log) or said.seen < max(self.moved, self.rewound) or not deck.coin:
            raise Refused("net.stale")
        sealed = Sealed(ROLE, self.place(said.author, said.counter), dict(boxes), 0)
        for offset, row in enumerate(rows):
            if play.wants != DEAL:
                raise Refused("net.stale")
            answer = read_row(play.session.game, row)
            play.nature_answers(answer, sealed._replace(offset=offset))

    def _cede(self, said: Envelope, to: int, box: str) -> None:
        """Makes another device the dealer, after the seats of the present one went to other devices."""
        unaware = self.deck is not None and not box  # its author did not know yet that its promise was committed
        if said.author != self.dealer or said.author not in self.left or to not in self.homes or unaware:
            raise Refused("net.stale")
        self.dealer, self.ceded = to, (said.author, said.counter, box)
        self.reign += 1
        self.given = {}

    def _reshare(self, said: Envelope, boxes: Any) -> None:
        deck = self._from_dealer(said)
        if tuple(sorted(dict(boxes))) != self.due_votes:
            raise Refused("net.stale")
        deck.shares, deck.by = dict(boxes), (said.author, said.counter)

    def _object(self, said: Envelope, length: int) -> None:
        """Takes the game back to before an answer that, says the dealer, the seat's hand does not allow."""
        self._from_dealer(said)
        played = self.play.played
        if length >= len(played) or played[length].entry[0] < 0 or self.promise.opened:
            raise Refused("net.stale")
        self.objections.append(Objection(played[length].entry[0], tuple(played[: length + 1])))
        self.play.rewind(length)
        self.coins.close()
        self.rewound = self.index
        for hand in self.hands.values():
            hand.length = min(hand.length, length)

    def _open(self, said: Envelope, secret: str) -> None:
        if self.deck is None or not self.play.over or self.deck.opened:
            raise Refused("net.stale")
        found = from_base64(secret)
        if fingerprint(found) != self.deck.proof:
            raise Refused("net.false_secret", device=said.author)
        self.deck.opened = found

    # Seats

    def _seat(self, said: Envelope, seat: int, kind: str, device: int) -> None:
        """Changes who plays a seat.

        The device that plays the seat can give it away, and the one it belongs to can take it back. Otherwise a
        majority of the voters decides.
        """
        if seat >= len(self.places) or device >= len(self.devices):
            raise Refused("net.no_such_seat", seat=seat)
        wish = Place(kind, device)
        own = said.author == self.places[seat].device or said.author == self.homes[seat] == device
        if not own:
            if said.author not in self.voters or (len(self.voters) < 3 and not self.alone):
                raise Refused("net.not_your_seat", seat=seat)
            wishes = self.wishes.setdefault(seat, {})
            if wish == self.places[seat]:  # a vote that nothing changes withdraws an earlier one
                wishes.pop(said.author, None)
                return
            wishes[said.author] = wish
            if list(wishes.values()).count(wish) < self.majority:
                return
        elif device not in (self.places[seat].device, self.homes[seat]):
            length, times = self.gone.get(seat, (-1, 0))
            times = times + 1 if length == len(self.play.played) else 1
            if times > TO_AND_FRO:
                raise Refused("net.to_and_fro", seat=seat)
            self.gone[seat] = len(self.play.played), times
        self.sit(seat, wish)

    def sit(self, seat: int, place: Place) -> None:
        """Sets who plays a seat. On another device it needs a hand-over, once there is a promise."""
        self.wishes.pop(seat, None)
        if place.device != self.places[seat].device and self.deck is not None:
            self.moved = self.index
            self.owed[seat] = OwedHandOver(self.index, place.device)
            self.hands.pop(seat, None)
        self.places[seat] = place

    def _hand(self, said: Envelope, seat: int, number: int, boxes: Any) -> None:
        self._from_dealer(said)
        owed = self.owed.get(seat)
        if owed is None or owed.number != number:
            raise Refused("net.stale")
        del self.owed[seat]
        self.hands[seat] = HandOver(self.place(said.author, said.counter), dict(boxes), len(self.play.played))

    def _join(self, said: Envelope, number: int, signer: str, lock: str) -> None:
        """Lets a device in, as a spectator."""
        if said.author not in self.voters:
            raise Refused("net.no_voter", device=said.author)
        known = any(signer == one.verify_key or lock == one.seal_key for one in self.devices)
        if number != len(self.devices) or number >= DEVICES or known:
            raise Refused("net.stale")
        self.strikes.pop(number, None)  # they were for refused entries of another device with that number
        self.devices.append(Member(signer, lock))

    def persons(self, seat: int) -> bool:
        """Returns True if the seat was a person's at first, or has gone to another device since."""
        begun = self.setup.places[seat]
        return begun.kind == "person" or self.homes[seat] != begun.device

    @property
    def due_votes(self) -> tuple[int, ...]:
        """The devices that should have a vote: it belongs to a device with a seat and moves with its seats."""
        return tuple(sorted({*self.voters, *self.homes} - self.left)) if self.left or self.alone else self.voters

    @property
    def needed(self) -> set[int]:
        """The devices of `due_votes` that must have a vote.

        A device that went on alone may leave the other one out as long as bots play its seats.
        """
        due = {*self.due_votes}
        people = {place.device for place in self.places if place.kind == "person"}
        return due & {*self.voters, *people} if self.alone else due

    @property
    def shared(self) -> bool:
        """True if the dealer's secret is shared among `due_votes`. A vote change has to wait for that."""
        return self.deck is None or tuple(sorted(self.deck.shares)) == self.due_votes

    def check_votes(self, author: int, voters: Any) -> None:
        """Raises `Refused` unless `author` may give the vote to exactly these devices now."""
        due = self.due_votes
        right = voters == tuple(sorted({*voters})) and self.needed <= {*voters} <= {*due}
        if author not in self.voters or not right or not self.shared or self.coins.coin is not None:
            raise Refused("net.stale")

    def _votes(self, said: Envelope, index: int, voters: Any) -> None:
        if index != self.index:
            raise Refused("net.stale")
        self.check_votes(said.author, voters)
        self.coins.change(voters)
        self.voters, self.alone = voters, self.alone and voters != self.due_votes


HANDLERS: dict[str, Callable[..., None]] = {
    "start": State._start,
    "do": State._do,
    "pledge": State._pledge,
    "share": State._share,
    "away": State._away,
    "yield": State._yield,
    "deck": State._deck,
    "deal": State._deal,
    "cede": State._cede,
    "reshare": State._reshare,
    "object": State._object,
    "open": State._open,
    "seat": State._seat,
    "hand": State._hand,
    "join": State._join,
    "vow": claims.vow,
    "claim": claims.claim,
    "agree": pair.agree,
    "alone": pair.alone,
    "votes": State._votes,
}
