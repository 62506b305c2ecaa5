"""The state of a table: a pure function of the committed log, equal on every device.

An entry that is not allowed is refused here, for the same reason on all devices, and its author is notified.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from engine.core import Nonsense, Refused
from peer.crypto.keys import from_base64
from peer.crypto.shamir import fingerprint
from peer.game import claims, pair
from peer.game.coin import Coins, Pledge, rolled
from peer.game.public import COIN, DEAL, SEATS, PublicGame, Sealed, may_hide_answers, read_row
from peer.game.setup import Member, Place, Setup
from peer.game.types import HandOver, Objection, Outcome, OwedHandOver, Promise, majority_of
from peer.wire import bodies
from peer.wire.bodies import DEALER_ROLE, MAX_DEVICES
from peer.wire.envelope import Entry, Envelope

MAX_SEAT_CHANGES = 12  # times the device of a seat may change its player before the game goes on
#: reasons for which an entry may be refused only because its author had not seen the latest entries
LATE_REASONS = (
    "net.stale",
    "net.not_your_seat",
    "net.not_the_dealer",
    "net.not_awaited",
    "net.coin.not_asked",
    "not_asked",
)
MAX_OBJECTIONS = 3  # false answers of a device for a seat; then its answers are refused: another one must play the seat
MAX_TAKEN_BACK = 1  # times a person may take a seat back from voted bots before the game goes on


class State:
    """The state of a table after the first `index` entries of its log."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.mark = setup.mark
        self.public = PublicGame(setup.session())
        self.devices = list(setup.devices)
        self.voters = tuple(range(len(setup.devices)))
        self.places = list(setup.places)
        self.homes = [place.device for place in setup.places]  # the device a seat belongs to, whoever plays it
        self.claims = dict(setup.claims)
        self.seatless: set[int] = set()  # devices whose last seat went to another device
        self.vows: list[tuple[int, str]] = []  # author and vow, in the order of the log
        self.agreed: set[int] = set()  # devices (of two) that agreed that the other may go on alone
        self.went_alone = False  # one of two devices has gone on alone, and the other has no vote again yet
        self.coins = Coins(self.voters)
        self.coin_for_promise = False  # the open coin is for the promise, not for the game
        self.dealer_promise: Promise | None = None
        self.dealer = 0
        self.dealer_term = 0  # number of times the dealer has changed
        self.ceded_secret: tuple[int, int, str] | None = None  # author and counter of a `cede`, and its box
        self.role_shares: dict[int, str] = {}  # by device: shares of the dealer's secret, sealed for the new dealer
        self.away_votes: dict[int, set[int]] = {}  # device -> the voters that do not hear it
        self.wishes: dict[int, dict[int, Place]] = {}  # seat -> voter -> the player it votes for
        self.seat_moved_at = 0  # index of the entry that last gave a seat to another device
        self.seat_changes: dict[int, tuple[int, int]] = {}  # seat -> length of the game, changes by its device since
        self.voted_bots: dict[int, tuple[int, int]] = {}  # seat -> length of the game, bots voted for since
        self.claimed: set[int] = set()  # seats that somebody has taken with a rejoin token
        self.owed_hand_overs: dict[int, OwedHandOver] = {}
        self.hand_overs: dict[int, HandOver] = {}  # by seat: the last one since it changed devices
        self.objections: list[Objection] = []
        self.rewound_at = 0  # index of the entry that last took the game back
        self.refused_in_a_row: dict[int, int] = {}  # device -> its refused entries in a row
        self.counters: dict[int, int] = {}  # the last counter of every author
        self.index = 0
        self.head = setup.origin
        self._advance_coins()

    @property
    def rewinds(self) -> int:
        """The number of times the game was taken back."""
        return len(self.objections)

    @property
    def majority(self) -> int:
        return majority_of(self.voters)

    @property
    def promise(self) -> Promise:
        """The dealer's promise. Raises `Refused` if there is none."""
        if self.dealer_promise is None:
            raise Refused("net.no_deck")
        return self.dealer_promise

    # What the table waits for

    @property
    def wants_promise(self) -> bool:
        """True if a promise is missing: it must precede the first card and the first answer somebody may not see."""
        public = self.public
        return self.dealer_promise is None and (
            public.waits_for == DEAL or (public.waits_for == SEATS and may_hide_answers(public.session.question))
        )

    @property
    def wants_coin(self) -> bool:
        unmixed = self.dealer_promise is not None and not self.dealer_promise.coin
        return self.public.waits_for == COIN or (self.public.waits_for == DEAL and unmixed)

    def awaited(self) -> list[int]:
        """Returns the devices the table waits for, apart from those whose seats are asked."""
        if self.coins.coin is not None:
            return [device for device in self.coins.coin.missing() if device not in self.coins.recovering]
        if self.wants_coin:
            return self.coins.unpledged()
        owes_secret = self.public.over and self.dealer_promise is not None and not self.dealer_promise.opened
        owes_deal = self.wants_promise or self.public.waits_for == DEAL or bool(self.owed_hand_overs)
        return [self.dealer] if owes_deal or owes_secret else []

    # Entries

    def apply(self, entry: Entry, head: str, *, honest: bool) -> Outcome:
        """Applies the next committed entry and returns what became of it.

        Every author's counters go up by one, so that no envelope counts twice. `honest`: the head that its author had
        seen is one of this log.
        """
        envelope = entry.envelope
        self.index += 1
        self.head = head
        if envelope.counter != self.counters.get(envelope.author, 0) + 1:
            return Outcome(envelope, "net.twice", {})
        self.counters[envelope.author] = envelope.counter
        self.away_votes.pop(envelope.author, None)
        try:
            if envelope.author >= len(self.devices):
                raise Refused("net.stale")  # its key came from a `join` that was refused
            if not honest:
                raise Refused("net.histories_differ", device=envelope.author, index=envelope.seen)
            self._carry_out(envelope)
        except (Nonsense, Refused) as refused:
            if refused.reason != "net.to_and_fro" and (
                refused.reason not in LATE_REASONS or envelope.seen == self.index - 1
            ):
                self.refused_in_a_row[envelope.author] = self.refused_in_a_row.get(envelope.author, 0) + 1
            return Outcome(envelope, refused.reason, refused.typed if isinstance(refused, Refused) else {})
        finally:
            self._advance_coins()
        self.refused_in_a_row.pop(envelope.author, None)
        return Outcome(envelope, "", {})

    def _carry_out(self, envelope: Envelope) -> None:  # noqa: C901  one case for each kind of entry
        """Carries out an envelope. Raises `Refused` if that is not allowed, `Nonsense` for a value that is none."""
        body = envelope.body
        match body:
            case bodies.Start():
                self._start(envelope)
            case bodies.Do():
                self._do(envelope, body)
            case bodies.Pledge():
                self._pledge(envelope, body)
            case bodies.Link():
                self.coins.give(envelope.author, body.number, body.link)
            case bodies.Away():
                self._away(envelope, body.device)
            case bodies.RecoveryShare():
                self._recovery_share(envelope, body)
            case bodies.Deck():
                self._deck(envelope, body)
            case bodies.Deal():
                self._deal(envelope, body)
            case bodies.Cede():
                self._cede(envelope, body)
            case bodies.Reshare():
                self._reshare(envelope, body)
            case bodies.Object():
                self._object(envelope, body.length)
            case bodies.Open():
                self._open(envelope, body)
            case bodies.Seat():
                self._seat(envelope, body)
            case bodies.HandOver():
                self._hand_over(envelope, body)
            case bodies.Join():
                self._join(envelope, body)
            case bodies.Votes():
                self._votes(envelope, body)
            case bodies.Vow():
                claims.vow(self, envelope, body)
            case bodies.Claim():
                claims.claim(self, envelope, body)
            case bodies.Agree():
                pair.agree(self, envelope)
            case bodies.Alone():
                pair.alone(self, envelope, body)
            case _:
                assert_never(body)

    def _advance_coins(self) -> None:
        """Uses coins that are complete, and asks for the next one if it is needed."""
        while True:
            value = self.coins.take_value()
            if value is not None:
                self._use_coin(value)
            elif (
                self.coins.coin is None and self.wants_coin and not self.coins.unpledged() and not self._coin_must_wait
            ):
                self.coin_for_promise = self.public.waits_for == DEAL
                self.coins.start_coin(self.head)
            else:
                return

    @property
    def _coin_must_wait(self) -> bool:
        """True if a coin has to wait: one of two devices went on alone, and a person with a seat has no vote yet."""
        votes = (place.device in self.voters for place in self.places if place.kind == "person")
        return self.went_alone and not all(votes)

    def _use_coin(self, value: bytes) -> None:
        """Mixes a coin into the promise, or draws the outcome the game waits for."""
        if self.coin_for_promise:
            self.promise.coin = value
            return
        session = self.public.session
        outcome = session.question.sample(session.table, rolled(value))  # type: ignore[attr-defined]  # it is Chance
        self.public.nature_answers(outcome, None)

    def _start(self, envelope: Envelope) -> None:
        """Changes nothing: the entry only lets a new leader commit older ones."""
        if envelope.author not in self.voters:
            raise Refused("net.no_voter", device=envelope.author)

    def _do(self, envelope: Envelope, body: bodies.Do) -> None:
        seat = body.seat
        if seat >= len(self.places) or self.places[seat].device != envelope.author:
            raise Refused("net.not_your_seat", seat=seat)
        if envelope.seen < self.rewound_at:
            raise Refused("net.stale")  # its author answered before the game was taken back
        if not self.believes(seat, envelope.author):
            raise Refused("net.not_believed", seat=seat)
        place = self.box_place(envelope.author, envelope.counter)
        sealed = Sealed(envelope.author, place, dict(body.boxes), 0) if body.boxes else None
        if sealed is not None and (
            envelope.seen < self.seat_moved_at or DEALER_ROLE not in sealed.boxes or self.dealer_promise is None
        ):
            raise Refused("net.stale")
        self.public.seat_answers(seat, body.turn, body.answer, sealed, envelope.author)
        self.wishes.pop(seat, None)

    def believes(self, seat: int, device: int) -> bool:
        """Returns False if the present dealer has objected too often to answers that this device gave for the seat."""
        return self._objections_to(device, seat) < MAX_OBJECTIONS

    def _objections_to(self, device: int, *seats: int) -> int:
        """Returns the number of the present dealer's objections to answers of this device, for these seats or any."""
        return sum(
            one.dealer_term == self.dealer_term and one.false.device == device and one.seat in (seats or (one.seat,))
            for one in self.objections
        )

    def box_place(self, author: int, counter: int) -> str:
        """Returns the name that binds a sealed box to its envelope."""
        return f"{self.mark}/{author}/{counter}"

    # Coins

    def _pledge(self, envelope: Envelope, body: bodies.Pledge) -> None:
        shares = dict(body.shares)
        if tuple(sorted(shares)) != self.voters:
            raise Refused("net.stale")  # its shares are for the former voters
        sealed_in = envelope.author, envelope.counter
        self.coins.pledge(envelope.author, Pledge(body.number, body.tip, body.fingerprint, shares, sealed_in))

    def _away(self, envelope: Envelope, device: int) -> None:
        """Counts a voter that does not hear a device. A majority of more than two calls the device away.

        A coin then goes on without the device's own link; where the dealer was awaited, another one takes over.
        """
        if envelope.author not in self.voters or device == envelope.author or device not in self.awaited():
            raise Refused("net.not_awaited", device=device)
        votes = self.away_votes.setdefault(device, set())
        votes.add(envelope.author)
        if len(votes) >= self.majority and len(self.voters) > 2:
            del self.away_votes[device]
            if self.coins.coin is not None or self.wants_coin:
                self.coins.call_away(device)
            else:
                self._replace_dealer(min(votes))

    def _replace_dealer(self, device: int, ceded_secret: tuple[int, int, str] | None = None) -> None:
        """Makes this device the dealer. It knows the secret if it was ceded, or recovers it from shares."""
        self.dealer, self.ceded_secret = device, ceded_secret
        self.dealer_term += 1
        self.role_shares = {}

    def _recovery_share(self, envelope: Envelope, body: bodies.RecoveryShare) -> None:
        """Takes a share of the secret of a device that was called away, or of the dealer's secret."""
        of = body.of
        if of == DEALER_ROLE:
            if (
                body.number != self.dealer_term
                or envelope.author in self.role_shares
                or envelope.author not in self.promise.shares
            ):
                raise Refused("net.stale")
            self.role_shares[envelope.author] = body.share
            return
        pledge = self.coins.pledges.get(of)
        if pledge is None or pledge.number != body.number or envelope.author not in pledge.shares:
            raise Refused("net.stale")
        away = {*self.coins.recovering, *self.coins.called_away}
        self.coins.add_share(
            of, envelope.author, from_base64(body.share), majority_of(pledge.shares), len({*pledge.shares} - away)
        )

    # The dealer

    def _check_dealer(self, envelope: Envelope) -> Promise:
        """Returns the promise. Raises `Refused` if there is none or the author is not the dealer."""
        if envelope.author != self.dealer:
            raise Refused("net.not_the_dealer", device=envelope.author)
        return self.promise

    def _deck(self, envelope: Envelope, body: bodies.Deck) -> None:
        if envelope.author != self.dealer:
            raise Refused("net.not_the_dealer", device=envelope.author)
        shares = dict(body.shares)
        if not self.wants_promise or tuple(sorted(shares)) != self.voters:
            raise Refused("net.stale")  # not needed, or its shares are for the former voters
        self.dealer_promise = Promise(body.seal_key, body.fingerprint, shares, (envelope.author, envelope.counter))

    def _deal(self, envelope: Envelope, body: bodies.Deal) -> None:
        promise = self._check_dealer(envelope)
        public = self.public
        if (
            body.start != len(public.session.log)
            or envelope.seen < max(self.seat_moved_at, self.rewound_at)
            or not promise.coin
        ):
            raise Refused("net.stale")
        sealed = Sealed(DEALER_ROLE, self.box_place(envelope.author, envelope.counter), dict(body.boxes), 0)
        for offset, row in enumerate(body.rows):
            if public.waits_for != DEAL:
                raise Refused("net.stale")
            answer = read_row(public.session, row)
            public.nature_answers(answer, sealed._replace(offset=offset))

    def _cede(self, envelope: Envelope, body: bodies.Cede) -> None:
        """Makes another device the dealer, after the seats of the present one went to other devices."""
        unaware = (
            self.dealer_promise is not None and not body.box
        )  # its author did not know yet that its promise was committed
        leaving = envelope.author == self.dealer and envelope.author in self.seatless
        if not leaving or body.to not in self.homes or unaware:
            raise Refused("net.stale")
        self._replace_dealer(body.to, (envelope.author, envelope.counter, body.box))

    def _reshare(self, envelope: Envelope, body: bodies.Reshare) -> None:
        promise, shares = self._check_dealer(envelope), dict(body.shares)
        if tuple(sorted(shares)) != self.future_voters:
            raise Refused("net.stale")
        promise.shares, promise.sealed_in = shares, (envelope.author, envelope.counter)

    def _object(self, envelope: Envelope, length: int) -> None:
        """Takes the game back to before an answer that, says the dealer, the seat's hand does not allow.

        A dealer that discredits two devices in this way is replaced: otherwise it could do it to all of them.
        """
        self._check_dealer(envelope)
        entries = self.public.entries
        if length >= len(entries) or entries[length].entry[0] < 0 or self.promise.opened:
            raise Refused("net.stale")
        self.objections.append(Objection(tuple(entries[: length + 1]), self.dealer_term))
        self.public.rewind(length)
        self.coins.close()
        self.rewound_at = self.index
        for hand_over in self.hand_overs.values():
            hand_over.valid_length = min(hand_over.valid_length, length)
        discredited = [device for device in range(len(self.devices)) if self._objections_to(device) >= MAX_OBJECTIONS]
        others = [voter for voter in self.voters if voter != self.dealer]
        if len(discredited) > 1 and len(self.voters) > 2:
            self._replace_dealer(min(others))

    def _open(self, envelope: Envelope, body: bodies.Open) -> None:
        if self.dealer_promise is None or not self.public.over or self.dealer_promise.opened:
            raise Refused("net.stale")
        opened = from_base64(body.secret)
        if fingerprint(opened) != self.dealer_promise.fingerprint:
            raise Refused("net.false_secret", device=envelope.author)
        self.dealer_promise.opened = opened

    # Seats

    def _seat(self, envelope: Envelope, body: bodies.Seat) -> None:
        """Changes who plays a seat.

        The device that plays the seat can give it away, and the one it belongs to can take it back. Otherwise a
        majority of the voters decides. So that nobody can hold up the table, the seat's own device can change the
        player only some times before the game goes on, and take the seat back from voted bots only once.
        """
        seat, device = body.seat, body.device
        if seat >= len(self.places) or device >= len(self.devices):
            raise Refused("net.no_such_seat", seat=seat)
        wish = Place(body.kind, device)
        own = envelope.author == self.places[seat].device or envelope.author == self.homes[seat] == device
        if not own:
            if envelope.author not in self.voters or (len(self.voters) < 3 and not self.went_alone):
                raise Refused("net.not_your_seat", seat=seat)
            wishes = self.wishes.setdefault(seat, {})
            if wish == self.places[seat]:  # a vote that nothing changes withdraws an earlier one
                wishes.pop(envelope.author, None)
                return
            wishes[envelope.author] = wish
            if list(wishes.values()).count(wish) < self.majority:
                return
            if wish.kind == "bot":
                self.voted_bots[seat] = len(self.public.entries), self.bots_voted(seat) + 1
        elif wish == self.places[seat]:
            return  # wishes of others stay
        else:
            if wish.kind == "person" and self.bot_answers_first(seat):
                raise Refused("net.bot_answers_first", seat=seat)
            changes = self._times_at_this_length(self.seat_changes, seat) + 1
            if changes > MAX_SEAT_CHANGES:
                raise Refused("net.to_and_fro", seat=seat)
            self.seat_changes[seat] = len(self.public.entries), changes
        self.set_place(seat, wish)

    def bots_voted(self, seat: int) -> int:
        """Returns how many times a bot was voted for, on this seat, since the game last went on."""
        return self._times_at_this_length(self.voted_bots, seat)

    def _times_at_this_length(self, counts: Mapping[int, tuple[int, int]], seat: int) -> int:
        """Returns a seat's count if it was counted since the game last went on, else 0."""
        length, times = counts.get(seat, (-1, 0))
        return times if length == len(self.public.entries) else 0

    def bot_answers_first(self, seat: int) -> bool:
        """Returns True if no person can take the seat before the game goes on."""
        return self.places[seat].kind == "bot" and self.bots_voted(seat) > MAX_TAKEN_BACK

    def claim_seat(self, seat: int, device: int) -> None:
        """Makes a seat belong to a device that has shown its rejoin token. Its person plays it at once, unless a bot
        answers first."""
        self.seatless.add(self.homes[seat])
        self.homes[seat] = device
        self.claimed.add(seat)
        if not self.bot_answers_first(seat):
            self.set_place(seat, Place("person", device))

    def move_bots_along(self, device: int) -> None:
        """Moves the bots of the table to a device that has claimed seats. At first the opener's device plays them.

        They move when the last seat of a person has left the device that plays them.
        """
        for old in sorted(self.seatless):
            seats = [seat for seat, home in enumerate(self.homes) if home == old]
            if not any(map(self.belongs_to_person, seats)):
                for seat in seats:
                    self.homes[seat] = device
                for seat, place in enumerate(self.places):
                    if place == Place("bot", old):
                        self.set_place(seat, Place("bot", device))
        self.seatless -= {*self.homes}

    def set_place(self, seat: int, place: Place) -> None:
        """Sets who plays a seat. On another device it needs a hand-over, once there is a promise."""
        self.wishes.pop(seat, None)
        if place.device != self.places[seat].device and self.dealer_promise is not None:
            self.seat_moved_at = self.index
            self.owed_hand_overs[seat] = OwedHandOver(self.index, place.device)
            self.hand_overs.pop(seat, None)
        self.places[seat] = place

    def _hand_over(self, envelope: Envelope, body: bodies.HandOver) -> None:
        self._check_dealer(envelope)
        owed = self.owed_hand_overs.get(body.seat)
        if owed is None or owed.log_index != body.number:
            raise Refused("net.stale")
        del self.owed_hand_overs[body.seat]
        self.hand_overs[body.seat] = HandOver(
            self.box_place(envelope.author, envelope.counter), dict(body.boxes), len(self.public.entries)
        )

    def _join(self, envelope: Envelope, body: bodies.Join) -> None:
        """Lets a device in, as a spectator."""
        if envelope.author not in self.voters:
            raise Refused("net.no_voter", device=envelope.author)
        number, verify_key, seal_key = body.number, body.verify_key, body.seal_key
        known = any(verify_key == one.verify_key or seal_key == one.seal_key for one in self.devices)
        if number != len(self.devices) or number >= MAX_DEVICES or known:
            raise Refused("net.stale")
        self.refused_in_a_row.pop(number, None)  # they were for refused entries of another device with that number
        self.devices.append(Member(verify_key, seal_key))

    def belongs_to_person(self, seat: int) -> bool:
        """Returns True if the seat was a person's at first, or a person has taken it with a rejoin token since."""
        return self.setup.places[seat].kind == "person" or seat in self.claimed

    @property
    def future_voters(self) -> tuple[int, ...]:
        """The devices that should have a vote: it belongs to a device with a seat and moves with its seats."""
        return (
            tuple(sorted({*self.voters, *self.homes} - self.seatless))
            if self.seatless or self.went_alone
            else self.voters
        )

    @property
    def required_voters(self) -> set[int]:
        """The devices of `future_voters` that must have a vote.

        A device that went on alone may leave the other one out as long as bots play its seats.
        """
        due = {*self.future_voters}
        people = {place.device for place in self.places if place.kind == "person"}
        return due & {*self.voters, *people} if self.went_alone else due

    @property
    def secret_shared(self) -> bool:
        """True if the dealer's secret is shared among `future_voters`. A vote change has to wait for that."""
        return self.dealer_promise is None or tuple(sorted(self.dealer_promise.shares)) == self.future_voters

    def check_votes(self, author: int, voters: tuple[int, ...]) -> None:
        """Raises `Refused` unless `author` may give the vote to exactly these devices now."""
        due = self.future_voters
        right = voters == tuple(sorted({*voters})) and self.required_voters <= {*voters} <= {*due}
        if author not in self.voters or not right or not self.secret_shared or self.coins.coin is not None:
            raise Refused("net.stale")

    def _votes(self, envelope: Envelope, body: bodies.Votes) -> None:
        voters = body.voters
        if body.log_index != self.index:
            raise Refused("net.stale")
        self.check_votes(envelope.author, voters)
        self.coins.set_voters(voters)
        self.voters, self.went_alone = voters, self.went_alone and voters != self.future_voters
