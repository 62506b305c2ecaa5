"""Compiles a zip of Python sources to a zip of byte code. Runs inside Pyodide (see pyodide.mjs), never in the machine's
own Python.

Arguments, three for each zip: the input (a zip of sources under /host), the output zip, and "lines" or "bare". Every
.py becomes a .pyc without docstrings and with an unchecked hash, so that an import runs it without looking for the
source. Other files are copied unchanged.

With "lines" the code keeps its line numbers: our own code needs them for error reports. It loses the annotations of its
functions, a twentieth of it. With "bare" it keeps only the first line number of each function: in the standard library
the others are a sixth of the download.

Names are sorted and times are fixed, so that the same input gives the same bytes.
"""

import ast
import importlib.util
import marshal
import zipfile
from types import CodeType

EPOCH = (1980, 1, 1, 0, 0, 0)
UNCHECKED_HASH = (0b01).to_bytes(4, "little")
WITHOUT_DOCSTRINGS = 2
# An entry in CPython's location table covers up to eight code units (InternalDocs/code_objects.md)
CODE_UNIT, MAX_UNITS = 2, 8
NO_COLUMN, SAME_LINE = 0x80 | 13 << 3, 0


def without_line_numbers(code: CodeType) -> CodeType:
    """Returns the same code with a location table that gives its first line for all of it.

    An empty table would break tracebacks.
    """
    inside = tuple(without_line_numbers(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    full, rest = divmod(len(code.co_code) // CODE_UNIT, MAX_UNITS)
    table = bytes([NO_COLUMN | MAX_UNITS - 1, SAME_LINE]) * full
    if rest:
        table += bytes([NO_COLUMN | rest - 1, SAME_LINE])
    return code.replace(co_linetable=table, co_consts=inside)


class WithoutAnnotations(ast.NodeTransformer):
    """Removes the annotations of functions, which the page never reads. Those of classes stay: they declare fields."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._bare(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._bare(node)

    def _bare(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        given = node.args
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if argument is not None:
                argument.annotation = None
        node.returns = None
        return self.generic_visit(node)


def compile_source(name: str, source: bytes, keeping: str) -> bytes:
    tree = ast.parse(source, name)
    if keeping == "lines":
        tree = WithoutAnnotations().visit(tree)
    code = compile(tree, name, "exec", dont_inherit=True, optimize=WITHOUT_DOCSTRINGS)
    if keeping == "bare":
        code = without_line_numbers(code)
    header = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(source)
    return header + marshal.dumps(code)


def main(source: str, target: str, keeping: str) -> None:
    with zipfile.ZipFile(source) as source_zip, zipfile.ZipFile(target, "w") as target_zip:
        for name in sorted(source_zip.namelist()):
            data = source_zip.read(name)
            if name.endswith(".py"):
                name, data = name + "c", compile_source(name, data, keeping)
            target_zip.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED, compresslevel=9)


given: list[str] = ARGUMENTS  # type: ignore[name-defined]  # noqa: F821  (defined by pyodide.mjs)
for first in range(0, len(given), 3):
    main(*given[first : first + 3])
