"""A proxy for the signaling endpoint: a WebSocket to /signaling at the page's own address is forwarded to it.

So the page's policy (connect-src 'self') needs no exception, and `make play` needs only one port.
"""

import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from io import BufferedReader
from typing import cast

PATH = "/signaling"
CHUNK = 65536


def forward(handler: BaseHTTPRequestHandler, port: int) -> None:
    """Forwards the request to `port`, then bytes in both directions until one side closes the connection."""
    handler.close_connection = True
    try:
        upstream = socket.create_connection(("127.0.0.1", port))
    except OSError:  # the endpoint is being stopped; the page will retry
        return
    with upstream:
        head = [handler.requestline, *(f"{name}: {value}" for name, value in handler.headers.items()), "", ""]
        upstream.sendall("\r\n".join(head).encode("latin-1"))
        backward = threading.Thread(target=_forward_back, args=(upstream, handler), daemon=True)
        backward.start()
        # bytes that came right behind the request are in the buffer of rfile already
        client = cast("BufferedReader", handler.rfile)
        with suppress(OSError):
            while data := client.read1(CHUNK):
                upstream.sendall(data)
        with suppress(OSError):
            upstream.shutdown(socket.SHUT_WR)
        backward.join()


def _forward_back(upstream: socket.socket, handler: BaseHTTPRequestHandler) -> None:
    with suppress(OSError):
        while data := upstream.recv(CHUNK):
            handler.connection.sendall(data)
    with suppress(OSError):
        handler.connection.shutdown(socket.SHUT_RDWR)
