"""Catching up from devices this one does not know, after all seats and votes have moved to other devices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from engine.core import Refused
from peer.crypto.keys import to_base64
from peer.device.border import Border
from peer.order.catchup import STRANGER
from peer.order.raft import NEWCOMER
from peer.table.admission import KEPT_FREE
from peer.table.table import Table
from peer.wire import envelope
from peer.wire.envelope import DEVICES, Entry, link
from peer.wire.frames import Log, Need, Past
from tests.peer.order.test_raft import ORIGIN, One
from tests.peer.simulation.fuzz import heard
from tests.peer.simulation.in_memory import QUICK, Home, Street, evening
from tests.peer.table.test_rejoin import seats
from tests.peer.table.test_rejoin import table as told_state
from tests.peer.table.test_tables import heads, leave, played, under_way


def chained(*words: tuple[int, int, str, Any] | Entry) -> tuple[Entry, ...]:
    """Returns the entries of one log. Each is given as author, seen index, kind and body, or as an `Entry`."""
    heads_, counters, entries = [ORIGIN], dict[int, int](), []
    for word in words:
        if isinstance(word, Entry):
            entries.append(word)
        else:
            author, seen, kind, body = word
            counters[author] = counters.get(author, 0) + 1
            text = envelope.write("t" * 22, author, counters[author], 1, seen, heads_[seen], kind, body)
            entries.append(Entry(1, envelope.read(text, "s" * 86)))
        heads_.append(link(heads_[-1], entries[-1]))
    return tuple(entries)


def committed(entries: tuple[Entry, ...], *, by: int = STRANGER + 1, known: int = 5, asked: bool = True) -> int:
    """Returns how many of these entries a device accepts as committed, at a table of two voters."""
    raft = One(0, 2)
    raft.catchup.known = known
    if asked:
        raft.catchup.ask(min(by, STRANGER))
    raft.receive(by, Past(0, ORIGIN, entries))
    return raft.commit


def test_a_stranger_is_believed_as_far_as_a_voter_has_signed_to_have_seen_it() -> None:
    start, said = ("start", ()), (3, 0, "start", ())
    entries = chained((1, 0, *start), said, (1, 1, *start), said, said)
    assert committed(entries) == 1
    assert committed(entries, asked=False) == 0
    assert committed(entries, by=1) == 5, "whose vote counts is believed"
    assert committed(chained(said, said, (3, 2, *start))) == 0, "nobody with a vote has seen any of it"
    forged = chained((1, 0, *start), (1, 1, *start))
    assert committed((entries[1], *forged)) == 0, "they have seen another log"


def test_whoever_gets_the_vote_from_a_voter_vouches_for_what_follows() -> None:
    """This holds even if none of the previous voters writes another envelope."""
    votes = (1, 0, "votes", (1, (2, 3)))
    later = (3, 1, "start", ())
    assert committed(chained(votes, later, (4, 0, "start", ()))) == 1
    assert committed(chained(votes, later), known=2) == 0, "a key that came with the same frame proves nothing"
    _, elsewhere = chained((3, 0, "start", ()), (1, 1, "votes", (2, (2, 3))))
    assert committed(chained((4, 0, "start", ()), elsewhere, (3, 2, "start", ()))) == 0, "said in another log"
    assert committed(chained((4, 0, "votes", (1, (2, 3))), later)) == 0, "it has no vote to give"
    assert committed(chained((1, 0, "votes", (7, (2, 3))), later)) == 0, "it stands where it means nothing"


def test_what_a_stranger_tells_of_an_earlier_question_is_not_counted() -> None:
    """The device had lost its commit index, and asked for entries it already held."""
    entries = chained((1, 0, "start", ()), (1, 1, "start", ()), (1, 2, "start", ()))
    for commit in (0, 2):
        raft = One(0, 2, entries[:2], 1, commit)
        raft.catchup.known = 2
        raft.catchup.ask(STRANGER)
        raft.receive(STRANGER, Past(1, raft.log.heads[1], entries[1:]))
        assert raft.commit == commit
    assert raft.sent(STRANGER) == [Need(2, raft.log.heads[2])]


def test_an_empty_past_stopped_the_device_and_a_far_one_its_elections() -> None:
    (entry,) = chained((1, 0, "start", ()))
    raft = One(0, 2, (entry,), 1)
    raft.catchup.ask(1)
    raft.receive(1, Past(1, raft.log.heads[1], ()))
    with pytest.raises(Refused, match=r"net\.term"):
        raft.receive(1, Past(0, ORIGIN, (entry._replace(term=10**9 - 1),)))
    assert (raft.term, raft.commit) == (1, 0)


def test_an_honest_host_nobody_had_told_of_was_muted() -> None:
    """Regression: an honest leader is refused by a device that does not know it, but must not be muted for that."""
    world, sent = heard()
    device = world.nodes[0].device
    assert device is not None
    border = Border(device, world.verify)
    logs = [data for _, _, data in sent if data.startswith(b'["log"')]
    reasons = {border.receive(STRANGER + 1, data, 50 * number) for number, data in enumerate(logs)}
    assert reasons == {"net.no_voter"}
    assert border.guests[STRANGER + 1].score == 0


def key(number: int) -> str:
    return to_base64(bytes([number]) * 32)


async def moved(street: Street, homes: list[Home], tables: list[Table]) -> list[Table]:
    """Moves every seat to a new device (a phone), one after the other; the old devices (laptops) are lost."""
    phones: list[Table] = []
    for home, table in zip(homes, tables, strict=True):
        phone = Home(street).visits(await table.tokens.give_away())
        await street.until(lambda phone=phone: seats(phone) != ())
        await street.until(lambda table=table: table.news().left == "done")
        home.crash()
        phones.append(phone)
    return phones


@pytest.mark.parametrize(("plays", "game"), [("p,p", "razzia"), ("p,p,b1", "thieves")])
@evening
async def test_a_link_leads_in_where_nobody_is_left_of_those_the_game_began_with(plays: str, game: str) -> None:
    street, homes, tables = await under_way(plays, game, entries=6)
    phones = await moved(street, homes, tables)
    await played(street, phones, 12)
    watcher = Home(street).visits(phones[0].invite.fragment)
    tablet = Home(street).visits(await phones[1].tokens.give_away())
    await street.until(lambda: 1 in seats(tablet), 20)
    laptop = homes[0].visits(phones[0].invite.fragment)
    now = [phones[0], tablet, watcher, laptop]
    await played(street, [phones[0], tablet], 20)
    await street.until(lambda: len(heads(now)) == 1)
    assert (seats(watcher), seats(laptop)) == ((), ())
    assert [table.channels.refused for table in now] == [{}] * 4
    leave(*phones, *now)


@evening
async def test_strangers_whose_answers_took_longer_than_until_the_next_question_were_not_heard() -> None:
    street, homes, tables = await under_way("p,p", entries=6)
    phones = await moved(street, homes, tables)
    for phone in phones:
        phone.send_frame = slowly(phone, {one.keys.seal_key for one in phones})  # type: ignore[method-assign]
    laptop = homes[0].visits(phones[0].invite.fragment)
    await street.until(lambda: len(heads([laptop, *phones])) == 1)
    leave(*phones, laptop)


def slowly(table: Table, friends: set[str]) -> Callable[[str, bytes], None]:
    send = table.send_frame

    def later(lock: str, data: bytes) -> None:
        wait = 0 if lock in friends else 1.5 * QUICK.resend / 1000
        asyncio.get_running_loop().call_later(wait, send, lock, data)

    return later


@evening
async def test_a_laptop_that_only_looks_on_bars_nobody_s_way() -> None:
    """Regression: the laptop was the only device left of those the game began with, and it admitted nobody."""
    street, homes, tables = await under_way("p,p", entries=6)
    phones = await moved(street, homes, tables)
    laptop = homes[0].visits(phones[0].invite.fragment)
    await street.until(lambda: len(heads([laptop, *phones])) == 1)
    watcher = Home(street).visits(phones[0].invite.fragment)
    await street.until(lambda: watcher.game is not None and watcher.game.number != NEWCOMER)
    leave(*phones, laptop, watcher)


@evening
async def test_who_tells_a_newcomer_that_it_was_let_in_and_lies_does_no_harm() -> None:
    """The newcomer does not find itself in the log, and keeps asking the others."""
    street, homes, tables = await under_way("p,p", entries=6)
    phones = await moved(street, homes, tables)
    phones[0].admission.let_in = lambda line, signature, permits: phones[0].send(line, ["in", 0])  # type: ignore[method-assign]
    other = phones[1].admission.let_in
    phones[1].admission.let_in = lambda line, signature, permits: None  # type: ignore[method-assign]
    guest = Home(street).visits(await phones[0].tokens.give_away())
    await street.until(lambda: guest.game is not None)
    await asyncio.sleep(5)
    assert guest.game is not None
    assert (guest.game.number, guest.game.device.ready) == (NEWCOMER, False)
    phones[1].admission.let_in = other  # type: ignore[method-assign]
    await street.until(lambda: seats(guest) == (0,))
    await street.until(lambda: len(heads([*phones, guest])) == 1)
    assert [line.muted for line in guest.channels.by_key.values()] == [False] * 2
    leave(*phones, guest)


@evening
async def test_who_comes_later_is_told_at_once_that_it_was_let_in() -> None:
    """Regression: it learned of its admission only when it asked again, a second later."""
    street, _, tables = await under_way("p,p,p", entries=6)
    guest = Home(street).visits(tables[0].invite.fragment)
    await street.until(lambda: guest.admission.asked)
    asked = guest.admission.turn
    await street.until(lambda: guest.game is not None)
    assert guest.admission.turn == asked
    leave(*tables, guest)


@evening
async def test_nobody_is_let_in_by_who_was_not_asked_or_by_junk() -> None:
    street, _, tables = await under_way("p,p", entries=6)
    for table in tables:
        table.admission.let_in = lambda line, signature, permits: None  # type: ignore[method-assign]
    guest = Home(street).visits(tables[0].invite.fragment)
    await street.until(lambda: len(guest.admission.knocked) == 2)
    line = next(iter(guest.channels.by_key.values()))
    for missing in (-1, 33, "0", True):
        with pytest.raises(Refused, match=r"net\."):
            guest.message(line, ["in", missing])
    guest.admission.knocked.clear()
    with pytest.raises(Refused, match=r"net\.not_a_message"):
        guest.message(line, ["in", 0])
    assert guest.game is None
    leave(*tables, guest)


@evening
async def test_onlookers_leave_room_for_who_brings_a_seat_and_stop_nobody() -> None:
    """Regression: the last device that was admitted got a number that no envelope may carry, and every device it asked
    for admission stopped working."""
    street, _, tables = await under_way("p,p", entries=6)
    link = await tables[1].tokens.give_away()
    host = tables[0].game
    assert host is not None
    for number in range(2, DEVICES - KEPT_FREE):
        host.join(key(number), key(100 + number))
        await street.until(lambda number=number: len(host.device.state.devices) > number)
    watcher = Home(street).visits(tables[0].invite.fragment)
    await street.until(lambda: watcher.reason == "net.full")
    phone = Home(street).visits(link)
    await street.until(lambda: seats(phone) == (1,))
    for number in range(DEVICES - KEPT_FREE + 1, DEVICES):
        host.join(key(number), key(100 + number))
        await street.until(lambda number=number: len(host.device.state.devices) > number)
    late = Home(street).visits(await phone.tokens.give_away())
    await street.until(lambda: late.reason == "net.full")
    await played(street, [tables[0], phone], 12)
    leave(*tables, watcher, phone, late)


@evening
async def test_a_newcomer_that_wished_for_a_bot_before_it_had_a_number_stood_still() -> None:
    street, homes, tables = await under_way("p,p,p", entries=6)
    homes[2].crash()
    tables[0].admission.let_in = tables[1].admission.let_in = (  # type: ignore[method-assign]
        lambda line, signature, permits: tables[0].send(tables[0].channels.by_key[line.seal_key], ["in", 0])
    )
    guest = Home(street).visits(tables[0].invite.fragment)
    await street.until(lambda: guest.game is not None)
    assert guest.game is not None
    guest.game.device.raft.leader = 0
    with pytest.raises(Refused, match=r"net\.wait"):
        guest.game.give_seat(2, "bot")
    leave(*tables[:2], guest)


def test_nobody_is_let_in_with_half_of_somebody_else_s_keys() -> None:
    """Devices are identified by their seal key: in the next game the place would have belonged to nobody."""
    state, told = told_state()
    known, (one, *_) = len(state.devices), state.devices
    assert told(1, "join", (known, key(1), one.seal_key)) == "net.stale"
    assert told(1, "join", (known, one.verify_key, key(2))) == "net.stale"
    assert told(1, "join", (known, key(1), key(2))) == ""


def test_words_said_under_a_number_nobody_had_yet_are_not_held_against_who_gets_it() -> None:
    """Regression: a leader could make every number unusable that was not assigned yet."""
    (first, far) = chained((1, 0, "start", ()), (1, 1, "start", ()))
    raft = One(0, 2)
    with pytest.raises(Refused, match=r"net\.twice"):
        raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), (far,)))
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), (first, far)))
    assert raft.log.counters == {1: 2}
    state, told = told_state()
    number = len(state.devices)
    state.strikes[number] = 40
    told(1, "join", (number, key(1), key(2)))
    assert number not in state.strikes
