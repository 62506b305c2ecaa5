"""The search for Firefox and WebKit: what is missing is reported with the way to get it, and stops nothing."""

from __future__ import annotations

import pytest

from tools import engines
from tools.engines import ENGINES
from tools.paths import ToolError


@pytest.mark.parametrize("refused", [False, True])
def test_an_engine_that_cannot_be_installed_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, refused: bool
) -> None:
    def install(*packages: str) -> bool:
        if refused:
            raise ToolError("apt-get install failed")
        return False

    monkeypatch.setattr(engines.shutil, "which", lambda name: None)
    monkeypatch.setattr(engines, "FIREFOX_PLACES", ())
    monkeypatch.setattr(engines, "apt_install", install)
    engines.prepare()
    told = capsys.readouterr().out.splitlines()
    for engine in ENGINES.values():
        assert engine.find() is None
        assert f"{engine.title} is missing, so the page is not tested with it. On Debian: {engine.advice}" in told
    assert engines.summary({"Lynx 1"}) == ["The page was tested with Lynx 1.", *map(engines.missing, ENGINES.values())]
    assert told.count("apt-get install failed") == refused * len(ENGINES)


def test_an_engine_that_is_there_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {name: engine._replace(find=lambda: "/usr/bin/true") for name, engine in ENGINES.items()}
    monkeypatch.setattr(engines, "ENGINES", there)
    monkeypatch.setattr(engines, "apt_install", None)
    engines.prepare()
