"""Imported by Python at each start. Lets Python find PyScript's modules in the library, where they are compiled, before
the sources that PyScript writes beside the page at each start."""

import sys
from importlib.machinery import ModuleSpec, PathFinder

LIBRARY = [path for path in sys.path if path.endswith(".zip")]


class Compiled:
    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return PathFinder.find_spec(name, LIBRARY) if name == "pyscript" else None


sys.meta_path.insert(0, Compiled)
