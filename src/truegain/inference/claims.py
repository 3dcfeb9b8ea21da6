"""Claims: what a verdict extends to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from truegain.resampling.units import UnitNoun
from truegain.rows import Row, field

#: Runs that a claim is about: those that were made, or any that could be made. "This run" is in results of 0.2.0.
ClaimedRuns = Literal["this output of each", "this run of each", "this run", "these runs", "new runs"]


#: Runs of a claim where outputs are not known to be of runs.
OUTPUTS: ClaimedRuns = "this output of each"


class Claim(Row):
    """The runs and the units that a verdict extends to; ``str`` words it."""

    runs: Annotated[ClaimedRuns, field("The runs that it is about: those that were made, or new ones.")]
    unit: Annotated[
        UnitNoun | None, field("Of what new ones are claimed; none for a claim about this test set alone.")
    ] = None
    test_sets: Annotated[bool, field("Whether several test sets are pooled.")] = False
    about: Annotated[
        str,
        field(
            'The statistic of segment scores that the claim is about, such as "mean score"; empty for the score of the '
            "test set."
        ),
    ] = ""
    training_data: Annotated[
        bool, field("Whether it extends to new training data of the same size; the runs are of several samples then.")
    ] = False
    raters: Annotated[bool, field("Whether it extends to raters who were not asked.")] = False
    rater_noun: Annotated[str, field("What one of them is called: rater, or judge, or prompt.")] = "rater"
    alike: Annotated[bool, field("Whether it holds if runs of both systems vary alike: one of them has one run.")] = (
        False
    )
    text: Annotated[str, field("The claim in words.")] = ""

    def __post_init__(self) -> None:
        self._derive(text=str(self))

    def __str__(self) -> str:
        """Word the claim: ``new runs on new documents``, ``this run of each on this test set``."""
        return self._worded(self._runs)

    @property
    def brief(self) -> str:
        """The claim in fewer words, for tables: ``new training data and runs on new documents``."""
        return self._worded("new training data and runs" if self.training_data else self.runs)

    def of_outputs(self, item: str = "segment") -> str:
        """Word the claim, without runs if outputs are not known to be of any; segments are called as ``item`` says."""
        return self._worded("", item) if self.runs == OUTPUTS else self._worded(self._runs, item)

    @property
    def _runs(self) -> str:
        return f"new training data of this size and {self.runs}" if self.training_data else self.runs

    def _worded(self, runs: str, item: str = "segment") -> str:
        here = "these test sets" if self.test_sets else "this test set"
        where = here if self.unit is None else f"new {item if self.unit == 'segment' else self.unit}s"
        by = f", by the {self.about} of {item}s" if self.about else ""
        of_sets = f" of {here}" if self.test_sets and self.unit not in (None, "test set") else ""
        raters = f" with new {self.rater_noun}s" if self.raters else ""
        alike = ", if runs of both vary alike" if self.alike else ""
        return f"{runs and f'{runs} on '}{where}{raters}{by}{of_sets}{alike}"

    @property
    def new_runs(self) -> bool:
        """Return whether the verdict extends to runs that were not made."""
        return self.runs == "new runs"


def held_runs(*, several: bool, known: bool) -> ClaimedRuns:
    """Return the runs that are held fixed: several of a system, one of each, or outputs not known to be of runs."""
    return "these runs" if several else "this run of each" if known else OUTPUTS


def narrowest(claims: Iterable[Claim]) -> Claim:
    """Return what holds of all claims together: these runs unless every claim is about new ones."""
    distinct = list(dict.fromkeys(claims))
    if len(distinct) == 1:
        return distinct[0]
    units = {one.unit for one in distinct}
    about = {one.about for one in distinct}
    return Claim(
        "new runs" if all(one.new_runs for one in distinct) else "these runs",
        units.pop() if len(units) == 1 else None,
        any(one.test_sets for one in distinct),
        about.pop() if len(about) == 1 else "",
        all(one.training_data for one in distinct),
        all(one.raters for one in distinct),
        distinct[0].rater_noun,
        any(one.alike for one in distinct),
    )
