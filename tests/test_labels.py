"""Labels: one name for a division however it is written, found in running text and not where there is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from es_mappings.label_numbers import canonical_number, expand_range, label_fallbacks, qualify
from es_mappings.labels import document_label, find_labels, normalise_label, number_labels, split_document_label
from es_mappings.numerals import CARDINAL_WORDS, ORDINAL_WORDS, chinese_value, roman_value, word_value


def roman(value: int) -> str:
    digits = ""
    steps = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX")]
    for worth, digit in [*steps, (5, "V"), (4, "IV"), (1, "I")]:
        count, value = divmod(value, worth)
        digits += digit * count
    return digits


def chinese(value: int) -> str:
    text, gap = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, value = divmod(value, unit)
        if digit:
            text += ("零" if gap and text else "") + "零一二三四五六七八九"[digit] + name
        gap = not digit
    return text.removeprefix("一") if text.startswith("一十") else text


@given(st.integers(1, 3999))
def test_roman_numerals_come_back(value):
    assert roman_value(roman(value)) == value
    if value < 200 and roman(value).lower() not in ("mix", "di", "li", "cv", "xxx"):
        assert roman_value(roman(value).lower()) == value


@given(st.integers(1, 9999))
def test_chinese_numerals_come_back(value):
    assert chinese_value(chinese(value)) == value
    formal = str.maketrans("一二三四五六七八九十百千", "壹贰叁肆伍陆柒捌玖拾佰仟")
    assert chinese_value(chinese(value).translate(formal)) == value
    assert chinese_value(chinese(value).replace("零", "〇")) == value


def test_english_number_words_cover_one_to_ninety_nine():
    assert sorted(CARDINAL_WORDS.values()) == sorted(ORDINAL_WORDS.values()) == list(range(1, 100))
    assert [word_value(word) for word in ("Twenty-One", "twenty one", "ninety-ninth", "hundred")] == [21, 21, 99, None]


@pytest.mark.parametrize("word", ["mix", "civil", "dim", "vivid", "IIII", "VX", "", "iC", "livid", "di"])
def test_words_are_no_roman_numerals(word):
    assert roman_value(word) is None


@pytest.mark.parametrize(
    ("written", "kind", "number"),
    [
        ("III", "", "3"), ("iv", "", "4"), ("Ⅱ", "", "2"), ("３．２", "", "3.2"), ("一百零三", "", "103"), ("两", "", "2"), ("04", "", "4"),
        ("1A", "item", "1a"), ("B.2", "appendix", "b.2"), ("C", "appendix", "c"), ("I", "appendix", "i"), ("V", "", "5"), ("D", "", "d"),
        ("II.A.2.b", "", "2.a.2.b"), ("twenty-one", "", "21"), ("First", "", "1"), ("240.15l-1", "", "240.15l-1"), ("⑤", "", "5"),
        ("hello", "", None), ("", "", None), ("3..2", "", None),
    ],
)  # fmt: skip
def test_numbers_have_one_spelling(written, kind, number):
    assert canonical_number(written, kind) == number


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("第三章", "chapter 3"), ("Chapter III", "chapter 3"), ("CHAPTER THREE", "chapter 3"), ("chapter three", "chapter 3"),
        ("Ch. 3", "chapter 3"), ("ch 3", "chapter 3"), ("Kapitel 3", "chapter 3"), ("第 3 章", "chapter 3"), ("第叁章", "chapter 3"),
        ("Part Two", "part 2"), ("第二部分", "part 2"), ("附录A", "appendix a"), ("附录 a", "appendix a"), ("Appendix B", "appendix b"),
        ("Anhang B", "appendix b"), ("附录三", "appendix 3"),
        ("§ 4.2", "section 4.2"), ("Section 3.2", "section 3.2"), ("第3.2节", "section 3.2"),
        ("Sec. 4", "section 4"), ("3.2 节", "section 3.2"), ("Art. 12", "article 12"), ("第二十一条", "article 21"),
        ("Lecture 5", "lecture 5"),
        ("第五讲", "lecture 5"), ("卷三", "volume 3"), ("第三卷", "volume 3"), ("Book the First", "book 1"), ("Unit 7", "unit 7"),
        ("第7单元", "unit 7"), ("Item 1A", "item 1a"), ("appendix", "appendix"), ("附录", "appendix"), ("第三章第二节", "section 3.2"),
        ("Part II, Chapter 3", "part 2 chapter 3"), ("part 2 chapter 3", "part 2 chapter 3"), ("section 3.2", "section 3.2"),
        ("第一百零三条", "article 103"), ("Annex II", "annex 2"), ("第十二回", "chapter 12"), ("chapter 3.2", "section 3.2"),
        ("3", None), ("the laws", None), ("chapters 2 and 3", None), ("in chapter 3", None), ("", None), ("第三个", None),
    ],
)  # fmt: skip
def test_a_label_is_the_same_however_it_is_written(written, label):
    assert normalise_label(written) == label


def mentioned(text: str, **options: bool) -> list[str]:
    return [label for mention in find_labels(text, **options) for label in mention.labels]


MENTIONS = [
    ("see section 3.2", "section 3.2"),
    ("See Sections 2 and 5.", "section 2|section 5"),
    ("sections 2, 3, and 5 apply", "section 2|section 3|section 5"),
    ("chapters 2 to 4", "chapter 2|chapter 3|chapter 4"),
    ("chapters 2-4", "chapter 2|chapter 3|chapter 4"),
    ("Chapters II–IV", "chapter 2|chapter 3|chapter 4"),
    ("chapters two through four", "chapter 2|chapter 3|chapter 4"),
    ("between chapter 2 and 5", "chapter 2|chapter 5"),
    ("chapter 2 and chapter 5", "chapter 2|chapter 5"),
    ("sections 3.1 through 3.3", "section 3.1|section 3.2|section 3.3"),
    ("Appendices A and B", "appendix a|appendix b"),
    ("Appendices A–C", "appendix a|appendix b|appendix c"),
    ("Appendix B lists them", "appendix b"),
    ("as shown in chapter IV", "chapter 4"),
    ("chapter three was long", "chapter 3"),
    ("§§ 3, 4", "section 3|section 4"),
    ("(§4.2)", "section 4.2"),
    ("Ch. 3 and Sec. 4.1", "chapter 3|section 4.1"),
    ("the third chapter", "chapter 3"),
    ("see infra Section II.D.2.d.", "section 2.d.2.d"),
    ("Sections II.B. and II.D.2.", "section 2.b|section 2.d.2"),
    ("section\n3.2 of this document", "section 3.2"),
    ("section 2(a)(1) requires", "section 2"),
    ("chapter 3, section 2", "section 3.2"),
    ("section 2 of chapter 3", "section 3.2"),
    ("Section 3.2 of Chapter 3", "section 3.2"),
    ("sections 1 and 2 of chapter 3", "section 3.1|section 3.2"),
    ("Part II, Item 7", "part 2 item 7"),
    ("Book 2, Chapter 3", "book 2 chapter 3"),
    ("Appendix B, section 2", "appendix b.2"),
    ("Article 5, paragraph 2", "article 5"),
    ("Part I of the book", "part 1"),
    ("refer to 3.2 for details", "section 3.2"),
    ("para. 7", "paragraph 7"),
    ("Abschnitt 3.2 und Teil II", "section 3.2|part 2"),
    ("§ 240.15l-1", "section 240.15l-1"),
    ("详见第3节", "section 3"),
    ("见第三章第二节", "section 3.2"),
    ("参见第3.2节和附录B", "section 3.2|appendix b"),
    ("第2至4章", "chapter 2|chapter 3|chapter 4"),
    ("第2章至第4章", "chapter 2|chapter 3|chapter 4"),
    ("第二、三章", "chapter 2|chapter 3"),
    ("第2、3和5章", "chapter 2|chapter 3|chapter 5"),
    ("第2章和第5章", "chapter 2|chapter 5"),
    ("第二、十二和二十一章是项目章节", "chapter 2|chapter 12|chapter 21"),
    ("如 3.2 节所述", "section 3.2"),
    ("参见 3.2。", "section 3.2"),
    ("附录 A 和附录 C", "appendix a|appendix c"),
    ("附录A至C", "appendix a|appendix b|appendix c"),
    ("卷三讲的是", "volume 3"),
    ("依照本法第二十一条的规定", "article 21"),
    ("第三条第二款", "article 3"),
    ("第二编第三章", "part 2 chapter 3"),
    ("第五讲和第六讲", "lecture 5|lecture 6"),
    ("第１２章", "chapter 12"),
    ("第三章 第二节", "section 3.2"),
    ("第三章，第五章", "chapter 3|chapter 5"),
]


@pytest.mark.parametrize(("text", "labels"), MENTIONS)
def test_every_division_that_text_mentions_is_found(text, labels):
    assert mentioned(text) == labels.split("|")


@pytest.mark.parametrize(
    "text",
    [
        "the 3 laws", "3 chapters", "section of the law", "How many chapters are there?", "Rule 15c-3",
        "17 CFR 240.15l-1", "Figure 3.2",
        "Table 4", "In the chapter I wrote", "the part I like", "this section I hate", "a Chapter 13 trustee", "a chapter 7 bankruptcy",
        "Section 8 housing", "the chapter in question", "a chapter is", "part a of it",
        "Part A new car", "version 3.2", "see 3.2 million",
        "chapter-based", "section 3-based", "a section 5% tall", "mix of parts", "apart 3", "art 5", "art. Five of them", "partial 3",
        "unit 3 tests", "book 3 rooms", "title 2", "the first section", "the third part", "sections and chapters", "I am in part sad",
        "三大定律", "共三章", "三个章节", "第一条消息", "第二条路", "第一节课",
        "第三部电影", "第一篇文章", "附录一览", "第二个", "第三方", "一节车厢",
        "第一回合", "见 3.2 倍", "章节", "第三页", "图 3.2", "表4", "第一次", "节省3章",
    ],
)  # fmt: skip
def test_a_number_that_is_no_division_is_no_mention(text):
    assert mentioned(text) == []


def test_a_list_ends_where_something_else_is_counted():
    assert mentioned("in chapter 3 and 5 people came") == ["chapter 3"]
    assert mentioned("chapter 3, 4 people came") == ["chapter 3"]
    assert mentioned("Appendix A and I think") == ["appendix a"]


@pytest.mark.parametrize(
    ("text", "document", "label"),
    [
        ("the Operations Manual, section 4", "operations manual", "section 4"),
        ("section 4 of the Operations Manual", "operations manual", "section 4"),
        ("See the Data Retention Policy section 2.1", "data retention policy", "section 2.1"),
        ("《运维手册》第4节", "运维手册", "section 4"),
        ("详见《运维手册》的第三章", "运维手册", "chapter 3"),
        ("《运维手册》（2024 版）附录A", "运维手册", "appendix a"),
        ("根据证券法第三条的规定", "证券法", "article 3"),
        ("section 3 of the Act", "act", "section 3"),
        ("section 3 of the law", "law", "section 3"),
        ("section 230 of the Communications Act", "communications act", "section 230"),
        ("Section 15(b)(6) of the Exchange Act", "exchange act", "section 15"),
        ("See Exchange Act Section 15(b)", "exchange act", "section 15"),
        ("Pursuant to the Dodd-Frank Act, section 913", "dodd frank act", "section 913"),
        ("the Advisers Act of 1940, section 202", "advisers act of 1940", "section 202"),
        ("Regulation 2016/679, Article 5", "regulation 2016 679", "article 5"),
        ("at 21. See BIC Exemption, section 4", "bic exemption", "section 4"),
        ("15 U.S.C. § 78o", "15 u s c", "section 78o"),
        ("RFC 2119, section 4", "rfc 2119", "section 4"),
        ("section 4 of RFC 2119", "rfc 2119", "section 4"),
        ("ERISA section 408(b)(14)", "erisa", "section 408"),
        ("Form ADV Item 2.A", "form adv", "item 2.a"),
        ("chapter 3 of Pride and Prejudice", "pride and prejudice", "chapter 3"),
        ("chapter 3 of “The Rust Book”", "rust book", "chapter 3"),
        ("Annex I to Regulation 2016/679", "regulation 2016 679", "annex i"),
        ("chapter 3 of the book", "", "chapter 3"),
        ("chapter 3 of this document", "", "chapter 3"),
        ("See Section 4", "", "section 4"),
        ("In Chapter 4", "", "chapter 4"),
        ("the Guide and section 5", "", "section 5"),
        ("section 4 in Figure 2", "", "section 4"),
        ("本法第三条", "", "article 3"),
        ("本手册第三章", "", "chapter 3"),
    ],
)  # fmt: skip
def test_a_mention_knows_the_document_it_is_in(text, document, label):
    (mention,) = find_labels(text)
    assert (mention.document, mention.labels) == (document, (label,))


@pytest.mark.parametrize(
    ("text", "relative", "labels"),
    [
        ("section 2 of this chapter", "chapter", ("section 2",)),
        ("见本章第二节", "chapter", ("section 2",)),
        ("本节第3小节", "section", ("section 3",)),
        ("上一章", "previous", ("chapter",)),
        ("下一节", "next", ("section",)),
        ("in the next chapter", "next", ("chapter",)),
        ("the previous section", "previous", ("section",)),
    ],
)
def test_relative_mentions_say_what_they_are_relative_to(text, relative, labels):
    (mention,) = find_labels(text)
    assert (mention.relative, mention.labels) == (relative, labels)


def test_spans_cover_the_mention_and_never_overlap():
    text = "见第三章第二节; see chapters 2-4 and §5, 附录 A 以及 Appendix B."
    mentions = find_labels(text)
    assert [text[m.start : m.end] for m in mentions] == ["第三章第二节", "chapters 2-4", "§5", "附录 A", "Appendix B"]


@given(st.text(alphabet="chapter section 第三章节条附录A§ 12.34-,和and to I(a)ofthe", max_size=80))
def test_any_text_gives_ordered_spans_and_labels_that_are_their_own_normal_form(text):
    end = 0
    for mention in find_labels(text):
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end
        if not mention.relative:
            assert all(normalise_label(label) == label for label in mention.labels if " a" not in label and " i" not in label)


def test_questions_are_read_more_freely_than_running_text():
    assert mentioned("unit 2", lenient=True) == ["unit 2"]
    assert mentioned("part b", lenient=True) == ["part b"]
    assert mentioned("ch4", lenient=True) == ["chapter 4"]
    assert mentioned("unit 2") == mentioned("part b") == []


def test_numbers_and_ranges():
    assert number_labels("3") == ("chapter 3", "section 3")
    assert number_labels("3.2") == number_labels("３．２") == ("section 3.2",)
    assert number_labels("B") == ("appendix b", "section b")
    assert number_labels("foo") == ()
    assert expand_range("2", "4") == ("2", "3", "4")
    assert expand_range("3.1", "3.3") == expand_range("3.1", "3") == ("3.1", "3.2", "3.3")
    assert expand_range("5", "2") == ("5", "2")


def test_labels_qualify_and_fall_back():
    assert qualify("chapter 3", "section 2") == qualify("chapter 3", "section 3.2") == "section 3.2"
    assert qualify("part 2", "chapter 3") == "part 2 chapter 3"
    assert qualify("part 2 chapter 3", "section 4") == "part 2 section 3.4"
    assert qualify("section 2", "chapter 3") is None
    assert label_fallbacks("part 2 chapter 3") == ("chapter 3",)
    assert label_fallbacks("clause 5.1") == ("section 5.1",)
    assert split_document_label(document_label("operations manual", "section 4")) == ("operations manual", "section 4")
    assert split_document_label("section 4") == ("", "section 4")
