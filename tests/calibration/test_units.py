"""The unit of nulls on the 20 systems of newstest2011, and the page that ``python -m benchmarks.units`` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import units
from benchmarks.data import REAL_DATA
from truegain.experiment import Experiment
from truegain.studies.calibrate import calibrate

pytestmark = pytest.mark.skipif(not (REAL_DATA / "wmt11_deen").exists(), reason="the real data are not here")


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return units.prepared(units.newstest2011(9))


def test_documents_of_real_systems_show_what_segments_cost(experiment: Experiment) -> None:
    """Two systems 0.2 BLEU apart, of whose difference documents have 1.7 times the standard error of segments."""
    two = experiment.regrouped({"system4": [3], "system9": [8]}).corpus
    options: dict[str, Any] = {"metrics": ["bleu"], "test": "ar", "repetitions": 150, "resamples": 199}
    on_segments = calibrate(two, unit="segment", **options)["bleu", "ar"]
    on_documents = calibrate(two, unit="document", **options)["bleu", "ar"]
    assert on_segments.verdict == "too often"
    assert on_segments.size.rate == pytest.approx(0.25, abs=0.1)  # 2 Φ(−1.96 / 1.7)
    assert on_documents.verdict != "too often"


def test_levelled_nulls_have_the_standard_error_of_the_data(experiment: Experiment) -> None:
    bins = units.levelling(experiment)
    assert sum(one.pairs for one in bins) == 9 * 8 // 2
    for one in bins:
        assert 0.85 < one.level[1] < 1.03
    assert bins[-1].plain[1] > 1.3


def test_page(experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "newstest2011", lambda: experiment.corpus)
    monkeypatch.setattr(units, "neighbours", lambda _: [(3, 8)])
    page = tmp_path / "page.md"
    units.main(["--datasets", "2", "--resamples", "19", "--jobs", "1", "--output", str(page)])
    text = page.read_text(encoding="utf-8")
    assert "system4 and system9," in (tmp_path / "data" / "calibration-of-units.csv").read_text(encoding="utf-8")
    assert max(len(line) for line in text.splitlines() if not line.startswith("|")) <= 120
    rows = [line.count("|") for line in text.splitlines() if line.startswith("|")]
    assert set(rows) == {len(units.COLUMNS) + 4, 6}
