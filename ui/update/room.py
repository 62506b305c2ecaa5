"""The messages of tables by link: opening one, its state and entries, chat and codes. Loaded when first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.bots import LEVELS
from engine.core import Refused
from engine.seats import PERSON
from peer.order.outputs import (
    Applied,
    Equivocated,
    FalseDeal,
    FalseEntry,
    FalsePromise,
    GaveUpAlone,
    HandsDiffer,
    HandUnreadable,
    LeaderChanged,
    LogsDiffer,
    Muted,
    MutedByLeader,
    NotTaken,
    OtherBuild,
    OtherRefused,
    OwnRefused,
    Said,
    StoringFailed,
    Tell,
    Warned,
)
from peer.table.commands import (
    Agree,
    BeginGame,
    DiscardReply,
    Fork,
    GiveAnswer,
    GiveAway,
    GiveSeat,
    LayOutNext,
    Leave,
    MakeOffer,
    MakeReply,
    OpenTable,
    Reload,
    SaySign,
    SayText,
    Scan,
    SeatChange,
    Share,
    SharedText,
    ShowQr,
    TakeReply,
    Visit,
)
from peer.table.commands import Command as RoomCommand
from peer.table.lobby import Lobby, Spot
from peer.table.news import (
    Abilities,
    Copied,
    Event,
    Fault,
    Forked,
    GameStarted,
    HeaderNotStored,
    NewEntries,
    News,
    NotCopied,
    OtherVersion,
    PairingMissed,
    QrDrawn,
    Refusal,
    Scanned,
)
from peer.wire import bodies
from peer.wire.bodies import Body
from peer.wire.frames import MAX_MESSAGE
from peer.wire.messages import MAX_SEATS
from ui.boards import PLAYABLE, Chair
from ui.messages import Address, Commands, Copy, CopyLink, Focus, ListSaves, Msg, RoomRequest, SaveAndOpen
from ui.model import Header, Model, Notice, Play
from ui.refusals import at_table, refusal
from ui.room import SIGNS, ChatMessage, Room
from ui.saves.saved_game import new_session, write_entry
from ui.selectors import is_resting, seat_named
from ui.text.lookalikes import Arrivals
from ui.text.names import given_name, shown_names
from ui.update import room_seats, settings
from ui.update.lobby import options_fit
from ui.update.remote import RemoteGame
from ui.update.table import go_on, resumed_play

ELSEWHERE = "far"  # the player of a chair that a person on another device plays
CHAT_KEPT = 40  # chat messages before the latest one
CAMERA = "camera"  # the id of the element that shows the camera's picture
#: the reasons with which people are warned
REASONS: dict[type[Warned], str] = {
    OtherBuild: "net.reload",
    NotTaken: "net.not_taken",
    StoringFailed: "net.store",
    Muted: "net.muted",
    MutedByLeader: "net.muted_by_leader",
    Equivocated: "net.two_stories",
    LogsDiffer: "net.histories_differ",
    HandUnreadable: "net.hand",
    HandsDiffer: "net.hands_differ",
    FalseDeal: "net.false_deal",
    FalsePromise: "net.audit.lock",
    FalseEntry: "net.audit.entry",
}
#: by kind of the envelope: the command of a person behind it
COMMAND_OF_KIND: dict[type[Body], type[RoomCommand]] = {
    bodies.Do: GiveAnswer,
    bodies.Seat: GiveSeat,
    bodies.Claim: Visit,
}
#: by the `arg` of a message: what changes at a seat, and what is shared
SEAT_CHANGES: dict[str, SeatChange] = {"bot": "bot", "person": "person", "stays": "stays"}
SHARED_TEXTS: dict[str, SharedText] = {"": "link", "offer": "offer", "reply": "reply"}
#: reasons for which an answer may be refused although it was allowed when it was given
LATE_REASONS = ("net.wait", "net.stale", "net.not_your_seat")


def _open(model: Model, msg: Msg) -> Commands:
    """Opens a table by link for the game as it is laid out in the lobby."""
    setup = model.setup
    game = PLAYABLE[setup.game]
    spots = tuple(Spot(chair.name, chair.emblem, chair.plays) for chair in setup.chairs)
    model.notice = None
    if not options_fit(model):
        return []
    return [RoomRequest(OpenTable(Lobby(setup.game, game.VERSION, setup.options, spots)), model.settings)]


def _event(model: Model, msg: Msg) -> Commands:  # noqa: C901  one case for each event
    """Handles an event of the table by link."""
    event: Event = msg.data
    match event:
        case News():
            return _news(model, event)
        case GameStarted():
            return _begun(model, event)
        case NewEntries():
            return _came(model, event)
        case Refusal(refused, command):
            return _refused(model, refused, command)
        case OtherVersion():  # a device with another version of the page tried to connect
            model.notice = refusal(Refused("net.reload"), at_table(model), stays=True)
        case HeaderNotStored():
            model.notice = refusal(Refused("net.store"), at_table(model), stays=True)
        case PairingMissed():
            model.notice = refusal(Refused("net.code_late"), at_table(model), stays=True)
        case Fault(error):
            raise error  # so that the loop shows it like its own errors
        case Forked():
            return _forked(model, event)
        case Abilities():
            if (room := model.room) is not None:
                room.can_share, room.can_scan, room.can_connect = event.share, event.scan, event.direct
                room.can_reach_far = event.far
        case QrDrawn():
            if model.room is not None:
                model.room.qr, model.dialog = event, "qr"
        case Scanned(text):
            return _scanned(model, text)
        case Copied():
            return settings.UPDATES["copied"](model, Msg("copied"))
        case NotCopied(text):
            return settings.UPDATES["uncopied"](model, Msg("uncopied", value=text))
        case _:
            return _told(model, event)
    return []


def _news(model: Model, news: News) -> Commands:
    room = model.room
    if room is None:
        room = model.room = Room(news)
        room.compare_names()
        if model.play is not None and model.play.remote is None:
            model.play = None
        model.dialog = model.error_report = ""
        return [Address(news.fragment, replace=not news.opener), Focus("data-home")]
    moved, leader_back = room.news.fragment != news.fragment, bool(news.leader) and not room.news.leader
    if moved and room.news.fragment:  # to another table; without an old fragment it is this table that got one
        model.play, model.dialog, room.arrivals = None, "", Arrivals()
    before, room.news = _own_lookalikes(room), news
    room.compare_names()
    if _own_lookalikes(room) - before:
        _tell_lookalike(model, room)
    commands: Commands = [Address(news.fragment, replace=True)] if moved else []
    if leader_back and model.play is not None and isinstance(model.play.remote, RemoteGame):
        commands += model.play.remote.leader_is_back(model)
    return commands


def _own_lookalikes(room: Room) -> set[int]:
    """Returns the seats of this device in the lobby whose names look like others."""
    spots = room.news.spots
    return {seat for seat in room.lookalikes if spots[seat].device == room.news.me}


def _tell_lookalike(model: Model, room: Room) -> None:
    """Tells the person that the name looks like another one. It is also said beside the name, as long as it is so."""
    model.clear_notice()
    if model.notice is None:  # a notice that stays is never covered
        seat = min(_own_lookalikes(room))
        model.notice = Notice("room.alike.yours", {"who": room.news.spots[room.lookalikes[seat]].name})


def _scan(model: Model, msg: Msg) -> Commands:
    """Opens the camera. `arg` is the message to which the scanned code is sent."""
    if model.room is None or msg.arg not in ("room.take", "room.reply"):
        return []
    model.room.scan_message, model.dialog = msg.arg, "scan"
    return [RoomRequest(Scan(CAMERA))]


def _scanned(model: Model, text: str) -> Commands:
    room = model.room
    if room is None or not text or model.dialog != "scan":
        return []
    model.dialog = "room" if model.play is not None else ""
    return [RoomRequest(TakeReply(text) if room.scan_message == "room.take" else MakeReply(text))]


def _begun(model: Model, begun: GameStarted) -> Commands:
    """Takes up a game of the table by link: a new one, or one this device comes back to."""
    if begun.game not in PLAYABLE:
        model.notice = refusal(Refused("link.game", value=begun.game), at_table(model), stays=True)
        return []
    arrivals = model.room.arrivals if model.room else Arrivals()
    alike = arrivals.game_lookalikes(begun.names, begun.devices)
    names = shown_names(begun.names, alike)
    chairs = tuple(
        Chair(name, emblem, _player(begun, seat, level), begun.names[alike[seat]] if seat in alike else "")
        for seat, (name, (emblem, level)) in enumerate(zip(names, begun.looks, strict=True))
    )
    session = begun.views[begun.people[0] if begun.people else next(iter(begun.views))]
    header = Header(begun.id, begun.game, session.version, begun.options, chairs, begun.id, 0, 0)
    old = model.play
    play = remote_play(header, begun, len(session.log))
    if old is not None and old.header.id == begun.id:
        play.result_seen = old.result_seen
    else:
        model.dialog = ""
    model.play = play
    return [Focus("data-home"), *go_on(model)]


def remote_play(header: Header, begun: GameStarted, serial: int) -> Play:
    remote = RemoteGame(begun.views, begun.bots)
    viewer = begun.people[0] if begun.people else next(iter(begun.views))
    session = begun.views[viewer]
    play = resumed_play(header, session, serial)
    play.remote = remote
    if not begun.people:
        play.viewer, play.revealed_to = 0, None
    else:
        play.viewer = viewer
        play.revealed_to = viewer if len(begun.people) == 1 else None
    return play


def _player(begun: GameStarted, seat: int, level: str) -> str:
    if seat in begun.people:
        return PERSON
    if seat in begun.bots:
        return level if level in LEVELS else LEVELS[-1]
    return level if level in LEVELS else ELSEWHERE


def _came(model: Model, came: NewEntries) -> Commands:
    play = model.play
    commands = _news(model, came.news) if came.news is not None else []
    if play is None or not isinstance(play.remote, RemoteGame):
        return commands
    at_rest = is_resting(play) and not play.remote.failures
    play.remote.receive(came.entries)
    return commands if at_rest and not play.remote.behind else [*commands, *go_on(model)]


def _refused(model: Model, refused: Refused, command: type[RoomCommand] | None) -> Commands:
    """Handles a refusal. `command` is the type of the command that was refused, if it was one."""
    play = model.play
    retry: Commands = []
    if command is Visit and refused.reason == "net.policy_reload":  # the link stays in the address
        return [RoomRequest(Reload())]
    # without a camera the empty picture would cover the field for pasting a code
    if command is Scan and model.dialog == "scan":
        model.dialog = "room" if play is not None else ""
    if command is GiveAnswer and play is not None and isinstance(play.remote, RemoteGame):
        retry = play.remote.answer_refused(model, play)
    if command is GiveAnswer and refused.reason in LATE_REASONS:
        if _answered_by_bot(model, refused.values.get("seat")):
            return retry  # a bot gave the answer: no person can do anything about it
        if refused.reason == "net.not_your_seat":  # a bot has taken the seat meanwhile
            refused = Refused("net.stale")
    notice = refusal(refused, at_table(model), stays=model.room is None)
    if not model.t.has(notice.key):  # only a damaged or dishonest page can cause this
        notice = refusal(Refused("net.other", reason=refused.reason), at_table(model))
    model.notice = notice
    return [Address("", replace=True), ListSaves()] if model.room is None else retry


def _answered_by_bot(model: Model, seat: Any) -> bool:
    """Returns True if a bot answered for the seat: one of this device, or one that played for a person elsewhere."""
    remote, seated = model.play.remote if model.play else None, model.room.news.seated if model.room else ()
    return isinstance(remote, RemoteGame) and (
        seat in remote.bots or (seat in range(len(seated)) and not seated[seat].is_home)
    )


def _told(model: Model, tell: Tell) -> Commands:
    """Shows an output of the device: a refusal, a chat message or a notice. Texts from people are never markup."""
    match tell:
        case OwnRefused(envelope_kind, reason, values):
            command = COMMAND_OF_KIND.get(envelope_kind)
            if command is not None:
                return _refused(model, Refused(reason, **values), command)
        case Said(device, kind, text):
            sender = at_table(model).people(device)
            name = sender if isinstance(sender, str) else sender.say(model.t)
            _add_chat(model, name, kind, text)
        case Applied() | LeaderChanged() | GaveUpAlone() | OtherRefused():
            pass
        case _:
            model.notice = refusal(Refused(REASONS[type(tell)], **tell._asdict()), at_table(model), stays=True)
    return []


def _add_chat(model: Model, sender: str, kind: str, text: str) -> None:
    room = model.room
    if room is None:
        return
    sign = text if kind == "sign" and text in SIGNS else ""
    number = room.chat[-1].number + 1 if room.chat else 1
    room.chat = (*room.chat[-CHAT_KEPT:], ChatMessage(number, sender, sign, "" if sign else text))
    model.clear_notice()
    if model.notice is None:  # a chat message never covers a notice that stays
        model.notice = Notice("room.says", {"who": sender, "text": model.t(f"room.sign.{sign}") if sign else text})


def _chat_handler(kind: str) -> Callable[[Model, Msg], Commands]:
    def handle(model: Model, msg: Msg) -> Commands:
        text = msg.arg if kind == "sign" else " ".join(msg.value.split())[:MAX_MESSAGE]
        text = "".join(letter for letter in text if letter.isprintable())
        if not text or (kind == "sign" and text not in SIGNS):
            return []
        _add_chat(model, model.t("room.you"), kind, text)
        model.clear_notice()
        return [RoomRequest(SaySign(text) if kind == "sign" else SayText(text))]

    return handle


def _copy(model: Model, msg: Msg) -> Commands:
    return [CopyLink(model.room.news.fragment)] if model.room else []


def _copy_code(model: Model, msg: Msg) -> Commands:
    """Copies a code. `arg` is "offer" for the guest's link, else the reply is copied."""
    if model.room is None:
        return []
    news: News = model.room.news
    return [CopyLink(f"o={news.code_offer}")] if msg.arg == "offer" else [Copy(news.code_reply)]


def _forward(command: RoomCommand) -> Callable[[Model, Msg], Commands]:
    """Returns a handler that only passes a command on."""
    return _forward_text(lambda _: command)


def _forward_text(make: Callable[[str], RoomCommand]) -> Callable[[Model, Msg], Commands]:
    """Returns a handler that only passes a command on, made with the text that was typed or the message's `arg`."""

    def handle(model: Model, msg: Msg) -> Commands:
        model.clear_notice()
        return [RoomRequest(make(msg.value or msg.arg))]

    return handle


def _share(make: type[Share] | type[ShowQr]) -> Callable[[Model, Msg], Commands]:
    """Returns a handler that shares a text. `arg` is the code "offer" or "reply", or empty for the table's link."""

    def handle(model: Model, msg: Msg) -> Commands:
        model.clear_notice()
        return [RoomRequest(make(SHARED_TEXTS.get(msg.arg, "link")))]

    return handle


def _give(model: Model, msg: Msg) -> Commands:
    """Changes the player of a seat. `arg` is seat and kind: "bot" (a bot sits in), "person" (a person takes the seat,
    or takes it back), "stays" (the wish for a bot is withdrawn)."""
    text, _, kind = msg.arg.partition(":")
    seat, change = seat_named(text, MAX_SEATS), SEAT_CHANGES.get(kind)
    if model.room is None or seat is None or change is None:
        return []
    return [RoomRequest(GiveSeat(seat, change))]


def _forked(model: Model, forked: Forked) -> Commands:
    """Continues the game as a new one on this device alone; bots play for the people elsewhere."""
    play = model.play
    if play is None:
        return []
    random, log = forked
    chairs = tuple(
        Chair(given_name(chair.name), chair.emblem, chair.plays if chair.plays in (PERSON, *LEVELS) else LEVELS[-1])
        for chair in play.header.chairs
    )
    header = replace(play.header, id=random[:12], seed=random[12:], chairs=chairs, started=model.now, touched=model.now)
    session = new_session(header)
    records: list[str] = []
    for entry in log:
        records.append(write_entry(session, entry))
        session.do(*entry)
    header = replace(header, entries=len(log), asked=next(iter(session.question.seats()), None), over=session.over)
    model.room, model.dialog, model.notice = None, "", None
    return [RoomRequest(Leave()), SaveAndOpen(header, tuple(records))]


UPDATES: dict[str, Callable[[Model, Msg], Commands]] = {
    **room_seats.UPDATES,
    "room.event": _event,
    "room.open": _open,
    "room.scan": _scan,
    "room.copy": _copy,
    "room.code.copy": _copy_code,
    "room.share": _share(Share),
    "room.show_qr": _share(ShowQr),
    "room.begin": _forward(BeginGame()),
    "room.offer": _forward(MakeOffer()),
    "room.take": _forward_text(TakeReply),
    "room.reply": _forward_text(MakeReply),
    "room.anew": _forward(DiscardReply()),
    "room.rejoin": _forward(GiveAway()),
    "room.agree": _forward(Agree()),
    "room.fork": _forward(Fork()),
    "room.again": _forward(LayOutNext()),
    "room.reload": _forward(Reload()),
    "room.give": _give,
    "room.sign": _chat_handler("sign"),
    "room.text": _chat_handler("text"),
}
