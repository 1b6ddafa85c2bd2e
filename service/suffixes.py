"""Which suffixes are read, without loading a reader: the process that answers the web must not hold a parser."""

import ast
from importlib import resources


def read_suffixes() -> tuple[str, ...]:
    """The SUFFIXES of every module in ingest/formats, taken from its source, sorted."""
    found: set[str] = set()
    for module in resources.files("ingest").joinpath("formats").iterdir():
        if module.name.endswith(".py"):
            found.update(_suffixes(module.read_text("utf-8")))
    return tuple(sorted(found))


def _suffixes(source: str) -> tuple[str, ...]:
    for statement in ast.parse(source).body:
        target = (
            statement.target
            if isinstance(statement, ast.AnnAssign)
            else statement.targets[0]
            if isinstance(statement, ast.Assign)
            else None
        )
        if (
            isinstance(target, ast.Name)
            and target.id == "SUFFIXES"
            and isinstance(statement, ast.Assign | ast.AnnAssign)
            and statement.value
        ):
            value = ast.literal_eval(statement.value)
            return tuple(str(suffix) for suffix in value)
    return ()
