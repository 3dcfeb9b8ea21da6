"""All pairs of systems, tested: from the scores that they share, or pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

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
_MANY = 3  # notes of one kind that are said one by one
_HELD = 100_000_000  # differences that may be held where maxT needs all of them

_SHARED = ("bootstrap", "ar")  # tests whose resamples all pairs share
_WITHOUT_BLOCKS = ("ar", "crossed", "raters")


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
        directions = np.array([outcome.direction for outcome in self.outcomes])
        return np.asarray(directions * self.deltas > 0.0)


def check_choices(corpus: Corpus, options: RankOptions) -> None:
    """Refuse a single system, a test that there is not, and blocks for a test that has none."""
    if len(corpus.systems) < 2:
        raise InputError(
            f"there is only one system, {corpus.systems[0].name!r}; a ranking needs two",
            hint=(command("score"), " gives the score of one"),
        )
    if options.unit == "block" and options.test in _WITHOUT_BLOCKS:
        raise InputError(
            f"{options.test} needs segments or documents as units, not blocks",
            hint=("use ", Setting("test", "bootstrap")),
        )
    if options.test != "auto" and options.test not in TESTS:
        raise one_of("test", options.test, ["auto", *TESTS])
    drawn = options.unit == "block" or options.test == "stationary-bootstrap"
    check_blocks(unit=options.unit, block_length=options.block_length, interval=options.interval, drawn=drawn)


def chosen_test(experiment: Experiment, test: str, adjustment: str) -> str:
    """Return the test, chosen by what the scores are if it is left open."""
    if test != "auto":
        return test
    counts = sorted(len(system.runs) for system in experiment.corpus.systems)
    if counts[1] > 1 and experiment.units.kind != "block":
        return "crossed"
    if new_raters(experiment):
        return "raters"
    everyone = range(len(experiment.corpus.systems))
    two_valued = all(experiment.has_two_values(m, *everyone) for m in range(len(experiment.statistics.blocks)))
    return "tango" if two_valued and adjustment != MAXT else "bootstrap"


def chosen_adjustment(test: str, adjustment: str) -> str:
    """Return the adjustment, chosen by the test if it is left open; refuse maxT if nothing is resampled."""
    if adjustment == "auto":
        return MAXT if test in _SHARED else "holm"
    if adjustment == MAXT and test in CLOSED_FORM:
        raise not_shared(test)
    return adjustment


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
    _check_differences(trial, test, adjustment)
    size = len(trial.pairs) if adjustment == MAXT else _GROUP
    outcomes: list[list[TestOutcome]] = [[] for _ in trial.experiment.statistics.blocks]
    nulls: list[list[NDArray[np.float64]]] = [[] for _ in outcomes]
    errors: list[list[float | None]] = [[] for _ in outcomes]
    for first in range(0, len(trial.pairs), size):
        part = replace(trial, pairs=trial.pairs[first : first + size])
        for key, outcome in procedure(test)(part).items():
            m = key[0]
            outcomes[m].append(replace(outcome, distribution=None))
            errors[m].append(_standard_error(trial, key, outcome))
            if adjustment == MAXT:
                if outcome.distribution is None:
                    raise not_shared(outcome.test)
                nulls[m].append(outcome.distribution)
    return [
        _found(trial, m, adjustment, mine, distributions, tuple(own_errors))
        for m, (mine, distributions, own_errors) in enumerate(zip(outcomes, nulls, errors, strict=True))
    ]


def _check_differences(trial: Trial, test: str, adjustment: str) -> None:
    """Refuse maxT if it needs too many differences at once, or if the test has none to share."""
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


def _found(
    trial: Trial,
    m: int,
    adjustment: str,
    outcomes: Sequence[TestOutcome],
    nulls: Sequence[NDArray[np.float64]],
    standard_errors: tuple[float | None, ...],
) -> Found:
    """Return what a procedure found under a metric, with p-values adjusted over all pairs."""
    keys = [(m, pair) for pair in trial.pairs]
    deltas = [trial.delta(key) for key in keys]
    p = [outcome.p_value.p for outcome in outcomes]
    if adjustment == MAXT:
        adjusted = max_t(deltas, nulls, slack=[tolerance(trial.magnitude(key)) for key in keys])
    else:
        adjusted = adjust(p, adjustment)
    by_kind: dict[str, list[Note]] = {}
    for outcome in outcomes:
        for note in outcome.remarks:
            by_kind.setdefault(note.kind, []).append(note)
    return Found(
        np.array(deltas),
        np.array(p),
        np.array(adjusted),
        np.array([outcome.p_value.exceedances for outcome in outcomes]),
        standard_errors,
        tuple(note for notes in by_kind.values() for note in _of_pairs(notes)),
        tuple(outcomes),
    )


def claimed(trial: Trial, test: str, outcomes: Sequence[TestOutcome]) -> tuple[str, str, int, Claim]:
    """Return the test in the end, its units, and what it claims: a test may have units of its own."""
    corpus, units = trial.experiment.corpus, trial.experiment.units
    if TESTS[test].unit != "as chosen":
        return outcomes[0].test, outcomes[0].unit, outcomes[0].n_units, outcomes[0].claim
    test = outcomes[0].test if outcomes else test
    counts = [len(system.runs) for system in corpus.systems]
    crossed = test == "crossed"
    claim = Claim(
        "new runs" if crossed else held_runs(several=max(counts) > 1, known=corpus.knows_runs),
        units.noun,
        raters=test == "raters",
        rater_noun=corpus.rater_noun,
        alike=crossed and min(counts) == 1,
    )
    blocks = units.kind == "block" and test == "bootstrap"
    return "stationary-bootstrap" if blocks else test, units.kind, units.count, claim


def straddling(trial: Trial, found: Found, adjustment: str) -> int:
    """Count the decisions that might be others with other resamples, the other p-values being what they are."""
    alpha, resamples = trial.alpha, trial.resamples
    near = (found.adjusted > alpha / 10) & (found.adjusted < min(1.0, 10 * alpha)) & (found.deltas != 0.0)
    if adjustment == MAXT:
        counts = np.rint(found.adjusted * (resamples + 1)).astype(np.int64) - 1
    else:
        counts = found.exceedances
        near &= counts > 0  # else p follows from a distribution
    if adjustment in (MAXT, "none"):
        undecided = undecided_counts(resamples, alpha)
        return int(np.count_nonzero(near & (counts >= undecided.start) & (counts < undecided.stop)))
    distinct, places = np.unique(counts[near], return_inverse=True)
    ends = np.array([clopper_pearson(count, resamples) for count in distinct.tolist()]).reshape(-1, 2)
    low, high = ends[places].T * found.adjusted[near] / found.p[near]
    return int(np.count_nonzero((low <= alpha) & (alpha < high)))


def _standard_error(trial: Trial, key: Key, outcome: TestOutcome) -> float | None:
    """Return the standard error of a pair's difference: the test's own if it has one, else that over units."""
    if outcome.standard_error is not None:
        return outcome.standard_error
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
