"""By code, where no endpoint introduces anybody: an offer there, a reply back, and two devices are connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from peer.channels import invite
from peer.channels.by_code import CodeConnection
from peer.channels.invite import Invite

if TYPE_CHECKING:
    from peer.table.table import Table


def elsewhere(table: Table | None, given: Invite, *, followed: bool) -> bool:
    """Whether a code leads away from the table that is open, or to one from none. Who follows a link means to go there;
    who enters a code at a table has not said that they want to leave it. Raises `Refused`: the table stays as it is."""
    if table is not None and table.invite.fragment == given.fragment:
        return False
    if table is not None and not followed and (table.lobby is not None or table.setup is not None):
        raise Refused("net.other_table")
    return True


class Pairing:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.offered = self.replied = ""  # the codes, as they are given away
        self.half: CodeConnection | None = None  # waits for the guest's code
        self.answered: CodeConnection | None = None  # waits until ours is entered
        self.since = 0  # when that one was made

    async def offer(self) -> None:
        """A code for one guest; the one before is of no use any more."""
        table = self.table
        if table.endpoint is not None and not table.header.token:
            # the endpoint is away: the table keeps the name it has, and goes on without
            table.endpoint.close()
            table.endpoint = table.channels.endpoint = None
            table.keep_header()
        if self.half is not None:
            table.channels.by_code.drop(self.half)
        self.half, offer = await table.channels.by_code.begin(None)
        self.offered = invite.write_offer(table.invite, offer)
        table.changed()

    async def reply(self, offer: bytes) -> None:
        """A guest's code for who invited them."""
        self._let_go()
        self.answered, answer = await self.table.channels.by_code.begin(offer)
        self.replied, self.since = invite.write_reply(answer), self.table.now()
        self.table.changed()

    def anew(self) -> None:
        """The code was given away and nobody has entered it: another pair may do better."""
        self._let_go()
        self.table.changed()

    def _let_go(self) -> None:
        if self.answered is not None:
            self.table.channels.by_code.drop(self.answered)
        self.answered, self.replied = None, ""

    @property
    def minutes(self) -> int:
        """For how long the code that was given to the host has been waiting."""
        return (self.table.now() - self.since) // 60_000 if self.replied else 0

    async def take(self, text: str) -> None:
        """The guest's code has come back."""
        if self.half is None:
            raise Refused("net.code_by_hand")
        answer = invite.read_reply(text)
        half, self.half, self.offered = self.half, None, ""
        self.table.changed()
        await self.table.channels.by_code.complete(half, answer)
