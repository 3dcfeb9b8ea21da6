"""compare(test="exact") against every swap there is, written out; and what it does where these are too many."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.refusals import refused
from truegain.inference.pvalues import Alternative
from truegain.inference.results import Comparison
from truegain.metrics.base import Metric
from truegain.metrics.bleu import BLEU
from truegain.metrics.wer import WER

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
every_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)

Statistics = NDArray[np.float64]  # (units, k)


def texts(count: int, seed: int = 0) -> list[str]:
    generator = np.random.default_rng(seed)
    return [" ".join(f"w{i}" for i in generator.integers(0, 25, generator.integers(4, 12))) for _ in range(count)]


def corrupted(lines: Sequence[str], share: float, seed: int) -> list[str]:
    """Words replaced, and some left out, so that lengths differ too."""
    generator = np.random.default_rng(seed)
    found = []
    for line in lines:
        words = [w if generator.random() > share else f"x{generator.integers(9)}" for w in line.split()]
        found.append(" ".join(w for i, w in enumerate(words) if i == 0 or generator.random() > 0.1))
    return found


def f1_statistics(outputs: Sequence[str], references: Any) -> list[list[int]]:
    """Words in common, words of the output, words of the reference: as labels found, predicted and true."""
    rows = []
    for output, reference in zip(outputs, references[0], strict=True):
        found, wanted = Counter(output.split()), Counter(reference.split())
        rows.append([(found & wanted).total(), found.total(), wanted.total()])
    return rows


F1 = tg.CustomMetric(
    name="f1",
    segment_statistics=f1_statistics,
    total_score=lambda totals: 200.0 * totals[..., 0] / (totals[..., 1] + totals[..., 2]),
    statistic_names=("correct", "predicted", "gold"),
)
METRICS: dict[str, Metric] = {"wer": WER(), "f1": F1, "bleu": BLEU()}


def statistics(metric: Metric, outputs: Sequence[str], lines: Sequence[str]) -> Statistics:
    return metric.statistics(outputs, metric.prepare([lines])).astype(float)


def enumerated(metric: Metric, runs: Sequence[tuple[Statistics, Statistics]], alternative: Alternative) -> float:
    """Swap the units of every subset, in all runs, score again, and count what is as extreme as no swap at all."""

    def gain(olds: Sequence[Statistics], news: Sequence[Statistics]) -> float:
        before, after = (np.mean([float(metric.score(one.sum(0))) for one in each]) for each in (olds, news))
        return float(before - after if metric.higher_is_better is False else after - before)

    observed = gain([old for old, _ in runs], [new for _, new in runs])
    reached = total = 0
    for swaps in itertools.product((False, True), repeat=len(runs[0][0])):
        mask = np.array(swaps)[:, None]
        value = gain([np.where(mask, new, old) for old, new in runs], [np.where(mask, old, new) for old, new in runs])
        total += 1
        if alternative == "two-sided":
            reached += abs(value) >= abs(observed) - 1e-9
        else:
            reached += value >= observed - 1e-9 if alternative == "greater" else value <= observed + 1e-9
    return reached / total


def compared(references: Any, systems: dict[str, Any], metric: Metric | str, **options: Any) -> Comparison:
    (found,) = tg.compare(references, systems, metrics=[metric], **{"test": "exact", "resamples": 500, **options})
    return found


def drawn_alike(p: float, q: float, resamples: int) -> bool:
    return abs(p - q) <= 4 * math.sqrt(p * (1 - p) / resamples) + 1 / resamples


@every_alternative
@pytest.mark.parametrize("name", ["wer", "f1"])
@pytest.mark.parametrize("count", [2, 5, 9])
def test_all_swaps_of_few_segments(name: str, count: int, alternative: Alternative) -> None:
    metric = METRICS[name]
    for seed in range(3):
        lines = texts(count, seed)
        systems = {"old": corrupted(lines, 0.35, 50 + seed), "new": corrupted(lines, 0.25, 60 + seed)}
        found = compared(lines, systems, metric, alternative=alternative)
        old, new = (statistics(metric, outputs, lines) for outputs in systems.values())
        assert found.p == pytest.approx(enumerated(metric, [(old, new)], alternative), abs=1e-12)
        assert (found.test, found.resamples, found.p_mc) == ("exact", 0, (found.p, found.p))


@pytest.mark.whole
@pytest.mark.parametrize("name", ["wer", "f1"])
@pytest.mark.parametrize("share", [0.2, 0.25, 0.29])
def test_many_segments_as_drawn(name: str, share: float) -> None:
    lines = texts(80, 1)
    systems = {"old": corrupted(lines, 0.3, 2), "new": corrupted(lines, share, 3)}
    found = compared(lines, systems, METRICS[name])
    drawn = compared(lines, systems, METRICS[name], test="ar", resamples=200_000)
    assert (found.test, found.resamples) == ("exact", 0)
    assert found.delta == drawn.delta
    assert drawn_alike(found.p, drawn.p, 200_000)


@pytest.mark.whole
@pytest.mark.parametrize("count", [8, 60])
@every_alternative
def test_scores_on_a_grid(count: int, alternative: Alternative) -> None:
    """Tenths, which binary numbers cannot hold: the distribution of their sum in whole tenths, written out."""
    for seed in range(4):
        generator = np.random.default_rng(seed)
        old, new = generator.integers(0, 40, count), generator.integers(1, 42, count)
        found = compared(None, {"old": old / 10, "new": new / 10}, "scores", alternative=alternative)
        sums: dict[int, int] = {0: 1}
        for difference in (new - old).tolist():
            wider: dict[int, int] = {}
            for value, ways in sums.items():
                for sign in (1, -1):
                    wider[value + sign * difference] = wider.get(value + sign * difference, 0) + ways
            sums = wider
        observed = int((new - old).sum())
        reached = {
            "two-sided": sum(ways for value, ways in sums.items() if abs(value) >= abs(observed)),
            "greater": sum(ways for value, ways in sums.items() if value >= observed),
            "less": sum(ways for value, ways in sums.items() if value <= observed),
        }[alternative]
        assert found.p == pytest.approx(float(Fraction(reached, 2**count)), rel=1e-9)
        assert found.test == "exact"


def test_tiny_p_values() -> None:
    """Far below what could be drawn: only no swap and all swaps are as extreme."""
    ones = np.arange(200) % 3 / 2
    found = compared(None, {"old": ones, "new": ones + 0.5}, "scores")
    assert found.p == pytest.approx(2.0**-199, rel=1e-9)
    assert found.significant


def test_many_segments_of_bleu_are_drawn() -> None:
    lines = texts(60, 4)
    systems = {"old": corrupted(lines, 0.3, 5), "new": corrupted(lines, 0.28, 6)}
    found = compared(lines, systems, "bleu")
    drawn = compared(lines, systems, "bleu", test="ar")
    assert (found.test, found.resamples, found.p) == ("ar", 500, drawn.p)
    assert found.notes[1:] == drawn.notes
    result = tg.compare(lines, systems, metrics=["bleu", "wer"], test="exact", resamples=500)
    assert (result["bleu", "new"].test, result["wer", "new"].test) == ("ar", "exact"), "each metric for itself"


@every_alternative
def test_few_documents_of_bleu_are_counted(alternative: Alternative) -> None:
    lines = texts(64, 7)
    ids = np.repeat(np.arange(8), [2, 14, 5, 9, 12, 8, 4, 10])
    systems = {"old": corrupted(lines, 0.3, 8), "new": corrupted(lines, 0.26, 9)}
    found = compared(lines, systems, "bleu", documents=[f"d{i}" for i in ids], alternative=alternative)
    old, new = (
        np.stack([statistics(BLEU(), outputs, lines)[ids == i].sum(0) for i in range(8)])
        for outputs in systems.values()
    )
    assert (found.test, found.unit, found.n_units, found.resamples) == ("exact", "document", 8, 0)
    assert found.p == pytest.approx(enumerated(BLEU(), [(old, new)], alternative), abs=1e-12)
    assert (found.p * 2**8).is_integer()
    assert str(found.claim) == "this output of each on new documents"


@every_alternative
@pytest.mark.parametrize("name", ["wer", "f1", "bleu"])
def test_several_runs_of_few_segments(name: str, alternative: Alternative) -> None:
    """All runs of a segment are swapped together, and scores are means over runs."""
    metric, lines = METRICS[name], texts(8, 10)
    old = [corrupted(lines, 0.3, seed) for seed in (11, 12, 13)]
    new = [corrupted(lines, 0.26, seed) for seed in (14, 15, 16)]
    found = compared(lines, {"old": old, "new": new}, metric, alternative=alternative)
    runs = [(statistics(metric, a, lines), statistics(metric, b, lines)) for a, b in zip(old, new, strict=True)]
    assert (found.test, found.n_units, str(found.claim)) == ("exact", 8, "these runs on new segments")
    assert found.p == pytest.approx(enumerated(metric, runs, alternative), abs=1e-12)


def test_few_differing_units_of_many() -> None:
    """What does not differ need not be swapped; and a p that no swap can make small is said."""
    lines = texts(300, 17)
    old = corrupted(lines, 0.3, 18)
    new = old.copy()
    for i in [i for i in range(300) if old[i] != lines[i]][::90][:3]:
        new[i] = lines[i]
    found = compared(lines, {"old": old, "new": new}, "bleu")
    assert (found.test, found.p) == ("exact", 0.25)
    assert [note.kind for note in found.notes] == ["random-ends", "few-differing"]
    assert all(told in found.notes[1].text for told in ("3 of 300", "0.25"))
    assert compared(lines, {"old": old, "new": list(old)}, "bleu").p == 1.0


def test_runs_that_cannot_be_swapped_and_blocks_are_refused() -> None:
    lines = texts(8, 19)
    runs = {"old": [corrupted(lines, 0.3, s) for s in (1, 2)], "new": [corrupted(lines, 0.3, s) for s in (3, 4, 5)]}
    with refused():
        compared(lines, runs, "bleu")
    with refused():
        compared(lines, {"old": runs["old"][0], "new": runs["new"][0]}, "bleu", unit="block")


def test_no_draws_no_seed_and_no_resamples() -> None:
    """Nothing that steers the draws changes an exact p-value; neither do the threads."""
    lines = texts(40, 20)
    systems = {"old": corrupted(lines, 0.3, 21), "new": corrupted(lines, 0.27, 22)}
    expected = compared(lines, systems, "wer").p
    for options in ({"seed": 9}, {"resamples": 50}, {"resamples": "auto"}, {"jobs": 2}, {"interval": "bca"}):
        assert compared(lines, systems, "wer", **options).p == expected


@pytest.mark.parametrize("decimals", [1, 12])
def test_max_t_does_not_depend_on_whether_the_swaps_can_be_counted(decimals: int) -> None:
    """Scores on a grid are counted, others are swapped at random; what maxT does must not follow from that."""
    rng = np.random.default_rng(4)
    systems = {name: rng.normal(0.5, 0.2, 60).round(decimals) for name in ("a", "b", "c")}
    with refused():
        tg.compare(None, systems, metrics=["scores"], test="exact", adjust="maxt", resamples=99)
    found = tg.compare(None, systems, metrics=["scores"], test=["ar", "exact"], adjust="maxt", resamples=99)
    assert {(one.asked, one.adjust) for one in found.comparisons} == {("ar", "maxt"), ("exact", "holm")}


def test_an_open_decision_with_few_swaps_takes_more_resamples() -> None:
    rng = np.random.default_rng(14)
    base = rng.normal(size=16).round(1)
    systems = {"base": base, "new": base + rng.normal(0.6, 1.0, 16).round(1)}
    found = tg.compare(None, systems, metrics=["scores"], resamples=500)
    (note,) = found.comparisons[0].notes
    assert all(told in note.text for told in ("0.05", "more resamples"))
    said = {
        test: str(tg.compare(None, systems, metrics=["scores"], test=test).notes) for test in ("exact", "bootstrap")
    }
    assert "bootstrap intervals tend to be" in said["exact"]
    assert "bootstrap intervals and p-values tend to be" in said["bootstrap"]
