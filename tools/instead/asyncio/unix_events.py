"""In place of the library's own: of Unix nothing is left but where the browser's loop is kept (pyodide.webloop)."""

from asyncio import events

__all__ = ()

_DefaultEventLoopPolicy = events._BaseDefaultEventLoopPolicy  # type: ignore[attr-defined]  # the page's Python has it
