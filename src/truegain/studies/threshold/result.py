"""Result of a study of thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from truegain.inference.intervals import ALPHAS
from truegain.inference.results import Metrics, Scores, TestSet, Unit, Units
from truegain.results import Result
from truegain.rows import Number, Seed, field, record
from truegain.studies.threshold.parts import GROUPS, GainPair, Labelled, SizeLaw, Threshold, ThresholdAtSize

_COLUMNS = (
    "metric baseline system baseline_label system_label group baseline_score system_score delta p confidence se "
    "exceedances threshold alpha unit n_units resamples seed"
)


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
    alpha: Annotated[
        float,
        field("The level of the tests, which are one-sided.", gt=ALPHAS[0] / 2, lt=0.5),
    ]
    unit: Unit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    draws: Annotated[Number, field("The number of draws of systems, for the intervals; 0 if there are none.")]
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
        return list(self._view.verdicts(self, decimals))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(self._view.methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, found = super().used()
        test = "stationary-bootstrap" if self.unit == "block" else "bootstrap"
        return metrics, list(dict.fromkeys([*found, test, "threshold"]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        labels = {one.system: one.label for one in self.labels}
        scores = {(one.metric, one.name): one.score for one in self.scores}
        gains = {one.metric: one.gain for one in self.thresholds if (one.group, one.unit) == ("all", self.unit)}
        whole = self.columns()
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
            records.append(record(_COLUMNS, own, one, whole))
        return records
