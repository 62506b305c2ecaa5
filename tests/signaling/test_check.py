"""`python -m signaling --check`: the real endpoint and STUN service on loopback, and each failure with its sentence."""

import asyncio
import json
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.asyncio.server import ServerConnection, serve

from signaling import stun
from signaling.__main__ import check, parse_options
from signaling.check import CheckFailed, check_endpoint, check_stun
from signaling.embedded import Embedded
from tests.signaling.people import PAGE, TIMEOUT, run_scene

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def port() -> Iterator[int]:
    endpoint = Embedded([PAGE])
    yield endpoint.start()
    endpoint.stop()


class FakeStun:
    """A UDP socket that answers with whatever `reply` makes of each request."""

    def __init__(self, *replies: bytes | None) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(TIMEOUT)
        self._replies = replies
        self.address = f"stun:127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "FakeStun":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        for reply in self._replies:
            packet, sender = self._socket.recvfrom(1000)
            self._socket.sendto(reply or stun.answer(packet, "203.0.113.9", 4000) or b"", sender)


def test_the_check_meets_itself_at_the_real_endpoint_and_leaves_no_device_there(port: int) -> None:
    asyncio.run(check_endpoint(f"ws://127.0.0.1:{port}/", PAGE))


def test_the_check_as_a_program(port: int) -> None:
    command = [sys.executable, "-m", "signaling", "--check", f"ws://127.0.0.1:{port}/", "--origins"]
    good = subprocess.run([*command, PAGE], cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT)
    assert (good.returncode, good.stderr) == (0, "")
    assert f"as pages of {PAGE}" in good.stdout
    bad = subprocess.run([*command, "https://evil.example"], cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT)
    assert (bad.returncode, bad.stderr) == (1, "")
    assert "--origins" in bad.stdout


def test_an_endpoint_that_lists_its_pages_fails_the_check_for_all_pages(
    port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(f"ws://127.0.0.1:{port}/", ["*"], []) == 1
    assert "every origin" in capsys.readouterr().out


def test_stun_is_tested_with_the_endpoint(port: int, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeStun(None) as service:
        assert check(f"ws://127.0.0.1:{port}/", [PAGE], [service.address]) == 0
        assert "sees this machine as 203.0.113.9" in capsys.readouterr().out


def test_a_lost_packet_and_a_forged_answer_do_not_fail_the_check() -> None:
    with FakeStun(b"nonsense", None) as service:
        assert check_stun(service.address, (TIMEOUT, TIMEOUT)) == "203.0.113.9"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("stun:", "write it as stun:"),
        ("turn:127.0.0.1:3478", "write it as stun:"),
        ("stun:127.0.0.1:99999", "write it as stun:"),
        ("stun:no-such-host.invalid", "DNS"),
        (f"stun:{'a' * 70}.example", "DNS"),
    ],
)
def test_an_invalid_stun_address_is_refused_with_a_sentence(address: str, says: str) -> None:
    with pytest.raises(CheckFailed, match=says):
        check_stun(address)


def test_a_stun_service_that_does_not_answer_fails_with_a_sentence() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        with pytest.raises(CheckFailed, match="UDP to port"):
            check_stun(f"stun:127.0.0.1:{silent.getsockname()[1]}", (0.01, 0.01))


def test_a_stun_service_behind_a_containers_network_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would tell all devices the same address, one at which nobody reaches them."""
    seen = ip_address("198.41.0.4"), ip_address("10.0.2.100")
    monkeypatch.setattr(stun, "ask", lambda *_: seen)
    with pytest.raises(CheckFailed, match="own network"):
        check_stun("stun:198.41.0.4")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("https://meet.example.org", "write it as wss://"),
        ("wss://", "write it as wss://"),
        ("ws://[", "write it as wss://"),
        ("ws://127.0.0.1:99999/", "right port"),
        (f"ws://{'a' * 70}.example/", "DNS"),
        ("ws://no-such-host.invalid/", "DNS"),
    ],
)
def test_an_invalid_address_is_refused_with_a_sentence(address: str, says: str) -> None:
    with pytest.raises(CheckFailed, match=says):
        asyncio.run(check_endpoint(address, PAGE))


def test_nothing_at_the_port_fails_with_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(CheckFailed, match="start the endpoint"):
        asyncio.run(check_endpoint(f"ws://127.0.0.1:{port}/", PAGE))


def test_an_endpoint_without_tls_fails_with_a_sentence(port: int) -> None:
    with pytest.raises(CheckFailed, match="proxy with TLS"):
        asyncio.run(check_endpoint(f"wss://127.0.0.1:{port}/", PAGE))


def test_a_certificate_that_browsers_refuse_fails_with_a_sentence(tmp_path: Path) -> None:
    """Regression test: Python's error for it is a ValueError too, and was taken for an invalid address."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "meet.example.org")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    pem = tmp_path / "own.pem"
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    certificate = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    pem.write_bytes(key.private_bytes(*plain) + certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)

    async def nothing(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async def scene() -> None:
        async with serve(nothing, "127.0.0.1", 0, ssl=context) as server:
            with pytest.raises(CheckFailed, match=r"certificate of 127\.0\.0\.1 is not valid"):
                await check_endpoint(f"wss://127.0.0.1:{server.sockets[0].getsockname()[1]}/", PAGE)

    run_scene(scene())


def test_a_page_in_place_of_the_endpoint_fails_with_a_sentence(port: int) -> None:
    with pytest.raises(CheckFailed, match="answers 200"):
        asyncio.run(check_endpoint(f"ws://127.0.0.1:{port}/health", PAGE))


def test_a_server_that_says_nothing_fails_with_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(CheckFailed, match="did not finish"):
        asyncio.run(check_endpoint(f"ws://127.0.0.1:{silent.getsockname()[1]}/", PAGE, within=0.05))


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("hello", "no endpoint of Speakeasy"),
        ("[" * 50, "no endpoint of Speakeasy"),
        (json.dumps(["room"]), "no endpoint of Speakeasy"),
        (json.dumps(["err", "wait"]), "in a minute"),
        (b"\0", "no endpoint of Speakeasy"),
        ("x" * 20_000, "closed the connection"),
    ],
)
def test_another_websocket_server_fails_with_a_sentence(reply: str | bytes, says: str) -> None:
    async def one(connection: ServerConnection) -> None:
        async for _ in connection:
            await connection.send(reply)

    async def scene() -> None:
        async with serve(one, "127.0.0.1", 0) as server:
            with pytest.raises(CheckFailed, match=says):
                await check_endpoint(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/", PAGE)

    run_scene(scene())


def test_ice_without_check_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_options(["--origins", "*", "--ice", "stun:127.0.0.1"])
    assert "--stun PORT" in capsys.readouterr().err


def test_a_stun_port_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_options(["--origins", "*", "--stun", "70000"])
    assert "no port 70000" in capsys.readouterr().err
