"""All 16 systems of newstest2017 en-de: statistics, scores and p-values against independent tools.

Of the statistics every fifth segment of each system, and every one with --slow.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU as PeerBLEU
from sacrebleu.metrics import CHRF as PeerCHRF

import truegain as tg
from truegain.metrics.bleu import BLEU
from truegain.metrics.chrf import CHRF

Data = tuple[list[str], dict[str, list[str]]]
SMOOTHINGS = ["none", "floor", "add-k", "exp"]

# Two-sided approximate randomization with R = 10^6, made independently of this project.
AR_BLEU = {
    "FBK": 0.0226,
    "KIT": 0.0443,
    "LMU-nmt-reranked": 0.0887,
    "LMU-nmt-single": 0.5769,
    "online-B": 0.9379,
    "RWTH-nmt-ensemble": 0.0206,
    "SYSTRAN": 0.5976,
    "xmu": 0.7069,
}
AR_TER = {
    "FBK": 0.0981,
    "KIT": 0.00049,
    "LMU-nmt-reranked": 1e-6,
    "LMU-nmt-single": 0.0071,
    "online-B": 0.8208,
    "RWTH-nmt-ensemble": 0.0754,
    "SYSTRAN": 1e-6,
    "xmu": 1.3e-5,
}


every = pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])


def part(data: Data, every: int) -> Data:
    reference, systems = data
    return reference[::every], {name: outputs[::every] for name, outputs in systems.items()}


@every
@pytest.mark.parametrize("tokenize", ["13a", "none", "intl", "zh"])
def test_bleu(wmt17: Data, tokenize: str, every: int) -> None:
    reference, systems = part(wmt17, every)
    peer = PeerBLEU(tokenize=tokenize, references=[reference], force=True)
    metric = BLEU(tokenize=tokenize)
    prepared = metric.prepare([reference])
    for name, outputs in systems.items():
        expected = np.array(peer._extract_corpus_statistics(outputs, None))
        found = metric.statistics(outputs, prepared)
        assert int((found != expected).any(1).sum()) == 0, name
        for smoothing in SMOOTHINGS:
            score = float(BLEU(smooth_method=smoothing).score(found.sum(0).astype(float)))
            theirs = PeerBLEU(smooth_method=smoothing)._compute_score_from_stats(expected.sum(0).tolist()).score
            assert score == pytest.approx(theirs, abs=1e-9)


@every
@pytest.mark.parametrize("words", [0, 2])
def test_chrf(wmt17: Data, words: int, every: int) -> None:
    reference, systems = part(wmt17, every)
    peer = PeerCHRF(word_order=words, references=[reference])
    metric = CHRF(word_order=words)
    prepared = metric.prepare([reference])
    for name, outputs in systems.items():
        expected = np.array(peer._extract_corpus_statistics(outputs, None))
        found = metric.statistics(outputs, prepared)
        assert int((found != expected).any(1).sum()) == 0, name
        assert float(metric.score(found.sum(0).astype(float))) == pytest.approx(
            peer._compute_score_from_stats(expected.sum(0).tolist()).score, abs=1e-9
        )


@pytest.mark.parametrize(
    ("metric", "column", "independent"),
    [("bleu:tokenize=none", "multeval_ar_bleu", AR_BLEU), ("ter", "multeval_ar_ter", AR_TER)],
)
def test_randomization_p_values(
    wmt17: Data, shared_data: Path, metric: str, column: str, independent: dict[str, float]
) -> None:
    reference, systems = wmt17
    resamples = 200_000
    found = {
        one.system: one for one in tg.compare(reference, systems, metrics=[metric], test="ar", resamples=resamples)
    }
    with (shared_data / "sacrebleu_wmt17_ende" / "expected_p_values.tsv").open(encoding="utf-8") as stream:
        multeval = {row["system"].split(".")[1]: row for row in csv.DictReader(stream, delimiter="\t")}
    assert multeval.keys() == found.keys()
    for name, row in multeval.items():
        assert found[name].p == pytest.approx(float(row[column]), abs=0.02), name
    for name, p in independent.items():
        error = np.sqrt(p * (1 - p) * (1 / resamples + 1e-6))
        assert abs(found[name].p - p) <= 4 * error + 1 / resamples, name


def test_identical_and_nearly_identical_systems(wmt17: Data) -> None:
    reference, systems = wmt17
    base = systems["LIUM-NMT"]
    changed = base.copy()
    changed[1500] = reference[1500]
    result = tg.compare(reference, {"base": base, "copy": list(base), "changed": changed}, resamples=2000)
    assert result["bleu", "copy"].p == 1.0
    assert result["bleu", "changed"].p == 1.0
    assert result["bleu", "changed"].delta > 0
