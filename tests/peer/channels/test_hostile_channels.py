"""Attacks on channels by somebody who has the link, or sits at the table: they can harm no channel but their own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from engine.core import Refused
from peer.channels.endpoint import Endpoint
from peer.channels.handshake import FORGOTTEN, MOST
from peer.channels.invite import Invite
from peer.crypto.keys import PlainKeys, SignedText, plain_verify, to_base64
from peer.crypto.sealed import seal
from peer.table.table import Table
from peer.wire.frames import PROTOCOL, Say, write
from peer.wire.limits import STRIKES
from peer.wire.shapes import key
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.in_memory import Home, HubWire, MemoryPeer, Street, evening
from tests.peer.table.test_tables import begun, leave, lobby, played, seated, seen, under_way


class PlainHome(Home):
    """A device with real keys instead of `FakeKeys`."""

    def keys(self, seed: bytes) -> Any:
        return PlainKeys(seed)

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        return all(claim.true(plain_verify) for claim in claims)


class Stranger:
    """An attacker who has the link, and sends arbitrary texts through the endpoint."""

    def __init__(self, street: Street, given: Invite) -> None:
        self.street, self.given = street, given
        self.seats: set[int] = set()
        self.said_to: list[tuple[int, str]] = []
        self.home = Home(street)
        self.point = Endpoint(lambda endpoint: HubWire(street, endpoint, self.home), self, given.code)
        self.point.open(self.home.now())

    def seated(self) -> None: ...

    def holds(self) -> bool:
        return False

    def changed(self) -> None: ...

    def came(self, seat: int) -> None:
        self.seats.add(seat)

    def went(self, seat: int) -> None:
        self.seats.discard(seat)

    def said(self, seat: int, text: str) -> None:
        self.said_to.append((seat, text))

    def greets(self, signer: str, lock: str, nonce: str) -> None:
        """Greets every device in another device's name."""
        row = ["hey", PROTOCOL, "1", signer, lock, nonce, 0]
        self.says("h" + seal(self.given.key, "hey", json.dumps(row).encode()))

    def says(self, text: str) -> None:
        for seat in self.seats:
            self.point.say(seat, text)
        self.point.pump(self.home.now())


def opened(tables: list[Table]) -> bool:
    """Returns True if all these tables are directly connected with each other."""
    lines = [line for table in tables for line in table.channels.by_key.values()]
    return len(lines) == len(tables) * (len(tables) - 1) and all(line.open and not line.stale for line in lines)


def entries(table: Table) -> int:
    return len(table.game.device.state.play.played) if table.game is not None else -1


@evening
async def test_a_greeting_with_a_lock_that_is_none_stops_no_clock() -> None:
    street = Street()
    tables = await seated(street, [PlainHome(street), PlainHome(street)], lobby("p,p"))
    evil = Stranger(street, tables[0].invite)
    await street.until(lambda: len(evil.seats) == 2)
    evil.greets("A" * 43, "A" * 42 + "B", "A" * 22)
    await asyncio.sleep(10)
    assert [len(table.channels.by_key) for table in tables] == [1, 1]
    assert not any(line.seal_key[-1] == "B" for table in tables for line in table.channels.handshake.seats.values())
    ticks = [table.channels.awake for table in tables]
    await asyncio.sleep(2)
    assert all(table.channels.awake > before for table, before in zip(tables, ticks, strict=True))
    await begun(street, tables)
    leave(*tables)


def test_a_key_is_written_in_one_way() -> None:
    """Sealing for an invalid key would raise in every device that tries."""
    keys = PlainKeys(b"k" * 32)
    assert [key(keys.verify_key), key(keys.seal_key)] == [keys.verify_key, keys.seal_key]
    for wrong in (None, 3, "", "A" * 42 + "B", "A" * 42, "A" * 44, keys.seal_key[:-1] + "\n"):
        with pytest.raises(Refused, match=r"net\.key"):
            key(wrong)


@evening
async def test_what_cannot_be_sent_to_one_device_reaches_the_others() -> None:
    street = Street()
    homes = [Home(street) for _ in range(3)]
    tables = await seated(street, homes, lobby("p,p,p"))
    broken = tables[0].channels.by_key[tables[1].keys.seal_key]
    broken.seal_key = "?"  # an invalid key: `sealed` then refuses, as after a bug of ours
    broken.me = PlainKeys(b"k" * 32)
    tables[0].seating.plays(2, "p")
    await street.until(lambda: tables[2].lobby is not None and tables[2].lobby.spots[2].device == "")
    assert tables[0].channels.refused
    leave(*tables)


@evening
async def test_nobody_is_thrown_off_by_a_greeting_in_their_name() -> None:
    street, _, tables = await under_way("p,p,p", entries=8)
    await street.until(lambda: opened(tables))
    evil = Stranger(street, tables[0].invite)
    await street.until(lambda: len(evil.seats) == 3)
    lines = [line for table in tables for line in table.channels.by_key.values()]
    for _ in range(20):
        for table in tables:
            evil.greets(table.keys.verify_key, table.keys.seal_key, to_base64(street.rnd.randbytes(16)))
        before = entries(tables[0])
        await played(street, tables, before + 1)
        await asyncio.sleep(0.5)
    assert [line for table in tables for line in table.channels.by_key.values()] == lines
    assert all(line.open for line in lines)
    assert seen(tables, tables[1]) == {"me", "direct"}
    leave(*tables)


@evening
async def test_nobody_is_thrown_off_by_who_passes_words_on_in_their_name() -> None:
    street, _, tables = await under_way("p,p,p", entries=8)
    await street.until(lambda: opened(tables))
    evil, host, victim = tables[2], tables[0], tables[1]
    true = host.channels.by_key[victim.keys.seal_key]
    line = evil.channels.by_key[host.keys.seal_key]
    for number in range(2 * STRIKES):
        nonce = to_base64(street.rnd.randbytes(16))
        evil.channels.send(line, ["w", victim.keys.verify_key, victim.keys.seal_key, nonce, "1.AAAA"])
        evil.channels.send(line, ["w", *true.who, f"+{number}.0.2.spoilt"])
        evil.channels.send(line, ["w", *true.who, f"{number + 1}.AAAA"])
        evil.channels.send(line, ["k", [[victim.keys.verify_key, victim.keys.seal_key, nonce]]])
        await asyncio.sleep(0.2)
    assert host.channels.by_key[victim.keys.seal_key] is true
    assert true.open
    assert not true.muted
    assert not host.channels.by_key[evil.keys.seal_key].muted, "who carries has not read it, and may be honest"
    leave(*tables)


@evening
async def test_a_new_visit_proves_itself_and_takes_the_place_of_the_one_before() -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    await street.until(lambda: opened(tables))
    before = tables[0].channels.by_key[tables[1].keys.seal_key]
    before.direct = False  # reported once; the reloaded page may report otherwise
    homes[1].crash()
    tables[1] = homes[1].visits(tables[0].invite.fragment)
    await street.until(lambda: tables[0].channels.by_key[tables[1].keys.seal_key] is not before)
    assert tables[0].channels.by_key[tables[1].keys.seal_key].direct
    await street.until(lambda: opened(tables))
    leave(*tables)


@evening
async def test_devices_that_do_not_exist_keep_nobody_out() -> None:
    street = Street()
    homes = [Home(street) for _ in range(3)]
    tables = await seated(street, homes[:2], lobby("p,p,p"))
    await street.until(lambda: opened(tables))
    host, bad = tables
    made: list[MemoryPeer] = []
    make = homes[0].make
    assert make is not None

    def counted(*hears: Any) -> Any:
        made.append(make(*hears))  # type: ignore[arg-type]
        return made[-1]

    host.channels.make = counted
    line = bad.channels.by_key[host.keys.seal_key]
    bad.channels.introduce = lambda: None  # type: ignore[method-assign]  # true introductions would remove the false ones
    for _ in range(3):
        ghosts = [[to_base64(street.rnd.randbytes(size)) for size in (32, 32, 16)] for _ in range(MOST - 1)]
        bad.channels.send(line, ["k", ghosts])
        await asyncio.sleep(5)
    assert any(host.channels.handshake.introduced.values())
    assert len(host.channels.by_key) == 1
    guest = homes[2].visits(host.invite.fragment)
    await street.until(lambda: guest.lobby is not None, 3)
    assert made == []
    await asyncio.sleep(FORGOTTEN / 1000 + 5)
    assert not any(host.channels.handshake.introduced.values())
    leave(*tables, guest)


@evening
async def test_devices_of_one_guest_alone_make_room_for_who_follows_the_link() -> None:
    """A guest can prove any number of devices with keys of their own. Those that only this guest introduced are dropped
    first."""
    street = Street()
    homes = [Home(street), Home(street)]
    tables = await seated(street, homes, lobby("p,p"))
    await street.until(lambda: opened(tables))
    host = tables[0]
    while len(host.channels.by_key) < MOST:
        keys = FakeKeys(street.rnd.randbytes(32), street.ring)
        shadow = host.channels.handshake.line(keys.verify_key, keys.seal_key, to_base64(street.rnd.randbytes(16)))
        shadow.through.add(tables[1].keys.seal_key)
        host.channels.handshake.admit(shadow, invited=False)
        shadow.gone = False
    guest = Home(street).visits(host.invite.fragment)
    await street.until(lambda: guest.lobby is not None, 3)
    assert len(host.channels.by_key) == MOST
    assert {tables[1].keys.seal_key, guest.keys.seal_key} <= host.channels.by_key.keys()
    leave(*tables, guest)


def muted(homes: list[Home]) -> list[str]:
    return [data.what for home in homes for what, data in home.told if what == "told" and data.what == "net.muted"]


@evening
async def test_a_guest_who_wishes_without_end_is_muted_and_costs_little() -> None:
    street = Street()
    homes = [Home(street), Home(street)]
    tables = await seated(street, homes, lobby("p,p"))
    await street.until(lambda: opened(tables))
    host, bad = tables
    writes: list[str] = []
    keep = homes[0].keep

    async def counted(code: str, header: str, first: int, records: list[str]) -> None:
        writes.append(header)
        await keep(code, header, first, records)

    homes[0].keep = counted  # type: ignore[method-assign]
    homes[0].told.clear()
    line = bad.channels.by_key[host.keys.seal_key]
    for number in range(2_000):
        bad.channels.send(line, ["sit", 1, f"Name {number}", "A" * 43])
        if number % 100 == 0:
            await asyncio.sleep(0.01)
    await asyncio.sleep(2)
    assert len(writes) <= 3
    assert sum(what == "news" for what, _ in homes[0].told) <= 4
    assert muted(homes) == ["net.muted"]
    assert next(data.values["who"] for what, data in homes[0].told if what == "told").startswith("Name ")
    leave(*tables)


@evening
async def test_who_talks_nonsense_in_the_lobby_is_muted_with_a_message() -> None:
    street = Street()
    homes = [Home(street), Home(street), Home(street)]
    tables = await seated(street, homes, lobby("p,p,p"))
    await street.until(lambda: opened(tables))
    host, bad, good = tables
    for _ in range(STRIKES):
        bad.channels.send(bad.channels.by_key[host.keys.seal_key], ["nonsense"])
    await street.until(lambda: muted(homes) == ["net.muted"], 3)
    seats = host.lobby
    bad.seating.stand(1)
    good.seating.stand(2)
    await street.until(lambda: host.lobby is not seats)
    assert host.lobby is not None
    assert [bool(spot.device) for spot in host.lobby.spots] == [True, True, False]
    leave(*tables)


@evening
async def test_words_without_end_are_cut_and_their_author_muted() -> None:
    _, homes, tables = await under_way("p,p", entries=4)
    game = tables[1].game
    assert game is not None
    for _ in range(8):
        game.say("sign", "hello")
    with pytest.raises(Refused, match=r"net\.slowly"):
        game.say("sign", "hello")
    await asyncio.sleep(20)
    assert muted(homes) == []
    told = len(homes[0].told)
    shout = write(Say("text", "x" * 200), game.device.mark)
    for _ in range(60):
        for _ in range(10):
            game.send(0, shout)
        await asyncio.sleep(0.05)
    await asyncio.sleep(1)
    shown = [data for what, data in homes[0].told[told:] if what == "told" and data.what == "say"]
    assert len(shown) <= 30
    assert muted(homes) == ["net.muted"]
    leave(*tables)
