"""Data frames of pandas and polars, wide and long, against what they hold given as lists."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import truegain as tg
from tests.refusals import refused

N = 30
RNG = np.random.default_rng(5)
BASE, NEW = RNG.normal(size=N), RNG.normal(0.5, size=N)
IDS = [f"q{i}" for i in range(N)]
SORTED = sorted(range(N), key=lambda i: IDS[i])
REFERENCE = [f"the cat number {i} sat on the mat" for i in range(N)]
TEXT = {"base": "a cat number {} sat on mat", "new": "the cat number {} sat on a mat"}
OUTPUTS = {name: [text.format(i) for i in range(N)] for name, text in TEXT.items()}
LIBRARIES = pytest.mark.parametrize("library", [pd, pl])
SCORES: Any = {"metrics": ["scores"], "resamples": 200}
TEXTS: Any = {"metrics": ["bleu"], "resamples": 200}


def long_rows(**more: Any) -> dict[str, list[Any]]:
    rows = {"system": ["base"] * N + ["new"] * N, "item": IDS * 2, "score": [*BASE, *NEW]}
    return rows | {name: values * 2 for name, values in more.items()}


def kinds(result: Any) -> set[str]:
    return {note.kind for note in result.notes}


@LIBRARIES
def test_a_column_per_system(library: Any) -> None:
    frame = library.DataFrame({"base": BASE, "new": NEW})
    expected = tg.compare(None, {"base": BASE, "new": NEW}, **SCORES)
    assert tg.compare(frame, **SCORES).comparisons == tg.compare(None, frame, **SCORES).comparisons
    assert tg.compare(frame, **SCORES).comparisons == expected.comparisons


@LIBRARIES
def test_a_row_per_system_and_item_in_any_order(library: Any) -> None:
    expected = tg.compare(None, {"base": BASE[SORTED], "new": NEW[SORTED]}, **SCORES)
    rows = long_rows()
    for seed in (None, 1, 2):
        order = list(range(2 * N)) if seed is None else np.random.default_rng(seed).permutation(2 * N).tolist()
        frame = library.DataFrame({name: [values[i] for i in order] for name, values in rows.items()})
        found = tg.compare(frame, **SCORES)
        assert found.comparisons == expected.comparisons
        assert "paired-by-id" in kinds(found)


@LIBRARIES
def test_texts_with_their_references_and_documents(library: Any) -> None:
    documents = [f"d{i // 5}" for i in range(N)]
    expected = tg.compare(REFERENCE, OUTPUTS, documents=documents, **TEXTS)
    wide = library.DataFrame({"ref": REFERENCE, **OUTPUTS, "doc": documents})
    assert tg.compare(wide, **TEXTS).comparisons == expected.comparisons
    named = library.DataFrame({"gold": REFERENCE, **OUTPUTS, "part": documents})
    assert tg.compare("gold", named, documents="part", **TEXTS).comparisons == expected.comparisons
    rows = {"system": ["base"] * N + ["new"] * N, "id": [*range(N)] * 2, "output": OUTPUTS["base"] + OUTPUTS["new"]}
    long = library.DataFrame(rows | {"reference": REFERENCE * 2, "document": documents * 2})
    assert tg.compare(long, **TEXTS).comparisons == expected.comparisons


@LIBRARIES
def test_runs(library: Any) -> None:
    rows = {name: values * 2 for name, values in long_rows().items()}
    rows |= {"score": [*BASE, *NEW, *(BASE + 0.1), *(NEW - 0.1)], "seed": [2] * 2 * N + [10] * 2 * N}
    found = tg.compare(library.DataFrame(rows), test="ar", **SCORES)
    expected = {"base": [BASE[SORTED], BASE[SORTED] + 0.1], "new": [NEW[SORTED], NEW[SORTED] - 0.1]}
    assert found.comparisons == tg.compare(None, expected, test="ar", **SCORES).comparisons


@LIBRARIES
def test_several_rows_of_an_item_are_averaged_and_said(library: Any) -> None:
    rows = {name: values * 2 for name, values in long_rows().items()}
    rows["score"] = [*(BASE + 1), *(NEW + 1), *(BASE - 1), *(NEW - 1)]
    found = tg.compare(library.DataFrame(rows), **SCORES)
    assert found.n_units == N
    assert "samples" in kinds(found)
    assert found["new"].delta == pytest.approx((NEW - BASE).mean())


@LIBRARIES
def test_several_columns_of_scores(library: Any) -> None:
    rows = long_rows()
    frame = library.DataFrame(rows | {"length": [float(len(one)) for one in rows["item"]]})
    found = tg.compare(frame, metrics=["scores:column=score"], resamples=200)
    assert found["new"].delta == pytest.approx((NEW - BASE).mean())


def test_truth_values_are_scores_and_a_column_that_is_not_used_is_said() -> None:
    found = tg.compare(pd.DataFrame({"base": BASE > 0, "new": NEW > 0, "topic": ["x"] * N}), **SCORES)
    assert found["new"].delta == pytest.approx((NEW > 0).mean() - (BASE > 0).mean())
    (said,) = (note.text for note in found.notes if note.kind == "columns")
    assert said.startswith("Column 'topic' is not used")


TWO_DOCUMENTS = {"system": ["a", "b"], "id": [1, 1], "score": [0.1, 0.2], "doc": ["x", "y"]}
MISSING_FIRST = {"a": [1, 2, 3], "b": [pd.NA, 2, 3], "c": [1, 2, 4]}


@pytest.mark.parametrize(
    ("frame", "options", "words"),
    [
        (pd.DataFrame(long_rows()).drop(columns="item"), {}, []),
        (pd.DataFrame(long_rows()).drop(columns="score"), {}, []),
        (pd.DataFrame(long_rows()).iloc[:-2], {}, ["2", "30"]),
        (pd.DataFrame({"base": ["a"], "new": ["b"]}), {}, []),
        (pd.DataFrame({"base": [1.0, None], "new": [1.0, 2.0]}), {}, ["'base'", "2"]),
        (pd.DataFrame({"id": ["a", "a"], "base": [1.0, 3.0], "new": [1.0, 2.0]}), {}, ["'a'"]),
        (pd.DataFrame([[1.0, 2.0]], columns=["base", "base"]), {}, ["'base'"]),
        (pd.DataFrame({"base": [], "new": []}), {}, []),
        (pd.DataFrame({"base": BASE, "new": NEW}), {"documents": "doc"}, []),
        (pd.DataFrame({"ref": ["a", "b"], "new": ["c", None], "base": ["b", "c"]}), {}, ["'new'", "2"]),
        (pl.DataFrame({"base": BASE, "new": NEW}).lazy(), {}, ["frame.collect"]),
        (pd.DataFrame(TWO_DOCUMENTS), {}, ["'1'", "'y'", "'doc'", "'x'"]),
        (pd.DataFrame(MISSING_FIRST, dtype="Int64"), {}, ["'b'", "1"]),  # which hides no column
        *(
            (pd.DataFrame({"id": IDS, name: range(N), "base": BASE, "new": NEW}), {}, [name])
            for name in ("rater", "seed", "judge", "sample")  # which tell scores of one item apart
        ),
    ],
)
def test_what_is_refused(frame: Any, options: dict[str, Any], words: list[str]) -> None:
    with refused(naming=words):
        tg.compare(frame, **options, **SCORES)


def test_an_index_that_says_something_of_rows_is_read_as_a_column() -> None:
    rows = pd.DataFrame({"reference": REFERENCE, **OUTPUTS, "document": [f"d{i // 3}" for i in range(N)]})
    right = tg.compare(rows, **TEXTS)
    assert tg.compare(rows.set_index("document"), **TEXTS) == right
    assert tg.compare(rows.set_index("document", drop=False), **TEXTS) == right
    long = pd.DataFrame(long_rows())
    assert tg.compare(long.set_index(["item", "system"]), **SCORES) == tg.compare(long, **SCORES)


@pytest.mark.parametrize("names", [("reference", "reference2"), ("ref1", "ref2"), ("ref", "reference")])
def test_columns_of_several_references(names: tuple[str, str]) -> None:
    other = [line.replace("sat", "lay") for line in REFERENCE]
    frame = pd.DataFrame({names[1]: other, names[0]: REFERENCE, **OUTPUTS})
    result = tg.compare(frame, **TEXTS)
    assert result.scores == tg.compare([other, REFERENCE], OUTPUTS, **TEXTS).scores


@pytest.mark.parametrize("name", ["sample", "run", "rater"])
def test_an_index_of_a_wide_frame_is_no_system(name: str) -> None:
    """Nor is one without a name, when the frame was written and is read again."""
    wide = pd.DataFrame({"base": BASE, "new": NEW})
    assert tg.compare(wide.rename_axis(name), **SCORES).comparisons == tg.compare(wide, **SCORES).comparisons
    result = tg.compare(pd.read_csv(io.StringIO(wide.to_csv())), **SCORES)
    assert [one.system for one in result.comparisons] == ["new"]
    assert any("'Unnamed: 0'" in note.text for note in result.notes)


def test_columns_of_objects_hold_what_their_writer_sees() -> None:
    right = [bool(one) for one in BASE > 0]
    missing_first = {"extra": [None, *([1] * (2 * N - 1))]}
    rows = {**long_rows(tokens=list(range(N))), **missing_first, "score": [np.bool_(one) for one in right * 2]}
    with refused("metrics"):
        tg.compare(pd.DataFrame(rows).drop(columns="extra"), **SCORES)
    expected, double, decimal, single = (
        tg.compare(pd.DataFrame({"a": BASE, "b": pd.Series(own, dtype=kind)}), **SCORES).comparisons
        for own, kind in (
            (NEW, float),
            (list(map(np.float64, NEW)), object),
            ([Decimal(repr(float(one))) for one in NEW], object),
            (list(map(np.float32, NEW)), object),
        )
    )
    assert double == decimal == expected
    assert single[0].delta == pytest.approx(expected[0].delta, abs=1e-6)


@pytest.mark.parametrize("asked", [{"documents": "subject"}, {"by": "subject"}])
def test_a_level_of_the_index_that_is_named_is_found(asked: dict[str, Any]) -> None:
    frame = pd.DataFrame({"id": IDS, "subject": [f"s{i % 6}" for i in range(N)], "base": BASE, "new": NEW})
    expected = tg.compare(frame, **SCORES, **asked)
    assert tg.compare(frame.set_index(["subject", "id"]), **SCORES, **asked).comparisons == expected.comparisons


def test_samples_of_a_metric_that_frames_lack() -> None:
    with refused(naming=["pass@2 is of several samples of an item", "base has one score", "give a data frame"]):
        tg.compare(None, {"base": BASE, "new": NEW}, metrics=["pass:k=2"])
