"""The command line, tested with its arguments and output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES, records
from engine.cli import arena, sentences
from engine.cli.commands import main
from engine.core import NATURE, SPECTATOR, Refused, not_asked
from engine.session import Session
from engine.values import CardOf, SeatOf
from tests.engine import anything, soak

ROOT = Path(__file__).parent.parent.parent


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    return capsys.readouterr().out


def last_json(text: str) -> Any:
    return json.loads(text.splitlines()[-1])


def test_the_command_line_works_from_a_clone_without_any_install() -> None:
    """The command line needs no installed packages, only the project's folder."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from engine.cli.commands import main; main(['games', '--json'])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(ROOT)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [one["game"] for one in json.loads(done.stdout)["games"]] == list(GAMES)


def test_games_lists_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "games")
    found = last_json(run(capsys, "games", "--json"))["games"]
    for one in found:
        assert one["game"] in text
        assert list(one["options"]) == [option.name for option in GAMES[one["game"]].OPTIONS]
        assert one["seats"] == [GAMES[one["game"]].SEATS[0], GAMES[one["game"]].SEATS[-1]]


@pytest.mark.parametrize("name", GAMES)
def test_simulate_prints_its_figures(capsys: pytest.CaptureFixture[str], name: str) -> None:
    for seats in GAMES[name].SEATS:
        text = run(capsys, "simulate", name, "--players", str(seats), "--games", "5", "--seed", "1", "--json")
        found = last_json(text)
        assert found["game"] == name
        assert (found["players"], found["games"]) == (seats, 5)
        assert 0 < found["decisions"] < found["entries"]
        assert found["decisions_per_second"] > 0
        assert len(found["mean_scores"]) == len(found["wins"]) == seats
        assert sum(found["wins"]) == pytest.approx(5, abs=0.01)


def test_simulate_gives_the_same_result_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "razzia", "--players", "3", "--games", "4", "--json", "--seed")
    first, again, other = (last_json(run(capsys, *arguments, seed)) for seed in ("x", "x", "y"))
    assert first["mean_scores"] == again["mean_scores"]
    assert first["mean_scores"] != other["mean_scores"]


@pytest.mark.parametrize("name", GAMES)
def test_verify_accepts_what_simulate_wrote(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    for seats in GAMES[name].SEATS:
        run(capsys, "simulate", name, "--players", str(seats), "--games", "2", "--records", str(tmp_path))
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2 * len(GAMES[name].SEATS)
    text = run(capsys, "verify", *map(str, files))
    assert text.count(": ok\n") == len(files)


def test_verify_names_file_and_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(capsys, "simulate", "razzia", "--players", "2", "--games", "2", "--records", str(tmp_path))
    good, bad = sorted(tmp_path.iterdir())
    lines = bad.read_text("utf-8").splitlines()
    bad.write_text("\n".join([*lines[:9], *lines[10:]]) + "\n", "utf-8")
    text = run(capsys, "verify", str(good), str(bad), str(tmp_path / "none"), code=1)
    said = text.splitlines()
    assert said[0] == f"{good}: ok"
    assert said[1].startswith(f"{bad}: line ")
    assert said[2] == f"{tmp_path / 'none'}: cannot be read: No such file or directory"
    found = last_json(run(capsys, "verify", "--json", str(good), str(bad), code=1))
    assert (found["files"], list(found["bad"])) == (2, [str(bad)])


def test_replay_shows_the_log_or_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(capsys, "simulate", "razzia", "--players", "2", "--games", "1", "--records", str(tmp_path))
    path = str(next(tmp_path.iterdir()))
    assert "nature: hands" in run(capsys, "replay", path)
    assert "nature: hands" in run(capsys, "replay", path, "--seat", "1")
    table = run(capsys, "replay", path, "--at", "1", "--seat", "1")
    assert table.startswith("round 1  deck 120")
    assert re.search(r"^asked: razzia\.turn, seat [12]$", table, re.MULTILINE)
    run(capsys, "replay", path, "--at", "9999", code=1)
    assert main(["replay", path, "--seat", "3"]) == 1
    assert capsys.readouterr().err == "error: there is no seat 3; the seats are 1 to 2\n"
    with pytest.raises(SystemExit, match="2"):
        main(["replay", path, "--seat", "0"])


def test_replay_shows_what_the_seat_saw_that_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(capsys, "simulate", "bars", "--players", "3", "--games", "1", "--records", str(tmp_path))
    path = str(next(tmp_path.iterdir()))
    for seat in ("1", "2", "3"):
        hands = re.findall(r"^seat (\d) .* hand (.*)$", run(capsys, "replay", path, "--seat", seat, "--at", "30"), re.M)
        assert [number for number, hand in hands if "?" not in hand] == [seat]


def test_a_refusal_counts_seats_from_1_for_people_and_from_0_for_programs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = records.write(anything.finished("thieves", 3, 1), ["", "", ""]).splitlines()
    asked = next(number for number, line in enumerate(lines) if line.startswith("[2,"))
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join([*lines[:asked], lines[asked].replace("[2,", "[1,")]), "utf-8")
    assert run(capsys, "verify", str(path), code=1) == f"{path}: line {asked + 1}: seat 2 is not asked\n"
    found = last_json(run(capsys, "verify", "--json", str(path), code=1))
    assert found["bad"] == {str(path): {"line": asked + 1, "reason": "not_asked", "values": {"seat": 1}}}


def test_a_refusal_in_a_game_is_its_reason_with_the_values_as_people_count() -> None:
    refused = Refused("bars.reveal.other", seat=SeatOf(0), card=CardOf(7))
    assert sentences.sentence(refused) == "bars.reveal.other, seat 1, card 7"
    assert sentences.sentence(Refused("x.y", victim=SeatOf(2), cards=(1, 2))) == "x.y, victim seat 3, cards 1, 2"
    assert sentences.sentence(not_asked(NATURE)) == "nature is not asked"
    assert str(refused) == "bars.reveal.other (seat=0, card=7)"


def test_a_masked_record_is_shown_but_not_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    session = anything.finished("bars", 3, 1)
    seen = Session(session.game, 3, session.options)
    seen.extend(session.masked(SPECTATOR))
    path, whole = tmp_path / "seen.jsonl", tmp_path / "whole.jsonl"
    path.write_text(records.write(seen, ["", "", ""]), "utf-8")
    whole.write_text(records.write(session, ["", "", ""]), "utf-8")
    says = "line 3: this entry hides something, so the result cannot be checked"
    assert run(capsys, "verify", str(path), str(whole), code=1) == f"{path}: {says}\n{whole}: ok\n"
    for arguments in ([], ["--at", "9"], ["--seat", "1"]):
        assert run(capsys, "replay", str(path), *arguments).startswith(f"not verified: {says}\n")
        assert "not verified" not in run(capsys, "replay", str(whole), *arguments)
    assert "deal 1 ?" in run(capsys, "replay", str(path))


def test_an_unfinished_record_is_shown_but_not_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "begun.jsonl"
    path.write_text(records.write(anything.beginning(anything.finished("razzia", 2, 1), 9), ["", ""]), "utf-8")
    assert run(capsys, "replay", str(path)).startswith("not verified: line 10: the game is not finished\n")


def test_options_can_be_set_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = ["--option", "tie=highest_cheque", "--option", "deck=ring:6,police:12"]
    run(capsys, "simulate", "razzia", "--players", "2", "--games", "1", *rules, "--records", str(tmp_path))
    header = json.loads(next(tmp_path.iterdir()).read_text("utf-8").splitlines()[0])
    assert header["options"] == {"tie": "highest_cheque", "deck": {"ring": 6, "police": 12}}


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "razzia", "--players", "9"),
        ("simulate", "razzia", "--option", "tie"),
        ("simulate", "razzia", "--option", "tie=dice"),
        ("simulate", "razzia", "--bots", "genius"),
        ("arena", "razzia", "--bots", "genius"),
        ("simulate", "razzia", "--option", "deck=ring"),
        ("simulate", "razzia", "--option", "deck=ring:5,ring:3"),
        ("play", "razzia", "--players", "3", "--bots", "p,p"),
        ("replay", "/"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert main(list(arguments)) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert re.search(r"=|\w\.\w", error.replace("NAME=VALUE", "")) is None


def test_every_refusal_outside_a_running_game_has_a_sentence() -> None:
    engine = ROOT / "engine"
    files = {*engine.glob("*.py"), *engine.glob("bots/*.py"), *engine.glob("cli/*.py"), *engine.glob("*/box.py")}
    files.remove(engine / "seats.py")  # only a page asks for names
    sources = "".join(path.read_text("utf-8") for path in files)
    reasons = set(re.findall(r'Refused\(\s*"([a-z_0-9.]+)"', sources))
    elsewhere = {"dealer.script_ended", "link.damaged", "link.masked", "link.too_long"}  # met by no command
    spelt = {f"record.{name}" for name in ("scores", "winners", "seen", "hash")}
    of_games = {reason for game in GAMES.values() for reason in game.SENTENCES}
    assert reasons - elsewhere | spelt == set(sentences.SENTENCES) | of_games
    assert {reason for reason in reasons if reason.partition(".")[0] in GAMES} == of_games


@pytest.mark.parametrize("place", ["taken", "taken/below", "none/below.jsonl"])
@pytest.mark.parametrize("command", [("simulate", "--records"), ("play", "--bots", "random,random", "--record")])
def test_a_record_that_cannot_be_written_gives_an_error_without_a_traceback(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...], place: str
) -> None:
    (tmp_path / "taken").write_text("mine", "utf-8")
    folder = tmp_path if command[0] == "play" else tmp_path / "taken"
    path = folder if place == "taken" else folder / place
    assert main([command[0], "razzia", "--players", "2", *command[1:], str(path)]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"error: {path} cannot be written: ")
    assert said.out == ""  # nobody had played
    assert (tmp_path / "taken").read_text("utf-8") == "mine"


def test_a_file_name_that_is_no_utf8_is_escaped_in_the_output(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl"))
    said = run(capsys, "verify", str(path), code=1)
    assert said.encode().startswith(os.fsencode(tmp_path) + b"/\\udcff.jsonl: ")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "line 1: the file is empty"),
        (b"\x00\xff", "line 1: this is not UTF-8 text"),
        (b"{}\n", "line 1: this is not a game record"),
        (b"[" * 9000, "line 1: this is not JSON as records have it (json.too_long)"),
    ],
)
def test_a_file_that_is_no_record_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, says: str
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert run(capsys, "verify", str(path), code=1) == f"{path}: {says}\n"
    assert main(["replay", str(path)]) == 1
    assert capsys.readouterr().err == f"error: {says}\n"


@pytest.mark.parametrize("count", ["0", "-3", "x", "1.5", "9" * 5000])
def test_the_number_of_games_must_be_a_positive_whole_number(capsys: pytest.CaptureFixture[str], count: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["simulate", "razzia", "--games", count])
    assert "argument --games: a whole number from 1 on, not" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["10", "poker"], "argument GAME: there is no game 'poker', only razzia, bars, sicilianos, thieves"),
        (["10", "bars", "razzia/"], "argument GAME: there is no game 'razzia/', only razzia,"),
        (["0"], "argument games: a whole number from 1 on, not '0'"),
        (["poker"], "argument games: a whole number from 1 on, not 'poker'"),
    ],
)
def test_a_soak_with_bad_arguments_gives_an_error_without_a_traceback(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        soak.parser().parse_args(arguments)
    assert says in capsys.readouterr().err


# Arena


def test_arena_prints_shares_and_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(
        capsys, "arena", "razzia", "--players", "4", "--games", "24", "--bots", "greedy,random,random,random", "--json"
    )
    found = last_json(text)
    assert found["games"] == 24
    assert found["win_share"]["greedy"] > 0.5
    assert found["win_share"]["greedy"] + 3 * found["win_share"]["random"] == pytest.approx(1, abs=0.001)
    for name in ("greedy", "random"):
        low, high = found["interval"][name]
        assert 0 <= low <= found["win_share"][name] <= high <= 1
        assert name in found["mean_scores"]


@pytest.mark.parametrize("name", GAMES)
def test_a_match_of_equal_bots_gives_equal_shares(name: str) -> None:
    """Rotated seats: the same bot everywhere wins exactly its share."""
    game = GAMES[name]
    seats = game.SEATS[0]
    found = arena.arena(game, seats, ["random"], 2 * seats)
    assert found["win_share"] == {"random": pytest.approx(1 / seats, abs=0.0001)}


def test_paired_deals_deal_the_same_cards() -> None:
    task = arena.Task("razzia", 3, {}, ["greedy", "random", "random"], "1", range(2))
    found = arena.run(task)
    assert [one.deal for one in found] == [0, 0, 0, 1, 1, 1]
    assert [one.bots.index("greedy") for one in found] == [0, 2, 1, 0, 2, 1]


def test_arena_gives_the_same_result_with_several_processes(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("arena", "razzia", "--players", "3", "--games", "12", "--bots", "greedy,random,random", "--json")
    assert last_json(run(capsys, *arguments)) == last_json(run(capsys, *arguments, "--jobs", "2"))


def test_arena_runs_on_a_dask_cluster() -> None:
    """Any Executor will do: here Dask's, on a cluster of one."""
    from distributed import Client, LocalCluster  # here, because it takes long, and most processes do not run this test

    game = GAMES["razzia"]
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        found = arena.arena(game, 3, ["greedy", "random"], 6, executor=client.get_executor(), shares=2)
    assert found == arena.arena(game, 3, ["greedy", "random"], 6)


# Play


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Types lines, then ends the input."""
    waiting = iter(lines)

    def answer(prompt: str) -> str:
        print(prompt, end="")
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)


def test_a_whole_game_is_played_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed(monkeypatch, *["1"] * 500)
    path = tmp_path / "game.jsonl"
    text = run(
        capsys, "play", "razzia", "--players", "3", "--bots", "p,greedy,b1", "--seed", "3", "--record", str(path)
    )
    assert "scores [" in text
    assert ": ok" in run(capsys, "verify", str(path))


def test_the_terminal_refuses_bad_input_and_takes_answers_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "nonsense", "offer 3", "undo", "99", "call", "undo", "call", "pass", "quit")
    text = run(capsys, "play", "razzia", "--players", "2", "--bots", "p,p", "--seed", "3")
    assert "no: there is no answer 'nonsense' in this game" in text
    assert "no: 'offer' is no answer to what is asked" in text
    assert "no: it is too late to take that back" in text


def test_a_typed_number_of_thousands_of_digits_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "9" * 6000, "0", "quit")
    text = run(capsys, "play", "razzia", "--players", "2", "--bots", "p,p", "--seed", "3")
    assert text.count("no: ") == 2


def test_typed_bytes_that_are_no_text_are_refused() -> None:
    program = [sys.executable, "-m", "engine", "play", "razzia", "--players", "2", "--bots", "p,p", "--seed", "3"]
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(program, input=b"\xff\xfe\nquit\n", capture_output=True, check=False, cwd=ROOT, env=strict)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"no: there is no answer") == 1


@pytest.mark.parametrize("name", GAMES)
def test_every_game_plays_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    typed(monkeypatch, *["1"] * 3000)
    seats = GAMES[name].SEATS[0]
    text = run(capsys, "play", name, "--players", str(seats), "--bots", ",".join(["p"] * seats), "--seed", "5")
    assert "scores [" in text
