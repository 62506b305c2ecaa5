"""The page's English texts, for tests."""

from __future__ import annotations

from tools.build import ENGLISH, catalogue
from ui.text.i18n import Texts


def english() -> Texts:
    return Texts("en", catalogue(ENGLISH))
