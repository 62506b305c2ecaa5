"""Property tests of the hub: after any frames in any order, nothing has raised and its data is consistent."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from signaling.frames import Frame, dumps
from signaling.hub import Hub, Outcome
from signaling.limits import Limits
from signaling.rooms import Connection

LIMITS = Limits(
    slots=4,
    connections=12,
    connections_per_address=8,
    roomless_per_address=6,
    rooms=4,
    wrong_codes=5,
    new_rooms=5,
    burst=30,
    bad_frames=3,
)
# the words of real frames, so that random frames come close to valid ones
words = st.sampled_from(["create", "join", "to", "ping", "bye", "seats", "s", "g", "0" * 12])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 20) | st.floats() | st.text(max_size=5) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)
texts = st.one_of(
    st.text(max_size=60),
    values.map(json.dumps),
    st.lists(values, min_size=1, max_size=4).map(json.dumps),
    st.tuples(words, values, values).map(json.dumps),
    st.integers(1, 9000).map(lambda deep: "[" * deep),
    st.integers(1, 3000).map(lambda deep: '["to",0,' + '{"a":' * deep),
)
signals = st.fixed_dictionaries({"s": st.just(1), "g": values.filter(lambda value: dumps([value]).isascii())})


class Anything(RuleBasedStateMachine):
    connections: Bundle[int] = Bundle("connections")
    codes: Bundle[str] = Bundle("codes")
    tokens: Bundle[tuple[str, str]] = Bundle("tokens")

    def __init__(self) -> None:
        super().__init__()
        self.hub = Hub(LIMITS)
        self.now = 0.0
        self.count = 0
        self.open: set[Connection] = set()

    def take(self, out: Outcome) -> list[Frame]:
        """Checks that only open connections get frames or closes, and that no frame is too long. Returns the frames."""
        for connection, frame in out.frames:
            assert connection in self.open
            assert len(dumps(frame).encode()) <= LIMITS.frame_bytes + 2
        for connection, code, _ in out.closes:
            assert connection in self.open
            assert code in {1000, 1008, 1013}
            self.open.remove(connection)
        return [frame for _, frame in out.frames]

    @rule(target=connections, address=st.sampled_from(["10.0.0.1", "10.0.0.2"]))
    def connect(self, address: str) -> int:
        self.count += 1
        self.open.add(self.count)
        self.take(self.hub.connect(self.count, address, self.now))
        return self.count

    @rule(target=codes, connection=connections, seats=st.none() | st.integers(0, 20))
    def create(self, connection: int, seats: int | None) -> object:
        frame = ["create", {} if seats is None else {"seats": seats}]
        told = self.take(self.hub.receive(connection, dumps(frame), self.now))
        return multiple(*(frame[1] for frame in told if frame[0] == "room"))

    @rule(target=tokens, connection=connections, code=codes, make=st.sampled_from([[], ["make"]]))
    def join(self, connection: int, code: str, make: list[str]) -> object:
        told = self.take(self.hub.receive(connection, dumps(["join", code, None, *make]), self.now))
        return multiple(*((frame[1], frame[4]) for frame in told if frame[0] == "room"))

    @rule(connection=connections, held=tokens)
    def come_back(self, connection: int, held: tuple[str, str]) -> None:
        self.take(self.hub.receive(connection, dumps(["join", *held]), self.now))

    @rule(connection=connections, seat=st.integers(0, 4), data=signals)
    def send(self, connection: int, seat: int, data: dict[str, object]) -> None:
        self.take(self.hub.receive(connection, json.dumps(["to", seat, data]), self.now))

    @rule(connection=connections, text=texts)
    def anything(self, connection: int, text: str) -> None:
        self.take(self.hub.receive(connection, text, self.now))

    @rule(connection=consumes(connections))
    def lose(self, connection: int) -> None:
        self.open.discard(connection)
        self.take(self.hub.drop(connection, self.now))

    @rule(seconds=st.sampled_from([0.0, 0.2, 5.0, 31.0, 2000.0, 8000.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.take(self.hub.tick(self.now))

    @invariant()
    def clients_are_the_open_connections(self) -> None:
        assert set(self.hub.clients) == self.open
        assert len(self.open) <= LIMITS.connections
        assert {connection for connections in self.hub._by_address.values() for connection in connections} == self.open
        assert all(
            0 < len(connections) <= LIMITS.connections_per_address for connections in self.hub._by_address.values()
        )

    @invariant()
    def seats_and_clients_agree(self) -> None:
        seated = {
            (seat.holder, room.code, number)
            for room in self.hub.rooms.values()
            for number, seat in enumerate(room.slots)
            if seat.holder is not None
        }
        clients = self.hub.clients.items()
        assert seated == {(who, client.room.code, client.slot) for who, client in clients if client.room is not None}

    @invariant()
    def rooms_keep_to_their_limits(self) -> None:
        assert len(self.hub.rooms) <= LIMITS.rooms
        for room in self.hub.rooms.values():
            assert 2 <= room.capacity <= LIMITS.slots
            assert 1 <= len(room.slots) <= room.capacity
            assert len({seat.token for seat in room.slots}) == len(room.slots)
            assert (room.emptied_at is None) == bool(room.present())


Anything.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestAnything = Anything.TestCase


@settings(max_examples=100, deadline=None)
@given(st.lists(texts, max_size=20))
def test_no_received_text_raises_an_exception(received: list[str]) -> None:
    hub = Hub(LIMITS)
    hub.connect("ann", "10.0.0.1", 0.0)
    hub.receive("ann", '["create",{}]', 0.0)
    for text in received:
        hub.receive("ann", text, 0.0)
    assert len(hub.rooms) <= 1
