"""Text in any encoding comes out as the same characters; what is no text is refused."""

from pathlib import Path

import pytest
from read_documents import read

from es_mappings.errors import EmptyDocument, MalformedDocument
from ingest.decoding import decode

SIMPLIFIED = "第一章 绪论\n\n这是一段正文，用来说明本节的内容。我们在这里写得足够长，像真正的段落。\n\n第二章 结论\n\n结论很清楚。\n"
TRADITIONAL = "第一章 緒論\n\n這是一段正文，用來說明本節的內容。我們在這裡寫得足夠長，像真正的段落。\n\n第二章 結論\n\n結論很清楚。\n"
JAPANESE = "第一章 はじめに\n\nこれは本文です。十分に長い段落を書いて、本文であることを示します。\n\n第二章 おわりに\n\n結びです。\n"
KOREAN = "제1장 서론\n\n이것은 본문입니다. 이 절의 내용을 설명하기 위해 충분히 길게 작성한 문단입니다.\n"
RUSSIAN = "Глава 1\n\nЭто основной текст раздела, достаточно длинный, чтобы его можно было распознать без ошибок.\n"
GERMAN = "Größe und Maß\n\nÜber die Größe läßt sich streiten, sagt man in München, wo das Bier reichlich fließt.\n" * 3


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (SIMPLIFIED, "gb18030"),
        (SIMPLIFIED, "gb2312"),
        (TRADITIONAL, "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (RUSSIAN, "cp1251"),
        (GERMAN, "cp1252"),
        *((SIMPLIFIED, name) for name in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")),
        *((GERMAN, name) for name in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")),
    ],
)
def test_characters_survive_their_encoding(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), "a.txt").text.lstrip("\ufeff") == text


def test_an_older_encoding_is_told_to_the_reader() -> None:
    assert decode(SIMPLIFIED.encode("gb18030"), "a.txt").warnings == (
        "the text was read as gb18030; save it as UTF-8 if characters look wrong",
    )


def test_a_damaged_utf_8_text_keeps_what_can_be_read() -> None:
    decoded = decode(SIMPLIFIED.encode() + b"\xff" + SIMPLIFIED.encode() * 9, "a.txt")
    assert decoded.text.startswith(SIMPLIFIED[:20])
    assert "1 characters could not be decoded" in decoded.warnings


@pytest.mark.parametrize("data", [bytes(range(256)) * 40, b"\x7fELF" + b"\0\1\2\3" * 4000, b"\x89PNG\r\n\x1a\n" + b"\0\5\6" * 900])
def test_binary_data_in_a_text_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(MalformedDocument):
        read(path)


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", "\ufeff".encode("utf-16"), b"\xef\xbb\xbf", b"\0" * 100, b"\n" * 20_000])
def test_an_empty_text_is_told_as_empty(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(EmptyDocument):
        read(path)


def test_line_ends_of_every_system_are_read(tmp_path: Path) -> None:
    assert decode(b"a\r\nb\rc\nd", "a.txt").text == "a\nb\nc\nd"
