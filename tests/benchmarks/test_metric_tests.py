"""Simulated metrics of which neither is better, and what tests make of them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import metric_tests
from benchmarks.metric_tests import GAINS, NULLS, TESTS, Dealt, People, Simulated
from truegain.agreement.judged import standardised

SYSTEMS, SEGMENTS = 7, 24


def made(seed: int = 1) -> People:
    random = np.random.default_rng(seed)
    scores = np.round(random.normal(0, 1, (SYSTEMS, SEGMENTS)) + np.linspace(0, 1, SYSTEMS)[:, None], 1)
    return People(scores, scores + random.normal(0, 1, (3, *scores.shape)), np.arange(SEGMENTS) // 3)


def added(case: Simulated) -> np.ndarray:
    """Return what two metrics of the first data set have beside people's scores."""
    return case.judged(made(), 0).metrics - standardised(made().scores, (0, 1))


def test_a_bias_is_of_systems_and_the_same_or_each_metrics_own() -> None:
    noise = added(Simulated())
    same, own = (added(Simulated(0.3, shared=shared)) - noise for shared in (True, False))
    np.testing.assert_allclose(same, same[:, :, :1].repeat(SEGMENTS, axis=2))
    np.testing.assert_allclose(same[0], same[1])
    np.testing.assert_allclose(own[0], same[0])
    assert np.abs(own[0] - own[1]).max() > 0.1
    assert noise.std() == pytest.approx(1.0, abs=0.15)
    cases = (*NULLS, *GAINS)
    assert len({case.name for case in cases}) == len(cases)


def test_noise_has_a_spread_of_each_metric_and_document() -> None:
    ratios = added(Simulated(by_document=1.0)) / added(Simulated())
    by_document = ratios.reshape(2, SYSTEMS, SEGMENTS // 3, 3)
    np.testing.assert_allclose(by_document, by_document[:, :1, :, :1].repeat(SYSTEMS, axis=1).repeat(3, axis=3))
    assert len(np.unique(np.round(ratios, 6))) == 2 * SEGMENTS // 3
    np.testing.assert_allclose(added(Simulated(second=0.5)), added(Simulated()) * np.array([1.0, 0.5])[:, None, None])


def test_real_metrics_are_dealt_out_whole_documents_at_a_time() -> None:
    own = made()
    real = standardised(own.metrics, (1, 2))
    seen = set()
    for number in range(5):
        dealt = Dealt().judged(own, number, 3).metrics
        for segments in np.split(np.arange(SEGMENTS), SEGMENTS // 3):
            places = [
                [i for i in range(3) if np.allclose(real[i][:, segments], metric[:, segments])] for metric in dealt
            ]
            assert sorted(places) == [[0], [1], [2]]
            seen.add(tuple(place for (place,) in places))
    assert len(seen) == 6


def test_a_metric_that_is_better_is_told_apart_by_every_test_of_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metric_tests, "_NOISE", 30.0)
    p = metric_tests.p_values(made(), Simulated(second=0.003), 3, TESTS, resamples=99)
    found = dict(zip(TESTS, p, strict=True))
    of_translations = {test: p for test, p in found.items() if test[0] in ("acc23", "pearson")}
    assert len(of_translations) == 9
    assert all(p <= (0.1 if test == "any of 15" else 0.05) for (_, test), p in of_translations.items())
    assert all(0.0 < p <= 1.0 for p in found.values())


def test_data_sets_have_seeds_of_their_own() -> None:
    parts = [metric_tests.rejections(made(), NULLS[4], numbers, 19) for numbers in (range(4), range(4, 6), range(6))]
    assert [one + other for one, other in zip(*parts[:2], strict=True)] == parts[2]
    assert sum(parts[2]) > 0
