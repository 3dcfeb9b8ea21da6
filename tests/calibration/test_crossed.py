"""The size and power of tests of several runs on crossed random effects: fixed seeds, few repetitions, wide bounds."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks import runs
from benchmarks.data import ROOT
from benchmarks.runs import BOUND, Cell, CrossedEffects
from benchmarks.runs import main as write_page
from truegain.procedures.base import Pair, Trial
from truegain.studies.calibrate import measure

_REPETITIONS = 400
_RESAMPLES = 99
_SEGMENTS = 50
_COUNTS = [(2, 2), (3, 3), (2, 5), (2, 1), (1, 3)]
_RUN_SDS = [0.0, 1.0, 2.0]


def most(rate: float) -> int:
    """What a true rate exceeds in one of ten thousand studies like this one."""
    return int(binom.ppf(1 - 1e-4, _REPETITIONS, rate))


def p_values(make: CrossedEffects, tests: Sequence[str], repetitions: int = _REPETITIONS) -> NDArray[np.float64]:
    """Shape (tests, repetitions)."""
    return measure(make, tests, repetitions=repetitions, resamples=_RESAMPLES)[:, 0]


@functools.cache
def null(counts: tuple[int, int], run_sd: float) -> dict[str, int]:
    """Rejections; half of the variance over segments is that of segment × run."""
    tests = ["crossed", "bootstrap"]
    if counts[0] == counts[1]:
        tests += ["ar"]
    if counts == (3, 3):
        tests += ["fu-bootstrap", "fu-ar"]
    p = p_values(CrossedEffects(counts, run_sd, 0.5, segments=_SEGMENTS, seed=7), tests)
    return dict(zip(tests, (p <= 0.05).sum(1).tolist(), strict=True))


@pytest.mark.parametrize("counts", _COUNTS)
@pytest.mark.parametrize("run_sd", _RUN_SDS)
def test_crossed_keeps_its_level(counts: tuple[int, int], run_sd: float) -> None:
    assert 0 < null(counts, run_sd)["crossed"] <= most(BOUND)


@pytest.mark.parametrize("counts", [(2, 2), (2, 5)])
def test_crossed_keeps_its_level_where_all_variance_is_of_single_runs(counts: tuple[int, int]) -> None:
    p = p_values(CrossedEffects(counts, 1.0, 1.0, segments=_SEGMENTS, seed=8), ["crossed"])
    assert int((p <= 0.05).sum()) <= most(BOUND)


@pytest.mark.parametrize("counts", _COUNTS)
def test_tests_that_hold_runs_fixed_reject_far_too_often_where_runs_vary(counts: tuple[int, int]) -> None:
    for test in ("ar", "bootstrap") if counts[0] == counts[1] else ("bootstrap",):
        found = [null(counts, run_sd)[test] for run_sd in _RUN_SDS]
        assert found == sorted(found)
        assert found[0] <= most(0.075)
        assert found[2] > most(0.15)


@pytest.mark.parametrize("run_sd", _RUN_SDS)
def test_published_tests_of_few_runs_reject_far_too_often(run_sd: float) -> None:
    for test in ("fu-bootstrap", "fu-ar"):
        assert null((3, 3), run_sd)[test] > most(0.10)


def test_tests_that_hold_the_test_set_fixed_reject_far_too_often_where_runs_have_much_in_common() -> None:
    """What all runs of a system have in common varies with the test set, and their scores do not show it."""
    p = p_values(CrossedEffects((5, 5), 0.0, 0.1, segments=_SEGMENTS, seed=9), ["welch", "run-permutation", "crossed"])
    welch, regrouped, crossed = (p <= 0.05).sum(1).tolist()
    assert min(welch, regrouped) > most(0.3)
    assert crossed <= most(BOUND)


def test_crossed_finds_what_is_there() -> None:
    """More often the larger the gain, the less runs vary, and the more of them there are."""

    def power(counts: tuple[int, int], run_sd: float, gain: float) -> float:
        make = CrossedEffects(counts, run_sd, 0.5, gain=gain, segments=_SEGMENTS, seed=10)
        return float((p_values(make, ["crossed"], 150) <= 0.05).mean())

    middle = power((3, 3), 1.0, 3.5)
    assert power((3, 3), 1.0, 0.0) < 0.15 < middle < 0.9 < power((3, 3), 1.0, 9.0)
    assert power((3, 3), 2.0, 3.5) < middle < power((3, 3), 0.0, 3.5)
    assert power((2, 2), 1.0, 3.5) < middle < power((5, 5), 1.0, 3.5)


def test_effects_are_what_they_are_said_to_be() -> None:
    """Variances of the difference over repetitions: 1 over segments, and the run effects' own over m."""
    for counts, run_sd, residual in (((2, 2), 0.0, 0.5), ((2, 5), 0.0, 1.0), ((3, 3), 2.0, 0.5)):
        make = CrossedEffects(counts, run_sd, residual, segments=20)
        pair = Pair(0, 1)
        deltas = np.array([Trial(make(number), (pair,)).delta((0, pair)) for number in range(1500)])
        expected = 1.0 + run_sd**2 * (1 / counts[0] + 1 / counts[1])
        assert deltas.var() == pytest.approx(expected, rel=5 * np.sqrt(2 / 1500))
        assert deltas.mean() == pytest.approx(0.0, abs=5 * np.sqrt(expected / 1500))
    with_gain = CrossedEffects((2, 2), 0.0, 0.5, gain=3.0, segments=20)
    gains = [Trial(with_gain(number), (pair,)).delta((0, pair)) for number in range(300)]
    assert np.mean(gains) == pytest.approx(3.0, abs=5 / np.sqrt(300))


def test_cells_do_not_depend_on_processes() -> None:
    repetitions = {"crossed": 4, "welch": 2}
    makers = [CrossedEffects((2, 2), 1.0, 0.5, seed=seed) for seed in (1, 2)]
    cells = [Cell("simulated", ("a",), make, repetitions, 49) for make in makers]
    alone, together = (list(runs.run(cells, jobs)) for jobs in (1, 2))
    for one, other in zip(alone, together, strict=True):
        assert {test: p.shape for test, p in one.p.items()} == {"crossed": (1, 4), "welch": (1, 2)}
        for test in one.p:
            np.testing.assert_array_equal(one.p[test], other.p[test])


def test_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(runs, "_POOL", tmp_path / "nothing")
    monkeypatch.setattr(runs, "_COUNTS", ((2, 2), (2, 3)))
    page = tmp_path / "page.md"
    few = ["--draws", "2", "--repetitions", "5", "--resamples", "19", "--jobs", "1", "--output", str(page)]
    write_page(few)
    text = page.read_text(encoding="utf-8")
    assert "# Calibration of tests of several runs" in text
    assert text.count("Left out") == 4
    for name in ("simulated", "unequal", "simulated-rows", "simulated-uneven-runs"):
        path = f"data/calibration-of-runs-{name}.csv"
        made, held = ((folder / path).read_text(encoding="utf-8") for folder in (tmp_path, ROOT / "docs" / "studies"))
        assert made.splitlines()[0] == held.splitlines()[0]
    assert "fu-bootstrap" in text
    assert "`crossed` rejects at most 6.5 %" in capsys.readouterr().out
    for option, word in (("--rows", "`fu-rows-ar` draw"), ("--uneven", "takes its runs to vary")):
        page.write_text(text.replace(word, "another"), encoding="utf-8")
        write_page([option, *few])
        assert page.read_text(encoding="utf-8") == text
