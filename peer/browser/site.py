"""The site's settings: endpoint and ICE servers. The host sets them in `assets/site.json`; players may override them.

{"signaling": "", "ice": []}        no endpoint: devices are paired by two codes
{"signaling": "/signaling", "ice": [{"urls": "stun:stun.example.org"}]}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from engine import strict_json
from engine.core import Nonsense, Refused

LONGEST = 4_000
SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
WEBSOCKET = re.compile(r"\Aws(?=s?:)")  # in the scheme of an address, not elsewhere in it
SERVERS = ("stun:", "stuns:", "turn:", "turns:")


class OwnSite(NamedTuple):
    """The player's own settings, as typed. They replace those of the page's host, except where they are empty."""

    signaling: str = ""
    ice: str = ""
    relay_only: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    signaling: str = ""  # a complete address; empty: no endpoint
    ice: list[dict[str, Any]] = field(default_factory=list)
    relay_only: bool = False

    @property
    def has_turn(self) -> bool:
        """True if there is a TURN server: it can hide this device's address from the others."""
        return any("turn" in str(server.get("urls", "")) for server in self.ice)


def read_site(text: str, own: Mapping[str, Any], page: str) -> Site:
    """Returns the settings of the file, overridden by the player's own. Raises `Refused` for invalid settings."""
    settings = {**_fields(text), **{name: value for name, value in own.items() if value}}
    return Site(
        endpoint_address(settings.get("signaling", ""), page),
        check_servers(settings.get("ice", [])),
        bool(settings.get("relay_only")),
    )


def _fields(text: str) -> dict[str, Any]:
    try:
        fields = strict_json.loads(text, LONGEST)
    except Nonsense as nonsense:
        raise Refused("net.site") from nonsense
    if not isinstance(fields, dict) or not set(fields) <= {"signaling", "ice", "relay_only"}:
        raise Refused("net.site")
    return fields


def endpoint_address(value: Any, page: str) -> str:
    """Returns the endpoint's address as a WebSocket takes it; a relative one is resolved against the page's. Raises
    `Refused`."""
    if not isinstance(value, str) or len(value) > 300:
        raise Refused("net.site")
    if not value:
        return ""
    try:
        parts = urlsplit(urljoin(page.partition("#")[0], WEBSOCKET.sub("http", value)))
    except ValueError as error:
        raise Refused("net.site") from error
    if parts.scheme not in SCHEMES or not parts.netloc:
        raise Refused("net.site")
    return parts._replace(scheme=SCHEMES[parts.scheme], fragment="").geturl()


def allowed(endpoint: str, policy: str, page: str) -> bool:
    """Returns True if the page's content security policy allows connections to that endpoint."""
    sources = next((rule.split()[1:] for rule in policy.split(";") if rule.split()[:1] == ["connect-src"]), None)
    endpoint_parts, page_parts = urlsplit(endpoint), urlsplit(page)
    same_host = endpoint_parts.netloc == page_parts.netloc
    origins = {f"{endpoint_parts.scheme}:", f"{endpoint_parts.scheme}://{endpoint_parts.netloc}"}
    return sources is None or (same_host and "'self'" in sources) or not origins.isdisjoint(sources)


def parse_servers(text: str) -> list[dict[str, Any]]:
    """Returns the ICE servers that a player typed: `turn:meet.example:3478 name password`, separated by semicolons.
    Raises `Refused`."""
    listed: list[dict[str, Any]] = []
    for part in text.split(";"):
        words = part.split()
        if len(words) not in (0, 1, 3):
            raise Refused("net.ice")
        if words:
            listed.append(dict(zip(("urls", "username", "credential"), words, strict=False)))
    try:
        return check_servers(listed)
    except Refused as refused:
        raise Refused("net.ice") from refused


def check_servers(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or len(value) > 8:
        raise Refused("net.site")
    checked: list[dict[str, Any]] = []
    for server in value:
        if not isinstance(server, dict) or not set(server) <= {"urls", "username", "credential"}:
            raise Refused("net.site")
        urls = server.get("urls")
        url_list = urls if isinstance(urls, list) else [urls]
        if not url_list or not all(isinstance(url, str) and url.startswith(SERVERS) for url in url_list):
            raise Refused("net.site")
        has_login = all(isinstance(server.get(name), str) and server[name] for name in ("username", "credential"))
        if not has_login and any(str(url).startswith("turn") for url in url_list):
            raise Refused("net.ice")  # browsers accept no TURN server without name and password
        checked.append(server)
    return checked
