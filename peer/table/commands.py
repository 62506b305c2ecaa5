"""The commands of the page to a table, by name."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from engine.core import Refused
from peer.table.table import Table


def sit_first(table: Table) -> None:
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
    table.hush()
    if table.lobby is None or table.setup is not None:
        return
    for seat, spot in enumerate(table.lobby.spots):
        if spot.device == table.keys.seal_key:
            with suppress(Refused):  # the opener, who would have to be asked, is gone already
                table.seating.stand(seat)


async def carry_out(table: Table, what: str, data: Any) -> None:  # noqa: C901  one case for each command
    """Carries out a command of the page. Raises `Refused`. Ignores commands that no longer apply."""
    game = table.game
    match what, data:
        case "sit", (seat, name):
            table.seating.sit(seat, name)
        case "stand", int(seat):
            table.seating.stand(seat)
        case "plays", (seat, level):
            table.seating.plays(seat, level)
        case "begin", _:
            await table.seating.begin()
        case "answer", (seat, answer):
            table.answer(seat, answer)
        case "offer", _:
            await table.pairing.offer()
        case "take", str(text):
            await table.pairing.take(text)
        case "anew", _:
            table.pairing.anew()
        case "say", (kind, text) if game is not None:
            game.say(kind, text)
        case "give", (seat, kind) if game is not None:
            if kind != "bot" or seat in game.mine or not table.tokens.instead(seat):
                game.give_seat(seat, kind)
        case "agree", _ if game is not None:
            game.agree()
        case "again", _ if game is not None:
            table.env.tell("begun", game.begun(table.name))
        case "fork", _ if game is not None:
            table.env.tell("forked", (table.env.random(14).hex(), game.whole()))
        case "next", _:
            await table.next_game.again()
        case _:
            pass
