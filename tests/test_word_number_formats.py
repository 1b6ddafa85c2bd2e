"""Every number format of Word: known values, and promises that hold for all numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.word.east_asian_numbers import EAST_ASIAN_FORMATS
from ingest.word.number_formats import FORMATS, custom_number, format_number


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("decimal", {1: "1", 12: "12"}),
        ("decimalZero", {1: "01", 9: "09", 10: "10", 100: "100"}),
        ("upperRoman", {1: "I", 4: "IV", 9: "IX", 14: "XIV", 40: "XL", 99: "XCIX", 1994: "MCMXCIV"}),
        ("lowerRoman", {3: "iii", 1990: "mcmxc"}),
        ("upperLetter", {1: "A", 26: "Z", 27: "AA", 28: "BB", 53: "AAA"}),
        ("lowerLetter", {2: "b", 27: "aa"}),
        ("ordinal", {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 21: "21st", 112: "112th"}),
        ("cardinalText", {1: "One", 13: "Thirteen", 21: "Twenty-one", 100: "One hundred", 342: "Three hundred forty-two"}),
        ("ordinalText", {1: "First", 2: "Second", 12: "Twelfth", 20: "Twentieth", 21: "Twenty-first", 100: "One hundredth"}),
        ("chineseCounting", {1: "一", 10: "十", 11: "十一", 20: "二十", 21: "二十一", 99: "九十九", 101: "一○一"}),
        ("chineseCountingThousand", {10: "十", 12: "十二", 100: "一百", 101: "一百〇一", 110: "一百一十", 1234: "一千二百三十四"}),
        ("chineseLegalSimplified", {1: "壹", 10: "壹拾", 25: "贰拾伍", 105: "壹佰零伍"}),
        ("taiwaneseCountingThousand", {3: "三", 10: "十", 10001: "一萬〇一"}),
        ("ideographDigital", {1: "一", 10: "一〇", 25: "二五"}),
        ("ideographTraditional", {1: "甲", 2: "乙", 10: "癸", 11: "甲"}),
        ("ideographZodiac", {1: "子", 12: "亥", 13: "子"}),
        ("ideographZodiacTraditional", {1: "甲子", 2: "乙丑", 60: "癸亥", 61: "甲子"}),
        ("ideographEnclosedCircle", {1: "㊀", 10: "㊉"}),
        ("japaneseCounting", {1: "一", 10: "十", 21: "二十一", 100: "百", 111: "百十一", 2000: "二千"}),
        ("japaneseLegal", {1: "壱", 2: "弐", 10: "壱拾", 23: "弐拾参"}),
        ("japaneseDigitalTenThousand", {10: "一〇", 205: "二〇五"}),
        ("koreanDigital", {1: "일", 10: "일영", 12: "일이"}),
        ("koreanCounting", {1: "일", 10: "십", 21: "이십일", 100: "백"}),
        ("koreanLegal", {1: "하나", 11: "열하나", 20: "스물", 99: "아흔아홉"}),
        ("koreanDigital2", {10: "一零", 23: "二三"}),
        ("ganada", {1: "가", 14: "하"}),
        ("chosung", {1: "ㄱ", 14: "ㅎ"}),
        ("aiueoFullWidth", {1: "ア", 2: "イ", 46: "ン"}),
        ("irohaFullWidth", {1: "イ", 2: "ロ"}),
        ("decimalEnclosedCircle", {1: "①", 20: "⑳", 21: "㉑", 50: "㊿", 51: "51"}),
        ("decimalEnclosedParen", {1: "⑴", 20: "⒇", 21: "21"}),
        ("decimalEnclosedFullstop", {1: "⒈", 20: "⒛"}),
        ("decimalFullWidth", {12: "１２"}),
        ("numberInDash", {3: "- 3 -"}),
        ("hex", {10: "A", 255: "FF"}),
        ("chicago", {1: "*", 2: "†", 5: "**"}),
        ("russianUpper", {1: "А", 2: "Б"}),
        ("hebrew1", {1: "א", 15: "טו", 16: "טז", 20: "כ", 121: "קכא"}),
        ("arabicAbjad", {1: "أ", 2: "ب"}),
        ("thaiNumbers", {12: "๑๒"}),
        ("hindiNumbers", {12: "१२"}),
        ("none", {1: ""}),
        ("bullet", {1: ""}),
        ("somethingNew", {7: "7"}),
    ],
)
def test_a_format_writes_its_numbers(name: str, values: dict[int, str]) -> None:
    assert {value: format_number(value, name) for value in values} == values


def test_a_custom_format_adds_leading_zeros() -> None:
    assert [custom_number(n, "001, 002, 003, ...") for n in (1, 10, 100, 1000)] == ["001", "010", "100", "1000"]


@given(st.integers(0, 2_000_000), st.sampled_from(sorted({*FORMATS, *EAST_ASIAN_FORMATS})))
def test_no_number_fails_in_any_format_or_comes_out_empty(value: int, name: str) -> None:
    assert format_number(value, name)


_REPEATING = {"ideographTraditional", "ideographZodiac", "ideographZodiacTraditional"}


@given(st.integers(1, 5_000), st.integers(1, 5_000), st.sampled_from(sorted({*FORMATS, *EAST_ASIAN_FORMATS} - _REPEATING)))
def test_two_numbers_never_look_the_same_in_one_format(one: int, other: int, name: str) -> None:
    assert (format_number(one, name) == format_number(other, name)) == (one == other)
