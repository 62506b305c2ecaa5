"""The page's content security policies, and the endpoints they allow."""

from __future__ import annotations

from urllib.parse import urlsplit

from js import URL, document, location, window
from pyodide.ffi import JsException

from engine.core import Refused
from peer.browser.site import allowed


def check_policy(endpoint: str, own: str) -> None:
    """Raises `Refused` if the page may not connect to the endpoint. `own` is the player's own one, from the settings.

    `assets/first.js` reads the player's own endpoint when the page is loaded, so a new one needs another loading.
    """
    policies = list(document.querySelectorAll('meta[http-equiv="Content-Security-Policy"]'))
    contents = [str(policy.content) for policy in policies]
    page, host = str(location.href), urlsplit(endpoint).netloc
    try:
        address = str(URL.new(endpoint).href)  # as the browser compares it: without a default port
    except JsException as error:
        raise Refused("net.site") from error
    if all(allowed(address, content, page) for content in contents):
        return
    own_at_start = str(policies[-1].dataset.own) if len(policies) > 1 else own
    if own != own_at_start and own == _stored_endpoint() and allowed(address, contents[0], page):
        raise Refused("net.policy_reload", host=host)
    raise Refused("net.policy", host=host)


def _stored_endpoint() -> str:
    try:
        return str(window.localStorage.getItem("endpoint") or "")
    except JsException:
        return ""
