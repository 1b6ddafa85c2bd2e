"""Formulas (Office Math, ECMA-376 part 1, 22.1) as one line of plain text: a fraction is a/b, an index x_i, a power x^2."""

from ingest.word.names import VAL, Element, M, W

_MOST_DEPTH = 60


def formula_text(element: Element, depth: int = 0) -> str:
    """The text of a formula or a part of one."""
    if depth > _MOST_DEPTH:
        return ""
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    if name == "t":
        return element.text or ""
    maker = _MAKERS.get(name)
    if maker is not None:
        return maker(element, depth + 1)
    if name.endswith("Pr") or element.tag in (W + "del", W + "moveFrom", W + "delText"):
        return ""
    joint = "; " if name == "oMathPara" else ""
    return joint.join(text for text in (formula_text(child, depth + 1) for child in element) if text)


def _part(element: Element, name: str, depth: int) -> str:
    child = element.find(M + name)
    return "" if child is None else formula_text(child, depth)


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _fraction(element: Element, depth: int) -> str:
    return f"{_grouped(_part(element, 'num', depth))}/{_grouped(_part(element, 'den', depth))}"


def _scripts(element: Element, depth: int) -> str:
    base, lower, upper = (_part(element, name, depth) for name in ("e", "sub", "sup"))
    return base + (f"_{_grouped(lower)}" if lower else "") + (f"^{_grouped(upper)}" if upper else "")


def _radical(element: Element, depth: int) -> str:
    degree, base = _part(element, "deg", depth), _part(element, "e", depth)
    return f"{'' if degree in ('', '2') else degree}√{_grouped(base)}"


def _operator(element: Element, depth: int) -> str:
    sign = element.find(f"{M}naryPr/{M}chr")
    lower, upper, base = (_part(element, name, depth) for name in ("sub", "sup", "e"))
    text = "∫" if sign is None else sign.get(M + "val", "∫")
    return text + (f"_{_grouped(lower)}" if lower else "") + (f"^{_grouped(upper)}" if upper else "") + f" {base}"


def _delimited(element: Element, depth: int) -> str:
    marks = {}
    for name, usual in (("begChr", "("), ("sepChr", "|"), ("endChr", ")")):
        found = element.find(f"{M}dPr/{M}{name}")
        marks[name] = usual if found is None else found.get(M + "val", found.get(VAL, ""))
    inner = marks["sepChr"].join(formula_text(child, depth) for child in element.findall(M + "e"))
    return marks["begChr"] + inner + marks["endChr"]


def _matrix(element: Element, depth: int) -> str:
    rows = (", ".join(formula_text(cell, depth) for cell in row.findall(M + "e")) for row in element.findall(M + "mr"))
    return f"[{'; '.join(rows)}]"


def _lines(element: Element, depth: int) -> str:
    return "; ".join(formula_text(child, depth) for child in element.findall(M + "e"))


def _function(element: Element, depth: int) -> str:
    return f"{_part(element, 'fName', depth)} {_part(element, 'e', depth)}"


def _limit(element: Element, depth: int) -> str:
    limit = _part(element, "lim", depth)
    return _part(element, "e", depth) + (f"_{_grouped(limit)}" if limit else "")


_MAKERS = {
    "f": _fraction,
    "sSub": _scripts,
    "sSup": _scripts,
    "sSubSup": _scripts,
    "rad": _radical,
    "nary": _operator,
    "d": _delimited,
    "m": _matrix,
    "eqArr": _lines,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
}
