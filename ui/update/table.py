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
from ui.messages import Address, Begin, Commands, Focus, Hurry, Keep, ListSaves, Msg, Net, Open, Sound, Think, Wait
from ui.model import Header, Model, Notice, Play, Setup, Undo
from ui.refusals import refusal
from ui.saves import saved_game
from ui.selectors import asked, can_undo, covered, flat, look, people, person, turn
from ui.update import curtain
from ui.update import seats as people_

FASTER = {"1": 1, "2": 2}


def begun(header: Header, session: Session, told: list[tuple[Line, ...]], serial: int) -> Play:
    """Returns the page's state of a game that is taken up: a new one, or one after a reload."""
    play = Play(header, session, told, serial, viewer=0, heard=sum(map(len, told)))
    here = people(play)
    play.viewer = here[0] if here else 0
    play.eyes = here[0] if len(here) == 1 else None
    look(play)
    return play


def taken_up(header: Header, session: Session, serial: int) -> Play:
    """Returns the page's state of a game that was left. A second session replays the log to get the lines of every
    entry and the rest after the last one, so that a count that was interrupted goes on at its pace."""
    seen, desk = saved_game.begin(header), board(header.game)
    told: list[tuple[Line, ...]] = []
    rest, step = 0, False
    for seat, answer in session.log:
        step = isinstance(seen.question, Beat)
        lines, rest = carry_out(seen, desk, seat, answer)
        told.append(lines)
    play = begun(header, session, told, serial)
    play.rest, play.step = rest, step
    return play


def carry_out(session: Session, desk: Board, seat: int, answer: Answer) -> tuple[tuple[Line, ...], int]:
    """Carries out an entry. Returns its lines, as everybody may read them, and the rest after it in milliseconds."""
    before, question = session.view(SPECTATOR), session.question
    entry = (seat, question.mask(seat, answer, SPECTATOR))
    session.do(seat, answer)
    after = session.view(SPECTATOR)
    return tuple(desk.tell(before, entry, after, question)), desk.beat(before, entry, after)


def chance(session: Session, seed: str) -> Answer:
    """Returns the answer of chance: the outcome of a beat, or the next random outcome of the seed."""
    question = session.question
    if isinstance(question, Beat):
        return question.outcome(session.table)
    if not isinstance(question, Chance):
        raise TypeError(question.key)
    return Seeded(seed)(question, session.table, session.chances())


def go_on(model: Model) -> Commands:
    """Returns the commands that let the game go on without a person: a rest, after which chance or a bot answers."""
    play = model.play
    if play is not None and play.door is not None:
        return play.door.go_on(model)
    if play is None or play.pending is not None:
        return []
    play.turn += 1
    if person(play, asked(play.session)):
        play.waiting = False
        return []
    return resting(model, play)


def resting(model: Model, play: Play) -> Commands:
    """Lets the table rest after its last entry, for as long as the settings say."""
    play.waiting = True
    if play.step and play.rest and model.settings.pauses == "tap":
        return []  # until somebody taps
    pace = FASTER.get(model.settings.speed)
    return [Wait(play.rest // pace if pace else 0, play.turn)]


def _rested(model: Model, msg: Msg) -> Commands:
    """The rest is over, or somebody tapped: lets chance or a bot answer."""
    play = model.play
    if play is None or not play.waiting or msg.data != play.turn:
        return []
    play.waiting = False
    if play.door is not None:
        return play.door.rested(model)
    seat = asked(play.session)
    if seat is None or play.pending is not None:
        return []  # over: the result may be shown now
    if seat == NATURE:
        return _keep(play, (NATURE, chance(play.session, play.header.seed)))
    play.thinking = True
    return [Think(play.session, seat, play.header.chairs[seat].plays, play.header.seed, play.turn)]


def _tap(model: Model, msg: Msg) -> Commands:
    """Ends motion and the rest after a tap beside the controls."""
    play = model.play
    if play is None or not play.waiting:
        return [Hurry()]
    return [Hurry(), *_rested(model, Msg("rested", data=play.turn))]


def _thought(model: Model, msg: Msg) -> Commands:
    play = model.play
    turn, seat, answer = msg.data
    if play is None or turn != play.turn or not play.thinking:
        return []
    play.thinking = False
    return _keep(play, (seat, answer))


def _answer(model: Model, msg: Msg) -> Commands:
    """Checks a person's answer, given as text by a control, and stores it if the rules allow it."""
    play = model.play
    if play is None or play.pending is not None:
        return []
    model.hush()
    session = play.session
    seat = turn(play)
    try:
        if seat is None or not person(play, seat):
            raise Refused("not_your_turn")
        if covered(play) is not None:
            raise Refused("covered")
        answer = notation.parse(session.game.WORDS, msg.arg)
        session.question.check(session.table, seat, answer)
    except Refused as refused:
        model.notice = refusal(refused)
        return []
    return _keep(play, (seat, answer))


def _keep(play: Play, entry: Entry) -> Commands:
    play.pending = entry
    if play.door is not None:
        return play.door.offer(play, entry)
    return [saved_game.keep(play, saved_game.write_entry(play.session, entry), _next(play.session, *entry))]


def _next(session: Session, seat: int, answer: Answer) -> int | None:
    """Returns the seat that will be asked after that answer: the answer is tried on a copy of the table."""
    return next(iter(session.question.answer(session.table.copy(), seat, answer).seats()), None)


def _kept(model: Model, msg: Msg) -> Commands:
    """The record is stored, and with it those that could not be stored before: applies it."""
    play = _keeping(model, msg.data)
    if play is None:
        return []
    if play.unsaved:
        play.unsaved, play.backlog = False, ()
        model.notice = Notice("store.again")
    return _happens(model, play)


def _keeping(model: Model, keep: Keep) -> Play | None:
    """Returns the game if it is waiting for this record to be stored, else None."""
    play = model.play
    if play is None or play.pending is None or (keep.header.id, keep.serial) != (play.header.id, play.serial):
        return None
    return play


def _happens(model: Model, play: Play) -> Commands:
    """Applies the pending entry, take-back or changes, after they were stored or could not be."""
    pending, play.pending = play.pending, None
    play.serial += 1
    match pending:
        case Undo(seat):
            return _undone(model, play, seat)
        case (int(seat), tuple(answer)):
            return _done(model, play, seat, answer)
        case tuple(changes):
            people_.changed(play, changes)
    return [] if play.session.over else go_on(model)


def _done(model: Model, play: Play, seat: int, answer: Answer) -> Commands:
    play.picked = frozenset()
    play.step = isinstance(play.session.question, Beat)
    lines, rest = carry_out(play.session, board(play.header.game), seat, answer)
    play.lines.append(lines)
    play.rest = rest
    look(play)
    return [*heard(model, lines), *go_on(model)]


def heard(model: Model, lines: Sequence[Line]) -> Commands:
    """Returns the sounds of an entry. If bots answer without a rest, only sounds that its lines name are played."""
    if model.settings.sound != "on":
        return []
    names = tuple(line.sound for line in lines if line.sound)
    if not names and lines and model.settings.speed != "off":
        names = ("paper",)
    return [Sound(names)] if names else []


def _unkept(model: Model, msg: Msg) -> Commands:
    """The record could not be stored. The game goes on, with one notice; it is stored again with each later record."""
    play = _keeping(model, msg.data)
    if play is None:
        return []
    play.backlog = msg.data.records
    if not play.unsaved:
        play.unsaved = True
        model.notice = Notice(f"store.{msg.value}", stays=True)
    return _happens(model, play)


def _undo(model: Model, msg: Msg) -> Commands:
    play = model.play
    seat = can_undo(model)
    if play is None or seat is None or play.pending is not None:
        return []
    play.turn += 1
    play.waiting = play.thinking = False
    play.pending = Undo(seat)
    return [saved_game.keep(play, saved_game.write_undo(seat), seat)]


def _undone(model: Model, play: Play, seat: int) -> Commands:
    asked_before = asked(play.session)
    play.picked = frozenset()
    play.session.undo(seat)
    if len(people(play)) > 1 and asked_before != seat:
        play.eyes = None  # another person may hold the device
    entries = len(play.session.log)
    del play.lines[entries:]
    play.notes = [note._replace(at=min(note.at, entries)) for note in play.notes]
    play.drawn.clear()
    play.heard = len(flat(play))
    play.rest = 0
    look(play)
    model.notice = Notice("table.undone", {"who": play.header.chairs[seat].name})
    return [Focus("data-home"), *go_on(model)]


def _pick(model: Model, msg: Msg) -> Commands:
    """Picks, or puts back, the things named in `arg`, separated by blanks."""
    if model.play and covered(model.play) is None and len(msg.arg) < 1000:
        model.play.picked ^= frozenset(msg.arg.split())
    return []


def _unfold(model: Model, msg: Msg) -> Commands:
    if model.play and covered(model.play) is None and len(msg.arg) < 40:
        model.play.unfolded ^= {msg.arg}
    return []


def _begun(model: Model, msg: Msg) -> Commands:
    header, session, failed = msg.data
    stood_up = _stand_up(model)
    model.play = play = begun(header, session, [], 0)
    model.dialog, model.trouble = "", ""
    model.notice = Notice(f"store.{failed}", stays=True) if failed else None
    play.unsaved = bool(failed)
    model.setup = replace(model.setup, seed="")
    return [*stood_up, Address(f"game={header.id}"), Focus("data-home"), *go_on(model)]


def _opened(model: Model, msg: Msg) -> Commands:
    header, session, serial, changes = msg.data
    stood_up = _stand_up(model)
    model.play = play = taken_up(header, session, serial)
    play.notes = people_.notes(changes)
    play.heard = len(flat(play))
    model.dialog, model.trouble, model.notice = "", "", None
    return [*stood_up, Address(f"game={header.id}"), Focus("data-home"), *go_on(model)]


def _stand_up(model: Model) -> Commands:
    """Leaves the table by link, if any: another game is taken up."""
    by_link, model.room = model.room is not None, None
    return [Net("leave")] if by_link else []


def _unreadable(model: Model, msg: Msg) -> Commands:
    model.play = None
    model.trouble = ""
    missing = Notice(f"store.{msg.value}" if msg.value else "refused.save.missing", stays=True)
    model.notice = missing if msg.data is None else refusal(msg.data, stays=True)
    return [Address("", replace=True), ListSaves()]


def _leave(model: Model, msg: Msg) -> Commands:
    """Goes back to the lobby. The save remains."""
    by_link = model.room is not None
    model.play, model.room, model.dialog, model.notice, model.trouble = None, None, "", None, ""
    return [*([Net("leave")] if by_link else []), Address(""), ListSaves()]


def _again(model: Model, msg: Msg) -> Commands:
    """Begins a new game with the same seats and house rules."""
    if model.play is None:
        return []
    header = model.play.header
    return [Begin(Setup(header.game, header.chairs, header.options))]


def _restart(model: Model, msg: Msg) -> Commands:
    """Takes the game up again after an error: from its save, or from the log in memory if that is not stored."""
    model.trouble = ""
    play = model.play
    if play is None:
        return []
    if play.door is not None:
        return play.door.again(model)
    if not play.unsaved:
        return [Open(play.header.id)]
    session = saved_game.begin(play.header)
    session.extend(play.session.log)
    model.play = taken_up(play.header, session, play.serial)
    model.play.notes, model.play.unsaved, model.play.backlog = play.notes, True, play.backlog
    model.play.heard = len(flat(model.play))
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
