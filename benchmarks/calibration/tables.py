"""What was measured, as tables of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from benchmarks.calibration.bounds import bound_of, checked
from benchmarks.calibration.scenarios import RUN_TESTS, Outcome
from truegain.registry import TESTS
from truegain.report.figures.quantiles import Curve, QuantilePanel
from truegain.studies.calibrate.result import Measured, Power, Rate

__all__ = [
    "METRICS",
    "curves",
    "one_difference_table",
    "power_tables",
    "size_tables",
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
    ("1,000 segments", "segments", "1,000"),
    ("30, 90 % ties", "ties", "30"),
    ("heavy tails", "heavy", "200"),
    ("0/1 scores", "binary", "200"),
    ("30 documents", "documents", "30"),
    ("200 documents", "documents", "200"),
    ("skewed", "skewed", "200"),
    ("neighbours", "neighbours", "400"),
    ("5 runs", "runs", "5"),
)
_PLOTTED = ("ar", "bootstrap", "t", "koehn2004", "sacrebleu-bs")
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


def sizes(outcomes: Outcomes) -> dict[str, float]:
    """Return the one figure of every test that ``truegain tests`` prints."""
    found = {}
    for test in TESTS:
        group = "runs" if test in RUN_TESTS else "binary" if test == "mcnemar" else "segments"
        measured = _mean_or_errors(outcomes, group, "5" if group == "runs" else "200", test)
        if measured is None:
            raise KeyError(f"no size of {test} was measured")
        found[test] = measured.size.rate
    return found


def curves(outcomes: Outcomes) -> list[QuantilePanel]:
    """Quantiles of p-values of a few tests, to be plotted."""
    panels = []
    for title, place in _PANELS.items():
        found = [(test, outcomes[place].get("mean", test)) for test in _PLOTTED]
        drawn = [Curve(test, measured.quantiles) for test, measured in found if measured is not None]
        panels.append(QuantilePanel(title, drawn))
    return panels


def size_tables(outcomes: Sequence[Outcome], what: str) -> str:
    """Sizes at all levels: a table for each metric, a row for each test, a column for each of the outcomes."""
    metrics = list(dict.fromkeys(metric for outcome in outcomes for metric in outcome.metrics))
    parts = []
    for metric in metrics:
        if len(metrics) > 1:
            parts.append(f"**{METRICS[metric][0].upper()}{METRICS[metric][1:]}**")
        parts.append(_size_table(outcomes, metric, what))
    return "\n\n".join(parts)


def _size_table(outcomes: Sequence[Outcome], metric: str, what: str) -> str:
    bounded = any(bound_of(outcome, one) for outcome in outcomes for one in outcome.measured.values())
    rows = []
    for test in TESTS:
        found = [(outcome, outcome.get(metric, test)) for outcome in outcomes]
        measured = [(outcome, one) for outcome, one in found if one is not None]
        if not measured:
            continue
        cells = ["" if one is None else _rates(one) for _, one in found]
        repetitions = _distinct(f"{one.size.repetitions:,}" for _, one in measured)
        wanted = _wanted(measured) if bounded else []
        rows.append([_named(test), *cells, repetitions, *wanted])
    columns = [f"{outcome.label} {what}".strip() for outcome in outcomes]
    return _table(["test", *columns, "datasets", *(["wanted at 5 %", "met"] if bounded else [])], rows)


def _wanted(measured: Sequence[tuple[Outcome, Measured]]) -> list[str]:
    bounds = [(outcome, one, bound_of(outcome, one)) for outcome, one in measured]
    known = [(outcome, one, bound) for outcome, one, bound in bounds if bound is not None]
    verdicts = [bound.verdict(one.size) for _, one, bound in known]
    met = "yes" if known and set(verdicts) == {"yes"} else " / ".join(verdicts)
    return [_distinct(str(bound) for _, _, bound in known), met]


def _distinct(said: Iterator[str]) -> str:
    found = list(said)
    return found[0] if len(set(found)) == 1 else " / ".join(found)


def _rates(measured: Measured) -> str:
    """Rejections in per cent at 1, 5 and 10 %, with the 95 % interval of the second."""
    first, second, third = measured.rates
    return f"{_percent(first)} / {_interval(second)} / {_percent(third)}"


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


def power_tables(powers: Sequence[Power]) -> str:
    """Rejections at 5 % where there is a gain: a table for each metric."""
    parts = []
    for metric in dict.fromkeys(power.metric for power in powers):
        found = {(power.gain, power.test): power for power in powers if power.metric == metric}
        gains = {power.gain: power.reached for power in found.values()}
        headings = ["test", *(f"gain of {gain:g} ({reached:.2g})" for gain, reached in gains.items())]
        rows = []
        for test in dict.fromkeys(test for _, test in found):
            rates = [found[gain, test].rates[1] for gain in gains]
            rows.append([_named(test), *(f"{100 * rate.rate:.1f} ({_ends(rate)})" for rate in rates)])
        parts.append(f"**{METRICS[metric][0].upper()}{METRICS[metric][1:]}**\n\n{_table(headings, rows)}")
    return "\n\n".join(parts)


def _ends(rate: Rate) -> str:
    low, high = rate.interval
    return f"{100 * low:.1f}–{100 * high:.1f}"


def one_difference_table(outcome: Outcome) -> str:
    """Median p-values and their range over seeds."""
    rows = []
    for test in TESTS:
        cells = []
        for metric in METRICS:
            found = outcome.get(metric, test)
            cells.append("" if found is None else _range(np.array(found.p)))
        rows.append([_named(test), *cells])
    return _table(["test", *METRICS.values()], rows)


def _range(p: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    low, middle, high = (f"{value:.3f}" for value in (p.min(), np.median(p), p.max()))
    return middle if low == high else f"{middle} ({low}–{high})"


def unmet(outcomes: Sequence[Outcome]) -> str:
    """Return the bounds that are not met, in plain words."""
    every = list(checked(outcomes))
    said = [
        f"- {one.outcome.group}, {one.outcome.label}, {METRICS[one.measured.metric]}, `{one.measured.test}`: "
        f"{_interval(one.measured.size)} % where {one.bound} % is wanted"
        f"{' (within Monte-Carlo error)' if one.verdict == 'within error' else ''}"
        for one in every
        if one.verdict != "yes"
    ]
    if not said:
        return f"All {len(every)} bounds are met."
    return f"Of {len(every)} bounds, {len(every) - len(said)} are met; the others are:\n\n" + "\n".join(said)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---", *["--:"] * (len(headings) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
