"""The score test of paired proportions, for scores with two values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import structs

from truegain.errors import InputError, Setting
from truegain.inference.proportions import FEW, BoundedMean, PairedShares
from truegain.inference.pvalues import PValue
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, TestOutcome, Trial
from truegain.procedures.margins import gain_at_margin, margin_results, score_outcome


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
        shares = alone.experiment.gain_of_items(m, *place)
        if not isinstance(shares, PairedShares):
            raise InputError(
                f"tango is for scores with two values, as right and wrong, and {trial.metric(key).label} has others",
                hint=("use ", Setting("test", "ar"), " or bootstrap"),
            )
        if trial.bounded:
            results = margin_results(gain_at_margin(alone, (m, place), shares), trial)
            return score_outcome(self.name, alone, (m, place), results)
        interval = None
        if trial.inverted:
            interval = shares.interval(trial.alpha, trial.alternative, marks=(0.0, trial.null_gain))
        return score_outcome(self.name, alone, (m, place), (shares.p(trial.null_gain, trial.alternative), interval))


def within_range(trial: Trial, key: Key, finding: TestOutcome) -> TestOutcome:
    """Return what a test finds, but where few units of a known range vary: p not below the bounded one, nor its ends.

    What few units show of the others, at the ends of the range, the swaps and resamples of these few cannot know.
    """
    m, pair = key
    alone, place = (trial.alone(pair), Pair(0, 1)) if trial.apart else (trial, pair)
    bounded = alone.experiment.gain_of_items(m, *place)
    if not isinstance(bounded, BoundedMean):
        return finding
    p = bounded.p(trial.null_gain, trial.alternative)
    interval = finding.interval
    if interval is not None:
        wider = bounded.interval(trial.alpha, trial.alternative, marks=(0.0, trial.null_gain))
        interval = structs.replace(interval, low=min(interval.low, wider.low), high=max(interval.high, wider.high))
    noun = trial.experiment.unit_noun
    text = f"fewer than {FEW} {noun}s differ, so p and interval allow for {noun}s at the ends of the range"
    return replace(
        finding,
        p_value=finding.p_value if finding.p_value.p >= p else PValue(p),
        interval=interval,
        notes=(*finding.notes, Note("few-differing", text)),
    )


TANGO = Tango()
