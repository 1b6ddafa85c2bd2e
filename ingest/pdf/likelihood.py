"""How likely a unit is a heading, from its look beside this document's body text, its place, its words and its number. Pure.

The scores are log odds; weights were set on generated documents and checked on the labelled pages (docs/decisions/0004).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.pdf.numbering import Numbering
from ingest.pdf.typography import Typography
from ingest.pdf.units import BULLET, WIDE, Unit, is_tabular, stands_out, weighted_length

_KEYWORDS = frozenset(
    """abstract|introduction|background|related work|method|methods|methodology|materials and methods|results|discussion|conclusion|
    conclusions|conclusions and future work|summary|references|bibliography|works cited|acknowledgments|acknowledgements|acknowledgment|
    acknowledgement|appendix|appendices|appendixes|preface|foreword|
    prologue|epilogue|contents|table of contents|index|glossary|abbreviations|
    list of abbreviations|list of figures|list of tables|limitations|limitation|ethics statement|executive summary|notes|endnotes|
    about the author|about the authors|contributors|dedication|exercises|further reading|afterword|
    摘要|引言|绪论|緒論|前言|序|序言|序章|导言|导论|目录|目錄|参考文献|參考文獻|致谢|致謝|附录|附錄|结论|結論|结语|总结|后记|後記|索引|方法|结果|讨论|
    研究背景|研究意义|文献综述|插图目录|表格目录|
    zusammenfassung|einleitung|literatur|literaturverzeichnis|inhaltsverzeichnis|inhalt|vorwort|anhang|danksagung|abkürzungsverzeichnis|
    abbildungsverzeichnis|tabellenverzeichnis|stichwortverzeichnis|symbolverzeichnis|
    résumé|introduction générale|bibliographie|conclusion générale|
    sommaire|table des matières|remerciements|resumen|introducción|conclusiones|bibliografía|referencias|índice|agradecimientos|
    introduzione|bibliografia|indice|riassunto|resumo|introdução|referências|введение|заключение|содержание|список литературы|аннотация|
    はじめに|概要|目次|結論|謝辞|付録""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
# Numbered statements of mathematics and textbooks are set like headings but head no part of the outline.
_STATEMENT = re.compile(
    r"^(?:theorem|lemma|proposition|corollary|definition|definitions|remark|remarks|example|examples|proof|claim|conjecture|notation|exercise|problem|"
    r"question|assumption|axiom|algorithm|observation|fact|property|satz|hilfssatz|korollar|folgerung|beispiel|beispiele|bemerkung|beweis|behauptung|"
    r"aufgabe|übung|lösung|théorème|lemme|corollaire|définition|remarque|exemple|preuve|démonstration|exercice|teorema|definición|definizione|"
    r"定理|引理|命题|命題|推论|推論|定义|定義|证明|證明|注记|练习|習題|习题|问题|性质|公理|假设)\s*(?:[A-Z]?\d+(?:\.\d+)*|[IVX]+|[A-Z])?\s*[.:：。]?(?:\s*[(（\[].*)?$",
    re.IGNORECASE,
)
# Words over or before a hint to the reader, in whatever type: they name no part of the text.
_LABEL_WORD = re.compile(
    r"^(?:note|warning|caution|danger|important|tip|hint|remember|example|hinweis|achtung|warnung|vorsicht|gefahr|"
    r"tipp|remarque|attention|avertissement|nota|atención|advertencia|注意|警告|提示|说明|危险|小心|重要|备注)\s*[!！.:：]*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.。;；,，、]['\"”’)\]]*$")
_MATH = re.compile(r"[=≤≥≈∈∑∫√→⇒⇔∀∃±×÷∂∇⊂⊆∪∩^_{}\\|<>]")
_WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u9fff]{2}")
_LONG_SENTENCE = 45  # characters, those of Chinese counted double, from which a sentence after a number is what an article says
BASE = -3.0
SURE = 0.0  # log odds from which a unit is a heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a unit's neighbours say.

    `support` of its number's chain in 0..1; `dense` when it is an item of a list; `runs_on` when a sentence seems to run through it:
    the line before it, or its own last line, fills the column without an end, and the next line follows at the usual distance.
    """

    support: float = 0.0
    dense: bool = False
    followed_by_text: bool = False
    runs_on: bool = False


def is_keyword(text: str) -> bool:
    """Whether the text is a word that usually heads a part of a document (Abstract, 参考文献, Anhang ...)."""
    return re.sub(r"\s+", " ", text).strip(" .:：").casefold() in _KEYWORDS or re.sub(r"\s+", "", text).strip(".:：") in _KEYWORDS


def is_statement(text: str) -> bool:
    """Whether the text is the head of a numbered statement ("Theorem 2", "Proof.")."""
    return bool(_STATEMENT.match(text))


def is_label_word(text: str) -> bool:
    """Whether the text is a word that marks a hint to the reader ("WARNING", "Note:")."""
    return bool(_LABEL_WORD.match(text.strip()))


def heading_score(unit: Unit, numbering: Numbering | None, typography: Typography, context: Context) -> float:
    """Log odds that the unit is a heading; above 0 is more likely than not."""
    bare = (numbering.rest if numbering is not None else "") or unit.text
    look = look_score(unit, typography)
    number = 0.0 if _STATEMENT.match(unit.text) else number_score(numbering, context)
    length = length_score(unit, bare)
    if numbering is not None and context.support >= 0.5 and look >= 1.0:
        length = max(length, -1.5)
    if _SENTENCE.search(unit.text) and weighted_length(bare) > _LONG_SENTENCE and not stands_out(unit.look, typography.body):
        length -= 2.5
    return BASE + look + length + place_score(unit, context, typography) + text_score(unit, bare, numbering) + number


def look_score(unit: Unit, typography: Typography) -> float:
    """Evidence of size, weight, slant, case, underline, colour, type and centring."""
    look, body = unit.look, typography.body
    ratio = look.size / body.size
    score = 5.0 if ratio >= 1.5 else 4.0 if ratio >= 1.25 else 3.0 if ratio >= 1.1 else 1.5 if ratio > 1.03 else 0.0
    if ratio < 0.97:
        score -= 0.8 if ratio >= 0.88 else 2.0
    score += 2.5 if look.bold and not body.bold else 0.0
    score += 1.2 if look.italic and not body.italic else 0.0
    score += 2.2 if look.underlined else 0.0
    score += {"small": 2.0, "upper": 1.5, "": 0.0}[look.case if len(unit.text) > 3 else ""]
    score += 1.2 if look.color != body.color and _is_visible(look.color) else 0.0
    score += 0.8 if look.family != body.family and not look.mono else -1.5 if look.mono and not body.mono else 0.0
    return score + (1.2 if is_centred(unit) else 0.0)


def place_score(unit: Unit, context: Context, typography: Typography) -> float:
    """Evidence of the space around it and of what follows."""
    body = typography.body
    score = 0.9 if unit.above >= 1.35 and unit.above < 9 else 0.5 if unit.above >= 9 else 0.0
    score += 0.4 if 1.2 <= unit.below < 9 else 0.0
    score -= 2.8 if context.runs_on and unit.look.size <= 1.1 * body.size else 0.0
    return score + (0.6 if context.followed_by_text else -0.5)


def length_score(unit: Unit, bare: str) -> float:
    """Evidence of the length in lines and words (two Chinese characters count as one word)."""
    words = len(bare.split()) + len(WIDE.findall(bare)) // 2
    score = 0.4 if words <= 9 else 0.0 if words <= 18 else -1.2 if words <= 32 else -3.5
    return score - (0.7 if len(unit.lines) == 3 else 2.0 if len(unit.lines) > 3 else 0.0)


def text_score(unit: Unit, bare: str, numbering: Numbering | None) -> float:
    """Evidence of the words: begun large, in title case, without a sentence's end, a usual heading word."""
    text = unit.text
    score = 0.7 if _is_title_case(bare) else 0.0
    if _SENTENCE.search(text) and not re.search(r"\b(?:etc|Inc|Co|U\.S|v|Jr)\.$", text):
        score -= 3.0 if text[-1] in ",，、;；" else 2.6 if bare == text else 1.8
    elif text.endswith((":", "：")):
        score -= 1.4
    elif text.endswith(("!", "！")):
        score -= 1.0
    elif text.endswith(("-", "\u2010")):
        score -= 1.5
    first = bare[:1]
    if first.islower():
        score -= 2.5
    elif not first or not (first.isalnum() or first in "“\"'‘«¿¡(（《「『[【"):
        score -= 1.5
    sample = bare[:300]
    letters = sum(c.isalpha() for c in sample)
    if numbering is not None and numbering.strength == 3 and not numbering.rest:
        letters = len(sample)
    if letters < 0.5 * len(sample.replace(" ", "")) or letters < 2:
        score -= 2.5 if letters else 7.0
    score -= min(3.0, 1.2 * len(_MATH.findall(sample)))
    if not _WORD.search(text):
        score -= 3.5
    if BULLET.match(text):
        score -= 4.0
    if is_statement(text):
        score -= 4.5
    if is_label_word(text):
        score -= 9.0
    if any(is_tabular(line) for line in unit.lines):
        score -= 3.5
    return score + (2.5 if is_keyword(bare) else 0.0)


def _is_title_case(text: str) -> bool:
    words = [word for word in re.findall(r"[^\W\d_][\w’'-]*", text) if len(word) > 3]
    return len(words) >= 2 and sum(word[0].isupper() for word in words) >= 0.8 * len(words) and not text.isupper()


def number_score(numbering: Numbering | None, context: Context) -> float:
    """Evidence of the number and of the chain it stands in."""
    if numbering is None:
        return 0.0
    score = {3: 2.2, 2: 1.8, 1: 0.6}[numbering.strength]
    score += 2.2 * context.support if numbering.strength > 1 else 1.6 * context.support
    if context.support == 0 and numbering.strength < 3:
        score -= 1.0
    if context.dense:
        score -= 2.2 if numbering.strength < 3 else 0.8
    if numbering.strength == 1 and re.search(rf"(?<!\d){numbering.values[0] + 1}[.)]\s", numbering.rest):
        score -= 3.0  # the next number follows on the same line: a list
    if not numbering.rest and numbering.strength < 3 and numbering.is_marked:
        score -= 3.0
    return score


def is_centred(unit: Unit) -> bool:
    """Whether all lines stand in the middle of their column with room on both sides."""
    for line in unit.lines:
        width = line.right - line.left
        if abs((line.x0 + line.x1) - (line.left + line.right)) > 0.04 * width or line.width > 0.86 * width:
            return False
    return True


def _is_visible(color: int) -> bool:
    red, green, blue = color >> 16, color >> 8 & 0xFF, color & 0xFF
    return min(red, green, blue) < 0xE0 and max(red, green, blue) > 0x28


def probability(score: float) -> float:
    """The likelihood in 0..1 for log odds."""
    return 1.0 / (1.0 + math.exp(-max(-20.0, min(20.0, score))))


def is_text(unit: Unit, typography: Typography) -> bool:
    """Whether the unit looks like running text: body size or a little less, several lines or a sentence."""
    look, body = unit.look, typography.body
    near = 0.85 * body.size <= look.size <= 1.05 * body.size and look.bold == body.bold
    return near and (len(unit.lines) > 1 or weighted_length(unit.text) > 60 or bool(_SENTENCE.search(unit.text)))


def mean(values: Sequence[float]) -> float:
    """The mean, 0 for none."""
    return sum(values) / len(values) if values else 0.0
