"""View of tuned weights: tables of runs and of weights, and what they say."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, stdev

from truegain.report.model import Cell, Column, Document, Paragraph, Table, listing, remark, signed, whole
from truegain.studies.advice import SHARE, varies_more
from truegain.studies.shared_view import signatures
from truegain.studies.tune.result import TuneResult

_NAMES = {"mert": "MERT", "pro": "PRO", "mira": "MIRA"}
_PAPERS = {
    "mert": "minimum error rate training (Och 2003)",
    "pro": "pairwise ranking optimization (Hopkins and May 2011)",
    "mira": "batch MIRA on k-best lists (Cherry and Foster 2012)",
}
_DRAWN = {"mert": "starts and directions", "pro": "pairs of hypotheses", "mira": "the order of segments"}


def document(result: TuneResult, decimals: int | None) -> Document:
    """Return the sentences, the runs, the sets, the weights, and the method."""
    places = 2 if decimals is None else decimals
    first = result.sets[0]
    items: list[Table | Paragraph] = [
        Paragraph(
            f"{whole(len(result.runs), 'run')} of {_NAMES[result.optimizer]} on {whole(first.segments, 'segment')} · "
            f"{first.hypotheses:,} hypotheses · {whole(len(result.features), 'feature')}",
            "title",
        ),
        *(Paragraph(text, "verdict") for text in verdicts(result, places)),
        _runs(result, places),
        _sets(result, places),
        _weights(result),
        *(remark(note) for note in result.notes),
        *signatures(result, result.fingerprint),
        Paragraph(methods(result), "methods"),
    ]
    return Document(tuple(items))


def _runs(result: TuneResult, places: int) -> Table:
    label = result.metrics[0].label
    scored = [i for i, one in enumerate(result.sets) if one.best is not None]
    equal = result.distinct < len(result.runs)
    columns = [Column(f"{label}: run", "left"), *(Column(result.sets[i].name) for i in scored)]
    columns += [Column("same as")] if equal else []
    rows = []
    for one in result.runs:
        cells = [Cell(f"{one.number}"), *(Cell(f"{one.scores[i]:.{places}f}", value=one.scores[i]) for i in scored)]
        cells += [Cell("" if one.same_as is None else f"{one.same_as}")] if equal else []
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), f"{label} of the outputs that each run chose")


def _sets(result: TuneResult, places: int) -> Table:
    label = result.metrics[0].label

    def shown(value: float | None) -> Cell:
        return Cell("–", "quiet") if value is None else Cell(f"{value:.{places}f}", value=value)

    columns = (
        Column(f"{label} by set", "left"),
        *(Column(name) for name in ("mean", "s", "s_sel", "1-best", "oracle", "worst")),
    )
    rows = [
        (
            Cell(one.name),
            *map(shown, (result.mean(i), result.deviation(i), one.s_sel, one.first, one.best, one.worst)),
        )
        for i, one in enumerate(result.sets)
    ]
    note = (
        "s: standard deviation over runs (s_dev, s_test); s_sel: over test sets. 1-best: by the totals of the lists. "
        "oracle, worst: by a greedy search."
    )
    return Table(columns, tuple(rows), f"{label} over runs, and of the best and worst hypotheses", (note,))


def _weights(result: TuneResult) -> Table:
    columns = (Column("feature", "left"), *(Column(name) for name in ("mean", "s", "lowest", "highest")))
    rows = []
    for place, name in enumerate(result.features):
        own = [one.weights[place] for one in result.runs]
        spread = stdev(own) if len(own) > 1 else 0.0
        numbers = (signed(fmean(own), 3), f"{spread:.3f}", signed(min(own), 3), signed(max(own), 3))
        rows.append((Cell(name), *map(Cell, numbers)))
    note = "Weights are scaled: in every run, the largest product of a weight and the spread of its feature is 1."
    return Table(columns, tuple(rows), "Weights over runs", (note,))


def verdicts(result: TuneResult, places: int = 2) -> list[str]:
    """Return what the runs say, and Clark et al.'s readings of it."""
    label, count = result.metrics[0].label, len(result.runs)
    parts = []
    for place, one in enumerate(result.sets):
        mean, deviation = result.mean(place), result.deviation(place)
        if mean is not None:
            varies = "" if deviation is None else f" ({'s_dev' if place == 0 else 's_test'} {deviation:.{places}f})"
            parts.append(f"{mean:.{places}f} on {one.name}{varies}")
    over = f"Over {whole(count, 'run')} of {_NAMES[result.optimizer]}, " if count > 1 else ""
    said = [f"{over}{label} is {listing(parts)}{' on average' if count > 1 else ''}."]
    if count > 1 and result.distinct < count:
        more = "; fewer restarts would show more of the optimizer's variation" if result.optimizer == "mert" else ""
        own = f"{result.distinct} of {count} runs have different outputs"
        said.append(f"{f'All {count} runs have the same outputs' if result.distinct == 1 else own}{more}.")
    return [*said, *_readings(result, places)]


def _readings(result: TuneResult, places: int) -> Iterator[str]:
    """Yield what to do about large standard deviations, as Clark et al. (2011) read them.

    A deviation is large if it is more than half of the gain over the 1-best, which tuning brought.
    """
    dev = result.deviation(0)
    help = "use more restarts" if result.optimizer == "mert" else "tune more often, and keep the run that is best there"
    if dev is not None and (large := _large(dev, result.gain(0), places)):
        yield f"s_dev ({dev:.{places}f}) is {large}: {help} (Clark et al. 2011)."
    for place, one in enumerate(result.sets[1:], 1):
        test = result.deviation(place)
        if test is not None and varies_more(test, dev, result.distinct):
            yield (
                f"s_test on {one.name} ({test:.{places}f}) is above s_dev ({dev:.{places}f}), a sign of overfitting to "
                "the development set: use fewer features or a larger development set, and report several runs (Clark "
                "et al. 2011)."
            )
        if one.s_sel is not None and (large := _large(one.s_sel, result.gain(place), places)):
            yield (
                f"s_sel on {one.name} ({one.s_sel:.{places}f}), the spread over test sets, is {large}: take a larger "
                "test set (Clark et al. 2011)."
            )


def _large(deviation: float, gain: float | None, places: int) -> str:
    """Say that a deviation is large; empty if it is not, or if there is no gain to hold it against."""
    if gain is None or deviation <= SHARE * abs(gain):
        return ""
    return f"more than half of the difference to the 1-best ({signed(gain, places)})"


def methods(result: TuneResult) -> str:
    """Describe the method in a few sentences, to paste into a paper."""
    metric = result.metrics[0]
    starts = "" if result.restarts is None else f", the best of {whole(result.restarts, 'random start')} each"
    return (
        f"The weights of {whole(len(result.features), 'feature')} were tuned for {metric.label} on n-best lists of "
        f"{whole(result.sets[0].segments, 'segment')} by {_PAPERS[result.optimizer]}, "
        f"{whole(len(result.runs), 'time')}{starts}; runs differ in {_DRAWN[result.optimizer]} (truegain "
        f"{result.version}, seed {result.seed})."
    )


def prose(result: TuneResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"verdicts": verdicts(result), "methods": methods(result)}
