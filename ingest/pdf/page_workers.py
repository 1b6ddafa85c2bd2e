"""Recognises pages on several cores: each process opens the file itself and sends page after page. PyMuPDF must not be shared by threads.

Pipes instead of queues, because queues need semaphores and a confined reader may not make any.
"""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pymupdf

from ingest.pdf.tesseract import recognised
from ingest.pdf.values import RawPage

_PYMUPDF: Any = pymupdf  # half typed: a strict checker refuses most of its calls
_MOST = 4  # each process may take the whole memory of a reader


def recognise_pages(path: Path, numbers: Sequence[int], attempts: Sequence[str]) -> Iterator[RawPage]:
    """The pages of these numbers (from 1) as they get ready, in any order. Raises RuntimeError when a process died over a page."""
    workers = min(_MOST, len(os.sched_getaffinity(0)), len(numbers))
    # Fresh interpreters: a fork would copy whatever threads of other libraries hold at this moment.
    context = multiprocessing.get_context("spawn")
    reading: list[Connection] = []
    processes = []
    try:
        for worker in range(workers):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(theirs, path, numbers[worker::workers], attempts), daemon=True)
            process.start()
            theirs.close()
            reading.append(ours)
            processes.append(process)
        open_pipes: list[Any] = list(reading)
        left = len(numbers)
        while open_pipes:
            for pipe in wait(open_pipes):
                assert isinstance(pipe, Connection)
                try:
                    page = pipe.recv()
                except EOFError:
                    open_pipes.remove(pipe)
                    continue
                left -= 1
                yield page
        if left:
            raise RuntimeError("a process that recognises pages died")
    finally:
        for process in processes:
            process.kill()
            process.join()
        for pipe in reading:
            pipe.close()


def _work(answers: Connection, path: Path, numbers: Sequence[int], attempts: Sequence[str]) -> None:
    with _PYMUPDF.open(path) as document:
        for number in numbers:
            answers.send(recognised(document[number - 1], attempts))
    answers.close()
