"""Motion: where things were before a patch, where they are after it, and the way between.

What travels carries `data-fly` with a name that stays the same wherever it lies; it moves from its old place to the
new one. What appears may name in `data-from` the place it comes from, an element with that `data-spot`. `data-turn`
turns a card over as it arrives. Everything is a transform for the compositor, ends by itself, and can be ended at
once by a tap.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from js import JSON, document, window

TRAVEL = 260
STAGGER = 40
TURN = 180
FADE = 80
EASE = "cubic-bezier(.2,.8,.2,1)"
LONGEST_WAIT = 400
FLIGHT = "flight"


class Place(NamedTuple):
    left: float
    top: float
    width: float
    height: float


class Stage:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.motion = "auto"
        self.speed = "1"
        self._calm = window.matchMedia("(prefers-reduced-motion: reduce)")
        self._flying: dict[str, Place] = {}
        self._spots: dict[str, Place] = {}

    @property
    def still(self) -> bool:
        """No travelling: the person, or the device, asked for calm."""
        return self.motion == "calm" or (self.motion == "auto" and bool(self._calm.matches)) or self.speed == "off"

    def before(self) -> None:
        """Remember where everything is."""
        self._flying = {str(n.getAttribute("data-fly")): _place(n) for n in self._all("[data-fly]")}
        self._spots = {str(n.getAttribute("data-spot")): _place(n) for n in self._all("[data-spot]")}

    def after(self) -> None:
        """Let what moved travel, what appeared arrive."""
        number = 0
        for node in self._all("[data-fly]"):
            old = self._flying.get(str(node.getAttribute("data-fly")))
            new = old is None
            if old is None and (spot := node.getAttribute("data-from")):
                old = self._spots.get(str(spot))
            if self.still:
                if new:
                    self._animate(node, [{"opacity": 0}, {"opacity": 1}], FADE, 0)
                continue
            here = _place(node)
            if old is None or not here.width:
                continue
            if abs(old.left - here.left) + abs(old.top - here.top) < 2:
                continue
            self._fly(node, old, here, min(number * STAGGER, LONGEST_WAIT), turn=new and node.hasAttribute("data-turn"))
            number += 1

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
        pace = 2 if self.speed == "2" else 1
        timing = f'{{"duration":{long / pace},"delay":{wait / pace},"easing":"{EASE}","fill":"backwards"}}'
        running = node.animate(JSON.parse(json.dumps(frames)), JSON.parse(timing))
        running.id = FLIGHT

    def hurry(self) -> None:
        """Everything is where it belongs, now."""
        for running in document.getAnimations():
            if running.id == FLIGHT:
                running.finish()

    def _all(self, selector: str) -> Any:
        return self.root.querySelectorAll(selector)


def _place(node: Any) -> Place:
    box = node.getBoundingClientRect()
    return Place(box.left, box.top, box.width, box.height)
