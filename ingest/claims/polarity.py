"""Whether a sentence denies, makes an exception, or speaks of all; and the clauses in which it does. Pure."""

import re

from ingest.claims.vocabulary import word_list

_CLAUSE = re.compile(
    r"[;；，,:：—–]\s*"
    r"|\s+(?=(?:but|although|though|whereas|while|however|because|so that|and then|which|who)\b)"
    r"|(?=但是?|然而|而且|因为|所以)",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:must|shall|may|should|can|could|need)(?:\s+not|n['’]t)\b|\bcannot\b|\bnever\b|\bno (?:one|person)\b|\bforb|\bprohib"
    r"|不得|不能|不可|不许|不准|禁止|严禁|切勿|无法|从未|从不",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(r"除(?:了|去)?([^，。；\n]{1,24}?)(?:以外|之外|外)")


def _cue(english: str, chinese: str) -> re.Pattern[str]:
    words = sorted(word_list(english), key=len, reverse=True)
    plain = "|".join(re.escape(word).replace(r"\ ", r"\s+").replace("'", "['’]") for word in words)
    others = "|".join(sorted(word_list(chinese), key=len, reverse=True))
    return re.compile(rf"\b(?:{plain})\b|(?:{others})", re.IGNORECASE)


_NEGATION = _cue("negations", "negations_cjk")
_NOT_NEGATION = _cue("not_negations", "not_negations_cjk")
_EXCEPTION = _cue("exceptions", "exceptions_cjk")


def clauses(sentence: str) -> list[str]:
    """The sentence at its commas and conjunctions; at least one piece."""
    found = [piece.strip() for piece in _CLAUSE.split(sentence) if piece and piece.strip()]
    return found or [sentence]


def negations(text: str) -> int:
    """How often a text denies; an exception ("not including", "不适用") is none, nor is "not only" or "不同"."""
    return len(_NEGATION.findall(_EXCEPTION.sub(" ", _NOT_NEGATION.sub(" ", text))))


def denies(text: str) -> bool:
    """Whether a text denies: an odd number of denials, for two of them ("not impossible") affirm."""
    return negations(text) % 2 == 1


def forbids(text: str) -> bool:
    """Whether a denial is a rule or an impossibility ("must not", "cannot", "不得"), not just how something is."""
    return bool(_RULE.search(text))


def excepts(text: str) -> bool:
    """Whether a text makes an exception or restricts a rule to one case."""
    return bool(_EXCEPTION.search(text) or _OUTSIDE.search(text))


def excepted_part(text: str) -> str:
    """What follows the cue of the exception up to the clause's end, or, in Chinese, what stands before "除外" or "例外"."""
    outside = _OUTSIDE.search(text)
    if outside:
        return outside[1]
    match = _EXCEPTION.search(text)
    if match is None:
        return ""
    after = clauses(text[match.end() :])[0] if text[match.end() :].strip(" ,，。.") else ""
    return after if len(after.strip(" ,，。.")) > 1 else clauses(text[: match.start()])[-1]
