"""A table of two devices after one of them is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from engine.core import Refused
from peer.channels import invite
from peer.game.state import State
from peer.game.types import Promise, claim_of, hash_of, permit_of
from peer.wire import envelope
from tests.peer.device.test_hostile_frames import said_by
from tests.peer.simulation.fuzz import heard
from tests.peer.simulation.in_memory import Home, Street, evening
from tests.peer.simulation.page import Page, T, nodes
from tests.peer.table.test_page import entries, table
from tests.peer.table.test_page import leave as leave_pages
from tests.peer.table.test_page import played as on_pages
from tests.peer.table.test_rejoin import refusals, seats
from tests.peer.table.test_tables import leave, played, under_way
from ui.view.page import view


@pytest.mark.parametrize(
    ("plays", "game", "lost"), [("p,p", "razzia", 1), ("p,p,b1", "razzia", 0), ("p,p,b1", "bars", 1)]
)
@evening
async def test_a_lost_device_s_link_brings_its_seat_back(plays: str, game: str, lost: int) -> None:
    """Without the lost device nothing could be committed, not even its replacement."""
    street, homes, tables = await under_way(plays, game, entries=8)
    fragment = await tables[lost].tokens.give_away()
    homes[lost].crash()
    stays = tables[1 - lost]
    await street.until(lambda: stays.news().host == "")
    phone = Home(street)
    found = phone.visits(fragment)
    await street.until(lambda: seats(found)[:1] == (lost,))
    await played(street, [stays, found], 16)
    assert stays.game is not None
    assert stays.game.device.state.voters == tuple(sorted((1 - lost, 2)))
    assert len(seats(found)) == (1 if lost or plays == "p,p" else 2), "the bots come along"
    again = homes[lost].visits(fragment.rpartition(".")[0])  # the lost device comes back, as a spectator
    await street.until(lambda: again.news().host != "" and again.news().left == "done")
    assert seats(again) == ()
    assert [refusals(one) for one in (*homes, phone)] == [[]] * 3
    leave(stays, found, again)


@evening
async def test_whoever_had_looked_on_can_take_the_place_of_a_lost_device() -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    fragment = await tables[1].tokens.give_away()
    phone = Home(street)
    found = phone.visits(fragment.rpartition(".")[0])
    await street.until(lambda: found.game is not None)
    homes[1].crash()
    await street.until(lambda: tables[0].news().host == "")
    found.leave()
    found = phone.visits(fragment)
    await street.until(lambda: seats(found) == (1,))
    await played(street, [tables[0], found], 12)
    leave(tables[0], found)


@evening
async def test_of_two_who_both_gave_their_seats_away_only_the_first_can_go_on() -> None:
    """Otherwise both could go on, each with a rejoin link of the other, and there would be two tables."""
    street, homes, tables = await under_way("p,p,b1", entries=6)
    links = [await table.tokens.give_away() for table in tables]
    homes[0].crash()
    found = Home(street).visits(links[0])
    await asyncio.sleep(40)
    assert (seats(found), tables[1].news().host) == ((), "")
    found.leave()
    back = homes[0].visits(links[0].rpartition(".")[0])
    await street.until(lambda: tables[1].news().host != "")
    homes[1].crash()
    found = Home(street).visits(links[1])
    await street.until(lambda: seats(found) == (1,))
    leave(back, found)


@evening
async def test_nobody_goes_on_alone_behind_a_change_of_votes_that_it_had_still_to_say() -> None:
    """Once, the other device could never accept such a log, so the table was stuck even after it came back."""
    street, homes, tables = await under_way("p,p", entries=6)
    fragment = await tables[1].tokens.give_away()
    homes[1].sleeps()
    await street.until(lambda: tables[0].news().host == "")
    assert tables[0].game is not None
    device = tables[0].game.device
    place = device.log.last + len(device.outbox) + 1
    device.author("votes", (place, device.state.voters))  # an envelope left over from when it was leader
    tables[0].tokens.go_on([permit_of(token) for token in invite.read(fragment.removeprefix("r=")).tokens])
    await street.until(lambda: device.log.pending)
    await asyncio.sleep(5)
    assert not device.says("alone")
    homes[1].wakes()
    await played(street, tables, 14)
    assert not device.log.pending
    assert [refusals(home) for home in homes] == [[], []]
    leave(*tables)


@evening
async def test_what_was_promised_holds_after_a_reload() -> None:
    _, homes, tables = await under_way("p,p", entries=4)
    fragment = await tables[1].tokens.give_away()
    homes[1].crash()
    again = homes[1].visits(fragment.rpartition(".")[0])
    while again.game is None:
        await asyncio.sleep(1)
    assert again.game.device.alone.promised
    assert await again.tokens.give_away() == fragment
    leave(tables[0], again)


@pytest.mark.parametrize("game", ["razzia", "thieves"])
@evening
async def test_a_bot_sits_in_as_two_had_agreed_and_hands_the_seat_back(game: str) -> None:
    street = Street()
    pages = await table(street, "p,p,b1", 1, game)
    host, guest = pages
    await on_pages(street, pages, 4)
    guest.send("dialog", "room")
    assert T("room.agree.text") in guest.text
    guest.send("room.agree")
    await street.until(lambda: T("room.agreed") in guest.text)
    host.send("dialog", "room")
    assert "1:bot" not in given(host)
    guest.sleeps()
    await street.until(lambda: "1:bot" in given(host))
    await street.until(lambda: kind(host) == "person" and host.table.news().host == "")
    host.send("room.give", "1:bot")
    await street.until(lambda: kind(host) == "bot")
    before = entries(host)
    await on_pages(street, [host], before + 6)
    guest.wakes()
    guest.send("dialog", "room")
    await street.until(lambda: "1:person" in given(guest))
    guest.send("room.give", "1:person")
    await street.until(lambda: {kind(page) for page in pages} == {"person"})
    assert host.table.game is not None
    await street.until(lambda: voters(host) == (0, 1))
    await on_pages(street, pages, before + 12)
    leave_pages(pages)


@evening
async def test_a_bot_that_was_wished_for_does_not_come_when_somebody_is_away_another_time() -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    host, guest = pages
    await on_pages(street, pages, 4)
    guest.send("room.agree")
    await street.until(lambda: guest.table.news().agreed and host.table.news().let)
    host.send("room.give", "1:bot")  # the other is back already
    await asyncio.sleep(5)
    guest.sleeps()
    await asyncio.sleep(30)
    assert (kind(host), host.table.news().host) == ("person", "")
    guest.wakes()
    await on_pages(street, pages, entries(host) + 4)
    leave_pages(pages)


def kind(page: Page) -> str:
    return page.table.news().seated[1].kind


def voters(page: Page) -> tuple[int, ...]:
    return page.table.game.device.state.voters if page.table.game is not None else ()


def given(page: Page) -> list[str]:
    """Returns the seats this page could give away now, and to whom."""
    found = [node.attrs for node in nodes(view(page.model))]
    return [str(attrs["data-arg"]) for attrs in found if attrs.get("data-do") == "room.give"]


def two() -> tuple[State, Callable[[int, str, Any], str], dict[int, str]]:
    """Returns the state of a table of two devices, a function that applies one more envelope and returns why it was
    refused (empty if not), and the rejoin tokens by seat.
    """
    world, _ = heard()
    device = world.nodes[0].device
    assert device is not None
    state = device.state
    state.voters = (0, 1)
    state.homes = [home % 2 for home in state.homes]
    tokens = {seat: chr(97 + seat) * 43 for seat in range(len(state.homes))}
    state.claims = {hash_of(token): seat for seat, token in tokens.items()}
    state.dealer = 0

    def told(author: int, kind: str, body: Any) -> str:
        said = said_by(world, world.nodes[author], state.counters.get(author, 0) + 1, kind, body)
        return state.apply(envelope.Entry(1, said), state.head, honest=True).reason

    return state, told, tokens


def test_nobody_goes_on_alone_without_the_other_s_permits() -> None:
    state, told, tokens = two()
    permits = {seat: permit_of(token) for seat, token in tokens.items()}
    theirs = [permit for seat, permit in permits.items() if state.homes[seat] == 1]
    own = [claim_of(permit) for seat, permit in permits.items() if state.homes[seat] == 0]
    renewed = [[claim, hash_of(claim)] for claim in own]
    here = state.index + 1

    def refused(author: int, permits: list[str], claims: list[list[str]], ahead: int = 0) -> str:
        nonlocal here
        here += 1
        return told(author, "alone", (here - 1 + ahead, permits, claims))

    assert refused(0, [], renewed) == "net.stale", "no permits"
    assert refused(0, [claim_of(permit) for permit in theirs], renewed) == "net.stale", "what everybody knows"
    assert refused(0, theirs, renewed, 1) == "net.stale", "meant for another place"
    assert refused(2, theirs, renewed) == "net.stale", "no vote"
    assert refused(0, theirs, renewed[1:]) == "net.token", "a token of its own that still counts"
    assert refused(0, theirs, [[claim, own[0]] for claim in own]) == "net.token"
    state.voters = (0, 1, 2)
    assert refused(0, theirs, renewed) == "net.stale", "three decide together"
    state.voters = (0, 1)
    state.dealer, state.deck = 1, Promise("lock", "proof", {}, (1, 1))
    assert refused(0, theirs, renewed) == "net.stale", "the other knows the cards"
    state.deck = None
    assert refused(0, theirs, renewed) == ""
    assert (state.voters, state.alone, state.due_votes) == ((0,), True, (0, 1))
    assert state.dealer == 0
    assert not {*own} & state.claims.keys()


def test_who_looks_on_agrees_to_nothing_and_nobody_twice() -> None:
    state, told, _ = two()
    assert told(2, "agree", ()) == "net.stale"
    assert told(1, "agree", ()) == ""
    assert told(1, "agree", ()) == "net.stale"
    assert state.agreed == {1}


@evening
async def test_junk_for_permits_is_refused() -> None:
    street, _, tables = await under_way("p,p", entries=4)
    line = next(iter(tables[0].channels.by_key.values()))
    for junk in (["join", 5], ["join"], ["join", "x", "x"], ["join", "x", *["a" * 43] * 9]):
        with pytest.raises(Refused, match=r"net\."):
            tables[0].message(line, junk)
    tables[0].message(line, ["join", "x", "a" * 43])
    await street.until(lambda: tables[0].channels.refused.get("net.forged"))
    assert tables[0].game is not None
    assert tables[0].game.device.alone.permits == frozenset()
    leave(*tables)
