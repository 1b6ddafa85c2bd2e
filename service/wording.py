"""What is said when there is no answer, in the question's language. What may not be seen is spoken of as what is not there."""

from service.fusion import script_of
from service.results import Reason

_ENGLISH: dict[Reason, str] = {
    "no_match": "The documents contain nothing on this.",
    "below_threshold": "The documents do not answer this question.",
    "empty_section": "The section exists, but it has no text.",
    "no_such_section": "There is no such section in the documents.",
    "model_declined": "The passages found do not answer this question.",
}
_CHINESE: dict[Reason, str] = {
    "no_match": "文档中没有相关内容。",
    "below_threshold": "文档没有回答这个问题。",
    "empty_section": "该章节存在，但没有正文。",
    "no_such_section": "文档中没有这个章节。",
    "model_declined": "找到的段落没有回答这个问题。",
}


def nothing_found(question: str, reason: Reason) -> str:
    """One sentence for a person; programs go by the reason."""
    return (_CHINESE if script_of(question) == "han" else _ENGLISH)[reason]
