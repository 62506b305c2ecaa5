"""A game by link on the page: committed entries come from the log and are shown one by one.

The device has one session for each seat it plays (persons and bots), or a spectator's. Each session has only what its
viewer may know.
"""

from __future__ import annotations

from collections import deque

from engine.core import Entry
from engine.session import Session
from peer.table.commands import GiveAnswer, ShowAgain
from ui.boards import Line, board
from ui.messages import Commands, RoomRequest, Wait
from ui.model import NO_REST, Idle, Model, Play, Rest, Resting
from ui.selectors import asked_here, is_person, rest_left
from ui.update.curtain import turn_to_asked
from ui.update.table import carry_out, entry_sounds, start_rest, start_thinking

#: up to this number of waiting entries are shown one after the other; if there are more, the page has fallen behind,
#: and all are shown at once
MAX_WAITING = 4
#: milliseconds: the delay before a bot whose answer was not accepted is asked again; it doubles up to the maximum
RETRY_DELAY, MAX_RETRY_DELAY = 1_000, 30_000


class RemoteGame:
    """The source of the entries of a game by link: see the protocol `Remote` in `ui.model`."""

    def __init__(self, sessions: dict[int, Session], bots: tuple[int, ...]) -> None:
        self.sessions, self.bots = sessions, bots
        self.queue: deque[dict[int, Entry]] = deque()  # for each entry, what each viewer may know of it
        self.sent: Entry | None = None
        self.failures = 0  # answers of bots that were refused in a row

    def session(self, seat: int) -> Session:
        return self.sessions[seat]

    def receive(self, entries: dict[int, list[Entry]]) -> None:
        self.failures = 0
        # turns the lists by viewer into one dict by viewer for each entry
        for one_entry in zip(*entries.values(), strict=True):
            self.queue.append(dict(zip(entries, one_entry, strict=True)))

    @property
    def behind(self) -> bool:
        return len(self.queue) > MAX_WAITING

    def _asked_bot(self, play: Play) -> int | None:
        """Returns the seat of a bot of this device that is asked, or None."""
        if self.sent is not None:
            return None
        asked = play.session.question.seats()
        return next((seat for seat in self.bots if seat in asked), None)

    def go_on(self, model: Model) -> Commands:
        play = model.play
        if play is None:
            return []
        rest, commands = self._show_next(model, play)
        nothing_to_wait_for = not rest.milliseconds and self._asked_bot(play) is None
        if not self.queue and (nothing_to_wait_for or is_person(play, asked_here(play))):
            # a person who is asked need not wait, and the next entry is shown as soon as it comes
            play.stage = Idle()
            return commands
        return [*commands, *start_rest(model, play, rest)]

    def _show_next(self, model: Model, play: Play) -> tuple[Rest, Commands]:
        """Shows the next entry unless the table rests; shows all of them if the page has fallen behind.

        Returns the rest to be made now, and the sounds of the entries.
        """
        rest = rest_left(play)
        if self.behind:
            count = len(self.queue)
        elif rest.milliseconds:
            count = 0
        else:
            count = min(len(self.queue), 1)
        if not count:
            return rest, []
        shown: list[Line] = []
        for _ in range(count):
            lines, rest = self._show_entry(play)
            shown += lines
        play.picked = frozenset()
        turn_to_asked(play)
        return rest if count == 1 else NO_REST, entry_sounds(model, shown)

    def rest_over(self, model: Model) -> Commands:
        play = model.play
        if play is None:
            return []
        play.stage = Idle()
        if self.queue:
            return self.go_on(model)
        seat = self._asked_bot(play)
        if seat is None:
            return []
        return start_thinking(model, play, self.sessions[seat], seat)

    def _show_entry(self, play: Play) -> tuple[tuple[Line, ...], Rest]:
        """Carries out the next entry for all seats of this device. Returns its lines, and the rest after it."""
        by_viewer = self.queue.popleft()
        shown, rest = play.session, NO_REST
        for viewer, session in self.sessions.items():
            seat, answer = by_viewer[viewer]
            if session is not shown:
                session.do(seat, answer)
                continue
            lines, rest = carry_out(session, board(play.header.game), session.prepare(seat, answer))
            play.lines.append(lines)
        seat = next(iter(by_viewer.values()))[0]  # the same for all viewers
        play.serial += 1
        if self.sent is not None and seat == self.sent[0]:  # even if it is another entry than the one sent
            self.sent = None
        return play.lines[-1], rest

    def submit(self, entry: Entry) -> Commands:
        self.sent = entry
        return [RoomRequest(GiveAnswer(*entry))]

    def answer_refused(self, model: Model, play: Play) -> Commands:
        """Handles an answer that was not sent or not accepted. Returns the commands.

        A person can answer the question again. A bot is asked again after a delay.
        """
        refused, self.sent = self.sent, None
        if refused is None or refused[0] not in self.bots:
            return []
        pause = min(RETRY_DELAY << self.failures, MAX_RETRY_DELAY)
        self.failures += 1
        play.stage = Resting(rest_left(play), model.next_wait_id())
        return [Wait(pause, play.stage.wait_id)]

    def leader_is_back(self, model: Model) -> Commands:
        """Handles a new leader: a bot whose answer was refused is asked again without further delay."""
        if not self.failures:
            return []
        self.failures = 0
        return self.go_on(model)

    def restart(self, model: Model) -> Commands:
        return [RoomRequest(ShowAgain())]
