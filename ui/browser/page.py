"""The page: carries out the operations of `ui.html.diff.Mirror`, and sends a `Msg` for what the person does. Only this
file and `touch` change nodes of the browser.

The root has one listener for each type of event. A control names its message in `data-do` (with `data-arg`), or in
`data-answer` an answer to the current question. Text is set as text, attributes have passed the whitelist in
`ui.html.tree`, custom properties are set with `style.setProperty`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from js import console, document, performance, window
from pyodide.ffi import JsException, create_proxy

from ui.browser.touch import Touch
from ui.html.diff import Mirror, Op
from ui.html.parts import drawings_file
from ui.html.tree import Node
from ui.messages import Msg

SVG = "http://www.w3.org/2000/svg"
FIELDS = ("INPUT", "SELECT", "TEXTAREA")
LINE_HEIGHT = 40  # pixels: about the height of a line of the log


class Page:
    """The element that contains the whole app."""

    def __init__(self, root: Any, hear: Callable[[Msg], None]) -> None:
        self.root = root
        self.send = hear
        self._document: tuple[str, ...] = ()
        self.nodes: dict[int, Any] = {}
        self.drawings: dict[Node, Any] = {}
        self.mirror = self._adopt()
        self._log_end = 0.0  # the scroll position of the log when it was last scrolled to its end
        handlers = (self._on_click, self._on_change, self._on_cancel, self._on_resize)
        self._proxies = [create_proxy(each) for each in handlers]
        click, change, cancel, resize = self._proxies
        root.addEventListener("click", click)
        root.addEventListener("change", change)
        root.addEventListener("cancel", cancel, True)
        window.addEventListener("resize", resize)
        root.setAttribute("data-awake", "")
        self.touch = Touch(root, self._on_held, self._on_tapped)

    def _adopt(self) -> Mirror:
        """Takes over the nodes that the page has already, so that nothing moves and no choice is lost."""
        order: list[Any] = []
        mirror = Mirror(_read(self.root, order))
        self.nodes = dict(enumerate(order, 1))
        return mirror

    def mark_start(self) -> None:
        """Marks the start of an update: from here to the end of `patch` is the measure "show" in the timeline.

        The last one is removed: browsers keep every mark and measure, without limit.
        """
        performance.clearMarks("view")
        performance.clearMeasures("show")
        performance.mark("view")

    def patch(self, new: Node) -> int:
        """Shows `new`. Returns the number of operations."""
        count = self._patch(new)
        performance.measure("show", "view")
        return count

    def _patch(self, new: Node) -> int:
        ops = self.mirror.diff(new)
        if not ops:
            return 0
        focused = document.activeElement
        self.touch.reset_dropped()
        scrolled_back = self._scrolled_back()
        self._carry_out(ops, focused)
        self._scroll_log(scrolled_back=scrolled_back)
        if focused and (not focused.isConnected or focused.closest("[inert]")):
            self._restore_focus(focused)
        return len(ops)

    def _scrolled_back(self) -> bool:
        """Returns True if the person has scrolled back in the log: new lines must not scroll it to its end."""
        log = self.root.querySelector("[data-latest]")
        if not log or log.scrollTop == self._log_end:
            return False
        return bool(log.scrollHeight - log.clientHeight - log.scrollTop > LINE_HEIGHT)

    def _scroll_log(self, *, scrolled_back: bool) -> None:
        """Scrolls the log to its end, unless the person reads further back."""
        log = self.root.querySelector("[data-latest]")
        if log and not scrolled_back:
            log.scrollTop = log.scrollHeight
            self._log_end = log.scrollTop

    def _on_resize(self, event: Any) -> None:
        self._scroll_log(scrolled_back=self._scrolled_back())

    def _carry_out(self, ops: Iterable[Op], focused: Any) -> None:  # noqa: C901  one case for each operation
        nodes = self.nodes
        modals: list[Any] = []
        for op in ops:
            match op:
                case ("set", number, name, value):
                    _set(nodes[number], name, value, focused)
                case ("write", number, text):
                    nodes[number].textContent = text
                case ("make", number, tag, svg):
                    nodes[number] = made = document.createElementNS(SVG, tag) if svg else document.createElement(tag)
                    if tag == "dialog":
                        modals.append(made)
                case ("copy", number, drawing):
                    nodes[number] = self._copy(drawing)
                case ("text", number, text):
                    nodes[number] = document.createTextNode(text)
                case ("put", parent, number, before):
                    nodes[parent].insertBefore(nodes[number], nodes[before] if before else None)
                case ("drop", number, inside):
                    self._drop(number, inside)
        for dialog in modals:
            dialog.showModal()

    def _copy(self, drawing: Node) -> Any:
        """Returns a copy of a fixed drawing, which is built only once."""
        first = self.drawings.get(drawing)
        if not first:
            first = self.drawings[drawing] = _draw(drawing, drawing.tag == "svg")
        return first.cloneNode(True)

    def _drop(self, number: int, inside: tuple[int, ...]) -> None:
        gone = self.nodes[number]
        if gone.nodeName == "DIALOG":
            gone.close()  # the browser gives the focus back to where it was
        gone.remove()
        for each in inside:
            del self.nodes[each]

    def _restore_focus(self, lost: Any) -> None:
        """The focused control was removed or is inert: moves the focus to the control that replaces it (the same `id`,
        answer or message), else to the question."""
        arg = lost.getAttribute("data-arg")
        for name in ("id", "data-answer", "data-do"):
            value = lost.getAttribute(name)
            if not value:
                continue
            for candidate in self.root.querySelectorAll(f"[{name}]"):
                same = candidate.getAttribute(name) == value and candidate.getAttribute("data-arg") == arg
                if same and not _is_disabled(candidate) and not candidate.closest("[inert]"):
                    candidate.focus()
                    return
        self.focus("data-home", "")

    def focus(self, name: str, value: str) -> None:
        """Focuses the first element with that attribute, and that value unless it is empty."""
        for element in self.root.querySelectorAll(f"[{name}]"):
            if (not value or element.getAttribute(name) == value) and not element.closest("[inert]"):
                element.focus()
                return

    def start_over(self, reason: str) -> None:
        """Removes everything: the next patch builds the page anew. Writes the reason to the console."""
        console.error(reason)
        self.root.replaceChildren()
        for name in list(self.root.getAttributeNames()):
            if name != "id":
                self.root.removeAttribute(name)
        self.mirror = self._adopt()

    def set_document(self, language: str, theme: str, motion: str, endpoint: str, title: str) -> None:
        """Sets what belongs to the whole page, on <html>: language, theme and motion; and the window's title. Stores
        what the next loading of the page needs before Python runs, also the player's own `endpoint`."""
        wanted = (language, theme, motion, endpoint, title)
        if wanted == self._document:
            return
        self._document = wanted
        html = document.documentElement
        html.lang = language
        _set(html, "data-theme", None if theme == "auto" else theme, None)
        _set(html, "data-motion", None if motion == "auto" else motion, None)
        document.title = title
        _store_for_first_script({"theme": theme, "language": language, "endpoint": endpoint})

    def choices(self) -> list[Msg]:
        """Returns messages for what the person did on the painted page before Python was running, as if done now."""
        fields = self.root.querySelectorAll("input[data-do],select[data-do]")
        messages = [_message(field, str(field.value)[:1000]) for field in fields if _changed(field)]
        # the button that was pressed last, as assets/first.js remembers it
        for pressed in self.root.querySelectorAll("button[aria-busy]"):
            pressed.removeAttribute("aria-busy")
            messages.append(_message(pressed, ""))
        # "start" comes last: all other choices were made for the game that begins
        return sorted(messages, key=lambda msg: msg.do == "start")

    def _on_held(self, control: Any) -> None:
        """Sends the message of a control that was held long enough."""
        self.send(Msg(str(control.getAttribute("data-hold")), str(control.getAttribute("data-arg") or "")[:1000]))

    def _on_tapped(self, control: Any) -> None:
        """Treats one end of a drag as tapped, if it has a message and is enabled."""
        if control.matches("[data-drag][data-says]"):
            if says := str(control.getAttribute("data-says")):
                self.send(Msg("answer", says))
        elif (
            control.matches("[data-answer],[data-do]")
            and not control.hasAttribute("disabled")
            and not _is_disabled(control)
        ):
            self.send(_message(control, ""))

    def _on_click(self, event: Any) -> None:
        target = event.target
        if self.touch.dragged:
            self.touch.dragged = False
            return
        if target.nodeName == "DIALOG":
            self.send(Msg("dialog.close"))
            return
        control = target.closest("[data-answer],[data-do]")
        if not control:
            if target.closest("main") and not target.closest("[data-hold]"):
                self.send(Msg("tap"))
        elif control.nodeName not in FIELDS and not control.hasAttribute("disabled") and not _is_disabled(control):
            if control.nodeName == "A":
                event.preventDefault()
            self.send(_message(control, ""))

    def _on_change(self, event: Any) -> None:
        field = event.target
        if field.getAttribute("data-do"):
            is_checkbox = field.type == "checkbox"
            self.send(_message(field, ("on" if field.checked else "") if is_checkbox else str(field.value)[:1000]))

    def _on_cancel(self, event: Any) -> None:
        event.preventDefault()
        self.send(Msg("dialog.close"))


def _changed(field: Any) -> bool:
    """Returns True if the field differs from its painted state."""
    if field.nodeName == "SELECT":
        return not field.selectedOptions[0].defaultSelected
    if field.type in ("radio", "checkbox"):
        return bool(field.checked and not field.defaultChecked)
    return bool(field.value != field.defaultValue)


def _draw(node: Node, svg: object) -> Any:
    if node.tag == "#":
        return document.createTextNode(node.text)
    made = document.createElementNS(SVG, node.tag) if svg else document.createElement(node.tag)
    for name, value in node.attrs.items():
        _set(made, name, value, None)
    if node.tag == "use":
        window.addDrawings(drawings_file(node.attrs["href"]))  # of assets/first.js
    if node.text:
        made.textContent = node.text
    for kid in node.kids:
        made.appendChild(_draw(kid, svg or kid.tag == "svg"))
    return made


def _store_for_first_script(values: Mapping[str, str]) -> None:
    """Stores values for assets/first.js, which needs them before Python runs. A browser that stores nothing starts with
    the device's theme and language."""
    with suppress(JsException):
        storage = window.localStorage  # raises where the browser may store nothing
        for name, value in values.items():
            storage.setItem(name, value)


def _message(control: Any, value: str) -> Msg:
    answer = control.getAttribute("data-answer")
    if answer:
        return Msg("answer", answer, value)
    value = value or str(control.getAttribute("data-value") or "")
    return Msg(control.getAttribute("data-do") or "", control.getAttribute("data-arg") or "", value)


def _is_disabled(control: Any) -> bool:
    return str(control.getAttribute("aria-disabled")) == "true"


def _set(node: Any, name: str, value: str | None, focused: Any) -> None:
    if name.startswith("--"):
        if value is None:
            node.style.removeProperty(name)
        else:
            node.style.setProperty(name, value)
    elif name == "checked":
        node.checked = value is not None
    elif name == "value":
        if node.value != value and not node.isSameNode(focused):
            node.value = value or ""
    elif value is None:
        node.removeAttribute(name)
    else:
        node.setAttribute(name, value)


def _read(node: Any, order: list[Any]) -> Node:
    """Returns the page's content as a tree. Appends the page's nodes to `order`, in the order in which `Mirror` numbers
    them. Removes comments and blank texts from the page, as the tree has none."""
    order.append(node)
    tag = node.nodeName
    if tag == "#text":
        return Node("#", {}, (), node.data, None)
    attrs = {a.name: a.value for a in node.attributes}
    if tag in FIELDS:
        attrs.pop("checked", None)
    kids = [kid for kid in node.childNodes if kid.nodeType in (1, 3) and (kid.nodeType == 1 or kid.data.strip())]
    for stray in [kid for kid in node.childNodes if kid.nodeType != 1 and (kid.nodeType != 3 or not kid.data.strip())]:
        stray.remove()
    key = attrs.pop("data-key", None)
    if all(kid.nodeType == 3 for kid in kids):
        return Node(tag.lower() if node.namespaceURI != SVG else tag, attrs, (), node.textContent, key)
    return Node(
        tag.lower() if node.namespaceURI != SVG else tag, attrs, tuple(_read(kid, order) for kid in kids), "", key
    )
