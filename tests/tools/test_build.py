"""The build: the same input gives the same bytes, the page's policy allows its inline style and script, and nothing
depends on the machine."""

import base64
import gettext
import hashlib
import io
import json
import re
import subprocess
import zipfile
from html import unescape
from pathlib import Path

import polib
import pytest

from tools import build, environments, icons, page, stdlib_parts, vendor
from tools.paths import BUILD, DIST, ROOT, VENDOR, ToolError, exclusive_lock

MAGIC_AND_FLAGS = 8
UNCHECKED = b"\x01\0\0\0"
SOURCES = {
    "ui/zoo.py": b'"""For readers."""\nNAMES = {"b", "a", "c"}\n\ndef zoo(animal):\n    return animal in NAMES\n',
    "ui/a.py": b"import ui.zoo\n\nNUMBERS = frozenset({1, 2, 3})\nLETTERS = frozenset({'x', 'y', 'z'})\n",
    "ui/note.json": b"{}",
}


@pytest.fixture(scope="module")
def node() -> str:
    with exclusive_lock():
        return vendor.prepare()


@pytest.fixture(scope="module")
def site(node: str) -> dict[str, bytes]:
    with exclusive_lock():
        return build.collect_site(node)


def compile_archives(node: str, sources: dict[str, bytes], name: str, *kinds: str) -> list[bytes]:
    """Returns the archives of some sources, one for each value of `keeping`."""
    folder = BUILD / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{name}-source.zip"
    source.write_bytes(vendor.zip_sources(sources))
    archives = [vendor.Archive(source, folder / f"{name}-{kind}.zip", kind) for kind in kinds]
    vendor.compile_archives(node, VENDOR / "pyodide", *archives)
    return [archive.target.read_bytes() for archive in archives]


def compile_archive(node: str, sources: dict[str, bytes], name: str) -> bytes:
    return compile_archives(node, sources, name, "lines")[0]


def app(site: dict[str, bytes]) -> bytes:
    return site[json.loads(site["version.json"])["app"]]


def test_the_same_sources_give_the_same_archive_and_a_smaller_bare_one(node: str) -> None:
    turned = dict(reversed(SOURCES.items()))
    lines, bare = once = compile_archives(node, SOURCES, "once", "lines", "bare")
    assert once == compile_archives(node, turned, "again", "lines", "bare")
    with zipfile.ZipFile(io.BytesIO(lines)) as longer, zipfile.ZipFile(io.BytesIO(bare)) as shorter:
        assert shorter.namelist() == longer.namelist()
        assert len(shorter.read("ui/zoo.pyc")) < len(longer.read("ui/zoo.pyc"))


def test_the_archive_holds_byte_code_that_needs_no_source(node: str) -> None:
    """The byte code keeps the annotations of fields, but neither docstrings nor the annotations of functions."""
    annotated = b"""
from typing import NamedTuple
class Zoo(NamedTuple):
    animals: "OfAField"
def feed(zoo: "OfAnArgument", *rest: "OfTheRest", hungry: "OfAKeyword" = True, **others: "OfOthers") -> "OfAResult":
    def inside(zoo: "OfAnInnerFunction"): ...
    return zoo
async def wait(zoo: "OfACoroutine"): ...
"""
    archived = compile_archive(node, {**SOURCES, "ui/fields.py": annotated}, "readable")
    with zipfile.ZipFile(io.BytesIO(archived)) as archive:
        assert archive.namelist() == ["ui/a.pyc", "ui/fields.pyc", "ui/note.json", "ui/zoo.pyc"]
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        zoo, fields = archive.read("ui/zoo.pyc"), archive.read("ui/fields.pyc")
    assert zoo[4:MAGIC_AND_FLAGS] == UNCHECKED
    assert b"For readers." not in zoo
    assert b"animal" in zoo
    assert set(re.findall(rb"Of[A-Z]\w+", fields)) == {b"OfAField"}


def test_a_source_that_does_not_compile_stops_the_build_and_is_named(node: str) -> None:
    with pytest.raises(ToolError, match=r"ui/broken\.py"):
        compile_archive(node, {"ui/broken.py": b"def"}, "broken")


def test_building_twice_gives_the_same_site(node: str, site: dict[str, bytes]) -> None:
    with exclusive_lock():
        again = build.collect_site(node)
    assert again.keys() == site.keys()
    assert [name for name in site if again[name] != site[name]] == []
    assert build.checksums(again) == build.checksums(site)


def test_the_site_has_no_trace_of_this_machine(site: dict[str, bytes]) -> None:
    here = str(ROOT).encode()
    assert [name for name, data in site.items() if here in data] == []
    with zipfile.ZipFile(io.BytesIO(app(site))) as archive:
        assert [name for name in archive.namelist() if here in archive.read(name)] == []


def test_the_archive_contains_every_source_module(site: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(app(site))) as archive:
        names = archive.namelist()
    assert names == sorted(f"{path.relative_to(ROOT).as_posix()}c" for path in build.python_sources())
    assert [name for name in names if name.startswith(build.NOT_FOR_THE_PAGE)] == []
    assert [name for name in build.NOT_FOR_THE_PAGE if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("kind", ["style", "script"])
def test_the_policy_allows_only_the_inline_style_and_script_of_the_page(kind: str, site: dict[str, bytes]) -> None:
    html = site["index.html"].decode()
    found = re.findall(rf"<{kind}>(.*?)</{kind}>", html, re.DOTALL)
    policy = re.search(rf"{kind}-src ([^;]+)", html)
    assert policy
    allowed = re.findall(r"'sha256-([^']+)'", policy[1])
    assert [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in found] == allowed
    assert len(found) == 1
    assert "'unsafe-inline'" not in html
    assert "'unsafe-eval'" not in html


def test_every_address_in_the_page_and_its_inline_style_is_a_file(site: dict[str, bytes]) -> None:
    html = site["index.html"].decode()
    named = re.findall(r'(?:href|src)="(?!data:|#)(?:\./(?!"))?([^"#]+)', html)
    named += re.findall(r"url\((?!data:)([^)#]+)\)", html)
    assert named
    assert [name for name in named if name not in site and name != "./"] == []


def test_the_configuration_in_the_page_names_existing_files(site: dict[str, bytes]) -> None:
    found = re.search(r'<script type="py" config="([^"]+)"', site["index.html"].decode())
    assert found
    config = json.loads(unescape(found[1]))
    assert {archive.removeprefix("./"): site[archive.removeprefix("./")] for archive in config["files"]} == {
        json.loads(site["version.json"])["app"]: app(site)
    }
    assert config["interpreter"].removeprefix("./") in site


def test_the_page_names_the_endpoint_and_allows_it_if_it_is_not_encrypted() -> None:
    html = """<html data-endpoint=""> connect-src 'self' wss:; style-src 'self'"""
    for plain in ("ws://meet.example:8443/signaling", "http://meet.example:8443"):
        wanted = html.replace('""', f'"{plain}"').replace("wss:", "wss: ws://meet.example:8443")
        assert page.with_endpoint(html, plain) == wanted
    for known in ("wss://meet.example/signaling?a&b", "https://meet.example", "/signaling", ""):
        wanted = html.replace('""', f'"{known.replace("&", "&amp;")}"')
        assert page.with_endpoint(html, known) == wanted
    for wrong in ("wss://a;script-src *", "ftp://meet.example", "ws:"):
        with pytest.raises(ToolError, match="no address"):
            page.with_endpoint(html, wrong)
    for without in (html.replace("data-endpoint", "data-end"), html.replace("wss:", "")):
        with pytest.raises(ToolError, match="has to name"):
            page.with_endpoint(without, "")


def test_preloads_are_the_last_things_in_the_body(site: dict[str, bytes]) -> None:
    body = site["index.html"].decode().rpartition("</body>")[0]
    first = body.index('<link rel="modulepreload"')
    rest = re.sub(r"<link rel=\"(?:modulepreload|preload)\"[^>]*>\s*", "", body[first:])
    assert rest == ""


def test_imports_of_the_first_style_are_inlined_with_adjusted_addresses() -> None:
    sheets = {
        "assets/style/first.css": '@import "../vendor/fonts/fonts.css";\n/**/\nbody { color: url("../art/a.svg") }',
        "assets/vendor/fonts/fonts.css": "@font-face { src: url(a.woff2) format('woff2') }",
    }
    assert page.inline_imports("assets/style/first.css", sheets.__getitem__) == (
        "@font-face { src: url(assets/vendor/fonts/a.woff2) format('woff2') }\nbody { color: url(assets/art/a.svg) }"
    )


def test_style_sheets_lose_white_space_but_keep_their_strings() -> None:
    style = """
.table > .row,
.row b {
  grid-template:
    "a  b" auto
    / 1fr;
  content: ' ; ';
}
"""
    assert page.compact(style) == """.table > .row,.row b{grid-template:"a  b" auto / 1fr;content:' ; '}"""


def test_a_page_without_a_place_for_the_first_style_stops_the_build() -> None:
    with pytest.raises(ToolError, match=r"first\.css"):
        page.with_first_style("<html></html>", lambda name: "", {})


def test_every_text_of_a_language_is_in_its_catalogue(site: dict[str, bytes]) -> None:
    for folder in sorted((ROOT / "assets" / "lang").iterdir()):
        texts = gettext.GNUTranslations(
            io.BytesIO(next(data for name, data in site.items() if name.endswith(f"/{folder.name}.mo")))
        )
        entries = [entry for path in folder.glob("*.po") for entry in polib.pofile(str(path)).translated_entries()]
        assert entries
        for entry in entries:
            found = (
                texts.ngettext(entry.msgid, entry.msgid_plural, 1) if entry.msgid_plural else texts.gettext(entry.msgid)
            )
            assert found == (entry.msgstr_plural[0] if entry.msgid_plural else entry.msgstr)


def test_the_version_file_names_the_versions_of_all_parts(site: dict[str, bytes]) -> None:
    stamped = json.loads(site["version.json"])
    assert stamped["speakeasy"] == build.app_version()
    assert (stamped["pyodide"], stamped["pyscript"]) == ("314.0.7", "0.7.31")
    for folder in stamped["folders"].values():
        assert [name for name in site if name.startswith(folder)]


def test_served_files_are_named_after_their_content(site: dict[str, bytes]) -> None:
    roots = {"index.html", "manifest.webmanifest", "sw.js", "version.json", "LICENSE", "NOTICE"}
    named = re.compile(r"-[0-9a-f]{8}[./]")
    others = {name for name in site if not named.search(name) and not name.startswith(build.WITHOUT_HASH)}
    assert others == roots


def test_a_changed_file_gets_a_new_name_and_so_do_files_that_refer_to_it() -> None:
    files = {
        "assets/art/a.svg": b"one",
        "assets/style/a.css": b"b { background: url(../art/a.svg) }",
        "assets/x.js": b"",
    }
    site, names = build.with_hashed_names(files)
    again, others = build.with_hashed_names({**files, "assets/art/a.svg": b"two"})
    assert {old for old in names if names[old] != others[old]} == {"assets/art/", "assets/style/"}
    art = names["assets/art/"].removeprefix("assets/")
    assert site[f"{names['assets/style/']}a.css"].decode() == f"b {{ background: url(../{art}a.svg) }}"
    assert names["assets/x.js"] in again


def test_the_service_worker_lists_the_needed_files_with_their_checksums(site: dict[str, bytes]) -> None:
    script = site["sw.js"].decode()
    (listed,) = re.findall(r"const FILES = (\{.*?\});", script, re.DOTALL)
    files = json.loads(listed)
    assert files.pop("./") == build.integrity(site["index.html"])
    assert files == {name: build.integrity(site[name]) for name in files}
    assert {*site} - {*files} == {
        *(name for name in site if name.startswith("assets/vendor/licences/") or name.endswith((".whl", "more.zip"))),
        *({"index.html", "sw.js", "version.json", "LICENSE", "NOTICE", "assets/site.json"} & {*site}),
    }
    (version,) = re.findall(r'data-version="([0-9a-f]{12})"', site["index.html"].decode())
    assert f'const VERSION = "{version}";' in script


def test_commit_returns_the_current_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environments.run("git", "init", "-q", tmp_path)
    who = ("-c", "user.name=A", "-c", "user.email=a@b.example")
    environments.run("git", "-C", tmp_path, *who, "commit", "-q", "--allow-empty", "-m", "first")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    head = subprocess.run(["git", "-C", tmp_path, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    assert build.commit() == head.stdout[:12]


def test_commit_returns_none_outside_a_repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    assert build.commit() is None


def test_vendor_packages_have_the_listed_checksums(site: dict[str, bytes]) -> None:
    folder = json.loads(site["version.json"])["folders"]["pyodide"]
    packages = json.loads(site[f"{folder}pyodide-lock.json"])["packages"]
    assert {name: package["depends"] for name, package in packages.items()} == {
        "python-more": [],
        "micropip": ["python-more"],
        "segno": ["python-more"],
    }
    for package in packages.values():
        assert hashlib.sha256(site[folder + package["file_name"]]).hexdigest() == package["sha256"]


def test_a_build_removes_files_of_an_older_build(node: str) -> None:
    old = DIST / "assets" / "older" / "left.txt"
    old.parent.mkdir(parents=True, exist_ok=True)
    old.write_text("from another build")
    build.build_site()
    assert not old.parent.exists()


@pytest.mark.parametrize("name", ["encodings/cp437.py", "gettext.py", "asyncio/events.py", "compression/zstd.py"])
def test_the_slim_library_keeps_needed_modules(name: str) -> None:
    assert stdlib_parts.is_shipped(name)


@pytest.mark.parametrize("name", ["encodings/cp1250.py", "pickle.py", "unittest/mock.py", "json/tool.py"])
def test_the_slim_library_drops_other_modules(name: str) -> None:
    assert not stdlib_parts.is_shipped(name)


@pytest.mark.parametrize(
    ("name", "later"), [("email/policy.py", True), ("decimal.py", True), ("json/decoder.py", False)]
)
def test_modules_that_only_other_packages_need_are_loaded_later(name: str, later: bool) -> None:  # noqa: FBT001
    assert stdlib_parts.is_shipped(name)
    assert stdlib_parts.is_deferred(name) == later


@pytest.mark.parametrize("name", vendor.STAND_INS)
def test_a_stand_in_has_the_name_of_its_library_module(name: str) -> None:
    """A stand-in is imported under the name of a library module. If the library dropped that module, nothing would
    import the stand-in. The exception is `sitecustomize`: Python has no such module, but imports it at each start."""
    with zipfile.ZipFile(vendor.PYODIDE / "python_stdlib.zip") as library:
        assert name in library.namelist() or f"import {name.removesuffix('.py')} " in library.read("site.py").decode()


def test_icons_become_symbols() -> None:
    package = {"icons": {"rose": {"body": "<path d='M0 0'/>"}, "key": {"body": "<path/>"}}}
    assert icons.names("# people\nrose\n\nkey\nrose\n") == ["key", "rose"]
    assert icons.sheet(["rose"], package) == (
        '<svg xmlns="http://www.w3.org/2000/svg">\n'
        '<symbol id="icons/rose" viewBox="0 0 512 512"><path d=\'M0 0\'/></symbol>\n</svg>\n'
    )


def test_an_icon_that_does_not_exist_stops_the_build_and_is_named() -> None:
    with pytest.raises(ToolError, match="no-such-icon"):
        icons.sheet(["no-such-icon"], {"icons": {}})


def test_every_third_party_icon_is_credited() -> None:
    credited = set(re.findall(r"[a-z-]+", (ROOT / "NOTICE").read_text("utf-8")))
    assert set(icons.names(icons.WANTED.read_text("utf-8"))) - credited == set()
