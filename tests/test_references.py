"""References: what text points to becomes an edge where it is clear, and stays visible where it is not."""

import pytest

from es_mappings.titles import DocumentTitle, normalise_title, title_registry
from ingest.blocks import Block, Link, Reading
from ingest.chunking import chunk_outline
from ingest.labelling import label_outline
from ingest.outline import build_outline
from ingest.references import References, find_references, resolve


def heading(level: int, number: str | None, title: str, **fields: object) -> Block:
    return Block(kind="heading", level=level, number=number, text=title, **fields)  # type: ignore[arg-type]


BOOK = (
    heading(1, "1", "Basics", anchors=("basics.md",)),
    heading(2, "1.1", "Retries", anchors=("basics.md#retries",)),
    heading(1, "2", "Storage"),
    heading(2, "2.1", "Disks", page=7),
    heading(2, "2.2", "Retention Periods", anchors=("keep",)),
    heading(1, None, "Appendix A: Terms"),
)


def references_in(text: str, *, links: tuple[Link, ...] = (), at: int = 3, book: tuple[Block, ...] = BOOK) -> References:
    """References of a paragraph that stands under the heading at that place of the book."""
    blocks = (*book[: at + 1], Block(kind="paragraph", text=text, links=links), *book[at + 1 :])
    outline = build_outline(Reading(title="Operations Manual", format="test", blocks=blocks), "doc")
    chunks = chunk_outline(outline)
    (found,) = find_references(outline, chunks, label_outline(outline))
    return found


@pytest.mark.parametrize(
    ("text", "label", "target"),
    [
        ("see section 2.2", "section 2.2", (2, 2)),
        ("详见第2.2节", "section 2.2", (2, 2)),
        ("Appendix A lists them", "appendix a", (3,)),
        ("见本章第二节", "section 2.2", (2, 2)),
        ("section 2 of this chapter", "section 2.2", (2, 2)),
        ("chapter 1, section 1", "section 1.1", (1, 1)),
        ("第一章第一节", "section 1.1", (1, 1)),
        ("in the Operations Manual, section 2.2", "section 2.2", (2, 2)),
        ("《Operations Manual》第1章", "chapter 1", (1,)),
        ("the “Retention Periods” section", "section 2.2", (2, 2)),
        ("the “Retries” section of Chapter 1", "section 1.1", (1, 1)),
        ("参见上一章", "chapter 1", (1,)),
        ("clause 2.2 applies", "clause 2.2", (2, 2)),
    ],
)
def test_a_clear_reference_becomes_a_target(text, label, target):
    found = references_in(text)
    assert label in found.labels
    assert target in found.targets
    assert label not in found.unresolved


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("see section 9.9", ("section 9.9",)),
        ("section 2 of the Act", ("doc:act > section 2",)),
        ("Section 913 of the Dodd-Frank Act", ("doc:dodd frank act > section 913",)),
        ("the Security Policy, section 4", ("doc:security policy > section 4",)),
        ("详见《安全手册》第4节", ("doc:安全手册 > section 4",)),
        ("详见《安全手册》", ("doc:安全手册",)),
        ("as chapter II says", ("chapter 2",)),
    ],
)
def test_what_is_elsewhere_or_nowhere_stays_a_label(text, labels):
    found = references_in(text)
    assert found.labels == found.unresolved == labels
    assert found.targets == ()


@pytest.mark.parametrize(
    "text", ["the 3 laws of section owners", "17 CFR 240.15l-1", "Figure 2.2", "the first part 1", "section 2.1 itself"]
)
def test_no_reference_is_made_of_other_numbers_or_of_the_own_heading(text):
    assert references_in(text).targets == ()
    assert references_in(text).labels == ()


def test_an_ambiguous_label_is_settled_by_the_own_chapter_or_not_at_all():
    book = (
        heading(1, "第一章", "第一章"), heading(2, "第一节", "第一节"), heading(2, "第二节", "第二节"),
        heading(1, "第二章", "第二章"), heading(2, "第一节", "第一节"), heading(2, "第二节", "第二节"), heading(1, "第三章", "第三章"),
    )  # fmt: skip
    assert references_in("详见第二节", at=4, book=book).targets == ((2, 2),)
    assert references_in("详见第二节", at=6, book=book) == References(labels=("section 2",), unresolved=("section 2",))


def test_a_letter_is_looked_for_in_the_own_chapter():
    book = (heading(1, "IV", "IV. Economics"), heading(2, "B", "B. Baseline"), heading(2, "C", "C. Benefits"))
    assert references_in("in Section C below", at=1, book=book).targets == ((1, 2),)
    assert references_in("see Section IV.C", at=1, book=book).targets == ((1, 2),)


@pytest.mark.parametrize(
    ("target", "ordinals"),
    [("#keep", (2, 2)), ("basics.md", (1,)), ("basics.md#retries", (1, 1)), ("./basics.md#gone", (1,)), ("page:7", None), ("#none", None)],
)
def test_links_lead_to_sections(target, ordinals):
    found = references_in("read this", links=(Link(text="this", target=target),), at=4 if ordinals != (2, 2) else 3)
    expected = {"page:7": ((2, 1),)}.get(target, (ordinals,) if ordinals else ())
    assert found.targets == expected


def test_links_to_other_documents_are_kept_by_their_name_and_addresses_are_not():
    links = (Link(text="a", target="../ops/Security-Policy.md#x"), Link(text="b", target="https://example.org/a.html"))
    assert references_in("a b", links=links).labels == ("doc:security policy",)


def test_titles_are_compared_without_articles_quotes_and_case():
    assert normalise_title("The Operations  Manual") == normalise_title("《operations manual》") == "operations manual"


def test_document_labels_resolve_by_title_or_alias_when_the_document_is_there():
    documents = [
        DocumentTitle(doc_id="d1", title="Security Policy", aliases=("SecPol",)),
        DocumentTitle(doc_id="d2", title="Handbook"),
        DocumentTitle(doc_id="d3", title="The handbook"),
    ]
    labels = ("section 2", "doc:secpol > section 4", "doc:handbook", "doc:missing > chapter 1")
    found = resolve(labels, title_registry(documents))
    assert [(r.doc_ids, r.section) for r in found] == [(("d1",), "section 4"), (("d2", "d3"), ""), ((), "chapter 1")]


def test_a_title_said_in_part_finds_the_document_that_has_it_whole_words_only():
    documents = [
        DocumentTitle(doc_id="d1", title="Acme Operations Manual 2024"),
        DocumentTitle(doc_id="d2", title="Security Policy for Contractors"),
        DocumentTitle(doc_id="d3", title="Security Policy for Staff"),
        DocumentTitle(doc_id="d4", title="云平台运维手册（第三版）"),
    ]
    labels = (
        "doc:operations manual > section 4",
        "doc:security policy",
        "doc:manual",
        "doc:运维手册 > section 4",
        "doc:手册",
        "doc:rations manual",
    )
    found = resolve(labels, title_registry(documents))
    assert [r.doc_ids for r in found] == [("d1",), ("d2", "d3"), (), ("d4",), (), ()]


NUMBERED = (
    heading(1, "3", "Concepts"), heading(2, "3.1", "Variables"), heading(3, None, "Constants"), heading(3, None, "Shadowing"),
    heading(2, "3.2", "Data Types"), heading(3, None, "Scalars"), heading(1, "4", "Ownership"), heading(2, "4.1", "Moves"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("at", "text", "target"),
    [
        (2, "We come to types in the next section.", (1, 2)),  # the next numbered section has the word
        (2, "A name may be shadowed, as the next section shows.", (1, 1, 2)),  # the next heading has it
        (2, "More of this in the next section.", None),  # nothing tells which of the two
        (3, "More of this in the next section.", (1, 2)),  # both are the same
        (4, "as the previous section said", (1, 1)),
        (5, "More of this in the next section.", None),  # a chapter is no section
        (5, "More of this in the next chapter.", (2,)),
        (4, "在下一章讨论", (2,)),
        (3, "我们在下一部分讨论", (1, 2)),
        (3, "下一部分代码打印一个数", None),
        (2, "in the next section, “Data Types”", (1, 2)),
    ],
)
def test_the_next_section_is_the_one_that_the_words_around_it_tell(at, text, target):
    assert references_in(text, at=at, book=NUMBERED).targets == ((target,) if target else ())


def test_a_neighbour_that_is_not_clear_stays_visible():
    assert references_in("More of this in the next section.", at=2, book=NUMBERED).unresolved == ("next section",)


def test_a_title_that_several_sections_have_is_looked_for_in_the_chapter_named_with_it():
    book = (
        heading(1, "1", "One"),
        heading(2, None, "Summary"),
        heading(1, "2", "Two"),
        heading(2, None, "Summary"),
        heading(1, "3", "Three"),
    )
    assert references_in("the “Summary” section of Chapter 1", at=4, book=book).targets == ((1,), (1, 1))
    assert references_in("第一章的“Summary”一节", at=4, book=book).targets == ((1,), (1, 1))
    assert references_in("the “Summary” section", at=2, book=book).targets == ((2, 1),)
    assert references_in("the “Summary” section", at=4, book=book).targets == ()


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("See the Audit Proposal, supra Section 2.1.", ("section 2.1",)),
        ("17 CFR § 240.17a-3(a) - 17(i)(A)", ("doc:17 cfr > section 240.17a-3",)),
        ("discussed in Chapter 1 in the “Zebra” section", ("chapter 1",)),
        ("Section II.D.1 and 2 comparing them", ("section 2.d.1", "section 2.d.2")),
        ("报告的第一部分", ()),
    ],
)
def test_what_stands_around_a_number_tells_where_it_is(text, labels):
    assert references_in(text, at=5).labels == labels


def test_a_link_to_an_index_file_is_named_after_its_folder():
    links = (Link(text="a", target="../ops/backup/index.html"), Link(text="b", target="policies/README.md"))
    assert references_in("a b", links=links).labels == ("doc:backup", "doc:policies")


@pytest.mark.parametrize(
    ("words", "is_reference"),
    [
        ("12", False), ("35 36 37", False), ("[4]", False), ("*", False), ("Figure 3.6", False), ("表 2", False),
        ("page 7", False), ("the disks", True), ("2.1", True), ("§ 2.1", True), ("Notes on disks", True),
    ],
)  # fmt: skip
def test_a_link_of_a_note_or_a_figure_leads_to_no_section(words, is_reference):
    found = references_in("words", links=(Link(text=words, target="page:7"),), at=5)
    assert found.targets == (((2, 1),) if is_reference else ())


def test_a_label_that_only_another_document_has_stays_visible_and_one_of_a_figure_is_none():
    links = (Link(text="sec_attention", target="#sec_attention"), Link(text="fig_net", target="#fig_net"), Link(text="top", target="#up"))
    assert references_in("a b", links=links).unresolved == ("#sec_attention",)


def test_a_title_in_capitals_on_a_line_of_its_own_refers_to_nothing():
    assert references_in("CHAPTER 7\nThe trustee pays.").labels == ()
    assert references_in("As CHAPTER 7 says").labels == ("chapter 7",)
