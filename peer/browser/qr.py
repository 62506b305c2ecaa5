"""QR codes of texts. The package that draws them is loaded at the first use."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

BORDER = 4  # modules of empty border, as the standard demands


async def qr(text: str) -> tuple[str, int, str]:
    """Returns the text, the size of its QR code in modules, and an SVG path: a stroke for each run of dark modules."""
    segno = await _segno()
    code = segno.make(text, error="m", micro=False, boost_error=False)
    rows = [list(row) for row in code.matrix]
    return text, len(rows) + 2 * BORDER, svg_path(rows)


def svg_path(rows: list[list[int]]) -> str:
    parts: list[str] = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            run = 0
            while x + run < len(row) and row[x + run]:
                run += 1
            if run:
                parts.append(f"M{x + BORDER} {y + BORDER}.5h{run}")
            x += run + 1
    return "".join(parts)


async def _segno() -> Any:
    if importlib.util.find_spec("segno") is None:
        import pyodide_js

        from peer.browser.promises import settled

        await settled(pyodide_js, "loadPackage", "micropip")
        import micropip

        await micropip.install("segno")  # named in the page's own list of packages, and served beside it
        importlib.invalidate_caches()
    return importlib.import_module("segno")
