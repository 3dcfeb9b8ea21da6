"""Published tests and those of other tools against their pseudo-code, written out on the same random draws."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU as PeerBLEU
from sacrebleu.significance import PairedTest

import truegain as tg
from tests.refusals import refused
from truegain.inference.results import Comparison
from truegain.metrics.base import Metric
from truegain.metrics.bleu import BLEU
from truegain.metrics.segment_scores import SegmentScores
from truegain.metrics.wer import WER
from truegain.registry import TESTS
from truegain.resampling.design import Design
from truegain.resampling.generator import bootstrap_counts, resample_keys, swap_masks
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units

N = 32
RESAMPLES = 200
SEED = 12345
RUNS = 4
PUBLISHED = [name for name, entry in TESTS.items() if entry.kind in ("published", "compatible")]
ON_SEGMENTS = [name for name in PUBLISHED if TESTS[name].unit == "segment"]
ON_RUNS = [name for name in PUBLISHED if TESTS[name].unit == "run"]

Row = tuple[float, ...]
Rows = Sequence[Row]


@dataclass(frozen=True)
class Scored:
    """A corpus score, positive differences of which are gains."""

    metric: Metric

    def __call__(self, rows: Rows) -> float:
        """Add the segments' statistics up, one after the other, and score the sums."""
        totals = [0.0] * len(rows[0])
        for row in rows:
            for place, value in enumerate(row):
                totals[place] += value
        return float(self.metric.score(np.array(totals)))

    def gain(self, old: Rows, new: Rows) -> float:
        return self(old) - self(new) if self.metric.higher_is_better is False else self(new) - self(old)


# The pseudo-code of each source, on segments: statistics of the baseline and of the system in, (c, R, p) out.


def drawn_gains(scored: Scored, old: Rows, new: Rows) -> list[float]:
    gains = []
    for counts in Design(Units.segments(len(old)), "bootstrap", SEED).weights(0, RESAMPLES):
        drawn = [i for i, count in enumerate(counts.tolist()) for _ in range(int(count))]
        assert len(drawn) == len(old)
        gains.append(scored.gain([old[i] for i in drawn], [new[i] for i in drawn]))
    return gains


def swapped_gains(scored: Scored, old: Rows, new: Rows) -> list[float]:
    gains = []
    for mask in Design(Units.segments(len(old)), "swap", SEED).weights(0, RESAMPLES):
        first, second = [], []
        for i, swap in enumerate(mask.tolist()):
            first.append(new[i] if swap else old[i])
            second.append(old[i] if swap else new[i])
        gains.append(scored.gain(first, second))
    return gains


def koehn(scored: Scored, old: Rows, new: Rows) -> tuple[int, float]:
    if scored.gain(old, new) < 0:
        old, new = new, old
    count = 0
    for gain in drawn_gains(scored, old, new):
        if gain <= 0:
            count += 1
    return count, count / RESAMPLES


def berg_kirkpatrick(scored: Scored, old: Rows, new: Rows) -> tuple[int, float]:
    if scored.gain(old, new) < 0:
        old, new = new, old
    observed = scored.gain(old, new)
    count = 0
    for gain in drawn_gains(scored, old, new):
        if gain > 2 * observed:
            count += 1
    return count, count / RESAMPLES


def folded(scored: Scored, old: Rows, new: Rows, *, strict: bool, added: int) -> tuple[int, float]:
    """Absolute differences less their mean: Riezler and Maxwell, Moses and sacreBLEU."""
    observed = abs(scored.gain(old, new))
    sizes = [abs(gain) for gain in drawn_gains(scored, old, new)]
    mean = sum(sizes) / RESAMPLES
    count = 0
    for size in sizes:
        if size - mean > observed or (not strict and size - mean == observed):
            count += 1
    return count, (count + added) / (RESAMPLES + added)


def randomization(scored: Scored, old: Rows, new: Rows, *, strict: bool) -> tuple[int, float]:
    observed = abs(scored.gain(old, new))
    count = 0
    for gain in swapped_gains(scored, old, new):
        if abs(gain) > observed or (not strict and abs(gain) == observed):
            count += 1
    return count, (count + 1) / (RESAMPLES + 1)


LITERAL: dict[str, Callable[[Scored, Rows, Rows], tuple[int, float]]] = {
    "koehn2004": koehn,
    "bergkirkpatrick2012": berg_kirkpatrick,
    "riezler2005-ar": lambda *data: randomization(*data, strict=False),
    "clark2011": lambda *data: randomization(*data, strict=False),  # of one run each: two outputs to deal out
    "sacrebleu-ar": lambda *data: randomization(*data, strict=True),
    "multeval-ar": lambda *data: randomization(*data, strict=True),  # of one run each
    "fu-rows-ar": lambda *data: randomization(*data, strict=True),  # likewise
    "riezler2005-bootstrap": lambda *data: folded(*data, strict=False, added=1),
    "sacrebleu-bs": lambda *data: folded(*data, strict=True, added=1),
    "fu-rows-bootstrap": lambda *data: folded(*data, strict=True, added=1),  # of one run each
    "moses-bs": lambda *data: folded(*data, strict=False, added=0),
}


# On runs: the scores of the baseline's runs and of the system's in.

FIRST_SYSTEM, SECOND_SYSTEM, SWAPS = 101, 102, 103  # streams of random numbers; others would give other p-values


def fu_bootstrap(old: Sequence[float], new: Sequence[float]) -> tuple[int, float]:
    observed = abs(sum(new) / len(new) - sum(old) / len(old))
    draws = [
        bootstrap_counts(resample_keys(SEED, stream, 0, RESAMPLES), len(old)).tolist()
        for stream in (FIRST_SYSTEM, SECOND_SYSTEM)
    ]
    sizes = []
    for first, second in zip(*draws, strict=True):
        before = [score for score, count in zip(old, first, strict=True) for _ in range(int(count))]
        after = [score for score, count in zip(new, second, strict=True) for _ in range(int(count))]
        sizes.append(abs(sum(after) / len(after) - sum(before) / len(before)))
    mean = sum(sizes) / RESAMPLES
    count = sum(size - mean > observed for size in sizes)
    return count, (count + 1) / (RESAMPLES + 1)


def fu_randomization(old: Sequence[float], new: Sequence[float]) -> tuple[int, float]:
    observed = abs(sum(new) / len(new) - sum(old) / len(old))
    count = 0
    for mask in swap_masks(resample_keys(SEED, SWAPS, 0, RESAMPLES), len(old)).tolist():
        first, second = [], []
        for a, b, swap in zip(old, new, mask, strict=True):
            first.append(b if swap else a)
            second.append(a if swap else b)
        count += abs(sum(second) / len(second) - sum(first) / len(first)) > observed
    return count, (count + 1) / (RESAMPLES + 1)


LITERAL_ON_RUNS = {"fu-bootstrap": fu_bootstrap, "fu-ar": fu_randomization}


# Data.


def corrupted(lines: Sequence[str], share: float, seed: int) -> list[str]:
    generator = np.random.default_rng(seed)
    return [
        " ".join(word if generator.random() > share else f"x{generator.integers(9)}" for word in line.split())
        for line in lines
    ]


def texts(count: int, seed: int = 0) -> list[str]:
    generator = np.random.default_rng(seed)
    return [" ".join(f"w{i}" for i in generator.integers(0, 60, generator.integers(5, 20))) for _ in range(count)]


def eighths(seed: int, gain: float) -> NDArray[np.float64]:
    """Scores that add up without rounding, and so does their mean over 32 segments."""
    generator = np.random.default_rng(seed)
    return np.round(8 * (generator.normal(size=N) + gain)) / 8


REFERENCES = texts(N)
TEXTS = {"old": corrupted(REFERENCES, 0.31, 1), "new": corrupted(REFERENCES, 0.29, 2)}
SCORES = {"old": eighths(3, 0.0), "new": eighths(4, 0.15)}
RUN_TEXTS = {
    "old": [corrupted(REFERENCES, 0.3, seed) for seed in range(RUNS)],
    "new": [corrupted(REFERENCES, 0.29, 10 + seed) for seed in range(RUNS)],
}
RUN_SCORES = {
    "old": [eighths(20 + seed, 0.0) for seed in range(RUNS)],
    "new": [eighths(30 + seed, 0.05) for seed in range(RUNS)],
}
METRICS: dict[str, Metric] = {"bleu": BLEU(), "wer": WER(), "scores": SegmentScores()}


def rows(kind: str, given: object) -> list[Row]:
    metric = METRICS[kind]
    found = (
        metric.statistics({"score": given}, ())
        if kind == "scores"
        else metric.statistics(given, metric.prepare([REFERENCES]))
    )
    return [tuple(row) for row in found.astype(float).tolist()]


def compared(kind: str, systems: dict[str, object], test: str, **options: object) -> Comparison:
    settings: dict[str, object] = {"resamples": RESAMPLES, "seed": SEED, **options}
    found = tg.compare(
        None if kind == "scores" else REFERENCES,
        systems,
        metrics=[METRICS[kind]],
        test=test,
        **settings,  # type: ignore[arg-type]
    )
    return next(iter(found))


def test_every_preset_is_written_out_here() -> None:
    assert set(LITERAL) == set(ON_SEGMENTS)
    assert set(LITERAL_ON_RUNS) == set(ON_RUNS)


@pytest.mark.parametrize("kind", METRICS)
@pytest.mark.parametrize("order", [("old", "new"), ("new", "old")])
@pytest.mark.parametrize("test", LITERAL)
def test_segments_as_in_the_source(kind: str, order: tuple[str, str], test: str) -> None:
    """Exactly: no tie of these data hangs on a rounding error, see ``eighths``."""
    data = SCORES if kind == "scores" else TEXTS
    found = compared(kind, {name: data[name] for name in order}, test)
    scored = Scored(METRICS[kind])
    old, new = (rows(kind, data[name]) for name in order)
    count, p = LITERAL[test](scored, old, new)
    assert found.delta == pytest.approx(scored.gain(old, new), abs=1e-12)
    assert 0 < count < RESAMPLES, "data that could tell"
    assert (found.p_value.exceedances, found.resamples, found.p) == (count, RESAMPLES, p)
    assert (found.test, found.unit, found.n_units) == (test, "segment", N)
    assert found.alternative == ("observed" if test in ("koehn2004", "bergkirkpatrick2012") else "two-sided")


@pytest.mark.parametrize("kind", METRICS)
@pytest.mark.parametrize("test", LITERAL_ON_RUNS)
def test_runs_as_in_the_source(kind: str, test: str) -> None:
    data: dict[str, list[object]] = {**(RUN_SCORES if kind == "scores" else RUN_TEXTS)}  # type: ignore[dict-item]
    found = compared(kind, {**data}, test)
    scored = Scored(METRICS[kind])
    old, new = ([scored(rows(kind, run)) for run in data[name]] for name in ("old", "new"))
    count, p = LITERAL_ON_RUNS[test](old, new)
    assert 0 < count < RESAMPLES
    assert (found.p_value.exceedances, found.resamples, found.p) == (count, RESAMPLES, p)
    assert (found.test, found.unit, found.n_units) == (test, "run", 2 * RUNS)
    assert str(found.claim) == "new runs on this test set"


@pytest.mark.parametrize("test", ON_SEGMENTS)
def test_documents_do_not_matter_to_tests_of_segments(test: str) -> None:
    """Few segments differ, so that many resamples tie with what was observed."""
    generator = np.random.default_rng(0)
    base = generator.normal(size=60).round(1)
    changed = base.copy()
    changed[7] += 0.3
    pair = {"base": base, "changed": changed}
    documents = [f"d{i // 7}" for i in range(60)]
    plain, grouped = (
        tg.compare(None, pair, metrics=["scores"], test=test, resamples=RESAMPLES, documents=given)["scores", "changed"]
        for given in (None, documents)
    )
    assert grouped.p == plain.p
    assert grouped.unit == "segment"


# Equal systems, and nearly equal ones.


@pytest.mark.parametrize(
    ("test", "kind"),
    [
        (test, kind)
        for test, entry in TESTS.items()
        for kind in METRICS
        if "run" not in entry.unit
        and test not in ("crossed", "raters")  # of several runs, and of ratings
        and (test not in ("mcnemar", "tango") or kind == "scores")  # of scores that are 0 or 1
    ],
)
def test_equal_systems(test: str, kind: str) -> None:
    same: object = (np.arange(N) % 2.0) if kind == "scores" else TEXTS["old"]
    found = compared(kind, {"a": same, "b": same}, test)
    said = any(one.kind == "ties" for one in found.caveats)
    if test in ("sacrebleu-bs", "sacrebleu-ar", "multeval-ar", "fu-rows-bootstrap", "fu-rows-ar"):
        assert found.p == 1 / (RESAMPLES + 1)
        assert said
    elif test == "bergkirkpatrick2012":
        assert found.p == 0.0
        assert said
    else:
        assert found.p == 1.0
        assert not said
    assert found.delta == 0.0
    assert found.significant is False
    assert found.better is None


@pytest.mark.parametrize("test", ["sacrebleu-ar", "multeval-ar", "fu-rows-ar"])
def test_one_differing_segment_is_said_to_be_an_artefact(test: str) -> None:
    base = eighths(5, 0.0)
    changed = base.copy()
    changed[3] += 1.0
    found = compared("scores", {"a": base, "b": changed}, test)
    assert found.p == 1 / (RESAMPLES + 1)
    assert "ties" in {one.kind for one in found.caveats}


SAME_SCORE = [np.roll(eighths(5, 0.0), place) for place in range(2 * RUNS)]
FEW_RUNS = [eighths(seed, 0.0) + 0.5 * (seed > 1) for seed in range(4)]


@pytest.mark.parametrize(
    ("test", "kind", "old", "new"),
    [
        ("fu-ar", "scores", FEW_RUNS[:2], FEW_RUNS[2:]),  # two runs of each are too few to swap
        ("fu-ar", "bleu", RUN_TEXTS["old"], RUN_TEXTS["old"]),
        *((test, "scores", SAME_SCORE[:RUNS], SAME_SCORE[RUNS:]) for test in ON_RUNS),
    ],
)
def test_runs_that_are_too_few_or_the_same(test: str, kind: str, old: list[Any], new: list[Any]) -> None:
    found = compared(kind, {"a": old, "b": new}, test)
    assert found.p == 1 / (RESAMPLES + 1)
    assert any(one.kind == "ties" for one in found.caveats)
    assert (found.significant, found.better is None) == (found.delta != 0.0, found.delta == 0.0)


@pytest.mark.parametrize("test", ["koehn2004", "riezler2005-ar", "riezler2005-bootstrap", "moses-bs", "clark2011"])
def test_only_strict_tests_are_said_to_be_strict(test: str) -> None:
    """Segments differ, scores do not: what these give is no consequence of a strict "greater"."""
    changed = np.zeros(N)
    changed[:8], changed[8:16] = 1.0, -1.0
    found = compared("scores", {"a": np.zeros(N), "b": changed}, test)
    assert found.delta == 0.0
    assert not found.significant
    assert "ties" not in {one.kind for one in found.caveats}


def one_of_a_thousand(test: str, seed: int, base: NDArray[np.float64]) -> float:
    changed = base.copy()
    changed[77] += 2.0
    found = tg.compare(
        None, {"base": base, "changed": changed}, metrics=["scores"], test=test, resamples=2000, seed=seed
    )
    return found["scores", "changed"].p


def poisson(least: int) -> float:
    """How often one segment is drawn at least so many times."""
    return 1.0 - sum(math.exp(-1) / math.factorial(k) for k in range(least))


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["zeros", "normal"])
@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("ar", 1.0),
        ("riezler2005-ar", 1.0),
        ("clark2011", 1.0),
        ("exact", 1.0),
        ("koehn2004", 1.0 - poisson(1)),  # never drawn
        ("bootstrap", 1.0 - math.exp(-1)),  # all but once
        ("bergkirkpatrick2012", poisson(3)),
    ],
)
def test_one_differing_segment_of_a_thousand(test: str, expected: float, kind: str) -> None:
    """Whatever the scores that are the same: no tie may hang on a rounding error of their sums."""
    base = np.zeros(1000) if kind == "zeros" else np.random.default_rng(0).normal(size=1000)
    for seed in (1, 2, 3):
        p = one_of_a_thousand(test, seed, base)
        assert p == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 2000) + 1e-12)


@pytest.mark.whole
@pytest.mark.parametrize("test", ["riezler2005-bootstrap", "sacrebleu-bs"])
def test_one_differing_segment_flips_with_the_seed(test: str) -> None:
    """Drawn twice, the difference is 2 δ, and whether that less the mean is at least δ is a matter of the mean."""
    found = np.array([one_of_a_thousand(test, seed, np.zeros(1000)) for seed in range(20)])
    low, high = found[found < 0.17], found[found > 0.17]
    assert min(low.size, high.size) >= 3
    assert low == pytest.approx(poisson(3), abs=0.03)
    assert high == pytest.approx(poisson(2), abs=0.05)


# Other tools.


@pytest.mark.parametrize(("test", "kind"), [("sacrebleu-bs", "bs"), ("sacrebleu-ar", "ar")])
@pytest.mark.parametrize("share", [0.27, 0.29])
def test_as_sacrebleu(test: str, kind: str, share: float) -> None:
    lines = texts(150, seed=7)
    systems = {"base": corrupted(lines, 0.3, 1), "new": corrupted(lines, share, 2)}
    theirs = 1000
    _, found = PairedTest(
        list(systems.items()), {"BLEU": PeerBLEU()}, [lines], test_type=kind, n_samples=theirs, n_ar_confidence=-1
    )()
    expected = found["BLEU"][1].p_value
    ours = tg.compare(lines, systems, test=test, resamples=20_000)["bleu", "new"].p
    assert 0.01 < expected < 0.99
    assert ours == pytest.approx(expected, abs=4 * math.sqrt(ours * (1 - ours) * (1 / theirs + 1 / 20_000)))


def test_as_moses(wmt17: tuple[list[str], dict[str, list[str]]], shared_data: Path) -> None:
    """Moses' own script with 2,000 resamples, the mean of three calls."""
    reference, systems = wmt17
    with (shared_data / "sacrebleu_wmt17_ende" / "expected_p_values.tsv").open(encoding="utf-8") as stream:
        theirs = {
            row["system"].split(".")[1]: float(row["moses_bootstrap_bleu"])
            for row in csv.DictReader(stream, delimiter="\t")
        }
    found = tg.compare(reference, systems, metrics=["bleu:tokenize=none"], test="moses-bs", resamples=10_000)
    assert len(found) == len(theirs) == 15
    for one in found:
        error = math.sqrt(max(one.p, 1e-3) * (1 - one.p) * (1 / 6000 + 1 / 10_000))
        assert one.p == pytest.approx(theirs[one.system], abs=4 * error), one.system


# What they refuse.


@pytest.mark.parametrize("side", ["greater", "less"])
@pytest.mark.parametrize("test", PUBLISHED)
def test_sides_are_their_own(test: str, side: str) -> None:
    data: dict[str, object] = {**(RUN_TEXTS if test in ON_RUNS else TEXTS)}
    with refused("alternative", naming=[test, side]):
        compared("bleu", data, test, alternative=side)


@pytest.mark.parametrize("test", ON_RUNS)
def test_one_run_is_too_few(test: str) -> None:
    with refused(naming=[test, "old"]):
        compared("bleu", {**TEXTS}, test)
    with refused(naming=["new"]):
        compared("bleu", {"old": RUN_TEXTS["old"], "new": TEXTS["new"]}, test)


@pytest.mark.parametrize("test", [*ON_RUNS, "multeval-ar"])
def test_unequal_numbers_of_runs(test: str) -> None:
    named = [test] if test in ON_RUNS else []
    with refused(naming=[*named, "old", "4", "new", "3"]):
        compared("bleu", {"old": RUN_TEXTS["old"], "new": RUN_TEXTS["new"][:3]}, test)


# Several runs: the outputs of a segment dealt out again, and runs laid end to end.


def clark(scored: Scored, old: Sequence[Rows], new: Sequence[Rows]) -> tuple[int, float]:
    """Pool the outputs of each segment, shuffle them, and deal them out to the runs again."""
    runs = [*old, *new]

    def gain(dealt: Sequence[Rows]) -> float:
        scores = [scored(run) for run in dealt]
        first, second = scores[: len(old)], scores[len(old) :]
        difference = sum(second) / len(second) - sum(first) / len(first)
        return -difference if scored.metric.higher_is_better is False else difference

    observed = abs(gain(runs))
    count = 0
    for key in resample_keys(SEED, Stream.DEALS, 0, RESAMPLES):
        words = uniform_words(int(key))
        dealt: list[list[Row]] = [[] for _ in runs]
        for segment in range(len(old[0])):
            order = list(range(len(runs)))
            for place in range(len(runs) - 1, 0, -1):
                other = ((next(words) & 0xFFFFFFFF) * (place + 1)) >> 32
                order[place], order[other] = order[other], order[place]
            for place, run in enumerate(order):
                dealt[place].append(runs[run][segment])
        count += abs(gain(dealt)) >= observed - 1e-9 * max(abs(scored(run)) for run in runs)
    return count, (count + 1) / (RESAMPLES + 1)


def uniform_words(key: int) -> Iterator[int]:
    """The random words of a resample: splitmix64 (Steele et al. 2014)."""
    whole = (1 << 64) - 1
    while True:
        key = (key + 0x9E3779B97F4A7C15) & whole
        z = ((key ^ (key >> 30)) * 0xBF58476D1CE4E5B9) & whole
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & whole
        yield z ^ (z >> 31)


RUN_DATA: dict[str, dict[str, list[Any]]] = {"bleu": RUN_TEXTS, "wer": RUN_TEXTS, "scores": RUN_SCORES}


@pytest.mark.whole
@pytest.mark.parametrize("kind", METRICS)
@pytest.mark.parametrize("counts", [(4, 4), (2, 3)])
def test_clark_partitions_the_outputs_of_every_segment(kind: str, counts: tuple[int, int]) -> None:
    data = {name: runs[:count] for (name, runs), count in zip(RUN_DATA[kind].items(), counts, strict=True)}
    found = compared(kind, {**data}, "clark2011")
    statistics = [[rows(kind, run) for run in runs] for runs in data.values()]
    count, p = clark(Scored(METRICS[kind]), *statistics)
    assert (found.p_value.exceedances, found.p) == (count, p)
    assert str(found.claim) == "these runs on this test set"


@pytest.mark.parametrize("test", ["multeval-ar", "fu-rows-ar", "fu-rows-bootstrap"])
@pytest.mark.parametrize("kind", METRICS)
def test_runs_laid_end_to_end(kind: str, test: str) -> None:
    found = compared(kind, {**RUN_DATA[kind]}, test)
    old, new = ([row for run in runs for row in rows(kind, run)] for runs in RUN_DATA[kind].values())
    count, p = LITERAL[test](Scored(METRICS[kind]), old, new)
    assert (found.p_value.exceedances, found.p) == (count, p)
