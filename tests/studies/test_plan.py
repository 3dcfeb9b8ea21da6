"""Plans from pilots and from assumptions: what they rest on, what they say, and what they refuse."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from scipy import stats

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.known import known
from tests.refusals import refused
from truegain.inference.power import Plan, runs_needed, units_needed
from truegain.studies.plan.result import PlanResult

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
        error = difference.std(ddof=1) / math.sqrt(n)
        threshold = stats.t.isf(0.025, n - 1)
        power = stats.nct.sf(threshold, n - 1, 3.0 / error) + stats.nct.cdf(-threshold, n - 1, 3.0 / error)
        assert one.standard_error == pytest.approx(error)
        assert one.powers == pytest.approx((power,), abs=1e-6)
    fewest = known(result.units_needed[0].units)
    again = of_scores(gain=3.0, segment_counts=[fewest, fewest - 1])
    assert again.predicted[0].powers[0] >= 0.8 > again.predicted[1].powers[0]


def test_without_a_gain_it_is_the_observed_one_and_a_caution_is_said() -> None:
    result = of_scores()
    assert result.basis("scores").gains == pytest.approx((abs(result.basis("scores").observed or 0.0),))
    assert ["optimistic" in one.render() for one in (result, of_scores(gain=2.0))] == [True, False]
    assert [size.units for size in result.sizes] == [40, 80, 160, 320]


def test_documents_are_the_unit_and_as_long_as_those_of_the_pilot() -> None:
    count = len(set(DOCUMENTS))
    result = tg.plan(REFERENCE, ONE, documents=DOCUMENTS, gain=2.0, document_counts=[count, 40], segment_counts=[240])
    per_document = 120 / count
    assert result.unit == "document"
    assert [size.units for size in result.sizes] == [count, 40, round(240 / per_document)]
    assert [size.segments for size in result.sizes] == [120, round(40 * per_document), 240]
    basis = result.basis("bleu")
    assert basis.effective_units < count
    comparison = tg.compare(REFERENCE, ONE, documents=DOCUMENTS, resamples=2000)["bleu", "new"]
    assert basis.observed == pytest.approx(comparison.delta)
    reach = (comparison.interval.high - comparison.interval.low) / 2
    assert basis.standard_error == pytest.approx(reach / stats.t.isf(0.025, basis.effective_units - 1), rel=0.2)


def test_several_runs_are_planned_as_replicate_does() -> None:
    result = tg.plan(REFERENCE, RUNS, gain=2.0, run_counts=[2, 4], segment_counts=[120])
    needed = tg.replicate(REFERENCE, RUNS, gain=2.0, counts=(1,), repetitions=1, resamples=9).needed[0]
    assert result.runs_needed[0].runs == needed.runs
    basis = result.basis("bleu")
    assert result.predicted[1].powers[0] == pytest.approx(basis.plan.power(2.0, (4, 4)))
    assert result.units_needed[1].units == units_needed(basis.plan, 2.0, (4, 4))
    assert result.pilot_runs == (3, 3)


def test_one_run_beside_several_is_about_these_runs_alone() -> None:
    result = tg.plan(REFERENCE, RUNS, gain=2.0, run_counts=[1, 3])
    assert "these runs alone" in result.render()
    alone, three = result.predicted[:2]
    basis = result.basis("bleu")
    over_units = (basis.common + sum(basis.interactions)) * basis.n_units / alone.units
    assert alone.standard_error == pytest.approx(math.sqrt(over_units))
    assert three.runs == 3


def test_runs_of_one_system_alone_show_nothing_of_new_runs() -> None:
    mixed = {"base": RUNS["base"][0], "new": RUNS["new"]}
    result = tg.plan(REFERENCE, mixed, gain=2.0)
    assert result.runs == (1,)
    assert result.basis("bleu").run_variances == (0.0, 0.0)
    assert result.predicted[1].standard_error == pytest.approx(result.basis("bleu").standard_error)
    with refused():
        tg.plan(REFERENCE, mixed, run_counts=[3])


def test_runs_may_be_assumed_beside_a_pilot_of_one() -> None:
    result = tg.plan(REFERENCE, ONE, gain=2.0, run_sd=(0.3, 0.5), run_counts=[3])
    assert result.basis("bleu").run_variances == pytest.approx((0.09, 0.25))
    with refused():
        tg.plan(REFERENCE, RUNS, run_sd=0.3)


def test_metrics_have_gains_of_their_own() -> None:
    result = tg.plan(REFERENCE, ONE, metrics=["bleu", "ter"])
    assert [one.metric for one in result.bases] == ["bleu", "ter"]
    assert result.basis("bleu").gains != result.basis("ter").gains
    assert len(result.verdicts()) == 2
    assert {one["metric"] for one in result.to_records()} == {"bleu", "ter"}


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


def test_the_textbooks_number() -> None:
    """(1.96 + 0.8416)² · sd² / gain², and two more for the t distribution."""
    result = tg.plan(sd_difference=10, gain=1)
    assert result.units_needed[0].units == math.ceil((1.959964 + 0.841621) ** 2 * 100) + 2
    one_sided = tg.plan(sd_difference=10, gain=1, one_sided=True)
    assert one_sided.units_needed[0].units == math.ceil((1.644854 + 0.841621) ** 2 * 100) + 1


def test_runs_from_assumptions() -> None:
    result = tg.plan(sd_difference=8, run_sd=0.3, gain=[0.5, 0.9], segment_counts=[5000])
    assert result.runs == (2, 3, 5, 10)
    plan = Plan(64 / 5000, (0.09, 0.09), (0.0, 0.0), 5000)
    assert [one.runs for one in result.runs_needed] == [runs_needed(plan, gain) for gain in (0.5, 0.9)]
    by_runs = {(one.gain, one.runs): one.units for one in result.units_needed}
    assert by_runs[0.5, 2] is None
    assert by_runs[0.9, 10] is not None
    assert "none" in result.render()


def test_without_a_gain_there_is_still_the_least_one() -> None:
    result = tg.plan(sd_difference=8, segment_counts=[1000])
    assert result.units_needed == ()
    assert result.predicted[0].powers == ()
    assert result.predicted[0].detectable == pytest.approx(0.71, abs=0.005)
    assert result.to_records()[0]["gain"] is None


def test_the_numbers_in_verdicts() -> None:
    verdicts = {
        (9.03, 0.5): ["1,000", "80", "0.80", "0.50", "2,600"],
        (8, 0.005): ["1,000", "80", "0.71", "0.005", "20,500,000"],
    }
    for (sd, gain), numbers in verdicts.items():
        (said,) = tg.plan(sd_difference=sd, gain=gain, segment_counts=[1000]).verdicts()
        assert re.findall(r"[\d,.]*\d", said) == numbers


def test_too_few_for_randomization_is_said() -> None:
    few, enough = (tg.plan(sd_difference=1, gain=gain).render() for gain in (5, 0.5))
    assert ["fewer than 6 segments" in text for text in (few, enough)] == [True, False]


# ---- Refusals


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ({}, []),
        ({"sd": 12, "correlation": 1.5}, [1.5]),
        ({"sd": 12, "correlation": 1.0}, []),
        ({"sd": -1, "correlation": 0.5}, [-1]),
        ({"sd": (1, 2, 3), "correlation": 0.5}, []),
        ({"sd_difference": 0}, [0]),
        ({"sd_difference": 8, "correlation": 0.5}, ["sd and correlation"]),
        ({"sd_difference": 8, "design_effect": 0}, ["design effect", 0]),
        ({"sd_difference": 8, "run_sd": -0.1}, [-0.1]),
        ({"sd_difference": 8, "gain": math.nan}, ["nan"]),
        ({"sd_difference": 8, "power": 1}, ["power", 1]),
        ({"sd_difference": 8, "power": 0.05}, ["power", "alpha", 0.05]),
        ({"sd_difference": 8, "alpha": 0}, ["alpha", 0]),
        ({"sd_difference": 8, "alpha": 1e-20}, ["alpha", "1e-09", "1e-20"]),
        ({"sd_difference": 8, "segment_counts": [1]}, [2, "10^12", 1]),
        ({"sd_difference": 8, "run_counts": [3]}, []),
        ({"sd_difference": 8, "run_sd": 1, "run_counts": [0]}, [0]),
        *(
            ({"sd": 12, "correlation": 0.8, "gain": 1, **given}, [next(iter(given))])
            for given in ({"metrics": ["chrf"]}, {"documents": ["a"]}, {"domains": ["a"]}, {"unit": "segment"})
        ),
        ({"sd": 12, "correlation": 0.8, "gain": 1, "engine": "torch"}, ["engine"]),
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


def test_a_pilot_and_assumptions_do_not_go_together() -> None:
    with pytest.raises(TypeError):
        tg.plan(REFERENCE, ONE, sd=3)
    with pytest.raises(TypeError):
        tg.plan(sd_difference=8, document_counts=[3])


def test_threads_and_repetition_change_nothing() -> None:
    assert tg.plan(REFERENCE, ONE, jobs=1) == tg.plan(REFERENCE, ONE, jobs=2)


@pytest.mark.parametrize(("effect", "said"), [(0.5, 1), (1.0, 0), (1.4, 0)])
def test_design_effects_below_one_are_doubted(effect: float, said: int) -> None:
    found = tg.plan(sd_difference=8, design_effect=effect, gain=0.5)
    assert [note.kind for note in found.notes].count("design-effect") == said
