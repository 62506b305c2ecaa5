"""Pairing: two devices connect without an endpoint, by an offer code one way and a reply code back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from peer.channels import invite
from peer.channels.by_code import CodeConnection
from peer.channels.invite import Invite

if TYPE_CHECKING:
    from peer.table.table import Table


def elsewhere(table: Table | None, given: Invite, *, followed: bool) -> bool:
    """Returns True if the table of a code is not the one that is open (if any), and is to be visited.

    A person who follows a link wants to go there. A person who enters a code at an open table has not said that they
    want to leave it: that raises `Refused`, and the table stays open.
    """
    if table is not None and table.invite.fragment == given.fragment:
        return False
    if table is not None and not followed and (table.lobby is not None or table.setup is not None):
        raise Refused("net.other_table")
    return True


class Pairing:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.offered = self.replied = ""  # the codes as text, for people to carry
        self.half: CodeConnection | None = None  # our offer: waits for the guest's reply code
        self.answered: CodeConnection | None = None  # our reply: waits until its code is entered
        self.since = 0  # when the reply was made

    async def offer(self) -> None:
        """Makes an offer code for one guest; the previous one becomes invalid. Raises `Refused`."""
        table = self.table
        if table.endpoint is not None and not table.header.token:
            # the endpoint cannot be reached: the table keeps the code it has, and goes on without the endpoint
            table.endpoint.close()
            table.endpoint = table.channels.endpoint = None
            table.keep_header()
        if self.half is not None:
            table.channels.by_code.drop(self.half)
        self.half, offer = await table.channels.by_code.begin(None)
        self.offered = invite.write_offer(table.invite, offer)
        table.changed()

    async def reply(self, offer: bytes) -> None:
        """Makes the reply code to an offer. Raises `Refused`."""
        self._let_go()
        self.answered, answer = await self.table.channels.by_code.begin(offer)
        self.replied, self.since = invite.write_reply(answer), self.table.now()
        self.table.changed()

    def anew(self) -> None:
        """Discards a reply code that nobody has entered, so that another pair of codes can be tried."""
        self._let_go()
        self.table.changed()

    def _let_go(self) -> None:
        if self.answered is not None:
            self.table.channels.by_code.drop(self.answered)
        self.answered, self.replied = None, ""

    @property
    def minutes(self) -> int:
        """The whole minutes for which the reply code has been waiting to be entered."""
        return (self.table.now() - self.since) // 60_000 if self.replied else 0

    async def take(self, text: str) -> None:
        """Completes our offer with the guest's reply code. Raises `Refused`."""
        if self.half is None:
            raise Refused("net.code_by_hand")
        answer = invite.read_reply(text)
        half, self.half, self.offered = self.half, None, ""
        self.table.changed()
        await self.table.channels.by_code.complete(half, answer)
