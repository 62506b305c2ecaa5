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
from ui.boards.sicilianos.cards import badge
from ui.boards.sicilianos.conflict import bomb, founding, join, reinforce, share, traitor
from ui.boards.sicilianos.prompt import Asked, bold, family, lay, laying, on_family
from ui.boards.sicilianos.scene import Scene, answering, picked_card, picked_note, value_of_roll
from ui.html.parts import button, seat_mark, whole
from ui.html.tree import Attr, Child, Node, h


def say(ctx: Context, now: Scene, *, home: bool) -> Node:
    """Draws the question: the sentence, always in the same place, and its buttons beside it.

    `home`: the sentence takes the focus when the focused control has disappeared; False while a sheet is open.
    """
    found = question(ctx, now)
    attrs: dict[str, Attr] = {"role": "status", "tabindex": -1, "data-home": home}
    return h(
        "div.put",
        {"class": "long" if len(found.acts) > 3 else None},
        h(
            "div.words",
            None,
            h("p.q2", attrs, whole(found.sentence)),
            h("p.why2", None, found.hint) if found.hint else None,
        ),
        h("div.does", {"data-count": len(found.acts)}, found.acts) if found.acts else None,
    )


def question(ctx: Context, now: Scene) -> Asked:
    asked = ctx.question
    if answering(ctx) and type(asked) in ASKED:
        return ASKED[type(asked)](ctx, asked, now)
    return watched(ctx, now)


# The turn and the roll


def take(ctx: Context, asked: Take, now: Scene) -> Asked:
    t, number = ctx.t, len(ctx.view.hands[asked.seat]) + 1
    acts = [on_family(ctx, ("take", a[1]), "sicilianos.act.take") for a in ctx.answers]
    return Asked(t.rich("sicilianos.ask.take", who=bold(ctx, asked.seat), n=number), acts=tuple(acts))


def turn(ctx: Context, asked: Turn, now: Scene) -> Asked:
    t, seat = ctx.t, asked.seat
    must = len(ctx.view.hands[seat]) >= FULL_HAND
    card, note = picked_card(ctx), picked_note(ctx)
    roll = button(ctx.ask("roll"), t("sicilianos.act.roll"), kind="" if card or note else "pri")
    who = bold(ctx, seat)
    if must:
        sentence = t.rich("sicilianos.ask.turn.full", who=who)
    elif not card and not note:
        sentence = t.rich("sicilianos.ask.turn", who=who)
    else:
        return Asked(laying(ctx, "war"), t("sicilianos.hint.war"), (lay(ctx, "war"), roll))
    return Asked(sentence, t("sicilianos.hint.turn"), (roll, lay(ctx, "war")) if not must else (lay(ctx, "war"), roll))


def nine(ctx: Context, asked: Nine, now: Scene) -> Asked:
    acts = [on_family(ctx, a, "sicilianos.act.draw") for a in ctx.answers]
    return Asked(ctx.t.rich("sicilianos.ask.nine", who=bold(ctx, asked.seat)), acts=tuple(acts))


def one(ctx: Context, asked: One, now: Scene) -> Asked:
    t = ctx.t
    rolled = t("sicilianos.or").join(family(ctx, colour) for colour in value_of_roll(now.roll))
    looks = [on_family(ctx, a, "sicilianos.act.look", pri=True) for a in ctx.answers if a[0] == "look"]
    draws = [on_family(ctx, a, "sicilianos.act.draw") for a in ctx.answers if a[0] == "draw"]
    key = "sicilianos.ask.one" if looks or not ctx.yours else "sicilianos.ask.one.draw"
    return Asked(t.rich(key, who=bold(ctx, asked.seat), families=rolled), t("sicilianos.hint.one"), (*looks, *draws))


def keep(ctx: Context, asked: Keep, now: Scene) -> Asked:
    t = ctx.t
    sentence = t.rich("sicilianos.ask.keep", who=bold(ctx, asked.seat), family=family(ctx, asked.colour))
    return Asked(sentence, t("sicilianos.hint.keep"))


def steal(ctx: Context, asked: Steal, now: Scene) -> Asked:
    t = ctx.t
    acts = [
        button(
            ctx.ask(*a),
            badge(a[1]),
            seat_mark(ctx.chairs[a[2]]),
            h("span", None, t("sicilianos.act.steal", family=family(ctx, a[1]), who=ctx.name(a[2]))),
            kind="fam2",
        )
        for a in ctx.answers
    ]
    return Asked(t.rich("sicilianos.ask.steal", who=bold(ctx, asked.seat)), t("sicilianos.hint.steal"), tuple(acts))


ASKED: dict[type, Callable[[Context, Any, Scene], Asked]] = {
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


def watched(ctx: Context, now: Scene) -> Asked:
    """Returns a sentence about what the table waits for: another player, a bot, the dice, the cards."""
    t = ctx.t
    match ctx.question:
        case Dice(by):
            return Asked(t.rich("sicilianos.watch.dice", who=bold(ctx, by)))
        case Draw(colour, to):
            return Asked(t.rich("sicilianos.watch.card", who=bold(ctx, to), family=family(ctx, colour)))
        case Look(colour, to):
            return Asked(t.rich("sicilianos.watch.pile", who=bold(ctx, to), family=family(ctx, colour)))
        case Stolen(colour, to, victim):
            values: dict[str, Any] = {"who": bold(ctx, to), "victim": bold(ctx, victim), "family": family(ctx, colour)}
            return Asked(t.rich("sicilianos.watch.stolen", **values))
        case Reveal():
            return Asked([t("sicilianos.watch.reveal")])
        case Result():
            return Asked([t("sicilianos.watch.result")])
        case LooksAt() | Clear():
            return Asked(judged(ctx, now))
    name = ctx.question.key.removeprefix("sicilianos.")
    if ctx.asked is not None and ctx.asked >= 0:
        return Asked(t.rich(f"sicilianos.watch.{name}", who=bold(ctx, ctx.asked)))
    return Asked([t(f"sicilianos.watch.{name}")])


def judged(ctx: Context, now: Scene) -> list[Child]:
    """Returns the sentence that says how the war ended."""
    t, found = ctx.t, now.verdict
    if found is None or not found.family:
        return [t("sicilianos.watch.nobody")]
    values: dict[str, Any] = {
        "who": bold(ctx, found.winners[0]),
        "family": family(ctx, found.family),
        "n": sums(ctx.view)[found.family],
    }
    if len(found.winners) > 1:
        return t.rich("sicilianos.watch.allied", **values, ally=bold(ctx, found.winners[1]))
    return t.rich("sicilianos.watch.wins", **values)
