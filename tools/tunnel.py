"""The signaling endpoint under the page's own address: a WebSocket to /signaling is carried on to it.

So the page's policy (connect-src 'self') needs no exception, and one port is all that `make play` takes.
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
    """Hand the request on to `port`, then bytes both ways until one side hangs up."""
    handler.close_connection = True
    try:
        there = socket.create_connection(("127.0.0.1", port))
    except OSError:  # it is just being stopped: the page comes again
        return
    with there:
        head = [handler.requestline, *(f"{name}: {value}" for name, value in handler.headers.items()), "", ""]
        there.sendall("\r\n".join(head).encode("latin-1"))
        back = threading.Thread(target=_bring_back, args=(there, handler), daemon=True)
        back.start()
        # what came right behind the request is in rfile already
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
