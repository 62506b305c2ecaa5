"""A hostile guest who has the link: the devices of the table play on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from peer.table.news import Refusal
from peer.table.table import Table
from peer.wire.messages import Join, Sit, Stand, Start
from tests.peer.simulation.fake_keys import FakeKeys
from tests.peer.simulation.in_memory import Network, SimDevice, send_raw, simulated
from tests.peer.table.test_tables import begin_game, heads, leave, make_lobby, play_until, running_game, seat_all


class HostileDevice(SimDevice):
    """A hostile device; `signer`: the verify key it claims to have, if not its own."""

    def __init__(self, network: Network, claimed_key: str = "") -> None:
        super().__init__(network)
        self.claimed_key = claimed_key

    def keys(self, seed: bytes) -> FakeKeys:
        keys = super().keys(seed)
        keys.verify_key = self.claimed_key or keys.verify_key
        return keys


async def with_hostile_guest(*, poses: bool = False) -> tuple[Network, list[SimDevice], list[Table], Table]:
    network, devices, tables = await running_game("p,p,p", entries=6)
    evil = HostileDevice(network, tables[0].keys.verify_key if poses else "").visit(tables[0].invite.fragment)
    await network.until(lambda: len(evil.channels.by_key) >= 3)
    return network, devices, tables, evil


@simulated
async def test_a_join_request_with_another_devices_key_is_refused() -> None:
    """Regression: the entries of all devices that let the guest in were refused, because a device with that verify key
    exists already; in the end the table accepted no entries of theirs."""
    network, _, tables, evil = await with_hostile_guest(poses=True)
    for _ in range(60):
        for channel in evil.channels.by_key.values():
            evil.connections.send(channel, Join(await evil.env.sign(evil.keys, b"anything"), ()))
        await asyncio.sleep(0.2)
    for table in tables:
        assert table.game is not None
        assert table.game.device.state.refused_in_a_row == {}
        assert len(table.game.device.state.devices) == 3
        assert table.channels.refused["net.forged"] > 0
    await network.until(lambda: all(table.channels.by_key[evil.keys.seal_key].muted for table in tables))
    evil.leave()
    await play_until(network, tables, 20)
    leave(*tables)


@simulated
async def test_a_device_that_sends_forged_setups_is_muted() -> None:
    """Regression: a forged setup was only counted, and its sender was never muted."""
    network, _, tables, evil = await with_hostile_guest()
    header = tables[0].header
    for number in range(60):
        for channel in evil.channels.by_key.values():
            evil.connections.send(channel, Start(header.setup + " " * number, header.looks, header.signature[::-1]))
        await asyncio.sleep(0.2)
    await network.until(lambda: all(table.channels.by_key[evil.keys.seal_key].muted for table in tables))
    assert all(table.channels.refused["net.forged"] > 0 for table in tables)
    evil.leave()
    await play_until(network, tables, 20)
    leave(*tables)


@simulated
async def test_a_lone_surrogate_breaks_no_page() -> None:
    """Regression: a lone surrogate could not be signed, sealed or relayed, and raised an unexpected error."""
    network, _, tables, evil = await with_hostile_guest()
    header = tables[0].header
    start: list[Any] = ["start", header.setup + " ", "\ud800", header.signature]
    for message in (["ping", "\ud800"], ["relay", tables[1].keys.seal_key, "\ud800"], ["talk", "\udfff"], start):
        for channel in evil.channels.by_key.values():
            send_raw(evil, channel, json.dumps(message))
    await asyncio.sleep(1)
    assert all(table.channels.refused["json.damaged"] >= 4 for table in tables)
    evil.leave()
    await play_until(network, tables, 16)
    assert len(heads(tables)) == 1
    leave(*tables)


@simulated
async def test_a_seat_is_taken_only_with_a_valid_unused_claim() -> None:
    """Without this check the game could not begin, or the rejoin link of one seat would have moved another one."""
    network = Network()
    devices = [SimDevice(network) for _ in range(3)]
    tables = await seat_all(network, devices, make_lobby("p,p,p"))
    evil, opener = tables[2], tables[0]
    assert opener.lobby is not None
    claims = [spot.claim for spot in opener.lobby.spots]
    channel = evil.channels.by_key[opener.keys.seal_key]
    evil.connections.send(channel, Stand(2))
    for claim in ("", "abc", "A" * 44, claims[1]):
        evil.connections.send(channel, Sit(2, "Eve", claim))
    await network.until(lambda: any(isinstance(event, Refusal) for event in devices[2].events))
    assert opener.channels.refused["net.not_a_message"] == 3
    assert sum(isinstance(event, Refusal) for event in devices[2].events) == 1
    assert [spot.claim for spot in opener.lobby.spots] == [*claims[:2], ""]
    evil.seating.sit(2, "Eve")
    await begin_game(network, tables)
    leave(*tables)
