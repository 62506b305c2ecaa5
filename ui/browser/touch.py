"""Holding and dragging. Only this file and `page` change nodes of the browser.

A control with `data-hold` sends the message of that name once it was held for a moment, by pointer, Enter or space.

Dragging is the same as tapping twice: an element with `data-drag="row"` can be dragged to an element with
`data-drop="row"` (either may name several places), and then both are treated as tapped, one after the other. An element
without a message of its own, or one that is pressed already, sends nothing. A dragged element with `data-says` gives
that answer instead, or none if it is empty. So everything that can be dragged can be tapped: boards handle only taps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from js import document, getComputedStyle
from pyodide.ffi import create_proxy

HOLD_SECONDS = 0.5  # seconds
DRAG_DISTANCE = 8  # pixels: a shorter movement is a tap
DROP_SECONDS = 0.4  # seconds a thing stays where it was dropped, unless the page is patched before
HOLDING_KEYS = ("Enter", " ")


class Touch:
    """The listeners for holding and dragging. One callback gets each control that was held long enough, the other one
    each of the two ends of a drag."""

    def __init__(self, root: Any, held: Callable[[Any], None], tapped: Callable[[Any], None]) -> None:
        self.root, self.on_held, self.on_tapped = root, held, tapped
        self.dragged = False  # the click event after a drag must be ignored
        self._hold: tuple[Any, asyncio.TimerHandle] | None = None
        self._drag_start: tuple[Any, float, float] | None = None
        self._dragging = False
        self._hovered: Any = None
        self._open_places: list[Any] = []
        self._dropped: list[Any] = []
        self._listeners = {
            "pointerdown": self._down,
            "pointermove": self._move,
            "pointerup": self._up,
            "pointercancel": self._cancel,
            "keydown": self._key,
            "keyup": self._let_go,
            "focusout": self._focus_left,
            "contextmenu": self._prevent,
            "dragstart": self._prevent,
        }
        for name, listener in self._listeners.items():
            root.addEventListener(name, create_proxy(listener))

    def reset_dropped(self) -> None:
        """Puts dropped things back to their places in the layout. Called before a patch."""
        for node in self._dropped:
            _reset(node)
        self._dropped.clear()

    # Holding

    def _begin_hold(self, control: Any) -> None:
        self._end_hold()
        control.setAttribute("data-holding", "")
        timer = asyncio.get_running_loop().call_later(HOLD_SECONDS, lambda: self._hold_done(control))
        self._hold = (control, timer)

    def _hold_done(self, control: Any) -> None:
        self._end_hold()
        if control.isConnected:
            self.on_held(control)

    def _end_hold(self) -> None:
        if self._hold:
            control, timer = self._hold
            timer.cancel()
            control.removeAttribute("data-holding")
            self._hold = None

    def _key(self, event: Any) -> None:
        if event.key == "Escape":
            self._cancel(event)
            return
        control = event.target.closest("[data-hold]")
        if control and event.key in HOLDING_KEYS:
            event.preventDefault()
            if not event.repeat:
                self._begin_hold(control)

    def _let_go(self, event: Any) -> None:
        self._end_hold()

    def _focus_left(self, event: Any) -> None:
        """Ends a hold when the focus leaves the control, as the `keyup` event will go elsewhere."""
        if self._hold and self._hold[0].isSameNode(event.target):
            self._end_hold()

    def _prevent(self, event: Any) -> None:
        """Prevents the context menu on a long press, and the browser's own dragging."""
        if event.target.closest("[data-hold],[data-drag]"):
            event.preventDefault()

    # Dragging

    def _down(self, event: Any) -> None:
        if event.button or not event.isPrimary:
            return  # another finger, perhaps of another person
        self._cancel(event)
        self.dragged = False
        control = event.target.closest("[data-hold]")
        if control:
            self._begin_hold(control)
            return
        thing = event.target.closest("[data-drag]")
        if thing and not _is_disabled(thing):
            self._drag_start = (thing, event.clientX, event.clientY)

    def _move(self, event: Any) -> None:
        if self._hold and not self._hold[0].contains(document.elementFromPoint(event.clientX, event.clientY)):
            self._end_hold()
        if self._drag_start is None or not event.isPrimary:
            return
        thing, x, y = self._drag_start
        dx, dy = event.clientX - x, event.clientY - y
        if not self._dragging:
            if abs(dx) + abs(dy) < DRAG_DISTANCE:
                return
            self._lift(thing, event.pointerId)
        dx, dy = to_table(dx, dy, shown_angle(thing))
        thing.style.setProperty("translate", f"{dx:.0f}px {dy:.0f}px")
        self._hover(self._place_at(event.clientX, event.clientY))

    def _lift(self, thing: Any, pointer: int) -> None:
        self._dragging = True
        thing.setPointerCapture(pointer)
        thing.setAttribute("data-dragging", "")
        names = set(str(thing.getAttribute("data-drag")).split())
        for place in self.root.querySelectorAll("[data-drop]"):
            if names & set(str(place.getAttribute("data-drop")).split()) and not _is_disabled(place):
                place.setAttribute("data-open", "")
                self._open_places.append(place)

    def _place_at(self, x: float, y: float) -> Any:
        """Returns the place under the pointer if the thing may be dropped there, else None."""
        under = document.elementFromPoint(x, y)
        return under.closest("[data-drop][data-open]") if under else None

    def _hover(self, place: Any) -> None:
        if self._hovered:
            self._hovered.removeAttribute("data-over")
        self._hovered = place
        if place:
            place.setAttribute("data-over", "")

    def _up(self, event: Any) -> None:
        if not event.isPrimary:
            return
        self._end_hold()
        if self._drag_start is None or not self._dragging:
            self._drag_start = None
            return
        thing, place = self._drag_start[0], self._hovered
        self.dragged = True
        if not place:
            self._cancel(event)
            return
        self._dropped.append(thing)
        asyncio.get_running_loop().call_later(DROP_SECONDS, self.reset_dropped)
        self._end_drag()
        for control in (thing, place):
            if control.isConnected and control.getAttribute("aria-pressed") != "true":
                self.on_tapped(control)

    def _cancel(self, event: Any) -> None:
        self._end_hold()
        if self._drag_start and self._dragging:
            self.dragged = True
            _reset(self._drag_start[0])
        self._end_drag()

    def _end_drag(self) -> None:
        self._hover(None)
        for place in self._open_places:
            place.removeAttribute("data-open")
        self._open_places.clear()
        self._drag_start, self._dragging = None, False


def _reset(node: Any) -> None:
    node.style.removeProperty("translate")
    node.removeAttribute("data-dragging")


def _is_disabled(node: Any) -> bool:
    """Returns True if the control is disabled or inert."""
    return bool(
        node.getAttribute("aria-disabled") == "true" or node.hasAttribute("disabled") or node.closest("[inert]")
    )


def shown_angle(node: Any) -> int:
    """Returns the angle in degrees by which the table with the node is turned. It is read from the computed style,
    because on a small device the style sheet turns the table by half turns only."""
    table = node.closest("[data-turned]")
    if not table:
        return 0
    rotation = str(getComputedStyle(table).rotate)
    return 0 if rotation == "none" else int(rotation.removesuffix("deg"))


def to_table(x: float, y: float, degrees: int) -> tuple[float, float]:
    """Returns a vector on the screen as a vector on a table that is turned by so many degrees."""
    match degrees % 360:
        case 90:
            return y, -x
        case 180:
            return -x, -y
        case 270:
            return -y, x
        case _:
            return x, y
