"""The machine and the installation: settings that are none, packages, folders, Java, memory, ports, OCR."""

import difflib
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator

from es_mappings import node
from es_mappings.errors import NodeError
from es_mappings.node.probe import check_memory, check_port
from es_mappings.node.program import java_version
from es_mappings.settings import Settings
from service.checks import Check, fail, ok, warn
from service.installation import package_clashes

OCR_LANGUAGES = ("eng", "chi_sim")
PREFIX = "SECTIONARY_"


def examine(settings: Settings) -> Iterator[Check]:
    """Everything that can be told without Elasticsearch and without a model."""
    yield _variables()
    yield _packages()
    yield _home(settings)
    yield _pdf()
    yield _ocr()
    if not settings.es_url:
        yield from _local_node(settings)
    yield _service_port(settings)


def _variables() -> Check:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    unknown = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
    if not unknown:
        return ok("settings", "every SECTIONARY_ variable is a setting")
    told = [f"{name}{_suggestion(name, known)}" for name in unknown]
    return warn("settings", f"these variables are no settings and have no effect: {', '.join(told)}")


def _suggestion(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f" (meant: {near[0]}?)" if near else ""


def _packages() -> Check:
    clashes = package_clashes()
    if not clashes:
        return ok("packages", "no other distribution ships our packages")
    told = "; ".join(f"{package} by {', '.join(names)}" for package, names in clashes.items())
    return fail("packages", f"our packages were taken by other distributions ({told}): uninstall those and reinstall sectionary")


def _home(settings: Settings) -> Check:
    home = settings.home.expanduser()
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=home):
            pass
    except OSError as error:
        return fail("home", f"{home} cannot be written ({error.strerror}): set SECTIONARY_HOME to a folder of your own")
    return ok("home", f"{home}, {shutil.disk_usage(home).free // 2**20:,} MB free")


def _pdf() -> Check:
    if importlib.util.find_spec("pymupdf"):
        return ok("pdf", "PDF documents can be read")
    return warn("pdf", "PDF documents cannot be read: pip install 'sectionary[pdf]' (PyMuPDF, AGPL-3.0 or commercial)")


def _ocr() -> Check:
    command = shutil.which("tesseract")
    if command is None:
        return warn("ocr", "scans cannot be read: install Tesseract (Debian: tesseract-ocr tesseract-ocr-chi-sim)")
    listed = subprocess.run([command, "--list-langs"], capture_output=True, text=True, timeout=30, check=False)  # noqa: S603
    missing = [language for language in OCR_LANGUAGES if language not in listed.stdout.split()]
    if missing:
        return warn("ocr", f"scans in {', '.join(missing)} cannot be read: install these languages of Tesseract")
    return ok("ocr", f"scans are read with Tesseract ({', '.join(OCR_LANGUAGES)})")


def _local_node(settings: Settings) -> Iterator[Check]:
    try:
        yield ok("java", java_version())
    except NodeError as error:
        yield fail("java", error.message)
    found = node.status(settings)
    if found.running:
        yield ok("memory", f"the local Elasticsearch uses {found.memory_mb} MB")
        yield ok("node port", f"the local Elasticsearch listens on {found.url}")
        return
    try:
        check_memory(settings.node_heap_mb)
        yield ok("memory", f"enough for a heap of {settings.node_heap_mb} MB")
    except NodeError as error:
        yield fail("memory", error.message)
    try:
        check_port(settings.node_port)
        yield ok("node port", f"{settings.node_port} is free")
    except NodeError as error:
        yield fail("node port", error.message)


def _service_port(settings: Settings) -> Check:
    if settings.port == 0:
        return ok("service port", "any free port will be taken")
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return warn(
            "service port",
            f"{settings.host}:{settings.port} is not free ({error.strerror}): the service runs already, or set SECTIONARY_PORT to another",
        )
    return ok("service port", f"{settings.host}:{settings.port} is free")
