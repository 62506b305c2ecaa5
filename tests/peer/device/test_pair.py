"""A table of two devices after one of them is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from engine.core import Nonsense
from peer.channels import invite
from peer.game.state import State
from peer.game.types import Promise, claim_of, hash_of, permit_of
from peer.wire import bodies, envelope, messages
from peer.wire.messages import Join
from tests.peer.device.test_hostile_frames import signed_envelope
from tests.peer.simulation.fuzz import run_recorded
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.simulation.page import TEXTS, Page
from tests.peer.table.test_page import entry_count, start_table
from tests.peer.table.test_page import leave as leave_pages
from tests.peer.table.test_page import play_until as on_pages
from tests.peer.table.test_rejoin import own_seats, refusals
from tests.peer.table.test_tables import leave, play_until, running_game
from tests.ui.boards.games import all_nodes


@pytest.mark.parametrize(
    ("plays", "game", "lost"), [("p,p", "razzia", 1), ("p,p,b1", "razzia", 0), ("p,p,b1", "bars", 1)]
)
@simulated
async def test_a_lost_device_s_link_brings_its_seat_back(plays: str, game: str, lost: int) -> None:
    """Without the lost device nothing could be committed, not even its replacement."""
    street, homes, tables = await running_game(plays, game, entries=8)
    fragment = await tables[lost].tokens.give_away()
    homes[lost].crash()
    stays = tables[1 - lost]
    await street.until(lambda: stays.news().leader == "")
    phone = SimDevice(street)
    found = phone.visit(fragment)
    await street.until(lambda: own_seats(found)[:1] == (lost,))
    await play_until(street, [stays, found], 16)
    assert stays.game is not None
    assert stays.game.device.state.voters == tuple(sorted((1 - lost, 2)))
    assert len(own_seats(found)) == (1 if lost or plays == "p,p" else 2), "the bots come along"
    again = homes[lost].visit(fragment.rpartition(".")[0])  # the lost device comes back, as a spectator
    await street.until(lambda: again.news().leader != "" and again.news().seats_moved == "done")
    assert own_seats(again) == ()
    assert [refusals(one) for one in (*homes, phone)] == [[]] * 3
    leave(stays, found, again)


@simulated
async def test_a_former_spectator_can_replace_a_lost_device() -> None:
    street, homes, tables = await running_game("p,p", entries=6)
    fragment = await tables[1].tokens.give_away()
    phone = SimDevice(street)
    found = phone.visit(fragment.rpartition(".")[0])
    await street.until(lambda: found.game is not None)
    homes[1].crash()
    await street.until(lambda: tables[0].news().leader == "")
    found.leave()
    found = phone.visit(fragment)
    await street.until(lambda: own_seats(found) == (1,))
    await play_until(street, [tables[0], found], 12)
    leave(tables[0], found)


@simulated
async def test_when_both_gave_their_seats_away_only_the_first_device_can_go_on() -> None:
    """Otherwise both could go on, each with a rejoin link of the other, and there would be two tables."""
    street, homes, tables = await running_game("p,p,b1", entries=6)
    links = [await table.tokens.give_away() for table in tables]
    homes[0].crash()
    found = SimDevice(street).visit(links[0])
    await asyncio.sleep(40)
    assert (own_seats(found), tables[1].news().leader) == ((), "")
    found.leave()
    back = homes[0].visit(links[0].rpartition(".")[0])
    await street.until(lambda: tables[1].news().leader != "")
    homes[1].crash()
    found = SimDevice(street).visit(links[1])
    await street.until(lambda: own_seats(found) == (1,))
    leave(back, found)


@simulated
async def test_no_device_goes_on_alone_after_its_own_pending_vote_change() -> None:
    """Once, the other device could never accept such a log, so the table was stuck even after it came back."""
    street, homes, tables = await running_game("p,p", entries=6)
    fragment = await tables[1].tokens.give_away()
    homes[1].suspend()
    await street.until(lambda: tables[0].news().leader == "")
    assert tables[0].game is not None
    device = tables[0].game.device
    place = device.log.last_index + len(device.outbox.signed) + 1
    device.author(bodies.Votes(place, device.state.voters))  # an envelope left over from when it was leader
    tables[0].tokens.go_on_alone([permit_of(token) for token in invite.read(fragment.removeprefix("r=")).tokens])
    await street.until(lambda: device.log.pending_changes)
    await asyncio.sleep(5)
    assert not device.outbox.has_pending(bodies.Alone)
    homes[1].resume()
    await play_until(street, tables, 14)
    assert not device.log.pending_changes
    assert [refusals(home) for home in homes] == [[], []]
    leave(*tables)


@simulated
async def test_giving_up_going_on_alone_holds_after_a_reload() -> None:
    _, homes, tables = await running_game("p,p", entries=4)
    fragment = await tables[1].tokens.give_away()
    homes[1].crash()
    again = homes[1].visit(fragment.rpartition(".")[0])
    while again.game is None:
        await asyncio.sleep(1)
    assert again.game.device.going_alone.gave_up
    assert await again.tokens.give_away() == fragment
    leave(tables[0], again)


@pytest.mark.parametrize("game", ["razzia", "thieves"])
@simulated
async def test_a_bot_replaces_a_device_that_agreed_and_gives_the_seat_back(game: str) -> None:
    street = Network()
    pages = await start_table(street, "p,p,b1", 1, game)
    host, guest = pages
    await on_pages(street, pages, 4)
    guest.send("dialog", "room")
    assert TEXTS("room.agree.text") in guest.text
    guest.send("room.agree")
    await street.until(lambda: TEXTS("room.agreed") in guest.text)
    host.send("dialog", "room")
    assert "1:bot" not in offered_seats(host)
    guest.suspend()
    await street.until(lambda: "1:bot" in offered_seats(host))
    await street.until(lambda: seat_kind(host) == "person" and host.table.news().leader == "")
    host.send("room.give", "1:bot")
    await street.until(lambda: seat_kind(host) == "bot")
    before = entry_count(host)
    await on_pages(street, [host], before + 6)
    guest.resume()
    guest.send("dialog", "room")
    await street.until(lambda: "1:person" in offered_seats(guest))
    guest.send("room.give", "1:person")
    await street.until(lambda: {seat_kind(page) for page in pages} == {"person"})
    assert host.table.game is not None
    await street.until(lambda: voters(host) == (0, 1))
    await on_pages(street, pages, before + 12)
    leave_pages(pages)


@simulated
async def test_an_old_request_for_a_bot_has_no_effect_at_a_later_absence() -> None:
    street = Network()
    pages = await start_table(street, "p,p", 1)
    host, guest = pages
    await on_pages(street, pages, 4)
    guest.send("room.agree")
    await street.until(lambda: guest.table.news().agreed and host.table.news().bot_allowed)
    host.send("room.give", "1:bot")  # the other is back already
    await asyncio.sleep(5)
    guest.suspend()
    await asyncio.sleep(30)
    assert (seat_kind(host), host.table.news().leader) == ("person", "")
    guest.resume()
    await on_pages(street, pages, entry_count(host) + 4)
    leave_pages(pages)


def seat_kind(page: Page) -> str:
    return page.table.news().seated[1].kind


def voters(page: Page) -> tuple[int, ...]:
    return page.table.game.device.state.voters if page.table.game is not None else ()


def offered_seats(page: Page) -> list[str]:
    """Returns the seats this page could give away now, and to whom."""
    found = [node.attrs for node in all_nodes(page.shown)]
    return [str(attrs["data-arg"]) for attrs in found if attrs.get("data-do") == "room.give"]


def two_device_state() -> tuple[State, Callable[[int, bodies.Body], str], dict[int, str]]:
    """Returns the state of a table of two devices, a function that applies one more envelope and returns why it was
    refused (empty if not), and the rejoin tokens by seat.
    """
    world, _ = run_recorded()
    device = world.nodes[0].device
    assert device is not None
    state = device.state
    state.voters = (0, 1)
    state.homes = [home % 2 for home in state.homes]
    tokens = {seat: chr(97 + seat) * 43 for seat in range(len(state.homes))}
    state.claims = {hash_of(token): seat for seat, token in tokens.items()}
    state.dealer = 0

    def apply(author: int, body: bodies.Body) -> str:
        statement = signed_envelope(world, world.nodes[author], state.counters.get(author, 0) + 1, body)
        return state.apply(envelope.Entry(1, statement), state.head, honest=True).reason

    return state, apply, tokens


def test_going_on_alone_needs_the_permits_of_the_other() -> None:
    state, apply, tokens = two_device_state()
    permits = {seat: permit_of(token) for seat, token in tokens.items()}
    theirs = [permit for seat, permit in permits.items() if state.homes[seat] == 1]
    own = [claim_of(permit) for seat, permit in permits.items() if state.homes[seat] == 0]
    renewed = [[claim, hash_of(claim)] for claim in own]
    here = state.index + 1

    def refused(author: int, permits: list[str], claims: list[list[str]], ahead: int = 0) -> str:
        nonlocal here
        here += 1
        return apply(author, bodies.Alone(here - 1 + ahead, permits, claims))

    assert refused(0, [], renewed) == "net.stale", "no permits"
    assert refused(0, [claim_of(permit) for permit in theirs], renewed) == "net.stale", "what everybody knows"
    assert refused(0, theirs, renewed, 1) == "net.stale", "meant for another place"
    assert refused(2, theirs, renewed) == "net.stale", "no vote"
    assert refused(0, theirs, renewed[1:]) == "net.token", "a token of its own that still counts"
    assert refused(0, theirs, [[claim, own[0]] for claim in own]) == "net.token"
    state.voters = (0, 1, 2)
    assert refused(0, theirs, renewed) == "net.stale", "three decide together"
    state.voters = (0, 1)
    state.dealer, state.dealer_promise = 1, Promise("lock", "proof", {}, (1, 1))
    assert refused(0, theirs, renewed) == "net.stale", "the other knows the cards"
    state.dealer_promise = None
    assert refused(0, theirs, renewed) == ""
    assert (state.voters, state.went_alone, state.future_voters) == ((0,), True, (0, 1))
    assert state.dealer == 0
    assert not {*own} & state.claims.keys()


def test_only_voters_can_agree_and_only_once() -> None:
    state, apply, _ = two_device_state()
    assert apply(2, bodies.Agree()) == "net.stale"
    assert apply(1, bodies.Agree()) == ""
    assert apply(1, bodies.Agree()) == "net.stale"
    assert state.agreed == {1}


@simulated
async def test_junk_for_permits_is_refused() -> None:
    street, _, tables = await running_game("p,p", entries=4)
    channel = next(iter(tables[0].channels.by_key.values()))
    signature = "x" * 86
    for permits in (5, "a" * 43, ["x"], ["a" * 43] * 9):
        with pytest.raises(Nonsense, match=r"net\.not_a_message"):
            messages.read(["join", signature, permits])
    tables[0].message(channel, Join(signature, ("a" * 43,)))
    await street.until(lambda: tables[0].channels.refused.get("net.forged"))
    assert tables[0].game is not None
    assert tables[0].game.device.going_alone.permits == frozenset()
    leave(*tables)
