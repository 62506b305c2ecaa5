"""A stand-in for the standard library's module: a page prints no coloured text, and making the themes takes a tenth of
Python's start."""

from __future__ import annotations


class _Plain(str):
    """Stands for every theme, every part of a theme and every colour: an empty string whose attributes are itself."""

    __slots__ = ()

    def __getattr__(self, name: str) -> _Plain:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


_PLAIN = _Plain()


def can_colorize(**named: object) -> bool:
    return False


def decolor(text: str) -> str:
    return text


def get_colors(*args: object, **named: object) -> _Plain:
    return _PLAIN


get_theme = get_colors
