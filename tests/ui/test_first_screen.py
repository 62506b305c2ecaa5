"""The first screen in index.html is what Python will draw, so that nothing moves when Python takes over."""

from __future__ import annotations

import json
import re

from engine import GAMES
from tests.ui.first_screen import MARKED, PAGE, lobby_html
from tools.paths import ROOT
from ui.model import GAMES_SHOWN


def test_the_painted_lobby_is_the_lobby() -> None:
    found = MARKED.search(PAGE.read_text("utf-8"))
    assert found
    assert found[1] == lobby_html(), "paint it anew: python -m tests.ui.first_screen"


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
    shortcuts = [icon for shortcut in manifest["shortcuts"] for icon in shortcut["icons"]]
    drawn = [icon for icon in (*manifest["icons"], *shortcuts) if icon["type"] == "image/png"]
    assert {icon["sizes"] for icon in drawn} >= {"192x192", "512x512"}
    for icon in drawn:
        head = (ROOT / icon["src"]).read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        assert f"{int.from_bytes(head[16:20])}x{int.from_bytes(head[20:24])}" == icon["sizes"]


def test_every_shortcut_lays_out_a_game() -> None:
    manifest = json.loads((ROOT / "manifest.webmanifest").read_text("utf-8"))
    played = [re.fullmatch(r"\./#play=(\w+)&seats=([pb12,]+)", each["url"]) for each in manifest["shortcuts"]]
    assert [found and found[1] for found in played] == list(GAMES_SHOWN)
    for found in played:
        assert found
        assert len(found[2].split(",")) in GAMES[found[1]].SEATS
