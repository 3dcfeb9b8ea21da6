"""Consistency of results that were read: metrics, systems, pairs and segments that must fit together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from truegain.changed_segments import ChangedSegment
from truegain.fields import fields_of
from truegain.inference.results import TestSet


def names_fit(result: Any) -> Iterator[tuple[str, str]]:
    """Yield metrics and systems that a result names and does not hold, or holds twice."""
    metrics = [one.key for one in result.metrics]
    if len(set(metrics)) < len(metrics):
        yield "metrics", f"a metric occurs twice: {', '.join(metrics)}"
    scores = getattr(result, "scores", ())
    scored = {(one.metric, one.name) for one in scores}
    if len(scored) < len(scores):
        yield "systems", "a system has two scores under one metric"
    for one in fields_of(type(result)):
        held = getattr(result, one.name)
        for number, part in enumerate(held if isinstance(held, tuple) else ()):
            if (metric := getattr(part, "metric", None)) is None:
                continue
            place = f"{one.key}[{number}]"
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
