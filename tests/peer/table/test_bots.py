"""Bots that play by link on this device: the page asks them for their answers."""

from __future__ import annotations

import asyncio
from typing import Any

from peer.order.outputs import OwnRefused
from peer.table.news import NewEntries, Refusal
from peer.wire.bodies import Seat
from tests.peer.simulation.in_memory import Network, simulated
from tests.peer.simulation.page import Page
from tests.peer.table.test_page import entry_count, leave, open_table, play_until, start_table
from tests.ui.table import FakeTable, make_header
from ui.messages import Think
from ui.model import Rest, Resting, Thinking
from ui.update.remote import RemoteGame


class SlowPage(Page):
    """A page whose bots need time to answer."""

    think_time = 0.0  # seconds

    async def _run(self, command: Any) -> None:
        if isinstance(command, Think):
            await asyncio.sleep(self.think_time)
        await super()._run(command)


@simulated
async def test_a_bot_that_answers_without_a_leader_is_asked_again() -> None:
    network = Network()
    opener = await open_table(network, "p,p")
    guest = SlowPage(network)
    guest.send("visited", value=opener.model.room.news.fragment)
    await network.until(lambda: guest.model.room is not None and guest.model.room.news.phase == "lobby")
    guest.send("room.sit", "1", "Guest 1")
    await network.until(lambda: not opener.model.room.news.spots[1].free)
    opener.send("room.begin")
    await network.until(lambda: all(page.model.play is not None for page in (opener, guest)))
    await play_until(network, [opener, guest], 6)
    guest.send("room.give", "1:bot")
    await network.until(lambda: all(page.model.room.news.seated[1].kind == "bot" for page in (opener, guest)))
    guest.think_time = 3.0

    def thinking() -> bool:
        opener.answer()
        return guest.model.play is not None and isinstance(guest.model.play.stage, Thinking)

    await network.until(thinking)
    opener.crash()
    await asyncio.sleep(20)
    assert guest.model.room.news.leader == ""
    assert not any(isinstance(event, Refusal) for event in guest.events)
    assert guest.model.notice is None, "nobody here can do anything about it"
    again = Page(network)
    again.headers, again.disk = opener.headers, opener.disk
    again.send("visited", value=guest.model.room.news.fragment)
    guest.think_time = 0.0
    await network.until(lambda: again.model.play is not None)
    await play_until(network, [again, guest], entry_count(guest) + 6)
    leave([again, guest])


@simulated
async def test_a_bot_answer_refused_after_its_seat_went_back_gives_no_notice() -> None:
    """Regression: the person on the bot's device read "not your seat", though they had given no answer."""
    network = Network()
    pages = await start_table(network, "p,p,p", 2)
    phone, rest = pages[2], pages[:2]

    def asked(page: Page) -> bool:
        for one in rest:
            one.answer()
        return bool(page.table.game.device.possible_answers(2))

    await network.until(lambda: asked(phone) and phone.answer())
    phone.suspend()
    await network.until(lambda: all(page.model.room.news.seated[2].state == "gone" for page in rest))
    await network.until(lambda: all(page.model.room.news.leader in ("me", "direct") for page in rest))
    for page in rest:
        page.send("room.give", "2:bot")
    await network.until(lambda: all(page.model.room.news.seated[2].kind == "bot" for page in rest))
    phone.resume()
    await network.until(lambda: phone.model.room.news.seated[2].kind == "bot")
    bot_page = next(page for page in rest if page.model.room.news.seated[2].mine)
    device = bot_page.table.game.device
    await network.until(lambda: asked(bot_page))
    phone.send("room.give", "2:person")
    while (last := device.log.entry(device.log.last_index).envelope).author != 2 or not isinstance(last.body, Seat):
        await asyncio.sleep(0)
    bot_page.table.answer(2, device.possible_answers(2)[0])
    await network.until(lambda: all(page.model.room.news.seated[2].kind == "person" for page in pages))
    await network.until(lambda: device.outbox.all_in_log and device.raft.commit == device.log.last_index)
    refused = [tell.reason for tell in bot_page.tells if isinstance(tell, OwnRefused)]
    assert refused == ["net.not_your_seat"]
    assert [page.model.notice for page in rest] == [None, None]
    assert phone.model.notice is not None, "what was answered there before it slept came too late"
    assert phone.model.notice.key == "refused.net.stale"
    leave(pages)


def test_the_answer_of_a_bot_is_shown_without_another_rest() -> None:
    """Regression: on the bot's own device the table rested after the last entry, and again when the answer came."""
    table = FakeTable(make_header("b2,p"))
    while table.asked()[1] != 0:
        table.run(1)
    play = table.play
    play.remote = RemoteGame({0: play.session}, bots=(0,))
    play.stage = Resting(Rest(800), wait_id=0)
    [think] = table.send("rested", data=0)
    assert isinstance(think, Think)
    entry = (0, ("draw",))
    table.send("thought", data=(think.wait_id, *entry))
    assert play.remote.sent == entry
    table.send("room.event", data=NewEntries({0: [entry]}))
    assert play.session.log[-1] == entry
    assert play.remote.sent is None
