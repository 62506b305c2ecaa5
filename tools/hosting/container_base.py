"""The base image of signaling/Containerfile: writes the digest of its version behind it, as its registry reports it.

A version names a base that its publisher may build again; a digest names one build of it.
"""

import hashlib
import ipaddress
import json
import re
from http import HTTPStatus
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from tools.paths import ROOT, ToolError, report, write_if_changed

CONTAINERFILE = ROOT / "signaling" / "Containerfile"
DIGEST = r"sha256:[0-9a-f]{64}"
FROM = re.compile(rf"^FROM ([^/\s]+)/([a-z0-9._/-]+):([\w][\w.-]*)(?:@{DIGEST})?$", re.MULTILINE)
#: the host that answers for a name under which images are known
REGISTRY_HOSTS = {"docker.io": "registry-1.docker.io"}
# The list of an image's builds for all processors first: its digest is right on every machine
MANIFESTS = (
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
)
CHALLENGE = re.compile(r'(\w+)="([^"]*)"')
PATIENCE = 20  # seconds
MOST_BYTES = 4 * 1024 * 1024


class Base(NamedTuple):
    """A base image: the registry's name, the image's name there, and its version (a tag)."""

    registry: str
    name: str
    tag: str

    def __str__(self) -> str:
        return f"{self.registry}/{self.name}:{self.tag}"


class Answer(NamedTuple):
    status: int
    headers: HTTPMessage
    body: bytes


def pin(containerfile: Path = CONTAINERFILE) -> None:
    """Writes the digest into the file. Raises `ToolError` and leaves the file as it is if no registry answers."""
    text = containerfile.read_text("utf-8")
    found = FROM.search(text)
    if found is None:
        raise ToolError(f"{containerfile} has to name its base as FROM registry/name:version.")
    base = Base(*found.groups())
    try:
        digest = fetch_digest(base)
    except (OSError, HTTPException, ValueError) as error:
        reason = error.reason if isinstance(error, URLError) else error
        raise ToolError(f"{base.registry} gave no digest of {base}, so the file stays as it is: {reason}.") from error
    line = f"FROM {base}@{digest}"
    write_if_changed(containerfile, (text[: found.start()] + line + text[found.end() :]).encode())
    report(f"{containerfile.name} now begins with {line}.")


def fetch_digest(base: Base) -> str:
    """Returns the digest of the image's manifest. Raises `OSError`, `HTTPException` or `ValueError`."""
    host = REGISTRY_HOSTS.get(base.registry, base.registry)
    address = f"{_scheme(host)}://{host}/v2/{base.name}/manifests/{quote(base.tag)}"
    accept = {"Accept": ", ".join(MANIFESTS)}
    answer = _fetch(address, accept)
    challenge = answer.headers.get("WWW-Authenticate", "")
    if answer.status == HTTPStatus.UNAUTHORIZED and challenge.startswith("Bearer "):
        answer = _fetch(address, {**accept, "Authorization": f"Bearer {_token(challenge)}"})
    if answer.status != HTTPStatus.OK:
        raise ValueError(f"it answered {answer.status}")
    digest = f"sha256:{hashlib.sha256(answer.body).hexdigest()}"
    if answer.headers.get("Docker-Content-Digest", digest) != digest:
        raise ValueError("the manifest and its digest do not agree")
    return digest


def _token(challenge: str) -> str:
    """Returns a token for reading: registries give one to everybody, from the address that their challenge names."""
    fields = dict(CHALLENGE.findall(challenge))
    realm = urlsplit(fields.pop("realm", ""))
    if realm.scheme != _scheme(realm.netloc):
        raise ValueError("its challenge names no address for a token")
    answer: Any = json.loads(_fetch(f"{realm.geturl()}?{urlencode(fields)}", {}).body)
    token = answer.get("token") or answer.get("access_token") if isinstance(answer, dict) else None
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise ValueError("it gave no token")
    return token


def _fetch(address: str, headers: dict[str, str]) -> Answer:
    try:
        response = urlopen(Request(address, headers=headers), timeout=PATIENCE)  # noqa: S310  (see _scheme)
    except HTTPError as error:
        response = error
    with response:
        body = response.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise ValueError("its answer is too long")
        return Answer(response.status, response.headers, body)


def _scheme(host: str) -> str:
    """Returns https; http for a registry on this machine."""
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return "http" if ipaddress.ip_address(name).is_loopback else "https"
    except ValueError:
        return "https"
