"""The phrases by which questions in English and Chinese say what they want. Patterns only, over text in which mentions are masked.

MASK_LABEL stands for a division ("chapter 3"), MASK_DOCUMENT for a document's title.
"""

import re

MASK_LABEL, MASK_DOCUMENT = "\ue000", "\ue001"
_IT = f"[{MASK_LABEL}{MASK_DOCUMENT}]"
_WORK = "book|document|manual|guide|handbook|report|paper|thesis|text|file|contract|policy|novel|story|chapter|section|work"
_THIS = rf"(?:(?:this|the|that|your)\s+(?:(?:whole|entire|full|current)\s+)?(?:{_WORK})|it\b|(?:(?:the|our|this)\s+)?{_IT})"


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


EXCLUDING = re.compile(
    r"(?:\b(?:except(?:ing)?(?:\s+for)?|exclud(?:e|es|ing)|other\s+than|apart\s+from|aside\s+from|besides|but\s+not|not|without"
    r"|outside(?:\s+of)?|ignor(?:e|ing)|skip(?:ping)?|leav(?:e|ing)\s+out|omit(?:ting)?|(?:everything|all|anything|anywhere|everywhere)\s+but|minus"
    r"|(?:do\s+not|don['’]?t|never)\s+(?:look|search|read|use|include|consider|check)(?:\s+(?:at|in|into))?)\s+"
    r"(?:(?:the\s+)?(?:contents?|text)\s+of\s+|what\s+is\s+in\s+)?(?:(?:in|from|for)\s+)?(?:the\s+)?"
    r"|(?:除了|除去|除开|除|不包括|不包含|不含|不要|排除|去掉|忽略|跳过|不看|不算|不在|抛开|别看|别管|别用|别查|不用看|不要看|不考虑|不查))\s*$",
    re.IGNORECASE,
)
EXCLUDED_AFTER = re.compile(r"\s*(?:的?内容)?\s*(?:以外|之外|除外|外(?!部|面|来|观|键|层))")
JOINED = re.compile(r"\s*(?:,|，|、|and|or|&|和|与|及|以及|或)?\s*(?:(?:in|the)\s+)*", re.IGNORECASE)

_DIVISIONS = "sections?|chapters?|parts?|documents?|passages?"
OUTGOING = _any_of(
    rf"\bwhat\s+(?:else\s+)?(?:does|do|did)\s+{_THIS}\s+(?:refer|point|link)\s+to\b",
    rf"\b(?:(?:cross-?)?references?|links?|citations?|pointers?)\s+(?:(?:made|found)\s+)?(?:of|in|from|by)\s+{_THIS}",
    rf"\b(?:referenced|cited|referred\s+to|mentioned|pointed\s+to|linked)\s+(?:by|in|from)\s+{_IT}",
    rf"\b(?:which|what)\s+(?:other\s+)?(?:{_DIVISIONS})\s+(?:does|do|is|are)\s+{_THIS}\s+(?:refer|point|link|cite)",
    rf"{_IT}\s*(?:都|又|还|中|里)?\s*(?:引用|参考|参照|参见|指向|提到|提及)了?\s*(?:哪|什么|多少)",
    r"(?:它|[这该本]一?[章节])(?:都|又|还)?(?:引用|参考|参照|指向)了?\s*(?:的是)?\s*(?:哪|什么)",
    r"指的是哪[一个]?[章节條条]",
)
INCOMING = _any_of(
    rf"\b(?:what|who|which\s+\w+(?:\s+\w+)?)\s+(?:refers?|points?|links?|cites?|references|mentions?)\s+(?:back\s+)?(?:to\s+)?{_IT}",
    rf"\b(?:(?:cross-?)?references?|links?|citations?|pointers?)\s+(?:(?:made|found)\s+)?to\s+{_THIS}",
    rf"\bwhere\s+(?:is|are|else\s+is)\s+{_IT}\s+(?:mentioned|referenced|cited|referred\s+to|linked)",
    rf"(?:哪些|哪个|哪一|什么|何处|哪里|谁)[^，。？]{{0,8}}(?:引用|参照|参见|指向|提到|提及)了?\s*{_IT}",
    rf"{_IT}[^，。？]{{0,4}}被[^，。？]{{0,8}}(?:引用|提到|提及)",
)

COMPARISON = _any_of(
    r"\b(?:diffs?\b|differ(?:s|ences?|ent|ently)?|compar(?:e|es|ed|ing|isons?)|versus|vs\b\.?|contrast(?:s|ed|ing)?)",
    r"\b(?:similarit(?:y|ies)|in\s+common|distinguish|distinctions?)",
    r"\bwhich\s+(?:one\s+)?(?:is|are|has|have|says?|allows?|requires?)\s+(?:the\s+)?(?:more|less|fewer|better|worse|\w{2,}(?:st|[^aeiou])er)\b",
    r"哪[个一]?[章节條条部]?[^，。？]{0,6}更|区别|差异|不同|对比|比较|异同|相比|差别|共同点|区分",
)

_ASK = r"please|(?:can|could|would|will)\s+you|i\s+want\s+you\s+to|i'd\s+like\s+you\s+to|help\s+me|briefly|kindly|and|to"
_POINTS = r"points?|ideas?|topics?|themes?|messages?|arguments?|takeaways?|conclusions?|lessons?"
_THESE = rf"{_THIS}(?:(?:'s|’s)?\s*(?:,|\b(?:and|of|in|from)\b)?\s*(?:(?:the|our|this)\s+)?(?:{_IT}|(?:{_WORK})\b))*"
_OVERVIEW = _any_of(
    rf"(?:^|[.:;,!]\s*|\b(?:{_ASK})\s+)(?:(?:briefly|shortly)\s+)?(?:summari[sz]e|recap|outline|sum\s+up)\b",
    r"\b(?:summary|overview|synopsis|gist|outline|recap|abstract|digest|tl;?dr)\s*(?:of|for|on|about|please|\bin\b|[.?!,:]|$)",
    rf"{_IT}(?:'s|’s)?\s+(?:summary|overview|gist|in\s+brief|in\s+a\s+nutshell|key\s+points|main\s+points)",
    rf"\b(?:main|key|central|major|principal|most\s+important)\s+(?:{_POINTS})\b(?=[^,]*(?:{_THIS}|[.?!]?\s*$))",
    rf"\bwhat(?:'s|’s|\s+is|\s+are)\s+(?:this|{_THESE})\s+(?:(?:all|mainly|generally|basically)\s+)?(?:about\b|on\s*[.?!]*$)",
    rf"\bwhats\s+(?:this|{_THESE})\s+about\b",
    rf"\bwhat\s+(?:happens|happened|do\s+(?:we|i|you)\s+learn|can\s+(?:i|we)\s+learn|is\s+(?:covered|discussed))\s+in\s+{_THESE}\s*[.?!]*$",
    rf"\b(?:walk|take|guide)\s+me\s+through\s+{_THESE}\s*[.?!]*$",
    rf"\bwhat\s+(?:topics\s+)?(?:does|do|are\s+covered\s+(?:in|by))\s+{_THESE}"
    r"(?:\s+(?:cover|contain|discuss|deal\s+with|talk\s+about|say|describe|tell\s+us))?\s*[.?!]*$",
    rf"\b(?:tell\s+me\s+about|describe|explain|introduce)\s+{_THESE}\s*(?:in\s+(?:plain|simple|a\s+few)\s+\w+)?\s*[.?!]*$",
    rf"{_THESE}\s+in\s+(?:a\s+nutshell|brief|short|general)\b|\bbig\s+picture\b",
    r"^(?:请|请你|帮我|帮忙|麻烦|能否|能不能|可以|简要|简单|用.{0,6}[话字])*.{0,12}?(?:总结|概述|概括|综述|归纳|简述)",
    r"主要(?:讲|说|写|介绍|讨论|内容|观点|思想)|关于什么的?|中心思想|主旨|大意|梗概|要点|概要|摘要(?=$|[？?。])",
    r"(?:讲|说|写|介绍|讨论)的?(?:了|的是|些){0,2}(?:什么|啥|哪些内容)(?!时)|(?:核心|主要|关键|中心)(?:内容|观点|思想|结论|主题)|有[什哪][么些]内容",
)
_HOW_TO = re.compile(r"\b(?:how\s+(?:do|can|should|to|does)|why)\b|如何|怎么|怎样", re.IGNORECASE)

GENERIC_APPENDIX = re.compile(
    r"(?:\b(?:in|of|from|within|inside|summari[sz]e|see|only|and|or|not)\s+|^|(?<=\s))"
    r"(?P<name>the\s+(?:appendix|appendices)\b)(?!\s+[A-Z0-9]\b)|(?P<chinese>附[录錄])(?!\s*[A-Za-z0-9一二三四五六七八九十])",
    re.IGNORECASE,
)


def asks_for_overview(masked: str) -> bool:
    """Whether a question wants the whole of something in short; "how do I summarise logs?" does not."""
    return bool(_OVERVIEW.search(masked)) and not _HOW_TO.search(masked)
