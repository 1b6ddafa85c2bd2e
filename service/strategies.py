"""Which way the tree is searched: all nodes ranked together, or level by level from the documents down. Pure."""

from typing import Literal

from service.signals import Question

Strategy = Literal["collapsed", "traversal"]
STRATEGIES: tuple[Strategy, ...] = ("collapsed", "traversal")
AUTO = "auto"


def chosen_strategy(asked: str, question: Question) -> Strategy:
    """The strategy asked for; for "auto" the one that was measured to serve this kind of question (docs/decisions/0015-strategies.md)."""
    if asked in STRATEGIES:
        return "traversal" if asked == "traversal" and question.text else "collapsed"
    return "collapsed"
