"""The commands of the page to a table by link: one type for each, and how a table carries them out.

This module loads nothing of the table: the page needs these types before it is at any table by link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from engine.core import Answer

if TYPE_CHECKING:
    from peer.table.lobby import Lobby
    from peer.table.running import RunningGame
    from peer.table.table import Table

#: a bot sits in; a person takes the seat, or takes it back; the wish for a bot is withdrawn
SeatChange = Literal["bot", "person", "stays"]
#: the table's link, or one of the two codes of a pairing
SharedText = Literal["link", "offer", "reply"]


# Commands to the open table


class Sit(NamedTuple):
    """Takes a seat in the lobby under that name, or renames a seat of this device."""

    seat: int
    name: str


class Stand(NamedTuple):
    """Frees a seat of this device in the lobby."""

    seat: int


class SetPlayer(NamedTuple):
    """Puts a bot of that level on a seat in the lobby, or frees the seat for a person."""

    seat: int
    level: str


class SetPatience(NamedTuple):
    """Sets in the lobby for how many minutes a person may think before a bot may answer instead; 0: any time."""

    minutes: int


class BeginGame(NamedTuple):
    """Lays out the first game from the lobby."""


class LayOutNext(NamedTuple):
    """Lays out the next game at the same table."""


class GiveAnswer(NamedTuple):
    """Gives an answer of a seat of this device."""

    seat: int
    answer: Answer


class MakeOffer(NamedTuple):
    """Makes the offer code of a pairing, for one guest."""


class TakeReply(NamedTuple):
    """Completes the pairing with the guest's reply code."""

    code: str


class DiscardReply(NamedTuple):
    """Discards a reply code that nobody has entered."""


class SaySign(NamedTuple):
    """Sends one of the known signs to all devices."""

    sign: str


class SayText(NamedTuple):
    """Sends a text a person has typed to all devices."""

    text: str


class GiveSeat(NamedTuple):
    """Changes the player of a seat in the game."""

    seat: int
    kind: SeatChange


class Agree(NamedTuple):
    """Agrees that the other of two devices may go on while this one is away."""


class ShowAgain(NamedTuple):
    """Begins the game on the page anew, as far as it is known."""


class Fork(NamedTuple):
    """Gives the page the whole log, to continue the game on this device alone."""


# Commands that also need the browser, or no table


class OpenTable(NamedTuple):
    """Opens a new table with this lobby."""

    lobby: Lobby


class Visit(NamedTuple):
    """Goes to the table of a link."""

    fragment: str


class MakeReply(NamedTuple):
    """Goes to the table of a pairing offer, and makes the reply code. `followed`: a link was followed, not a code
    entered."""

    offer: str
    followed: bool = False


class Leave(NamedTuple):
    """Leaves the table for good: frees this device's seats if no game has begun."""


class Forget(NamedTuple):
    """Removes a stored table from this device."""

    code: str


class Scan(NamedTuple):
    """Reads a QR code with the camera; the element with that id shows the picture."""

    element: str


class Share(NamedTuple):
    """Shares a text with the system's dialog."""

    which: SharedText


class ShowQr(NamedTuple):
    """Draws a QR code of the same texts as `Share`."""

    which: SharedText


class GiveAway(NamedTuple):
    """Copies the rejoin link for the seats of this device."""


class Reload(NamedTuple):
    """Reloads the page."""


#: the commands that apply only while a game is here
GameCommand = SaySign | SayText | GiveSeat | Agree | ShowAgain | Fork
#: the commands a table carries out itself
TableCommand = (
    GameCommand
    | Sit
    | Stand
    | SetPlayer
    | SetPatience
    | BeginGame
    | LayOutNext
    | GiveAnswer
    | MakeOffer
    | TakeReply
    | DiscardReply
)

Command = TableCommand | OpenTable | Visit | MakeReply | Leave | Forget | Scan | Share | ShowQr | GiveAway | Reload


def seat_opener(table: Table) -> None:
    """Seats the opener on the first free seat for a person, unless somebody sits already."""
    lobby = table.lobby
    if not table.opener or lobby is None or any(spot.device for spot in lobby.spots):
        return
    seat = next((seat for seat, spot in enumerate(lobby.spots) if spot.free), None)
    if seat is not None:
        table.seating.sit(seat, lobby.spots[seat].name)


def stand_up(table: Table) -> None:
    """Frees this device's seats, before the person leaves for good. Once a game has begun the seats stay taken."""
    table.seating.stand_up()


async def carry_out(table: Table, command: TableCommand) -> None:  # noqa: C901  one case for each command
    """Carries out a command of the page. Raises `Refused`. Ignores commands that no longer apply."""
    match command:
        case Sit(seat, name):
            table.seating.sit(seat, name)
        case Stand(seat):
            table.seating.stand(seat)
        case SetPlayer(seat, level):
            table.seating.set_player(seat, level)
        case SetPatience(minutes):
            table.seating.set_patience(minutes)
        case BeginGame():
            await table.laying_out.begin()
        case LayOutNext():
            await table.laying_out.lay_out_again()
        case GiveAnswer(seat, answer):
            table.answer(seat, answer)
        case MakeOffer():
            await table.pairing.make_offer()
        case TakeReply(code):
            await table.pairing.complete(code)
        case DiscardReply():
            table.pairing.discard_reply()
        case _ if table.game is not None:
            _carry_out_in_game(table, table.game, command)


def _carry_out_in_game(table: Table, game: RunningGame, command: GameCommand) -> None:
    """Carries out a command that applies only while a game is here."""
    match command:
        case SaySign(sign):
            game.say("sign", sign)
        case SayText(text):
            game.say("text", text)
        case GiveSeat(seat, kind):
            if kind != "bot" or seat in game.own_seats or not table.tokens.let_bot_play(seat):
                game.give_seat(seat, kind)
        case Agree():
            game.agree()
        case ShowAgain():
            table.env.tell(game.game_started(table.game_id))
        case Fork():
            table.env.tell(game.fork(table.env.random(14).hex()))
