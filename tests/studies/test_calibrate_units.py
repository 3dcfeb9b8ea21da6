"""calibrate: what nulls swap as a whole, and what is said of tests on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.stats import binom, norm

import truegain as tg
from tests.refusals import kinds
from tests.schema import written
from truegain.experiment import Experiment
from truegain.readers.memory import corpus_from_memory
from truegain.settings.calibrate import NullUnitChoice
from truegain.studies.calibrate import (
    KEPT,
    KEPT_BY_CONSTRUCTION,
    NO_EXCESS,
    TOLERATED,
    TOO_OFTEN,
    TOO_OFTEN_FOR_NEW_RUNS,
    TOO_RARELY,
    CalibrationResult,
    Measured,
    Rate,
    findings_of,
)
from truegain.studies.nulls import SINGLE_TOO_FEW, choose_null_units, levelled

Floats = NDArray[np.float64]

DOCUMENTS, LENGTH, CORRELATION = 60, 20, 0.35  # the standard error of segments is 2.8 times too small
N = DOCUMENTS * LENGTH
IDS = [f"d{i // LENGTH}" for i in range(N)]
FEW: dict[str, Any] = {"metrics": ["scores"], "test": "ar", "repetitions": 200, "resamples": 199, "jobs": 1}


def differences(rng: np.random.Generator, correlation: float) -> Floats:
    shared = np.repeat(rng.normal(size=DOCUMENTS), LENGTH)
    return np.asarray(np.sqrt(correlation) * shared + np.sqrt(1.0 - correlation) * rng.normal(size=N))


def systems(correlation: float, gain: float = 0.0, seed: int = 3) -> dict[str, Floats]:
    rng = np.random.default_rng(seed)
    base = np.asarray(rng.normal(size=N))
    return {"base": base, "new": base + gain + differences(rng, correlation)}


def prepared(given: dict[str, Any], documents: Any = None, domains: Any = None, **options: Any) -> Experiment:
    corpus = corpus_from_memory(None, given, documents=documents, domains=domains)
    settings: dict[str, Any] = {"unit": "segment", "seed": 7, "jobs": 1, **options}
    return Experiment.prepare(corpus, ["scores"], cache=None, engine=None, progress=None, **settings)


def sentences(result: CalibrationResult) -> list[str]:
    return [finding.text for finding in result.findings]


@pytest.fixture(scope="module")
def on_segments() -> CalibrationResult:
    return tg.calibrate(None, systems(CORRELATION, 0.2), documents=IDS, unit="segment", **FEW)


@pytest.mark.whole
def test_nulls_of_documents_show_what_segments_cost(on_segments: CalibrationResult) -> None:
    """The rate is that of independent draws from the model, tested by a sign-flip test written here."""
    rng = np.random.default_rng(11)
    rejected = 0.0
    for _ in range(300):
        drawn = differences(rng, CORRELATION)
        flipped = rng.choice([-1.0, 1.0], (199, N)) @ drawn
        rejected += (1 + np.count_nonzero(np.abs(flipped) >= abs(drawn.sum()))) / 200 <= 0.05
    truth = rejected / 300
    assert 0.4 < truth < 0.56
    size = on_segments["scores", "ar"].size
    assert size.rate == pytest.approx(truth, abs=0.12)  # one test set's 60 documents vary from draw to draw
    assert on_segments["scores", "ar"].verdict == "too often"
    assert (on_segments.null_unit, on_segments.n_null_units, on_segments.null_block_length) == ("document", 60, None)
    assert on_segments.unit == "segment"
    assert kinds(on_segments.notes) == {"unit", "nulls"}
    assert sentences(on_segments) == [TOO_OFTEN(tests="ar")]
    assert "|null-unit:document|" in on_segments.signature


def test_without_documents_only_the_order_of_the_text_gives_segments_away() -> None:
    result = tg.calibrate(None, systems(CORRELATION, 0.2), **FEW)
    assert (result.null_unit, result.n_null_units, result.null_block_length) == ("block", 30, 40)
    assert result["scores", "ar"].verdict == "too often"
    assert result["scores", "ar"].size.rate > 0.3
    assert "|null-unit:block|null-length:40|" in result.signature
    assert written(result)["null_unit"] == "block"
    # Out of order nothing can be found, and that is said.
    shuffled = np.random.default_rng(1).permutation(N)
    given = {name: values[shuffled] for name, values in systems(CORRELATION, 0.2).items()}
    result = tg.calibrate(None, given, **FEW)
    assert result.null_unit == "segment"
    assert sentences(result) == [KEPT_BY_CONSTRUCTION(tests="ar")]


@pytest.mark.whole
@pytest.mark.parametrize("gain", [0.0, 0.6])
def test_no_false_alarm_if_segments_are_independent(gain: float) -> None:
    """Swapped as a whole, segments of a document share the gain, which is no dependence of the data's."""
    result = tg.calibrate(None, systems(0.0, gain), documents=IDS, unit="segment", **FEW)
    assert result.null_unit == "document"
    assert result["scores", "ar"].verdict != "too often"
    assert result["scores", "ar"].size.rejections <= binom.ppf(1 - 1e-4, 200, 0.06)
    assert tg.calibrate(None, systems(0.0, gain), **{**FEW, "repetitions": 2}).null_unit == "segment"


@pytest.mark.whole
def test_power_is_that_of_the_unit() -> None:
    """Of documents as the unit, near that of a normal variable with their standard error."""
    given = systems(CORRELATION, 0.2)
    difference = given["new"] - given["base"]
    sums = (difference - difference.mean()).reshape(DOCUMENTS, LENGTH).sum(1)
    error = float(np.sqrt((sums**2).sum())) / N
    wanted = 2.5 * error
    result = tg.calibrate(None, given, documents=IDS, gain=wanted, **FEW)
    (power,) = result.power
    assert power.reached == pytest.approx(wanted, abs=error / 4)
    assert power.rates[1].rate == pytest.approx(float(norm.cdf(2.5 - 1.96)), abs=0.12)


def test_levelling_leaves_no_gain_and_keeps_what_segments_hold() -> None:
    experiment = prepared(systems(CORRELATION, 0.4), IDS)
    level = levelled(experiment)
    before, after = experiment.statistics.values, level.experiment.statistics.values
    gain, left = (one.scores[0, 1] - one.scores[0, 0] for one in (experiment, level.experiment))
    assert abs(left) < 1e-3 < gain
    np.testing.assert_array_equal(np.sort(before[:, [0, 2]], axis=1), np.sort(after[:, [0, 2]], axis=1))
    changed = np.flatnonzero((before != after).any(1))
    assert changed.size == level.swapped
    gains = before[:, 2] - before[:, 0]
    assert (gains[changed] > 0.0).all()
    kept = np.setdiff1d(np.flatnonzero(gains > 0.0), changed)
    assert gains[changed].max() < gains[kept].min()
    even = prepared({"base": np.zeros(N), "new": np.tile([1.0, -1.0], N // 2)}, IDS)
    level = levelled(even)
    assert level.swapped == 0, "which is level already"
    np.testing.assert_array_equal(level.experiment.statistics.values, even.statistics.values)
    # Of ties it does not take the first segments.
    new = np.where(np.random.default_rng(2).random(N) < 0.4, 1.0, 0.0)
    level = levelled(prepared({"base": np.zeros(N), "new": new}, IDS))
    taken = (level.experiment.statistics.values[:, 0] != 0.0).reshape(6, -1).sum(1)
    assert level.swapped == taken.sum() == new.sum() // 2
    assert taken.min() > 0.6 * taken.mean()
    # The gain that was, and how much of it hides dependence.
    shares = {gain: levelled(prepared(systems(CORRELATION, gain), IDS)).gain for gain in (0.0, 0.1, -0.2, 0.4)}
    for gain, found in shares.items():
        assert found == pytest.approx(abs(gain) / np.hypot(gain, 1.0), abs=0.15)
    for gain, said in ((0.1, False), (0.8, True)):
        notes = tg.calibrate(None, systems(CORRELATION, gain), documents=IDS, **{**FEW, "repetitions": 2}).notes
        assert ("large-gain" in kinds(notes)) == said


def test_levelling_is_within_strata() -> None:
    """A gain in one domain and a loss in the other are no dependence either, if segments are drawn within domains."""
    given = systems(0.0)
    domains = ["x" if i < N // 2 else "y" for i in range(N)]
    given["new"] = given["new"] + np.where(np.array(domains) == "x", 0.5, -0.5)
    for strata, most in (("domain", 0.002), ("none", 1.0)):
        level = levelled(prepared(given, IDS, domains, strata=strata)).experiment.statistics.values
        gains = (level[:, 2] - level[:, 0]).reshape(2, -1).mean(1)
        assert (np.abs(gains) < most).all()
    assert (np.abs(gains) > 0.3).all()
    assert choose_null_units(prepared(given, None, domains), "auto").kind == "segment"
    assert choose_null_units(prepared(given, None, domains, strata="none"), "auto").kind == "block"


def test_metrics_are_levelled_each_by_itself() -> None:
    """One system gains in one metric what it loses in the other: no order of swaps could level both."""
    lines = [f"a b c d e f {i % 7} g h" for i in range(90)]
    long = [line + " x y" if i % 3 else line for i, line in enumerate(lines)]
    short = [" ".join(line.split()[1 + i % 2 :]) for i, line in enumerate(lines)]
    ids = [str(i // 9) for i in range(90)]
    options: dict[str, Any] = {"documents": ids, "unit": "segment", "repetitions": 10, "resamples": 49, "jobs": 1}
    both = tg.calibrate(lines, {"long": long, "short": short}, metrics=["bleu", "wer"], **options)
    for metric in ("bleu", "wer"):
        alone = tg.calibrate(lines, {"long": long, "short": short}, metrics=[metric], **options)
        for one in alone:
            assert one.p == both[metric, one.test].p


def test_units_as_asked_and_chosen() -> None:
    experiment = prepared(systems(CORRELATION), IDS)
    units: tuple[NullUnitChoice, ...] = ("segment", "document", "block")
    segments, documents, blocks = (choose_null_units(experiment, unit) for unit in units)
    assert (segments.units.count, documents.units.count, blocks.block_length) == (N, DOCUMENTS, 40)
    for ids in ([str(i) for i in range(N)], ["all"] * N):  # documents that group nothing
        assert choose_null_units(prepared(systems(CORRELATION), ids), "auto").kind == "block"
    # The largest unit is that of tests if these take domains.
    domains = [f"s{i // (3 * LENGTH)}" for i in range(N)]
    chosen = choose_null_units(prepared(systems(CORRELATION), IDS, domains, unit="domain"), "auto")
    assert (chosen.kind, chosen.units.count) == ("domain", DOCUMENTS // 3)


def test_blocks_stay_within_domains_and_are_short_in_short_texts() -> None:
    domains = ["x" if i % 3 else "y" for i in range(N)]
    chosen = choose_null_units(prepared(systems(0.0), None, domains), "block")
    assert chosen.units.count == N // 40
    for block in range(chosen.units.count):
        inside = np.flatnonzero(chosen.units.of_segment == block)
        assert len(inside) == 40
        assert len({domains[i] for i in inside}) == 1
        assert set(np.diff(inside)) <= ({3} if domains[inside[0]] == "y" else {1, 2})
    given = {name: values[:120] for name, values in systems(CORRELATION).items()}
    chosen = choose_null_units(prepared(given), "block")
    assert (chosen.block_length, chosen.units.count) == (12, 10)
    assert kinds(chosen.notes) == {"nulls", "few-blocks"}
    few = {name: values[:30] for name, values in given.items()}
    assert choose_null_units(prepared(few), "auto").notes[0].text == SINGLE_TOO_FEW(noun="item")


@pytest.mark.whole
def test_no_level_is_kept_that_the_interval_does_not_show() -> None:
    for repetitions in (1, 20, 200, 1_000):
        for rejections in range(repetitions + 1):
            rate = Rate(0.05, rejections, repetitions)
            low, high = rate.interval
            assert (rate.verdict == "too often") == (low > 0.05)
            assert (rate.verdict in ("keeps its level", "too rarely")) == (high <= TOLERATED * 0.05)
            if rate.verdict == "no excess found":
                settled = Rate(0.05, round(rate.rate * rate.needed), rate.needed).verdict
                assert rate.needed > repetitions
                assert settled != "no excess found"


@pytest.mark.parametrize(
    ("p", "rejections", "repetitions", "null_unit", "expected"),
    [
        (0.04, 11, 200, "document", NO_EXCESS(tests="ar", most=9.6, needed=700)),  # 5.5 % (2.8–9.6)
        (0.04, 58, 1_000, "document", KEPT(tests="ar", most=7.5)),  # up to 7.43 %
        (0.04, 59, 1_000, "document", NO_EXCESS(tests="ar", most=7.54, needed=1_100)),
        (0.04, 64, 1_000, "document", NO_EXCESS(tests="ar", most=8.1, needed=1_200)),  # from 4.96 %
        (0.04, 65, 1_000, "document", TOO_OFTEN(tests="ar")),  # from 5.05 %
        (0.04, 65, 1_000, "run", TOO_OFTEN_FOR_NEW_RUNS(tests="ar")),
        (0.04, 65, 1_000, "segment", KEPT_BY_CONSTRUCTION(tests="ar")),
        (0.04, 37, 1_000, "document", KEPT(tests="ar", most=7.5)),  # up to 5.07 %
        (0.04, 36, 1_000, "document", TOO_RARELY(tests="ar")),  # up to 4.95 %
        (0.005, 49, 1_000, "document", TOO_OFTEN(tests="ar")),  # of these 49 ten would be at most 1 %
    ],
)
def test_findings(
    p: float, rejections: int, repetitions: int, null_unit: str, expected: str, on_segments: CalibrationResult
) -> None:
    measured = Measured("scores", "ar", (p,) * rejections + (0.5,) * (repetitions - rejections))
    result = replace(on_segments, measured=(measured,), null_unit=null_unit)
    assert [finding.text for finding in findings_of(result)] == [expected]
    assert written(result)["measured"][0]["needed"] == measured.needed
