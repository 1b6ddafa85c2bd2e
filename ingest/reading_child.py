"""The process that reads: `python -m ingest.reading_child FOLDER MEMORY_BYTES OPEN_FILES FILE_BYTES`, started by `ingest.sandbox`.

Requests come on stdin; what is announced of slow work, then the outcome, leave by what was stdout, each as 8 bytes of length and one
JSON value. Two processes: a supervisor that only waits, ends the other when the parent is gone, and says in its exit code why it
ended; and the reader.
"""

import json
import os
import resource
import select
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from es_mappings.errors import EmptyDocument, LimitExceeded, ReaderCrashed, SettingsError, UnreadableDocument, UnsupportedFormat
from ingest.blocks import Reading
from ingest.cleaning import clean_reading
from ingest.confinement import allow_cpu, leave_namespaces, limit_resources, write_only_below
from ingest.corrections import apply_corrections, read_corrections
from ingest.formats import Announce, ReadOptions, SlowStage, choose_reader, take_sample
from ingest.reading_codec import decode_options, encode_reading, to_bytes

EXIT_TIME, EXIT_MEMORY, EXIT_CRASH = 75, 76, 77
# A process that a failed allocation ended was close to its limit; mapped libraries take the rest of the address space.
MEMORY_SHARE = 0.6


def main(arguments: list[str]) -> int:
    """Confine this process, start the reader under it, and wait for its end."""
    folder, memory, files, file_bytes = Path(arguments[0]), *(int(text) for text in arguments[1:4])
    answers = os.dup(1)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    keeper = _start_keeper() if leave_namespaces() else None
    reader = os.fork()
    if reader == 0:
        write_only_below(folder)
        limit_resources(memory, files, file_bytes)
        with os.fdopen(answers, "wb") as out:
            serve(sys.stdin.buffer, out)
        os._exit(0)
    os.close(answers)
    outcome = _outcome(_wait(reader, folder), memory)
    if keeper is not None:
        os.kill(keeper, signal.SIGKILL)
    return outcome


def _start_keeper() -> int:
    """The first process of the new process namespace: with it the kernel ends all others there.

    It is not the reader itself, because the first process of a namespace ignores SIGXCPU and SIGABRT (pid_namespaces(7)).
    """
    keeper = os.fork()
    if keeper == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        os.closerange(0, 256)
        while True:
            signal.pause()
    return keeper


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer each request until the parent closes the pipe."""
    while header := requests.read(8):
        request = json.loads(requests.read(int.from_bytes(header, "big")))
        options = decode_options(request["options"])
        allow_cpu(request["cpu_seconds"])
        _send(answers, _answer(request, replace(options, announce=_announcer(answers, options, request["cpu_seconds"]))))


def _announcer(answers: BinaryIO, options: ReadOptions, cpu_seconds: float) -> Announce:
    """What tells the parent of slow work, and takes the processor time that such work may have."""

    def announce(stage: SlowStage, done: int, total: int) -> None:
        if done == 0:
            allow_cpu(cpu_seconds + options.slow_seconds(total))
        _send(answers, {"progress": [stage, done, total]})

    return announce


def _send(answers: BinaryIO, value: dict[str, Any]) -> None:
    message = to_bytes(value)
    answers.write(len(message).to_bytes(8, "big") + message)
    answers.flush()


def _answer(request: dict[str, Any], options: ReadOptions) -> dict[str, Any]:
    path = Path(request["path"])
    try:
        return {"reading": encode_reading(read_here(path, options, request["max_bytes"]))}
    except (UnreadableDocument, UnsupportedFormat, SettingsError) as error:
        return {"error": [error.code, error.message]}
    except MemoryError:
        message = f"{path.name} needs more memory than a reader may use: split it or raise SECTIONARY_READER_MEMORY_MB"
        return {"error": [LimitExceeded.code, message]}
    except RecursionError:
        message = f"{path.name} is nested too deeply to be read: flatten it or convert it to another format"
        return {"error": [LimitExceeded.code, message]}
    except Exception as error:  # noqa: BLE001  # any library may raise anything on a hostile file; the type alone is reported, never its text
        message = f"the reader for {path.name} failed ({type(error).__name__}): the file is probably damaged"
        return {"error": [ReaderCrashed.code, message]}


def read_here(path: Path, options: ReadOptions, max_bytes: int) -> Reading:
    """Choose the reader, read, clean, apply a person's correction and check the limits, here. Raises the UnreadableDocument family."""
    reader = choose_reader(take_sample(path, max_bytes))
    reading = clean_reading(reader.read(path, options))
    corrections = read_corrections(path)
    if corrections is not None:
        reading = apply_corrections(reading, corrections)
    if not reading.blocks:
        raise EmptyDocument(f"{path.name} holds no text: there is nothing to store")
    if len(reading.blocks) > options.max_blocks:
        raise LimitExceeded(f"{path.name} has {len(reading.blocks):,} blocks, more than {options.max_blocks:,}: split it")
    length = sum(len(block.text) for block in reading.blocks)
    if length > options.max_text:
        raise LimitExceeded(f"{path.name} has {length:,} characters of text, more than {options.max_text:,}: split it")
    return reading


def _wait(reader: int, folder: Path) -> int:
    """The wait status of the reader; when the parent's end of stdin is closed, the reader is killed and its folder removed."""
    poller = select.poll()
    ended = os.pidfd_open(reader)
    poller.register(ended, select.POLLIN)
    poller.register(0, 0)
    ready = {place for place, _ in poller.poll()}
    if ended not in ready:
        os.kill(reader, signal.SIGKILL)
    status = os.waitpid(reader, 0)[1]
    if 0 in ready or status == 0:
        # The parent removes the folder itself, unless it was killed: then this is the last who can.
        shutil.rmtree(folder, ignore_errors=True)
    return status


def _outcome(status: int, memory: int) -> int:
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return 0
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return EXIT_TIME
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return EXIT_MEMORY if peak > memory * MEMORY_SHARE else EXIT_CRASH


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
