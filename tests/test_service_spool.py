"""The spool: names of our own, nothing outside the folder, nothing half, nothing forgotten."""

import io
import os
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from es_mappings.errors import BackendError, TooLarge
from service.spool import ORPHAN_SECONDS, Spool, plain_name, safe_suffix

HOSTILE = [
    "../../etc/passwd",
    "..\\..\\boot.ini",
    "/etc/passwd",
    "C:\\Windows\\system32\\x.pdf",
    "a\0b.pdf",
    "CON",
    "nul.txt",
    "x" * 5_000 + ".pdf",
    ".pdf",
    "..",
    ".",
    "",
    "a/b/c.docx",
    "\u202efdp.exe",
    "\ud800.pdf",
    "e\u0301.md",
    "\u00e9.md",
    "name\r\nSet-Cookie: x=1.pdf",
    "a.tar.gz; rm -rf ~",
    "第三章.md",
    "%2e%2e%2fx.pdf",
    "~root/x.pdf",
    "x.P\u212aF",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_lands_in_the_folder_under_a_name_of_ours(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "home" / "spool"
    own = Spool(folder).accept(io.BytesIO(b"content"), name, 100)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written == [folder / own]
    assert written[0].read_bytes() == b"content"
    assert Spool(folder).path(own) == written[0]


@given(st.text(max_size=200))
def test_a_shown_name_is_one_line_without_control_or_direction_characters(name: str) -> None:
    shown = plain_name(name)
    assert len(shown) <= 1_000
    assert "/" not in shown
    assert "\\" not in shown
    assert not [
        c
        for c in shown
        if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or (unicodedata.category(c) == "Cf" and c not in "\u200c\u200d")
    ]


def test_a_shown_name_keeps_what_people_write() -> None:
    assert plain_name("用户手册 (第2版).docx") == "用户手册 (第2版).docx"
    assert plain_name("C:\\Users\\me\\Leave  policy.pdf") == "Leave policy.pdf"
    assert plain_name("e\u0301tude.md") == "\u00e9tude.md"
    assert plain_name("می\u200cخواهم.txt") == "می\u200cخواهم.txt"


@pytest.mark.parametrize(
    ("name", "suffix"), [("A.PDF", ".pdf"), ("a.tar.gz", ".gz"), ("a", ""), ("a.p df", ""), ("a.doc/x", ""), ("a.第", "")]
)
def test_only_a_plain_suffix_is_taken_over(name: str, suffix: str) -> None:
    assert safe_suffix(name) == suffix


def test_an_upload_that_is_too_large_leaves_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    assert spool.accept(io.BytesIO(b"x" * 10), "a.txt", 10)
    with pytest.raises(TooLarge):
        spool.accept(io.BytesIO(b"x" * 11), "b.txt", 10)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_disk_that_does_not_take_it_is_told_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BackendError, match="No space left"):
        Spool(tmp_path).accept(io.BytesIO(b"x"), "a.txt", 10)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../x", "a/b", "", "x.pdf", "0" * 32 + ".pdf/../x", "0" * 31])
def test_a_name_that_is_not_ours_is_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="spool"):
        Spool(tmp_path).path(name)


def test_sweeping_takes_only_old_files_that_no_job_needs(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    needed, orphan, new = (spool.accept(io.BytesIO(b"x"), "a.md", 10) for _ in range(3))
    old = time.time() - ORPHAN_SECONDS - 10
    for name in (needed, orphan):
        os.utime(spool.path(name), (old, old))
    assert spool.sweep({needed}) == 1
    assert {path.name for path in tmp_path.iterdir()} == {needed, new}
