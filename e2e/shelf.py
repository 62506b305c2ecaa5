"""What the page keeps in the browser, read and written past the page."""

from __future__ import annotations

from playwright.sync_api import Page

READ = """shelf => new Promise((done, failed) => {
    const opening = indexedDB.open("speakeasy");
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
        const asked = opening.result.transaction(shelf).objectStore(shelf).getAll();
        asked.onsuccess = () => { opening.result.close(); done(asked.result); };
    };
})"""
WRITE = """([shelf, key, value]) => new Promise((done, failed) => {
    const opening = indexedDB.open("speakeasy");
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
        const whole = opening.result.transaction(shelf, "readwrite");
        if (value === null) whole.objectStore(shelf).delete(key);
        else whole.objectStore(shelf).put(value, key);
        whole.oncomplete = () => { opening.result.close(); done(); };
    };
})"""


def keeps(page: Page, shelf: str, words: str) -> None:
    """Wait until these words are kept: whoever leaves the page sooner than any hand could takes them along."""
    holds = f"([shelf, words]) => ({READ})(shelf).then(all => all.join().includes(words))"
    page.wait_for_function(holds, arg=[shelf, words])


def empty(page: Page, shelf: str) -> None:
    """Wait until nothing is kept there any more."""
    page.wait_for_function(f"shelf => ({READ})(shelf).then(all => !all.length)", arg=shelf)
