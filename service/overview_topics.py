"""Whether an overview is asked of a topic ("summarise what it says on retries") or of the whole ("summarise the book"). Pure."""

import re

from service.intent_words import MASK_DOCUMENT, MASK_LABEL
from service.remaining import has_matter

# What an overview is wished to be like, or for whom, says nothing about its topic.
_STYLE = re.compile(
    r"\bin\s+(?:about\s+|at\s+most\s+|under\s+|fewer\s+than\s+)?(?:\w+\s+){0,2}(?:words?|sentences?|bullets?|bullet\s+points?|paragraphs?|lines?|points?|minutes?)\b"
    r"|\bin\s+(?:plain|simple|everyday)\s+\w+\b|\bin\s+(?:english|chinese|german|french)\b|\bas\s+(?:a\s+)?(?:bullet\s+)?(?:lists?|bullets?|points)\b"
    r"|\bfor\s+(?:an?\s+|the\s+|my\s+)?(?:\w+\s+)?(?:beginners?|managers?|executives?|children|kids|students?|boss|team|experts?|laym[ae]n|public|newcomers?|audience|me|us)\b"
    r"|用.{0,8}?(?:句话|个字|字|点|段话?|中文|英文|英语|话)|(?:向|给|对)(?:初学者|领导|孩子|学生|新人|新员工)|\d+\s*(?:字|句话?|点)(?:以内|左右|内)?",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\b(?:books?|documents?|manuals?|guides?|handbooks?|reports?|papers?|thes[ie]s|texts?|files?|contracts?|polic(?:y|ies)|novels?|stor(?:y|ies)"
    r"|works?|articles?|whole|entire|full|all|complete|everything|each|every|current|uploaded"
    r"|ideas?|themes?|messages?|arguments?|takeaways?|conclusions?|lessons?|key|central|major|principal|important|core|most"
    r"|mainly|generally|basically|about|cover(?:s|ed)?|contains?|discuss(?:es)?|deals?|talks?|says?|describes?|tells?|introduces?|explains?"
    r"|nutshell|gist|digest|recap|tl|dr|tldr|big|picture|high|level|short|brief|concise|quick|detailed|simple|terms|like|i'd|d|sum|up"
    r"|between|versus|vs|pls|plz|thanks|thx|walk|take|guide|through|happens|happened|learn|can|could|would|will|kindly|let|know|help|make|provide|produce|create|generate|get|got)\b"
    r"|本书|这本书|该书|全书|整本书?|全文|本文|这篇|该篇|整篇|文章|文档|文件|手册|合同|报告|论文|小说|故事|教材|资料|指南|材料"
    r"|核心|主要|关键|中心|重要|观点|思想|主题|结论|主旨|大意|梗概|综述|归纳|简述|简介|概括|介绍|描述|说明|整体|总体|大致|大概|基本"
    r"|简要|简单|简短|简洁|快速|详细|每一?章|各章|各个?章节|篇|份|部|本|段|话|下|帮忙|麻烦|能否|能不能|可以|想|知道|了解|列出|写|做|生成|出|些|哪|啥|何|说了?",
    re.IGNORECASE,
)


def names_a_topic(masked: str) -> bool:
    """Whether an overview is asked of a topic; `masked` is the question with its divisions and documents masked."""
    plain = masked.replace(MASK_LABEL, " ").replace(MASK_DOCUMENT, " ")
    return has_matter(_FRAME.sub(" ", _STYLE.sub(" ", plain)))


def has_wish(masked: str) -> bool:
    """Whether an overview is wished in some style, length or language, or for somebody."""
    return bool(_STYLE.search(masked))
