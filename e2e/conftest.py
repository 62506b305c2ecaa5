"""The fixtures of the browser tests: one server, one browser, and pages whose errors fail the test.

Use in a test:
    page                a page that is watched by the guard
    site                the address of the served dist/, in a sub-folder, ends with /
    open_app            open_app("#play=razzia&seats=p,p,b1,b2&seed=abc"): goes there and waits until the page is ready
    tablet              a page on a tablet in portrait format, with touch
    screen              the page in each of the four sizes, one after the other
    site_with_endpoint  the address of a host with an endpoint, for tables by link; then the guard watches that host
    new_context         makes an empty context, as another device or another visit, with its options; it is kept for
                        later tests, so scripts that run first are those of a page: page.add_init_script
    new_phone           makes a context in a browser of its own, which can be suspended
    guard               guard.expect("words"): declares an error that this test causes on purpose
    figures             figures("razzia 12 ms"): adds a line to the end of the run and to the file of `make pace`
"""

import json
import os
import shutil
import threading
import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from e2e.contexts import Kept, KeptContexts
from e2e.guard import Guard
from signaling.embedded import Embedded
from tests.samples import without_case
from tools import browser as chromium
from tools import build, serve
from tools.engines import summary
from tools.paths import DIST

HERE = Path(__file__).parent
#: seconds that each test of this folder took; `make everything ARGS=--write-durations` measures all of them anew
DURATIONS = HERE / "durations.json"
SUB_FOLDER = "speakeasy"
ANY_PORT = 0  # one that no earlier host had, to which kept contexts may still be connected
NewContext = Callable[..., BrowserContext]
NewPhone = Callable[[], tuple[BrowserContext, Browser]]
SCREENS = {
    "phone": {"width": 390, "height": 844},
    "tablet": {"width": 820, "height": 1180},
    "tablet-wide": {"width": 1180, "height": 820},
    "desktop": {"width": 1440, "height": 900},
}
#: sizes with less room: older tablets in both orientations, and a phone in landscape format
MORE_SCREENS = {
    "small-tablet-wide": {"width": 1024, "height": 768},
    "small-tablet": {"width": 768, "height": 1024},
    "phone-lying": {"width": 844, "height": 390},
}
# Chromium cannot use its sandbox as root; the other flags keep it from contacting any host but ours
FLAGS = [
    "--no-sandbox",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-background-networking",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-features=WebRtcHideLocalIpsWithMdns,OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,"
    # the popup of the address bar, which is a page of its own and would be loaded for every page
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--disable-sync",
    "--metrics-recording-only",
    # see contexts.py
    "--process-per-site",
]
# the pages of tests live for seconds, and optimizing Python's interpreter would cost half of their start
SHORT_LIVED = "--js-flags=--wasm-tiering-budget=1000000000"
TIMEOUT = 60_000  # ms: long enough for a busy machine; nothing takes that long unless something is wrong

expect.set_options(timeout=TIMEOUT)


FIGURE = "figure"
ENGINE = "engine"  # a property of reports: the engine of a test, and its version
PACE_FILE = "SPEAKEASY_PACE"  # environment variable with the path of the file for the figures
PACE_HEADING = """# How fast the page answers

Written by `make pace`: one person and bots at each table, in headless Chromium. `b1` are easy bots, `b2` strong ones.
"at once" is the setting without pauses; "calm" is the default setting, measured at full tables. A tap is measured
until the frame that shows the answer. A picture is the time in which Python makes the whole view and patches it into
the page. The last two lines describe the machine and its load.
"""
# A fault of Chromium, not ours: on a busy machine about one start in a thousand crashes, with any page. A test that
# fails with it runs once more, and pytest's last line counts it
CRASHED = "Target crashed"


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    return partial(record_property, FIGURE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-durations", action="store_true", help="note how long each browser test took")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the figures that tests have measured, and writes them to the file of `make pace`.

    They are never asserted, because machines differ and are never idle. For comparison the last line says how fast this
    machine is right after the tests.
    """
    if terminalreporter.config.getoption("--write-durations"):
        write_durations(terminalreporter)
    report_engines(terminalreporter)
    reports = terminalreporter.getreports("passed")
    lines = [str(line) for report in reports for name, line in report.user_properties if name == FIGURE]
    if lines:
        seconds = min(timeit.repeat("for number in range(1_000_000): total += number", "total = 0", number=1))
        lines.append(f"a million additions in this Python: {1000 * seconds:.0f} ms")
    for line in lines:
        terminalreporter.write_line(line)
    if lines and (file := os.environ.get(PACE_FILE)):
        lines.append(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes at work, the browser's included")
        Path(file).write_text("\n".join((PACE_HEADING, "```", *lines, "```", "")), "utf-8")


def report_engines(reporter: pytest.TerminalReporter) -> None:
    """Says which engines were tested beside Chromium, and how to get those that are missing."""
    reports = [report for outcome in ("passed", "failed", "skipped") for report in reporter.getreports(outcome)]
    if any(report.nodeid.startswith("e2e/test_engines.py") for report in reports):
        tested = {str(value) for report in reports for name, value in report.user_properties if name == ENGINE}
        for line in summary(tested):
            reporter.write_line(line)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sorts the browser tests last, because while Playwright runs, no other event loop can start in the same process.
    The longest come first, so that none is still running when the other workers have nothing left to do."""
    measured = json.loads(DURATIONS.read_text("utf-8"))
    items.sort(
        key=lambda item: (True, -measured.get(without_case(item.nodeid), 0)) if _in_browser(item) else (False, 0)
    )
    for item in items:
        if _in_browser(item):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=CRASHED))


def _in_browser(item: pytest.Item) -> bool:
    return item.path.is_relative_to(HERE)


def write_durations(reporter: pytest.TerminalReporter) -> None:
    """Writes how long each browser test took: of one with several cases, the longest. Tests that did not run keep
    their old figures."""
    measured = json.loads(DURATIONS.read_text("utf-8"))
    longest: dict[str, int] = {}
    for report in reporter.getreports("passed"):
        test = without_case(report.nodeid)
        if test.startswith("e2e/") and round(report.duration) > longest.get(test, 0):
            longest[test] = round(report.duration)
    DURATIONS.write_text(json.dumps({**measured, **longest}, indent=1, sort_keys=True) + "\n", "utf-8")


class PlainHandler(SimpleHTTPRequestHandler):
    """Serves files like any static host: without headers of ours and without an error page of ours."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds dist/ and returns a copy of it, so that a later build does not change it during a test."""
    build.build_site()
    return Path(shutil.copytree(DIST, tmp_path_factory.mktemp("host") / SUB_FOLDER))


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    handler = partial(PlainHandler, directory=str(dist.parent))
    with serve.Listener(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{SUB_FOLDER}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def base_url(site: str) -> str:
    """The address that page.goto("./") opens: the plugin passes it to every context."""
    return site


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], playwright: Playwright) -> dict[str, Any]:
    path = chromium.find_browser(playwright.chromium.executable_path)
    return {**browser_type_launch_args, "executable_path": path, "args": [*FLAGS, SHORT_LIVED]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": SCREENS["tablet-wide"], "locale": "en"}


@contextmanager
def serve_with_endpoint(dist: Path) -> Iterator[str]:
    """Serves the page with a signaling endpoint, as `make play` does, and yields the page's address."""
    server = serve.open_server(dist.parent, ANY_PORT, lambda: None)
    endpoint = Embedded(serve.origins(server.server_port))
    server.signaling = endpoint.start()
    thread = serve.start(server)
    yield f"http://127.0.0.1:{server.server_port}/{dist.name}/"
    endpoint.stop()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def site_with_endpoint(dist: Path) -> Iterator[str]:
    """The address of a host with an endpoint, for tables by link."""
    with serve_with_endpoint(dist) as address:
        yield address


@pytest.fixture
def guard(request: pytest.FixtureRequest) -> Iterator[Guard]:
    """The guard for the host that this test uses."""
    guard = Guard(
        request.getfixturevalue("site_with_endpoint" if "site_with_endpoint" in request.fixturenames else "site")
    )
    yield guard
    guard.check()


@pytest.fixture
def new_phone(
    launch_browser: Callable[[], Browser], browser_context_args: dict[str, Any], guard: Guard
) -> Iterator[NewPhone]:
    """Makes contexts in browsers of their own, each of which can be suspended without the others."""
    browsers: list[Browser] = []

    def make() -> tuple[BrowserContext, Browser]:
        browsers.append(launch_browser())
        context = browsers[-1].new_context(**browser_context_args)
        context.set_default_timeout(TIMEOUT)
        guard.watch(context)
        return context, browsers[-1]

    yield make
    for browser in browsers:
        browser.close()


@pytest.fixture(scope="session")
def kept_contexts(browser: Browser, site: str) -> KeptContexts:
    return KeptContexts(browser, site)


@pytest.fixture
def new_context(
    kept_contexts: KeptContexts, browser_context_args: dict[str, Any], guard: Guard
) -> Iterator[NewContext]:
    """Makes contexts (another device, another visit), all empty and watched by the same guard."""
    taken: list[Kept] = []

    def make(**options: Any) -> BrowserContext:
        taken.append(kept_contexts.take({**browser_context_args, **options}))
        context = taken[-1].context
        context.set_default_timeout(TIMEOUT)
        guard.watch(context)
        return context

    yield make
    for kept in taken:
        kept_contexts.give_back(kept, guard.origins())
        guard.leave(kept.context)


@pytest.fixture
def context(new_context: NewContext) -> BrowserContext:
    return new_context()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def tablet(new_context: NewContext) -> Page:
    return new_context(viewport=SCREENS["tablet"], has_touch=True).new_page()


@pytest.fixture(params=SCREENS)
def screen(request: pytest.FixtureRequest, page: Page) -> Page:
    """The page, in turn in each of the four sizes."""
    page.set_viewport_size(SCREENS[request.param])
    return page


def wait_until_ready(page: Page) -> None:
    """Waits until Python has started and has taken over the page."""
    expect(page.locator("[data-ready]")).to_be_attached()


@pytest.fixture
def open_app(page: Page) -> Callable[[str], Page]:
    def go(fragment: str = "") -> Page:
        # a change of only the fragment does not reload the page
        page.goto("about:blank")
        page.goto(f"./{fragment}")
        wait_until_ready(page)
        return page

    return go
