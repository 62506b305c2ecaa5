"""The stage: animates things from where they were before a patch to where they are after it.

An element that can travel has `data-fly` with a name that is the same wherever it is; it moves from its old place to
the new one. A new element may name in `data-from` the place it comes from, an element with that `data-spot`.
`data-turn` turns a card over as it arrives. Every animation is a transform for the compositor, ends by itself, and can
be ended at once by a tap.
"""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, NamedTuple

from js import JSON, document, window

from ui.browser.touch import angle, turned

# milliseconds
TRAVEL = 260
STAGGER = 40
TURN = 180
FADE = 80
ABOUT = 420
EASE = "cubic-bezier(.2,.8,.2,1)"
LONGEST_WAIT = 400


class Place(NamedTuple):
    left: float
    top: float
    width: float
    height: float


NOWHERE = Place(0, 0, 0, 0)


class Stage:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.motion = "auto"
        self.speed = "1"
        self._calm = window.matchMedia("(prefers-reduced-motion: reduce)")
        self._still = False
        self._facing = 0
        self._flying: dict[str, Place] = {}
        self._spots: dict[str, Place] = {}

    @property
    def still(self) -> bool:
        """True if nothing may travel: the person or the device asked for reduced motion."""
        return self.motion == "calm" or (self.motion == "auto" and bool(self._calm.matches)) or self.speed == "off"

    def before(self) -> None:
        """Remembers what is there and, if things may travel, where. Called before a patch."""
        self._still = self.still
        if self._still:
            self._flying = dict.fromkeys((str(n.getAttribute("data-fly")) for n in self._all("[data-fly]")), NOWHERE)
            return
        table = self._table()
        self._facing = table.degrees
        self._flying = {str(n.getAttribute("data-fly")): table.place(n) for n in self._all("[data-fly]")}
        self._spots = {str(n.getAttribute("data-spot")): table.place(n) for n in self._all("[data-spot]")}

    def after(self) -> None:
        """Animates what moved and what is new. Called after a patch."""
        if self._still:
            self._appear()
        else:
            self._travel()
        self._pace()

    def _appear(self) -> None:
        for node in self._all("[data-fly]"):
            if str(node.getAttribute("data-fly")) not in self._flying:
                self._animate(node, [{"opacity": 0}, {"opacity": 1}], FADE, 0)

    def _travel(self) -> None:
        number = 0
        table = self._table()
        # all places are measured before anything moves: measuring between two animations would force a layout for each
        found = [(node, table.place(node)) for node in self._all("[data-fly]")]
        for node, here in found:
            old = self._flying.get(str(node.getAttribute("data-fly")))
            new = old is None
            if old is None and (spot := node.getAttribute("data-from")):
                old = self._spots.get(str(spot))
            if old is None or not here.width:
                continue
            if abs(old.left - here.left) + abs(old.top - here.top) < 2:
                continue
            self._fly(node, old, here, min(number * STAGGER, LONGEST_WAIT), turn=new and node.hasAttribute("data-turn"))
            number += 1
        self._turn(table)  # last: places must be measured before the table turns

    def _table(self) -> Felt:
        return Felt(self.root.querySelector("[data-turned]"))

    def _turn(self, table: Felt) -> None:
        """Animates the table itself when it turns to another edge."""
        by = (self._facing - table.degrees + 180) % 360 - 180
        if by:
            frames = [{"transform": f"rotate({by}deg)"}, {"transform": "none"}]
            self._animate(table.node, frames, ABOUT, 0)

    def _fly(self, node: Any, old: Place, here: Place, wait: float, *, turn: bool) -> None:
        x = old.left + old.width / 2 - here.left - here.width / 2
        y = old.top + old.height / 2 - here.top - here.height / 2
        size = max(0.2, min(4.0, old.width / here.width)) if old.width else 1.0
        start = f"translate({x:.1f}px,{y:.1f}px) scale({size:.3f})"
        frames: list[dict[str, Any]] = [{"transform": start, "zIndex": 9}, {"transform": "none", "zIndex": 9}]
        if turn:
            frames = [
                {"transform": f"{start} rotateY(90deg)", "zIndex": 9},
                {"transform": "none", "zIndex": 9},
            ]
        self._animate(node, frames, TRAVEL + (TURN if turn else 0), wait)

    def _animate(self, node: Any, frames: list[dict[str, Any]], long: float, wait: float) -> None:
        timing = f'{{"duration":{long},"delay":{wait},"easing":"{EASE}","fill":"backwards"}}'
        running = node.animate(JSON.parse(json.dumps(frames)), JSON.parse(timing))
        running.playbackRate = self.rate

    @property
    def rate(self) -> int:
        return 2 if self.speed == "2" else 1

    def _pace(self) -> None:
        """Sets the speed of animations from the style sheets too. They always start at normal speed."""
        if self.rate == 1:
            return
        for running in _ending():
            running.playbackRate = self.rate

    def hurry(self) -> None:
        """Ends all animations at once, those of the style sheets too."""
        for running in _ending():
            running.finish()

    def _all(self, selector: str) -> Any:
        return self.root.querySelectorAll(selector)


def _ending() -> list[Any]:
    """Returns all running animations that come to an end."""
    return [each for each in document.getAnimations() if isfinite(each.effect.getComputedTiming().endTime)]


class Felt:
    """The table as it is turned now. Its places are relative to its middle and its angle, so turning does not change
    them."""

    def __init__(self, node: Any) -> None:
        self.node = node
        self.degrees = angle(node) if node else 0
        self.middle = (0.0, 0.0)
        if node:
            box = node.getBoundingClientRect()
            self.middle = (box.left + box.width / 2, box.top + box.height / 2)

    def place(self, node: Any) -> Place:
        box = node.getBoundingClientRect()
        x, y = self.middle
        x, y = turned(box.left + box.width / 2 - x, box.top + box.height / 2 - y, self.degrees)
        across = self.degrees % 180
        width, height = (box.height, box.width) if across else (box.width, box.height)
        return Place(x - width / 2, y - height / 2, width, height)
