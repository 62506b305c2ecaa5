"""Draws the app's icon as PNG in every size that devices ask for, and an icon of each game.

Run `python -m tools.draw_icons` after a change of the SVG files; with a game's name it draws only that game's icon.

The PNG files are committed, so that the site can be built without a browser.
"""

import sys

from playwright.sync_api import sync_playwright

from engine import GAMES
from tools import browser
from tools.paths import ROOT, report

ART = ROOT / "assets" / "art"
SIZES = {"icon": (48, 96, 144, 180, 192, 256, 384, 512), "icon-maskable": (192, 512)}
SHORTCUT = 96


def main(games: list[str]) -> None:
    with sync_playwright() as playwright:
        path = browser.find_browser(playwright.chromium.executable_path)
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = chromium.new_page()

        def draw(source: str, target: str, size: int) -> None:
            page.set_viewport_size({"width": size, "height": size})
            svg = (
                (ART / f"{source}.svg").read_text("utf-8").replace("<svg ", f'<svg width="{size}" height="{size}" ', 1)
            )
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
            page.screenshot(path=ART / "icons" / target, omit_background=True)
            report(f"assets/art/icons/{target}")

        for name, sizes in () if games else SIZES.items():
            for size in sizes:
                draw(name, f"{name}-{size}.png", size)
        for game in games or GAMES:
            draw(f"poster-{game}", f"{game}-{SHORTCUT}.png", SHORTCUT)
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1:])
