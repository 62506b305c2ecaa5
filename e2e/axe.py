"""axe-core on a page: every rule for WCAG 2.2 AA switched on, target sizes included."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tools.places import NODE_MODULES

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
#: off by default: a target's size, and that a control can be called by the words on it
RULES = {"target-size": {"enabled": True}, "label-content-name-mismatch": {"enabled": True}}
# what is still coming in is half transparent, and no dialog yet
STILL = """() => document.getAnimations().every(each =>
    each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity)"""
RUN = "options => axe.run(document, options).then(found => found.violations)"


def findings(page: Page) -> list[str]:
    """What axe finds wrong: rule, element, why."""
    return _run(page, {"runOnly": {"type": "tag", "values": TAGS}, "rules": RULES})


def findings_of_colour(page: Page) -> list[str]:
    """Only what may be different in another light."""
    return _run(page, {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}})


def _run(page: Page, options: dict[str, Any]) -> list[str]:
    page.wait_for_function(STILL)
    if not page.evaluate("'axe' in window"):
        page.evaluate((NODE_MODULES / "axe-core" / "axe.min.js").read_text("utf-8") + ";0")
    found = page.evaluate(RUN, options)
    return [f"{v['id']}: {json.dumps(n['target'])} {n['failureSummary']}" for v in found for n in v["nodes"]]
