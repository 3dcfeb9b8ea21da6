"""Simulated metrics of which neither is better, what tests make of them, and the page."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from benchmarks import metric_tests
from benchmarks.data import ROOT
from benchmarks.metric_tests import NULLS, TESTS, Null, People
from truegain.agreement.judged import Judged, standardised

SYSTEMS, SEGMENTS = 7, 24


def made(seed: int = 1) -> People:
    random = np.random.default_rng(seed)
    scores = np.round(random.normal(0, 1, (SYSTEMS, SEGMENTS)) + np.linspace(0, 1, SYSTEMS)[:, None], 1)
    return People(scores, np.arange(SEGMENTS) // 3)


def biases(null: Null) -> np.ndarray:
    """Return what a bias adds to two metrics of the first data set."""
    return null.judged(made(), 0).metrics - Null(0.0).judged(made(), 0).metrics


def test_a_bias_is_of_systems_and_the_same_or_each_metrics_own() -> None:
    same, own = biases(Null(0.3)), biases(Null(0.3, shared=False))
    np.testing.assert_allclose(same, same[:, :, :1].repeat(SEGMENTS, axis=2))
    np.testing.assert_allclose(same[0], same[1])
    np.testing.assert_allclose(own[0], same[0])
    assert np.abs(own[0] - own[1]).max() > 0.1
    judged = Null(0.0).judged(made(), 5)
    noise = judged.metrics - standardised(made().scores, (0, 1))
    assert noise.std() == pytest.approx(1.0, abs=0.15)
    assert judged.human is not None
    assert len({null.name for null in NULLS}) == len(NULLS)


def test_a_metric_that_is_better_is_told_apart_by_every_test_of_translations() -> None:
    own = made()
    noise = np.random.default_rng(3).standard_normal((2, SYSTEMS, SEGMENTS))
    judged = Judged.of(own.scores, own.scores + noise * np.array([0.1, 30.0])[:, None, None], own.documents)
    found = dict(zip(TESTS, metric_tests.p_values(judged, resamples=99, seed=1), strict=True))
    assert all(p <= 0.05 for (measure, _), p in found.items() if measure in ("acc23", "pearson"))
    assert all(0.0 < p <= 1.0 for p in found.values())


def test_data_sets_have_seeds_of_their_own() -> None:
    parts = [metric_tests.rejections(made(), NULLS[-1], numbers, 19) for numbers in (range(4), range(4, 6), range(6))]
    assert [one + other for one, other in zip(*parts[:2], strict=True)] == parts[2]
    assert sum(parts[2]) > 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two test sets as mt-metrics-eval has them."""
    for number, pair in enumerate(("en-de", "zh-en")):
        own = made(number)
        for name, noise in (("good-src", 0.1), ("poor-src", 3.0), (None, 0.0)):
            scores = own.scores + noise * np.random.default_rng(number).standard_normal(own.scores.shape)
            path = f"metric-scores/{pair}/{name}.seg.score.gz" if name else f"human-scores/{pair}.mqm.seg.score.gz"
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            lines = [f"s{system}\t{score}\n" for system, row in enumerate(scores) for score in row]
            (tmp_path / path).write_bytes(gzip.compress("".join(lines).encode()))
        (tmp_path / "documents").mkdir(exist_ok=True)
        labels = "".join(f"news\td{one}\n" for one in own.documents)
        (tmp_path / f"documents/{pair}.docs.gz").write_bytes(gzip.compress(labels.encode()))
    return tmp_path


def test_the_page_is_the_same_whatever_the_number_of_processes(folder: Path) -> None:
    pages = []
    for jobs in ("1", "2"):
        page = folder / jobs / "wmt23-metrics.md"
        few = ["--sets", "12", "--resamples", "19", "--folder", str(folder), "--output", str(page)]
        metric_tests.main([*few, "--jobs", jobs])
        pages.append(page.read_text(encoding="utf-8"))
        for name in ("wmt23-metrics.csv", "wmt23-metrics-sizes.csv"):
            made, held = (one / "data" / name for one in (page.parent, ROOT / "docs" / "studies"))
            lines = [path.read_text(encoding="utf-8").splitlines() for path in (made, held)]
            assert lines[0][0] == lines[1][0]
            assert len(lines[0]) == (1 + len(TESTS) * len(NULLS) if "sizes" in name else 1 + 2 * 2 * 6)
    assert pages[0] == pages[1]
    assert "12 data sets" in pages[0]
    assert "good-src" in pages[0]


def test_data_that_are_not_there_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        metric_tests.main(["--folder", str(tmp_path / "none")])
    assert "there is no folder" in capsys.readouterr().err
