"""Reading QR codes with the camera, in browsers that can. No picture leaves the device."""

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
    """Returns the text of the first QR code before the camera, at most `LONGEST` characters.

    The picture is shown in the video element with the given id. Returns an empty text when that element is removed.
    Raises `Refused` if there is no camera, no permission or no detector.
    """
    try:
        # the detector first: without one the camera stays off
        detector = js.BarcodeDetector.new(_plain({"formats": ["qr_code"]}))
        stream = await navigator.mediaDevices.getUserMedia(_plain({"video": {"facingMode": "environment"}}))
    except JsException as error:  # no detector, no camera, or no permission
        raise Refused("net.camera") from error
    picture = document.getElementById(name)
    try:
        if picture:  # JavaScript's null is not None here
            picture.srcObject = stream
            await picture.play()
        while picture and picture.isConnected:
            for code in await detector.detect(picture):
                return str(code.rawValue)[:LONGEST]
            await asyncio.sleep(EVERY)
    except JsException as error:  # the element was removed meanwhile, or the camera was unplugged
        if picture and picture.isConnected:
            raise Refused("net.camera") from error
    finally:
        for track in stream.getTracks():
            track.stop()
    return ""
