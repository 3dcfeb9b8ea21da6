"""TER and length of MultEval's own example, against sacreBLEU and against MultEval, which runs tercom."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sacrebleu.metrics.ter import TER as SacreTER

import truegain as tg
from benchmarks.data import REAL_DATA
from truegain.metrics.length import Length
from truegain.metrics.ter import TER

DATA = REAL_DATA / "multeval_newstest2010"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="TRUEGAIN_DATA has no multeval_newstest2010")

RUNS = [(system, run) for system in ("baseline", "sys1") for run in range(3)]


def read(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def references() -> list[str]:
    return read(DATA / "example" / "refs.test2010.lc.tok.en.0.gz")


def hypotheses(system: str, run: int) -> list[str]:
    return read(DATA / "example" / f"hyps.lc.tok.en.{system}.opt{run}.gz")


def multevals(column: str) -> dict[tuple[str, int], NDArray[np.float64]]:
    header, *rows = (line.split("\t") for line in read(DATA / "peer_multeval0.5.1_sentence_scores.tsv.gz"))
    scores: dict[tuple[str, int], list[float]] = {}
    for row in rows:
        scores.setdefault((row[0], int(row[1])), []).append(float(row[header.index(column)]))
    return {key: np.array(values) for key, values in scores.items()}


def differing(system: str, run: int, step: int) -> int:
    said, wanted = hypotheses(system, run)[::step], references()[::step]
    metric = SacreTER()
    metric._force = True  # the text is tokenised on purpose
    theirs = np.array(metric._extract_corpus_statistics(said, [wanted]))
    return int((TER().statistics(said, [wanted]) != theirs).any(axis=1).sum())


def test_no_segment_of_two_runs_differs() -> None:
    assert [differing(system, 0, 25) for system in ("baseline", "sys1")] == [0, 0]


@pytest.mark.slow
def test_no_segment_of_any_run_differs() -> None:
    assert [differing(system, run, 1) for system, run in RUNS] == [0] * len(RUNS)


def test_length_is_multevals_in_every_segment() -> None:
    peer, metric = multevals("length"), Length()
    for system, run in RUNS:
        ours = metric.score(metric.statistics(hypotheses(system, run), [references()]).astype(np.float64))
        np.testing.assert_allclose(ours, peer[system, run], atol=0.00501)


def test_ter_is_tercoms_in_almost_every_segment() -> None:
    """sacreBLEU departs from tercom in the order of some shifts: in 2 to 5 of 2,489 segments here."""
    peer, metric = multevals("ter"), TER()
    for system, run in RUNS:
        ours = metric.score(metric.statistics(hypotheses(system, run), [references()]).astype(np.float64))
        assert (np.abs(ours - peer[system, run]) > 0.00501).sum() <= 5


def test_the_table_that_multeval_prints() -> None:
    """Averages over runs: BLEU and length to all digits, TER to the digit of the table.

    TER differs in the third decimal (65.6588 and 64.8140 where MultEval has 65.6567 and 64.8166): in the 2 to 5
    segments a run where sacreBLEU, and so this project, chooses other shifts than tercom.
    """
    systems = {system: [hypotheses(system, run) for run in range(3)] for system in ("baseline", "sys1")}
    found = tg.score(references(), systems, metrics=["bleu:tokenize=none", "ter", "length"], resamples=10)
    expected = {"baseline": (18.5268, 65.656694, 107.544525), "sys1": (18.8135, 64.816644, 107.700640)}
    for system, (bleu, ter, length) in expected.items():
        assert found["bleu:tokenize=none", system].score == pytest.approx(bleu, abs=1e-4)
        assert found["length", system].score == pytest.approx(length, abs=1e-6)
        assert round(found["ter", system].score, 1) == round(ter, 1)
        assert found["ter", system].score == pytest.approx(ter, abs=0.003)
