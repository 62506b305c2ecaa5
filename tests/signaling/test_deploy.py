"""signaling/deploy/: what can be run of its guide is run, and its compose file fits the endpoint's options."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import yaml

from signaling.__main__ import PORT, parse_options
from signaling.stun import PORT as STUN_PORT
from tests.signaling.conftest import ROOT, Program
from tests.signaling.people import TIMEOUT
from tools.hosting.container_base import FROM

DEPLOY = ROOT / "signaling" / "deploy"
GUIDE = (DEPLOY / "README.md").read_text("utf-8")
CONTAINERFILE = (ROOT / "signaling" / "Containerfile").read_text("utf-8")
IMAGE = "speakeasy-signaling-test"
PYTHON = ".venv/bin/python "


def commands() -> list[str]:
    """Returns the lines of the guide that are typed in a terminal."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", GUIDE, re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines()]


def endpoint_commands() -> list[str]:
    return [line.removeprefix(PYTHON) for line in commands() if line.startswith(f"{PYTHON}-m signaling ")]


def compose() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return parsed


def env_example() -> dict[str, str]:
    lines = (DEPLOY / "env.example").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


@contextmanager
def free_ports() -> Iterator[tuple[int, int]]:
    """Yields a free TCP port and a free UDP port."""
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        ports = tcp.getsockname()[1], udp.getsockname()[1]
    yield ports


def healthy(url: str) -> bool:
    with urllib.request.urlopen(url, timeout=TIMEOUT) as response:
        return bool(json.loads(response.read())["status"] == "ok")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_commands_for_a_python_process_start_check_and_stop_it(stop: signal.Signals) -> None:
    start, near = (line for line in endpoint_commands() if "127.0.0.1" in line)
    curl = next(line for line in commands() if line.startswith("curl "))
    with free_ports() as (port, stun_port):
        ours = {str(PORT): str(port), str(STUN_PORT): str(stun_port)}

    def with_our_ports(line: str) -> list[str]:
        return shlex.split(re.sub(rf"\b({'|'.join(ours)})\b", lambda found: ours[found[0]], line))

    program = Program(sys.executable, *with_our_ports(start))
    try:
        program.ready("Signaling at")
        assert healthy(with_our_ports(curl)[1])
        check = [sys.executable, *with_our_ports(near)]
        result = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, timeout=2 * TIMEOUT)
        assert result.returncode == 0, result.stdout + result.stderr
        assert "sees this machine as 127.0.0.1" in result.stdout
        program.signal(stop)
        assert program.wait() == 0
    finally:
        program.kill()


def test_every_command_of_the_guide_has_options_that_exist() -> None:
    typed = [*endpoint_commands(), *re.findall(r"\| `python (-m signaling [^`]*)` \|", GUIDE)]
    assert len(typed) == 4
    for line in typed:
        parsed = parse_options(shlex.split(line.replace("$PORT", "10000"))[2:])
        assert parsed.origins == ["https://play.example.org"]


def test_every_file_that_a_command_of_the_guide_uses_is_there() -> None:
    named = {word for line in commands() for word in shlex.split(line) if re.match(r"(signaling|requirements)/", word)}
    assert named == {"requirements/signaling.txt", "signaling/deploy", "signaling/deploy/speakeasy-signaling.service"}
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_the_settings_in_the_guide_are_settings_of_the_page() -> None:
    from peer.browser.site import read_site

    site = read_site(re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)[0].strip(), {}, "https://play.example.org/")
    assert site.signaling == "wss://meet.example.org/"
    assert site.ice == [{"urls": f"stun:meet.example.org:{STUN_PORT}"}]


def test_the_compose_file_starts_the_endpoint_with_valid_options_behind_its_proxy() -> None:
    services = compose()["services"]
    endpoint, proxy = services["endpoint"], services["proxy"]
    build = endpoint["build"]
    context = (DEPLOY / build["context"]).resolve()
    assert context == ROOT
    assert (context / build["dockerfile"]).is_file()

    start = next(line for line in CONTAINERFILE.splitlines() if line.startswith("CMD ")).replace('\\"', '"')
    words = shlex.split(start.partition(" -m signaling ")[2].removesuffix('"]'))
    filled = {"$ORIGINS": [env_example()["ORIGINS"]], "$OPTIONS": shlex.split(endpoint["environment"]["OPTIONS"])}
    given = parse_options([part for word in words for part in filled.get(word, [word])])
    assert (given.host, given.port, given.proxies, given.stun) == ("127.0.0.1", PORT, 1, STUN_PORT)
    # without a proxy's word, nobody reaches the endpoint and names an address of somebody else
    assert proxy["command"].endswith(f" --to {given.host}:{given.port}")
    assert {service["network_mode"] for service in services.values()} == {"host"}


def test_the_compose_file_names_exact_versions_and_settings_that_the_example_has() -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert set(re.findall(r"\$\{(\w+):\?", text)) == env_example().keys()
    images = [service["image"] for service in compose()["services"].values() if "image" in service]
    assert images
    assert [
        image for image in images if not re.fullmatch(r"[\w./-]+:\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?", image)
    ] == []


def test_the_guide_names_the_ports_that_are_used() -> None:
    assert f"UDP {STUN_PORT}" in GUIDE
    assert f"port {PORT}" in GUIDE


def container_builder() -> str:
    """Returns a builder that has the base image of the container. Skips the test where there is none, or no base."""
    found = FROM.search(CONTAINERFILE)
    assert found is not None
    base = "{}/{}:{}".format(*found.groups())
    builders = [name for name in ("podman", "docker") if shutil.which(name)]
    working = [name for name in builders if not subprocess.run([name, "info"], capture_output=True).returncode]
    if not working:
        pytest.skip("the container was not built: neither Podman nor Docker runs here")
    for name in working:
        if not subprocess.run([name, "image", "inspect", base], capture_output=True).returncode:
            return name
    pytest.skip(f"the container was not built: its base {base} is not here (get it with {working[0]} pull)")


def test_the_container_starts_answers_and_stops() -> None:
    builder = container_builder()

    def run(*words: str) -> str:
        result = subprocess.run([builder, *words], cwd=ROOT, capture_output=True, text=True, timeout=40 * TIMEOUT)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout.strip()

    run("build", "-f", "signaling/Containerfile", "-t", IMAGE, ".")
    settings = ("-e", "ORIGINS=https://play.example.org", "-e", f"OPTIONS=--stun {STUN_PORT}")
    name = run("run", "--detach", "--read-only", "--publish", f"127.0.0.1::{PORT}", *settings, IMAGE)
    try:
        log = subprocess.Popen([builder, "logs", "--follow", name], stdout=subprocess.PIPE, text=True)
        with log:
            assert log.stdout is not None
            assert any("Signaling at" in line for line in log.stdout)
            log.terminate()
        address = run("port", name, str(PORT)).splitlines()[0]
        assert healthy(f"http://{address}/health")
        check = ("-m", "signaling", "--origins", "https://play.example.org", "--check", f"ws://{address}/")
        assert subprocess.run([sys.executable, *check], cwd=ROOT, timeout=2 * TIMEOUT).returncode == 0
        run("stop", name)
        assert run("inspect", "--format", "{{.State.ExitCode}}", name) == "0"
    finally:
        subprocess.run([builder, "rm", "--force", name], capture_output=True)
