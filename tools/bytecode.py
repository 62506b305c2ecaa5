"""Sources in, byte code archive out. Runs inside Pyodide (see pyodide.mjs), never in the machine's own Python.

Arguments: the input (a zip of sources under /host), the output zip, and "lines" or "bare". What the archive holds is
decided by the caller; here every .py becomes a .pyc with an unchecked hash, so that an import reads and runs it
without looking for a source, and without docstrings. Bare code knows only the first line of each function: our own
code has to know them all, for whoever reads a report; in the library they are a sixth of the download. Everything else
is carried over as it is. Names are sorted and times are fixed: the same input gives the same bytes.
"""

import importlib.util
import marshal
import zipfile
from types import CodeType

EPOCH = (1980, 1, 1, 0, 0, 0)
UNCHECKED_HASH = (0b01).to_bytes(4, "little")
WITHOUT_DOCSTRINGS = 2
# An entry in CPython's table of locations covers up to eight units of code (InternalDocs/code_objects.md)
UNIT, SPAN = 2, 8
NO_COLUMN, SAME_LINE = 0x80 | 13 << 3, 0


def bare(code: CodeType) -> CodeType:
    """The same code with a table that names one line for all of it: its first. (An empty table breaks tracebacks.)"""
    inside = tuple(bare(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    full, rest = divmod(len(code.co_code) // UNIT, SPAN)
    table = bytes([NO_COLUMN | SPAN - 1, SAME_LINE]) * full
    if rest:
        table += bytes([NO_COLUMN | rest - 1, SAME_LINE])
    return code.replace(co_linetable=table, co_consts=inside)


def compiled(name: str, source: bytes, keeping: str) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=WITHOUT_DOCSTRINGS)
    if keeping == "bare":
        code = bare(code)
    header = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(source)
    return header + marshal.dumps(code)


def main(source: str, target: str, keeping: str) -> None:
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w") as made:
        for name in sorted(given.namelist()):
            data = given.read(name)
            if name.endswith(".py"):
                name, data = name + "c", compiled(name, data, keeping)
            made.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED, compresslevel=9)


main(*ARGUMENTS)  # type: ignore[name-defined]  # noqa: F821  (given by pyodide.mjs)
