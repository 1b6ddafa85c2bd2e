"""Zip files that strangers made: judged by their directory before anything is unpacked, and unpacked under a bound.

Limits from measured bombs: a file may be small and cost gigabytes. Members are only read into memory, never written to disk.
"""

import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Self

from es_mappings.errors import EncryptedDocument, LimitExceeded, MalformedDocument

MOST_ENTRIES = 5_000
MOST_BYTES = 200_000_000
MOST_MEMBER_BYTES = 64_000_000
# Deflate packs markup 5 to 20 times; above this ratio a member was made to explode.
MOST_RATIO = 100
RATIO_FREE_BYTES = 1_000_000


class Archive:
    """An open zip whose members are read by name. Close it after use (`with Archive(path) as archive`)."""

    def __init__(self, path: Path) -> None:
        """Open and judge. Raises MalformedDocument, LimitExceeded, EncryptedDocument."""
        self._name = path.name
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            raise MalformedDocument(f"{path.name} is damaged: it is not a whole zip file; fetch or save it again") from None
        try:
            self._judge(self._zip.infolist())
        except BaseException:
            self._zip.close()
            raise
        self._members = {info.filename: info for info in self._zip.infolist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._zip.close()

    def __contains__(self, member: str) -> bool:
        return member in self._members

    def read(self, member: str) -> bytes:
        """The bytes of a member. Raises MalformedDocument when it is missing or damaged, LimitExceeded."""
        info = self._members.get(member)
        if info is None:
            raise MalformedDocument(f"{self._name} is incomplete: a part that it names is missing; fetch it again")
        if info.file_size > MOST_MEMBER_BYTES:
            raise LimitExceeded(f"{self._name} has a part of {info.file_size:,} bytes, more than {MOST_MEMBER_BYTES:,}: split it")
        try:
            with self._zip.open(info) as stream:
                # A bounded read: a directory that lies about the size cannot make zlib unpack more.
                data = stream.read(info.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError):
            raise MalformedDocument(f"{self._name} is damaged: a part cannot be unpacked; fetch it again") from None
        if len(data) != info.file_size:
            raise MalformedDocument(f"{self._name} is damaged: a part is not as long as the directory says; fetch it again")
        return data

    def _judge(self, entries: list[zipfile.ZipInfo]) -> None:
        if len(entries) > MOST_ENTRIES:
            raise LimitExceeded(f"{self._name} has {len(entries):,} entries, more than {MOST_ENTRIES:,}: split it")
        total = sum(info.file_size for info in entries)
        if total > MOST_BYTES:
            raise LimitExceeded(f"{self._name} unpacks to {total:,} bytes, more than {MOST_BYTES:,}: split it or shrink its pictures")
        if any(info.file_size > RATIO_FREE_BYTES and info.file_size > MOST_RATIO * max(1, info.compress_size) for info in entries):
            raise LimitExceeded(f"{self._name} unpacks to more than {MOST_RATIO} times its size: it is damaged or made to exhaust memory")
        if any(info.flag_bits & 1 for info in entries):
            raise EncryptedDocument(f"{self._name} is encrypted: store a copy without a password")
        if len({info.filename for info in entries}) != len(entries):
            raise MalformedDocument(f"{self._name} has two entries of one name: it is damaged or hostile; fetch it again")
