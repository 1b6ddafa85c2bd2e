"""The error tree of the whole project, split by what the reader of the message can do.

SectionaryError
├─ SettingsError                     the operator must act; nothing was started
├─ RequestError                      the caller must act
│  ├─ InvalidRequest            400  bad_request
│  ├─ Unauthenticated           401  unauthenticated
│  ├─ Forbidden                 403  forbidden (you may read, but not write)
│  ├─ NotFound                  404  not_found (also: not yours to see)
│  ├─ RevisionConflict          409  revision_conflict
│  │  └─ ClaimRevoked           409  claim_revoked (by a reindex; the ingest tries again by itself)
│  ├─ TooLarge                  413  too_large
│  ├─ UnsupportedFormat         415  unsupported_format
│  └─ UnreadableDocument        422  unreadable
│     ├─ MissingDocument        404  missing_file
│     ├─ EmptyDocument          422  empty
│     ├─ EncryptedDocument      422  encrypted
│     ├─ MalformedDocument      422  malformed
│     ├─ DisguisedDocument      422  disguised (the content is not what the name says)
│     ├─ LimitExceeded          422  over_limit
│     ├─ NeedsOcr               422  needs_ocr
│     └─ ReaderFailure          422  reader_failed
│        ├─ ReaderTimedOut      422  reader_timed_out
│        └─ ReaderCrashed       422  reader_crashed
└─ BackendError                      try again, or look at the back end
   ├─ IndexUnavailable          503  index_unavailable
   ├─ IndexRefused              503  index_refused (the cluster rejects our credentials or request)
   ├─ WriteRejected             503  write_rejected (ids and reasons, never texts)
   ├─ EmbedderUnavailable       503  embedder_unavailable
   ├─ RerankerUnavailable       503  reranker_unavailable
   ├─ ModelUnavailable          503  model_unavailable
   ├─ DeadlineExceeded          504  deadline_exceeded
   ├─ Overloaded                429  overloaded
   └─ NodeError                 503  node_failed (the local Elasticsearch)
      ├─ NodePortTaken          503  node_port_taken
      ├─ NodeMemoryShort        503  node_memory_short
      └─ NodeDownloadFailed     503  node_download_failed

A message says what is wrong and what to do; it never contains document text, questions or keys.
"""

from typing import ClassVar


class SectionaryError(Exception):
    """Base of all errors; `code` is stable and documented in docs/reference/errors.md, `status` is the HTTP status."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500

    @property
    def message(self) -> str:
        """The text shown to a person."""
        return str(self)


class SettingsError(SectionaryError):
    code = "settings"


class RequestError(SectionaryError):
    code = "bad_request"
    status = 400


class InvalidRequest(RequestError):
    pass


class Unauthenticated(RequestError):
    code = "unauthenticated"
    status = 401


class Forbidden(RequestError):
    code = "forbidden"
    status = 403


class NotFound(RequestError):
    code = "not_found"
    status = 404


class RevisionConflict(RequestError):
    code = "revision_conflict"
    status = 409


class ClaimRevoked(RevisionConflict):
    code = "claim_revoked"


class TooLarge(RequestError):
    code = "too_large"
    status = 413


class UnsupportedFormat(RequestError):
    code = "unsupported_format"
    status = 415


class UnreadableDocument(RequestError):
    code = "unreadable"
    status = 422


class MissingDocument(UnreadableDocument):
    code = "missing_file"
    status = 404


class EmptyDocument(UnreadableDocument):
    code = "empty"


class EncryptedDocument(UnreadableDocument):
    code = "encrypted"


class MalformedDocument(UnreadableDocument):
    code = "malformed"


class DisguisedDocument(UnreadableDocument):
    code = "disguised"


class LimitExceeded(UnreadableDocument):
    code = "over_limit"


class NeedsOcr(UnreadableDocument):
    code = "needs_ocr"


class ReaderFailure(UnreadableDocument):
    code = "reader_failed"


class ReaderTimedOut(ReaderFailure):
    code = "reader_timed_out"


class ReaderCrashed(ReaderFailure):
    code = "reader_crashed"


class BackendError(SectionaryError):
    code = "backend"
    status = 503


class IndexUnavailable(BackendError):
    code = "index_unavailable"


class IndexRefused(BackendError):
    code = "index_refused"


class WriteRejected(BackendError):
    code = "write_rejected"


class EmbedderUnavailable(BackendError):
    code = "embedder_unavailable"


class RerankerUnavailable(BackendError):
    code = "reranker_unavailable"


class ModelUnavailable(BackendError):
    code = "model_unavailable"


class DeadlineExceeded(BackendError):
    code = "deadline_exceeded"
    status = 504


class Overloaded(BackendError):
    code = "overloaded"
    status = 429
    retry_after_seconds: float | None = None
    """How long the back end asks to wait, when it says so."""


class NodeError(BackendError):
    code = "node_failed"


class NodePortTaken(NodeError):
    code = "node_port_taken"


class NodeMemoryShort(NodeError):
    code = "node_memory_short"


class NodeDownloadFailed(NodeError):
    code = "node_download_failed"


def unreadable_by_code(code: str, message: str) -> UnreadableDocument:
    """The error that a reader's child process reported as (code, message)."""
    kinds: dict[str, type[UnreadableDocument]] = {}
    waiting: list[type[UnreadableDocument]] = [UnreadableDocument]
    while waiting:
        kind = waiting.pop()
        kinds[kind.code] = kind
        waiting.extend(kind.__subclasses__())
    return kinds.get(code, ReaderCrashed)(message)
