"""The virtual page: the operations of a diff, carried out on a fake page, give exactly the new tree."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.html.diff import Mirror, Op
from ui.html.tree import Node, fixed, h, plain


class FakePage:
    """A fake page: elements by number. It asserts what a browser would require of each operation."""

    def __init__(self, shown: Node) -> None:
        self.nodes: dict[int, dict[str, Any]] = {}
        self.count = 0
        self.root = self.add(shown)
        self.moves = 0

    def add(self, node: Node) -> dict[str, Any]:
        self.count += 1
        made: dict[str, Any] = {"tag": node.tag, "attrs": dict(node.attrs), "kids": [], "text": node.text}
        self.nodes[self.count] = made
        made["kids"] = [self.add(kid) for kid in node.kids]
        return made

    def carry_out(self, ops: list[Op]) -> None:
        for op in ops:
            getattr(self, f"do_{op[0]}")(*op[1:])

    def do_make(self, number: int, tag: str, svg: object) -> None:
        assert number not in self.nodes
        self.nodes[number] = {"tag": tag, "attrs": {}, "kids": [], "text": ""}

    def do_copy(self, number: int, node: Node) -> None:
        assert number not in self.nodes
        self.nodes[number] = shape(node)

    def do_text(self, number: int, text: str) -> None:
        assert number not in self.nodes
        self.nodes[number] = {"tag": "#", "attrs": {}, "kids": [], "text": text}

    def do_set(self, number: int, name: str, value: str | None) -> None:
        attrs = self.nodes[number]["attrs"]
        if value is None:
            attrs.pop(name, None)
        else:
            attrs[name] = value

    def do_write(self, number: int, text: str) -> None:
        self.nodes[number]["text"] = text
        assert self.nodes[number]["kids"] == []

    def do_put(self, parent: int, number: int, before: int) -> None:
        child, kids = self.nodes[number], self.nodes[parent]["kids"]
        self.moves += any(kid is child for kid in kids)
        kids[:] = [kid for kid in kids if kid is not child]
        place = next(i for i, kid in enumerate(kids) if kid is self.nodes[before]) if before else len(kids)
        kids.insert(place, child)

    def do_drop(self, number: int, inside: tuple[int, ...]) -> None:
        gone = self.nodes[number]
        for node in self.nodes.values():
            node["kids"] = [kid for kid in node["kids"] if kid is not gone]
        for each in inside:
            del self.nodes[each]


def shape(node: Node) -> dict[str, Any]:
    return {"tag": node.tag, "attrs": node.attrs, "kids": [shape(kid) for kid in node.kids], "text": node.text}


def patched(old: Node, new: Node) -> FakePage:
    mirror, toy = Mirror(old), FakePage(old)
    toy.carry_out(mirror.diff(new))
    return toy


# keys, leaves and attributes are one draw each: drawing takes most of the time of the test
KEYS = st.sampled_from([Random(seed).sample("abcdefgh", seed % 9) for seed in range(500)])
DRAWINGS = [fixed(h("svg", None, h("use", {"href": f"#{name}"}))) for name in "abc"]
DRAWINGS.append(fixed(h("p", None, h("b", None, "one"), "two")))
LEAVES = st.sampled_from(DRAWINGS) | st.sampled_from(
    list(product(["p", "b", "svg", "use"], ["", "one", "two"], [None, "x", "y"]))
).map(lambda leaf: h(leaf[0], {"class": leaf[2]}, leaf[1]))
ATTRS = st.sampled_from(list(product([None, "1", "2"], repeat=3))).map(
    lambda values: dict(zip(["class", "data-x", "--k"], values, strict=True))
)


def _parent(kids: list[Node], keys: list[str], attrs: dict[str, str | None]) -> Node:
    keyed = [Node(kid.tag, kid.attrs, kid.kids, kid.text, key) for kid, key in zip(kids, keys, strict=False)]
    return h("div", attrs, keyed, kids[len(keyed) :])


def _parents(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.builds(_parent, st.lists(inner, max_size=8), KEYS, ATTRS)


# three levels, one by one: `st.recursive` takes longer to draw them
TREES = LEAVES | _parents(LEAVES | _parents(LEAVES | _parents(LEAVES)))
ROOTS = st.lists(TREES, max_size=6).map(lambda kids: h("main", None, kids))


@settings(deadline=None)
@given(ROOTS, ROOTS, ROOTS)
def test_operations_lead_from_any_tree_to_any_other(first: Node, second: Node, third: Node) -> None:
    mirror, toy = Mirror(first), FakePage(first)
    for tree in (second, third, first):
        toy.carry_out(mirror.diff(tree))
        assert toy.root == shape(tree)
    drawn = sum(len(list(_walk(node))) - 1 for node in _walk(first) if node.fixed)
    assert len(toy.nodes) <= sum(1 for _ in _walk(first))
    assert len(toy.nodes) >= sum(1 for _ in _walk(first)) - drawn


def _walk(node: Node) -> Any:
    yield node
    for kid in node.kids:
        yield from _walk(kid)


def _row(keys: str) -> Node:
    return h("ul", None, [h("li", {"key": key}, key) for key in keys])


def test_the_same_tree_takes_no_operation() -> None:
    assert Mirror(_row("abc")).diff(_row("abc")) == []


def test_a_changed_word_is_one_operation() -> None:
    assert Mirror(h("p", None, "one")).diff(h("p", None, "two")) == [("write", 1, "two")]


@pytest.mark.parametrize(("old", "new", "moves"), [("abcde", "eabcd", 1), ("abcde", "bcdea", 1), ("abcd", "dcba", 3)])
def test_keyed_children_move_as_little_as_they_can(old: str, new: str, moves: int) -> None:
    toy = patched(_row(old), _row(new))
    assert toy.moves == moves
    assert toy.root == shape(_row(new))


def test_new_children_are_inserted_in_order() -> None:
    """Screen readers read a log in the order in which its lines are inserted. Regression: the last one came first."""
    mirror = Mirror(h("div", None, [h("p", {"key": n}, n) for n in "abz"]))
    ops = mirror.diff(h("div", None, [h("p", {"key": n}, n) for n in "bcdz"]))
    made = {op[1]: op[2] for op in ops if op[0] == "write"}
    assert [made[op[2]] for op in ops if op[0] == "put"] == ["c", "d"]


def test_a_keyed_child_keeps_its_page_node() -> None:
    mirror, toy = Mirror(_row("abc")), FakePage(_row("abc"))
    kept = toy.root["kids"][2]
    toy.carry_out(mirror.diff(_row("cxa")))
    assert toy.root["kids"][0] is kept


def test_two_children_with_one_key_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two children"):
        Mirror(_row("a")).diff(_row("bb"))


@pytest.mark.parametrize(
    ("attrs", "tag"),
    [
        ({"onclick": "alert(1)"}, "p"),
        ({"style": "color:red"}, "p"),
        ({"srcdoc": "<p>"}, "p"),
        ({"href": "javascript:alert(1)"}, "a"),
        ({"href": "//elsewhere.example"}, "a"),
        ({"src": "https:elsewhere"}, "img"),
    ],
)
def test_what_is_not_on_the_whitelist_is_refused(attrs: dict[str, str], tag: str) -> None:
    with pytest.raises(ValueError, match="not allowed"):
        Mirror(h("div")).diff(h("div", None, h(tag, attrs)))


@pytest.mark.parametrize("tag", ["script", "iframe", "object", "style", "link", "meta", "base", "foreignObject"])
def test_tags_that_load_or_run_are_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="tag not allowed"):
        Mirror(h("div")).diff(h("div", None, h(tag)))


def test_attributes_are_spelt_as_html_and_aria_want_them() -> None:
    node = h("button.btn.pri", {"class": "wide", "disabled": False, "hidden": True, "aria-pressed": False, "data-n": 3})
    assert node.attrs == {"class": "btn pri wide", "hidden": "", "aria-pressed": "false", "data-n": "3"}


def test_empty_children_are_left_out_and_texts_are_joined() -> None:
    assert plain(h("p", None, "a", None, False, ["b", ["c"]], True)) == "abc"
    assert h("p", None, "a", "b").text == "ab"


def test_a_number_is_no_child() -> None:
    with pytest.raises(TypeError, match="formatted"):
        h("p", None, "a", 3)  # type: ignore[arg-type]  # the mistake under test


def test_what_a_person_may_have_changed_is_set_again() -> None:
    field = h("div", None, h("input", {"type": "text", "value": "Theo"}))
    again = h("div", None, h("input", {"type": "text", "value": "Theo"}))
    assert Mirror(field).diff(again) == [("set", 2, "value", "Theo")]


def test_svg_children_are_made_in_the_svg_namespace() -> None:
    ops = Mirror(h("div")).diff(h("div", None, h("svg", None, h("g", None, h("use", {"href": "#a"})))))
    assert [op[3] for op in ops if op[0] == "make"] == [True, True, True]


def test_a_fixed_drawing_is_copied_and_never_looked_into() -> None:
    ops = Mirror(h("div")).diff(h("div", None, DRAWINGS[0], DRAWINGS[0]))
    assert sorted(op for op in ops if op[0] != "put") == [("copy", 2, DRAWINGS[0]), ("copy", 3, DRAWINGS[0])]


def test_a_drawing_painted_before_is_taken_over() -> None:
    painted = h("div", None, h("svg", None, h("use", {"href": "#a"})))
    assert Mirror(painted).diff(h("div", None, DRAWINGS[0])) == []


def test_another_drawing_takes_the_place_of_the_first() -> None:
    toy = patched(h("div", None, DRAWINGS[0], "text"), h("div", None, DRAWINGS[1], "text"))
    assert toy.root == shape(h("div", None, DRAWINGS[1], "text"))


def test_a_drawing_is_checked_when_it_is_fixed() -> None:
    with pytest.raises(ValueError, match="not allowed"):
        fixed(h("svg", None, h("use", {"href": "https://elsewhere"})))
