"""Writes the golden files anew: those of all games, or of the games that are named."""

import sys

from engine import GAMES
from tests.engine.golden import FOLDER, files

if __name__ == "__main__":
    found = dict(files(sys.argv[1:] or GAMES))
    if len(sys.argv) == 1:
        for path in {path for path in FOLDER.iterdir() if path.suffix in (".jsonl", ".txt", ".json")} - set(found):
            path.unlink()
    for path, text in found.items():
        path.write_text(text, encoding="utf-8")
    print(f"{len(found)} golden files; now read the difference.")
