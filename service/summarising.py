"""Whole-document questions read stored summaries; a wish about style costs one call over the chapters, kept by revision and wish."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import InvalidRequest, NotFound
from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.sections import joined_hash
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.prompting import read_prompt
from ingest.summaries.extractive import extract_by_chapter
from ingest.summaries.making import Asking, make_summary
from ingest.summaries.naming import with_chapters_named
from ingest.summaries.opening import limits_of, recipe_of
from ingest.summaries.patience import PatientChat
from ingest.summaries.pieces import STYLED, read_piece, write_piece
from ingest.summaries.prompts import Passage, template_texts
from ingest.summaries.windows import UNIT_TOKENS
from service.models import bounds
from service.models.summaries import SummaryState
from service.resolution import nearest, resolve
from service.scope import Scope
from service.shelf import find_document, list_documents, readable_manifest
from service.summary_reading import Branch, Piece, piece_state
from service.summary_results import SummaryMode, SummaryResult, worst

_STYLE_TEMPLATE = "summary_style"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How a reader wants a summary: free words about audience, focus or tone, the longest reply in tokens, the language."""

    style: str = ""
    length: int | None = None
    language: str = ""

    def check(self) -> None:
        """Raises InvalidRequest for what cannot be asked for."""
        if len(self.style) > bounds.STYLE_CHARACTERS or len(self.language) > bounds.LANGUAGE_CHARACTERS:
            raise InvalidRequest(f"a style has at most {bounds.STYLE_CHARACTERS} characters, a language {bounds.LANGUAGE_CHARACTERS}")
        if self.length is not None and not bounds.SUMMARY_TOKENS_LEAST <= self.length <= bounds.SUMMARY_TOKENS_MOST:
            raise InvalidRequest(f"a summary has {bounds.SUMMARY_TOKENS_LEAST} to {bounds.SUMMARY_TOKENS_MOST} tokens")

    def __bool__(self) -> bool:
        return bool(self.style or self.length or self.language)


class Summaries:
    """Reads the summaries of one index; `chat` None: wishes about style and language are noted and not fulfilled."""

    def __init__(self, *, index: Index, access: AccessRegistry, settings: Settings, chat: PatientChat | None) -> None:
        self._index, self._access, self._settings, self._chat = index, access, settings, chat

    def find(self, reader: Reader, name: str, collection: str | None = None) -> Manifest:
        """The document of this id, source name or title. Raises NotFound, InvalidRequest when several have that title."""
        doc_id = find_document(self._index, name, collection)
        if doc_id is None:
            wanted = name.casefold().strip()
            shown = [
                m for m in list_documents(self._index, self._access, reader, collection) if wanted in (m["title"].casefold(), m["slug"])
            ]
            if len(shown) > 1:
                raise InvalidRequest(
                    f"{len(shown)} documents are called so: name one by its id ({', '.join(m['doc_id'] for m in shown[:5])})"
                )
            doc_id = shown[0]["doc_id"] if shown else name
        return readable_manifest(self._index, self._access, reader, doc_id)

    def read(self, reader: Reader, manifest: Manifest, section: str | None = None, wish: Wish | None = None) -> SummaryResult:
        """The summary of a document or a section as this reader may see it. Raises NotFound for an unknown section.

        With a wish, raises what the endpoint's failures are.
        """
        branch = Branch(self._index, self._access, reader, manifest, self._key(reader, manifest, section))
        whole = branch.whole()
        pieces = [whole] if whole else branch.parts()
        result = self._result(manifest, branch, pieces, from_parts=whole is None)
        if not wish:
            return result
        wish.check()
        return self._styled(branch, manifest, result, wish)

    def _key(self, reader: Reader, manifest: Manifest, section: str | None) -> str:
        if not section:
            return manifest.doc_id
        scope = Scope(access=self._access.keys_for(reader), documents=(manifest.doc_id,))
        (resolved,) = resolve(self._index, scope, [section])
        if not resolved.sections:
            near = ", ".join(view.section_path for view in nearest(self._index, scope, section))
            raise NotFound("there is no such section in this document" + (f"; the nearest: {near}" if near else ""))
        found = sorted(view.section_key for view in resolved.sections)
        outermost = [key for key in found if not any(key.startswith(f"{other}/") for other in found)]
        if len(outermost) > 1:
            raise InvalidRequest(f"{len(outermost)} sections are called so: name one by its key ({', '.join(outermost[:5])})")
        return outermost[0]

    def _result(self, manifest: Manifest, branch: Branch, pieces: Sequence[Piece], *, from_parts: bool) -> SummaryResult:
        rows = branch.covered(pieces)
        total = sum(row.tokens for row in rows)
        share = sum(row.tokens for row in rows if row.included) / total if total else 1.0
        states = [piece_state(piece, recipe_now(self._settings, manifest), self._chat is not None) for piece in pieces]
        modes = {_mode(piece) for piece in pieces if piece.text}
        single = pieces[0] if len(pieces) == 1 and not from_parts else None
        faults = [fault for piece in pieces for fault in piece.coverage.get("unsupported", ())]
        missing = [point for piece in pieces for point in piece.coverage.get("missing", ())]
        return SummaryResult(
            doc_id=manifest.doc_id,
            title=branch.rows[0].title if branch.rows else manifest.title,
            section_key=branch.key,
            summary=single.text if single else "\n\n".join(_under_heading(piece, branch.key) for piece in pieces if piece.text),
            mode=modes.pop() if len(modes) == 1 else "mixed" if modes else "extractive",
            state=worst(states) if branch.is_made else "pending",
            share=min(share, single.coverage.get("share", 1.0)) if single else share,
            sections=rows,
            faults=tuple(faults),
            missing=tuple(missing),
            missing_total=sum(piece.coverage.get("missing_total", 0) for piece in pieces),
            from_parts=from_parts,
            made_at=min((piece.coverage["made_at"] for piece in pieces if "made_at" in piece.coverage), default=None),
        )

    def _styled(self, branch: Branch, manifest: Manifest, plain: SummaryResult, wish: Wish) -> SummaryResult:
        chapters = self._chapters(branch)
        limit = wish.length or self._settings.summary_document_tokens
        if self._chat is None:
            note = "no language model is configured: style and language are left as they are"
            notes = (note,) if wish.style or wish.language else ()
            return replace(plain, summary=extract_by_chapter(chapters, limit), mode="extractive", notes=notes)
        language = wish.language or self._settings.summary_language or manifest.language
        asked = (wish.style, str(limit), wish.language, *template_texts(), read_prompt(_STYLE_TEMPLATE))
        # What the reader may see decides what is read, so two readers with different rights never share a cached text.
        read = joined_hash(*(part for chapter in chapters for part in (chapter.heading, chapter.text)))
        digest = joined_hash("style", manifest.revision, branch.key, self._chat.model, read, *asked)
        made = read_piece(self._index, manifest.doc_id, digest)
        calls = 0
        if made is None:
            limits = limits_of(self._settings)
            if limits.room(limit) < bounds.SUMMARY_TOKENS_LEAST * len(chapters):
                raise InvalidRequest(
                    f"a summary of {limit} tokens leaves the model's window no room for the chapters: ask for a shorter one"
                )
            asking = Asking(template=_STYLE_TEMPLATE, limit=limit, language=language, slots=(("STYLE", wish.style or "none"),))
            made = make_summary(self._chat, asking, _fitted(chapters, limits.room(limit)), digest, limits)
            calls = made.requests
            write_piece(self._index, manifest.doc_id, made, STYLED + manifest.revision)
        text = with_chapters_named(made.text, [chapter.heading for chapter in chapters], language)
        state: SummaryState = plain.state
        return replace(plain, summary=text, mode="llm", state=state, faults=(), missing=(), missing_total=0, llm_calls=calls)

    def _chapters(self, branch: Branch) -> list[Passage]:
        """What stands for each chapter: below the one heading that holds all others, when there is such a one."""
        key = branch.key
        while len(below := branch.children(key)) == 1 and branch.children(below[0].key):
            key = below[0].key
        passages: list[Passage] = []
        for child in branch.children(key):
            text = "\n".join(piece.text for piece in branch.parts(child.key) if piece.text)
            if text:
                passages.append(Passage(heading=child.title, text=text))
        return passages or [Passage(heading="", text=piece.text) for piece in branch.parts() if piece.text]


def recipe_now(settings: Settings, manifest: Manifest) -> str | None:
    """How summaries are made now; None when that is not known without asking the endpoint, or when none can be made."""
    if not (settings.llm_base_url and settings.llm_model):
        return None
    return recipe_of(settings, settings.llm_model, limits_of(settings), manifest.language).hash


def _fitted(chapters: Sequence[Passage], room: int) -> list[Passage]:
    """The chapters with texts short enough that all of them fit one call."""
    costs = [count_tokens(chapter.text) + count_tokens(chapter.heading) + UNIT_TOKENS for chapter in chapters]
    if sum(costs) <= room:
        return list(chapters)
    each = max(bounds.SUMMARY_TOKENS_LEAST, room // len(chapters) - 2 * UNIT_TOKENS - 64)
    return [Passage(heading=c.heading, text=extract_by_chapter([Passage(heading="", text=c.text)], each)) for c in chapters]


def _mode(piece: Piece) -> SummaryMode:
    mode = piece.coverage.get("mode", "extractive")
    return mode if mode in ("llm", "verbatim") else "extractive"


def _under_heading(piece: Piece, top: str) -> str:
    return piece.text if piece.key == top else f"{piece.title}\n{piece.text}"
