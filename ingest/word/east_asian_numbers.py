"""Chinese, Japanese and Korean list numbers (ECMA-376 part 1, 17.18.59 ST_NumberFormat). Pure."""

from collections.abc import Callable

_CHINESE_DIGITS = "〇一二三四五六七八九"
_CHINESE_LEGAL = "零壹贰叁肆伍陆柒捌玖"
_TAIWANESE_LEGAL = "零壹貳參肆伍陸柒捌玖"
_JAPANESE_LEGAL = "〇壱弐参四伍六七八九"
_KOREAN_DIGITS = "영일이삼사오육칠팔구"
_KOREAN_NATIVE_ONES = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_KOREAN_NATIVE_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_HEAVENLY_STEMS = "甲乙丙丁戊己庚辛壬癸"
_EARTHLY_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
_HALF_AIUEO = "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ"
_HALF_IROHA = "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ"
_GANADA = "가나다라마바사아자차카타파하"
_CHOSUNG = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"


def _counted(
    digits: str, units: tuple[str, str, str, str], zero: str = "", *, bare_ten: bool = False, bare_units: bool = False
) -> Callable[[int], str]:
    """Numbers with units ("二百〇三"): `units` are ten, hundred, thousand, ten thousand.

    `zero` stands for places left out inside; `bare_ten` writes 10 to 19 without the leading one, `bare_units` every unit.
    """

    def below_ten_thousand(value: int) -> str:
        text, pending = "", False
        for place in (3, 2, 1, 0):
            digit = value // 10**place % 10
            if digit == 0:
                pending = bool(text)
                continue
            text += zero if pending else ""
            pending = False
            one_is_silent = digit == 1 and place > 0 and bare_units
            text += ("" if one_is_silent else digits[digit]) + ("", *units)[place]
        return text

    def make(value: int) -> str:
        if value == 0:
            return digits[0]
        many, rest = divmod(value, 10_000)
        if many:
            joint = zero if 0 < rest < 1000 else ""
            return below_ten_thousand(many) + units[3] + joint + below_ten_thousand(rest)
        text = below_ten_thousand(rest)
        return text[1:] if bare_ten and 10 <= value <= 19 else text

    return make


def _spelled(digits: str) -> Callable[[int], str]:
    return lambda value: "".join(digits[int(digit)] for digit in str(value))


def _up_to_hundred(counted: Callable[[int], str], spelled: Callable[[int], str]) -> Callable[[int], str]:
    """Counting to 99, digits from there on."""
    return lambda value: counted(value) if value < 100 else spelled(value)


def _cycle(alphabet: str) -> Callable[[int], str]:
    return lambda value: alphabet[(value - 1) % len(alphabet)] if value > 0 else ""


def _letters(alphabet: str) -> Callable[[int], str]:
    return lambda value: alphabet[value - 1] if 0 < value <= len(alphabet) else ""


def _sexagenary(value: int) -> str:
    """The cycle of sixty: a stem and a branch."""
    return _HEAVENLY_STEMS[(value - 1) % 10] + _EARTHLY_BRANCHES[(value - 1) % 12] if value > 0 else ""


def _korean_native(value: int) -> str:
    tens, ones = divmod(value, 10)
    return _KOREAN_NATIVE_TENS[tens] + _KOREAN_NATIVE_ONES[ones] if 0 < value < 100 else ""


_chinese = _counted(_CHINESE_DIGITS, ("十", "百", "千", "万"), "〇", bare_ten=True)
_taiwanese = _counted(_CHINESE_DIGITS, ("十", "百", "千", "萬"), "〇", bare_ten=True)
_japanese = _counted(_CHINESE_DIGITS, ("十", "百", "千", "万"), bare_units=True)
_korean = _counted(_KOREAN_DIGITS, ("십", "백", "천", "만"), bare_units=True)
_chinese_spelled = _spelled("○一二三四五六七八九")

EAST_ASIAN_FORMATS: dict[str, Callable[[int], str]] = {
    "chineseCounting": _up_to_hundred(_chinese, _chinese_spelled),
    "chineseCountingThousand": _chinese,
    "chineseLegalSimplified": _counted(_CHINESE_LEGAL, ("拾", "佰", "仟", "萬"), "零"),
    "taiwaneseCounting": _up_to_hundred(_taiwanese, _chinese_spelled),
    "taiwaneseCountingThousand": _taiwanese,
    "taiwaneseDigital": _chinese_spelled,
    "ideographDigital": _spelled(_CHINESE_DIGITS),
    "ideographTraditional": _cycle(_HEAVENLY_STEMS),
    "ideographZodiac": _cycle(_EARTHLY_BRANCHES),
    "ideographZodiacTraditional": _sexagenary,
    "ideographLegalTraditional": _counted(_TAIWANESE_LEGAL, ("拾", "佰", "仟", "萬"), "零"),
    "ideographEnclosedCircle": lambda value: chr(0x3280 + value - 1) if 0 < value <= 10 else "",
    "japaneseCounting": _japanese,
    "japaneseDigitalTenThousand": _spelled(_CHINESE_DIGITS),
    "japaneseLegal": _counted(_JAPANESE_LEGAL, ("拾", "百", "阡", "萬")),
    "koreanDigital": _spelled(_KOREAN_DIGITS),
    "koreanDigital2": _spelled("零一二三四五六七八九"),
    "koreanCounting": _korean,
    "koreanLegal": _korean_native,
    "aiueo": _letters(_HALF_AIUEO),
    "aiueoFullWidth": _letters(_AIUEO),
    "iroha": _letters(_HALF_IROHA),
    "irohaFullWidth": _letters(_IROHA),
    "ganada": _letters(_GANADA),
    "chosung": _letters(_CHOSUNG),
}
