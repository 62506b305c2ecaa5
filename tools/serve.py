"""The server of `make play`: the page on localhost, with correct content types and caching, rebuilt when a source has
changed.

`make play` runs everything a table needs in one process. The page's server runs in a thread of its own (`start`), so
that the signaling endpoint can run beside it; the page gets its address from /assets/site.json.
"""

import errno
import hashlib
import json
import os
import re
import sys
import threading
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, cast

from signaling.well_formed import is_well_formed
from tools import signaling_proxy
from tools.paths import ToolError, report

CACHE_FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
PAGES = ("/", "/index.html")
SITE_SETTINGS = "/assets/site.json"
TRIES = 50
HTTP = 80
NAMED_BY_CONTENT = re.compile(r"-[0-9a-f]{8}[./]")
# Not served: this page is rebuilt from its sources, so no service worker must store it
WORKER = "/sw.js"

Refresh = Callable[[], None]


def cache_control(address: str) -> str:
    """Returns the Cache-Control header. A file with a hash in its address never changes; others are revalidated."""
    return CACHE_FOREVER if NAMED_BY_CONTENT.search(address) else REVALIDATE


class ETags:
    """ETags by content. Each is computed once, until the file's time or size changes."""

    def __init__(self) -> None:
        self._cached: dict[Path, tuple[tuple[int, int], str]] = {}

    def of(self, path: Path) -> str:
        stat = path.stat()
        state = (stat.st_mtime_ns, stat.st_size)
        known = self._cached.get(path)
        if known is None or known[0] != state:
            known = (state, f'"{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}"')
            self._cached[path] = known
        return known[1]


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    default_request_version = "HTTP/1.1"  # of a line that names none; older answers have no status line
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".mjs": "text/javascript; charset=utf-8",
        ".mo": "application/octet-stream",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".whl": "application/zip",
        ".woff2": "font/woff2",
        ".zip": "application/zip",
    }

    def __init__(self, *args: Any, directory: Path, tags: ETags, refresh: Refresh) -> None:
        self.tags, self.refresh = tags, refresh
        super().__init__(*args, directory=str(directory))

    def handle_one_request(self) -> None:
        self.path = ""  # errors are also answered before the path is known
        super().handle_one_request()

    def parse_request(self) -> bool:
        """Answers a malformed request with a 400. Returns False then."""
        if not super().parse_request():
            return False
        # what follows a line that is no header is not read as headers, but as their payload
        complete = len(self.requestline.split()) == 3 and not self.headers.get_payload()
        needs_host = self.request_version != "HTTP/1.0"
        if complete and is_well_formed(self.path, self.headers.items(), needs_host=needs_host):
            return True
        self.path = ""
        self.send_error(HTTPStatus.BAD_REQUEST, "Not a valid request")
        return False

    def address(self) -> str:
        return self.path.partition("?")[0]

    def _served_file(self) -> Path | None:
        """Returns the file at the request's address; None if there is none."""
        path = Path(self.translate_path(self.path))
        try:
            path = path / "index.html" if path.is_dir() else path
            return path if self.path and path.is_file() else None
        except OSError:  # a name that is too long for a file
            return None

    def do_GET(self) -> None:
        signaling = cast("Server", self.server).signaling
        if signaling is not None and self.address() == signaling_proxy.PATH:
            signaling_proxy.forward(self, signaling)
        elif signaling is not None and self.address().endswith(SITE_SETTINGS):
            self._send_site_settings()
        elif self.address() == WORKER:
            self.send_error(HTTPStatus.NOT_FOUND, "Kept for a host whose files stay as they are")
        else:
            super().do_GET()

    def _send_site_settings(self) -> None:
        """Sends a site.json that names the signaling endpoint started beside this server."""
        body = json.dumps({"signaling": signaling_proxy.PATH, "ice": []}).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Rebuilds before it sends a page, and answers "not modified" if the browser's copy is still current."""
        if self.address() in PAGES:
            try:
                self.refresh()
            except ToolError as stop:
                self.send_error(HTTPStatus.INTERNAL_SERVER_ERROR, "The build failed", str(stop))
                return None
        file = self._served_file()
        if file is not None and self.headers.get("If-None-Match") == self.tags.of(file):
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.end_headers()
            return None
        return super().send_head()

    def end_headers(self) -> None:
        file = self._served_file()
        if file is not None:
            self.send_header("ETag", self.tags.of(file))
        self.send_header("Cache-Control", cache_control(self.address()))
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        self.send_error(HTTPStatus.NOT_FOUND, "No such page")

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing: the terminal shows the page's address and errors, not every request."""

    def log_error(self, format: str, *args: object) -> None:
        report(f"{self.address_string()} {format % args}")


class Listener(ThreadingHTTPServer):
    """An HTTP server with a thread for each connection. A connection closed by the browser is no error."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def serve_forever(self, poll_interval: float = 0.05) -> None:
        """Serves until `shutdown` is called, which waits for one poll interval in seconds."""
        super().serve_forever(poll_interval)


class Server(Listener):
    # A second server on a taken port must fail, also on systems that would let both listen
    allow_reuse_port = False
    # The port of the signaling endpoint, if one runs beside the page
    signaling: int | None = None


def open_server(directory: Path, port: int, refresh: Refresh, host: str = "127.0.0.1") -> Server:
    """Returns a server on `port`, or on the next free port; then it prints that.

    Raises Stop if no port is free or the port cannot be used.
    """
    handler = partial(Handler, directory=directory, tags=ETags(), refresh=refresh)
    for candidate in range(port, port + TRIES):
        try:
            return Server((host, candidate), handler)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ToolError(f"Port {candidate} cannot be used: {error.strerror}.") from error
            report(f"Port {candidate} is taken, trying {candidate + 1} …")
    raise ToolError(f"No free port from {port} to {port + TRIES - 1}.")


def origins(port: int) -> list[str]:
    """Returns the origins that browsers on this machine send for the page. They leave out the default port."""
    end = "" if port == HTTP else f":{port}"
    return [f"http://{name}{end}" for name in ("localhost", "127.0.0.1")]


def start(server: Server) -> threading.Thread:
    thread = threading.Thread(target=server.serve_forever, name="page", daemon=True)
    thread.start()
    return thread


class Rebuild:
    """A callable that builds again if a watched file was changed, added or removed since the last successful build."""

    def __init__(self, watched: Callable[[], list[Path]], build: Refresh) -> None:
        self._watched, self._build = watched, build
        self._lock = threading.Lock()
        self._last_states = self._file_states()

    def _file_states(self) -> dict[Path, tuple[int, int]]:
        stats = ((path, path.stat()) for path in self._watched())
        return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in stats}

    def __call__(self) -> None:
        with self._lock:
            state = self._file_states()
            if state != self._last_states:
                report("Sources changed, building …")
                self._build()
                self._last_states = state
