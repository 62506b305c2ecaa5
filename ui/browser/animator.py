"""The animator moves things from where they were before a patch to where they are after it.

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

from ui.browser.touch import shown_angle, to_table

# milliseconds
TRAVEL = 260
STAGGER = 40
FLIP = 180
FADE = 80
TABLE_TURN = 420
EASE = "cubic-bezier(.2,.8,.2,1)"
MAX_STAGGER = 400


class Place(NamedTuple):
    left: float
    top: float
    width: float
    height: float


NOWHERE = Place(0, 0, 0, 0)


class Animator:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.motion = "auto"
        self.speed = "1"
        self._reduced_motion = window.matchMedia("(prefers-reduced-motion: reduce)")
        self._still = False
        self._angle = 0
        self._old_places: dict[str, Place] = {}
        self._spots: dict[str, Place] = {}

    @property
    def still(self) -> bool:
        """True if nothing may travel: the person or the device asked for reduced motion."""
        return (
            self.motion == "calm"
            or (self.motion == "auto" and bool(self._reduced_motion.matches))
            or self.speed == "off"
        )

    def before_patch(self) -> None:
        """Remembers what is there and, if things may travel, where. Called before a patch."""
        self._still = self.still
        if self._still:
            self._old_places = dict.fromkeys(
                (str(n.getAttribute("data-fly")) for n in self._all("[data-fly]")), NOWHERE
            )
            return
        table = self._table()
        self._angle = table.degrees
        self._old_places = {str(n.getAttribute("data-fly")): table.place(n) for n in self._all("[data-fly]")}
        self._spots = {str(n.getAttribute("data-spot")): table.place(n) for n in self._all("[data-spot]")}

    def after_patch(self) -> None:
        """Animates what moved and what is new. Called after a patch."""
        if self._still:
            self._appear()
        else:
            self._travel()
        self._set_speed()

    def _appear(self) -> None:
        for node in self._all("[data-fly]"):
            if str(node.getAttribute("data-fly")) not in self._old_places:
                self._animate(node, [{"opacity": 0}, {"opacity": 1}], FADE, 0)

    def _travel(self) -> None:
        number = 0
        table = self._table()
        # all places are measured before anything moves: measuring between two animations would force a layout for each
        measured = [(node, table.place(node)) for node in self._all("[data-fly]")]
        for node, new_place in measured:
            old = self._old_places.get(str(node.getAttribute("data-fly")))
            is_new = old is None
            if old is None and (spot := node.getAttribute("data-from")):
                old = self._spots.get(str(spot))
            if old is None or not new_place.width:
                continue
            if abs(old.left - new_place.left) + abs(old.top - new_place.top) < 2:
                continue
            self._fly(
                node, old, new_place, min(number * STAGGER, MAX_STAGGER), turn=is_new and node.hasAttribute("data-turn")
            )
            number += 1
        self._turn(table)  # last: places must be measured before the table turns

    def _table(self) -> TableGeometry:
        return TableGeometry(self.root.querySelector("[data-turned]"))

    def _turn(self, table: TableGeometry) -> None:
        """Animates the table itself when it turns to another edge."""
        degrees = (self._angle - table.degrees + 180) % 360 - 180
        if degrees:
            frames = [{"transform": f"rotate({degrees}deg)"}, {"transform": "none"}]
            self._animate(table.node, frames, TABLE_TURN, 0)

    def _fly(self, node: Any, old: Place, new: Place, delay: float, *, turn: bool) -> None:
        x = old.left + old.width / 2 - new.left - new.width / 2
        y = old.top + old.height / 2 - new.top - new.height / 2
        size = max(0.2, min(4.0, old.width / new.width)) if old.width else 1.0
        start = f"translate({x:.1f}px,{y:.1f}px) scale({size:.3f})"
        frames: list[dict[str, Any]] = [{"transform": start, "zIndex": 9}, {"transform": "none", "zIndex": 9}]
        if turn:
            frames = [
                {"transform": f"{start} rotateY(90deg)", "zIndex": 9},
                {"transform": "none", "zIndex": 9},
            ]
        self._animate(node, frames, TRAVEL + (FLIP if turn else 0), delay)

    def _animate(self, node: Any, frames: list[dict[str, Any]], duration: float, delay: float) -> None:
        timing = f'{{"duration":{duration},"delay":{delay},"easing":"{EASE}","fill":"backwards"}}'
        running = node.animate(JSON.parse(json.dumps(frames)), JSON.parse(timing))
        running.playbackRate = self.rate

    @property
    def rate(self) -> int:
        return 2 if self.speed == "2" else 1

    def _set_speed(self) -> None:
        """Sets the speed of animations from the style sheets too. They always start at normal speed."""
        if self.rate == 1:
            return
        for running in _finite_animations():
            running.playbackRate = self.rate

    def end_motion(self) -> None:
        """Ends all animations at once, those of the style sheets too."""
        for running in _finite_animations():
            running.finish()

    def _all(self, selector: str) -> Any:
        return self.root.querySelectorAll(selector)


def _finite_animations() -> list[Any]:
    """Returns all running animations that come to an end."""
    return [each for each in document.getAnimations() if isfinite(each.effect.getComputedTiming().endTime)]


class TableGeometry:
    """The table as it is turned now. Its places are relative to its middle and its angle, so turning does not change
    them."""

    def __init__(self, node: Any) -> None:
        self.node = node
        self.degrees = shown_angle(node) if node else 0
        self.middle = (0.0, 0.0)
        if node:
            box = node.getBoundingClientRect()
            self.middle = (box.left + box.width / 2, box.top + box.height / 2)

    def place(self, node: Any) -> Place:
        box = node.getBoundingClientRect()
        x, y = self.middle
        x, y = to_table(box.left + box.width / 2 - x, box.top + box.height / 2 - y, self.degrees)
        across = self.degrees % 180
        width, height = (box.height, box.width) if across else (box.width, box.height)
        return Place(x - width / 2, y - height / 2, width, height)
