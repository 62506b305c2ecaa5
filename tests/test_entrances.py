"""Everything that reads a text from outside raises only what it is documented to raise, whatever the text is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import links, records, strict_json
from engine.core import Nonsense, Refused
from peer.browser import site
from peer.channels import invite, sdp
from peer.crypto.keys import from_base64
from peer.device.journal import Journal
from peer.game import setup
from peer.table import header, lobby
from peer.wire import envelope, frames, messages
from ui.saves import saved_game, setup_link

MARK = "t" * 22
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
FRAMES = st.tuples(st.sampled_from([*frames.KINDS]), st.lists(JSON, max_size=8))
TEXTS = (
    st.text(max_size=80)
    | st.text("ABCDEFGHJKMNPQRSTVWXYZabc0123456789-_.=&#", max_size=120)
    | JSON.map(json.dumps)
    | FRAMES.map(lambda frame: json.dumps([frame[0], MARK, *frame[1]]))
)

#: entrances for texts that strangers send
STRANGERS: dict[str, Callable[[str], object]] = {
    "JSON": lambda text: strict_json.loads(text, 1000),
    "base64": from_base64,
    "envelope": lambda text: envelope.read(text, "-" * 86),
    "frame": lambda text: frames.read(text.encode("utf-8", "surrogatepass"), MARK),
    "message": lambda text: messages.read(_value(text)),
    "greeting": lambda text: messages.read_greeting(_value(text)),
    "description": lambda text: sdp.unpack(text.encode("utf-8", "surrogatepass")),
    "session description": sdp.read,
    "journal": lambda text: Journal().add(_value(text)),
}
#: entrances for texts that people bring: links, codes, files, and what the browser has stored
PEOPLE: dict[str, Callable[[str], object]] = {
    "record": records.read,
    "game in a link": links.read,
    "link": setup_link.read,
    "invitation": invite.read,
    "offer code": invite.read_offer,
    "reply code": invite.read_reply,
    "header of a save": saved_game.read_header,
    "settings": saved_game.read_settings,
    "header of a table": header.read,
    "site": lambda text: site.read_site(text, {}, "https://example.org/"),
    "servers": site.parse_servers,
}
#: entrances for what strangers send about a game that this page may not have: a person may read that
BOTH: dict[str, Callable[[str], object]] = {"set-up": setup.read, "lobby": lobby.read}
ENTRANCES = [
    *((name, read, Nonsense) for name, read in STRANGERS.items()),
    *((name, read, Refused) for name, read in PEOPLE.items()),
    *((name, read, (Nonsense, Refused)) for name, read in BOTH.items()),
]


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_entry_points_raise_only_documented_exceptions(text: str) -> None:
    # one text for all entrances: to draw it takes longer than to read it everywhere
    for name, read, raises in ENTRANCES:
        try:
            read(text)
        except raises as error:
            assert error.reason, name  # noqa: PT017  any text may be valid
