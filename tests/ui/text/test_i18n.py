"""Texts: places, plurals, numbers; the catalogue is complete and has no unused entries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import polib
import pytest

from engine.bots import LEVELS
from tests.sources import tree_of
from tests.ui.first_screen import english
from tools.paths import ROOT
from ui.boards import PLAYABLE
from ui.html.tree import h, plain
from ui.text.i18n import LANGUAGES, Money, Ref, Signed, Texts, best_language
from ui.update.room import REASONS

LANG = ROOT / "assets" / "lang"
KEY = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")
PLACE = re.compile(r"\{([a-z_]+)\}")
THIN = "\N{NARROW NO-BREAK SPACE}"
#: reasons by link without a text of their own, because only a changed page can cause them: `net.other` shows them
NO_WORDS = {"net.words", "net.word", "net.no_such_seat"}
#: modules of the engine, besides the games, whose refusals may be shown on a page
REFUSING = ("core", "session", "notation", "options", "seats")


@cache
def entries(code: str) -> dict[str, polib.POEntry]:
    found: dict[str, polib.POEntry] = {}
    for path in sorted((LANG / code).glob("*.po")):
        for entry in polib.pofile(str(path)):
            assert entry.msgid not in found, f"{entry.msgid} twice"
            found[entry.msgid] = entry
    return found


def texts(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@cache
def used_keys() -> tuple[set[str], list[re.Pattern[str]]]:
    """Returns the keys the page's source may ask for: whole strings, and patterns for keys with a part filled in."""
    keys: set[str] = set()
    patterns: list[re.Pattern[str]] = []
    for path in sorted([*(ROOT / "ui").rglob("*.py"), *(ROOT / "peer").rglob("*.py"), ROOT / "tools" / "page.py"]):
        nodes = [*ast.walk(tree_of(path))]
        heads = {id(node.args[0]) for node in nodes if isinstance(node, ast.Call) and _is_h(node)}
        inside = heads | {id(piece) for node in nodes if isinstance(node, ast.JoinedStr) for piece in node.values}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
                keys.add(node.value)
            elif isinstance(node, ast.JoinedStr) and re.search(r"[a-z]", "".join(_fixed_parts(node))):
                patterns.append(pattern(node, r"[\w.]+"))
            elif isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Constant):  # key += ".end"
                patterns.append(re.compile(r"[\w.]+" + re.escape(str(node.value.value))))
    return keys, [part for part in patterns if r"\." in part.pattern]


def pattern(node: ast.JoinedStr, part: str) -> re.Pattern[str]:
    """Returns the pattern of a string with parts filled in. `part` is the pattern of each of these."""
    pieces = (re.escape(str(piece.value)) if isinstance(piece, ast.Constant) else part for piece in node.values)
    return re.compile("".join(pieces))


def _fixed_parts(node: ast.JoinedStr) -> Iterator[str]:
    return (str(piece.value) for piece in node.values if isinstance(piece, ast.Constant))


def _is_h(call: ast.Call) -> bool:
    """Returns True for a call like h("table.rows"): its string is a tag with classes, not a text key."""
    return isinstance(call.func, ast.Name) and call.func.id == "h" and bool(call.args)


def given_reasons() -> Iterator[ast.expr]:
    """Yields what the sources give as a reason: to `Refused`, in the constructor of a class made from it, and as the
    `no_entry_reason` of a table, or why a device has `stopped`. The terminal has sentences of its own."""
    for path in (path for top in ("engine", "peer", "ui") for path in sorted((ROOT / top).rglob("*.py"))):
        for node in ast.walk(tree_of(path)) if path.parent.name != "cli" else ():
            match node:
                case ast.Call(func=ast.Name("Refused"), args=[reason, *_]):
                    yield reason
                case ast.ClassDef(bases=[ast.Name("Refused")]):
                    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
                    yield from (call.args[0] for call in calls if ast.unparse(call.func) == "super().__init__")
                case ast.Assign([ast.Attribute(attr="no_entry_reason" | "stopped")], reason):
                    yield reason


def reasons(node: ast.expr) -> Iterator[re.Pattern[str]]:
    """Yields the reasons that an expression can be, as patterns. A reason that comes from elsewhere is found there."""
    match node:
        case ast.Constant(str(reason)) if reason:
            yield re.compile(re.escape(reason))
        case ast.IfExp(_, one, other) | ast.BoolOp(_, [one, other]):
            yield from (*reasons(one), *reasons(other))
        case ast.JoinedStr():
            yield pattern(node, r"\w+")


def any_of(patterns: Iterable[re.Pattern[str]]) -> re.Pattern[str]:
    return re.compile("|".join(sorted({one.pattern for one in patterns})))


@cache
def all_reasons() -> re.Pattern[str]:
    return any_of(one for node in given_reasons() for one in reasons(node))


def unused(keys: Iterable[str]) -> set[str]:
    """Returns those keys that nothing asks for. The text of a refusal is used if something is refused for its reason:
    a pattern in the page's source matches all of these texts."""
    whole, parts = used_keys()
    needed = whole | {*options(), *index_texts(), *(f"refused.{reason}" for reason in REASONS.values())}
    built, raised = any_of(parts), all_reasons()
    return {
        key
        for key in {*keys} - needed
        if not (raised if key.startswith("refused.") else built).fullmatch(key.removeprefix("refused."))
    }


def refusals() -> Iterator[str]:
    files = [ROOT / "engine" / f"{name}.py" for name in REFUSING]
    files += [path for game in PLAYABLE for path in (ROOT / "engine" / game).rglob("*.py")]
    files += sorted((ROOT / "ui").rglob("*.py"))
    for path in files:
        for reason in re.findall(r'Refused\(\s*"([^"]+)"', path.read_text("utf-8")):
            yield f"refused.{reason}"


def options() -> Iterator[str]:
    yield from (f"bot.{level}" for level in LEVELS)
    for name, game in PLAYABLE.items():
        yield f"game.{name}"
        yield f"game.{name}.by"
        for option in game.OPTIONS:
            yield f"{name}.option.{option.name}"
            for word in getattr(option, "choices", ()):
                yield f"{name}.option.{option.name}.{word}"
            for card in getattr(option, "cards", ()):
                yield f"{name}.card.{card.name}"


def index_texts() -> dict[str, str]:
    """Returns the texts in index.html, by key."""
    page = (ROOT / "index.html").read_text("utf-8")
    return dict(re.findall(r'data-word="([^"]+)"[^>]*>([^<]+)<', page)) | {
        key: text for text, key in re.findall(r'aria-label="([^"]+)" data-label="([^"]+)"', page)
    }


def test_texts_in_index_html_are_those_of_the_catalogue() -> None:
    shown = index_texts()
    assert {key for key in entries("en") if key.startswith("boot.")} == set(shown)
    assert {key: entries("en")[key].msgstr for key in shown} == shown


def test_every_key_the_page_says_is_in_the_catalogue() -> None:
    known, (whole, _) = entries("en"), used_keys()
    heads = {key.partition(".")[0] for key in known}
    asked = {key for key in whole if KEY.fullmatch(key) and key.partition(".")[0] in heads}
    files_and_messages = {key for key in asked if key.endswith((".css", ".py", ".svg", ".mo")) or key in messages()}
    fixed = set(polib.pofile(str(LANG / "en" / "speakeasy.po")).metadata)
    questions = set(_question_keys())
    assert asked - set(known) - files_and_messages - fixed - questions == set()


def messages() -> set[str]:
    from ui.loop import UPDATES
    from ui.update.room import UPDATES as BY_LINK

    return {*UPDATES, *BY_LINK}


def _question_keys() -> Iterator[str]:
    for path in (ROOT / "engine").rglob("*.py"):
        yield from re.findall(r'key(?:: \w+\[\w+\])? = "([^"]+)"', path.read_text("utf-8"))


def test_every_refusal_and_every_house_rule_has_words() -> None:
    known = set(entries("en"))
    assert {key for key in (*refusals(), *options()) if key not in known} == set()


def test_every_refusal_by_link_has_words() -> None:
    """Refusals of the log (`peer/game`) may lack one: only a changed page causes those, and `net.other` shows them."""
    files = [path for path in (ROOT / "peer").rglob("*.py") if path.parent.name != "game"]
    found = {reason for path in files for reason in re.findall(r'Refused\(\s*"([^"]+)"', path.read_text("utf-8"))}
    assert {f"refused.{reason}" for reason in found} - entries("en").keys() == {f"refused.{one}" for one in NO_WORDS}


def test_the_catalogue_has_no_unused_keys() -> None:
    assert unused(entries("en")) == set()


def test_the_search_for_unused_keys_finds_texts_of_all_kinds() -> None:
    raised = {"refused.net.coming", "refused.sicilianos.war.colour_laid", "refused.thieves.give.nobody"}
    warned = {"refused.net.full", "refused.net.store", "refused.net.muted", "refused.net.histories_differ"}
    nowhere = {"refused.net", "refused.net.forged", "refused.sicilianos.war.other", "razzia.other", "other.text"}
    assert unused(raised | warned | nowhere) == nowhere


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_language_says_everything_with_the_same_places(code: str) -> None:
    mine, ours = entries(code), entries("en")
    assert set(mine) == set(ours)
    for key, entry in mine.items():
        assert all(texts(entry)), f"{code}: {key} is empty"
        assert bool(entry.msgid_plural) == bool(ours[key].msgid_plural), key
        places = {name for text in texts(ours[key]) for name in PLACE.findall(text)}
        for text in texts(entry):
            assert set(PLACE.findall(text)) <= places, f"{code}: {key}"


@pytest.mark.parametrize("path", sorted(LANG.rglob("*.po")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_catalogues_hold_no_markup_and_no_fuzzy_entries(path: Path) -> None:
    for entry in polib.pofile(str(path)):
        assert not entry.fuzzy
        assert not any(re.search(r"<\w|&\w+;", text) for text in texts(entry)), entry.msgid


def test_places_are_filled_and_never_evaluated() -> None:
    t = english()
    assert t("saves.turn", who="{0.__class__} {who}") == "{0.__class__} {who} to play"
    assert t("saves.turn") == "{who} to play"


def test_plural_forms_follow_the_number() -> None:
    t = english()
    assert t("lobby.seats", n=1) == "At the table, 1 seat"
    assert t("lobby.seats", n=4) == "At the table, 4 seats"


def test_a_text_may_hold_nodes() -> None:
    node = h("p", None, *english().rich("saves.turn", who=h("b", None, "Vera")))
    assert plain(node) == "Vera to play"
    assert [kid.tag for kid in node.kids] == ["b", "#"]


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "13,000"), ("hu", "13.000"), ("nl", "13.000"), ("fr", f"13{THIN}000"), ("pl", f"13{THIN}000")],
)
def test_money_looks_as_each_language_prints_it(language: str, shown: str) -> None:
    assert Texts(language, None).money(13) == shown


def test_values_are_formatted_for_the_language() -> None:
    t = english()
    assert t("saves.turn", who=Money(7)) == "7,000 to play"
    assert t("saves.turn", who=Signed(-5)) == "\N{MINUS SIGN}5 to play"
    assert t("saves.turn", who=Signed(9)) == "+9 to play"
    assert t("saves.turn", who=Ref("emblem.bee")) == "Bee to play"
    assert t("saves.turn", who=-2000) == "\N{MINUS SIGN}2,000 to play"


def test_the_browser_chooses_the_first_language() -> None:
    assert best_language(["xx", "en-GB"]) == "en"
    assert best_language([]) == "en"
