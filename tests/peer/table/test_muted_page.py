"""A device sends invalid messages until the others mute it: their pages say so."""

from __future__ import annotations

import pytest

from peer.order.outputs import Tell
from peer.wire.limits import STRIKES
from tests.peer.simulation.in_memory import Street, evening
from tests.peer.simulation.page import Page
from tests.peer.table.test_page import guests, leave, opened, played, table

SENTENCE = "{} sent nonsense again and again, and is heard no more. The game goes on."


def rave(page: Page) -> None:
    """Sends messages that no honest device sends, to all devices."""
    for line in page.table.channels.by_key.values():
        for _ in range(STRIKES):
            page.table.channels.send(line, ["nonsense"])


@evening
async def test_whoever_is_muted_in_the_lobby_is_named_on_the_page() -> None:
    street = Street()
    host, bad, good = await guests(street, await opened(street, "p,p,p"), 2)
    assert host.model.notice is None
    rave(bad)
    said = SENTENCE.format("Guest 1")
    await street.until(lambda: said in host.text)
    leave([host, bad, good])


@evening
async def test_whoever_is_muted_at_the_table_is_named_on_every_other_page_until_it_is_put_away() -> None:
    street = Street()
    pages = await table(street, "p,p,p", 2)
    await played(street, pages, 6)
    rave(pages[2])
    said = SENTENCE.format("Guest 2")
    await street.until(lambda: all(said in page.text for page in pages[:2]))
    assert said not in pages[2].text
    pages[1].send("room.sign", "hello")
    await street.until(lambda: pages[0].model.room.words != ())
    assert said in pages[0].text, "nobody's words cover it"
    pages[0].send("notice.close")
    assert said not in pages[0].text
    leave(pages)


@pytest.mark.parametrize(("device", "who"), [(1, "Guest 1"), (0, "Theo"), (7, "Somebody")])
@evening
async def test_who_is_known_by_a_number_alone_is_named_too(device: int, who: str) -> None:
    street = Street()
    pages = await table(street, "p,p", 1)
    pages[0].tell("told", Tell("net.muted", {"device": device, "why": "net.flood"}))
    assert SENTENCE.format(who) in pages[0].text
    leave(pages)
