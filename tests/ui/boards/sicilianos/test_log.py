"""The log lines of sicilianos, and the completeness of the board's texts."""

import re
from typing import Any

import pytest

from engine import notation
from engine.core import NATURE, SPECTATOR
from engine.dealers import Seeded
from engine.options import Choice
from engine.session import Session
from engine.sicilianos.box import COLOUR, COLOUR_NAMES, card_of
from tests.ui.boards.games import NAMES, T, entries
from tests.ui.boards.sicilianos.games import BOARD, HOUSES, SICILIANOS, played
from tools.paths import ROOT
from ui.boards import Line, SeatName

# The log lines


def line_text(line: Line) -> str:
    values: dict[str, Any] = {"who": NAMES[line.seat]} if line.seat != NATURE else {}
    values |= {n: NAMES[v.seat] if isinstance(v, SeatName) else v for n, v in line.values.items()}
    return T(line.key, **values)


def all_lines(session: Session) -> list[tuple[str, int]]:
    """Returns all lines of a game as the log shows them, each with the milliseconds that the table rests after it."""
    again = Session(SICILIANOS, session.seats, session.options)
    lines: list[tuple[str, int]] = []
    for seat, answer in session.log:
        before, asked = again.view(SPECTATOR), again.question
        entry = (seat, asked.mask(seat, answer, SPECTATOR))
        again.do(seat, answer)
        after = again.view(SPECTATOR)
        rest = BOARD.rest_after(before, entry, after)
        lines += [(line_text(line), rest) for line in BOARD.tell(before, entry, after, asked)]
    return lines


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("seats", SICILIANOS.SEATS)
def test_every_line_is_complete_and_addresses_nobody(seats: int, house: str) -> None:
    *_, session = played(seats, seed=60 + seats, options=HOUSES[house])
    lines = all_lines(session)
    assert [line for line, _ in lines if re.search(r"[{}]|sicilianos\.|\byou\b|\byour\b", line, re.IGNORECASE)] == []
    assert all(rest >= 0 for _, rest in lines)
    assert len(lines) > len(session.log) / 2


def test_the_lines_of_a_war() -> None:
    """Theo's white 5 does not explode, Vera's blue 8 turns traitor to white: white has 9, Theo wins with Vera."""
    session = game_with_hands("white-5", "blue-8", "red-2")
    start = len(all_lines(session))
    for answer in ("war white-5 50", "join blue-8 20", "join red-2 5"):
        session.do(session.question.seat, parse(answer))
    session.deal(Seeded("x"))
    for answer in ("traitor", "plain"):
        session.do(session.question.seat, parse(answer))
    while session.question.key in ("sicilianos.reinforce", "sicilianos.result"):
        if session.question.seat >= 0:
            session.do(session.question.seat, ("stop",))
        else:
            session.deal(Seeded("x"))
    session.do(0, ("business",))
    assert [line for line, _ in all_lines(session)[start:] if "adds no more" not in line] == [
        "War 1: Theo starts it for White",
        "Vera joins for Blue",
        "Milo joins for Red",
        "Theo turns up: White 5, stake 50",
        "Vera turns up: Blue 8, stake 20",
        "Milo turns up: Red 2, stake 5",
        "Vera turns traitor: from Blue to White, allied with Theo",
        "The bomb of Theo stays quiet: 5 for White",
        "Theo and Vera win for White with 9",
        "Theo takes the business, Vera the money",
    ]


def parse(text: str) -> Any:
    return notation.parse(SICILIANOS.WORDS, text)


def game_with_hands(*cards: str) -> Session:
    """Returns a game of three at its first turn, Theo's. Seat n holds card n of `first`."""
    wanted = [card_of(1 + COLOUR_NAMES.index(name.split("-")[0]), int(name.split("-")[1])) for name in cards]
    session = Session(SICILIANOS, 3, {})
    while session.question.key != "sicilianos.turn":
        question = session.question
        if question.key == "sicilianos.starter":
            session.do(NATURE, ("starter", 0))
        elif question.key == "sicilianos.take":
            seat = question.seat
            colours = [a[1] for a in session.answers(seat)]
            mine = COLOUR[wanted[seat]]
            session.do(seat, ("take", mine if mine in colours else next(c for c in colours if c != mine)))
        else:
            options = [a[1] for a in question.answers(session.table, NATURE)]
            card = next((c for c in options if c in wanted and c == wanted[question.to]), None)  # type: ignore[attr-defined]
            session.do(NATURE, ("card", card or next(c for c in options if c not in wanted)))
    return session


# The texts


def test_every_refusal_is_explained() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "engine" / "sicilianos").glob("*.py"))
    reasons = set(re.findall(r'Refused\(\s*f?"(sicilianos\.[a-z_.{}]+)"', sources))
    spelt = {reason.replace("{verb}", verb) for reason in reasons for verb in ("war", "join")}
    assert {f"refused.{reason}" for reason in spelt} == {
        key for key in entries("sicilianos") if key.startswith("refused.")
    }
    assert len(spelt) > 20


def test_every_house_rule_and_every_card_has_a_name() -> None:
    for option in SICILIANOS.OPTIONS:
        key = f"sicilianos.option.{option.name}"
        assert T.has(key)
        if isinstance(option, Choice):
            assert [choice for choice in option.choices if not T.has(f"{key}.{choice}")] == []
        else:
            assert [card.name for card in option.cards if not T.has(f"sicilianos.card.{card.name}")] == []
