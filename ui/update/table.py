"""The messages of a running game: answers, chance and bots, rests, take-backs.

An answer is checked, stored, and only then carried out and shown: `answer` → `Keep` → `kept`. So after a reload at any
moment the game has everything that was ever shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine import notation
from engine.core import NATURE, SPECTATOR, Answer, Beat, Chance, Entry, Refused
from engine.dealers import Seeded
from engine.session import Session
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
from ui.model import Header, Model, Notice, Play, Setup, Undo
from ui.refusals import At, at_table, refusal
from ui.saves import saved_game
from ui.selectors import all_lines, asked, asked_here, curtain_seat, is_person, people_seats, turn_to_asked, undo_seat
from ui.update import curtain
from ui.update import seats as people_

SPEED_FACTORS = {"1": 1, "2": 2}


def new_play(header: Header, session: Session, entry_lines: list[tuple[Line, ...]], serial: int) -> Play:
    """Returns the page's state of a game that is taken up: a new one, or one after a reload."""
    play = Play(header, session, entry_lines, serial, viewer=0, read_out_from=sum(map(len, entry_lines)))
    persons = people_seats(play)
    play.viewer = persons[0] if persons else 0
    play.revealed_to = persons[0] if len(persons) == 1 else None
    turn_to_asked(play)
    return play


def resumed_play(header: Header, session: Session, serial: int) -> Play:
    """Returns the page's state of a game that was left. A second session replays the log to get the lines of every
    entry and the rest after the last one, so that a count that was interrupted goes on at its pace."""
    replayed, game_board = saved_game.new_session(header), board(header.game)
    entry_lines: list[tuple[Line, ...]] = []
    rest, step = 0, False
    for seat, answer in session.log:
        step = isinstance(replayed.question, Beat)
        lines, rest = carry_out(replayed, game_board, seat, answer)
        entry_lines.append(lines)
    play = new_play(header, session, entry_lines, serial)
    play.rest, play.after_beat = rest, step
    return play


def carry_out(session: Session, game_board: Board, seat: int, answer: Answer) -> tuple[tuple[Line, ...], int]:
    """Carries out an entry. Returns its lines, as everybody may read them, and the rest after it in milliseconds."""
    before, question = session.view(SPECTATOR), session.question
    entry = (seat, question.mask(seat, answer, SPECTATOR))
    session.do(seat, answer)
    after = session.view(SPECTATOR)
    return tuple(game_board.tell(before, entry, after, question)), game_board.beat(before, entry, after)


def chance_answer(session: Session, seed: str) -> Answer:
    """Returns the answer of chance: the outcome of a beat, or the next random outcome of the seed."""
    question = session.question
    if isinstance(question, Beat):
        return question.outcome(session.table)
    if not isinstance(question, Chance):
        raise TypeError(question.key)
    return Seeded(seed)(question, session.table, session.chance_count())


def go_on(model: Model) -> Commands:
    """Returns the commands that let the game go on without a person: a rest, after which chance or a bot answers."""
    play = model.play
    if play is not None and play.remote is not None:
        return play.remote.go_on(model)
    if play is None or play.pending is not None:
        return []
    play.wait_id += 1
    if is_person(play, asked(play.session)):
        play.waiting = False
        return []
    return start_rest(model, play)


def start_rest(model: Model, play: Play) -> Commands:
    """Lets the table rest after its last entry, for as long as the settings say."""
    play.waiting = True
    if play.after_beat and play.rest and model.settings.pauses == "tap":
        return []  # until somebody taps
    pace = SPEED_FACTORS.get(model.settings.speed)
    return [Wait(play.rest // pace if pace else 0, play.wait_id)]


def _rested(model: Model, msg: Msg) -> Commands:
    """The rest is over, or somebody tapped: lets chance or a bot answer."""
    play = model.play
    if play is None or not play.waiting or msg.data != play.wait_id:
        return []
    play.waiting = False
    if play.remote is not None:
        return play.remote.rest_over(model)
    seat = asked(play.session)
    if seat is None or play.pending is not None:
        return []  # over: the result may be shown now
    if seat == NATURE:
        return _store_entry(play, (NATURE, chance_answer(play.session, play.header.seed)))
    play.thinking = True
    return [Think(play.session, seat, play.header.chairs[seat].plays, play.header.seed, play.wait_id)]


def _tap(model: Model, msg: Msg) -> Commands:
    """Ends motion and the rest after a tap beside the controls."""
    play = model.play
    if play is None or not play.waiting:
        return [EndMotion()]
    return [EndMotion(), *_rested(model, Msg("rested", data=play.wait_id))]


def _thought(model: Model, msg: Msg) -> Commands:
    play = model.play
    wait_id, seat, answer = msg.data
    if play is None or wait_id != play.wait_id or not play.thinking:
        return []
    play.thinking = False
    return _store_entry(play, (seat, answer))


def _answer(model: Model, msg: Msg) -> Commands:
    """Checks a person's answer, given as text by a control, and stores it if the rules allow it."""
    play = model.play
    if play is None or play.pending is not None:
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
        session.question.check(session.table, seat, answer)
    except Refused as refused:
        model.notice = refusal(refused, at_table(model))
        return []
    return _store_entry(play, (seat, answer))


def _store_entry(play: Play, entry: Entry) -> Commands:
    play.pending = entry
    if play.remote is not None:
        return play.remote.submit(play, entry)
    return [
        saved_game.keep_command(play, saved_game.write_entry(play.session, entry), _next_seat(play.session, *entry))
    ]


def _next_seat(session: Session, seat: int, answer: Answer) -> int | None:
    """Returns the seat that will be asked after that answer: the answer is tried on a copy of the table."""
    return next(iter(session.question.answer(session.table.copy(), seat, answer).seats()), None)


def _kept(model: Model, msg: Msg) -> Commands:
    """The record is stored, and with it those that could not be stored before: applies it."""
    play = _waiting_play(model, msg.data)
    if play is None:
        return []
    if play.unsaved:
        play.unsaved, play.backlog = False, ()
        model.notice = Notice("store.again")
    return _apply_pending(model, play)


def _waiting_play(model: Model, keep: Keep) -> Play | None:
    """Returns the game if it is waiting for this record to be stored, else None."""
    play = model.play
    if play is None or play.pending is None or (keep.header.id, keep.serial) != (play.header.id, play.serial):
        return None
    return play


def _apply_pending(model: Model, play: Play) -> Commands:
    """Applies the pending entry, take-back or changes, after they were stored or could not be."""
    pending, play.pending = play.pending, None
    play.serial += 1
    match pending:
        case Undo(seat):
            return _apply_undo(model, play, seat)
        case (int(seat), tuple(answer)):
            return _apply_entry(model, play, seat, answer)
        case tuple(changes):
            people_.apply_changes(play, changes)
    return [] if play.session.over else go_on(model)


def _apply_entry(model: Model, play: Play, seat: int, answer: Answer) -> Commands:
    play.picked = frozenset()
    play.after_beat = isinstance(play.session.question, Beat)
    lines, rest = carry_out(play.session, board(play.header.game), seat, answer)
    play.lines.append(lines)
    play.rest = rest
    turn_to_asked(play)
    return [*entry_sounds(model, lines), *go_on(model)]


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
    play = _waiting_play(model, msg.data)
    if play is None:
        return []
    play.backlog = msg.data.records
    if not play.unsaved:
        play.unsaved = True
        model.notice = Notice(f"store.{msg.value}", stays=True)
    return _apply_pending(model, play)


def _undo(model: Model, msg: Msg) -> Commands:
    play = model.play
    seat = undo_seat(model)
    if play is None or seat is None or play.pending is not None:
        return []
    play.wait_id += 1
    play.waiting = play.thinking = False
    play.pending = Undo(seat)
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
    play.drawn_lines.clear()
    play.read_out_from = len(all_lines(play))
    play.rest = 0
    turn_to_asked(play)
    model.notice = Notice("table.undone", {"who": play.header.chairs[seat].name})
    return [Focus("data-home"), *go_on(model)]


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
    header, session, serial, changes = msg.data
    leaving = _leave_room(model)
    model.play = play = resumed_play(header, session, serial)
    play.notes = people_.change_notes(changes)
    play.read_out_from = len(all_lines(play))
    model.dialog, model.error_report, model.notice = "", "", None
    return [*leaving, Address(f"game={header.id}"), Focus("data-home"), *go_on(model)]


def _leave_room(model: Model) -> Commands:
    """Leaves the table by link, if any: another game is taken up."""
    by_link, model.room = model.room is not None, None
    return [RoomRequest("leave")] if by_link else []


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
    return [*([RoomRequest("leave")] if by_link else []), Address(""), ListSaves()]


def _again(model: Model, msg: Msg) -> Commands:
    """Begins a new game with the same seats and house rules."""
    if model.play is None:
        return []
    header = model.play.header
    return [Begin(Setup(header.game, header.chairs, header.options))]


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
