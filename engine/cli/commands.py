"""The command line: `python -m engine games | play | simulate | arena | replay | verify`."""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from engine import GAMES, bots, records
from engine.cli import arena, sentences, terminal
from engine.core import Game, Refused
from engine.options import Choice, Option, Options, settle


def main(arguments: list[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    try:
        code: int = args.run(args)
    except Refused as refused:
        print(f"error: {sentences.sentence(refused)}", file=sys.stderr)
        return 1
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    return code


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m engine", description="Card games, without a screen.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    games = commands.add_parser("games", help="what can be played")
    games.set_defaults(run=list_games)
    games.add_argument("--json", action="store_true")

    play = commands.add_parser("play", help="play in the terminal, people and bots")
    play.set_defaults(run=play_game)
    _add_game(play)
    play.add_argument("--bots", default="", help="who sits where: p for a person, else a bot (default p,greedy,…)")
    play.add_argument("--record", type=Path, help="write the game's record there")

    simulate = commands.add_parser("simulate", help="bots play many games")
    simulate.set_defaults(run=run_simulation)
    _add_game(simulate, many=True)
    simulate.add_argument("--bots", default="random")
    simulate.add_argument("--records", type=Path, help="write a record of every game into this folder")

    contest = commands.add_parser("arena", help="bots against each other, in rotated seats and paired deals")
    contest.set_defaults(run=run_arena)
    _add_game(contest, many=True)
    contest.add_argument("--bots", required=True)
    contest.add_argument("--jobs", type=a_number, default=1, help="processes at work")

    replay = commands.add_parser("replay", help="show a record, or the table after K entries")
    replay.set_defaults(run=run_replay)
    replay.add_argument("file", type=Path)
    replay.add_argument("--at", type=int, help="after this many entries")
    replay.add_argument("--seat", type=a_number, help="as this seat saw it, counted from 1")

    verify = commands.add_parser("verify", help="check finished games: every entry, every card, hashes, scores")
    verify.set_defaults(run=run_verify)
    verify.add_argument("files", type=Path, nargs="+", metavar="FILE")
    verify.add_argument("--json", action="store_true")
    return top


def _add_game(command: argparse.ArgumentParser, *, many: bool = False) -> None:
    """Adds the arguments of every command that starts games."""
    command.add_argument("game", choices=GAMES, metavar="GAME")
    command.add_argument("--players", type=int, default=None)
    command.add_argument("--seed", default="1" if many else None)
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    if many:
        command.add_argument("--games", type=a_number, default=100)
        command.add_argument("--json", action="store_true")


def a_number(text: str) -> int:
    """Returns a number of games, processes or a seat given on the command line."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise argparse.ArgumentTypeError(f"a whole number from 1 on, not {text[:40]!r}")
    return int(text)


def _settings(args: argparse.Namespace) -> tuple[Game, int, Options]:
    """Returns the game, the number of seats and the settled options."""
    game = GAMES[args.game]
    seats = game.SEATS[len(game.SEATS) // 2] if args.players is None else args.players
    known = {option.name: option for option in game.OPTIONS}
    given = {}
    for item in args.option:
        name, equals, value = item.partition("=")
        if not equals:
            raise Refused("option.form", given=item[:40])
        if name not in known:
            raise Refused("option.unknown", option=name[:40])
        given[name] = known[name].parse(value)
    return game, seats, settle(game, seats, given)


def list_games(args: argparse.Namespace) -> int:
    if args.json:
        print(json.dumps({"games": [_description(game) for game in GAMES.values()]}))
        return 0
    for game in GAMES.values():
        print(f"{game.NAME}  {game.SEATS[0]}-{game.SEATS[-1]} players  bots: {', '.join(bots.names(game))}")
        for option in game.OPTIONS:
            print(f"    {option.name}: {_values(option)}")
    return 0


def _description(game: Game) -> dict[str, Any]:
    return {
        "game": game.NAME,
        "version": game.VERSION,
        "seats": [game.SEATS[0], game.SEATS[-1]],
        "options": {
            option.name: list(option.choices) if isinstance(option, Choice) else option.default
            for option in game.OPTIONS
        },
        "bots": bots.names(game),
    }


def _values(option: Option) -> str:
    if isinstance(option, Choice):
        return " | ".join(option.choices)
    return ",".join(f"{name}:{count}" for name, count in option.default.items())


def play_game(args: argparse.Namespace) -> int:
    game, seats, options = _settings(args)
    players = args.bots.split(",") if args.bots else ["p"] + ["greedy" if game.BOTS else "random"] * (seats - 1)
    if len(players) != seats:
        raise Refused("seats.count", given=len(players), players=seats)
    if args.record:
        _write(args.record, "", mode="a")  # an unwritable file is reported before the game
    session = terminal.play(game, seats, options, players, args.seed)
    if args.record:
        _write(args.record, records.write(session, players))
    return 0


def run_simulation(args: argparse.Namespace) -> int:
    game, seats, options = _settings(args)
    names = args.bots.split(",")
    sessions = arena.simulate(game, seats, names, args.games, seed=args.seed, options=options)
    if args.records:
        _make_folder(args.records)
        seated = [names[seat % len(names)] for seat in range(seats)]
        sessions = _recorded(sessions, args.records, seated)
    _show(arena.summary(game, seats, sessions), json_only=args.json)
    return 0


def _recorded(sessions: Any, folder: Path, names: list[str]) -> Any:
    for number, session in enumerate(sessions, 1):
        path = folder / f"{session.game.NAME}-{session.seats}-{number:05}.jsonl"
        _write(path, records.write(session, names))
        yield session


def run_arena(args: argparse.Namespace) -> int:
    game, seats, options = _settings(args)
    names = args.bots.split(",")
    if args.jobs == 1:
        result = arena.arena(game, seats, names, args.games, seed=args.seed, options=options)
    else:
        with ProcessPoolExecutor(args.jobs) as executor:
            result = arena.arena(
                game, seats, names, args.games, seed=args.seed, options=options, executor=executor, shares=args.jobs * 8
            )
    _show(result, json_only=args.json)
    return 0


def _show(figures: dict[str, Any], *, json_only: bool) -> None:
    if json_only:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name}: {value}")


def run_replay(args: argparse.Namespace) -> int:
    record = records.read(_read(args.file))
    if record.refusal is not None:
        print(f"not verified: {sentences.sentence(record.refusal)}")
    for line in terminal.replay(record.session, args.at, None if args.seat is None else args.seat - 1):
        print(line)
    return 0


def run_verify(args: argparse.Namespace) -> int:
    bad: dict[str, Refused] = {}
    for path in args.files:
        try:
            records.verify(_read(path))
        except Refused as refused:
            bad[str(path)] = refused
    if args.json:
        print(json.dumps({"files": len(set(args.files)), "bad": {path: _error(bad[path]) for path in bad}}))
        return 1 if bad else 0
    for path in dict.fromkeys(args.files):
        name = sentences.printable(path)
        verdict = sentences.sentence(bad[str(path)]).removeprefix(f"{name} ") if str(path) in bad else "ok"
        print(f"{name}: {verdict}")
    return 1 if bad else 0


def _error(refused: Refused) -> dict[str, Any]:
    """Returns a refusal for programs."""
    line = {"line": refused.line} if isinstance(refused, records.Damaged) else {}
    return {**line, "reason": refused.reason, "values": refused.values}


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused("file.unwritable", file=str(folder), why=error.strerror) from error


def _write(path: Path, record: str, mode: str = "w") -> None:
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(record)
    except OSError as error:
        raise Refused("file.unwritable", file=str(path), why=error.strerror) from error


def _read(path: Path) -> bytes:
    """Returns the bytes of the file, but not more than a record can have."""
    try:
        with path.open("rb") as file:
            return file.read(records.LONGEST + 1)
    except OSError as error:
        raise Refused("file.unreadable", file=str(path), why=error.strerror) from error
