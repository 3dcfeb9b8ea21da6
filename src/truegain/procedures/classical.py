"""Classical tests of differences of segment scores: the claim is about those, not about the score of the test set."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.inference.claims import Claim
from truegain.inference.classical import Classical, mcnemar_test, sign_test, t_bound, t_test, wilcoxon_test
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import Alternative, PValue, tolerance
from truegain.notes import Note
from truegain.procedures.base import Key, TestOutcome, Trial, check_null_gain
from truegain.procedures.skewness import mean_skewness_caveats


class _Test(Protocol):
    def __call__(
        self, differences: NDArray[np.float64], *, alternative: Alternative = "two-sided", slack: float = 0.0
    ) -> Classical: ...


class _Bound(Protocol):
    def __call__(
        self,
        differences: NDArray[np.float64],
        *,
        alternative: Literal["greater", "less"],
        alpha: float,
        slack: float = 0.0,
    ) -> float: ...


@dataclass(frozen=True)
class ClassicalTest:
    """Test of paired differences, on the scores of segments.

    Attributes
    ----------
    test : callable
    about : str
        What the claim is about.
    favours : callable
        From the outcome to a number above 0 if the system is better.
    bound : callable, optional
        The one-sided bound of the mean difference, of a test that can be made against any gain.
    """

    name: str
    test: _Test
    about: str
    favours: Callable[[Classical], float]
    bound: _Bound | None = None

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        found = {}
        for key in trial.keys:
            pair = key[1]
            differences, slack = trial.segment_gains(key)
            if not np.isfinite(differences).all():
                label = trial.metric(key).label
                at = int(np.isfinite(differences).argmin())
                raise InputError(
                    f"{label} has no score for segment {at + 1:,}, and {self.name} needs one of every segment",
                    hint=("use ", Setting("test", "ar"), " or bootstrap, which score whole test sets"),
                )
            apart = abs(float(differences.mean()) - trial.delta(key))
            mean_of_segments = apart <= tolerance(trial.magnitude(key) + float(np.abs(differences).mean()))
            if trial.shifts and not mean_of_segments:
                raise InputError(
                    f"{self.name} is about the mean of segment scores, and a gain in {trial.metric(key).label} is not "
                    f"the mean gain of segments: it cannot be held against {trial.null_gain:g} by it",
                    hint=("use ", Setting("test", "bootstrap"), ", which is about the score of the test set"),
                )
            outcome = self.test(differences - trial.null_gain, alternative=trial.alternative, slack=slack)
            direction = self.favours(outcome)
            bound = None
            if self.bound is not None and trial.bounded and trial.alternative != "two-sided":
                bound = self.bound(differences, alternative=trial.alternative, alpha=trial.alpha, slack=slack)
            other = "segment scores favour the other system than the score of the test set does"
            notes = (Note("other-direction", other),) if direction * trial.beyond(key) < 0.0 else ()
            found[key] = TestOutcome(
                test=self.name,
                p_value=PValue(outcome.p),
                unit="segment",
                n_units=int(differences.size),
                alternative=trial.alternative,
                claim=Claim(trial.held_runs(pair), "segment", about=self.about),
                direction=direction,
                notes=notes,
                caveats=() if self.bound is None else mean_skewness_caveats(trial, key, differences, slack),
                interval=self._interval(trial, differences, slack) if mean_of_segments else None,
                bound=bound,
            )
        return found

    def _interval(self, trial: Trial, differences: NDArray[np.float64], slack: float) -> Interval | None:
        """Return the interval of the gains that the test does not reject, if it can be made against any gain."""
        if self.bound is None or not trial.inverted:
            return None
        alpha = trial.alpha / 2.0 if trial.alternative == "two-sided" else trial.alpha
        low, high = -math.inf, math.inf
        if trial.alternative != "less":
            low = self.bound(differences, alternative="greater", alpha=alpha, slack=slack)
        if trial.alternative != "greater":
            high = self.bound(differences, alternative="less", alpha=alpha, slack=slack)
        return Interval(low, high, 1.0 - trial.alpha, "test")


T = ClassicalTest("t", t_test, "mean score", lambda found: found.statistic, t_bound)
WILCOXON = ClassicalTest(
    "wilcoxon", wilcoxon_test, "typical score", lambda found: found.statistic - found.used * (found.used + 1) / 4
)
SIGN = ClassicalTest("sign", sign_test, "wins and losses", lambda found: 2 * found.statistic - found.used)
MCNEMAR = ClassicalTest("mcnemar", mcnemar_test, "rights and wrongs", lambda found: 2 * found.statistic - found.used)
