"""A table by link, from the first guest to the last card: it connects lobby, channels and game.

No browser in here: `Environment` is the port to everything outside. The page gets a `News` whenever something has
changed; its commands come in through the methods, which raise `Refused` with a reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from engine import strict_json
from engine.core import Answer, Refused
from peer.channels import invite as invites
from peer.channels.channel import Channel
from peer.channels.channels import Channels
from peer.channels.endpoint import Endpoint
from peer.channels.invite import Invite
from peer.crypto.keys import Keys, SignedText, to_base64
from peer.device.driver import NotStored
from peer.device.journal import PROMISE, Journal
from peer.game.setup import Setup
from peer.game.setup import read as read_setup
from peer.order.outputs import Tell
from peer.table import lobby as lobbies
from peer.table import telling
from peer.table.admission import Admission
from peer.table.header import Header
from peer.table.lobby import LONGEST as LONGEST_LOBBY
from peer.table.lobby import Lobby
from peer.table.news import News
from peer.table.next_game import NextGame
from peer.table.one_window import fall_silent, keep
from peer.table.pairing import Pairing
from peer.table.ports import Environment
from peer.table.rejoin import RejoinTokens
from peer.table.running import RunningGame
from peer.table.seating import Seating

TICK = 500  # milliseconds
BUILDS = 4  # other versions of the page that are reported, at most


class Table:
    """A table by link on this device. Implements the ports of the channels, the endpoint and the game."""

    def __init__(self, world: Environment, keys: Keys, kept: Header, *, tokens: tuple[str, ...] = ()) -> None:
        self.env, self.keys, self.header = world, keys, kept
        self.rejoin = tokens  # of the rejoin link that was followed
        self.invite = Invite(kept.code, kept.secret)
        self.lobby = lobbies.read(kept.lobby) if kept.lobby else None
        self.game: RunningGame | None = None
        self.setup: Setup | None = None
        self.looks: tuple[tuple[str, str], ...] = ()
        self.reason = ""
        self.begun = world.now()  # when the table was opened on this page
        self.builds: set[str] = set()  # other versions of the page that knocked
        self.met_opener = False
        self.seating = Seating(self)
        self.pairing = Pairing(self)
        self.admission = Admission(self)
        self.tokens = RejoinTokens(self)
        self.next_game = NextGame(self)
        self.endpoint: Endpoint | None = None
        self.channels: Channels
        self._news: News | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._over = False
        self.replaced = False  # by another window
        self.promised = False  # not to go on alone: see `device/pair.py`

    # Start

    @classmethod
    def create(cls, world: Environment, make_keys: Callable[[bytes], Keys], lobby: Lobby) -> Table:
        """Returns a new table. An endpoint gives it another code; where there is none, the code drawn here stays."""
        seed = world.random(32)
        keys = make_keys(seed)
        secret = invites.new_secret(world.random(9), keys.verify_key, keys.seal_key)
        code_ = invites.new_code(world.random(8))
        return cls(world, keys, Header(code_, secret, to_base64(seed), lobby=lobby.text))

    @property
    def name(self) -> str:
        """The identifier of the present game: the table's code and the number of the game."""
        return f"{self.invite.code}.{self.setup.round if self.setup else 0}"

    @property
    def opener(self) -> bool:
        return self.invite.opened_by(self.keys.verify_key, self.keys.seal_key)

    def start(self, records: list[str] = ()) -> None:  # type: ignore[assignment]  # an empty list
        """Opens the channels, and resumes a game from its stored records. Raises `Refused` if they are damaged."""
        world = self.env
        self.channels = Channels(
            self.keys, self.invite.key, to_base64(world.random(16)), world.build, self, world.now, world.make
        )
        if world.dial is not None:
            fresh = self.opener and not self.header.token and not self.header.setup
            self.endpoint = Endpoint(world.dial, self, "" if fresh else self.header.code, self.header.token or None)
            self.channels.endpoint = self.endpoint
            self.endpoint.open(world.now())
        self.changed()
        if self.header.setup:
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
            self.channels.count(error)
        elif error is not None:
            self.env.tell("fault", error)

    async def _live(self) -> None:
        """Runs the table's clock until the table is left: ticks, and keeps the endpoint's queue moving."""
        tick = 0
        while not self._over:
            now = self.env.now()
            wait = TICK
            if self.endpoint is not None:
                self.endpoint.tick(now)
                wait = min(wait, self.endpoint.pump(now) - now)
            if now >= tick:
                tick = now + TICK
                try:
                    self._tick()
                except Refused as refused:  # an error must not stop the clock
                    self.channels.count(refused)
            await asyncio.sleep(max(wait, 20) / 1000)

    def _tick(self) -> None:
        self.channels.tick()
        self.seating.tick()
        self.admission.tick()
        self.next_game.turn()
        self.changed()

    def hurry(self) -> None:
        """Checks all connections at once: the page is visible again, or the network is back."""
        if self.endpoint is not None:
            self.endpoint.hurry(self.env.now())
        self.channels.hurry()
        self.channels.tick()

    def hush(self) -> None:
        """Stops the clock and the news: the page does not show the table any more."""
        self._over = True

    def leave(self) -> None:
        """Leaves the table, because the page is being closed: says good-bye to all devices at once."""
        self.hush()
        self.seating.tick()
        if self.game is not None:
            self.game.stop()
        self.channels.leave()
        if self.endpoint is not None:
            self.endpoint.pump(self.env.now())
            self.endpoint.close()

    @property
    def closed(self) -> bool:
        """Returns True if the table was left, or another window has taken over."""
        return self._over

    # The endpoint

    def holds(self) -> bool:
        return self.opener or bool(self.header.setup)

    def seated(self) -> None:
        point = self.endpoint
        if point is None or point.token is None:
            return
        self.channels.entered()
        if self.header.token != point.token or self.header.code != point.code:
            self.header.token = point.token
            if self.header.code != point.code:  # the endpoint has given the table its code
                self.header.code = point.code
                self.invite = Invite(point.code, self.header.secret)
                self.channels.key = self.invite.key
            self.keep_header()
        self.changed()

    def came(self, seat: int) -> None:
        self.channels.greet(seat)
        self._pump()

    def went(self, seat: int) -> None:
        self.channels.went(seat)

    def said(self, seat: int, text: str) -> None:
        self.channels.said(seat, text)
        self._pump()

    def _pump(self) -> None:
        if self.endpoint is not None:
            self.endpoint.pump(self.env.now())

    # Devices

    def met(self, line: Channel) -> None:
        if self.invite.opened_by(line.verify_key, line.seal_key):
            self.met_opener = True
        if line.by_code:
            self.pairing.replied = ""
        if self.setup is not None:
            self.send(line, ["start", self.header.setup, self.header.looks, self.header.signature])
            if self.game is not None:
                self.game.met(line.seal_key)
        elif self.opener and self.lobby is not None:
            self.send(line, ["table", self.lobby.text])

    def left(self, line: Channel) -> None:
        """Ignores a good-bye, which may be a reload: the seat stays with its device."""

    def stranger(self, build: str) -> None:
        if not self.met_opener and not self.opener:
            self.reason = "net.reload"
        if build not in self.builds and len(self.builds) < BUILDS:  # each is reported once
            self.builds.add(build)
            self.env.tell("stranger")

    def muted(self, line: Channel, why: str) -> None:
        device = self.game.number_of(line.seal_key) if self.game is not None else -1
        self.env.tell(
            "told", Tell("net.muted", {"device": device, "why": why, "who": self.seating.name(line.seal_key)})
        )

    def missed(self) -> None:
        """Reports that nobody connected by the pairing codes."""
        self.pairing.replied = ""
        self.env.tell("told", Tell("net.code_late", {}))
        self.changed()

    def belongs(self, lock: str) -> bool:
        if self.game is not None:
            return self.game.number_of(lock) >= 0
        if self.setup is not None:
            return lock in self.setup.seal_keys
        return self.seating.holds(lock)

    def send(self, line: Channel, message: list[Any]) -> None:
        self.channels.send(line, message)
        self._pump()

    def everybody(self, message: list[Any]) -> None:
        for line in self.channels.by_key.values():
            self.send(line, message)

    def message(self, line: Channel, message: list[Any]) -> None:
        """Handles a message from another device. Raises `Refused` for messages that no honest device sends; these are
        counted on the channel."""
        match message:
            case ["f", str(data)]:
                if self.game is not None and not self.next_game.other(data):
                    self.game.receive(line.seal_key, data.encode("utf-8", "replace"))
            case ["start", str(text), str(looks), str(signature)]:
                self.next_game.heard(text, looks, signature)
            case ["join", str(signature), *permits]:
                self.admission.let_in(line, signature, permits)
            case ["in", missing]:
                self.admission.told(line, missing)
            case ["full"]:
                self.admission.full(line)
            case _:
                self.seating.message(line, message)

    # The game

    def seat_down(self, records: list[str], *, welcome: bool = False) -> None:
        """Begins the game, or resumes it from its stored records. A device that came later asks to be let in instead,
        unless that has been done (`welcome`). Raises `Refused` if the records are damaged."""
        self.setup = read_setup(self.header.setup)
        self.looks = lobbies.looks(strict_json.loads(self.header.looks, LONGEST_LOBBY), self.setup)
        whole = Journal()
        self.promised = self.promised or PROMISE in records  # in any game at this table: its tokens stay the same
        for text in records[self.header.since :]:
            whole.add(strict_json.loads(text, LONGEST_LOBBY * 100))
        if not (welcome or whole.entries or self.keys.seal_key in self.setup.seal_keys):
            self.admission.ask_in()
            return
        seed = int.from_bytes(self.env.random(8), "big")
        found = whole.snapshot()._replace(promised=self.promised)
        self.game = RunningGame(self, self.keys, self.setup, self.looks, found, self.env, seed)
        self.game.start()
        self.tokens.claim(self.rejoin or self.tokens.kept_by_bots())
        self.show()
        self.changed()

    def show(self) -> None:
        """Gives the page what is new in the game."""
        game = self.game
        if game is None or self.admission.hurries:
            return
        came = game.came()
        if came is None:
            self.env.tell("begun", game.begun(self.name))
        elif any(came.entries.values()):
            self.env.tell("came", came._replace(news=self._fresh()))

    # The game's ports

    def now(self) -> int:
        return self.env.now()

    async def sign(self, data: bytes) -> str:
        return await self.env.sign(self.keys, data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return await self.env.proven(claims)

    async def keep(self, records: list[list[Any]]) -> None:
        await keep(self, records)

    def here(self) -> list[str]:
        return [lock for lock, line in self.channels.by_key.items() if not line.muted and self.state(lock) != "gone"]

    def send_frame(self, lock: str, data: bytes) -> None:
        line = self.channels.by_key.get(lock)
        if line is not None:
            self.send(line, ["f", data.decode()])

    def told(self, tell: Tell) -> None:
        game = self.game
        if game is None or self._over:
            return
        if tell.what == "applied":
            self.admission.heard()
            self.show()
        elif tell.what == "net.muted":
            line = self.channels.by_key.get(game.lock_of(int(str(tell.values["device"]))))
            if line is None or not line.muted:  # else it was reported when the channel was muted
                self.env.tell("told", tell)
            if line is not None:
                self.channels.mute(line)
        else:
            self.env.tell("told", tell)
        self.next_game.turn()
        self.changed()

    def answer(self, seat: int, answer: Answer) -> None:
        if self.game is None:
            raise Refused("net.wait", seat=seat)
        self.game.answer(seat, answer)

    def keep_header(self) -> None:
        self.run(self.kept_now())

    async def kept_now(self) -> None:
        if self.replaced or (self.opener and self.endpoint is not None and not self.header.token):
            return  # another window stores it, or the table has no code yet
        try:
            await self.env.keep(self.header.code, self.header.text(), self.header.records, [])
        except NotStored:
            self.env.tell("unkept")

    # What the page shows

    def state(self, lock: str) -> str:
        line = self.channels.by_key.get(lock)
        return line.state(self.env.now(), relay=self.channels.relay) if line is not None else "gone"

    def away(self, lock: str) -> int:
        """Returns the whole minutes for which that device has not been heard."""
        line = self.channels.by_key.get(lock)
        since = line.heard if line is not None else self.begun
        return (self.env.now() - since) // 60_000 if lock != self.keys.seal_key else 0

    def retire(self) -> None:
        """Stops this window: another one has taken over the table."""
        self._over = self.replaced = True
        fall_silent(self)

    def changed(self) -> None:
        if self._over:
            return  # the page does not show this table any more
        if self.endpoint is not None and self.endpoint.state == "replaced":
            self.retire()
            return
        news = self._fresh()
        if news is not None:
            self.env.tell("news", news)

    def _fresh(self) -> News | None:
        """Returns the news if they differ from those returned before, else None."""
        news = self.news()
        if news == self._news:
            return None
        self._news = news
        return news

    def news(self) -> News:
        return telling.news(self)
