"""Result of a study of thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.fields import Field, Shape, documented
from truegain.inference.intervals import ALPHAS
from truegain.inference.results import Metrics, Scores, TestSet, Unit, Units
from truegain.notes import Notes
from truegain.rules import Filled, OneOf, Seed, Within
from truegain.studies import view_of
from truegain.studies.consistency import names_fit, pairs_fit
from truegain.studies.records import record
from truegain.studies.result import METHODS, VERDICTS, Command, Result, Signature, Version
from truegain.studies.threshold.parts import GROUPS, GainPair, Labelled, SizeLaw, Threshold, ThresholdAtSize
from truegain.version import __version__

_COLUMNS = (
    "metric baseline system baseline_label system_label group baseline_score system_score delta p confidence se "
    "exceedances threshold alpha unit n_units resamples seed"
)


def _faults(result: ThresholdResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    yield from _group_faults(result)
    for metric in result.metrics:
        mine = [(one.group, one.unit) for one in result.thresholds if one.metric == metric.key]
        if ("all", result.unit) not in mine:
            yield "thresholds", f"one of all pairs over {result.unit}s was expected under {metric.key!r}"
        if len(set(mine)) < len(mine):
            yield "thresholds", f"one occurs twice under {metric.key!r}"
        yield from pairs_fit(result, metric.key)
        laws = sum(one.metric == metric.key for one in result.laws)
        sized = [one.units for one in result.sizes if one.metric == metric.key]
        if laws != (1 if sized else 0):
            yield "laws", f"one law was expected where there are sizes, under {metric.key!r}; found {laws}"
        if sized != sorted(set(sized)) or len(sized) == 1:
            yield "sizes", f"two or more, each larger than the one before, were expected under {metric.key!r}"
    if result.labels:
        names = {one.name for one in result.scores}
        if {one.system for one in result.labels} != names or len(result.labels) != len(names):
            yield "labels", "every system once was expected"


def _group_faults(result: ThresholdResult) -> Iterator[tuple[str, str]]:
    known = result.group_names
    if len(set(known)) < len(known) or (result.labels and result.classes):
        yield "classes", "classes of other names than all, each once, were expected, or labels"
    for number, threshold in enumerate(result.thresholds):
        if threshold.group not in known:
            yield f"thresholds[{number}].group", f"one of {', '.join(known)} was expected; found {threshold.group!r}"
    for number, one in enumerate(result.pairs):
        wanted = known[1:] if result.labels else (None, *known[1:])
        if one.group not in wanted:
            yield f"pairs[{number}].group", "pairs are of a group where systems have labels or pairs classes, as named"


@documented
@dataclass(frozen=True, repr=False)
class ThresholdResult(Result):
    """The gain that is usually significant on a test set, and all pairs that say so.

    ``result["bleu"]`` is the gain under a metric, over all pairs; :meth:`threshold` finds those of groups.
    """

    title = "What gain is usually significant?"
    study: ClassVar[str] = "threshold"
    shape: ClassVar[Shape] = Shape(
        prose={"verdicts": VERDICTS, "methods": METHODS},
        first=("alpha", "testset", "unit", "n_units", "resamples", "draws", "seed"),
        faults=_faults,
    )

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    scores: Scores
    thresholds: Annotated[
        tuple[Threshold, ...],
        Filled(),
        Field(
            "Metric by metric: over the units chosen, and over segments if these are documents; of all pairs, of those "
            "with one label and with two, and of each class of pairs."
        ),
    ]
    pairs: Annotated[
        tuple[GainPair, ...], Filled(), Field("Every two systems, metric by metric, over the units chosen.")
    ]
    labels: Annotated[tuple[Labelled, ...], Field("The labels of systems; empty if they have none.")]
    sizes: Annotated[tuple[ThresholdAtSize, ...], Field("On parts of the test set; empty if none were asked for.")]
    laws: Annotated[tuple[SizeLaw, ...], Field("One for each metric, if there are sizes.")]
    subsets: Annotated[str, OneOf(("initial", "random")), Field("Which units the parts are made of.")]
    alpha: Annotated[
        float,
        Within(ALPHAS[0] / 2, 0.5, open=True),
        Field("The level of the tests, which are one-sided."),
    ]
    unit: Unit
    n_units: Units
    resamples: Annotated[int, Field("The number of resamples.")]
    draws: Annotated[int, Field("The number of draws of systems, for the intervals; 0 if there are none.")]
    seed: Annotated[Seed, Field("The seed of the resamples.")]
    signature: Signature
    classes: Annotated[
        tuple[str, ...], Field("The classes of pairs, as they were given; empty if there are none.")
    ] = ()
    notes: Notes = ()
    command: Command = ""
    version: Version = __version__

    def __getitem__(self, metric: str) -> Threshold:
        return self.threshold(metric)

    def __iter__(self) -> Iterator[Threshold]:
        return iter(self.thresholds)

    def threshold(self, metric: str, group: str = "all", unit: str | None = None) -> Threshold:
        """Return the threshold of a group of pairs, over the units chosen or over others."""
        for one in self.thresholds:
            if (one.metric, one.group, one.unit) == (metric, group, unit or self.unit):
                return one
        raise KeyError((metric, group, unit or self.unit))

    def groups(self, metric: str) -> list[Threshold]:
        """Return the thresholds over the units chosen: of all pairs first."""
        mine = [one for one in self.thresholds if (one.metric, one.unit) == (metric, self.unit)]
        return sorted(mine, key=lambda one: self.group_names.index(one.group))

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups that there can be, all pairs first."""
        return ("all", *self.classes) if self.classes else GROUPS if self.labels else ("all",)

    def over_segments(self, metric: str, group: str = "all") -> Threshold | None:
        """Return the threshold over segments, if documents were chosen."""
        if self.unit == "segment":
            return None
        found = [one for one in self.thresholds if (one.metric, one.group, one.unit) == (metric, group, "segment")]
        return found[0] if found else None

    def law(self, metric: str) -> SizeLaw | None:
        """Return how the threshold falls with the size, if that was asked for."""
        return next((one for one in self.laws if one.metric == metric), None)

    def verdicts(self, decimals: int | None = None) -> list[str]:
        """Say the gain that usually suffices, and how it falls with the size: a few sentences for each metric."""
        return list(view_of(self.study).verdicts(self, decimals))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(view_of(self.study).methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.studies.result.Result.used`."""
        metrics, found = super().used()
        test = "stationary-bootstrap" if self.unit == "block" else "bootstrap"
        return metrics, list(dict.fromkeys([*found, test, "threshold"]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        labels = {one.system: one.label for one in self.labels}
        scores = {(one.metric, one.name): one.score for one in self.scores}
        gains = {one.metric: one.gain for one in self.thresholds if (one.group, one.unit) == ("all", self.unit)}
        records = []
        for one in self.pairs:
            own = {
                "baseline_label": labels.get(one.baseline),
                "system_label": labels.get(one.system),
                "baseline_score": scores[one.metric, one.baseline],
                "system_score": scores[one.metric, one.system],
                "confidence": 1.0 - one.p,
                "threshold": gains[one.metric],
            }
            records.append(record(_COLUMNS, own, one, self))
        return records
