"""Seats that move to another device by a rejoin link, and devices that come after the game has begun."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import Refused
from peer.channels import invite
from peer.game.setup import Member
from peer.game.state import State
from peer.game.types import hash_of, vow_of
from peer.table.table import Table
from peer.wire import envelope
from tests.peer.device.test_hostile_frames import said_by
from tests.peer.simulation.fuzz import heard
from tests.peer.simulation.in_memory import Home, evening
from tests.peer.table.test_tables import leave, played, under_way


@pytest.mark.parametrize("game", ["razzia", "thieves"])
@evening
async def test_a_rejoin_link_brings_the_seat_to_another_device(game: str) -> None:
    street, homes, tables = await under_way("p,p,p", game, entries=8)
    other = Home(street).visits(await tables[1].tokens.give_away())
    await street.until(lambda: other.game is not None and other.game.mine == (1,))
    homes[1].crash()
    await played(street, [tables[0], other, tables[2]], 16)
    leave(tables[0], other, tables[2])


@pytest.mark.parametrize(
    ("plays", "game", "mover"), [("p,p", "razzia", 0), ("p,p", "razzia", 1), ("p,p,b2", "thieves", 1)]
)
@evening
async def test_of_two_devices_the_old_one_can_be_shut_when_the_seat_has_moved(
    plays: str, game: str, mover: int
) -> None:
    """The vote goes with the seat."""
    street, _, tables = await under_way(plays, game, entries=8)
    laptop = tables[mover]
    phone = Home(street).visits(await laptop.tokens.give_away())
    both = [tables[1 - mover], phone]
    await street.until(lambda: seats(phone) == (mover,) and not votes(laptop, both))
    await street.until(lambda: laptop.news().left == "done")
    assert {table.news().left for table in both} == {""}
    laptop.leave()
    await played(street, both, 16)
    leave(*both)


@evening
async def test_two_of_three_can_go_on_to_their_phones() -> None:
    street, _, tables = await under_way("p,p,p", entries=8)
    phones = []
    for table in tables[1:]:
        phone = Home(street).visits(await table.tokens.give_away())
        await street.until(lambda phone=phone: len(seats(phone)) == 1)
        phones.append(phone)
    now = [tables[0], *phones]
    await street.until(lambda: not any(votes(table, now) for table in tables[1:]))
    leave(*tables[1:])
    await played(street, now, 16)
    leave(*now)


def votes(table: Table, at: list[Table]) -> bool:
    """Returns True if that device still has a vote, as far as any of the tables `at` knows."""
    return any(
        one.game is None or table.game is None or table.game.number in one.game.device.state.voters for one in at
    )


def seats(table: Table) -> tuple[int, ...]:
    return table.game.mine if table.game is not None else ()


def refusals(home: Home) -> list[Any]:
    return [data.values["why"] for what, data in home.told if what == "told" and data.what == "refused"]


@evening
async def test_the_new_device_can_pass_the_seat_on() -> None:
    street, _, tables = await under_way("p,p,p", entries=8)
    second = Home(street).visits(await tables[1].tokens.give_away())
    await street.until(lambda: seats(second) == (1,))
    with pytest.raises(Refused) as refused:
        await tables[1].tokens.give_away()
    assert refused.value.reason == "net.no_rejoin"
    third = Home(street).visits(await second.tokens.give_away())
    await street.until(lambda: seats(third) == (1,))
    assert seats(second) == ()
    await played(street, [tables[0], third, tables[2]], 16)
    leave(*tables, second, third)


@evening
async def test_a_rejoin_link_that_was_used_says_so_and_lets_look_on() -> None:
    street, homes, tables = await under_way("p,p,p", entries=8)
    fragment = await tables[1].tokens.give_away()
    home = Home(street)
    second = home.visits(fragment)
    await street.until(lambda: seats(second) == (1,))
    late = Home(street)
    third = late.visits(fragment)
    await street.until(lambda: refusals(late) == ["net.token"])
    assert third.game is not None
    assert (seats(second), seats(third)) == ((1,), ())
    assert tables[0].game is not None
    assert tables[0].game.device.state.strikes == {}
    second.leave()
    second = home.visits(fragment)  # a reload: the address still has the link
    await street.until(lambda: seats(second) == (1,) and second.game is not None and second.game.device.ready)
    await played(street, [tables[0], second, tables[2]], 16)
    assert [refusals(one) for one in (*homes, home)] == [[]] * 4
    leave(*tables, second, third)


@evening
async def test_a_device_that_has_looked_on_can_take_the_seat() -> None:
    street, _, tables = await under_way("p,p,p", entries=8)
    phone = Home(street)
    table = phone.visits(tables[1].invite.fragment)
    await street.until(lambda: table.game is not None)
    table.tokens.claim(invite.read((await tables[1].tokens.give_away()).removeprefix("r=")).tokens)
    await street.until(lambda: seats(table) == (1,))
    leave(*tables, table)


@evening
async def test_all_seats_of_a_device_come_along() -> None:
    street, _, tables = await under_way("p,p,p", entries=8)
    one, two = [(await tables[n].tokens.give_away()).rpartition(".")[2] for n in (1, 2)]
    both = Home(street).visits(tables[1].invite.rejoin([one, two]))
    await street.until(lambda: seats(both) == (1, 2))
    last = Home(street).visits(await both.tokens.give_away())
    await street.until(lambda: seats(last) == (1, 2))
    leave(*tables, both, last)


TOKEN = "k" * 43


def table() -> tuple[State, Callable[[int, str, Any], str]]:
    """Returns the state of a table, and a function that commits one more entry and returns why it is refused, or ""."""
    world, _ = heard()
    device = world.nodes[0].device
    assert device is not None
    state = device.state
    state.claims[hash_of(TOKEN)] = 0

    def told(author: int, kind: str, body: Any) -> str:
        said = said_by(world, world.nodes[author], state.counters.get(author, 0) + 1, kind, body)
        return state.apply(envelope.Entry(1, said), state.head, honest=True).reason

    return state, told


def test_a_token_that_was_seen_on_its_way_is_of_no_use() -> None:
    """The leader sees a token in a claim before the claim is committed; but only the first vow counts."""
    state, told = table()
    assert told(2, "vow", ([vow_of(TOKEN, state.devices[2])],)) == ""
    pairs = ([[TOKEN, hash_of("next")]],)
    assert told(1, "claim", pairs) == "net.token", "no vow at all"
    assert told(1, "vow", ([vow_of(TOKEN, state.devices[1])],)) == ""
    assert told(1, "claim", pairs) == "net.token", "too late"
    assert told(2, "claim", pairs) == ""
    assert (state.homes[0], state.places[0].device) == (2, 2)
    assert told(2, "claim", pairs) == "net.token", "used"


def test_a_claim_cannot_push_another_seat_s_token_out() -> None:
    state, told = table()
    state.claims["c" * 43] = 1
    told(2, "vow", ([vow_of(TOKEN, state.devices[2])],))
    assert told(2, "claim", ([[TOKEN, "c" * 43]],)) == "net.token"
    assert state.claims["c" * 43] == 1


def test_who_looks_on_lets_nobody_in_and_vows_are_bounded() -> None:
    state, told = table()
    state.voters = (0, 1)
    known = len(state.devices)
    assert told(2, "join", (known, "s" * 43, "k" * 43)) == "net.no_voter"
    assert told(1, "join", (known, "s" * 43, "k" * 43)) == ""
    assert state.devices[-1] == Member("s" * 43, "k" * 43)
    assert [told(2, "vow", (["v" * 43] * 8,)) for _ in range(4)] == ["", "", "", "net.stale"]
