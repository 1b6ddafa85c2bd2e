"""Intents: a question's explicit scope is read, whatever its words; nothing else ever filters."""

import itertools

import pytest

from es_mappings.titles import DocumentTitle
from service.intents import read_intent

TITLES = (
    DocumentTitle(doc_id="ops", title="Operations Manual", aliases=("OpsMan 2",)),
    DocumentTitle(doc_id="zh", title="运维手册"),
    DocumentTitle(doc_id="retries", title="Retries"),
    DocumentTitle(doc_id="rust", title="rust-book-en", aliases=("The Rust Programming Language",)),
    DocumentTitle(doc_id="acme", title="Acme Security Policy 2024"),
)

ENGLISH_LABELS = {
    "chapter 3": ("chapter 3",), "Chapter IV": ("chapter 4",), "section 4.2": ("section 4.2",), "§ 4.2": ("section 4.2",),
    "Appendix B": ("appendix b",), "part two": ("part 2",), "Sec. 12": ("section 12",), "Ch. 7": ("chapter 7",),
    "chapters 2 to 4": ("chapter 2", "chapter 3", "chapter 4"), "sections 2 and 5": ("section 2", "section 5"),
    "lecture 5": ("lecture 5",), "Article 12": ("article 12",), "Chapter 3, Section 2": ("section 3.2",),
}  # fmt: skip
ENGLISH_TEMPLATES = [
    "{} only: what does it say about retries?",
    "What does {} say about retries?",
    "In {}, how are retries configured?",
    "how are retries configured in {}?",
    "According to {}, who may retry?",
    "see {} - what is required there about retries?",
    "Using only {}, explain the retry policy.",
    "{}: retry policy",
    "Explain the retry policy described in {} please",
    "How does {} define a retry?",
]
CHINESE_LABELS = {
    "第三章": ("chapter 3",), "第3.2节": ("section 3.2",), "第二部分": ("part 2",), "附录A": ("appendix a",), "附录 B": ("appendix b",),
    "第2至4章": ("chapter 2", "chapter 3", "chapter 4"), "第2章和第5章": ("chapter 2", "chapter 5"), "第二十一条": ("article 21",),
    "第三章第二节": ("section 3.2",), "第五讲": ("lecture 5",), "第 12 章": ("chapter 12",), "3.2 节": ("section 3.2",),
}  # fmt: skip
CHINESE_TEMPLATES = [
    "{}中关于重试的规定是什么？",
    "在{}里，如何配置重试？",
    "根据{}，谁可以重试？",
    "只看{}：重试次数是多少？",
    "{}的重试策略",
    "请问{}对重试有什么要求",
    "请看{}，那里要求重试几次？",
    "重试次数在{}中是怎么规定的？",
]
GENERATED = [(template.format(name), labels) for template, (name, labels) in itertools.product(ENGLISH_TEMPLATES, ENGLISH_LABELS.items())]
GENERATED += [(template.format(name), labels) for template, (name, labels) in itertools.product(CHINESE_TEMPLATES, CHINESE_LABELS.items())]


def test_two_hundred_generated_questions_miss_no_label():
    assert len(GENERATED) > 200
    read = [(question, read_intent(question).sections, labels) for question, labels in GENERATED]
    assert [(question, found) for question, found, labels in read if found != labels] == []


def test_what_remains_of_generated_questions_asks_for_the_matter_without_the_place():
    for question, _ in GENERATED:
        intent = read_intent(question)
        assert intent.kind == "section", question
        assert "retr" in intent.remaining.lower() or "重试" in intent.remaining
        assert len(intent.remaining) < len(question)


NO_FILTER = [
    "what are the 3 laws of robotics", "Which chapter covers retries?", "How many chapters are there?", "how do retries work?",
    "section 230 of the Communications Act", "What does section 5 of the FTC Act forbid?", "What is a section 8 voucher?",
    "Who pays a chapter 13 trustee?", "Explain chapter 7 bankruptcy", "Does the book have an appendix?", "What is Rule 15c-3?",
    "what happened in 2023", "how does version 3.2 differ", "In which section is locking explained?", "list all sections",
    "is there a chapter about ownership?", "what is a 401(k)?", "Is the third law valid?", "what does 17 CFR 240.15l-1 say?",
    "how do I book 2 rooms?", "What is unit testing?", "Compare TCP and UDP", "The chapter I read was long",
    "how much data did the experiments use?",
    "what is in figure 3.2?", "the first part of the request line", "what are the 10 parts of an engine?",
    "Explain RFC 2119 section 4",
    "三大定律是什么", "一共有几章", "哪一章讲了重试？", "第三方库怎么用",
    "第一条消息是什么", "第一节课讲了几个例子",
    "重试如何工作", "有多少个章节",
    "版本3.2有什么变化", "证券法第三条是什么", "图3.2说明了什么问题", "有附图吗",
    "第一次重试什么时候发生", "实验用了多少数据", "第二页的表格",
]  # fmt: skip


@pytest.mark.parametrize("question", NO_FILTER)
def test_nothing_but_an_explicit_reference_filters(question):
    intent = read_intent(question, TITLES)
    assert (intent.sections, intent.excluded, intent.documents) == ((), (), ())
    assert intent.remaining == question


@pytest.mark.parametrize(
    ("question", "kind", "sections", "excluded"),
    [
        ("in section 4.2", "section", ("section 4.2",), ()),
        ("第三章的内容", "section", ("chapter 3",), ()),
        ("附录A", "section", ("appendix a",), ()),
        ("What's in the appendix?", "section", ("appendix",), ()),
        ("附录里有哪些关键字", "section", ("appendix",), ()),
        ("chapters 2-4 about locks", "section", ("chapter 2", "chapter 3", "chapter 4"), ()),
        ("What is said about backups, except the appendix?", "section", (), ("appendix",)),
        ("Where are locks explained other than in chapter 3?", "section", (), ("chapter 3",)),
        ("locks, excluding chapters 2 and 5", "section", (), ("chapter 2", "chapter 5")),
        ("locks in chapter 4 but not in section 4.2", "section", ("chapter 4",), ("section 4.2",)),
        ("locks, without chapter 2 and the appendix", "section", (), ("chapter 2", "appendix")),
        ("除了附录，哪里提到了重试？", "section", (), ("appendix",)),
        ("除第三章以外，重试怎么做", "section", (), ("chapter 3",)),
        ("第三章以外哪里讲了锁", "section", (), ("chapter 3",)),
        ("除了第二章和第三章，还有哪里讲了锁？", "section", (), ("chapter 2", "chapter 3")),
        ("第四章中，不包括附录A，锁怎么用", "section", ("chapter 4",), ("appendix a",)),
        ("Summarise the whole book", "overview", (), ()),
        ("Can you summarize chapter 3?", "overview", ("chapter 3",), ()),
        ("Give me a short summary of chapters 2 to 3", "overview", ("chapter 2", "chapter 3"), ()),
        ("What is this book about?", "overview", (), ()),
        ("What is chapter 4 about?", "overview", ("chapter 4",), ()),
        ("what are the main themes of the document?", "overview", (), ()),
        ("overview", "overview", (), ()),
        ("Summarise everything except the appendix", "overview", (), ("appendix",)),
        ("主要讲了什么", "overview", (), ()),
        ("总结全书", "overview", (), ()),
        ("概述", "overview", (), ()),
        ("请总结第三章", "overview", ("chapter 3",), ()),
        ("第三章主要讲了什么？", "overview", ("chapter 3",), ()),
        ("这本书讲的是什么", "overview", (), ()),
        ("列出第二章的要点", "overview", ("chapter 2",), ()),
        ("How do I summarise logs?", "plain", (), ()),
        ("如何总结日志", "plain", (), ()),
        ("全书中有几处提到重试", "plain", (), ()),
        ("differences between chapter 2 and 5", "comparison", ("chapter 2", "chapter 5"), ()),
        ("Compare chapter 2 with chapter 5", "comparison", ("chapter 2", "chapter 5"), ()),
        ("How do sections 3.1 and 3.4 differ?", "comparison", ("section 3.1", "section 3.4"), ()),
        ("第2章和第5章有什么区别", "comparison", ("chapter 2", "chapter 5"), ()),
        ("对比第二章与第五章关于锁的内容", "comparison", ("chapter 2", "chapter 5"), ()),
        ("What is the difference between a lock and a latch in chapter 3?", "section", ("chapter 3",), ()),
        ("what's the diff between sections 2 and 5", "comparison", ("section 2", "section 5"), ()),
        ("which is stricter, chapter 2 or chapter 5?", "comparison", ("chapter 2", "chapter 5"), ()),
        ("第二章和第五章哪一章规定更严", "comparison", ("chapter 2", "chapter 5"), ()),
        ("what does it refer to", "reference", (), ()),
        ("What is chapter 3 of the manual about?", "overview", ("chapter 3",), ()),
        ("what happens in chapter 3", "overview", ("chapter 3",), ()),
        ("walk me through chapter 3", "overview", ("chapter 3",), ()),
        ("what's chapter 3 on?", "overview", ("chapter 3",), ()),
        ("第三章说了些什么", "overview", ("chapter 3",), ()),
        ("What's this about?", "overview", (), ()),
        ("what happens in a fire?", "plain", (), ()),
        ("What can I learn about locks in chapter 3?", "section", ("chapter 3",), ()),
        ("anywhere but chapter 3: retries", "section", (), ("chapter 3",)),
        ("don't look at the appendix, who signs?", "section", (), ("appendix",)),
        ("别看附录，谁签字", "section", (), ("appendix",)),
        ("which is better, TCP or UDP?", "plain", (), ()),
        ("What does section 3 refer to?", "reference", ("section 3",), ()),
        ("Which sections refer to section 4.2?", "reference", ("section 4.2",), ()),
        ("Where is Appendix B mentioned?", "reference", ("appendix b",), ()),
        ("哪些章节引用了第三章", "reference", ("chapter 3",), ()),
        ("第三章引用了哪些章节", "reference", ("chapter 3",), ()),
        ("What does idempotent refer to?", "plain", (), ()),
        ("Part II, Item 7: what are the risks?", "section", ("part 2 item 7",), ()),
        ("what does the third chapter say about locks?", "section", ("chapter 3",), ()),
        ("unit 2 exercises about locks in lesson 3", "section", ("lesson 3",), ()),
    ],
)  # fmt: skip
def test_kind_sections_and_exclusions_are_read(question, kind, sections, excluded):
    intent = read_intent(question)
    assert (intent.kind, intent.sections, intent.excluded) == (kind, sections, excluded)


@pytest.mark.parametrize(
    ("question", "documents", "sections"),
    [
        ("according to the Operations Manual, how long are logs kept?", ("ops",), ()),
        ("what does section 4 of the Operations Manual require?", ("ops",), ("section 4",)),
        ("the operations manual, section 4", ("ops",), ("section 4",)),
        ("《运维手册》第4节规定了什么", ("zh",), ("section 4",)),
        ("运维手册中如何备份", ("zh",), ()),
        ("in rust-book-en, what is ownership?", ("rust",), ()),
        ("What does The Rust Programming Language say about traits?", ("rust",), ()),
        ('what is a retry in "Retries"?', ("retries",), ()),
        ("section 2 of Retries", ("retries",), ("section 2",)),
        ("Compare the Operations Manual with rust-book-en", ("ops", "rust"), ()),
        ("section 3 of the Security Policy", ("acme",), ("section 3",)),
        ("how do retries work in rust?", (), ()),
        ("Our retries operations", (), ()),
    ],
)
def test_documents_are_named_by_title_or_alias(question, documents, sections):
    intent = read_intent(question, TITLES)
    assert (intent.documents, intent.sections) == (documents, sections)


@pytest.mark.parametrize(
    ("question", "remaining"),
    [
        ("What does chapter 3 say about retries?", "retries?"),
        ("How does chapter 3 define idempotency?", "How does it define idempotency?"),
        ("see section 4.2 - what is required there?", "what is required there?"),
        ("第三章关于重试的规定是什么", "关于重试的规定是什么"),
        ("According to the Operations Manual, how long are logs kept?", "how long are logs kept?"),
        ("How long are logs kept in the retention policy of OpsMan 2?", "How long are logs kept?"),
        ("Per the annual report by OpsMan 2, who pays?", "who pays?"),
        ("What policy of OpsMan 2 covers cookies?", "What policy covers cookies?"),
        ("What is said about backups, except the appendix?", "backups?"),
        ("chapter 3", "chapter 3"),
        ("第三章的内容", "第三章的内容"),
        ("  how do locks work?  ", "how do locks work?"),
        ("What does section 3 refer to?", "What does section 3 refer to?"),
    ],
)
def test_what_remains_is_the_question_without_its_scope(question, remaining):
    assert read_intent(question, TITLES).remaining == remaining


@pytest.mark.parametrize(
    ("question", "is_bare"),
    [
        ("Summarise the book", True),
        ("Summarize the report in five bullet points for my boss", True),
        ("用三句话概括这本书", True),
        ("这份文件的核心内容是什么？", True),
        ("what does this document cover?", True),
        ("ch3 summary pls", True),
        ("differences between chapter 2 and 5", True),
        ("what's the diff between sections 2 and 5", True),
        ("第2章和第5章有什么不同", True),
        ("summarise what the manual says on retries", False),
        ("Summarise the retry policy", False),
        ("总结一下书中对所有权的讨论", False),
        ("How do chapter 2 and chapter 5 differ on retries?", False),
        ("对比第二章与第五章关于锁的内容", False),
        ("How long are logs kept?", False),
    ],
)
def test_a_question_about_the_whole_is_told_from_one_with_a_topic(question, is_bare):
    assert read_intent(question, TITLES).is_bare is is_bare


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("What does section 3 refer to?", "outgoing"),
        ("第三章引用了哪些章节", "outgoing"),
        ("references in chapter 2", "outgoing"),
        ("What refers to section 3?", "incoming"),
        ("哪些章节引用了第三章", "incoming"),
        ("references to chapter 2", "incoming"),
        ("Where is Appendix B mentioned?", "incoming"),
    ],
)
def test_the_direction_of_references_is_read(question, direction):
    intent = read_intent(question)
    assert (intent.kind, intent.direction) == ("reference", direction)


def test_the_explanation_says_what_was_understood():
    intent = read_intent("Summarise chapter 3 of the Operations Manual except section 3.2", TITLES)
    assert intent.explanation == 'asks for an overview; only in chapter 3; in the document "Operations Manual"; without section 3.2'
    assert read_intent("how do locks work?").explanation == ""


def test_titles_shared_by_documents_name_them_all():
    titles = (DocumentTitle(doc_id="a", title="Release Notes"), DocumentTitle(doc_id="b", title="release notes"))
    assert read_intent("according to the Release Notes, what is new?", titles).documents == ("a", "b")
