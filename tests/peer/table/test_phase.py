"""The phases of a table by link, and the parts that work on them alone."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.core import Nonsense, Refused
from peer.channels.channel import Channel
from peer.order.raft import NOBODY
from peer.table.joining import ASK_PAUSE, UNREACHABLE_AFTER, JoinRequests
from peer.table.laying_out import signed_start, with_bots
from peer.table.news import UNREACHABLE, News
from peer.table.next_game import NextGame, Pending
from peer.table.phase import InLobby, Knocking, Left, Over, Phase, Playing, Replaced, Waiting
from peer.table.table import Table
from peer.wire.messages import Start
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.table.test_tables import SHORT, begin_game, leave, make_lobby, play_until, running_game, seat_all

KEYS = {name: name * 43 for name in "ABCD"}


def waiting(round_: int = 1) -> Waiting:
    """Returns the phase of a device outside a game that devices A and B began."""
    lobby = make_lobby("p,p")
    spots = tuple(spot._replace(device=KEYS[name]) for spot, name in zip(lobby.spots, "AB", strict=True))
    began = replace(lobby, spots=spots).setup(KEYS["A"], {key: key for key in KEYS.values()}, b"salt", round_)
    return Waiting(began, (), None)


def channels(names: str) -> list[Channel]:
    given: Any = [SimpleNamespace(seal_key=KEYS[name]) for name in names]
    return given


@simulated
async def test_a_table_goes_from_the_lobby_through_one_game_after_the_other() -> None:
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    opener = devices[0].open_table(replace(make_lobby("p,p"), options=SHORT))
    assert isinstance(opener.phase, InLobby)
    await network.until(lambda: opener.news().endpoint == "in")
    guest = devices[1].visit(opener.invite.fragment)
    assert guest.phase == Knocking()
    await network.until(lambda: guest.phase == opener.phase)
    for seat, table in enumerate((opener, guest)):
        table.seating.sit(seat, f"Guest {seat}")
        await network.until(lambda seat=seat: all(not one.lobby.spots[seat].free for one in (opener, guest)))
    tables = [opener, guest]
    for round_ in (1, 2):
        if round_ == 1:
            await begin_game(network, tables)
        else:
            await devices[0].context.run(asyncio.ensure_future, opener.laying_out.lay_out_again())
        await network.until(lambda: all(isinstance(table.phase, Playing) for table in tables))
        await play_until(network, tables)
        phases = [table.phase for table in tables]
        assert [phase.game.setup.round for phase in phases if isinstance(phase, Over)] == [round_, round_]
    leave(*tables)
    assert [table.phase for table in tables] == [Left(), Left()]
    assert [(table.lobby, table.setup, table.game) for table in tables] == [(None, None, None)] * 2


@simulated
async def test_a_table_that_was_left_begins_no_game_and_stores_none() -> None:
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    tables: list[Table] = await seat_all(network, devices, make_lobby("p,p"))
    lobby = tables[0].lobby
    assert lobby is not None
    start = await signed_start(lobby, tables[0].keys, tables[0].connections.verify_keys(), 1, tables[0].env)
    tables[1].leave()
    assert not await tables[1].begin_game(start)
    assert tables[1].phase == Left()
    assert tables[1].header.start is None
    leave(tables[0])


@simulated
async def test_another_window_takes_over_once_and_a_left_table_sends_no_events() -> None:
    _, devices, tables = await running_game("p,p", entries=4)
    left, shown = tables[1], tables[0].phase
    left.leave()
    devices[1].events.clear()
    for table in tables:
        table.retire()
        table.retire()
    assert [table.phase for table in tables] == [Replaced(shown), Replaced(Left())]
    assert [event.endpoint for event in devices[0].events[-1:] if isinstance(event, News)] == ["replaced"]
    assert devices[1].events == []
    leave(*tables)
    assert [table.phase for table in tables] == [Replaced(shown), Replaced(Left())], "it must store nothing any more"


@pytest.mark.parametrize("damaged", ["setup", "looks", "records", "record"])
@simulated
async def test_damage_of_a_stored_table_is_refused_with_a_message(damaged: str) -> None:
    _, devices, tables = await running_game("p,p", entries=4)
    device = devices[1]
    device.crash()
    if damaged == "record":
        device.disk[0] = '["what"]'
    else:
        device.headers["table"] = json.dumps(json.loads(device.headers["table"]) | {damaged: "[]"})
    with pytest.raises(Refused, match=r"net\.kept"):
        device.visit(tables[0].invite.fragment)
    leave(tables[0], device.table)


def test_the_first_devices_of_the_game_are_asked_twice_and_then_all_devices() -> None:
    requests, asked = JoinRequests(0), []
    for number in range(1, 13):
        channel = requests.next_channel(waiting(), channels("CAB"), number * ASK_PAUSE)
        assert channel is not None
        asked.append(channel.seal_key[0])
        assert requests.next_channel(waiting(), channels("CAB"), number * ASK_PAUSE + 1) is None
    assert sorted(asked[:4]) == ["A", "A", "B", "B"]
    assert {*asked[4:]} == {"A", "B", "C"}


@pytest.mark.parametrize("phase", [Knocking(), InLobby(make_lobby("p,p")), Left()])
def test_no_device_is_asked_before_a_game_has_begun_or_after_the_table_was_left(phase: Phase) -> None:
    assert JoinRequests(0).next_channel(phase, channels("AB"), 9 * ASK_PAUSE) is None


def test_the_table_detects_that_no_other_device_can_be_reached() -> None:
    requests, late = JoinRequests(0), UNREACHABLE_AFTER + 1
    requests.note_reachable(waiting(), [], late, online=False)
    assert requests.missing_devices(late) == 0, "this device itself is not connected"
    requests.note_reachable(waiting(), channels("C"), 2 * late, online=True)
    assert requests.missing_devices(2 * late) == UNREACHABLE
    requests.note_reachable(waiting(), channels("CA"), 3 * late, online=True)
    assert requests.missing_devices(3 * late) == 0
    requests.asked_keys = {KEYS["A"]}
    requests.on_answer(KEYS["A"], 2, 3 * late)
    assert requests.missing_devices(3 * late) == 2
    with pytest.raises(Nonsense, match=r"net\.not_a_message"):
        requests.on_full(KEYS["B"], 3 * late)
    with pytest.raises(Nonsense, match=r"net\.not_a_message"):
        requests.on_answer(KEYS["B"], 0, 3 * late)


def running(*, over: bool, led: bool = True) -> Any:
    raft = SimpleNamespace(leader=0 if led else NOBODY, hears=lambda device, within: led)
    return SimpleNamespace(setup=waiting().setup, over=over, device=SimpleNamespace(raft=raft, mark="first"))


def offered(round_: int) -> Pending:
    return Pending(Start("setup", "looks", "signature"), waiting(round_).setup, None)


def test_the_next_game_waits_for_the_end_of_one_that_has_a_leader() -> None:
    old, after = offered(1), offered(2)
    playing, over = Playing(running(over=False), None), Over(running(over=True), None)
    for now in (0, 60_000):
        next_game = NextGame()
        assert not next_game.may_begin(old, over, now)
        assert next_game.due(over, now) is None
        assert next_game.may_begin(after, waiting(), now)
        assert next_game.may_begin(after, over, now)
        assert not next_game.may_begin(after, playing, now)
        assert next_game.due(playing, now + 60_000) is None
        assert next_game.due(over, now) == after
        next_game.begin(over.game)
        assert next_game.due(over, now) is None
        assert next_game.belongs_elsewhere('["hi","first"]')


def test_a_game_without_a_leader_is_abandoned_for_the_next_one_after_a_while() -> None:
    next_game, after = NextGame(), offered(2)
    playing = Playing(running(over=False, led=False), None)
    assert not next_game.may_begin(after, playing, 1_000)
    assert next_game.due(playing, 5_000) is None
    assert next_game.due(playing, 6_001) == after


def test_of_two_games_that_wait_the_later_one_begins() -> None:
    """Regression: the setup that arrived last was kept, even if it was the older one."""
    playing, over = Playing(running(over=False), None), Over(running(over=True), None)
    for order in ([2, 3], [3, 2]):
        next_game = NextGame()
        for round_ in order:
            assert not next_game.may_begin(offered(round_), playing, 0)
        assert not next_game.may_begin(offered(2), over, 0)
        assert next_game.due(over, 0) == offered(3)


def test_bots_take_the_seats_of_absent_devices_and_the_claims_stay() -> None:
    lobby = make_lobby("p,p,b1")
    spots = tuple(
        spot._replace(device=KEYS[name] if name != "C" else "", claim=name)
        for spot, name in zip(lobby.spots, "ABC", strict=True)
    )
    seated = with_bots(replace(lobby, spots=spots), lambda seal_key: seal_key == KEYS["B"])
    assert [(spot.plays[:1], spot.device[:1], spot.claim) for spot in seated.spots] == [
        ("p", "A", "A"),
        ("b", "", "B"),
        ("b", "", "C"),
    ]
