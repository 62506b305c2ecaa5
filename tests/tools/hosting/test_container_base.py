"""The digest of the endpoint's base image: asked of a registry, here a small one on the loopback interface."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tools.hosting import container_base
from tools.hosting.container_base import CONTAINERFILE, FROM, MANIFESTS, Base, fetch_digest, pin
from tools.paths import ToolError

MANIFEST = json.dumps({"schemaVersion": 2, "mediaType": MANIFESTS[0], "manifests": []}).encode()
DIGEST = f"sha256:{hashlib.sha256(MANIFEST).hexdigest()}"
TOKEN = "readers-may"


class Registry(ThreadingHTTPServer):
    """A registry with one image, library/python:3.13.16. It asks for a token, as public registries do."""

    daemon_threads = True
    manifest, reported_digest = MANIFEST, DIGEST
    token: object = TOKEN
    realm = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server_port}"
        self.realm = f"http://{self.host}/token"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        registry = self.server
        assert isinstance(registry, Registry)
        if self.path == "/token?service=registry&scope=repository%3Alibrary%2Fpython%3Apull":
            self._send(200, {}, json.dumps({"token": registry.token}).encode())
        elif self.path != "/v2/library/python/manifests/3.13.16":
            self._send(404, {}, b"")
        elif self.headers["Authorization"] != f"Bearer {TOKEN}":
            challenge = f'Bearer realm="{registry.realm}",service="registry",scope="repository:library/python:pull"'
            self._send(401, {"WWW-Authenticate": challenge}, b"")
        else:
            assert self.headers["Accept"].split(", ") == [*MANIFESTS]
            self._send(200, {"Docker-Content-Digest": registry.reported_digest}, registry.manifest)

    def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


@pytest.fixture
def registry() -> Iterator[Registry]:
    with Registry() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def containerfile(tmp_path: Path, registry: Registry) -> Path:
    """The project's file, with a base from the small registry."""
    file = tmp_path / "Containerfile"
    text = CONTAINERFILE.read_text("utf-8")
    file.write_text(FROM.sub(f"FROM {registry.host}/library/python:3.13.16", text), "utf-8")
    return file


def test_the_base_is_named_by_exact_version() -> None:
    found = FROM.findall(CONTAINERFILE.read_text("utf-8"))
    assert len(found) == 1
    assert found[0][:2] == ("docker.io", "library/python")
    assert re.fullmatch(r"3\.\d+\.\d+-slim-[a-z]+", found[0][2])


def test_the_digest_is_written_behind_the_version(
    registry: Registry, containerfile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = containerfile.read_text("utf-8")
    pin(containerfile)
    line = f"FROM {registry.host}/library/python:3.13.16@{DIGEST}"
    assert containerfile.read_text("utf-8") == FROM.sub(line, before)
    assert line in capsys.readouterr().out


def test_a_newer_digest_replaces_the_old_one(registry: Registry, containerfile: Path) -> None:
    pin(containerfile)
    first = containerfile.read_text("utf-8")
    pin(containerfile)
    assert containerfile.read_text("utf-8") == first
    registry.manifest += b"\n"
    registry.reported_digest = f"sha256:{hashlib.sha256(registry.manifest).hexdigest()}"
    pin(containerfile)
    assert containerfile.read_text("utf-8") == first.replace(DIGEST, registry.reported_digest)


def test_where_no_registry_answers_a_sentence_says_so_and_the_file_stays(
    containerfile: Path, registry: Registry
) -> None:
    before = containerfile.read_bytes()
    registry.server_close()
    with pytest.raises(ToolError, match=r"127\.0\.0\.1:\d+ gave no digest of .*, so the file stays as it is: .*\.$"):
        pin(containerfile)
    assert containerfile.read_bytes() == before


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"reported_digest": "sha256:" + "0" * 64}, "do not agree"),
        ({"manifest": b"x" * (container_base.MOST_BYTES + 1)}, "too long"),
        ({"token": None}, "no token"),
        ({"token": "a\r\nb"}, "no token"),
        ({"token": "wrong"}, "401"),
        ({"realm": "file:///etc/passwd"}, "no address"),
        ({"realm": "http://auth.example.org/token"}, "no address"),
    ],
)
def test_a_registry_that_is_broken_or_lies_changes_nothing(
    registry: Registry, containerfile: Path, answers: dict[str, object], reason: str
) -> None:
    before = containerfile.read_bytes()
    for name, value in answers.items():
        setattr(registry, name, value)
    with pytest.raises(ToolError, match=reason):
        pin(containerfile)
    assert containerfile.read_bytes() == before


def test_an_unknown_version_is_reported(registry: Registry, containerfile: Path) -> None:
    containerfile.write_text(f"FROM {registry.host}/library/python:3.13.99\n", "utf-8")
    with pytest.raises(ToolError, match=r"3\.13\.99, so the file stays as it is: .*404"):
        pin(containerfile)


@pytest.mark.parametrize("line", ["FROM python:3.13-slim", "FROM docker.io/library/python", "RUN true"])
def test_a_base_without_registry_or_version_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "Containerfile").write_text(line)
    with pytest.raises(ToolError, match="FROM registry/name:version"):
        pin(tmp_path / "Containerfile")


def test_docker_io_is_asked_over_https(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def refuse(request: container_base.Request, timeout: int) -> None:
        asked.append(request.full_url)
        raise OSError("no network")

    monkeypatch.setattr(container_base, "urlopen", refuse)
    with pytest.raises(OSError, match="no network"):
        fetch_digest(Base("docker.io", "library/python", "3.13.16-slim"))
    assert asked == ["https://registry-1.docker.io/v2/library/python/manifests/3.13.16-slim"]
