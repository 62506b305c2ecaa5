"""Hostile frames: random bytes, JSON that is too deep or too large, and real frames with an error put in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any

from tests.peer.simulation.world import World, copy_of

NASTY: tuple[Any, ...] = (
    -1, 0, 1, 10**9, 10**40, 1.5, True, None, "", "x" * 70_000, "\u202e", "\ud800", "../..", [], [[]], {}, {"a": 1},
    "__class__", "NaN", [[[[[[[[1]]]]]]]], ["do"], "é", "A" * 22, "A" * 43,
)  # fmt: skip


class RecordingWorld(World):
    """A calm world of three devices or more that records every frame sent in it: (from, to, bytes)."""

    min_devices = 3

    def __init__(self, seed: int, game: str) -> None:
        super().__init__(seed, game, calm=True)
        self.sent: list[tuple[int, int, bytes]] = []

    def send(self, sender: int, to: int, data: bytes) -> None:
        self.sent.append((sender, to, data))
        super().send(sender, to, data)


@lru_cache(maxsize=2)  # many tests use the same world; a soak uses very many, once each
def _run(seed: int, game: str) -> RecordingWorld:
    return RecordingWorld(seed, game).run()


def run_recorded(seed: int = 1, game: str = "razzia") -> tuple[World, list[tuple[int, int, bytes]]]:
    """Returns a world that was run, and every frame that was sent in it: (from, to, bytes). Each call returns a copy of
    its own."""
    world = copy_of(_run(seed, game))
    return world, world.sent


def hostile_frames(rnd: Random, frames: list[tuple[int, int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yields hostile frames without end: the sender and the bytes."""
    kinds = (_noise, _deep, _corrupted, _corrupted, _corrupted, _cut, _corrupted_text, _corrupted_text)
    while True:
        sender, _, data = rnd.choice(frames)
        yield sender, rnd.choice(kinds)(rnd, data)


def _noise(rnd: Random, data: bytes) -> bytes:
    return rnd.randbytes(rnd.choice((0, 1, 20, 300)))


def _deep(rnd: Random, data: bytes) -> bytes:
    deep = rnd.choice((7, 100, 6000, 30_000))
    return b"[" * deep + b"1" * rnd.randint(0, 1) + b"]" * rnd.choice((deep, 0))


def _cut(rnd: Random, data: bytes) -> bytes:
    place = rnd.randrange(len(data))
    return data[:place] + rnd.randbytes(rnd.randint(0, 3)) + data[place + rnd.randint(0, 9) :]


def _corrupted(rnd: Random, data: bytes) -> bytes:
    """Returns a real frame with one value changed."""
    value = json.loads(data)
    corrupt(rnd, value)
    return json.dumps(value).encode()


def corrupt(rnd: Random, value: list[Any]) -> None:
    """Changes, removes or adds one value somewhere in this list, in place."""
    if not value:
        value.append(rnd.choice(NASTY))
        return
    place = rnd.randrange(len(value))
    if isinstance(value[place], list) and rnd.random() < 0.7:
        corrupt(rnd, value[place])
    elif rnd.random() < 0.2:
        del value[place]
    elif type(value[place]) is int and rnd.random() < 0.5:
        value[place] += rnd.choice((-1, 1, 100))
    else:
        value[place] = rnd.choice(NASTY)


def _corrupted_text(rnd: Random, data: bytes) -> bytes:
    """Returns a real frame with one value changed inside a signed text."""
    value = json.loads(data)
    texts = [pair for pair in _signed_lists(value) if isinstance(pair[-2], str) and pair[-2].startswith("[")]
    if texts:
        pair = rnd.choice(texts)
        inner = json.loads(pair[-2])
        corrupt(rnd, inner)
        pair[-2] = json.dumps(inner, separators=(",", ":"))
    return json.dumps(value).encode()


def _signed_lists(value: Any) -> Iterator[list[Any]]:
    """Yields all lists that may end with a text and its signature."""
    if isinstance(value, list):
        if len(value) >= 2 and isinstance(value[-1], str):
            yield value
        for item in value:
            yield from _signed_lists(item)
