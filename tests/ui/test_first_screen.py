"""The built page paints what Python will draw, so that nothing moves when Python starts; and it knows every game."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from engine import GAMES
from tools import build, first_screen, page
from tools.paths import ROOT, ToolError


def manifest() -> dict[str, list[dict[str, object]]]:
    text = (ROOT / build.MANIFEST).read_text("utf-8")
    found: dict[str, list[dict[str, object]]] = json.loads(
        page.with_shortcuts(text, GAMES.seats, build.texts_of(build.ENGLISH))
    )
    return found


def test_the_painted_lobby_shows_every_game() -> None:
    painted = first_screen.painted(build.catalogue(build.ENGLISH))
    assert re.findall(r'<input type="radio" name="game" value="(\w+)"', painted) == list(GAMES)
    assert 'data-screen="lobby"' in painted


def test_a_page_without_a_place_for_what_is_generated_stops_the_build() -> None:
    with pytest.raises(ToolError, match="first screen"):
        page.with_first_screen("<html></html>", "")
    with pytest.raises(ToolError, match="style sheets"):
        page.with_board_sheets("<html></html>", GAMES)
    with pytest.raises(ToolError, match="for its Python"):
        page.with_config("<html></html>", "plugins = []")


def test_plugins_are_switched_off_for_both_interpreters() -> None:
    """PyScript loads the plugins of MicroPython on every page, even if there is no script for it."""
    toml = (ROOT / "pyscript.toml").read_text("utf-8")
    html = page.with_config(build.source_page(), toml)
    micropython = json.loads(re.findall(r"<mpy-config hidden>(.*?)</mpy-config>", html)[0])
    assert micropython == {"plugins": tomllib.loads(toml)["plugins"]}
    assert "!py-editor" in micropython["plugins"]


def test_a_style_sheet_apart_from_the_others_stops_the_build() -> None:
    """Regression test: only the first run of links was bundled, and a later sheet would have been in no layer."""
    links = [f'<link rel="stylesheet" href="assets/style/{name}.css">\n' for name in ("base", "kit", "room")]
    one = '<link rel="stylesheet" href="assets/style/all.css">\n'
    assert page.with_one_sheet(f"<body>{''.join(links)}</body>") == f"<body>{one}</body>"
    with pytest.raises(ToolError, match=r"but not assets/style/room\.css"):
        page.with_one_sheet(f"<body>{links[0]}{links[1]}<p></p>{links[2]}</body>")


def test_the_page_links_a_style_sheet_for_every_board() -> None:
    linked = page.sheets(build.source_page())
    assert [f"assets/style/{game}.css" for game in GAMES] == [name for name in linked if name[13:-4] in GAMES]
    assert linked[:3] == ["assets/style/base.css", "assets/style/table.css", "assets/style/kit.css"]


def test_every_file_the_page_names_is_there() -> None:
    named = re.findall(r'(?:src|href)="(assets/(?!vendor)[^"#]+|manifest[^"]+)', build.source_page())
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_symbol_that_is_used_is_drawn() -> None:
    sprite = (ROOT / "assets" / "art" / "sprite.svg").read_text("utf-8")
    drawn = set(re.findall(r'<symbol id="sprite/([^"]+)"', sprite))
    used = set(re.findall(r'"(u-[a-z]+|e-[a-z]+)"', "".join(p.read_text("utf-8") for p in (ROOT / "ui").rglob("*.py"))))
    assert used - drawn == set()
    assert used


def test_the_manifest_names_its_icons() -> None:
    found = manifest()
    assert found["name"] == "Speakeasy"
    shortcuts = [icon for shortcut in found["shortcuts"] for icon in shortcut["icons"]]  # type: ignore[attr-defined]
    drawn = [icon for icon in (*found["icons"], *shortcuts) if icon["type"] == "image/png"]
    assert {icon["sizes"] for icon in drawn} >= {"192x192", "512x512"}
    for icon in drawn:
        head = (ROOT / icon["src"]).read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        assert f"{int.from_bytes(head[16:20])}x{int.from_bytes(head[20:24])}" == icon["sizes"]


def test_every_shortcut_lays_out_a_game() -> None:
    shortcuts = manifest()["shortcuts"]
    assert [each["name"] for each in shortcuts][:2] == ["Razzia!", "Razzia"]
    played = [re.fullmatch(r"\./#play=(\w+)&seats=([pb12,]+)", str(each["url"])) for each in shortcuts]
    assert [found and found[1] for found in played] == list(GAMES)
    for found in played:
        assert found
        assert len(found[2].split(",")) in GAMES[found[1]].SEATS
