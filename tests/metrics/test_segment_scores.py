"""Segment scores from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.metrics.lookup import make_metric, make_metrics
from truegain.metrics.segment_scores import SegmentScores
from truegain.settings.words import as_option

COLUMNS = {"errors": np.array([1.0, 0.0, 3.0]), "words": np.array([10.0, 5.0, 5.0])}


def test_mean_and_ratio_of_two_columns() -> None:
    metric = SegmentScores(column="errors")
    totals = metric.statistics(COLUMNS).sum(0)
    assert totals.tolist() == [4.0, 3.0]
    assert float(metric.score(totals)) == pytest.approx(4 / 3)
    ratio = SegmentScores(column="errors", over="words", lower_is_better=True)
    assert float(ratio.score(ratio.statistics(COLUMNS).sum(0))) == 0.2


def test_which_column() -> None:
    assert SegmentScores().statistics({"COMET": np.array([0.5])}).tolist() == [[0.5, 1.0]]
    with refused(naming=['metrics=["scores:column=errors"]', 'metrics=["scores:column=words"]']):
        SegmentScores().statistics(COLUMNS)
    with refused(naming=["'errors'"]):
        SegmentScores(column="error").statistics(COLUMNS)
    # A ratio needs a positive sum.
    with refused(naming=["0"]):
        SegmentScores(column="errors", over="none").statistics({**COLUMNS, "none": np.zeros(3)})


def test_lookup() -> None:
    assert list(make_metrics(["bleu", SegmentScores()])) == ["bleu", "scores"]
    for given in (["bleu", "bleu"], []):
        with refused():
            make_metrics(given)
    with refused(naming=["'bleu'"]):
        make_metric("blue")


def test_columns_are_listed_as_they_are_typed() -> None:
    """A name with a space is quoted for the shell; one with a comma cannot be typed; of many, the first are listed."""
    columns = {name: np.zeros(2) for name in ("exact match", "a,b", *(f"c{i}" for i in range(70)))}
    with pytest.raises(InputError) as error:
        SegmentScores().statistics(columns)
    lines = str(error.value.worded(as_option).hint).splitlines()
    assert lines[1].strip() == "-m 'scores:column=exact match'"
    assert lines[3].strip() == "-m scores:column=c0"
    assert len(lines) == 62


@pytest.mark.parametrize(
    ("column", "lowest", "setting", "warned"),
    [
        *((column, 0.0, "", True) for column in ("mqm", "WER", "word errors", "latency_ms")),
        *((column, 0.0, "", False) for column in ("comet", "answer", "water", "time_saved")),
        ("mqm_penalty", 1.0, "", True),
        ("mqm", -1.0, "", False),
        ("mqm", 0.0, ":lower_is_better=true", False),
        *((column, 0.0, ":lower_is_better=false", False) for column in ("mqm", "latency_ms")),
    ],
)
def test_penalties_without_a_direction_are_asked_about(
    tmp_path: Path, column: str, lowest: float, setting: str, warned: bool
) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{system},{item},{lowest + (item + place) % 3}" for place, system in enumerate("ab") for item in range(6)]
    path.write_text("\n".join([f"system,id,{column}", *rows]))
    corpus = tg.read_corpus([str(path)], outputs_are_scores=True)
    for study in (tg.compare, tg.rank):
        found = [note for note in study(corpus, metrics=[f"scores{setting}"], resamples=50).notes if note.warning]
        assert [note.kind for note in found if note.kind == "penalties"] == ["penalties"] * warned
    if not warned:
        assert tg.gate(corpus, metrics=[f"scores{setting}"], baseline="a", resamples=50).checks
        return
    with refused(naming=[f"scores:column={column},lower_is_better=true"]):
        tg.gate(corpus, metrics=[f"scores:column={column}"], baseline="a", resamples=50)


@pytest.mark.parametrize(
    ("name", "setting", "warned"),
    [
        ("TER.seg.score", "", True),
        ("TER.seg.score", ":lower_is_better=false", False),
        ("COMET.seg.score", "", False),
        ("COMET.seg.score", ":title=MetricX-24", True),
    ],
)
def test_files_and_titles_may_name_scores(tmp_path: Path, name: str, setting: str, warned: bool) -> None:
    path = tmp_path / name
    path.write_text("".join(f"{system}\t{(item + ord(system)) % 3}\n" for system in "ab" for item in range(6)))
    corpus = tg.read_corpus([str(path)], outputs_are_scores=True)
    notes = tg.compare(corpus, metrics=[f"scores{setting}"], resamples=50).notes
    assert ("penalties" in [note.kind for note in notes]) == warned


@pytest.mark.parametrize(
    ("column", "sign", "setting", "warned"),
    [
        ("perplexity", -1.0, ":lower_is_better=true", True),
        ("word_ppl", -1.0, ":lower_is_better=true", True),
        ("perplexity", -1.0, "", False),
        ("perplexity", 1.0, ":lower_is_better=true", False),
        ("loss", -1.0, ":lower_is_better=true", False),
    ],
)
def test_negative_perplexities_look_like_log_likelihoods(column: str, sign: float, setting: str, warned: bool) -> None:
    metric = make_metric(f"scores{setting}")
    assert isinstance(metric, SegmentScores)
    found = replace(metric, column=column).advice_on_scores([{column: sign * np.array([1.0, 2.5])}])
    assert ("log-likelihoods" in [note.kind for note in found]) == warned
