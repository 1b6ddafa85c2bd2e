"""What is installed is what was written: the wheel's contents, and names that nobody else has taken."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from es_mappings.errors import SettingsError
from service.installation import package_clashes, refuse_clashes

ROOT = Path(__file__).parents[1]
PACKAGES = ("es_mappings", "ingest", "service")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in the wheel, built from a copy so that no build folder appears in the checkout."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "README.md", "LICENSE", *PACKAGES):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.is_file():
            shutil.copy(source, copy / name)
    code = "from setuptools import build_meta; print(build_meta.build_wheel('.'))"
    subprocess.run([sys.executable, "-c", code], cwd=copy, check=True, capture_output=True)
    with zipfile.ZipFile(next(copy.glob("*.whl"))) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_our_three_packages_and_nothing_else(wheel: set[str]) -> None:
    assert {name.partition("/")[0] for name in wheel if ".dist-info/" not in name} == set(PACKAGES)


def test_the_wheel_holds_every_module_and_every_data_file(wheel: set[str]) -> None:
    files = {path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file()}
    written = {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}
    assert written - wheel == set()


def test_folders_beside_the_packages_cannot_be_imported() -> None:
    assert [folder for folder in ("docker", "docs", "scripts", "tests") if (ROOT / folder / "__init__.py").exists()] == []


def test_nobody_else_ships_our_packages() -> None:
    assert package_clashes() == {}
    refuse_clashes()


def test_a_distribution_that_ships_one_of_our_packages_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "intruder-1.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: intruder\nVersion: 1.0\n")
    (other / "top_level.txt").write_text("service\nelse\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert package_clashes() == {"service": ("intruder",)}
    with pytest.raises(SettingsError, match="service by intruder"):
        refuse_clashes()
