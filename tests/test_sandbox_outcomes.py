"""Whatever a reader does in its child, the caller gets a reading or one typed error, in time, and nothing is left behind."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from es_mappings.errors import LimitExceeded, MissingDocument, ReaderCrashed, ReaderTimedOut, UnsupportedFormat
from ingest.formats import ReadOptions
from ingest.sandbox import Limits, ReaderPool, read_document

# A reader that does what the document says: the document is a Python expression or statement.
OBEDIENT = """
import os, resource, signal, socket, sys, threading, time
from pathlib import Path
import ingest.formats
from ingest.blocks import Block, Reading
from ingest.reading_child import main

class Obedient:
    NAME, SUFFIXES = "obedient", (".py",)
    def recognises(self, sample): return True
    def read(self, path, options):
        place = {"said": "read", "path": path, "options": options}
        exec(path.read_text(), globals(), place)
        return Reading(title="", format="obedient", blocks=(Block(kind="paragraph", text=str(place["said"])),))

obedient = Obedient()
ingest.formats.readers = lambda: (obedient,)
sys.exit(main(sys.argv[1:]))
"""
LIMITS = Limits(seconds=30, cpu_seconds=10, memory_mb=256, written_bytes=1_000_000, outcome_bytes=1_000_000, open_files=64)
QUICK = Limits(seconds=1.5, cpu_seconds=1, memory_mb=256, written_bytes=1_000_000, outcome_bytes=1_000_000, open_files=64)


def pool_of_obedient(limits: Limits = LIMITS) -> ReaderPool:
    return ReaderPool(limits, program=("-c", OBEDIENT))


def document(folder: Path, orders: str, name: str = "orders.py") -> Path:
    path = folder / name
    path.write_text(orders)
    return path


def said(pool: ReaderPool, path: Path) -> str:
    return pool.read(path, ReadOptions()).blocks[0].text


@pytest.mark.parametrize(
    ("orders", "error"),
    [
        ("said = bytearray(2_000_000_000)", LimitExceeded),
        ("held = []\nwhile True: held.append(bytearray(1_000_000))", LimitExceeded),
        ("os._exit(0)", ReaderCrashed),
        ("os.abort()", ReaderCrashed),
        ("os.kill(os.getpid(), signal.SIGSEGV)", ReaderCrashed),
        ("raise RuntimeError(path.read_text())", ReaderCrashed),
        ("again = lambda again: again(again)\nagain(again)", LimitExceeded),
        ("os.write(4, b'garbage ' * 1000); os.write(3, b'garbage ' * 1000); os._exit(1)", (ReaderCrashed, LimitExceeded)),
        ("said = 'x' * 2_000_000", LimitExceeded),
        ("(path.parent / 'out').write_bytes(b'x')", ReaderCrashed),
        ("Path('out').write_bytes(b'x' * 2_000_000)", ReaderCrashed),
        ("held = [open('/dev/null') for _ in range(100)]", ReaderCrashed),
    ],
)
def test_a_bad_reader_gives_its_error_in_time_and_the_next_document_is_read(
    tmp_path: Path, orders: str, error: type[Exception] | tuple[type[Exception], ...]
) -> None:
    bad, good = document(tmp_path, orders), document(tmp_path, "said = 'still here'", "good.py")
    with pool_of_obedient() as pool:
        with pytest.raises(error) as raised:
            said(pool, bad)
        assert orders not in str(raised.value)
        assert said(pool, good) == "still here"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("orders", ["time.sleep(60)", "while True: pass"])
def test_a_reader_that_hangs_or_spins_is_ended_in_time(tmp_path: Path, orders: str) -> None:
    with pool_of_obedient(QUICK) as pool:
        began = time.monotonic()
        with pytest.raises(ReaderTimedOut):
            said(pool, document(tmp_path, orders))
        assert time.monotonic() - began < QUICK.seconds + 2


@pytest.mark.parametrize("work", ["time.sleep(2.2)", "end = time.process_time() + 2.2\nwhile time.process_time() < end: pass"])
def test_announced_pages_get_more_time_and_are_heard_of(tmp_path: Path, work: str) -> None:
    orders = document(
        tmp_path, f"options.announce('recognising', 0, 20)\n{work}\noptions.announce('recognising', 20, 20)\nsaid = 'in time'"
    )
    heard: list[tuple[str, int, int]] = []
    options = ReadOptions(page_seconds=1, announce=lambda *step: heard.append(step))
    with pool_of_obedient(QUICK) as pool:
        assert pool.read(orders, options).blocks[0].text == "in time"
    assert heard == [("recognising", 0, 20), ("recognising", 20, 20)]


@pytest.mark.parametrize(
    ("orders", "error"),
    [
        ("while True: options.announce('recognising', 0, 10 ** 9); time.sleep(0.1)", ReaderTimedOut),
        ("options.announce('dancing', 0, 1)", ReaderCrashed),
        ("options.announce('looking', 2, 1)", ReaderCrashed),
        ("options.announce('looking', 0, 'x' * 10)", ReaderCrashed),
    ],
)
def test_announcements_give_no_more_time_than_allowed_whatever_they_claim(tmp_path: Path, orders: str, error: type[Exception]) -> None:
    began = time.monotonic()
    with pool_of_obedient(QUICK) as pool, pytest.raises(error):
        pool.read(document(tmp_path, orders), ReadOptions(page_seconds=1, longest_seconds=1))
    assert time.monotonic() - began < QUICK.seconds + 1 + 2


def test_whoever_listens_to_the_progress_may_stop_the_reading(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise ValueError("cancelled")

    orders = document(tmp_path, "options.announce('recognising', 0, 20)\ntime.sleep(60)")
    with pool_of_obedient() as pool:
        with pytest.raises(ValueError, match="cancelled"):
            pool.read(orders, ReadOptions(announce=stop))
        assert said(pool, document(tmp_path, "said = 'still here'", "good.py")) == "still here"


def test_a_reader_has_no_network_no_secrets_and_sees_no_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECTIONARY_LLM_API_KEY", "canary")
    orders = """
said = []
try:
    socket.create_connection(("127.0.0.1", PORT), timeout=1)
    said.append("connected")
except OSError:
    pass
if any("canary" in value for value in os.environ.values()): said.append("secret")
try:
    os.kill(PARENT, 0)
    said.append("signalled")
except OSError:
    pass
said = said or "nothing"
"""
    with socket.create_server(("127.0.0.1", 0)) as server, pool_of_obedient() as pool:
        filled = orders.replace("PORT", str(server.getsockname()[1])).replace("PARENT", str(os.getpid()))
        assert said(pool, document(tmp_path, filled)) == "nothing"


def test_what_a_reader_starts_dies_with_it(tmp_path: Path) -> None:
    orders = """
import subprocess
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(97)"], start_new_session=True)
time.sleep(60)
"""
    with pool_of_obedient(QUICK) as pool, pytest.raises(ReaderTimedOut):
        said(pool, document(tmp_path, orders))
    time.sleep(0.2)
    assert not [p for p in psutil.process_iter(["cmdline"]) if "import time; time.sleep(97)" in (p.info["cmdline"] or [])]


def test_a_child_is_used_again_and_its_folder_is_emptied_between_documents(tmp_path: Path) -> None:
    first = document(tmp_path, "said = os.getcwd() + ' ' + str(os.listdir()); Path('left').mkdir(); Path('left/over').write_text('x')")
    with pool_of_obedient() as pool:
        before = said(pool, first)
        assert said(pool, first) == before
        folder = Path(before.split(" ")[0])
        assert folder.exists()
    assert not folder.exists()


def test_several_threads_read_at_once_and_each_gets_its_own_document(tmp_path: Path) -> None:
    paths = [document(tmp_path, f"time.sleep(0.2); said = {n}", f"{n}.py") for n in range(4)]
    heard: dict[int, str] = {}
    with pool_of_obedient() as pool:
        threads = [threading.Thread(target=lambda n=n: heard.update({n: said(pool, paths[n])})) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert heard == {n: str(n) for n in range(4)}


def test_closing_the_pool_ends_every_child(tmp_path: Path) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    pool = pool_of_obedient()
    said(pool, document(tmp_path, "said = 1"))
    pool.close()
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before
    with pytest.raises(RuntimeError):
        said(pool, document(tmp_path, "said = 1"))


def test_missing_and_unknown_files_come_back_as_their_own_errors(tmp_path: Path) -> None:
    with pytest.raises(MissingDocument):
        read_document(tmp_path / "nowhere.txt", ReadOptions(), Limits())
    odd = tmp_path / "odd.xyz"
    odd.write_text("text")
    with pytest.raises(UnsupportedFormat):
        read_document(odd, ReadOptions(), Limits())


def test_nothing_is_left_when_the_parent_is_killed(tmp_path: Path) -> None:
    place = tmp_path / "place.txt"
    program = f"""
import sys
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1])]}
from pathlib import Path
import test_sandbox_outcomes as tests
pool = tests.pool_of_obedient()
place = tests.said(pool, tests.document(Path({str(tmp_path)!r}), "said = os.getcwd()"))
Path({str(place)!r}).write_text(place)
tests.said(pool, tests.document(Path({str(tmp_path)!r}), "time.sleep(60)"))
"""
    parent = subprocess.Popen([sys.executable, "-c", program])
    wait_for(lambda: place.exists() and place.read_text() != "")
    time.sleep(0.3)
    children = psutil.Process(parent.pid).children(recursive=True)
    assert children
    parent.kill()
    parent.wait()
    wait_for(lambda: not Path(place.read_text()).exists())
    wait_for(lambda: not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children))


def wait_for(happened: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.02)
