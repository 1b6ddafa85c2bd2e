"""Figures of a set of questions with their uncertainty. Pure and seeded: equal input gives equal output.

A figure is a ratio of sums over questions: of a mean each question adds (value, 1), of a share such as abstention precision
(1 or 0, 1 or 0); a question that a figure does not concern adds (0, 0). Intervals are percentile bootstrap intervals over
questions (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13), differences of two runs paired by question
(Koehn, Statistical Significance Tests for Machine Translation Evaluation, EMNLP 2004). Where every question gives 0, or every one
1, resamples cannot differ, and the interval is the exact one of such a share (Clopper and Pearson, Biometrika 26, 1934).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RESAMPLES = 2_000
CONFIDENCE = 0.95
SEED = 20_260_101
# Resamples are drawn in blocks of at most this many indices, so that a large set does not need gigabytes.
_BLOCK = 4_000_000

Part = tuple[float, float]
"""What one question adds to a figure: numerator and denominator."""
NOTHING: Part = (0.0, 0.0)
_Sums = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure with its 95 % interval, over `questions` that it concerns."""

    value: float
    low: float
    high: float
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The second run's figure less the first's, with its 95 % interval, over questions asked in both."""

    value: float
    low: float
    high: float
    questions: int

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


def mean_part(value: float | None) -> Part:
    """A question's part of a mean; of a question that it does not concern (None), nothing."""
    return NOTHING if value is None else (value, 1.0)


def estimate(parts: Sequence[Part], *, resamples: int = RESAMPLES, seed: int = SEED) -> Estimate | None:
    """The ratio of the sums (parts in 0..1) with its interval; None when it concerns no question.

    A resample in which it concerns none tells nothing and is left out.
    """
    sums = np.array(parts, dtype=np.float64).reshape(-1, 2)
    concerned = int((sums[:, 1] != 0).sum())
    if not concerned:
        return None
    value = float(_ratios(sums.sum(axis=0)))
    if value in (0.0, 1.0):
        least = ((1 - CONFIDENCE) / 2) ** (1 / concerned)  # the smallest share of which so many in a row are still likely enough
        low, high = (least, 1.0) if value else (0.0, 1 - least)
    else:
        drawn = _ratios(_resampled(sums, resamples, seed))
        low, high = _interval(drawn[~np.isnan(drawn)])
    return Estimate(value=value, low=low, high=high, questions=concerned)


def difference(first: Sequence[Part], second: Sequence[Part], *, resamples: int = RESAMPLES, seed: int = SEED) -> Difference | None:
    """`second` less `first`, question by question in the same order; None when either concerns no question.

    Raises ValueError when the lengths differ.
    """
    pairs = np.array([(*a, *b) for a, b in zip(first, second, strict=True)], dtype=np.float64).reshape(-1, 4)
    concerned = int(((pairs[:, 1] != 0) | (pairs[:, 3] != 0)).sum())
    whole = _change(pairs.sum(axis=0)) if concerned else np.array(np.nan)
    if np.isnan(whole):
        return None
    drawn = _change(_resampled(pairs, resamples, seed))
    low, high = _interval(drawn[~np.isnan(drawn)])
    return Difference(value=float(whole), low=low, high=high, questions=concerned)


def _resampled(rows: _Sums, resamples: int, seed: int) -> _Sums:
    """The sums of `resamples` sets drawn with replacement: (resamples, columns)."""
    random = np.random.default_rng(seed)
    at_once = max(1, _BLOCK // max(1, len(rows)))
    blocks = []
    for start in range(0, resamples, at_once):
        chosen = random.integers(len(rows), size=(min(at_once, resamples - start), len(rows)))
        blocks.append(rows[chosen].sum(axis=1))
    return np.concatenate(blocks)


def _ratios(sums: _Sums) -> _Sums:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: _Sums = np.where(sums[..., 1] != 0, sums[..., 0] / sums[..., 1], np.nan)
    return ratios


def _change(sums: _Sums) -> _Sums:
    return _ratios(sums[..., 2:]) - _ratios(sums[..., :2])


def _interval(drawn: _Sums) -> tuple[float, float]:
    low, high = np.percentile(drawn, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)])
    return float(low), float(high)
