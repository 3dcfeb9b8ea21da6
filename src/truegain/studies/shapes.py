"""What results of all studies are made of, as plain data: where that differs from the fields, and what must fit."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Annotated, Any

from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.inference.claims import Claim
from truegain.inference.dependence import Dependence
from truegain.inference.intervals import ALPHAS, INTERVALS, Interval
from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.inference.pvalues import PValue
from truegain.inference.results import CAVEATS, Caveat, Comparison, MetricInfo, SystemScore, TestSet, Variability
from truegain.inference.under_null import Bins, Student
from truegain.inputs import InputFile, Inputs
from truegain.registry import TESTS
from truegain.studies.codec import Filled, Form, OneOf, Ordered, Shape, Within

__all__ = [
    "ALPHA",
    "COUNT",
    "ENDS",
    "INTERVAL",
    "LEVEL",
    "METRICS",
    "P_VALUE",
    "SCORES",
    "SEED",
    "SHAPES",
    "SHARE",
    "SPREAD",
    "TEST",
    "TESTED_UNIT",
    "UNIT",
    "names_fit",
    "pairs_fit",
    "segments_fit",
]

METRICS = Annotated[tuple[MetricInfo, ...], Filled()]
SCORES = Annotated[tuple[SystemScore, ...], Filled()]
SHARE = Annotated[float, Within(0.0, 1.0)]
ALPHA = Annotated[float, Within(*ALPHAS)]
LEVEL = Annotated[float, Within(1e-4, 1.0 - 1e-10)]
SEED = Annotated[int, Within(0, 2**64 - 1)]
TEST = Annotated[str, OneOf(tuple(TESTS))]
UNIT = Annotated[str, OneOf(("segment", "document", "block", "domain", "testset"))]
TESTED_UNIT = Annotated[str, OneOf(("segment", "document", "block", "domain", "test set", "run"))]
_SIDES = Annotated[str, OneOf(("two-sided", "greater", "less", "observed"))]
_ADJUSTMENT = Annotated[str, OneOf(ADJUSTMENTS)]
_CI_METHOD = Annotated[str, OneOf((*INTERVALS, "t"))]
SPREAD = Annotated[float, Within(0.0)]
COUNT = Annotated[int, Within(1)]
MOST_REFERENCES = 1 << 16  # records have a column for each

ENDS = Annotated[tuple[float, float], Ordered()]

INTERVAL = Form(
    {"ci": ENDS, "ci_level": LEVEL, "ci_method": _CI_METHOD},
    lambda one: ((one.low, one.high), one.level, one.method),
    lambda ends, level, method: Interval(ends[0], ends[1], level, method),
)


def _no_or_interval(ends: tuple[float, float] | None, level: float | None, method: str | None) -> Interval | None:
    if ends is None or level is None or method is None:
        if (ends, level, method) != (None, None, None):
            raise ValueError("ci, ci_level and ci_method are null together or not at all")
        return None
    return Interval(*ends, level, method)


def _p_value(p: float, exceedances: int, resamples: int, sequence: tuple[float, float] | None) -> PValue:
    if exceedances > resamples:
        raise ValueError(f"there are more exceedances than resamples: {exceedances:,} of {resamples:,}")
    return PValue(p, exceedances, resamples, sequence)


P_VALUE = Form(
    {"p": SHARE, "exceedances": int, "resamples": int, "p_sequence": Annotated[tuple[SHARE, SHARE], Ordered()] | None},
    lambda one: (one.p, one.exceedances, one.resamples, one.sequence),
    _p_value,
    {"p_mc": lambda one: one.interval},
)


def _score_faults(score: SystemScore) -> Iterator[tuple[str, str]]:
    if len(score.run_names) != len(score.run_scores):
        yield "run_names", f"{len(score.run_scores)} names were expected, one a score; found {len(score.run_names)}"


def _bins_faults(bins: Bins) -> Iterator[tuple[str, str]]:
    if not bins.low < bins.high:
        yield "high", f"a number above low, {bins.low:g}, was expected; found {bins.high:g}"
    if not any(bins.counts):
        yield "counts", "a resample in some bin was expected; found none"


def _moved_faults(pair: ChangedPair) -> Iterator[tuple[str, str]]:
    for side in ("up", "down"):
        if (count := getattr(pair, f"{side}_count")) < (listed := len(getattr(pair, side))):
            yield f"{side}_count", f"{listed:,} or more, as many as are listed, was expected; found {count:,}"
        for i, one in enumerate(getattr(pair, side)):
            if pair.delta == 0.0 and one.share is not None:
                yield f"{side}[{i}].share", f"null was expected, as delta is 0; found {one.share:g}"
            for whose in ("baseline_statistics", "system_statistics"):
                if (found := len(getattr(one, whose))) != (named := len(pair.statistic_names)):
                    yield f"{side}[{i}].{whose}", f"a list of {named}, as many as named, was expected; found {found}"


#: Of the classes that several studies share.
SHAPES: dict[type, Shape] = {
    TestSet: Shape(types={"segments": COUNT, "references": Annotated[int, Within(0, MOST_REFERENCES)]}),
    Dependence: Shape(
        types={"p": SHARE, "permutations": COUNT, "segments": COUNT, "series": COUNT, "ratio": SPREAD},
        derived={"found": lambda one: one.found},
    ),
    Inputs: Shape(derived={"runs": lambda inputs: inputs.runs}),
    InputFile: Shape(types={"samples": Annotated[tuple[COUNT, COUNT], Ordered()]}),
    MetricInfo: Shape(names={"key": "metric"}),
    SystemScore: Shape(
        types={"run_scores": Annotated[tuple[float, ...], Filled()]},
        forms={
            "interval": Form(
                {"ci": ENDS | None, "ci_level": LEVEL | None, "ci_method": _CI_METHOD | None},
                lambda one: (None, None, None) if one is None else INTERVAL.take(one),
                _no_or_interval,
            )
        },
        derived={"runs": lambda score: score.runs},
        first=("name", "runs"),
        faults=_score_faults,
    ),
    Variability: Shape(types={"runs": COUNT}),
    Comparison: Shape(
        names={"overlap": "ci_overlap"},
        types={
            "p_adjusted": SHARE,
            "adjustment": _ADJUSTMENT,
            "test": TEST,
            "asked": TEST,
            "unit": TESTED_UNIT,
            "seed": SEED,
            "alternative": _SIDES,
            "design_effect": SPREAD | None,
            "overlap": SHARE | None,
        },
        forms={
            "interval": INTERVAL,
            "p_value": P_VALUE,
        },
        derived={"marked": lambda one: one.marked},
    ),
    Claim: Shape(derived={"text": str}, first=("text",)),
    Caveat: Shape(types={"kind": Annotated[str, OneOf(CAVEATS)]}),
    Bins: Shape(kind="bins", types={"counts": Annotated[tuple[int, ...], Filled()]}, faults=_bins_faults),
    Student: Shape(
        kind="t",
        types={"scale": Annotated[float, Within(0.0, open=True)], "freedom": Annotated[float, Within(0.0, open=True)]},
    ),
    ChangedSegment: Shape(types={"number": COUNT}),
    ChangedPair: Shape(faults=_moved_faults),
}


def names_fit(result: Any) -> Iterator[tuple[str, str]]:
    """Where a result speaks of a metric or a system that it does not hold, or holds one twice."""
    metrics = [one.key for one in result.metrics]
    if len(set(metrics)) < len(metrics):
        yield "metrics", f"a metric is there twice: {', '.join(metrics)}"
    scores = getattr(result, "scores", ())
    scored = {(one.metric, one.name) for one in scores}
    if len(scored) < len(scores):
        yield "systems", "a system has two scores under one metric"
    for one in fields(result):
        held = getattr(result, one.name)
        for number, part in enumerate(held if isinstance(held, tuple) else ()):
            if (metric := getattr(part, "metric", None)) is None:
                continue
            place = f"{result.shape.names.get(one.name, one.name)}[{number}]"
            if metric not in metrics:
                yield f"{place}.metric", f"one of the metrics {', '.join(metrics)} was expected; found {metric!r}"
            for who in ("baseline", "system") if scores else ():
                name = getattr(part, who, None)
                if name is not None and (metric, name) not in scored:
                    yield f"{place}.{who}", f"{name!r} has no score under {metric!r} among the systems"


def pairs_fit(result: Any, metric: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the pairs of a result that has one of every two systems under a metric."""
    scored = [score.name for score in result.scores if score.metric == metric]
    wanted = {frozenset(pair) for pair in itertools.combinations(scored, 2)}
    found = [frozenset((pair.baseline, pair.system)) for pair in result.pairs if pair.metric == metric]
    if len(found) != len(wanted) or set(found) != wanted:
        yield (
            "pairs",
            f"every two systems once were expected under {metric!r}: {len(wanted):,} pairs; found {len(found):,}",
        )


def segments_fit(place: str, segments: Sequence[ChangedSegment], testset: TestSet) -> Iterator[tuple[str, str]]:
    """Yield which of the segments listed at a place the test set cannot have."""
    for i, segment in enumerate(segments):
        if segment.number > testset.segments:
            yield f"{place}[{i}].number", f"there are {testset.segments:,} segments"
        if (found := len(segment.references)) > testset.references:
            yield f"{place}[{i}].references", f"a list of up to {testset.references} was expected; found {found}"
