"""Remembers what scripts/setup.sh has installed in a virtual environment: installed.py missing|note VENV EXTRAS

`missing` prints the extras to install (all that the environment shall have), or nothing when it has them for this pyproject.toml.
"""

import hashlib
import json
import sys
from pathlib import Path


def main() -> None:
    action, venv, wanted = sys.argv[1:]
    state = hashlib.sha256(Path("pyproject.toml").read_bytes()).hexdigest()
    note = Path(venv) / "sectionary-installed.json"
    noted = json.loads(note.read_text()) if note.is_file() else {"state": "", "extras": []}
    extras = sorted({*noted["extras"], *wanted.split(",")})
    if action == "note":
        note.write_text(json.dumps({"state": state, "extras": extras}))
    elif noted != {"state": state, "extras": extras}:
        print(",".join(extras))


if __name__ == "__main__":
    main()
