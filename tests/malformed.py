"""HTTP requests that every server of the project answers with a 400, and a raw client that sends them."""

from __future__ import annotations

import socket

_HOST = b"Host: localhost\r\n"

MALFORMED = {
    "null byte": b"GET /%00 HTTP/1.1\r\n" + _HOST,
    "null byte in a folder": b"GET /assets/%00x HTTP/1.1\r\n" + _HOST,
    "null byte, unescaped": b"GET /\x00 HTTP/1.1\r\n" + _HOST,
    "line break": b"GET /%0d%0a HTTP/1.1\r\n" + _HOST,
    "not UTF-8": b"GET /%ff HTTP/1.1\r\n" + _HOST,
    "surrogate": b"GET /%ed%a0%80 HTTP/1.1\r\n" + _HOST,
    "not ASCII": b"GET /\xff HTTP/1.1\r\n" + _HOST,
    "incomplete escape": b"GET /%zz HTTP/1.1\r\n" + _HOST,
    "no slash": b"GET x HTTP/1.1\r\n" + _HOST,
    "whole address": b"GET http://[ HTTP/1.1\r\n" + _HOST,
    "fragment": b"GET /#x HTTP/1.1\r\n" + _HOST,
    "no host": b"GET / HTTP/1.1\r\n",
    "two hosts": b"GET / HTTP/1.1\r\n" + _HOST + _HOST,
    "host with a path": b"GET / HTTP/1.1\r\nHost: localhost/x\r\n",
    "host not ASCII": b"GET / HTTP/1.1\r\nHost: \xff\r\n",
    "header without a colon": b"GET / HTTP/1.1\r\n" + _HOST + b"x y\r\n",
    "header with a space": b"GET / HTTP/1.1\r\n" + _HOST + b"x y: z\r\n",
    "header with a null byte": b"GET / HTTP/1.1\r\n" + _HOST + b"x: \x00\r\n",
    "no version": b"GET /\r\n" + _HOST,
    "wrong version": b"GET / HTTP/x.1\r\n" + _HOST,
    "TLS": b"\x16\x03\x01\x02\x00\r\n",
    "WebSocket": b"GET /%00 HTTP/1.1\r\n" + _HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: c3BlYWtlYXN5IHRlc3RzIQ==\r\nSec-WebSocket-Version: 13\r\n",
}
ENDPOINT = b"GET /signaling HTTP/1.1\r\n" + _HOST + b"x: \x00\r\n"


def status_line(port: int, request: bytes) -> str:
    """Sends a request, to which the empty line is added, and returns the first line of the response; "" if the
    connection ends without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(request + b"\r\n")
        received = b""
        while b"\r\n" not in received and (data := client.recv(4096)):
            received += data
    return received.partition(b"\r\n")[0].decode("latin-1")
