"""Plans from pilots and from assumptions: what they rest on, what they answer and refuse, samples of items."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.known import known
from tests.refusals import kinds, refused
from truegain.corpus import Corpus, Run, System
from truegain.inference.power import Plan, runs_needed, units_needed
from truegain.inference.sampling import Sampling, sampling_of
from truegain.repeats import Repeats
from truegain.studies import plan as study
from truegain.studies.plan import PlanResult

NAMES = {"base": 0.68, "new": 0.72}
MADE = simulate(segments=120, systems=[SystemSpec(name=name, quality=q, runs=3) for name, q in NAMES.items()])
REFERENCE = list(MADE.references[0])
RUNS = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}
ONE = {name: runs[0] for name, runs in RUNS.items()}
DOCUMENTS = list(MADE.documents)
RNG = np.random.default_rng(5)
SCORES = {"base": RNG.normal(50, 10, 80), "new": RNG.normal(52, 10, 80)}


def of_scores(**options: Any) -> PlanResult:
    return tg.plan(None, SCORES, metrics=["scores"], **options)


# ---- From a pilot


def test_a_mean_of_scores_is_planned_by_its_own_deviation() -> None:
    result = of_scores(gain=3.0, segment_counts=[80, 200])
    difference = SCORES["new"] - SCORES["base"]
    basis = result.basis("scores")
    assert basis.observed == pytest.approx(difference.mean())
    assert basis.standard_error == pytest.approx(difference.std(ddof=1) / math.sqrt(80))
    for one, n in zip(result.predicted, (80, 200), strict=True):
        error, threshold = difference.std(ddof=1) / math.sqrt(n), stats.t.isf(0.025, n - 1)
        power = stats.nct.sf(threshold, n - 1, 3.0 / error) + stats.nct.cdf(-threshold, n - 1, 3.0 / error)
        assert (one.standard_error, *one.powers) == pytest.approx((error, power), abs=1e-6)
    assert [size.units for size in of_scores().sizes] == [40, 80, 160, 320]
    assert of_scores().basis("scores").gains == pytest.approx((abs(difference.mean()),))
    fewest = known(result.units_needed[0].units)
    again = of_scores(gain=3.0, segment_counts=[fewest, fewest - 1])
    assert again.predicted[0].powers[0] >= 0.8 > again.predicted[1].powers[0]


def test_documents_are_the_unit_and_as_long_as_those_of_the_pilot() -> None:
    count = len(set(DOCUMENTS))
    result = tg.plan(REFERENCE, ONE, documents=DOCUMENTS, gain=2.0, document_counts=[count, 40], segment_counts=[240])
    per_document = 120 / count
    sizes = [(count, 120), (40, round(40 * per_document)), (round(240 / per_document), 240)]
    assert [(size.units, size.segments) for size in result.sizes] == sizes
    basis = result.basis("bleu")
    assert basis.effective_units < count
    comparison = tg.compare(REFERENCE, ONE, documents=DOCUMENTS, resamples=2000)["bleu", "new"]
    assert basis.observed == pytest.approx(comparison.delta)
    reach = (comparison.interval.high - comparison.interval.low) / 2
    assert basis.standard_error == pytest.approx(reach / stats.t.isf(0.025, basis.effective_units - 1), rel=0.2)


def test_several_runs_are_planned_as_replicate_does() -> None:
    result = tg.plan(REFERENCE, RUNS, gain=2.0, run_counts=[1, 2, 4], segment_counts=[120])
    needed = tg.replicate(REFERENCE, RUNS, gain=2.0, counts=(1,), repetitions=1, resamples=9).needed[0]
    assert result.runs_needed[0].runs == needed.runs
    basis = result.basis("bleu")
    assert result.predicted[2].powers[0] == pytest.approx(basis.plan.power(2.0, (4, 4)))
    assert result.units_needed[2].units == units_needed(basis.plan, 2.0, (4, 4))
    assert result.pilot_runs == (3, 3)
    # One run beside several is about these runs alone.
    assert "no-new-runs" in kinds(result.notes)
    over_units = basis.common + sum(basis.interactions)
    assert result.predicted[0].standard_error == pytest.approx(math.sqrt(over_units))


def test_runs_of_one_system_alone_show_nothing_of_new_runs_which_may_be_assumed() -> None:
    mixed = {"base": RUNS["base"][0], "new": RUNS["new"]}
    result = tg.plan(REFERENCE, mixed, gain=2.0)
    assert (result.runs, result.basis("bleu").run_variances) == ((1,), (0.0, 0.0))
    assert result.predicted[1].standard_error == pytest.approx(result.basis("bleu").standard_error)
    assumed = tg.plan(REFERENCE, ONE, gain=2.0, run_sd=(0.3, 0.5), run_counts=[3])
    assert assumed.basis("bleu").run_variances == pytest.approx((0.09, 0.25))
    for systems, options in ((mixed, {"run_counts": [3]}), (RUNS, {"run_sd": 0.3})):
        with refused():
            tg.plan(REFERENCE, systems, **options)


def test_metrics_have_gains_of_their_own_on_any_number_of_threads() -> None:
    result, other = (tg.plan(REFERENCE, ONE, metrics=["bleu", "ter"], jobs=jobs) for jobs in (1, 2))
    assert result == other
    assert result.basis("bleu").gains != result.basis("ter").gains
    assert [row["metric"] for row in result.to_records()] == ["bleu"] * 4 + ["ter"] * 4


# ---- From assumptions


def test_assumptions_are_a_plan() -> None:
    result = tg.plan(sd=(12, 10), correlation=0.6, design_effect=1.5, gain=[0.5, 1], segment_counts=[900])
    sd = math.sqrt(144 + 100 - 2 * 0.6 * 120)
    one = result.predicted[0]
    assert one.standard_error == pytest.approx(sd * math.sqrt(1.5 / 900))
    plan = Plan(sd**2 * 1.5 / 900, (0.0, 0.0), (0.0, 0.0), 600.0)
    assert one.powers == pytest.approx((plan.power(0.5, (1, 1)), plan.power(1.0, (1, 1))))
    assert one.detectable == pytest.approx(plan.detectable((1, 1)))
    same = tg.plan(sd_difference=sd, design_effect=1.5, gain=[0.5, 1], segment_counts=[900])
    assert same.predicted[0].powers == pytest.approx(one.powers)


@pytest.mark.parametrize(("one_sided", "quantile", "more"), [(False, 1.959964, 2), (True, 1.644854, 1)])
def test_the_textbooks_number(one_sided: bool, quantile: float, more: int) -> None:
    """(z + 0.8416)² · sd² / gain², and one or two more for the t distribution."""
    result = tg.plan(sd_difference=10, gain=1, one_sided=one_sided)
    assert result.units_needed[0].units == math.ceil((quantile + 0.841621) ** 2 * 100) + more


def test_runs_from_assumptions() -> None:
    result = tg.plan(sd_difference=8, run_sd=0.3, gain=[0.5, 0.9], segment_counts=[5000])
    assert result.runs == (2, 3, 5, 10)
    plan = Plan(64 / 5000, (0.09, 0.09), (0.0, 0.0), 5000)
    assert [one.runs for one in result.runs_needed] == [runs_needed(plan, gain) for gain in (0.5, 0.9)]
    without = tg.plan(sd_difference=8, segment_counts=[1000])
    assert (without.units_needed, without.predicted[0].powers, without.to_records()[0]["gain"]) == ((), (), None)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"segment_counts": [80]}, None),
        ({"sd_difference": 9.03, "gain": 0.5}, study.TAKES(gain="0.50", units="2,600 segments")),
        ({"sd_difference": 8, "gain": 0.005}, study.TAKES(gain="0.005", units="20,500,000 segments")),
        ({"sd_difference": 8, "gain": [1, 2]}, study.TAKES(gain="1.00", units="510 segments")),
        (
            {"sd_difference": 8, "gain": 0.5, "run_sd": 0.3, "run_counts": [2]},
            study.ENDLESS(gain="0.50", nouns="segments"),
        ),
    ],
)
def test_findings(options: dict[str, Any], expected: str | None) -> None:
    """The size at hand, the least gain, what the first gain takes, in two digits and a half."""
    given: dict[str, Any] = {"segment_counts": [1000], "sd_difference": 14.4} | options
    result = tg.plan(**given)
    first = result.predicted[0]
    runs = f" and {first.runs} runs of each" if result.plans_runs else ""
    size, least = f"{first.units:,} segments{runs}", f"{first.detectable:.2f}"
    texts = [study.DETECTABLE(size=size, power="80 %", least=least), expected]
    assert [finding.text for finding in result.findings] == [text for text in texts if text]


def test_kinds_of_notes() -> None:
    for result, expected in (
        (tg.plan(sd_difference=1, gain=5), {"assumptions", "few-units"}),
        (tg.plan(sd_difference=1, gain=0.5), {"assumptions"}),
        (tg.plan(sd_difference=8, design_effect=1.4, run_sd=0.3, run_counts=[1, 3]), {"assumptions", "no-new-runs"}),
        (of_scores(gain=2.0), {"unit"}),
        (of_scores(), {"unit", "observed-gain"}),
        (tg.plan(REFERENCE, RUNS, gain=2.0, documents=DOCUMENTS), {"unit", "few-runs"}),
    ):
        assert kinds(result.notes) == expected
    assert f"± {196 * math.sqrt(2 / 79):.0f} %" in of_scores(gain=2.0).notes[0].text


# ---- Refusals

EIGHT: dict[str, Any] = {"sd_difference": 8}


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ({}, []),
        ({"sd": 12, "correlation": 1.5}, [1.5]),
        ({"sd": 12, "correlation": 1.0}, []),
        ({"sd": -1, "correlation": 0.5}, [-1]),
        ({"sd_difference": 0}, [0]),
        ({**EIGHT, "correlation": 0.5}, ["sd and correlation"]),
        ({**EIGHT, "design_effect": 0}, ["design effect", 0]),
        ({**EIGHT, "run_sd": -0.1}, [-0.1]),
        ({**EIGHT, "gain": math.nan}, ["nan"]),
        ({**EIGHT, "power": 1}, ["power", 1]),
        ({**EIGHT, "power": 0.05}, ["power", "alpha", 0.05]),
        ({**EIGHT, "alpha": 1e-20}, ["alpha", "1e-09", "1e-20"]),
        ({**EIGHT, "segment_counts": [1]}, [2, "10^12", 1]),
        ({**EIGHT, "run_counts": [3]}, []),
        ({**EIGHT, "run_sd": 1, "run_counts": [0]}, [0]),
        ({**EIGHT, "metrics": ["chrf"]}, ["metrics"]),
        ({**EIGHT, "documents": ["a"]}, ["documents"]),
        ({**EIGHT, "unit": "segment"}, ["unit"]),
        ({**EIGHT, "engine": "torch"}, ["engine"]),
        ({**EIGHT, "sample_counts": [5]}, ["sample_counts"]),
        ({**EIGHT, "document_counts": [3]}, ["documents"]),
    ],
)
def test_assumptions_that_are_none(options: dict[str, Any], naming: list[object]) -> None:
    with refused(naming=naming):
        tg.plan(**options)


def test_pilots_that_are_none() -> None:
    for reference, systems, options in (
        (REFERENCE, {**ONE, "other": ONE["base"]}, {}),
        (REFERENCE, {"a": ONE["base"], "b": ONE["base"]}, {}),
        (REFERENCE[:1], {name: lines[:1] for name, lines in ONE.items()}, {}),
        (REFERENCE, ONE, {"document_counts": [10]}),
        (REFERENCE, ONE, {"unit": "block"}),
    ):
        with refused():
            tg.plan(reference, systems, **options)
    with pytest.raises(TypeError):
        tg.plan(REFERENCE, ONE, sd=3)


# ---- Variance parts of items and their samples: against formulas by hand and simulated test sets

Floats = NDArray[np.float64]
ITEMS, SAMPLES = 150, 4


def repeats(values: Floats) -> Repeats:
    """Return samples, shape (items, samples)."""
    items, samples = values.shape
    return Repeats(values.ravel(), np.full(items, samples), [f"q{i}" for i in range(items)])


def drawn(generator: np.random.Generator, items: int, samples: int, times: int = 1) -> Floats:
    """Draw rights and wrongs of two systems, shape (times, systems, items, samples), on new items each time."""
    difficulty = generator.normal(0.3, 1.5, size=(times, 1, items, 1))
    own = generator.normal(0.0, 0.7, size=(times, 2, items, 1)) + np.array([0.0, 0.4])[:, None, None]
    return np.asarray(generator.random((times, 2, items, samples)) < 1 / (1 + np.exp(-difficulty - own)), np.float64)


def corpus(values: Floats, documents: list[str] | None = None) -> Corpus:
    """Return samples of two systems, shape (systems, runs, items, samples), as a corpus."""

    def runs(name: str, own: Floats) -> tuple[Run, ...]:
        return tuple(
            Run(f"{name}.{r}", None, {"acc": run.mean(1)}, repeats={"acc": repeats(run)}) for r, run in enumerate(own)
        )

    systems = [System(name, runs(name, own)) for name, own in zip(("base", "new"), values, strict=True)]
    return Corpus.build(systems, documents=documents)


def planned(values: Floats, **options: Any) -> PlanResult:
    documents = options.pop("documents", None)
    return tg.plan(corpus(values, documents), metrics=["scores"], gain=0.1, **options)


@pytest.mark.whole
@pytest.mark.parametrize(("items", "samples"), [(300, 10), (150, 1), (75, 30)])
def test_variances_are_those_of_simulated_test_sets(items: int, samples: int) -> None:
    """What pilots of 150 items and 4 samples predict on average, for other numbers of both."""
    generator = np.random.default_rng(7)
    predicted = []
    for old, new in drawn(generator, ITEMS, SAMPLES, 400):
        variance = float((new.mean(1) - old.mean(1)).var(ddof=1)) / ITEMS
        found = known(sampling_of([repeats(old)], [repeats(new)]))
        pilot = Plan(variance, (0.0, 0.0), (0.0, 0.0), ITEMS)
        predicted.append(found.plan(pilot, samples).spread((1, 1), units=items) ** 2)
    scores = np.concatenate([drawn(generator, items, samples, 500).mean((2, 3)) for _ in range(8)])
    simulated = float((scores[:, 1] - scores[:, 0]).var(ddof=1))
    # 4,000 differences know their variance to 2.2 %, and 400 pilots theirs to 1 %.
    assert float(np.mean(predicted)) == pytest.approx(simulated, rel=0.08)


def test_parts_by_hand() -> None:
    values = drawn(np.random.default_rng(1), ITEMS, SAMPLES)[0]
    result = planned(values[:, None], sample_counts=[1, 8], segment_counts=[150, 600])
    variance = float((values[1].mean(1) - values[0].mean(1)).var(ddof=1)) / ITEMS
    single = values.var(2, ddof=1).sum() / ITEMS**2
    between = variance - single / SAMPLES
    sampling = known(result.basis("scores").sampling)
    assert sampling.samples == (4.0, 4.0)
    assert sum(sampling.single) == pytest.approx(single)
    assert sampling.share(result.basis("scores").plan) == pytest.approx(single / SAMPLES / variance)
    errors = {(one.samples, one.units): one.standard_error for one in result.predicted_samples}
    variances = {1: between + single, 8: between + single / 8, None: between}
    sizes = [(samples, units) for samples in variances for units in (150, 600)]
    assert errors == pytest.approx({size: math.sqrt(variances[size[0]] * ITEMS / size[1]) for size in sizes})
    assert planned(values[:, None], segment_counts=[150]).predicted_samples[2].samples == 5


@pytest.mark.whole
def test_samples_as_in_the_pilot_change_nothing() -> None:
    """With one run, several runs, and documents as units."""
    generator = np.random.default_rng(2)
    documents = [f"d{i // 5}" for i in range(ITEMS)]
    three = np.stack([drawn(generator, ITEMS, SAMPLES)[0] for _ in range(3)], axis=1)
    for values, options in ((three[:, :1], {}), (three, {}), (three[:, :1], {"documents": documents})):
        result = planned(values, sample_counts=[SAMPLES], **options)
        same = [row for row in result.predicted if row.runs == result.usual_runs]
        for row, beside in zip(result.predicted_samples, [*same, *same], strict=True):
            if row.samples == SAMPLES:
                assert (row.standard_error, row.detectable) == pytest.approx((beside.standard_error, beside.detectable))
            else:
                assert row.standard_error < beside.standard_error


def test_samples_of_several_runs_vary_from_run_to_run() -> None:
    found = Sampling((5.0, 5.0), (0.2, 0.1), (1.0, 0.5), (3, 3))
    pilot = Plan(1.0, (0.0, 0.0), (0.3, 0.05), 100.0)
    assert found.plan(pilot, None).interactions == pytest.approx((0.1, 0.0))
    assert found.plan(pilot, 10).interactions == pytest.approx((0.2, 0.05))
    # Items of one sample vary as the others.
    mixed = Repeats(np.array([1.0, 0.0, 1.0, 1.0, 1.0]), np.array([2, 1, 2]), ["a", "b", "c"])
    found = known(sampling_of([mixed], [mixed]))
    assert (found.single[0], found.within[0]) == pytest.approx(((0.5 + 0.25) / 9, (0.5 / 2 + 0.25 / 1) / 9))
    alone = Repeats(np.array([1.0, 0.0]), np.array([1, 1]), ["a", "b"])
    assert sampling_of([mixed], [alone]) is None


def test_what_has_no_parts_is_refused_if_asked_for() -> None:
    values = drawn(np.random.default_rng(6), 40, SAMPLES)[0][:, None]
    given = corpus(values)
    assert tg.plan(given, metrics=["pass:k=2"], gain=0.1).predicted_samples == ()
    with refused(naming=["pass@2"]):
        tg.plan(given, metrics=["pass:k=2"], gain=0.1, sample_counts=[5])
    with refused():
        tg.plan(None, {"a": values[0, 0, :, 0], "b": values[1, 0, :, 1]}, metrics=["scores"], sample_counts=[5])
    with refused(naming=[0]):
        tg.plan(given, metrics=["scores"], sample_counts=[0])
