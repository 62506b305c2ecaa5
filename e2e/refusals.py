"""A program for the page's Python: whatever the browser refuses must end in an exception."""

#: loads a Python of its own from the files of the site, unpacks the app, and runs a program
RUN_PROGRAM = """async ([folder, archive, names, program]) => {
    const { loadPyodide } = await import(new URL(`${folder}pyodide.mjs`, document.baseURI));
    const python = await loadPyodide();
    python.unpackArchive(await (await fetch(archive)).arrayBuffer(), "zip");
    python.globals.set("NAMES", python.toPy(names));
    return python.runPythonAsync(program);
}"""

#: makes `refuse_fetch` and more, each of which is refused by the browser or by a fake of it
MAKE_REFUSERS = """() => {
    globalThis.refusers = {
        "a request": () => fetch("no-such-host:"),
        "a module": () => import("./no-such-module.js"),
        "a service worker": () => navigator.serviceWorker.register("no-such-worker.js"),
        "a key": () => crypto.subtle.importKey("raw", new Uint8Array(3), "AES-GCM", false, ["encrypt"]),
        "a call": () => { throw new TypeError("refused at once"); },
        "an error without a stack": () => Promise.reject({ name: "TypeError", message: "Load failed" }),
        "a reason that is a text": () => Promise.reject("no"),
        "no reason": () => Promise.reject(),
    };
}"""

#: awaits each of them; returns those that were not refused, and the names and words of the errors
AWAIT_REFUSALS = """
import json
import js
from peer.browser.promises import Rejected, settled
told = {}
for name in js.Object.keys(js.refusers):
    try:
        told[name] = f"came: {await settled(js.refusers, name)}"
    except Rejected as error:
        told[name] = [error.name, str(error)]
told["a value"] = await settled(js.Promise, "resolve", 7)
json.dumps(told)
"""


def check_refusals(told: dict[str, object]) -> None:
    """Checks what `AWAIT_REFUSALS` has returned."""
    assert told.pop("a value") == 7
    assert told.pop("an error without a stack") == ["TypeError", "TypeError: Load failed"]
    assert told.pop("a reason that is a text") == ["", ": no"]
    assert told.pop("a call") == ["TypeError", "TypeError: refused at once"]
    assert told.pop("no reason") == ["", ": undefined"]
    assert set(told) == {"a request", "a module", "a service worker", "a key"}
    names = {"TypeError", "DataError", "SecurityError", "NotSupportedError"}
    assert {name: error for name, error in told.items() if not isinstance(error, list) or error[0] not in names} == {}
