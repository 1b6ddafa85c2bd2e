"""The documentation cannot go stale: what the code has, the pages tell."""

import importlib.util
import pkgutil
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

import service.cli
from es_mappings.index import RECORDS, mapping
from es_mappings.records import Manifest, Node

ROOT = Path(__file__).parents[1]


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["settings.md", "errors.md"])
def test_a_reference_page_is_what_the_code_says(name: str) -> None:
    page = load_script("make_reference").PAGES[name]()
    assert (ROOT / "docs/reference" / name).read_text("utf-8") == page, "run `python scripts/make_reference.py`"


def test_every_error_has_a_code_of_its_own_or_its_parents() -> None:
    kinds = load_script("make_reference").error_kinds()
    codes = [kind.code for kind in kinds if "code" in vars(kind)]
    assert len(codes) == len(set(codes))


def test_every_error_stands_in_the_tree_at_the_top_of_its_file() -> None:
    script = load_script("make_reference")
    tree = script.errors.__doc__ or ""
    missing = [kind.__name__ for kind in script.error_kinds() if kind.__name__ not in tree]
    assert missing == []


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs/reference/commands.md").read_text("utf-8")
    names = [module.name for module in pkgutil.iter_modules(service.cli.__path__) if not module.name.startswith("_")]
    assert [name for name in names if f"sectionary {name}" not in page] == []


def test_a_record_has_exactly_the_fields_of_its_mapping() -> None:
    assert {field.name for field in fields(Node)} == set(mapping("nodes")["mappings"]["properties"])
    assert {field.name for field in fields(Manifest)} == set(mapping("documents")["mappings"]["properties"])


@pytest.mark.parametrize("name", ["nodes", "reindex", *RECORDS])
def test_no_mapping_grows_by_itself_or_guesses_dates(name: str) -> None:
    mappings = mapping(name)["mappings"]
    assert (mappings["dynamic"], mappings["date_detection"]) == ("strict", False)
