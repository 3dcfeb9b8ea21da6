"""Training samples of two systems: whether they are the same, so that differences within them can be tested."""

from __future__ import annotations

from truegain.errors import InputError
from truegain.inference.training_samples import FEWEST_MATCHED
from truegain.notes import Note
from truegain.procedures.base import Pair, Trial


def matched_samples(trial: Trial, pair: Pair) -> bool:
    """Return whether both systems were trained on the same samples, and there are enough of these to be matched.

    Raises
    ------
    InputError
        If they share some of their samples and not others: the others are neither matched nor independent.
    """
    old, new = (trial.experiment.corpus.systems[s] for s in (pair.baseline, pair.system))
    shared = [sample for sample in old.samples if sample in new.samples]
    if shared and old.samples != new.samples:
        alone = next(sample for sample in (*old.samples, *new.samples) if sample not in shared)
        raise InputError(
            f"{old.name!r} and {new.name!r} share the training sample {shared[0]!r} and not {alone!r}",
            hint="give the runs of the same training samples of both systems, or of entirely different ones",
        )
    return len(shared) >= FEWEST_MATCHED


def matched_notes(trial: Trial, pair: Pair) -> list[Note]:
    """Say so if samples of the same names are taken as matched, or would be if there were more."""
    old, new = (trial.experiment.corpus.systems[s] for s in (pair.baseline, pair.system))
    if not old.samples or old.samples != new.samples:
        return []
    if len(old.samples) < FEWEST_MATCHED:
        text = "the two training samples have the same names in both systems, but are too few to be matched"
    else:
        text = f"both systems have the same {len(old.samples)} training samples by name, so these are matched"
    return [Note("matched-samples", text)]
