"""Arguments of another kind than a study takes get a message with a way out, never an error of Python's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import truegain as tg
from tests.refusals import refused

LINES = [f"the {one} sat on the {other}" for one in ("cat", "dog", "bird") for other in ("mat", "log", "sill")]
SYSTEMS = {"base": LINES[::-1], "new": [*LINES[1:], "no"]}
THREE = {name: own * 3 for name, own in {**SYSTEMS, "other": [*LINES[2:], "a cat", "a dog"]}.items()}
NAN = float("nan")
SCORES = {"base": [0.1, 0.4, 0.2, 0.5], "new": [0.3, 0.5, 0.1, 0.9]}


def compared(**options: Any) -> Any:
    return tg.compare(LINES, SYSTEMS, resamples=20, **options)


def lengths(
    score: Callable[[Any], Any],
    names: tuple[str, ...] = ("length", "segments"),
    statistics: Callable[..., Any] | None = None,
) -> tg.CustomMetric:
    def counted(outputs: Any, references: Any) -> Any:
        return [[len(one), 1][: len(names)] for one in outputs]

    return tg.CustomMetric("length", statistics or counted, score, names)


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"system": list("aabb"), "id": [1, 2, 1, 2], "score": [0.1, 0.2, 0.3, 0.4]}).assign(**columns)


def overlap(outputs: Any, references: Any) -> float:
    return 1.0


STUDIES: Any = tg  # whose arguments are wrong here on purpose
read = STUDIES.read_corpus
ASSUMED: dict[str, Any] = {"sd": 12, "correlation": 0.8}


def planned(**options: Any) -> Any:
    return STUDIES.plan(**{**ASSUMED, "gain": 0.5, **options})


def agreed(metrics: Any, **options: Any) -> Any:
    return STUDIES.agree(SCORES, metrics, **options)


def of_scores(systems: Any, **options: Any) -> Any:
    return STUDIES.compare(None, systems, metrics=["scores"], **options)


def of_lengths(score: Callable[[Any], Any] = lambda totals: totals[..., 0], **options: Any) -> Any:
    return compared(metrics=[lengths(score, **options)])


def of_texts(outputs: Any) -> Any:
    return tg.compare(LINES, {"a": outputs, "b": LINES})


WORDS = [line.split()[: 2 + len(line) % 3] for line in LINES]
NUMBERED = {name: dict(enumerate(own)) for name, own in SCORES.items()}
SPELLED = {name: list(map(str, own)) for name, own in SCORES.items()}

CALLS: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "a function as a metric": (lambda: compared(metrics=[overlap]), ["'overlap'", "truegain.CustomMetric(name=…"]),
    "a function alone": (lambda: compared(metrics=overlap), ["'overlap'"]),
    "names by name": (lambda: compared(metrics={"m": "bleu"}), ["'bleu'"]),
    "no metrics by name": (lambda: compared(metrics={}), []),
    "one metric in an array": (lambda: compared(metrics=np.array("bleu")), ["bleu"]),
    "progress": (lambda: compared(progress=True), ["progress", "True"]),
    "a text for a number": (lambda: planned(sd="12"), ["sd", "'12'"]),
    "texts for numbers": (lambda: planned(gain=[0.5, "1"]), ["gain", "'1'"]),
    "a dict for numbers": (lambda: planned(gain={"bleu": 1}), ["gain"]),
    "a number for several": (lambda: planned(segment_counts=500), ["segment_counts", "500", "[500]"]),
    "half a segment": (lambda: planned(segment_counts=[10.5]), ["segment_counts", "[10.5]"]),
    "no test": (lambda: compared(test=None), ["test", "None"]),
    "a number of numpy's for a test": (lambda: compared(test=np.float32(5)), ["test"]),
    "a list of margins": (lambda: STUDIES.gate(LINES, SYSTEMS, margin=[0.5]), ["margin", "[0.5]"]),
    "texts as margins": (lambda: STUDIES.gate(LINES, SYSTEMS, margin={"bleu": "x"}), ["margin"]),
    "a number for groups": (lambda: STUDIES.threshold(LINES, SYSTEMS, groups=5), ["groups", "5"]),
    "a word for sizes": (lambda: STUDIES.threshold(LINES, SYSTEMS, sizes="all"), ["sizes", "'all'"]),
    "a text for several": (lambda: agreed({"m": SCORES}, measures="pearson"), ["measures", "['pearson']"]),
    "None for metrics": (lambda: agreed(None), []),
    "a number for metrics": (lambda: agreed(5), ["int", '{"metric": ']),
    "first run for all": (lambda: of_lengths(lambda t: t[0] / t[1]), ["'length'", "total_score", "totals[...", "0]"]),
    "the same, of one": (lambda: of_lengths(lambda t: t[0], names=("length",)), ["total_score", "(1,)", "(2, 1)"]),
    "one score for all runs": (lambda: of_lengths(lambda totals: totals.mean()), ["total_score"]),
    "a text as the score": (lambda: of_lengths(lambda _: "high"), ["'length'", "total_score", "totals[...", "0]"]),
    "scores of several lengths": (lambda: of_lengths(lambda totals: [[1.0], [1.0, 2.0]]), ["'length'", "total_score"]),
    "one run only": (lambda: of_lengths(lambda t: 0 if t[..., 1] == 0 else t[..., 0]), ["'length'", "total_score"]),
    "texts as statistics": (lambda: of_lengths(statistics=lambda *own: own[0]), ["'length'", "segment_statistics"]),
    "no number": (lambda: of_lengths(lambda totals: totals[..., 0] * np.nan), ["'length'", "total_score(totals)"]),
    "scores by number": (lambda: of_scores(NUMBERED), ["'base'", "dict"]),
    "texts by number": (lambda: of_texts(dict(enumerate(LINES))), ["'a'", "dict"]),
    "one file for a list": (lambda: read("base.txt", ["ref.txt"]), ["'base.txt'", "systems=[…]"]),
    "one reference for a list": (lambda: read(["base.txt"], Path("ref.txt")), ["references"]),
    "files by name": (lambda: read({"base": "base.txt"}, ["ref.txt"]), ["dict", 'systems=["NAME=FILE"', "…]"]),
    "no list of files": (lambda: read(None, None), ["None", "systems=[…]"]),
    "numbers for files": (lambda: read([5], [6]), ["systems", "5"]),
    "files without an order": (lambda: read({"a.txt", "b.txt"}, ["ref.txt"]), ["systems", "set"]),
    "documents": (lambda: read(["base.txt"], ["ref.txt"], documents=["a", "b"]), ["documents", "['a', 'b']"]),
    "a system without samples": (lambda: of_scores({"a": {}, **SCORES}), ["'a'"]),
    "a number for a name": (lambda: of_scores({1: [0.1, 0.2], 2: [0.3, 0.4]}), ['{"1": …}']),
    "an array of one value": (lambda: of_scores({"a": np.array(5.0), "b": np.array(4.0)}), ["'a'"]),
    "one document in an array": (lambda: of_scores(SCORES, documents=np.array(5)), ["documents"]),
    "lists for documents": (lambda: of_scores(frame(document=[["d"]] * 4)), ["row 1", "'document'", "list"]),
    "tuples for domains": (
        lambda: of_scores(frame(domain=["a", "b", (1, ["r"]), "b"])),
        ["row 3", "'domain'", "tuple"],
    ),
    "NaN as the first text": (lambda: of_texts([NAN, *LINES[1:]]), ["segment 1 of 'a'", '""']),
    "NaN as another text": (lambda: of_texts([*LINES[:-1], NAN]), ["segment 9 of 'a'"]),
    "no reference for a segment": (lambda: tg.compare([NAN, *LINES[1:]], SYSTEMS), ["segment 1"]),
    "NaN as a score": (lambda: of_scores({"a": [NAN, 1.0], "b": [1.0, 2.0]}), ["segment 1 of 'a'", "nan"]),
    "no segments": (lambda: tg.compare([], SYSTEMS), ["references"]),
    "no outputs": (lambda: of_texts([]), ["'a'"]),
    "words": (lambda: of_texts(WORDS), ["'a'", "words"]),
    "words of references": (lambda: tg.compare(WORDS, SYSTEMS), ["references", "lengths"]),
    "systems first": (lambda: STUDIES.compare(SYSTEMS, LINES), ["systems", "list"]),
    "systems without names": (lambda: STUDIES.compare(LINES, list(SYSTEMS.values())), ["systems", "list"]),
    "scores as texts": (lambda: of_scores(SPELLED), ["base", "'0.1'", "[float(one)"]),
}


@pytest.mark.parametrize("case", CALLS)
def test_arguments_of_another_kind(case: str) -> None:
    call, naming = CALLS[case]
    with refused(naming=naming):
        call()


def test_an_iterator_is_read_once() -> None:
    lines = iter(LINES)
    tg.score(lines, SYSTEMS, resamples=20)
    with refused(naming=["references", "list_iterator"]):
        tg.score(lines, SYSTEMS, resamples=20)


def test_what_is_meant_is_taken() -> None:
    def mean(totals: Any) -> Any:
        return totals[..., 0] / totals[..., 1]

    assert compared(metrics=lengths(mean)).metrics[0].key == "length"
    assert tg.plan(sd=(12, 11), correlation=0.8, gain=(0.5, 1), segment_counts=(500, 600)) is not None
    assert tg.plan(sd=12, correlation=0.8, gain=0.5, segment_counts=[1e3]).sizes[0].segments == 1000  # type: ignore[list-item]
    # One-word segments of several runs are no words of segments.
    runs = [["yes", "no", "yes"], ["no", "no", "yes"]]
    assert len(tg.score(["yes", "no", "no"], {"a": runs}, resamples=20)["a"].run_scores) == 2


def test_numbers_and_arrays_of_numpy_are_numbers_and_lists() -> None:
    studies: list[Callable[..., Any]] = [
        lambda one, several: tg.plan(sd=one(12.0), correlation=one(0.5), gain=one(0.5), run_sd=several([1, 2])),
        lambda one, several: tg.plan(sd=12, correlation=0.5, gain=0.5, segment_counts=several([100, 200])),
        lambda one, several: tg.plan(sd=several([12, 11]), correlation=0.5, gain=several([0.5, 1])),
        lambda one, several: compared(alpha=one(0.25), seed=one(2), changed_segments=one(3), test=several(["ar"])),
        lambda one, several: tg.threshold(LINES * 3, THREE, sizes=several([10, 20]), resamples=20),
        lambda one, several: tg.gate(LINES, SYSTEMS, margin=one(0.5), require="not-worse", resamples=20),
        lambda one, several: tg.agree(
            SCORES, {"m": SCORES}, measures=several(["pearson"]), resamples=one(20), lower_is_better=several([])
        ),
    ]
    for study in studies:
        expected = study(lambda one: one, list).to_dict()
        for several in (np.array, tuple, iter, lambda given: [np.array(one)[()] for one in given]):
            assert study(lambda one: np.array(one)[()], several).to_dict() == expected
    gain: Any = np.float32(0.5)
    nothing: Any = None
    assert tg.plan(sd=12, correlation=0.8, gain=gain, segment_counts=nothing).bases[0].gains == (0.5,)


def test_keys_that_are_not_there() -> None:
    result: Any = compared()
    pooled: Any = tg.pool(
        {"one": (LINES, SYSTEMS), "two": (LINES[:-1], {k: v[1:] for k, v in SYSTEMS.items()})}, resamples=20
    )
    agreed: Any = tg.agree(SCORES, {"m": {name: own[::-1] for name, own in SCORES.items()}}, measures=["pearson"])
    cases: list[tuple[Any, Any, str]] = [
        (result, 0, "('bleu', 'new')"),
        (result, ("bleu", "old"), "('bleu', 'new')"),
        (pooled, "three", "'one', 'two'"),
        (pooled, ("bleu", "new"), "result.macro[…]"),
        (agreed, "m", "('pearson', 'm')"),
    ]
    for one, key, named in cases:
        with pytest.raises(KeyError, match=re.escape(named)):
            one[key]
    assert result._ipython_key_completions_() == ["new"]
    assert compared(metrics=["bleu", "chrf"])._ipython_key_completions_() == [("bleu", "new"), ("chrf", "new")]
    for one in (result, pooled, agreed):
        assert all(one[key] is not None for key in one._ipython_key_completions_())
    assert {"picture", "document", "report"} <= set(dir(result))


def test_metrics_may_be_an_array() -> None:
    result = compared(metrics=np.array(["bleu", "chrf"]))
    assert [type(one.metric) for one in result.scores[:1]] == [str]
    assert {one.metric for one in result.scores} == {"bleu", "chrf"}
