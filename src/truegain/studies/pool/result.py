"""Result over several test sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from truegain.inference.intervals import Alpha
from truegain.inference.results import Comparison, MetricInfo
from truegain.results import Result, no_entry
from truegain.rows import Seed, field
from truegain.studies.compare.result import CompareResult
from truegain.studies.pool.parts import Replicability


class PooledResult(Result, tag="pool", kw_only=True):
    """Systems compared on every test set, over all of them, and on how many a gain is shown.

    ``result["news"]`` is the comparison on one test set; ``result.macro["bleu", "new"]`` that of the mean over sets.
    """

    title = "Does the gain hold over test sets?"
    study: ClassVar[str] = "pool"

    sets: Annotated[tuple[CompareResult, ...], field("One per test set, each as compare gives it.", min_length=1)]
    micro: Annotated[CompareResult | None, field("All segments as one corpus; none if there is one test set.")]
    macro: Annotated[CompareResult | None, field("The mean of the sets' scores; none if there is one test set.")]
    replicability: Annotated[
        tuple[Replicability, ...], field("For every metric of which one way is better, and every pair.")
    ]
    alpha: Alpha
    seed: Annotated[Seed, field("The seed of the resamples.")]

    def to_dict(self) -> dict[str, Any]:
        """See :meth:`truegain.results.Result.to_dict`; the comparisons in it have their sentences, too."""
        over_all = {"micro": self.micro, "macro": self.macro}
        return (
            super().to_dict()
            | {"sets": [one.to_dict() for one in self.sets]}
            | {key: None if one is None else one.to_dict() for key, one in over_all.items()}
        )

    def heading(self) -> str:
        """Name what is compared, and on how many test sets."""
        return f"{self.sets[0].heading()} on {len(self.sets)} test set{'' if len(self.sets) == 1 else 's'}"

    def __getitem__(self, testset: str) -> CompareResult:
        for one in self.sets:
            if one.testset.name == testset:
                return one
        raise no_entry(testset, (one.testset.name for one in self.sets), "; of their mean there is result.macro[…]")

    def _keys(self) -> list[tuple[str, ...]]:
        return [(one.testset.name,) for one in self.sets]

    def __iter__(self) -> Iterator[CompareResult]:
        return iter(self.sets)

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        """The metrics, as the first test set has them."""
        return self.sets[0].metrics

    @property
    def baseline(self) -> str | None:
        """Baseline; None if all systems are compared with each other."""
        return self.sets[0].baseline

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs that were compared: the system compared with, and the one compared."""
        return [(one.baseline, one.system) for one in self.sets[0].primary_tests(self.metrics[0].key)]

    @property
    def levels(self) -> list[tuple[str, CompareResult]]:
        """Every test set by its name; then all segments, and the mean over the sets."""
        found = [(one.testset.name, one) for one in self.sets]
        for label, one in (("all segments (micro)", self.micro), ("mean of sets (macro)", self.macro)):
            found += [] if one is None else [(label, one)]
        return found

    def replicated(self, metric: str, system: str, baseline: str | None = None) -> Replicability:
        """Return on how many test sets a system is shown to be better than the baseline, or than another system."""
        for one in self.replicability:
            if (one.metric, one.system) == (metric, system) and baseline in (None, one.baseline):
                return one
        raise KeyError((metric, system, baseline))

    def decimals(self, metric: MetricInfo, decimals: int | None = None) -> int:
        """Return how many decimals scores are shown with."""
        return int(self._view.decimals_of(self, metric, decimals))

    def verdicts(self, decimals: int | None = None) -> list[str]:
        """Say what holds over all test sets, and on how many of them, metric by metric."""
        return list(self._view.verdicts(self, decimals))

    def methods(self) -> str:
        """Describe the method in a few sentences, to paste into a paper."""
        return str(self._view.methods(self))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, found = self.sets[0].used()
        for _, one in self.levels[1:]:
            found += one.used()[1]
        return metrics, list(dict.fromkeys([*found, "pool"]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per comparison: of every test set, with its groups, then of all and of their mean."""
        grouped = any(one.groups is not None for one in self.sets)
        records = []
        for label, level in self.levels:
            head: dict[str, Any] = {"testset": label, "pooling": _POOLING.get(label, "")}
            head |= {"group": ""} if grouped else {}
            found = level.to_records()
            claims = [self._claim(label, one) for one in level.comparisons]
            claims += [dict.fromkeys(claims[0])] * (len(found) - len(claims))  # of groups
            records += [head | record | claim for record, claim in zip(found, claims, strict=True)]
        return records

    def _claim(self, label: str, comparison: Comparison) -> dict[str, Any]:
        """Return what a test set says for the claim about several of them, and on how many it is shown."""
        mine = [
            one
            for one in self.replicability
            if (one.metric, one.baseline, one.system) == (comparison.metric, comparison.baseline, comparison.system)
        ]
        evidence = [piece for one in mine for piece in one.sets if piece.testset == label]
        return {
            "p_one_sided": evidence[0].p if evidence else None,
            "p_over_sets": evidence[0].p_adjusted if evidence else None,
            "sets_shown": mine[0].shown if mine else None,
            "sets": len(self.sets),
        }


_POOLING = {"all segments (micro)": "micro", "mean of sets (macro)": "macro"}
