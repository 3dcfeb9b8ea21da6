"""The gain that is usually significant, from all pairs of systems: Berg-Kirkpatrick et al. (2012, section 3.1)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.cautions import (
    block_notes,
    check_blocks,
    check_directions,
    check_several_units,
    size_note,
    units_signature,
)
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_options
from truegain.inference.all_pairs import AllPairs, pairs_of
from truegain.inference.distributions import normal_quantile
from truegain.inference.intervals import ALPHAS
from truegain.inference.results import MetricInfo, Metrics, Scores, SystemPair, TestSet, Unit, Units
from truegain.inference.thresholds import (
    BAND,
    FEWEST_IN_BAND,
    drawn_interval,
    drawn_percentiles,
    in_band,
    percentile,
    share_of_pairs,
)
from truegain.notes import Finding, Note
from truegain.procedures.raters import held_raters
from truegain.registry import TESTS
from truegain.report.model import Table
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.results import Result
from truegain.rows import Count, MetricKey, NonNegative, Number, Proportion, Row, Seed, field, record
from truegain.settings.function import takes
from truegain.settings.threshold import ThresholdOptions
from truegain.statistics import Block
from truegain.studies.given import corpus_of
from truegain.studies.pair_groups import Groups, groups_of
from truegain.studies.thresholds_by_size import PartsAsked, SizeLaw, ThresholdAtSize, at_sizes, chosen_sizes
from truegain.version import __version__
from truegain.view import Digits, digits_of, interval_text, stacked, table
from truegain.words import (
    Sentence,
    alpha_text,
    describe_testset,
    label_of,
    listing,
    units_words,
    whole,
)

DRAWS = 1_000  # of systems
INTERVALS = 0.95
FEWEST_SYSTEMS = 3  # for an interval
FEW_SYSTEMS = 10  # for one that means much
NAMED = 3

USUAL = Sentence("A gain of {gains} or more is usually significant here (one-sided p ≤ {alpha} over {units}).")
USUAL_WITHIN = Sentence(
    "A gain of {gains} or more is usually significant here (one-sided p ≤ {alpha} over {units}; {interval} over "
    "systems)."
)
FALLS = Sentence(
    "From {first:,} to {last:,} {units} the threshold in {label} falls as n^−{exponent:.2f}; it is about {c:.3g}/√n."
)
FALLS_WITHIN = Sentence(
    "From {first:,} to {last:,} {units} the threshold in {label} falls as n^−{exponent:.2f} (95 % CI {interval}); it "
    "is about {c:.3g}/√n."
)
DOES_NOT_FALL = Sentence("From {first:,} to {last:,} {units} the threshold in {label} does not fall.")

THRESHOLD_NOTE = Sentence(
    "threshold: the gain at which 95 % of the pairs would have p ≤ {alpha}; a two-sided test needs {ratio:.2f} times "
    "as much."
)
BAND_NOTE = Sentence("in band: pairs with p from {low} to {high}, and the 95th percentile of their gains.")
INITIAL_NOTE = "n: the size of parts, which begin with the test set; intervals are over systems."
RANDOM_NOTE = Sentence("n: the size of parts, {times} random ones of each; intervals are over systems and parts.")

TWO_SYSTEMS = Sentence("Two systems are one pair, so there is no interval over systems")
NO_COPIES = Sentence("without copies there are two systems, so there is no interval over systems")
ROUGH = Sentence("{count} systems say little about others: the interval over systems is rough")
ONE_LABEL = Sentence("All systems have the label {label!r}, so no pair has different ones")
NO_CLASS = Sentence("{without:,} of {pairs} are in no class and count among all pairs only")
HELD_RUNS = Sentence("Runs are held fixed: new runs would need larger gains")
SAME = Sentence("the difference between {pairs} never varies, so no threshold counts it")
SAME_MORE = Sentence(
    "the differences between {pairs} and of {more:,} more pairs never vary, so no threshold counts them"
)
IMPOSSIBLE = Sentence("no possible gain, at most {limit:g}, is usually significant on so few {units}")
FEW_RESAMPLES = Sentence("With {resamples:,} resamples no p can be {alpha} or less; use more")

ENDING = Sentence("{test}, {resamples:,} resamples, seed {seed}")
METHODS = Sentence(
    "Every pair of {systems} systems was compared in {labels} with {test} (one-sided, in favour of the system with the "
    "better score; {source}) over {units}, with {resamples:,} resamples shared by all pairs. Following "
    "Berg-Kirkpatrick et al. (2012), a gain is called usually significant if 95 % of the pairs would have p ≤ {alpha} "
    "with it: it is the 95th percentile over pairs of {quantile:.3f} standard errors of the difference."
)
METHODS_BAND = Sentence(
    "Their own estimate is given beside it: the 95th percentile of the gains of pairs with p from {low} to {high}."
)
METHODS_INTERVALS = Sentence(
    "Its 95 % intervals are normal intervals of its logarithm, corrected for bias, from {draws:,} draws of systems "
    "with replacement, in which two copies of a system are no pair."
)
MADE_WITH = Sentence("Computed with truegain {version}, seed {seed}.")

#: Pairs of systems with labels: all, those with one label, those with two.
GROUPS = ("all", "same", "different")
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
    group: Annotated[
        str | None,
        field(
            "Whether their labels are the same or different, or the class of the pair; none if there are neither, or "
            "if the pair is in no class."
        ),
    ]
    p: Annotated[Proportion, field("One-sided, that the system is no better.")]
    exceedances: Annotated[Number, field("The number of resamples at least as far out.")]
    se: Annotated[
        NonNegative,
        field("The standard error of the gain; 0 if the two are the same on every resample: no threshold counts them."),
    ]


class Threshold(Row):
    """The gain that is usually significant."""

    metric: MetricKey
    group: Annotated[str, field("The pairs that it is of: all, same, different, or a class of pairs.", show="text")]
    unit: Unit
    pairs: Annotated[Count, field("The number of pairs.")]
    gain: Annotated[
        NonNegative,
        field(
            "The gain at which 95 % of the pairs would be significant: a percentile over pairs of the normal quantile "
            "times the standard error.",
            "threshold",
            "score",
        ),
    ]
    low: Annotated[
        float | None,
        field(
            "The lower end of its 95 % interval over systems; none if there are too few.", "95 % CI", "ends high gain"
        ),
    ]
    high: Annotated[float | None, field("The upper end of its 95 % interval over systems; none if there are too few.")]
    in_band: Annotated[
        Number, field("Pairs whose p is near the level (.04 to .06 at .05), as Berg-Kirkpatrick et al. have it.")
    ]
    band_gain: Annotated[
        float | None,
        field("The 95th percentile of their gains; none if there are too few of them.", "their gains", "score"),
    ]


class SignificantPairs(Row):
    """Significant ones among the pairs that gain as much as the threshold, and among the others."""

    above: Annotated[str, field("Among those that gain as much.", "sig. above")]
    below: Annotated[str, field("Among those that gain less.", "sig. below")]


class ThresholdResult(Result, tag="threshold", kw_only=True, rename={"scores": "systems"}):
    """The gain that is usually significant on a test set, and all pairs that say so.

    ``result["bleu"]`` is the gain under a metric, over all pairs; :meth:`threshold` finds those of groups.
    """

    title = "What gain is usually significant?"
    study: ClassVar[str] = "threshold"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    thresholds: Annotated[
        tuple[Threshold, ...],
        field(
            "Metric by metric: over the units chosen, and over segments if these are documents; of all pairs, of those "
            "with one label and with two, and of each class of pairs.",
            min_length=1,
        ),
    ]
    pairs: Annotated[
        tuple[GainPair, ...], field("Every two systems, metric by metric, over the units chosen.", min_length=1)
    ]
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
    classes: Annotated[
        tuple[str, ...], field("The classes of pairs, as they were given; empty if there are none.")
    ] = ()

    def __getitem__(self, metric: str) -> Threshold:
        return self.threshold(metric)

    def __iter__(self) -> Iterator[Threshold]:
        return iter(self.thresholds)

    def threshold(self, metric: str, group: str = "all", unit: str | None = None) -> Threshold:
        """Return the threshold of a group of pairs, over the units chosen or over others."""
        for row in self.thresholds:
            if (row.metric, row.group, row.unit) == (metric, group, unit or self.unit):
                return row
        raise KeyError((metric, group, unit or self.unit))

    def groups(self, metric: str) -> list[Threshold]:
        """Return the thresholds over the units chosen: of all pairs first."""
        rows = [row for row in self.thresholds if (row.metric, row.unit) == (metric, self.unit)]
        return sorted(rows, key=lambda row: self.group_names.index(row.group))

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups that there can be, all pairs first."""
        if self.classes:
            return ("all", *self.classes)
        return GROUPS if self.labels else ("all",)

    def over_segments(self, metric: str, group: str = "all") -> Threshold | None:
        """Return the threshold over segments, if documents were chosen."""
        rows = (row for row in self.thresholds if (row.metric, row.group, row.unit) == (metric, group, "segment"))
        return None if self.unit == "segment" else next(rows, None)

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
        gains = {row.metric: row.gain for row in self.thresholds if (row.group, row.unit) == ("all", self.unit)}
        result = self.columns()
        records = []
        for pair in self.pairs:
            beside = {
                "baseline_label": labels.get(pair.baseline),
                "system_label": labels.get(pair.system),
                "baseline_score": scores[pair.metric, pair.baseline],
                "system_score": scores[pair.metric, pair.system],
                "confidence": 1.0 - pair.p,
                "threshold": gains[pair.metric],
            }
            records.append(record(_COLUMNS, beside, pair, result))
        return records

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield thresholds by groups of pairs, and by the size of the test set."""
        yield stacked([self._groups_table(metric, digits_of(self, metric, decimals)) for metric in self.metrics])
        if self.sizes:
            yield stacked([self._sizes_table(metric, digits_of(self, metric, decimals)) for metric in self.metrics])

    def _groups_table(self, metric: MetricInfo, digits: Digits) -> Table:
        rows = [
            {
                "": replace(row, group=group_words(self, row.group)),
                "segments": self.over_segments(metric.key, row.group),
                "shares": self._significant(row),
            }
            for row in self.groups(metric.key)
        ]
        by_segment = "segments.gain" if self.over_segments(metric.key) else ""
        banded = any(row.band_gain is not None for row in self.thresholds)
        notes = [THRESHOLD_NOTE(alpha=alpha_text(self.alpha), ratio=_two_sided(self.alpha))]
        notes += [BAND_NOTE(**_band(self.alpha))] if banded else []
        return table(
            rows,
            f"group pairs gain low? {by_segment} shares.above shares.below {'in_band band_gain' if banded else ''}",
            digits,
            headings={"group": metric.label, "segments.gain": "by segment"},
            caption="The gain that is usually significant",
            notes=notes,
        )

    def _significant(self, threshold: Threshold) -> SignificantPairs:
        """Count how the threshold does on these very pairs."""
        pairs = [
            pair
            for pair in self.pairs
            if pair.metric == threshold.metric and pair.se > 0.0 and threshold.group in ("all", pair.group)
        ]
        gains, p = np.array([pair.delta for pair in pairs]), np.array([pair.p for pair in pairs])
        above, shown, below, others = share_of_pairs(gains, p, threshold.gain, self.alpha)
        return SignificantPairs(f"{shown:,} of {above:,}", f"{others:,} of {below:,}")

    def _sizes_table(self, metric: MetricInfo, digits: Digits) -> Table:
        rows = [row for row in self.sizes if row.metric == metric.key]
        times = max(row.repetitions for row in rows)
        note = INITIAL_NOTE if self.subsets == "initial" else RANDOM_NOTE(times=times)
        return table(
            rows,
            f"units {'segments' if self.unit != 'segment' else ''} gain low? law",
            digits,
            headings={"units": f"{metric.label}: n"},
            caption="The threshold by the size of the test set",
            notes=[note],
        )


def group_words(result: ThresholdResult, group: str) -> str:
    """Return what the pairs of a group are called."""
    return _GROUP_WORDS.get(group, group) if result.labels or group == "all" else group


def units_noun(unit: str) -> str:
    """Return the noun for several units."""
    return {"block": "segments", "testset": "test sets"}.get(unit, f"{unit}s")


@takes(ThresholdOptions)
def threshold(options: ThresholdOptions) -> ThresholdResult:
    """Find the gain that is usually significant on a test set, from all pairs of systems.

    Every pair is tested by the paired bootstrap, one-sided, in favour of the system with the better score; it would be
    significant at a gain of the normal quantile times its standard error. The threshold is the 95th percentile of
    these over pairs (Berg-Kirkpatrick et al. 2012, section 3.1). Intervals need three systems; of every metric one way
    must be the better one.
    """
    alpha, resamples, seed = options.alpha, options.resamples, options.seed
    corpus, jobs = corpus_of(options), available_jobs(options.jobs)
    check_options(options)
    _check_choices(corpus, options)
    names = [system.name for system in corpus.systems]
    groups = groups_of(names, options.groups, options.pair_classes)
    experiment = _prepared(corpus, options)
    units = experiment.units
    sizes = chosen_sizes(options.sizes, units.count, units.noun) if options.sizes else ()
    asked = _Asked(groups, alpha, normal_quantile(1.0 - alpha), _drawn_systems(seed, len(names)))
    over = [experiment]
    if units.kind == "document" and units.count < corpus.segments:
        over.append(experiment.on_segments)
    tested = [_tested(by_unit, resamples, jobs) for by_unit in over]
    blocks = experiment.statistics.blocks
    thresholds = [
        row
        for m, block in enumerate(blocks)
        for level, pairs in zip(over, tested, strict=True)
        for row in _thresholds(block, level.units.kind, pairs[m], asked)
    ]
    parts = PartsAsked(sizes, options.subsets, options.repetitions, resamples, asked.quantile, asked.systems, jobs)
    counted = [pairs.differs for pairs in tested[0]]
    points, laws = at_sizes(experiment, parts, counted) if sizes else ((), ())
    result = ThresholdResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(resamples, INTERVALS, "auto"),
        thresholds=tuple(thresholds),
        pairs=tuple(
            row
            for block, pairs in zip(blocks, tested[0], strict=True)
            for row in _pairs(block, pairs, names, groups.of_pairs)
        ),
        labels=tuple(Labelled(name, label) for name, label in groups.labels.items()),
        sizes=points,
        laws=laws,
        subsets=options.subsets,
        alpha=alpha,
        unit=units.kind,
        n_units=units.count,
        resamples=resamples,
        draws=0 if asked.systems is None else DRAWS,
        seed=seed,
        signature="",
        classes=groups.classes,
    )
    return _answered(result, experiment, list(_notes(experiment, result, tested[0], groups)), options)


def _answered(
    result: ThresholdResult, experiment: Experiment, notes: list[Note], options: ThresholdOptions
) -> ThresholdResult:
    """Return the result with its answer in words."""
    test = TESTS[_test(result.unit)].named.removeprefix("the ")
    return replace(
        result,
        about=_about(result),
        findings=tuple(Finding(text) for text in _findings(result, experiment.corpus.item_noun)),
        notes=tuple(notes),
        ending=ENDING(test=test, resamples=result.resamples, seed=result.seed),
        methods=_methods(result),
        signature=_signature(result, experiment, options),
    )


def _check_choices(corpus: Corpus, options: ThresholdOptions) -> None:
    if len(corpus.systems) < 2:
        raise InputError(
            f"there is only one system, {corpus.systems[0].name!r}; a threshold needs pairs of them",
            hint=(command("plan"), " finds what gain a test set can show from assumptions"),
        )
    if options.repetitions < 1:
        raise InputError(f"the number of repetitions must be at least 1; got {options.repetitions}")
    if options.unit == "block" and options.sizes:
        raise InputError(
            "parts of the test set are made of segments or documents, not of blocks",
            hint=("leave out ", Setting("sizes"), ", or take another ", Setting("unit")),
        )
    check_blocks(unit=options.unit, block_length=options.block_length)


def _prepared(corpus: Corpus, options: ThresholdOptions) -> Experiment:
    experiment = Experiment.of(corpus, options)
    check_directions(experiment, "has no gains")
    check_several_units(experiment)
    if options.unit == "block":
        return experiment.in_blocks(list(itertools.combinations(range(len(corpus.systems)), 2)))
    return experiment


def _drawn_systems(seed: int, systems: int) -> NDArray[np.float64] | None:
    """Draw the systems with replacement; None if there are too few for intervals."""
    if systems < FEWEST_SYSTEMS:
        return None
    keys = resample_keys(seed, Stream.THRESHOLD_SYSTEMS, 0, DRAWS)
    return bootstrap_counts(keys, systems).astype(np.float64)


@dataclass(frozen=True)
class _Asked:
    """Groups of pairs, the level, its normal quantile, and draws of systems for intervals."""

    groups: Groups
    alpha: float
    quantile: float
    systems: NDArray[np.float64] | None


@dataclass(frozen=True)
class _Tested:
    """All pairs under a metric, in the order of :func:`itertools.combinations`; deltas have their signs."""

    deltas: NDArray[np.float64]
    p: NDArray[np.float64]
    exceedances: NDArray[np.int64]
    errors: NDArray[np.float64]
    differs: NDArray[np.bool_]


def _tested(experiment: Experiment, resamples: int, jobs: int) -> list[_Tested]:
    resampled = experiment.bootstrap(resamples)
    report = experiment.reporter("pairs", 2 * len(resampled) * resamples)
    tested = []
    given = zip(experiment.statistics.blocks, experiment.scores, experiment.rounding, resampled, strict=True)
    for block, observed, rounded, scores in given:
        pairs = AllPairs(
            observed,
            scores,
            lower_is_better=block.metric.higher_is_better is False,
            factor=experiment.factor(0.95),
            jobs=jobs,
            progress=report,
            rounded=rounded,
        )
        counts, errors = pairs.wins(), pairs.spreads()
        differs = errors > pairs.slacks
        if not differs.any():
            raise InputError(
                f"no difference between systems varies under {block.metric.label}: they are the same, or differ by "
                "as much on every segment",
                hint="are these the files of different systems?",
            )
        p = (counts + 1) / (resamples + 1)
        tested.append(_Tested(pairs.deltas, p, counts, np.where(differs, errors, 0.0), differs))
    return tested


def _thresholds(block: Block, unit: Any, tested: _Tested, asked: _Asked) -> list[Threshold]:
    """Return thresholds of all pairs and of their groups, if there are any."""
    count = round((1 + np.sqrt(1 + 8 * tested.p.size)) / 2)
    firsts, seconds = pairs_of(count)
    near = in_band(tested.p, asked.alpha)
    rows = []
    for group in ("all", *(asked.groups.classes or GROUPS[1:])):
        mask = tested.differs & np.array([group in ("all", kind) for kind in asked.groups.of_pairs])
        if not mask.any():
            continue
        needed = asked.quantile * tested.errors[mask]
        gain = percentile(needed)
        low, high = None, None
        if asked.systems is not None and _distinct(tested.differs, count) >= FEWEST_SYSTEMS:
            drawn = drawn_percentiles(needed, firsts[mask], seconds[mask], asked.systems)
            low, high = drawn_interval(gain, drawn, count, ratio=True)
        band = np.abs(tested.deltas[mask & near])
        rows.append(
            Threshold(
                metric=block.key,
                group=group,
                unit=unit,
                pairs=int(np.count_nonzero(mask)),
                gain=gain,
                low=low,
                high=high,
                in_band=band.size,
                band_gain=percentile(band) if band.size >= FEWEST_IN_BAND else None,
            )
        )
    return rows


def _distinct(differs: NDArray[np.bool_], systems: int) -> int:
    """Count the systems without copies of others."""
    pairs = zip(itertools.combinations(range(systems), 2), differs, strict=True)
    return systems - len({second for (_, second), varies in pairs if not varies})


def _pairs(block: Block, tested: _Tested, names: Sequence[str], kinds: Sequence[str | None]) -> Iterator[GainPair]:
    for i, (first, second) in enumerate(itertools.combinations(names, 2)):
        delta = float(tested.deltas[i])
        worse, better = (second, first) if delta < 0.0 else (first, second)
        yield GainPair(
            metric=block.key,
            baseline=worse,
            system=better,
            group=kinds[i],
            delta=abs(delta),
            p=float(tested.p[i]),
            exceedances=int(tested.exceedances[i]),
            se=float(tested.errors[i]),
        )


def _test(unit: str) -> str:
    return "stationary-bootstrap" if unit == "block" else "bootstrap"


def _signature(result: ThresholdResult, experiment: Experiment, options: ThresholdOptions) -> str:
    parts = [f"subsets:{result.subsets}"] if result.sizes else []
    parts += [f"repetitions:{options.repetitions}"] if result.sizes and result.subsets == "random" else []
    return "|".join(
        (
            f"threshold|test:{_test(result.unit)}|{units_signature(experiment.units)}|alpha:{result.alpha:g}|one-sided",
            f"R:{result.resamples}|draws:{result.draws}",
            *parts,
            f"seed:{result.seed}|version:{__version__}",
        )
    )


def _about(result: ThresholdResult) -> str:
    described = describe_testset(result.testset, result.scores)
    labels = [row.label for row in result.labels]
    counts = [f"{label} ({labels.count(label)})" for label in dict.fromkeys(labels)]
    return f"{described} · labels {listing(counts)}" if counts else described


def _two_sided(alpha: float) -> float:
    """Return how much larger a gain must be to be significant on both sides: z(1 − α/2) / z(1 − α)."""
    return normal_quantile(1.0 - alpha / 2.0) / normal_quantile(1.0 - alpha)


def _band(alpha: float) -> dict[str, str]:
    low, high = (alpha_text(round(share * alpha, 6)) for share in BAND)
    return {"low": low, "high": high}


def _amount(metric: MetricInfo, text: str) -> str:
    """Name the metric behind a gain; gains in shares of items are points."""
    return f"{text} points of {metric.label}" if metric.percent else f"{text} {metric.label}"


def _findings(result: ThresholdResult, noun: str) -> Iterator[str]:
    """Yield the gain that usually suffices, whether it did, and how it falls with the size."""
    digits = {metric.key: digits_of(result, metric) for metric in result.metrics}
    gains = [_amount(metric, digits[metric.key].score(result[metric.key].gain)) for metric in result.metrics]
    unit = noun if result.unit in ("segment", "block") else result.unit
    slots = {
        "gains": listing(gains, "or"),
        "alpha": alpha_text(result.alpha),
        "units": units_words("block", result.n_units) if result.unit == "block" else whole(result.n_units, unit),
    }
    only = result[result.metrics[0].key]
    if len(gains) == 1 and only.low is not None and only.high is not None:
        yield USUAL_WITHIN(interval=interval_text(only.low, only.high, digits[only.metric].score), **slots)
    else:
        yield USUAL(**slots)
    for metric in result.metrics:
        yield from _falls(result, metric, f"{unit}s")


def _falls(result: ThresholdResult, metric: MetricInfo, noun: str) -> Iterator[str]:
    law = result.law(metric.key)
    if law is None:
        return
    units = [row.units for row in result.sizes if row.metric == metric.key]
    slots = {"first": units[0], "last": units[-1], "units": noun, "label": metric.label}
    c = 100.0 * law.c if metric.percent else law.c
    if law.exponent < 0.0:
        yield DOES_NOT_FALL(**slots)
    elif law.low is None or law.high is None:
        yield FALLS(exponent=law.exponent, c=c, **slots)
    else:
        interval = interval_text(law.low, law.high, "{:.2f}".format)
        yield FALLS_WITHIN(exponent=law.exponent, interval=interval, c=c, **slots)


def _notes(
    experiment: Experiment, result: ThresholdResult, tested: Sequence[_Tested], groups: Groups
) -> Iterator[Note]:
    corpus = experiment.corpus
    effects = [
        (result[metric.key].gain / beside.gain) ** 2
        for metric in result.metrics
        if (beside := result.over_segments(metric.key)) is not None and beside.gain > 0.0
    ]
    runs = [len(system.runs) for system in corpus.systems]
    yield size_note(corpus, experiment.units, runs=runs, design_effects=effects)
    yield from experiment.notes
    yield from held_raters(experiment)
    few = experiment.few_units_note()
    if few is not None:
        yield few
    yield from block_notes(experiment, (), "difference", shared=True)
    yield from system_notes(len(corpus.systems))
    yield from _group_notes(groups)
    if max(runs) > 1:
        yield Note("held-runs", HELD_RUNS())
    for block, pairs in zip(experiment.statistics.blocks, tested, strict=True):
        yield from _copies_notes(block, pairs, [system.name for system in corpus.systems])
    yield from _impossible(experiment, result)
    if 1 / (result.resamples + 1) > result.alpha:
        text = FEW_RESAMPLES(resamples=result.resamples, alpha=alpha_text(result.alpha))
        yield Note("few-resamples", text)


def system_notes(count: int) -> Iterator[Note]:
    """Say so if few systems say little about others."""
    if count < FEWEST_SYSTEMS:
        yield Note("few-systems", TWO_SYSTEMS())
    elif count < FEW_SYSTEMS:
        yield Note("few-systems", ROUGH(count=count))


def _group_notes(groups: Groups) -> Iterator[Note]:
    labels = set(groups.labels.values())
    if len(labels) == 1:
        yield Note("one-label", ONE_LABEL(label=labels.pop()))
    without = groups.of_pairs.count(None)
    if groups.classes and without:
        yield Note("no-class", NO_CLASS(without=without, pairs=whole(len(groups.of_pairs), "pair")))


def _copies_notes(block: Block, tested: _Tested, names: Sequence[str]) -> Iterator[Note]:
    """Name the pairs whose difference never varies."""
    pairs = zip(itertools.combinations(names, 2), tested.differs, strict=True)
    same = [f"{first} and {second}" for (first, second), differs in pairs if not differs]
    if len(same) > NAMED:
        text = SAME_MORE(pairs=", ".join(same[:NAMED]), more=len(same) - NAMED)
        yield Note("same", text, scope=block.metric.label)
    elif same:
        yield Note("same", SAME(pairs=listing(same)), scope=block.metric.label)
    if _distinct(tested.differs, len(names)) < min(len(names), FEWEST_SYSTEMS):
        yield Note("few-systems", NO_COPIES(), scope=block.metric.label)


def _impossible(experiment: Experiment, result: ThresholdResult) -> Iterator[Note]:
    """Note thresholds beyond any gain that the metric can have."""
    for m, block in enumerate(experiment.statistics.blocks):
        low, high = experiment.limits(m, *range(len(experiment.corpus.systems)))
        if any(row.metric == block.key and row.gain > high - low for row in result.thresholds):
            text = IMPOSSIBLE(limit=high - low, units=f"{experiment.units.noun}s")
            yield Note("no-possible-gain", text, scope=block.metric.label)


def _methods(result: ThresholdResult) -> str:
    test = _test(result.unit)
    sentences = [
        METHODS(
            systems=len({row.name for row in result.scores}),
            labels=listing([metric.label for metric in result.metrics]),
            test=label_of(test),
            source=TESTS[test].source,
            units=units_words(result.unit, result.n_units),
            resamples=result.resamples,
            alpha=alpha_text(result.alpha),
            quantile=normal_quantile(1.0 - result.alpha),
        )
    ]
    if any(row.band_gain is not None for row in result.thresholds):
        sentences.append(METHODS_BAND(**_band(result.alpha)))
    if result.draws:
        sentences.append(METHODS_INTERVALS(draws=result.draws))
    return " ".join((*sentences, MADE_WITH(version=result.version, seed=result.seed)))
