"""Tables from the link to the last card: the real protocol, endpoint and lobby; only the network is in memory."""

from __future__ import annotations

import asyncio

import pytest

from engine import GAMES
from engine.bots import choose
from engine.seats import EMBLEMS
from peer.channels import invite
from peer.order.outputs import Muted
from peer.table.lobby import Lobby, Spot
from peer.table.news import HeaderNotStored, OtherVersion, Refusal
from peer.table.phase import Playing, Replaced
from peer.table.table import Table
from peer.wire.messages import GameFrame, LobbyUpdate, Start
from tests.peer.simulation.in_memory import TIMEOUT, Network, SimDevice, simulated

#: a deck that is soon played
SHORT = {"deck": {"ring": 1, "coin": 2}}


def make_lobby(plays: str, game: str = "razzia") -> Lobby:
    spots = tuple(
        Spot(f"Seat {seat + 1}", emblem, who)
        for seat, (emblem, who) in enumerate(zip(EMBLEMS, plays.split(","), strict=False))
    )
    return Lobby(game, GAMES[game].VERSION, {}, spots)


async def seat_all(network: Network, devices: list[SimDevice], lobby_: Lobby) -> list[Table]:
    """Opens a table and seats all devices: device n on seat n. Returns their tables."""
    tables = [devices[0].open_table(lobby_)]
    await network.until(lambda: devices[0].dial is None or tables[0].news().endpoint == "in")
    for device in devices[1:]:
        tables.append(device.visit(tables[0].invite.fragment))
    await network.until(lambda: all(table.lobby is not None for table in tables))
    for seat, table in enumerate(tables):
        table.seating.sit(seat, f"Guest {seat}")
        await network.until(lambda seat=seat: all(_is_taken(one, seat) for one in tables))
    return tables


def _is_taken(table: Table, seat: int) -> bool:
    return table.lobby is not None and not table.lobby.spots[seat].free


def answer_all(tables: list[Table]) -> None:
    """Gives the answers of all seats that are asked."""
    for table in tables:
        game = table.game
        for seat in game.own_seats if game is not None else ():
            if game is not None and game.device.possible_answers(seat):
                view = game.device.private.views[seat]
                game.answer(seat, choose(view, seat, "b2", "seed"))


def heads(tables: list[Table]) -> set[tuple[int, str]]:
    games = [table.game for table in tables if table.game is not None]
    return {(game.device.applied, game.device.log.heads[game.device.applied]) for game in games}


async def play_until(network: Network, tables: list[Table], entries: int = 0) -> None:
    """Plays until the game has so many entries, or is over; without a number, until it is over on all devices."""

    def done() -> bool:
        answer_all(tables)
        games = [table.game for table in tables if table.game is not None]
        plays = [game.device.state.public for game in games]
        if entries:
            return all(play.over or len(play.entries) >= entries for play in plays)
        return all(play.over for play in plays) and len(heads(tables)) == 1

    await network.until(done)


async def begin_game(network: Network, tables: list[Table]) -> None:
    opener_env = tables[0].env
    assert isinstance(opener_env, SimDevice)
    await opener_env.context.run(asyncio.ensure_future, tables[0].laying_out.begin())
    await network.until(lambda: all(table.game is not None for table in tables))


async def running_game(
    plays: str, game: str = "razzia", *, entries: int = 0
) -> tuple[Network, list[SimDevice], list[Table]]:
    """Returns a running game with so many entries, and a device for each person."""
    network = Network()
    devices = [SimDevice(network) for who in plays.split(",") if who == "p"]
    tables = await seat_all(network, devices, make_lobby(plays, game))
    await begin_game(network, tables)
    if entries:
        await play_until(network, tables, entries)
    return network, devices, tables


def leave(*tables: Table) -> None:
    for table in tables:
        table.leave()


@pytest.mark.parametrize("game", GAMES)
@simulated
async def test_two_devices_join_a_table_by_link_and_finish_the_game(game: str) -> None:
    _, devices, tables = await running_game("p,p,b1", game, entries=30)
    assert [state for table in tables for state in (table.connections.state(one) for one in table.channels.by_key)] == [
        "direct"
    ] * 2
    events = [event for home in devices for event in home.events]
    assert not any(isinstance(event, Refusal | HeaderNotStored | OtherVersion) for event in events)
    assert [table.channels.refused for table in tables] == [{}, {}]
    leave(*tables)


@simulated
async def test_without_direct_connections_the_endpoint_relays_sealed_frames() -> None:
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    devices[1].make = None
    tables = await seat_all(network, devices, make_lobby("p,p"))
    await begin_game(network, tables)
    await play_until(network, tables, 12)
    assert [table.connections.state(one) for table in tables for one in table.channels.by_key] == ["relayed"] * 2
    leave(*tables)


@simulated
async def test_a_guest_comes_back_after_a_reload_to_the_same_seat() -> None:
    network, devices, tables = await running_game("p,p", entries=8)
    devices[1].crash()
    tables[1] = devices[1].visit(tables[0].invite.fragment)
    assert tables[1].game is not None
    assert tables[1].game.own_seats == (1,)
    await play_until(network, tables, 20)
    leave(*tables)


@simulated
async def test_the_opener_comes_back_after_a_reload() -> None:
    network, devices, tables = await running_game("p,p,p", entries=8)
    devices[0].crash()
    tables[0] = devices[0].visit(tables[1].invite.fragment)
    await play_until(network, tables, 20)
    leave(*tables)


@simulated
async def test_the_table_goes_on_without_its_opener() -> None:
    network, _, tables = await running_game("p,p,p", entries=8)
    await network.until(lambda: all(line.open for line in tables[1].channels.by_key.values()))
    tables[0].leave()
    rest = tables[1:]
    games = [table.game for table in rest if table.game is not None]
    await network.until(lambda: all(game.device.raft.leader in (1, 2) for game in games))  # not the device that is gone
    await network.until(lambda: all(table.news().seated[0].bot_reason == "away" for table in rest))
    for game in games:
        game.give_seat(0, "bot")
    await network.until(lambda: all(table.news().leader in ("me", "direct") for table in rest))
    await network.until(lambda: rest[0].news().seated[0].kind == "bot")
    await play_until(network, rest, 20)
    leave(*rest)


@simulated
async def test_a_late_device_becomes_a_spectator() -> None:
    network, _, tables = await running_game("p,p", entries=8)
    late = SimDevice(network).visit(tables[0].invite.fragment)
    await network.until(lambda: late.game is not None)
    await play_until(network, [*tables, late], 16)
    assert late.game is not None
    assert late.game.own_seats == ()
    leave(*tables, late)


@simulated
async def test_without_an_endpoint_the_opener_introduces_guests_to_each_other() -> None:
    network = Network()
    devices = [SimDevice(network) for _ in range(3)]
    for device in devices:
        device.dial = None
    opener = devices[0].open_table(make_lobby("p,p,p"))
    tables = [opener]
    for device in devices[1:]:
        await opener.pairing.make_offer()
        given, offer = invite.read_offer(f"https://example.org/#o={opener.pairing.offer_code}")
        assert given == opener.invite
        guest = device.visit(given.fragment)
        await guest.pairing.make_reply(offer)
        await opener.pairing.complete(f" {guest.pairing.reply_code}\n")
        tables.append(guest)
        await network.until(lambda guest=guest: guest.lobby is not None)
    await network.until(lambda: all(len(table.channels.by_key) == 2 for table in tables))
    await network.until(lambda: all(line.open for table in tables for line in table.channels.by_key.values()))
    for seat, table in enumerate(tables):
        table.seating.sit(seat, f"Guest {seat}")
        await network.until(lambda seat=seat: all(_is_taken(one, seat) for one in tables))
    await begin_game(network, tables)
    await play_until(network, tables, 8)
    opener.leave()
    await network.until(lambda: tables[1].news().leader in ("me", "direct"))
    leave(*tables[1:])


@simulated
async def test_another_version_of_the_page_is_told_to_reload() -> None:
    network = Network()
    devices = [SimDevice(network), SimDevice(network)]
    devices[1].build = "2"
    opener = devices[0].open_table(make_lobby("p,p"))
    await network.until(lambda: opener.news().endpoint == "in")
    guest = devices[1].visit(opener.invite.fragment)
    await network.until(lambda: guest.no_entry_reason == "net.reload")
    assert any(isinstance(event, OtherVersion) for event in devices[0].events)
    leave(opener, guest)


@simulated
async def test_no_device_can_pose_as_the_opener() -> None:
    network = Network()
    devices = [SimDevice(network) for _ in range(3)]
    tables = await seat_all(network, devices[:2], make_lobby("p,p"))
    evil = tables[1]
    guest = devices[2].visit(tables[0].invite.fragment)
    await network.until(lambda: guest.lobby is not None and len(guest.channels.by_key) == 2)
    channel = evil.channels.by_key[guest.keys.seal_key]
    evil.channels.send(channel, LobbyUpdate(make_lobby("p,p,p,p").text))
    setup = make_lobby("b1,b1").setup(evil.keys.seal_key, {evil.keys.seal_key: evil.keys.verify_key}, b"salt" * 4).text
    evil.channels.send(channel, Start(setup, '[["rose","b1"],["anchor","b1"]]', evil.keys.sign(b"")))
    await network.until(lambda: sum(guest.channels.refused.values()) == 2)
    assert guest.lobby == tables[0].lobby
    assert guest.setup is None
    leave(*tables, guest)


@simulated
async def test_a_device_that_sends_nonsense_is_muted_and_the_game_goes_on() -> None:
    network, devices, tables = await running_game("p,p,p", entries=6)
    evil = tables[2]
    for channel in evil.channels.by_key.values():
        for number in range(30):
            evil.channels.send(channel, GameFrame("[" * 9_000 if number % 2 else '["hi","x"]'))
            evil.channels.send(channel, LobbyUpdate("nonsense"))
    await network.until(lambda: [type(tell) for one in devices[:2] for tell in one.tells].count(Muted) == 2)
    evil.leave()
    await network.until(lambda: all(table.game.device.raft.leader in (0, 1) for table in tables[:2] if table.game))
    for table in tables[:2]:
        assert table.game is not None
        table.game.give_seat(2, "bot")
    await play_until(network, tables[:2], 14)
    leave(*tables[:2])


@simulated
async def test_wishes_for_a_bot_are_renewed_when_the_leader_changes() -> None:
    network, _, tables = await running_game("p,p,p,p,p", entries=6)
    gone = tables[4]
    gone.leave()
    rest = tables[:4]
    await until_gone(network, rest, gone)
    await network.until(lambda: all(table.news().leader not in ("", "gone") for table in rest))
    leader = next(table for table in rest if table.news().leader == "me")
    early, *late = [table for table in rest if table is not leader]
    for table in (leader, early):
        assert table.game is not None
        table.game.give_seat(4, "bot")
    await network.until(lambda: {(table.news().bot_wishes or {}).get(4) for table in rest} == {2})
    leader.leave()
    await network.until(lambda: all(seen_states([table], leader) == {"gone"} for table in (early, *late)))
    await network.until(lambda: all(table.news().leader in ("me", "direct") for table in (early, *late)))
    for table in late:
        assert table.game is not None
        table.game.give_seat(4, "bot")
    await network.until(lambda: all(table.news().seated[4].kind == "bot" for table in (early, *late)))
    leave(early, *late)


def is_settled(tables: list[Table]) -> bool:
    """Returns True if no device has anything more to send or to store."""
    devices = [table.game.device for table in tables if table.game is not None]
    return not any(not one.outbox.is_empty or one.applied < one.log.last_index for one in devices)


@simulated
async def test_a_second_window_takes_the_seat_and_the_first_sends_nothing_more() -> None:
    network, devices, tables = await running_game("p,p", entries=6)
    await network.until(lambda: len(heads(tables)) == 1 and is_settled(tables))
    first = tables[1]
    again = devices[1].visit(first.invite.fragment)
    await network.until(lambda: first.news().endpoint == "replaced")
    assert isinstance(first.phase, Replaced)
    assert isinstance(first.phase.former, Playing)
    assert first.phase.former.game.driver.over
    await play_until(network, [tables[0], again], 14)
    leave(tables[0], again)


def seen_states(tables: list[Table], whose: Table) -> set[str]:
    """Returns how these tables reach that device."""
    return {guest.state for table in tables for guest in table.news().guests if guest.seal_key == whose.keys.seal_key}


async def until_gone(network: Network, tables: list[Table], whose: Table, *, timeout: float = TIMEOUT) -> None:
    """Waits until that device is gone for these tables. This takes many seconds, so it is looked at less often."""
    await network.until(lambda: seen_states(tables, whose) == {"gone"}, timeout, every=0.25)


@pytest.mark.parametrize("sleeper", [0, 2])
@simulated
async def test_a_suspended_browser_is_shown_as_away_and_takes_its_seat_back(sleeper: int) -> None:
    network, devices, tables = await running_game("p,p,p", entries=8)
    await network.until(lambda: all(line.open for table in tables for line in table.channels.by_key.values()))
    phone = tables[sleeper]
    rest = [table for table in tables if table is not phone]
    devices[sleeper].suspend()
    await network.until(lambda: seen_states(rest, phone) == {"quiet"}, 7)
    await until_gone(network, rest, phone, timeout=8)
    for _ in range(60):  # its place at the endpoint is held, and no message comes from there
        await asyncio.sleep(1)
        assert seen_states(rest, phone) == {"gone"}
    assert {table.news().seated[sleeper].minutes for table in rest} == {1}
    assert {table.news().leader for table in rest} <= {"me", "direct"}
    for table in rest:
        assert table.game is not None
        table.game.give_seat(sleeper, "bot")
    await play_until(network, rest, 20)
    await asyncio.sleep(10)
    devices[sleeper].resume()
    await network.until(lambda: all(seen_states(tables, table) == {"me", "direct"} for table in tables), 3)
    await network.until(lambda: phone.news().leader == "direct", 3)
    assert phone.game is not None
    assert not any(guest.muted for guest in phone.game.border.limits.values())
    phone.game.give_seat(sleeper, "person")
    await network.until(lambda: all(table.news().seated[sleeper].kind == "person" for table in tables), 2)
    assert len(heads(tables)) == 1
    await play_until(network, tables, 30)
    leave(*tables)


@simulated
async def test_one_of_two_devices_waits_for_the_suspended_other() -> None:
    network, devices, tables = await running_game("p,p", entries=6)
    devices[1].suspend()
    await until_gone(network, tables[:1], tables[1], timeout=15)
    assert tables[0].news().leader == ""
    await asyncio.sleep(30)
    devices[1].resume()
    await network.until(lambda: all(seen_states(tables, table) == {"me", "direct"} for table in tables), 3)
    await play_until(network, tables, 16)
    leave(*tables)


@simulated
async def test_a_hidden_page_with_late_timers_is_not_suspended() -> None:
    """In a hidden page a browser fires timers once a minute; messages still arrive, and the connections stay open."""
    network, _, tables = await running_game("p,p", entries=6)
    await network.until(lambda: all(line.open for table in tables for line in table.channels.by_key.values()))
    hidden = tables[1]
    hidden._tick = lambda: None  # type: ignore[method-assign]  # its clock does not tick any more
    await asyncio.sleep(60)
    hidden.channels.tick()
    assert [line.open for line in hidden.channels.by_key.values()] == [True]
    assert hidden.connections.state(tables[0].keys.seal_key) == "direct"
    leave(*tables)


@simulated
async def test_a_game_that_begins_before_the_endpoint_gave_a_code_keeps_the_code_of_the_table() -> None:
    """Regression: the code changed in the middle of the game. The later records were stored under another key, and a
    reload found a journal without its beginning."""
    network = Network()
    device = SimDevice(network)
    stored_codes: set[str] = set()
    keep = device.keep

    async def note_code(code: str, header: str, first: int, records: list[str]) -> None:
        stored_codes.add(code)
        await keep(code, header, first, records)

    device.keep = note_code  # type: ignore[method-assign]
    table = device.open_table(make_lobby("p,b1"))
    table.seating.sit(0, "Theo")
    code = table.invite.code
    await begin_game(network, [table])
    await play_until(network, [table], 6)
    await asyncio.sleep(5)
    assert (table.invite.code, stored_codes) == (code, {code})
    device.crash()
    again = device.visit(table.invite.fragment)
    await play_until(network, [again], 12)
    await network.until(lambda: again.news().endpoint == "in")
    assert (again.invite.code, stored_codes) == (code, {code})
    leave(again)
