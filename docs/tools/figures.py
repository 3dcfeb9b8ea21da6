"""The figures of the guide to significance testing: ``python -m docs.tools.figures``.

Those on measured sizes are drawn from what was measured, and the others by truegain's own commands on simulated test
sets whose truth is known. The same bytes every time.
"""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from truegain.experiment import Experiment
from truegain.procedures.base import Pair, Trial
from truegain.procedures.randomization import swapped_differences
from truegain.report.figures.style import BLUE, ORANGE, PAGE, save, styled
from truegain.settings.compare import CompareOptions
from truegain.studies.given import corpus_of

DOCS = Path(__file__).resolve().parents[1]
FOLDER = DOCS / "figures"
#: Tests of one run, in the order in which the guide speaks of them.
SHOWN = ("ar", "exact", "bootstrap", "t", "sacrebleu-ar", "bergkirkpatrick2012", "koehn2004", "sacrebleu-bs")


def measured() -> dict[str, float]:
    """Shares of true nulls that tests reject at 5 %."""
    sizes: dict[str, float] = json.loads((files("truegain") / "sizes.json").read_text("utf-8"))["sizes"]
    return sizes


def summary() -> dict[str, dict[str, float]]:
    """Return the summary of the page of calibration: tests, situations, shares in per cent."""
    text = (DOCS / "calibration.md").read_text(encoding="utf-8").partition("## Summary")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines() if line[:1] == "|"]
    return {
        row[0].strip("`†"): {
            situation: float(cell.strip("*‡")) for situation, cell in zip(rows[0][1:], row[1:], strict=True) if cell
        }
        for row in rows[2:]
    }


def sizes() -> None:
    """How often tests reject true nulls at 5 %."""
    shares = measured()
    with styled():
        figure = Figure(figsize=(PAGE * 0.8, 2.4), layout="constrained")
        axis = figure.subplots()
        names = list(reversed(SHOWN))
        values = [100 * shares[name] for name in names]
        bars = axis.barh(names, values, color=[ORANGE if value > 6.5 else BLUE for value in values], height=0.62)
        axis.bar_label(bars, [f"{value:.1f}" for value in values], padding=-20, fontsize=7, color="white")
        axis.axvline(5, color="0.35", linewidth=0.9, linestyle="--")
        axis.set_xlabel("true null hypotheses rejected at 5 %, in per cent (200 segments)")
        axis.set_xlim(0, max(values) * 1.03)
        save(figure, FOLDER / "guide-sizes.svg")


def units() -> None:
    """Draw the same test with documents as the unit, and with segments."""
    held = summary()
    situations = ("200 segments", "30 documents", "200 documents")
    with styled():
        figure = Figure(figsize=(PAGE * 0.8, 2.3), layout="constrained")
        axis = figure.subplots()
        for shift, (label, test, colour) in enumerate(
            (
                ("segments are the unit", "riezler2005-ar", ORANGE),
                ("documents are the unit, where there are any", "ar", BLUE),
            )
        ):
            values = [held[test][situation] for situation in situations]
            places = [place + 0.36 * shift for place in range(len(situations))]
            bars = axis.bar(places, values, width=0.33, color=colour, label=label)
            axis.bar_label(bars, [f"{value:.1f}" for value in values], padding=2, fontsize=7)
        axis.axhline(5, color="0.35", linewidth=0.9, linestyle="--")
        axis.set_xticks([place + 0.18 for place in range(len(situations))], ["independent segments", *situations[1:]])
        axis.set_ylabel("true nulls rejected, %")
        axis.set_ylim(0, 74)
        axis.legend(loc="upper left")
        save(figure, FOLDER / "guide-units.svg")


def many() -> None:
    """Draw the probability of at least one false finding among independent comparisons of equal systems."""
    counts = range(1, 31)
    with styled():
        figure = Figure(figsize=(PAGE * 0.62, 2.3), layout="constrained")
        axis = figure.subplots()
        axis.plot(counts, [100 * (1 - 0.95**count) for count in counts], color=ORANGE, label="each at 5 %")
        axis.plot(counts, [100 * (1 - (1 - 0.05 / count) ** count) for count in counts], color=BLUE, label="after Holm")
        axis.set_xlabel("comparisons of equal systems, independent of each other")
        axis.set_ylabel("any is “significant”, %")
        axis.set_ylim(0, 85)
        axis.set_xlim(1, 30)
        axis.legend(loc="upper left")
        save(figure, FOLDER / "guide-many.svg")


def overlap() -> None:
    """Two scores whose intervals overlap, and the interval of their difference, which excludes zero."""
    made = simulate(segments=500, systems=[SystemSpec(name="base", quality=0.75), SystemSpec(name="new", quality=0.79)])
    held = tg.compare(
        list(made.references[0]),
        {name: list(made.systems[name][0]) for name in ("base", "new")},
        documents=list(made.documents),
    )
    found = held["bleu", "new"]
    scores = [(score.name, score.score, score.interval) for score in held.scores]
    with styled():
        figure = Figure(figsize=(PAGE * 0.8, 1.7), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        for axis, rows in ((left, scores), (right, [("new − base", found.delta, found.interval)])):
            for place, (_, middle, interval) in enumerate(rows):
                assert interval is not None
                axis.plot(
                    [interval.low, interval.high], [place, place], color=BLUE, linewidth=2.2, solid_capstyle="butt"
                )
                axis.plot(middle, place, "o", color=BLUE, markersize=5)
            axis.set_yticks(range(len(rows)), [name for name, _, _ in rows])
            axis.set_ylim(-0.6, len(rows) - 0.4)
        left.set_xlabel("BLEU: the intervals overlap")
        right.axvline(0, color="0.35", linewidth=0.9, linestyle="--")
        right.set_xlabel("difference: zero is outside")
        save(figure, FOLDER / "guide-overlap.svg")


def differences_under_the_null() -> None:
    """Draw the differences after random swaps of documents, and the observed one."""
    made = simulate(segments=500, systems=[SystemSpec(name="base", quality=0.75), SystemSpec(name="new", quality=0.77)])
    options = CompareOptions(
        list(made.references[0]),
        {name: list(made.systems[name][0]) for name in ("base", "new")},
        documents=list(made.documents),
    )
    experiment = Experiment.of(corpus_of(options), options)
    key = (0, Pair(0, 1))
    swapped = swapped_differences(experiment, [key[1]], 10_000)[key]
    delta = abs(Trial(experiment, (key[1],)).delta(key))
    with styled():
        figure = Figure(figsize=(PAGE * 0.8, 2.0), layout="constrained")
        axis = figure.subplots()
        reach = math.ceil(float(np.abs(swapped).max()) / delta * 12) + 1
        edges = delta * np.arange(-reach, reach + 1) / 12.0  # so that a bin begins at the observed difference
        counts, _ = np.histogram(swapped, edges)
        far = [left > 0.999 * delta or right < -0.999 * delta for left, right in itertools.pairwise(edges)]
        axis.bar(edges[:-1], counts, np.diff(edges), align="edge", color=[BLUE if one else "0.8" for one in far])
        axis.axvline(delta, color="0.2", linewidth=1.2)
        axis.set_xlabel("difference in BLEU with documents swapped at random; line: the observed one; blue: as far out")
        axis.set_yticks([])
        save(figure, FOLDER / "guide-p.svg")


def drawn_by_truegain() -> None:
    """Draw what runs do, and what power costs, by the commands that the guide names."""
    with tempfile.TemporaryDirectory() as folder:

        def truegain(line: str) -> None:
            words = [sys.executable, "-m", "truegain", *line.split()]
            subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)

        systems = [SystemSpec(name=name, quality=quality, runs=8) for name, quality in (("base", 0.75), ("new", 0.765))]
        simulate(segments=800, systems=systems, run_sd=0.007).write(Path(folder) / "runs")
        truegain(
            "replicate --ref runs/ref.1.txt -n 200 -R 299 base=runs/base.*.txt new=runs/new.*.txt "
            f"--plot {FOLDER / 'guide-runs.svg'} -o runs.json"
        )
        truegain(
            "plan --sd 12 --correlation 0.8 --gain 0.5,1,2 --segments 250,500,1000,2000,4000 "
            f"--plot {FOLDER / 'guide-power.svg'} -o plan.json"
        )


def main() -> None:
    """Draw all."""
    sizes()
    units()
    many()
    overlap()
    differences_under_the_null()
    drawn_by_truegain()
    for path in sorted(FOLDER.glob("guide-*.svg")):
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
