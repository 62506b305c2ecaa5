"""Floods from one page to the others: what a page sends that another program has changed, and what its victims measure.

Used by the tests and by `bench/floods.py`.
"""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page

#: what each of these kinds sends is in `FLOODER`
DIRECT = ("short", "long", "largest", "binary", "large binary", "pieces", "greetings", "repeated")
RELAYED = ("short", "long", "pieces", "greetings")

#: notes the direct connections and sockets that a page makes, what it last sent on them, and the slots it heard of
FLOODER = """(() => {
    window.lines = [];
    window.sockets = [];
    const {createDataChannel} = RTCPeerConnection.prototype;
    RTCPeerConnection.prototype.createDataChannel = function (...given) {
        lines.push(createDataChannel.apply(this, given));
        return lines.at(-1);
    };
    const {send} = RTCDataChannel.prototype;
    RTCDataChannel.prototype.send = function (text) {
        this.last = text;
        return send.call(this, text);
    };
    window.WebSocket = class extends WebSocket {
        constructor(...given) {
            super(...given);
            sockets.push(this);
            this.slots = new Set();
            this.addEventListener('message', ({data}) => {
                const [kind, ...rest] = JSON.parse(data);
                if (kind === 'room') rest[2].forEach(slot => this.slots.add(slot));
                if (kind === 'in') this.slots.add(rest[0]);
            });
        }
    };
    // what each kind of flood sends; `number` counts what was sent
    const long = 'A'.repeat(8900);
    const texts = {
        short: () => 'x'.repeat(20),
        long: () => '1.' + long,
        largest: () => 'x'.repeat(60000),
        binary: () => new ArrayBuffer(16),
        'large binary': () => new ArrayBuffer(60000),
        pieces: number => `+${1000000 + number}.0.14.${long}`,
        greetings: () => 'h' + 'A'.repeat(300),
        repeated: (number, line) => line.last ?? '1.A',
    };
    // notes after how many milliseconds the others had closed all direct connections
    const noteClosing = begun => {
        window.closedAfter = undefined;
        const look = () => {
            if (lines.some(line => line.readyState === 'open')) setTimeout(look, 20);
            else window.closedAfter = performance.now() - begun;
        };
        look();
    };
    const soon = work => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = work;
        port2.postMessage(0);
    };
    // floods every direct connection, for so many milliseconds
    window.flood = (kind, length) => {
        const begun = performance.now(), until = begun + length;
        let number = 0;
        noteClosing(begun);
        const go = () => {
            let busy = false;
            for (const line of lines) {
                if (line.readyState !== 'open') continue;
                busy = true;
                const batch = performance.now() + 8;
                while (line.bufferedAmount < 1 << 20 && performance.now() < batch) {
                    try { send.call(line, texts[kind](number++, line)); } catch { break; }
                }
            }
            if (performance.now() < until) busy ? soon(go) : setTimeout(go, 20);
        };
        go();
    };
    // floods every slot of the room through the endpoint, again after each return
    window.floodRelay = (kind, length) => {
        const begun = performance.now(), until = begun + length;
        let number = 0;
        noteClosing(begun);
        const go = () => {
            const socket = sockets.at(-1);
            for (let turn = 0; turn < 20 && socket.readyState === 1 && socket.bufferedAmount < 1 << 20; turn++) {
                for (const slot of socket.slots) {
                    const size = texts[kind](number, {}).length, many = Math.max(1, Math.min(40, 12000 / size | 0));
                    const all = Array.from({length: many}, () => texts[kind](number++, {}));
                    socket.send(JSON.stringify(['to', slot, {s: 0, g: all.join('\\n').slice(0, 16000)}]));
                }
            }
            if (performance.now() < until) setTimeout(go, 10);
        };
        go();
    };
})()"""

#: notes the longest task, and when a tap was last shown: the time of the first frame with what it changed
VICTIM = """(() => {
    window.shownAt = 0;
    window.longest = 0;
    new PerformanceObserver(list => {
        for (const {duration} of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({entryTypes: ['longtask']});
    addEventListener('click', () => {
        const watch = new MutationObserver(() => {
            watch.disconnect();
            requestAnimationFrame(() => {
                const {port1, port2} = new MessageChannel();
                port1.onmessage = () => { window.shownAt = Date.now(); };
                port2.postMessage(0);
            });
        });
        watch.observe(document.body, {subtree: true, childList: true});
    }, true);
})()"""


#: returns True once no direct connection of a flooding page is open
CLOSED = "() => window.lines.every(line => line.readyState !== 'open')"


class Tapper:
    """A finger that opens and closes the menu of a table. Playwright's own clicks first ask the page where the control
    is, for which a busy page takes as long as for the tap."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.opens = True
        self.places = {True: self._middle('[data-do="dialog"][data-arg="menu"]')}
        self.tap()
        self.places[False] = self._middle('dialog [data-do="dialog.close"]')
        self.tap()

    def _middle(self, selector: str) -> tuple[float, float]:
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def tap(self) -> float:
        """Returns the milliseconds from the tap to the frame that shows what it changed."""
        begun = time.time() * 1000
        self.page.mouse.click(*self.places[self.opens])
        self.page.wait_for_function("begun => window.shownAt > begun", arg=begun)
        self.opens = not self.opens
        return float(self.page.evaluate("window.shownAt")) - begun


def take_longest(page: Page) -> float:
    """Returns the milliseconds of the longest task since the last call."""
    longest: Any = page.evaluate("() => { const one = window.longest; window.longest = 0; return one; }")
    return float(longest)
