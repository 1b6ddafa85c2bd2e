"""Zip files that strangers made: judged by their directory before anything is unpacked, and unpacked under a bound.

Limits from measured bombs: a file may be small and cost gigabytes (54 kB of zip held two million empty paragraphs: 23 s and 687 MB in
python-docx). Members are only read into memory, never written to disk; what nobody asks for (pictures, fonts, macros) stays packed.
"""

import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Self

from es_mappings.errors import EncryptedDocument, LimitExceeded, MalformedDocument

MOST_ENTRIES = 5_000
# Of everything that the directory names, and of what is read: a report may well hold 200 MB of pictures that stay packed.
MOST_BYTES = 2_000_000_000
MOST_READ_BYTES = 200_000_000
MOST_MEMBER_BYTES = 64_000_000
# Deflate packs markup 5 to 20 times; above this ratio a member was made to explode.
MOST_RATIO = 100
RATIO_FREE_BYTES = 1_000_000


class Archive:
    """An open zip whose members are read by name, whatever its case. Close it after use (`with Archive(path) as archive`)."""

    def __init__(self, path: Path) -> None:
        """Open and judge. Raises MalformedDocument, LimitExceeded, EncryptedDocument."""
        self._name = path.name
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            raise MalformedDocument(f"{path.name} is damaged: it is not a whole zip file; fetch or save it again") from None
        entries = self._zip.infolist()
        self._members = {_plain(info.filename): info for info in entries}
        self._read_bytes = 0
        try:
            self._judge(entries)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def __contains__(self, member: str) -> bool:
        return _plain(member) in self._members

    def read(self, member: str) -> bytes:
        """The bytes of a member. Raises MalformedDocument when it is missing or damaged, LimitExceeded."""
        info = self._members.get(_plain(member))
        if info is None:
            raise MalformedDocument(f"{self._name} is incomplete: a part that it names is missing; fetch or save it again")
        self._judge_member(info)
        try:
            with self._zip.open(info) as stream:
                # A bounded read: a directory that lies about the size cannot make zlib unpack more.
                data = stream.read(info.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError):
            raise MalformedDocument(f"{self._name} is damaged: a part cannot be unpacked; fetch or save it again") from None
        if len(data) != info.file_size:
            raise MalformedDocument(f"{self._name} is damaged: a part is not as long as the directory says; fetch or save it again")
        return data

    def _judge(self, entries: list[zipfile.ZipInfo]) -> None:
        if len(entries) > MOST_ENTRIES:
            raise LimitExceeded(f"{self._name} has {len(entries):,} entries, more than {MOST_ENTRIES:,}: split it")
        total = sum(info.file_size for info in entries)
        if total > MOST_BYTES:
            raise LimitExceeded(f"{self._name} unpacks to {total:,} bytes, more than {MOST_BYTES:,}: split it or shrink its pictures")
        if any(info.flag_bits & 1 for info in entries):
            raise EncryptedDocument(f"{self._name} is encrypted: store a copy without a password")
        if len(self._members) != len(entries):
            raise MalformedDocument(f"{self._name} has two entries of one name: it is damaged or hostile; fetch or save it again")

    def _judge_member(self, info: zipfile.ZipInfo) -> None:
        if info.file_size > MOST_MEMBER_BYTES:
            raise LimitExceeded(f"{self._name} has a part of {info.file_size:,} bytes, more than {MOST_MEMBER_BYTES:,}: split it")
        if info.file_size > RATIO_FREE_BYTES and info.file_size > MOST_RATIO * max(1, info.compress_size):
            raise LimitExceeded(f"{self._name} unpacks to more than {MOST_RATIO} times its size: it is damaged or made to exhaust memory")
        self._read_bytes += info.file_size
        if self._read_bytes > MOST_READ_BYTES:
            raise LimitExceeded(f"{self._name} holds more than {MOST_READ_BYTES:,} bytes of text: split it")


def _plain(name: str) -> str:
    """A member's name as programs compare it: some write other cases or Windows' strokes than they refer to."""
    return name.replace("\\", "/").lower()
