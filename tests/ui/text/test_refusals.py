"""Refusals as people read them: all of all games in all languages, with names, printed amounts and card names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple, get_args

import pytest

from engine import GAMES, notation, values
from engine.core import NATURE, NOBODY, Refused
from engine.options import Deck, settle
from engine.session import Session
from engine.values import Amount, CardOf, SeatOf, Slot, TypedValue, WordOf
from peer.order.outputs import OwnRefused, Warned
from peer.table.news import News
from peer.wire.bodies import Do
from tests.engine import anything
from tests.sources import tree_of
from tests.ui.table import make_header, new_model
from tests.ui.text.test_i18n import LANG, PLACE, REFUSING, entries, texts
from tools.build import catalogue
from tools.paths import ROOT
from ui.boards import PLAYABLE
from ui.html.tree import plain
from ui.loop import update
from ui.messages import Msg
from ui.model import Notice
from ui.refusals import At, refusal
from ui.room import Room
from ui.saves import saved_game
from ui.text.i18n import LANGUAGES, Texts
from ui.update.room import REASONS
from ui.view.page import view

NAMES = ("Theo", "Vera", "Luca", "Nora", "Enzo", "Rosa", "Gino", "Lola")
TYPES = {name for name, kind in vars(values).items() if isinstance(kind, type) and issubclass(kind, TypedValue)}
#: values that are counts and limits, which people read as they are; a game may have more, `COUNTS` of its board's tests
COUNTS = {"least", "most", "count", "cards", "needed", "need", "players", "notes", "lists", "claimants", "bars", "cars"}
COUNTS |= {"seats", "thieves", "families", "number", "ours"}
#: values that are texts as somebody gave them, which people read in quotes
GIVEN = {"value", "verb", "option", "who"}
WHY = "Because"  # the sentence of another refusal
EXAMPLES: dict[str, Any] = {"SeatOf": SeatOf(1), "Slot": Slot(3), "Amount": Amount(20), "WordOf": WordOf("dragon")}
DECKS = {game: [option for option in PLAYABLE[game].OPTIONS if isinstance(option, Deck)] for game in PLAYABLE}
CARDS = {game: decks[0].cards[-1].name if decks else "?" for game, decks in DECKS.items()}
#: the money on the boards: razzia prints cheques in thousands, the others print notes as the rules count them
THOUSANDS = ("razzia",)


class Raised(NamedTuple):
    """A refusal in the sources: its reason, the game or module, and what each value is by its name."""

    reason: str
    game: str
    values: dict[str, str]


@cache
def texts_in(code: str) -> Texts:
    return Texts(code, catalogue(LANG / code))


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Returns the modules whose refusals a page may show, each with its game, or "" if it belongs to all games.

    Modules without the word are not parsed, because every process does this, just to find the cases of its tests.
    """
    paths = [("", ROOT / "engine" / f"{name}.py") for name in REFUSING]
    paths += [(game, path) for game in PLAYABLE for path in sorted((ROOT / "engine" / game).rglob("*.py"))]
    paths += [("", path) for path in sorted((ROOT / "ui").rglob("*.py"))]
    for game, path in paths:
        if "Refused" in path.read_text("utf-8"):
            yield game, tree_of(path)


def raised() -> list[Raised]:
    """Returns every refusal of the sources, the same reason as often as it is raised."""
    found = []
    for game, tree in sources():
        nodes = [*ast.walk(tree)]
        local = {
            target.id: node.value
            for node in nodes
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                given = {word.arg: type_of(word.value, local) for word in node.keywords if word.arg}
                found += [Raised(reason, game, given) for reason in reasons(node.args[0])]
    return found


def reasons(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(str(reason)):
            return [reason]
        case ast.IfExp():
            return [*reasons(node.body), *reasons(node.orelse)]
        case ast.JoinedStr():  # only the cards laid in a war have reasons with a part filled in
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            return ["".join(str(part or verb) for part in parts) for verb in ("war", "join")]
    return []


def type_of(node: ast.expr, local: dict[str, ast.expr]) -> str:
    """Returns the name of the type a value is given, empty for a plain value."""
    if isinstance(node, ast.Name) and isinstance(local.get(node.id), ast.Call):
        node = local[node.id]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {*TYPES, WHY}:
        return node.func.id
    return ""


def places(reason: str) -> set[str]:
    """Returns the places for values in a text, in any language."""
    return {
        place
        for code in LANGUAGES
        for text in texts(entries(code)[f"refused.{reason}"])
        for place in PLACE.findall(text)
    }


RAISED = [one for one in raised() if not one.reason.startswith("net.")]


def said(code: str, notice: Notice) -> str:
    text = texts_in(code)(notice.key, **notice.values)
    assert text != notice.key
    assert "{" not in text
    assert "engine." not in text
    assert "TypedValue" not in text
    return text


def test_all_refusals_of_the_games_are_found() -> None:
    known = {key.removeprefix("refused.") for key in entries("en") if key.startswith("refused.")}
    of_games = {reason for reason in known if reason.partition(".")[0] in PLAYABLE}
    assert of_games == {one.reason for one in RAISED if one.game}


def own_counts(game: str) -> set[str]:
    tests = f"tests.ui.boards.{game}"
    return set(getattr(import_module(tests), "COUNTS", ())) if game and find_spec(tests) else set()


@pytest.mark.parametrize("one", RAISED, ids=lambda one: one.reason)
def test_each_place_of_a_text_is_filled_with_a_value_that_says_what_it_is(one: Raised) -> None:
    for place in places(one.reason):
        assert place in one.values, f"{one.reason}: nothing fills {place}"
        assert one.values[place] or place in COUNTS | own_counts(one.game) | GIVEN, f"{one.reason}: what is {place}?"
        assert not (one.game and place in GIVEN and not one.values[place]), f"{one.reason}: what is {place}?"


@pytest.mark.parametrize("one", [one for one in RAISED if one.game], ids=lambda one: one.reason)
def test_every_refusal_of_every_game_is_a_sentence_in_all_languages(one: Raised) -> None:
    given = {
        name: CardOf(CARDS[one.game]) if kind == "CardOf" else EXAMPLES.get(kind, 11)
        for name, kind in one.values.items()
    }
    notice = refusal(Refused(one.reason, **given), At(one.game, NAMES))
    for code in LANGUAGES:
        check(code, one.game, Refused(one.reason, **given), said(code, notice))


def check(code: str, game: str, refused: Refused, text: str) -> None:
    """Checks that each value that the text has a place for is written as the board writes it."""
    t = texts_in(code)
    for place in set(PLACE.findall(texts(entries(code)[f"refused.{refused.reason}"])[0])):
        match refused.typed[place]:
            case SeatOf(int(seat)):
                assert (NAMES[seat] if seat in range(len(NAMES)) else t("room.somebody")) in text
            case Amount(int(amount)):
                printed = t.number(amount * (1000 if game in THOUSANDS else 1))
                assert re.search(rf"(?<!\d){re.escape(printed)}(?!\d)", text)
            case CardOf(card) | WordOf(card) if isinstance(card, str) and t.has(f"{game}.card.{card}"):
                name = t(f"{game}.card.{card}")
                assert name in text
                assert not re.search(rf"\b{re.escape(card)}\b", text.replace(name, ""))
            case CardOf("?"):
                assert t("thieves.hidden") in text
                assert "?" not in text
            case CardOf(card) if not refused.reason.startswith("option."):
                raise AssertionError(f"{refused.reason}: {card} has no name in {code}")


def refused_answers(game: str, seats: int, seed: int) -> Iterator[Refused]:
    """Yields the refusals of random illegal answers in all positions of a random game."""
    rnd = Random(f"{game}/{seats}/{seed}")
    words = GAMES[game].WORDS
    session = Session(GAMES[game], seats, anything.options(GAMES[game], seats, rnd))
    for _ in anything.steps(session, rnd):
        question = session.question
        legal = question.answers(session.table, question.seat) if question.seat not in (NATURE, NOBODY) else []
        verbs = {answer[0]: words[answer[0]] for answer in legal} or words
        for _ in range(4):
            seat = rnd.choice(question.seats()) if rnd.random() < 0.9 else rnd.randrange(seats)
            try:
                question.check(session.table, seat, anything.readable(verbs, rnd))
            except Refused as refused:
                yield refused


@pytest.mark.parametrize(("game", "seats"), anything.TABLES)
def test_random_illegal_answers_are_refused_in_sentences_in_all_languages(game: str, seats: int) -> None:
    at = At(game, NAMES[:seats])
    met: dict[str, int] = {}
    for seed in range(3):
        for refused in refused_answers(game, seats, seed):
            met[refused.reason] = met.get(refused.reason, 0) + 1
            if met[refused.reason] > 25:
                continue
            notice = refusal(refused, at)
            for code in LANGUAGES:
                check(code, game, refused, said(code, notice))
    assert {"not_asked", "not_an_answer"} <= met.keys()


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", [game for game, decks in DECKS.items() if decks])
def test_a_refused_deck_names_the_card_and_says_what_it_needs(game: str, code: str) -> None:
    met = set()
    for deck in DECKS[game]:
        for name in deck.default:
            for wrong in ({name: -1}, {name: deck.most + 1}, dict.fromkeys(deck.default, 0), {"dragon": 1}):
                try:
                    settle(PLAYABLE[game], PLAYABLE[game].SEATS[0], {deck.name: wrong})
                except Refused as refused:
                    met.add(refused.reason)
                    check(code, game, refused, said(code, refusal(refused, At(game))))
    assert {"option.deck_count", "option.deck_card"} <= met


@pytest.mark.parametrize(
    ("game", "words", "sentence"),
    [
        ("razzia", "thieves 9", "That is not a number between 1 and 7."),
        ("thieves", "lay alarm", "Nothing here is called “Alarm”."),
        ("bars", "pick jungle", "Nothing here is called “Jungle”."),
        ("sicilianos", "war yellow 5", "Nothing here is called “Yellow”."),
        ("sicilianos", "war laundry 5", "Nothing here is called “Laundry”."),
        ("razzia", "draw draw", "That is not a whole move: something is missing, or there is too much."),
    ],
)
def test_typed_words_of_the_game_are_read_in_the_language_of_the_page(game: str, words: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        notation.parse(PLAYABLE[game].WORDS, words)
    assert said("en", refusal(refused.value, At(game))) == sentence


def test_an_offer_that_is_too_low_is_written_as_the_cheques_are_printed() -> None:
    refused = Refused("razzia.auction.not_higher", value=Amount(3), best=Amount(7))
    notice = refusal(refused, At("razzia", NAMES[:2]))
    text = said("en", notice)
    assert text == "An offer has to be higher than the best so far: 3,000 is not higher than 7,000."
    assert "7.000" in said("nl", notice)
    assert refused.values == {"value": 3, "best": 7}


def test_values_without_a_board_are_written_as_they_are() -> None:
    notice = refusal(Refused("option.deck_twice", option="deck", card=CardOf("money_2")), At())
    assert said("en", notice) == "The card “money_2” is named twice."


def test_a_damaged_save_says_why_in_a_sentence() -> None:
    header = make_header("p,p")
    with pytest.raises(Refused) as refused:
        saved_game.replay(header, ['[0,"draw","draw"]'])
    notice = refusal(refused.value, At(header.game))
    whole = "Entry 1 does not fit the game. That is not a whole move: something is missing, or there is too much."
    assert said("en", notice) == whole
    assert refused.value.values == {"number": 1, "why": "notation.arguments"}
    for code in LANGUAGES:
        assert "notation" not in said(code, notice)


def test_a_refused_link_names_the_card_of_its_game() -> None:
    model = new_model()
    model, _ = update(model, Msg("visited", value="play=bars&seats=p,p,p&cards=colibri-raid-4:99"))
    assert model.notice is not None
    assert said("en", model.notice) == "“Colibri, raid 4”: a whole number from 0 to 9, please."


def test_only_plain_values_are_sent_and_stored() -> None:
    refused = Refused("thieves.thief.no_such_card", seat=SeatOf(1), place=Slot(3), cards=2)
    assert refused.values == {"seat": 1, "place": 3, "cards": 2}
    assert str(refused) == "thieves.thief.no_such_card (seat=1, place=3, cards=2)"
    assert SeatOf(1) != Slot(1)
    assert SeatOf(1) == SeatOf(1)


def test_seats_and_devices_of_a_table_by_link_are_people() -> None:
    at = At("razzia", NAMES[:3], ((0, 2), (1,)))
    assert said("en", refusal(Refused("net.hand", seat=1), at)).startswith("The hand of Vera cannot be opened")
    assert said("en", refusal(Refused("net.two_stories", device=0), at)).startswith("Theo, Luca told two")
    assert said("en", refusal(Refused("net.muted", device=-1, who="Nora"), at)).startswith("Nora sent nonsense")
    assert said("en", refusal(Refused("net.muted", device=-1, who=""), at)).startswith("Somebody sent nonsense")


def test_every_warning_of_a_table_by_link_has_words() -> None:
    assert REASONS.keys() == {*get_args(Warned)}
    assert {reason for reason in REASONS.values() if f"refused.{reason}" not in entries("en")} == set()


@pytest.mark.parametrize("typed", [True, False])
def test_a_refusal_that_a_table_by_link_reports_is_written_like_ones_own(*, typed: bool) -> None:
    given = Refused("razzia.thieves.empty_slot", slot=Slot(3) if typed else 3)
    model = new_model()
    event = OwnRefused(Do, given.reason, {**given.typed, "seat": 0})
    model, _ = update(model, Msg("room.event", data=event))
    assert model.notice is not None
    assert said("en", model.notice) == "No card lies in place 3 of the row."
    assert model.notice.values["seat"] == model.setup.chairs[0].name


def test_the_screen_of_a_device_that_joins_says_who_has_another_version() -> None:
    """Regression: the text had an empty place where the name is."""
    model = new_model()
    model.room = Room(News("joining", endpoint="in", reason="net.reload"))
    text = plain(view(model))
    assert "Somebody has another version of this page." in text
    assert "{" not in text
