"""What was measured, as tables of the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from benchmarks.calibration.bounds import bound_of, checked
from benchmarks.calibration.scenarios import DEFAULTS, RATER_TESTS, RUN_TESTS, TWO_VALUED, Outcome
from truegain.registry import TESTS
from truegain.studies.calibrate import Measured, Power, Rate

__all__ = [
    "METRICS",
    "PLOTTED",
    "bounded_table",
    "curves",
    "one_difference_table",
    "power_table",
    "sizes",
    "summary_table",
    "unmet",
]

#: What the page calls metrics.
METRICS = {"bleu": "BLEU", "wer": "WER", "mean": "mean of segment scores", "right": "0/1 scores"}
#: A rate of rejections at 5 % beyond which a test is marked: the largest that a default test is allowed.
TOO_OFTEN = 0.065

# Heading, section, and which of its datasets.
_SUMMARY = (
    ("30 segments", "segments", "30"),
    ("200 segments", "segments", "200"),
    ("30, 90 % ties", "ties", "30"),
    ("heavy tails", "heavy", "200"),
    ("0/1 scores", "binary", "200"),
    ("30 documents", "documents", "30"),
    ("200 documents", "documents", "200"),
    ("skewed", "skewed", "200"),
    ("neighbours", "neighbours", "400"),
    ("5 runs", "runs", "5"),
    ("5 raters", "raters", "5"),
)
#: Tests of the figure.
PLOTTED = ("ar", "bootstrap", "t", "koehn2004", "sacrebleu-bs")
_PANELS = {"200 segments": ("segments", "200"), "30 documents": ("documents", "30")}
_ONE_SIDED = "†"
_OTHER_NULL = "‡"
#: Tests of the median, or of symmetry: skewed differences with a mean of zero are no null of theirs.
NOT_ABOUT_MEANS = ("wilcoxon", "sign")

Outcomes = Mapping[tuple[str, str], Outcome]  # by section and label


def summary_table(outcomes: Outcomes) -> str:
    """Sizes at 5 % of every test."""
    rows = []
    for test in TESTS:
        cells = []
        for _, group, label in _SUMMARY:
            found = _mean_or_errors(outcomes, group, label, test)
            cells.append("" if found is None else _summarized(found, group))
        rows.append([_named(test), *cells])
    return _table(["test", *(heading for heading, _, _ in _SUMMARY)], rows)


def _summarized(found: Measured, group: str) -> str:
    if group == "skewed" and found.test in NOT_ABOUT_MEANS:
        return f"{_percent(found.size)}{_OTHER_NULL}"
    return _marked(found.size)


def _mean_or_errors(outcomes: Outcomes, group: str, label: str, test: str) -> Measured | None:
    """Return what was measured under the mean of segment scores; of ``exact`` under WER if only that can be counted."""
    outcome = outcomes.get((group, label))
    if outcome is None:
        return None
    return outcome.get("mean", test) or (outcome.get("wer", test) if test == "exact" else None)


def sizes(outcomes: Outcomes, tests: Iterable[str] = TESTS) -> dict[str, float]:
    """Return the one figure of every test that ``truegain tests`` prints."""
    found = {}
    for test in tests:
        group = "runs" if test in RUN_TESTS else "raters" if test in RATER_TESTS else "segments"
        group = "binary" if test in TWO_VALUED else group
        measured = _mean_or_errors(outcomes, group, "5" if group in ("runs", "raters") else "200", test)
        if measured is None:
            raise KeyError(f"no size of {test} was measured")
        found[test] = measured.size.rate
    return found


def curves(outcomes: Outcomes) -> dict[str, dict[str, Sequence[float]]]:
    """Quantiles of p-values of a few tests, to be plotted."""
    panels: dict[str, dict[str, Sequence[float]]] = {}
    for title, place in _PANELS.items():
        found = [(test, outcomes[place].get("mean", test)) for test in PLOTTED]
        panels[title] = {test: measured.quantiles for test, measured in found if measured is not None}
    return panels


def bounded_table(outcomes: Sequence[Outcome]) -> str:
    """Sizes at 5 % of the tests that have bounds, by the first metric: a row per test, a column per outcome."""
    rows = []
    for test in DEFAULTS:
        found = [(outcome, outcome.measured[outcome.metrics[0], test]) for outcome in outcomes]
        bounds = dict.fromkeys(str(bound_of(outcome, one)) for outcome, one in found)
        rows.append([_named(test), *(_interval(one.size) for _, one in found), " / ".join(bounds)])
    return _table(["test", *(outcome.label for outcome in outcomes), "wanted"], rows)


def _interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{_marked(rate)} ({100 * low:.1f}–{100 * high:.1f})"


def _percent(rate: Rate) -> str:
    return f"{100 * rate.rate:.1f}"


def _marked(rate: Rate) -> str:
    """Return a rate in italics if it is too high, in bold if even the lower end of its interval is."""
    mark = "**" if rate.interval[0] > TOO_OFTEN else "*" if rate.rate > TOO_OFTEN else ""
    return f"{mark}{_percent(rate)}{mark}"


def _named(test: str) -> str:
    return f"`{test}`{_ONE_SIDED if TESTS[test].sides == 'one-sided' else ''}"


def power_table(powers: Sequence[Power]) -> str:
    """Rejections at 5 % if there is a gain, the middle one of each metric."""
    metrics = list(dict.fromkeys(power.metric for power in powers))
    gains = {metric: sorted({power.gain for power in powers if power.metric == metric}) for metric in metrics}
    middle = {metric: own[len(own) // 2] for metric, own in gains.items()}
    found = {(power.metric, power.test): power for power in powers if power.gain == middle[power.metric]}
    rows = []
    for test in (name for name in TESTS if any(name == test for _, test in found)):
        shares = [found.get((metric, test)) for metric in metrics]
        rows.append([_named(test), *("" if one is None else _percent(one.rates[1]) for one in shares)])
    return _table(["test", *(f"{METRICS[metric]}, +{gain:g}" for metric, gain in middle.items())], rows)


def one_difference_table(outcome: Outcome) -> str:
    """Return the median p-values by BLEU of the tests that do not all have p = 1, with their range over seeds."""
    rows = []
    for test in TESTS:
        found = outcome.get("bleu", test)
        if found is not None and min(found.p) < 1.0:
            rows.append([_named(test), _range(np.array(found.p))])
    return _table(["test", f"p by {METRICS['bleu']}"], rows)


def _range(p: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    low, middle, high = (f"{value:.3f}" for value in (p.min(), np.median(p), p.max()))
    return middle if low == high else f"{middle} ({low}–{high})"


def unmet(outcomes: Sequence[Outcome]) -> str:
    """Return the bounds that are not met, in plain words."""
    every = list(checked(outcomes))
    said = [
        f"- {one.outcome.group}, {one.outcome.label}, {METRICS[one.measured.metric]}, `{one.measured.test}`: "
        f"{_interval(one.measured.size)} %, wanted: {one.bound} %"
        f"{' (within Monte-Carlo error)' if one.verdict == 'within error' else ''}"
        for one in every
        if one.verdict != "yes"
    ]
    if not said:
        return f"All {len(every)} bounds are met."
    return f"Of {len(every)} bounds, {len(every) - len(said)} are met. Not met:\n\n" + "\n".join(said)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---", *["--:"] * (len(headings) - 1)], *rows]
    return "\n".join(f"|{'|'.join(line)}|" for line in lines)
