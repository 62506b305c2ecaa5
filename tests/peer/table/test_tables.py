"""Tables from the link to the last card: the real protocol, endpoint and lobby; only the network is in memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine import GAMES
from engine.bots import choose
from engine.seats import EMBLEMS
from peer.channels import invite
from peer.table.lobby import Lobby, Spot
from peer.table.table import Table
from tests.peer.simulation.in_memory import Home, Street, evening

#: a deck that is soon played
SHORT = {"deck": {"ring": 1, "coin": 2}}


def lobby(plays: str, game: str = "razzia") -> Lobby:
    spots = tuple(
        Spot(f"Seat {seat + 1}", emblem, who)
        for seat, (emblem, who) in enumerate(zip(EMBLEMS, plays.split(","), strict=False))
    )
    return Lobby(game, GAMES[game].VERSION, {}, spots)


async def seated(street: Street, homes: list[Home], lobby_: Lobby) -> list[Table]:
    """Opens a table and seats all devices: device n on seat n. Returns their tables."""
    tables = [homes[0].opens(lobby_)]
    await street.until(lambda: homes[0].dial is None or tables[0].news().endpoint == "in")
    for home in homes[1:]:
        tables.append(home.visits(tables[0].invite.fragment))
    await street.until(lambda: all(table.lobby is not None for table in tables))
    for seat, table in enumerate(tables):
        table.seating.sit(seat, f"Guest {seat}")
        await street.until(lambda seat=seat: all(_sits(one, seat) for one in tables))
    return tables


def _sits(table: Table, seat: int) -> bool:
    return table.lobby is not None and not table.lobby.spots[seat].free


def answer(tables: list[Table]) -> None:
    """Gives the answers of all seats that are asked."""
    for table in tables:
        game = table.game
        for seat in game.mine if game is not None else ():
            if game is not None and game.device.asks(seat):
                view = game.device.private.views[seat]
                game.answer(seat, choose(view, seat, "b2", "seed"))


def heads(tables: list[Table]) -> set[tuple[int, str]]:
    games = [table.game for table in tables if table.game is not None]
    return {(game.device.applied, game.device.log.heads[game.device.applied]) for game in games}


async def played(street: Street, tables: list[Table], entries: int = 0) -> None:
    """Plays until the game has so many entries; without a number, until it is over on all devices."""

    def done() -> bool:
        answer(tables)
        games = [table.game for table in tables if table.game is not None]
        plays = [game.device.state.play for game in games]
        if entries:
            return all(len(play.played) >= entries for play in plays)
        return all(play.over for play in plays) and len(heads(tables)) == 1

    await street.until(done)


async def begun(street: Street, tables: list[Table]) -> None:
    host = tables[0].env
    assert isinstance(host, Home)
    await host.context.run(asyncio.ensure_future, tables[0].seating.begin())
    await street.until(lambda: all(table.game is not None for table in tables))


async def under_way(plays: str, game: str = "razzia", *, entries: int = 0) -> tuple[Street, list[Home], list[Table]]:
    """Returns a running game with so many entries, and a device for each person."""
    street = Street()
    homes = [Home(street) for who in plays.split(",") if who == "p"]
    tables = await seated(street, homes, lobby(plays, game))
    await begun(street, tables)
    if entries:
        await played(street, tables, entries)
    return street, homes, tables


def leave(*tables: Table) -> None:
    for table in tables:
        table.leave()


@pytest.mark.parametrize("game", GAMES)
@evening
async def test_a_link_brings_two_to_a_table_and_the_game_to_its_end(game: str) -> None:
    _, homes, tables = await under_way("p,p,b1", game, entries=30)
    assert [state for table in tables for state in (table.state(one) for one in table.channels.by_key)] == [
        "direct"
    ] * 2
    assert [what for home in homes for what, _ in home.told if what in ("refused", "unkept", "stranger")] == []
    assert [table.channels.refused for table in tables] == [{}, {}]
    leave(*tables)


@evening
async def test_where_no_direct_connection_opens_the_endpoint_carries_sealed_frames() -> None:
    street = Street()
    homes = [Home(street), Home(street)]
    homes[1].make = None
    tables = await seated(street, homes, lobby("p,p"))
    await begun(street, tables)
    await played(street, tables, 12)
    assert [table.state(one) for table in tables for one in table.channels.by_key] == ["relayed"] * 2
    leave(*tables)


@evening
async def test_a_guest_comes_back_after_a_reload_to_the_same_seat() -> None:
    street, homes, tables = await under_way("p,p", entries=8)
    homes[1].crash()
    tables[1] = homes[1].visits(tables[0].invite.fragment)
    assert tables[1].game is not None
    assert tables[1].game.mine == (1,)
    await played(street, tables, 20)
    leave(*tables)


@evening
async def test_the_host_comes_back_after_a_reload() -> None:
    street, homes, tables = await under_way("p,p,p", entries=8)
    homes[0].crash()
    tables[0] = homes[0].visits(tables[1].invite.fragment)
    await played(street, tables, 20)
    leave(*tables)


@evening
async def test_the_table_goes_on_when_who_opened_it_is_gone_for_good() -> None:
    street, _, tables = await under_way("p,p,p", entries=8)
    await street.until(lambda: all(line.open for line in tables[1].channels.by_key.values()))
    tables[0].leave()
    rest = tables[1:]
    games = [table.game for table in rest if table.game is not None]
    await street.until(lambda: all(game.device.raft.leader in (1, 2) for game in games))  # not the device that is gone
    for game in games:
        game.give_seat(0, "bot")
    await street.until(lambda: all(table.news().host in ("me", "direct") for table in rest))
    await street.until(lambda: rest[0].news().seated[0].kind == "bot")
    await played(street, rest, 20)
    leave(*rest)


@evening
async def test_who_comes_late_looks_on() -> None:
    street, _, tables = await under_way("p,p", entries=8)
    late = Home(street).visits(tables[0].invite.fragment)
    await street.until(lambda: late.game is not None)
    await played(street, [*tables, late], 16)
    assert late.game is not None
    assert late.game.mine == ()
    leave(*tables, late)


@evening
async def test_with_no_endpoint_two_codes_bring_a_guest_and_the_host_introduces_the_next() -> None:
    street = Street()
    homes = [Home(street) for _ in range(3)]
    for home in homes:
        home.dial = None
    host = homes[0].opens(lobby("p,p,p"))
    tables = [host]
    for home in homes[1:]:
        await host.pairing.offer()
        given, offer = invite.read_offer(f"https://example.org/#o={host.pairing.offered}")
        assert given == host.invite
        guest = home.visits(given.fragment)
        await guest.pairing.reply(offer)
        await host.pairing.take(f" {guest.pairing.replied}\n")
        tables.append(guest)
        await street.until(lambda guest=guest: guest.lobby is not None)
    await street.until(lambda: all(len(table.channels.by_key) == 2 for table in tables))
    await street.until(lambda: all(line.open for table in tables for line in table.channels.by_key.values()))
    for seat, table in enumerate(tables):
        table.seating.sit(seat, f"Guest {seat}")
        await street.until(lambda seat=seat: all(_sits(one, seat) for one in tables))
    await begun(street, tables)
    await played(street, tables, 8)
    host.leave()
    await street.until(lambda: tables[1].news().host in ("me", "direct"))
    leave(*tables[1:])


@evening
async def test_another_version_of_the_page_is_told_to_reload() -> None:
    street = Street()
    homes = [Home(street), Home(street)]
    homes[1].build = "2"
    host = homes[0].opens(lobby("p,p"))
    await street.until(lambda: host.news().endpoint == "in")
    guest = homes[1].visits(host.invite.fragment)
    await street.until(lambda: guest.reason == "net.reload")
    assert ("stranger", None) in homes[0].told
    leave(host, guest)


@evening
async def test_nobody_can_pose_as_who_opened_the_table() -> None:
    street = Street()
    homes = [Home(street) for _ in range(3)]
    tables = await seated(street, homes[:2], lobby("p,p"))
    evil = tables[1]
    guest = homes[2].visits(tables[0].invite.fragment)
    await street.until(lambda: guest.lobby is not None and len(guest.channels.by_key) == 2)
    line = evil.channels.by_key[guest.keys.seal_key]
    evil.channels.send(line, ["table", lobby("p,p,p,p").text])
    setup = lobby("b1,b1").setup(evil.keys.seal_key, {evil.keys.seal_key: evil.keys.verify_key}, b"salt" * 4).text
    evil.channels.send(line, ["start", setup, '[["rose","b1"],["anchor","b1"]]', evil.keys.sign(b"")])
    await street.until(lambda: sum(guest.channels.refused.values()) == 2)
    assert guest.lobby == tables[0].lobby
    assert guest.setup is None
    leave(*tables, guest)


@evening
async def test_who_talks_nonsense_is_muted_with_a_message_and_the_game_lives_on() -> None:
    street, homes, tables = await under_way("p,p,p", entries=6)
    evil = tables[2]
    for line in evil.channels.by_key.values():
        for number in range(30):
            evil.channels.send(line, ["f", "[" * 9_000 if number % 2 else '["hi","x"]'])
            evil.channels.send(line, ["table", "nonsense"])
    muted = [("told", "net.muted")] * 2
    await street.until(lambda: [(w, d.what) for h in homes[:2] for w, d in h.told if _muted(w, d)] == muted)
    evil.leave()
    await street.until(lambda: all(table.game.device.raft.leader in (0, 1) for table in tables[:2] if table.game))
    for table in tables[:2]:
        assert table.game is not None
        table.game.give_seat(2, "bot")
    await played(street, tables[:2], 14)
    leave(*tables[:2])


@evening
async def test_a_bot_that_was_wished_for_is_wished_for_again_when_the_host_changes() -> None:
    street, _, tables = await under_way("p,p,p,p,p", entries=6)
    gone = tables[4]
    gone.leave()
    rest = tables[:4]
    await street.until(lambda: seen(rest, gone) == {"gone"})
    await street.until(lambda: all(table.news().host not in ("", "gone") for table in rest))
    host = next(table for table in rest if table.news().host == "me")
    early, *late = [table for table in rest if table is not host]
    for table in (host, early):
        assert table.game is not None
        table.game.give_seat(4, "bot")
    await street.until(lambda: {(table.news().wishes or {}).get(4) for table in rest} == {2})
    host.leave()
    await street.until(lambda: all(seen([table], host) == {"gone"} for table in (early, *late)))
    await street.until(lambda: all(table.news().host in ("me", "direct") for table in (early, *late)))
    for table in late:
        assert table.game is not None
        table.game.give_seat(4, "bot")
    await street.until(lambda: all(table.news().seated[4].kind == "bot" for table in (early, *late)))
    leave(early, *late)


def quiet(tables: list[Table]) -> bool:
    """Returns True if no device has anything more to send or to store."""
    devices = [table.game.device for table in tables if table.game is not None]
    return not any(one.outbox or one.unsigned or one.applied < one.log.last for one in devices)


def _muted(what: str, data: Any) -> bool:
    return what == "told" and data.what == "net.muted"


@evening
async def test_a_second_window_takes_the_seat_and_the_first_falls_silent() -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    await street.until(lambda: len(heads(tables)) == 1 and quiet(tables))
    first = tables[1]
    again = homes[1].visits(first.invite.fragment)
    await street.until(lambda: first.news().endpoint == "replaced")
    assert first.game is not None
    assert first.game.driver.over
    await played(street, [tables[0], again], 14)
    leave(tables[0], again)


def seen(tables: list[Table], whose: Table) -> set[str]:
    """Returns how these tables reach that device."""
    return {guest.state for table in tables for guest in table.news().guests if guest.lock == whose.keys.seal_key}


@pytest.mark.parametrize("sleeper", [0, 2])
@evening
async def test_a_browser_that_sleeps_is_shown_as_away_and_takes_its_seat_again(sleeper: int) -> None:
    street, homes, tables = await under_way("p,p,p", entries=8)
    await street.until(lambda: all(line.open for table in tables for line in table.channels.by_key.values()))
    phone = tables[sleeper]
    rest = [table for table in tables if table is not phone]
    homes[sleeper].sleeps()
    await street.until(lambda: seen(rest, phone) == {"quiet"}, 7)
    await street.until(lambda: seen(rest, phone) == {"gone"}, 8)
    for _ in range(60):  # its place at the endpoint is held, and no message comes from there
        await asyncio.sleep(1)
        assert seen(rest, phone) == {"gone"}
    assert {table.news().seated[sleeper].minutes for table in rest} == {1}
    assert {table.news().host for table in rest} <= {"me", "direct"}
    for table in rest:
        assert table.game is not None
        table.game.give_seat(sleeper, "bot")
    await played(street, rest, 20)
    await asyncio.sleep(10)
    homes[sleeper].wakes()
    await street.until(lambda: all(seen(tables, table) == {"me", "direct"} for table in tables), 3)
    await street.until(lambda: phone.news().host == "direct", 3)
    assert phone.game is not None
    assert not any(guest.muted for guest in phone.game.border.guests.values())
    phone.game.give_seat(sleeper, "person")
    await street.until(lambda: all(table.news().seated[sleeper].kind == "person" for table in tables), 2)
    assert len(heads(tables)) == 1
    await played(street, tables, 30)
    leave(*tables)


@evening
async def test_of_two_who_play_the_one_that_is_awake_waits_for_the_other() -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    homes[1].sleeps()
    await street.until(lambda: seen(tables[:1], tables[1]) == {"gone"}, 15)
    assert tables[0].news().host == ""
    await asyncio.sleep(30)
    homes[1].wakes()
    await street.until(lambda: all(seen(tables, table) == {"me", "direct"} for table in tables), 3)
    await played(street, tables, 16)
    leave(*tables)


@evening
async def test_a_hidden_page_whose_alarms_come_late_is_not_asleep() -> None:
    """In a hidden page a browser fires timers once a minute; messages still arrive, and the connections stay open."""
    street, _, tables = await under_way("p,p", entries=6)
    await street.until(lambda: all(line.open for table in tables for line in table.channels.by_key.values()))
    hidden = tables[1]
    hidden._over = True  # its clock does not tick any more
    await asyncio.sleep(60)
    hidden.channels.tick()
    assert [line.open for line in hidden.channels.by_key.values()] == [True]
    assert hidden.state(tables[0].keys.seal_key) == "direct"
    leave(*tables)
