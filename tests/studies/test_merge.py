"""A merge of sums: the scores of a comparison, tests as they are defined, and tables that say what was found."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import truegain as tg
from tests.refusals import refused
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import small_sample_factor
from truegain.metrics.bleu import BLEU
from truegain.simulation import SystemSpec, simulate
from truegain.streaming.sums import Sums
from truegain.studies.compare.result import CompareResult
from truegain.studies.merge.study import merged_sums
from truegain.studies.score.result import ScoreResult

NAMES = {"a": 0.6, "b": 0.63, "c": 0.9}
MADE = simulate(segments=120, systems=[SystemSpec(name=name, quality=q, runs=2) for name, q in NAMES.items()])
REFERENCE = list(MADE.references[0])
RUNS = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}
FIRST = {name: runs[0] for name, runs in RUNS.items()}
METRICS = ["bleu", "ter", "rouge1"]
TESTS = ("ar", "poisson-bootstrap")


def sums(systems: Any = None, *, segments: slice = slice(None), **options: Any) -> Sums:
    chosen = FIRST if systems is None else systems
    several = {
        name: [run[segments] for run in given] if isinstance(given[0], list) else given[segments]
        for name, given in chosen.items()
    }
    options = {"metrics": METRICS, "resamples": 400, "jobs": 1, **options}
    return tg.stats(REFERENCE[segments], several, first=(segments.start or 0) + 1, **options)


def merge(shards: Any, **options: Any) -> CompareResult:
    result = tg.merge(shards, **options)
    assert isinstance(result, CompareResult)
    return result


@pytest.fixture(scope="module")
def held() -> Sums:
    return sums()


@pytest.fixture(scope="module")
def result(held: Sums) -> CompareResult:
    return merge(held)


@pytest.mark.parametrize("systems", [FIRST, RUNS], ids=["one run", "runs"])
def test_scores_are_those_of_a_comparison(systems: Any) -> None:
    merged = merge(sums(systems))
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


def test_both_tests_as_they_are_defined(held: Sums) -> None:
    bleu = BLEU()
    result = merge(held, interval="percentile")
    inverted = merge(held, interval="test")
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
        deviations = {"ar": np.abs(null), "poisson-bootstrap": np.abs(gains - delta) * factor}
        low, high = delta + factor * (np.quantile(gains, (0.025, 0.975)) - delta)
        share = swapped[:, [0, place], 1].sum(1) / totals[[0, place], 1].sum()  # of the words of the references
        ends = {
            "ar": (
                np.minimum((delta - null) / (2 * share), (delta + null) / (2 * (1 - share))),
                np.maximum((delta - null) / (2 * share), (delta + null) / (2 * (1 - share))),
            ),
            "poisson-bootstrap": (
                delta - deviations["poisson-bootstrap"],
                delta + deviations["poisson-bootstrap"],
            ),
        }
        for test in TESTS:
            pair = result["bleu", name, test]
            assert pair.delta == delta
            assert pair.resamples == 400
            reached = np.count_nonzero(deviations[test] >= abs(delta) - 1e-9 * scores.max())
            assert pair.p_value.exceedances == reached
            assert pair.p == (reached + 1) / 401
            assert (pair.interval.low, pair.interval.high) == pytest.approx((low, high))
            own = inverted["bleu", name, test].interval
            lows, highs = (np.sort(one) for one in ends[test])
            assert (own.low, own.high) == pytest.approx((lows[19], highs[-20]))
            assert own.method == "test"
            plain[test].append(pair.p)
    for test, p_values in plain.items():
        expected = adjust(p_values, "holm")
        assert [result["bleu", name, test].p_adjusted for name in "bc"] == pytest.approx(expected)


def test_p_values_are_near_those_of_a_comparison() -> None:
    """Other coins and other weights: within five Monte-Carlo standard errors, and a little for the weights."""
    merged = merge(sums(resamples=4000))
    compared = tg.compare(
        REFERENCE, FIRST, metrics=METRICS, test=["ar", "bootstrap"], resamples=4000, changed_segments=0
    )
    for pair in merged:
        other = compared[pair.metric, pair.system, "ar" if pair.test == "ar" else "bootstrap"].p
        assert pair.p == pytest.approx(other, abs=5 * math.sqrt(2 * other * (1 - other) / 4000) + 0.01)


def test_documents_make_the_intervals_wider() -> None:
    """One weight for four segments that are the same: twice the standard error."""
    four = {name: [line for line in lines for _ in range(4)] for name, lines in FIRST.items()}
    reference = [line for line in REFERENCE for _ in range(4)]
    options: dict[str, Any] = {"metrics": ["bleu"], "resamples": 2000, "jobs": 1}
    documents = [f"d{i // 4}" for i in range(480)]
    by_segment = merge(tg.stats(reference, four, **options))
    by_document = merge(tg.stats(reference, four, documents=documents, **options))
    assert (by_document.unit, by_document.n_units, by_document.testset.documents) == ("document", 120, 120)
    widths = [one["bleu", "b"].interval.high - one["bleu", "b"].interval.low for one in (by_document, by_segment)]
    assert widths[0] / widths[1] == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_the_order_of_shards_does_not_matter(result: CompareResult, order: tuple[int, ...], tmp_path: Any) -> None:
    shards = [sums(segments=slice(a, b)) for a, b in ((0, 50), (50, 51), (51, 120))]
    for number, shard in enumerate(shards):
        shard.save(tmp_path / f"{number}.sums")
    assert merge([shards[place] for place in order]) == result
    assert merge([tmp_path / f"{place}.sums" for place in order]) == result
    half = shards[order[0]] + shards[order[1]]
    half.save(tmp_path / "half.sums")
    assert merge([str(tmp_path / "half.sums"), shards[order[2]]]) == result


def test_runs_of_shards_are_added_by_name_or_refused() -> None:
    systems = {"a": [FIRST[name] for name in list(FIRST)[:2]], "b": [FIRST[name] for name in list(FIRST)[1::-1]]}
    parts = [sums(systems, segments=one, metrics=["bleu"], resamples=20) for one in (slice(0, 50), slice(50, 100))]

    def merged(*runs: str) -> Sums:
        names = [tuple(f"{system}.{run}" for system in "ab" for run in own) for own in (("run2.x", "run10.x"), runs)]
        return merged_sums([replace(one, run_names=own) for one, own in zip(parts, names, strict=True)])

    assert "runs-by-order" not in [note.kind for note in merged("seed02.y", "seed10.y").notes]
    with refused(naming=["'a'", "a.run10.y", "a.run2.x"]):
        merged("run10.y", "run2.y")
    (said, _) = (note for note in merged("first.y", "second.y").notes if note.kind == "runs-by-order")
    assert said.warning


def test_gaps_are_said() -> None:
    merged = merge([sums(segments=slice(a, b)) for a, b in ((60, 90), (10, 40), (91, 120))])
    assert "1 to 10, 41 to 60, 91" in str(merged.notes[0])
    assert merged.testset.segments == 89


def test_the_same_outputs_are_the_same() -> None:
    merged = merge(sums({"a": FIRST["a"], "copy": FIRST["a"]}))
    for test in TESTS:
        pair = merged["bleu", "copy", test]
        assert (pair.delta, pair.p, pair.significant) == (0.0, 1.0, False)


def test_one_segment_of_many_is_not_significant() -> None:
    pair = merge(sums({"a": FIRST["a"], "b": ["nothing like it", *FIRST["a"][1:]]}))["bleu", "b"]
    assert (pair.test, pair.p, pair.significant) == ("ar", 1.0, False)


def test_runs_that_coincide_are_two_runs() -> None:
    merged = merge(sums({"a": [FIRST["a"], FIRST["a"], FIRST["c"]], "b": [*RUNS["b"], FIRST["c"]]}))
    assert [one.runs for one in merged.scores[:2]] == [3, 3]
    assert merged["bleu", "b"].test == "ar"
    alone = tg.score(REFERENCE, {name: FIRST[name] for name in "ac"}, resamples=9)
    mean = (2 * alone["bleu", "a"].score + alone["bleu", "c"].score) / 3
    assert merged.scores[0].score == pytest.approx(mean, rel=1e-12)


def test_runs_that_cannot_be_paired() -> None:
    held = sums({"a": FIRST["a"], "b": RUNS["b"], "c": FIRST["c"]})
    merged = merge(held)
    assert {one.test for one in merged.primary_tests("bleu")} == {"poisson-bootstrap"}
    assert list(merged.other_tests("bleu")["ar"]) == [("a", "c")]
    with refused(naming=["'b'", "'a'"]):
        merge(held, test="ar")
    assert "ar" in merge(held, baseline="c").used()[1]


def test_the_verdict_goes_by_the_test_that_decides(held: Sums, result: CompareResult) -> None:
    assert {one.test for one in result.primary_tests("bleu")} == {"ar"}
    other = merge(held, test="poisson-bootstrap", adjust="none", alpha=0.2, interval="normal")
    for one in (result, other):
        for pair in one:
            assert pair.significant == (pair.p_adjusted <= one.alpha)
            assert pair.better == ((pair.delta > 0) if pair.significant else None)
    assert result["bleu", "c"].better is True
    assert result["ter", "c"].delta > 0  # positive where the system is better, also where lower scores are better
    assert merge(held, baseline="c")["ter", "a"].better is False


def test_custom_metrics_are_given_again() -> None:
    metric = tg.CustomMetric(
        name="words",
        segment_statistics=lambda outputs, references: [[len(one.split()), 1] for one in outputs],
        total_score=lambda totals: totals[..., 0] / totals[..., 1],
        statistic_names=("words", "segments"),
    )
    held = sums(metrics=[metric])
    assert merge(held, metrics=[metric]).score("words", "a").score == np.mean([len(x.split()) for x in FIRST["a"]])
    for given, options in ((held, {}), (sums(), {"metrics": [metric]})):
        with refused(naming=["'words'"]):
            merge(given, **options)


def test_metrics_of_another_version() -> None:
    held = sums(metrics=["bleu"])
    part = replace(held.description.metrics[0], signature="nrefs:1|version:0.0")
    with refused():
        merge(replace(held, description=replace(held.description, metrics=(part,))))


@pytest.mark.parametrize(
    "options", [{"baseline": "d"}, {"test": "bootstrap"}, {"adjust": "maxt"}, {"interval": "bca"}, {"alpha": 0.0}]
)
def test_refusals(held: Sums, options: dict[str, Any]) -> None:
    with refused(naming=options):
        merge(held, **options)


def test_too_few_units() -> None:
    for given in ({"segments": slice(0, 1)}, {"documents": ["d"] * 120}, {"segments": slice(0, 2)}):
        with refused():
            merge(sums(**given))
    few = merge(sums(segments=slice(0, 15), resamples=20))
    assert any("only 15 segments" in note.text for note in few.notes)


def test_too_few_resamples_are_said() -> None:
    few = merge(sums(resamples=19))
    assert any("no p of 2 comparisons can be below 0.05" in note.text for note in few.notes)
    # To merge, no number of resamples is given.
    assert any("39 resamples" in note.text for note in few.notes)


def test_one_system_has_scores_alone() -> None:
    merged = tg.merge(sums({"a": FIRST["a"]}))
    assert isinstance(merged, ScoreResult)
    assert merged.signature.startswith("merge|ci:percentile|unit:segment|R:400|seed:")
    assert [record["system"] for record in merged.to_records()] == ["a"] * 3


def test_intervals_of_all_kinds(held: Sums) -> None:
    found = {kind: merge(held, interval=kind)["bleu", "b"] for kind in ("percentile", "basic", "normal")}
    for kind, pair in found.items():
        assert pair.interval.method == kind
        assert pair.interval.low < pair.delta < pair.interval.high
    gains = BLEU().score(held.poisson[:, :20].reshape(-1, 2, 10).astype(np.float64))
    reach = norm.ppf(0.975) * float((gains[:, 1] - gains[:, 0]).std()) * small_sample_factor(120, 120)
    assert found["normal"].interval.high == pytest.approx(found["normal"].delta + reach)
    mirrored = 2 * found["basic"].delta - found["percentile"].interval.low
    assert found["basic"].interval.high == pytest.approx(mirrored)
