"""Write the golden files anew."""

from tests.engine.golden import FOLDER, files

if __name__ == "__main__":
    found = dict(files())
    for path in {*FOLDER.glob("*.jsonl"), *FOLDER.glob("*.txt")} - set(found):
        path.unlink()
    for path, text in found.items():
        path.write_text(text, encoding="utf-8")
    print(f"{len(found)} golden files; now read the difference.")
