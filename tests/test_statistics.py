"""The matrix of statistics: its layout, its scores, and how it is collected."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from numpy.typing import NDArray

from benchmarks.simulation import SystemSpec, simulate
from tests.refusals import refused
from truegain.cache import Cache
from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.executors.over import Workers
from truegain.executors.pools import processes
from truegain.inputs import InputFile
from truegain.metrics.accuracy import Accuracy
from truegain.metrics.alignment import AER
from truegain.metrics.base import REFERENCE, Metric
from truegain.metrics.bleu import BLEU
from truegain.metrics.chrf import CHRF
from truegain.metrics.dependency import LAS
from truegain.metrics.lookup import make_metrics
from truegain.metrics.pass_at_k import PassAtK
from truegain.metrics.segment_scores import SegmentScores
from truegain.metrics.spans import SpanF1
from truegain.readers.memory import corpus_from_memory
from truegain.repeats import Repeats
from truegain.statistics import Block, check_defined, collect, run_scores, scored_once, system_scores
from truegain.statistics.check_inputs import check_fit
from truegain.statistics.collecting import compact
from truegain.statistics.matrix import mean_of_runs

REFERENCES = ["the cat sat on the mat", "a dog ran off", "it was late in the day"]


@pytest.fixture
def two() -> Iterator[Workers]:
    """Two processes, ended with the test."""
    with processes(2) as workers:
        yield workers


@pytest.fixture
def corpus() -> Corpus:
    return corpus_from_memory(
        REFERENCES,
        {
            "one": ["the cat sat", "a dog ran off", "it was late"],
            "two": [["a cat", "a dog", "late in the day"], ["the mat", "dog ran off", "it was"]],
        },
    )


def test_layout_and_scores_of_runs_and_systems(corpus: Corpus) -> None:
    found = collect(corpus, {"bleu": BLEU(), "chrf": CHRF()})
    bleu, chrf = found.blocks
    assert (bleu.columns, chrf.columns) == (slice(0, 30), slice(30, 84))
    assert (bleu.system_columns(0), bleu.system_columns(1)) == (slice(0, 10), slice(10, 30))
    expected = [CHRF().statistics(outputs, [REFERENCES]) for outputs in outputs_of(corpus)]
    np.testing.assert_array_equal(found.values[:, 30:], np.hstack(expected))

    totals = found.totals[chrf.columns]
    runs = chrf.run_scores(totals)
    assert runs.tolist() == [CHRF().score(one.sum(0).astype(float)) for one in expected]
    assert chrf.system_scores(runs).tolist() == [runs[0], (runs[1] + runs[2]) / 2]
    stacked = np.stack([totals, 2 * totals], axis=-1)
    assert chrf.run_scores(stacked).shape == (3, 2)


def test_the_same_with_threads_and_cache_which_computes_nothing_when_it_is_warm(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics: dict[str, Metric] = {"bleu": BLEU(), "chrf": CHRF()}
    expected = collect(corpus, metrics).values
    cache = Cache(tmp_path)
    done: list[int] = []
    for _ in range(2):
        found = collect(corpus, metrics, cache=cache, workers=Workers(3), progress=lambda _, one, __: done.append(one))
        np.testing.assert_array_equal(found.values, expected)
        for metric in (BLEU, CHRF):
            monkeypatch.setattr(metric, "prepare", None)
            monkeypatch.setattr(metric, "statistics", None)
    assert cache.info().entries == 6
    assert sum(done) == 12


def test_slopes_of_runs_are_those_of_the_metric_if_it_knows_them(corpus: Corpus) -> None:
    found = collect(corpus, {"bleu": BLEU(), "chrf": CHRF()})
    bleu, chrf = found.blocks
    totals = found.totals[bleu.columns]
    slopes = bleu.run_slopes(totals)
    np.testing.assert_array_equal(slopes, [BLEU().slopes(one) for one in totals.reshape(3, 10)])
    assert np.isfinite(slopes[:2]).all()
    np.testing.assert_array_equal(chrf.run_slopes(found.totals[chrf.columns]), np.full((3, 18), np.nan))


def test_settings_and_references_are_part_of_the_key(corpus: Corpus, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    other = corpus_from_memory([*REFERENCES[:2], "another"], {"one": ["the cat sat", "a dog ran off", "it was late"]})
    for given_, metric, entries in ((corpus, BLEU(), 3), (other, BLEU(), 4), (corpus, BLEU(lowercase=True), 7)):
        collect(given_, {"bleu": metric}, cache=cache)
        assert cache.info().entries == entries


def test_what_a_metric_needs(corpus: Corpus) -> None:
    with refused("scores"):
        collect(corpus, {"scores": SegmentScores()})
    scored = corpus_from_memory(None, {"one": [0.1, 0.2]})
    with refused("metrics", "scores"):
        collect(scored, {"bleu": BLEU()})
    bare = corpus_from_memory(None, {"one": ["a", "b"]})
    with refused("references"):
        collect(bare, {"bleu": BLEU()})


def test_outputs_that_are_a_reference_are_scored() -> None:
    corpus = corpus_from_memory([REFERENCES, ["x", "y", "z"]], {"one": ["x", "y", "w"], "two": ["x", "y", "z"]})
    assert collect(corpus, {"wer": make_metrics(["wer"])["wer"]}).totals[-2:].tolist() == [0, 3]
    assert collect(corpus, {"accuracy": Accuracy()}).totals.tolist() == [2, 3, 3, 3]


@pytest.mark.parametrize(("metric", "text", "line"), [(AER(), "0-0\n0:0\n", 2), (SpanF1(), "O\nX\n", None)])
def test_errors_in_a_reference_are_told_by_its_file(
    tmp_path: Path, metric: Metric, text: str, line: int | None
) -> None:
    path = tmp_path / "gold.txt"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        collect(corpus_from_memory(path, {"one": ["x", "y"]}), {"m": metric})
    assert str(raised.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert "the reference" not in str(raised.value)


def test_scores_of_all_metrics_below_each_other() -> None:
    scores = np.arange(8.0).reshape(4, 2)
    assert Block("m", Given(None), 0, (1, 1, 1, 1)).system_scores(scores).tolist() == scores.tolist()
    assert Block("m", Given(None), 0, (2, 2)).system_scores(scores).tolist() == [[1.0, 2.0], [5.0, 6.0]]

    blocks = (Block("m", Given(None), 0, (1, 2)), Block("n", Given(None, statistic_names=("a",)), 6, (1, 2)))
    totals = np.arange(18.0).reshape(9, 2)
    runs = [[0.0, 1.0], [4.0, 5.0], [8.0, 9.0], [12.0, 13.0], [14.0, 15.0], [16.0, 17.0]]
    assert run_scores(blocks, totals).tolist() == runs
    assert system_scores(blocks, totals).tolist() == [[0.0, 1.0], [6.0, 7.0], [12.0, 13.0], [15.0, 16.0]]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_resamples_without_a_score_are_counted_once_each(bad: float) -> None:
    block = Block("m", Given(None), 0, (1,))
    values = np.zeros((2, 3, 4))
    check_defined(values, block)
    values[0, :, 1] = values[1, 0, 3] = bad
    with refused(naming=["2", "4", "score"]):
        check_defined(values, block)


@dataclass(frozen=True)
class Given:
    """A metric with statistics of any kind, or with an error."""

    result: Any = field(repr=False)
    name: str = "given"
    label: str = "Given"
    higher_is_better: bool | None = True
    reads: Literal["text", "scores"] = "text"
    statistic_names: tuple[str, ...] = ("a", "b")
    structure: str = "any"
    fails: str = ""

    def signature(self, references: int | str = 1) -> str:
        return "given"

    def prepare(self, references: Any) -> Any:
        if self.fails:
            raise InputError("the references are wrong", path=self.fails.strip() or None)
        return references

    def statistics(self, hypotheses: Any, references: Any) -> NDArray[np.float64]:
        if isinstance(self.result, Exception):
            raise self.result
        return np.asarray(self.result)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        return totals[..., 0]


def test_statistics_of_another_shape_or_not_finite_are_refused(corpus: Corpus) -> None:
    with refused(naming=["2", "3", "'given'"]):
        collect(corpus, {"m": Given(np.ones((2, 2)))})
    for bad in (np.nan, np.inf):  # the first segment without a finite number is told
        with refused(naming=["2", "'given'"]):
            collect(corpus, {"m": Given(np.array([[1.0, 2.0], [3.0, bad], [bad, bad]]))})


def test_an_error_that_names_its_file_stays_as_it_is_and_another_gets_the_run(corpus: Corpus) -> None:
    with refused(path="there"):
        collect(corpus, {"m": Given(InputError("wrong", path="there"))})
    with refused(path="one"):
        collect(corpus, {"m": Given(InputError("wrong"))})


@given(
    st.lists(
        st.integers(-(2**40), 2**40)
        | st.sampled_from([-(2**31) - 1, -(2**31), 2**31 - 1, 2**31, 2**32, 100, -100, 3**31]),
        max_size=4,
    )
)
def test_what_is_kept_is_small_where_it_can_be_and_the_same(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    kept = compact(values)
    assert kept.tolist() == numbers
    fits = bool(numbers) and all(-(2**31) <= one < 2**31 for one in numbers)
    assert kept.dtype == (np.int32 if fits else np.int64)


def test_fractions_and_large_statistics_come_back_from_the_cache(corpus: Corpus, tmp_path: Path) -> None:
    assert compact(np.array([0.5, 1.0])).tolist() == [0.5, 1.0]
    values = np.array([[2**31, 1], [-(2**31) - 1, 5], [7, 2**40]])
    for _ in range(2):
        found = collect(corpus, {"m": Given(values)}, cache=Cache(tmp_path)).values
        np.testing.assert_array_equal(found[:, :2], values)


def test_an_error_in_references_is_told_by_the_file_only_where_there_is_one(tmp_path: Path) -> None:
    for name in ("first.txt", "second.txt"):
        (tmp_path / name).write_text("a\nb\n")
    one = corpus_from_memory(tmp_path / "first.txt", {"one": ["x", "y"]})
    two = corpus_from_memory([tmp_path / "first.txt", tmp_path / "second.txt"], {"one": ["x", "y"]})
    cases = [(one, REFERENCE, str(tmp_path / "first.txt")), (two, REFERENCE, REFERENCE), (one, " ", None)]
    for corpus, said, told in cases:
        with refused(path=told):
            collect(corpus, {"m": Given(np.ones((2, 2)), fails=said)})


def test_trees_are_refused_by_a_metric_of_text(tmp_path: Path) -> None:
    block = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    for name in ("gold.conllu", "one.conllu"):
        (tmp_path / name).write_text(block)
    corpus = corpus_from_memory(tmp_path / "gold.conllu", {"one": tmp_path / "one.conllu"})
    with refused("metrics", naming=["gold.conllu"]):
        collect(corpus, {"bleu": BLEU()})
    assert collect(corpus, {"las": LAS()}).totals[0] == 1
    assert collect(corpus, {"m": Given(np.ones((1, 2)))}).totals.tolist() == [1.0, 1.0]


class Elsewhere(Executor):
    """Does work as another process would, and remembers how many segments of each run it was asked for."""

    _max_workers = 2

    def __init__(self) -> None:
        self.sent: list[list[int]] = []

    def submit(self, task: Callable[..., Any], /, *given: Any, **_: Any) -> Future[Any]:
        """Do it at once."""
        future: Future[Any] = Future()
        result = task(*pickle.loads(pickle.dumps(given)))
        self.sent += [[*map(len, result)]] if isinstance(result, list) else []
        future.set_result(result)
        return future


def cut(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("truegain.statistics.collecting._PIECE", size)


@pytest.mark.parametrize(
    "name",
    [
        *("bleu", "chrf", "ter", "wer", "cer", "per", "rouge1", "rougel"),
        *("meteor:modules=exact", "length", "unigram", "nist"),
    ],
)
@pytest.mark.parametrize("references", [1, 2])
def test_a_run_that_is_cut_gives_what_the_whole_gives(
    name: str, references: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut(monkeypatch, 7)
    made = simulate(segments=31, references=references, systems=[SystemSpec(name=one, quality=0.6) for one in "ab"])
    lists = [list(one) for one in made.references]
    corpus = corpus_from_memory(lists if references > 1 else lists[0], {k: list(v[0]) for k, v in made.systems.items()})
    metrics = make_metrics([name])
    there = Elsewhere()
    found = collect(corpus, metrics, workers=Workers(2, there))
    np.testing.assert_array_equal(found.values, collect(corpus, metrics).values)
    # NIST weighs words by how rare they are in all references: it is never cut.
    assert there.sent == ([[31], [31]] if name == "nist" else [[7]] * 8 + [[3, 3]])
    monkeypatch.undo()
    np.testing.assert_array_equal(found.values, collect(corpus, metrics).values)


@pytest.mark.parametrize("size", [3, 5, 10])
def test_an_error_in_a_run_that_is_cut_counts_segments_of_the_whole(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cut(monkeypatch, size)
    corpus = corpus_from_memory([f"word {i}" for i in range(10)], {"a": [f"word{i} x" for i in range(10)]})
    for workers in (Workers(), Workers(2), Workers(2, Elsewhere())):
        with refused(naming=["9", "'bleu'"]):
            collect(corpus, {"odd": Troubled()}, workers=workers)


def test_a_run_that_is_whole_is_not_computed_again_for_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(Troubled, "asked", asked)
    corpus = corpus_from_memory(["word 8", "word 9"], {"a": ["word8 x", "word9 x"]})
    with refused(naming=["1", "'bleu'"]):
        collect(corpus, {"odd": Troubled()}, workers=Workers(2, Elsewhere()))
    assert asked == [2]


def test_runs_of_the_same_segments_go_to_a_worker_together() -> None:
    systems = {f"system {i}": ["the cat sat", f"a dog {i}", "it was late"] for i in range(20)}
    corpus = corpus_from_memory(REFERENCES, systems)
    there = Elsewhere()
    found = collect(corpus, {"bleu": BLEU()}, workers=Workers(2, there))
    np.testing.assert_array_equal(found.values, collect(corpus, {"bleu": BLEU()}).values)
    assert there.sent == [[3, 3, 3]] * 6 + [[3, 3]]


@dataclass(frozen=True)
class Troubled(BLEU):
    """No number for one segment."""

    asked: ClassVar[list[int]] = []

    def statistics(self, hypotheses: Sequence[str], references: Any) -> NDArray[Any]:
        self.asked.append(len(hypotheses))
        found = super().statistics(hypotheses, references).astype(float)
        found[["word8 x" in one for one in hypotheses]] = np.nan
        return found


@dataclass(frozen=True)
class Placed(Given):
    """A metric whose statistics tell which process and which thread they were made in."""

    result: Any = None
    name: str = "placed"
    processes: bool = True

    def statistics(self, hypotheses: Any, references: Any) -> NDArray[np.float64]:
        return np.array([[os.getpid(), len(line)] for line in hypotheses], np.float64)


def places(corpus: Corpus, workers: Workers, **settings: Any) -> set[int]:
    found = collect(corpus, {"m": Placed(**settings)}, workers=workers).values
    assert found[:, 1::2].tolist() == [[len(line) for line in row] for row in zip(*outputs_of(corpus), strict=True)]
    return {int(one) for one in found[0, ::2]}


def outputs_of(corpus: Corpus) -> list[Any]:
    return [run.outputs for system in corpus.systems for run in system.runs]


@pytest.mark.whole
def test_a_metric_of_pythons_own_work_goes_into_processes(corpus: Corpus, two: Workers) -> None:
    here = {os.getpid()}
    assert not places(corpus, Workers(2)) & here
    assert places(corpus, Workers(2), processes=False) == here
    assert places(corpus, Workers(1)) == here  # one job needs no other process
    assert not places(corpus, two, processes=False) & here


def test_scores_are_taken_as_they_are_and_what_is_not_to_be_kept_is_not(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    scored = corpus_from_memory(None, {"one": [0.1, 0.2], "two": [0.3, 0.5]})
    found = collect(scored, {"scores": SegmentScores()}, cache=cache)
    assert found.values[:, -2].tolist() == [0.3, 0.5]
    assert found.totals[found.blocks[0].system_columns(1)][0] == pytest.approx(0.8)
    links = corpus_from_memory(["0-0"], {"one": ["0-1"]})
    collect(links, {"aer": AER()}, cache=cache)
    assert cache.info().entries == 0


@pytest.mark.whole
def test_workers_elsewhere_leave_the_cache_to_this_process(corpus: Corpus, tmp_path: Path, two: Workers) -> None:
    metrics: dict[str, Metric] = {"bleu": BLEU(), "chrf": CHRF()}
    expected = collect(corpus, metrics).values
    cache = Cache(tmp_path)
    done: list[tuple[str, int, int]] = []
    for _ in range(2):
        found = collect(corpus, metrics, cache=cache, workers=two, progress=lambda *told: done.append(told))
        np.testing.assert_array_equal(found.values, expected)
    assert done == [("scoring", 1, 6)] * 12
    assert cache.info().entries == 6
    (damaged := next(tmp_path.iterdir())).write_bytes(b"x")
    np.testing.assert_array_equal(collect(corpus, metrics, cache=cache, workers=two).values, expected)
    assert damaged.stat().st_size > 1


# ---- Metrics of programs


@dataclass(frozen=True)
class Program(Given):
    """A metric whose scores come from elsewhere: here the length of an output, all of them at once."""

    result: Any = None
    needs: frozenset[str] = frozenset()
    identity: str = "program"
    definition: Any = field(default_factory=lambda: SimpleNamespace(lasting=False))

    def score_segments(self, segments: Any, progress: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        assert progress is not None
        progress(len(segments.outputs))
        return np.array([float(len(one)) for one in segments.outputs])


def test_scores_of_programs_stand_beside_those_of_metrics(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are counted for metrics, and distinct segments for programs."""
    monkeypatch.setattr(scored_once, "_known", {})
    told: list[tuple[str, int, int]] = []
    metrics: dict[str, Metric] = {"program": Program(), "bleu": BLEU()}
    found = collect(corpus, metrics, progress=lambda *one: told.append(one))
    lengths = [[len(line) for line in outputs] for outputs in outputs_of(corpus)]
    np.testing.assert_array_equal(found.values[:, 0:6:2].T, lengths)
    np.testing.assert_array_equal(found.values[:, 1:6:2], np.ones((3, 3)))
    np.testing.assert_array_equal(found.values[:, 6:], collect(corpus, {"bleu": BLEU()}).values)
    distinct = len({line for outputs in outputs_of(corpus) for line in outputs})
    assert told == [*[("scoring", 1, 3)] * 3, ("given", 0, distinct), ("given", distinct, distinct)]


def with_texts(references: Sequence[Sequence[str | None]], sources: tuple[str, ...] | None = None) -> Corpus:
    made = corpus_from_memory([list(one) for one in references] or None, {"one": ["x", "y"]})
    return replace(made, sources=sources, references=tuple(tuple(one) for one in references), name="news")


def test_what_a_program_reads_must_be_there() -> None:
    source, reference = Program(needs=frozenset({"source"})), Program(needs=frozenset({"reference"}))
    both = Program(needs=frozenset({"source", "reference"}))
    bare, sources = with_texts([]), ("a", "b")
    for metric, corpus in (
        (Program(), bare),
        (source, with_texts([["r", None], ["t", "u"]], sources)),
        (reference, with_texts([["r", "s"]])),
        (both, with_texts([["r", "s"]], sources)),
    ):
        check_fit(metric, corpus, [])
    for metric, corpus, naming in (
        (source, bare, ["source", "none is given for news"]),
        (both, with_texts([["r", "s"]]), ["source", "none is given for news"]),
        (both, with_texts([], sources), ["needs a reference"]),
        (reference, with_texts([["r", "s"], ["t", "u"]]), ["one reference", "there are 2"]),
        (reference, with_texts([["r", None]]), ["needs a reference", "segment 2"]),
    ):
        with refused(naming=naming):
            check_fit(metric, corpus, [])


def test_scores_that_were_given_as_texts_are_told_apart_from_none() -> None:
    told, none = r"the values of one are texts\W+such as '0\.1'", "there are no segment scores for one"
    file = InputFile("one.txt", "outputs", 2)
    for lines, files, said in ((["0.1", " 1 "], (), told), (["0.1", "a cat"], (), none), (["0.1", "1"], (file,), none)):
        made = corpus_from_memory(["a", "b"], {"one": lines})
        corpus = replace(made, inputs=structs.replace(made.inputs, files=(*made.inputs.files, *files)))
        with pytest.raises(InputError, match=said):
            check_fit(SegmentScores("acc"), corpus, corpus.systems[0].runs)


# ---- Metrics of several samples of an item


def of_items(*samples: list[float], **others: Any) -> Corpus:
    counts = np.array([len(one) for one in samples])
    repeats = Repeats(np.concatenate(samples), counts, [f"q{i}" for i in range(len(samples))])
    run = Run("one", scores={"acc": repeats.sums() / counts}, repeats={"acc": repeats}, **others)
    return replace(corpus_from_memory(None, {"one": run.scores["acc"].tolist()}), systems=(System("one", (run,)),))


def test_a_metric_of_samples_gets_them_and_not_their_means() -> None:
    """pass@2 of 1 right sample of 3 is 2/3: all pairs but one hold it."""
    found = collect(of_items([1.0, 0.0, 0.0], [1.0, 1.0], [0.0, 0.0]), {"pass": PassAtK(2)})
    assert found.values.tolist() == [[pytest.approx(2 / 3), 1.0], [1.0, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize(("file", "before"), [("", ""), ("one", ""), ("log.json", "log.json: ")])
def test_errors_in_samples_and_one_score_per_item_are_told_by_the_file_and_the_run(file: str, before: str) -> None:
    corpus = of_items([1.0, 0.0], [1.0], scores_from=file)
    with refused(naming=["'q1'", "1", "2", f"{before}one: the item"]):
        collect(corpus, {"pass": PassAtK(2)})
    run = replace(corpus.systems[0].runs[0], repeats={})
    with pytest.raises(InputError, match=f"^{before}pass@2 is of several samples .* one has one score per item"):
        collect(replace(corpus, systems=(System("one", (run,)),)), {"pass": PassAtK(2)})


# ---- Training samples


def test_training_samples_count_the_same_however_many_runs_they_have() -> None:
    runs = np.array([[1.0, 10.0], [3.0, 20.0], [8.0, 60.0]])
    assert mean_of_runs(runs, (0, 0, 1)).tolist() == [5.0, 37.5]
    assert mean_of_runs(runs, (1, 0, 1)).tolist() == [3.75, 27.5]
    four = np.array([1.0, 3.0, 8.0, 12.0])
    assert mean_of_runs(four, (0, 0, 1, 2)) == pytest.approx(22 / 3)
    for equal in ((), (0, 1, 2), (0, 0, 0)):
        assert mean_of_runs(runs, equal).tolist() == [4.0, 30.0]


def test_a_block_knows_the_training_samples_of_its_systems() -> None:
    block = Block("given", Given(None), 0, (3, 1), ((0, 0, 1), (0,)))
    assert block.system_scores(np.array([1.0, 3.0, 8.0, 9.0])).tolist() == [5.0, 9.0]
    assert [block.samples_of(system) for system in (0, 1)] == [(0, 0, 1), (0,)]
    assert replace(block, samples=()).samples_of(1) == ()


def test_a_metric_that_keeps_files_is_told_the_cache(corpus: Corpus, tmp_path: Path) -> None:
    told: list[Cache | None] = []

    class Keeping(Given):
        def keep_files(self, cache: Cache | None) -> None:
            told.append(cache)

    cache = Cache(tmp_path)
    for one in (cache, None):
        collect(corpus, {"m": Keeping(np.ones((3, 2)))}, cache=one)
    assert told == [cache, None]
