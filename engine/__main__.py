"""Starts the command line: `python -m engine games | play | simulate | arena | replay | verify`."""

import sys
from io import TextIOWrapper

from engine.cli.commands import main

if __name__ == "__main__":
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is typed need not be text
    sys.exit(main())
