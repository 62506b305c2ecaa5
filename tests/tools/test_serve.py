"""The server of `make play`: content types, caching, ports, and a page that is rebuilt when the sources change."""

import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from tests.malformed import ENDPOINT, MALFORMED, status_line
from tools import serve
from tools.paths import ToolError

TYPES = {
    "index.html": "text/html; charset=utf-8",
    "app-0123abcd.zip": "application/zip",
    "version.json": "application/json",
    "manifest.webmanifest": "application/manifest+json",
    "assets/boot-0123abcd.js": "text/javascript; charset=utf-8",
    "assets/style/table.css": "text/css; charset=utf-8",
    "assets/art/sprite.svg": "image/svg+xml",
    "assets/vendor/pyodide-0123abcd/pyodide.mjs": "text/javascript; charset=utf-8",
    "assets/vendor/pyodide-0123abcd/pyodide.asm.wasm": "application/wasm",
    "assets/vendor/fonts-0123abcd/a.woff2": "font/woff2",
}
LASTING = [name for name in TYPES if "-0123abcd" in name]


class Builds:
    """A build function that counts its calls, and raises `fault` if that is set."""

    def __init__(self) -> None:
        self.count = 0
        self.fault: ToolError | None = None

    def __call__(self) -> None:
        self.count += 1
        if self.fault:
            raise self.fault


@pytest.fixture
def builds() -> Builds:
    return Builds()


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    for name in TYPES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"this is {name}")
    return tmp_path


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def server(dist: Path, builds: Builds, free_port: int) -> Iterator[serve.Server]:
    with serve.open_server(dist, free_port, builds) as server:
        thread = serve.start(server)
        yield server
        server.shutdown()
        thread.join()


def ask(server: serve.Server, address: str, **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.request("GET", address, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


@pytest.mark.parametrize("name", TYPES)
def test_every_file_is_served_with_its_content_type(server: serve.Server, name: str) -> None:
    answer, body = ask(server, f"/{name}")
    assert (answer.status, answer.headers["Content-Type"]) == (200, TYPES[name])
    assert body.decode() == f"this is {name}"


@pytest.mark.parametrize("name", TYPES)
def test_only_files_with_hashed_names_are_cached_for_ever(server: serve.Server, name: str) -> None:
    wanted = serve.CACHE_FOREVER if name in LASTING else serve.REVALIDATE
    assert ask(server, f"/{name}")[0].headers["Cache-Control"] == wanted


def test_the_service_worker_is_not_served(server: serve.Server, dist: Path) -> None:
    (dist / "sw.js").write_text("")
    assert ask(server, "/sw.js")[0].status == 404


def test_an_unchanged_file_is_not_sent_again(server: serve.Server, dist: Path) -> None:
    tag = ask(server, "/version.json")[0].headers["ETag"]
    same, body = ask(server, "/version.json", **{"If-None-Match": tag})
    assert (same.status, body, same.headers["ETag"]) == (304, b"", tag)
    (dist / "version.json").write_text("this is a newer version.json")
    newer, body = ask(server, "/version.json", **{"If-None-Match": tag})
    assert (newer.status, body) == (200, b"this is a newer version.json")


def test_only_a_request_for_the_page_starts_a_build(server: serve.Server, builds: Builds) -> None:
    ask(server, "/")
    ask(server, "/index.html?again")
    assert builds.count == 2
    ask(server, "/version.json")
    assert builds.count == 2


def test_a_failed_build_is_shown_in_the_page(server: serve.Server, builds: Builds) -> None:
    builds.fault = ToolError("ui/main.py, line 3: invalid <syntax>")
    answer, body = ask(server, "/")
    assert answer.status == 500
    assert b"ui/main.py, line 3: invalid &lt;syntax&gt;" in body


@pytest.mark.parametrize("address", ["/nothing.js", "/assets/", "/../tools/serve.py"])
def test_a_missing_file_is_not_found(server: serve.Server, address: str) -> None:
    assert ask(server, address)[0].status == 404


@pytest.mark.parametrize("request_", [*MALFORMED.values(), ENDPOINT], ids=[*MALFORMED, "endpoint"])
def test_a_malformed_request_gets_a_400_and_prints_no_traceback(
    server: serve.Server, request_: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """A null byte in the path ended the connection without a response, and printed a traceback."""
    assert status_line(server.server_port, request_).startswith("HTTP/1.1 400 ")
    assert "Traceback" not in capfd.readouterr().err
    assert ask(server, "/version.json")[0].status == 200


@pytest.mark.parametrize(("size", "status"), [(5_000, "404 "), (70_000, "414 ")], ids=["for a file", "for a request"])
def test_an_address_that_is_too_long_is_refused(
    server: serve.Server, size: int, status: str, capfd: pytest.CaptureFixture[str]
) -> None:
    request = f"GET /{'a' * size} HTTP/1.1\r\nHost: localhost\r\n"
    assert status_line(server.server_port, request.encode()).startswith(f"HTTP/1.1 {status}")
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "play.example.org"])
def test_requests_of_browsers_and_old_clients_are_served(server: serve.Server, host: str) -> None:
    request = f"GET /version.json?a=%00&b=%E9 HTTP/1.1\r\nHost: {host}\r\nCookie: a=\xe9;\tb\r\n"
    assert status_line(server.server_port, request.encode("latin-1")) == "HTTP/1.1 200 OK"
    assert status_line(server.server_port, b"GET /version.json HTTP/1.0\r\n") == "HTTP/1.1 200 OK"


def test_a_taken_port_is_reported_and_the_next_free_one_is_used(
    dist: Path, builds: Builds, server: serve.Server, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve.open_server(dist, server.server_port, builds) as second:
        assert second.server_port > server.server_port
    assert f"Port {server.server_port} is taken, trying {server.server_port + 1}" in capsys.readouterr().out


def test_an_error_is_raised_if_no_port_is_free(
    dist: Path, builds: Builds, server: serve.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "TRIES", 1)
    with pytest.raises(ToolError, match=f"No free port from {server.server_port}"):
        serve.open_server(dist, server.server_port, builds)


def test_only_a_change_starts_a_rebuild(tmp_path: Path, builds: Builds) -> None:
    (tmp_path / "a.py").write_text("one")
    rebuild = serve.Rebuild(lambda: sorted(tmp_path.glob("*.py")), builds)
    rebuild()
    assert builds.count == 0
    (tmp_path / "a.py").write_text("three")
    rebuild()
    rebuild()
    assert builds.count == 1
    (tmp_path / "b.py").write_text("new")
    rebuild()
    assert builds.count == 2
    (tmp_path / "b.py").unlink()
    rebuild()
    assert builds.count == 3


def test_a_failed_build_is_retried(tmp_path: Path, builds: Builds) -> None:
    (tmp_path / "a.py").write_text("one")
    rebuild = serve.Rebuild(lambda: [*tmp_path.glob("*.py")], builds)
    (tmp_path / "a.py").write_text("broken")
    builds.fault = ToolError("broken")
    for _ in range(2):
        with pytest.raises(ToolError, match="broken"):
            rebuild()
    assert builds.count == 2


@pytest.mark.parametrize(("error", "told"), [(ConnectionResetError, ""), (BrokenPipeError, ""), (KeyError, "KeyError")])
def test_a_closed_connection_prints_no_traceback(
    error: type[Exception], told: str, server: serve.Server, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        raise error
    except error:
        server.handle_error(None, ("127.0.0.1", 1))
    err = capsys.readouterr().err
    assert (told in err) if told else err == ""
