"""Sources in, byte code archive out. Runs inside Pyodide (see pyodide.mjs), never in the machine's own Python.

Arguments: the input (a zip of sources under /host) and the output zip. What the archive holds is decided by
the caller; here every .py becomes a .pyc with an unchecked hash, so that an import reads and runs it without
looking for a source, and without docstrings. Everything else is carried over as it is. Names are sorted and
times are fixed: the same input gives the same bytes.
"""

import importlib.util
import marshal
import zipfile

EPOCH = (1980, 1, 1, 0, 0, 0)
UNCHECKED_HASH = (0b01).to_bytes(4, "little")
WITHOUT_DOCSTRINGS = 2


def compiled(name: str, source: bytes) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=WITHOUT_DOCSTRINGS)
    header = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(source)
    return header + marshal.dumps(code)


def main(source: str, target: str) -> None:
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w") as made:
        for name in sorted(given.namelist()):
            data = given.read(name)
            if name.endswith(".py"):
                name, data = name + "c", compiled(name, data)
            made.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED, compresslevel=9)


main(*ARGUMENTS)  # type: ignore[name-defined]  # noqa: F821  (given by pyodide.mjs)
