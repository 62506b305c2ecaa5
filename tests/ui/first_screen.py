"""The page's English texts, for tests."""

from __future__ import annotations

from functools import cache

from tools.build import ENGLISH, catalogue
from ui.text.i18n import Texts


@cache
def english() -> Texts:
    return Texts("en", catalogue(ENGLISH))
