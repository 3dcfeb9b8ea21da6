"""All pairs of systems, tested: from the scores that they share, or pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.inference.all_pairs import AllPairs
from truegain.inference.multiplicity import MAXT, STANDARDISING, adjust, max_t
from truegain.inference.pvalues import tolerance
from truegain.notes import Note
from truegain.procedures.base import Key, TestOutcome, Trial
from truegain.procedures.lookup import procedure
from truegain.report.model import whole
from truegain.studies.checks import not_shared

_GROUP = 50  # pairs whose differences are held at once, where a test makes them
_SCORES = 8_000_000  # resampled scores that are held
_MANY = 3  # notes of one kind that are said one by one
_HELD = 100_000_000  # differences that may be held where maxT needs all of them


@dataclass(frozen=True)
class Found:
    """Findings for all pairs under a metric, in their order."""

    deltas: NDArray[np.float64]
    p: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    exceedances: NDArray[np.int64]
    standard_errors: tuple[float | None, ...]
    notes: tuple[Note, ...] = field(default=())
    outcomes: tuple[TestOutcome, ...] = field(default=())  # of tests that look at each pair by itself

    @property
    def favoured(self) -> NDArray[np.bool_]:
        """Whether the test favours the system that scores better, pair by pair: the sign test, say, may not."""
        if not self.outcomes:
            return np.asarray(self.deltas != 0.0)
        directions = np.array([one.direction for one in self.outcomes])
        return np.asarray(directions * self.deltas > 0.0)


def by_bootstrap(trial: Trial, adjustment: str, jobs: int) -> list[Found]:
    """Test from the systems' own resampled scores: the first are held, the others counted as they come."""
    experiment, resamples = trial.experiment, trial.resamples
    held = held_resamples(trial)
    resampled = experiment.bootstrap(held)
    reporter = experiment.reporter("pairs", len(resampled) * resamples)
    families = [
        AllPairs(
            observed,
            scores,
            lower_is_better=block.metric.higher_is_better is False,
            factor=experiment.factor(1.0 - trial.alpha),
            freedom=experiment.freedom,
            jobs=jobs,
            progress=reporter,
            rounded=rounded,
        )
        for block, observed, rounded, scores in zip(
            experiment.statistics.blocks, experiment.scores, experiment.rounding, resampled, strict=True
        )
    ]
    maxima = adjustment == MAXT
    first = [pairs.count(maxima=maxima) for pairs in families]
    questions = [pairs.question(maxima=maxima) for pairs in families]
    rest = experiment.count_pairs(questions, held, resamples, reporter)
    found = []
    for m, (pairs, before, after) in enumerate(zip(families, first, rest, strict=True)):
        counted = before + after
        p = (counted.exceedances + 1) / (resamples + 1)
        adjusted = pairs.adjusted(counted) if maxima else np.array(adjust(p.tolist(), adjustment))
        errors = tuple(experiment.standard_errors(m, [(pair.baseline, pair.system) for pair in trial.pairs]))
        found.append(Found(pairs.deltas, p, adjusted, counted.exceedances, errors))
    return found


def held_resamples(trial: Trial) -> int:
    """Return how many resamples may be held of all systems under all metrics."""
    each = len(trial.experiment.corpus.systems) * len(trial.experiment.statistics.blocks)
    return min(trial.resamples, max(STANDARDISING, _SCORES // each))


def by_procedure(trial: Trial, test: str, adjustment: str) -> list[Found]:
    """Test by a procedure that makes the differences of every pair: of a few pairs at a time, unless maxT needs all."""
    needed = len(trial.pairs) * len(trial.experiment.statistics.blocks) * trial.resamples
    if adjustment == MAXT and needed > _HELD:
        raise InputError(
            f"maxt by {test} needs all {needed:,} differences of {len(trial.pairs):,} pairs at once, and at most "
            f"{_HELD:,} are held",
            hint=(
                "use ",
                Setting("test", "bootstrap"),
                ", which needs none of them; or fewer ",
                Setting("resamples"),
                ", or ",
                Setting("adjust", "holm"),
            ),
        )
    if adjustment == MAXT and test == "exact":  # also if the swaps turn out too many to be counted
        raise not_shared("exact")
    size = len(trial.pairs) if adjustment == MAXT else _GROUP
    blocks = trial.experiment.statistics.blocks
    p: list[list[float]] = [[] for _ in blocks]
    counts: list[list[int]] = [[] for _ in blocks]
    notes: list[dict[str, list[Note]]] = [{} for _ in blocks]
    nulls: list[list[NDArray[np.float64]]] = [[] for _ in blocks]
    errors: list[list[float | None]] = [[] for _ in blocks]
    outcomes: list[list[TestOutcome]] = [[] for _ in blocks]
    for first in range(0, len(trial.pairs), size):
        part = replace(trial, pairs=trial.pairs[first : first + size])
        for key, finding in procedure(test)(part).items():
            m = key[0]
            p[m].append(finding.p_value.p)
            counts[m].append(finding.p_value.exceedances)
            errors[m].append(_standard_error(trial, key, finding))
            outcomes[m].append(replace(finding, distribution=None))
            for note in finding.remarks:
                notes[m].setdefault(note.kind, []).append(note)
            if adjustment == MAXT:
                if finding.distribution is None:
                    raise not_shared(finding.test)
                nulls[m].append(finding.distribution)
    found = []
    for m in range(len(blocks)):
        keys = [(m, pair) for pair in trial.pairs]
        deltas = [trial.delta(key) for key in keys]
        adjusted = (
            max_t(deltas, nulls[m], slack=[tolerance(trial.magnitude(key)) for key in keys])
            if adjustment == MAXT
            else adjust(p[m], adjustment)
        )
        told = tuple(note for same in notes[m].values() for note in _of_pairs(same))
        found.append(
            Found(
                np.array(deltas),
                np.array(p[m]),
                np.array(adjusted),
                np.array(counts[m]),
                tuple(errors[m]),
                told,
                tuple(outcomes[m]),
            )
        )
    return found


def _standard_error(trial: Trial, key: Key, finding: TestOutcome) -> float | None:
    """Return the standard error of a pair's difference: the test's own if it has one, else that over units."""
    if finding.standard_error is not None:
        return finding.standard_error
    m, pair = key
    if trial.apart:
        return trial.alone(pair).experiment.standard_error(m, 0, 1)
    return trial.experiment.standard_error(m, pair.baseline, pair.system)


def _of_pairs(notes: Sequence[Note]) -> list[Note]:
    """Return notes of one kind with the numbers of their pairs; of many that differ, what can be said once."""
    counts = Counter(notes)
    if len(counts) > _MANY and notes[0].summary:
        counts = Counter([Note(notes[0].kind, notes[0].summary)] * len(notes))
    return [structs.replace(note, text=f"{note.text} ({whole(count, 'pair')})") for note, count in counts.items()]
