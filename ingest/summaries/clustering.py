"""Texts by meaning: soft clusters of vectors as in RAPTOR (Sarthi et al. 2024, arXiv 2401.18059), repeatable to the bit.

Reduce, fit Gaussian mixtures, take the number of clusters with the best BIC, let a text belong to every cluster with
p > 0.1; first over all texts, then within each cluster; split what is too large for one call. Two things differ from the
paper, both measured (docs/decisions/0010-summaries.md): principal components instead of UMAP, which drags 210 MB of compiler
along and finds chapters no better, and one covariance for all clusters instead of one each, which 20 dimensions need.
"""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from sklearn.mixture import GaussianMixture

Vectors = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Clusters = tuple[tuple[int, ...], ...]

DIMENSIONS = 20
MEMBERSHIP = 0.1
MOST_CLUSTERS = 50
# Fewer texts than this are one cluster: a mixture over so few says nothing.
LEAST_TEXTS = 4
# Further numbers of clusters are not tried once BIC got worse this often.
_PATIENCE = 3


def soft_clusters(vectors: Vectors, tokens: Sequence[int], limit: int, seed: int = 0) -> Clusters:
    """Clusters of row numbers, each with at most `limit` of `tokens` (a single row may have more), every row in one at least.

    Rows are ascending in a cluster, clusters in the order of their first rows; equal ones are given once. Works for any
    number of rows from one on.
    """
    if len(tokens) == 0:
        return ()
    from sklearn.exceptions import ConvergenceWarning  # here and below: scikit-learn takes a second to import

    with threadpool_limits(limits=1), warnings.catch_warnings():  # one thread: more only spin on data this small
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = {tuple(sorted(rows[i] for i in inner)) for rows in _mixture(vectors, seed) for inner in _mixture(vectors[list(rows)], seed)}
        fitting = {part for rows in found for part in _within(vectors, tokens, rows, limit, seed)}
    return tuple(sorted(fitting))


def _within(vectors: Vectors, tokens: Sequence[int], rows: tuple[int, ...], limit: int, seed: int) -> Clusters:
    """The rows in clusters that fit; what the mixture cannot part is cut in reading order."""
    if sum(tokens[row] for row in rows) <= limit or len(rows) == 1:
        return (rows,)
    parts = [tuple(rows[i] for i in inner) for inner in _mixture(vectors[list(rows)], seed)]
    if len(parts) == 1 or any(len(part) == len(rows) for part in parts):
        return neighbours(tokens, rows, limit)
    return tuple(smaller for part in parts for smaller in _within(vectors, tokens, part, limit, seed))


def neighbours(tokens: Sequence[int], rows: Sequence[int], limit: int) -> Clusters:
    """Rows in their order, as many together as fit `limit`."""
    groups: list[list[int]] = []
    filled = 0
    for row in rows:
        if not groups or filled + tokens[row] > limit:
            groups.append([])
            filled = 0
        groups[-1].append(row)
        filled += tokens[row]
    return tuple(tuple(group) for group in groups)


def _mixture(vectors: Vectors, seed: int) -> Clusters:
    """Soft clusters of rows by the mixture with the best BIC."""
    count = len(vectors)
    if count < LEAST_TEXTS or np.allclose(vectors, vectors[0]):
        return (tuple(range(count)),)
    from sklearn.decomposition import PCA

    dimensions = min(DIMENSIONS, max(1, count // 3), vectors.shape[1])
    reduced = PCA(dimensions, svd_solver="full").fit_transform(np.asarray(vectors, dtype=np.float64))
    best = _best_mixture(reduced, seed)
    share = best.predict_proba(reduced)
    share[np.arange(count), share.argmax(axis=1)] = 1.0
    members = [tuple(int(row) for row in np.flatnonzero(share[:, k] > MEMBERSHIP)) for k in range(best.n_components)]
    return tuple(sorted({rows for rows in members if rows}))


def _best_mixture(reduced: npt.NDArray[np.float64], seed: int) -> "GaussianMixture":
    from sklearn.mixture import GaussianMixture

    best: GaussianMixture | None = None
    lowest = np.inf
    worse = 0
    for clusters in _numbers(min(MOST_CLUSTERS, len(reduced) // 2)):
        mixture = GaussianMixture(clusters, covariance_type="tied", random_state=seed, reg_covar=1e-5).fit(reduced)
        score = mixture.bic(reduced)
        if score < lowest:
            best, lowest, worse = mixture, score, 0
        else:
            worse += 1
        if worse == _PATIENCE:
            break
    assert best is not None
    return best


def _numbers(most: int) -> list[int]:
    """Numbers of clusters to try: all up to ten, then steps of a fifth."""
    numbers: list[int] = []
    number = 1
    while number <= most:
        numbers.append(number)
        number = max(number + 1, number * 6 // 5)
    return numbers
