"""All pairs of systems, tested: from the scores that they share, or pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from truegain.cautions import check_blocks, not_shared
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command, one_of
from truegain.experiment import Experiment
from truegain.inference.all_pairs import AllPairs
from truegain.inference.claims import Claim, held_runs
from truegain.inference.multiplicity import MAXT, STANDARDISING, adjust, max_t
from truegain.inference.pvalues import clopper_pearson, tolerance, undecided_counts
from truegain.notes import Note
from truegain.procedures.base import Key, TestOutcome, Trial
from truegain.procedures.lookup import new_raters, procedure
from truegain.registry import CLOSED_FORM, TESTS
from truegain.settings.rank import RankOptions
from truegain.words import whole

_GROUP = 50  # pairs whose differences are held at once, where a test makes them
_SCORES = 8_000_000  # resampled scores that are held
_HELD = 100_000_000  # differences that may be held where maxT needs all of them


@dataclass(frozen=True)
class TestedPairs:
    """What a test says of all pairs under a metric, in their order."""

    __test__ = False  # not a test class for pytest

    deltas: NDArray[np.float64]
    p: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    exceedances: NDArray[np.int64]
    standard_errors: tuple[float | None, ...]
    outcomes: tuple[TestOutcome, ...] = ()  # of tests that look at each pair by itself

    def shown(self, alpha: float) -> NDArray[np.bool_]:
        """Return which pairs differ: p is small, and favours who scores better, as that of the sign test may not."""
        favoured = self.deltas != 0.0
        if self.outcomes:
            favoured = np.array([outcome.direction for outcome in self.outcomes]) * self.deltas > 0.0
        return np.asarray((self.adjusted <= alpha) & favoured)


def check_choices(corpus: Corpus, options: RankOptions) -> None:
    """Refuse a single system, a test that there is not, and blocks for a test that has none."""
    if len(corpus.systems) < 2:
        raise InputError(
            f"there is only one system, {corpus.systems[0].name!r}; a ranking needs two",
            hint=(command("score"), " gives the score of one"),
        )
    if options.test != "auto" and options.test not in TESTS:
        raise one_of("test", options.test, ["auto", *TESTS])
    if options.unit == "block" and options.test in ("ar", "crossed", "raters"):
        raise InputError(
            f"{options.test} needs segments or documents as units, not blocks",
            hint=("use ", Setting("test", "bootstrap")),
        )
    drawn = options.unit == "block" or options.test == "stationary-bootstrap"
    check_blocks(unit=options.unit, block_length=options.block_length, interval=options.interval, drawn=drawn)


def chosen(experiment: Experiment, test: str, adjustment: str) -> tuple[str, str]:
    """Return the test and the adjustment, chosen by what the scores are if they are left open."""
    if test == "auto":
        counts = sorted(len(system.runs) for system in experiment.corpus.systems)
        everyone, metrics = range(len(counts)), range(len(experiment.statistics.blocks))
        if counts[1] > 1 and experiment.units.kind != "block":
            test = "crossed"
        elif new_raters(experiment):
            test = "raters"
        elif adjustment != MAXT and all(experiment.has_two_values(m, *everyone) for m in metrics):
            test = "tango"
        else:
            test = "bootstrap"
    if adjustment == "auto":
        return test, {"bootstrap": MAXT, "ar": MAXT}.get(test, "holm")
    if adjustment == MAXT and test in CLOSED_FORM:
        raise not_shared(test)
    return test, adjustment


def by_bootstrap(trial: Trial, adjustment: str, jobs: int) -> list[TestedPairs]:
    """Test from the systems' own resampled scores: the first are held, the others counted as they come."""
    experiment, resamples = trial.experiment, trial.resamples
    held = held_resamples(trial)
    resampled = experiment.bootstrap(held)
    reporter = experiment.reporter("pairs", len(resampled) * resamples)
    families = [
        AllPairs(
            experiment.scores[m],
            resampled[m],
            lower_is_better=block.metric.higher_is_better is False,
            factor=experiment.factor(1.0 - trial.alpha),
            freedom=experiment.freedom,
            jobs=jobs,
            progress=reporter,
            rounded=experiment.rounding[m],
        )
        for m, block in enumerate(experiment.statistics.blocks)
    ]
    maxima = adjustment == MAXT
    first = [pairs.count(maxima=maxima) for pairs in families]
    questions = [pairs.question(maxima=maxima) for pairs in families]
    rest = experiment.count_pairs(questions, held, resamples, reporter)
    systems = [(pair.baseline, pair.system) for pair in trial.pairs]
    results = []
    for m, (pairs, before, after) in enumerate(zip(families, first, rest, strict=True)):
        counted = before + after
        p = (counted.exceedances + 1) / (resamples + 1)
        adjusted = pairs.adjusted(counted) if maxima else np.array(adjust(p.tolist(), adjustment))
        errors = tuple(experiment.standard_errors(m, systems))
        results.append(TestedPairs(pairs.deltas, p, adjusted, counted.exceedances, errors))
    return results


def held_resamples(trial: Trial) -> int:
    """Return how many resamples may be held of all systems under all metrics."""
    each = len(trial.experiment.corpus.systems) * len(trial.experiment.statistics.blocks)
    return min(trial.resamples, max(STANDARDISING, _SCORES // each))


def by_procedure(trial: Trial, test: str, adjustment: str) -> list[TestedPairs]:
    """Test by a procedure that makes the differences of every pair: of a few pairs at a time, unless maxT needs all."""
    size = _GROUP
    if adjustment == MAXT:
        _check_differences(trial, test)
        size = len(trial.pairs)
    outcomes: dict[Key, TestOutcome] = {}
    nulls: dict[Key, NDArray[np.float64]] = {}
    for first in range(0, len(trial.pairs), size):
        part = replace(trial, pairs=trial.pairs[first : first + size])
        for key, outcome in procedure(test)(part).items():
            outcomes[key] = replace(outcome, distribution=None)
            if adjustment == MAXT:
                if outcome.distribution is None:
                    raise not_shared(outcome.test)
                nulls[key] = outcome.distribution

    results = []
    for m in range(len(trial.experiment.statistics.blocks)):
        keys = [(m, pair) for pair in trial.pairs]
        of_pairs = tuple(outcomes[key] for key in keys)
        deltas = [trial.delta(key) for key in keys]
        p = [outcome.p_value.p for outcome in of_pairs]
        if adjustment == MAXT:
            slack = [tolerance(trial.magnitude(key)) for key in keys]
            adjusted = max_t(deltas, [nulls[key] for key in keys], slack=slack)
        else:
            adjusted = adjust(p, adjustment)
        counts = np.array([outcome.p_value.exceedances for outcome in of_pairs])
        errors = tuple(_standard_error(trial, key, outcomes[key]) for key in keys)
        results.append(TestedPairs(np.array(deltas), np.array(p), np.array(adjusted), counts, errors, of_pairs))
    return results


def _check_differences(trial: Trial, test: str) -> None:
    """Refuse maxT if it needs too many differences at once, or if the test has none to share."""
    needed = len(trial.pairs) * len(trial.experiment.statistics.blocks) * trial.resamples
    if needed > _HELD:
        raise InputError(
            f"maxt by {test} needs all {needed:,} differences of {len(trial.pairs):,} pairs at once, and at most "
            f"{_HELD:,} are held",
            hint=("use ", Setting("test", "bootstrap"), ", which needs none, or ", Setting("adjust", "holm")),
        )
    if test == "exact":  # also if the swaps turn out too many to be counted
        raise not_shared("exact")


def _standard_error(trial: Trial, key: Key, outcome: TestOutcome) -> float | None:
    """Return the standard error of a pair's difference: the test's own if it has one, else that over units."""
    m, pair = key
    if outcome.standard_error is not None:
        return outcome.standard_error
    if trial.apart:
        return trial.alone(pair).experiment.standard_error(m, 0, 1)
    return trial.experiment.standard_error(m, pair.baseline, pair.system)


def notes_of_pairs(outcomes: Sequence[TestOutcome]) -> list[Note]:
    """Return what a test remarks on pairs, with their numbers; of many that differ, what can be said once."""
    kinds: dict[str, list[Note]] = {}
    for outcome in outcomes:
        for note in outcome.remarks:
            kinds.setdefault(note.kind, []).append(note)
    found = []
    for kind, notes in kinds.items():
        counts = Counter(notes)
        if len(counts) > 3 and notes[0].summary:
            counts = Counter({Note(kind, notes[0].summary): len(notes)})
        found += [structs.replace(note, text=f"{note.text} ({whole(count, 'pair')})") for note, count in counts.items()]
    return found


def claimed(trial: Trial, test: str, outcomes: Sequence[TestOutcome]) -> dict[str, Any]:
    """Return the test in the end, its units, and what it claims: a test may have units of its own."""
    if TESTS[test].unit != "as chosen":
        return {name: getattr(outcomes[0], name) for name in ("test", "unit", "n_units", "claim")}
    corpus, units = trial.experiment.corpus, trial.experiment.units
    if outcomes:
        test = outcomes[0].test
    counts = [len(system.runs) for system in corpus.systems]
    crossed, raters = test == "crossed", test == "raters"
    runs = "new runs" if crossed else held_runs(several=max(counts) > 1, known=corpus.knows_runs)
    alike = crossed and min(counts) == 1
    claim = Claim(runs, units.noun, raters=raters, rater_noun=corpus.rater_noun, alike=alike)
    if units.kind == "block" and test == "bootstrap":
        test = "stationary-bootstrap"
    return {"test": test, "unit": units.kind, "n_units": units.count, "claim": claim}


def straddling(trial: Trial, tested: TestedPairs, adjustment: str) -> int:
    """Count the decisions that might be others with other resamples, the other p-values being what they are."""
    alpha, resamples = trial.alpha, trial.resamples
    near = (tested.adjusted > alpha / 10) & (tested.adjusted < min(1.0, 10 * alpha)) & (tested.deltas != 0.0)
    if adjustment == MAXT:
        counts = np.rint(tested.adjusted * (resamples + 1)).astype(np.int64) - 1
    else:
        counts = tested.exceedances
        near &= counts > 0  # else p follows from a distribution
    if adjustment in (MAXT, "none"):
        undecided = undecided_counts(resamples, alpha)
        return int(np.count_nonzero(near & (counts >= undecided.start) & (counts < undecided.stop)))
    distinct, places = np.unique(counts[near], return_inverse=True)
    ends = np.array([clopper_pearson(count, resamples) for count in distinct.tolist()]).reshape(-1, 2)
    low, high = ends[places].T * tested.adjusted[near] / tested.p[near]
    return int(np.count_nonzero((low <= alpha) & (alpha < high)))
