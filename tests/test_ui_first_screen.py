"""The painted first screen is what Python will draw, so that nothing moves when it wakes."""

from __future__ import annotations

import json
import re

from tests.first_screen import PAGE, PAINTED, painted
from tools.places import ROOT


def test_the_painted_lobby_is_the_lobby() -> None:
    found = PAINTED.search(PAGE.read_text("utf-8"))
    assert found
    assert found[1] == painted(), "paint it anew: python -m tests.first_screen"


def test_every_file_the_page_names_is_there() -> None:
    named = re.findall(r'(?:src|href)="(assets/(?!vendor)[^"#]+|manifest[^"]+)', PAGE.read_text("utf-8"))
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_symbol_that_is_used_is_drawn() -> None:
    drawn = set(re.findall(r'<symbol id="([^"]+)"', (ROOT / "assets" / "art" / "sprite.svg").read_text("utf-8")))
    used = set(re.findall(r'"(u-[a-z]+|e-[a-z]+)"', "".join(p.read_text("utf-8") for p in (ROOT / "ui").rglob("*.py"))))
    assert used - drawn == set()
    assert used


def test_the_manifest_names_its_icons() -> None:
    manifest = json.loads((ROOT / "manifest.webmanifest").read_text("utf-8"))
    assert manifest["name"] == "Speakeasy"
    assert [icon["src"] for icon in manifest["icons"] if not (ROOT / icon["src"]).is_file()] == []
