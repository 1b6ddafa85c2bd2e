"""Write settings.md, errors.md and schemas/ in docs/reference from the code: `python scripts/make_reference.py`; tests find stale ones."""

import json
import sys
from pathlib import Path

from es_mappings import errors
from es_mappings.settings import Settings
from service.models.schemas import published_schemas

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"


def settings_page() -> str:
    """Every setting with its default and what it does."""
    rows = ["| variable | default | meaning |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        default = "a folder in the user's data folder" if field.default_factory else repr(field.default).strip("'") or "(empty)"
        rows.append(f"| `SECTIONARY_{name.upper()}` | {default} | {field.description} |")
    head = (
        "# Settings\n\nRead once from the environment when a command starts; a wrong value stops it with a message.\n"
        "`sectionary doctor` shows the values in force and names variables that are not settings.\n\n"
    )
    return head + "\n".join(rows) + "\n"


def errors_page() -> str:
    """Every error code with its HTTP status and where it stands in the tree."""
    rows = ["| code | status | class | kind |", "| --- | --- | --- | --- |"]
    rows += [f"| `{kind.code}` | {kind.status} | {kind.__name__} | {kind.__mro__[1].__name__} |" for kind in error_kinds()]
    head = (
        '# Errors\n\nOne shape everywhere: `{"error": {"code", "message"}}`; in HTTP it is the body, on the command line the last line\n'
        "of stderr (there also `usage` for a wrong call, `interrupted`, and `internal` for our own faults). A message says what to do.\n\n"
    )
    tree = (errors.__doc__ or "").split("\n\n")[1]
    return f"{head}```\n{tree}\n```\n\n" + "\n".join(rows) + "\n"


def error_kinds() -> list[type[errors.SectionaryError]]:
    """Every class of the error tree, parents first."""
    found: list[type[errors.SectionaryError]] = [errors.SectionaryError]
    for kind in found:
        found.extend(kind.__subclasses__())
    return found


def schema_files() -> dict[str, str]:
    """The JSON Schema of every output that other programs rely on, by file name."""
    return {f"{name}.json": json.dumps(schema, ensure_ascii=False, indent=2) + "\n" for name, schema in published_schemas().items()}


PAGES = {"settings.md": settings_page, "errors.md": errors_page}

if __name__ == "__main__":
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page(), "utf-8")
        sys.stdout.write(f"docs/reference/{name}\n")
    (REFERENCE / "schemas").mkdir(exist_ok=True)
    for name, text in schema_files().items():
        (REFERENCE / "schemas" / name).write_text(text, "utf-8")
        sys.stdout.write(f"docs/reference/schemas/{name}\n")
