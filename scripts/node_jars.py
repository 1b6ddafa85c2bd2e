"""Make es_mappings/node/jars.sha256 anew: python scripts/node_jars.py ELASTICSEARCH_VERSION ECJ_VERSION

Run it when the version is raised, look at the difference in git, and commit it: from then on no other jar is accepted.
The list is in the format of sha256sum, with paths as in a Maven repository.
"""

import hashlib
import sys
import tempfile
from pathlib import Path

import jgo
from jgo.maven import MavenContext

LIST = Path(__file__).parents[1] / "es_mappings/node/jars.sha256"


def main() -> None:
    elasticsearch, ecj = sys.argv[1:]
    endpoint = f"org.elasticsearch:elasticsearch:{elasticsearch}+org.elasticsearch.plugin:transport-netty4:{elasticsearch}"
    found = [*jgo.resolve(endpoint), *jgo.resolve(f"org.eclipse.jdt:ecj:{ecj}")[:1]]
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        # An empty repository of our own: what a local Maven cache holds is not trusted.
        context = MavenContext(repo_cache=Path(folder), local_repos=[])
        for artifact in found:
            jar = context.project(artifact.groupId, artifact.artifactId).at_version(artifact.version).artifact().resolve()
            lines.append(f"{hashlib.sha256(jar.read_bytes()).hexdigest()}  {jar.relative_to(folder).as_posix()}\n")
    LIST.write_text("".join(sorted(lines, key=lambda line: line.split()[1])))
    print(f"{len(lines)} jars written to {LIST}")


if __name__ == "__main__":
    main()
