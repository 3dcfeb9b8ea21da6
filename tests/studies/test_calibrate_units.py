"""calibrate: what nulls swap as a whole, and what is said of tests on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.stats import binom, norm

import truegain as tg
from tests.refusals import refused
from tests.schema import written
from truegain.experiment import Experiment
from truegain.readers.memory import corpus_from_memory
from truegain.settings.calibrate import NullUnitChoice
from truegain.studies.calibrate.null_units import choose_null_units
from truegain.studies.calibrate.nulls import SwappedUnits, levelled
from truegain.studies.calibrate.result import LEVELS, TOLERATED, CalibrationResult, Measured, Rate

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
    assert any("documents is not covered" in note.text for note in on_segments.notes)
    assert not [note for note in map(str, on_segments.notes) if "by construction" in note]
    assert "|null-unit:document|" in on_segments.signature


@pytest.mark.whole
def test_documents_as_the_unit_keep_their_level() -> None:
    result = tg.calibrate(None, systems(CORRELATION, 0.2), documents=IDS, **{**FEW, "test": ["ar", "bootstrap"]})
    assert result.unit == result.null_unit == "document"
    for one in result:
        assert one.size.rejections <= binom.ppf(1 - 1e-4, 200, 0.055)
        assert one.verdict != "too often"
    (said,) = [note for note in map(str, result.notes) if "by construction" in note]
    assert said.startswith("ar ")


def test_an_excess_of_a_test_that_keeps_its_level_by_construction_is_chance(on_segments: CalibrationResult) -> None:
    excess = Measured("scores", "ar", (0.001,) * 20 + (0.5,) * 80)
    result = replace(on_segments, measured=(excess, replace(excess, test="bootstrap")), null_unit="segment")
    shown, on_documents = (" ".join(str(replace(result, null_unit=unit)).split()) for unit in ("segment", "document"))
    assert "too often: bootstrap (score)." in shown
    assert "too often: ar (score), bootstrap (score)." in on_documents


def test_without_documents_only_the_order_of_the_text_gives_segments_away() -> None:
    result = tg.calibrate(None, systems(CORRELATION, 0.2), **FEW)
    assert (result.null_unit, result.n_null_units, result.null_block_length) == ("block", 30, 40)
    assert result["scores", "ar"].verdict == "too often"
    assert result["scores", "ar"].size.rate > 0.3
    assert any("p = 8.2e-35" in note.text for note in result.notes)
    assert "|null-unit:block|null-length:40|" in result.signature
    assert written(result)["null_unit"] == "block"
    # Out of order nothing can be found, and that is said.
    shuffled = np.random.default_rng(1).permutation(N)
    given = {name: values[shuffled] for name, values in systems(CORRELATION, 0.2).items()}
    result = tg.calibrate(None, given, **FEW)
    assert result.null_unit == "segment"
    said = " ".join(map(str, result.notes))
    assert "not covered" in said
    assert "by construction" in said


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


# Levelling.


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


@pytest.mark.parametrize(("gain", "lost"), [(0.0, 0.05), (0.1, 0.07), (-0.2, 0.1), (0.4, 0.22)])
def test_levelling_keeps_most_of_the_likeness_of_documents(gain: float, lost: float) -> None:
    given = systems(CORRELATION, gain)
    level = levelled(prepared(given, IDS))
    values = level.experiment.statistics.values[:, 2] - level.experiment.statistics.values[:, 0]
    true = given["new"] - given["base"]
    true = true - true.mean()
    ratios = [np.sqrt((one.reshape(DOCUMENTS, LENGTH).sum(1) ** 2).sum() / (one**2).sum()) for one in (values, true)]
    assert 1.0 - lost < ratios[0] / ratios[1] < 1.03
    assert level.gain == pytest.approx(abs(gain) / np.hypot(gain, 1.0), abs=0.15)


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
    assert choose_null_units(prepared(given, None, domains), "auto", ["ar"]).kind == "segment"
    assert choose_null_units(prepared(given, None, domains, strata="none"), "auto", ["ar"]).kind == "block"


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


def test_a_large_gain_is_said_to_hide_dependence() -> None:
    for gain, said in ((0.1, False), (0.8, True)):
        notes = tg.calibrate(None, systems(CORRELATION, gain), documents=IDS, **{**FEW, "repetitions": 2}).notes
        assert any("far better" in note.text for note in notes) == said


# The choice.


def test_units_as_asked_and_chosen() -> None:
    experiment = prepared(systems(CORRELATION), IDS)
    units: tuple[NullUnitChoice, ...] = ("segment", "document", "block")
    segments, documents, blocks = (choose_null_units(experiment, unit, ["ar"]) for unit in units)
    assert (segments.units.count, documents.units.count, blocks.block_length) == (N, DOCUMENTS, 40)
    assert "not covered" in segments.notes[0].text
    for ids in ([str(i) for i in range(N)], ["all"] * N):  # documents that group nothing
        assert choose_null_units(prepared(systems(CORRELATION), ids), "auto", ["ar"]).kind == "block"
    # The largest unit is that of tests if these take domains.
    domains = [f"s{i // (3 * LENGTH)}" for i in range(N)]
    chosen = choose_null_units(prepared(systems(CORRELATION), IDS, domains, unit="domain"), "auto", ["ar"])
    assert (chosen.kind, chosen.units.count) == ("domain", DOCUMENTS // 3)


def test_blocks_stay_within_domains_and_are_short_in_short_texts() -> None:
    domains = ["x" if i % 3 else "y" for i in range(N)]
    chosen = choose_null_units(prepared(systems(0.0), None, domains), "block", ["ar"])
    assert chosen.units.count == N // 40
    for block in range(chosen.units.count):
        inside = np.flatnonzero(chosen.units.of_segment == block)
        assert len(inside) == 40
        assert len({domains[i] for i in inside}) == 1
        assert set(np.diff(inside)) <= ({3} if domains[inside[0]] == "y" else {1, 2})
    given = {name: values[:120] for name, values in systems(CORRELATION).items()}
    chosen = choose_null_units(prepared(given), "block", ["ar"])
    assert (chosen.block_length, chosen.units.count) == (12, 10)
    assert any("only 10 blocks" in note.text for note in chosen.notes)
    few = {name: values[:30] for name, values in given.items()}
    assert "too little data" in choose_null_units(prepared(few), "auto", ["ar"]).notes[0].text


def test_swaps_and_sizes_are_of_blocks() -> None:
    experiment = prepared(systems(CORRELATION))
    chosen = choose_null_units(experiment, "auto", ["ar"])
    swapped = SwappedUnits(experiment, chosen.units)(3).statistics.values[:, 0] != experiment.statistics.values[:, 0]
    by_block = swapped.reshape(30, 40)
    assert (by_block.all(1) | ~by_block.any(1)).all(), "swapped whole"
    assert 5 < by_block[:, 0].sum() < 25
    made = SwappedUnits(experiment, chosen.units, size=5)(0)
    assert made.corpus.segments == made.units.count == 200
    with refused(naming=[2, "30 blocks"]):
        tg.calibrate(None, systems(CORRELATION), size=31, **FEW)


# Verdicts.


@pytest.mark.parametrize(
    ("rejections", "repetitions", "verdict"),
    [
        (11, 200, "no excess found"),  # 5.5 % (2.8–9.6)
        (50, 1_000, "keeps its level"),
        (58, 1_000, "keeps its level"),  # up to 7.43 %
        (59, 1_000, "no excess found"),  # up to 7.54 %
        (64, 1_000, "no excess found"),  # from 4.96 %
        (65, 1_000, "too often"),  # from 5.05 %
        (37, 1_000, "keeps its level"),  # up to 5.07 %
        (36, 1_000, "too rarely"),  # up to 4.95 %
        (0, 20, "no excess found"),
        (700, 10_000, "too often"),
    ],
)
def test_verdict_is_that_of_the_interval(rejections: int, repetitions: int, verdict: str) -> None:
    assert Rate(0.05, rejections, repetitions).verdict == verdict


@pytest.mark.whole
def test_no_level_is_kept_that_the_interval_does_not_show() -> None:
    for repetitions in (1, 20, 100, 200, 500, 1_000):
        for rejections in range(repetitions + 1):
            rate = Rate(0.05, rejections, repetitions)
            low, high = rate.interval
            assert (rate.verdict == "too often") == (low > 0.05)
            assert (rate.verdict in ("keeps its level", "too rarely")) == (high <= TOLERATED * 0.05)
            if rate.verdict == "no excess found":
                settled = Rate(0.05, round(rate.rate * rate.needed), rate.needed).verdict
                assert rate.needed > repetitions
                assert settled != "no excess found"


def test_sentence_says_what_cannot_be_excluded(on_segments: CalibrationResult) -> None:
    p = (0.04,) * 11 + (0.5,) * 189
    found = replace(on_segments, measured=(Measured("scores", "ar", p),))
    assert found["scores", "ar"].needed == 700
    text = " ".join(found.render("terminal").split())
    for part in ("5.5 (2.8 – 9.6)", "200 datasets", "up to 9.6 %", "700 datasets"):
        assert part in text
    (measured,) = written(found)["measured"]
    assert (measured["verdict"], measured["needed"]) == ("no excess found", 700)
    kept = replace(on_segments, measured=(Measured("scores", "ar", (0.04,) * 50 + (0.5,) * 950),))
    assert "above 7.5 % is excluded" in kept.render("terminal")
    assert written(kept)["measured"][0]["needed"] is None


def test_other_levels_can_show_an_excess() -> None:
    """Of 1,000 p-values 49 are at most 5 %, but all of these at most 1 %."""
    measured = Measured("scores", "ar", (0.005,) * 49 + (0.5,) * 951)
    assert LEVELS[0] == 0.01
    assert measured.size.verdict == "keeps its level"
    assert measured.verdict == "too often"
    assert measured.needed is None
