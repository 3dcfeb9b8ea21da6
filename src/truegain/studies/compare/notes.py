"""Notes on a comparison: units, choices that were made, resamples that are too few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from truegain.inference.multiplicity import MAXT, adjust
from truegain.inference.results import SystemScore
from truegain.notes import Note
from truegain.procedures.base import Trial
from truegain.registry import TESTS
from truegain.report.model import p_words, signed, whole
from truegain.studies.checks import block_notes, correlation_notes, few_notes, one_run_notes, segment_notes, tail_notes
from truegain.studies.compare.families import Tests, names_of
from truegain.studies.null_gain import as_given

_LISTED = 5  # pairs
_WITHOUT_BOOTSTRAP = ("ar", "tango", "exact", "crossed", "run-permutation", "raters")  # besides the classical tests


def notes_of(
    trial: Trial,
    families: Sequence[Tests],
    choices: Sequence[str],
    adjustment: str,
    scores: Sequence[SystemScore],
    *,
    sequential: bool,
) -> list[Note]:
    """Return the notes on a comparison of all systems."""
    experiment = trial.experiment
    notes: list[Note] = []
    drawn = any(name not in _WITHOUT_BOOTSTRAP and TESTS[name].kind != "classical" for name in names_of(families))
    notes += few_notes(experiment, scores, trial.resamples, trial.alpha, p_values=drawn)
    tested = dict.fromkeys((pair.baseline, pair.system) for (_, pair), name in families[0].items() if name == "tango")
    notes += correlation_notes(experiment, [*tested])
    notes += segment_notes(experiment, names_of(families))
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    notes.extend(block_notes(experiment, pairs, "difference", shared=trial.joint))
    if choices[0] == "auto" and experiment.units.kind == "block":
        notes.append(Note("chosen-test", "The stationary bootstrap was chosen: blocks can be drawn, not swapped"))
        if max(len(system.runs) for system in experiment.corpus.systems) > 1:
            text = "With blocks nothing is claimed of new runs: the crossed test needs segments or documents"
            notes.append(Note("no-new-runs", text))
    if experiment.corpus.raters is not None:
        from truegain.procedures.raters import rater_notes

        notes.extend(rater_notes(trial, chosen=choices[0] == "auto"))
    if "raters" in families[0].values() and trial.null_gain == 0.0:
        notes.extend(_standardised_notes(trial, families[0]))
    crossed = [pair for (_, pair), name in families[0].items() if name == "crossed"]
    if choices[0] == "auto" or crossed:
        notes.extend(one_run_notes(trial, crossed))
    if trial.alternative != "two-sided" and len({pair.baseline for pair in trial.pairs}) > 1:
        side = "gain" if trial.alternative == "greater" else "loss"
        text = f"Of each two systems, only a {side} of the one given later over the one given earlier was tested"
        notes.append(Note("one-side", text))
    if trial.null_gain != 0.0:
        notes.extend(_null_gain_notes(trial, families, choices))
    count, resamples = len(trial.pairs), trial.resamples
    notes.extend(tail_notes(experiment, families[0].values(), adjustment, count))
    if sequential and trial.stopping is not None:
        text = f"Resampling continued until each decision was settled (error probability {trial.stopping.error:g})"
        notes.append(Note("sequential", f"{text}, at most {trial.stopping.cap:,} resamples"))
    elif adjustment != MAXT and adjust([1 / (resamples + 1)] + [1.0] * (count - 1), adjustment)[0] > trial.alpha:
        text = f"With {resamples:,} resamples no p of {whole(count, 'comparison')} can be below {trial.alpha:g}"
        notes.append(Note("few-resamples", f"{text} after adjustment; use more resamples"))
    return notes


def _standardised_notes(trial: Trial, tests: Tests) -> list[Note]:
    """Say what the test of raters finds of scores that are standardised for each rater."""
    from truegain.procedures.raters import standardised_gains

    pairs = tuple(dict.fromkeys(pair for (_, pair), test in tests.items() if test == "raters"))
    found = standardised_gains(replace(trial, pairs=pairs))
    names = [system.name for system in trial.experiment.corpus.systems]
    opening = f"With each {trial.experiment.corpus.rater_noun}'s scores standardised"
    notes = []
    for m, block in enumerate(trial.experiment.statistics.blocks):
        own = {pair: found[m, pair] for pair in pairs if (m, pair) in found}
        if not own:
            text = "Scores are not standardised: too few ratings are of both systems of a pair on the same items"
        elif len(own) > _LISTED:
            count = sum(p <= trial.alpha for _, p in own.values())
            text = f"{opening}, p is at most {trial.alpha:g} for {count:,} of {len(own):,} pairs, not adjusted"
        else:
            said = [
                f"{names[pair.system]} − {names[pair.baseline]}: {signed(gain, 3)} standard deviations, p {p_words(p)}"
                for pair, (gain, p) in own.items()
            ]
            text = f"{opening}, {'; '.join(said)}"
        notes.append(Note("standardised", text, scope=block.metric.label))
    return notes


def _null_gain_notes(trial: Trial, families: Sequence[Tests], choices: Sequence[str]) -> list[Note]:
    """Say what p-values are about if they are not about zero, and what gave way to that."""
    side = {"greater": "at most ", "less": "at least "}.get(trial.alternative, "")
    text = f"P-values are of the null hypothesis that Δ is {side}{as_given(trial.null_gain)}, not of zero"
    notes = [Note("null-gain", text)]
    if choices[0] != "auto":
        return notes
    if "bootstrap" in names_of(families):
        text = "The bootstrap was chosen: swaps can only show that two systems differ, not by how much"
        notes.append(Note("chosen-test", text))
    if "crossed" in families[0].values():
        text = "Nothing is said of new runs on this test set: regrouped runs can only show that systems differ"
        notes.append(Note("no-new-runs", text))
    return notes
