"""The browser's side of a table by link: the only place that connects `table.py` with the browser.

`Rooms` carries out the page's requests (`do`), and reports the results to the page.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from js import Object, document, fetch, location, navigator, performance, window
from pyodide.ffi import JsException, create_proxy, to_js

from engine.core import Refused
from peer.browser.database import Unkept
from peer.browser.qr import qr
from peer.browser.shelf import Shelf
from peer.browser.site import OwnSite, Site, allowed, read_site, typed
from peer.browser.webcrypto import WebCrypto, make_keys
from peer.browser.websocket import BrowserSocket
from peer.channels import invite
from peer.channels.channel import DirectConnection
from peer.channels.endpoint import Endpoint, Socket
from peer.crypto.keys import Keys, SignedText, from_base64, to_base64
from peer.device.driver import NotStored
from peer.order.outputs import Timing
from peer.table.commands import carry_out, sit_first, stand_up
from peer.table.header import Header
from peer.table.lobby import Lobby
from peer.table.one_window import taken_up
from peer.table.pairing import elsewhere
from peer.table.table import Table

#: receives the name of each event, and its data
Hear = Callable[[str, Any], None]


class Rooms:
    """The page's table by link: at most one is open."""

    def __init__(self, hear: Hear) -> None:
        self.hear = hear
        self.shelf, self.subtle = Shelf(), WebCrypto()
        self.site = Site()
        self.build = ""
        self.timing = Timing()
        self.table: Table | None = None
        self.dial: Callable[[Endpoint], Socket] | None = None
        self.make: Callable[..., DirectConnection] | None = None
        self._listeners: list[tuple[Any, str, Any]] = []
        self.own = OwnSite()

    # The methods of `peer.table.ports.Environment`

    def now(self) -> int:
        return int(performance.now())

    def random(self, size: int) -> bytes:
        return secrets.token_bytes(size)

    async def sign(self, keys: Keys, data: bytes) -> str:
        return await self.subtle.sign(keys, data)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return await self.subtle.proven(claims)

    async def keep(self, code: str, header: str, first: int, records: list[str]) -> None:
        try:
            await self.shelf.write(code, header, first, records)
        except Unkept as error:
            raise NotStored(error.reason) from error

    async def _read(self, code: str) -> tuple[str, list[str]] | None:
        try:
            return await self.shelf.read(code)
        except Unkept as error:
            raise NotStored(error.reason) from error

    def tell(self, what: str, data: Any = None) -> None:
        self.hear(what, data)

    # Requests of the page

    async def do(self, what: str, data: Any, own: OwnSite | None = None) -> None:
        """Carries out a request. A refusal is reported to the page as `refused`."""
        if own is not None:
            self.own = own
        try:
            await self._do(what, data)
        except Refused as refused:
            self.tell("refused", (what, refused))

    async def _do(self, what: str, data: Any) -> None:
        table = self.table
        match what, data:
            case "open", Lobby() as lobby:
                await self._open(lobby)
            case "visit", str(fragment):
                await self._visit(fragment)
            case "leave", _:
                if table is not None:
                    stand_up(table)
                self.leave()
            case "reload", _:
                location.reload()
            case (("invited" | "reply" | "scan" | "forget"), str(text)):
                await self._do_with(what, text)
            case _ if table is None:
                return
            case (("share" | "qr" | "rejoin"), str(which)):
                await self._show(what, which, table)
            case _:
                await carry_out(table, what, data)

    async def _do_with(self, what: str, text: str) -> None:
        """Carries out requests that need no open table: a pairing code, a camera scan, a table to be forgotten."""
        match what:
            case "invited" | "reply":
                await self._reply(text, followed=what == "invited")
            case "scan":
                from peer.browser.camera import scan

                self.tell("scanned", await scan(text))
            case _:
                await self._forget(text)

    async def prepare(self) -> None:
        """Loads what every table needs: the site's settings, the page's version, the store. Raises `Refused`."""
        with suppress(Unkept):  # reported when something has to be stored
            await self.shelf.open()
        own = {**self.own._asdict(), "ice": typed(self.own.ice)}
        page = str(location.href)
        self.site = read_site(await _text("assets/site.json"), own, page)
        policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')
        if self.site.signaling and policy and not allowed(self.site.signaling, str(policy.content), page):
            raise Refused("net.policy", host=urlsplit(self.site.signaling).netloc)
        self.build = str(document.documentElement.getAttribute("data-version") or "")[:64]
        site = self.site
        self.dial = self._dial if site.signaling else None
        self.make = None
        if hasattr(window, "RTCPeerConnection") and (not site.relay_only or site.turn):
            from peer.browser.rtc import WebRtcConnection, understood

            understood(site.ice)
            self.make = lambda *hears: WebRtcConnection(site.ice, *hears, relayed=site.relay_only)

    def _dial(self, endpoint: Endpoint) -> Socket:
        return BrowserSocket(self.site.signaling, endpoint, self.now, lambda: self._pump(endpoint))

    def _pump(self, endpoint: Endpoint) -> None:
        endpoint.pump(self.now())

    async def _show(self, what: str, which: str, table: Table) -> None:
        """Shares the link, a pairing code or a rejoin link: as a QR code, with the system's dialog, or by clipboard."""
        page = str(location.href).partition("#")[0]
        fragment = {"offer": f"o={table.pairing.offered}", "reply": ""}.get(which, table.invite.fragment)
        text = f"{page}#{fragment}" if fragment else table.pairing.replied
        if what == "rejoin":
            await self._clipboard(f"{page}#{await table.tokens.give_away()}")
        elif what == "share":
            given = {"text": text} if which == "reply" else {"url": text}  # a reply is not an address
            try:
                await navigator.share(to_js(given, dict_converter=Object.fromEntries))
            except JsException:
                return  # cancelled, or not allowed: the link is on the screen
        else:
            try:
                self.tell("qr", await qr(text))
            except (ImportError, OSError, ValueError, JsException) as error:  # the package is loaded only now
                raise Refused("net.no_qr") from error

    async def _clipboard(self, text: str) -> None:
        try:
            await navigator.clipboard.writeText(text)
        except (JsException, AttributeError):  # no permission, no clipboard, no focus: the page shows the text
            self.tell("uncopied", text)
        else:
            self.tell("copied")

    async def _open(self, lobby: Lobby) -> None:
        await self.prepare()
        self.leave()
        self._begin(Table.create(self, make_keys, lobby), [])

    async def _visit(self, fragment: str) -> None:
        given = invite.read(fragment.removeprefix("r="))
        await self.prepare()
        former = self.table if self.table is not None and self.table.invite.fragment == given.fragment else None
        if former is not None and not former.closed:
            former.tokens.claim(given.tokens)
            return
        try:
            found = await taken_up(self._read, self.keep, given.code, given.secret)
        except NotStored:
            found = None
        blank = Header(given.code, given.secret, to_base64(self.random(32)))
        if former is not None and not former.header.records:  # else what it has sent would be forgotten
            blank = former.header
        own, records = found or (blank, [])
        self.leave()  # only now, when there is another table; also leaves one that a second click has opened meanwhile
        table = Table(self, make_keys(from_base64(own.seed)), own, tokens=given.tokens)
        self._begin(table, records)

    async def _forget(self, code: str) -> None:
        with suppress(Unkept):
            await self.shelf.open()
            await self.shelf.forget(code)

    async def _reply(self, text: str, *, followed: bool) -> None:
        """Opens the table of a pairing offer and makes the reply. `followed`: a link was followed, not a code entered.
        Raises `Refused`."""
        given, offer = invite.read_offer(text)
        if elsewhere(self.table, given, followed=followed):
            await self._visit(given.fragment)
        if self.table is not None:
            await self.table.pairing.reply(offer)

    def _begin(self, table: Table, records: list[str]) -> None:
        self.table = table
        try:
            table.start(records)
        except Refused:  # its stored records are damaged
            self.leave()
            raise
        if not records:
            sit_first(table)
        self.tell("can", (hasattr(navigator, "share"), hasattr(window, "BarcodeDetector")))
        self._listen(window, "pagehide", lambda _: table.leave())
        self._listen(window, "pageshow", lambda event: self._shown(table) if event.persisted else None)
        self._listen(window, "online", lambda _: table.hurry())
        self._listen(document, "visibilitychange", lambda _: None if document.hidden else table.hurry())

    def _listen(self, target: Any, name: str, hear: Callable[[Any], None]) -> None:
        proxy = create_proxy(hear)
        target.addEventListener(name, proxy)
        self._listeners.append((target, name, proxy))

    def _shown(self, table: Table) -> None:
        """Opens the table again when the browser shows a page that it had suspended: the table was left then."""
        if self.table is table and table.closed:
            fragment = table.invite.rejoin(table.rejoin) if table.rejoin else table.invite.fragment
            table.run(self.do("visit", fragment))

    def leave(self) -> None:
        table, self.table = self.table, None
        if table is not None:
            table.leave()
        for target, name, proxy in self._listeners:
            target.removeEventListener(name, proxy)
            proxy.destroy()
        self._listeners.clear()


async def _text(address: str) -> str:
    try:
        answer = await fetch(address)
    except JsException:  # no network: devices near each other can still be paired by codes
        return "{}"
    if not answer.ok:
        raise OSError(f"{address}: {answer.status}")
    return str(await answer.text())
