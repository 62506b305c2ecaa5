"""Catching up from devices this one does not know, after all seats and votes have moved to other devices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from engine.core import Nonsense, Refused
from peer.crypto.keys import to_base64
from peer.device.border import Border
from peer.order.catchup import STRANGER
from peer.order.raft import NEWCOMER
from peer.table.admission import RESERVED_PLACES
from peer.table.table import Table
from peer.wire import bodies, envelope, messages
from peer.wire.bodies import MAX_DEVICES
from peer.wire.envelope import Entry, next_head
from peer.wire.frames import Log, Need, Past
from peer.wire.messages import JoinAnswer
from tests.peer.order.test_raft import ORIGIN, RecordingRaft
from tests.peer.simulation.fuzz import run_recorded
from tests.peer.simulation.in_memory import FAST_TIMING, Network, SimDevice, simulated
from tests.peer.table.test_rejoin import own_seats
from tests.peer.table.test_rejoin import table_state as told_state
from tests.peer.table.test_tables import heads, leave, play_until, running_game


def chain_entries(*items: tuple[int, int, bodies.Body] | Entry) -> tuple[Entry, ...]:
    """Returns the entries of one log. Each is given as author, seen index and body, or as an `Entry`."""
    heads_, counters, entries = [ORIGIN], dict[int, int](), []
    for item in items:
        if isinstance(item, Entry):
            entries.append(item)
        else:
            author, seen, body = item
            counters[author] = counters.get(author, 0) + 1
            text = envelope.write("t" * 22, author, counters[author], 1, seen, heads_[seen], body)
            entries.append(Entry(1, envelope.read(text, "s" * 86)))
        heads_.append(next_head(heads_[-1], entries[-1]))
    return tuple(entries)


def commit_after_past(
    entries: tuple[Entry, ...], *, sender: int = STRANGER + 1, known: int = 5, asked: bool = True
) -> int:
    """Returns how many of these entries a device accepts as committed, at a table of two voters."""
    raft = RecordingRaft(0, 2)
    raft.catchup.known_devices = known
    if asked:
        raft.catchup.request(min(sender, STRANGER))
    raft.receive(sender, Past(0, ORIGIN, entries))
    return raft.commit


def test_entries_of_a_stranger_count_as_far_as_a_voter_signed_to_have_seen_them() -> None:
    start, said = bodies.Start(), (3, 0, bodies.Start())
    entries = chain_entries((1, 0, start), said, (1, 1, start), said, said)
    assert commit_after_past(entries) == 1
    assert commit_after_past(entries, asked=False) == 0
    assert commit_after_past(entries, sender=1) == 5, "whose vote counts is believed"
    assert commit_after_past(chain_entries(said, said, (3, 2, start))) == 0, "nobody with a vote has seen any of it"
    forged = chain_entries((1, 0, start), (1, 1, start))
    assert commit_after_past((entries[1], *forged)) == 0, "they have seen another log"


def test_new_voters_named_by_a_voter_vouch_for_later_entries() -> None:
    """This holds even if none of the previous voters writes another envelope."""
    votes = (1, 0, bodies.Votes(1, (2, 3)))
    later = (3, 1, bodies.Start())
    assert commit_after_past(chain_entries(votes, later, (4, 0, bodies.Start()))) == 1
    assert commit_after_past(chain_entries(votes, later), known=2) == 0, (
        "a key that came with the same frame proves nothing"
    )
    _, elsewhere = chain_entries((3, 0, bodies.Start()), (1, 1, bodies.Votes(2, (2, 3))))
    assert commit_after_past(chain_entries((4, 0, bodies.Start()), elsewhere, (3, 2, bodies.Start()))) == 0, (
        "said in another log"
    )
    assert commit_after_past(chain_entries((4, 0, bodies.Votes(1, (2, 3))), later)) == 0, "it has no vote to give"
    assert commit_after_past(chain_entries((1, 0, bodies.Votes(7, (2, 3))), later)) == 0, (
        "it stands where it means nothing"
    )


def test_a_stranger_s_answer_to_an_earlier_request_is_ignored() -> None:
    """The device had lost its commit index, and asked for entries it already held."""
    entries = chain_entries((1, 0, bodies.Start()), (1, 1, bodies.Start()), (1, 2, bodies.Start()))
    for commit in (0, 2):
        raft = RecordingRaft(0, 2, entries[:2], 1, commit)
        raft.catchup.known_devices = 2
        raft.catchup.request(STRANGER)
        raft.receive(STRANGER, Past(1, raft.log.heads[1], entries[1:]))
        assert raft.commit == commit
    assert raft.sent(STRANGER) == [Need(2, raft.log.heads[2])]


def test_an_empty_past_is_ignored_and_a_far_term_refused() -> None:
    (entry,) = chain_entries((1, 0, bodies.Start()))
    raft = RecordingRaft(0, 2, (entry,), 1)
    raft.catchup.request(1)
    raft.receive(1, Past(1, raft.log.heads[1], ()))
    with pytest.raises(Nonsense, match=r"net\.term"):
        raft.receive(1, Past(0, ORIGIN, (entry._replace(term=10**9 - 1),)))
    assert (raft.term, raft.commit) == (1, 0)


def test_an_honest_leader_that_is_unknown_here_is_not_muted() -> None:
    """Regression: an honest leader is refused by a device that does not know it, but must not be muted for that."""
    world, sent = run_recorded()
    device = world.nodes[0].device
    assert device is not None
    border = Border(device, world.verify)
    logs = [data for _, _, data in sent if data.startswith(b'["log"')]
    reasons = {border.receive(STRANGER + 1, data, 50 * number) for number, data in enumerate(logs)}
    assert reasons == {"net.no_voter"}
    assert border.limits[STRANGER + 1].strikes.count == 0


def fake_key(number: int) -> str:
    return to_base64(bytes([number]) * 32)


async def move_to_phones(street: Network, homes: list[SimDevice], tables: list[Table]) -> list[Table]:
    """Moves every seat to a new device (a phone), one after the other; the old devices (laptops) are lost."""
    phones: list[Table] = []
    for home, table in zip(homes, tables, strict=True):
        phone = SimDevice(street).visit(await table.tokens.give_away())
        await street.until(lambda phone=phone: own_seats(phone) != ())
        await street.until(lambda table=table: table.news().seats_moved == "done")
        home.crash()
        phones.append(phone)
    return phones


@pytest.mark.parametrize(("plays", "game"), [("p,p", "razzia"), ("p,p,b1", "thieves")])
@simulated
async def test_a_link_still_works_when_all_devices_the_game_began_with_are_gone(plays: str, game: str) -> None:
    street, homes, tables = await running_game(plays, game, entries=6)
    phones = await move_to_phones(street, homes, tables)
    await play_until(street, phones, 12)
    watcher = SimDevice(street).visit(phones[0].invite.fragment)
    tablet = SimDevice(street).visit(await phones[1].tokens.give_away())
    await street.until(lambda: 1 in own_seats(tablet), 20)
    laptop = homes[0].visit(phones[0].invite.fragment)
    now = [phones[0], tablet, watcher, laptop]
    await play_until(street, [phones[0], tablet], 20)
    await street.until(lambda: len(heads(now)) == 1)
    assert (own_seats(watcher), own_seats(laptop)) == ((), ())
    assert [table.channels.refused for table in now] == [{}] * 4
    leave(*phones, *now)


@simulated
async def test_answers_of_strangers_slower_than_the_next_request_still_count() -> None:
    street, homes, tables = await running_game("p,p", entries=6)
    phones = await move_to_phones(street, homes, tables)
    for phone in phones:
        phone.send_frame = delayed_send(phone, {one.keys.seal_key for one in phones})  # type: ignore[method-assign]
    laptop = homes[0].visit(phones[0].invite.fragment)
    await street.until(lambda: len(heads([laptop, *phones])) == 1)
    leave(*phones, laptop)


def delayed_send(table: Table, fast_keys: set[str]) -> Callable[[str, bytes], None]:
    send = table.send_frame

    def later(lock: str, data: bytes) -> None:
        wait = 0 if lock in fast_keys else 1.5 * FAST_TIMING.resend / 1000
        asyncio.get_running_loop().call_later(wait, send, lock, data)

    return later


@simulated
async def test_a_device_that_only_looks_on_does_not_block_admission() -> None:
    """Regression: the laptop was the only device left of those the game began with, and it admitted nobody."""
    street, homes, tables = await running_game("p,p", entries=6)
    phones = await move_to_phones(street, homes, tables)
    laptop = homes[0].visit(phones[0].invite.fragment)
    await street.until(lambda: len(heads([laptop, *phones])) == 1)
    watcher = SimDevice(street).visit(phones[0].invite.fragment)
    await street.until(lambda: watcher.game is not None and watcher.game.number != NEWCOMER)
    leave(*phones, laptop, watcher)


@simulated
async def test_a_false_message_of_admission_does_no_harm() -> None:
    """The newcomer does not find itself in the log, and keeps asking the others."""
    street, homes, tables = await running_game("p,p", entries=6)
    phones = await move_to_phones(street, homes, tables)
    phones[0].admission.on_request = lambda line, signature, permits: phones[0].connections.send(line, JoinAnswer(0))  # type: ignore[method-assign]
    other = phones[1].admission.on_request
    phones[1].admission.on_request = lambda line, signature, permits: None  # type: ignore[method-assign]
    guest = SimDevice(street).visit(await phones[0].tokens.give_away())
    await street.until(lambda: guest.game is not None)
    await asyncio.sleep(5)
    assert guest.game is not None
    assert (guest.game.number, guest.game.device.ready) == (NEWCOMER, False)
    phones[1].admission.on_request = other  # type: ignore[method-assign]
    await street.until(lambda: own_seats(guest) == (0,))
    await street.until(lambda: len(heads([*phones, guest])) == 1)
    assert [line.muted for line in guest.channels.by_key.values()] == [False] * 2
    leave(*phones, guest)


@simulated
async def test_a_newcomer_learns_of_its_admission_at_once() -> None:
    """Regression: it learned of its admission only when it asked again, a second later."""
    street, _, tables = await running_game("p,p,p", entries=6)
    guest = SimDevice(street).visit(tables[0].invite.fragment)
    await street.until(lambda: guest.join_requests.asked_at)
    asked = guest.join_requests.requests
    await street.until(lambda: guest.game is not None)
    assert guest.join_requests.requests == asked
    leave(*tables, guest)


@simulated
async def test_admission_by_a_device_that_was_not_asked_or_by_junk_is_refused() -> None:
    street, _, tables = await running_game("p,p", entries=6)
    for table in tables:
        table.admission.on_request = lambda line, signature, permits: None  # type: ignore[method-assign]
    guest = SimDevice(street).visit(tables[0].invite.fragment)
    await street.until(lambda: len(guest.join_requests.asked_keys) == 2)
    channel = next(iter(guest.channels.by_key.values()))
    for missing in (-1, 33, "0", True):
        with pytest.raises(Nonsense, match=r"net\."):
            messages.read(["admitted", missing])
    guest.join_requests.asked_keys.clear()
    with pytest.raises(Nonsense, match=r"net\.not_a_message"):
        guest.message(channel, JoinAnswer(0))
    assert guest.game is None
    leave(*tables, guest)


@simulated
async def test_spectators_leave_places_for_devices_that_bring_a_seat() -> None:
    """Regression: the last device that was admitted got a number that no envelope may carry, and every device it asked
    for admission stopped working."""
    street, _, tables = await running_game("p,p", entries=6)
    link = await tables[1].tokens.give_away()
    host = tables[0].game
    assert host is not None
    for number in range(2, MAX_DEVICES - RESERVED_PLACES):
        host.join(fake_key(number), fake_key(100 + number))
        await street.until(lambda number=number: len(host.device.state.devices) > number)
    watcher = SimDevice(street).visit(tables[0].invite.fragment)
    await street.until(lambda: watcher.no_entry_reason == "net.full")
    phone = SimDevice(street).visit(link)
    await street.until(lambda: own_seats(phone) == (1,))
    for number in range(MAX_DEVICES - RESERVED_PLACES + 1, MAX_DEVICES):
        host.join(fake_key(number), fake_key(100 + number))
        await street.until(lambda number=number: len(host.device.state.devices) > number)
    late = SimDevice(street).visit(await phone.tokens.give_away())
    await street.until(lambda: late.no_entry_reason == "net.full")
    await play_until(street, [tables[0], phone], 12)
    leave(*tables, watcher, phone, late)


@simulated
async def test_a_newcomer_without_a_number_cannot_give_a_seat_to_a_bot() -> None:
    street, homes, tables = await running_game("p,p,p", entries=6)
    homes[2].crash()
    tables[0].admission.on_request = tables[1].admission.on_request = (  # type: ignore[method-assign]
        lambda line, signature, permits: tables[0].connections.send(
            tables[0].channels.by_key[line.seal_key], JoinAnswer(0)
        )
    )
    guest = SimDevice(street).visit(tables[0].invite.fragment)
    await street.until(lambda: guest.game is not None)
    assert guest.game is not None
    guest.game.device.raft.leader = 0
    with pytest.raises(Refused, match=r"net\.wait"):
        guest.game.give_seat(2, "bot")
    leave(*tables[:2], guest)


def test_no_device_is_admitted_with_one_key_of_another() -> None:
    """Devices are identified by their seal key: in the next game the place would have belonged to nobody."""
    state, apply = told_state()
    known, (one, *_) = len(state.devices), state.devices
    assert apply(1, bodies.Join(known, fake_key(1), one.seal_key)) == "net.stale"
    assert apply(1, bodies.Join(known, one.verify_key, fake_key(2))) == "net.stale"
    assert apply(1, bodies.Join(known, fake_key(1), fake_key(2))) == ""


def test_envelopes_under_an_unassigned_number_do_not_count_against_its_later_owner() -> None:
    """Regression: a leader could make every number unusable that was not assigned yet."""
    (first, far) = chain_entries((1, 0, bodies.Start()), (1, 1, bodies.Start()))
    raft = RecordingRaft(0, 2)
    with pytest.raises(Nonsense, match=r"net\.twice"):
        raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), (far,)))
    raft.receive(1, Log(1, 0, ORIGIN, 0, 1, (), (first, far)))
    assert raft.log.counters == {1: 2}
    state, apply = told_state()
    number = len(state.devices)
    state.refused_in_a_row[number] = 40
    apply(1, bodies.Join(number, fake_key(1), fake_key(2)))
    assert number not in state.refused_in_a_row
