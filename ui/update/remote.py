"""A game by link on the page: committed entries come from the log and are shown one by one.

The device has one session for each seat it plays (persons and bots), or a spectator's. Each session has only what its
viewer may know.
"""

from __future__ import annotations

from collections import deque

from engine.core import Beat, Entry
from engine.session import Session
from peer.table.commands import GiveAnswer, ShowAgain
from ui.boards import Line, board
from ui.messages import Commands, RoomRequest, Think, Wait
from ui.model import Model, Play
from ui.selectors import asked_here, is_person, turn_to_asked
from ui.update.table import carry_out, entry_sounds, start_rest

#: up to this number of waiting entries are shown one after the other; if there are more, the page has fallen behind,
#: and all are shown at once
MAX_WAITING = 4
#: milliseconds: the delay before a bot whose answer was not accepted is asked again; it doubles up to the maximum
RETRY_DELAY, MAX_RETRY_DELAY = 1_000, 30_000


class RemoteGame:
    """The source of the entries of a game by link: see the protocol in `ui.model`."""

    def __init__(self, views: dict[int, Session], bots: tuple[int, ...]) -> None:
        self.views, self.bots = views, bots
        self.queue: deque[dict[int, Entry]] = deque()
        self.failures = 0  # answers of bots that were refused in a row

    def session(self, seat: int) -> Session:
        return self.views[seat]

    def receive(self, entries: dict[int, list[Entry]]) -> None:
        self.failures = 0
        for row in zip(*entries.values(), strict=True):
            self.queue.append(dict(zip(entries, row, strict=True)))

    @property
    def behind(self) -> bool:
        return len(self.queue) > MAX_WAITING

    def _asked_bot(self, play: Play) -> int | None:
        """Returns the seat of a bot of this device that is asked, or None."""
        if play.pending is not None:
            return None
        asked = play.session.question.seats()
        return next((seat for seat in self.bots if seat in asked), None)

    def go_on(self, model: Model) -> Commands:
        play = model.play
        if play is None:
            return []
        play.wait_id += 1
        play.thinking = False
        commands = self._show_next(model, play)
        if not self.queue and (is_person(play, asked_here(play)) or (not play.rest and self._asked_bot(play) is None)):
            # a person who is asked need not wait, and the next entry is shown as soon as it comes
            play.waiting, play.rest = False, 0
            return commands
        return [*commands, *start_rest(model, play)]

    def _show_next(self, model: Model, play: Play) -> Commands:
        """Shows the next entry unless the table rests; shows all of them if the page has fallen behind."""
        count = len(self.queue) if self.behind else min(len(self.queue), 0 if play.rest else 1)
        if not count:
            return []
        lines = [line for _ in range(count) for line in self._carry_out(play)]
        if count > 1:
            play.rest = 0
        play.picked = frozenset()
        turn_to_asked(play)
        return entry_sounds(model, lines)

    def rest_over(self, model: Model) -> Commands:
        play = model.play
        if play is None:
            return []
        if self.queue:
            play.rest = 0
            return self.go_on(model)
        seat = self._asked_bot(play)
        if seat is None:
            play.rest = 0
            return []
        play.thinking = True
        level = play.header.chairs[seat].plays
        return [Think(self.views[seat], seat, level, play.header.seed, play.wait_id)]

    def _carry_out(self, play: Play) -> tuple[Line, ...]:
        row = self.queue.popleft()
        shown = play.session
        for viewer, view in self.views.items():
            seat, answer = row[viewer]
            if view is not shown:
                view.do(seat, answer)
                continue
            play.after_beat = isinstance(view.question, Beat)
            lines, play.rest = carry_out(view, board(play.header.game), seat, answer)
            play.lines.append(lines)
        seat = next(iter(row.values()))[0]
        play.serial += 1
        if play.pending is not None and isinstance(play.pending, tuple) and seat == play.pending[0]:
            play.pending = None
        return play.lines[-1]

    def submit(self, play: Play, entry: Entry) -> Commands:
        return [RoomRequest(GiveAnswer(*entry))]

    def answer_refused(self, play: Play) -> Commands:
        """The answer was not sent or not accepted. A person sees the question again; a bot is asked again later."""
        pending, play.pending = play.pending, None
        if not isinstance(pending, tuple) or pending[0] not in self.bots:
            return []
        pause = min(RETRY_DELAY << self.failures, MAX_RETRY_DELAY)
        self.failures += 1
        play.wait_id += 1
        play.waiting = True
        return [Wait(pause, play.wait_id)]

    def leader_is_back(self, model: Model) -> Commands:
        """There is a leader again: a bot whose answer was refused is asked again without further delay."""
        if not self.failures:
            return []
        self.failures = 0
        return self.go_on(model)

    def restart(self, model: Model) -> Commands:
        return [RoomRequest(ShowAgain())]
