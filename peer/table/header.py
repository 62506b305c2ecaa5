"""The header of a table: what a device stores besides the journal, to return after a reload. Checked when read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from engine import strict_json
from engine.core import Nonsense, Refused
from peer.channels.invite import CODE, SECRET, Invite
from peer.wire.messages import Start

FORMAT = "speakeasy-table/1"
MAX_CHARS = 60_000  # characters


@dataclass(slots=True)
class Header:
    """The stored header; its fields are written under these names."""

    code: str
    secret: str
    seed: str  # from which this device's keys are made
    token: str = ""  # for its place at the endpoint
    lobby: str = ""
    setup: str = ""
    looks: str = ""
    signature: str = ""  # the opener's, over setup and looks
    tokens: dict[str, str] = field(default_factory=dict)  # rejoin tokens, by seat or by the start of the previous token
    records: int = 0  # number of records in the journal
    since: int = 0  # records before this one belong to earlier games at this table

    @property
    def invite(self) -> Invite:
        return Invite(self.code, self.secret)

    @property
    def start(self) -> Start | None:
        """The signed setup of the game that has begun; None if none has."""
        return Start(self.setup, self.looks, self.signature) if self.setup else None

    def begin(self, start: Start) -> None:
        """Notes the setup of a new game. All records until now belong to earlier ones."""
        if self.setup:
            self.since = self.records
        self.setup, self.looks, self.signature = start

    def of_this_game(self, records: Sequence[str]) -> Sequence[str]:
        """Returns those of all the records that belong to the game that has begun."""
        return records[self.since :]

    def enter_room(self, code: str, token: str) -> bool:
        """Notes the table's code and this device's token at the endpoint. Returns False if they were known."""
        known = (self.code, self.token) == (code, token)
        self.code, self.token = code, token
        return not known

    def text(self) -> str:
        return strict_json.dumps_ascii({"format": FORMAT, **asdict(self)})


def read(text: str) -> Header:
    """Returns the header in a stored text. Raises `Refused` if the text is damaged."""
    try:
        data: Any = strict_json.loads(text, MAX_CHARS)
    except Nonsense as nonsense:
        raise Refused("net.kept") from nonsense
    names = [one.name for one in fields(Header)]
    if not isinstance(data, dict) or data.pop("format", "") != FORMAT or sorted(data) != sorted(names):
        raise Refused("net.kept")
    texts = ("code", "secret", "seed", "token", "lobby", "setup", "looks", "signature")
    valid = (
        all(isinstance(data[name], str) for name in texts)
        and all(type(data[name]) is int for name in ("records", "since"))
        and CODE.fullmatch(data["code"])
        and SECRET.fullmatch(data["secret"])
        and len(data["seed"]) == 43
        and isinstance(data["tokens"], Mapping)
        and all(isinstance(one, str) for one in data["tokens"].values())
    )
    if not valid:
        raise Refused("net.kept")
    return Header(**data)
