"""The browser's side of a table by link: the only place that connects `table.py` with the browser.

`Rooms` carries out the page's commands (`do`), and reports the results to the page.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from js import Object, document, location, navigator, performance, window
from pyodide.ffi import JsException, create_proxy, to_js

from engine.core import Nonsense, Refused
from peer.browser.database import StoreFailed
from peer.browser.policy import check_policy
from peer.browser.promises import Rejected, settled
from peer.browser.qr import qr
from peer.browser.shelf import TableStore
from peer.browser.site import OwnSite, Site, parse_servers, read_site
from peer.browser.webcrypto import WebCrypto, make_keys
from peer.browser.websocket import BrowserSocket
from peer.channels import invite
from peer.channels.channel import DirectConnection
from peer.channels.endpoint import Endpoint, Socket
from peer.crypto.keys import Keys, SignedText, from_base64, to_base64
from peer.device.driver import NotStored
from peer.order.outputs import Timing
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
    SharedText,
    ShowQr,
    TableCommand,
    Visit,
    carry_out,
    seat_opener,
    stand_up,
)
from peer.table.header import Header
from peer.table.lobby import Lobby
from peer.table.news import Abilities, Copied, Event, NotCopied, QrDrawn, Refusal, Scanned
from peer.table.one_window import take_over
from peer.table.pairing import leads_elsewhere
from peer.table.table import Table


class Rooms:
    """The page's table by link: at most one is open."""

    def __init__(self, on_event: Callable[[Event], None]) -> None:
        self.on_event = on_event
        self.store, self.crypto = TableStore(), WebCrypto()
        self.site = Site()
        self.build = ""
        self.timing = Timing()
        self.table: Table | None = None
        self.dial: Callable[[Endpoint], Socket] | None = None
        self.make: Callable[..., DirectConnection] | None = None
        self._listeners: list[tuple[Any, str, Any]] = []
        self.own_site = OwnSite()

    # The methods of `peer.table.ports.Environment`

    def now(self) -> int:
        return int(performance.now())

    def random(self, size: int) -> bytes:
        return secrets.token_bytes(size)

    async def sign(self, keys: Keys, data: bytes) -> str:
        return await self.crypto.sign(keys, data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return await self.crypto.all_valid(claims)

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        try:
            await self.store.write(code, header, first, records)
        except StoreFailed as error:
            raise NotStored(error.reason) from error

    async def _read(self, code: str) -> tuple[str, list[str]] | None:
        try:
            return await self.store.read(code)
        except StoreFailed as error:
            raise NotStored(error.reason) from error

    def tell(self, event: Event) -> None:
        self.on_event(event)

    # Commands of the page

    async def do(self, command: Command, own_site: OwnSite | None = None) -> None:
        """Carries out a command. A refusal is reported to the page as `Refusal`."""
        if own_site is not None:
            self.own_site = own_site
        try:
            await self._do(command)
        except Refused as refused:
            self.tell(Refusal(refused, type(command)))
        except Nonsense as nonsense:  # the browser, or a page changed by hand: no person can do anything about it
            self.tell(Refusal(Refused("net.other", reason=nonsense.reason), type(command)))

    async def _do(self, command: Command) -> None:
        table = self.table
        match command:
            case OpenTable(lobby):
                await self._open(lobby)
            case Visit(fragment):
                await self._visit(fragment)
            case MakeReply(offer, followed):
                await self._reply(offer, followed=followed)
            case Leave():
                if table is not None:
                    stand_up(table)
                self.leave()
            case Forget(code):
                await self._forget(code)
            case Scan(element):
                from peer.browser.camera import scan

                self.tell(Scanned(await scan(element)))
            case Reload():
                location.reload()
            case _ if table is not None:
                await self._do_at_table(command, table)

    async def _do_at_table(self, command: Share | ShowQr | GiveAway | TableCommand, table: Table) -> None:
        """Carries out a command that needs the open table."""
        match command:
            case Share(which):
                await self._share(which, table)
            case ShowQr(which):
                try:
                    drawn = await qr(_shared_text(which, table))
                except (ImportError, OSError, ValueError, Rejected, JsException) as error:  # it is loaded only now
                    raise Refused("net.no_qr") from error
                self.tell(QrDrawn(*drawn))
            case GiveAway():
                await self._clipboard(f"{_page_address()}#{await table.tokens.give_away()}")
            case _:
                await carry_out(table, command)

    async def prepare(self) -> None:
        """Loads what every table needs: the site's settings, the page's version, the store. Raises `Refused`."""
        with suppress(StoreFailed):  # reported when something has to be stored
            await self.store.open()
        own = {**self.own_site._asdict(), "ice": parse_servers(self.own_site.ice)}
        page = str(location.href)
        self.site = read_site(await _fetch_text("assets/site.json"), own, page)
        if self.site.signaling:
            check_policy(self.site.signaling, self.own_site.signaling)
        self.build = str(document.documentElement.getAttribute("data-version") or "")[:64]
        site = self.site
        self.dial = self._dial if site.signaling else None
        self.make = None
        if hasattr(window, "RTCPeerConnection") and (not site.relay_only or site.has_turn):
            from peer.browser.rtc import WebRtcConnection, check_servers

            check_servers(site.ice)
            self.make = lambda *callbacks: WebRtcConnection(site.ice, *callbacks, relayed=site.relay_only)

    def _dial(self, endpoint: Endpoint) -> Socket:
        return BrowserSocket(self.site.signaling, endpoint, self.now, lambda: self._pump(endpoint))

    def _pump(self, endpoint: Endpoint) -> None:
        endpoint.pump(self.now())

    async def _share(self, which: SharedText, table: Table) -> None:
        """Shares the link or a pairing code with the system's dialog."""
        text = _shared_text(which, table)
        shared = {"text": text} if which == "reply" else {"url": text}  # a reply is not an address
        with suppress(Rejected):  # cancelled, or not allowed: the link is on the screen
            await settled(navigator, "share", to_js(shared, dict_converter=Object.fromEntries))

    async def _clipboard(self, text: str) -> None:
        try:
            await settled(navigator.clipboard, "writeText", text)
        except (Rejected, AttributeError):  # no permission, no clipboard, no focus: the page shows the text
            self.tell(NotCopied(text))
        else:
            self.tell(Copied())

    async def _open(self, lobby: Lobby) -> None:
        await self.prepare()
        self.leave()
        self._start(Table.create(self, make_keys, lobby), [])

    async def _visit(self, fragment: str) -> None:
        invitation = invite.read(fragment.removeprefix("r="))
        await self.prepare()
        current = self.table if self.table is not None and self.table.invite.fragment == invitation.fragment else None
        if current is not None and not current.closed:
            current.tokens.claim(invitation.tokens)
            return
        try:
            stored = await take_over(self._read, self.keep, invitation.code, invitation.secret)
        except NotStored:
            stored = None
        new_header = Header(invitation.code, invitation.secret, to_base64(self.random(32)))
        if current is not None and not current.header.records:  # else what it has sent would be forgotten
            new_header = current.header
        header, records = stored or (new_header, [])
        self.leave()  # only now, when there is another table; also leaves one that a second click has opened meanwhile
        try:
            table = Table(self, make_keys(from_base64(header.seed)), header, tokens=invitation.tokens)
        except Nonsense as nonsense:
            raise Refused("net.kept") from nonsense
        self._start(table, records)

    async def _forget(self, code: str) -> None:
        with suppress(StoreFailed):
            await self.store.open()
            await self.store.delete(code)

    async def _reply(self, text: str, *, followed: bool) -> None:
        """Opens the table of a pairing offer and makes the reply. `followed`: a link was followed, not a code entered.
        Raises `Refused`."""
        invitation, offer = invite.read_offer(text)
        if leads_elsewhere(self.table, invitation, followed=followed):
            await self._visit(invitation.fragment)
        if self.table is not None:
            await self.table.pairing.make_reply(offer)

    def _start(self, table: Table, records: list[str]) -> None:
        self.table = table
        try:
            table.start(records)
        except (Nonsense, Refused):  # its stored records are damaged
            self.leave()
            raise
        if not records:
            seat_opener(table)
        share, scan = hasattr(navigator, "share"), hasattr(window, "BarcodeDetector")
        self.tell(Abilities(share, scan, direct=self.make is not None, far=bool(self.site.ice)))
        self._listen(window, "pagehide", lambda _: table.leave())
        self._listen(window, "pageshow", lambda event: self._page_shown(table) if event.persisted else None)
        self._listen(window, "online", lambda _: table.hurry())
        self._listen(document, "visibilitychange", lambda _: None if document.hidden else table.hurry())

    def _listen(self, target: Any, name: str, handler: Callable[[Any], None]) -> None:
        proxy = create_proxy(handler)
        target.addEventListener(name, proxy)
        self._listeners.append((target, name, proxy))

    def _page_shown(self, table: Table) -> None:
        """Opens the table again when the browser shows a page that it had suspended: the table was left then."""
        if self.table is table and table.closed:
            tokens = table.tokens.link_tokens
            fragment = table.invite.rejoin_fragment(tokens) if tokens else table.invite.fragment
            table.run(self.do(Visit(fragment)))

    def leave(self) -> None:
        table, self.table = self.table, None
        if table is not None:
            table.leave()
        for target, name, proxy in self._listeners:
            target.removeEventListener(name, proxy)
            proxy.destroy()
        self._listeners.clear()


def _page_address() -> str:
    return str(location.href).partition("#")[0]


def _shared_text(which: SharedText, table: Table) -> str:
    """Returns the text to be shared: the table's link, the offer's link, or the reply code, which is no address."""
    match which:
        case "link":
            return f"{_page_address()}#{table.invite.fragment}"
        case "offer":
            return f"{_page_address()}#o={table.pairing.offer_code}"
        case "reply":
            return table.pairing.reply_code


async def _fetch_text(address: str) -> str:
    try:
        answer = await settled(window, "fetch", address)
        if not answer.ok:
            raise Refused("net.site")
        return str(await settled(answer, "text"))
    except Rejected:  # no network: devices near each other can still be paired by codes
        return "{}"
