"""One answer on every engine: totals, dealt sums and counts of pairs, and whole results to the byte."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.engines.cases import a_corpus, designs, itself, rows
from tests.refusals import refused
from truegain.corpus import Corpus
from truegain.engines.choice import make_engine
from truegain.engines.engine import Counting, Dealing, Engine, Resampling
from truegain.executors.over import Workers
from truegain.executors.pools import processes
from truegain.experiment import Experiment
from truegain.inference.all_pairs import AllPairs
from truegain.resampling.design import Design
from truegain.resampling.units import Units, UnitTable


def engines() -> list[str]:
    """Those to be had on any machine, or those that are asked for: ``TRUEGAIN_ENGINES="torch:cuda"``."""
    return os.environ.get("TRUEGAIN_ENGINES", "processes torch:cpu dask").split()


@pytest.fixture(scope="module", params=engines())
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    name = request.param.partition(":")[0]
    library = {"dask": "distributed", "torch": "torch"}.get(name)
    if library is not None and find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    if name == "processes":
        with processes(3) as workers:
            yield Engine(workers)
    else:
        yield make_engine(request.param, 3)


def a_table(units: int, kind: str) -> UnitTable:
    values = np.random.default_rng(units).integers(0, 60, (units, 6)).astype(float)
    values[:, 3] = values[:, 0]
    values[:, 4] = values[:, 1] + 7
    if kind == "signed":
        values -= 30
    if kind == "large":
        values *= 2.0**17
    if kind == "fractions":
        values = values / 7 - 3
    return UnitTable.build(values, Units.segments(units))


@pytest.mark.parametrize("sort", range(5))
@pytest.mark.parametrize(("units", "kind"), [(1, "counts"), (63, "signed"), (130, "large"), (301, "fractions")])
def test_totals(engine: Engine, sort: int, units: int, kind: str) -> None:
    design, table = designs(units, 8)[sort], a_table(units, kind)
    expected = Engine().resample(Resampling(design, table, itself), 700, first=11)
    told: list[int] = []
    found = engine.resample(Resampling(design, table, itself), 700, told.append, first=11)
    assert found.tobytes() == expected.tobytes()
    assert sum(told) == 700


@pytest.mark.parametrize("runs", [2, 5])
def test_dealt_sums(engine: Engine, runs: int) -> None:
    values = np.random.default_rng(runs).integers(-9, 60, (37, runs, 3))
    expected = Engine().deal(Dealing(3, values, rows), 300, first=2)
    assert engine.deal(Dealing(3, values, rows), 300, first=2).tobytes() == expected.tobytes()


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return a_corpus()


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "wer", "rouge1", "nist", "unigram"])
@pytest.mark.parametrize("maxima", [True, False])
def test_counts_of_pairs(engine: Engine, corpus: Corpus, metric: str, maxima: bool) -> None:
    experiment = Experiment.prepare(
        corpus, [metric], unit="auto", seed=4, jobs=1, cache=None, engine=Engine(), progress=None
    )
    block = experiment.statistics.blocks[0]
    pairs = AllPairs(
        experiment.scores[0],
        experiment.bootstrap(200)[0],
        lower_is_better=block.metric.higher_is_better is False,
        factor=1.01,
    )
    question = pairs.question(maxima=maxima)
    design = Design(experiment.units, "bootstrap", 4)
    found = [
        one.count(Counting(design, experiment.table, (block,), (question,)), 900, first=200)[0]
        for one in (Engine(), engine)
    ]
    assert found[0].resamples == found[1].resamples == 900
    np.testing.assert_array_equal(found[0].exceedances, found[1].exceedances)
    np.testing.assert_array_equal(found[0].maxima, found[1].maxima)
    assert set(found[0].exceedances.tolist()) > {0, 900}  # of a copy all, and some of others


RESULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "ar": ("compare", {"test": "ar", "runs": 1}),
    "bootstrap": ("compare", {"test": "bootstrap", "runs": 1}),
    "block": ("compare", {"test": "stationary-bootstrap", "unit": "block", "runs": 1}),
    "strata": ("compare", {"test": "bootstrap", "unit": "segment", "strata": "domain", "runs": 1}),
    "crossed": ("compare", {"test": "crossed"}),
    "dealt": ("compare", {"test": "clark2011"}),
    "all pairs": ("rank", {"test": "bootstrap", "runs": 1}),
    "all pairs by ar": ("rank", {"test": "ar", "runs": 1}),
}


@pytest.mark.parametrize("what", RESULTS)
def test_whole_results(engine: Engine, corpus: Corpus, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truegain.studies.tested._SCORES", 1)
    monkeypatch.setattr("truegain.studies.tested.STANDARDISING", 400)
    study, options = RESULTS[what]
    options = dict(options)
    runs = options.pop("runs", 2)
    if options.get("strata") != "domain":
        corpus = replace(corpus, domains=None)  # else strata are drawn by themselves
    corpus = replace(corpus, systems=tuple(replace(one, runs=one.runs[:runs]) for one in corpus.systems))
    made = [
        getattr(tg, study)(corpus, metrics=["bleu", "chrf", "ter"], resamples=1000, engine=one, **options)
        for one in ("threads", engine)
    ]
    found = [one.render("json") for one in made]
    assert found[0] == found[1]


def test_an_engine_that_there_is_not() -> None:
    with refused(naming=["abacus"]):
        make_engine("abacus", 2)


def test_threads_by_default() -> None:
    assert make_engine(None, 3) == make_engine("threads", 3) == Engine(Workers(3))
