"""`make site` says what is missing for tables by link, and checks what there is."""

import json
import subprocess
import sys

import pytest

from signaling.__main__ import parse_options
from signaling.embedded import Embedded
from tools.hosting.tables_by_link import check_options, read_settings, summary
from tools.paths import ROOT, ToolError

PAGE = "https://play.example.org/games/"
STUN = {"urls": ["stun:meet.example.org:3478", "turn:meet.example.org"], "username": "a", "credential": "b"}


@pytest.mark.parametrize(
    ("settings", "says", "says_not"),
    [
        ({"signaling": "", "ice": []}, ["no endpoint", "no STUN service"], ["nothing is missing"]),
        ({"signaling": "/signaling", "ice": []}, ["no STUN service"], ["no endpoint"]),
        ({"signaling": "", "ice": [STUN]}, ["no endpoint"], ["no STUN service"]),
        ({"signaling": "wss://meet.example.org", "ice": [STUN]}, ["nothing is missing"], ["no endpoint"]),
    ],
)
def test_one_line_says_what_is_missing(settings: dict[str, object], says: list[str], says_not: list[str]) -> None:
    line = summary(read_settings(json.dumps(settings)))
    assert "\n" not in line
    assert [words for words in says if words not in line] == []
    assert [words for words in says_not if words in line] == []


def test_the_settings_of_the_project_have_such_a_line() -> None:
    assert summary(read_settings((ROOT / "assets/site.json").read_text("utf-8"))).startswith("Tables by link: ")


@pytest.mark.parametrize("text", ["", "[]", '{"signalling": ""}', '{"ice": ["stun:meet.example.org"]}'])
def test_settings_that_the_page_would_refuse_are_refused(text: str) -> None:
    with pytest.raises(ToolError, match=r"assets/site\.json"):
        read_settings(text)


def test_the_check_uses_the_addresses_as_the_page_does() -> None:
    options = check_options(json.dumps({"signaling": "/signaling", "ice": [STUN]}), PAGE)
    parsed = parse_options(options)
    assert parsed.check == "wss://play.example.org/signaling"
    assert parsed.origins == ["https://play.example.org"]
    assert parsed.ice == ["stun:meet.example.org:3478"]


@pytest.mark.parametrize("page", ["", "play.example.org", "wss://play.example.org/"])
def test_the_check_needs_the_pages_address(page: str) -> None:
    with pytest.raises(ToolError, match="address at which the page will be"):
        check_options('{"signaling": "/signaling"}', page)


def test_without_an_endpoint_there_is_nothing_to_check() -> None:
    with pytest.raises(ToolError, match="names no endpoint"):
        check_options('{"signaling": ""}', PAGE)


def test_the_options_of_the_check_reach_a_real_endpoint() -> None:
    endpoint = Embedded(["http://localhost:8000"])
    port = endpoint.start()
    options = check_options(json.dumps({"signaling": f"ws://127.0.0.1:{port}/"}), "http://localhost:8000/games/")
    result = subprocess.run(
        [sys.executable, "-m", "signaling", *options], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    endpoint.stop()
    assert result.returncode == 0, result.stdout + result.stderr
