"""compare: the verdict, what it rests on, and what its report holds beyond its document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import truegain as tg
from tests.corruption import corrupted
from tests.known import known
from tests.refusals import kinds, refused
from truegain.cache import Cache
from truegain.engines.engine import Engine
from truegain.errors import InputError
from truegain.executors.over import Workers
from truegain.inference.intervals import INTERVALS
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import small_sample_factor
from truegain.metrics.bleu import BLEU
from truegain.readers.memory import corpus_from_memory
from truegain.report.data import json_text
from truegain.resampling.design import Design
from truegain.resampling.units import Units
from truegain.studies.compare import CompareResult, compare

N = 120
Side = Literal["greater", "less"]


RNG = np.random.default_rng(0)
REFERENCES = [" ".join(f"w{i}" for i in RNG.integers(0, 60, RNG.integers(5, 30))) for _ in range(N)]
SYSTEMS = {
    "base": corrupted(REFERENCES, 0.3, 1),
    "same": corrupted(REFERENCES, 0.3, 2),
    "good": corrupted(REFERENCES, 0.2, 3),
}
RUNS = {
    "base": [corrupted(REFERENCES, 0.3, seed) for seed in (1, 2, 3)],
    "good": [corrupted(REFERENCES, 0.2, seed) for seed in (4, 5, 6)],
}
PAIR, ALIKE = ({name: SYSTEMS[name] for name in ("base", other)} for other in ("good", "same"))
DOCUMENTS = [f"d{i // 4}" for i in range(N)]


@pytest.fixture(scope="module")
def result() -> CompareResult:
    return tg.compare(REFERENCES, SYSTEMS, metrics=["bleu", "chrf"], resamples=2000)


def test_finds_the_gain_and_only_the_gain(result: CompareResult) -> None:
    for metric in ("bleu", "chrf"):
        assert result[metric, "good"].better is True
        assert result[metric, "good"].p < 0.01
        assert result[metric, "good"].interval.low > 0
        assert result[metric, "same"].better is None
    assert [one.system for one in result] == ["same", "good"] * 2
    assert json.loads(result.render("json"))["comparisons"][1]["better"] is True
    one = result["bleu", "good"]
    assert (one.unit, one.n_units, one.resamples, one.seed, one.alternative) == ("segment", N, 2000, 12345, "two-sided")
    assert one.p_mc[0] <= one.p <= one.p_mc[1] or one.p_value.exceedances == 0
    for missing in (("bleu", "base"), "good"):
        with pytest.raises(KeyError):
            result[missing]


def test_randomization_against_a_slow_transcription() -> None:
    """Same random bits, the test written out: swap, rescore, count."""
    found = tg.compare(REFERENCES, ALIKE, resamples=200)["bleu", "same"]
    metric = BLEU()
    a, b = (metric.statistics(outputs, [REFERENCES]).astype(float) for outputs in ALIKE.values())
    masks = Design(Units.segments(N), "swap", 12345).weights(0, 200).astype(bool)
    observed = abs(float(metric.score(b.sum(0)) - metric.score(a.sum(0))))
    count = 0
    for mask in masks:
        left = np.where(mask[:, None], b, a).sum(0)
        right = np.where(mask[:, None], a, b).sum(0)
        count += abs(float(metric.score(right) - metric.score(left))) >= observed - 1e-9
    assert found.p_value.exceedances == count


def test_bootstrap_against_a_slow_transcription() -> None:
    found = tg.compare(REFERENCES, ALIKE, resamples=200, test="bootstrap")["bleu", "same"]
    metric = BLEU()
    a, b = (metric.statistics(outputs, [REFERENCES]).astype(float) for outputs in ALIKE.values())
    counts = Design(Units.segments(N), "bootstrap", 12345).weights(0, 200)
    observed = float(metric.score(b.sum(0)) - metric.score(a.sum(0)))
    gains = np.array([float(metric.score(w @ b) - metric.score(w @ a)) for w in counts])
    factor = small_sample_factor(N, N)
    assert found.p_value.exceedances == int((np.abs(gains - observed) * factor >= abs(observed) - 1e-9).sum())
    reach = np.sort(factor * np.abs(gains - observed))[-10]  # of 201, 10 may be as far out at p ≤ 0.05
    assert (found.interval.low, found.interval.high) == pytest.approx((observed - reach, observed + reach))
    drawn = tg.compare(REFERENCES, ALIKE, resamples=200, interval="percentile")["bleu", "same"].interval
    low, high = np.quantile(gains, [0.025, 0.975])
    assert drawn.low == pytest.approx(observed + factor * (low - observed))
    assert drawn.high == pytest.approx(observed + factor * (high - observed))


def test_several_tests_side_by_side() -> None:
    both = tg.compare(REFERENCES, SYSTEMS, test=["bootstrap", "ar"], resamples=500)
    alone = {test: tg.compare(REFERENCES, SYSTEMS, test=test, resamples=500) for test in ("ar", "bootstrap")}
    for test, result in alone.items():
        for system in ("same", "good"):
            assert both["bleu", system, test] == result["bleu", system]
    assert both["bleu", "good"].test == "bootstrap"
    assert len(both) == 4
    assert "test:bootstrap+ar|" in both.signature
    assert len(tg.compare(REFERENCES, SYSTEMS, test=["auto", "ar"], resamples=100)) == 2, "the same test once"
    assert alone["ar"]["good"] is alone["ar"]["bleu", "good"], "one metric need not be named"
    for result, missing in ((alone["ar"], "base"), (both, ("bleu", "good", "t"))):
        with pytest.raises(KeyError):
            result[missing]


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_identical_systems(test: str) -> None:
    twice = {"a": SYSTEMS["base"], "b": SYSTEMS["base"]}
    for one in tg.compare(REFERENCES, twice, metrics=["bleu", "chrf"], test=test, resamples=500):
        assert one.p == one.p_adjusted == 1.0
        assert one.delta == 0.0
        assert one.better is None


def test_one_differing_segment_of_three_thousand() -> None:
    generator = np.random.default_rng(3)
    lines = [" ".join(f"w{i}" for i in generator.integers(0, 50, 12)) for _ in range(3004)]
    base = corrupted(lines, 0.3, 4)
    changed = base.copy()
    changed[77] = lines[77]
    found = tg.compare(lines, {"base": base, "changed": changed}, resamples=1000)["bleu", "changed"]
    assert found.delta > 0
    assert found.p == 1.0
    assert [note.kind for note in found.notes] == ["few-differing", "all-swaps"]
    assert [number in note.text for number, note in zip(("3,004", "2"), found.notes, strict=True)] == [True, True]


def test_one_differing_segment_by_bootstrap() -> None:
    """Left out, or drawn twice or more: 1 - 1/e of the resamples deviate from δ by at least δ."""
    base = np.random.default_rng(3).normal(size=1000)
    changed = base.copy()
    changed[77] += 2
    pair = {"base": base, "changed": changed}
    found = tg.compare(None, pair, metrics=["scores"], resamples=20_000, test="bootstrap")["scores", "changed"]
    assert found.p == pytest.approx(1 - np.exp(-1), abs=0.015)
    assert tg.compare(None, pair, metrics=["scores"], resamples=100, test="ar")["scores", "changed"].p == 1.0


def test_swapping_the_two_by_order_or_by_name_negates_delta_and_keeps_p() -> None:
    forth = tg.compare(REFERENCES, PAIR, resamples=1000)["bleu", "good"]
    back = tg.compare(REFERENCES, {k: SYSTEMS[k] for k in ("good", "base")}, resamples=1000)["bleu", "base"]
    assert back.delta == -forth.delta
    assert back.p == forth.p
    assert (back.interval.low, back.interval.high) == pytest.approx((-forth.interval.high, -forth.interval.low))
    found = tg.compare(REFERENCES, SYSTEMS, baseline="good", resamples=300)
    assert [one.system for one in found] == ["base", "same"]
    assert found["bleu", "base"].better is False


def test_documents_are_the_unit_where_they_are_known() -> None:
    found = tg.compare(REFERENCES, SYSTEMS, documents=DOCUMENTS, resamples=500)["bleu", "good"]
    assert (found.unit, found.n_units) == ("document", 30)
    assert str(found.claim) == "this output of each on new documents"
    assert 0.3 < known(found.design_effect) < 3
    segments = tg.compare(REFERENCES, SYSTEMS, documents=DOCUMENTS, unit="segment", resamples=500)["bleu", "good"]
    assert (segments.unit, segments.design_effect) == ("segment", found.design_effect)
    assert tg.compare(REFERENCES, SYSTEMS, resamples=100)["bleu", "good"].design_effect is None


def test_correlated_documents_have_a_design_effect() -> None:
    generator = np.random.default_rng(7)
    shared = np.repeat(generator.normal(size=40), 10)
    noise = generator.normal(size=400) * 0.2
    options: dict[str, Any] = {"metrics": ["scores"], "documents": [f"d{i // 10}" for i in range(400)]}
    pair = {"a": np.zeros(400), "b": shared + noise}
    for unit in ("document", "segment"):
        found = tg.compare(None, pair, unit=unit, resamples=500, **options)
        effect = known(found["scores", "b"].design_effect)
        assert effect == pytest.approx(10, rel=0.15)
        assert f"{effect**0.5:.2g}×" in found.render("md")


def test_unequal_runs() -> None:
    fewer = {"base": RUNS["base"], "good": RUNS["good"][:2]}
    found = tg.compare(REFERENCES, fewer, resamples=500)
    assert [one.test for one in found] == ["crossed", "bootstrap", "run-permutation"]
    alone = tg.compare(REFERENCES, {"base": RUNS["base"], "one": RUNS["good"][0]}, resamples=500)
    assert [one.test for one in alone] == ["crossed", "bootstrap"]
    assert "one-run" in kinds(alone.notes)
    with refused(naming=["'good'", 2, "'base'", 3]):
        tg.compare(REFERENCES, fewer, test="ar")


def test_runs_that_coincide_make_no_test_over_segments_surer() -> None:
    """They are swapped together, as one output is."""
    once = tg.compare(REFERENCES, PAIR, resamples=500, test="ar")
    thrice = tg.compare(REFERENCES, {k: [SYSTEMS[k]] * 3 for k in ("base", "good")}, resamples=500, test="ar")
    assert thrice["bleu", "good"].p == once["bleu", "good"].p
    assert thrice["bleu", "good"].delta == pytest.approx(once["bleu", "good"].delta, rel=1e-12)
    assert [note.kind for note in thrice.notes].count("repeated-texts") == 2


def test_intervals_of_all_kinds() -> None:
    options: dict[str, Any] = {"documents": DOCUMENTS, "resamples": 2000}
    found = {kind: tg.compare(REFERENCES, SYSTEMS, interval=kind, **options) for kind in INTERVALS}
    centre = found["percentile"]["bleu", "good"].delta
    widths = []
    for kind, result in found.items():
        interval = result["bleu", "good"].interval
        assert interval.method == kind
        assert interval.low < centre < interval.high
        widths.append(interval.high - interval.low)
        score = known(result.score("bleu", "base").interval)
        assert score.low < result.score("bleu", "base").score < score.high
    assert max(widths) < 1.25 * min(widths)
    assert len({(r["bleu", "good"].interval.low, r["bleu", "good"].interval.high) for r in found.values()}) == 5


@pytest.mark.parametrize("adjustment", ["none", "bonferroni", "holm", "hochberg", "bh", "by"])
def test_adjustments_over_the_systems_of_a_metric(adjustment: Any) -> None:
    options = {} if adjustment == "holm" else {"adjust": adjustment}
    found = tg.compare(REFERENCES, SYSTEMS, metrics=["bleu", "chrf"], resamples=300, **options)
    for metric in ("bleu", "chrf"):
        family = [one for one in found if one.metric == metric]
        assert [one.p_adjusted for one in family] == pytest.approx(adjust([one.p for one in family], adjustment))
    assert f"adjust:{adjustment}|" in found.signature


def test_same_answer_for_any_threads_chunks_and_cache(tmp_path: Path) -> None:
    corpus = corpus_from_memory(REFERENCES, SYSTEMS, documents=DOCUMENTS)
    cache = Cache(tmp_path)
    options: dict[str, Any] = {"metrics": ["bleu", "chrf"], "resamples": 700}
    for test in ("ar", "bootstrap"):
        texts = []
        for jobs, chunk, kept in ((1, None, None), (2, None, cache), (1, 13, cache), (3, 500, None)):
            engine = Engine(Workers(jobs), chunk=chunk)
            found = compare(corpus, test=test, jobs=jobs, cache=kept, engine=engine, **options)
            texts.append(json_text(found.to_dict()))
        assert set(texts) == {texts[0]}


def test_too_few_resamples_for_the_family_and_every_document_a_segment_are_said() -> None:
    for count, said in ((20, True), (300, False)):
        notes = tg.compare(REFERENCES, SYSTEMS, resamples=count).notes
        assert any(note.kind == "few-resamples" and "0.05" in note.text for note in notes) is said
    for ids, said in (([str(i) for i in range(N)], True), (DOCUMENTS, False)):
        notes = tg.compare(REFERENCES, SYSTEMS, documents=ids, resamples=100).notes
        assert any("one segment" in note.text for note in notes) is said


def test_a_score_that_is_undefined_after_swaps_is_refused() -> None:
    metric = tg.CustomMetric(
        name="odd",
        segment_statistics=lambda outputs, refs: [[len(o.split()), 1] for o in outputs],
        total_score=lambda t: np.where(abs(t[..., 0] / t[..., 1] - 2.0) < 0.8, np.nan, t[..., 0]),
        statistic_names=("words", "segments"),
    )
    with refused(naming=["odd", "of 100"]):
        tg.compare(["r"] * 20, {"a": ["x"] * 20, "b": ["x y z"] * 20}, metrics=[metric], resamples=100)


def test_the_smallest_p_of_a_one_sided_test() -> None:
    base = np.zeros(50)
    new = base.copy()
    new[:5] = 1.0
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": 2000, "test": "ar"}
    both = tg.compare(None, {"a": base, "b": new}, **options)["scores", "b"]
    one = tg.compare(None, {"a": base, "b": new}, alternative="greater", **options)["scores", "b"]
    assert (both.p, one.p) == (1 / 16, 1 / 32)
    assert [any("0.0625" in note.text for note in found.notes) for found in (both, one)] == [True, False]
    assert ["32" in note.text for note in both.notes if note.kind == "all-swaps"] == [True]


def test_the_monte_carlo_note_is_about_the_adjusted_p() -> None:
    generator = np.random.default_rng(0)
    base = generator.normal(size=200)
    shifts = (0.17, 0.0, 0.0)
    systems = {"base": base} | {f"s{i}": base + generator.normal(shift, 1.0, 200) for i, shift in enumerate(shifts)}
    found = tg.compare(None, systems, metrics=["scores"], resamples=1000)
    for one in found:
        low, high = (min(1.0, end * one.p_adjusted / one.p) for end in one.p_mc)
        assert ("straddling" in kinds(one.notes)) == (low <= 0.05 <= high)


# ---- The report


def compared(**options: Any) -> Any:
    return tg.compare(REFERENCES, RUNS, resamples=99, **options)


def test_segments_between_the_median_runs() -> None:
    result = compared(metrics=["bleu", "ter"], changed_segments=10)
    pairs = [(pair.metric, pair.baseline, pair.system) for pair in result.changed_segments]
    assert pairs == [("bleu", "base", "good"), ("ter", "base", "good")]
    for pair in result.changed_segments:
        medians = {one.system: one.median_run for one in result.variability if one.metric == pair.metric}
        assert (pair.baseline_run, pair.system_run) == (medians["base"], medians["good"])
        assert 0 < len(pair.up) <= 10
        for one in pair.up:
            assert one.contribution > 0
            assert one.references == (REFERENCES[one.number - 1],)
            run = int(pair.system_run.rpartition(".")[2]) - 1
            assert one.system_output == RUNS["good"][run][one.number - 1]
    assert [section.items[0].pairs for section in result.appendix()] == [result.changed_segments]


@pytest.mark.parametrize(("asked", "most"), [(0, 0), (3, 3), (None, 10)])
def test_as_many_as_asked_for(asked: int | None, most: int) -> None:
    result = compared(changed_segments=asked)
    assert max((len(pair.up) for pair in result.changed_segments), default=0) == most
    assert bool(result.appendix()) == (most > 0)
    assert "no-segments" not in kinds(result.notes)


def test_fewer_where_there_are_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"metrics": ["bleu", "chrf"], "changed_segments": None}
    monkeypatch.setattr("truegain.studies.compare._MOST_LISTED", 8)
    assert {len(pair.up) for pair in compared(**asked).changed_segments} == {2}
    monkeypatch.setattr("truegain.studies.compare._MOST_LISTED", 3)
    result = compared(**asked)
    assert (result.changed_segments, "no-segments" in kinds(result.notes)) == ((), True)
    assert len(compared(metrics=["bleu", "chrf"], changed_segments=1).changed_segments) == 2


def test_a_metric_without_scores_of_swaps_is_compared_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise InputError("it has no score of swapped outputs")

    monkeypatch.setattr("truegain.studies.compare.changed_pairs", refuse)
    result = compared(changed_segments=5)
    assert (result.changed_segments, "no-segments" in kinds(result.notes)) == ((), True)
