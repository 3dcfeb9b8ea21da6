"""Data frames of pandas and polars, wide and long, against what they hold given as lists."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import truegain as tg
from tests.refusals import kinds, refused

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


def long_rows() -> dict[str, list[Any]]:
    return {"system": ["base"] * N + ["new"] * N, "item": IDS * 2, "score": [*BASE, *NEW]}


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
    frame = pd.DataFrame({"id": IDS, "subject": [f"s{i % 6}" for i in range(N)], "base": BASE, "new": NEW})
    for asked in ({"documents": "subject"}, {"by": "subject"}):  # a level that is named
        given = SCORES | asked
        expected = tg.compare(frame, **given)
        assert tg.compare(frame.set_index(["subject", "id"]), **given).comparisons == expected.comparisons


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


def test_samples_of_a_metric_that_frames_lack() -> None:
    with refused(naming=["pass@2 is of several samples of an item", "base has one score", "give a data frame"]):
        tg.compare(None, {"base": BASE, "new": NEW}, metrics=["pass:k=2"])


@LIBRARIES
def test_scores_wide_and_long_in_any_order(library: Any) -> None:
    expected = tg.compare(None, {"base": BASE, "new": NEW}, **SCORES)
    wide = library.DataFrame({"base": BASE, "new": NEW})
    assert tg.compare(wide, **SCORES).comparisons == tg.compare(None, wide, **SCORES).comparisons
    assert tg.compare(wide, **SCORES).comparisons == expected.comparisons
    expected = tg.compare(None, {"base": BASE[SORTED], "new": NEW[SORTED]}, **SCORES)
    order = np.random.default_rng(1).permutation(2 * N).tolist()
    rows = {name: [values[i] for i in order] for name, values in long_rows().items()}
    rows["length"] = [float(len(one)) for one in rows["item"]]
    found = tg.compare(library.DataFrame(rows), metrics=["scores:column=score"], resamples=200)
    assert [(one.delta, one.p) for one in found.comparisons] == [(one.delta, one.p) for one in expected.comparisons]
    assert "paired-by-id" in kinds(found.notes)
