"""The runner: carries out the commands, which is everything that has effects outside the model."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from js import Date, document, history, location, navigator, window

from engine import bots
from engine.core import Refused
from peer.browser.database import StoreFailed
from peer.browser.promises import Rejected, settled
from peer.table.commands import Leave
from ui.boards import PLAYABLE
from ui.browser.animator import Animator
from ui.browser.offline import Offline
from ui.browser.page import Page
from ui.browser.sound import Sounds
from ui.browser.store import Store
from ui.messages import (
    Address,
    Begin,
    Command,
    Copy,
    CopyLink,
    Delete,
    EndMotion,
    Focus,
    Keep,
    ListSaves,
    LoadNewerVersion,
    LoadTexts,
    Msg,
    Open,
    PlaySounds,
    Remember,
    ReplaySave,
    RoomRequest,
    SaveAndOpen,
    Think,
    Wait,
)
from ui.model import Damaged, Header
from ui.refusals import At, at_save, refusal
from ui.saves import saved_game
from ui.text.i18n import Texts

if TYPE_CHECKING:
    from peer.browser.rooms import Rooms

Send = Callable[[Msg], None]

RECORDS_PER_STEP = 20  # records that are replayed before other tasks get a turn, so that the page keeps responding


class Runner:
    """Carries out commands, and sends their results as messages."""

    def __init__(self, page: Page, animator: Animator, store: Store, send: Send) -> None:
        self.page, self.animator, self.store, self.send = page, animator, store, send
        self.offline = Offline(send)
        self.sounds = Sounds()
        self._rooms: Rooms | None = None  # once a table by link was used

    async def run(self, command: Command) -> None:  # noqa: C901  one case for each command
        match command:
            case Begin():
                await self._begin(command)
            case Keep():
                await self._keep(command)
            case SaveAndOpen(header, records):
                await self._take_over(header, records)
            case Think(session, seat, level, seed, turn):
                answer = bots.choose(session, seat, level, seed)
                self.send(Msg("thought", data=(turn, seat, answer)))
            case Wait(milliseconds, turn):
                await asyncio.sleep(milliseconds / 1000)
                self.send(Msg("rested", data=turn))
            case Open(game):
                await self._open(game)
            case ListSaves():
                await self._list()
                await self._tables()
            case ReplaySave(header):
                await self._peek(header)
            case Delete(game):
                await self._report_failure(self.store.delete(game))
            case Remember(settings, names):
                fields = {"settings": {n: getattr(settings, n) for n in settings.__slots__}, "names": list(names)}
                await self._report_failure(self.store.write_settings(json.dumps(fields)))
            case LoadTexts(language):
                await self._load_texts(language)
            case Copy(text):
                await self._copy(text)
            case CopyLink(fragment):
                await self._copy(f"{str(location.href).partition('#')[0]}#{fragment}")
            case Address(fragment, here):
                address = f"#{fragment}" if fragment else str(location.pathname) + str(location.search)
                (history.replaceState if here else history.pushState)(None, "", address)
            case Focus(name, value):
                self.page.focus(name, value)
            case LoadNewerVersion():
                await self.offline.load_newer()
            case EndMotion():
                self.animator.end_motion()
            case PlaySounds(names):
                self.sounds.play(names)
            case RoomRequest():
                await self._net(command)

    async def _net(self, command: RoomRequest) -> None:
        if self._rooms is None:
            if isinstance(command.command, Leave):
                return
            from peer.browser.rooms import Rooms

            self._rooms = Rooms(lambda event: self.send(Msg("room.event", data=event)))
        own_site = None
        if (chosen := command.settings) is not None:
            from peer.browser.site import OwnSite

            own_site = OwnSite(chosen.endpoint, chosen.ice, chosen.relay == "only")
        await self._rooms.do(command.command, own_site)

    async def _begin(self, command: Begin) -> None:
        setup = command.setup
        now = current_minute()
        seed = setup.seed or os.urandom(8).hex()
        header = Header(
            id=os.urandom(6).hex(),
            game=setup.game,
            version=PLAYABLE[setup.game].VERSION,
            options=setup.options,
            chairs=setup.chairs,
            seed=seed,
            started=now,
            touched=now,
        )
        session = saved_game.new_session(header)
        failed = ""
        try:
            await self.store.write(header.id, saved_game.write_header(header))
        except StoreFailed as error:
            failed = error.reason
        self.send(Msg("begun", data=(header, session, failed)))

    async def _keep(self, keep: Keep) -> None:
        header = saved_game.write_header(replace(keep.header, touched=current_minute()))
        try:
            await self.store.write(keep.header.id, header, keep.first, keep.records)
        except StoreFailed as error:
            self.send(Msg("unkept", value=error.reason, data=keep))
        else:
            self.send(Msg("kept", data=keep))

    async def _take_over(self, header: Header, records: tuple[str, ...]) -> None:
        try:
            await self.store.write(header.id, saved_game.write_header(header), 0, records)
        except StoreFailed as error:  # the game goes on without a save
            session, changes = saved_game.replay_with_changes(header, records)
            self.send(Msg("opened", value=error.reason, data=(header, session, records, changes)))
        else:
            await self._open(header.id)

    async def _open(self, game: str) -> None:
        at = At()
        try:
            stored = await self.store.read(game)
            if stored is None:
                self.send(Msg("unreadable", game))
                return
            header = saved_game.read_header(stored[0])
            at = at_save(header)
            session, changes = saved_game.replay_with_changes(header, stored[1])
        except Refused as refused:
            self.send(Msg("unreadable", game, "", refusal(refused, at)))
        except StoreFailed as error:
            self.send(Msg("unreadable", game, error.reason))
        else:
            self.send(Msg("opened", data=(header, session, tuple(stored[1]), changes)))

    async def _list(self) -> None:
        try:
            saves = [_read_save(game, text) for game, text in await self.store.headers()]
        except StoreFailed as error:
            self.send(Msg("saves", data=((), error.reason, 0)))
            return
        saves.sort(key=lambda save: save.touched if isinstance(save, Header) else 0, reverse=True)
        self.send(Msg("saves", data=(tuple(saves), "", current_minute())))

    async def _peek(self, header: Header) -> None:
        session = None
        try:
            if stored := await self.store.read(header.id):
                session = saved_game.new_session(header)
                for number, text in enumerate(stored[1][: saved_game.MOST_RECORDS], 1):
                    saved_game.apply_to_table(session, text)
                    if not number % RECORDS_PER_STEP:
                        await asyncio.sleep(0)
        except (StoreFailed, Refused):
            session = None
        self.send(Msg("peeked", data=(header, session)))

    async def _tables(self) -> None:
        """Lists the tables by link this device was at. Without any, their code is not loaded."""
        from peer.browser.shelf import TableStore

        shelf = TableStore()
        try:
            headers = await shelf.headers()
        except StoreFailed:
            return
        shelf.close()
        if headers:
            from peer.table.known import known_tables

            self.send(Msg("tables", data=known_tables(headers)))

    async def _report_failure(self, storing: Any) -> None:
        """Awaits storing for which no message waits. Only a failure is reported."""
        try:
            await storing
        except StoreFailed as error:
            self.send(Msg("unremembered", value=error.reason))

    async def _load_texts(self, language: str) -> None:
        try:
            texts = await load_texts(language)
        except (OSError, Rejected):
            self.send(Msg("no_texts", value=language))
        else:
            self.send(Msg("texts", data=texts))

    async def _copy(self, text: str) -> None:
        try:
            await settled(navigator.clipboard, "writeText", text)
        except Exception:  # noqa: BLE001  no permission, no clipboard, no focus: show it instead
            self.send(Msg("uncopied", value=text))
        else:
            self.send(Msg("copied"))


def _read_save(game: str, text: str) -> Header | Damaged:
    try:
        header = saved_game.read_header(text)
        if header.id != game:
            raise Refused("save.header")
        if header.game not in PLAYABLE:
            raise Refused("save.game", value=header.game[:40])
    except Refused as refused:
        notice = refusal(refused, At())
        return Damaged(game[:40], notice.key, notice.values, text)
    return header


def current_minute() -> int:
    return int(Date.now()) // 60_000


async def load_texts(language: str) -> Texts:
    """Loads a language's catalogue from the page's server. Raises `OSError` if there is none, and `Rejected` without a
    network."""
    answer = await settled(window, "fetch", f"assets/lang/{language}.mo")
    if not answer.ok:
        raise OSError(f"no catalogue for {language}: {answer.status}")
    return Texts(language, (await settled(answer, "arrayBuffer")).to_bytes())


def address_fragment() -> str:
    return str(location.hash)[1:]


def preferred_languages() -> list[str]:
    return [str(tag) for tag in navigator.languages]


def app_element() -> Any:
    return document.getElementById("app")
