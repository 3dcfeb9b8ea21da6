"""The score test of paired proportions, for scores with two values."""

from __future__ import annotations

from dataclasses import dataclass

from truegain.errors import InputError, Setting
from truegain.experiment.outcomes import gain_of_items
from truegain.inference.claims import Claim
from truegain.inference.proportions import FEW, PairedShares, Worth
from truegain.inference.pvalues import PValue
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, TestOutcome, Trial
from truegain.procedures.margins import gain_at_margin, margin_results, one_sided_bound


@dataclass(frozen=True)
class Tango:
    """Tango's test of wins and losses, on as many items as clusters and samples are worth; exact in gates."""

    name: str = "tango"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        return {key: self._outcome(trial, key) for key in trial.keys}

    def _outcome(self, trial: Trial, key: Key) -> TestOutcome:
        m, pair = key
        alone, place = (trial.alone(pair), Pair(0, 1)) if trial.apart else (trial, pair)
        experiment = alone.experiment
        shares = gain_of_items(experiment, m, *place)
        if not isinstance(shares, PairedShares):
            raise InputError(
                f"tango is for scores with two values, as right and wrong, and {trial.metric(key).label} has others",
                hint=("use ", Setting("test", "ar"), " or bootstrap"),
            )
        units = experiment.units
        if trial.bounded:
            p, interval = margin_results(gain_at_margin(alone, (m, place), shares), trial)
        else:
            p, interval = shares.p(trial.null_gain, trial.alternative), None
            if trial.inverted:
                interval = shares.interval(trial.alpha, trial.alternative, marks=(0.0, trial.null_gain))
        return TestOutcome(
            test=self.name,
            p_value=PValue(p),
            unit="block" if units.kind == "block" else units.noun,
            n_units=units.count,
            alternative=trial.alternative,
            claim=Claim(trial.held_runs(pair), units.noun),
            direction=trial.beyond(key),
            notes=correlation_notes(shares.worth, units.noun),
            interval=interval,
            bound=one_sided_bound(trial, interval),
        )


def correlation_notes(worth: Worth, noun: str) -> tuple[Note, ...]:
    """Say so if the correlation of the items of a unit is assumed."""
    if not worth.assumed:
        return ()
    text = f"fewer than {FEW} {noun}s vary, so the correlation within {noun}s is taken to be large"
    return (Note("correlation", text),)


TANGO = Tango()
