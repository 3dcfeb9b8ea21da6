"""The page: the summary of what was measured, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.calibration import makers, pools
from benchmarks.calibration.data import one_difference_rows, power_rows, size_rows
from benchmarks.calibration.scenarios import Outcome, Pools
from benchmarks.calibration.tables import (
    TOO_OFTEN,
    bounded_table,
    one_difference_table,
    power_table,
    summary_table,
    unmet,
)
from benchmarks.csv_tables import Table, link
from truegain.experiment import Experiment
from truegain.studies.calibrate import Power
from truegain.version import __version__

__all__ = ["SIZES_FROM", "Report", "page", "tables"]

SIZE_TABLE, POWER_TABLE, ONE_TABLE = (f"calibration-{name}" for name in ("sizes", "power", "one-segment"))

#: What the figures in sizes.json are.
SIZES_FROM = (
    "Share of true null hypotheses rejected at 5 %: mean of segment scores, 200 segments, outputs swapped at random; "
    "tango and mcnemar: 0/1 scores; exact: WER; tests of runs: 5 runs of each system; raters: 5 raters, two of each "
    "of 100 documents"
)


@dataclass(frozen=True)
class Report:
    """All that was measured, and how.

    Attributes
    ----------
    minutes : float
        What it took.
    """

    outcomes: Sequence[Outcome]
    powers: Sequence[Power]
    one: Outcome
    made: Pools
    repetitions: int
    resamples: int
    jobs: int
    minutes: float

    @property
    def placed(self) -> dict[tuple[str, str], Outcome]:
        """Outcomes by section and label."""
        return {(outcome.group, outcome.label): outcome for outcome in self.outcomes}

    def group(self, name: str) -> list[Outcome]:
        """Outcomes of a section."""
        return [outcome for outcome in self.outcomes if outcome.group == name]


def page(report: Report, figure: str | None) -> str:
    """Return the whole page; the figure's path as seen from it."""
    made = report.made
    parts = [
        _HEAD.format(
            version=__version__,
            seed=pools.SEED,
            repetitions=f"{report.repetitions:,}",
            resamples=f"{report.resamples:,}",
            minutes=f"{report.minutes:.0f}",
            jobs=report.jobs,
        ),
        "## Summary",
        _SUMMARY.format(too_often=100 * TOO_OFTEN),
        summary_table(report.placed),
        _NOTES,
        unmet(report.outcomes),
        "" if figure is None else _FIGURE.format(figure=figure),
        "## Data",
        _DATA.format(
            pool=made.simulated.corpus.segments,
            ties=100 * pools.TIES,
            documents=made.documents.units.count,
            largest=pools.LARGEST_DOCUMENT,
            correlation=pools.DOCUMENT_CORRELATION,
            freedom=pools.FREEDOM,
            right=100 * pools.BOTH_RIGHT,
            wrong=100 * pools.BOTH_WRONG,
            mean=makers.MEAN_ERRORS,
            neighbours=makers.AUTOCORRELATION,
            sizes=link(SIZE_TABLE),
        ),
        "## Real systems",
        _REAL.format(shares=_shares(made.real)) if made.real else _NO_REAL,
        bounded_table(report.group("real")) if made.real else "",
        "## Power",
        _POWER.format(powers=link(POWER_TABLE)),
        power_table(report.powers),
        "## One segment differs",
        _ONE.format(
            label=report.one.label, seeds=len(next(iter(report.one.measured.values())).p), whole=link(ONE_TABLE)
        ),
        one_difference_table(report.one),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def tables(report: Report) -> dict[str, Table]:
    """Return all that was measured, for the files beside the page."""
    return {
        SIZE_TABLE: size_rows(report.outcomes),
        POWER_TABLE: power_rows(report.powers),
        ONE_TABLE: one_difference_rows(report.one),
    }


def _shares(real: Mapping[str, Experiment]) -> str:
    """Of the most different segment in the variance of a difference under random swaps."""
    said = []
    for name, pool in real.items():
        squares = pools.contributions(pool) ** 2
        said.append(f"{100 * squares.max() / squares.sum():.1f} % ({name})")
    return ", ".join(said)


_HEAD = """\
# Calibration: how often the tests reject true nulls

The *size* of a test at the 5 % level is the share of true null hypotheses that it rejects; it should be 5 %. Here
every test runs on datasets in which neither system is better. Measure it on your own data with `truegain calibrate`.

`python -m benchmarks.calibration` wrote this page and the tables in `data/` (truegain {version}, seed {seed}, up to
{repetitions} datasets of each kind, {resamples} resamples per test, {minutes} minutes with {jobs} processes). Do not
edit it."""

_SUMMARY = """\
Rejections at 5 %, in per cent, for the mean of segment scores (`exact`: WER in the columns on segments, ties and
documents). A heading without a number means 200 segments (400 for neighbours). *Italics*: above {too_often:g} %.
**Bold**: the whole 95 % interval of the rate is above it."""

_NOTES = """\
† One-sided, towards the system that is better on the test set: it chooses the side after seeing the data, and so
rejects about 10 % of true nulls at 5 % by construction.

‡ Not a size: `sign` is about the median and `wilcoxon` about symmetry. Skewed differences with a mean of zero have
neither, so these tests are right to reject. What they find is not a difference of means.

- **Use `ar`, `exact` or `bootstrap`.** The tests that swap keep their level however few, tied or wild the differences
  are; `bootstrap` does from 30 units on. They need the right unit: documents, if segments of a document resemble each
  other.
- `riezler2005-bootstrap`, `sacrebleu-bs` and `moses-bs` take absolute differences before centring them. The null
  distribution is then too narrow, and they reject twice as often as they should.
- `riezler2005-ar` and `clark2011` equal `ar` to the bit with one run per system and segments as the unit.
  `sacrebleu-ar` does not count swaps that give exactly the observed difference. If there are many (few segments
  differ, or scores are whole numbers), it rejects too often.
- `stationary-bootstrap`, for segments that depend on their neighbours, rejects somewhat too often there, all tests of
  single segments far too often: [units on real systems](studies/calibration-of-units.md).
- The interval of Δ is by default the set of gains that its test does not reject, since the percentile interval of the
  bootstrap now and then contradicted p. From 100 differing units on it holds the true gain in 93 to 97 % of test sets
  by `ar`, but for very skewed differences (91.5 %): [coverage](studies/coverage.md).
- Of the tests of runs, `crossed`, `run-permutation` and `welch` keep their level here, with systems that do not
  differ by segment. If they do, only `crossed` keeps it: [more on runs](studies/calibration-of-runs.md).

The default tests have bounds at the 5 % level, on data made by swapping. `ar`: 5 % plus three Monte-Carlo standard
errors. `bootstrap`: 3.5–7 % below 200 units and 4–6.5 % from 200 on; no lower bound for ties, heavy tails and 0/1
scores, with which any test rejects less often."""

_FIGURE = """\
![Quantiles of p-values under the null]({figure})

Quantiles of p-values against those of an exact test (the diagonal), for the mean of segment scores. A curve below the
diagonal rejects too often."""

_DATA = """\
{sizes} has the rejections at 1, 5 and 10 % for 30, 200
and 1,000 units under BLEU, WER and the mean, with 95 % Clopper–Pearson intervals at 5 %, and the bounds. All tests see
the same datasets; slow tests see fewer of them.

- **Segments**: drawn without replacement from {pool:,} segments of two simulated systems of equal quality, whose
  outputs are swapped segment by segment with probability one half. The mean is that of sentence BLEU.
- **Ties**: the systems are identical on {ties:.0f} % of the segments. Of 30 about three differ, so no p-value of
  randomization can be small.
- **Documents**: {documents:,} documents of 1 to {largest} segments, swapped as a whole; what segments add to the
  difference in BLEU is correlated by {correlation} within a document. `ar`, `bootstrap`, `skew-t` and `exact` have
  documents as their unit, all others segments (or blocks of them). `ar` with `--unit segment` is `riezler2005-ar`.
- **Heavy tails**: differences follow Student's t with {freedom} degrees of freedom, rounded to tenths, and are
  swapped. A single segment can outweigh all others.
- **0/1 scores**: both systems are right on {right:.0f} % of the segments, both wrong on {wrong:.0f} %; outputs are
  swapped. Few segments give few different p-values, so exact tests reject less often.
- **Skewed**: geometric with mean {mean}, less {mean}; skewness 2. Drawn, not swapped: the means are equal, but the
  null of randomization does not hold. Not bounded.
- **Neighbours**: a first-order autoregression with a correlation of {neighbours}, rounded to tenths. Not bounded.
- **Runs**: runs of two equal systems on 100 segments. A score is the sum of normal effects of segment, run, and both;
  over all segments the run's effect varies as much as the others.
- **Raters**: see [calibration of raters](studies/calibration-of-raters.md); two raters of each of 100 documents."""

_REAL = """\
Rejections at 5 %, with 95 % intervals: BLEU of the four pairs of WMT17 en-de systems that are closest in it (3,004
segments), outputs swapped segment by segment. If a single segment weighs much (a runaway output), the bootstrap, which
may draw it several times, rejects less often. Largest share of one
segment in the variance of the difference: {shares}."""

_NO_REAL = "Left out: the WMT17 outputs, which are not part of the project, were not there."

_POWER = """\
Rejections at 5 %, in per cent, on 200 segments of which the second system gets the better output more often than not.
`sign` and `wilcoxon` test another hypothesis: they are best at gains made by winning segments. Other gains, and
intervals: {powers}."""

_ONE = """\
Two systems differ on one segment of {label} (tests of runs: one of five runs does): no evidence of a difference.
P-values with 1,000 resamples: the median over {seeds} seeds, and the range; tests with p = 1 are left out. Also for
means: {whole}. If p depends on the seed, it measures Monte-Carlo error and nothing else. `bootstrap` gives .63 for a
mean: the probability that the segment is drawn never or more than once."""
