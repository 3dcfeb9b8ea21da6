"""What a comparison's report holds beyond its document."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.refusals import kinds
from truegain.report.page import Quotation, Segments
from truegain.studies.compare import study

MADE = simulate(segments=60, systems=[SystemSpec(name=n, quality=q, runs=3) for n, q in (("a", 0.6), ("b", 0.8))])
REFERENCE = list(MADE.references[0])
RUNS: dict[str, Any] = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}


def compared(**options: Any) -> Any:
    return tg.compare(REFERENCE, RUNS, resamples=99, **options)


def test_segments_between_the_median_runs() -> None:
    result = compared(metrics=["bleu", "ter"])
    pairs = [(pair.metric, pair.baseline, pair.system) for pair in result.changed_segments]
    assert pairs == [("bleu", "a", "b"), ("ter", "a", "b")]
    for pair in result.changed_segments:
        medians = {one.system: one.median_run for one in result.variability if one.metric == pair.metric}
        assert (pair.baseline_run, pair.system_run) == (medians["a"], medians["b"])
        assert 0 < len(pair.up) <= 10
        for one in pair.up:
            assert one.contribution > 0
            assert one.references == (REFERENCE[one.number - 1],)
            run = int(pair.system_run.rpartition(".")[2]) - 1
            assert one.system_output == RUNS["b"][run][one.number - 1]
    (section,) = result.appendix()
    (item,) = section.items
    assert isinstance(item, Segments)
    assert item.pairs == result.changed_segments


@pytest.mark.parametrize(("asked", "most"), [(0, 0), (3, 3), (None, 10)])
def test_as_many_as_asked_for(asked: int | None, most: int) -> None:
    result = compared(changed_segments=asked)
    assert max((len(pair.up) for pair in result.changed_segments), default=0) == most
    assert bool(result.appendix()) == (most > 0)
    assert "no-segments" not in kinds(result.notes)


def test_fewer_where_there_are_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "_MOST_LISTED", 8)
    assert {len(pair.up) for pair in compared(metrics=["bleu", "chrf"]).changed_segments} == {2}
    monkeypatch.setattr(study, "_MOST_LISTED", 3)
    result = compared(metrics=["bleu", "chrf"])
    assert result.changed_segments == ()
    assert "no-segments" in kinds(result.notes)
    assert len(compared(metrics=["bleu", "chrf"], changed_segments=1).changed_segments) == 2


def test_a_metric_without_scores_of_swaps_is_compared_all_the_same() -> None:
    def statistics(outputs: Any, references: Any) -> Any:
        return [(float(len(output)), float(i < 3)) for i, output in enumerate(outputs)]

    def score(totals: Any) -> Any:
        # Defined on the totals of either system and of resamples, not on every mixture of the two.
        return np.where(np.isin(totals[..., 0], totals_known), np.nan, totals[..., 0] / 100.0)

    outputs = {name: runs[0] for name, runs in RUNS.items()}
    lengths = {name: np.array([len(one) for one in texts], float) for name, texts in outputs.items()}
    totals_known = [lengths["b"].sum() - lengths["b"][0] + lengths["a"][0]]
    assert lengths["a"][0] != lengths["b"][0], "the first outputs must differ in length for this test"
    metric = tg.CustomMetric("odd", statistics, score, ("length", "early"))
    result = tg.compare(REFERENCE, outputs, metrics=[metric], test="t", resamples=19)
    assert result.changed_segments == ()
    assert "no-segments" in kinds(result.notes)


def test_what_to_cite() -> None:
    result = compared(metrics=["bleu", "chrf:word_order=2"], test=["ar", "wilcoxon"], adjust="bh")
    metrics, methods = result.used()
    assert metrics == ["bleu", "chrf"]
    assert {"truegain", "ar", "wilcoxon", "bh", "runs"} <= set(methods)
    quotations = [item for section in result.report().sections for item in section.items if isinstance(item, Quotation)]
    assert [one.label for one in quotations] == ["BibTeX"]
    for key in ("papineni2002bleu", "popovic2017chrfpp", "riezler2005pitfalls", "clark2011better", "wilcoxon1945"):
        assert key in quotations[0].text
    assert "koehn2004" not in quotations[0].text
