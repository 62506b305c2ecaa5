"""A page at a table by link, without a browser: the real update and view, with every view diffed as if displayed."""

from __future__ import annotations

import asyncio
from typing import Any

from engine import notation
from engine.bots import choose
from engine.core import Refused
from peer.channels import invite
from peer.table.commands import (
    Command,
    Forget,
    GiveAway,
    Leave,
    MakeReply,
    OpenTable,
    Reload,
    Scan,
    Share,
    ShowQr,
    Visit,
    carry_out,
    seat_opener,
    stand_up,
)
from peer.table.news import Event, Refusal
from peer.table.pairing import leads_elsewhere
from tests.peer.simulation.in_memory import Network, SimDevice
from tests.ui.boards.games import all_nodes
from tests.ui.first_screen import english
from ui.html.diff import Mirror
from ui.html.tree import Node, plain
from ui.loop import is_first_result, update
from ui.messages import Address, Msg, RoomRequest, SaveAndOpen, Think, Wait
from ui.model import Model
from ui.selectors import context
from ui.update import lobby as setup
from ui.view.page import view

TEXTS = english()


class Page(SimDevice):
    """A device whose events go to a real page model."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.model = Model(TEXTS, setup.first_setup(TEXTS, ()), ready=True)
        self.address = ""
        self.take_overs: list[SaveAndOpen] = []
        self.mirror = Mirror(Node("div", {}, (), "", None))
        self.shown = view(self.model)  # drawn once for each message, however often a test looks at it
        self.last_searched: Node | None = None
        self.errors: list[BaseException] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def tell(self, event: Event) -> None:
        super().tell(event)
        self.receive_event(event)

    def receive_event(self, event: Event) -> None:
        """Gives the page an event, of the table or of the browser."""
        self.send("room.event", data=event)

    def send(self, do: str, arg: str = "", value: str = "", data: Any = None) -> None:
        msg = Msg(do, arg, value, data)
        self.model, commands = update(self.model, msg)
        assert not is_first_result(msg) or self.model.ready
        self.shown = view(self.model)
        self.mirror.diff(self.shown)
        for command in commands:
            task = self.context.copy().run(asyncio.get_running_loop().create_task, self._run(command))
            self._tasks.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.errors.append(error)

    async def _run(self, command: Any) -> None:
        match command:
            case RoomRequest(at_table, _):
                try:
                    await self._run_room_command(at_table)
                except Refused as refused:
                    self.receive_event(Refusal(refused, type(at_table)))
            case Wait(milliseconds, turn):
                await asyncio.sleep(milliseconds / 10_000)
                self.send("rested", data=turn)
            case Think(session, seat, level, seed, turn):
                self.send("thought", data=(turn, seat, choose(session, seat, level, seed)))
            case SaveAndOpen():
                self.take_overs.append(command)
            case Address(fragment, _):
                self.address = fragment

    async def _run_room_command(self, command: Command) -> None:
        match command:
            case OpenTable(lobby):
                self.open_table(lobby)
                seat_opener(self.table)
            case Visit(fragment):
                self.visit(fragment)
            case MakeReply(text, followed):
                target, offer = invite.read_offer(text)
                if leads_elsewhere(getattr(self, "table", None), target, followed=followed):
                    self.visit(target.fragment)
                await self.table.pairing.make_reply(offer)
            case Leave():
                stand_up(self.table)
                self.table.leave()
            case Forget() | Scan() | Share() | ShowQr() | GiveAway() | Reload():
                return
            case _:
                await carry_out(self.table, command)

    # Actions of a person

    @property
    def text(self) -> str:
        return plain(self.shown)

    def answer(self) -> bool:
        """Gives a random answer, if this page asks for one; if the curtain is shown, lifts it instead. Returns True if
        an answer was given."""
        play = self.model.play
        if play is None or self.last_searched is self.shown:  # it asks for nothing else than at the last call
            return False
        self.last_searched = self.shown
        lift = next((node for node in all_nodes(self.shown) if node.attrs.get("data-do") == "lift"), None)
        if lift is not None:
            self.send("lift", lift.attrs["data-arg"])
            return False
        ctx = context(play, TEXTS)
        if not ctx.answers:
            return False
        answer = self.network.rnd.choice(ctx.answers)
        self.send("answer", notation.text(play.session.game.WORDS, answer))
        return True
