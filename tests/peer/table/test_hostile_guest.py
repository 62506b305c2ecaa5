"""A hostile guest who has the link: the devices of the table play on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from peer.channels.channel import Channel
from peer.crypto.sealed import seal
from peer.table.table import Table
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.in_memory import Home, Street, evening
from tests.peer.table.test_tables import begun, heads, leave, lobby, played, seated, under_way


class Evil(Home):
    """A hostile device; `signer`: the verify key it claims to have, if not its own."""

    def __init__(self, street: Street, signer: str = "") -> None:
        super().__init__(street)
        self.signer = signer

    def keys(self, seed: bytes) -> FakeKeys:
        keys = super().keys(seed)
        keys.verify_key = self.signer or keys.verify_key
        return keys


def says(table: Table, line: Channel, text: str) -> None:
    """Sends any text, sealed as `Channel.sealed` does it."""
    line.sent += 1
    box = seal(line.me.shared(line.seal_key), line._place(line.sent, to_me=False), text.encode())
    table.channels._carry(line, f"{line.sent}.{box}")


async def knocking(*, poses: bool = False) -> tuple[Street, list[Home], list[Table], Table]:
    street, homes, tables = await under_way("p,p,p", entries=6)
    evil = Evil(street, tables[0].keys.verify_key if poses else "").visits(tables[0].invite.fragment)
    await street.until(lambda: len(evil.channels.by_key) >= 3)
    return street, homes, tables, evil


@evening
async def test_nobody_asks_to_be_let_in_under_somebody_else_s_name() -> None:
    """Regression: the entries of all devices that let the guest in were refused, because a device with that verify key
    exists already; in the end the table accepted no entries of theirs."""
    street, _, tables, evil = await knocking(poses=True)
    for _ in range(60):
        for line in evil.channels.by_key.values():
            evil.send(line, ["join", await evil.env.sign(evil.keys, b"anything")])
        await asyncio.sleep(0.2)
    for table in tables:
        assert table.game is not None
        assert table.game.device.state.strikes == {}
        assert len(table.game.device.state.devices) == 3
        assert table.channels.refused["net.forged"] > 0
    await street.until(lambda: all(table.channels.by_key[evil.keys.seal_key].muted for table in tables))
    evil.leave()
    await played(street, tables, 20)
    leave(*tables)


@evening
async def test_half_a_character_breaks_no_page() -> None:
    """Regression: a lone surrogate could not be signed, sealed or relayed, and raised an unexpected error."""
    street, _, tables, evil = await knocking()
    kept = tables[0].header
    start: list[Any] = ["start", kept.setup + " ", "\ud800", kept.signature]
    for message in (["p", "\ud800"], ["v", tables[1].keys.seal_key, "\ud800"], ["talk", "\udfff"], start):
        for line in evil.channels.by_key.values():
            says(evil, line, json.dumps(message))
    await asyncio.sleep(1)
    assert all(table.channels.refused["json.damaged"] >= 4 for table in tables)
    evil.leave()
    await played(street, tables, 16)
    assert len(heads(tables)) == 1
    leave(*tables)


@evening
async def test_a_seat_is_taken_with_a_claim_of_one_s_own() -> None:
    """Without this check the game could not begin, or the rejoin link of one seat would have moved another one."""
    street = Street()
    homes = [Home(street) for _ in range(3)]
    tables = await seated(street, homes, lobby("p,p,p"))
    evil, host = tables[2], tables[0]
    assert host.lobby is not None
    claims = [spot.claim for spot in host.lobby.spots]
    line = evil.channels.by_key[host.keys.seal_key]
    evil.send(line, ["stand", 2])
    for claim in ("", "abc", "A" * 44, claims[1]):
        evil.send(line, ["sit", 2, "Eve", claim])
    await street.until(lambda: len([what for what, _ in homes[2].told if what == "refused"]) == 4)
    assert [spot.claim for spot in host.lobby.spots] == [*claims[:2], ""]
    evil.seating.sit(2, "Eve")
    await begun(street, tables)
    leave(*tables)
