"""The words that name divisions of a document, and what each division is called in a label. Data, no rules.

English first, with the German, French and Spanish words that a mixed collection meets; Chinese with Japanese variants.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWord:
    """How one word names a kind: `plural` words introduce lists, `capital` ones count in running text only with a capital,
    `dotted` ones are abbreviations that count with a full stop or as "Ch 3" with a capital and digits.
    """

    kind: str
    plural: bool = False
    capital: bool = False
    dotted: bool = False


# Divisions that hold chapters: they qualify what is below them, but do not number it.
VOLUMES = frozenset({"part", "book", "volume", "title"})
# Divisions whose number is the first component of the numbers below them ("lecture 5" > "2 Proof" is section 5.2).
NUMBERING = frozenset({"chapter", "section", "lecture", "lesson", "unit", "module", "clause", "item"})
# Smaller than a heading: mentions of them point to the division around them.
SUBDIVISIONS = frozenset({"paragraph", "clause", "item"})

_WORDS: dict[str, tuple[str, str]] = {
    # kind: (singular words, plural words)
    "chapter": ("chapter kapitel chapitre capítulo capitulo", "chapters chapitres capítulos capitulos"),
    "section": ("section subsection sub-section abschnitt sección seccion", "sections subsections sub-sections abschnitte secciones"),
    "part": ("part teil", "parts"),
    "appendix": ("appendix anhang", "appendices appendixes"),
    "annex": ("annex annexe", "annexes"),
    "article": ("article artikel", "articles"),
    "clause": ("clause", "clauses"),
    "paragraph": ("paragraph", "paragraphs"),
    "lecture": ("lecture", "lectures"),
    "lesson": ("lesson", "lessons"),
    "unit": ("unit", "units"),
    "module": ("module", "modules"),
    "book": ("book", "books"),
    "volume": ("volume", "volumes"),
    "title": ("title", "titles"),
    "item": ("item", "items"),
    "schedule": ("schedule", "schedules"),
    "exhibit": ("exhibit", "exhibits"),
}
_CAPITAL = frozenset({"book", "volume", "title", "item", "schedule", "exhibit", "unit", "module"})
_DOTTED: dict[str, tuple[str, str]] = {
    "chapter": ("ch chap", "chs chaps"),
    "section": ("sec sect", "secs sects"),
    "part": ("pt", "pts"),
    "appendix": ("app", "apps"),
    "article": ("art", "arts"),
    "paragraph": ("para", "paras"),
    "volume": ("vol", "vols"),
    "book": ("bk", "bks"),
}


def _table() -> dict[str, KindWord]:
    table = {"§": KindWord(kind="section"), "§§": KindWord(kind="section", plural=True)}
    for source, dotted in ((_WORDS, False), (_DOTTED, True)):
        for kind, (singular, plural) in source.items():
            capital = kind in _CAPITAL
            table |= {word: KindWord(kind=kind, capital=capital, dotted=dotted) for word in singular.split()}
            table |= {word: KindWord(kind=kind, plural=True, capital=capital, dotted=dotted) for word in plural.split()}
    return table


KIND_WORDS = _table()

# Chinese units after 第N, the longer first; what follows a unit that makes it a mere counter stands in COUNTED_THINGS.
CHINESE_UNITS: dict[str, str] = {
    "部分": "part",
    "单元": "unit",
    "單元": "unit",
    "模块": "module",
    "小节": "section",
    "小節": "section",
    "章节": "section",
    "章節": "section",
    "章": "chapter",
    "节": "section",
    "節": "section",
    "条": "article",
    "條": "article",
    "部": "part",
    "篇": "part",
    "编": "part",
    "編": "part",
    "卷": "volume",
    "册": "volume",
    "冊": "volume",
    "讲": "lecture",
    "講": "lecture",
    "课": "lesson",
    "課": "lesson",
    "回": "chapter",
}
COUNTED_THINGS: dict[str, str] = {
    "节": "课|车厢|电池",
    "部": "电影|小说|手机|电话|门|队|作品|戏|曲|法|电视|动画|片",
    "篇": "文章|论文|博客|日记|小说|报道|散文|帖子|博文",
    "回": "合|见|来|去|到|遇",
}
# Chinese words that stand before their number.
CHINESE_PREFIXES: dict[str, str] = {"附录": "appendix", "附錄": "appendix", "付録": "appendix", "附件": "annex"}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# After a number these words keep it a division; another small word may be the thing that is counted or described.
FUNCTION_WORDS = _set(
    """a about above abroad again all alone also an and any are as at be because before below between both but by can compare
    compared contain contains could cover covers deal deals define defined defines describe described describes did differ differs
    discuss discusses do does each either else et every except explain explained explains first for from gave give given gives had
    has have he here how i if in include includes instead into introduce introduced introduces is it its last later let list lists
    may me mean means mention mentioned mentions might must my no not of on once only or our out over please present presents
    provide provided provides require required requires said same say says section see set she should show shown shows since so
    specifically state states still talk talks tell tells than that the their them then there these they this those through to
    together too under until up use used uses using versus via vs was we were what when where whether which while who whose why
    will with within without would you your"""
)
# Laws have made names of these: a chapter 13 trustee is not in chapter 13 of the document at hand.
LEGAL_NAMES = _set(
    """bankruptcy bankruptcies trustee trustees case cases debtor debtors petition petitions filing filings proceeding proceedings
    discharge housing visa visas lien liens plan plans standing office offices relief estate estates practitioner attorney
    attorneys judge judges company companies corporation eligibility officer officers"""
)
# The last word of a name that is a document's, and those of them that mean the document at hand when no name stands before them.
DOCUMENT_NOUNS = _set(
    """act acts agreement amendment annex bill book brief bylaws charter circular code codes constitution contract convention
    decision directive exemption faq faqs form guidance guide guidebook guideline guidelines handbook instructions law laws letter
    manual memo memorandum notice opinion order ordinance paper plan playbook policy procedure procedures proclamation proposal
    protocol recommendation reference regulation regulations release report resolution restatement rule rulebook rules runbook
    specification specifications standard standards statement statute statutes study survey textbook thesis treaty tutorial
    whitepaper"""
)
# Their names go on after the noun: "Form ADV", "Regulation S-K".
NUMBERED_NOUNS = _set("form regulation rule order directive release code resolution standard")
# Words that begin a sentence before a mention and belong to no title.
SENTENCE_OPENERS = _set("see in as under and but if when per also refer unlike both while this these pursuant for from with by to note")
OWN_DOCUMENT_NOUNS = _set("book document guide guidebook handbook manual paper report release textbook thesis text tutorial volume")
