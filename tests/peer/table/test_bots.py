"""Bots that play by link on this device: the page asks them for their answers."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.peer.simulation.in_memory import Street, evening
from tests.peer.simulation.page import Page
from tests.peer.table.test_page import entries, leave, opened, played, table
from ui.messages import Think


class Slow(Page):
    """A page whose bots need time to answer."""

    thinks = 0.0  # seconds

    async def _run(self, command: Any) -> None:
        if isinstance(command, Think):
            await asyncio.sleep(self.thinks)
        await super()._run(command)


@evening
async def test_a_bot_that_answers_while_there_is_no_host_is_asked_again() -> None:
    street = Street()
    host = await opened(street, "p,p")
    guest = Slow(street)
    guest.send("visited", value=host.model.room.news.fragment)
    await street.until(lambda: guest.model.room is not None and guest.model.room.news.phase == "lobby")
    guest.send("room.sit", "1", "Guest 1")
    await street.until(lambda: not host.model.room.news.spots[1].free)
    host.send("room.begin")
    await street.until(lambda: all(page.model.play is not None for page in (host, guest)))
    await played(street, [host, guest], 6)
    guest.send("room.give", "1:bot")
    await street.until(lambda: all(page.model.room.news.seated[1].kind == "bot" for page in (host, guest)))
    guest.thinks = 3.0

    def thinking() -> bool:
        host.answer()
        return guest.model.play is not None and guest.model.play.thinking

    await street.until(thinking)
    host.crash()
    await asyncio.sleep(20)
    assert guest.model.room.news.host == ""
    assert ("refused", "net.wait") not in [(what, getattr(data, "reason", "")) for what, data in guest.told]
    assert guest.model.notice is None, "nobody here can do anything about it"
    again = Page(street)
    again.headers, again.disk = host.headers, host.disk
    again.send("visited", value=guest.model.room.news.fragment)
    guest.thinks = 0.0
    await street.until(lambda: again.model.play is not None)
    await played(street, [again, guest], entries(guest) + 6)
    leave([again, guest])


@evening
async def test_a_bot_that_answers_while_its_seat_goes_back_says_nothing() -> None:
    """Regression: the person on the bot's device read "not your seat", though they had given no answer."""
    street = Street()
    pages = await table(street, "p,p,p", 2)
    phone, rest = pages[2], pages[:2]

    def asked(page: Page) -> bool:
        for one in rest:
            one.answer()
        return bool(page.table.game.device.asks(2))

    await street.until(lambda: asked(phone) and phone.answer())
    phone.sleeps()
    await street.until(lambda: all(page.model.room.news.seated[2].state == "gone" for page in rest))
    await street.until(lambda: all(page.model.room.news.host in ("me", "direct") for page in rest))
    for page in rest:
        page.send("room.give", "2:bot")
    await street.until(lambda: all(page.model.room.news.seated[2].kind == "bot" for page in rest))
    phone.wakes()
    await street.until(lambda: phone.model.room.news.seated[2].kind == "bot")
    host = next(page for page in rest if page.model.room.news.seated[2].mine)
    device = host.table.game.device
    await street.until(lambda: asked(host))
    phone.send("room.give", "2:person")
    while (last := device.log.entry(device.log.last).envelope).author != 2 or last.kind != "seat":
        await asyncio.sleep(0)
    host.table.answer(2, device.asks(2)[0])
    await street.until(lambda: all(page.model.room.news.seated[2].kind == "person" for page in pages))
    await street.until(lambda: device.all_said and device.raft.commit == device.log.last)
    refused = [data.values["why"] for what, data in host.told if what == "told" and data.what == "refused"]
    assert refused == ["net.not_your_seat"]
    assert [page.model.notice for page in rest] == [None, None]
    assert phone.model.notice is not None, "what was answered there before it slept came too late"
    assert phone.model.notice.key == "refused.net.stale"
    leave(pages)
