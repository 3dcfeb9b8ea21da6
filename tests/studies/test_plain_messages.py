"""Arguments of another kind than a study takes get a message with a way out, never an error of Python's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import truegain as tg
from truegain.errors import InputError

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

    return tg.CustomMetric(
        name="length",
        segment_statistics=statistics or counted,
        total_score=score,
        statistic_names=names,
    )


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"system": list("aabb"), "id": [1, 2, 1, 2], "score": [0.1, 0.2, 0.3, 0.4]}).assign(**columns)


def overlap(outputs: Any, references: Any) -> float:
    return 1.0


CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "a function as a metric": (
        lambda: compared(metrics=[overlap]),
        r"the function 'overlap' is neither the name of a metric nor a metric\n.*truegain\.CustomMetric\(name=…",
    ),
    "a function alone": (lambda: compared(metrics=overlap), "the function 'overlap' is neither"),
    "functions by name": (lambda: compared(metrics={"m": overlap}), "the function 'overlap' is neither"),
    "names by name": (lambda: compared(metrics={"m": "bleu"}), "'bleu' is neither"),
    "no metrics by name": (lambda: compared(metrics={}), "there is no metric to score with"),
    "progress": (lambda: compared(progress=True), "progress must be a function; got True"),
    "a text for a number": (
        lambda: tg.plan(sd="12", correlation=0.8, gain=0.5),  # type: ignore[arg-type]
        "sd must be a number or a list of numbers; got '12'",
    ),
    "texts for numbers": (
        lambda: tg.plan(sd=12, correlation=0.8, gain=[0.5, "1"]),  # type: ignore[list-item]
        "gain must be a number or a list of numbers; got",
    ),
    "a number for several": (
        lambda: tg.plan(sd=12, correlation=0.8, segment_counts=500),  # type: ignore[arg-type]
        r"segment_counts must be a list of whole numbers; got 500\n  give \[500\]",
    ),
    "half a segment": (
        lambda: tg.plan(sd=12, correlation=0.8, gain=0.5, segment_counts=[10.5]),  # type: ignore[list-item]
        r"segment_counts must be a list of whole numbers; got \[10\.5\]",
    ),
    "None among numbers": (
        lambda: tg.plan(sd=12, correlation=0.8, gain=[None]),  # type: ignore[list-item]
        "gain must be a number or a list of numbers; got",
    ),
    "a dict for numbers": (
        lambda: tg.plan(sd=12, correlation=0.8, gain={"bleu": 1}),  # type: ignore[arg-type]
        "gain must be a number or a list",
    ),
    "no test": (
        lambda: compared(test=None),
        "test must be a text or a list of texts; got None\n  leave it out",
    ),
    "a number of numpy's for a test": (lambda: compared(test=np.float32(5)), "test must be a text or a list of texts"),
    "a list of margins": (
        lambda: tg.gate(LINES, SYSTEMS, margin=[0.5]),  # type: ignore[arg-type]
        r"margin must be a number or a mapping to numbers; got \[0\.5\]",
    ),
    "texts as margins": (
        lambda: tg.gate(LINES, SYSTEMS, margin={"bleu": "x"}),  # type: ignore[dict-item]
        "margin must be a number or a mapping to numbers",
    ),
    "a number for groups": (
        lambda: tg.threshold(LINES, SYSTEMS, groups=5),  # type: ignore[arg-type]
        "groups must be a text or a mapping to texts; got 5",
    ),
    "a text for several": (
        lambda: tg.agree(SCORES, {"m": SCORES}, measures="pearson"),
        r"measures must be a list of texts; got 'pearson'\n  give \['pearson'\]",
    ),
    "None for metrics": (lambda: tg.agree(SCORES, None), "there is no metric\n  give files of segment scores"),
    "a number for metrics": (
        lambda: tg.agree(SCORES, 5),
        r'metrics are files, or scores by name; found int\n  give \{"metric": ',
    ),
    "the first run for all": (
        lambda: compared(metrics=[lengths(lambda totals: totals[0] / totals[1])]),
        r"the metric 'length': total_score gave an array of .*\n.*write totals\[\.\.\., 0\], not totals\[0\]",
    ),
    "the first run for all, of one": (
        lambda: compared(metrics=[lengths(lambda totals: totals[0], ("length",))]),
        r"total_score gave an array of shape \(1,\) for totals of shape \(2, 1\)",
    ),
    "one score for all runs": (lambda: compared(metrics=[lengths(lambda totals: totals.mean())]), "total_score gave"),
    "a text as the score": (
        lambda: compared(metrics=[lengths(lambda totals: "high")]),
        r"the metric 'length': total_score failed: could not convert string .*\n.*write totals\[\.\.\., 0\]",
    ),
    "scores of several lengths": (
        lambda: compared(metrics=[lengths(lambda totals: [[1.0], [1.0, 2.0]])]),
        "the metric 'length': total_score failed: setting an array element",
    ),
    "a score of one run only": (
        lambda: compared(metrics=[lengths(lambda totals: 0 if totals[..., 1] == 0 else totals[..., 0])]),
        "the metric 'length': total_score failed: The truth value of an array",
    ),
    "texts as statistics": (
        lambda: compared(metrics=[lengths(lambda totals: totals[..., 0], statistics=lambda *texts: texts[0])]),
        r"the metric 'length': segment_statistics gave no array of numbers: .*\n  it must give a row for each segment",
    ),
    "no number": (
        lambda: compared(metrics=[lengths(lambda totals: totals[..., 0] * np.nan)]),
        r"the metric 'length' gave .*\n  total_score\(totals\) must give a finite number",
    ),
    "scores by number": (
        lambda: tg.compare(None, {name: dict(enumerate(own)) for name, own in SCORES.items()}, metrics=["scores"]),
        r"'base' is a dict with a number per key.*\n  give a list: ",
    ),
    "texts by number": (
        lambda: tg.compare(LINES, {name: dict(enumerate(own)) for name, own in SYSTEMS.items()}),
        "'base' is a dict with a text per key",
    ),
    "one file for a list": (
        lambda: tg.read_corpus("base.txt", ["ref.txt"]),
        r"systems must be a list of files; got one, 'base\.txt'\n  give systems=\[…\]",
    ),
    "one reference for a list": (
        lambda: tg.read_corpus(["base.txt"], Path("ref.txt")),  # type: ignore[arg-type]
        "references must be a list of files; got one",
    ),
    "files by name": (
        lambda: tg.read_corpus({"base": "base.txt"}, ["ref.txt"]),  # type: ignore[arg-type]
        r'systems must be a list of files; got a dict\n  give systems=\["NAME=FILE", …\]',
    ),
    "no list of files": (
        lambda: tg.read_corpus(None, None),  # type: ignore[arg-type]
        r"systems must be a list of files; got None\n  give systems=\[…\]",
    ),
    "numbers for files": (
        lambda: tg.read_corpus([5], [6]),  # type: ignore[list-item]
        "systems must be a list of files; got 5 in it\n  read_corpus reads files; give lists and arrays to compare",
    ),
    "files without an order": (
        lambda: tg.read_corpus({"a.txt", "b.txt"}, ["ref.txt"]),  # type: ignore[arg-type]
        "systems must be a list of files; got a set",
    ),
    "documents of a program for a file": (
        lambda: tg.read_corpus(["base.txt"], ["ref.txt"], documents=["a", "b"]),  # type: ignore[arg-type]
        r"documents must be a file; got \['a', 'b'\]\n  read_corpus reads files",
    ),
    "a system without samples": (
        lambda: tg.compare(None, {"a": {}, **SCORES}, metrics=["scores"]),
        "'a': there are no segments in it\n  give one value per segment",
    ),
    "a number for a name": (
        lambda: tg.compare(None, {1: [0.1, 0.2], 2: [0.3, 0.4]}, metrics=["scores"]),  # type: ignore[dict-item]
        r'the name of a system must be a text; got 1\n  give \{"1": …\}',
    ),
    "an array of one value": (
        lambda: tg.compare(None, {"a": np.array(5.0), "b": np.array(4.0)}, metrics=["scores"]),
        "'a' is one value; a sequence was expected, one value per segment\n  give a list",
    ),
    "one document in an array": (
        lambda: tg.compare(None, SCORES, metrics=["scores"], documents=np.array(5)),
        "documents is one value; a sequence was expected",
    ),
    "one metric in an array": (lambda: compared(metrics=np.array("bleu")), "is neither the name of a metric nor a"),
    "lists for documents": (
        lambda: tg.compare(None, frame(document=[["d"]] * 4), metrics=["scores"]),
        "row 1 of the frame: the column 'document' has a list; a text or a number was expected",
    ),
    "lists for references": (
        lambda: tg.compare(None, frame(reference=[["r"]] * 4, output="x")),
        "row 1 of the frame: the column 'reference' has a list; a text or a number was expected",
    ),
    "tuples of lists for domains": (
        lambda: tg.compare(None, frame(domain=["a", "b", (1, ["r"]), "b"]), metrics=["scores"]),
        "row 3 of the frame: the column 'domain' has a tuple; a text",
    ),
    "NaN as the first text": (
        lambda: tg.compare(LINES, {"a": [NAN, *LINES[1:]], "b": LINES}),
        "segment 1 of 'a' is missing; a string was expected\n  give \"\" for an empty output",
    ),
    "NaN as another text": (
        lambda: tg.compare(LINES, {"a": [*LINES[:-1], NAN], "b": LINES}),
        "segment 9 of 'a' is missing; a string was expected",
    ),
    "no reference for a segment": (lambda: tg.compare([NAN, *LINES[1:]], SYSTEMS), "segment 1 has no reference"),
    "NaN as a score": (
        lambda: tg.compare(None, {"a": [NAN, 1.0], "b": [1.0, 2.0]}, metrics=["scores"]),
        "the score of segment 1 of 'a' is nan\n  scores must be finite; leave a segment without a score out",
    ),
    "NaN as all scores": (
        lambda: tg.compare(None, {"a": [NAN, NAN], "b": [1.0, 2.0]}, metrics=["scores"]),
        "the score of segment 1 of 'a' is nan",
    ),
    "no segments": (lambda: tg.compare([], SYSTEMS), "references: there are no segments in it\n  give one value"),
    "no outputs": (lambda: tg.compare(LINES, {"a": [], "b": LINES}), "'a': there are no segments in it"),
    "words": (
        lambda: tg.compare(LINES, {"a": [line.split()[: 2 + len(line) % 3] for line in LINES], "b": LINES}),
        r"'a' is a list of lists of different lengths, \d and \d: are these words\?\n  a segment is one string: ",
    ),
    "words of references": (
        lambda: tg.compare([line.split()[: 2 + len(line) % 3] for line in LINES], SYSTEMS),
        "references is a list of lists of different lengths",
    ),
    "systems first": (
        lambda: tg.compare(SYSTEMS, LINES),  # type: ignore[arg-type]
        "systems must be a mapping of names to outputs; got list\n  the references come first, then the systems",
    ),
    "systems without names": (
        lambda: tg.compare(LINES, list(SYSTEMS.values())),  # type: ignore[arg-type]
        "systems must be a mapping of names to outputs; got list\n  give them by name",
    ),
    "scores as texts": (
        lambda: tg.compare(None, {name: list(map(str, own)) for name, own in SCORES.items()}, metrics=["scores"]),
        r"the values of base are texts, such as '0\.1', and scores are numbers\n  give numbers: \[float\(one\)",
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_arguments_of_another_kind(case: str) -> None:
    call, words = CALLS[case]
    with pytest.raises(InputError, match=words):
        call()


def test_an_iterator_is_read_once() -> None:
    lines = iter(LINES)
    tg.score(lines, SYSTEMS, resamples=20)
    with pytest.raises(InputError, match=r"references: the list_iterator has nothing left; it can be read only once"):
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
        lambda one, several: tg.plan(
            sd=one(12.0),
            correlation=one(0.5),
            gain=one(0.5),
            segment_counts=several([100, 200]),
            run_sd=several([1, 2]),
        ),
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
    cases: list[tuple[Callable[[], Any], str]] = [
        (lambda: result[0], r"there is no 0; there are \('bleu', 'new'\)"),
        (lambda: result["bleu", "old"], r"there is no \('bleu', 'old'\); there are \('bleu', 'new'\)"),
        (lambda: pooled["three"], "there is no 'three'; there are 'one', 'two'"),
        (
            lambda: pooled["bleu", "new"],
            r"there are 'one', 'two'; of their mean there is result.macro\[…\]",
        ),
        (lambda: agreed["m"], r"there is no 'm'; there are \('pearson', 'm'\)"),
    ]
    for call, words in cases:
        with pytest.raises(KeyError, match=words):
            call()
    assert result._ipython_key_completions_() == ["new"]
    assert compared(metrics=["bleu", "chrf"])._ipython_key_completions_() == [("bleu", "new"), ("chrf", "new")]
    assert pooled._ipython_key_completions_() == ["one", "two"]
    assert agreed._ipython_key_completions_() == [("pearson", "m")]
    for one in (result, pooled, agreed):
        assert all(one[key] is not None for key in one._ipython_key_completions_())
    assert {"picture", "document", "report"} <= set(dir(result))


def test_a_word_in_place_of_numbers_is_taken_if_it_is_a_choice() -> None:
    with pytest.raises(InputError, match="sizes must be a list of whole numbers; got 'all'"):
        tg.threshold(LINES, SYSTEMS, sizes="all")  # type: ignore[arg-type]


def test_metrics_may_be_an_array() -> None:
    result = compared(metrics=np.array(["bleu", "chrf"]))
    assert [type(one.metric) for one in result.scores[:1]] == [str]
    assert {one.metric for one in result.scores} == {"bleu", "chrf"}
