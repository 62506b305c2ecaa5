"""A table that is played by link, from the first guest to the last card: lobby, lines and game, joined.

No browser in here: `World` is the port to everything outside. What the page shows is a `News`; what it wishes comes
in through the methods, which raise `Refused` with a reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from engine import strict_json
from engine.core import Answer, Refused
from peer.channels import invite as invites
from peer.channels.channel import Line
from peer.channels.channels import Lines
from peer.channels.endpoint import Endpoint
from peer.channels.invite import Invite
from peer.crypto.keys import Claim, Keys, text_of
from peer.device.driver import Unsafe
from peer.device.journal import PROMISE, Records
from peer.game.setup import Setup
from peer.game.setup import read as read_setup
from peer.order.outputs import Tell
from peer.table import lobby as lobbies
from peer.table import telling
from peer.table.admission import Latecomers
from peer.table.header import Kept
from peer.table.lobby import LONGEST as LONGEST_LOBBY
from peer.table.lobby import Lobby
from peer.table.news import News
from peer.table.next_game import Rounds
from peer.table.one_window import fall_silent, keep
from peer.table.pairing import ByHand
from peer.table.ports import World
from peer.table.rejoin import Tokens
from peer.table.running import Game
from peer.table.seating import Chairs

TICK = 500  # milliseconds
BUILDS = 4


class Table:
    def __init__(self, world: World, keys: Keys, kept: Kept, *, tokens: tuple[str, ...] = ()) -> None:
        self.world, self.keys, self.kept = world, keys, kept
        self.rejoin = tokens
        self.invite = Invite(kept.code, kept.secret)
        self.lobby = lobbies.read(kept.lobby) if kept.lobby else None
        self.game: Game | None = None
        self.setup: Setup | None = None
        self.looks: tuple[tuple[str, str], ...] = ()
        self.reason = ""
        self.begun = world.now()
        self.builds: set[str] = set()  # others than this page's
        self.met_opener = False
        self.chairs = Chairs(self)
        self.hand = ByHand(self)
        self.late = Latecomers(self)
        self.tokens = Tokens(self)
        self.rounds = Rounds(self)
        self.endpoint: Endpoint | None = None
        self.lines: Lines
        self._news: News | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._over = False
        self.replaced = False  # by another window
        self.promised = False  # not to go on alone: see `two.py`

    # Beginning

    @classmethod
    def create(cls, world: World, make_keys: Callable[[bytes], Keys], lobby: Lobby) -> Table:
        """A new table; its code is the endpoint's, or drawn here when there is none."""
        seed = world.random(32)
        keys = make_keys(seed)
        secret = invites.new_secret(world.random(9), keys.signer, keys.lock)
        code_ = invites.new_code(world.random(8))
        return cls(world, keys, Kept(code_, secret, text_of(seed), lobby=lobby.text))

    @property
    def name(self) -> str:
        """Of the game that is played."""
        return f"{self.invite.code}.{self.setup.round if self.setup else 0}"

    @property
    def opener(self) -> bool:
        return self.invite.opened_by(self.keys.signer, self.keys.lock)

    def start(self, records: list[str] = ()) -> None:  # type: ignore[assignment]  # an empty list
        """Open the lines; take the game up where it was left."""
        world = self.world
        self.lines = Lines(
            self.keys, self.invite.key, text_of(world.random(16)), world.build, self, world.now, world.make
        )
        if world.dial is not None:
            fresh = self.opener and not self.kept.token and not self.kept.setup
            self.endpoint = Endpoint(world.dial, self, "" if fresh else self.kept.code, self.kept.token or None)
            self.lines.endpoint = self.endpoint
            self.endpoint.open(world.now())
        self.changed()
        if self.kept.setup:
            self.seat_down(records)
        self.run(self._live())

    def run(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Refused):
            self.lines.count(error)
        elif error is not None:
            self.world.tell("fault", error)

    async def _live(self) -> None:
        """The table's clock: lines are watched, the endpoint is fed."""
        tick = 0
        while not self._over:
            now = self.world.now()
            wait = TICK
            if self.endpoint is not None:
                self.endpoint.tick(now)
                wait = min(wait, self.endpoint.pump(now) - now)
            if now >= tick:
                tick = now + TICK
                try:
                    self._tick()
                except Refused as refused:  # a clock that stopped would stop everything
                    self.lines.count(refused)
            await asyncio.sleep(max(wait, 20) / 1000)

    def _tick(self) -> None:
        self.lines.tick()
        self.chairs.tick()
        self.late.tick()
        self.rounds.turn()
        self.changed()

    def hurry(self) -> None:
        """The page is seen again, or the network is back."""
        if self.endpoint is not None:
            self.endpoint.hurry(self.world.now())
        self.lines.hurry()
        self.lines.tick()

    def hush(self) -> None:
        """The page has turned away from the table, and hears no more of it."""
        self._over = True

    def leave(self) -> None:
        """The page is being closed: everybody is told, at once."""
        self.hush()
        self.chairs.tick()
        if self.game is not None:
            self.game.stop()
        self.lines.leave()
        if self.endpoint is not None:
            self.endpoint.pump(self.world.now())
            self.endpoint.close()

    @property
    def closed(self) -> bool:
        """Nothing is said here any more."""
        return self._over

    # The endpoint

    def holds(self) -> bool:
        return self.opener or bool(self.kept.setup)

    def seated(self) -> None:
        point = self.endpoint
        if point is None or point.token is None:
            return
        self.lines.entered()
        if self.kept.token != point.token or self.kept.code != point.code:
            self.kept.token = point.token
            if self.kept.code != point.code:  # the endpoint has named the table
                self.kept.code = point.code
                self.invite = Invite(point.code, self.kept.secret)
                self.lines.key = self.invite.key
            self.keep_header()
        self.changed()

    def came(self, seat: int) -> None:
        self.lines.greet(seat)
        self._pump()

    def went(self, seat: int) -> None:
        self.lines.went(seat)

    def said(self, seat: int, text: str) -> None:
        self.lines.said(seat, text)
        self._pump()

    def _pump(self) -> None:
        if self.endpoint is not None:
            self.endpoint.pump(self.world.now())

    # Devices

    def met(self, line: Line) -> None:
        if self.invite.opened_by(line.signer, line.lock):
            self.met_opener = True
        if line.by_code:
            self.hand.replied = ""
        if self.setup is not None:
            self.send(line, ["start", self.kept.setup, self.kept.looks, self.kept.signature])
            if self.game is not None:
                self.game.met(line.lock)
        elif self.opener and self.lobby is not None:
            self.send(line, ["table", self.lobby.text])

    def left(self, line: Line) -> None:
        """Good-bye: a reload, or more. The seat waits for who has it."""

    def stranger(self, build: str) -> None:
        if not self.met_opener and not self.opener:
            self.reason = "net.reload"
        if build not in self.builds and len(self.builds) < BUILDS:  # each is told of once
            self.builds.add(build)
            self.world.tell("stranger")

    def muted(self, line: Line, why: str) -> None:
        device = self.game.number_of(line.lock) if self.game is not None else -1
        self.world.tell("told", Tell("net.muted", {"device": device, "why": why, "who": self.chairs.name(line.lock)}))

    def missed(self) -> None:
        """Nobody came by the codes that were given away."""
        self.hand.replied = ""
        self.world.tell("told", Tell("net.code_late", {}))
        self.changed()

    def belongs(self, lock: str) -> bool:
        if self.game is not None:
            return self.game.number_of(lock) >= 0
        if self.setup is not None:
            return lock in self.setup.locks
        return self.chairs.holds(lock)

    def send(self, line: Line, message: list[Any]) -> None:
        self.lines.send(line, message)
        self._pump()

    def everybody(self, message: list[Any]) -> None:
        for line in self.lines.lines.values():
            self.send(line, message)

    def message(self, line: Line, message: list[Any]) -> None:
        """Raises `Refused` for what no honest device says; it is counted on its line."""
        match message:
            case ["f", str(data)]:
                if self.game is not None and not self.rounds.other(data):
                    self.game.receive(line.lock, data.encode("utf-8", "replace"))
            case ["start", str(text), str(looks), str(signature)]:
                self.rounds.heard(text, looks, signature)
            case ["join", str(signature), *permits]:
                self.late.let_in(line, signature, permits)
            case ["in", missing]:
                self.late.told(line, missing)
            case ["full"]:
                self.late.full(line)
            case _:
                self.chairs.message(line, message)

    # The game

    def seat_down(self, records: list[str], *, welcome: bool = False) -> None:
        """The game begins, or goes on from what was kept. Who came later waits outside until somebody lets it in."""
        self.setup = read_setup(self.kept.setup)
        self.looks = lobbies.looks(strict_json.loads(self.kept.looks, LONGEST_LOBBY), self.setup)
        whole = Records()
        self.promised = self.promised or PROMISE in records  # of any game at this table: its tokens stay the same
        for text in records[self.kept.since :]:
            whole.add(strict_json.loads(text, LONGEST_LOBBY * 100))
        if not (welcome or whole.entries or self.keys.lock in self.setup.locks):
            self.late.ask_in()
            return
        seed = int.from_bytes(self.world.random(8), "big")
        found = whole.kept()._replace(promised=self.promised)
        self.game = Game(self, self.keys, self.setup, self.looks, found, self.world, seed)
        self.game.start()
        self.tokens.claim(self.rejoin or self.tokens.kept_by_bots())
        self.show()
        self.changed()

    def show(self) -> None:
        """The page sees what is new in the game."""
        game = self.game
        if game is None or self.late.hurries:
            return
        came = game.came()
        if came is None:
            self.world.tell("begun", game.begun(self.name))
        elif any(came.entries.values()):
            self.world.tell("came", came._replace(news=self._fresh()))

    # The game's ports

    def now(self) -> int:
        return self.world.now()

    async def sign(self, data: bytes) -> str:
        return await self.world.sign(self.keys, data)

    async def proven(self, claims: Sequence[Claim]) -> bool:
        return await self.world.proven(claims)

    async def keep(self, records: list[list[Any]]) -> None:
        await keep(self, records)

    def here(self) -> list[str]:
        return [lock for lock, line in self.lines.lines.items() if not line.muted and self.state(lock) != "gone"]

    def send_frame(self, lock: str, data: bytes) -> None:
        line = self.lines.lines.get(lock)
        if line is not None:
            self.send(line, ["f", data.decode()])

    def told(self, tell: Tell) -> None:
        game = self.game
        if game is None or self._over:
            return
        if tell.what == "applied":
            self.late.heard()
            self.show()
        elif tell.what == "net.muted":
            line = self.lines.lines.get(game.lock_of(int(str(tell.values["device"]))))
            if line is None or not line.muted:  # else it was said
                self.world.tell("told", tell)
            if line is not None:
                self.lines.mute(line)
        else:
            self.world.tell("told", tell)
        self.rounds.turn()
        self.changed()

    def answer(self, seat: int, answer: Answer) -> None:
        if self.game is None:
            raise Refused("net.wait", seat=seat)
        self.game.answer(seat, answer)

    def keep_header(self) -> None:
        self.run(self.kept_now())

    async def kept_now(self) -> None:
        if self.replaced or (self.opener and self.endpoint is not None and not self.kept.token):
            return  # another window keeps it; or the table has no name yet
        try:
            await self.world.keep(self.kept.code, self.kept.text(), self.kept.records, [])
        except Unsafe:
            self.world.tell("unkept")

    # What the page shows

    def state(self, lock: str) -> str:
        line = self.lines.lines.get(lock)
        return line.state(self.world.now(), relay=self.lines.relay) if line is not None else "gone"

    def away(self, lock: str) -> int:
        """For how many minutes that device has not been heard."""
        line = self.lines.lines.get(lock)
        since = line.heard if line is not None else self.begun
        return (self.world.now() - since) // 60_000 if lock != self.keys.lock else 0

    def retire(self) -> None:
        """Another window has the seat."""
        self._over = self.replaced = True
        fall_silent(self)

    def changed(self) -> None:
        if self._over:
            return  # whoever left the table hears no more of it
        if self.endpoint is not None and self.endpoint.state == "replaced":
            self.retire()
            return
        news = self._fresh()
        if news is not None:
            self.world.tell("news", news)

    def _fresh(self) -> News | None:
        """The news, if there are any."""
        news = self.news()
        if news == self._news:
            return None
        self._news = news
        return news

    def news(self) -> News:
        return telling.news(self)
