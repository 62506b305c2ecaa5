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


def carry(handler: BaseHTTPRequestHandler, port: int) -> None:
    """Forwards the request to `port`, then bytes in both directions until one side closes the connection."""
    handler.close_connection = True
    try:
        there = socket.create_connection(("127.0.0.1", port))
    except OSError:  # the endpoint is being stopped; the page will retry
        return
    with there:
        head = [handler.requestline, *(f"{name}: {value}" for name, value in handler.headers.items()), "", ""]
        there.sendall("\r\n".join(head).encode("latin-1"))
        back = threading.Thread(target=_bring_back, args=(there, handler), daemon=True)
        back.start()
        # bytes that came right behind the request are in the buffer of rfile already
        here = cast("BufferedReader", handler.rfile)
        with suppress(OSError):
            while data := here.read1(CHUNK):
                there.sendall(data)
        with suppress(OSError):
            there.shutdown(socket.SHUT_WR)
        back.join()


def _bring_back(there: socket.socket, handler: BaseHTTPRequestHandler) -> None:
    with suppress(OSError):
        while data := there.recv(CHUNK):
            handler.connection.sendall(data)
    with suppress(OSError):
        handler.connection.shutdown(socket.SHUT_RDWR)
