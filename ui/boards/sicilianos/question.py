"""The current question as the board shows it: one sentence, a hint, and the buttons that answer it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.sicilianos.box import FULL_HAND
from engine.sicilianos.result import Businesses as LooksAt
from engine.sicilianos.result import Clear, Founding, Result, Share
from engine.sicilianos.roll import Dice, Draw, Keep, Look, Nine, One, Steal, Stolen
from engine.sicilianos.rules import Take, Turn
from engine.sicilianos.table import sums
from engine.sicilianos.war import Bomb, Join, Reinforce, Reveal, Traitor
from ui.boards import Context
from ui.boards.kit.prompt import bold_name, sentence_home
from ui.boards.sicilianos.cards import badge
from ui.boards.sicilianos.prompt import Prompt, family, family_button, lay_button, picked_sentence
from ui.boards.sicilianos.scene import Scene, picked_card, picked_note, rolled_colours
from ui.boards.sicilianos.war_questions import bomb, founding, join, reinforce, share, traitor
from ui.html.parts import button, seat_mark
from ui.html.tree import Child, Node, h


def question_box(ctx: Context, scene: Scene, *, home: bool) -> Node:
    """Draws the question: the sentence, always in the same place, and its buttons beside it.

    `home`: the sentence takes the focus when the focused control has disappeared; False while a sheet is open.
    """
    prompt = current_prompt(ctx, scene)
    return h(
        "div.put",
        {"class": "long" if len(prompt.buttons) > 3 else None},
        h(
            "div.words",
            None,
            sentence_home("p.question", prompt.sentence, home=home),
            h("p.hint", None, prompt.hint) if prompt.hint else None,
        ),
        h("div.does", {"data-count": len(prompt.buttons)}, prompt.buttons) if prompt.buttons else None,
    )


def current_prompt(ctx: Context, scene: Scene) -> Prompt:
    question = ctx.question
    if ctx.viewer_is_asked and type(question) in PROMPTS:
        return PROMPTS[type(question)](ctx, question, scene)
    return watching_prompt(ctx, scene)


# The turn and the roll


def take(ctx: Context, question: Take, scene: Scene) -> Prompt:
    t, card_number = ctx.t, len(ctx.view.hands[question.seat]) + 1
    buttons = [family_button(ctx, ("take", a[1]), "sicilianos.act.take") for a in ctx.answers]
    return Prompt(
        t.rich("sicilianos.ask.take", who=bold_name(ctx, question.seat), n=card_number), buttons=tuple(buttons)
    )


def turn(ctx: Context, question: Turn, scene: Scene) -> Prompt:
    t, seat = ctx.t, question.seat
    must_go_to_war = len(ctx.view.hands[seat]) >= FULL_HAND
    card, note = picked_card(ctx), picked_note(ctx)
    roll = button(ctx.answer_attrs("roll"), t("sicilianos.act.roll"), kind="" if card or note else "pri")
    who = bold_name(ctx, seat)
    if must_go_to_war:
        sentence = t.rich("sicilianos.ask.turn.full", who=who)
    elif not card and not note:
        sentence = t.rich("sicilianos.ask.turn", who=who)
    else:
        return Prompt(picked_sentence(ctx, "war"), t("sicilianos.hint.war"), (lay_button(ctx, "war"), roll))
    return Prompt(
        sentence,
        t("sicilianos.hint.turn"),
        (roll, lay_button(ctx, "war")) if not must_go_to_war else (lay_button(ctx, "war"), roll),
    )


def nine(ctx: Context, question: Nine, scene: Scene) -> Prompt:
    buttons = [family_button(ctx, a, "sicilianos.act.draw") for a in ctx.answers]
    return Prompt(ctx.t.rich("sicilianos.ask.nine", who=bold_name(ctx, question.seat)), buttons=tuple(buttons))


def one(ctx: Context, question: One, scene: Scene) -> Prompt:
    t = ctx.t
    rolled = t("sicilianos.or").join(family(ctx, colour) for colour in rolled_colours(scene.roll))
    looks = [family_button(ctx, a, "sicilianos.act.look", primary=True) for a in ctx.answers if a[0] == "look"]
    draws = [family_button(ctx, a, "sicilianos.act.draw") for a in ctx.answers if a[0] == "draw"]
    key = "sicilianos.ask.one" if looks or not ctx.yours else "sicilianos.ask.one.draw"
    return Prompt(
        t.rich(key, who=bold_name(ctx, question.seat), families=rolled), t("sicilianos.hint.one"), (*looks, *draws)
    )


def keep(ctx: Context, question: Keep, scene: Scene) -> Prompt:
    t = ctx.t
    sentence = t.rich("sicilianos.ask.keep", who=bold_name(ctx, question.seat), family=family(ctx, question.colour))
    return Prompt(sentence, t("sicilianos.hint.keep"))


def steal(ctx: Context, question: Steal, scene: Scene) -> Prompt:
    t = ctx.t
    buttons = [
        button(
            ctx.answer_attrs(*a),
            badge(a[1]),
            seat_mark(ctx.chairs[a[2]]),
            h("span", None, t("sicilianos.act.steal", family=family(ctx, a[1]), who=ctx.name(a[2]))),
            kind="with-badge",
        )
        for a in ctx.answers
    ]
    return Prompt(
        t.rich("sicilianos.ask.steal", who=bold_name(ctx, question.seat)), t("sicilianos.hint.steal"), tuple(buttons)
    )


PROMPTS: dict[type, Callable[[Context, Any, Scene], Prompt]] = {
    Take: take,
    Turn: turn,
    Nine: nine,
    One: one,
    Keep: keep,
    Steal: steal,
    Join: join,
    Traitor: traitor,
    Bomb: bomb,
    Reinforce: reinforce,
    Share: share,
    Founding: founding,
}

# While the viewer is not the one who answers


def watching_prompt(ctx: Context, scene: Scene) -> Prompt:
    """Returns a sentence about what the table waits for: another player, a bot, the dice, the cards."""
    t = ctx.t
    match ctx.question:
        case Dice(by):
            return Prompt(t.rich("sicilianos.watch.dice", who=bold_name(ctx, by)))
        case Draw(colour, to):
            return Prompt(t.rich("sicilianos.watch.card", who=bold_name(ctx, to), family=family(ctx, colour)))
        case Look(colour, to):
            return Prompt(t.rich("sicilianos.watch.pile", who=bold_name(ctx, to), family=family(ctx, colour)))
        case Stolen(colour, to, victim):
            values: dict[str, Any] = {
                "who": bold_name(ctx, to),
                "victim": bold_name(ctx, victim),
                "family": family(ctx, colour),
            }
            return Prompt(t.rich("sicilianos.watch.stolen", **values))
        case Reveal():
            return Prompt([t("sicilianos.watch.reveal")])
        case Result():
            return Prompt([t("sicilianos.watch.result")])
        case LooksAt() | Clear():
            return Prompt(war_result(ctx, scene))
    name = ctx.question.key.removeprefix("sicilianos.")
    if ctx.asked is not None and ctx.asked >= 0:
        return Prompt(t.rich(f"sicilianos.watch.{name}", who=bold_name(ctx, ctx.asked)))
    return Prompt([t(f"sicilianos.watch.{name}")])


def war_result(ctx: Context, scene: Scene) -> list[Child]:
    """Returns the sentence that says how the war ended."""
    t, result = ctx.t, scene.verdict
    if result is None or not result.family:
        return [t("sicilianos.watch.nobody")]
    values: dict[str, Any] = {
        "who": bold_name(ctx, result.winners[0]),
        "family": family(ctx, result.family),
        "n": sums(ctx.view)[result.family],
    }
    if len(result.winners) > 1:
        return t.rich("sicilianos.watch.allied", **values, ally=bold_name(ctx, result.winners[1]))
    return t.rich("sicilianos.watch.wins", **values)
