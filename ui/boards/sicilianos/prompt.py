"""A question as it is shown (sentence, hint, buttons), and the parts that several questions share."""

from __future__ import annotations

from typing import NamedTuple

from engine.core import Answer
from ui.boards import Context
from ui.boards.kit.prompt import bold_name
from ui.boards.sicilianos.cards import badge, card_name, family_name
from ui.boards.sicilianos.scene import picked_card, picked_note
from ui.html.parts import button, icon
from ui.html.tree import Child, Node, h


class Prompt(NamedTuple):
    """A question as it is shown: the sentence, a hint, the buttons."""

    sentence: list[Child]
    hint: str = ""
    buttons: tuple[Node, ...] = ()


def family(ctx: Context, colour: int) -> str:
    return family_name(ctx.t, colour)


def family_button(ctx: Context, a: Answer, key: str, *, primary: bool = False) -> Node:
    colour = a[1]
    name = ctx.t(key, family=family(ctx, colour))
    return button(
        ctx.answer_attrs(*a), badge(colour), h("span", None, name), kind="pri with-badge" if primary else "with-badge"
    )


def picked_sentence(ctx: Context, verb: str) -> list[Child]:
    """Returns the sentence that names what is picked so far and what is still missing."""
    t, card, note = ctx.t, picked_card(ctx), picked_note(ctx)
    values: dict[str, Child] = {
        "who": bold_name(ctx, ctx.viewer),
        "card": h("b", None, card_name(t, card[0])) if card else "",
        "note": h("b", None, t.number(note)),
    }
    if card and note:
        return t.rich(f"sicilianos.ask.{verb}.both", **values)
    return t.rich(f"sicilianos.ask.{verb}.card" if card else f"sicilianos.ask.{verb}.note", **values)


def lay_button(ctx: Context, verb: str) -> Node:
    """Draws the button that starts or joins a war with the picked card and note; disabled until both are picked."""
    card, note = picked_card(ctx), picked_note(ctx)
    word = ctx.t(f"sicilianos.act.{verb}")
    sign = icon("crossed-pistols")
    if card and note:
        return button(ctx.answer_attrs(verb, card[0], note), sign, h("span", None, word), kind="pri")
    return button({"aria-disabled": True, "key": verb}, sign, h("span", None, word))


def outcome_button(ctx: Context, a: Answer, key: str, colour: int, before: int, after: int) -> Node:
    """Draws a button that names its effect on a family's strength."""
    t = ctx.t
    change = t("sicilianos.becomes", before=before, after=after) if before != after else t.number(after)
    effect = h("small", None, t("sicilianos.effect", family=family(ctx, colour), change=change))
    return button(ctx.answer_attrs(*a), badge(colour), h("span", None, t(key), effect), kind="pri with-badge")
