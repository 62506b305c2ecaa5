"""The tool that writes the table of characters that look alike."""

import json
import zipfile
from pathlib import Path

import pytest

from tools import confusables
from tools.paths import ToolError


def listed(*names: str) -> list[dict[str, str]]:
    return [{"c": name, "n": "a name"} for name in names]


def test_every_character_is_listed_with_what_it_looks_like() -> None:
    data = {
        "a": listed("\u0430", "\u0251"),
        "\u0430": listed("a"),
        "\u0251": listed("a"),
        "rn": listed("m"),
        "m": listed("rn"),
        "s": listed("\u0455"),  # only with each other: one of the two stands for both
        "\u0455": listed("s"),
        "l": listed("\u200e\u0627\u200e", "1"),
        "\u200e\u0627\u200e": listed("l"),
        "1": listed("l"),
    }
    assert confusables.prototypes(data) == {
        "\u0430": "a",
        "\u0251": "a",
        "m": "rn",
        "\u0455": "s",
        "\u0627": "l",
        "1": "l",
    }


WANTED = {"\u0430": "a", "\u0142": "l\u0338", "\u1c80": "\u0432"}  # the last two: a stroke, Cyrillic in Cyrillic
#: the code knows ASCII, normalization replaces full width; punctuation, Chinese
UNWANTED = {"1": "l", "\uff4f": "o", "\u2010": "-", "\u2f00": "\u4e00"}


def test_only_letters_digits_and_marks_of_four_scripts_are_wanted() -> None:
    assert [one for one in (*WANTED, *UNWANTED) if confusables.wanted(one, {**WANTED, **UNWANTED}[one])] == [*WANTED]


def test_a_capital_that_looks_like_a_small_l_is_an_i() -> None:
    assert confusables.with_capitals("\u0406", "l") == "I"
    assert confusables.with_capitals("\u0627", "l") == "l"
    assert confusables.with_capitals("\u0410", "A") == "A"


def test_lines_are_wrapped_and_repeat_what_the_characters_look_like() -> None:
    many = [(chr(code), "ab") for code in range(0x400, 0x440)]
    lines = confusables.table([("\u0251", "a"), *many]).splitlines()
    assert lines[0] == "61: 251"
    assert all(line.startswith("61 62: ") and len(line) <= 120 for line in lines[1:])
    assert sum(len(line.split()) - 2 for line in lines[1:]) == len(many)


def test_another_version_of_the_package_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        archive.writestr(confusables.DATA, json.dumps({}))
    with pytest.raises(ToolError, match="is not the version"):
        confusables.main(tmp_path / "other.whl")
