"""Games that began under earlier versions of the rules open, are played on and are verified under these versions.

`tests/written_before/rules_1.json` holds games of thieves and sicilianos as the page wrote them under version 1 of
their rules: then a thief had to take something unless a house rule said otherwise, and several equal antiques shops
of one player counted as one among the sets of three.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import GAMES, bots, links, notation, records
from engine.core import Answer, Nonsense, Refused
from engine.dealers import Seeded
from engine.options import changed_options, is_playable, rules_of, settle
from engine.session import Session
from engine.sicilianos.result import businesses_of
from engine.thieves.thief import LET_GO, Thief
from peer.game import setup as setups
from peer.table import header as headers
from peer.table import lobby as lobbies
from peer.table.phase import InLobby, Over, Playing
from peer.table.table import Table
from tests.peer.simulation.in_memory import Network, simulated
from tests.peer.table.test_tables import heads, leave, play_until
from tests.test_written_before import FOLDER, Device
from tests.ui.table import FakeTable
from ui.messages import Begin
from ui.saves import saved_game, setup_link

WRITTEN: dict[str, Any] = json.loads((FOLDER / "rules_1.json").read_text("utf-8"))
GAMES_WRITTEN: list[dict[str, Any]] = WRITTEN["games"]
RUNNING = [written for written in GAMES_WRITTEN if '"over": false' in written["save"]["header"]]
FINISHED = [written for written in GAMES_WRITTEN if written not in RUNNING]
TABLES: dict[str, Any] = {written["phase"]: written for written in WRITTEN["tables"]}


def opened(written: dict[str, Any]) -> Session:
    """Returns the session of a save."""
    save = written["save"]
    return saved_game.replay(saved_game.read_header(save["header"]), save["records"])


def play_to_the_end(session: Session, seed: str = "on") -> None:
    dealer, rnd = Seeded(seed), Random(seed)
    while True:
        session.deal_all(dealer)
        if session.over:
            return
        seat = session.question.seats()[0]
        session.do(seat, bots.choose_at_random(session.question, session.view(seat), seat, rnd))


# Saves, records and links


@pytest.mark.parametrize("written", GAMES_WRITTEN)
def test_a_save_opens_under_the_version_it_was_written_under(written: dict[str, Any]) -> None:
    save, session = written["save"], opened(written)
    found = len(session.log), session.fingerprint(), session.game.scores(session.table)
    assert found == (save["entries"], save["fingerprint"], save["scores"])
    assert session.version == 1 < session.game.VERSION
    header = saved_game.read_header(save["header"])
    assert saved_game.write_header(header) == save["header"], "a device with an older page may open it too"


@pytest.mark.parametrize("written", GAMES_WRITTEN)
def test_a_record_and_a_link_are_read_and_written_as_they_were(written: dict[str, Any]) -> None:
    for record in (records.read(written["record"]), links.read(written["link"])):
        assert records.write(record.session, record.names) == written["record"]
        assert links.write(record.session, record.names) == written["link"]


@pytest.mark.parametrize("written", FINISHED)
def test_a_finished_record_is_verified(written: dict[str, Any]) -> None:
    assert records.verify(written["record"]).session.version == 1


@pytest.mark.parametrize("written", RUNNING)
def test_a_running_game_is_played_to_its_end_and_verified(written: dict[str, Any]) -> None:
    session = opened(written)
    play_to_the_end(session)
    record = records.verify(records.write(session, ["Theo", "Ábel", "Vera"]))
    assert (record.session.version, record.session.log) == (1, session.log)


def test_under_version_1_a_thief_must_take_unless_a_house_rule_lets_it_go() -> None:
    asked = [session for session in map(opened, RUNNING) if isinstance(session.question, Thief)]
    assert [session.written_options for session in asked] == [{}, {"thief": "may_let_go"}, {}]
    for session in asked:
        may = session.written_options == {"thief": "may_let_go"}
        assert (LET_GO in session.answers(0)) is may
        if not may:
            with pytest.raises(Refused, match=r"thieves\.thief\.must_take"):
                session.do(0, LET_GO)
        else:
            session.do(0, LET_GO)


def test_under_version_1_equal_antiques_count_once_among_the_sets() -> None:
    running, finished = (opened(written) for written in GAMES_WRITTEN if written["game"] == "sicilianos")
    play_to_the_end(running)
    owned = businesses_of(finished.table, 0)
    assert owned.count((1, 1)) == 2, "the first seat owns two antiques shops of one family"
    now = Session(finished.game, 3, finished.written_options)
    now.extend(finished.log)
    old, new = finished.game.scores(finished.table), now.game.scores(now.table)
    assert [more - less for more, less in zip(new, old, strict=True)] == [50, 0, 0]
    assert (running.version, now.version) == (1, 2)


@pytest.mark.parametrize("written", [each for each in RUNNING if each["game"] == "thieves"])
def test_the_page_plays_a_save_on_under_its_version(written: dict[str, Any]) -> None:
    save = written["save"]
    header = saved_game.read_header(save["header"])
    session, changes = saved_game.replay_with_changes(header, save["records"])
    table = FakeTable(header)
    table.records = list(save["records"])
    table.send("opened", data=(header, session, table.records, changes))
    table.run()
    table.send("answer", "let_go")
    table.run()
    may = "may_let_go" in save["header"]
    assert (table.model.notice is None) is may
    if not may:
        assert table.model.notice is not None
        assert table.model.notice.key == "refused.thieves.thief.must_take"
    while not table.play.session.over:
        seat = table.play.session.question.seat
        answers = [words(table, answer) for answer in table.play.session.answers(seat)]
        table.send("answer", answers[0])
        table.run()
    kept = table.play.header
    assert (kept.version, kept.options, kept.over) == (1, header.options, True)
    again = saved_game.replay(saved_game.read_header(saved_game.write_header(kept)), table.records)
    assert (again.version, again.fingerprint()) == (1, table.play.session.fingerprint())


def words(table: FakeTable, answer: Answer) -> str:
    return notation.text(table.play.session.game.WORDS, answer)


# Set-ups


@pytest.mark.parametrize("link", WRITTEN["setup_links"])
def test_a_set_up_link_opens(link: str) -> None:
    """It begins a new game by the present rules, with the house rules that it names."""
    found = setup_link.read(link)
    assert isinstance(found, setup_link.LinkedSetup)
    assert setup_link.write(found) == link
    assert f"seats={','.join(found.plays)}" in link
    for rule, choice in found.options.items():
        assert f"{rule}={choice}" in link


@pytest.mark.parametrize("written", RUNNING)
def test_another_game_with_the_same_house_rules_is_one_of_the_present_rules(written: dict[str, Any]) -> None:
    header = saved_game.read_header(written["save"]["header"])
    table = FakeTable(header)
    (begin,) = table.send("again")
    assert isinstance(begin, Begin)
    session = Session(GAMES[header.game], 3, begin.setup.options)
    expected = opened(written).options
    assert session.options == {name: expected[name] for name in session.options}


@pytest.mark.parametrize("game", GAMES)
def test_every_earlier_version_is_converted_into_options_that_can_be_chosen_now(game: str) -> None:
    played = GAMES[game]
    assert all(1 <= version < played.VERSION for version in played.EARLIER)
    for version in (*played.EARLIER, played.VERSION):
        for option in rules_of(played, version).options:
            for value in getattr(option, "choices", ({},)):
                given = {option.name: value}
                session = Session(played, played.SEATS[0], given, version)
                again = Session(played, played.SEATS[0], changed_options(played, session.options))
                assert again.options == {name: session.options[name] for name in again.options}
                assert settle(played, played.SEATS[0], session.written_options, version)[option.name] == (
                    value if value else option.default
                )


def with_version(text: str, version: object) -> str:
    """Returns the text of a setup or a lobby with another version."""
    row = json.loads(text)
    row[1] = version
    return json.dumps(row)


@pytest.mark.parametrize(("version", "reason"), [(0, "save.version"), (3, "save.newer"), (99, "save.newer")])
def test_a_version_that_is_not_played_here_is_refused(version: int, reason: str) -> None:
    written, stored = GAMES_WRITTEN[0], headers.read(TABLES["thief"]["devices"][0]["header"])
    first, *lines = written["record"].splitlines()
    with pytest.raises(records.Damaged, match=r"record\.version"):
        records.read("\n".join([json.dumps({**json.loads(first), "version": version}), *lines]))
    header = saved_game.read_header(written["save"]["header"])
    with pytest.raises(Refused, match=reason):
        saved_game.new_session(replace(header, version=version))
    for text, read in ((stored.setup, setups.read), (stored.lobby, lobbies.read)):
        with pytest.raises(Refused, match=r"net\.version"):
            read(with_version(text, version))


@pytest.mark.parametrize("version", [-1, True, "1", None, [], {}])
def test_what_is_no_version_is_refused(version: object) -> None:
    assert not is_playable(GAMES["thieves"], version)
    first, *lines = GAMES_WRITTEN[0]["record"].splitlines()
    with pytest.raises(records.Damaged, match=r"record\.version"):
        records.read("\n".join([json.dumps({**json.loads(first), "version": version}), *lines]))
    stored = headers.read(TABLES["thief"]["devices"][0]["header"])
    for text, read in ((stored.setup, setups.read), (stored.lobby, lobbies.read)):
        with pytest.raises(Nonsense):
            read(with_version(text, version))


def test_what_a_converter_adds_cannot_be_chosen() -> None:
    sicilianos = GAMES["sicilianos"]
    added = {"equal_antiques": "count_once"}
    assert Session(sicilianos, 3, {}, 1).options.items() >= added.items()
    for version in (1, 2):
        with pytest.raises(Refused, match=r"option\.unknown"):
            Session(sicilianos, 3, added, version)


# Tables by link


def taken_up(street: Network, written: dict[str, Any]) -> list[Table]:
    return [Device(street, kept).visit(written["fragment"]) for kept in written["devices"]]


@simulated
async def test_a_running_table_by_link_is_played_to_its_end_under_version_1() -> None:
    written = TABLES["thief"]
    street = Network()
    tables = taken_up(street, written)
    await street.until(lambda: all(table.game and table.game.device.state.public.entries for table in tables))
    await street.until(lambda: all(map(_caught_up, tables, written["devices"])))
    asked = []
    for table, kept in zip(tables, written["devices"], strict=True):
        assert table.game is not None
        device = table.game.device
        session = device.state.public.session
        assert (session.version, table.game.setup.origin) == (1, kept["origin"])
        assert device.log.has_head(kept["commit"], kept["head"])
        assert session.fingerprint() == kept["fingerprint"]
        asked += [seat for seat in table.game.own_seats if Thief.key == session.question.key and session.answers(seat)]
        for seat in asked:
            assert LET_GO not in session.answers(seat)
    assert asked, "a thief was asked when the page was closed"
    await play_until(street, tables)
    ends = [table.game.device.state.public.session for table in tables if table.game is not None]
    assert [end.over for end in ends] == [True, True]
    assert not any(answer == LET_GO for end in ends for _, answer in end.log)
    leave(*tables)


def _caught_up(table: Table, kept: dict[str, Any]) -> bool:
    return table.game is not None and table.game.device.applied >= kept["commit"]


@simulated
async def test_a_table_by_link_that_is_over_begins_another_game_of_its_version() -> None:
    """All its devices have that version, also one with an older page."""
    written = TABLES["over"]
    street = Network()
    tables = taken_up(street, written)
    await street.until(lambda: all(isinstance(table.phase, Over) for table in tables))
    assert len(heads(tables)) == 1
    opener = tables[0]
    device = opener.env
    assert isinstance(device, Device)
    await street.until(lambda: all(len(table.channels.by_key) == 1 for table in tables))
    device.context.run(asyncio.ensure_future, opener.laying_out.lay_out_again())
    await street.until(lambda: all(isinstance(table.phase, Playing) for table in tables))
    assert [table.game.setup.version for table in tables if table.game is not None] == [1, 1]
    await play_until(street, tables, 8)
    leave(*tables)


@simulated
async def test_a_lobby_by_link_is_taken_up_in_its_version() -> None:
    written = TABLES["lobby"]
    street = Network()
    tables = taken_up(street, written)
    await street.until(lambda: all(isinstance(table.phase, InLobby) for table in tables))
    assert [table.lobby.version for table in tables if table.lobby is not None] == [1, 1]
    leave(*tables)
