"""Makes the news of a table for its page: the lobby or the game, the guests, and how each of them is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peer.table.lobby import Lobby
from peer.table.news import Guest, News
from peer.table.phase import Over, Phase, Playing, Replaced, Waiting, game_of, lobby_of

if TYPE_CHECKING:
    from peer.device.device import Device
    from peer.table.running import RunningGame
    from peer.table.table import Table


def news(table: Table) -> News:
    connections, phase = table.connections, table.phase
    if isinstance(phase, Replaced):
        phase = phase.former
    missing = table.join_requests.missing_devices(table.now())
    game, lobby = _shown(phase, kept_out=bool(missing))
    common: dict[str, Any] = {
        "phase": "playing" if game is not None else "lobby" if lobby is not None else "joining",
        "fragment": "" if connections.awaits_code else table.invite.fragment,
        "opener": table.opener,
        "me": table.keys.seal_key,
        "endpoint": "replaced" if isinstance(table.phase, Replaced) else connections.shown_endpoint,
        "reason": table.no_entry_reason,
        "code_offer": table.pairing.offer_code,
        "code_reply": table.pairing.reply_code,
        "code_minutes": table.pairing.minutes,
        "guests": _guests(table, phase),
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
            patience=game.setup.patience,
            majority=state.majority,
            voters=len(state.voters),
            missing_devices=game.missing_devices(connections.state),
            claims=bool(game.device.claim_tokens),
            agreed=game.number in state.agreed,
            bot_allowed=len(state.voters) == 1 or game.device.going_alone.other_agreed,
            seats_moved=("soon" if game.number in state.voters else "done") if game.number in state.seatless else "",
        )
    if lobby is not None:
        return News(**common, game=lobby.game, options=lobby.options, spots=lobby.spots, patience=lobby.patience)
    return News(**common, missing_devices=missing, claims=bool(table.tokens.link_tokens))


def _shown(phase: Phase, *, kept_out: bool) -> tuple[RunningGame | None, Lobby | None]:
    """Returns the game or the lobby that the page shows, if any. `kept_out`: while this device waits to be let in,
    something stands against it that the page shows instead of the lobby."""
    match phase:
        case Playing(game) | Over(game) if not game.catching_up:
            return game, None
        case Waiting() if kept_out:
            return None, None
    return None, lobby_of(phase)


def _deal_status(device: Device) -> str:
    """Returns how far the deal is assured: "promised", "kept" once it was checked, "" without a dealer's promise. A
    promise that was not kept is reported when that is found."""
    if device.state.dealer_promise is None or device.audit_result:
        return ""
    return "promised" if device.audit_result is None else "kept"


def _guests(table: Table, phase: Phase) -> tuple[Guest, ...]:
    guests = [Guest(table.keys.seal_key, "me", _seats(phase, table.keys.seal_key), table.opener)]
    for channel in table.channels.by_key.values():
        seats, state = _seats(phase, channel.seal_key), table.connections.state(channel.seal_key)
        if state != "gone" or seats:
            guests.append(
                Guest(channel.seal_key, state, seats, table.invite.opened_by(channel.verify_key, channel.seal_key))
            )
    return tuple(guests)


def _seats(phase: Phase, seal_key: str) -> tuple[int, ...]:
    game, lobby = game_of(phase), lobby_of(phase)
    if game is not None:
        number = game.number_of(seal_key)
        places = enumerate(game.device.state.places)
        return tuple(seat for seat, place in places if place.device == number)
    spots = lobby.spots if lobby is not None else ()
    return tuple(seat for seat, spot in enumerate(spots) if spot.device == seal_key)
