"""A table by link, from the first guest to the last card: it connects lobby, channels and game.

No browser in here: `Environment` is the port to everything outside. The page gets a `News` whenever something has
changed; its commands come in through the methods, which raise `Refused` with a reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from engine import strict_json
from engine.core import Answer, Nonsense, Refused
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
from peer.order.outputs import Applied, Muted, Tell
from peer.table import lobby as lobbies
from peer.table import telling
from peer.table.admission import Admission
from peer.table.header import Header
from peer.table.lobby import Lobby
from peer.table.news import Fault, HeaderNotStored, News, PairingMissed, Stranger
from peer.table.next_game import NextGame
from peer.table.one_window import silence_window, store_records
from peer.table.pairing import Pairing
from peer.table.ports import Environment
from peer.table.rejoin import RejoinTokens
from peer.table.running import RunningGame
from peer.table.seating import Seating
from peer.wire.messages import (
    MAX_LOBBY,
    Admitted,
    GameFrame,
    Join,
    LobbyUpdate,
    Message,
    Start,
    TableFull,
    TableMessage,
)

TICK = 500  # milliseconds
MAX_BUILDS = 4  # other versions of the page that are reported, at most


class Table:
    """A table by link on this device. Implements the ports of the channels, the endpoint and the game."""

    def __init__(self, env: Environment, keys: Keys, header: Header, *, tokens: tuple[str, ...] = ()) -> None:
        self.env, self.keys, self.header = env, keys, header
        self.link_tokens = tokens  # of the rejoin link that was followed
        self.invite = Invite(header.code, header.secret)
        self.lobby = lobbies.read(header.lobby) if header.lobby else None
        self.game: RunningGame | None = None
        self.setup: Setup | None = None
        self.looks: tuple[tuple[str, str], ...] = ()
        self.reason = ""
        self.opened_at = env.now()  # when the table was opened on this page
        self.other_builds: set[str] = set()  # other versions of the page that knocked
        self.met_opener = False
        self.seating = Seating(self)
        self.pairing = Pairing(self)
        self.admission = Admission(self)
        self.tokens = RejoinTokens(self)
        self.next_game = NextGame(self)
        self.endpoint: Endpoint | None = None
        self.channels: Channels
        self._news: News | None = None  # as the page was last given it
        self._report_due = False  # something has changed that the page was not told yet
        self._game_due = False  # and the game has, too
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self.replaced = False  # by another window
        self.gave_up_alone = False  # True if this device has promised not to go on alone: see `device/pair.py`

    # Start

    @classmethod
    def create(cls, env: Environment, make_keys: Callable[[bytes], Keys], lobby: Lobby) -> Table:
        """Returns a new table. An endpoint gives it another code; where there is none, the code drawn here stays."""
        seed = env.random(32)
        keys = make_keys(seed)
        secret = invites.new_secret(env.random(9), keys.verify_key, keys.seal_key)
        code = invites.new_code(env.random(8))
        return cls(env, keys, Header(code, secret, to_base64(seed), lobby=lobby.text))

    @property
    def game_id(self) -> str:
        """The identifier of the present game: the table's code and the number of the game."""
        return f"{self.invite.code}.{self.setup.round if self.setup else 0}"

    @property
    def opener(self) -> bool:
        return self.invite.opened_by(self.keys.verify_key, self.keys.seal_key)

    def start(self, records: list[str] = ()) -> None:  # type: ignore[assignment]  # an empty list
        """Opens the channels, and resumes a game from its stored records. Raises `Refused` if they are damaged."""
        env = self.env
        self.channels = Channels(
            self.keys, self.invite.greeting_key, to_base64(env.random(16)), env.build, self, env.now, env.make
        )
        if env.dial is not None:
            unnamed = self.opener and not self.header.token and not self.header.setup
            self.endpoint = Endpoint(env.dial, self, "" if unnamed else self.header.code, self.header.token or None)
            self.channels.endpoint = self.endpoint
            self.endpoint.open(env.now())
        self.changed()
        self._report()  # at once: the page shows the table from now on
        if self.header.setup:
            self.start_game(records)
        self.run(self._run_clock())

    def run(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Nonsense | Refused):
            self.channels.count_refusal(error)
        elif error is not None:
            self.env.tell(Fault(error))

    async def _run_clock(self) -> None:
        """Runs the table's clock until the table is left: ticks, and keeps the endpoint's queue moving."""
        next_tick = 0
        while not self._closed:
            now = self.env.now()
            wait = TICK
            if self.endpoint is not None:
                self.endpoint.tick(now)
                wait = min(wait, self.endpoint.pump(now) - now)
            if now >= next_tick:
                next_tick = now + TICK
                try:
                    self._tick()
                except (Nonsense, Refused) as refused:  # an error must not stop the clock
                    self.channels.count_refusal(refused)
            await asyncio.sleep(max(wait, 20) / 1000)

    def _tick(self) -> None:
        self.channels.tick()
        self.seating.tick()
        self.admission.tick()
        self.next_game.tick()
        self.changed()

    def hurry(self) -> None:
        """Checks all connections at once: the page is visible again, or the network is back."""
        if self.endpoint is not None:
            self.endpoint.hurry(self.env.now())
        self.channels.hurry()
        self.channels.tick()

    def stop(self) -> None:
        """Stops the clock and the news: the page does not show the table any more."""
        self._closed = True

    def leave(self) -> None:
        """Leaves the table, because the page is being closed: says good-bye to all devices at once."""
        self.stop()
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
        return self._closed

    # The endpoint

    def keeps_table(self) -> bool:
        return self.opener or bool(self.header.setup)

    def room_joined(self) -> None:
        point = self.endpoint
        if point is None or point.token is None:
            return
        self.channels.room_joined()
        if self.header.token != point.token or self.header.code != point.code:
            self.header.token = point.token
            if self.header.code != point.code:  # the endpoint has given the table its code
                self.header.code = point.code
                self.invite = Invite(point.code, self.header.secret)
                self.channels.key = self.invite.greeting_key
            self.store_header_soon()
        self.changed()

    def slot_taken(self, slot: int) -> None:
        self.channels.greet(slot)
        self._pump()

    def slot_left(self, slot: int) -> None:
        self.channels.slot_left(slot)

    def receive_from_slot(self, slot: int, text: str) -> None:
        self.channels.receive_from_slot(slot, text)
        self._pump()

    def _pump(self) -> None:
        if self.endpoint is not None:
            self.endpoint.pump(self.env.now())

    # Devices

    def device_connected(self, channel: Channel) -> None:
        if self.invite.opened_by(channel.verify_key, channel.seal_key):
            self.met_opener = True
        if channel.by_code:
            self.pairing.reply_code = ""
        if self.setup is not None:
            self.send(channel, Start(self.header.setup, self.header.looks, self.header.signature))
            if self.game is not None:
                self.game.greet(channel.seal_key)
        elif self.opener and self.lobby is not None:
            self.send(channel, LobbyUpdate(self.lobby.text))

    def device_left(self, channel: Channel) -> None:
        """Ignores a good-bye, which may be a reload: the seat stays with its device."""

    def other_version(self, build: str) -> None:
        if not self.met_opener and not self.opener:
            self.reason = "net.reload"
        if build not in self.other_builds and len(self.other_builds) < MAX_BUILDS:  # each is reported once
            self.other_builds.add(build)
            self.env.tell(Stranger())

    def device_muted(self, channel: Channel, why: str) -> None:
        device = self.game.number_of(channel.seal_key) if self.game is not None else -1
        who = self.seating.names_of(channel.seal_key)
        self.env.tell(Muted(device, why, who))

    def pairing_missed(self) -> None:
        """Reports that nobody connected by the pairing codes."""
        self.pairing.reply_code = ""
        self.env.tell(PairingMissed())
        self.changed()

    def is_member(self, seal_key: str) -> bool:
        if self.game is not None:
            return self.game.number_of(seal_key) >= 0
        if self.setup is not None:
            return seal_key in self.setup.seal_keys
        return self.seating.has_seat(seal_key)

    def send(self, channel: Channel, message: Message) -> None:
        self.channels.send(channel, message)
        self._pump()

    def broadcast(self, message: Message) -> None:
        for channel in self.channels.by_key.values():
            self.send(channel, message)

    def message(self, channel: Channel, message: TableMessage) -> None:
        """Handles a message from another device. Raises `Nonsense` for messages that no honest device sends, and
        `Refused` for a lobby or records that this page cannot use; both are counted on the channel."""
        match message:
            case GameFrame(data):
                if self.game is not None and not self.next_game.belongs_elsewhere(data):
                    self.game.receive(channel.seal_key, data.encode("utf-8", "replace"))
            case Start():
                self.next_game.on_start(message)
            case Join(signature, permits):
                self.admission.on_request(channel, signature, permits)
            case Admitted(missing):
                self.admission.on_admitted(channel, missing)
            case TableFull():
                self.admission.on_full(channel)
            case _:
                self.seating.on_message(channel, message)

    # The game

    def start_game(self, records: list[str], *, admitted: bool = False) -> None:
        """Begins the game, or resumes it from its stored records. A device that came later asks to be let in instead,
        unless that has been done (`admitted`). Raises `Refused` if the records are damaged."""
        journal = Journal()
        try:
            self.setup = read_setup(self.header.setup)
            self.looks = lobbies.read_looks(strict_json.loads(self.header.looks, MAX_LOBBY), self.setup)
            for text in records[self.header.since :]:
                journal.add(strict_json.loads(text, MAX_LOBBY * 100))
        except Nonsense as nonsense:
            raise Refused("net.kept") from nonsense
        self.gave_up_alone = (
            self.gave_up_alone or PROMISE in records
        )  # in any game at this table: its tokens stay the same
        if not (admitted or journal.entries or self.keys.seal_key in self.setup.seal_keys):
            self.admission.request_admission()
            return
        seed = int.from_bytes(self.env.random(8), "big")
        snapshot = journal.snapshot()._replace(gave_up_alone=self.gave_up_alone)
        self.game = RunningGame(self, self.keys, self.setup, self.looks, snapshot, self.env, seed)
        self.game.start()
        self.tokens.claim(self.link_tokens or self.tokens.tokens_of_bot_seats())
        self.show_game()
        self.changed()

    def show_game(self) -> None:
        """Gives the page what is new in the game, like `changed`."""
        self._game_due = True
        self.changed()

    # The game's ports

    def now(self) -> int:
        return self.env.now()

    async def sign(self, data: bytes) -> str:
        return await self.env.sign(self.keys, data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return await self.env.proven(claims)

    async def keep(self, records: list[list[Any]]) -> None:
        await store_records(self, records)

    def reachable(self) -> list[str]:
        return [
            seal_key
            for seal_key, channel in self.channels.by_key.items()
            if not channel.muted and self.state(seal_key) != "gone"
        ]

    def send_frame(self, seal_key: str, data: bytes) -> None:
        channel = self.channels.by_key.get(seal_key)
        if channel is not None:
            self.send(channel, GameFrame(data.decode()))

    def on_tell(self, tell: Tell) -> None:
        game = self.game
        if game is None or self._closed:
            return
        match tell:
            case Applied():
                self.admission.on_applied()
                self.show_game()
            case Muted(device):
                self._report()  # first what has changed before it
                channel = self.channels.by_key.get(game.seal_key_of(device))
                if channel is None or not channel.muted:  # else it was reported when the channel was muted
                    self.env.tell(tell)
                if channel is not None:
                    self.channels.mute(channel)
            case _:
                self._report()  # likewise
                self.env.tell(tell)
        self.next_game.tick()
        self.changed()

    def answer(self, seat: int, answer: Answer) -> None:
        if self.game is None:
            raise Refused("net.wait", seat=seat)
        self.game.answer(seat, answer)

    def store_header_soon(self) -> None:
        self.run(self.store_header())

    async def store_header(self) -> None:
        if self.replaced or (self.opener and self.endpoint is not None and not self.header.token):
            return  # another window stores it, or the table has no code yet
        try:
            await self.env.keep(self.header.code, self.header.text(), self.header.records, [])
        except NotStored:
            self.env.tell(HeaderNotStored())

    # What the page shows

    def state(self, seal_key: str) -> str:
        channel = self.channels.by_key.get(seal_key)
        return channel.state(self.env.now(), relay=self.channels.relay) if channel is not None else "gone"

    def minutes_away(self, seal_key: str) -> int:
        """Returns the whole minutes for which that device has not been heard."""
        channel = self.channels.by_key.get(seal_key)
        since = channel.heard_at if channel is not None else self.opened_at
        return (self.env.now() - since) // 60_000 if seal_key != self.keys.seal_key else 0

    def retire(self) -> None:
        """Stops this window: another one has taken over the table."""
        self._closed = self.replaced = True
        silence_window(self)

    def changed(self) -> None:
        """Tells the page what has changed, in the next turn of the event loop: once for all changes until then."""
        if self._closed:
            return  # the page does not show this table any more
        if self.endpoint is not None and self.endpoint.state == "replaced":
            self.retire()
            return
        if not self._report_due:
            self._report_due = True
            self.run(self._report_soon())

    async def _report_soon(self) -> None:
        self._report()

    def _report(self) -> None:
        """Tells the page what has changed since the last report; the news come together with the new entries."""
        if self._closed or not self._report_due:
            return
        game = self.game if self._game_due and not self.admission.catching_up else None
        self._report_due = self._game_due = False
        news = self._changed_news()
        if game is not None:
            came = game.new_entries()
            if came is None:
                self.env.tell(game.game_started(self.game_id))
            elif any(came.entries.values()):
                self.env.tell(came._replace(news=news))
                return
        if news is not None:
            self.env.tell(news)

    def _changed_news(self) -> News | None:
        """Returns the news if they differ from those returned before, else None."""
        news = self.news()
        if news == self._news:
            return None
        self._news = news
        return news

    def news(self) -> News:
        return telling.news(self)
