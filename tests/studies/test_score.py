"""score: scores, intervals, single segments."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU as Peer

import truegain as tg
from tests.known import known
from tests.refusals import kinds, refused

REFERENCES = ["the cat sat on the mat", "a dog ran off in the rain", "it was late", "they left"] * 10
OUTPUTS = ["the cat sat on a mat", "a dog ran in the rain", "it is late", ""] * 10


def test_score_and_interval() -> None:
    result = tg.score(REFERENCES, {"s": OUTPUTS}, metrics=["bleu", "chrf"], resamples=500)
    found = result["bleu", "s"]
    assert found.score == pytest.approx(Peer().corpus_score(OUTPUTS, [REFERENCES]).score, abs=1e-9)
    interval = known(found.interval)
    assert interval.low < found.score < interval.high
    assert ["10" in note.text for note in result.notes if note.kind == "empty-segments"] == [True]
    with pytest.raises(KeyError):
        result["ter", "s"]


def test_single_segments_as_sacrebleus_sentence_bleu() -> None:
    result = tg.score(REFERENCES, {"s": OUTPUTS}, resamples=10, segments=True)
    peer = Peer(effective_order=True)
    expected = [peer.sentence_score(o, [r]).score for o, r in zip(OUTPUTS, REFERENCES, strict=True)]
    assert result.segments["bleu", "s"] == pytest.approx(expected, abs=1e-9)
    rows = list(csv.DictReader(io.StringIO(result.render("csv"))))
    assert len(rows) == 40
    assert float(rows[0]["s bleu"]) == pytest.approx(expected[0], abs=1e-6)
    assert len(json.loads(result.render("json"))["segments"][0]["scores"]) == 40
    assert "segment" in result.render("md")


def test_one_segment_has_no_interval() -> None:
    result = tg.score(["the cat sat down now"], {"s": ["the cat sat down there"]})
    assert result["bleu", "s"].interval is None
    assert "no-intervals" in kinds(result.notes)
    assert json.loads(result.render("json"))["systems"][0]["ci"] is None
    assert result.to_records()[0]["low"] is None


def test_intervals_have_any_level_as_nothing_is_tested(tmp_path: Path) -> None:
    widths = []
    for alpha in (0.05, 0.5, 0.7):
        result = tg.score(REFERENCES, {"s": OUTPUTS}, resamples=200, alpha=alpha)
        interval = known(result["bleu", "s"].interval)
        assert interval.level == 1.0 - alpha
        result.save(tmp_path / "score.json")
        assert tg.load(tmp_path / "score.json").render("json") == result.render("json")
        widths.append(interval.high - interval.low)
    assert widths[0] > widths[1] > widths[2] > 0.0
    assert "50 %" in tg.score(REFERENCES, {"s": OUTPUTS}, resamples=200, alpha=0.5).render("terminal")
    for alpha, meant in ((0.95, "0.05"), (0.8, "0.2"), (0.99999, "0.05")):
        with refused(naming=[0.8, alpha, f"{meant}?"]):
            tg.score(REFERENCES, {"s": OUTPUTS}, alpha=alpha)


@pytest.mark.whole
def test_the_interval_covers_the_mean() -> None:
    """Of 200 samples the 95 % interval of the mean misses the truth about ten times."""
    generator = np.random.default_rng(1)
    missed = 0
    for _ in range(200):
        values = generator.normal(0.5, 0.2, 60)
        interval = known(tg.score(None, {"s": values}, metrics=["scores"], resamples=500)["scores", "s"].interval)
        missed += not interval.low <= 0.5 <= interval.high
    assert 2 <= missed <= 20
