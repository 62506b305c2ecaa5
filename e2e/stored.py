"""Reads and writes the page's store in IndexedDB directly, without the page's own code."""

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


def wait_until_stored(page: Page, shelf: str, words: str) -> None:
    """Waits until these words are stored: a test that leaves the page at once would lose them. A person is slower."""
    holds = f"([shelf, words]) => ({READ})(shelf).then(all => all.join().includes(words))"
    page.wait_for_function(holds, arg=[shelf, words])


def wait_until_empty(page: Page, shelf: str) -> None:
    """Waits until this object store is empty."""
    page.wait_for_function(f"shelf => ({READ})(shelf).then(all => !all.length)", arg=shelf)
