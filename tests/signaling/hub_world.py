"""A hub with a clock that the test sets."""

import itertools

from signaling.frames import Frame, dumps
from signaling.hub import Hub, Outcome
from signaling.limits import Limits
from signaling.rooms import Connection


class World:
    """A hub, its clock, and the frames that each connection has received."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.now = 1000.0
        self._draws = itertools.count(1)
        self.hub = Hub(limits, self._draw)
        self.frames: dict[Connection, list[Frame]] = {}
        self.closed: dict[Connection, tuple[int, str]] = {}

    def _draw(self, count: int) -> bytes:
        return next(self._draws).to_bytes(count, "big")

    def connect(self, connection: Connection, address: str = "10.0.0.1") -> None:
        self.frames[connection] = []
        self._record(self.hub.connect(connection, address, self.now))

    def send(self, connection: Connection, *frame: object) -> None:
        self.send_text(connection, dumps(list(frame)))

    def send_text(self, connection: Connection, text: str) -> None:
        self._record(self.hub.receive(connection, text, self.now))

    def drop(self, connection: Connection) -> None:
        self._record(self.hub.drop(connection, self.now))

    def advance(self, seconds: float) -> None:
        self.now += seconds
        self._record(self.hub.tick(self.now))

    def received(self, connection: Connection) -> list[Frame]:
        """Returns the frames received since the last call."""
        frames, self.frames[connection] = self.frames[connection], []
        return frames

    def _record(self, out: Outcome) -> None:
        for connection, frame in out.frames:
            self.frames[connection].append(frame)
        for connection, code, why in out.closes:
            self.closed[connection] = (code, why)

    def room(self, *others: Connection, host: Connection = "ann") -> str:
        """Makes a room with these connections in it and returns its code."""
        self.connect(host)
        self.send(host, "create", {})
        code = str(self.frames[host][0][1])
        for other in others:
            self.connect(other)
            self.send(other, "join", code, None)
        return code

    def token(self, connection: Connection) -> str:
        return next(str(frame[4]) for frame in self.frames[connection] if frame[0] == "room")
