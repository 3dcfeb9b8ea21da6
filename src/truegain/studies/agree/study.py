"""Metrics held against people: how far they agree, and which agree better than which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec.structs import replace

from truegain.agreement.assessment import Assessment, Spread, UndefinedError
from truegain.agreement.judged import LEAST_SYSTEMS, Judged
from truegain.agreement.lookup import MEASURES, measures_of
from truegain.agreement.swaps import system_masks
from truegain.errors import InputError, Setting, one_of
from truegain.executors.blas_threads import one_blas_thread
from truegain.experiment import check_alpha, check_count
from truegain.inference.distributions import student_quantile
from truegain.inference.intervals import Interval
from truegain.inference.multiplicity import MAXT
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.ranking import rank_systems
from truegain.inputs import Inputs
from truegain.notes import Note
from truegain.resampling.design import check_seed
from truegain.settings.agree import AgreeOptions
from truegain.settings.function import takes
from truegain.studies.agree.result import AgreedMetric, AgreedPair, AgreeResult
from truegain.studies.agree.test_sets import digest, read_test_sets


@takes(AgreeOptions)
def agree(options: AgreeOptions) -> AgreeResult:
    """Hold metrics against people: accuracy of pairs of systems, soft accuracy, accuracy with ties, correlations.

    Raises
    ------
    InputError
        If scores do not fit together, or an option does not fit the data.

    Examples
    --------
    >>> people = {"a": [1, 2, 3, 5], "b": [2, 2, 4, 5], "c": [3, 4, 4, 6]}
    >>> close = {"a": [1, 2, 3, 4], "b": [2, 2, 3, 5], "c": [3, 4, 5, 6]}
    >>> far = {"a": [3, 1, 2, 5], "b": [1, 5, 2, 2], "c": [4, 1, 3, 2]}
    >>> result = agree(people, {"close": close, "far": far}, measures=["acc23"])
    >>> [(one.metric, one.value) for one in result]
    [('close', 0.75), ('far', 0.25)]
    """
    check_count("resamples", options.resamples)
    check_seed(options.seed)
    check_alpha(options.alpha)
    sets = read_test_sets(options)
    judged = [own.judged for own in sets]
    metrics = sets[0].found.metrics
    test, notes = _test(options.test, min(len(own.human) for own in judged))
    measures = _measures(options.measures, test)
    adjustment = _adjustment(options.adjust, test)
    resamples, exhaustive = options.resamples, False
    if test == "perm-sys" and len(sets) == 1:
        masks, exhaustive = system_masks(len(judged[0].human), options.resamples, options.seed)
        resamples = len(masks) + exhaustive
    kept: list[str] = []
    agreement: list[AgreedMetric] = []
    pairs: list[AgreedPair] = []
    with one_blas_thread():
        for name in measures:
            try:
                own = _Assessed(name, judged, options, test, adjustment)
            except UndefinedError as error:
                if options.measures:
                    raise
                notes.append(Note("no-measure", f"{error.said}: left out", scope=MEASURES[name].label))
            else:
                kept.append(name)
                agreement += own.agreement(metrics)
                pairs += own.pairs(metrics)
            if options.progress is not None:
                options.progress("measures", 1, len(measures))
    if not kept:
        raise InputError("no measure is defined for these scores", hint="are there too few segments, or only ties?")
    unit: Literal["segment", "document"] = "segment" if sets[0].found.documents is None else "document"
    held = [(own, (*own.found.notes, *own.doubts())) for own in sets]
    told = [note if len(sets) == 1 else note.about(own.name) for own, notes_of in held for note in notes_of]
    return AgreeResult(
        systems=tuple(dict.fromkeys(name for own in sets for name in own.found.systems)),
        metrics=metrics,
        measures=tuple(kept),
        segments=sum(own.human.shape[1] for own in judged),
        test_sets=tuple(own.shown() for own in sets),
        agreement=tuple(agreement),
        pairs=tuple(pairs),
        test=test,
        adjust=adjustment,
        claim="new systems" if test == "perm-sys" else "these systems",
        alpha=options.alpha,
        unit=unit,
        n_units=sum(own.sizes.size for own in judged),
        resamples=resamples,
        exhaustive=exhaustive,
        seed=options.seed,
        inputs=Inputs.together(own.found.inputs for own in sets),
        fingerprint=digest(sets),
        computed=sets[0].computed,
        signature="|".join(
            (
                f"agree:{','.join(kept)}",
                f"test:{test}",
                f"adjust:{adjustment}",
                f"unit:{unit}",
                f"R:{'all' if exhaustive else resamples}",
                f"seed:{options.seed}",
            )
        ),
        notes=(*told, *notes),
    )


def _test(asked: str, systems: int) -> tuple[str, list[Note]]:
    if asked == "perm-sys" and systems < LEAST_SYSTEMS:
        raise InputError(
            f"perm-sys needs {LEAST_SYSTEMS} systems or more; there are {systems}",
            hint=("compare on these systems: ", Setting("test", "documents")),
        )
    if asked != "auto":
        return asked, []
    if systems >= LEAST_SYSTEMS:
        return "perm-sys", []
    text = f"with {systems} systems nothing can be claimed of new systems: that takes {LEAST_SYSTEMS}"
    return "documents", [Note("few-systems", text)]


def _measures(asked: Sequence[str], test: str) -> list[str]:
    able = measures_of(test)
    for name in asked:
        if name not in MEASURES:
            raise one_of("measures", name, list(MEASURES))
        if name not in able:
            raise InputError(
                f"the test {test} compares metrics by {', '.join(able)}, not by {name}",
                hint=("leave ", Setting("measures"), " out, or choose another test"),
            )
    return list(dict.fromkeys(asked)) or able


def _adjustment(asked: str, test: str) -> str:
    if test == "documents" and asked == MAXT:
        raise InputError("maxt needs a test by swaps", hint=("choose ", Setting("adjust", "holm")))
    return asked if asked != "auto" else "holm" if test == "documents" else MAXT


class _Assessed:
    """One measure of all metrics."""

    def __init__(self, name: str, judged: Sequence[Judged], options: AgreeOptions, test: str, adjustment: str) -> None:
        own = Assessment(name, judged, resamples=options.resamples, seed=options.seed)
        self.own, self.measure, self.alpha = own, own.measure, options.alpha
        self.new_systems = test == "perm-sys"
        self.spreads = own.spreads(new_systems=self.new_systems)
        self.delta_spreads = own.delta_spreads(new_systems=self.new_systems)
        self.p, self.adjusted = own.tested(test, adjustment)
        self.widened = test in ("documents", "perm-sys")  # whose p is never below Student's, as intervals are

    def _interval(self, middle: float, spread: Spread, least: float, most: float) -> Interval:
        half = student_quantile(1.0 - self.alpha / 2.0, spread.freedom) * float(np.sqrt(spread.variance))
        return Interval(max(least, middle - half), min(most, middle + half), 1.0 - self.alpha, "t")

    def _no_narrower(self, interval: Interval, value: float) -> Interval:
        """Widen the interval of a share of pairs to that of independent ones: pairs that share systems tell no more.

        Otherwise a metric with all pairs right would be certain to have those of new systems right.
        """
        if self.measure.smooth or not self.new_systems:
            return interval
        pairs = self.own.system_pairs
        low, high = clopper_pearson(round(value * pairs), pairs, 1.0 - self.alpha)
        return replace(interval, low=min(low, interval.low), high=max(high, interval.high))

    def agreement(self, names: Sequence[str]) -> list[AgreedMetric]:
        """Return the metrics, the highest agreement first."""
        better = np.zeros((len(names), len(names)), bool)
        for (a, b), delta, p in zip(self.own.metric_pairs, self.own.deltas, self.adjusted, strict=True):
            if p <= self.alpha and delta != 0.0:
                better[(b, a) if delta > 0.0 else (a, b)] = True
        ranking = rank_systems(np.round(self.own.values, 9), better)
        chance, thresholds = self.own.chance(), self.own.thresholds()
        least = -1.0 if self.measure.name in ("kendall", "pearson", "system-pearson") else 0.0
        found = []
        for place in ranking.order:
            value, spread = float(self.own.values[place]), self.spreads[place]
            found.append(
                AgreedMetric(
                    measure=self.measure.name,
                    metric=names[place],
                    value=min(max(value, least), 1.0),
                    **self._no_narrower(self._interval(value, spread, least, 1.0), value).fields,
                    standard_error=float(np.sqrt(spread.variance)),
                    chance=float(chance[place]),
                    threshold=thresholds[place],
                    best=ranking.ranks[place][0],
                    worst=ranking.ranks[place][1],
                    cluster=ranking.clusters[place],
                    letters=ranking.letters[place],
                )
            )
        return found

    def pairs(self, names: Sequence[str]) -> list[AgreedPair]:
        """Return every two metrics."""
        found = []
        for place, (a, b) in enumerate(self.own.metric_pairs):
            delta, spread, adjusted = self.own.deltas[place], self.delta_spreads[place], self.adjusted[place]
            interval = self._interval(delta, spread, -2.0, 2.0)
            if self.widened and self.p[place] > self.alpha:
                interval = replace(interval, low=min(interval.low, 0.0), high=max(interval.high, 0.0))
            shown = adjusted <= self.alpha and delta != 0.0
            found.append(
                AgreedPair(
                    measure=self.measure.name,
                    baseline=names[a],
                    metric=names[b],
                    delta=delta,
                    **interval.fields,
                    standard_error=float(np.sqrt(spread.variance)),
                    p=self.p[place],
                    p_adjusted=adjusted,
                    better=delta > 0.0 if shown else None,
                )
            )
        return found
