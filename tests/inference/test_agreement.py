"""Signs of all pairs: one-sided p-values, what to expect elsewhere, and intervals where systems are the sample."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.known import known
from truegain.inference import agreement
from truegain.inference.agreement import BAND, Agreement, Kinds, Signs, expected_agreement, one_sided, signs_of
from truegain.inference.all_pairs import AllPairs, pairs_of
from truegain.inference.pvalues import bootstrap_test, clopper_pearson
from truegain.resampling.generator import bootstrap_counts, resample_keys


def drawn(systems: int, resamples: int = 500) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.asarray(bootstrap_counts(resample_keys(7, 503, 0, resamples), systems))


@pytest.mark.parametrize("lower", [False, True])
def test_p_is_that_of_the_bootstrap_on_the_better_side(lower: bool) -> None:
    generator = np.random.default_rng(3)
    observed = np.array([30.0, 31.0, 30.0, 28.5])
    resampled = observed[:, None] + generator.gamma(2.0, size=(4, 400)) - 2.0
    resampled[2] = resampled[0]  # the first and the third are the same
    pairs = AllPairs(observed, resampled, lower_is_better=lower, factor=1.02)
    p = one_sided(pairs)
    for place, (a, b) in enumerate(zip(*pairs_of(4), strict=True)):
        if (a, b) == (0, 2):
            assert p[place] == 1.0
            continue
        differences = (resampled[b] - resampled[a]) * (-1 if lower else 1)
        delta = float(pairs.deltas[place])
        expected = bootstrap_test(
            delta,
            differences,
            alternative="greater" if delta > 0 else "less",
            magnitude=max(abs(observed[a]), abs(observed[b])),
            factor=1.02,
        )
        assert p[place] == expected.p
    assert signs_of(pairs).deltas[1] == 0.0
    assert (signs_of(pairs).spreads > 0).tolist() == [True, False, True, True, True, True]


KINDS = Kinds((0.00125, 0.01, 0.05, 0.25), 0.1)


@given(st.floats(1e-6, 1.0))
def test_every_p_is_in_the_one_bin_whose_end_it_does_not_pass(p: float) -> None:
    *bins, significant, band = KINDS.of(np.array([p]))[:, 0].tolist()
    assert sum(bins) == 1
    low, high = KINDS.ends[bins.index(True)]
    assert low < p <= high
    assert (significant, band) == (p <= 0.1, 0.04 <= p <= 0.06)


def test_the_ends_of_bins_belong_to_them() -> None:
    inside = KINDS.of(np.array([[0.00125, 0.01], [0.25, 1.0]]))
    assert inside.shape == (2, 7, 2)
    assert [inside[0, 0, 0], inside[0, 1, 1], inside[1, 3, 0], inside[1, 4, 1]] == [True] * 4
    assert KINDS.ends[-3:] == [(0.25, 1.0), (0.0, 0.1), BAND], "no p is beyond the last bin"
    assert pytest.approx((0.05 - 0.01, 0.05 + 0.01)) == BAND
    assert KINDS.of(np.array(BAND))[-1].all(), "both ends belong to the band"
    assert KINDS.of(np.array([0.01, 0.05]))[:-2].sum(0).tolist() == [1, 1], "and not to the bin that begins there"


def test_what_to_expect_of_one_domain() -> None:
    def signs(delta: float, spread: float) -> Signs:
        return Signs(np.array([delta]), np.array([0.1]), np.array([spread]))

    # A difference of 1.96 standard errors, and a target as noisy as the source: Φ(1.96 / √2).
    assert expected_agreement(signs(-1.96, 1.0), signs(5.0, 1.0))[0] == pytest.approx(0.9171, abs=1e-4)
    assert expected_agreement(signs(1.96, 1.0), signs(5.0, 0.0))[0] == pytest.approx(0.975, abs=1e-4)
    assert expected_agreement(signs(5.0, 2.0), signs(1.0, 3.0))[0] == pytest.approx(stats.norm.cdf(5.0 / np.sqrt(13.0)))
    assert expected_agreement(signs(1.0, 0.0), signs(1.0, 0.0))[0] == 1.0
    assert expected_agreement(signs(0.0, 0.0), signs(1.0, 0.0))[0] == 0.5


@pytest.mark.parametrize(
    ("cases", "same", "share"),
    [
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], None),
        ([1.0, 1.0, 1.0], [1.0, 0.5, 0.0], 0.5),  # ties count half
        ([8.0, 1.0, 1.0], [8.0, 0.0, 0.0], 0.8),  # cases weigh as often as they are
    ],
)
def test_the_share_of_cases(cases: list[float], same: list[float], share: float | None) -> None:
    found = Agreement(3, np.array(cases), np.array(same))
    assert found.share == share
    assert (found.interval(drawn(3), 0.95) is None) == (share is None)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=10, max_size=10), st.sampled_from([0.8, 0.95]))
def test_the_interval_holds_the_share_and_is_no_narrower_than_that_of_independent_pairs(
    same: list[float], level: float
) -> None:
    among = Agreement(5, np.ones(10), np.array(same))
    low, high = known(among.interval(drawn(5), level))
    assert 0.0 <= low <= known(among.share) <= high <= 1.0
    assert low <= clopper_pearson(int(sum(same)), 10, level)[0]
    assert high >= clopper_pearson(round(sum(same) + 0.25), 10, level)[1]


def test_all_alike_still_leaves_doubt() -> None:
    assert Agreement(5, np.ones(10), np.ones(10)).interval(drawn(5), 0.95) == (clopper_pearson(10, 10)[0], 1.0)
    assert Agreement(5, np.ones(10), np.zeros(10)).interval(drawn(5), 0.95) == (0.0, clopper_pearson(0, 10)[1])


def test_pairs_that_share_a_system_are_no_independent_evidence() -> None:
    """One bad system of twenty turns all of its 19 pairs: far more doubt than 19 of 190 independent pairs leave."""
    firsts, seconds = pairs_of(20)
    same = np.where((firsts == 4) | (seconds == 4), 0.0, 1.0)
    low, high = known(Agreement(20, np.ones(190), same).interval(drawn(20, 2_000), 0.95))
    independent = clopper_pearson(171, 190)
    assert high - low > 2 * (independent[1] - independent[0])


def test_differences_are_as_observed_and_none_has_no_side() -> None:
    observed = np.array([30.0, 31.0, 30.0])
    resampled = observed[:, None] + np.random.default_rng(1).normal(size=(3, 99))
    found = signs_of(AllPairs(observed, resampled))
    assert found.deltas.tolist() == [1.0, 0.0, -1.0]
    assert found.p[1] == 1.0
    nothing = AllPairs(np.zeros(2), np.random.default_rng(2).normal(size=(2, 99)))
    assert one_sided(nothing).tolist() == [1.0]


@pytest.mark.parametrize("held", [1, 30, 4_000_000])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_as_it_is_defined(held: int, level: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """One resample of the systems after the other, however many are held at once."""
    monkeypatch.setattr(agreement, "_HELD", held)
    firsts, seconds = pairs_of(20)
    cases = np.random.default_rng(6).integers(1, 4, 190).astype(float)
    same = np.where((firsts == 4) | (seconds == 4), 0.0, cases)
    counts = drawn(20, 101)
    shares = []
    for row in counts.tolist():
        weights = [row[a] * row[b] for a, b in itertools.combinations(range(20), 2)]
        shares.append(np.dot(weights, same) / np.dot(weights, cases))
    low, high = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2])
    share = same.sum() / cases.sum()
    assert low < clopper_pearson(int(share * 190), 190, level)[0], "the systems tell more than the pairs"
    assert high > clopper_pearson(int(share * 190) + 1, 190, level)[1]
    assert Agreement(20, cases, same).interval(counts, level) == pytest.approx((low, high))


def test_a_draw_with_a_single_case_counts() -> None:
    """Only the two systems that disagree are drawn, each once, and again and again."""
    same = np.ones(435)
    same[0] = 0.0
    counts = np.zeros((10, 30), np.float32)
    counts[:, :2] = 1.0
    assert known(Agreement(30, np.ones(435), same).interval(counts, 0.95))[0] == 0.0
