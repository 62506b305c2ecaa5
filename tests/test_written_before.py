"""Everything earlier versions of the page have written still opens: saves, settings, records, links, tables by link.

`tests/written_before` holds them as the page wrote them before its modules were moved. They are never written anew: a
later version adds its own files beside them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES, links, records
from engine.seats import PERSON
from peer.crypto.keys import PlainKeys, plain_verify
from peer.table.table import Table
from tests.peer.simulation.in_memory import Network, SimDevice, simulated
from tests.peer.table.test_tables import leave, play_until
from ui.saves import saved_game, setup_link

FOLDER = Path(__file__).parent / "written_before"
WRITTEN: dict[str, Any] = json.loads((FOLDER / "written.json").read_text("utf-8"))


def named(kind: str) -> Any:
    return pytest.mark.parametrize("written", WRITTEN[kind], ids=range(len(WRITTEN[kind])))


@named("saves")
def test_a_save_opens(written: dict[str, Any]) -> None:
    header = saved_game.read_header(written["header"])
    session, changes = saved_game.replay_with_changes(header, written["records"])
    found = len(session.log), session.fingerprint(), session.game.scores(session.table), len(changes)
    assert found == (written["entries"], written["fingerprint"], written["scores"], written["changes"])
    assert header.over is session.over
    assert saved_game.write_header(header) == written["header"], "and is written as it was"
    rows = list(map(json.loads, written["records"]))
    assert [entry for entry in session.log if json.loads(saved_game.write_entry(session, entry)) not in rows] == []


def test_the_saves_are_of_every_game_running_and_finished() -> None:
    headers = [saved_game.read_header(written["header"]) for written in WRITTEN["saves"]]
    assert {(header.game, header.over) for header in headers} == {
        (name, over) for name in GAMES for over in (False, True)
    }
    kinds = {json.loads(record)[0] for written in WRITTEN["saves"] for record in written["records"]}
    assert {"undo", "chairs"} <= kinds


def test_the_settings_are_read() -> None:
    given = saved_game.read_settings(WRITTEN["settings"])
    assert given["names"] == ["Theo", "Ábel", "", "Vera"]
    assert given["settings"]["language"] == "hu"
    assert given["settings"]["edges"] == "0123"


@pytest.mark.parametrize("game", WRITTEN["records"])
def test_a_record_is_verified(game: str) -> None:
    text = (FOLDER / f"{game}.jsonl").read_text("utf-8")
    record = records.verify(text)
    session = record.session
    assert records.write(session, record.names) == text, "and is written as it was"
    expected = WRITTEN["records"][game]
    assert (len(session.log), session.game.scores(session.table)) == (expected["entries"], expected["scores"])


@named("games_in_links")
def test_a_game_in_a_link_opens(written: dict[str, Any]) -> None:
    session = links.read(written["text"]).session
    assert written["game"] == session.game.NAME
    assert (len(session.log), session.fingerprint()) == (written["entries"], written["fingerprint"])


@pytest.mark.parametrize("link", WRITTEN["setup_links"])
def test_a_set_up_link_opens(link: str) -> None:
    found = setup_link.read(link)
    assert isinstance(found, setup_link.LinkedSetup)
    assert (found.seed, found.plays[:2]) == ("friday", (PERSON, PERSON))
    assert setup_link.write(found) == link


class Device(SimDevice):
    """A device with real keys, and the storage it had."""

    def __init__(self, street: Network, kept: dict[str, Any]) -> None:
        super().__init__(street)
        self.headers["table"] = kept["header"]
        self.disk.update(enumerate(kept["records"]))

    def keys(self, seed: bytes) -> PlainKeys:  # type: ignore[override]  # the simulation's are faster
        return PlainKeys(seed)

    async def proven(self, claims: Any) -> bool:
        return all(claim.is_genuine(plain_verify) for claim in claims)


@named("tables")
def test_a_table_by_link_is_taken_up_and_played_on(written: dict[str, Any]) -> None:
    @simulated
    async def scene() -> None:
        street = Network()
        tables: list[Table] = [Device(street, kept).visit(written["fragment"]) for kept in written["devices"]]
        await street.until(lambda: all(map(_caught_up, tables, written["devices"])))
        for table, kept in zip(tables, written["devices"], strict=True):
            game = table.game
            assert game is not None
            session = game.device.state.public.session
            assert (session.game.NAME, list(game.own_seats)) == (written["game"], kept["seat"])
            assert game.device.log.has_head(kept["commit"], kept["head"])
            assert (len(session.log), session.fingerprint()) == (kept["entries"], kept["fingerprint"])
        await play_until(street, tables, max(kept["entries"] for kept in written["devices"]) + 4)
        leave(*tables)

    scene()


def _caught_up(table: Table, kept: dict[str, Any]) -> bool:
    """Returns True once the device has learnt again which entries were committed."""
    return table.game is not None and table.game.device.applied >= kept["commit"]
