"""Variance parts of items and their samples in plans: against formulas by hand and simulated test sets."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.known import known
from tests.refusals import kinds, refused
from truegain.corpus import Corpus, Run, System
from truegain.inference.power import Plan
from truegain.repeats import Repeats
from truegain.studies.plan.result import PlanResult
from truegain.studies.plan.sampling import Sampling, sampling_of
from truegain.studies.stored import parse

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
        same = {one.units: one for one in result.predicted if one.runs == result.usual_runs}
        for one in result.predicted_samples:
            if one.samples == SAMPLES:
                assert one.standard_error == pytest.approx(same[one.units].standard_error)
                assert one.detectable == pytest.approx(same[one.units].detectable)
            else:
                assert one.standard_error < same[one.units].standard_error


def test_samples_of_several_runs_vary_from_run_to_run() -> None:
    found = Sampling((5.0, 5.0), (0.2, 0.1), (1.0, 0.5), (3, 3))
    pilot = Plan(1.0, (0.0, 0.0), (0.3, 0.05), 100.0)
    assert found.plan(pilot, None).interactions == pytest.approx((0.1, 0.0))
    assert found.plan(pilot, 10).interactions == pytest.approx((0.2, 0.05))
    assert found.plan(pilot, 10).common == 1.0


def test_items_of_one_sample_vary_as_the_others() -> None:
    mixed = Repeats(np.array([1.0, 0.0, 1.0, 1.0, 1.0]), np.array([2, 1, 2]), ["a", "b", "c"])
    found = known(sampling_of([mixed], [mixed]))
    assert found.single[0] == pytest.approx((0.5 + 0.25 + 0.0) / 9)
    assert found.within[0] == pytest.approx((0.5 / 2 + 0.25 / 1 + 0.0 / 2) / 9)
    alone = Repeats(np.array([1.0, 0.0]), np.array([1, 1]), ["a", "b"])
    assert sampling_of([mixed], [alone]) is None


def test_what_more_items_and_samples_are_worth_is_said() -> None:
    values = drawn(np.random.default_rng(3), ITEMS, SAMPLES)[0]
    noise = np.random.default_rng(5).integers(0, 2, size=(2, 1, ITEMS, SAMPLES)).astype(np.float64)
    result, without = planned(values[:, None]), planned(noise)
    assert "more items are" in " ".join(result.render().split())
    assert "more samples are" in " ".join(without.render().split())
    assert "0 % lies between items" in " ".join(without.render().split())
    assert ["no-variance-between" in kinds(one.notes) for one in (result, without)] == [False, True]


def test_results_are_stored_and_older_ones_load() -> None:
    result = planned(drawn(np.random.default_rng(4), ITEMS, SAMPLES)[0][:, None])
    data = json.loads(result.render("json"))
    assert data["bases"][0]["sampling"]["samples"] == [4.0, 4.0]
    assert parse(data).render("json") == result.render("json")
    del data["bases"][0]["sampling"], data["predicted_samples"]
    older = parse(data)
    assert isinstance(older, PlanResult)
    assert older.predicted_samples == ()
    assert "samples per item" not in older.render()


def test_what_has_no_parts_is_refused_if_asked_for() -> None:
    values = drawn(np.random.default_rng(6), 40, SAMPLES)[0][:, None]
    given = corpus(values)
    unasked = tg.plan(given, metrics=["pass:k=2"], gain=0.1)
    assert unasked.predicted_samples == ()
    assert "no-variance-parts" in kinds(unasked.notes)
    with refused(naming=["pass@2"]):
        tg.plan(given, metrics=["pass:k=2"], gain=0.1, sample_counts=[5])
    with refused():
        tg.plan(None, {"a": values[0, 0, :, 0], "b": values[1, 0, :, 1]}, metrics=["scores"], sample_counts=[5])
    with refused(naming=[0]):
        tg.plan(given, metrics=["scores"], sample_counts=[0])
    with refused(naming=["sample_counts"]):
        tg.plan(sd=1.0, correlation=0.5, gain=1.0, sample_counts=[5])
