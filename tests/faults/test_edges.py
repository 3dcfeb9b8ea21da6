"""The edges of what is defined: no match, nothing at all, one of everything, ties, numbers beyond every size."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("edge_cases.py")


def _loaded() -> ModuleType:
    """The cases; tests are no packages, so that a neighbour is imported by its place."""
    found = importlib.util.spec_from_file_location("edge_cases", PROGRAM)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


cases: Any = _loaded()


@pytest.mark.parametrize("study", cases.STUDIES)
@pytest.mark.parametrize("case", cases.CASES)
def test_every_study_answers_or_refuses(study: str, case: str) -> None:
    for metric in ("bleu", "ter"):
        found = cases.outcome(study, case, metric, ("terminal", "md", "latex", "csv"))
        assert found.startswith(("{", "refused: ")), found[:200]


@pytest.mark.parametrize("metric", cases.TEXT_METRICS)
@pytest.mark.parametrize("case", cases.CASES)
def test_every_metric_scores_everything(metric: str, case: str) -> None:
    result = tg.score(*cases.CASES[case], metrics=[metric], resamples=10, jobs=1)
    assert all(math.isfinite(one.score) for one in result.scores)


ERRORS = {"ter", "wer", "per", "cer"}
DEFINED = {
    # Nothing given where something was wanted: all wrong, or none right.
    "empty outputs": {m: 100.0 if m in ERRORS else 0.0 for m in cases.TEXT_METRICS},
    "no match": {
        m: 100.0 if m in ERRORS else 0.0
        for m in cases.TEXT_METRICS
        if m not in ("cer", "length")  # blanks match
    },
    "perfect": {
        m: 0.0 if m in ERRORS else 100.0
        for m in cases.TEXT_METRICS
        if m not in ("nist", "exact")  # NIST has no bound; the blank at the end is not exact
    },
}


@pytest.mark.parametrize("case", DEFINED)
def test_what_metrics_are_there(case: str) -> None:
    for metric, expected in DEFINED[case].items():
        result = tg.score(*cases.CASES[case], metrics=[metric], resamples=5, jobs=1)
        assert result.scores[0].score == pytest.approx(expected), metric


def test_ties_are_ties() -> None:
    result = tg.compare(*cases.CASES["ties"], metrics=["bleu", "ter"], resamples=40, jobs=1)
    assert [(one.delta, one.p) for one in result.comparisons] == [(0.0, 1.0)] * 2


def test_without_compiled_kernels_the_same(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)

    def printed(source: Path) -> dict[str, str]:
        environment = {**os.environ, "PYTHONPATH": str(source)}
        done = subprocess.run([sys.executable, str(PROGRAM)], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found: dict[str, str] = json.loads(done.stdout)
        return found

    compiled, plain = printed(ROOT / "src"), printed(tmp_path / "src")
    assert compiled.pop("not compiled") == ""
    kernels = sorted(path.stem for path in (ROOT / "src/truegain/kernels").glob("[!_]*.py"))
    assert plain.pop("not compiled").split() == kernels
    assert len(plain) == 3 * len(cases.CASES) * len(cases.TEXT_METRICS)
    assert compiled == plain


# ---- Numbers beyond every size


@pytest.mark.parametrize("size", [2**24, 2**31, 2**40])
def test_large_counts_are_exact(size: int) -> None:
    # Sums past single precision, 32 bits and most of 53: the score is the nearest number to the true one.
    values = [size + one for one in (1, 0, 3, 1, 7, 0)]
    gain = size >> 10
    scores = {"base": np.array(values, float), "new": np.array([one + gain for one in values], float)}
    result = tg.compare(None, scores, metrics=["scores"], test=["ar", "bootstrap"], resamples=50, jobs=1)
    expected = [float(Fraction(sum(values), 6)), float(Fraction(sum(values) + 6 * gain, 6))]
    assert [one.score for one in result.scores] == expected
    assert all(one.delta == expected[1] - expected[0] for one in result.comparisons)
    assert {one.p for one in result.comparisons if one.test == "bootstrap"} == {1 / 51}


@pytest.mark.parametrize("size", [2.0**53, 2.0**60, 1e100, 1e307])
def test_beyond_exactness_they_are_near_or_refused(size: float) -> None:
    scores = {"base": np.array([size, 2 * size, size]), "new": np.array([2 * size, 3 * size, 2.5 * size])}
    if size > 1e60:
        with refused():
            tg.compare(None, scores, metrics=["scores"], resamples=50, jobs=1)
        return
    result = tg.compare(None, scores, metrics=["scores"], resamples=50, jobs=1)
    assert result.comparisons[0].delta == pytest.approx(size * 3.5 / 3, rel=1e-12)


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("study", [tg.score, tg.compare, tg.rank, tg.gate, tg.plan, tg.threshold, tg.inspect])
def test_scores_that_are_no_numbers_are_refused(study: Any, odd: float) -> None:
    scores = {name: np.array([0.1, odd if name == "new" else 0.2, 0.3]) for name in ("base", "new")}
    with refused():
        study(None, scores, metrics=["scores"])


@pytest.mark.parametrize("value", [0.0, 1.0, -3.5, 1e-300])
def test_constant_scores(value: float) -> None:
    scores = {"base": np.full(6, value), "new": np.full(6, value + 1)}
    result = tg.compare(None, scores, metrics=["scores"], test=["ar", "bootstrap", "t", "sign"], resamples=50, jobs=1)
    assert all(one.p is None or 0 < one.p <= 1 for one in result.comparisons)
    assert [one.score for one in result.scores] == pytest.approx([value, value + 1])
