"""Uploads wait here until their job ends. Files get names of our own; the given name is text and never a path."""

import os
import re
import secrets
import time
import unicodedata
from collections.abc import Collection
from pathlib import Path
from typing import IO

from es_mappings.errors import BackendError, TooLarge

NAME_CHARACTERS = 1_000
PIECE_BYTES = 1 << 20
ORPHAN_SECONDS = 3_600
_OWN_NAME = re.compile(r"[0-9a-f]{32}(\.[a-z0-9]{1,10})?")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
_SUFFIX = re.compile(r"\.[a-z0-9]{1,10}")


class Spool:
    """One folder of waiting uploads, readable by this user alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def accept(self, content: IO[bytes], given_name: str, max_bytes: int) -> str:
        """Copy an upload to disk, whole and synced before it gets its name; returns our name for it.

        Raises TooLarge beyond `max_bytes`, BackendError when the disk does not take it.
        """
        own_name = secrets.token_hex(16) + safe_suffix(given_name)
        part = self._folder / f"{own_name}.part"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with part.open("xb") as target:
                _copy(content, target, max_bytes)
                target.flush()
                os.fsync(target.fileno())
            part.rename(self._folder / own_name)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise BackendError(f"the upload cannot be kept ({error.strerror}): free disk space, or set SECTIONARY_HOME") from None
        except TooLarge:
            part.unlink(missing_ok=True)
            raise
        return own_name

    def path(self, own_name: str) -> Path:
        """Where a file of ours lies. Raises ValueError for any name that `accept` cannot have given."""
        if not _OWN_NAME.fullmatch(own_name):
            raise ValueError("not a name of the spool")
        return self._folder / own_name

    def remove(self, own_name: str) -> None:
        """Delete a file of ours; it may be gone already."""
        self.path(own_name).unlink(missing_ok=True)

    def sweep(self, needed: Collection[str]) -> int:
        """Delete files that no job needs and that are older than an hour (an upload under way has no job yet); returns how many."""
        if not self._folder.is_dir():
            return 0
        swept = 0
        before = time.time() - ORPHAN_SECONDS
        for file in self._folder.iterdir():
            if file.name not in needed and file.stat().st_mtime < before:
                file.unlink(missing_ok=True)
                swept += 1
        return swept


def _copy(content: IO[bytes], target: IO[bytes], max_bytes: int) -> None:
    size = 0
    while piece := content.read(PIECE_BYTES):
        size += len(piece)
        if size > max_bytes:
            raise TooLarge(f"the file has more than {max_bytes:,} bytes: split it, or raise SECTIONARY_UPLOAD_MAX_BYTES")
        target.write(piece)


def safe_suffix(given_name: str) -> str:
    """The suffix of an uploaded name in lower case when it is a plain one (it helps to choose the reader), else ""."""
    suffix = os.path.splitext(given_name)[1].lower()  # noqa: PTH122  # the name is text, not a path
    return suffix if _SUFFIX.fullmatch(suffix) else ""


def plain_name(given_name: str) -> str:
    """The last part of an uploaded name as harmless text of at most 1,000 characters; "" when nothing is left.

    NFC, spaces collapsed, without control and direction characters; the joiners of Persian, Indic scripts and emoji stay.
    """
    last = re.split(r"[/\\]", given_name)[-1]
    shown = "".join(character if character in _JOINERS or unicodedata.category(character) not in _UNSEEN else " " for character in last)
    return " ".join(unicodedata.normalize("NFC", shown).split())[:NAME_CHARACTERS]
