"""Pairing: two devices connect without an endpoint, by an offer code one way and a reply code back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Refused
from peer.channels import invite
from peer.channels.by_code import CodeConnection
from peer.channels.invite import Invite
from peer.table.phase import Knocking

if TYPE_CHECKING:
    from peer.table.table import Table


def leads_elsewhere(table: Table | None, target: Invite, *, followed: bool) -> bool:
    """Returns True if the table of a code is not the one that is open (if any), and is to be visited.

    A person who follows a link wants to go there. A person who enters a code at an open table has not said that they
    want to leave it: that raises `Refused`, and the table stays open.
    """
    if table is not None and table.invite.fragment == target.fragment:
        return False
    if table is not None and not followed and not isinstance(table.phase, Knocking):
        raise Refused("net.other_table")
    return True


class Pairing:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.offer_code = self.reply_code = ""  # the codes as text, for people to carry
        self.our_offer: CodeConnection | None = None  # our offer: waits for the guest's reply code
        self.our_reply: CodeConnection | None = None  # our reply: waits until its code is entered
        self.replied_at = 0  # when the reply was made

    async def make_offer(self) -> None:
        """Makes an offer code for one guest; the previous one becomes invalid. Raises `Refused`."""
        table = self.table
        if table.connections.awaits_code:
            table.connections.keep_code()  # the endpoint cannot be reached, and the offer contains the code
            table.store_header_soon()
        if self.our_offer is not None:
            table.channels.by_code.drop(self.our_offer)
        self.our_offer, offer = await table.channels.by_code.begin(None)
        self.offer_code = invite.write_offer(table.invite, offer)
        table.changed()

    async def make_reply(self, offer: bytes) -> None:
        """Makes the reply code to an offer. Raises `Refused`."""
        self._drop_reply()
        self.our_reply, answer = await self.table.channels.by_code.begin(offer)
        self.reply_code, self.replied_at = invite.write_reply(answer), self.table.now()
        self.table.changed()

    def discard_reply(self) -> None:
        """Discards a reply code that nobody has entered, so that another pair of codes can be tried."""
        self._drop_reply()
        self.table.changed()

    def _drop_reply(self) -> None:
        if self.our_reply is not None:
            self.table.channels.by_code.drop(self.our_reply)
        self.our_reply, self.reply_code = None, ""

    @property
    def minutes(self) -> int:
        """The whole minutes for which the reply code has been waiting to be entered."""
        return (self.table.now() - self.replied_at) // 60_000 if self.reply_code else 0

    async def complete(self, text: str) -> None:
        """Completes our offer with the guest's reply code. Raises `Refused`."""
        if self.our_offer is None:
            raise Refused("net.code_by_hand")
        answer = invite.read_reply(text)
        connection, self.our_offer, self.offer_code = self.our_offer, None, ""
        self.table.changed()
        await self.table.channels.by_code.complete(connection, answer)
