"""Measures the time until the page can be used, compared with stock PyScript: `python -m bench.start`.

Both pages are served by the same kind of server and take turns, five times; every figure is a median. The page itself
records the moment at which it is ready. Stock PyScript is the package as npm has it; its first line of Python sets a
mark.

- Cold: a visit with a fresh profile. Warm: the next visit, with the browser's cache. Offline: the next visit without
  the host, by the service worker alone.
- First download: the files that a cold visit requests until it is ready, compressed with gzip -9.
- Worker: the start of a second Python in a worker, from nothing to ready.
- Longest task: on the page's main thread, until 1.5 seconds after it is ready.
"""

from __future__ import annotations

import gzip
import json
import shutil
import statistics
import tempfile
import threading
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from e2e.conftest import FLAGS
from tools import browser as chromium
from tools.paths import DIST, NODE_MODULES
from tools.serve import Listener

ROUNDS = 5
THROTTLE = 4
LONGEST_TASK = """new Promise(done => {
    let longest = 0;
    new PerformanceObserver(list => list.getEntries().forEach(e => longest = Math.max(longest, e.duration)))
        .observe({ type: "longtask", buffered: true });
    setTimeout(() => done(longest), 1500);
})"""
READY = """new MutationObserver((_, watch) => {
    if (!document.querySelector("[data-ready]")) return;
    window.readyAt = performance.now();
    watch.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] })"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
STOCK_PAGE = """<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="core/core.css">
<script type="module" src="core/core.js"></script></head><body><script type="py" config="./pyscript.toml">
from js import document
document.body.dataset.ready = ""
</script></body></html>"""
WORKER = """async () => {
    const start = performance.now();
    const worker = new Worker("bench-worker.js", { type: "module" });
    await new Promise(done => worker.onmessage = done);
    const took = performance.now() - start;
    worker.terminate();
    return took;
}"""


#: a worker that starts a second Python
WORKER_SCRIPT = 'import {{ loadPyodide }} from "./{home}pyodide.mjs"; await loadPyodide(); postMessage("awake");\n'
#: for each figure of ours the figure of stock PyScript that it is divided by, and the ratio we want
WANTED_RATIOS = {
    "cold": ("cold", 0.5),
    "warm": ("warm", 0.5),
    "offline": ("warm", 0.5),
    "first paint": ("cold", 0.1),
    "worker": ("worker", None),
    "first download, MB": ("first download, MB", None),
    "page's process, MB": ("page's process, MB", None),
}
#: upper limits of our figures
LIMITS = {
    "longest task cold, 4× slower": 1600,
    "longest task warm, 4× slower": 700,
    "first download, MB": 5.7,
    "page's process, MB": 250,
}


class QuietHandler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing: requests would get between the figures."""


class Host:
    """A static server that can be shut down during a test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = Listener(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def make_stock_page(folder: Path) -> Path:
    """Makes a page with unchanged PyScript and Pyodide, and returns its folder."""
    shutil.copytree(NODE_MODULES / "@pyscript" / "core" / "dist", folder / "core")
    shutil.copytree(NODE_MODULES / "pyodide", folder / "pyodide")
    (folder / "pyscript.toml").write_text('interpreter = "./pyodide/pyodide.mjs"\n')
    (folder / "index.html").write_text(STOCK_PAGE)
    (folder / "bench-worker.js").write_text(WORKER_SCRIPT.format(home="pyodide/"))
    return folder


def make_our_page(folder: Path) -> Path:
    made = Path(shutil.copytree(DIST, folder / "ours"))
    home = json.loads((made / "version.json").read_text("utf-8"))["folders"]["pyodide"]
    (made / "bench-worker.js").write_text(WORKER_SCRIPT.format(home=home))
    return made


def time_to_ready(page: Page, address: str) -> float:
    """Opens the page and returns the milliseconds from navigation until it is ready."""
    page.goto("about:blank")  # to open the same address again would be a reload
    page.goto(address)
    page.locator("[data-ready]").wait_for(state="attached", timeout=120_000)
    return float(page.evaluate("readyAt"))


@cache
def compressed_size(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def download(page: Page, host: Host) -> float:
    """Returns the size in MB of all files requested so far, each compressed.

    It uses the browser's own list, because listening to every request would slow the start down.
    """
    asked = [*page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)"), host.address]
    names = {urlsplit(url).path.lstrip("/") or "index.html" for url in asked if url.startswith(host.address)}
    files = (host.folder / name for name in names if (host.folder / name).is_file())
    return sum(map(compressed_size, files)) / 1e6


def memory(browser: Browser) -> float:
    """Returns the memory of the largest renderer process in MB (Linux only)."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    found = []
    for process in processes:
        rollup = Path(f"/proc/{process['id']}/smaps_rollup")
        if process["type"] == "renderer" and rollup.is_file():
            found += [int(line.split()[1]) / 1e3 for line in rollup.read_text().splitlines() if line.startswith("Pss:")]
    return max(found, default=0.0)


def measure_visit(browser: Browser, folder: Path, *, is_ours: bool) -> dict[str, float]:
    """Visits a page with a fresh profile: cold, warm, and offline if the page is ours. Returns the figures."""
    host = Host(folder)
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(READY)
    found = {
        "cold": time_to_ready(page, host.address),
        "first paint": float(page.evaluate(PAINT)),
        "first download, MB": download(page, host),
    }
    if is_ours:
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    found["page's process, MB"] = memory(browser)
    found["warm"] = time_to_ready(page, host.address)
    found["worker"] = float(page.evaluate(WORKER))
    host.close()
    if is_ours:
        found["offline"] = time_to_ready(page, host.address)
    context.close()
    return found


def measure_longest_tasks(browser: Browser, folder: Path) -> dict[str, float]:
    """Returns the longest task on the page's main thread, on a device four times slower."""
    host = Host(folder)
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(READY)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    found = {}
    for name in ("cold", "warm"):
        time_to_ready(page, host.address)
        found[f"longest task {name}, {THROTTLE}× slower"] = float(page.evaluate(LONGEST_TASK))
    context.close()
    host.close()
    return found


def main() -> None:
    runs: dict[str, list[dict[str, float]]] = {"Speakeasy": [], "stock PyScript": []}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = {"Speakeasy": make_our_page(Path(folder)), "stock PyScript": make_stock_page(Path(folder) / "stock")}
        path = chromium.find_browser(playwright.chromium.executable_path)
        for _ in range(ROUNDS):
            for name, home in pages.items():
                browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
                found = measure_visit(browser, home, is_ours=name == "Speakeasy")
                runs[name].append(found | measure_longest_tasks(browser, home))
                browser.close()
    show(runs)


def show(runs: dict[str, list[dict[str, float]]]) -> None:
    mine, theirs = ({n: statistics.median(run[n] for run in each) for n in each[0]} for each in runs.values())
    print(f"start in Chromium, ms, medians of {ROUNDS}: Speakeasy ready to play, stock PyScript at its first line")
    for name, value in mine.items():
        compared_with, wanted = WANTED_RATIOS.get(name, (name, None))
        goal = f" (wanted {wanted})" if wanted else ""
        limit = f"  at most {LIMITS[name]}" if name in LIMITS else ""
        ratio = f"ratio {value / theirs[compared_with]:5.2f}{goal}"
        print(f"  {name:30} {value:9,.2f}  stock {compared_with:30} {theirs[compared_with]:9,.2f}  {ratio}{limit}")


if __name__ == "__main__":
    main()
