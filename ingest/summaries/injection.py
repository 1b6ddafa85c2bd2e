"""Text that speaks to a language model instead of to a reader, and replies that obeyed it. Pure.

No list of patterns is a complete defence (OWASP LLM01:2025), so there are three: source text is fenced in the prompt,
sentences that plainly address a model are left out before it is asked (and counted, so the coverage says so), and a reply
that only repeats what such a sentence told it to say is refused. A summary is stored and shown as text, whatever it says.
"""

import re

from ingest.sentences import sentence_spans

LEFT_OUT = "[…]"
_SAY = r"(?:say|reply|respond|answer|output|print|write|return|repeat|state)"
_NEAR, _NEAR_ZH = r"[^.!?\n]{0,40}", r"[^。！？\n]{0,20}"
_EARLIER = r"\b(?:previous|prior|above|earlier|preceding|all|any|other|your|these)\b"
_ORDERS = r"\b(?:instructions?|prompts?|directions?|rules?|guidelines?|commands?)\b"
_REVEAL = r"\b(?:reveal|show|print|repeat|output|leak)\b"
_ONLY = r"\b(?:only|just|exactly|nothing but|verbatim)\b(?: with| the)?"
_QUOTED = r"(?:(?:word|words|phrase|sentence|text)\b|[\"“'‘:]|(?-i:[A-Z]{4,}\b))"
_ORDERS_ZH = r"(?:指令|指示|提示词|(?:以上|之前|前面|上面|此前)[^。！？\n]{0,6}(?:命令|规则|要求|内容))"
_ADDRESSING = (
    rf"\b(?:ignore|disregard|forget|override|bypass)\b{_NEAR}{_EARLIER}{_NEAR}{_ORDERS}",
    rf"\b(?:system|developer) (?:prompt|message)\b{_NEAR}\b(?:reveal|show|print|repeat|ignore|output)\b",
    rf"{_REVEAL}{_NEAR}\b(?:your|the) (?:system|hidden|initial) (?:prompt|instruction|message)",
    rf"\byou are (?:now|no longer)\b{_NEAR}\b(?:assistant|model|ai|chatbot|bot|dan|jailbroken|unrestricted)\b",
    r"\b(?:do not|don't|never|instead of) (?:summari[sz]e|summari[sz]ing|(?:writing |giving )?a summary)\b",
    rf"\b{_SAY}\b[^.!?\n]{{0,20}}{_ONLY} {_QUOTED}",
    rf"\b(?:your|the) (?:summary|reply|answer|output|response) (?:must|should|shall) (?:only )?(?:{_SAY}|read|consist|begin|contain)\b",
    r"<\|?(?:im_start|im_end|system|endoftext|assistant)\|?>|\[/?INST\]|<</?SYS>>|^#{2,} ?(?:instruction|system|assistant)s? ?:",
    r"\b(?:note|message|attention|instructions?) (?:to|for) (?:the |any |all )?(?:ais?|llms?|language models?|summari[sz]ers?|chatbots?)\b",
    rf"(?:忽略|无视|忘记|忘掉|不要理会|不用管|绕过){_NEAR_ZH}{_ORDERS_ZH}",
    rf"(?:你现在是|你不再是){_NEAR_ZH}(?:助手|模型|机器人|人工智能)",
    r"(?:不要|禁止|请勿)(?:总结|概括|摘要|写摘要)",
    r"(?:只|仅|直接)(?:需|要|能|可)?(?:回答|回复|输出|返回|打印|写出|说出|说)(?:一个词|这个词|一句话|[“\"「：:])",
    r"(?:摘要|总结|概括|回答|回复|输出)(?:中|里)?(?:必须|应当|应该|只能|一律)(?:写|说|输出|包含|回答|是)",
    rf"(?:系统提示|系统指令|初始指令){_NEAR_ZH}(?:输出|泄露|显示|重复|告诉)|(?:输出|泄露|显示|重复|告诉){_NEAR_ZH}(?:系统提示|系统指令|初始指令)",
)
_ADDRESSES_MODEL = re.compile("|".join(f"(?:{pattern})" for pattern in _ADDRESSING), re.IGNORECASE | re.MULTILINE)
_TELLS_TO_SAY = re.compile(rf"\b{_SAY}\b|(?:回答|回复|输出|返回|打印|写|说)", re.IGNORECASE)
_LONGEST_ECHO = 120
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"<think>.*?</think>\s*|^```\w*\n|\n```$", re.DOTALL)
_IMAGE_OR_LINK = re.compile(r"!?\[([^\]\n]*)\]\(([^)\s]*)[^)\n]*\)")
_URL = re.compile(r"(?:https?|ftp|file|data|javascript):[^\s<>\"'）)\]]+", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,500}>")


def defused(text: str) -> tuple[str, str]:
    """The text with sentences that address a model replaced by `[…]`, and what was left out ("" mostly)."""
    if not _ADDRESSES_MODEL.search(text):
        return text, ""
    kept: list[str] = []
    left_out: list[str] = []
    position = 0
    for start, end in sentence_spans(text):
        if _ADDRESSES_MODEL.search(text, start, end):
            kept += (text[position:start], LEFT_OUT)
            left_out.append(text[start:end])
            position = end
    return "".join((*kept, text[position:])), " ".join(left_out)


def echoed_instruction(reply: str, source: str) -> str:
    """The sentence of the source that told the model to say this very reply, or ""."""
    said = " ".join(_WORD.findall(reply.casefold()))
    if not said or len(said) > _LONGEST_ECHO:
        return ""
    for start, end in sentence_spans(source):
        sentence = source[start:end]
        words = " ".join(_WORD.findall(sentence.casefold()))
        if said in words and len(said) < len(words) and _TELLS_TO_SAY.search(sentence):
            return sentence
    return ""


def plain_text(reply: str, source: str) -> str:
    """A reply as text: no thinking aloud, no fences around it, no link, image, address or tag that the source does not have."""
    text = _MARKUP.sub("", reply.strip())
    text = _IMAGE_OR_LINK.sub(lambda m: m.group() if m.group(2) and m.group() in source else m.group(1), text)
    text = _URL.sub(lambda m: m.group() if m.group().rstrip(".,;:!?。，；：！？") in source else "", text)
    text = _TAG.sub(lambda m: m.group() if m.group() in source else "", text)
    return text.strip()
