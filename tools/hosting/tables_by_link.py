"""The line of `make site` about tables by link: what assets/site.json lacks for them; and the options of its check."""

from __future__ import annotations

from urllib.parse import urlsplit

from engine.core import Refused
from peer.browser.site import Site, read_site
from tools.paths import ToolError

SETTINGS = "assets/site.json"
GUIDE = "signaling/deploy/README.md"
ANY_PAGE = "https://play.example.org/"


def read_settings(text: str, page: str = ANY_PAGE) -> Site:
    """Returns the settings as the page at that address reads them. Raises `ToolError`."""
    try:
        return read_site(text, {}, page)
    except Refused as refused:
        raise ToolError(f"{SETTINGS} cannot be read by the page; signaling/README.md shows its form.") from refused


def stun_addresses(site: Site) -> list[str]:
    lists = (url if isinstance(url := server["urls"], list) else [url] for server in site.ice)
    return [address for urls in lists for address in urls if address.startswith("stun:")]


def summary(site: Site) -> str:
    """Returns one line that says what is missing for tables by link, and what that means for guests."""
    lacks = ([] if site.signaling else ["no endpoint (guests come by two codes instead of a link)"]) + (
        [] if site.ice else ["no STUN service (two homes never connect directly, and codes work in one network only)"]
    )
    if not lacks:
        return f'Tables by link: nothing is missing; make site ARGS="--check {ANY_PAGE}" tests it as that page.'
    return f"Tables by link: {SETTINGS} names {' and '.join(lacks)}; {GUIDE} says how to get that."


def check_options(text: str, page: str) -> list[str]:
    """Returns the options of `python -m signaling` that check what the settings name, as the page at that address uses
    it. Raises `ToolError`."""
    parts = urlsplit(page)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ToolError(f"--check needs the address at which the page will be, such as {ANY_PAGE}, not {page!r}.")
    site = read_settings(text, page)
    if not site.signaling:
        raise ToolError(f"There is nothing to check: {SETTINGS} names no endpoint. {GUIDE} says how to get one.")
    ice = [word for address in stun_addresses(site) for word in ("--ice", address)]
    return ["--check", site.signaling, "--origins", f"{parts.scheme}://{parts.netloc}".lower(), *ice]
