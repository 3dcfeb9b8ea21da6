"""View of a calibration: tables and sentences."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Document, Paragraph, Table, Tone, remark, signed, whole
from truegain.studies.calibrate.result import LEVELS, TOLERATED, CalibrationResult, Measured, Rate, Verdict, keeps_level

_TONES: dict[Verdict, Tone] = {
    "keeps its level": "good",
    "no excess found": "plain",
    "too often": "bad",
    "too rarely": "plain",
}


def document(result: CalibrationResult, decimals: int | None) -> Document:
    """Return a table for each metric, what to know, and signatures."""
    places = 1 if decimals is None else decimals
    items: list[Table | Paragraph] = [Paragraph(_title(result), "title")]
    for metric in result.metrics:
        items.append(_sizes(result, metric, places))
    items.extend(_verdicts(result))
    for metric in result.metrics:
        items.extend(_powers(result, metric, places))
    items.append(Paragraph(f"Rejections in % of {result.repetitions:,} datasets, with their 95 % intervals."))
    items.extend(remark(note) for note in result.notes)
    items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in result.metrics)
    items.append(Paragraph(f"{result.signature} · inputs {result.testset.fingerprint}", "signature"))
    return Document(tuple(items))


def _title(result: CalibrationResult) -> str:
    who = " and ".join(result.systems)
    return f"{result.testset.name}  {who} · {result.how} · {whole(result.repetitions, 'dataset')}"


def _sizes(result: CalibrationResult, metric: MetricInfo, decimals: int) -> Table:
    rows = []
    for one in result.measured:
        if one.metric == metric.key:
            cells = [Cell(_rate_text(rate, decimals)) for rate in one.rates]
            verdict = Cell("by chance") if _by_chance(result, one) else Cell(one.verdict, _TONES[one.verdict])
            rows.append((Cell(one.test), *cells, verdict))
    columns = (
        Column(f"{metric.label}, no difference", "left"),
        *(Column(f"at {100 * level:g} %") for level in LEVELS),
        Column("", "left"),
    )
    return Table(columns, tuple(rows), f"Rejections without a difference in {metric.label}")


def _verdicts(result: CalibrationResult) -> list[Paragraph]:
    """Say which tests keep their level, in a sentence for each outcome."""
    labels = {metric.key: metric.label for metric in result.metrics}
    said = []
    for verdict, opening in _openings(result).items():
        who = [
            f"{one.test} ({labels[one.metric]}{_unsettled(one)})"
            for one in result.measured
            if one.verdict == verdict and not _by_chance(result, one)
        ]
        if who:
            tone: Tone = "bad" if verdict == "too often" else "plain"
            said.append(Paragraph(f"{opening}: {', '.join(who)}.", "verdict", tone))
    lucky = [f"{one.test} ({labels[one.metric]})" for one in result.measured if _by_chance(result, one)]
    if lucky:
        text = "By chance alone these datasets have more rejections than the level says; use more of them"
        said.append(Paragraph(f"{text}: {', '.join(lucky)}.", "verdict"))
    return said


def _by_chance(result: CalibrationResult, one: Measured) -> bool:
    """Return whether a test was found to reject too often that keeps its level on such nulls by construction."""
    return one.verdict == "too often" and keeps_level(one.test, result.unit, result.null_unit)


def _openings(result: CalibrationResult) -> dict[Verdict, str]:
    datasets = whole(result.repetitions, "dataset")
    return {
        "keeps its level": f"Keeps its level: at 5 %, a rate above {5 * TOLERATED:g} % is excluded",
        "no excess found": f"No excess found, but {datasets} cannot exclude one",
        "too often": (
            "Finds a difference between runs of one system too often to be read as about new runs"
            if result.about_new_runs  # the null is about new runs, and not every test is
            else "Rejects true null hypotheses too often"
        ),
        "too rarely": "Rejects true null hypotheses more rarely than at 5 %, which costs power only",
    }


def _powers(result: CalibrationResult, metric: MetricInfo, decimals: int) -> list[Table | Paragraph]:
    powers = [one for one in result.power if one.metric == metric.key]
    if not powers:
        return []
    rows = tuple((Cell(one.test), *(Cell(_rate_text(rate, decimals)) for rate in one.rates)) for one in powers)
    columns = (
        Column(f"{metric.label}, gain of {signed(powers[0].gain, 3)}", "left"),
        *(Column(f"at {100 * level:g} %") for level in LEVELS),
    )
    reached = f"The mean gain in {metric.label} of datasets with a gain was {signed(powers[0].reached, 3)}."
    return [Table(columns, rows, f"Power with a known gain in {metric.label}"), Paragraph(reached)]


def _rate_text(rate: Rate, decimals: int) -> str:
    low, high = rate.interval
    return f"{100 * rate.rate:.{decimals}f} ({100 * low:.{decimals}f} – {100 * high:.{decimals}f})"


def _unsettled(one: Measured) -> str:
    """Say what cannot be excluded, and how many datasets would settle it."""
    if one.needed is None:
        return ""
    return f", up to {100 * one.size.interval[1]:.1f} %; at this rate {one.needed:,} datasets would settle it"
