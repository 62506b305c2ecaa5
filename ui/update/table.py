"""The messages of a running game: answers, chance and bots, rests, take-backs.

An answer is checked, carried out on a copy of the table, stored, and only then shown: `answer` → `Keep` → `kept`. So
after a reload at any moment the game has everything that was ever shown, unless storing failed (`unkept`): the game
then goes on, a notice says so, and the records are stored with the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine import notation
from engine.core import NATURE, SPECTATOR, Answer, Beat, Chance, Refused
from engine.dealers import Seeded
from engine.options import changed_options
from engine.session import Session, Step
from peer.table.commands import Leave
from ui.boards import Board, Line, board
from ui.messages import (
    Address,
    Begin,
    Commands,
    EndMotion,
    Focus,
    Keep,
    ListSaves,
    Msg,
    Open,
    PlaySounds,
    RoomRequest,
    Think,
    Wait,
)
from ui.model import (
    NO_REST,
    ChangeSeats,
    Header,
    Idle,
    Keeping,
    Model,
    Notice,
    Play,
    Rest,
    Resting,
    Setup,
    Thinking,
    Undo,
)
from ui.refusals import At, at_table, refusal
from ui.saves import saved_game
from ui.selectors import (
    all_lines,
    asked,
    asked_here,
    curtain_seat,
    is_busy,
    is_person,
    is_resting,
    people_seats,
    rest_left,
    undo_seat,
)
from ui.update import curtain
from ui.update import seats as people_

SPEED_FACTORS = {"1": 1, "2": 2}


def new_play(header: Header, session: Session, entry_lines: list[tuple[Line, ...]], serial: int) -> Play:
    """Returns the page's state of a game that is taken up: a new one, or one after a reload."""
    play = Play(header, session, entry_lines, serial, viewer=0, read_out_from=sum(map(len, entry_lines)))
    persons = people_seats(play)
    play.viewer = persons[0] if persons else 0
    play.revealed_to = persons[0] if len(persons) == 1 else None
    curtain.turn_to_asked(play)
    return play


def resumed_play(header: Header, session: Session, serial: int) -> Play:
    """Returns the page's state of a game that was left. A second session replays the log to get the lines of every
    entry and the rest after the last one, so that a count that was interrupted goes on at its pace: see `go_on`."""
    replayed, game_board = saved_game.new_session(header), board(header.game)
    entry_lines: list[tuple[Line, ...]] = []
    rest = NO_REST
    for entry in session.log:
        lines, rest = carry_out(replayed, game_board, replayed.prepare(*entry))
        entry_lines.append(lines)
    play = new_play(header, session, entry_lines, serial)
    play.stage = Resting(rest, wait_id=0)
    return play


def carry_out(session: Session, game_board: Board, step: Step) -> tuple[tuple[Line, ...], Rest]:
    """Takes the step of an entry. Returns the entry's lines, as everybody may read them, and the rest after it."""
    before, question = session.view(SPECTATOR), session.question
    session.apply(step)
    after, entry = session.view(SPECTATOR), session.masked(SPECTATOR, step.number)[0]
    rest = Rest(game_board.rest_after(before, entry, after), after_beat=isinstance(question, Beat))
    return tuple(game_board.tell(before, entry, after, question)), rest


def chance_answer(session: Session, seed: str) -> Answer:
    """Returns the answer of chance: the outcome of a beat, or the next random outcome of the seed."""
    question = session.question
    if isinstance(question, Beat):
        return question.outcome(session.table)
    if not isinstance(question, Chance):
        raise TypeError(question.key)
    return Seeded(seed)(question, session.table, session.chance_count())


def go_on(model: Model) -> Commands:
    """Returns the commands that let a game go on that was taken up. A rest that is not over begins again."""
    play = model.play
    if play is None:
        return []
    if play.remote is not None:
        return play.remote.go_on(model)
    return _begin_turn(model, play, rest_left(play))


def _begin_turn(model: Model, play: Play, rest: Rest) -> Commands:
    """Waits for the person who is asked, or lets the table rest, after which chance or a bot answers."""
    if is_person(play, asked(play.session)):
        play.stage = Idle()
        return []
    return start_rest(model, play, rest)


def start_rest(model: Model, play: Play, rest: Rest) -> Commands:
    """Lets the table rest for as long as the settings say."""
    play.stage = Resting(rest, model.next_wait_id())
    if rest.after_beat and rest.milliseconds and model.settings.pauses == "tap":
        return []  # until somebody taps
    pace = SPEED_FACTORS.get(model.settings.speed)
    return [Wait(rest.milliseconds // pace if pace else 0, play.stage.wait_id)]


def start_thinking(model: Model, play: Play, session: Session, seat: int) -> Commands:
    """Lets the bot of a seat choose its answer; `session` is what it may know."""
    play.stage = Thinking(seat, model.next_wait_id())
    return [Think(session, seat, play.header.chairs[seat].plays, play.header.seed, play.stage.wait_id)]


def _rested(model: Model, msg: Msg) -> Commands:
    play = model.play
    if play is None or not isinstance(play.stage, Resting) or msg.data != play.stage.wait_id:
        return []
    return _end_rest(model, play)


def _end_rest(model: Model, play: Play) -> Commands:
    """The rest is over, or somebody tapped: lets chance or a bot answer."""
    if play.remote is not None:
        return play.remote.rest_over(model)
    seat = asked(play.session)
    if seat is None:
        play.stage = Idle()  # over: the result may be shown now
        return []
    if seat == NATURE:
        return _keep_step(play, play.session.prepare(NATURE, chance_answer(play.session, play.header.seed)))
    return start_thinking(model, play, play.session, seat)


def _tap(model: Model, msg: Msg) -> Commands:
    """Ends motion and the rest after a tap beside the controls."""
    play = model.play
    if play is None or not is_resting(play):
        return [EndMotion()]
    return [EndMotion(), *_end_rest(model, play)]


def _thought(model: Model, msg: Msg) -> Commands:
    play = model.play
    wait_id, seat, answer = msg.data
    if play is None or play.stage != Thinking(seat, wait_id):
        return []
    if play.remote is not None:
        play.stage = Idle()
        return play.remote.submit((seat, answer))
    return _keep_step(play, play.session.prepare(seat, answer))


def _answer(model: Model, msg: Msg) -> Commands:
    """Checks a person's answer, given as text by a control, and stores or sends it if the rules allow it."""
    play = model.play
    if play is None or is_busy(play):
        return []
    model.clear_notice()
    session = play.session
    seat = asked_here(play)
    try:
        if seat is None or not is_person(play, seat):
            raise Refused("not_your_turn")
        if curtain_seat(play) is not None:
            raise Refused("covered")
        answer = notation.parse(session.game.WORDS, msg.arg)
        if play.remote is not None:
            session.question.check(session.table, seat, answer)
            return play.remote.submit((seat, answer))
        return _keep_step(play, session.prepare(seat, answer))
    except Refused as refused:
        model.notice = refusal(refused, at_table(model))
        return []


def _keep_step(play: Play, step: Step) -> Commands:
    """Stores the entry of a step, which is taken when that is done."""
    play.stage = Keeping(step)
    record = saved_game.write_entry(play.session, step.entry)
    return [saved_game.keep_command(play, record, next(iter(step.question.seats()), None))]


def _kept(model: Model, msg: Msg) -> Commands:
    """The record is stored, and with it those that could not be stored before: applies it."""
    play, what = model.play, _being_kept(model, msg.data)
    if play is None or what is None:
        return []
    if play.unsaved:
        play.unsaved, play.backlog = False, ()
        model.notice = Notice("store.again")
    return _apply(model, play, what)


def _being_kept(model: Model, keep: Keep) -> Step | Undo | ChangeSeats | None:
    """Returns what is being stored if the game waits for this record, else None."""
    play = model.play
    if play is None or (keep.header.id, keep.serial) != (play.header.id, play.serial):
        return None
    return play.stage.what if isinstance(play.stage, Keeping) else None


def _apply(model: Model, play: Play, what: Step | Undo | ChangeSeats) -> Commands:
    """Applies an entry, a take-back or changes of seats, after they were stored or could not be."""
    play.stage = Idle()
    play.serial += 1
    match what:
        case Step():
            return _apply_step(model, play, what)
        case Undo(seat):
            return _apply_undo(model, play, seat)
        case ChangeSeats(changes, rest):
            people_.apply_changes(play, changes)
            return [] if play.session.over else _begin_turn(model, play, rest)


def _apply_step(model: Model, play: Play, step: Step) -> Commands:
    play.picked = frozenset()
    lines, rest = carry_out(play.session, board(play.header.game), step)
    play.lines.append(lines)
    curtain.turn_to_asked(play)
    return [*entry_sounds(model, lines), *_begin_turn(model, play, rest)]


def entry_sounds(model: Model, lines: Sequence[Line]) -> Commands:
    """Returns the sounds of an entry. If bots answer without a rest, only sounds that its lines name are played."""
    if model.settings.sound != "on":
        return []
    names = tuple(line.sound for line in lines if line.sound)
    if not names and lines and model.settings.speed != "off":
        names = ("paper",)
    return [PlaySounds(names)] if names else []


def _unkept(model: Model, msg: Msg) -> Commands:
    """The record could not be stored. The game goes on, with one notice; it is stored again with each later record."""
    play, what = model.play, _being_kept(model, msg.data)
    if play is None or what is None:
        return []
    play.backlog = msg.data.records
    if not play.unsaved:
        play.unsaved = True
        model.notice = Notice(f"store.{msg.value}", stays=True)
    return _apply(model, play, what)


def _undo(model: Model, msg: Msg) -> Commands:
    play = model.play
    seat = undo_seat(model)
    if play is None or seat is None or is_busy(play):
        return []
    play.stage = Keeping(Undo(seat))
    return [saved_game.keep_command(play, saved_game.write_undo(seat), seat)]


def _apply_undo(model: Model, play: Play, seat: int) -> Commands:
    asked_before = asked(play.session)
    play.picked = frozenset()
    play.session.undo(seat)
    if len(people_seats(play)) > 1 and asked_before != seat:
        play.revealed_to = None  # another person may hold the device
    entries = len(play.session.log)
    del play.lines[entries:]
    play.notes = [note._replace(at=min(note.at, entries)) for note in play.notes]
    play.read_out_from = len(all_lines(play))
    curtain.turn_to_asked(play)
    model.notice = Notice("table.undone", {"who": play.header.chairs[seat].name})
    return [Focus("data-home"), *_begin_turn(model, play, NO_REST)]


def _pick(model: Model, msg: Msg) -> Commands:
    """Picks, or puts back, the things named in `arg`, separated by blanks."""
    if model.play and curtain_seat(model.play) is None and len(msg.arg) < 1000:
        model.play.picked ^= frozenset(msg.arg.split())
    return []


def _unfold(model: Model, msg: Msg) -> Commands:
    if model.play and curtain_seat(model.play) is None and len(msg.arg) < 40:
        model.play.unfolded ^= {msg.arg}
    return []


def _begun(model: Model, msg: Msg) -> Commands:
    header, session, reason = msg.data
    leaving = _leave_room(model)
    model.play = play = new_play(header, session, [], 0)
    model.dialog, model.error_report = "", ""
    model.notice = Notice(f"store.{reason}", stays=True) if reason else None
    play.unsaved = bool(reason)
    model.setup = replace(model.setup, seed="")
    return [*leaving, Address(f"game={header.id}"), Focus("data-home"), *go_on(model)]


def _opened(model: Model, msg: Msg) -> Commands:
    """Takes up a game with all its records. `value` is the reason if none of them is stored: then the next record is
    stored together with them."""
    header, session, records, changes = msg.data
    leaving = _leave_room(model)
    model.play = play = resumed_play(header, session, len(records))
    play.notes = people_.change_notes(changes)
    play.read_out_from = len(all_lines(play))
    model.dialog, model.error_report, model.notice = "", "", None
    if msg.value:
        play.unsaved, play.backlog = True, records
        model.notice = Notice(f"store.{msg.value}", stays=True)
    return [*leaving, Address(f"game={header.id}"), Focus("data-home"), *go_on(model)]


def _leave_room(model: Model) -> Commands:
    """Leaves the table by link, if any: another game is taken up."""
    by_link, model.room = model.room is not None, None
    return [RoomRequest(Leave())] if by_link else []


def _unreadable(model: Model, msg: Msg) -> Commands:
    model.play = None
    model.error_report = ""
    missing = Notice(f"store.{msg.value}") if msg.value else refusal(Refused("save.missing"), At())
    model.notice = replace(msg.data or missing, stays=True)
    return [Address("", replace=True), ListSaves()]


def _leave(model: Model, msg: Msg) -> Commands:
    """Goes back to the lobby. The save remains."""
    by_link = model.room is not None
    model.play, model.room, model.dialog, model.notice, model.error_report = None, None, "", None, ""
    return [*([RoomRequest(Leave())] if by_link else []), Address(""), ListSaves()]


def _again(model: Model, msg: Msg) -> Commands:
    """Begins a new game with the same seats and house rules, by the present rules."""
    if model.play is None:
        return []
    header, session = model.play.header, model.play.session
    return [Begin(Setup(header.game, header.chairs, changed_options(session.game, session.options)))]


def _restart(model: Model, msg: Msg) -> Commands:
    """Takes the game up again after an error: from its save, or from the log in memory if that is not stored."""
    model.error_report = ""
    play = model.play
    if play is None:
        return []
    if play.remote is not None:
        return play.remote.restart(model)
    if not play.unsaved:
        return [Open(play.header.id)]
    session = saved_game.new_session(play.header)
    session.extend(play.session.log)
    model.play = resumed_play(play.header, session, play.serial)
    model.play.notes, model.play.unsaved, model.play.backlog = play.notes, True, play.backlog
    model.play.read_out_from = len(all_lines(model.play))
    return go_on(model)


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    **people_.UPDATES,
    **curtain.UPDATES,
    "answer": _answer,
    "kept": _kept,
    "unkept": _unkept,
    "rested": _rested,
    "thought": _thought,
    "tap": _tap,
    "undo": _undo,
    "pick": _pick,
    "unfold": _unfold,
    "begun": _begun,
    "opened": _opened,
    "unreadable": _unreadable,
    "leave": _leave,
    "again": _again,
    "restart": _restart,
}
