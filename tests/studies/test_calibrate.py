"""calibrate: sizes and power on data made of the user's own, what nulls swap as a whole, and what is said of tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.stats import binom, norm

import truegain as tg
from tests.refusals import kinds, refused
from tests.schema import written
from tests.sentences import says
from truegain.experiment import Experiment
from truegain.procedures.base import Pair, Trial
from truegain.readers.memory import corpus_from_memory
from truegain.resampling.units import Units
from truegain.settings.calibrate import NullUnitChoice
from truegain.studies.calibrate import (
    KEPT,
    KEPT_BY_CONSTRUCTION,
    LEVELS,
    NO_EXCESS,
    POWER,
    TOLERATED,
    TOO_OFTEN,
    TOO_OFTEN_FOR_NEW_RUNS,
    TOO_RARELY,
    CalibrationResult,
    Measured,
    Rate,
    findings_of,
)
from truegain.studies.nulls import TOO_FEW, UNITS, SplitRuns, SwappedUnits, choose_null_units, levelled

Floats = NDArray[np.float64]

N = 60
DOCUMENTS = [f"d{i // 6}" for i in range(N)]


def scores(seed: int, shift: float = 0.0, count: int = N) -> Floats:
    return np.asarray(np.random.default_rng(seed).normal(shift, 1.0, count))


TWO = {"a": scores(1), "b": scores(2)}
FOUR_RUNS = {"a": [scores(seed) for seed in range(4)]}


def prepared(given: dict[str, Any], documents: Any = None, domains: Any = None, **options: Any) -> Experiment:
    corpus = corpus_from_memory(None, given, documents=documents, domains=domains)
    settings: dict[str, Any] = {"unit": "segment", "seed": 7, "jobs": 1, **options}
    return Experiment.prepare(corpus, ["scores"], cache=None, engine=None, progress=None, **settings)


@pytest.fixture(scope="module")
def found() -> CalibrationResult:
    options: dict[str, Any] = {"test": ["ar", "t", "sacrebleu-bs"], "repetitions": 400, "resamples": 199, "gain": 0.3}
    return tg.calibrate(None, {"a": scores(1), "b": scores(2, 0.5)}, metrics=["scores"], **options)


@pytest.mark.whole
def test_keeps_its_level_though_the_systems_differ_and_has_power(found: CalibrationResult) -> None:
    """The outputs are swapped: that b is far better than a must not matter. The gain is what was asked for."""
    most = binom.ppf(1 - 1e-4, 400, 0.05)
    for test in ("ar", "t"):
        assert binom.ppf(1e-4, 400, 0.05) <= found["scores", test].size.rejections <= most
        assert found["scores", test].verdict != "too often"
    assert found["scores", "sacrebleu-bs"].size.rejections > most
    assert found["scores", "sacrebleu-bs"].verdict == "too often"
    for power in found.power:
        assert power.rates[1].rate > found["scores", power.test].size.rate + 0.1
        assert power.reached == pytest.approx(0.3, abs=0.04)
    assert [row["test"] for row in written(found)["measured"]] == ["ar", "t", "sacrebleu-bs"]
    assert len(found.to_records()) == 6 * len(LEVELS)
    for row in found:
        assert [rate.rejections for rate in row.rates] == [sum(p <= level for p in row.p) for level in LEVELS]
    assert says(found.findings[-1].text, POWER)
    with pytest.raises(KeyError):
        found["scores", "wilcoxon"]


@pytest.mark.whole
def test_does_not_depend_on_processes() -> None:
    options: dict[str, Any] = {"metrics": ["scores"], "test": "ar", "repetitions": 120, "resamples": 99}
    alone, together = (tg.calibrate(None, TWO, jobs=jobs, **options)["scores", "ar"].p for jobs in (1, 2))
    assert alone == together


def test_swaps_keep_what_a_unit_holds() -> None:
    experiment = prepared(TWO, documents=DOCUMENTS, unit="auto")
    make = SwappedUnits(experiment, Units.documents(DOCUMENTS))
    original = experiment.statistics.values
    seen = set()
    for repetition in range(20):
        made = make(repetition)
        values = made.statistics.values
        swapped = (values[:, 0] != original[:, 0]).reshape(10, 6)
        assert (swapped.all(1) | ~swapped.any(1)).all()
        np.testing.assert_array_equal(np.sort(values[:, [0, 2]], axis=1), np.sort(original[:, [0, 2]], axis=1))
        seen.add(tuple(swapped[:, 0].tolist()))
        assert make(repetition).seed == made.seed != make(repetition + 1).seed
    assert len(seen) > 15
    make = SwappedUnits(experiment, Units.documents(DOCUMENTS), size=4)  # draws whole units anew
    drawn = [make(repetition) for repetition in range(12)]
    assert {one.corpus.segments for one in drawn} == {24}
    assert {one.units.count for one in drawn} == {4}
    assert all(one.corpus.documents is not None and len(set(one.corpus.documents)) == 4 for one in drawn)
    assert len({one.corpus.documents for one in drawn}) > 6
    assert len({one.table.totals[0] for one in drawn}) > 6


def test_contributions_add_up_to_the_difference_and_tilted_swaps_make_the_gain() -> None:
    experiment = prepared(TWO)
    make = SwappedUnits(experiment, Units.segments(N))
    delta = Trial(experiment, (Pair(0, 1),)).delta((0, Pair(0, 1)))
    assert make.contributions.sum() == pytest.approx(delta)
    np.testing.assert_allclose(make.contributions, (scores(2) - scores(1)) / N)
    most = float(np.abs(make.contributions).sum())
    assert make.with_gain(most / 2).tilt == pytest.approx(0.75)
    tilted = SwappedUnits(prepared(TWO), Units.segments(N)).with_gain(-0.25)
    gains = [Trial(tilted(r), (Pair(0, 1),)).delta((0, Pair(0, 1))) for r in range(400)]
    assert np.mean(gains) == pytest.approx(-0.25, abs=float(np.std(gains)) / 5)


@pytest.mark.parametrize(("share", "notes"), [(0.3, 0), (0.7, 1)])
def test_gains_near_the_most_that_can_be_made_are_said_to_have_too_much_power(share: float, notes: int) -> None:
    differences = np.random.default_rng(3).normal(size=60)
    gain = share * float(np.abs(differences).mean())
    options: dict[str, Any] = {"metrics": ["scores"], "test": "t", "repetitions": 40, "resamples": 1, "gain": gain}
    found = tg.calibrate(None, {"old": np.zeros(60), "new": differences}, **options)
    texts = [note.text for note in found.notes if note.kind == "exchanged-gain"]
    assert ["0.71 times" in text for text in texts] == [True] * notes


def test_runs_are_dealt_out() -> None:
    runs = [scores(seed) for seed in range(6)]
    experiment = prepared({"only": runs})
    make = SplitRuns(experiment, 2)
    seen = set()
    for repetition in range(30):
        made = make(repetition)
        names = [tuple(run.name for run in system.runs) for system in made.corpus.systems]
        assert len({*names[0], *names[1]}) == 4
        seen.add(names[0])
        for s, system in enumerate(names):
            expected = np.mean([runs[int(name.rpartition(".")[2]) - 1].mean() for name in system])
            assert made.scores[0, s] == pytest.approx(expected)
    assert len(seen) > 10


def test_runs_of_one_system_show_what_fixed_runs_claim() -> None:
    """Where runs differ on the same segments, a test that holds them fixed rejects nulls about new runs too often."""
    base = scores(0, count=40)
    rng = np.random.default_rng(5)
    runs = [base + rng.normal(0.0, 0.1, 40) + shift for shift in rng.normal(0.0, 0.3, 10)]
    result = tg.calibrate(None, {"only": runs}, metrics=["scores"], test="ar", runs=3, repetitions=100, resamples=99)
    assert result["scores", "ar"].verdict == "too often"
    assert "runs dealt out" in result.how


def test_says_where_exact_gave_way_and_the_bootstrap_to_that_of_blocks() -> None:
    texts = {"a": ["the cat sat down"] * 20 + ["it ran"] * 20, "b": ["a cat sat down"] * 15 + ["he ran off"] * 25}
    refs = [f"the cat sat on mat {i}" for i in range(40)]
    result = tg.calibrate(refs, texts, metrics=["bleu", "wer"], test="exact", repetitions=2, resamples=19)
    assert [note.scope for note in result.notes if note.kind == "other-test"] == ["exact of BLEU"]
    options: Any = {"metrics": ["scores"], "test": "bootstrap", "unit": "block", "repetitions": 2, "resamples": 19}
    result = tg.calibrate(None, TWO, jobs=1, **options)
    assert [note.scope for note in result.notes if note.kind == "other-test"] == ["bootstrap of score"]
    assert "|unit:block|length:" in result.signature


@pytest.mark.parametrize(
    ("systems", "options", "naming"),
    [
        (TWO, {"test": "nonsense"}, ["test"]),
        (TWO, {"test": []}, ["test"]),
        (TWO, {"test": "tango"}, ["tango"]),
        (TWO, {"test": "mcnemar"}, ["McNemar's test"]),
        (TWO, {"size": 1}, [2, 60]),
        (TWO, {"size": 61}, [2, 60]),
        (TWO, {"runs": 2}, ["runs"]),
        (TWO, {"null_unit": "sentence"}, ["null_unit"]),
        ({**TWO, "c": scores(3)}, {}, []),
        ({"a": scores(1), "b": [scores(2), scores(3)]}, {}, []),
        ({"a": scores(1), "b": scores(1)}, {}, []),
        ({"a": [scores(1), scores(2), scores(3)]}, {}, []),
        (FOUR_RUNS, {"runs": 3}, ["1 to 2"]),
        (FOUR_RUNS, {"size": 10}, ["size"]),
        (FOUR_RUNS, {"null_unit": "block"}, ["null_unit"]),
        (FOUR_RUNS, {"gain": 0.3}, ["gain"]),
        (TWO, {"gain": 99.0}, ["gain"]),
    ],
)
def test_refuses(systems: dict[str, Any], options: dict[str, Any], naming: list[object]) -> None:
    with refused(naming=naming):
        tg.calibrate(None, systems, metrics=["scores"], repetitions=2, resamples=9, **options)


TEXTS, LENGTH, CORRELATION = 60, 20, 0.35  # the standard error of segments is 2.8 times too small
MANY = TEXTS * LENGTH
IDS = [f"d{i // LENGTH}" for i in range(MANY)]
FEW: dict[str, Any] = {"metrics": ["scores"], "test": "ar", "repetitions": 200, "resamples": 199, "jobs": 1}


def differences(rng: np.random.Generator, correlation: float) -> Floats:
    shared = np.repeat(rng.normal(size=TEXTS), LENGTH)
    return np.asarray(np.sqrt(correlation) * shared + np.sqrt(1.0 - correlation) * rng.normal(size=MANY))


def systems(correlation: float, gain: float = 0.0, seed: int = 3) -> dict[str, Floats]:
    rng = np.random.default_rng(seed)
    base = np.asarray(rng.normal(size=MANY))
    return {"base": base, "new": base + gain + differences(rng, correlation)}


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
        flipped = rng.choice([-1.0, 1.0], (199, MANY)) @ drawn
        rejected += (1 + np.count_nonzero(np.abs(flipped) >= abs(drawn.sum()))) / 200 <= 0.05
    truth = rejected / 300
    assert 0.4 < truth < 0.56
    size = on_segments["scores", "ar"].size
    assert size.rate == pytest.approx(truth, abs=0.12)  # one test set's 60 documents vary from draw to draw
    assert on_segments["scores", "ar"].verdict == "too often"
    assert (on_segments.null_unit, on_segments.n_null_units, on_segments.null_block_length) == ("document", 60, None)
    assert on_segments.unit == "segment"
    assert kinds(on_segments.notes) == {"unit", "nulls"}
    assert [finding.text for finding in on_segments.findings] == [TOO_OFTEN(tests="ar")]
    assert "|null-unit:document|" in on_segments.signature


def test_without_documents_only_the_order_of_the_text_gives_segments_away() -> None:
    result = tg.calibrate(None, systems(CORRELATION, 0.2), **FEW)
    assert (result.null_unit, result.n_null_units, result.null_block_length) == ("block", 30, 40)
    assert result["scores", "ar"].verdict == "too often"
    assert result["scores", "ar"].size.rate > 0.3
    assert "|null-unit:block|null-length:40|" in result.signature
    assert written(result)["null_unit"] == "block"
    # Out of order nothing can be found, and that is said.
    shuffled = np.random.default_rng(1).permutation(MANY)
    given = {name: values[shuffled] for name, values in systems(CORRELATION, 0.2).items()}
    result = tg.calibrate(None, given, **FEW)
    assert result.null_unit == "segment"
    assert [finding.text for finding in result.findings] == [KEPT_BY_CONSTRUCTION(tests="ar")]


@pytest.mark.whole
def test_no_false_alarm_if_segments_are_independent() -> None:
    """Swapped as a whole, segments of a document share the gain, which is no dependence of the data's."""
    result = tg.calibrate(None, systems(0.0, 0.6), documents=IDS, unit="segment", **FEW)
    assert result.null_unit == "document"
    assert result["scores", "ar"].verdict != "too often"
    assert result["scores", "ar"].size.rejections <= binom.ppf(1 - 1e-4, 200, 0.06)
    assert tg.calibrate(None, systems(0.0, 0.6), **{**FEW, "repetitions": 2}).null_unit == "segment"


@pytest.mark.whole
def test_power_is_that_of_the_unit() -> None:
    """Of documents as the unit, near that of a normal variable with their standard error."""
    given = systems(CORRELATION, 0.2)
    difference = given["new"] - given["base"]
    sums = (difference - difference.mean()).reshape(TEXTS, LENGTH).sum(1)
    error = float(np.sqrt((sums**2).sum())) / MANY
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
    gains = before[:, 2] - before[:, 0]
    assert (gains[changed] > 0.0).all()
    kept = np.setdiff1d(np.flatnonzero(gains > 0.0), changed)
    assert gains[changed].max() < gains[kept].min()
    even = prepared({"base": np.zeros(MANY), "new": np.tile([1.0, -1.0], MANY // 2)}, IDS)
    level = levelled(even)
    np.testing.assert_array_equal(level.experiment.statistics.values, even.statistics.values)
    # Of ties it does not take the first segments.
    new = np.where(np.random.default_rng(2).random(MANY) < 0.4, 1.0, 0.0)
    level = levelled(prepared({"base": np.zeros(MANY), "new": new}, IDS))
    taken = (level.experiment.statistics.values[:, 0] != 0.0).reshape(6, -1).sum(1)
    assert taken.sum() == new.sum() // 2
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
    domains = ["x" if i < MANY // 2 else "y" for i in range(MANY)]
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
    assert (segments.units.count, documents.units.count, blocks.block_length) == (MANY, TEXTS, 40)
    for ids in ([str(i) for i in range(MANY)], ["all"] * MANY):  # documents that group nothing
        assert choose_null_units(prepared(systems(CORRELATION), ids), "auto").kind == "block"
    # The largest unit is that of tests if these take domains.
    domains = [f"s{i // (3 * LENGTH)}" for i in range(MANY)]
    chosen = choose_null_units(prepared(systems(CORRELATION), IDS, domains, unit="domain"), "auto")
    assert (chosen.kind, chosen.units.count) == ("domain", TEXTS // 3)


def test_blocks_stay_within_domains_and_are_short_in_short_texts() -> None:
    domains = ["x" if i % 3 else "y" for i in range(MANY)]
    chosen = choose_null_units(prepared(systems(0.0), None, domains), "block")
    assert chosen.units.count == MANY // 40
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
    text = choose_null_units(prepared(few), "auto").notes[0].text
    assert text == UNITS(units="Single items", why=TOO_FEW, noun="item")


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
        (0.04, 58, 1_000, "document", KEPT(tests="ar", most=7.43)),
        (0.04, 59, 1_000, "document", NO_EXCESS(tests="ar", most=7.54, needed=1_100)),
        (0.04, 64, 1_000, "document", NO_EXCESS(tests="ar", most=8.1, needed=1_200)),  # from 4.96 %
        (0.04, 65, 1_000, "document", TOO_OFTEN(tests="ar")),  # from 5.05 %
        (0.04, 65, 1_000, "run", TOO_OFTEN_FOR_NEW_RUNS(tests="ar")),
        (0.04, 65, 1_000, "segment", KEPT_BY_CONSTRUCTION(tests="ar")),
        (0.04, 37, 1_000, "document", KEPT(tests="ar", most=5.07)),
        (0.04, 36, 1_000, "document", TOO_RARELY(tests="ar")),  # up to 4.95 %
        (0.005, 49, 1_000, "document", TOO_OFTEN(tests="ar")),  # of these 49 ten would be at most 1 %
    ],
)
def test_findings(
    p: float, rejections: int, repetitions: int, null_unit: str, expected: str, on_segments: CalibrationResult
) -> None:
    measured = Measured("scores", "ar", (p,) * rejections + (0.5,) * (repetitions - rejections))
    result = replace(on_segments, measured=(measured,), null_unit=null_unit, about_new_runs=null_unit == "run")
    assert [finding.text for finding in findings_of(result)] == [expected]
    assert written(result)["measured"][0]["needed"] == measured.needed
