"""Where the page may connect: to the endpoint that the build knows and the one the player names, or to any if it knows
none."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import ANY_PORT, NewContext, wait_until_ready
from e2e.guard import Guard
from e2e.rooms import Person
from signaling.embedded import Embedded
from tools import build, serve, signaling_proxy
from tools import page as build_steps

Build = Callable[[str, str], str]

#: tries to connect, and returns the directive that forbids it
BLOCKED = """address => new Promise(done => {
    document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective), {once: true});
    new WebSocket(address);
})"""


@pytest.fixture
def build_that_knows(dist: Path) -> Iterator[Build]:
    """Returns a function that makes the site as the build does if assets/site.json names an endpoint: it is given the
    site's address and that endpoint, and returns the address of the new site on the same host."""
    folders: list[Path] = []

    def make(site: str, endpoint: str) -> str:
        folder = dist.with_name(f"knows-{len(folders)}")
        shutil.copytree(dist, folder, copy_function=os.link)
        folders.append(folder)
        before = (dist / "index.html").read_bytes()
        after = build_steps.with_endpoint(before.decode(), endpoint).encode()
        worker = (dist / "sw.js").read_text("utf-8").replace(build.integrity(before), build.integrity(after))
        for name, data in {"index.html": after, "sw.js": worker.encode()}.items():
            (folder / name).unlink()
            (folder / name).write_bytes(data)
        return site.replace(f"/{dist.name}/", f"/{folder.name}/")

    yield make
    for folder in folders:
        shutil.rmtree(folder)


def open_without_app(context: BrowserContext, site: str, own: str = "") -> Page:
    page = context.new_page()
    page.route("**/assets/vendor/pyscript-*/**", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.add_init_script(f"localStorage.setItem('endpoint', '{own}')")
    page.goto(site)
    return page


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Another host: it accepts connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        yield listener


def address_of(listener: socket.socket) -> str:
    return f"wss://127.0.0.1:{listener.getsockname()[1]}"


def reaches(page: Page, listener: socket.socket) -> bool:
    """Returns True once the page has begun an encrypted connection to that host."""
    page.evaluate("address => void new WebSocket(address)", f"{address_of(listener)}/signaling")
    connection, _ = listener.accept()
    with connection:
        return connection.recv(1) == b"\x16"  # the first byte of a TLS handshake


def test_without_a_known_endpoint_the_page_may_connect_to_any_encrypted_one(
    context: BrowserContext, site: str, guard: Guard, listener: socket.socket
) -> None:
    """The host may name one after the build, in assets/site.json, and players may name their own."""
    guard.allow("WebSocket connection to")
    guard.expect("console: .*Content Security Policy")
    page = open_without_app(context, site)
    assert reaches(page, listener)
    assert page.evaluate(BLOCKED, "ws://elsewhere.invalid/") == "connect-src"


@pytest.mark.parametrize("known", ["/signaling", "wss://meet.example/signaling", "https://meet.example:8443"])
def test_with_a_known_endpoint_the_page_may_connect_to_no_other(
    context: BrowserContext, site: str, guard: Guard, build_that_knows: Build, known: str
) -> None:
    guard.expect("console: .*Content Security Policy")
    site = build_that_knows(site, known)
    page = open_without_app(context, site)
    for other in ("wss://elsewhere.invalid/", "wss://meet.example:9999/", "wss://127.0.0.1:9/"):
        assert page.evaluate(BLOCKED, other) == "connect-src"
    assert page.evaluate("fetch('version.json').then(answer => answer.ok)")


def test_the_known_endpoint_is_allowed(
    context: BrowserContext, site: str, guard: Guard, build_that_knows: Build, listener: socket.socket
) -> None:
    guard.allow("WebSocket connection to")
    site = build_that_knows(site, f"{address_of(listener)}/signaling")
    assert reaches(open_without_app(context, site), listener)


@pytest.mark.parametrize("scheme", ["wss", "https"])
def test_beside_the_known_endpoint_only_the_players_own_is_allowed(
    context: BrowserContext, site: str, guard: Guard, build_that_knows: Build, listener: socket.socket, scheme: str
) -> None:
    guard.allow("WebSocket connection to")
    guard.expect("console: .*Content Security Policy")
    site = build_that_knows(site, "/signaling")
    page = open_without_app(context, site, address_of(listener).replace("wss", scheme))
    assert reaches(page, listener)
    assert page.evaluate(BLOCKED, "wss://127.0.0.1:9/") == "connect-src"


@pytest.mark.parametrize("own", ["nonsense", "wss://[", "ws://elsewhere.invalid", "wss://a;script-src *", "ftp://a"])
def test_an_own_endpoint_that_is_no_encrypted_address_allows_nothing_more(
    context: BrowserContext, site: str, guard: Guard, build_that_knows: Build, own: str
) -> None:
    guard.expect("console: .*Content Security Policy")
    site = build_that_knows(site, "/signaling")
    page = open_without_app(context, site, own)
    assert page.evaluate(BLOCKED, f"{own if own.startswith('ws:') else 'wss://elsewhere.invalid'}/") == "connect-src"


def test_an_own_endpoint_may_be_named_by_its_ipv6_address(
    context: BrowserContext, site: str, guard: Guard, build_that_knows: Build
) -> None:
    """A policy has no words for such a host, so then it allows every encrypted one."""
    guard.allow("WebSocket connection to")
    site = build_that_knows(site, "/signaling")
    page = open_without_app(context, site, "wss://[::1]:9/signaling")
    outcome = "address => new Promise(done => { new WebSocket(address).onerror = ({type}) => done(type); })"
    assert page.evaluate(outcome, "wss://[::1]:9/signaling") == "error"


@pytest.fixture
def own_endpoint(site_with_endpoint: str, tmp_path: Path) -> Iterator[str]:
    """A player's own endpoint: encrypted, and at another address than the page."""
    page_origin = site_with_endpoint.rpartition("/")[0].rpartition("/")[0]
    endpoint = Embedded([page_origin])
    server = serve.open_server(tmp_path, ANY_PORT, lambda: None)
    server.signaling = endpoint.start()
    server.handle_error = lambda *_: None  # browsers ask once more for a certificate that they do not know
    server.socket = tls(tmp_path).wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = serve.start(server)
    yield f"wss://127.0.0.1:{server.server_port}{signaling_proxy.PATH}"
    endpoint.stop()
    server.shutdown()
    server.server_close()
    thread.join()


def tls(folder: Path) -> ssl.SSLContext:
    """Returns a server's TLS context with a certificate that it has signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key").write_bytes(private + certificate.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "key")
    return context


def name_endpoint(page: Page, address: str) -> None:
    """Names the player's own endpoint in the settings."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("By link, the meeting point's address").fill(address)
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def sockets_of(page: Page) -> Callable[[], set[str]]:
    """Returns a function that returns the addresses of all WebSockets that the page has opened since."""
    found: set[str] = set()
    page.on("websocket", lambda socket: found.add(socket.url))
    return lambda: found


def test_a_table_is_opened_and_joined_through_the_players_own_endpoint(
    new_context: NewContext, site_with_endpoint: str, own_endpoint: str, build_that_knows: Build
) -> None:
    """A new address counts once the page is loaded again. Who opens a table is told so; a link loads the page itself,
    because nothing is lost by that."""
    host, guest = (Person(new_context(ignore_https_errors=True)) for _ in range(2))
    sockets = [sockets_of(person.page) for person in (host, guest)]
    site = build_that_knows(site_with_endpoint, "/signaling")
    for person in (host, guest):
        person.page.goto(site)
        wait_until_ready(person.page)
        name_endpoint(person.page, own_endpoint)
    host.page.get_by_role("button", name="Play by link").click()
    expect(host.page.get_by_role("alert")).to_contain_text("once it is loaded again")
    link = host.open_table("p,p", site)
    guest.follow_link(link)
    guest.sit(1)
    assert guest.page.url == link
    host.page.get_by_role("button", name="Begin").click()
    for person in (host, guest):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    assert [found() for found in sockets] == [{own_endpoint}, {own_endpoint}]


def test_an_endpoint_that_is_not_encrypted_is_refused_with_a_sentence(
    new_context: NewContext, site_with_endpoint: str, build_that_knows: Build
) -> None:
    """Also after the page is loaded again: then it must not be loaded over and over."""
    person = Person(new_context())
    site = build_that_knows(site_with_endpoint, "/signaling")
    person.page.goto(site)
    wait_until_ready(person.page)
    name_endpoint(person.page, "ws://elsewhere.invalid/signaling")
    for _ in range(2):
        person.follow_link(f"{site}#r={'A' * 12}.{'a' * 24}")
        expect(person.page.get_by_role("alert")).to_contain_text(re.compile("may not speak to elsewhere.invalid"))
        person.page.goto("about:blank")
