"""Several test sets as one: all their segments together, or the mean of their scores.

Resamples are drawn within each test set, independently of the others, whatever the sets' sizes. Runs are the same
trained models on every set, so a run has one pooled score, and what runs vary by does not average out over sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache
from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.experiment.matching import run_labels
from truegain.experiment.outcomes import ItemScores
from truegain.experiment.prepared import Experiment
from truegain.experiment.units import strata_taken
from truegain.inference.distributions import normal_quantile, student_quantile
from truegain.inference.pvalues import degrees_of_freedom
from truegain.inputs import Inputs
from truegain.notes import Note
from truegain.resampling.generator import resample_keys
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units
from truegain.statistics import SegmentStatistics, collect, mean_of_runs
from truegain.words import listing

if TYPE_CHECKING:
    from truegain.repeats import Repeats

_JOINED = "all test sets"


def joined(experiments: Sequence[Experiment], *, cache: Cache | None = None) -> Experiment:
    """Join all segments of all test sets to one corpus, whose units are drawn within each set.

    A metric whose statistics depend on all references (those with a ``condition``) is computed again.

    Parameters
    ----------
    experiments : sequence of Experiment
        As :func:`truegain.experiment.matching.matched` gives them, with one seed.
    cache : Cache, optional
        For what is computed again.
    """
    together = _side_by_side(experiments)
    blocks = [block for block in together.statistics.blocks if getattr(block.metric, "condition", None) is not None]
    if not blocks:
        return together
    metrics = {block.key: block.metric for block in blocks}
    anew = collect(together.corpus, metrics, cache=cache, workers=together.engine.workers)
    values = together.statistics.values.copy()
    for block, found in zip(blocks, anew.blocks, strict=True):
        values[:, block.columns] = anew.values[:, found.columns]
    return replace(together, statistics=SegmentStatistics(values, together.statistics.blocks))


def _side_by_side(experiments: Sequence[Experiment]) -> Experiment:
    """Join all segments of all test sets, each with the statistics that it has on its own set."""
    first = experiments[0]
    units = _joined_units([one.units for one in experiments])
    values = np.concatenate([one.statistics.values for one in experiments])
    tests = [test for one in experiments for test in one.dependence.items()]
    return replace(
        first,
        corpus=_joined_corpus([one.corpus for one in experiments]),
        statistics=SegmentStatistics(values, first.statistics.blocks),
        units=units,
        notes=(),
        dependence=dict(sorted(tests, key=lambda test: (test[1].found, test[1].largest_ratio))),  # the strongest stays
        test_sets=len(experiments),
    )


def _joined_units(members: Sequence[Units]) -> Units:
    """Join the units of all test sets, each within its own: test sets are strata, and strata inside them stay."""
    kinds = list(dict.fromkeys(one.kind for one in members))
    edges = np.cumsum([0, *(one.count for one in members)])
    parts = [one.of_segment + edge for one, edge in zip(members, edges[:-1].tolist(), strict=True)]
    return Units(
        # Where only some test sets have documents, a segment of the others stands for one.
        kinds[0] if len(kinds) == 1 else "document",
        np.concatenate(parts),
        int(edges[-1]),
        tuple(size for one in members for size in one.strata),
    )


def _joined_corpus(members: Sequence[Corpus]) -> Corpus:
    most = max(len(one.references) for one in members)
    padded = [[*one.references, *[(None,) * one.segments] * (most - len(one.references))] for one in members]
    documents = None
    if any(one.documents is not None for one in members):
        documents = tuple(
            f"{one.name}: {i + 1 if one.documents is None else one.documents[i]}"
            for one in members
            for i in range(one.segments)
        )
    systems = []
    for system in members[0].systems:
        runs = [
            _joined_run(label, [one.system(system.name).runs[r] for one in members])
            for r, label in enumerate(run_labels(system))
        ]
        systems.append(System(system.name, tuple(runs)))
    return Corpus(
        name=_JOINED,
        segments=sum(one.segments for one in members),
        references=tuple(tuple(line for side in padded for line in side[r]) for r in range(most)),
        systems=tuple(systems),
        documents=documents,
        inputs=Inputs.together(one.inputs for one in members),
        sources=_joined_sources(members),
    )


def _joined_sources(members: Sequence[Corpus]) -> tuple[str, ...] | None:
    if any(one.sources is None for one in members):
        return None
    return tuple(line for one in members for line in one.sources or ())


def _joined_run(label: str, runs: Sequence[Run]) -> Run:
    outputs = None
    if all(run.outputs is not None for run in runs):
        outputs = tuple(line for run in runs for line in run.outputs or ())
    columns = [key for key in runs[0].scores if all(key in run.scores for run in runs)]
    scores = {key: np.concatenate([run.scores[key] for run in runs]) for key in columns}
    samples = list(dict.fromkeys(run.sample for run in runs))
    if len(samples) > 1:
        raise InputError(
            f"a run has the training sample {samples[0]!r} on one test set and {samples[1]!r} on another",
            path=runs[0].name,
            hint="name the files of a run by the same training sample on all test sets",
        )
    repeats, answers = (_joined_repeats(own) for own in zip(*((r.repeats, r.answers) for r in runs), strict=True))
    return Run(label, outputs, scores, sample=samples[0], repeats=repeats, answers=answers)


def _joined_repeats(parts: Sequence[Mapping[str, Repeats]]) -> dict[str, Repeats]:
    """Return the samples of columns that have them on every test set."""
    repeated = [key for key in parts[0] if all(key in part for part in parts)]
    if not repeated:
        return {}
    from truegain.repeats import joined_repeats

    return {key: joined_repeats([part[key] for part in parts]) for key in repeated}


@dataclass(frozen=True)
class AveragedExperiment(Experiment):
    """Mean of the scores over test sets, each resampled for itself.

    What it inherits but does not compute from its members (units, statistics, the table) is that of all segments
    together: what is counted, not what is scored.

    Attributes
    ----------
    members : tuple of Experiment
        One per test set, with seeds of their own: two sets of one size do not share their draws.
    """

    members: tuple[Experiment, ...] = ()

    @property
    def averaged(self) -> tuple[Experiment, ...]:
        """See :class:`Experiment`."""
        return self.members

    @cached_property
    def run_scores(self) -> list[NDArray[np.float64]]:
        """See :class:`Experiment`."""
        return [mean_of_runs(np.stack(ones)) for ones in zip(*(one.run_scores for one in self.members), strict=True)]

    @cached_property
    def rounding(self) -> NDArray[np.float64]:
        """See :class:`Experiment`."""
        return np.asarray(np.max([one.rounding for one in self.members], axis=0))

    def bootstrap_runs(self, resamples: int, *, first: int = 0, total: int | None = None) -> NDArray[np.float64]:
        """See :class:`Experiment`; deviations of a test set with n units are wider by √(n / (n − 1))."""
        means = np.zeros(())
        for one in self.members:
            observed = np.stack(one.run_scores)[..., None]
            drawn = one.bootstrap_runs(resamples, first=first, total=total)
            means = means + (observed + _widening(one.units) * (drawn - observed))
        return np.asarray(means / len(self.members))

    @cached_property
    def left_out_runs(self) -> NDArray[np.float64]:
        """See :class:`Experiment`; scaled so that the jackknife over all units gives each test set's own variance."""
        total = self.units.count
        parts = []
        for one in self.members:
            count = one.units.count
            scale = (count - 1) / count * total / (total - 1) / len(self.members)
            parts.append(scale * (one.left_out_runs - np.stack(one.run_scores)[..., None]))
        return np.asarray(np.stack(self.run_scores)[..., None] + np.concatenate(parts, axis=-1))

    @cached_property
    def run_contributions(self) -> NDArray[np.float64]:
        """See :class:`Experiment`: a unit contributes to its own test set, one of several."""
        return np.concatenate([one.run_contributions for one in self.members], axis=-1) / len(self.members)

    @cached_property
    def freedom(self) -> float:
        """Degrees of freedom of the mean's variance, after Satterthwaite (1946).

        A test set with k effective units has a part of 1 / k in it, were all segments the same; the smallest set, which
        counts as much as the others, decides.
        """
        numbers = np.array([one.units.effective_number for one in self.members])
        own = np.array([degrees_of_freedom(one.effective_units) for one in self.members])
        return float((1.0 / numbers).sum() ** 2 / (1.0 / (numbers**2 * own)).sum())

    @property
    def item_scores(self) -> list[tuple[ItemScores | None, ...]]:
        """None: a mean over test sets is no mean over their items."""
        return [(None,) * len(self.corpus.systems)] * len(self.statistics.blocks)

    @property
    def effective_units(self) -> float:
        """See :class:`Experiment`."""
        return self.freedom + 1.0

    def factor(self, level: float) -> float:
        """See :class:`Experiment`; the members' deviations are widened already."""
        probability = 1.0 - (1.0 - level) / 2.0
        return student_quantile(probability, self.freedom) / normal_quantile(probability)

    @property
    def few_units(self) -> str | None:
        """See :class:`Experiment`: of the test sets themselves, for the smallest counts as much as the others."""
        few = [f"{one.few_units} on {one.corpus.name}" for one in self.members if one.few_units is not None]
        return listing(few) if few else None

    def few_units_note(self, *, p_values: bool = True) -> Note | None:
        """See :class:`Experiment`."""
        if self.few_units is None:
            return None
        text = (
            f"With only {self.few_units}, which count as much in the mean over test sets as the others, bootstrap "
            "intervals tend to be too optimistic"
        )
        return Note("few-units", text)


def _widening(units: Units) -> float:
    return float(np.sqrt(units.count / (units.count - strata_taken(units))))


def averaged(experiments: Sequence[Experiment]) -> AveragedExperiment:
    """Return the mean of the scores over test sets.

    Parameters
    ----------
    experiments : sequence of Experiment
        As :func:`truegain.experiment.matching.matched` gives them, with one seed.
    """
    together = _side_by_side(experiments)
    seeds = resample_keys(together.seed, Stream.SET_SEEDS, 0, len(experiments)).tolist()
    return AveragedExperiment(
        together.corpus,
        together.statistics,
        together.units,
        together.engine,
        together.seed,
        together.notes,
        together.progress,
        dependence=together.dependence,
        test_sets=together.test_sets,
        members=tuple(replace(one, seed=seed) for one, seed in zip(experiments, seeds, strict=True)),
    )
