"""Whether recognised text is language at all: the share of the commonest words and characters of large corpora. Pure.

Measured: 0.13 to 0.45 on nine in ten pages of running text (lists of references and tables less), 0.45 on generated pages of English
and Chinese; 0.00 upside down, sideways, or read as another script, although "payse sequiew" looks like words, too.
"""

import re

_ENOUGH = 8  # words from which their share means something
_WORDS = re.compile(
    "the|of|and|to|in|is|that|it|for|was|on|are|as|with|his|they|be|at|one|have|this|from|or|had|by|not|but|what|all|were|we|when|your|can|"
    "said|there|use|an|each|which|she|do|how|their|if|will|up|other|about|out|many|then|them|these|so|some|her|would|make|like|him|into|has|"
    "its|who|no|than|been|may|any|more|you|such|me|my|he|"
    "der|die|das|und|ist|nicht|ein|eine|den|von|zu|mit|sich|des|auf|für|im|dem|auch|als|werden|aus|er|hat|dass|sie|nach|wird|bei|"
    "le|la|les|et|est|un|une|que|qui|dans|pour|pas|par|sur|au|plus|avec|ce|il|sont|ne|se|ou|cette|aux|du|"
    "el|los|las|una|por|con|para|es|del|como|más|pero|su|al|lo|entre|sobre|che|non|di|da|per|sono|gli|nel|della|dei|più|si|"
    "het|een|van|niet|zijn|voor|met|op|te|aan|os|um|uma|não|em|ao|dos|"
    "не|на|что|по|как|из|это|для|от|его|за|все|но|так|же|или"
)
_CHARACTERS = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没"
    "动面起看定天分还进好小部其些主样理心她本前开但因只从想实日与及或等將這個們來為國說時會對過發後のはをにがとでもしたれさ"
)
_EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff"
# Of three letters at least: strokes of turned letters come out as "it" and "ia".
_TOKENS = re.compile(rf"[^\W\d_{_EAST_ASIAN}]{{3,}}|[{_EAST_ASIAN}]+")
_APART = re.compile(rf"(?<=[{_EAST_ASIAN}])\s+(?=[{_EAST_ASIAN}])")


def usual_share(text: str) -> float:
    """The share in 0..1 of usual words, or of usual characters where most of the text is Chinese or Japanese; 0 for too few to tell."""
    words: list[str] = []
    characters: list[str] = []
    for token in _TOKENS.findall(_APART.sub("", text)):
        if "\u3040" <= token[0] <= "\u9fff":
            characters += token
        else:
            words.append(token)
    # Single characters come out of turned letters, too, so they do not count beside many words.
    if len(characters) > sum(map(len, words)) / 2:
        usual, total = sum(character in _CHARACTERS for character in characters), len(characters)
    else:
        usual, total = sum(map(_is_usual, words)), len(words)
    return usual / total if total >= _ENOUGH else 0.0


def _is_usual(word: str) -> bool:
    # In capitals only, Chinese read as Latin ("HAS CRSTARGRREN") would hit one now and then.
    return _WORDS.fullmatch(word.lower()) is not None and not word.isupper()
