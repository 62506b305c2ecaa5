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
        self.heard: dict[Connection, list[Frame]] = {}
        self.closed: dict[Connection, tuple[int, str]] = {}

    def _draw(self, count: int) -> bytes:
        return next(self._draws).to_bytes(count, "big")

    def come(self, who: Connection, address: str = "10.0.0.1") -> None:
        self.heard[who] = []
        self._take(self.hub.connect(who, address, self.now))

    def says(self, who: Connection, *frame: object) -> None:
        self.raw(who, dumps(list(frame)))

    def raw(self, who: Connection, text: str) -> None:
        self._take(self.hub.receive(who, text, self.now))

    def lost(self, who: Connection) -> None:
        self._take(self.hub.drop(who, self.now))

    def later(self, seconds: float) -> None:
        self.now += seconds
        self._take(self.hub.tick(self.now))

    def hears(self, who: Connection) -> list[Frame]:
        """Returns the frames received since the last call."""
        heard, self.heard[who] = self.heard[who], []
        return heard

    def _take(self, out: Outcome) -> None:
        for connection, frame in out.frames:
            self.heard[connection].append(frame)
        for connection, code, why in out.closes:
            self.closed[connection] = (code, why)

    def table(self, *others: Connection, host: Connection = "ann") -> str:
        """Makes a room with these connections in it and returns its code."""
        self.come(host)
        self.says(host, "create", {})
        code = str(self.heard[host][0][1])
        for who in others:
            self.come(who)
            self.says(who, "join", code, None)
        return code

    def token(self, who: Connection) -> str:
        return next(str(frame[4]) for frame in self.heard[who] if frame[0] == "room")
