"""A table by link, from the first guest to the last card: it connects lobby, channels and game.

`Table.phase` says what the table is doing. Parts that only decide, `JoinRequests` and `NextGame`, get values, and the
table carries out what they return. The other parts, such as `Seating` and `LayingOut`, get the table and act on it.

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
from peer.channels.invite import Invite
from peer.crypto.keys import Keys, to_base64
from peer.device.driver import NotStored
from peer.device.journal import GAVE_UP_RECORD, Journal
from peer.game.setup import Setup
from peer.game.setup import read as read_setup
from peer.game.types import permit_of
from peer.order.outputs import Applied, Muted, Tell
from peer.table import lobby as lobbies
from peer.table import telling
from peer.table.admission import Admission
from peer.table.connections import Connections
from peer.table.header import Header
from peer.table.joining import JoinRequests, request_text
from peer.table.laying_out import LayingOut, read_looks, verified
from peer.table.lobby import Lobby
from peer.table.news import Fault, HeaderNotStored, News, OtherVersion, PairingMissed, Refusal
from peer.table.next_game import NextGame, Pending
from peer.table.one_window import NUMBER_TAKEN, store
from peer.table.pairing import Pairing
from peer.table.phase import (
    Entered,
    InLobby,
    Knocking,
    Left,
    Over,
    Phase,
    Playing,
    Replaced,
    Waiting,
    game_of,
    lobby_of,
    setup_of,
)
from peer.table.ports import Environment
from peer.table.rejoin import RejoinTokens
from peer.table.running import RunningGame
from peer.table.seating import Seating
from peer.wire.messages import (
    MAX_LOBBY,
    GameFrame,
    Join,
    JoinAnswer,
    LobbyMessage,
    LobbyUpdate,
    RequestRefused,
    Sit,
    Stand,
    Start,
    TableFull,
    TableMessage,
)

TICK = 500  # milliseconds
BROADCAST_PAUSE = 300  # milliseconds between two broadcasts of the lobby, however many requests come
MAX_BUILDS = 4  # other versions of the page that are reported, at most


class Table:
    """A table by link on this device. Implements the ports of the channels, the endpoint and the game."""

    def __init__(self, env: Environment, keys: Keys, header: Header, *, tokens: tuple[str, ...] = ()) -> None:
        self.env, self.keys, self.header = env, keys, header
        self._phase: Entered = InLobby(lobbies.read(header.lobby)) if header.lobby else Knocking()
        self.no_entry_reason = ""  # why this device cannot come in, as the key of a text; "" if nothing is known
        self.connections = Connections(env, keys, header.invite, self)
        self.channels = self.connections.channels
        self.other_builds: set[str] = set()  # other versions of the page that knocked
        self.met_opener = False
        self.seating = Seating(self)
        self.laying_out = LayingOut(self)
        self.next_game = NextGame()
        self.pairing = Pairing(self)
        self.admission = Admission(self)
        self.join_requests = JoinRequests(env.now())
        self.tokens = RejoinTokens(self, tokens)
        self._broadcast_due = False  # the lobby has changed since its last broadcast
        self._broadcast_at = -BROADCAST_PAUSE  # time of the last broadcast
        self._news: News | None = None  # as the page was last given it
        self._report_due = False  # something has changed that the page was not told yet
        self._game_due = False  # and the game has, too
        self._tasks: set[asyncio.Task[Any]] = set()
        self.gave_up_alone = False  # True if this device has given up going on alone: see `device/pair.py`

    # Start

    @classmethod
    def create(cls, env: Environment, make_keys: Callable[[bytes], Keys], lobby: Lobby) -> Table:
        """Returns a new table. An endpoint gives it another code; where there is none, the code drawn here stays."""
        seed = env.random(32)
        keys = make_keys(seed)
        secret = invites.new_secret(env.random(9), keys.verify_key, keys.seal_key)
        code = invites.new_code(env.random(8))
        return cls(env, keys, Header(code, secret, to_base64(seed), lobby=lobby.text))

    # What this table is

    @property
    def phase(self) -> Phase:
        """The present phase. `Over` is never entered, but follows from the game: its last entries can be taken back."""
        match self._phase:
            case Playing(game, lobby) if game.over:
                return Over(game, lobby)
        return self._phase

    @property
    def closed(self) -> bool:
        """Returns True if the table was left, or another window has taken over."""
        return isinstance(self._phase, Left | Replaced)

    @property
    def lobby(self) -> Lobby | None:
        return lobby_of(self._phase)

    @property
    def game(self) -> RunningGame | None:
        return game_of(self._phase)

    @property
    def setup(self) -> Setup | None:
        return setup_of(self._phase)

    @property
    def game_id(self) -> str:
        """The identifier of the present game: the table's code and the number of the game."""
        return f"{self.invite.code}.{self.setup.round if self.setup else 0}"

    @property
    def invite(self) -> Invite:
        return self.connections.invite

    @property
    def opener(self) -> bool:
        """Returns True if this device has opened the table."""
        return self.invite.opened_by(self.keys.verify_key, self.keys.seal_key)

    def start(self, records: Sequence[str] = ()) -> None:
        """Connects to the endpoint, and resumes a stored game. Raises `Refused` if its records are damaged."""
        start = self.header.start
        is_new = self.opener and not self.header.token and start is None
        self.connections.dial("" if is_new else self.invite.code, self.header.token or None)
        self.changed()
        self._report()  # at once: the page shows the table from now on
        if start is not None:
            try:
                setup = read_setup(start.setup)
                looks = read_looks(start, setup)
            except Nonsense as nonsense:
                raise Refused("net.kept") from nonsense
            self._phase = waiting = Waiting(setup, looks, self.lobby)
            self._start_game(waiting, records)
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
        while not self.closed:
            now = self.env.now()
            wait = min(TICK, self.connections.tick_endpoint())
            if now >= next_tick:
                next_tick = now + TICK
                try:
                    self._tick()
                except (Nonsense, Refused) as refused:  # an error must not stop the clock
                    self.channels.count_refusal(refused)
            await asyncio.sleep(max(wait, 20) / 1000)

    def _tick(self) -> None:
        self.channels.tick()
        self._broadcast_lobby()
        self._request_admission()
        if self.game is not None and self.game.has_just_caught_up():
            self.show_game()
        self._begin_next_game()
        self.changed()

    def hurry(self) -> None:
        """Checks all connections at once: the page is visible again, or the network is back."""
        self.connections.hurry()

    def leave(self) -> None:
        """Leaves the table, because the page is being closed or shows something else: stops the clock and the news, and
        says good-bye to all devices at once."""
        self._broadcast_lobby()
        if self.game is not None:
            self.game.stop()
        if not isinstance(self._phase, Replaced):
            self._phase = Left()
        self.connections.leave()

    # The endpoint

    def keeps_table(self) -> bool:
        return self.opener or self.header.start is not None

    def room_joined(self) -> None:
        point = self.connections.endpoint
        if point is None or point.token is None:
            return
        self.channels.room_joined()
        if self.header.enter_room(point.code, point.token):
            self.connections.set_invite(self.header.invite)
            self.store_header_soon()
        self.changed()

    def slot_taken(self, slot: int) -> None:
        self.channels.greet(slot)
        self.connections.pump()

    def slot_left(self, slot: int, *, flooded: bool) -> None:
        if flooded:
            self.channels.slot_flooded(slot)
        self.channels.slot_left(slot)

    def admit_from_slot(self, slot: int, texts: int, characters: int) -> bool:
        return self.channels.admit_from_slot(slot, texts, characters)

    def receive_from_slot(self, slot: int, text: str) -> None:
        self.channels.receive_from_slot(slot, text)
        self.connections.pump()

    # Devices

    def device_connected(self, channel: Channel) -> None:
        if self.connections.is_opener(channel):
            self.met_opener = True
        if channel.by_code:
            self.pairing.reply_code = ""
        match self._phase:
            case InLobby(lobby) if self.opener:
                self.connections.send(channel, LobbyUpdate(lobby.text))
            case Waiting() | Playing() if self.header.start is not None:
                self.connections.send(channel, self.header.start)
                if self.game is not None:
                    self.game.send_hi(channel.seal_key)

    def other_version(self, build: str) -> None:
        if not self.met_opener and not self.opener:
            self.no_entry_reason = "net.reload"
        if build not in self.other_builds and len(self.other_builds) < MAX_BUILDS:  # each is reported once
            self.other_builds.add(build)
            self.env.tell(OtherVersion())

    def device_muted(self, channel: Channel, reason: str) -> None:
        device = self.game.number_of(channel.seal_key) if self.game is not None else -1
        if self.game is not None and device >= 0:
            self.game.border.mute(device)
        who = ", ".join(self.lobby.names_of(channel.seal_key)) if self.lobby is not None else ""
        self.env.tell(Muted(device, reason, who))

    def pairing_missed(self) -> None:
        """Reports that nobody connected by the pairing codes."""
        self.pairing.reply_code = ""
        self.env.tell(PairingMissed())
        self.changed()

    def is_member(self, seal_key: str) -> bool:
        match self._phase:
            case InLobby(lobby):
                return any(spot.device == seal_key for spot in lobby.spots)
            case Waiting(setup):
                return seal_key in setup.seal_keys
            case Playing(game):
                return game.number_of(seal_key) >= 0
        return False

    def message(self, channel: Channel, message: TableMessage) -> None:
        """Handles a message from another device. Raises `Nonsense` for messages that no honest device sends, and
        `Refused` for a lobby that cannot be played here; both are counted on the channel. So is the `Nonsense` of
        messages whose signatures are checked later, in a task."""
        match message:
            case GameFrame(data):
                if self.game is not None and not self.next_game.belongs_elsewhere(data):
                    self.game.receive(channel.seal_key, data.encode("utf-8", "replace"))
            case Start(setup):
                if self.header.start is None or self.header.start.setup != setup:
                    self.run(self._begin_received_game(channel, message))
            case Join(signature, permits):
                self.admission.on_request(channel, signature, permits)
            case JoinAnswer(missing):
                self._on_join_answer(channel, missing)
            case TableFull():
                if isinstance(self._phase, Waiting):
                    self.join_requests.on_full(channel.seal_key, self.now())
                    self.no_entry_reason = "net.full"
                    self.changed()
            case _:
                self._on_lobby_message(channel, message)

    # The lobby

    def _on_lobby_message(self, channel: Channel, message: LobbyMessage) -> None:
        """Handles a message about the lobby. Raises `Nonsense` for messages that no honest device sends, and `Refused`
        for a lobby that cannot be played here."""
        from_opener = self.connections.is_opener(channel)
        match message:
            case LobbyUpdate(text) if from_opener:
                if isinstance(self._phase, Knocking | InLobby):
                    self._phase = InLobby(lobbies.read(text))
                    self.no_entry_reason = ""
                    self.changed()
            case RequestRefused(reason, values) if from_opener and self.seating.take_refusal():
                self.env.tell(Refusal(Refused(reason, **values)))
            case Sit() | Stand() if self.opener:
                self.seating.on_request(channel, message)
            case _:
                raise Nonsense("net.not_a_message")

    def replace_lobby(self, lobby: Lobby) -> None:
        """Replaces the lobby, and broadcasts it now or with a later tick. Only the opener may do this."""
        if lobby != self.lobby:
            self._phase, self.header.lobby, self._broadcast_due = InLobby(lobby), lobby.text, True
            if self.now() - self._broadcast_at >= BROADCAST_PAUSE:
                self._broadcast_lobby()

    def _broadcast_lobby(self) -> None:
        """Broadcasts and stores the lobby if it has changed."""
        match self._phase:
            case InLobby(lobby) if self._broadcast_due:
                self._broadcast_due, self._broadcast_at = False, self.now()
                self.store_header_soon()
                self.connections.broadcast(LobbyUpdate(lobby.text))
                self.changed()

    # Admission of this device

    def _request_admission(self) -> None:
        """Sends a join request if this device has to ask to be let in, and it is time for the next one."""
        reachable, online = self.connections.reachable(), self.channels.in_room
        self.join_requests.note_reachable(self.phase, reachable, self.now(), online=online)
        channel = self.join_requests.next_channel(self.phase, reachable, self.now())
        if channel is not None:
            self.run(self._send_join(channel))

    async def _send_join(self, channel: Channel) -> None:
        signature = await self.env.sign(self.keys, request_text(self.keys.seal_key).encode())
        self.connections.send(channel, Join(signature, tuple(map(permit_of, self.tokens.link_tokens))))

    def _on_join_answer(self, channel: Channel, missing: int) -> None:
        """Handles the answer to a join request. A device that was let in begins to listen to the log."""
        phase = self._phase
        if isinstance(phase, Waiting) or (isinstance(phase, Playing) and phase.game.unconfirmed):
            self.join_requests.on_answer(channel.seal_key, missing, self.now())
            if missing:
                self.changed()
            elif isinstance(phase, Waiting):
                self._start_game(phase, [], admitted=True)

    # The game

    async def begin_game(self, start: Start, lobby: Lobby | None = None) -> bool:
        """Begins the game that the opener signed, or keeps its setup until the present game is over. `lobby` is the one
        it was laid out from, if that was done here. Returns True if it has become the present game. Raises what
        `verified` raises."""
        setup, looks = await verified(start, self.invite, self.env.proven)
        phase = self.phase
        if self.closed or not self.next_game.may_begin(Pending(start, setup, lobby), phase, self.now()):
            return False
        ended = game_of(phase)
        self.next_game.begin(ended)
        self.laying_out.requested = False
        if ended is not None:
            self.gave_up_alone = ended.device.going_alone.gave_up
            self.tokens.link_tokens = ()  # the rejoin link that was followed was for that game
            ended.end()
        self._phase = waiting = Waiting(setup, looks, lobby if lobby is not None else lobby_of(phase))
        self.header.begin(start)
        if lobby is not None:
            self.header.lobby = lobby.text
        await self.store_header()
        if self._phase is waiting:  # another device may have let this one in meanwhile
            self._start_game(waiting, [])
        return self.header.start == start

    async def _begin_received_game(self, channel: Channel, start: Start) -> None:
        """Begins the game of a setup that another device sent. A forged one is counted on its channel."""
        try:
            await self.begin_game(start)
        except Nonsense as nonsense:
            self.channels.strike(channel, nonsense)

    def _begin_next_game(self) -> None:
        """Begins the game that waits for the end of the present one, or lays out the one the opener asked for."""
        pending = self.next_game.due(self.phase, self.now())
        if pending is not None and self.opener:
            self.run(self.laying_out.publish(pending.start, pending.lobby))
        elif pending is not None:
            self.run(self.begin_game(pending.start))
        self.laying_out.tick()

    def _start_game(self, waiting: Waiting, records: Sequence[str], *, admitted: bool = False) -> None:
        """Begins the game, or resumes it from its stored records. A device that came later asks to be let in instead,
        unless that has been done (`admitted`). Raises `Refused` if the records are damaged."""
        journal = Journal()
        # in any game at this table: its tokens stay the same
        self.gave_up_alone = self.gave_up_alone or GAVE_UP_RECORD in records
        try:
            for text in self.header.of_this_game(records):
                journal.add(strict_json.loads(text, MAX_LOBBY * 100))
        except Nonsense as nonsense:
            raise Refused("net.kept") from nonsense
        if not (admitted or journal.entries or self.keys.seal_key in waiting.setup.seal_keys):
            self._request_admission()
            return
        seed = int.from_bytes(self.env.random(8), "big")
        snapshot = journal.snapshot()._replace(gave_up_alone=self.gave_up_alone)
        until = self.join_requests.catch_up_until
        game = RunningGame(
            self, self.keys, waiting.setup, waiting.looks, snapshot, self.env, seed, catch_up_until=until
        )
        self._phase = Playing(game, waiting.lobby)
        self.no_entry_reason = ""
        game.start()
        self.tokens.claim(self.tokens.link_tokens or self.tokens.tokens_of_bot_seats())
        self.show_game()
        self.changed()

    def show_game(self) -> None:
        """Gives the page what is new in the game, like `changed`."""
        self._game_due = True
        self.changed()

    def now(self) -> int:
        return self.env.now()

    # The game's ports

    async def keep(self, records: list[list[Any]]) -> None:
        """Stores records of the game. Raises `NotStored`; if another window has taken over, this one also retires."""
        try:
            await store(self.header, self.env.keep, records)
        except NotStored as error:
            if error.reason == NUMBER_TAKEN:
                self.retire()
            raise

    def reachable(self) -> list[str]:
        return [channel.seal_key for channel in self.connections.reachable()]

    def send_frame(self, seal_key: str, data: bytes) -> None:
        channel = self.channels.by_key.get(seal_key)
        if channel is not None:
            self.connections.send(channel, GameFrame(data.decode()))

    def on_tell(self, tell: Tell) -> None:
        game = self.game
        if game is None:
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
        self._begin_next_game()
        self.changed()

    def answer(self, seat: int, answer: Answer) -> None:
        if self.game is None:
            raise Refused("net.wait", seat=seat)
        self.game.answer(seat, answer)

    def store_header_soon(self) -> None:
        self.run(self.store_header())

    async def store_header(self) -> None:
        if self.connections.awaits_code or isinstance(self._phase, Replaced):
            return  # the table has no code yet, or another window stores it
        try:
            await store(self.header, self.env.keep, [])
        except NotStored:
            self.env.tell(HeaderNotStored())

    # What the page shows

    def retire(self) -> None:
        """Stops this window: another one has taken over the table."""
        phase = self._phase
        if isinstance(phase, Replaced):
            return
        self._phase = Replaced(phase)
        game = game_of(phase)
        if game is not None:
            game.end()
        self.connections.cut()
        if not isinstance(phase, Left):
            self.env.tell(self.news())

    def changed(self) -> None:
        """Tells the page what has changed, in the next turn of the event loop: once for all changes until then."""
        if self.closed:
            return  # the page does not show this table any more
        if self.connections.replaced:
            self.retire()
            return
        if not self._report_due:
            self._report_due = True
            self.run(self._report_soon())

    async def _report_soon(self) -> None:
        self._report()

    def _report(self) -> None:
        """Tells the page what has changed since the last report; the news come together with the new entries."""
        if self.closed or not self._report_due:
            return
        game = self.game if self._game_due and self.game is not None and not self.game.catching_up else None
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
