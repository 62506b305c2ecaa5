"""Makes the news of a table for its page: the lobby or the game, the guests, and how each of them is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peer.crypto.keys import as_words
from peer.table.news import Guest, News

if TYPE_CHECKING:
    from peer.device.device import Device
    from peer.table.table import Table


def news(table: Table) -> News:
    point, lobby = table.endpoint, table.lobby
    game = None if table.admission.hurries else table.game
    barred = table.admission.outside and bool(table.admission.lacks)
    common: dict[str, Any] = {
        "phase": "playing" if game is not None else "lobby" if lobby is not None and not barred else "joining",
        "fragment": "" if _nameless(table) else table.invite.fragment,
        "opener": table.opener,
        "me": table.keys.seal_key,
        "endpoint": "replaced" if table.replaced else "none" if point is None else point.said,
        "reason": table.reason,
        "code_offer": table.pairing.offered,
        "code_reply": table.pairing.replied,
        "code_minutes": table.pairing.minutes,
        "guests": _guests(table),
    }
    if game is not None:
        state = game.device.state
        devices = range(len(state.devices))
        seated = game.seated(table.state, table.away)
        return News(
            **common,
            game=game.setup.game,
            deal=_deal(game.device),
            words=as_words(game.setup.origin),
            options=game.setup.options,
            seated=seated,
            alone=any(one.state in ("quiet", "gone") for one in seated) and game.alone,
            waits=game.waits(),
            host=game.host(table.state),
            devices=tuple(tuple(s for s, place in enumerate(state.places) if place.device == d) for d in devices),
            wishes={seat: len(found) for seat, found in state.wishes.items() if found},
            wished=tuple(seat for seat, found in state.wishes.items() if game.number in found),
            majority=state.majority,
            voters=len(state.voters),
            lacks=game.lacks(table.state),
            claims=bool(game.device.tokens),
            agreed=game.number in state.agreed,
            let=len(state.voters) == 1 or game.device.alone.let,
            left=("soon" if game.number in state.voters else "done") if game.number in state.left else "",
        )
    if common["phase"] == "lobby" and lobby is not None:
        return News(**common, game=lobby.game, options=lobby.options, spots=lobby.spots)
    return News(**common, lacks=table.admission.lacks, claims=bool(table.rejoin))


def _deal(device: Device) -> str:
    """Returns how far the deal is assured: "promised", "kept" once it was checked, "" without a dealer's promise. A
    promise that was not kept is reported when that is found."""
    if device.state.deck is None or device.audited:
        return ""
    return "promised" if device.audited is None else "kept"


def _nameless(table: Table) -> bool:
    """Returns True while the endpoint is asked for the table's code: a link with any other code would lead nowhere."""
    point = table.endpoint
    return point is not None and not point.code and not point.tries and point.state == "connecting"


def _guests(table: Table) -> tuple[Guest, ...]:
    found = [Guest(table.keys.seal_key, "me", _seats(table, table.keys.seal_key), table.opener)]
    for line in table.channels.by_key.values():
        seats, state = _seats(table, line.seal_key), table.state(line.seal_key)
        if state != "gone" or seats:
            found.append(Guest(line.seal_key, state, seats, table.invite.opened_by(line.verify_key, line.seal_key)))
    return tuple(found)


def _seats(table: Table, lock: str) -> tuple[int, ...]:
    if table.game is not None:
        number = table.game.number_of(lock)
        places = enumerate(table.game.device.state.places)
        return tuple(seat for seat, place in places if place.device == number)
    spots = table.lobby.spots if table.lobby is not None else ()
    return tuple(seat for seat, spot in enumerate(spots) if spot.device == lock)
