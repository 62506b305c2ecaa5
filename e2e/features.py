"""Features that browsers may lack, and how a page finds out. docs/browsers.md says what the page does without each."""

from __future__ import annotations

import re

from tools.paths import ROOT

BROWSERS = ROOT / "docs" / "browsers.md"

#: by name in docs/browsers.md: a JavaScript expression, perhaps of a promise
FEATURES = {
    "service workers": "'serviceWorker' in navigator",
    "direct connections (WebRTC)": "'RTCPeerConnection' in window",
    "signatures in the browser (Ed25519)": """crypto.subtle
        .importKey("raw", new Uint8Array(32), "Ed25519", false, ["verify"]).then(() => true, () => false)""",
    "errors with a stack": "fetch('data-that-is-refused:').then(() => false, error => Boolean(error.stack))",
    "a list of databases": "'databases' in indexedDB",
    "a share sheet": "'share' in navigator",
    "QR codes read by the camera": "'BarcodeDetector' in window",
    "`user-select` without a prefix": "CSS.supports('user-select', 'none')",
}
#: returns the names of those that the browser has
HAS = f"""async () => {{
    const found = {{ {", ".join(f"{name!r}: await ({test})" for name, test in FEATURES.items())} }};
    return Object.keys(found).filter(name => found[name]);
}}"""


def documented_version(engine: str) -> str:
    """Returns the version of an engine that docs/browsers.md describes."""
    (version,) = re.findall(rf"^\| {engine} ([\d.]+) \|", BROWSERS.read_text("utf-8"), re.MULTILINE)
    return str(version)


def documented_features(engine: str) -> set[str]:
    """Returns the features that an engine has by docs/browsers.md. Raises `ValueError` if that lists others than
    `FEATURES`."""
    rows = [line.strip("|").split("|") for line in BROWSERS.read_text("utf-8").splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in row] for row in rows]
    first = next(number for number, row in enumerate(cells) if row[0] == "feature")
    column, table = cells[first].index(engine), cells[first + 2 :]
    if [row[0] for row in table] != [*FEATURES]:
        raise ValueError("docs/browsers.md lists other features")
    return {row[0] for row in table if row[column] == "yes"}
