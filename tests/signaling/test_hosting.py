"""The files for hosts: the container file and the systemd unit start the endpoint with options that exist."""

import shlex
from pathlib import Path

import pytest

from signaling.__main__ import parse_options

HOME = Path(__file__).parent.parent.parent / "signaling"
HOST_SETTINGS = {
    "${ORIGINS}": ["https://play.example.org"],
    "$ORIGINS": ["https://play.example.org"],
    "$OPTIONS": ["--redis", "redis://127.0.0.1:6379/0", "--proxies", "1"],
}


def options_after(line: str) -> list[str]:
    """Returns the options after `python -m signaling`, with the host's settings filled in."""
    words = shlex.split(line.partition(" -m signaling ")[2])
    return [part for word in words for part in HOST_SETTINGS.get(word, [word])]


@pytest.mark.parametrize(
    ("name", "start", "host"),
    [("Containerfile", "CMD ", "0.0.0.0"), ("deploy/speakeasy-signaling.service", "ExecStart=", "127.0.0.1")],
)
def test_hosting_files_start_the_server_with_valid_options(name: str, start: str, host: str) -> None:
    text = (HOME / name).read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith(start)).replace('\\"', '"').removesuffix('"]')
    given = parse_options(options_after(line))
    assert (given.host, given.port, given.origins) == (host, 8010, ["https://play.example.org"])
    assert (given.redis, given.proxies) == ("redis://127.0.0.1:6379/0", 1)


def test_allowed_origins_must_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_options([])
    assert "--origins" in capsys.readouterr().err


@pytest.mark.parametrize(
    "given",
    [
        "https://a.example.org https://b.example.org",
        "play.example.org",
        "https://play.example.org/table",
        "https://Play.example.org",
        "wss://play.example.org",
        "https://play.example.org:99999999",
        "https://*.example.org",
        " , ",
    ],
)
def test_an_origin_that_no_browser_sends_is_refused_with_a_sentence(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such an origin would let no page connect, without any error."""
    with pytest.raises(SystemExit):
        parse_options(["--origins", given])
    said = capsys.readouterr().err
    assert "--origins" in said
    assert "https://play.example.org" in said
    assert "Traceback" not in said


def test_origins_are_accepted_as_browsers_send_them() -> None:
    given = "https://play.example.org, http://localhost:8000,http://[::1]:80,*"
    wanted = ["https://play.example.org", "http://localhost:8000", "http://[::1]:80", "*"]
    assert parse_options(["--origins", given]).origins == wanted
