"""The size and power of the crossed test with training samples: fixed seeds, few repetitions, wide bounds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks import training_samples
from benchmarks.data import ROOT
from benchmarks.runs import BOUND
from benchmarks.training_samples import NestedEffects
from benchmarks.training_samples import main as write_page
from truegain.procedures.base import Pair, Trial
from truegain.studies.calibrate import measure

_REPETITIONS = 200
_MOST = int(binom.ppf(1 - 1e-4, _REPETITIONS, BOUND))  # what a true rate of the bound exceeds once in ten thousand


def rejections(make: NestedEffects, test: str = "crossed", repetitions: int = _REPETITIONS) -> int:
    return int((measure(make, [test], repetitions=repetitions, resamples=99) <= 0.05).sum())


@pytest.mark.parametrize("correlation", [None, 0.0, 0.7])
@pytest.mark.parametrize(("samples", "runs", "ratio"), [(3, 1, 4.0), (3, 2, 1.0), (5, 2, 4.0)])
def test_crossed_keeps_its_level(samples: int, runs: int, ratio: float, correlation: float | None) -> None:
    assert 0 < rejections(NestedEffects(samples, runs, 2.0, ratio, correlation, seed=3)) <= _MOST


def test_tests_that_hold_samples_fixed_reject_far_too_often() -> None:
    assert rejections(NestedEffects(3, 2, 2.0, seed=4), "ar") > int(binom.ppf(1 - 1e-4, _REPETITIONS, 0.15))


def test_matched_samples_find_more_than_the_same_samples_as_if_independent() -> None:
    make = NestedEffects(3, 1, 2.0, 1.0, 0.9, gain=5.0, seed=5)
    apart = NestedEffects(3, 1, 2.0, 1.0, 0.9, gain=5.0, named_apart=True, seed=5)
    assert rejections(make, repetitions=60) > rejections(apart, repetitions=60) + 6


def test_effects_are_what_they_are_said_to_be() -> None:
    """Variances of the difference over repetitions: 1 over segments, and those of samples and runs by number."""
    pair = Pair(0, 1)
    for correlation, ratio in ((None, 4.0), (0.7, 1.0)):
        make = NestedEffects(3, 2, 2.0, ratio, correlation)
        deltas = np.array([Trial(make(number), (pair,)).delta((0, pair)) for number in range(500)])
        shared = 2.0 * (correlation or 0.0) * 4.0 * ratio**0.5 / 3 + 2.0 * (correlation or 0.0) * 0.25 / 2
        expected = 1.0 + 4.0 * (1.0 + ratio) / 3 + 2 * 0.25 / 6 - shared
        assert deltas.var() == pytest.approx(expected, rel=5 * np.sqrt(2 / 500))


def test_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(training_samples, "_POOL", tmp_path / "nothing")
    monkeypatch.setattr(training_samples, "_RUNS", (1,))
    monkeypatch.setattr(training_samples, "_SAMPLES", (3,))
    page = tmp_path / "page.md"
    write_page(["--repetitions", "5", "--resamples", "19", "--jobs", "1", "--output", str(page)])
    text = page.read_text(encoding="utf-8")
    assert "# Calibration of the crossed test with training samples" in text
    assert "Left out" in text
    assert "\nmatched, 0.7  " in text
    held = ROOT / "docs" / "studies"
    for name in ("nulls", "power"):
        path = f"data/calibration-of-training-data-{name}.csv"
        made, whole = ((folder / path).read_text(encoding="utf-8") for folder in (tmp_path, held))
        assert f"({path})" in text
        assert "matched, 0.7" in made
        assert made.splitlines()[0] == whole.splitlines()[0]
    assert "`crossed` rejects" in capsys.readouterr().out
