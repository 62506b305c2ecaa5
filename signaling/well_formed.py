"""The check of an HTTP request before anything reads its target. The page's own server uses it too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

TARGET = re.compile(r"/(?:[!\"$&-~]|%[0-9A-Fa-f]{2})*")  # visible ASCII characters without "#", and complete escapes
HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
CONTROL_IN_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")  # a tab is allowed there


def is_well_formed(target: str, headers: Iterable[tuple[str, str]], *, needs_host: bool = True) -> bool:
    """Returns False for a request that has to get a 400: its target is no path in UTF-8 or hides control characters, a
    header is none, or the host is missing, doubled or no host name. HTTP/1.0 needs no host."""
    fields = list(headers)
    hosts = [value for name, value in fields if name.lower() == "host"]
    return (
        _is_path(target)
        and all(HEADER_NAME.fullmatch(name) and not CONTROL_IN_VALUE.search(value) for name, value in fields)
        and (len(hosts) == 1 or (not hosts and not needs_host))
        and all(HOST.fullmatch(host) for host in hosts)
    )


def _is_path(target: str) -> bool:
    if not TARGET.fullmatch(target):
        return False
    try:
        path = unquote_to_bytes(target.partition("?")[0]).decode()
    except UnicodeDecodeError:
        return False
    return not CONTROL.search(path)
