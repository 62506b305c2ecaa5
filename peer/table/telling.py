"""Makes the news of a table for its page: the lobby or the game, the guests, and how each of them is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peer.table.news import Guest, News

if TYPE_CHECKING:
    from peer.device.device import Device
    from peer.table.table import Table


def news(table: Table) -> News:
    connections, lobby = table.connections, table.lobby
    game = None if table.admission.catching_up else table.game
    kept_out = table.admission.outside and bool(table.admission.missing_devices)
    common: dict[str, Any] = {
        "phase": "playing" if game is not None else "lobby" if lobby is not None and not kept_out else "joining",
        "fragment": "" if connections.awaits_code else table.invite.fragment,
        "opener": table.opener,
        "me": table.keys.seal_key,
        "endpoint": "replaced" if table.replaced else connections.shown_endpoint,
        "reason": table.reason,
        "code_offer": table.pairing.offer_code,
        "code_reply": table.pairing.reply_code,
        "code_minutes": table.pairing.minutes,
        "guests": _guests(table),
    }
    if game is not None:
        state = game.device.state
        devices = range(len(state.devices))
        seated = game.seat_states(connections.state, connections.minutes_away)
        return News(
            **common,
            game=game.setup.game,
            deal_status=_deal_status(game.device),
            words=game.words,
            options=game.setup.options,
            seated=seated,
            can_fork=any(one.state in ("quiet", "gone") for one in seated) and game.can_fork,
            waiting_for=game.waiting_for(),
            leader=game.leader_state(connections.state),
            devices=tuple(tuple(s for s, place in enumerate(state.places) if place.device == d) for d in devices),
            bot_wishes={seat: len(found) for seat, found in state.wishes.items() if found},
            own_wishes=tuple(seat for seat, found in state.wishes.items() if game.number in found),
            majority=state.majority,
            voters=len(state.voters),
            missing_devices=game.missing_devices(connections.state),
            claims=bool(game.device.claim_tokens),
            agreed=game.number in state.agreed,
            bot_allowed=len(state.voters) == 1 or game.device.going_alone.other_agreed,
            seats_moved=("soon" if game.number in state.voters else "done") if game.number in state.seatless else "",
        )
    if common["phase"] == "lobby" and lobby is not None:
        return News(**common, game=lobby.game, options=lobby.options, spots=lobby.spots)
    return News(**common, missing_devices=table.admission.missing_devices, claims=bool(table.link_tokens))


def _deal_status(device: Device) -> str:
    """Returns how far the deal is assured: "promised", "kept" once it was checked, "" without a dealer's promise. A
    promise that was not kept is reported when that is found."""
    if device.state.dealer_promise is None or device.audit_result:
        return ""
    return "promised" if device.audit_result is None else "kept"


def _guests(table: Table) -> tuple[Guest, ...]:
    guests = [Guest(table.keys.seal_key, "me", _seats(table, table.keys.seal_key), table.opener)]
    for channel in table.channels.by_key.values():
        seats, state = _seats(table, channel.seal_key), table.connections.state(channel.seal_key)
        if state != "gone" or seats:
            guests.append(
                Guest(channel.seal_key, state, seats, table.invite.opened_by(channel.verify_key, channel.seal_key))
            )
    return tuple(guests)


def _seats(table: Table, seal_key: str) -> tuple[int, ...]:
    if table.game is not None:
        number = table.game.number_of(seal_key)
        places = enumerate(table.game.device.state.places)
        return tuple(seat for seat, place in places if place.device == number)
    spots = table.lobby.spots if table.lobby is not None else ()
    return tuple(seat for seat, spot in enumerate(spots) if spot.device == seal_key)
