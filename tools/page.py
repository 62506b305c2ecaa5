"""index.html as it is served: style and configuration inlined, preloads last, names that follow content."""

import base64
import hashlib
import json
import re
import tomllib
from collections.abc import Callable
from html import escape

from tools.places import Stop

STYLE_LINK = re.compile(r'<link rel="stylesheet" href="(assets/style/first\.css)">')
IMPORT = re.compile(r'@import\s+(?:url\()?["\']([^"\']+)["\']\)?\s*;')
ADDRESS = re.compile(r"url\(\s*[\"']?(?!data:|#)([^\"')]+)[\"']?\s*\)")
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
CONFIG = 'config="./pyscript.toml"'
STYLE_SOURCE = "style-src 'self'"

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


def with_first_style(html: str, read: Read) -> str:
    """Put the first style into the page and its hash into the content security policy."""
    link = STYLE_LINK.search(html)
    if link is None or STYLE_SOURCE not in html:
        raise Stop("index.html has to link assets/style/first.css and to name style-src 'self' in its policy.")
    style = flat(link[1], read).strip()
    sha256 = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    html = html.replace(link[0], f"<style>{style}</style>")
    return html.replace(STYLE_SOURCE, f"{STYLE_SOURCE} 'sha256-{sha256}'")


def with_config(html: str, toml: str) -> str:
    """Put what pyscript.toml says into the page: one file and one parser less to wait for, or to lose on the way."""
    if CONFIG not in html:
        raise Stop(f"index.html has to name {CONFIG} at its Python.")
    config = json.dumps(tomllib.loads(toml), separators=(",", ":"))
    return html.replace(CONFIG, f'config="{escape(config)}"')


def with_preloads(html: str, modules: list[str], files: list[str]) -> str:
    """Ask for what Python needs while the scripts still load. Last in the body: earlier they delay the first paint."""
    tags = [f'<link rel="modulepreload" href="{name}">' for name in modules]
    tags += [f'<link rel="preload" as="fetch" crossorigin href="{name}">' for name in files]
    head, end, tail = html.rpartition("</body>")
    return head + "\n".join(tags) + "\n" + end + tail


def renamed(text: str, names: dict[str, str]) -> str:
    """Addresses of what carries a hash in its name, as they are in dist/."""
    for old, new in names.items():
        text = text.replace(old, new)
    return text
