"""The size of the tests on true nulls: fixed seeds, few repetitions, and bounds wide enough for their number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.calibration import METRICS, TESTS, Outcome, Pool, Scenario, run, simulated_pool, single_difference
from benchmarks.calibration import main as write_page

_REPETITIONS = 300
_RESAMPLES = 199
_AR, _BOOTSTRAP, _PLAIN, _SACREBLEU = range(len(TESTS))


@pytest.fixture(scope="module")
def pool() -> Pool:
    return simulated_pool(1500)


@pytest.fixture(scope="module")
def segments(pool: Pool) -> Outcome:
    return outcome(Scenario("segments", 0, 30), pool)


@pytest.fixture(scope="module")
def documents(pool: Pool) -> Outcome:
    return outcome(Scenario("documents", 1, 30, documents=True, unit="document"), pool)


def outcome(scenario: Scenario, pool: Pool, repetitions: int = _REPETITIONS) -> Outcome:
    return next(iter(run([scenario], [pool], repetitions=repetitions, resamples=_RESAMPLES)))


def most(rate: float) -> int:
    """What a true rate exceeds in one of ten thousand studies like this one."""
    return int(binom.ppf(1 - 1e-4, _REPETITIONS, rate))


def least(rate: float) -> int:
    return int(binom.ppf(1e-4, _REPETITIONS, rate))


@pytest.mark.parametrize("metric", range(len(METRICS)))
@pytest.mark.parametrize("level", [0.05, 0.10])
def test_randomization_keeps_its_level(segments: Outcome, documents: Outcome, metric: int, level: float) -> None:
    for found in (segments, documents):
        assert least(level) <= found.rejections(metric, _AR, level) <= most(level)


@pytest.mark.parametrize("metric", range(len(METRICS)))
def test_bootstrap_with_the_factor_is_near_its_level(segments: Outcome, metric: int) -> None:
    assert least(0.035) <= segments.rejections(metric, _BOOTSTRAP, 0.05) <= most(0.07)


@pytest.mark.parametrize("metric", range(len(METRICS)))
def test_factor_only_lowers_rejections(segments: Outcome, documents: Outcome, metric: int) -> None:
    for found in (segments, documents):
        assert (found.p[:, metric, _BOOTSTRAP] >= found.p[:, metric, _PLAIN]).all()
        assert found.rejections(metric, _BOOTSTRAP, 0.05) < found.rejections(metric, _PLAIN, 0.05)


@pytest.mark.parametrize("metric", range(len(METRICS)))
def test_folding_before_centring_rejects_too_often(segments: Outcome, metric: int) -> None:
    assert segments.rejections(metric, _SACREBLEU, 0.05) > most(0.05)


def test_ignoring_documents_rejects_far_too_often(pool: Pool) -> None:
    found = outcome(Scenario("ignored", 2, 30, documents=True, unit="segment"), pool, 100)
    assert found.rate(0, _AR, 0.05) > 0.3


def test_contributions_are_correlated_within_documents(pool: Pool) -> None:
    rng = np.random.default_rng(0)
    shared, one, other = rng.standard_normal((3, 50_000))
    share = pool.latent_correlation
    sides = [pool.contributions[pool.rows(share**0.5 * shared + (1 - share) ** 0.5 * own)] for own in (one, other)]
    assert np.corrcoef(sides[0], sides[1])[0, 1] == pytest.approx(0.3, abs=0.03)


def test_a_gain_is_found_more_often_the_larger_it_is(pool: Pool) -> None:
    found = [outcome(Scenario("power", 3, 100, wins=wins), pool, 60).rate(0, _AR, 0.05) for wins in (0.5, 0.6, 0.7)]
    assert found == sorted(found)
    assert found[2] > 0.5


def test_randomization_cannot_reject_where_three_segments_differ(pool: Pool) -> None:
    found = outcome(Scenario("ties", 4, 30, ties=0.9), pool, 40)
    assert found.rejections(0, _AR, 0.10) == 0


def test_repetitions_do_not_depend_on_processes(pool: Pool) -> None:
    scenario = Scenario("segments", 0, 30)
    alone, together = (next(iter(run([scenario], [pool], repetitions=6, resamples=49, jobs=jobs))) for jobs in (1, 2))
    np.testing.assert_array_equal(alone.p, together.p)


def test_one_differing_segment(pool: Pool) -> None:
    p = single_difference(pool, segments=1000, resamples=999, seeds=10)
    assert (p[:, :, _AR] == 1.0).all()
    # Drawn never (37 %) or more than once (26 %), the segment moves the mean by its whole contribution or more.
    assert p[:, 1, _BOOTSTRAP].mean() == pytest.approx(0.632, abs=0.02)
    assert p[:, 1, _SACREBLEU].min() < 0.12
    assert p[:, 1, _SACREBLEU].max() > 0.22


def test_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("benchmarks.calibration.simulated_pool", lambda: simulated_pool(1500))
    monkeypatch.setattr("benchmarks.calibration.real_pools", list)
    page = tmp_path / "page.md"
    write_page(["--repetitions", "2", "--resamples", "19", "--jobs", "1", "--output", str(page)])
    text = page.read_text(encoding="utf-8")
    assert "# Calibration" in text
    assert "Left out" in text
    assert all(test in text for test in TESTS)
    assert "bounds" in capsys.readouterr().out
