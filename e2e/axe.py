"""Runs axe-core on a page with every rule for WCAG 2.2 AA, target sizes included."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tools.paths import NODE_MODULES

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
#: rules that are off by default: a target's size, and that a control's name contains the words on it (voice control)
RULES = {"target-size": {"enabled": True}, "label-content-name-mismatch": {"enabled": True}}
# waits for animations: an element that is still fading in is half transparent, which axe would report
NO_ANIMATION = """() => document.getAnimations().every(each =>
    each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity)"""
RUN = "options => axe.run(document, options).then(found => found.violations)"


def findings(page: Page) -> list[str]:
    """Returns axe's findings: rule, element, reason."""
    return _run(page, {"runOnly": {"type": "tag", "values": TAGS}, "rules": RULES})


def colour_findings(page: Page) -> list[str]:
    """Returns the findings of the rules whose result depends on the colour scheme."""
    return _run(page, {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}})


def _run(page: Page, options: dict[str, Any]) -> list[str]:
    page.wait_for_function(NO_ANIMATION)
    if not page.evaluate("'axe' in window"):
        page.evaluate((NODE_MODULES / "axe-core" / "axe.min.js").read_text("utf-8") + ";0")
    found = page.evaluate(RUN, options)
    return [f"{v['id']}: {json.dumps(n['target'])} {n['failureSummary']}" for v in found for n in v["nodes"]]
