"""``python -m benchmarks.calibration``: how often the tests reject nulls that are true, written to docs/calibration.md.

Every repetition draws a small test set from a pool of paired statistics, swaps the two systems' outputs at random unit
by unit (so that the null of approximate randomization holds exactly), and runs the product's own tests on it.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import ROOT, wmt17
from benchmarks.resampling import bootstrap_p_values, randomization_p_values
from truegain.corpus import Corpus, Run, System
from truegain.engines.blas import BlasEngine
from truegain.experiment import Experiment
from truegain.inference.pvalues import clopper_pearson
from truegain.metrics.bleu import BLEU
from truegain.metrics.segment_scores import SegmentScores
from truegain.resampling.units import UnitKind, Units
from truegain.simulation import SystemSpec, simulate
from truegain.statistics import Block, SegmentStatistics
from truegain.version import __version__

__all__ = ["METRICS", "TESTS", "Outcome", "Pool", "Scenario", "main", "run", "simulated_pool", "single_difference"]

Floats = NDArray[np.float64]

METRICS = ("BLEU", "mean of sentence BLEU")
TESTS = ("ar", "bootstrap", "bootstrap without the factor", "sacreBLEU's bootstrap formula")
LEVELS = (0.01, 0.05, 0.10)

_PAGE = ROOT / "docs" / "calibration.md"
_SEED = 20_120_712
_STEP = 200
_POOL_SEGMENTS = 20_000
_QUALITY = 0.7
_LARGEST_DOCUMENT = 40
_DOCUMENT_CORRELATION = 0.3
_TIES = 0.9
_BLEU = BLEU()
_WIDTH = len(_BLEU.statistic_names)


@dataclass(frozen=True)
class Pool:
    """Paired statistics of two systems: (segments, 2, BLEU's statistics and the segment's own score)."""

    name: str
    values: Floats

    @classmethod
    def of(cls, name: str, reference: Sequence[str], first: Sequence[str], second: Sequence[str]) -> Pool:
        """Score two systems."""
        prepared = _BLEU.prepare([list(reference)])
        statistics = np.stack([_BLEU.statistics(side, prepared) for side in (first, second)], axis=1).astype(float)
        return cls(name, np.concatenate([statistics, _BLEU.for_segments.score(statistics)[..., None]], axis=-1))

    @functools.cached_property
    def contributions(self) -> Floats:
        """What each segment adds to the second system's BLEU minus the first's: half of what its swap would change."""
        first, second = self.values[:, 0, :_WIDTH], self.values[:, 1, :_WIDTH]
        total_first, total_second, moved = first.sum(0), second.sum(0), second - first
        observed = _BLEU.score(total_second) - _BLEU.score(total_first)
        return np.asarray(observed - _BLEU.score(total_second - moved) + _BLEU.score(total_first + moved)) / 2

    @property
    def largest_share(self) -> float:
        """The share of the most different segment in the variance of a difference under random swaps."""
        squares = self.contributions**2
        return float(squares.max() / squares.sum())

    @functools.cached_property
    def in_order(self) -> NDArray[np.intp]:
        """The segments from the worst for the second system to the best."""
        return np.argsort(self.contributions, kind="stable")

    @functools.cached_property
    def edges(self) -> Floats:
        """Normal quantiles that cut the pool into its segments."""
        count = len(self.values)
        return np.array([NormalDist().inv_cdf(i / count) for i in range(1, count)])

    @functools.cached_property
    def latent_correlation(self) -> float:
        """The correlation of normal variates that gives contributions the wanted correlation within a document."""
        rng = np.random.default_rng(_SEED)
        shared, one, other = rng.standard_normal((3, 100_000))
        low, high = 0.0, 1.0
        for _ in range(12):
            middle = (low + high) / 2
            sides = [self.contributions[self.rows(_blend(middle, shared, own))] for own in (one, other)]
            reached = np.corrcoef(sides[0], sides[1])[0, 1]
            low, high = (middle, high) if reached < _DOCUMENT_CORRELATION else (low, middle)
        return (low + high) / 2

    def rows(self, normal: Floats) -> NDArray[np.intp]:
        """Segments at the given places of a normal distribution over the pool, ordered by contribution."""
        return self.in_order[np.searchsorted(self.edges, normal)]


def _blend(share: float, shared: Floats, own: Floats) -> Floats:
    return np.asarray(share**0.5 * shared + (1.0 - share) ** 0.5 * own)


def simulated_pool(segments: int = _POOL_SEGMENTS) -> Pool:
    """Two simulated systems of equal quality."""
    specs = [SystemSpec(name=name, quality=_QUALITY) for name in ("first", "second")]
    made = simulate(segments=segments, systems=specs, references=1, run_sd=0.0, seed=_SEED)
    return Pool.of("simulated", made.references[0], *(made.systems[spec.name][0] for spec in specs))


def real_pools(count: int = 4) -> list[Pool]:
    """The pairs of WMT17 systems that are closest in BLEU, each system in one pair only."""
    data = wmt17()
    if data is None:
        return []
    prepared = _BLEU.prepare([list(data.reference)])
    scores = {
        name: float(_BLEU.score(_BLEU.statistics(outputs, prepared).sum(0).astype(float)))
        for name, outputs in data.systems.items()
    }
    ranked = sorted(scores, key=scores.__getitem__)
    pairs: list[tuple[str, str]] = []
    for pair in sorted(itertools.pairwise(ranked), key=lambda pair: scores[pair[1]] - scores[pair[0]]):
        if len(pairs) < count and not any(name in known for name in pair for known in pairs):
            pairs.append(pair)
    return [Pool.of(f"{a} and {b}", data.reference, data.systems[a], data.systems[b]) for a, b in pairs]


@dataclass(frozen=True)
class Scenario:
    """A way to make test sets.

    Attributes
    ----------
    group : str
        The section of the page.
    number : int
        Its stream of random numbers.
    units : int
        The number of segments, or of documents.
    documents : bool
        Whether segments come in documents, which are then swapped as a whole.
    unit : "segment" or "document"
        What the tests resample.
    ties : float
        The share of segments on which the two systems are made identical.
    wins : float
        The share of segments where the second system gets the better output: one half under the null.
    pool : str
        Whose statistics are used; a real pool is used whole.
    """

    group: str
    number: int
    units: int
    documents: bool = False
    unit: UnitKind = "segment"
    ties: float = 0.0
    wins: float = 0.5
    pool: str = "simulated"

    def draw(self, pool: Pool, repetition: int) -> Experiment:
        """The test set of one repetition."""
        rng = np.random.default_rng([_SEED, self.number, repetition])
        rows, units = self._rows(pool, rng)
        values = pool.values[rows]
        if self.ties:
            same = rng.permutation(len(rows))[: round(self.ties * len(rows))]
            values[same, 1] = values[same, 0]
        if self.wins == 0.5:
            swapped = rng.random(units.count) < 0.5
        else:
            swapped = (pool.contributions[rows] > 0) != (rng.random(units.count) < self.wins)
        moved = swapped[units.of_segment]
        values[moved] = values[moved, ::-1]
        return experiment(values, units if self.unit == units.kind else Units.segments(len(rows)), seed_of(rng))

    def _rows(self, pool: Pool, rng: np.random.Generator) -> tuple[NDArray[np.intp], Units]:
        if self.documents:
            sizes = rng.integers(1, _LARGEST_DOCUMENT + 1, self.units)
            of_segment = np.repeat(np.arange(self.units), sizes)
            shared, own = rng.standard_normal(self.units)[of_segment], rng.standard_normal(of_segment.size)
            rows = pool.rows(_blend(pool.latent_correlation, shared, own))
            return rows, Units("document", of_segment, self.units)
        if self.units == len(pool.values):
            return np.arange(self.units), Units.segments(self.units)
        return rng.choice(len(pool.values), self.units, replace=False), Units.segments(self.units)


def seed_of(rng: np.random.Generator) -> int:
    """A seed for the product's own generator."""
    return int(rng.integers(2**63))


def experiment(values: Floats, units: Units, seed: int) -> Experiment:
    """Statistics (segments, 2, columns) as the product's studies take them."""
    ones = np.ones(len(values))
    scores = values[:, :, _WIDTH]
    columns = [values[:, 0, :_WIDTH], values[:, 1, :_WIDTH], np.stack([scores[:, 0], ones, scores[:, 1], ones], 1)]
    blocks = (Block("bleu", _BLEU, 0, (1, 1)), Block("scores", SegmentScores(), 2 * _WIDTH, (1, 1)))
    systems = tuple(System(name, (Run(name),)) for name in ("first", "second"))
    return Experiment(
        corpus=Corpus("null", len(values), (), systems),
        statistics=SegmentStatistics(np.concatenate(columns, axis=1), blocks),
        units=units,
        engine=BlasEngine(),
        seed=seed,
        notes=(),
    )


def p_values(study: Experiment, resamples: int) -> Floats:
    """P-values by metric and test, in the order of METRICS and TESTS."""
    randomized = randomization_p_values(study, resamples)
    factors = (study.factor(0.95), 1.0)
    resampled, bootstrapped = bootstrap_p_values(study, resamples, factors=factors)
    result = np.empty((len(METRICS), len(TESTS)))
    for m in range(len(METRICS)):
        delta = study.scores[m, 1] - study.scores[m, 0]
        result[m, 0] = randomized[m][0].p
        result[m, 1:3] = [one.p for one in bootstrapped[m][0]]
        result[m, 3] = sacrebleu_formula(delta, resampled[m, 1] - resampled[m, 0])
    return result


def sacrebleu_formula(delta: float, resampled: Floats) -> float:
    """SacreBLEU's paired bootstrap: absolute differences, centred on their Monte-Carlo mean, strictly greater."""
    folded = np.abs(resampled)
    return float((np.count_nonzero(folded - folded.mean() > abs(delta)) + 1) / (folded.size + 1))


@dataclass(frozen=True)
class Outcome:
    """What came of a scenario: p-values (repetitions, metrics, tests) and gains (repetitions, metrics)."""

    scenario: Scenario
    p: Floats
    gains: Floats

    def rejections(self, metric: int, test: int, level: float) -> int:
        """How many p-values are at the level or below."""
        return int(np.count_nonzero(self.p[:, metric, test] <= level))

    def rate(self, metric: int, test: int, level: float) -> float:
        """Their share."""
        return self.rejections(metric, test, level) / len(self.p)


def _repeat(scenario: Scenario, pool: Pool, repetitions: range, resamples: int) -> tuple[Floats, Floats]:
    studies = [scenario.draw(pool, repetition) for repetition in repetitions]
    p = np.stack([p_values(study, resamples) for study in studies])
    return p, np.stack([study.scores[:, 1] - study.scores[:, 0] for study in studies])


def run(
    scenarios: Sequence[Scenario], pools: Sequence[Pool], *, repetitions: int, resamples: int, jobs: int = 1
) -> Iterator[Outcome]:
    """Run every scenario; the result does not depend on the number of processes."""
    named = {pool.name: pool for pool in pools}
    parts = [range(first, min(first + _STEP, repetitions)) for first in range(0, repetitions, _STEP)]
    if jobs == 1:
        for scenario in scenarios:
            yield _gather(scenario, [_repeat(scenario, named[scenario.pool], part, resamples) for part in parts])
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as processes:
        waiting = [
            [processes.submit(_repeat, scenario, named[scenario.pool], part, resamples) for part in parts]
            for scenario in scenarios
        ]
        for scenario, tasks in zip(scenarios, waiting, strict=True):
            yield _gather(scenario, [task.result() for task in tasks])


def _gather(scenario: Scenario, parts: Sequence[tuple[Floats, Floats]]) -> Outcome:
    return Outcome(scenario, np.concatenate([p for p, _ in parts]), np.concatenate([gains for _, gains in parts]))


def single_difference(pool: Pool, *, segments: int = 1000, resamples: int = 1000, seeds: int = 40) -> Floats:
    """P-values (seeds, metrics, tests) of two systems that differ on one segment only."""
    rows = np.random.default_rng(_SEED).choice(len(pool.values), segments, replace=False)
    values = pool.values[rows]
    differing = int(np.flatnonzero(pool.contributions[rows])[0])
    others = np.arange(segments) != differing
    values[others, 1] = values[others, 0]
    units = Units.segments(segments)
    return np.stack([p_values(experiment(values, units, seed), resamples) for seed in range(seeds)])


def all_scenarios(pools: Sequence[Pool]) -> list[Scenario]:
    """What the page shows."""
    numbers = itertools.count()
    found = [Scenario("segments", next(numbers), n) for n in (30, 200, 1000)]
    found += [Scenario("documents", next(numbers), n, documents=True, unit="document") for n in (30, 200, 1000)]
    found += [Scenario("ignored", next(numbers), n, documents=True, unit="segment") for n in (30, 200)]
    found += [Scenario("ties", next(numbers), n, ties=_TIES) for n in (30, 200, 1000)]
    found += [Scenario("power", next(numbers), 200, wins=wins) for wins in (0.55, 0.60, 0.65)]
    found += [Scenario("real", next(numbers), len(pool.values), pool=pool.name) for pool in pools[1:]]
    return found


@dataclass(frozen=True)
class Bound:
    """What a rate of rejections at 5 % should lie between."""

    low: float
    high: float

    def verdict(self, outcome: Outcome, metric: int, test: int) -> str:
        """Whether it does; where it does not, whether Monte-Carlo error may be the reason."""
        rate = outcome.rate(metric, test, 0.05)
        low, high = clopper_pearson(outcome.rejections(metric, test, 0.05), len(outcome.p))
        if self.low <= rate <= self.high:
            return "yes"
        return "within error" if low <= self.high and high >= self.low else "**no**"


def bound_of(outcome: Outcome, test: int) -> Bound | None:
    """The bounds are on the two recommended tests, where the unit is the right one."""
    scenario = outcome.scenario
    if test == 0 and scenario.group in ("segments", "documents", "ties", "real"):
        return Bound(0.0, 0.05 + 3.0 * (0.05 * 0.95 / len(outcome.p)) ** 0.5)
    if test == 1 and scenario.group in ("segments", "documents", "real"):
        return Bound(0.035, 0.07) if scenario.units < 200 else Bound(0.04, 0.065)
    return None


def size_table(outcomes: Sequence[Outcome], what: str) -> str:
    """Rates of rejection, with their intervals."""
    levels = " | ".join(f"at {level:.0%}" for level in LEVELS)
    lines = [f"| metric | {what} | test | {levels} | wanted at 5% | met |", "|---|--:|---|--:|--:|--:|--:|---|"]
    for metric, metric_name in enumerate(METRICS):
        for outcome in outcomes:
            name = outcome.scenario.pool if outcome.scenario.group == "real" else f"{outcome.scenario.units:,}"
            for test, test_name in enumerate(TESTS):
                rates = " | ".join(rate_cell(outcome, metric, test, level) for level in LEVELS)
                bound = bound_of(outcome, test)
                wanted, met = ("", "") if bound is None else (_percents(bound), bound.verdict(outcome, metric, test))
                lines.append(f"| {metric_name} | {name} | {test_name} | {rates} | {wanted} | {met} |")
    return "\n".join(lines)


def rate_cell(outcome: Outcome, metric: int, test: int, level: float) -> str:
    """A rate in per cent with its 95 % interval."""
    count = outcome.rejections(metric, test, level)
    low, high = clopper_pearson(count, len(outcome.p))
    return f"{100 * count / len(outcome.p):.2f} ({100 * low:.2f}–{100 * high:.2f})"


def _percents(bound: Bound) -> str:
    return f"≤ {100 * bound.high:.2f}" if bound.low == 0 else f"{100 * bound.low:g}–{100 * bound.high:g}"


def power_table(outcomes: Sequence[Outcome]) -> str:
    """Rates of rejection under true gains."""
    lines = ["| metric | share won | mean gain | test | at 5% |", "|---|--:|--:|---|--:|"]
    for metric, metric_name in enumerate(METRICS):
        for outcome in outcomes:
            gain = outcome.gains[:, metric].mean()
            for test, test_name in enumerate(TESTS):
                cell = rate_cell(outcome, metric, test, 0.05)
                lines.append(f"| {metric_name} | {outcome.scenario.wins:.0%} | {gain:.2f} | {test_name} | {cell} |")
    return "\n".join(lines)


def single_table(p: Floats) -> str:
    """Medians and ranges over seeds."""
    lines = ["| metric | test | median p | smallest | largest |", "|---|---|--:|--:|--:|"]
    for metric, metric_name in enumerate(METRICS):
        for test, test_name in enumerate(TESTS):
            found = p[:, metric, test]
            lines.append(
                f"| {metric_name} | {test_name} | {np.median(found):.3f} | {found.min():.3f} | {found.max():.3f} |"
            )
    return "\n".join(lines)


def page(outcomes: Sequence[Outcome], single: Floats, pools: Sequence[Pool], resamples: int) -> str:
    """The whole page."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.scenario.group, []).append(outcome)
    repetitions = f"{len(outcomes[0].p):,}"
    parts = [
        _HEAD.format(
            repetitions=repetitions, resamples=resamples, seed=_SEED, version=__version__, pool=len(pools[0].values)
        ),
        unmet(outcomes),
        "## Segments",
        _SEGMENTS,
        size_table(groups["segments"], "segments"),
        "## Documents",
        _DOCUMENTS.format(correlation=_DOCUMENT_CORRELATION, largest=_LARGEST_DOCUMENT),
        size_table(groups["documents"], "documents"),
        "Test sets made in the same way, but with segments as the unit of the tests, for contrast:",
        size_table(groups["ignored"], "documents"),
        "## Many ties",
        _TIED,
        size_table(groups["ties"], "segments"),
        "## Real systems",
        _REAL.format(shares=_shares(pools[1:])) if "real" in groups else "Left out: ../shared/data was not there.",
        size_table(groups["real"], "pair") if "real" in groups else "",
        "## Power",
        _POWER,
        power_table(groups["power"]),
        "## One segment differs",
        _SINGLE.format(seeds=len(single)),
        single_table(single),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _shares(pools: Sequence[Pool]) -> str:
    return ", ".join(f"{pool.largest_share:.1%} ({pool.name})" for pool in pools)


def unmet(outcomes: Sequence[Outcome]) -> str:
    """The bounds that are not met, in plain words."""
    said = []
    checked = 0
    for outcome in outcomes:
        for metric, test in itertools.product(range(len(METRICS)), range(len(TESTS))):
            bound = bound_of(outcome, test)
            if bound is None:
                continue
            checked += 1
            verdict = bound.verdict(outcome, metric, test)
            if verdict != "yes":
                scenario = outcome.scenario
                said.append(
                    f"- {scenario.group} ({scenario.pool}), {scenario.units:,} units, "
                    f"{METRICS[metric]}, `{TESTS[test]}`: "
                    f"{rate_cell(outcome, metric, test, 0.05)} % where {_percents(bound)} % is wanted"
                    f"{' (within Monte-Carlo error)' if verdict == 'within error' else ''}"
                )
    if not said:
        return f"All {checked} bounds are met."
    return f"Of {checked} bounds, {checked - len(said)} are met; the others are:\n\n" + "\n".join(said)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description="Measure the tests' size.")
    parser.add_argument("--repetitions", type=int, default=5000, help="test sets a scenario (default: 5000)")
    parser.add_argument("--resamples", type=int, default=999, help="resamples a test (default: 999)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--output", type=Path, default=_PAGE, help="the page (default: docs/calibration.md)")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    pool = simulated_pool()
    pools = [pool, *real_pools()]
    outcomes = []
    for outcome in run(
        all_scenarios(pools), pools, repetitions=options.repetitions, resamples=options.resamples, jobs=options.jobs
    ):
        outcomes.append(outcome)
        scenario = outcome.scenario
        print(
            f"{time.perf_counter() - start:6.0f} s  {scenario.group}, {scenario.units:,} units, {scenario.pool}",
            flush=True,
        )
    single = single_difference(pool)
    text = page(outcomes, single, pools, options.resamples)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(text, encoding="utf-8")
    print(f"\n{unmet(outcomes)}\n\nOne segment of 1,000 differs:\n{single_table(single)}\n\n{options.output}")


_HEAD = """\
# Calibration: how often the tests reject true nulls

This page is written by `python -m benchmarks.calibration` (`make calibration`) of truegain {version}, with the seed
{seed}, {repetitions} repetitions of every scenario and {resamples} resamples in every test. Do not edit it: run the
command again.

A test at level α should reject a true null hypothesis in a share α of all cases. In every repetition a test set is
drawn from a pool of {pool:,} segments with the outputs of two simulated systems of equal quality, and the outputs of
the two are swapped with probability one half, unit by unit. The null of approximate randomization then holds exactly,
and that of the bootstrap holds too. All tests of a repetition see the same test set, and the last three of them the
same resamples:

- `ar`: approximate randomization, two-sided; the default of `truegain compare`.
- `bootstrap`: the paired bootstrap centred on the observed difference, with the small-sample factor; what
  `truegain compare --test bootstrap` does.
- `bootstrap without the factor`: the same, without it.
- `sacreBLEU's bootstrap formula`: absolute differences, centred on their Monte-Carlo mean, counted where strictly
  greater.

Entries are rates of rejection in per cent, with 95 % Clopper–Pearson intervals. The bound of `ar` at the 5 % level is
5 % plus three Monte-Carlo standard errors; those of `bootstrap` are 3.5–7 % below 200 units and 4–6.5 % from 200 on."""

_SEGMENTS = "Segments are drawn from the pool without replacement and swapped one by one."

_DOCUMENTS = """\
Documents have 1 to {largest} segments, each size as likely as any other. Segments are drawn from the pool so that what
they add to the difference is correlated by {correlation} within a document. Documents are swapped, and resampled, as a
whole."""

_TIED = """\
The two systems are made identical on 90 % of the segments. Of 30 segments three are left that differ: the smallest
p-value of randomization is then ¼, and it never rejects. The bootstrap is not bounded here."""

_REAL = """\
The four pairs of WMT17 en-de systems that are closest in BLEU (3,004 segments), each system in one pair only; their
outputs are swapped at random segment by segment. The test set is the same in every repetition. Where a single segment
weighs much (a runaway output, say), the bootstrap, which may draw it several times, rejects less often. The largest
share of one segment in the variance of BLEU's difference: {shares}."""

_POWER = """\
Test sets of 200 segments; the second system gets the better of the two outputs on more than half of the segments. A
test that rejects too many true nulls seems more powerful than it is: only tests of the same size can be compared."""

_SINGLE = """\
Two systems that differ on one segment of 1,000, tested with 1,000 resamples and {seeds} seeds. Where p depends on the
seed as much as it does for the last test, it measures Monte-Carlo error and nothing else. The recommended bootstrap
of a mean gives .63, the probability that the segment is drawn never or more than once. BLEU is no mean: drawn twice,
the segment moves it by slightly more or slightly less than twice as much, so that only about half of these resamples
count."""


if __name__ == "__main__":
    main()
