"""The gain that is usually significant, from all pairs of systems: Berg-Kirkpatrick et al. (2012, section 3.1)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain import cautions
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command, some
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_count, check_options
from truegain.inference import thresholds
from truegain.inference.all_pairs import AllPairs, pairs_of
from truegain.inference.distributions import normal_quantile
from truegain.inference.intervals import ALPHAS, Ends
from truegain.inference.results import Metrics, Scores, SystemPair, TestSet, Unit, Units
from truegain.notes import Finding, Note
from truegain.procedures.raters import held_raters
from truegain.readers.labels import one_group
from truegain.registry import TESTS
from truegain.resampling.generator import bootstrap_counts, resample_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import UnitKind
from truegain.resampling.units import Units as ResampledUnits
from truegain.results import Result
from truegain.rows import Count, MetricKey, NonNegative, Number, Positive, Proportion, Row, Seed, Show, field, record
from truegain.settings.function import takes
from truegain.settings.threshold import Subsets, ThresholdOptions
from truegain.statistics import Block, SegmentStatistics
from truegain.studies.given import corpus_of
from truegain.version import __version__
from truegain.view import digits_of
from truegain.words import Sentence, alpha_text, describe_testset, label_of, listing, signed, units_words

DRAWS = 1_000  # of systems
INTERVALS = 0.95
FEWEST_SYSTEMS = 3  # for an interval
FEW_SYSTEMS = 10  # for one that means much
NAMED = 3
FEWEST_UNITS, FIRST_SIZE, MOST_SIZES = 10, 25, 6

Floats = NDArray[np.float64]

USUAL = Sentence("A gain of {gain} {label} or more is usually significant here (one-sided p ≤ {alpha} over {units}).")
USUAL_WITHIN = Sentence(
    "A gain of {gain} {label} or more is usually significant here (one-sided p ≤ {alpha} over {units}; {low} – {high} "
    "over systems)."
)
FALLS = Sentence(
    "From {first:,} to {last:,} {noun}s the threshold in {label} goes as n^{exponent} (95 % CI {low} to {high}); it is "
    "about {c:.3g}/√n."
)

CAPTION = "The gain that is usually significant"
THRESHOLD_NOTE = Sentence(
    "threshold: the gain at which 95 % of the pairs would have p ≤ {result.alpha:g}; a two-sided test needs 1.19 times "
    "as much at .05."
)
SIZES_CAPTION = "The threshold by the size n of the test set"
SIZES_NOTE = Sentence(
    "Sizes n are of {result.subsets} parts of the test set, in {result.unit}s; c/√n: the law that fits best."
)

FEW = Sentence("{count} systems say little about others: with fewer than ten, intervals over systems are rough")
HELD_RUNS = Sentence("Runs are held fixed: new runs would need larger gains")
SAME = Sentence("the difference never varies between {pairs}: no threshold counts such pairs")

ENDING = Sentence("{test}, {resamples:,} resamples, seed {seed}")
METHODS = Sentence(
    "Every pair of {systems} systems was compared in {labels} with {test} (one-sided, in favour of the system with the "
    "better score; {source}) over {units}, with {result.resamples:,} resamples shared by all pairs. Following "
    "Berg-Kirkpatrick et al. (2012), a gain is called usually significant if 95 % of the pairs would have p ≤ {alpha} "
    "with it: it is the 95th percentile over pairs of {quantile:.3f} standard errors of the difference. Its 95 % "
    "intervals (with three systems or more) are normal intervals of its logarithm, corrected for bias, from {draws:,} "
    "draws of systems with replacement, in which two copies of a system are no pair (truegain {result.version}, "
    "seed {result.seed})."
)

_LABEL_GROUPS = ("same", "different")
_GROUP_WORDS = {"all": "all pairs", "same": "same label", "different": "different labels"}
_COLUMNS = (
    "metric baseline system baseline_label system_label group baseline_score system_score delta p confidence se "
    "exceedances threshold alpha unit n_units resamples seed"
)

Level = Annotated[float, field("The level of the tests, which are one-sided.", gt=ALPHAS[0] / 2, lt=0.5)]
Draws = Annotated[Number, field("The number of draws of systems, for the intervals; 0 if there are none.")]


class Labelled(Row):
    """A system and the label that it has."""

    system: Annotated[str, field("The system.")]
    label: Annotated[str, field("Its label.")]


class GainPair(SystemPair):
    """Two systems under a metric, the worse one as the baseline."""

    delta: Annotated[NonNegative, field("The gain, never negative.")]
    group: Annotated[str | None, field("Whether their labels are the same or different, or their class; none if none.")]
    p: Annotated[Proportion, field("One-sided, that the system is no better.")]
    exceedances: Annotated[Number, field("The number of resamples at least as far out.")]
    se: Annotated[NonNegative, field("The standard error of the gain; 0 if it never varies: no threshold counts it.")]


Low = Annotated[
    float | None,
    field("The lower end of its 95 % interval over systems; none if they are too few.", "95 % CI", "ends high gain"),
]
High = Annotated[float | None, field("The upper end of its 95 % interval over systems; none if they are too few.")]


class ThresholdAtSize(Row):
    """The threshold of all pairs on a part of the test set."""

    metric: MetricKey
    units: Annotated[Count, field("The number of units of the part.", "n")]
    segments: Annotated[Positive, field("The number of its segments, on average over the repetitions.")]
    repetitions: Annotated[Count, field("The number of parts of this size.")]
    gain: Annotated[Positive, field("The threshold; the mean over repetitions.", "threshold", "score")]
    low: Low
    high: High
    law: Annotated[Positive, field("What c/√units says.", "c/√n", "score")]

    covered: Annotated[bool | None, field("Whether the law lies in the interval; none if there is no interval.")] = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None:
            self._derive(covered=self.low <= self.law <= self.high)


class SizeLaw(Row):
    """Law by which the threshold falls with the number of units."""

    metric: MetricKey
    c: Annotated[Positive, field("The c of gain = c/√units.")]
    exponent: Annotated[float, field("The b of gain ∝ units^−b, fitted on logarithms.")]
    low: Low
    high: High


class Threshold(Row):
    """The gain that is usually significant: the 95th percentile over pairs of z(1 − α) · SE."""

    metric: MetricKey
    group: Annotated[str, field("The pairs that it is of: all, same, different, or a class of pairs.", show="text")]
    unit: Annotated[UnitKind, field("What was resampled.", show="text")]
    pairs: Annotated[Count, field("The number of pairs.")]
    gain: Annotated[NonNegative, field("At which 95 % of the pairs would be significant.", "threshold", "score")]
    low: Low
    high: High
    in_band: Annotated[
        Number, field("Pairs whose p is near the level (.04 to .06 at .05), as Berg-Kirkpatrick et al. have it.")
    ]
    band_gain: Annotated[
        float | None, field("The 95th percentile of their gains; none if they are too few.", "of p near α", "score")
    ]


class ThresholdResult(Result, tag="threshold", kw_only=True, rename={"scores": "systems"}):
    """The gain that is usually significant on a test set, and all pairs that say so.

    ``result["bleu"]`` is the gain under a metric, over all pairs; :meth:`threshold` finds those of groups.
    """

    title = "What gain is usually significant?"
    study: ClassVar[str] = "threshold"
    layout = (
        Show("thresholds", "group unit pairs gain low? band_gain?", CAPTION, (THRESHOLD_NOTE,), stacked=True),
        Show("sizes", "units gain low? law", SIZES_CAPTION, (SIZES_NOTE,), stacked=True),
    )

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    thresholds: Annotated[
        tuple[Threshold, ...],
        field("Metric by metric, over the units chosen, and over segments if these are documents.", min_length=1),
    ]
    pairs: Annotated[tuple[GainPair, ...], field("Every two systems, metric by metric.", min_length=1)]
    labels: Annotated[tuple[Labelled, ...], field("The labels of systems; empty if they have none.")]
    sizes: Annotated[tuple[ThresholdAtSize, ...], field("On parts of the test set; empty if none were asked for.")]
    laws: Annotated[tuple[SizeLaw, ...], field("One for each metric, if there are sizes.")]
    subsets: Annotated[Literal["initial", "random"], field("Which units the parts are made of.")]
    alpha: Level
    unit: Unit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    draws: Draws
    seed: Annotated[Seed, field("The seed of the resamples.")]
    classes: Annotated[tuple[str, ...], field("The classes of pairs; empty if there are none.")] = ()

    def __getitem__(self, metric: str) -> Threshold:
        return self.threshold(metric)

    def __iter__(self) -> Iterator[Threshold]:
        return iter(self.thresholds)

    def threshold(self, metric: str, group: str = "all", unit: str | None = None) -> Threshold:
        """Return the threshold of a group of pairs, over the units chosen or over others."""
        wanted = (metric, group, unit or self.unit)
        for row in self.thresholds:
            if (row.metric, row.group, row.unit) == wanted:
                return row
        raise KeyError(wanted)

    def groups(self, metric: str) -> list[Threshold]:
        """Return the thresholds under a metric over the units chosen: of all pairs first."""
        return [row for row in self.thresholds if (row.metric, row.unit) == (metric, self.unit)]

    def law(self, metric: str) -> SizeLaw | None:
        """Return how the threshold falls with the size, if that was asked for."""
        return next((row for row in self.laws if row.metric == metric), None)

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, list(dict.fromkeys([*methods, _test(self.unit), "threshold"]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        labels = {row.system: row.label for row in self.labels}
        scores = {(row.metric, row.name): row.score for row in self.scores}
        result = self.columns()
        records = []
        for pair in self.pairs:
            beside = {
                "baseline_label": labels.get(pair.baseline),
                "system_label": labels.get(pair.system),
                "baseline_score": scores[pair.metric, pair.baseline],
                "system_score": scores[pair.metric, pair.system],
                "confidence": 1.0 - pair.p,
                "threshold": self[pair.metric].gain,
            }
            records.append(record(_COLUMNS, beside, pair, result))
        return records


def group_words(result: ThresholdResult, group: str) -> str:
    """Return what the pairs of a group are called."""
    return group if group in result.classes else _GROUP_WORDS[group]


#: The group of each pair of systems that has one.
Groups = Mapping[frozenset[str], str]


def _groups(options: ThresholdOptions, names: Sequence[str]) -> tuple[dict[str, str], Groups]:
    """Return the labels of systems, and the groups of pairs: by these, or by classes of pairs."""
    if options.pair_classes is not None:
        if options.groups is None:
            return {}, _by_class(options.pair_classes, names)
        raise InputError(
            "there are labels of systems and classes of pairs",
            hint=("give ", Setting("groups"), " or ", Setting("pair_classes"), ", not both"),
        )
    if options.groups is None:
        return {}, {}
    labels = _labels(options.groups, names)
    pairs = combinations(names, 2)
    return labels, {frozenset(pair): _LABEL_GROUPS[labels[pair[0]] != labels[pair[1]]] for pair in pairs}


def _by_class(classes: Mapping[tuple[str, str], str], names: Sequence[str]) -> Groups:
    """Return the groups of pairs with classes, in either order."""
    path, lines = getattr(classes, "path", None), getattr(classes, "lines", {})  # of classes that a file has
    kinds: dict[frozenset[str], str] = {}
    for pair, kind in classes.items():
        problem = ""
        if not isinstance(pair, tuple) or len(pair) != 2 or len({*pair} & {*names}) != 2:
            problem = f"two systems were expected, such as {names[0]!r} and {names[1]!r}; found {pair!r}"
        elif not isinstance(kind, str) or kind in ("", "all"):
            problem = f"a class of pairs was expected, and not 'all', which are all pairs; found {kind!r}"
        elif kinds.setdefault(frozenset(pair), kind) != kind:
            problem = f"{pair[0]!r} and {pair[1]!r} have two classes, {kinds[frozenset(pair)]!r} and {kind!r}"
        if problem:
            raise InputError(problem, path=path, line=lines.get(pair))
    if not kinds:
        raise InputError("there is no pair with a class", path=path)
    return kinds


def _labels(labels: Mapping[str, str] | str, names: Sequence[str]) -> dict[str, str]:
    """Return the label of each system: what a pattern with one group in parentheses finds in its name, or as given."""
    if isinstance(labels, str):
        pattern = one_group(labels, "a system's name is the label", "^(word|bpe)", "; others are written (?:…)")
        known = {name: match[1] for name in names if (match := pattern.search(name)) is not None and match[1]}
        problem = f"{labels!r} finds nothing in"
    else:
        known = {name: labels[name] for name in names if labels.get(name)}
        problem = "there is no label for"
    missing = [repr(name) for name in names if name not in known]
    if missing:
        hint = f"every system needs a label; the systems are called {some(names, NAMED)}"
        raise InputError(f"{problem} {some(missing, NAMED)}", hint=hint)
    return known


@takes(ThresholdOptions)
def threshold(options: ThresholdOptions) -> ThresholdResult:
    """Find the gain that is usually significant on a test set, from all pairs of systems.

    Every pair is tested by the paired bootstrap, one-sided, in favour of the system with the better score; it would be
    significant at a gain of the normal quantile times its standard error. The threshold is the 95th percentile of
    these over pairs (Berg-Kirkpatrick et al. 2012, section 3.1). Intervals need three systems; of every metric one way
    must be the better one.
    """
    corpus = corpus_of(options)
    _check(corpus, options)
    names = [system.name for system in corpus.systems]
    labels, groups = _groups(options, names)
    classes = () if labels else tuple(dict.fromkeys(groups.values()))
    experiment = Experiment.of(corpus, options)
    cautions.check_directions(experiment, "has no gains")
    cautions.check_several_units(experiment)
    if options.unit == "block":
        experiment = experiment.in_blocks(list(combinations(range(len(names)), 2)))
    units = experiment.units
    sizes = _chosen_sizes(options, units)
    systems = drawn_systems(options.seed, len(names)) if len(names) >= FEWEST_SYSTEMS else None
    pairs = _tested(experiment, options, groups)
    levels = [(units.kind, pairs)]
    if units.kind == "document" and units.count < corpus.segments:
        levels.append(("segment", _tested(experiment.on_segments, options, groups)))
    found: list[Threshold] = []
    laws = []
    parts = _measured(experiment, options, sizes)
    for m, rows in enumerate(pairs):
        for unit, tested in levels:
            found += _thresholds(tested[m], unit, options.alpha, classes or _LABEL_GROUPS, systems)
        if parts:
            varies = np.array([row.se > 0.0 for row in rows])
            laws.append(_law(experiment, parts, m, varies, systems))
    result = ThresholdResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(options.resamples, INTERVALS, "auto"),
        thresholds=tuple(found),
        pairs=tuple(row for rows in pairs for row in rows),
        labels=tuple(Labelled(name, label) for name, label in labels.items()),
        sizes=tuple(point for points, _ in laws for point in points),
        laws=tuple(law for _, law in laws),
        subsets=options.subsets,
        alpha=options.alpha,
        unit=units.kind,
        n_units=units.count,
        resamples=options.resamples,
        draws=0 if systems is None else DRAWS,
        seed=options.seed,
        signature="",
        classes=classes,
        about=describe_testset(experiment.testset(), ()),
    )
    return _worded(result, experiment)


def _check(corpus: Corpus, options: ThresholdOptions) -> None:
    check_options(options)
    check_count("repetitions", options.repetitions)
    cautions.check_blocks(unit=options.unit, block_length=options.block_length)
    if len(corpus.systems) < 2:
        raise InputError(
            f"there is only one system, {corpus.systems[0].name!r}; a threshold needs pairs of them",
            hint=(command("plan"), " finds what gain a test set can show from assumptions"),
        )
    if options.unit == "block" and options.sizes:
        raise InputError(
            "parts of the test set are made of segments or documents, not of blocks",
            hint=("leave out ", Setting("sizes"), ", or take another ", Setting("unit")),
        )


def drawn_systems(seed: int, systems: int) -> Floats:
    """Return how often each system is drawn with replacement, draw by draw."""
    return bootstrap_counts(resample_keys(seed, Stream.THRESHOLD_SYSTEMS, 0, DRAWS), systems).astype(np.float64)


def all_pairs(
    blocks: Sequence[Block], observed: Floats, resampled: Floats, rounding: Floats, **options: Any
) -> Iterator[AllPairs]:
    """Yield all pairs under each metric, from scores (metrics, systems) and those resampled; with further options."""
    for block, scores, draws, rounded in zip(blocks, observed, resampled, rounding, strict=True):
        lower = block.metric.higher_is_better is False
        yield AllPairs(scores, draws, lower_is_better=lower, rounded=rounded, **options)


def bootstrapped_pairs(experiment: Experiment, resamples: int, jobs: int | None) -> Iterator[AllPairs]:
    """Yield all pairs under each metric, from bootstrap resamples of a test set."""
    resampled, factor = experiment.bootstrap(resamples), experiment.factor(0.95)
    given = (experiment.statistics.blocks, experiment.scores, resampled, experiment.rounding)
    return all_pairs(*given, factor=factor, jobs=available_jobs(jobs))


def _tested(experiment: Experiment, options: ThresholdOptions, groups: Groups) -> list[list[GainPair]]:
    """Test all pairs, metric by metric, in the order of :func:`itertools.combinations`."""
    names = [system.name for system in experiment.corpus.systems]
    tested = []
    families = bootstrapped_pairs(experiment, options.resamples, options.jobs)
    for block, pairs in zip(experiment.statistics.blocks, families, strict=True):
        errors = pairs.spreads()
        varies = errors > pairs.slacks
        if not varies.any():
            raise InputError(
                f"no difference between systems varies under {block.metric.label}: they are the same, or differ by "
                "as much on every segment",
                hint="are these the files of different systems?",
            )
        columns = (pairs.deltas.tolist(), pairs.wins().tolist(), np.where(varies, errors, 0.0).tolist())
        rows = []
        for systems, delta, wins, error in zip(combinations(names, 2), *columns, strict=True):
            worse, better = reversed(systems) if delta < 0.0 else systems
            group, p = groups.get(frozenset(systems)), (wins + 1) / (options.resamples + 1)
            rows.append(GainPair(block.key, worse, better, abs(delta), group, p, wins, error))
        tested.append(rows)
    return tested


def _thresholds(
    rows: Sequence[GainPair], unit: UnitKind, alpha: float, groups: Sequence[str], systems: Floats | None
) -> Iterator[Threshold]:
    """Yield the thresholds of all pairs and of their groups, if there are any: percentiles of z(1 − α) · SE."""
    count = round((1 + np.sqrt(1 + 8 * len(rows))) / 2)
    firsts, seconds = pairs_of(count)
    gains, errors, p = np.array([(row.delta, row.se, row.p) for row in rows]).T
    varies, near = errors > 0.0, thresholds.in_band(p, alpha)
    copies = np.unique(seconds[~varies]).size
    for group in ("all", *groups):
        mask = varies & np.array([group in ("all", row.group) for row in rows])
        if not mask.any():
            continue
        needed = normal_quantile(1.0 - alpha) * errors[mask]
        gain = thresholds.percentile(needed)
        low, high = None, None
        if systems is not None and count - copies >= FEWEST_SYSTEMS:
            drawn = thresholds.drawn_percentiles(needed, firsts[mask], seconds[mask], systems)
            low, high = thresholds.drawn_interval(gain, drawn, count, ratio=True)
        pairs, band = int(np.count_nonzero(mask)), gains[mask & near]
        band_gain = thresholds.percentile(band) if band.size >= thresholds.FEWEST_IN_BAND else None
        yield Threshold(rows[0].metric, group, unit, pairs, gain, low, high, band.size, band_gain)


def _chosen_sizes(options: ThresholdOptions, units: ResampledUnits) -> dict[int, int]:
    """Return the number of parts by size; ``auto``: 25 and its doubles, and all units, the largest six of these."""
    if not options.sizes:
        return {}
    if options.sizes == "auto":
        doubled = [FIRST_SIZE << power for power in range(64) if (FIRST_SIZE << power) < 0.8 * units.count]
        sizes = [*doubled, units.count][-MOST_SIZES:]
    else:
        sizes = sorted(set(options.sizes))
    if len(sizes) < 2 or not FEWEST_UNITS <= sizes[0] <= sizes[-1] <= units.count:
        raise InputError(
            f"two sizes or more were expected, from {FEWEST_UNITS} to {units.count:,} {units.noun}s; found "
            f"{', '.join(map(str, sizes))}",
            hint=("give other ", Setting("sizes")),
        )
    several = options.repetitions if options.subsets == "random" else 1
    return {size: several if size < units.count else 1 for size in sizes}


#: For each size its parts: the segments of each, and the gain at which each pair would be significant, by metric.
Parts = dict[int, list[tuple[int, list[Floats]]]]


def _measured(experiment: Experiment, options: ThresholdOptions, sizes: Mapping[int, int]) -> Parts:
    """Resample parts of the test set, so many of each size."""
    quantile = normal_quantile(1.0 - options.alpha)
    report = experiment.reporter("sizes", sum(sizes.values()))
    parts: Parts = {size: [] for size in sizes}
    for size, repetitions in sizes.items():
        for repetition in range(repetitions):
            part = _part(experiment, size, options.subsets, repetition)
            families = bootstrapped_pairs(part, options.resamples, options.jobs)
            needed = [quantile * pairs.spreads() for pairs in families]
            parts[size].append((part.units.of_segment.size, needed))
            if report is not None:
                report(1)
    return parts


def _law(
    experiment: Experiment, parts: Parts, m: int, mask: NDArray[np.bool_], systems: Floats | None
) -> tuple[list[ThresholdAtSize], SizeLaw]:
    """Return the thresholds of a metric by size, beside c/√n, and how they fall; ``mask`` leaves some pairs out."""
    block, count, sizes = experiment.statistics.blocks[m], len(experiment.corpus.systems), list(parts)
    needed = [[gains[m][mask] for _, gains in of_size] for of_size in parts.values()]
    means = np.array([np.mean([thresholds.percentile(gains) for gains in of_size]) for of_size in needed])
    if not (means > 0.0).all():
        size = sizes[int(np.argmin(means))]
        raise InputError(
            f"{block.metric.label}: no two systems differ on a part of {size:,} {experiment.unit_noun}s",
            hint=("take larger ", Setting("sizes")),
        )
    c, exponent = float(thresholds.fitted_root(sizes, means)), float(thresholds.fitted_exponent(sizes, means))
    ends: list[Ends] = [(None, None)] * len(sizes)
    slope: Ends = (None, None)
    if systems is not None:
        drawn = [_drawn(experiment, size, gains, mask, systems) for size, gains in zip(sizes, needed, strict=True)]
        both = zip(means.tolist(), drawn, strict=True)
        ends = [thresholds.drawn_interval(gain, values, count, ratio=True) for gain, values in both]
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = thresholds.fitted_exponent(sizes, np.stack(drawn, -1))
        slope = thresholds.drawn_interval(exponent, slopes, count, ratio=False)
    points = []
    for (size, of_size), mean, (low, high) in zip(parts.items(), means.tolist(), ends, strict=True):
        segments, law = float(np.mean([count for count, _ in of_size])), c / float(np.sqrt(size))
        points.append(ThresholdAtSize(block.key, size, segments, len(of_size), mean, low, high, law))
    return points, SizeLaw(block.key, c, exponent, *slope)


def _drawn(
    experiment: Experiment, size: int, needed: Sequence[Floats], counted: NDArray[np.bool_], systems: Floats
) -> Floats:
    """Return, for every draw of systems, the mean over as many random parts, drawn with replacement as well."""
    firsts, seconds = pairs_of(len(experiment.corpus.systems))
    both = firsts[counted], seconds[counted]
    every = np.stack([thresholds.drawn_percentiles(gains, *both, systems) for gains in needed])
    if len(needed) == 1:
        return np.asarray(every[0])
    keys = resample_keys(experiment.seed, Stream.THRESHOLD_REPEATED, size * len(systems), len(systems))
    times = bootstrap_counts(keys, len(needed)).astype(np.float64)
    return np.asarray((every * times.T).sum(0) / len(needed))


def _part(experiment: Experiment, size: int, subsets: Subsets, repetition: int) -> Experiment:
    """Return the experiment with the first units of the test set alone, or some at random; the corpus stays."""
    units = experiment.units
    if size == units.count:
        return experiment
    if subsets == "initial":
        # Units in strata are numbered stratum by stratum: what comes first is what the test set begins with.
        _, places = np.unique(units.of_segment, return_index=True)
    else:
        places = uniforms(resample_keys(experiment.seed, Stream.THRESHOLD_PARTS, repetition, 1), units.count)[0]
    chosen = np.sort(np.argsort(places, kind="stable")[:size])
    number = np.full(units.count, -1, np.int64)
    number[chosen] = np.arange(chosen.size)
    of_segment = number[units.of_segment]
    inside = of_segment >= 0
    counts = np.diff(np.searchsorted(chosen, np.cumsum((0, *units.strata))))
    strata = tuple(counts[counts > 0].tolist())
    fewer = ResampledUnits(units.kind, of_segment[inside], chosen.size, strata=strata)
    statistics = SegmentStatistics(experiment.statistics.values[inside], experiment.statistics.blocks)
    return dataclasses.replace(experiment, units=fewer, statistics=statistics, progress=None)


def _test(unit: str) -> str:
    return "stationary-bootstrap" if unit == "block" else "bootstrap"


def _worded(result: ThresholdResult, experiment: Experiment) -> ThresholdResult:
    """Return the result with its sentences."""
    test, item = _test(result.unit), experiment.corpus.item_noun
    repetitions = max((row.repetitions for row in result.sizes), default=0)
    parts = f"subsets:{result.subsets}|repetitions:{repetitions}|" if result.sizes else ""
    return replace(
        result,
        findings=tuple(Finding(text) for text in _findings(result, item)),
        notes=tuple(_notes(experiment, result)),
        ending=ENDING(test=label_of(test).removeprefix("the "), resamples=result.resamples, seed=result.seed),
        methods=METHODS(
            result=result,
            systems=len(experiment.corpus.systems),
            labels=listing([metric.label for metric in result.metrics]),
            test=label_of(test),
            source=TESTS[test].source,
            units=units_words(result.unit, result.n_units),
            draws=DRAWS,
            alpha=alpha_text(result.alpha),
            quantile=normal_quantile(1.0 - result.alpha),
        ),
        signature=(
            f"threshold|test:{test}|{cautions.units_signature(experiment.units)}|alpha:{result.alpha:g}|one-sided"
            f"|R:{result.resamples}|draws:{result.draws}|{parts}seed:{result.seed}|version:{__version__}"
        ),
    )


def _findings(result: ThresholdResult, item: str) -> Iterator[str]:
    """Yield the gain that is usually significant, and how it falls with the size; segments are called ``item``."""
    for metric in result.metrics:
        digits, row, law = digits_of(result, metric), result[metric.key], result.law(metric.key)
        gain, low, high = (None if value is None else digits.score(value) for value in (row.gain, row.low, row.high))
        label, alpha = f"points of {metric.label}" if metric.percent else metric.label, alpha_text(result.alpha)
        usual, units = USUAL if low is None else USUAL_WITHIN, units_words(result.unit, result.n_units, item)
        yield usual(gain=gain, label=label, alpha=alpha, units=units, low=low, high=high)
        if law is not None and law.low is not None and law.high is not None:
            sizes = [size.units for size in result.sizes]
            noun = item if result.unit == "segment" else result.unit
            slots = {"first": min(sizes), "last": max(sizes), "noun": noun, "label": metric.label}
            exponent, least, most = (signed(-value, 2) for value in (law.exponent, law.high, law.low))
            yield FALLS(exponent=exponent, low=least, high=most, c=digits.shown(law.c), **slots)


def _notes(experiment: Experiment, result: ThresholdResult) -> Iterator[Note]:
    segments = [row for row in result.thresholds if row.unit == "segment" != result.unit and row.group == "all"]
    effects = [(result[row.metric].gain / row.gain) ** 2 for row in segments if row.gain > 0.0]
    runs = [len(system.runs) for system in experiment.corpus.systems]
    yield cautions.size_note(experiment.corpus, experiment.units, runs=runs, design_effects=effects)
    yield from experiment.notes
    yield from held_raters(experiment)
    yield from cautions.few_notes(experiment, (), result.resamples, result.alpha, p_values=True)
    yield from cautions.block_notes(experiment, (), "difference", shared=True)
    yield from few_systems_notes(len(runs))
    if max(runs) > 1:
        yield Note("held-runs", HELD_RUNS())
    for metric in result.metrics:
        rows = [row for row in result.pairs if row.metric == metric.key and row.se == 0.0]
        if rows:
            pairs = some([f"{row.baseline} and {row.system}" for row in rows], NAMED)
            yield Note("same", SAME(pairs=pairs), scope=metric.label)


def few_systems_notes(count: int) -> Iterator[Note]:
    """Say so if few systems say little about others."""
    if count < FEW_SYSTEMS:
        yield Note("few-systems", FEW(count=count))
