"""Whether a system refuses exactly the questions that its documents do not answer. Pure.

Precision and recall of the class "unanswerable", as Rajpurkar, Jia and Liang, Know What You Don't Know (ACL 2018) define the task;
each question's part of a ratio of sums (service.evaluation.intervals).
"""

from service.evaluation.intervals import NOTHING, Part


def abstention_precision(*, abstained: bool, unanswerable: bool) -> Part:
    """Of the refused questions, the share that is unanswerable."""
    return (float(unanswerable), 1.0) if abstained else NOTHING


def abstention_recall(*, abstained: bool, unanswerable: bool) -> Part:
    """Of the unanswerable questions, the share that is refused."""
    return (float(abstained), 1.0) if unanswerable else NOTHING


def false_refusals(*, abstained: bool, unanswerable: bool) -> Part:
    """Of the answerable questions, the share that is refused (smaller is better)."""
    return NOTHING if unanswerable else (float(abstained), 1.0)
