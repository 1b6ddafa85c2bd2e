"""The list of questions on an evaluation's page, those that went wrong first. Pure."""

from collections.abc import Sequence
from html import escape

from service.evaluation.fates import FATES, fate
from service.evaluation.labels import FATE_WORDS, TYPE_WORDS, Words, both
from service.models.evaluation import Outcome

# A page of more is slow on a phone; the JSON has them all.
MOST_SHOWN = 400


def questions_part(outcomes: Sequence[Outcome]) -> str:
    """The section with the questions, each of which opens to what was found and answered."""
    ordered = sorted(outcomes, key=lambda outcome: (-FATES.index(fate(outcome)), outcome.line))
    items = "".join(map(_item, ordered[:MOST_SHOWN]))
    left = len(ordered) - MOST_SHOWN
    more = Words(f"{left:,} more are in the JSON report.", f"其余 {left:,} 个在 JSON 报告中。")
    note = f'<p class="note">{both(more)}</p>' if left > 0 else ""
    title = both(Words("Question by question, the worst first", "逐个问题，最差在前"))
    return f'<section><h2>{title}</h2><div class="questions">{items}</div>{note}</section>'


def _item(outcome: Outcome) -> str:
    one = fate(outcome)
    ranks = ", ".join("–" if rank is None else str(rank) for rank in outcome.ranks)
    facts = [
        (Words("type", "类型"), both(TYPE_WORDS[outcome.type])),
        (Words("line", "行"), str(outcome.line)),
        (Words("rank of each piece of evidence", "各证据的名次"), ranks),
        (Words("reason", "原因"), escape(outcome.reason or outcome.error or "")),
        (Words("tokens given", "提供的词元"), f"{outcome.used:,}" if outcome.used else ""),
        (Words("time, ms", "用时（毫秒）"), f"{outcome.search_ms:.0f} + {outcome.answer_ms:.0f}"),
        (Words("done without", "缺失部件"), escape(", ".join(outcome.degraded))),
    ]
    told = "".join(f"<div><dt>{both(words)}</dt><dd>{value}</dd></div>" for words, value in facts if value)
    answer = "".join(f"<p>{escape(line)}</p>" for line in outcome.answer.splitlines() if line.strip())
    doubts = "".join(f"<li>{escape(sentence)}</li>" for sentence in outcome.unsupported)
    unsupported = Words("not supported by what they cite", "所引段落不支持")
    doubtful = f'<p class="label">{both(unsupported)}</p><ul class="doubts">{doubts}</ul>' if doubts else ""
    return (
        f'<details><summary><i class="{one}"></i><span>{escape(outcome.question)}</span><small>{both(FATE_WORDS[one])}</small></summary>'
        f'<div class="opened"><dl>{told}</dl><blockquote>{answer}</blockquote>{doubtful}</div></details>'
    )
