"""The page: what was measured, section by section, with what there is to know about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.calibration import makers, pools
from benchmarks.calibration.scenarios import Outcome, Pools
from benchmarks.calibration.tables import (
    TOO_OFTEN,
    one_difference_table,
    power_tables,
    size_tables,
    summary_table,
    unmet,
)
from truegain.experiment import Experiment
from truegain.studies.calibrate.result import Power
from truegain.version import __version__

__all__ = ["SIZES_FROM", "Report", "page"]

#: What the figures in sizes.json are.
SIZES_FROM = (
    "Share of true null hypotheses rejected at 5 %: mean of segment scores, 200 segments, outputs swapped at random; "
    "mcnemar: 0/1 scores; exact: WER; tests of runs: 5 runs of each system"
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
        "## Segments",
        _SEGMENTS.format(pool=made.simulated.corpus.segments),
        size_tables(report.group("segments"), "segments"),
        "## Many ties",
        _TIES.format(ties=100 * pools.TIES),
        size_tables(report.group("ties"), "segments"),
        "## Documents",
        _DOCUMENTS.format(
            correlation=pools.DOCUMENT_CORRELATION, largest=pools.LARGEST_DOCUMENT, pool=made.documents.units.count
        ),
        size_tables(report.group("documents"), "documents"),
        "## Heavy tails",
        _HEAVY.format(freedom=pools.FREEDOM),
        size_tables(report.group("heavy"), "segments"),
        "## Scores of 0 and 1",
        _BINARY.format(right=100 * pools.BOTH_RIGHT, wrong=100 * pools.BOTH_WRONG),
        size_tables(report.group("binary"), "segments"),
        "## Skewed differences",
        _SKEWED.format(mean=makers.MEAN_ERRORS),
        size_tables(report.group("skewed"), "segments"),
        "## Dependent neighbours",
        _NEIGHBOURS.format(correlation=makers.AUTOCORRELATION),
        size_tables(report.group("neighbours"), "segments"),
        "## Runs",
        _RUNS,
        size_tables(report.group("runs"), "runs"),
        "## Real systems",
        _REAL.format(shares=_shares(made.real)) if made.real else _NO_REAL,
        size_tables(report.group("real"), "") if made.real else "",
        "## Power",
        _POWER,
        power_tables(report.powers),
        "## One segment differs",
        _ONE.format(label=report.one.label, seeds=len(next(iter(report.one.measured.values())).p)),
        one_difference_table(report.one),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _shares(real: Mapping[str, Experiment]) -> str:
    """Of the most different segment in the variance of a difference under random swaps."""
    said = []
    for name, pool in real.items():
        squares = pools.contributions(pool) ** 2
        said.append(f"{100 * squares.max() / squares.sum():.1f} % ({name})")
    return ", ".join(said)


_HEAD = """\
# Calibration: how often the tests reject true nulls

The *size* of a test at the level of 5 % is the share of true null hypotheses that it rejects. It should be 5 %. A test
that rejects more of them finds gains that are not there; one that rejects fewer misses some that are.

To measure it, datasets are made in which neither system is better, and every test that `truegain tests` lists is run
on them; `truegain calibrate` does the same with data of your own. This page is written by
`python -m benchmarks.calibration` (`make calibration`) of truegain {version} with the seed {seed}: up to {repetitions}
datasets of each kind, {resamples} resamples in every test, {minutes} minutes with {jobs} processes. Do not edit it: run
the command again. The figures depend on neither the machine nor the number of processes."""

_SUMMARY = """\
Rejections at 5 %, in per cent. The score is the mean of segment scores; for `exact` it is WER in the columns on
segments, ties and documents, because swaps of sentence BLEU are too many to be counted. Where the heading gives no
number there are 200 segments, and 400 where neighbours depend on each other. *Italics*: the rate is above
{too_often:g} %; **bold**: the whole 95 % interval of it is."""

_NOTES = """\
† One-sided, towards the system that happens to be better on the test set. Such a test rejects about 10 % of true nulls
at 5 % by construction, because it looks at one side only after the data have chosen it.

‡ Not a size: the null hypothesis of `sign` is about the median and that of `wilcoxon` about symmetry. Neither holds for
skewed differences with a mean of zero, so they are right to reject.

- `ar`, `exact` and the other tests that swap keep their level wherever outputs can be swapped, however few, tied or
  wild the differences are. They need the right unit: documents, where segments of a document resemble each other.
- `bootstrap` keeps it too, from 30 units on.
- `riezler2005-bootstrap`, `sacrebleu-bs` and `moses-bs` take absolute differences before they centre them, which makes
  the null distribution too narrow: they reject twice as often as they should.
- `riezler2005-ar` and `clark2011` are `ar` to the bit with one run of each system and segments as the unit.
  `sacrebleu-ar` does not count swaps that give the very difference that was observed. Where there are many of these,
  because few segments differ or because scores are whole numbers, it rejects too often.
- Tests that are defined on segments cannot be told about documents. The columns on documents show what that costs.
- `sign` and `wilcoxon` test another hypothesis than the others. Skewed differences with a mean of zero have no median
  of zero, so these two are right to reject; but what they find is no difference of the means.
- `stationary-bootstrap` is made for segments that depend on their neighbours. There, and with documents that it is not
  told of, it rejects somewhat too often, and all others that take single segments far too often.
  [Units on real systems](studies/calibration-of-units.md).
- Of the tests of runs, `crossed`, `run-permutation` and `welch` keep their level with few, here, where systems do not
  differ by segment; where they do, only `crossed` does. `fu-ar` needs about ten runs, and `fu-bootstrap` rejects too
  often with any number. Tests of rows (`fu-rows-*`) reject too often however many runs there are.
  [More on runs](studies/calibration-of-runs.md).

The default tests are held against bounds at the level of 5 %, on data made by swapping: `ar` at most 5 % plus three
Monte-Carlo standard errors; `bootstrap` 3.5–7 % below 200 units and 4–6.5 % from 200 on, without a lower bound where
ties, heavy tails or scores of 0 and 1 make any test reject less often."""

_FIGURE = """\
![Quantiles of p-values under the null]({figure})

Quantiles of p-values against those of an exact test (the diagonal), for the mean of segment scores. A curve below the
diagonal rejects too often."""

_SEGMENTS = """\
Segments are drawn, without replacement, from a pool of {pool:,} with the outputs of two simulated systems of equal
quality, and the outputs of the two are swapped with probability one half, segment by segment. The null hypothesis of
randomization then holds exactly, and that of the bootstrap holds too. The mean is that of sentence BLEU. The classical
tests, under BLEU and WER too, are about the scores of segments.

Here and below an entry has the rejections at 1 %, at 5 % with their 95 % Clopper–Pearson interval, and at 10 %, all in
per cent. All tests see the same datasets; those that take longer see fewer of them."""

_TIES = """\
The same, with the second system made identical to the first on {ties:.0f} % of the segments. Of 30 segments about three
are left that differ: no p-value of randomization can then be small, and it hardly ever rejects."""

_DOCUMENTS = """\
A pool of {pool:,} documents with 1 to {largest} segments, each size as likely as any other; segments are chosen so that
what they add to the difference in BLEU is correlated by {correlation} within a document. Documents are swapped as a
whole. `ar`, `bootstrap` and `exact` have them as their unit; all other tests are defined on segments, and
`stationary-bootstrap` on blocks of segments. (`ar` with `--unit segment` is `riezler2005-ar`.)"""

_HEAVY = """\
Differences of segment scores that follow Student's t with {freedom} degrees of freedom: their variance is finite, and
hardly. They are rounded to tenths, for `exact` to count all swaps, and outputs are swapped. A single segment can
outweigh all others; the bootstrap and the t-test then reject less often."""

_BINARY = """\
Scores that are 0 or 1, such as answers that are right or wrong: both systems are right on {right:.0f} % of the segments
and both wrong on {wrong:.0f} %, and on the others one of them is right. Outputs are swapped. With few segments there
are few different p-values, so that exact tests reject less often than their level says."""

_SKEWED = """\
Differences with a mean of zero that are not symmetric: whole numbers of a geometric distribution with the mean {mean},
less {mean}; their skewness is 2. They are drawn, not swapped. The null hypothesis of randomization does not hold,
though the means are the same; nor do those of `sign` (a median of zero) and `wilcoxon` (symmetry), whose rejections are
power here, not errors. Reported, not bounded."""

_NEIGHBOURS = """\
Differences with a mean of zero in which each depends on the one before: a first-order autoregression with a
correlation of {correlation}, rounded to tenths. Only `stationary-bootstrap` takes account of it; it has the rule of
Politis and White to find out how far the dependence reaches. Reported, not bounded."""

_RUNS = """\
Several runs of each of two equal systems on 100 segments. The score of a segment has a part that all runs share, one of
the run and one of its own, all of them normal; over all segments the run's part varies as much as the others."""

_REAL = """\
BLEU of the four pairs of WMT17 en-de systems that are closest in it (3,004 segments), each system in one pair only;
their outputs are swapped at random segment by segment, so that `ar` keeps its level by construction; what documents do
to tests of segments is shown [elsewhere](studies/calibration-of-units.md). The segments are the same in every dataset.
Where a single segment weighs much (a runaway output, say), the bootstrap, which may draw it several times, rejects less
often. The
largest share of one segment in the variance of the difference: {shares}."""

_NO_REAL = "Left out: the WMT17 outputs, which are not part of the project, were not there."

_POWER = """\
Rejections at 5 %, in per cent, on 200 segments where the second system is better: it gets the better of the two outputs
more often than not, with the same probability for all segments, so that the gain is as large as the heading says (in
brackets: the mean over datasets). Of tests with the same size, the one with more power is better; but `sign` and
`wilcoxon` test another hypothesis, and a gain that is made by winning segments is what they are best at."""

_ONE = """\
P-values of two systems that differ on one segment of {label}, with 1,000 resamples: the median over {seeds} seeds, and
the range. For the tests of runs the systems have five runs, and one run differs on one segment. There is no
evidence of a difference in such data. Where p depends on the seed as much as it does for some tests, it measures
Monte-Carlo error and nothing else. `bootstrap` gives .63 for a mean, the probability that the segment is drawn never or
more than once. BLEU is no mean: drawn twice, the segment moves it by slightly more or slightly less than twice as much,
so that only about half of these resamples count."""
