"""The razzia table without a browser: what it counts, what it tells, what it shows for every question."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import polib
import pytest

from engine import GAMES, notation
from engine.core import NATURE, SPECTATOR, Entry
from engine.dealers import Scripted, Seeded
from engine.options import Choice
from engine.razzia import box
from engine.razzia.box import BODYGUARD, CAR, CASINO, COIN, FILM, LOOT, NECKLACE, POLICE, RING, THIEF
from engine.razzia.rules import POINTS, Auction, Cards, Score, Turn
from engine.session import Session
from tools.build import catalogue
from tools.places import ROOT
from ui.boards import EMBLEMS, Chair, Context, Line, board
from ui.boards.razzia_cards import SORTED, counts
from ui.boards.razzia_story import calls, lying
from ui.boards.razzia_tell import READ
from ui.boards.razzia_worth import Worth, gains, if_it_ended, sets, worth
from ui.i18n import Texts
from ui.tree import Mirror, Node, plain

RAZZIA = GAMES["razzia"]
BOARD = board("razzia")
ENGLISH = ROOT / "assets" / "lang" / "en"
T = Texts("en", catalogue(ENGLISH))
NAMES = ("Theo", "Vera", "Milo", "Ines", "Bruno")


def chairs(seats: int, plays: str = "p") -> tuple[Chair, ...]:
    return tuple(Chair(NAMES[seat], EMBLEMS[seat], plays) for seat in range(seats))


def context(session: Session, *, plays: str = "p", picked: str = "", unfolded: str = "", t: Texts = T) -> Context:
    """What the board may know, with the asked person's eyes."""
    asked = next(iter(session.question.seats()), None)
    seated = asked is not None and asked >= 0
    viewer = asked if seated and asked is not None else 0
    yours = seated and plays == "p"
    return Context(
        t=t,
        game=RAZZIA,
        options=session.options,
        chairs=chairs(session.seats, plays),
        viewer=viewer,
        view=session.view(viewer),
        question=session.question,
        asked=asked,
        yours=yours,
        answers=session.answers(viewer) if yours else (),
        log=session.masked(viewer),
        picked=frozenset(picked.split()),
        unfolded=frozenset(unfolded.split()),
    )


def played(seats: int, seed: int, options: Mapping[str, Any] | None = None) -> Iterator[Session]:
    """A random game, given out before every entry and once more when it is over."""
    session, rnd = Session(RAZZIA, seats, options or {}), Random(seed)
    while not session.over:
        yield session
        if not session.deal(Seeded(seed)):
            seat = session.question.seat
            session.do(seat, rnd.choice(session.answers(seat)))
    yield session


def scripted(seats: int, *entries: str, options: Mapping[str, Any] | None = None) -> Session:
    """A game by hand: hands in seat order, then answers; cards by their names."""
    session = Session(RAZZIA, seats, options or {})
    hands = ("hands", *(hand[0] for hand in box.HANDS[seats]))
    session.deal(Scripted([hands]))
    for words in entries:
        answer = notation.parse(RAZZIA.WORDS, words)
        session.do(session.question.seat, answer)
    return session


def every(node: Node) -> Iterator[Node]:
    yield node
    for kid in node.kids:
        yield from every(kid)


def offered(node: Node) -> set[str]:
    """The answers a person can give on what is shown."""
    return {each.attrs["data-answer"] for each in every(node) if "data-answer" in each.attrs}


def legal(session: Session) -> set[str]:
    return {notation.text(RAZZIA.WORDS, answer) for answer in session.answers(session.question.seat)}


def texts_in(node: Node) -> Iterator[str]:
    for each in every(node):
        yield each.text
        yield from (value for name, value in each.attrs.items() if name == "aria-label")


def family(**cards: int) -> Cards:
    kinds = {name: kind for kind, name in box.NAMES.items()}
    return counts(kinds[name] for name, count in cards.items() for _ in range(count))


# What things are worth


def test_every_kind_of_loot_has_its_place_in_a_family() -> None:
    assert sorted(SORTED) == list(LOOT)


def test_the_row_is_worth_points_now_and_points_at_the_end() -> None:
    families = (family(driver=1, ring=1, watch=1, bodyguard=1), family(bodyguard=2), family(car=3))
    row = (CAR, NECKLACE, COIN, CASINO, FILM, 0, 0)
    # a car, a third jewel, a coin; two businesses
    assert worth(families, 0, row) == Worth(now=1 + 5 + 3, end=2)
    # cars are nothing without a driver; the first jewel saves 5
    assert worth(families, 2, row) == Worth(now=0 + 5 + 3, end=2)


def test_bodyguards_in_the_row_are_weighed_against_the_others() -> None:
    families = (family(bodyguard=4), family(bodyguard=4), family(bodyguard=2), family(bodyguard=1))
    assert [gains(families, seat, [BODYGUARD] * 2)["bodyguards"] for seat in range(4)] == [0, 0, 5, 2]


def test_the_worth_of_the_row_is_the_difference_it_makes_to_the_box_s_scoring() -> None:
    rnd = Random(5)
    for _ in range(200):
        families = [counts(rnd.choices(LOOT, k=rnd.randrange(12))) for _ in range(4)]
        row, seat = rnd.choices(LOOT, k=rnd.randrange(1, 8)), rnd.randrange(4)
        after = [counts([*elements(f), *(row if s == seat else ())]) for s, f in enumerate(families)]
        found = gains(families, seat, row)
        assert found == {name: POINTS[name](after)[seat] - POINTS[name](families)[seat] for name in found}


def elements(cards: Cards) -> list[int]:
    return [kind for kind, count in enumerate(cards) for _ in range(count)]


def test_a_set_says_what_it_is_worth_and_what_the_best_next_card_adds() -> None:
    families = (family(ring=1, watch=1, car=3, thief=1, casino=2, film=1), family(bodyguard=1))
    found = {each.group: (each.now, each.more) for each in sets(families, 0)}
    assert found == {
        "jewels": (0, 5),  # a third kind
        "coins": (0, 3),
        "bodyguards": (-2, 2),  # level with the other: nobody gets anything
        "thieves": (2, 2),
        "businesses": (2, 5),  # a third casino
        "cars": (0, 4),  # a driver wakes three cars
    }


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_if_the_round_ended_now_is_what_is_then_counted(seats: int) -> None:
    rounds = 0
    for session in played(seats, seed=11):
        if session.question == Score(1):
            foretold = if_it_ended(session.table, with_cheques=True)
            counted = Session(RAZZIA, seats, {})
            counted.extend(session.log)
            while isinstance(counted.question, Score):
                counted.deal(Seeded(11))
            assert counted.table.scored[-len(foretold) :] == foretold
            rounds += 1
    assert rounds == 3


# What the log tells beyond the table


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_every_card_of_the_row_is_known_by_the_entry_that_turned_it_up(seats: int) -> None:
    for session in played(seats, seed=3):
        story = lying(session.log, running=isinstance(session.question, Auction))
        turned = [session.log[number][1][1] if number >= 0 else 0 for number in story.row]
        assert turned == session.table.row
        assert [session.log[number][1] for number in story.police] == [("card", POLICE)] * session.table.police


def test_whoever_takes_cards_takes_those_that_lay_there() -> None:
    session = scripted(4, "draw", "card thief", "draw", "card ring", "call", "pass", "pass", "pass", "offer 11")
    story = lying(session.log, running=False)
    assert (story.taker, sorted(story.taken.values())) == (2, [RING, THIEF])


def test_nobody_takes_what_a_raid_leaves() -> None:
    session = scripted(2, "draw", "card ring", *["draw", "card police", "pass", "pass"] * 4, "draw", "card police")
    assert isinstance(session.question, Score)
    assert lying(session.log, running=False).taker == NATURE


def test_everybody_s_part_in_an_auction() -> None:
    # A {2,6,13}, B {3,7,12}, C {4,8,11}, D {5,9,10}; A starts
    session = scripted(4, "draw", "card police", "offer 12")
    assert isinstance(session.question, Auction)
    assert session.question.seat == 0
    found = calls(session.question, session.table, session.log)
    assert (found.offers, found.passed, found.silent, found.waiting) == ({1: 12}, frozenset(), frozenset({2, 3}), ())


def test_who_is_still_to_be_asked_and_cannot_offer_is_not_waited_for() -> None:
    session = scripted(4, "draw", "card police", "pass", "offer 11")
    assert isinstance(session.question, Auction)
    found = calls(session.question, session.table, session.log)
    assert (found.passed, found.silent, found.waiting) == (frozenset({1}), frozenset({3}), ())


# What is told


def told(session: Session, seed: int = 0) -> list[str]:
    """All lines of a game, as the log would show them."""
    again = Session(RAZZIA, session.seats, session.options)
    return [line for entry in session.log for line in step(again, entry)]


def step(session: Session, entry: Entry) -> list[str]:
    before, asked = session.view(SPECTATOR), session.question
    session.do(*entry)
    return [said(line) for line in BOARD.tell(before, entry, session.view(SPECTATOR), asked)]


def said(line: Line) -> str:
    values: dict[str, Any] = {"who": NAMES[line.seat]} if line.seat >= 0 else {}
    return T(line.key, **{**values, **line.values})


def test_the_log_tells_an_auction_won() -> None:
    session = scripted(4, "draw", "card ring", "draw", "card police", "pass", "offer 5", "offer 6", "pass")
    assert told(session) == [
        "Theo gets the cheques 2.000, 6.000, 13.000",
        "Vera gets the cheques 3.000, 7.000, 12.000",
        "Milo gets the cheques 4.000, 8.000, 11.000",
        "Ines gets the cheques 5.000, 9.000, 10.000",
        "Theo has the highest cheque and begins",
        "Theo turns up a ring",
        "Vera turns up police, 1 of 7",
        "Milo passes",
        "Ines offers 5.000",
        "Theo offers 6.000",
        "Vera passes",
        "Theo wins with 6.000 and takes 1 card: 1 ring",
    ]


def test_the_log_tells_thieves_calls_swaps_and_what_nobody_wants() -> None:
    # the hands: 2 5 6 9 and 3 4 7 8
    entries = ["draw", "card thief", "call", "offer 5", "pass"]
    entries += ["draw", "card car", "draw", "card watch", "thieves 1", "call", "pass", "offer 3"]
    entries += ["call", "pass", "offer 2", "draw", "card police", "pass", "pass"]
    assert told(scripted(2, *entries))[4:] == [
        "Vera calls an auction",
        "Theo offers 5.000",
        "Vera passes",
        "Theo wins with 5.000 and takes 1 card: 1 thief",
        "Theo turns up a car",
        "Vera turns up a watch",
        "Theo uses a thief and takes the car",
        "Vera calls an auction",
        "Theo passes",
        "Vera offers 3.000",
        "Vera wins with 3.000 and takes 1 card: 1 watch",
        "Theo calls an auction over an empty row",
        "Vera passes",
        "Theo offers 2.000",
        "Theo swaps the 2.000 for the 3.000 in the centre",
        "Vera turns up police, 1 of 5",
        "Theo passes",
        "Vera passes",
        "Nobody makes an offer: the loot stays",
    ]


def test_the_raid_is_loud() -> None:
    session = scripted(2, *["draw", "card police", "pass", "pass"] * 4, "draw")
    before, entry = session.view(SPECTATOR), (NATURE, ("card", POLICE))
    asked = session.question
    session.do(*entry)
    (line,) = BOARD.tell(before, entry, session.view(SPECTATOR), asked)
    assert (line.loud, said(line)) == (True, "Raid! Theo turns up police card 5")
    assert BOARD.beat(before, entry, session.view(SPECTATOR)) > 2000


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_every_entry_of_a_game_is_told_whole_and_to_nobody_in_particular(seats: int) -> None:
    *_, session = played(seats, seed=seats)
    lines = told(session)
    assert [line for line in lines if re.search(r"[{}]|razzia\.|\byou\b|\byour\b", line, re.IGNORECASE)] == []
    verbs = {answer[0] for _, answer in session.log}
    assert verbs >= {"hands", "draw", "card", "call", "offer", "pass", "score", "clear"}


def test_the_table_rests_until_the_books_are_read() -> None:
    *_, session = played(3, seed=1)
    again, rests = Session(RAZZIA, 3, {}), list[int]()
    for entry in session.log:
        before = again.view(SPECTATOR)
        again.do(*entry)
        rests.append(BOARD.beat(before, entry, again.view(SPECTATOR)))
    assert rests.count(READ) == 2
    assert all(rest > 0 for rest in rests)


# What is shown


@pytest.mark.parametrize("plays", ["p", "b1"])
@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_every_question_has_its_table(seats: int, plays: str) -> None:
    mirror: Mirror | None = None
    asked: set[str] = set()
    for session in played(seats, seed=20 + seats):
        ctx = context(session, plays=plays)
        shown = BOARD.felt(ctx)
        if mirror is None:
            mirror = Mirror(shown)
        mirror.diff(shown)
        asked.add(session.question.key)
        assert [text for text in texts_in(shown) if re.search(r"razzia\.|[{}]", text)] == []
        assert plain_texts(BOARD.status(ctx)) == [f"Round {session.table.round}/3", *police(session)]
        if plays == "b1":
            assert offered(shown) == set()
    assert asked == {
        "razzia.hands",
        "razzia.turn",
        "razzia.card",
        "razzia.auction",
        "razzia.score",
        "razzia.clear",
        "over",
    }


def plain_texts(children: Any) -> list[str]:
    return [child if isinstance(child, str) else plain(child) for child in children]


def police(session: Session) -> list[str]:
    return [f"Police {session.table.police} of {session.table.raid_at}"]


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_the_controls_are_the_legal_answers(seats: int) -> None:
    for session in played(seats, seed=30 + seats):
        if session.question.seat < 0:
            continue
        shown, answers = offered(BOARD.felt(context(session))), legal(session)
        thieves = {words for words in answers if words.startswith("thieves")}
        # thieves are sent by picking cards first, an auction over an empty row is confirmed in place
        swap = {"call"} & answers if not any(session.table.row) else set()
        assert shown == answers - thieves - swap
        assert {*shown, *(reached(session, "call") if swap else ())} == answers - thieves
        for words in sorted(thieves)[:6]:
            assert words in reached(session, words.removeprefix("thieves "))


def reached(session: Session, picked: str) -> set[str]:
    return offered(BOARD.felt(context(session, picked=picked)))


def test_no_more_cards_can_be_picked_than_there_are_thieves() -> None:
    session = thief_at_hand()
    toggles = [n for n in every(BOARD.felt(context(session, picked="1"))) if "aria-pressed" in n.attrs]
    assert [(n.attrs["aria-pressed"], "data-do" in n.attrs) for n in toggles] == [("true", True), ("false", False)]


def test_a_thief_that_may_not_take_a_thief_cannot_be_told_to() -> None:
    session = thief_at_hand(options={"thief_takes_thief": "forbidden"}, second="thief")
    toggles = [n for n in every(BOARD.felt(context(session))) if "aria-pressed" in n.attrs]
    assert ["data-do" in n.attrs for n in toggles] == [True, False]


def thief_at_hand(options: Mapping[str, Any] | None = None, second: str = "car") -> Session:
    """Seat 0 has a thief, and two cards lie in the row."""
    won = ["draw", "card thief", "call", "offer 5", "pass", "draw", "card ring", "draw", f"card {second}"]
    session = scripted(2, *won, options=options)
    assert session.question == Turn(0)
    return session


@pytest.mark.parametrize("seats", RAZZIA.SEATS)
def test_sheets_lie_over_every_table(seats: int) -> None:
    names = ("scores", "worth", *(f"family-{seat}" for seat in range(seats)))
    for session in played(seats, seed=40 + seats):
        for name in names if len(session.log) % 9 == 0 or session.over else ():
            shown = BOARD.felt(context(session, unfolded=name))
            Mirror(shown)
            assert [text for text in texts_in(shown) if re.search(r"razzia\.|[{}]", text)] == []
            homes = [each for each in every(shown) if "data-home" in each.attrs]
            assert len(homes) == 1
            ids = [each.attrs["id"] for each in every(shown) if "id" in each.attrs]
            assert sorted(ids) == sorted(set(ids))


def test_every_point_opens_to_its_cards_and_its_rule() -> None:
    *_, session = played(4, seed=8)
    shut = BOARD.result(context(session))
    cells = [n.attrs["data-arg"] for node in shut for n in every(node) if n.tag == "button"]
    assert len(cells) == (5 + 5 + 8) * 4
    before = sum(len(list(every(node))) for node in shut)
    for cell in cells:
        opened = BOARD.result(context(session, unfolded=cell))
        category = cell.split("-")[1]
        assert sum(len(list(every(node))) for node in opened) > before
        assert any(T(f"razzia.rule.{category}") in plain(node) for node in opened)


def test_the_result_adds_up_to_the_final_points() -> None:
    *_, session = played(5, seed=2)
    shown = BOARD.result(context(session))
    last = [row for row in every(shown[-1]) if row.tag == "tr"][-1]
    assert [plain(cell) for cell in last.kids] == ["All rounds", *map(T.number, session.table.points)]
    assert any(points < 0 for points in session.table.points)
    assert "\N{MINUS SIGN}" in plain(last)


def test_spent_cheques_are_face_down_by_house_rule() -> None:
    entries = ["draw", "card ring", "call", "offer 5", "pass"]
    shown = BOARD.felt(context(scripted(2, *entries)))
    hidden = BOARD.felt(context(scripted(2, *entries, options={"spent_cheques": "hidden"})))
    assert "Spent: 1.000." in plain(shown)
    assert "Spent" not in plain(hidden)
    assert "1 spent cheque, face down." in plain(hidden)


def test_one_pile_by_house_rule() -> None:
    def backs(session: Session) -> int:
        return sum("back" in n.attrs.get("class", "").split() for n in every(BOARD.felt(context(session))))

    assert [backs(scripted(2)), backs(scripted(2, options={"piles": "one"}))] == [2, 1]


def test_the_rules_name_the_house_rules_in_force() -> None:
    options = {"tie": "highest_cheque", "deck": {"police": 3}}
    words = " ".join(plain(node) for node in BOARD.rules(T, Session(RAZZIA, 3, options).options))
    assert "the highest own cheque wins (this table’s own)" in words
    assert "102 cards: 3 police cards (this table’s own)" in words
    assert "victory is shared" not in words


# The texts


def entries() -> dict[str, polib.POEntry]:
    return {entry.msgid: entry for entry in polib.pofile(str(ENGLISH / "razzia.po"))}


def test_every_refusal_is_explained() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "engine" / "razzia").glob("*.py"))
    reasons = set(re.findall(r'Refused\(\s*"(razzia\.[a-z_.]+)"', sources))
    assert {f"refused.{reason}" for reason in reasons} == {key for key in entries() if key.startswith("refused.")}
    assert len(reasons) > 10


def test_every_house_rule_has_a_name() -> None:
    for option in RAZZIA.OPTIONS:
        key = f"razzia.option.{option.name}"
        assert T.has(key)
        if isinstance(option, Choice):
            assert [choice for choice in option.choices if not T.has(f"{key}.{choice}")] == []
        else:
            assert [card.name for card in option.cards if not T.has(f"razzia.card.{card.name}")] == []


def test_every_text_is_needed() -> None:
    """What no game brings up is named in a table of the code, by the parts of its key."""
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "ui" / "boards").glob("razzia*.py"))
    named = set(re.findall(r"""["'](razzia\.[a-z_.]+)["']""", sources))
    kinds, categories = "|".join(box.NAMES.values()), "|".join(POINTS)
    of_tables = re.compile(
        rf"refused\..*|razzia\.(option|source|rules|group|set)\..*|razzia\.(card|count|the|log\.card|letter\.\w+)\.({kinds})"
        rf"|razzia\.(category|rule|log\.score)\.({categories})(\.none)?"
    )
    assert [key for key in entries() if key and not of_tables.fullmatch(key) and key not in named] == []
