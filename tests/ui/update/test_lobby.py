"""The lobby without a browser: seats, names, house rules, links, saves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import GAMES
from engine.options import Deck
from tests.ui.first_screen import english
from tests.ui.table import FakeTable, find_nodes, make_header, new_model, with_types
from ui.html.tree import plain
from ui.loop import update
from ui.messages import Address, Begin, Copy, CopyLink, ListSaves, Msg, Open, Remember, ReplaySave
from ui.model import Damaged, Model
from ui.saves import saved_game
from ui.update import lobby
from ui.view.page import view


def test_seats_come_and_go_within_the_games_bounds() -> None:
    model = new_model()
    for _ in range(9):
        update(model, Msg("seat.add"))
    assert len(model.setup.chairs) == 5
    assert len({chair.emblem for chair in model.setup.chairs}) == 5
    assert len({chair.name for chair in model.setup.chairs}) == 5
    for _ in range(9):
        update(model, Msg("seat.remove", "0"))
    assert len(model.setup.chairs) == 2


def test_seats_can_be_moved_and_rotated() -> None:
    model = new_model()
    update(model, Msg("seat.down", "0"))
    assert [c.name for c in model.setup.chairs] == ["Vera", "Theo", "Milo", "Ines"]
    update(model, Msg("seat.up", "0"))
    assert [c.name for c in model.setup.chairs] == ["Vera", "Theo", "Milo", "Ines"]
    update(model, Msg("seat.turn"))
    assert [c.name for c in model.setup.chairs] == ["Ines", "Vera", "Theo", "Milo"]


def test_a_taken_emblem_is_exchanged() -> None:
    model = new_model()
    update(model, Msg("seat.emblem", "0", "anchor"))
    assert [c.emblem for c in model.setup.chairs][:2] == ["anchor", "rose"]
    update(model, Msg("seat.emblem", "0", "skull"))
    assert [c.emblem for c in model.setup.chairs][:2] == ["anchor", "rose"]


def test_names_are_cleaned_and_remembered() -> None:
    model = new_model()
    _, (command,) = update(model, Msg("seat.name", "1", "  <i>V</i> "))
    assert isinstance(command, Remember)
    assert command.names[1] == model.setup.chairs[1].name == "<i>V</i>"


@pytest.mark.parametrize(
    ("typed", "reason"), [("Theo", "taken"), ("\u200b", "unseen"), (" ", "empty"), ("x" * 10_000, "long")]
)
def test_an_invalid_name_is_refused_in_the_lobby(typed: str, reason: str) -> None:
    model = new_model()
    before = model.setup
    assert update(model, Msg("seat.name", "1", typed))[1] == []
    assert (model.setup, model.names) == (before, ())
    assert model.notice
    assert model.notice.key == f"refused.name.{reason}"
    assert english().has(model.notice.key)
    update(model, Msg("seat.name", "1", "Ada"))
    assert model.notice is None


def test_a_remembered_name_is_not_given_twice() -> None:
    """The name given to seat 1 is the default name of seat 4."""
    model = Model(english(), lobby.first_setup(english(), ("Ines",)), names=("Ines",), ready=True)
    assert [chair.name for chair in model.setup.chairs] == ["Ines", "Vera", "Milo", "Ines 2"]
    update(model, Msg("visited", value="play=bars&seats=p,p,b1,b1,b1"))
    assert [chair.name for chair in model.setup.chairs] == ["Ines", "Vera", "Milo", "Ines 2", "Hugo"]
    assert len({chair.name for chair in model.setup.chairs}) == 5


@pytest.mark.parametrize("arg", ["", "-1", "99", "x", "²", "0x1"])
def test_a_seat_that_does_not_exist_changes_nothing(arg: str) -> None:
    model = new_model()
    before = model.setup
    for do in ("seat.name", "seat.plays", "seat.remove", "seat.up", "seat.emblem"):
        update(model, Msg(do, arg, "b1"))
    assert model.setup == before


def test_house_rules_are_settled_by_the_game() -> None:
    model = new_model()
    update(model, Msg("option", "tie", "highest_cheque"))
    update(model, Msg("option", "deck:ring", "6"))
    assert model.setup.options == {"tie": "highest_cheque", "deck": {"ring": 6}}
    update(model, Msg("option", "deck:ring", "4"))
    assert model.setup.options == {"tie": "highest_cheque"}
    for arg, value in (("tie", "never"), ("deck:dragon", "1"), ("deck:ring", "99"), ("deck:ring", "many"), ("x", "y")):
        update(model, Msg("option", arg, value))
        assert model.setup.options == {"tie": "highest_cheque"}
    assert model.notice
    assert update(model, Msg("option.defaults"))[0].setup.options == {}


@pytest.mark.parametrize("count", ["99", "-5", "many", ""])
def test_a_bad_number_of_cards_names_the_card(count: str) -> None:
    model = new_model()
    update(model, Msg("option", "deck:ring", count))
    assert "“Ring”: a whole number from 0 to 60, please." in plain(view(model))


def test_the_set_up_link_names_the_game_and_its_seats() -> None:
    model = new_model()
    _, (command,) = update(model, Msg("setup.link"))
    assert with_types([command]) == with_types([CopyLink("play=razzia&seats=p,b2,b2,b2")])


def test_a_link_begins_its_game() -> None:
    model = new_model()
    _, commands = update(model, Msg("visited", value="play=razzia&seats=p,b1&seed=abc"))
    begin = commands[-1]
    assert isinstance(begin, Begin)
    assert ([c.plays for c in begin.setup.chairs], begin.setup.seed) == (["p", "b1"], "abc")


def test_an_invalid_link_gives_a_notice_in_the_lobby() -> None:
    model = new_model()
    _, commands = update(model, Msg("visited", value="play=poker&seats=p,p"))
    assert with_types(commands) == with_types([Address("", replace=True), ListSaves()])
    assert "There is no game “poker” here." in plain(view(model))


def test_the_address_of_a_game_opens_it() -> None:
    _, commands = update(new_model(), Msg("visited", value="game=0123456789ab"))
    assert with_types(commands) == with_types([Open("0123456789ab")])


def test_saves_are_listed_and_a_damaged_one_has_its_reason() -> None:
    model = new_model()
    broken = Damaged("ffffffffffff", "refused.save.header", {}, '{"<b>": 1}')
    kept = replace(make_header(), asked=1, touched=5)
    update(model, Msg("saves", data=((kept, broken), "", 7)))
    model.dialog = "saves"
    page = plain(view(model))
    assert "Vera to play" in page
    assert "This game cannot be opened" in page
    assert with_types(update(model, Msg("save.copy", broken.id))[1]) == with_types([Copy(broken.text)])
    assert update(model, Msg("save.copy", kept.id))[1] == []


def test_the_rules_of_the_chosen_game_are_read_before_it_begins() -> None:
    """Regression: the rules could be read only in a running game."""
    model = new_model()
    update(model, Msg("game", value="thieves"))
    (opener,) = find_nodes(view(model), "data-arg", "rules")
    update(model, Msg(str(opener.attrs["data-do"]), "rules"))
    assert model.play is None
    assert "How Thieves! is played" in plain(view(model))


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_can_be_read_whatever_was_changed_in_a_deck(game: str) -> None:
    """Regression: the page failed, because only the changed cards of the deck were known."""
    for option in GAMES[game].OPTIONS:
        for card in option.default if isinstance(option, Deck) else ():
            model = new_model()
            update(model, Msg("game", value=game))
            update(model, Msg("option", f"{option.name}:{card}", str(option.default[card] + 1)))
            update(model, Msg("dialog", "rules"))
            assert plain(view(model))


def test_a_deck_that_was_laid_out_for_fewer_people_is_refused_in_the_lobby() -> None:
    """Regression: the page failed when the game was started."""
    model = new_model()
    update(model, Msg("game", value="thieves"))
    while len(model.setup.chairs) > GAMES["thieves"].SEATS[0]:
        update(model, Msg("seat.remove", str(len(model.setup.chairs) - 1)))
    deck = next(option for option in GAMES["thieves"].OPTIONS if isinstance(option, Deck))
    for card, count in deck.default.items():
        for fewer in range(count - 1, -1, -1):
            update(model, Msg("option", f"{deck.name}:{card}", str(fewer)))
    while len(model.setup.chairs) < GAMES["thieves"].SEATS[-1]:
        update(model, Msg("seat.add"))
    for do in ("start", "room.open"):
        model.notice = None
        assert update(model, Msg(do))[1] == []
        assert model.notice is not None


def test_the_list_of_saves_shows_the_status_of_each_game() -> None:
    model = new_model()
    new = replace(make_header("p,p", "one"), id="000000000001", touched=5)
    old = FakeTable(replace(make_header("b2,b2", "two"), id="000000000002"))
    old.run()
    over = replace(old.play.header, touched=4)
    lost = replace(make_header("p,p"), id="000000000003", version=0)
    listed = Msg("saves", data=((new, over, lost), "", 7))
    assert update(model, listed)[1] == [], "nobody looks"
    assert with_types(update(model, Msg("dialog", "saves"))[1]) == with_types([ListSaves()])
    records = {new.id: [], over.id: old.records}
    _, commands = update(model, listed)
    peeked = 0
    for save in (new, over, lost):
        assert with_types(commands) == with_types([ReplaySave(save)])
        session = None
        if save is not lost:
            session = saved_game.new_session(save)
            for record in records[save.id]:
                saved_game.apply_to_table(session, record)
        _, commands = update(model, Msg("peeked", data=(save, session)))
        peeked += 1
    assert (peeked, commands) == (3, [])
    page = plain(view(model))
    assert "Round 1/3" in page
    assert old.play.session.over
    best = max(old.play.session.game.scores(old.play.session.table))
    assert f"{best} point" in page
    assert update(model, listed)[1] == [], "each is followed once"
    model.dialog, model.save_status = "", {}
    assert update(model, Msg("peeked", data=(new, None)))[1] == [], "nobody looks any more"
