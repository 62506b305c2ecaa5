"""The steps from index.html in the sources to the served page: style, script and configuration are inlined, preloads
added at the end, and addresses replaced by those with a hash."""

import base64
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from tools import first_screen
from tools.paths import ToolError

STYLE_LINK = re.compile(r'<link rel="stylesheet" href="(assets/style/first\.css)">')
SHEET_LINKS = re.compile(r'(<link rel="stylesheet" href="(assets/style/(?!first\.)[\w-]+\.css)">\n?)+')
STYLE_SHEET = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
SHEET_ADDRESS = re.compile(r'href="([^"]+)"')
ALL_SHEETS = "assets/style/all.css"
BOARD_SHEETS = "<!-- the boards' style sheets -->\n"
IMPORT = re.compile(r'@import\s+(?:url\()?["\']([^"\']+)["\']\)?\s*;')
ADDRESS = re.compile(r"url\(\s*[\"']?(?!data:|#)([^\"')]+)[\"']?\s*\)")
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
CONFIG = 'config="./pyscript.toml"'
MICROPYTHON_CONFIG = "<mpy-config hidden></mpy-config>"
WORDS = '<script type="application/json" id="words" data-texts="assets/lang/">{}</script>'
WITHOUT_SCRIPTS = re.compile(r'<p lang="en" data-word="(boot\.noscript)">.*?</p>')
VERSION = 'data-version=""'
ENDPOINT = 'data-endpoint=""'
WORKER_VERSION = 'const VERSION = "";'
WORKER_FILES = "const FILES = {};"
HOST = re.compile(r"[a-z0-9.-]+(:\d+)?", re.IGNORECASE)
CONNECT_SOURCE = "connect-src 'self' wss:"
STYLE_SOURCE = "style-src 'self'"
FIRST_SCRIPT = "assets/first.js"
FIRST_SCRIPT_TAG = f'<script src="{FIRST_SCRIPT}"></script>'
SCRIPT_SOURCE = "script-src 'self'"
# A quoted string, which stays as it is; white space, and white space around a sign of CSS that needs none
STRING_OR_SPACE = re.compile(r"""("[^"]*"|'[^']*')|\s*([{};,])\s*|(:)\s+|\s+""")
LINE_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)

Read = Callable[[str], str]


def resolve(base: str, address: str) -> str:
    """Resolves `address`, as it stands in the file `base`, to an address from the root of the site."""
    parts = base.split("/")[:-1]
    for part in address.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def inline_imports(sheet: str, read: Read) -> str:
    """Returns a style sheet with its imports inlined, without comments, and with addresses relative to the page."""
    text = COMMENT.sub("", read(sheet))
    text = ADDRESS.sub(lambda found: f"url({resolve(sheet, found[1])})", IMPORT.sub(r'@import "\1";', text))
    return IMPORT.sub(lambda found: inline_imports(resolve(sheet, found[1]), read), text)


def compact(style: str) -> str:
    """Returns a style sheet without the white space that only people need."""
    shorter = STRING_OR_SPACE.sub(lambda found: found[1] or found[2] or found[3] or " ", style)
    return shorter.replace(";}", "}").strip()


def with_first_style(html: str, read: Read, names: dict[str, str]) -> str:
    """Inlines the first style sheet with the order of all layers, and adds its hash to the content security policy."""
    link = STYLE_LINK.search(html)
    if link is None or STYLE_SOURCE not in html:
        raise ToolError("index.html has to link assets/style/first.css and to name style-src 'self' in its policy.")
    layers = [layer_name(address) for address in (link[1], *sheets(html))]
    first = in_layer(layers[0], compact(inline_imports(link[1], read)))
    style = f"@layer {','.join(layers)};{rename_addresses(first, names)}"
    html = html.replace(link[0], f"<style>{style}</style>")
    return html.replace(STYLE_SOURCE, f"{STYLE_SOURCE} {hash_source(style)}")


def with_first_script(html: str, read: Read) -> str:
    """Inlines the first script, and adds its hash to the content security policy.

    It has to run at once: it records what people press while the page still loads on a slow connection.
    """
    if FIRST_SCRIPT_TAG not in html or SCRIPT_SOURCE not in html:
        raise ToolError(f"index.html has to have {FIRST_SCRIPT_TAG} and to name {SCRIPT_SOURCE} in its policy.")
    script = LINE_COMMENT.sub("", read(FIRST_SCRIPT)).strip()
    html = html.replace(FIRST_SCRIPT_TAG, f"<script>{script}</script>")
    return html.replace(SCRIPT_SOURCE, f"{SCRIPT_SOURCE} {hash_source(script)}")


def hash_source(text: str) -> str:
    """Returns the policy's source expression that allows this inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def with_board_sheets(html: str, games: Iterable[str]) -> str:
    """Links the style sheet of every game's board, where the page has a place for them."""
    if BOARD_SHEETS not in html:
        raise ToolError(f"index.html has to have a place for the boards' style sheets: {BOARD_SHEETS.strip()}")
    links = (f'<link rel="stylesheet" href="assets/style/{game}.css">\n' for game in games)
    return html.replace(BOARD_SHEETS, "".join(links))


def with_first_screen(html: str, painted: str) -> str:
    """Puts the painted lobby into the page."""
    if first_screen.PLACE not in html:
        raise ToolError(f"index.html has to have a place for the first screen: {first_screen.PLACE}")
    return html.replace(first_screen.PLACE, painted)


def with_shortcuts(manifest: str, games: Mapping[str, range], spoken: Mapping[str, str]) -> str:
    """Adds a shortcut for every game, with its numbers of players, to the manifest."""
    shortcuts = [
        {
            "name": spoken[f"game.{game}"],
            "description": spoken[f"game.{game}.about"],
            "url": f"./#play={game}&seats={shortcut_seats(seats)}",
            "icons": [{"src": f"assets/art/icons/{game}-96.png", "sizes": "96x96", "type": "image/png"}],
        }
        for game, seats in games.items()
    ]
    return json.dumps({**json.loads(manifest), "shortcuts": shortcuts}, ensure_ascii=False, indent=1) + "\n"


def shortcut_seats(seats: range) -> str:
    """Returns the seats that a shortcut lays out: one person and three bots, or as near to that as may play."""
    players = min(max(4, seats[0]), seats[-1])
    return ",".join(["p", *["b2"] * (players - 1)])


def sheets(html: str) -> list[str]:
    """Returns the style sheets that the page links one after the other, without the first one."""
    found = SHEET_LINKS.search(html)
    return SHEET_ADDRESS.findall(found[0]) if found else []


def with_one_sheet(html: str) -> str:
    """Replaces the links of `sheets` by one, to a sheet with the content of all of them. Raises ToolError if the page
    links a sheet elsewhere, which would be in no layer.

    Browsers load style sheets in the body one by one, and stop parsing until each has arrived.
    """
    html = SHEET_LINKS.sub(f'<link rel="stylesheet" href="{ALL_SHEETS}">\n', html, count=1)
    left = [address for address in STYLE_SHEET.findall(html) if address != ALL_SHEETS]
    if left:
        raise ToolError(f"index.html has to link all style sheets one after the other, but not {', '.join(left)}.")
    return html


def join_sheets(texts: Mapping[str, str]) -> str:
    """Returns the content of that one sheet: `texts` has those of the other sheets by address, in their order. Comments
    are left out."""
    return "".join(in_layer(layer_name(name), compact(COMMENT.sub("", text))) for name, text in texts.items())


def layer_name(address: str) -> str:
    """Returns the name of a style sheet's cascade layer: assets/style/base.css -> base."""
    return PurePosixPath(address).stem


def in_layer(name: str, style: str) -> str:
    """Puts the rules of a style sheet into a cascade layer.

    Every sheet is a layer, in the order in which the page links them. So a rule wins over all rules of earlier sheets,
    however specific their selectors are; the selector decides only within a sheet.
    """
    return f"@layer {name}{{{style}}}"


def with_config(html: str, toml: str) -> str:
    """Inlines pyscript.toml: the page has one request and one parser less to wait for, and one less that can fail.

    PyScript also loads plugins for MicroPython, which the page does not use: its configuration switches off the same.
    """
    for place in (CONFIG, MICROPYTHON_CONFIG):
        if place not in html:
            raise ToolError(f"index.html has to contain {place} for its Python.")
    settings = tomllib.loads(toml)
    config = json.dumps(settings, separators=(",", ":"))
    html = html.replace(CONFIG, f'config="{escape(config)}"')
    plugins = json.dumps({"plugins": settings["plugins"]}, separators=(",", ":"))
    return html.replace(MICROPYTHON_CONFIG, MICROPYTHON_CONFIG.replace("><", f">{escape(plugins, quote=False)}<"))


def with_preloads(html: str, modules: dict[str, int], files: dict[str, int]) -> str:
    """Adds preloads for the files that Python needs, each with its size, so that they load beside the scripts.

    They come last in the body, because earlier they would delay the first paint.
    """
    tags = [f'<link rel="modulepreload" href="{name}" data-bytes="{size}">' for name, size in modules.items()]
    tags += [
        f'<link rel="preload" as="fetch" crossorigin href="{name}" data-bytes="{size}">' for name, size in files.items()
    ]
    head, end, tail = html.rpartition("</body>")
    return head + "\n".join(tags) + "\n" + end + tail


def with_endpoint(html: str, signaling: str) -> str:
    """Writes the signaling endpoint that assets/site.json names into the page: `assets/first.js` then leaves it and the
    player's own as the only ones that the page may connect to.

    The page's own policy allows all encrypted endpoints, because players may name one, and the one named here if it is
    not encrypted.
    """
    scheme, host = urlsplit(signaling)[:2]
    if scheme and (scheme not in ("http", "https", "ws", "wss") or not HOST.fullmatch(host)):
        raise ToolError(f"assets/site.json names a signaling endpoint that is no address: {signaling}")
    if CONNECT_SOURCE not in html or ENDPOINT not in html:
        raise ToolError(f"index.html has to name {CONNECT_SOURCE} in its policy, and to have a place for {ENDPOINT}.")
    html = html.replace(ENDPOINT, f'data-endpoint="{escape(signaling)}"')
    return html.replace(CONNECT_SOURCE, f"{CONNECT_SOURCE} ws://{host}") if scheme in ("http", "ws") else html


def with_startup_texts(html: str, words: dict[str, dict[str, str]]) -> str:
    """Adds the texts that are needed before Python has started, in the other languages. assets/first.js chooses.

    The note for browsers without scripts is put there in all languages, because no script can choose then.
    """
    if WORDS not in html:
        raise ToolError(f"index.html has to have a place for its words: {WORDS}")
    data = json.dumps(words, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    html = html.replace(WORDS, WORDS.replace("{}", data))

    def in_all_languages(found: re.Match[str]) -> str:
        others = (f'<p lang="{code}">{escape(texts[found[1]], quote=False)}</p>' for code, texts in words.items())
        return found[0] + "".join(others)

    return WITHOUT_SCRIPTS.sub(in_all_languages, html)


def with_version(html: str, version: str) -> str:
    """Writes the version into the page. Page and service worker compare their versions."""
    if VERSION not in html:
        raise ToolError(f"index.html has to have a place for its version: {VERSION}")
    return html.replace(VERSION, f'data-version="{version}"')


def with_files(script: str, version: str, files: dict[str, str]) -> str:
    """Writes the version and the files to store into the service worker's script."""
    for place in (WORKER_VERSION, WORKER_FILES):
        if place not in script:
            raise ToolError(f"sw.js has to have the line {place}")
    script = script.replace(WORKER_VERSION, f'const VERSION = "{version}";')
    return script.replace(WORKER_FILES, f"const FILES = {json.dumps(files, indent=0)};")


def rename_in_style(sheet: str, names: dict[str, str]) -> str:
    """Replaces the addresses in a style sheet of assets/style/ by those in dist/."""
    return rename_addresses(
        sheet, {old.replace("assets/", "../", 1): new.replace("assets/", "../", 1) for old, new in names.items()}
    )


def rename_addresses(text: str, names: dict[str, str]) -> str:
    """Replaces the addresses of files with a hash in their names by those in dist/."""
    for old, new in names.items():
        text = text.replace(old, new)
    return text
