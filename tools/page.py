"""index.html as it is served: style and configuration inlined, preloads last, names that follow content."""

import base64
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from html import escape
from urllib.parse import urlsplit

from tools import first_screen
from tools.places import Stop

STYLE_LINK = re.compile(r'<link rel="stylesheet" href="(assets/style/first\.css)">')
SHEETS = re.compile(r'(<link rel="stylesheet" href="(assets/style/(?!first\.)[\w-]+\.css)">\n?)+')
SHEET = re.compile(r'href="([^"]+)"')
ALL_SHEETS = "assets/style/all.css"
BOARD_SHEETS = "<!-- the boards' style sheets -->\n"
IMPORT = re.compile(r'@import\s+(?:url\()?["\']([^"\']+)["\']\)?\s*;')
ADDRESS = re.compile(r"url\(\s*[\"']?(?!data:|#)([^\"')]+)[\"']?\s*\)")
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
CONFIG = 'config="./pyscript.toml"'
WORDS = '<script type="application/json" id="words" data-texts="assets/lang/">{}</script>'
WITHOUT_SCRIPTS = re.compile(r'<p lang="en" data-word="(boot\.noscript)">.*?</p>')
VERSION = 'data-version=""'
WORKER_VERSION = 'const VERSION = "";'
WORKER_FILES = "const FILES = {};"
HOST = re.compile(r"[a-z0-9.-]+(:\d+)?", re.IGNORECASE)
CONNECT_SOURCE = "connect-src 'self' wss:"
STYLE_SOURCE = "style-src 'self'"
FIRST_SCRIPT = "assets/first.js"
FIRST_SCRIPT_TAG = f'<script src="{FIRST_SCRIPT}"></script>'
SCRIPT_SOURCE = "script-src 'self'"
LINE_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)

Read = Callable[[str], str]


def joined(base: str, address: str) -> str:
    """`address` as seen from the file `base`, as an address from the root of the site."""
    parts = base.split("/")[:-1]
    for part in address.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def flat(sheet: str, read: Read) -> str:
    """A style sheet with its imports put in, its comments out, its addresses relative to the page."""
    text = COMMENT.sub("", read(sheet))
    text = ADDRESS.sub(lambda found: f"url({joined(sheet, found[1])})", IMPORT.sub(r'@import "\1";', text))
    return IMPORT.sub(lambda found: flat(joined(sheet, found[1]), read), text)


def with_first_style(html: str, read: Read, names: dict[str, str]) -> str:
    """Put the first style into the page and its hash into the content security policy."""
    link = STYLE_LINK.search(html)
    if link is None or STYLE_SOURCE not in html:
        raise Stop("index.html has to link assets/style/first.css and to name style-src 'self' in its policy.")
    style = renamed(flat(link[1], read).strip(), names)
    html = html.replace(link[0], f"<style>{style}</style>")
    return html.replace(STYLE_SOURCE, f"{STYLE_SOURCE} {source(style)}")


def with_first_script(html: str, read: Read) -> str:
    """Put the first script into the page, as the policy allows it: what is pressed on a slow line must not be lost."""
    if FIRST_SCRIPT_TAG not in html or SCRIPT_SOURCE not in html:
        raise Stop(f"index.html has to have {FIRST_SCRIPT_TAG} and to name {SCRIPT_SOURCE} in its policy.")
    script = LINE_COMMENT.sub("", read(FIRST_SCRIPT)).strip()
    html = html.replace(FIRST_SCRIPT_TAG, f"<script>{script}</script>")
    return html.replace(SCRIPT_SOURCE, f"{SCRIPT_SOURCE} {source(script)}")


def source(text: str) -> str:
    """How the policy names what stands in the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def with_board_sheets(html: str, games: Iterable[str]) -> str:
    """Links the style sheet of every game's board, where the page has a place for them."""
    if BOARD_SHEETS not in html:
        raise Stop(f"index.html has to have a place for the boards' style sheets: {BOARD_SHEETS.strip()}")
    links = (f'<link rel="stylesheet" href="assets/style/{game}.css">\n' for game in games)
    return html.replace(BOARD_SHEETS, "".join(links))


def with_first_screen(html: str, painted: str) -> str:
    """Puts the painted lobby into the page."""
    if first_screen.PLACE not in html:
        raise Stop(f"index.html has to have a place for the first screen: {first_screen.PLACE}")
    return html.replace(first_screen.PLACE, painted)


def with_shortcuts(manifest: str, games: Iterable[str], spoken: Mapping[str, str]) -> str:
    """Adds a shortcut for every game to the manifest: one person and three bots."""
    shortcuts = [
        {
            "name": spoken[f"game.{game}"],
            "description": spoken[f"game.{game}.about"],
            "url": f"./#play={game}&seats=p,b2,b2,b2",
            "icons": [{"src": f"assets/art/icons/{game}-96.png", "sizes": "96x96", "type": "image/png"}],
        }
        for game in games
    ]
    return json.dumps({**json.loads(manifest), "shortcuts": shortcuts}, ensure_ascii=False, indent=1) + "\n"


def sheets(html: str) -> list[str]:
    """The style sheets the page links one after the other, without the first."""
    found = SHEETS.search(html)
    return SHEET.findall(found[0]) if found else []


def with_one_sheet(html: str) -> str:
    """One address in their place: a browser that meets them in the body fetches them one by one, and reads on only
    when each is there."""
    return SHEETS.sub(f'<link rel="stylesheet" href="{ALL_SHEETS}">\n', html, count=1)


def one_sheet(texts: list[str]) -> str:
    """What lies there: all of them, in their order, without comments."""
    return "".join(COMMENT.sub("", text) for text in texts)


def with_config(html: str, toml: str) -> str:
    """Put what pyscript.toml says into the page: one file and one parser less to wait for, or to lose on the way."""
    if CONFIG not in html:
        raise Stop(f"index.html has to name {CONFIG} at its Python.")
    config = json.dumps(tomllib.loads(toml), separators=(",", ":"))
    return html.replace(CONFIG, f'config="{escape(config)}"')


def with_preloads(html: str, modules: dict[str, int], files: dict[str, int]) -> str:
    """Ask for what Python needs while the scripts still load, each with its size. Last in the body: earlier they delay
    the first paint."""
    tags = [f'<link rel="modulepreload" href="{name}" data-bytes="{size}">' for name, size in modules.items()]
    tags += [
        f'<link rel="preload" as="fetch" crossorigin href="{name}" data-bytes="{size}">' for name, size in files.items()
    ]
    head, end, tail = html.rpartition("</body>")
    return head + "\n".join(tags) + "\n" + end + tail


def with_endpoint(html: str, signaling: str) -> str:
    """Let the policy allow the signaling endpoint that assets/site.json names, when it is another host's. An encrypted
    one is allowed anyhow: a player may name any."""
    scheme, host = urlsplit(signaling)[:2]
    if not scheme:
        return html
    if scheme not in ("http", "https", "ws", "wss") or not HOST.fullmatch(host):
        raise Stop(f"assets/site.json names a signaling endpoint that is no address: {signaling}")
    if CONNECT_SOURCE not in html:
        raise Stop(f"index.html has to name {CONNECT_SOURCE} in its policy.")
    return html.replace(CONNECT_SOURCE, f"{CONNECT_SOURCE} ws://{host}") if scheme in ("http", "ws") else html


def with_words(html: str, words: dict[str, dict[str, str]]) -> str:
    """What is said before Python is awake, in the other languages: assets/first.js chooses. Where there are no scripts
    nobody chooses, so all of them stand there."""
    if WORDS not in html:
        raise Stop(f"index.html has to have a place for its words: {WORDS}")
    data = json.dumps(words, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    html = html.replace(WORDS, WORDS.replace("{}", data))

    def everywhere(found: re.Match[str]) -> str:
        others = (f'<p lang="{code}">{escape(told[found[1]], quote=False)}</p>' for code, told in words.items())
        return found[0] + "".join(others)

    return WITHOUT_SCRIPTS.sub(everywhere, html)


def with_version(html: str, version: str) -> str:
    """Tell the page which version it is: its service worker knows another one by that."""
    if VERSION not in html:
        raise Stop(f"index.html has to have a place for its version: {VERSION}")
    return html.replace(VERSION, f'data-version="{version}"')


def with_list(script: str, version: str, files: dict[str, str]) -> str:
    """Tell the service worker its version and what it keeps."""
    for place in (WORKER_VERSION, WORKER_FILES):
        if place not in script:
            raise Stop(f"sw.js has to have the line {place}")
    script = script.replace(WORKER_VERSION, f'const VERSION = "{version}";')
    return script.replace(WORKER_FILES, f"const FILES = {json.dumps(files, indent=0)};")


def restyled(sheet: str, names: dict[str, str]) -> str:
    """Addresses in a style sheet of assets/style/, as they are in dist/."""
    return renamed(
        sheet, {old.replace("assets/", "../", 1): new.replace("assets/", "../", 1) for old, new in names.items()}
    )


def renamed(text: str, names: dict[str, str]) -> str:
    """Addresses of what carries a hash in its name, as they are in dist/."""
    for old, new in names.items():
        text = text.replace(old, new)
    return text
