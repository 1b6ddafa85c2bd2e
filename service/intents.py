"""What a question asks for and where: kind, documents, sections, exclusions. English and Chinese. Pure.

Only an explicit reference filters: a topic that resembles a heading or a title does not, nor does a number that is part of the
matter ("the 3 laws", "section 230 of the Communications Act", "a chapter 13 trustee").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from es_mappings.label_mention import LabelMention
from es_mappings.labels import find_labels
from es_mappings.titles import DocumentTitle, normalise_title
from service.intent_words import (
    COMPARISON,
    EXCLUDED_AFTER,
    EXCLUDING,
    GENERIC_APPENDIX,
    INCOMING,
    JOINED,
    MASK_DOCUMENT,
    MASK_LABEL,
    OUTGOING,
    asks_for_overview,
)
from service.named_documents import NamedDocument, named_documents
from service.overview_topics import has_wish, names_a_topic
from service.remaining import remaining_question

IntentKind = Literal["plain", "section", "overview", "comparison", "reference"]
Direction = Literal["incoming", "outgoing", "both"]
# A section of these is not in the documents at hand unless one of them has that title.
_LEGAL = "acts?|codes?|laws?|statutes?|regulations?|rules?|directive|treaty|constitution|convention|amendment"
_FOREIGN = re.compile(
    rf"\w (?:{_LEGAL})\b|^(?:form|rfc|iso|iec|ieee|pep|gb|din|regulation)\b|\b(?:u s c|c f r|cfr|usc)\b|^[a-z]{{3,8}}$|.法$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What was understood of a question.

    `kind`: `section` when divisions filter and nothing more special is asked; `comparison` needs two divisions or documents;
    `reference` asks what points to the divisions (`direction` incoming) or where they point (outgoing). `compares`: the words
    ask for a comparison, whether or not two things are named. `is_bare`: an overview or a comparison is asked of nothing but
    the whole of its places ("summarise the book"), so there is nothing to search for; `has_wish`: in some style or length. `documents` are
    doc_ids; `sections` and `excluded` labels ("chapter 3", "appendix"), each a union. `remaining` is the text to search for.
    `explanation` is a sentence for a person, "" when nothing was read from the question.
    """

    kind: IntentKind
    documents: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    remaining: str
    explanation: str = ""
    direction: Direction = "both"
    compares: bool = False
    is_bare: bool = False
    has_wish: bool = False


def read_intent(query: str, titles: tuple[DocumentTitle, ...] = ()) -> Intent:
    """Read a question. `titles` are the titles and aliases of the documents that may be named."""
    mentions = _with_generic(query, find_labels(query, lenient=True))
    documents = named_documents(query, titles, mentions)
    mentions, documents = _settled(mentions, documents, titles)
    excluded = _excluded(query, mentions)
    kept = [mention for mention in mentions if mention not in excluded]
    masked = _masked(query, mentions, documents)
    sections = _labels(kept)
    doc_ids = tuple(dict.fromkeys(doc_id for named in documents for doc_id in named.doc_ids))
    kind = _kind(masked, sections, doc_ids, excluded)
    rest = query.strip() if kind == "reference" else _remaining(query, kept, excluded, documents)
    intent = Intent(
        kind=kind,
        documents=doc_ids,
        sections=sections,
        excluded=_labels(excluded),
        remaining=rest,
        direction=_direction(masked),
        compares=bool(COMPARISON.search(masked)),
        is_bare=(kind == "overview" and not names_a_topic(masked))
        or (kind == "comparison" and not names_a_topic(COMPARISON.sub(" ", masked))),
        has_wish=kind == "overview" and has_wish(masked),
    )
    return replace(intent, explanation=_explanation(intent, documents))


def _with_generic(query: str, mentions: Sequence[LabelMention]) -> list[LabelMention]:
    """The mentions and "the appendix" without a letter, where a question looks into it; neighbours such as "the next chapter" go."""
    found = [mention for mention in mentions if mention.relative is None]
    for match in GENERIC_APPENDIX.finditer(query):
        name = "chinese" if match["chinese"] else "name"
        if name == "chinese" or _looks_into(query, match):
            found.append(LabelMention(start=match.start(name), end=match.end(name), kind="appendix", labels=("appendix",)))
    return sorted(found, key=lambda mention: mention.start)


def _looks_into(query: str, match: re.Match[str]) -> bool:
    return match.start("name") > match.start() or bool(EXCLUDING.search(query[: match.start("name")]))


def _settled(
    mentions: Sequence[LabelMention], documents: Sequence[NamedDocument], titles: Sequence[DocumentTitle]
) -> tuple[list[LabelMention], tuple[NamedDocument, ...]]:
    """Mentions whose document is known, or may be the one at hand; a law that is none of the documents takes its sections along."""
    kept: list[LabelMention] = []
    named = list(documents)
    for mention in mentions:
        if mention.document and not any(normalise_title(one.name) == mention.document for one in named):
            close = _close_title(mention, titles)
            if close:
                named.append(close)
            elif not any(_near(mention, one) for one in named) and _FOREIGN.search(mention.document):
                continue
        kept.append(mention)
    return kept, tuple(named)


def _near(mention: LabelMention, named: NamedDocument) -> bool:
    return min(abs(mention.start - named.end), abs(named.start - mention.end)) < 12


def _close_title(mention: LabelMention, titles: Sequence[DocumentTitle]) -> NamedDocument | None:
    """The one document whose title holds the name as said: "the Operations Manual" for "Acme Operations Manual 2024"."""
    if " " not in mention.document and not any("\u4e00" <= c <= "\u9fff" for c in mention.document):
        return None
    ids = {
        document.doc_id
        for document in titles
        for name in (document.title, *document.aliases)
        if f" {mention.document} " in f" {normalise_title(name)} "
        or (mention.document in normalise_title(name) and " " not in mention.document)
    }
    if len(ids) != 1:
        return None
    return NamedDocument(doc_ids=tuple(ids), start=mention.start, end=mention.end, name=mention.document)


def _excluded(query: str, mentions: Sequence[LabelMention]) -> list[LabelMention]:
    """The mentions that are to be left out: after "except", before 以外, or joined to one of these by "and"."""
    found: list[LabelMention] = []
    for place, mention in enumerate(mentions):
        before = mentions[place - 1] if place else None
        joined = before in found and before is not None and JOINED.fullmatch(query[before.end : mention.start])
        if joined or EXCLUDING.search(query[: mention.start]):
            found.append(mention)
        elif EXCLUDED_AFTER.match(query, mention.end):
            found.append(mention)
            while (first := mentions.index(found[-1])) and JOINED.fullmatch(query[mentions[first - 1].end : found[-1].start]):
                found.append(mentions[first - 1])
    return found


def _masked(query: str, mentions: Sequence[LabelMention], documents: Sequence[NamedDocument]) -> str:
    spans = [(m.start, m.end, MASK_LABEL) for m in mentions] + [(d.start, d.end, MASK_DOCUMENT) for d in documents]
    text, last = "", 0
    for start, end, mask in sorted(spans):
        if start >= last:
            text, last = f"{text}{query[last:start]}{mask}", end
    return text + query[last:]


def _labels(mentions: Sequence[LabelMention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label for mention in mentions for label in mention.labels))


def _remaining(query: str, kept: Sequence[LabelMention], excluded: Sequence[LabelMention], documents: Sequence[NamedDocument]) -> str:
    spans = [(m.start, m.end) for m in kept]
    spans += [(d.start, d.end) for d in documents if (d.start, d.end) not in spans]
    left_out = []
    for mention in excluded:
        cue, after = EXCLUDING.search(query[: mention.start]), EXCLUDED_AFTER.match(query, mention.end)
        left_out.append((cue.start() if cue else mention.start, after.end() if after else mention.end))
    return remaining_question(query, spans, left_out)


def _kind(masked: str, sections: Sequence[str], documents: Sequence[str], excluded: Sequence[LabelMention]) -> IntentKind:
    if OUTGOING.search(masked) or INCOMING.search(masked):
        return "reference"
    if COMPARISON.search(masked) and (len(sections) > 1 or len(documents) > 1):
        return "comparison"
    if asks_for_overview(masked):
        return "overview"
    return "section" if sections or excluded else "plain"


def _direction(masked: str) -> Direction:
    outgoing, incoming = OUTGOING.search(masked), INCOMING.search(masked)
    if bool(outgoing) == bool(incoming):
        return "both"
    return "outgoing" if outgoing else "incoming"


def _explanation(intent: Intent, documents: Sequence[NamedDocument]) -> str:
    parts = {"overview": "asks for an overview", "comparison": "asks for a comparison", "reference": "asks for references"}
    said = [parts[intent.kind]] if intent.kind in parts else []
    verb = "about" if intent.kind == "reference" else "only in"
    if intent.sections:
        said.append(f"{verb} {', '.join(intent.sections)}")
    if documents:
        said.append("in the document " + ", ".join(f'"{named.name}"' for named in documents))
    if intent.excluded:
        said.append(f"without {', '.join(intent.excluded)}")
    return "; ".join(said)
