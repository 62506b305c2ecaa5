"""A device sends invalid messages until the others mute it: their pages say so."""

from __future__ import annotations

import pytest

from peer.order.outputs import Muted
from peer.wire.limits import MUTED_AT
from tests.peer.simulation.in_memory import Network, send_raw, simulated
from tests.peer.simulation.page import Page
from tests.peer.table.test_page import leave, open_table, play_until, seat_guests, start_table

SENTENCE = "{} sent nonsense again and again, and is heard no more. The game goes on."


def send_nonsense(page: Page) -> None:
    """Sends messages that no honest device sends, to all devices."""
    for channel in page.table.channels.by_key.values():
        for _ in range(MUTED_AT):
            send_raw(page.table, channel, '["nonsense"]')


@simulated
async def test_a_device_muted_in_the_lobby_is_named_on_the_page() -> None:
    network = Network()
    opener, bad, good = await seat_guests(network, await open_table(network, "p,p,p"), 2)
    assert opener.model.notice is None
    send_nonsense(bad)
    sentence = SENTENCE.format("Guest 1")
    await network.until(lambda: sentence in opener.text)
    leave([opener, bad, good])


@simulated
async def test_a_device_muted_in_the_game_is_named_on_all_other_pages() -> None:
    network = Network()
    pages = await start_table(network, "p,p,p", 2)
    await play_until(network, pages, 6)
    send_nonsense(pages[2])
    sentence = SENTENCE.format("Guest 2")
    await network.until(lambda: all(sentence in page.text for page in pages[:2]))
    assert sentence not in pages[2].text
    pages[1].send("room.sign", "hello")
    await network.until(lambda: pages[0].model.room.chat != ())
    assert sentence in pages[0].text, "nobody's words cover it"
    pages[0].send("notice.close")
    assert sentence not in pages[0].text
    leave(pages)


@pytest.mark.parametrize(("device", "who"), [(1, "Guest 1"), (0, "Theo"), (7, "Somebody")])
@simulated
async def test_a_muted_device_known_only_by_number_is_named(device: int, who: str) -> None:
    network = Network()
    pages = await start_table(network, "p,p", 1)
    pages[0].tell(Muted(device, "net.flood"))
    assert SENTENCE.format(who) in pages[0].text
    leave(pages)
