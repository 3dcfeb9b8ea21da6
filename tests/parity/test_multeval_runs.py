"""MultEval's own example of three runs each: its averages and deviations, and what every test says of it."""

from __future__ import annotations

import gzip
import math
import re
from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from benchmarks.data import REAL_DATA
from truegain.studies.compare import CompareResult

DATA = REAL_DATA / "multeval_newstest2010"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="TRUEGAIN_DATA has no multeval_newstest2010")

BLEU = "bleu:tokenize=none"
RESAMPLES = 10_000
NAMES = {"baseline": "baseline", "sys1": "system 1"}


def read(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def systems() -> dict[str, list[list[str]]]:
    return {name: [read(DATA / "example" / f"hyps.lc.tok.en.{name}.opt{run}.gz") for run in range(3)] for name in NAMES}


def references() -> list[str]:
    return read(DATA / "example" / "refs.test2010.lc.tok.en.0.gz")


@pytest.fixture(scope="module")
def theirs() -> dict[tuple[str, str, str], float]:
    """Lines such as ``RESULT: baseline: BLEU: AVG: 18.526808``."""
    text = (DATA / "peer_multeval0.5.1_results.txt").read_text(encoding="utf-8")
    found = re.findall(r"RESULT: (.+?): (\w+): (\w+): ([\d.]+)", text)
    return {(system, metric, what): float(value) for system, metric, what, value in found}


@pytest.fixture(scope="module")
def found() -> CompareResult:
    tests = ["crossed", "ar", "run-permutation", "welch", "clark2011", "multeval-ar"]
    return tg.compare(references(), systems(), metrics=[BLEU], test=tests, resamples=RESAMPLES)


def p_of(found: CompareResult, test: str) -> float:
    return found[BLEU, "sys1", test].p


def test_averages_and_deviations(found: CompareResult, theirs: dict[tuple[str, str, str], float]) -> None:
    for one in found.variability:
        name = NAMES[one.system]
        scores = found.score(BLEU, one.system).run_scores
        assert one.average == pytest.approx(theirs[name, "BLEU", "AVG"], abs=1e-4)
        assert one.s_test == pytest.approx(theirs[name, "BLEU", "STDDEV"], abs=1e-4)
        assert min(scores) == pytest.approx(theirs[name, "BLEU", "MIN"], abs=1e-4)
        assert max(scores) == pytest.approx(theirs[name, "BLEU", "MAX"], abs=1e-4)
        # The median run is theirs, too.
        assert np.median(scores) == pytest.approx(theirs[name, "BLEU", "MEDIAN"], abs=1e-4)
        assert one.median_run == f"{one.system}.{round(theirs[name, 'BLEU', 'MEDIAN_IDX']) + 1}"
    assert found.score(BLEU, "baseline").run_scores == pytest.approx((18.5389, 18.4645, 18.5771), abs=1e-4)
    assert found.score(BLEU, "sys1").run_scores == pytest.approx((18.9869, 18.4740, 18.9795), abs=1e-4)


def test_deviation_over_test_sets(found: CompareResult, theirs: dict[tuple[str, str, str], float]) -> None:
    """The mean of three standard deviations of 10,000 resamples each, on both sides; runs are much alike."""
    baseline = next(one for one in found.variability if one.system == "baseline")
    expected = theirs["baseline", "BLEU", "RESAMPLED_STDDEV_AVG"]
    assert baseline.s_sel == pytest.approx(expected, abs=4 * expected * math.sqrt(2 / (2 * RESAMPLES)))
    assert all(one.s_sel == pytest.approx(0.26, abs=0.015) for one in found.variability)


def test_claims_about_new_runs(found: CompareResult) -> None:
    """Three runs of which one is as good as the baseline's: no claim about new ones can be made."""
    assert p_of(found, "run-permutation") == pytest.approx(0.30, abs=1e-9)
    assert p_of(found, "welch") == pytest.approx(0.23, abs=0.005)
    assert p_of(found, "crossed") == pytest.approx(0.228, abs=0.002)
    assert not any(found[BLEU, "sys1", test].significant for test in ("run-permutation", "welch", "crossed"))
    assert "the smallest possible p of this test is 0.1" in " ".join(
        map(str, found[BLEU, "sys1", "run-permutation"].notes)
    )


def test_claims_about_these_runs(found: CompareResult) -> None:
    assert p_of(found, "ar") == pytest.approx(0.010, abs=0.004)
    assert p_of(found, "clark2011") <= 0.0005
    assert p_of(found, "multeval-ar") == pytest.approx(0.0003, abs=0.0006)
    for test in ("clark2011", "multeval-ar"):
        assert str(found[BLEU, "sys1", test].claim) == "these runs on this test set"
    assert str(found[BLEU, "sys1", "ar"].claim) == "these runs on new segments"


def test_auto_shows_all_three_claims(found: CompareResult) -> None:
    auto = tg.compare(references(), systems(), metrics=[BLEU], resamples=2000)
    assert [one.test for one in auto] == ["crossed", "ar", "run-permutation"]
    assert auto[BLEU, "sys1"].p == pytest.approx(p_of(found, "crossed"))
    assert auto[BLEU, "sys1"].better is None
    text = auto.render("md").replace("\n", " ")
    assert "For these runs on new segments alone, sys1 is better than baseline" in text


def test_the_third_system_is_the_first(found: CompareResult) -> None:
    """MultEval gives it a p of 0.0001; here it is 1, but for the tests that count only what is strictly greater."""
    runs = systems()["baseline"]
    same = tg.compare(
        references(),
        {"baseline": runs, "sys2": runs},
        metrics=[BLEU],
        test=["crossed", "ar", "run-permutation", "welch", "clark2011", "multeval-ar"],
        resamples=500,
    )
    for one in same:
        assert one.delta == 0.0
        assert not one.significant
        assert one.p == (1 / 501 if one.test == "multeval-ar" else 1.0)
