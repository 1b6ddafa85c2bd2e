"""Bootstrap intervals: they hold the figure, narrow with more questions, and see no difference where there is none."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.evaluation.intervals import NOTHING, Part, difference, estimate, mean_part

shares = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=40)


def means(values: list[float]) -> list[Part]:
    return [mean_part(value) for value in values]


@settings(deadline=None)
@given(shares)
def test_the_interval_holds_the_mean_and_stays_within_the_values(values: list[float]) -> None:
    found = estimate(means(values))
    assert found is not None
    assert found.value == pytest.approx(np.mean(values), abs=1e-12)
    assert found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high
    if 0 < found.value < 1:
        assert min(values) - 1e-12 <= found.low
        assert found.high <= max(values) + 1e-12
    assert found.questions == len(values)


@settings(deadline=None)
@given(shares)
def test_a_run_compared_with_itself_differs_by_nothing(values: list[float]) -> None:
    found = difference(means(values), means(values))
    assert found is not None
    assert (found.value, found.low, found.high, found.is_clear) == (0, 0, 0, False)


def test_the_interval_of_a_share_is_near_the_normal_one_for_many_questions() -> None:
    found = estimate(means([1.0] * 300 + [0.0] * 700))
    assert found is not None
    half = 1.96 * (0.3 * 0.7 / 1000) ** 0.5
    assert (found.low, found.high) == (pytest.approx(0.3 - half, abs=0.004), pytest.approx(0.3 + half, abs=0.004))


def test_a_few_questions_that_all_went_well_are_not_certainty() -> None:
    for count, least in ((1, 0.025), (7, 0.590), (35, 0.900)):
        well, badly = estimate(means([1.0] * count)), estimate(means([0.0] * count))
        assert well is not None
        assert badly is not None
        assert (well.low, well.high) == (pytest.approx(least, abs=0.001), 1.0)
        assert (badly.low, badly.high) == (0.0, pytest.approx(1 - least, abs=0.001))


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """300 sets of 60 questions with known success; percentile intervals of shares are a little short of 95 %."""
    random = np.random.default_rng(7)
    covering = 0
    for _ in range(300):
        found = estimate(means((random.random(60) < 0.7).astype(float).tolist()), resamples=400)
        assert found is not None
        covering += found.low <= 0.7 <= found.high
    assert 0.90 <= covering / 300 <= 0.99


def test_questions_that_a_figure_does_not_concern_change_nothing_but_the_draw() -> None:
    concerned = means([1.0, 0.0, 1.0, 1.0])
    found = estimate([*concerned, NOTHING, mean_part(None)])
    assert found is not None
    assert (found.value, found.questions) == (0.75, 4)
    assert estimate([NOTHING, NOTHING]) is None
    assert estimate([]) is None


def test_pairing_sees_a_small_difference_that_unpaired_intervals_would_hide() -> None:
    random = np.random.default_rng(1)
    first = random.random(200)
    second = first + 0.02
    found = difference(means(first.tolist()), means(second.tolist()))
    assert found is not None
    assert found.value == pytest.approx(0.02)
    assert found.is_clear
    alone = estimate(means(first.tolist()))
    assert alone is not None
    assert alone.high - alone.low > 0.04
    turned = difference(means(second.tolist()), means(first.tolist()))
    assert turned is not None
    assert turned.value == -found.value


def test_equal_input_gives_equal_intervals() -> None:
    values = means([0.1, 0.9, 0.4])
    assert estimate(values) == estimate(values)
    more = means(np.linspace(0, 1, 101).tolist())
    assert estimate(more, seed=3) != estimate(more, seed=4)


def test_runs_of_different_questions_are_not_compared() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        difference(means([1.0]), means([1.0, 0.0]))
    assert difference([NOTHING], means([1.0])) is None
