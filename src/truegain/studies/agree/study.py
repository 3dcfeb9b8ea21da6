"""Metrics held against people: how far they agree, and which agree better than which."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.agreement.judged import LEAST_SYSTEMS, Bootstrap, Jackknife, Judged, Resampled
from truegain.agreement.lookup import MEASURES, Measure, measures_of
from truegain.agreement.swaps import system_masks
from truegain.agreement.variances import document_variance, t_test, total_variance
from truegain.errors import InputError, Setting, one_of
from truegain.executors.threads import one_blas_thread
from truegain.experiment import check_count
from truegain.inference.distributions import student_quantile
from truegain.inference.intervals import ALPHAS, Interval
from truegain.inference.multiplicity import MAXT, adjust, max_t
from truegain.inference.pvalues import clopper_pearson, counted, degrees_of_freedom
from truegain.inference.ranking import rank_systems
from truegain.notes import Note
from truegain.readers.judgements import Judgements, SystemScores, as_scores, gather, metric_files
from truegain.resampling.design import check_seed
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.settings.agree import AgreeOptions
from truegain.settings.function import takes
from truegain.studies.agree.computed import computed_metrics
from truegain.studies.agree.result import AgreedMetric, AgreedPair, AgreeResult

__all__ = ["agree"]

_HUMAN = "human"
_DOCUMENT_STREAM = 706
_DRAWS = 1_000  # of documents, for the variance of a count
_SLACK = {"kendall": 1e-6}  # sums in single precision
_CLOSE = 1e-9

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
            measure = MEASURES[name](judged, resamples=options.resamples, seed=options.seed)
            try:
                own = _Assessed(measure, judged, options, test, adjustment)
            except _UndefinedError as error:
                if options.measures:
                    raise
                notes.append(Note("no-measure", f"{error.said}: left out", scope=measure.label))
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


class _UndefinedError(InputError):
    """A measure that these scores leave undefined."""


@dataclass(frozen=True)
class _Tested:
    """Pairs of metrics: differences, their variances, p-values."""

    deltas: list[float]
    variances: list[float]
    p: list[float]
    adjusted: list[float]


class _Assessed:
    """One measure of all metrics."""

    def __init__(self, measure: Measure, judged: Judged, options: AgreeOptions, test: str, adjustment: str) -> None:
        self.measure, self.judged, self.alpha = measure, judged, options.alpha
        self.new_systems = test == "perm-sys"
        documents = judged.sizes.size
        self.resampled: Resampled = Jackknife(documents)
        if not measure.smooth:
            keys = resample_keys(options.seed, _DOCUMENT_STREAM, 0, _DRAWS)
            self.resampled = Bootstrap(bootstrap_counts(keys, documents))
        self.values = measure.values()
        if not np.isfinite(self.values).all():
            said = "it is not defined, since people or a metric find all systems equal"
            raise _UndefinedError(said, path=measure.label)
        self.rows = measure.replicates(self.resampled)
        units = judged.effective_documents
        self.freedom = len(judged.human) - 1 if self.new_systems else degrees_of_freedom(units)
        self.variances = [self._variance(rows) for rows in self.rows]
        self.tested = self._test(options, test, adjustment)

    def _variance(self, rows: Array) -> float:
        if not np.isfinite(rows).all():
            said = "it has no variance, since without one of the units or systems it is not defined"
            raise _UndefinedError(said, path=self.measure.label)
        return (total_variance if self.new_systems else document_variance)(rows, self.resampled)

    def _test(self, options: AgreeOptions, test: str, adjustment: str) -> _Tested:
        places = self.judged.metric_pairs
        deltas = [float(self.values[b] - self.values[a]) for a, b in places]
        deltas = [0.0 if abs(one) < _CLOSE else one for one in deltas]
        variances = [self._variance(self.rows[b] - self.rows[a]) for a, b in places]
        if not places:
            return _Tested([], [], [], [])
        if test == "documents":
            documents = self.judged.sizes.size
            p = [t_test(*one, self.freedom, documents) for one in zip(deltas, variances, strict=True)]
            return _Tested(deltas, variances, p, adjust(p, adjustment))
        observed, nulls = self._swaps(options, test)
        slack = _SLACK.get(self.measure.name, _CLOSE)
        p = [counted(np.abs(null) >= abs(one) - slack).p for one, null in zip(observed.tolist(), nulls, strict=True)]
        if adjustment != MAXT:
            return _Tested(deltas, variances, p, adjust(p, adjustment))
        adjusted = max_t(observed.tolist(), list(nulls), slack=[slack] * len(p))
        return _Tested(deltas, variances, p, [max(pair) for pair in zip(p, adjusted, strict=True)])

    def _swaps(self, options: AgreeOptions, test: str) -> tuple[Array, Array]:
        measure: Any = self.measure
        if test == "perm-sys":
            masks, _ = system_masks(len(self.judged.human), options.resamples, options.seed)
            return self.measure.system_swaps(masks)
        swaps = measure.cell_swaps if test == "perm-both" else measure.pair_swaps
        found: tuple[Array, Array] = swaps(options.resamples, options.seed)
        return found

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
        tested = self.tested
        for (a, b), delta, p in zip(self.judged.metric_pairs, tested.deltas, tested.adjusted, strict=True):
            if p <= self.alpha and delta != 0.0:
                better[(b, a) if delta > 0.0 else (a, b)] = True
        ranking = rank_systems(np.round(self.values, 9), better)
        chance = self.measure.chance()
        thresholds = self.measure.thresholds() if hasattr(self.measure, "thresholds") else [None] * len(names)
        least = -1.0 if self.measure.name in ("kendall", "pearson", "system-pearson") else 0.0
        found = []
        for place in ranking.order:
            value, variance = float(self.values[place]), self.variances[place]
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
        tested = self.tested
        found = []
        for place, (a, b) in enumerate(self.judged.metric_pairs):
            delta, variance, adjusted = tested.deltas[place], tested.variances[place], tested.adjusted[place]
            shown = adjusted <= self.alpha and delta != 0.0
            found.append(
                AgreedPair(
                    measure=self.measure.name,
                    baseline=names[a],
                    metric=names[b],
                    delta=delta,
                    interval=self._interval(delta, variance, -2.0, 2.0),
                    standard_error=float(np.sqrt(variance)),
                    p=tested.p[place],
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
