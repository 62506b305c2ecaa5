"""Writes assets/vendor/icons.svg: the game-icons named in assets/art/icons.txt, one <symbol id="icons/NAME"> each."""

import json

from tools.paths import NODE_MODULES, ROOT, VENDOR, ToolError, write_if_changed
from tools.stamps import Stamp, digest

WANTED = ROOT / "assets" / "art" / "icons.txt"
PACKAGE = NODE_MODULES / "@iconify-json" / "game-icons" / "icons.json"
TARGET = VENDOR / "icons.svg"


def names(text: str) -> list[str]:
    """Returns the icon names in a text with one name a line; blank lines and lines that start with # are ignored."""
    lines = (line.strip() for line in text.splitlines())
    return sorted({line for line in lines if line and not line.startswith("#")})


def sheet(wanted: list[str], package: dict[str, dict[str, dict[str, str]]]) -> str:
    unknown = [name for name in wanted if name not in package["icons"]]
    if unknown:
        raise ToolError(f"assets/art/icons.txt names icons that do not exist: {', '.join(unknown)}.")
    symbols = (
        f'<symbol id="icons/{name}" viewBox="0 0 512 512">{package["icons"][name]["body"]}</symbol>' for name in wanted
    )
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


def prepare() -> None:
    if not WANTED.is_file():
        return
    stamp = Stamp("icons", digest([WANTED, ROOT / "tools" / "icons.py", ROOT / "package-lock.json"]))
    if not stamp.is_fresh():
        package = json.loads(PACKAGE.read_text("utf-8"))
        write_if_changed(TARGET, sheet(names(WANTED.read_text("utf-8")), package).encode())
        stamp.save([TARGET])
