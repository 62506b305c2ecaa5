"""Seats that move to another device by a rejoin link, and devices that come after the game has begun."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from engine.core import Refused
from peer.channels import invite
from peer.game.setup import Member
from peer.game.state import State
from peer.game.types import hash_of, vow_of
from peer.order.outputs import OwnRefused
from peer.table.table import Table
from peer.wire import bodies, envelope
from tests.peer.device.test_hostile_frames import signed_envelope
from tests.peer.simulation.fuzz import run_recorded
from tests.peer.simulation.in_memory import SimDevice, _never, simulated
from tests.peer.table.test_tables import leave, play_until, running_game


@pytest.mark.parametrize("game", ["razzia", "thieves"])
@simulated
async def test_a_rejoin_link_brings_the_seat_to_another_device(game: str) -> None:
    network, devices, tables = await running_game("p,p,p", game, entries=8)
    other = SimDevice(network).visit(await tables[1].tokens.give_away())
    await network.until(lambda: other.game is not None and other.game.own_seats == (1,))
    devices[1].crash()
    await play_until(network, [tables[0], other, tables[2]], 16)
    leave(tables[0], other, tables[2])


@pytest.mark.parametrize(
    ("plays", "game", "mover"), [("p,p", "razzia", 0), ("p,p", "razzia", 1), ("p,p,b2", "thieves", 1)]
)
@simulated
async def test_one_of_two_devices_can_be_closed_after_its_seat_has_moved(plays: str, game: str, mover: int) -> None:
    """The vote goes with the seat."""
    network, _, tables = await running_game(plays, game, entries=8)
    laptop = tables[mover]
    phone = SimDevice(network).visit(await laptop.tokens.give_away())
    both = [tables[1 - mover], phone]
    await network.until(lambda: own_seats(phone) == (mover,) and not has_vote(laptop, both))
    await network.until(lambda: laptop.news().seats_moved == "done")
    assert {table.news().seats_moved for table in both} == {""}
    laptop.leave()
    await play_until(network, both, 16)
    leave(*both)


@simulated
async def test_two_of_three_devices_can_move_their_seats() -> None:
    network, _, tables = await running_game("p,p,p", entries=8)
    phones = []
    for table in tables[1:]:
        phone = SimDevice(network).visit(await table.tokens.give_away())
        await network.until(lambda phone=phone: len(own_seats(phone)) == 1)
        phones.append(phone)
    now = [tables[0], *phones]
    await network.until(lambda: not any(has_vote(table, now) for table in tables[1:]))
    leave(*tables[1:])
    await play_until(network, now, 16)
    leave(*now)


def has_vote(table: Table, at: list[Table]) -> bool:
    """Returns True if that device still has a vote, as far as any of the tables `at` knows."""
    return any(
        one.game is None or table.game is None or table.game.number in one.game.device.state.voters for one in at
    )


def own_seats(table: Table) -> tuple[int, ...]:
    return table.game.own_seats if table.game is not None else ()


def refusals(device: SimDevice) -> list[Any]:
    return [tell.reason for tell in device.tells if isinstance(tell, OwnRefused)]


@simulated
async def test_a_rejoin_link_that_is_being_made_is_refused_when_the_game_ends_here() -> None:
    """Regression: the promise not to go on alone was never stored, and the request for the link hung."""
    _, devices, tables = await running_game("p,p", entries=6)
    table = tables[1]
    table.keep = _never  # type: ignore[method-assign]
    making = devices[1].context.run(asyncio.ensure_future, table.tokens.give_away())
    await asyncio.sleep(1)
    assert not making.done()
    assert table.game is not None
    table.game.end()
    with pytest.raises(Refused, match=r"net\.wait"):
        async with asyncio.timeout(5):
            await making
    leave(*tables)


@simulated
async def test_the_new_device_can_pass_the_seat_on() -> None:
    network, _, tables = await running_game("p,p,p", entries=8)
    second = SimDevice(network).visit(await tables[1].tokens.give_away())
    await network.until(lambda: own_seats(second) == (1,))
    with pytest.raises(Refused) as refused:
        await tables[1].tokens.give_away()
    assert refused.value.reason == "net.no_rejoin"
    third = SimDevice(network).visit(await second.tokens.give_away())
    await network.until(lambda: own_seats(third) == (1,))
    assert own_seats(second) == ()
    await play_until(network, [tables[0], third, tables[2]], 16)
    leave(*tables, second, third)


@simulated
async def test_a_used_rejoin_link_is_refused_and_admits_a_spectator() -> None:
    network, devices, tables = await running_game("p,p,p", entries=8)
    fragment = await tables[1].tokens.give_away()
    device = SimDevice(network)
    second = device.visit(fragment)
    await network.until(lambda: own_seats(second) == (1,))
    late = SimDevice(network)
    third = late.visit(fragment)
    await network.until(lambda: refusals(late) == ["net.token"])
    assert third.game is not None
    assert (own_seats(second), own_seats(third)) == ((1,), ())
    assert tables[0].game is not None
    assert tables[0].game.device.state.refused_in_a_row == {}
    second.leave()
    second = device.visit(fragment)  # a reload: the address still has the link
    await network.until(lambda: own_seats(second) == (1,) and second.game is not None and second.game.device.ready)
    await play_until(network, [tables[0], second, tables[2]], 16)
    assert [refusals(one) for one in (*devices, device)] == [[]] * 4
    leave(*tables, second, third)


@simulated
async def test_a_former_spectator_can_take_the_seat() -> None:
    network, _, tables = await running_game("p,p,p", entries=8)
    phone = SimDevice(network)
    table = phone.visit(tables[1].invite.fragment)
    await network.until(lambda: table.game is not None)
    table.tokens.claim(invite.read((await tables[1].tokens.give_away()).removeprefix("r=")).tokens)
    await network.until(lambda: own_seats(table) == (1,))
    leave(*tables, table)


@simulated
async def test_a_rejoin_link_moves_all_seats_of_a_device() -> None:
    network, _, tables = await running_game("p,p,p", entries=8)
    one, two = [(await tables[n].tokens.give_away()).rpartition(".")[2] for n in (1, 2)]
    both = SimDevice(network).visit(tables[1].invite.rejoin_fragment([one, two]))
    await network.until(lambda: own_seats(both) == (1, 2))
    last = SimDevice(network).visit(await both.tokens.give_away())
    await network.until(lambda: own_seats(last) == (1, 2))
    leave(*tables, both, last)


TOKEN = "k" * 43


def table_state() -> tuple[State, Callable[[int, bodies.Body], str]]:
    """Returns the state of a table, and a function that commits one more entry and returns why it is refused, or ""."""
    world, _ = run_recorded()
    device = world.nodes[0].device
    assert device is not None
    state = device.state
    state.claims[hash_of(TOKEN)] = 0

    def refusal_of(author: int, body: bodies.Body) -> str:
        said = signed_envelope(world, world.nodes[author], state.counters.get(author, 0) + 1, body)
        return state.apply(envelope.Entry(1, said), state.head, honest=True).reason

    return state, refusal_of


def test_a_token_seen_by_another_device_cannot_be_claimed() -> None:
    """The leader sees a token in a claim before the claim is committed; but only the first vow counts."""
    state, refusal_of = table_state()
    assert refusal_of(2, bodies.Vow((vow_of(TOKEN, state.devices[2]),))) == ""
    claim = bodies.Claim(((TOKEN, hash_of("next")),))
    assert refusal_of(1, claim) == "net.token", "no vow at all"
    assert refusal_of(1, bodies.Vow((vow_of(TOKEN, state.devices[1]),))) == ""
    assert refusal_of(1, claim) == "net.token", "too late"
    assert refusal_of(2, claim) == ""
    assert (state.homes[0], state.places[0].device) == (2, 2)
    assert refusal_of(2, claim) == "net.token", "used"


def test_a_claim_cannot_push_another_seat_s_token_out() -> None:
    state, refusal_of = table_state()
    state.claims["c" * 43] = 1
    refusal_of(2, bodies.Vow((vow_of(TOKEN, state.devices[2]),)))
    assert refusal_of(2, bodies.Claim(((TOKEN, "c" * 43),))) == "net.token"
    assert state.claims["c" * 43] == 1


def test_a_spectator_admits_no_device_and_vows_are_bounded() -> None:
    state, refusal_of = table_state()
    state.voters = (0, 1)
    known = len(state.devices)
    assert refusal_of(2, bodies.Join(known, "s" * 43, "k" * 43)) == "net.no_voter"
    assert refusal_of(1, bodies.Join(known, "s" * 43, "k" * 43)) == ""
    assert state.devices[-1] == Member("s" * 43, "k" * 43)
    assert [refusal_of(2, bodies.Vow(("v" * 43,) * 8)) for _ in range(4)] == ["", "", "", "net.stale"]
