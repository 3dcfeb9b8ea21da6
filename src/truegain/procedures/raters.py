"""Test of ratings whose claim extends to raters who were not asked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from truegain.errors import InputError
from truegain.experiment import Experiment
from truegain.experiment.ratings import effective_raters, is_of_ratings, people_of, ratings_of, share_rated_alike
from truegain.inference.claims import Claim
from truegain.inference.noncentral import t_test_power
from truegain.inference.pvalues import PValue
from truegain.inference.raters import krippendorff_alpha, raters_test, same_order, standardised, two_way
from truegain.inference.replicas import crossed_bound
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, TestOutcome, Trial, over_units

LEAST_RATERS = 3
#: Raters of unequal weight are as few as equal ones: of true nulls 9 % are rejected at 5 % with 2.0, 13 % with 1.4 and
#: 48 % with 1.1, if raters differ as much as that takes.
_REPEATED = 20  # scores that another of the same output agrees with: fewer may agree by chance
_LEAST_EFFECTIVE = 2.1
_ALIKE = 0.9  # the share of ratings by raters of both systems on an item, below which raters' own means mislead
_SAME = 1e-9  # relative
_MATTERS = 1.2  # times that a standard error is larger, from which on it must not be missed


@dataclass(frozen=True)
class Raters:
    """New raters of new documents, or segments: see :func:`truegain.inference.raters.raters_test`."""

    name: str = "raters"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        experiment = trial.experiment
        if (obstacle := obstacle_to_raters(experiment, trial.pairs, bounded=trial.bounded)) is not None:
            raise obstacle
        units, noun = experiment.units, experiment.corpus.rater_noun
        found = {}
        for m, block in enumerate(experiment.statistics.blocks):
            ratings = [ratings_of(system.runs[0], block.metric) for system in experiment.corpus.systems]
            for pair in trial.pairs:
                key = m, pair
                old, new = pair.baseline, pair.system
                gain = float(ratings[new].weights @ ratings[new].scores - ratings[old].weights @ ratings[old].scores)
                if abs(gain - trial.delta(key)) > _SAME * (abs(gain) + np.abs(ratings[new].scores).mean()):
                    raise InputError(
                        f"{self.name} needs ratings as they were given, and these scores were made from them by swaps "
                        "or draws",
                        hint=("use ", *over_units(bounded=trial.bounded)),
                    )
                variance = two_way(ratings[old], ratings[new], units.of_segment, units.strata)
                outcome = raters_test(
                    trial.delta(key),
                    variance,
                    alternative=trial.alternative,
                    level=1.0 - trial.alpha,
                    null_gain=trial.null_gain,
                )
                bound = None
                if trial.bounded and trial.alternative != "two-sided":
                    bound = crossed_bound(trial.delta(key), outcome, alternative=trial.alternative, alpha=trial.alpha)
                found[key] = TestOutcome(
                    test=self.name,
                    p_value=PValue(outcome.p),
                    unit=units.noun,
                    n_units=units.count,
                    alternative=trial.alternative,
                    claim=Claim(trial.held_runs(pair), units.noun, raters=True, rater_noun=noun),
                    direction=trial.beyond(key),
                    interval=outcome.interval,
                    standard_error=outcome.standard_error,
                    bound=bound,
                )
        return found


def obstacle_to_raters(
    experiment: Experiment, pairs: Sequence[Pair] | None = None, *, bounded: bool = False
) -> InputError | None:
    """Return why nothing can be claimed of new raters of these pairs, by default of all; None if it can."""
    corpus, units = experiment.corpus, experiment.units
    why, first, whom, noun = None, "", "", corpus.rater_noun
    several = next((system.name for system in corpus.systems if len(system.runs) > 1), None)
    other = next(
        (block.metric.label for block in experiment.statistics.blocks if not is_of_ratings(block.metric)), None
    )
    if corpus.raters is None:
        why, first = "these data do not say who gave each score", "name the column of raters rater, or "
    elif (few := _few_raters(experiment, pairs)) is not None:
        whom, why = few[0], f"{few[1]}, and {LEAST_RATERS} are needed to see how much {noun}s differ"
    elif several is not None:
        why = f"{several!r} has several runs, and one of each system is taken"
    elif (unequal := _unequal_raters(experiment, pairs)) is not None:
        whom, why = unequal
    elif units.kind not in ("segment", "document"):
        why = "segments or documents are needed as units"
    elif other is not None:
        why = f"{other} is not the mean of single ratings"
    elif (same := _same_of_all(experiment)) is not None:
        why = f"all {noun}s of an output have the same {same} for it, so it may be no rating"
    if why is None:
        return None
    hint = f"{first}use ", *over_units(bounded=bounded), f", with {noun}s held fixed"
    return InputError(f"nothing can be claimed of new {noun}s{whom}: {why}", hint=hint)


def _same_of_all(experiment: Experiment) -> str | None:
    """Return the first metric whose scores of one output are always the same, though several raters have them."""
    for block in experiment.statistics.blocks:
        runs = [ratings_of(system.runs[0], block.metric) for system in experiment.corpus.systems]
        outputs = np.concatenate([one.segments + experiment.corpus.segments * p for p, one in enumerate(runs)])
        scores = np.concatenate([one.scores for one in runs])
        order = np.lexsort((scores, outputs))
        again = np.diff(outputs[order]) == 0
        if again.sum() >= _REPEATED and not np.diff(scores[order])[again].any() and np.ptp(scores) > 0.0:
            return block.metric.label
    return None


def _few_raters(experiment: Experiment, pairs: Sequence[Pair] | None) -> tuple[str, str] | None:
    """Return the first pair of systems that too few rated, empty if all were, and how many; None if enough did."""
    corpus, noun = experiment.corpus, experiment.corpus.rater_noun
    if corpus.raters is not None and corpus.raters < LEAST_RATERS:
        return "", f"there is one {noun}" if corpus.raters == 1 else f"there are {corpus.raters} {noun}s"
    chosen = _chosen(experiment, pairs)
    people = {place: people_of(corpus.systems[place]) for place in {place for pair in chosen for place in pair}}
    for old, new in chosen:
        if (count := len(people[old] | people[new])) < LEAST_RATERS:
            names = [corpus.systems[place].name for place in (old, new)]
            return f" of {' and '.join(names)}", f"they have {f'one {noun}' if count == 1 else f'{count} {noun}s'}"
    return None


def _unequal_raters(experiment: Experiment, pairs: Sequence[Pair] | None) -> tuple[str, str] | None:
    """Return the first pair of systems whose raters weigh as too few, empty if all do, and why; None if none does."""
    systems, raters, noun = experiment.corpus.systems, experiment.corpus.raters or 0, experiment.corpus.rater_noun
    for old, new in _chosen(experiment, pairs):
        count = effective_raters(systems[old].runs[0], systems[new].runs[0], raters)
        if count < _LEAST_EFFECTIVE:
            people = len(people_of(systems[old]) | people_of(systems[new]))
            whom = f" of {systems[old].name} and {systems[new].name}" if len(systems) > 2 else ""
            why = f"{people:,} {noun}s gave such unequal shares of ratings that they weigh as {count:.1f} equal ones"
            return whom, f"{why}, and {_LEAST_EFFECTIVE:g} are needed to see how much {noun}s differ"
    return None


def _chosen(experiment: Experiment, pairs: Sequence[Pair] | None) -> Sequence[Pair]:
    """Return these pairs, or all."""
    every = combinations(range(len(experiment.corpus.systems)), 2)
    return [Pair(*one) for one in every] if pairs is None else pairs


def standardised_gains(trial: Trial) -> dict[Key, tuple[float, float]]:
    """Return gain and p with each rater's scores standardised over all systems.

    Pairs that raters did not rate on nearly the same items are left out: who rated more of one system than of the other
    has a mean that holds a part of the gain, all of it if that was the only one.
    """
    found = {}
    units, corpus = trial.experiment.units, trial.experiment.corpus
    runs = [system.runs[0] for system in corpus.systems]
    rated_alike = [
        pair
        for pair in trial.pairs
        if share_rated_alike(runs[pair.baseline], runs[pair.system], corpus.raters or 0) >= _ALIKE
    ]
    for m, block in enumerate(trial.experiment.statistics.blocks):
        alike = standardised([ratings_of(run, block.metric) for run in runs])
        for pair in rated_alike:
            old, new = alike[pair.baseline], alike[pair.system]
            gain = float(new.weights @ new.scores - old.weights @ old.scores)
            outcome = raters_test(
                gain, two_way(old, new, units.of_segment, units.strata), alternative=trial.alternative
            )
            found[m, pair] = gain, outcome.p
    return found


def held_raters(
    experiment: Experiment, gains: Sequence[Sequence[float]] = (), *, alpha: float = 0.05, one_sided: bool = False
) -> list[Note]:
    """Say of a study that holds the raters fixed what changes with new ones; nothing if raters are not known.

    Parameters
    ----------
    gains : sequence, optional
        For each metric the gains whose power is to be said, if there are two systems.
    """
    if experiment.corpus.raters is None:
        return []
    noun = experiment.corpus.rater_noun
    pairs = [Pair(*one) for one in pairwise(range(len(experiment.corpus.systems)))]
    claimed = [pair for pair in pairs if obstacle_to_raters(experiment, [pair]) is None]
    if not claimed and (obstacle := obstacle_to_raters(experiment, pairs)) is not None:
        return [Note("raters-held", f"{noun.capitalize()}s are held fixed, and {obstacle.message}")]
    notes, units = [], experiment.units
    for m, block in enumerate(experiment.statistics.blocks):
        ratings = [ratings_of(system.runs[0], block.metric) for system in experiment.corpus.systems]
        found = [two_way(ratings[old], ratings[new], units.of_segment, units.strata) for old, new in claimed]
        varied = [one for one in found if one.units > 0.0]
        if not varied:
            continue
        ratio = float(np.median([math.sqrt(one.variance / one.units) for one in varied]))
        text = f"{noun}s are held fixed; for new {noun}s the standard error of Δ is {ratio:.1f} times as large"
        shifts = [(one, one / math.sqrt(found[0].variance)) for one in (gains[m] if gains else ())]
        powers = [
            f"{100.0 * t_test_power(shift, found[0].freedom, alpha=alpha, one_sided=one_sided):.0f} % for {gain:.3g}"
            for gain, shift in shifts
        ]
        if powers:
            text += f", and with as many {noun}s and {experiment.unit_noun}s the power is {', '.join(powers)}"
        notes.append(Note("raters-held", text, scope=block.metric.label, warning=ratio >= _MATTERS))
    return notes


def rater_notes(trial: Trial, *, chosen: bool) -> list[Note]:
    """Say how far raters agree, metric by metric, and why nothing is claimed of new ones if a test was ``chosen``."""
    experiment, corpus = trial.experiment, trial.experiment.corpus
    notes = []
    if chosen and (obstacle := obstacle_to_raters(experiment, trial.pairs)) is not None:
        notes.append(Note("no-new-raters", f"N{obstacle.message[1:]}"))
    for block in experiment.statistics.blocks:
        if corpus.raters is None or corpus.raters < 2 or not is_of_ratings(block.metric):
            continue
        systems = [ratings_of(run, block.metric) for system in corpus.systems for run in system.runs]
        items = np.concatenate([one.segments + corpus.segments * place for place, one in enumerate(systems)])
        alpha = krippendorff_alpha(np.concatenate([one.scores for one in systems]), items)
        same, possible = same_order(systems)
        said = [f"{corpus.raters:,} {corpus.rater_noun}s"]
        if alpha is None and not possible:
            said.append("no output was rated by two of them, so nothing is known of their agreement")
        if alpha is not None:
            shown = f"{round(alpha, 2) + 0.0:.2f}".replace("-", "−")
            said.append(f"Krippendorff's alpha of their scores is {shown}")
        if possible:
            share = f"{100.0 * same / possible:.0f} % of {possible:,} cases"
            said.append(f"two {corpus.rater_noun}s put two outputs for a segment in the same order in {share}")
        notes.append(Note("raters", "; ".join(said), scope=block.metric.label))
    return notes


RATERS = Raters()
