"""A camera that reads codes, where the browser has one: nothing of what it sees leaves the device."""

from __future__ import annotations

import asyncio
from typing import Any

import js
from js import Object, document, navigator
from pyodide.ffi import JsException, to_js

from engine.core import Refused

EVERY = 0.2  # seconds
LONGEST = 2_000


def _plain(value: Any) -> Any:
    return to_js(value, dict_converter=Object.fromEntries)


async def scan(name: str) -> str:
    """What the first code says that the camera sees; empty when its picture, the element with that id, is put away."""
    try:
        # first who reads: a camera that nobody looks through stays off
        detector = js.BarcodeDetector.new(_plain({"formats": ["qr_code"]}))
        stream = await navigator.mediaDevices.getUserMedia(_plain({"video": {"facingMode": "environment"}}))
    except JsException as error:  # none, or nobody allows it
        raise Refused("net.camera") from error
    picture = document.getElementById(name)
    try:
        if picture:  # null is not None here
            picture.srcObject = stream
            await picture.play()
        while picture and picture.isConnected:
            for code in await detector.detect(picture):
                return str(code.rawValue)[:LONGEST]
            await asyncio.sleep(EVERY)
    except JsException as error:  # the picture was put away in mid-look, or the camera was pulled out
        if picture and picture.isConnected:
            raise Refused("net.camera") from error
    finally:
        for track in stream.getTracks():
            track.stop()
    return ""
