"""Parts of the resamples, put together again: to the byte what one thread makes at once."""

from __future__ import annotations

import itertools
import pickle
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import truegain as tg
from tests.engines.cases import Itself, Summed, a_corpus
from tests.refusals import refused
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.engines.blas import BlasEngine
from truegain.engines.part_files import share
from truegain.engines.parts import PartEngine
from truegain.engines.stored import StoredEngine
from truegain.engines.work import Counting, Dealing, Resampling
from truegain.experiment import Experiment
from truegain.inference.all_pairs import AllPairs
from truegain.resampling.design import Design
from truegain.resampling.units import Units, UnitTable

FIRST = 11


def merged(parts: int, ask: Callable[[Engine], Any]) -> StoredEngine:
    """What all parts made of a question, in an order of chance."""
    engines = [PartEngine(part, parts) for part in range(1, parts + 1)]
    for engine in engines:
        ask(engine)
    random.Random(parts).shuffle(engines)
    return StoredEngine(tuple(engine.made() for engine in engines))


@given(st.integers(1, 50), st.integers(0, 200))
def test_the_shares_are_all_resamples_in_order_and_as_equal_as_can_be(parts: int, resamples: int) -> None:
    shares = [share(part, parts, resamples) for part in range(1, parts + 1)]
    assert list(itertools.chain.from_iterable(range(*one) for one in shares)) == list(range(resamples))
    sizes = {stop - start for start, stop in shares}
    assert max(sizes) - min(sizes) <= 1


UNITS = {
    "segments": Units.segments(63),
    "strata": Units.segments(63).stratified(["ab"[i % 3 == 0] for i in range(63)]),
    "blocks": Units.blocks(63, 3.0),
}


@pytest.mark.parametrize("resamples", [1, 3, 65, 700])
@pytest.mark.parametrize("parts", [1, 2, 7])
@pytest.mark.parametrize("units", [*UNITS, "swap"])
def test_totals(units: str, parts: int, resamples: int) -> None:
    design = Design(UNITS.get(units, UNITS["segments"]), "swap" if units == "swap" else "bootstrap", 8)
    table = UnitTable.build(np.random.default_rng(1).integers(-9, 60, (63, 6)).astype(float), Units.segments(63))

    def ask(engine: Engine) -> NDArray[np.float64]:
        return engine.resample(Resampling(design, table, Itself()), resamples, told.append, first=FIRST)

    told: list[int] = []
    expected = ask(BlasEngine())
    found = ask(merged(parts, ask))
    assert found.tobytes() == expected.tobytes()
    assert found.flags.c_contiguous  # sums over it have the order, and the bits, that they would have


@pytest.mark.parametrize("runs", [2, 5])
def test_dealt_sums(runs: int) -> None:
    values = np.random.default_rng(runs).integers(-9, 60, (37, runs, 3))

    def ask(engine: Engine) -> NDArray[np.float64]:
        return engine.deal(Dealing(3, values, Summed()), 300, first=2)

    assert ask(merged(7, ask)).tobytes() == ask(BlasEngine()).tobytes()


@pytest.mark.parametrize("part", [1, 4, 7])
@pytest.mark.parametrize("resamples", [3, 700])
def test_a_part_has_its_own_share_where_it_belongs_and_others_like_it(part: int, resamples: int) -> None:
    table = UnitTable.build(np.random.default_rng(1).integers(0, 60, (63, 2)).astype(float), Units.segments(63))
    design = Design(Units.segments(63), "bootstrap", 8)
    expected = BlasEngine().resample(Resampling(design, table, Itself()), resamples)
    told: list[int] = []
    engine = PartEngine(part, 7)
    found = engine.resample(Resampling(design, table, Itself()), resamples, told.append)
    assert sum(told) == resamples
    own = slice(*share(part, 7, resamples))
    np.testing.assert_array_equal(found[:, own], expected[:, own])
    assert {tuple(one) for one in found.T.tolist()} <= {tuple(one) for one in expected.T.tolist()}
    (kept,) = engine.made().calls.values()
    assert kept.arrays[0].tobytes() == np.ascontiguousarray(expected[:, own]).tobytes()
    if resamples == 700:
        assert np.array_equal(found, expected) is False


@pytest.mark.parametrize("known", [0, 1, 30, 200, 5000])
def test_what_is_known_to_all_parts(known: int) -> None:
    table = UnitTable.build(np.random.default_rng(1).integers(0, 60, (63, 2)).astype(float), Units.segments(63))
    design = Design(Units.segments(63), "bootstrap", 8)
    for first, part in itertools.product((0, 20), (1, 4, 7)):
        expected = BlasEngine().resample(Resampling(design, table, Itself()), 700, first=first)
        engine = PartEngine(part, 7)
        found = engine.knowing(known).resample(Resampling(design, table, Itself()), 700, first=first)
        end = max(known - first, 0)
        np.testing.assert_array_equal(found[:, :end], expected[:, :end])
        own = slice(*share(part, 7, 700))
        np.testing.assert_array_equal(found[:, own], expected[:, own])
        assert len(engine.calls) == 1  # in the same place


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return a_corpus()


@pytest.mark.parametrize("maxima", [True, False])
@pytest.mark.parametrize("resamples", [4, 900])
def test_counts_of_pairs(corpus: Corpus, maxima: bool, resamples: int) -> None:
    experiment = Experiment.prepare(
        corpus, ["bleu", "ter"], unit="auto", seed=4, jobs=1, cache=None, engine=None, progress=None
    )
    blocks = experiment.statistics.blocks
    questions = [
        AllPairs(
            observed,
            scores,
            lower_is_better=block.metric.higher_is_better is False,
            factor=1.01,
        ).question(maxima=maxima)
        for block, observed, scores in zip(blocks, experiment.scores, experiment.bootstrap(200), strict=True)
    ]
    design = Design(experiment.units, "bootstrap", 4)
    told: list[int] = []

    def ask(engine: Engine) -> list[tuple[Any, ...]]:
        told.clear()
        counts = engine.count(
            Counting(design, experiment.table, blocks, tuple(questions)), resamples, told.append, first=200
        )
        assert sum(told) == 2 * resamples
        return [(one.exceedances.tolist(), one.maxima.tolist(), one.resamples) for one in counts]

    assert ask(merged(7, ask)) == ask(BlasEngine())


RESULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "ar": ("compare", {"test": "ar", "runs": 1}),
    "bootstrap": ("compare", {"test": "bootstrap", "runs": 1, "interval": "bca"}),
    "block": ("compare", {"test": "stationary-bootstrap", "unit": "block", "runs": 1}),
    "strata": ("compare", {"test": "bootstrap", "unit": "segment", "strata": "domain", "runs": 1}),
    "several tests": ("compare", {"test": ["bootstrap", "ar", "koehn2004", "sacrebleu-ar"], "runs": 1}),
    "maxt": ("compare", {"test": "ar", "adjust": "maxt", "family": "all", "runs": 1}),
    "crossed": ("compare", {"test": "crossed"}),
    "auto, of runs": ("compare", {}),
    "dealt": ("compare", {"test": "clark2011"}),
    "end to end": ("compare", {"test": "multeval-ar"}),
    "all pairs": ("rank", {"test": "bootstrap", "runs": 1}),
    "all pairs, holm": ("rank", {"test": "bootstrap", "adjust": "holm", "runs": 1}),
    "all pairs by ar": ("rank", {"test": "ar", "runs": 1}),
    "all pairs, crossed": ("rank", {"test": "crossed"}),
    "threshold": ("threshold", {"runs": 1, "sizes": [20, 40], "repetitions": 2, "unit": "segment"}),
    "score": ("score", {}),
    "intervals": ("intervals", {}),
    "gate": ("gate", {"runs": 1, "systems": 2}),
    "replicate": ("replicate", {"systems": 2, "repetitions": 2}),
}


@pytest.mark.whole
@pytest.mark.parametrize("what", RESULTS)
def test_whole_results(corpus: Corpus, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Most resamples of a ranking are counted as they come, after the first are held.
    monkeypatch.setattr("truegain.studies.rank.tested._SCORES", 1)
    monkeypatch.setattr("truegain.studies.rank.tested.STANDARDISING", 150)
    study, given_options = RESULTS[what]
    options = dict(given_options)
    runs, systems = options.pop("runs", 2), options.pop("systems", 5)
    corpus = replace(corpus, systems=tuple(replace(one, runs=one.runs[:runs]) for one in corpus.systems[:systems]))

    def made(engine: Engine | str) -> str:
        found = getattr(tg, study)(corpus, metrics=["bleu", "ter"], resamples=400, jobs=1, engine=engine, **options)
        return str(found.render("json"))

    files = []
    for part in range(1, 8):
        engine = PartEngine(part, 7)
        made(engine)
        files.append(tmp_path / f"{part}.part")
        files[-1].write_bytes(engine.made().pack())
    random.Random(1).shuffle(files)
    assert made(StoredEngine.read(files)) == made("threads")


def test_a_result_of_one_part_alone_is_another(corpus: Corpus) -> None:
    corpus = replace(corpus, systems=tuple(replace(one, runs=one.runs[:1]) for one in corpus.systems))
    made = [tg.compare(corpus, resamples=400, engine=one).render("json") for one in ("threads", PartEngine(2, 7))]
    assert made[0] != made[1]


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_a_number_of_resamples_that_is_not_known_cannot_be_divided(corpus: Corpus, test: str) -> None:
    corpus = replace(corpus, systems=tuple(replace(one, runs=one.runs[:1]) for one in corpus.systems))
    with refused():
        tg.compare(corpus, test=test, resamples="auto", engine=PartEngine(1, 7))


@pytest.mark.parametrize(("part", "parts"), [(0, 7), (8, 7), (1, 0), (1, 100_001)])
def test_parts_that_there_are_not(part: int, parts: int) -> None:
    with refused():
        PartEngine(part, parts)


@pytest.mark.parametrize("engine", [PartEngine(1, 2), StoredEngine(())], ids=["part", "stored"])
def test_what_is_kept_stays_in_its_process(engine: Engine) -> None:
    with pytest.raises(TypeError, match="process"):
        pickle.dumps(engine)


# ---- What does not go together


def files_of(folder: Path, parts: int, which: Sequence[int], corpus: Corpus, **options: Any) -> list[Path]:
    made = []
    for part in which:
        engine = PartEngine(part, parts)
        tg.score(corpus, resamples=20, engine=engine, **options)
        made.append(folder / f"{part}of{parts}{''.join(map(str, options.values()))}.part")
        made[-1].write_bytes(engine.made("truegain score ref.txt").pack())
    return made


def test_parts_that_do_not_make_a_whole(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of_two, of_three = files_of(tmp_path, 2, [1, 2], corpus), files_of(tmp_path, 3, [1, 2, 3], corpus)
    for files, told in (
        (files_of(tmp_path, 15, [2, 3, 4], corpus), [12, 15, "truegain.PartEngine(1, 15)"]),
        (of_two[:1], [1, 2, "truegain.PartEngine(2, 2)"]),
        ([], []),
        ([*of_three, of_two[0]], ["1of2.part", "1of3.part"]),
        ([*of_two, of_two[0]], ["1of2.part"]),
    ):
        with refused(naming=told):
            StoredEngine.read(files)
    monkeypatch.setattr("truegain.engines.stored.__version__", "9.9")
    with refused(naming=["1of2.part", tg.__version__, "9.9"]):
        StoredEngine.read(of_two)


@pytest.mark.parametrize("options", [{"seed": 2}, {"resamples": 21}, {"metrics": ["chrf"]}, {"unit": "segment"}])
def test_parts_of_other_options(corpus: Corpus, tmp_path: Path, options: dict[str, Any]) -> None:
    first = PartEngine(1, 2)
    tg.score(corpus, engine=first, **({"resamples": 20} | options))
    (tmp_path / "other.part").write_bytes(first.made().pack())
    files = files_of(tmp_path, 2, [1, 2], corpus)
    with refused(naming=["truegain score ref.txt"]):
        StoredEngine.read([tmp_path / "other.part", files[1]])
    with refused(naming=["truegain score ref.txt"]):
        tg.score(corpus, engine=StoredEngine.read(files), **({"resamples": 20} | options))


def test_parts_of_other_texts(corpus: Corpus, tmp_path: Path) -> None:
    files = files_of(tmp_path, 2, [1, 2], corpus)
    outputs = corpus.systems[0].runs[0].outputs
    assert outputs is not None
    run = replace(corpus.systems[0].runs[0], outputs=("something else", *outputs[1:]))
    other = replace(corpus, systems=(replace(corpus.systems[0], runs=(run,)), *corpus.systems[1:]))
    with refused():
        tg.score(other, resamples=20, engine=StoredEngine.read(files))
