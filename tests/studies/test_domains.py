"""Signs on other test sets: counted by hand, on sets whose truth is known, and on draws from a population."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.known import known
from tests.refusals import refused
from tests.sentences import says, unmarked
from truegain.corpus import Corpus, Run, System
from truegain.report.model import Table
from truegain.studies.domains import NO_DIFFERENCE, POPULATION, SAME_SIGN, WORST, WRONG, DomainsResult
from truegain.studies.transfer import by_domain
from truegain.words import Sentence

FEW: dict[str, Any] = {"metrics": ["scores"], "resamples": 200, "draw_resamples": 99, "jobs": 1}


def corpus(name: str, scores: NDArray[np.float64], names: list[str] | None = None, **options: Any) -> Corpus:
    systems = [
        System(label, (Run(label, None, {"score": values}),))
        for label, values in zip(names or [f"s{i}" for i in range(len(scores))], scores, strict=True)
    ]
    return Corpus.build(systems, name=name, **options)


def normal(generator: np.random.Generator, means: NDArray[np.float64], units: int) -> NDArray[np.float64]:
    """Scores of systems with these means, alike on units that are easy or hard."""
    shared = generator.normal(size=units)
    return np.asarray(means[:, None] + shared + generator.normal(size=(means.size, units)))


def even(seed: int, top: float, systems: int, units: int, names: Iterable[str] = ("one", "two")) -> list[Corpus]:
    """Test sets of systems whose means are spaced evenly up to ``top``."""
    generator = np.random.default_rng(seed)
    return [corpus(name, normal(generator, np.linspace(0, top, systems), units)) for name in names]


@pytest.fixture(scope="module")
def tiny() -> DomainsResult:
    """Four systems. On one set each is clearly better than the one before; on the other b and c change places, and
    d has the score of c."""
    noise = np.tile([0.0, 0.01], 20)
    one = np.stack([noise + gain for gain in (0.0, 1.0, 2.0, 3.0)])
    one[1:, ::3] += 0.02
    two = np.stack([noise + gain for gain in (0.0, 2.0, 1.0, 1.0)])
    two[1, ::3] += 0.02
    two[2, ::7] += 0.02
    two[3] = two[2][::-1]
    return tg.domains([corpus("one", one, list("abcd")), corpus("two", two, list("abcd"))], draws=4, **FEW)


def test_a_table_that_can_be_counted_by_hand(tiny: DomainsResult) -> None:
    forth, back = tiny["scores", "one", "two"], tiny["scores", "two", "one"]
    first = forth.bins[1]  # with 200 resamples p is 1/201 at least
    assert (first.low, first.high, first.pairs, first.cases) == (0.001, 0.01, 6, 6)
    # a-b, a-c and a-d hold; b-c and b-d are turned round; c-d is a tie there, and counts half.
    assert (first.same, first.ties, first.share) == (3.5, 1, 3.5 / 6)
    assert (first.shown, first.opposite, first.expected) == (3, 2, 1.0)
    assert forth.significant.same == 3.5
    assert all(share.cases == 0 and share.share is None for place, share in enumerate(forth.bins) if place != 1)
    assert (forth.undirected, back.undirected) == (0, 1), "without a difference on the source"
    assert sum(share.cases for share in back.bins) == 5
    assert (back.significant.same, back.significant.ties) == (3.0, 0)
    assert [(pair.baseline, pair.system) for pair in tiny.pairs] == list(itertools.combinations("abcd", 2))
    assert tiny.pairs[3].deltas[0] > 0 > tiny.pairs[3].deltas[1]
    records = tiny.to_records()
    assert len(records) == (2 + 2) * (len(tiny.bins) + 2)
    columns = ("source", "target", "p_up_to", "share", "significant_same", "significant_opposite", "draws")
    assert [records[1][column] for column in columns] == ["one", "two", 0.01, 3.5 / 6, 3, 2, None]
    assert [unmarked(finding.text) for finding in tiny.findings[2:]] == [
        "In score 2 of 6 pairs have p ≤ .05 in opposite directions on two sets: c is better than b on one (p = .005) "
        "but worse on two (p = .005).",
        "With 40 items per set the gain that is usually significant runs from 0.002 on one to 0.004 score on two.",
    ]


@pytest.mark.parametrize("alike", [True, False])
def test_gains_that_are_the_same_in_both_domains_and_gains_that_have_nothing_in_common(alike: bool) -> None:
    generator = np.random.default_rng(20 if alike else 21)
    means = generator.uniform(0.0, 1.0, 40)
    sets = [corpus("one", normal(generator, means, 300))]
    means = means if alike else generator.uniform(0.0, 1.0, 40)
    sets.append(corpus("two", normal(generator, means, 300)))
    found = tg.domains(sets, draws=0, **FEW)["scores", "one", "two"]
    share = found.significant
    low, high = known(share.ci)
    if alike:
        for bin in found.bins[1:]:
            assert known(bin.ci)[0] <= known(bin.expected) <= known(bin.ci)[1], bin
            assert bin.share == pytest.approx(bin.expected, abs=0.12)
        assert (share.opposite, known(share.share) > 0.97) == (0, True)
    else:
        assert share.cases > 300
        assert share.share == pytest.approx(0.5, abs=0.15)
        assert low < 0.5 < high < known(share.expected)
        assert known(share.opposite) > 0.25 * share.cases


def test_documents_are_drawn_as_wholes() -> None:
    generator = np.random.default_rng(24)
    effects = np.repeat(generator.normal(size=(6, 40)), 10, axis=1)  # systems differ from document to document
    scores = effects + 0.1 * generator.normal(size=effects.shape)
    held = corpus("all", scores, documents=[f"d{i // 10}" for i in range(400)])
    units: list[Any] = ["document", "segment"]
    found = [tg.domains([held], unit=unit, draws=60, **FEW).population("scores", "all") for unit in units]
    assert [one.units for one in found] == [40, 400]
    spread = [sum(share.cases for share in one.bins[:2]) for one in found]
    assert spread[0] < 0.7 * spread[1], "segments as units make p too small"


def noisy(generator: np.random.Generator, systems: int, units: int, noise: float) -> NDArray[np.float64]:
    """Scores whose differences have a standard deviation of ``noise`` times the root of 2 on a unit."""
    return np.asarray(generator.normal(size=units) + noise * generator.normal(size=(systems, units)))


@pytest.fixture(scope="module")
def sized() -> DomainsResult:
    """Two domains that are alike, in sets of different sizes, and one in which differences vary more."""
    generator = np.random.default_rng(33)
    given = {"one": (300, 1.0), "two": (600, 1.0), "rough": (400, 1.5)}
    sets = [corpus(name, noisy(generator, 12, *one)) for name, one in given.items()]
    return tg.domains(sets, draws=60, sizes=[100, 300], **{**FEW, "draw_resamples": 400})


@pytest.mark.whole
def test_a_domain_that_needs_larger_gains_at_one_size_is_told_from_those_that_do_not(sized: DomainsResult) -> None:
    assert [(one.set, one.units, one.segments) for one in sized.thresholds] == [
        (name, size, size) for size in (100, 300) for name in ("one", "two", "rough")
    ]
    assert {one.text for one in sized.findings} >= {
        "The 95 % CI of the threshold on two, one and rough excludes the mean of the sets."
    }
    for size in (100, 300):
        one, two, rough = (threshold for threshold in sized.thresholds if threshold.units == size)
        usual = 1.645 * np.sqrt(2 / size)  # of a standard error; the percentile over pairs is a little above
        assert usual < one.gain < 1.15 * usual
        assert rough.gain / two.gain == pytest.approx(1.5, rel=0.1)
        assert rough.ratio == pytest.approx(3 * rough.gain / (one.gain + two.gain + rough.gain))
        assert (rough.ratio_low or 0.0) > 1.0
        for other in (one, two):
            assert known(other.low) <= other.gain <= known(other.high)
            assert known(other.ratio_high) < 1.0


def test_the_threshold_at_one_size_is_that_of_the_set_by_the_root_of_the_size(sized: DomainsResult) -> None:
    generator = np.random.default_rng(33)
    whole = tg.threshold(corpus("one", noisy(generator, 12, 300, 1.0)), metrics=["scores"], resamples=400, jobs=1)
    for one in sized.thresholds:
        if one.set == "one":
            assert one.gain == pytest.approx(whole.thresholds[0].gain * np.sqrt(300 / one.units), rel=0.04)


def test_documents_of_one_number_have_segments_of_another() -> None:
    scores = noisy(np.random.default_rng(34), 4, 120, 1.0)
    lengths = {"short": 3, "long": 6}
    sets = [corpus(name, scores, documents=[f"d{i // one}" for i in range(120)]) for name, one in lengths.items()]
    result = tg.domains(sets, draws=5, sizes=[10], **FEW)
    assert [(row.units, row.segments) for row in result.thresholds] == [(10, 30.0), (10, 60.0)]


def test_thresholds_take_a_size_that_several_sets_have_and_three_systems_for_intervals() -> None:
    generator = np.random.default_rng(35)
    sets = [corpus(name, noisy(generator, 4, units, 1.0)) for name, units in (("one", 40), ("two", 60), ("three", 60))]
    same = corpus("same", np.stack([noisy(generator, 1, 60, 1.0)[0]] * 4))  # without any difference
    for given, sizes in ((sets, []), (sets[:1], [20]), ([sets[1], same], [20])):
        assert tg.domains(given, draws=3, sizes=sizes, **FEW).thresholds == ()
    assert tg.domains(sets[1:], draws=0, **FEW).thresholds == ()
    assert [row.units for row in tg.domains(sets[1:], draws=3, **FEW).thresholds] == [60, 60]
    assert len(tg.domains(sets[:1], draws=3, sizes=[20, 20], **FEW).populations) == 1
    scores = noisy(np.random.default_rng(36), 2, 60, 1.0)
    for two in (scores, scores[[0, 1, 1]]):  # a copy is no third system
        result = tg.domains([corpus(name, two) for name in ("one", "two")], draws=5, sizes=[30], **FEW)
        assert [(row.low, row.ratio_high) for row in result.thresholds] == [(None, None)] * 2


def test_domains_of_a_corpus_are_sets() -> None:
    scores = np.arange(24.0).reshape(2, 12)
    whole = corpus("all", scores, documents=[f"d{i // 2}" for i in range(12)], domains=["x", "y", "y", "x"] * 3)
    parts = by_domain(whole)
    assert [(one.name, one.segments) for one in parts] == [("x", 6), ("y", 6)]
    assert parts[1].systems[1].runs[0].scores["score"].tolist() == [13.0, 14.0, 17.0, 18.0, 21.0, 22.0]
    assert parts[1].documents == ("d0", "d1", "d2", "d3", "d4", "d5")
    assert by_domain(parts[0]) == [parts[0]]


@pytest.mark.parametrize(
    ("sets", "options", "naming"),
    [
        ("", {}, []),
        ("x:ab4 x:ab4", {}, ["'x'"]),
        ("x:abc4 y:ab4", {}, ["x", "c"]),
        ("x:a4 y:a4", {}, ["'a'"]),
        ("x:ab4 y:ab1", {}, ["'y'"]),
        ("x:ab6", {"unit": "block"}, ["unit", "document"]),
        ("x:ab6", {"sizes": [1]}, [2, 1]),
        ("x:ab6", {"draws": 0}, []),
        ("x:ab6", {"draw_resamples": 0}, ["resamples", 1]),
        ("x:ab6", {"bins": (0.05, 0.01)}, ["0.05, 0.01"]),
        *(("x:ab6", {"bins": bins}, []) for bins in [(), (0.05, 0.05), (0.0, 0.05), (0.05, 1.0), (float("nan"),)]),
        ("x:ab6", {"alpha": 0.5}, ["0.5"]),
    ],
)
def test_sets_and_options_that_do_not_fit(sets: str, options: dict[str, Any], naming: list[object]) -> None:
    generator = np.random.default_rng(1)
    made = []
    for name, systems in (word.split(":") for word in sets.split()):
        made.append(corpus(name, generator.random((len(systems) - 1, int(systems[-1]))), list(systems[:-1])))
    with refused(naming=naming):
        tg.domains(made or {}, **{**FEW, **options})


def test_metrics_without_a_better_side_are_refused() -> None:
    with refused(naming=["Length"]):
        tg.domains(["a b", "c d"], {"x": ["a", "c"], "y": ["b", "d"]}, metrics=["length"], jobs=1)


def test_several_ways_to_give_sets() -> None:
    same = corpus("x", np.arange(12.0).reshape(2, 6))
    named = tg.domains({"one": same, "two": same}, draws=0, **FEW)
    assert [tested.name for tested in named.sets] == ["one", "two"]
    assert named["scores", "one", "two"].significant.opposite == 0
    made = simulate(segments=60, systems=[SystemSpec(name=name, quality=0.7) for name in ("a", "b", "c")])
    parts = (made.references, {name: runs[0] for name, runs in made.systems.items()}, made.documents)
    for count, units in ((3, len(set(made.documents))), (2, 60)):
        found = tg.domains({"one": parts[:count]}, draws=2, resamples=50, draw_resamples=19)
        assert found.populations[0].units == units
    with pytest.raises(TypeError):
        tg.domains({"one": parts}, parts[1])


@pytest.mark.parametrize("side", ["greater", "less"])
def test_p_is_that_of_a_comparison_of_all_pairs(side: Any) -> None:
    sets = even(28, 0.4, 5, 60)
    result = tg.domains(sets, draws=0, **FEW)
    by_names = {(pair.baseline, pair.system): pair for pair in result.pairs}
    options: dict[str, Any] = {"metrics": ["scores"], "family": "all", "test": "bootstrap", "resamples": 200, "jobs": 1}
    for number, one in enumerate(sets):
        for other in tg.compare(one, alternative=side, changed_segments=0, **options):
            pair = by_names[other.baseline, other.system]
            assert pair.deltas[number] == other.delta
            if (other.delta > 0) == (side == "greater"):
                assert pair.p[number] == other.p


def test_the_order_of_the_systems_changes_no_count_and_another_seed_the_draws() -> None:
    """In all sets, or in one of them: systems are matched by name."""
    sets = even(29, 0.5, 6, 60)
    turned = [replace(one, systems=tuple(one.systems[i] for i in (3, 0, 5, 1, 4, 2))) for one in sets]
    counts = []
    for given in (sets, turned, [sets[0], turned[1]]):
        result = tg.domains(given, draws=10, **FEW)
        shares = [share for row in (*result.transfers, *result.populations) for share in row.bins]
        counts.append([(share.pairs, share.cases, share.same, share.ties) for share in shares])
    assert counts[0] == counts[1] == counts[2]
    first, second = (tg.domains(sets[:1], draws=10, seed=seed, **FEW).populations for seed in (1, 2))
    assert first != second


def test_less_is_better_and_runs_are_averaged() -> None:
    reference = [f"a b c d {i}" for i in range(20)]
    good, middling, bad = ([f"{words} {i}" for i in range(20)] for words in ("a b c x", "a y c x", "a y z x"))
    options: dict[str, Any] = {"draws": 3, "resamples": 50, "draw_resamples": 19, "jobs": 1}
    result = tg.domains(reference, {"good": good, "bad": bad}, metrics=["ter", "chrf"], **options)
    for population in result.populations:
        assert (population.significant.share, population.wrong) == (1.0, 0.0)
    averaged = tg.domains(reference, {"two": [good, middling], "one": good}, metrics=["chrf"], **options)
    assert [row.runs for row in averaged.scores] == [2, 1]
    assert averaged.scores[0].score < averaged.scores[1].score


def test_many_sets() -> None:
    result = tg.domains(even(27, 1, 14, 40, [f"set{i}" for i in range(6)]), draws=0, **FEW)
    assert len(result.transfers) == 30
    matrix, pooled = (item for item in result.document().items if isinstance(item, Table))
    assert [row[i + 1].text for i, row in enumerate(matrix.rows)] == [""] * 6
    assert len(pooled.rows) == sum(share.cases > 0 for share in (*result.pooled[0].bins, result.pooled[0].band))
    legend = known(result.picture("agreement").draw().figure.axes[0].get_legend())
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels[:2] == [" 1 − p", " 30 transfers"]


@pytest.mark.parametrize(
    ("names", "top", "draws", "sentences"),
    [
        ("ab", 0, 0, [NO_DIFFERENCE, NO_DIFFERENCE]),
        ("abc", 0, 0, [NO_DIFFERENCE]),
        ("abc", 1, 0, [SAME_SIGN, WORST]),
        ("a", 0.5, 20, [POPULATION, WRONG]),
    ],
)
def test_findings(names: str, top: float, draws: int, sentences: list[Sentence]) -> None:
    result = tg.domains(even(27, top, 14 if top == 1 else 4, 40, names), draws=draws, **FEW)
    texts = [finding.text for finding in result.findings]
    assert all(says(text, sentence) for text, sentence in zip(texts, sentences, strict=True)), texts


def test_transfers_pooled_are_their_sums() -> None:
    sets = even(30, 0.5, 8, 60, ["set0", "set1", "set2"])
    result = tg.domains(sets, draws=0, bins=(0.02, 0.04, 0.3), **FEW)
    (pooled,) = result.pooled
    assert (pooled.transfers, pooled.undirected) == (6, sum(row.undirected for row in result.transfers))
    parts = zip(*([*row.bins, row.significant, row.band] for row in result.transfers), strict=True)
    for whole, own in zip((*pooled.bins, pooled.significant, pooled.band), parts, strict=True):
        for key in ("cases", "same", "ties", "shown", "opposite"):
            assert getattr(whole, key) == sum(getattr(share, key) for share in own), (whole, key)
        if whole.cases:
            expected = sum((share.expected or 0) * share.cases for share in own)
            assert whole.expected == pytest.approx(expected / whole.cases)
            assert known(whole.ci)[0] <= known(whole.share) <= known(whole.ci)[1]
    in_band = [0.04 <= p <= 0.06 for pair in result.pairs for p, d in zip(pair.p, pair.deltas, strict=True) if d]
    assert pooled.band.cases == 2 * sum(in_band)
    assert tg.domains(sets[:2], draws=0, **FEW).pooled == ()
    # Six transfers of the same pairs are not six times as many pairs: intervals are no narrower than those of these.
    scores = normal(np.random.default_rng(31), np.linspace(0, 0.3, 6), 80)
    share = tg.domains([corpus(name, scores) for name in "abc"], draws=0, **FEW).pooled[0].significant
    assert (share.cases, share.share) == (6 * share.pairs, 1.0)
    assert known(share.ci)[0] == pytest.approx(0.025 ** (1 / share.pairs), rel=1e-6)


def test_bins_of_p_are_those_asked_for() -> None:
    result = tg.domains(even(32, 0.5, 8, 60), draws=5, sizes=[30], bins=(0.02, 0.04, 0.08), **FEW)
    ends = [(0.0, 0.02), (0.02, 0.04), (0.04, 0.08), (0.08, 1.0)]
    for row in (*result.transfers, *result.populations):
        assert [(share.low, share.high) for share in row.bins] == ends
    p = np.array([pair.p[0] for pair in result.pairs])
    counts = [int(((p > low) & (p <= high)).sum()) for low, high in ends]
    assert [share.cases for share in result["scores", "one", "two"].bins] == counts
    labels = result.picture("agreement").draw().figure.axes[0].get_xticklabels()
    assert [label.get_text() for label in labels] == ["≤ .02", ".02–.04", ".04–.08", "> .08"]


@pytest.mark.whole
def test_of_a_tie_in_the_population_either_system_is_half_wrong() -> None:
    """One-sided at 5 %, one of two equal systems is found better in 10 % of draws, and neither is the right one."""
    scores = np.zeros((2, 200))
    scores[0, :60] = scores[1, 30:90] = 1.0  # as many right, on other segments
    made = tg.domains(None, {"a": scores[0], "b": scores[1]}, metrics=["scores"], draws=400, draw_resamples=199)
    population = made.populations[0]
    assert 0.02 < population.wrong < 0.08
