"""axe-core on a page: every rule for WCAG 2.2 AA switched on, target sizes included."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tools.places import NODE_MODULES

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = "options => axe.run(document, options).then(found => found.violations)"


def findings(page: Page) -> list[str]:
    """What axe finds wrong: rule, element, why."""
    page.evaluate((NODE_MODULES / "axe-core" / "axe.min.js").read_text("utf-8") + ";0")
    options: dict[str, Any] = {"runOnly": {"type": "tag", "values": TAGS}, "rules": {"target-size": {"enabled": True}}}
    found = page.evaluate(RUN, options)
    return [f"{v['id']}: {json.dumps(n['target'])} {n['failureSummary']}" for v in found for n in v["nodes"]]
