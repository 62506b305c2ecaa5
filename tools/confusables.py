"""Writes ui/text/confusables.py: the characters that look like letters or digits of other scripts.

    pip download --no-deps confusable_homoglyphs==3.3.1
    python -m tools.confusables confusable_homoglyphs-3.3.1-py2.py3-none-any.whl

The package contains the Unicode consortium's confusables.txt (Unicode Technical Standard 39) as JSON. Most of it cannot
matter here, see `wanted`: the table is a seventh of it.
"""

import hashlib
import json
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import wrap
from zipfile import ZipFile

from tools.paths import ROOT, ToolError, report, write_if_changed

SHA256 = "84c92cb79dc7f55aa290d0762b2349abd8dee4c16fbe6f99eac978d394e2e6a1"
DATA = "confusable_homoglyphs/confusables.json"
TARGET = ROOT / "ui" / "text" / "confusables.py"
SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN")
MARK = "\N{LEFT-TO-RIGHT MARK}"  # the package has it around characters that are written from the right
HEAD = '''"""Characters that look like others: written by tools/confusables.py, not by hand.

A line has the characters that something looks like, a colon, and the characters that look like it, all as hexadecimal
numbers. From the Unicode consortium's confusables.txt, see NOTICE.
"""

CONFUSABLES = """
'''


def prototypes(data: Mapping[str, list[dict[str, str]]]) -> dict[str, str]:
    """Returns what each character looks like. In `data` a character is listed with what it looks like, and that with
    all characters that look like it."""
    similar = {key.replace(MARK, ""): {one["c"].replace(MARK, "") for one in listed} for key, listed in data.items()}
    result: dict[str, str] = {}
    for character, others in similar.items():
        if len(character) == len(others) == 1:
            (other,) = others
            # of two characters that are listed only with each other, one stands for both
            if len(similar.get(other, ())) != 1 or len(other) > 1 or rank(character) > rank(other):
                result[character] = other
    return result


def rank(character: str) -> tuple[bool, int]:
    return not character.isascii(), ord(character)


def wanted(character: str, prototype: str) -> bool:
    """Returns True for a character that may be in a name and looks like letters, digits or marks of the four scripts.

    ASCII characters are left to the code, and so are those that are compatible with others: normalization replaces them
    (full width, mathematical letters, ligatures).
    """
    return (
        not character.isascii()
        and unicodedata.category(character)[0] in "LMN"
        and unicodedata.normalize("NFKD", character) == character
        and all(is_wanted_prototype(letter) for letter in prototype)
    )


def is_wanted_prototype(letter: str) -> bool:
    if letter.isascii():
        return letter.isalnum()
    name = unicodedata.name(letter, "")
    return name.startswith((*SCRIPTS, "COMBINING")) and unicodedata.category(letter)[0] in "LMN"


def with_capitals(character: str, prototype: str) -> str:
    """Returns what the character looks like, I for a capital letter that looks like l: so that small letters and
    capitals of a name can be compared."""
    return "I" if prototype == "l" and character != character.lower() else prototype


def table(found: Iterable[tuple[str, str]]) -> str:
    """Returns the lines of the table."""
    similar: dict[str, list[str]] = defaultdict(list)
    for character, prototype in sorted(found):
        similar[prototype].append(character)
    lines: list[str] = []
    for prototype in sorted(similar):
        start = f"{numbers(prototype)}: "
        lines += wrap(numbers(similar[prototype]), 120, initial_indent=start, subsequent_indent=start)
    return "".join(f"{line}\n" for line in lines)


def numbers(characters: Iterable[str]) -> str:
    return " ".join(f"{ord(character):x}" for character in characters)


def main(wheel: Path) -> None:
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != SHA256:
        raise ToolError(f"{wheel} is not the version that this tool knows.")
    with ZipFile(wheel) as archive:
        listed = prototypes(json.loads(archive.read(DATA)))
    found = {one: unicodedata.normalize("NFD", other) for one, other in listed.items() if wanted(one, other)}
    found = {one: with_capitals(one, "".join(found.get(letter, letter) for letter in found[one])) for one in found}
    write_if_changed(TARGET, f'{HEAD}{table(found.items())}"""\n'.encode())
    report(f"{TARGET.name} has {len(found)} characters.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
