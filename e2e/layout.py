"""Checks of the layout: no text is cut off, no control is out of reach, targets are large, texts do not overlap, and
everything that can be dragged can also be tapped."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

# Returns each shown text or control that is cut off by a box without scrolling, or that leaves the window or its own
# button. An ellipsis is allowed, because it shows that something is left out.
CUT_OFF = """() => {
    // under a sheet nothing is meant to be read
    const SKIPPED = "script, style, option, textarea, [inert] *, details:not([open]) > :not(summary)";
    const found = new Set();
    const name = node => `${node.tagName.toLowerCase()}.${(node.getAttribute("class") || "").split(" ").join(".")}`;
    const unseen = node => {
        for (let at = node; at; at = at.parentElement) {
            const style = getComputedStyle(at);
            if (style.clip === "rect(0px, 0px, 0px, 0px)" || style.clipPath === "inset(50%)") return true;
            if (style.opacity === "0" || style.visibility !== "visible") return true;
        }
        return false;
    };
    // a card that is lifted leaves its place, and that is what one is to see
    const honest = style => style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    const ends = (at, button) => at !== button && (at.matches(".card, .down")
        || honest(getComputedStyle(at)) || ends(at.parentElement, button));
    const check = (what, box, from) => {
        let [left, right, top, bottom] = [box.left, box.right, box.top, box.bottom];
        let acrossFree = false, downFree = false;
        for (let at = from; at && at !== document.documentElement; at = at.parentElement) {
            const style = getComputedStyle(at);
            const frame = at.getBoundingClientRect();
            const ends = honest(style);
            if (!acrossFree && style.overflowX !== "visible") {
                if (/auto|scroll/.test(style.overflowX)) acrossFree = true;
                else if (!ends && (left < frame.left - 2 || right > frame.right + 2)) {
                    const far = Math.round(Math.max(frame.left - left, right - frame.right));
                    return `${what}: cut off by ${name(at)}, ${far} px`;
                }
                else if (ends) acrossFree = true;
            }
            if (!downFree && style.overflowY !== "visible") {
                if (/auto|scroll/.test(style.overflowY)) downFree = true;
                else if (!ends && (top < frame.top - 4 || bottom > frame.bottom + 4)) {
                    const far = Math.round(Math.max(frame.top - top, bottom - frame.bottom));
                    return `${what}: cut off above or below by ${name(at)}, ${far} px`;
                }
                else if (ends) downFree = true;
            }
            if (style.position === "fixed") break;
        }
        if (!acrossFree && (left < -2 || right > innerWidth + 2)) return `${what}: leaves the window`;
        return "";
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const parent = text.parentElement;
        if (!text.data.trim() || parent.closest(SKIPPED)) continue;
        range.selectNodeContents(text);
        const boxes = [...range.getClientRects()].filter(box => box.width && box.height);
        if (!boxes.length || unseen(parent)) continue;
        const button = parent.closest("button:not([aria-hidden=true])");
        const frame = button && button.getBoundingClientRect();
        for (const box of boxes) {
            const what = `"${text.data.trim().slice(0, 40)}" in ${name(parent)}`;
            const lost = check(what, box, parent);
            if (lost) { found.add(lost); break; }
            if (frame && (box.left < frame.left - 2 || box.right > frame.right + 2
                || box.top < frame.top - 3 || box.bottom > frame.bottom + 3)) {
                if (!ends(parent, button)) { found.add(`${what}: leaves its button ${name(button)}`); break; }
            }
        }
    }
    for (const control of document.querySelectorAll("button, a[href], input, select, textarea, summary")) {
        const box = control.getBoundingClientRect();
        if (!box.width || !box.height || unseen(control) || control.closest(".skip, [inert]")) continue;
        const lost = check(`control ${name(control)}`, box, control.parentElement);
        if (lost) found.add(lost);
    }
    return [...found];
}"""
#: returns the controls that are smaller than 44 pixels, and can be pressed
SMALL_TARGETS = """() => [...document.querySelectorAll(
        "button, a[href], select, summary, textarea, label:has(input[type=radio]), input:not([type=radio], .vh)")]
    .filter(node => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter(node => !node.closest("[inert], .skip"))
    .map(node => [node, node.getBoundingClientRect()])
    .filter(([node, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
    .map(([node, box]) => `${node.className} ${node.textContent.trim().slice(0, 30)} ${box.width} x ${box.height}`)"""
# Returns the elements that can be dragged, but without an equivalent for taps: neither they nor their target can be
# tapped, and no button gives the same answer
ONLY_DRAGGED = """() => {
    const can = "button:not([aria-disabled=true])";
    const places = [...document.querySelectorAll(`${can}[data-drop], [data-drop] ${can}`)];
    const taken = places.flatMap(place => place.closest("[data-drop]").dataset.drop.split(" "));
    return [...document.querySelectorAll("main [data-drag]")].filter(node => node.checkVisibility()).filter(node => {
        const says = node.dataset.says;
        if (says && document.querySelector(`${can}[data-answer="${says}"]`)) return false;
        return !node.closest(can) && !node.dataset.drag.split(" ").some(place => taken.includes(place));
    }).map(node => `${node.className} to ${node.dataset.drag}`);
}"""

# Returns pairs of texts of different elements that overlap. Fixed and sticky elements lie over others on purpose, and
# text that a box cuts off overlaps nothing. Lines of text may touch: only the middle of each line counts.
OVERLAPPING = """() => {
    const SKIPPED = "script, style, option, [inert] *, .card, .chq, details:not([open]) > :not(summary)";
    const shown = [];
    const texts = document.createTreeWalker(document.querySelector("dialog") || document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const parent = text.parentElement;
        if (!text.data.trim() || parent.closest(SKIPPED)) continue;
        if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        let [left, right, top, bottom] = [-Infinity, Infinity, -Infinity, Infinity];
        let layer = null, hidden = false;
        for (let at = parent; at && at !== document.documentElement; at = at.parentElement) {
            const style = getComputedStyle(at), frame = at.getBoundingClientRect();
            if (style.clipPath === "inset(50%)") hidden = true;
            if (style.overflowX !== "visible")
                [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
            if (style.overflowY !== "visible")
                [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
            if (!layer && /fixed|sticky/.test(style.position)) layer = at;
            if (style.position === "fixed") break;
        }
        if (hidden) continue;
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) {
            const slack = box.height * .22;
            const seen = {
                words: text.data.trim().slice(0, 30), parent, layer,
                left: Math.max(left, box.left), right: Math.min(right, box.right),
                top: Math.max(top, box.top + slack), bottom: Math.min(bottom, box.bottom - slack),
            };
            if (seen.right - seen.left > 3 && seen.bottom - seen.top > 3) shown.push(seen);
        }
    }
    const found = new Set();
    shown.forEach((one, n) => shown.slice(n + 1).forEach(other => {
        if (one.parent === other.parent || one.layer !== other.layer) return;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > 3 && down > 3) found.add(`"${one.words}" and "${other.words}": ${Math.round(across)} px`);
    }));
    return [...found];
}"""
#: returns the elements that have to be scrolled sideways
SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll("main, main *, dialog, dialog *")]
    .filter(node => node === document.documentElement || /auto|scroll/.test(getComputedStyle(node).overflowX))
    .filter(node => node.scrollWidth > node.clientWidth + 1)
    .map(node => `${node.tagName.toLowerCase()}.${node.className}: ${node.scrollWidth - node.clientWidth} px`)"""
#: returns the names that are shortened with an ellipsis. The seats of the two other boards are too small on a phone
SHORTENED = """() => [...document.querySelectorAll("main :is(.razzia, .thieves) .who b, .folk b")]
    .filter(node => node.checkVisibility() && getComputedStyle(node).overflowX !== "visible")
    .filter(node => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 6)
    .map(node => node.textContent)"""


def _check(script: str) -> Callable[[Page], list[str]]:
    return lambda page: list(page.evaluate(script))


cut_off, small_targets, only_dragged = _check(CUT_OFF), _check(SMALL_TARGETS), _check(ONLY_DRAGGED)
overlapping, scrolled_sideways, shortened = _check(OVERLAPPING), _check(SIDEWAYS), _check(SHORTENED)
