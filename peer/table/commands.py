"""The commands of the page to a table, by name."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from engine.core import Refused
from peer.table.table import Table


def seat_opener(table: Table) -> None:
    """Seats the opener on the first free seat for a person, unless somebody sits already."""
    lobby = table.lobby
    if not table.opener or lobby is None or any(spot.device for spot in lobby.spots):
        return
    seat = next((seat for seat, spot in enumerate(lobby.spots) if spot.free), None)
    if seat is not None:
        table.seating.sit(seat, lobby.spots[seat].name)


def stand_up(table: Table) -> None:
    """Stops the table's news and frees this device's seats, before the person leaves for good. Once a game has begun
    the seats stay taken."""
    table.stop()
    if table.lobby is None or table.setup is not None:
        return
    for seat, spot in enumerate(table.lobby.spots):
        if spot.device == table.keys.seal_key:
            with suppress(Refused):  # the opener, who would have to be asked, is gone already
                table.seating.stand(seat)


async def carry_out(table: Table, command: str, data: Any) -> None:  # noqa: C901  one case for each command
    """Carries out a command of the page. Raises `Refused`. Ignores commands that no longer apply."""
    game = table.game
    match command, data:
        case "sit", (seat, name):
            table.seating.sit(seat, name)
        case "stand", int(seat):
            table.seating.stand(seat)
        case "plays", (seat, level):
            table.seating.set_player(seat, level)
        case "begin", _:
            await table.seating.begin()
        case "answer", (seat, answer):
            table.answer(seat, answer)
        case "offer", _:
            await table.pairing.make_offer()
        case "take", str(text):
            await table.pairing.complete(text)
        case "anew", _:
            table.pairing.discard_reply()
        case "say", (kind, text) if game is not None:
            game.say(kind, text)
        case "give", (seat, kind) if game is not None:
            if kind != "bot" or seat in game.own_seats or not table.tokens.let_bot_play(seat):
                game.give_seat(seat, kind)
        case "agree", _ if game is not None:
            game.agree()
        case "again", _ if game is not None:
            table.env.tell("begun", game.game_started(table.game_id))
        case "fork", _ if game is not None:
            table.env.tell("forked", (table.env.random(14).hex(), game.full_log()))
        case "next", _:
            await table.next_game.lay_out_again()
        case _:
            pass
