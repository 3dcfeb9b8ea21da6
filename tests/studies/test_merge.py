"""A merge of sums: the scores of a comparison, tests as they are defined, and tables that say what was found."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import truegain as tg
from truegain.errors import InputError
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import small_sample_factor
from truegain.metrics.bleu import BLEU
from truegain.report.model import Paragraph, Table
from truegain.simulation import SystemSpec, simulate
from truegain.streaming.sums import Sums
from truegain.studies.merge.result import MergeResult

NAMES = {"a": 0.6, "b": 0.63, "c": 0.9}
MADE = simulate(segments=120, systems=[SystemSpec(name=name, quality=q, runs=2) for name, q in NAMES.items()])
REFERENCE = list(MADE.references[0])
RUNS = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}
FIRST = {name: runs[0] for name, runs in RUNS.items()}
DOCUMENTS = list(MADE.documents)
METRICS = ["bleu", "ter", "rouge1"]


def sums(systems: Any = None, *, segments: slice = slice(None), **options: Any) -> Sums:
    chosen = FIRST if systems is None else systems
    several = {
        name: [run[segments] for run in given] if isinstance(given[0], list) else given[segments]
        for name, given in chosen.items()
    }
    options = {"metrics": METRICS, "resamples": 400, "jobs": 1, **options}
    return tg.stats(REFERENCE[segments], several, first=(segments.start or 0) + 1, **options)


@pytest.fixture(scope="module")
def held() -> Sums:
    return sums()


@pytest.fixture(scope="module")
def result(held: Sums) -> MergeResult:
    return tg.merge(held)


@pytest.mark.parametrize("systems", [FIRST, RUNS], ids=["one run", "runs"])
def test_scores_are_those_of_a_comparison(systems: Any) -> None:
    merged = tg.merge(sums(systems))
    compared = tg.compare(REFERENCE, systems, metrics=METRICS, resamples=400, changed_segments=0)
    for one, other in zip(merged.scores, compared.scores, strict=True):
        assert (one.name, one.metric, one.runs) == (other.name, other.metric, other.runs)
        assert one.score == pytest.approx(other.score, abs=0.0 if one.metric != "rouge1" else 1e-5)
        assert one.run_scores == pytest.approx(other.run_scores, abs=1e-5)
        assert one.interval is not None
        assert other.interval is not None
        width = other.interval.high - other.interval.low
        assert one.interval.low == pytest.approx(other.interval.low, abs=0.15 * width)
        assert one.interval.high == pytest.approx(other.interval.high, abs=0.15 * width)
    for pair in merged:
        other_pair = compared[pair.metric, pair.system]
        assert pair.delta == pytest.approx(other_pair.delta, abs=1e-5)


def test_both_tests_as_they_are_defined(held: Sums, result: MergeResult) -> None:
    bleu = BLEU()
    totals = held.totals[:30].reshape(3, 10).astype(np.float64)
    resampled = bleu.score(held.poisson[:, :30].reshape(-1, 3, 10).astype(np.float64))
    swapped = held.swaps[:, :30].reshape(-1, 3, 10).astype(np.float64)
    scores = bleu.score(totals)
    factor = small_sample_factor(120, 120)
    plain: dict[str, list[float]] = {"ar": [], "poisson-bootstrap": []}
    for place, name in ((1, "b"), (2, "c")):
        delta = scores[place] - scores[0]
        gains = resampled[:, place] - resampled[:, 0]
        shift = swapped[:, place] - swapped[:, 0]
        null = bleu.score(totals[place] - shift) - bleu.score(totals[0] + shift)
        pair = result["bleu", name]
        assert pair.delta == delta
        assert pair.exceedances_ar == np.count_nonzero(np.abs(null) >= abs(delta) - 1e-9 * scores.max())
        deviations = np.abs(gains - delta) * factor
        assert pair.exceedances_bootstrap == np.count_nonzero(deviations >= abs(delta) - 1e-9 * scores.max())
        assert pair.p_ar is not None
        assert pair.p_ar == (np.count_nonzero(np.abs(null) >= abs(delta) - 1e-9 * scores.max()) + 1) / 401
        assert pair.p_bootstrap == (pair.exceedances_bootstrap + 1) / 401
        low, high = delta + factor * (np.quantile(gains, (0.025, 0.975)) - delta)
        assert (pair.interval.low, pair.interval.high) == pytest.approx((low, high))
        plain["ar"].append(pair.p_ar)
        plain["poisson-bootstrap"].append(pair.p_bootstrap)
    for test, p_values in plain.items():
        expected = adjust(p_values, "holm")
        assert [pair.p_adjusted(test) for pair in result.of("bleu")] == pytest.approx(expected)


def test_p_values_are_near_those_of_a_comparison() -> None:
    """Other coins and other weights: within five Monte-Carlo standard errors, and a little for the weights."""
    merged = tg.merge(sums(resamples=4000))
    compared = tg.compare(
        REFERENCE, FIRST, metrics=METRICS, test=["ar", "bootstrap"], resamples=4000, changed_segments=0
    )
    for pair in merged:
        for test, p in (("ar", pair.p_ar), ("bootstrap", pair.p_bootstrap)):
            other = compared[pair.metric, pair.system, test].p
            assert p == pytest.approx(other, abs=5 * math.sqrt(2 * other * (1 - other) / 4000) + 0.01)


def test_documents_make_the_intervals_wider() -> None:
    """One weight for four segments that are the same: twice the standard error."""
    four = {name: [line for line in lines for _ in range(4)] for name, lines in FIRST.items()}
    reference = [line for line in REFERENCE for _ in range(4)]
    options: dict[str, Any] = {"metrics": ["bleu"], "resamples": 2000, "jobs": 1}
    documents = [f"d{i // 4}" for i in range(480)]
    by_segment = tg.merge(tg.stats(reference, four, **options))
    by_document = tg.merge(tg.stats(reference, four, documents=documents, **options))
    assert (by_document.unit, by_document.n_units, by_document.testset.documents) == ("document", 120, 120)
    widths = [one["bleu", "b"].interval.high - one["bleu", "b"].interval.low for one in (by_document, by_segment)]
    assert widths[0] / widths[1] == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_the_order_of_shards_does_not_matter(result: MergeResult, order: tuple[int, ...], tmp_path: Any) -> None:
    shards = [sums(segments=slice(a, b)) for a, b in ((0, 50), (50, 51), (51, 120))]
    for number, shard in enumerate(shards):
        shard.save(tmp_path / f"{number}.sums")
    assert tg.merge([shards[place] for place in order]) == result
    assert tg.merge([tmp_path / f"{place}.sums" for place in order]) == result
    half = shards[order[0]] + shards[order[1]]
    half.save(tmp_path / "half.sums")
    assert tg.merge([str(tmp_path / "half.sums"), shards[order[2]]]) == result


def test_gaps_are_said() -> None:
    merged = tg.merge([sums(segments=slice(a, b)) for a, b in ((60, 90), (10, 40), (91, 120))])
    assert merged.notes[0] == "Not among the shards: segments 1 to 10, 41 to 60, 91"
    assert merged.testset.segments == 89


def test_the_same_outputs_are_the_same() -> None:
    merged = tg.merge(sums({"a": FIRST["a"], "copy": FIRST["a"]}))
    pair = merged["bleu", "copy"]
    assert (pair.delta, pair.p_ar, pair.p_bootstrap, pair.significant, pair.differing) == (0.0, 1.0, 1.0, False, 0)
    assert merged.verdicts()[0] == "copy and a are the same to BLEU."


def test_one_segment_of_many_is_not_significant() -> None:
    changed = ["nothing like it", *FIRST["a"][1:]]
    merged = tg.merge(sums({"a": FIRST["a"], "b": changed}))
    pair = merged["bleu", "b"]
    assert pair.differing == 1
    assert pair.p_ar == 1.0
    assert not pair.significant
    assert any(
        "only 1 of 120 segments differ, so no exact p of randomization is below 1" in one for one in merged.notes
    )


def test_runs_that_are_copies_are_left_out() -> None:
    merged = tg.merge(sums({"a": [FIRST["a"], FIRST["a"]], "b": RUNS["b"]}))
    assert [one.runs for one in merged.scores[:2]] == [1, 2]
    assert any("a.2 has the statistics of a.1 on every segment and was left out" in one for one in merged.notes)
    assert merged.test == "poisson-bootstrap"
    assert merged["bleu", "b"].p_ar is None
    assert merged.scores[0].score == tg.score(REFERENCE, {"a": FIRST["a"]}, resamples=9)["bleu", "a"].score


def test_runs_that_cannot_be_paired() -> None:
    held = sums({"a": FIRST["a"], "b": RUNS["b"], "c": FIRST["c"]})
    merged = tg.merge(held)
    assert [pair.p_ar is None for pair in merged.of("bleu")] == [True, False]
    assert [pair.differing is None for pair in merged.of("bleu")] == [True, False]
    assert merged.test == "poisson-bootstrap"
    assert any(note.startswith("b has not as many runs as the baseline") for note in merged.notes)
    with pytest.raises(InputError, match="swaps runs in pairs, and 'b' has not as many as 'a'"):
        tg.merge(held, test="ar")
    assert "ar" in tg.merge(held, baseline="c").used()[1]


def test_the_verdict_goes_by_the_test_that_decides(held: Sums, result: MergeResult) -> None:
    assert result.test == "ar"
    other = tg.merge(held, test="poisson-bootstrap", adjustment="none", alpha=0.2, interval="normal")
    assert "the Poisson bootstrap, p" in other.verdicts()[0]
    for one in (result, other):
        for pair in one:
            p = pair.p_adjusted(one.test)
            assert p is not None
            assert pair.significant == (p <= one.alpha)
            assert pair.better == ((pair.delta > 0) if pair.significant else None)
    assert result["bleu", "c"].better is True
    assert result["ter", "c"].delta > 0  # positive where the system is better, also where lower scores are better
    assert tg.merge(held, baseline="c")["ter", "a"].better is False


def test_tests_that_disagree_are_said(held: Sums) -> None:
    pair = tg.merge(held, adjustment="none")["bleu", "b"]
    assert pair.p_ar is not None
    low, high = sorted((pair.p_ar, pair.p_bootstrap))
    assert low < high
    merged = tg.merge(held, adjustment="none", alpha=(low + high) / 2)
    said = [one.text for one in merged.document().items if isinstance(one, Paragraph)]
    assert any(one.startswith("b, BLEU: the two tests disagree at") for one in said)


def test_custom_metrics_are_given_again() -> None:
    metric = tg.CustomMetric(
        name="words",
        segment_statistics=lambda outputs, references: [[len(one.split()), 1] for one in outputs],
        total_score=lambda totals: totals[..., 0] / totals[..., 1],
        statistic_names=("words", "segments"),
    )
    held = sums(metrics=[metric])
    assert tg.merge(held, metrics=[metric]).score("words", "a").score == np.mean([len(x.split()) for x in FIRST["a"]])
    with pytest.raises(InputError, match="the sums are of the metric 'words', which cannot be had here"):
        tg.merge(held)
    with pytest.raises(InputError, match="the sums are not of the metric 'words'"):
        tg.merge(sums(), metrics=[metric])


def test_metrics_of_another_version() -> None:
    from dataclasses import replace

    held = sums(metrics=["bleu"])
    part = replace(held.description.metrics[0], signature="nrefs:1|version:0.0")
    other = replace(held, description=replace(held.description, metrics=(part,)))
    with pytest.raises(InputError, match="make the shards again, or merge them with the truegain that made them"):
        tg.merge(other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "d"}, "the baseline must be one of a, b, c"),
        ({"test": "bootstrap"}, "^test must be one of"),
        ({"adjustment": "maxt"}, "adjustment must be one of"),
        ({"interval": "bca"}, "interval must be one of"),
        ({"alpha": 0.0}, "alpha must be between 0 and 1"),
    ],
)
def test_refusals(held: Sums, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tg.merge(held, **options)


def test_too_few_units() -> None:
    with pytest.raises(InputError, match="there is only one segment"):
        tg.merge(sums(segments=slice(0, 1)))
    with pytest.raises(InputError, match="there is only one document"):
        tg.merge(sums(documents=["d"] * 120))
    with pytest.raises(InputError, match=r"resamples drew none of the 2 segments: they are too few"):
        tg.merge(sums(segments=slice(0, 2)))
    few = tg.merge(sums(segments=slice(0, 15), resamples=20))
    assert any(note.startswith("With only 15 segments") for note in few.notes)


def test_too_few_resamples_are_said() -> None:
    few = tg.merge(sums(resamples=19))
    assert any(note.startswith("With 19 resamples no p of 2 comparisons can be below 0.05") for note in few.notes)
    # To merge, no number of resamples is given.
    narrow = "With 19 resamples intervals are too narrow for 95 %; make the shards with 39 --resamples or more"
    assert narrow in few.notes


def test_one_system_has_scores_alone() -> None:
    merged = tg.merge(sums({"a": FIRST["a"]}))
    assert merged.baseline is None
    assert merged.signature.startswith("merge|unit:segment|alpha:0.05|ci:percentile|R:")
    assert (merged.pairs, merged.verdicts(), merged.pictures()) == ((), [], ())
    assert [record["system"] for record in merged.to_records()] == ["a"] * 3
    tables = [item for item in merged.document().items if isinstance(item, Table)]
    assert [column.heading for column in tables[0].columns] == ["BLEU ↑", "score", "95 % CI"]
    assert merged.methods().startswith(
        "Intervals of BLEU, TER and ROUGE-1 are 95 % percentile intervals of the Poisson"
    )


def test_the_table(result: MergeResult) -> None:
    table = next(item for item in result.document().items if isinstance(item, Table))
    headings = [column.heading for column in table.columns]
    assert headings == ["BLEU ↑", "score", "95 % CI", "Δ", "95 % CI of Δ", "p AR adj.", "p boot. adj.", ""]
    assert [row[0].text for row in table.rows] == ["a", "b", "c"]
    assert table.rows[0][4].text == "baseline"
    assert table.rows[2][-1].text == "*"
    assert "Hanley and MacGibbon 2006" in result.methods()
    assert "hanley2006creating" in result.render("html")
    picture = result.picture("forest")
    assert "c +" in picture.drawing.alt


def test_intervals_of_all_kinds(held: Sums) -> None:
    found = {kind: tg.merge(held, interval=kind)["bleu", "b"] for kind in ("percentile", "basic", "normal")}
    for kind, pair in found.items():
        assert pair.interval.method == kind
        assert pair.interval.low < pair.delta < pair.interval.high
    gains = BLEU().score(held.poisson[:, :20].reshape(-1, 2, 10).astype(np.float64))
    reach = norm.ppf(0.975) * float((gains[:, 1] - gains[:, 0]).std()) * small_sample_factor(120, 120)
    assert found["normal"].interval.high == pytest.approx(found["normal"].delta + reach)
    mirrored = 2 * found["basic"].delta - found["percentile"].interval.low
    assert found["basic"].interval.high == pytest.approx(mirrored)
