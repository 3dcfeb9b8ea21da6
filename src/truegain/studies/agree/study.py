"""Metrics held against people: how far they agree, and which agree better than which."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.agreement.assessment import Assessment, UndefinedError
from truegain.agreement.judged import LEAST_SYSTEMS, Judged
from truegain.agreement.lookup import MEASURES, measures_of
from truegain.agreement.swaps import system_masks
from truegain.errors import InputError, Setting, one_of
from truegain.executors.threads import one_blas_thread
from truegain.experiment import check_count
from truegain.inference.distributions import student_quantile
from truegain.inference.intervals import ALPHAS, Interval
from truegain.inference.multiplicity import MAXT, adjust, max_t
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.ranking import rank_systems
from truegain.notes import Note
from truegain.readers.judgements import Judgements, SystemScores, as_scores, gather, metric_files
from truegain.resampling.design import check_seed
from truegain.settings.agree import AgreeOptions
from truegain.settings.function import takes
from truegain.studies.agree.computed import computed_metrics
from truegain.studies.agree.result import AgreedMetric, AgreedPair, AgreeResult

__all__ = ["agree"]

_HUMAN = "human"

Array = NDArray[np.float64]


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
    if not ALPHAS[0] <= options.alpha <= ALPHAS[1]:
        raise InputError(f"alpha must lie between 0 and 1; got {options.alpha:g}")
    human = as_scores(options.human, _HUMAN)
    computed = computed_metrics(options, human)
    metrics = _metrics(options.metrics, computed.scores)
    found = gather(human, metrics, options.documents, keep_references=options.keep_references)
    found = _turned(found, (*options.lower_is_better, *computed.lower_is_better))
    judged = Judged.of(found.human, found.scores, found.documents, found.human_systems, found.metric_systems)
    if judged.sizes.size < 2:
        raise InputError("all rated segments are of one document", hint=("leave ", Setting("documents"), " out"))
    test, notes = _test(options.test, len(found.systems))
    measures = _measures(options.measures, test)
    adjustment = _adjustment(options.adjust, test)
    resamples, exhaustive = options.resamples, False
    if test == "perm-sys":
        masks, exhaustive = system_masks(len(found.systems), options.resamples, options.seed)
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
                agreement += own.agreement(found.metrics)
                pairs += own.pairs(found.metrics)
            if options.progress is not None:
                options.progress("measures", 1, len(measures))
    if not kept:
        raise InputError("no measure is defined for these scores", hint="are there too few segments, or only ties?")
    unit = "segment" if found.documents is None else "document"
    return AgreeResult(
        systems=found.systems,
        metrics=found.metrics,
        measures=tuple(kept),
        segments=judged.human.shape[1],
        agreement=tuple(agreement),
        pairs=tuple(pairs),
        test=test,
        adjust=adjustment,
        claim="new systems" if test == "perm-sys" else "these systems",
        alpha=options.alpha,
        unit="segment" if found.documents is None else "document",
        n_units=judged.sizes.size,
        resamples=resamples,
        exhaustive=exhaustive,
        seed=options.seed,
        inputs=found.inputs,
        fingerprint=_digest(found),
        computed=computed.metrics,
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
        notes=(*found.notes, *notes, *_doubts(found, judged)),
    )


def _metrics(given: Any, computed: Mapping[str, SystemScores]) -> dict[str, SystemScores]:
    if isinstance(given, Mapping):
        named = {str(name): one for name, one in given.items()}
    else:
        paths = [given] if isinstance(given, str | os.PathLike) else list(given)
        named = dict(metric_files([os.fspath(one) for one in paths]))
    if not named and not computed:
        raise InputError("there is no metric", hint="give files of segment scores, one per metric, or outputs to score")
    if _HUMAN in named:
        raise InputError(f"a metric cannot be named {_HUMAN!r}", hint="name it otherwise: NAME=FILE")
    for name in named.keys() & computed.keys():
        raise InputError(f"{name!r} is read and computed", hint="name the file otherwise: NAME=FILE")
    return {**computed, **{name: as_scores(one, name) for name, one in named.items()}}


def _turned(found: Judgements, names: Sequence[str]) -> Judgements:
    """Change the sign of scores of which lower ones are better."""
    for name in names:
        if name != _HUMAN and name not in found.metrics:
            raise one_of("lower_is_better", name, [*found.metrics, _HUMAN])
    signs = np.array([-1.0 if name in names else 1.0 for name in found.metrics])
    own = -1.0 if _HUMAN in names else 1.0
    return replace(
        found,
        human=own * found.human,
        human_systems=own * found.human_systems,
        scores=signs[:, None, None] * found.scores,
        metric_systems=signs[:, None] * found.metric_systems,
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

    def __init__(self, name: str, judged: Judged, options: AgreeOptions, test: str, adjustment: str) -> None:
        own = Assessment(name, judged, resamples=options.resamples, seed=options.seed)
        self.own, self.measure, self.judged, self.alpha = own, own.measure, judged, options.alpha
        self.new_systems = test == "perm-sys"
        self.freedom = own.freedom(new_systems=self.new_systems)
        self.variances = own.variances(new_systems=self.new_systems)
        self.delta_variances = own.delta_variances(new_systems=self.new_systems)
        self.p, self.adjusted = self._tested(test, adjustment)

    def _tested(self, test: str, adjustment: str) -> tuple[list[float], list[float]]:
        """Return the p-values of all pairs of metrics, and the adjusted ones."""
        if not self.judged.metric_pairs:
            return [], []
        if test == "documents":
            p = self.own.t_tests(new_systems=False)
            return p, adjust(p, adjustment)
        swapped = self.own.swapped(test)
        p = swapped.p_values()
        if adjustment != MAXT:
            return p, adjust(p, adjustment)
        adjusted = max_t(swapped.observed.tolist(), list(swapped.nulls), slack=[swapped.slack] * len(p))
        return p, [max(pair) for pair in zip(p, adjusted, strict=True)]

    def _interval(self, middle: float, variance: float, least: float, most: float) -> Interval:
        half = student_quantile(1.0 - self.alpha / 2.0, self.freedom) * float(np.sqrt(variance))
        return Interval(max(least, middle - half), min(most, middle + half), 1.0 - self.alpha, "t")

    def _no_narrower(self, interval: Interval, value: float) -> Interval:
        """Widen the interval of a share of pairs to that of independent ones: pairs that share systems tell no more.

        Otherwise a metric with all pairs right would be certain to have those of new systems right.
        """
        if self.measure.smooth or not self.new_systems:
            return interval
        pairs = self.judged.pairs.first.size
        low, high = clopper_pearson(round(value * pairs), pairs, 1.0 - self.alpha)
        return replace(interval, low=min(low, interval.low), high=max(high, interval.high))

    def agreement(self, names: Sequence[str]) -> list[AgreedMetric]:
        """Return the metrics, the highest agreement first."""
        better = np.zeros((len(names), len(names)), bool)
        for (a, b), delta, p in zip(self.judged.metric_pairs, self.own.deltas, self.adjusted, strict=True):
            if p <= self.alpha and delta != 0.0:
                better[(b, a) if delta > 0.0 else (a, b)] = True
        ranking = rank_systems(np.round(self.own.values, 9), better)
        chance = self.measure.chance()
        thresholds = self.measure.thresholds() if hasattr(self.measure, "thresholds") else [None] * len(names)
        least = -1.0 if self.measure.name in ("kendall", "pearson", "system-pearson") else 0.0
        found = []
        for place in ranking.order:
            value, variance = float(self.own.values[place]), self.variances[place]
            found.append(
                AgreedMetric(
                    measure=self.measure.name,
                    metric=names[place],
                    value=min(max(value, least), 1.0),
                    interval=self._no_narrower(self._interval(value, variance, least, 1.0), value),
                    standard_error=float(np.sqrt(variance)),
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
        for place, (a, b) in enumerate(self.judged.metric_pairs):
            delta, variance, adjusted = self.own.deltas[place], self.delta_variances[place], self.adjusted[place]
            shown = adjusted <= self.alpha and delta != 0.0
            found.append(
                AgreedPair(
                    measure=self.measure.name,
                    baseline=names[a],
                    metric=names[b],
                    delta=delta,
                    interval=self._interval(delta, variance, -2.0, 2.0),
                    standard_error=float(np.sqrt(variance)),
                    p=self.p[place],
                    p_adjusted=adjusted,
                    better=delta > 0.0 if shown else None,
                )
            )
        return found


def _doubts(found: Judgements, judged: Judged) -> list[Note]:
    """Say which metrics go against people: their lower scores may be the better ones."""
    human = found.human - found.human.mean()
    against = [
        name
        for name, own in zip(found.metrics, judged.standardised, strict=True)
        if float((own * human).mean()) < 0.0
        and float(np.mean((own.mean(axis=1) - own.mean()) * (human.mean(axis=1)))) < 0.0
    ]
    text = "scores are lower where people's are higher. Are lower ones better? Then say so"
    return [Note("against-people", text, scope=name, warning=True) for name in against]


def _digest(found: Judgements) -> str:
    digest = hashlib.sha256("\0".join((*found.systems, *found.metrics)).encode())
    for values in (found.human, found.scores, found.human_systems, found.metric_systems):
        digest.update(np.ascontiguousarray(values, "<f8").tobytes())
    if found.documents is not None:
        digest.update(found.documents.astype("<i8").tobytes())
    return digest.hexdigest()[:16]
