"""Reading QR codes with the camera, in browsers that can. No picture leaves the device."""

from __future__ import annotations

import asyncio
from typing import Any

import js
from js import Object, document, navigator
from pyodide.ffi import JsException, to_js

from engine.core import Refused
from peer.browser.promises import Rejected, settled

SCAN_EVERY = 0.2  # seconds
LONGEST = 2_000


def _to_object(value: Any) -> Any:
    return to_js(value, dict_converter=Object.fromEntries)


async def scan(element_id: str) -> str:
    """Returns the text of the first QR code before the camera, at most `LONGEST` characters.

    The picture is shown in the video element with the given id. Returns an empty text when that element is removed.
    Raises `Refused` if there is no camera, no permission or no detector.
    """
    try:
        # the detector first: without one the camera stays off
        detector = js.BarcodeDetector.new(_to_object({"formats": ["qr_code"]}))
        camera = _to_object({"video": {"facingMode": "environment"}})
        stream = await settled(navigator.mediaDevices, "getUserMedia", camera)
    except (JsException, Rejected, AttributeError) as error:  # no detector, no camera, or no permission
        raise Refused("net.camera") from error
    video = document.getElementById(element_id)
    try:
        if video:  # JavaScript's null is not None here
            video.srcObject = stream
            await settled(video, "play")
        while video and video.isConnected:
            for code in await settled(detector, "detect", video):
                return str(code.rawValue)[:LONGEST]
            await asyncio.sleep(SCAN_EVERY)
    except Rejected as error:  # the element was removed meanwhile, or the camera was unplugged
        if video and video.isConnected:
            raise Refused("net.camera") from error
    finally:
        for track in stream.getTracks():
            track.stop()
    return ""
