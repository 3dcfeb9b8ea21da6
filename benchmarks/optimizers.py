"""How much does tuning vary, and which tests can be trusted on it? Clark et al. and Fu et al. on real n-best lists.

``python -m benchmarks.studies optimizers`` writes the page. The lists are not part of the project. Tuned runs are kept
in ``build/optimizers``: a study that was interrupted goes on.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import truegain as tg
from benchmarks.csv_tables import link, write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.pages import columns
from truegain.corpus import Corpus, Run, System
from truegain.studies.calibrate import CalibrationResult, Rate
from truegain.studies.run_intervals import METHODS, IntervalsResult, Method, PairFinding, by_pair
from truegain.studies.runs import ReplicateResult
from truegain.studies.tune import TuneResult

__all__ = ["FEATURES", "OPTIMIZERS", "Lists", "Measured", "corpus_of", "measured", "page", "real_lists", "write"]

Optimizer = Literal["mert", "pro", "mira"]

#: The two systems: the features that are weighted; none stands for all.
FEATURES: dict[str, tuple[str, ...]] = {"A": ("Forward", "LM", "WordPenalty"), "B": ()}
OPTIMIZERS: tuple[Optimizer, ...] = ("mert", "pro", "mira")
_NAMES = {"mert": "MERT", "pro": "PRO", "mira": "MIRA"}
_TEST = "test2016"
_METRIC = "bleu:tokenize=none"
_TESTS = ("crossed", "clark2011", "fu-bootstrap", "fu-ar", "fu-rows-bootstrap", "fu-rows-ar")
_ALL = "all"


@dataclass(frozen=True)
class Lists:
    """N-best lists and references: of the development set, and of test sets by name."""

    development: tuple[Path, Path]
    tests: Mapping[str, tuple[Path, Path]]


@dataclass(frozen=True)
class Sizes:
    """How much is done: runs, random starts of each run of MERT, resamples, and splits of runs into true nulls."""

    runs: int = 20
    restarts: int = 1
    resamples: int = 2_000
    draws: int = 50
    draw_resamples: int = 499
    nulls: int = 200
    null_resamples: int = 99


@dataclass(frozen=True)
class Measured:
    """What was found.

    Attributes
    ----------
    tuned : mapping of (system, optimizer) to TuneResult
    replicated : mapping of str to ReplicateResult
        By optimizer: single runs of A and B, and runs drawn from theirs, by the test of Clark et al.
    pooled : IntervalsResult
        A and B with the runs of all optimizers.
    each : IntervalsResult
        Both systems by each optimizer: every two of these.
    nulls : mapping of (system, optimizer) to CalibrationResult
        Runs of one system dealt out to two.
    """

    sizes: Sizes
    tuned: Mapping[tuple[str, str], TuneResult]
    replicated: Mapping[str, ReplicateResult]
    pooled: IntervalsResult
    each: IntervalsResult
    nulls: Mapping[tuple[str, str], CalibrationResult]


def real_lists(folder: Path = REAL_DATA) -> Lists:
    """Return the lists of a small neural system, German to English."""
    pairs = {
        name: (folder / "nmt_nbest" / f"{name}.nbest.gz", folder / "nmt_pool" / name / "ref.en.gz")
        for name in ("val", "test2016", "coco2017")
    }
    return Lists(pairs.pop("val"), pairs)


def corpus_of(reference: Path, systems: Mapping[str, Sequence[Path]]) -> Corpus:
    """Return the outputs of all runs; runs with the same outputs count as runs, for each was tuned by itself."""
    lines = _lines(reference)
    found = tuple(
        System(name, tuple(Run(f"{path.parent.name}/{path.name}", _lines(path)) for path in paths))
        for name, paths in systems.items()
    )
    return Corpus(reference.parent.name, len(lines), (lines,), found)


def _lines(path: Path) -> tuple[str, ...]:
    data = path.read_bytes()
    return tuple((gzip.decompress(data) if path.suffix == ".gz" else data).decode().removesuffix("\n").split("\n"))


def measured(lists: Lists, folder: Path, sizes: Sizes) -> Measured:
    """Tune both systems by all optimizers, and test what came of it."""
    cells = [(system, optimizer) for system in FEATURES for optimizer in OPTIMIZERS]
    tuned: dict[tuple[str, str], TuneResult] = {}
    for system, optimizer in cells:
        tuned[system, optimizer] = tuned_by(lists, folder, sizes, system, optimizer)
        print(f"tuned {system} by {optimizer}", flush=True)
    replicated: dict[str, ReplicateResult] = {}
    for optimizer in OPTIMIZERS:
        replicated[optimizer] = drawn_runs(lists, folder, sizes, optimizer)
        print(f"drew runs of {optimizer}", flush=True)
    pooled, each = all_runs(lists, folder, sizes)
    print("compared", flush=True)
    nulls: dict[tuple[str, str], CalibrationResult] = {}
    for system, by in (*cells, *((system, _ALL) for system in FEATURES)):
        nulls[system, by] = split_runs(lists, folder, sizes, system, by)
        print(f"split the runs of {system}, {by}", flush=True)
    return Measured(sizes, tuned, replicated, pooled, each, nulls)


def tuned_by(lists: Lists, folder: Path, sizes: Sizes, system: str, optimizer: Optimizer) -> TuneResult:
    """Tune a system; runs that are there are kept."""
    return tg.tune(
        lists.development[1],
        lists.development[0],
        apply=dict(lists.tests),
        metric=_METRIC,
        optimizer=optimizer,
        runs=sizes.runs,
        restarts=sizes.restarts if optimizer == "mert" else None,
        features=FEATURES[system],
        folder=folder / f"{system}-{optimizer}",
    )


def outputs_of(folder: Path, sizes: Sizes, system: str, by: str) -> list[Path]:
    """Return the outputs of the runs on the test set: by one optimizer, or by all."""
    chosen = OPTIMIZERS if by == _ALL else (by,)
    numbers = range(1, sizes.runs + 1)
    return [folder / f"{system}-{one}" / f"{_TEST}.run{number:02}.txt" for one in chosen for number in numbers]


def drawn_runs(lists: Lists, folder: Path, sizes: Sizes, optimizer: Optimizer) -> ReplicateResult:
    """Draw runs of A and B, and test them as Clark et al. did."""
    return tg.replicate(
        corpus_of(lists.tests[_TEST][1], {one: outputs_of(folder, sizes, one, optimizer) for one in FEATURES}),
        metrics=[_METRIC],
        test=["clark2011"],
        replacement=True,
        counts=tuple(count for count in _DRAWN if count <= sizes.runs) or (sizes.runs,),
        repetitions=sizes.draws,
        resamples=sizes.draw_resamples,
    )


def all_runs(lists: Lists, folder: Path, sizes: Sizes) -> tuple[IntervalsResult, IntervalsResult]:
    """Return intervals and tests of A and B, and of these by each optimizer."""
    reference = lists.tests[_TEST][1]
    every = {system: outputs_of(folder, sizes, system, _ALL) for system in FEATURES}
    apart = {f"{s}-{_NAMES[o]}": outputs_of(folder, sizes, s, o) for s in FEATURES for o in OPTIMIZERS}
    return (
        tg.intervals(corpus_of(reference, every), metrics=[_METRIC], resamples=sizes.resamples),
        tg.intervals(corpus_of(reference, apart), metrics=[_METRIC], resamples=sizes.resamples),
    )


def split_runs(lists: Lists, folder: Path, sizes: Sizes, system: str, by: str) -> CalibrationResult:
    """Deal the runs of a system out to two, again and again."""
    paths = outputs_of(folder, sizes, system, by)
    return tg.calibrate(
        corpus_of(lists.tests[_TEST][1], {system: paths}),
        metrics=[_METRIC],
        test=list(_TESTS),
        runs=len(paths) // 2,
        repetitions=sizes.nulls,
        resamples=sizes.null_resamples,
    )


# The page.


def variation_rows(found: Measured) -> Iterator[list[str]]:
    """Yield how scores vary on the test sets: the columns of table 1 of Clark et al., test set by test set."""
    for (system, optimizer), one in found.tuned.items():
        for place, known in enumerate(one.sets[1:], 1):
            numbers = [one.mean(place), known.s_sel, one.deviation(0), one.deviation(place)]
            shown = [f"{number:.3f}" for number in numbers if number is not None]
            dev = f"{one.mean(0):.2f}"
            distinct = f"{len({run.weights for run in one.runs})}/{one.distinct}"
            yield [f"{system}-{_NAMES[optimizer]}", known.name, distinct, dev, *shown]


def beside_each_other(rows: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yield the two test sets of a system in one row."""
    for (name, _, distinct, dev, *first), (*_, average, s_sel, _, s_test) in zip(rows[::2], rows[1::2], strict=True):
        yield [name, distinct, dev, first[2], first[0], first[1], first[3], average, s_sel, s_test]


def above(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return how often s_test is above s_dev in the rows of :func:`variation_rows`, and of how many."""
    return sum(float(row[-1]) > float(row[-2]) for row in rows), len(rows)


def chosen_rows(found: Measured) -> Iterator[list[str]]:
    """Yield p of single runs, and of several that were drawn: table 2 of Clark et al., beside theirs."""
    for (new, old), said, paper in _CHOSEN:
        cells = []
        for one in OPTIMIZERS:
            (own,) = (pick for pick in found.replicated[one].picked if (pick.new, pick.old) == (new, old))
            cells.append(_p(own.p))
        yield [said, *paper, *cells]
    for count, paper in _DRAWN.items():
        cells = []
        for one in OPTIMIZERS:
            drawn = [several.p for several in found.replicated[one].drawn if several.count == count]
            cells.append(f"{_p(drawn[0].low)}–{_p(drawn[0].high)}" if drawn else "")
        yield [f"{count} of each", *paper, *cells]


def interval_rows(found: Measured) -> Iterator[list[str]]:
    """Yield intervals by the three methods of Fu et al., and for new runs on new segments: their table 7."""
    yield from ([f"paper-{name}", *texts, ""] for name, *texts in _PAPER_INTERVALS)
    for system in FEATURES:
        cells = []
        for method in _METHODS:
            wanted = (_METRIC, system, method)
            low, high = next(row.ci for row in found.pooled.intervals if (row.metric, row.system, row.method) == wanted)
            cells.append(f"{low:.2f}–{high:.2f}")
        yield [system, *cells]


def pair_rows(result: IntervalsResult) -> Iterator[list[str]]:
    """Yield every two systems with p by each test: table 8 of Fu et al."""
    for by_method in by_pair(result.measured):
        one = by_method["both"]
        p = {test: value for finding in by_method.values() for test, value in finding.p.items()}
        yield [f"{one.system} − {one.baseline}", f"{one.delta:+.2f}", *(_p(p[test]) for test in _TESTS)]


def agreement(result: IntervalsResult, method: Literal["rows", "runs"]) -> int:
    """Return on how many pairs randomization and the bootstrap decide alike."""
    own: list[PairFinding] = [one for one in result.measured if one.method == method]
    return sum(len({one.decision(test, result.alpha) for test in one.p}) == 1 for one in own)


def null_rows(found: Measured) -> Iterator[list[str]]:
    """Yield the share of true nulls that each test rejects at 5 %."""
    for (system, by), result in found.nulls.items():
        rates = {one.test: one.size for one in result.measured}
        count = found.sizes.runs * (len(OPTIMIZERS) if by == _ALL else 1) // 2
        cells = [_rate(rates[test]) for test in _TESTS]
        yield [f"{system}-{_NAMES.get(by, by)}", f"{count}+{count}", *cells]


def _p(p: float) -> str:
    return f"{p:.3f}".removeprefix("0") if p >= 0.0005 else "<.001"


def _rate(rate: Rate) -> str:
    low, high = rate.interval
    return f"{100 * rate.rate:.1f}({100 * low:.0f}–{100 * high:.0f})"


def tables(found: Measured) -> dict[str, list[list[str]]]:
    """Return all figures, for the files beside the page."""
    return {
        _VARIATION: [["system", "test set", "distinct", "val", *_SPREADS], *variation_rows(found)],
        _PAIRS: [["pair", "Δ", *_TESTS], *pair_rows(found.pooled), *pair_rows(found.each)],
        _NULLS: [["system", "runs", *_TESTS], *null_rows(found)],
    }


def page(found: Measured) -> str:
    """Return the page."""
    sizes = found.sizes
    rows = list(variation_rows(found))
    larger, number = above(rows)
    starts = "one random start" if sizes.restarts == 1 else f"{sizes.restarts} random starts"
    parts = [
        _OPENING.format(runs=sizes.runs, starts=starts),
        columns(_SPREAD_HEADINGS, [*_PAPER_SPREADS, *beside_each_other(rows)]),
        _ABOVE.format(larger=larger, number=number, draws=sizes.draws),
        columns(["p", "BTEC", "WMT", *_NAMES.values()], chosen_rows(found)),
        _FU.format(runs=len(OPTIMIZERS) * sizes.runs),
        columns(["95 % of BLEU", "one run", "rows", "runs", "both"], interval_rows(found)),
        _SAME.format(
            rows=agreement(found.each, "rows"),
            runs=agreement(found.each, "runs"),
            number=len(found.each.measured) // len(METHODS),
            pairs=link(_PAIRS),
        ),
        columns(["p", "Δ", *_TESTS], _same_features(found.each)),
        _NULL_WORDS.format(nulls=sizes.nulls, resamples=sizes.null_resamples),
        columns(["% rejected", "runs", *_TESTS], null_rows(found)),
        _CLOSING,
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _same_features(result: IntervalsResult) -> Iterator[list[str]]:
    """Yield the pairs of optimizers of one system."""
    for row in pair_rows(result):
        first, second = row[0].split(" − ")
        if first[0] == second[0]:
            yield row


def write(path: Path) -> None:
    """Run the study and write the page and its tables."""
    found = measured(real_lists(), ROOT / "build" / "optimizers", Sizes())
    path.write_text(page(found), encoding="utf-8")
    write_tables(path, tables(found))


_VARIATION, _PAIRS, _NULLS = "optimizers-variation", "optimizers-pairs", "optimizers-nulls"
_OF_A_SET = ("s_sel", "s_test")
_SPREADS = ["average", "s_sel", "s_dev", "s_test"]
_METHODS: tuple[Method, ...] = ("one-run", "rows", "runs", "both")
_SPREAD_HEADINGS = [
    "BLEU",
    "distinct",
    "val",
    "s_dev",
    *("test2016", "s_sel", "s_test"),
    *("coco2017", "s_sel", "s_test"),
]
#: On BTEC and WMT, in place of our two test sets.
_PAPER_SPREADS = [
    ["paper-A", "", "", ".2/.0", "48.4", "1.6", ".5", "18.5", ".3", ".1"],
    ["paper-B", "", "", ".1/.0", "49.9", "1.5", ".4", "18.7", ".3", ".2"],
]
#: Runs of B and of A, what the table calls them, and p of the paper on BTEC and WMT.
_CHOSEN = (
    (("low", "high"), "A high, B low", (".25", ".95")),
    (("median", "median"), "medians", (".15", ".13")),
    (("high", "low"), "A low, B high", (".0003", ".003")),
)
#: p of the paper with that many runs of each on BTEC and WMT.
_DRAWN = {5: (".001–.034", ".001–.38"), 20: (".001–.001", ".001–.33")}
_PAPER_INTERVALS = [
    ("TOTAL", "27.44–28.82", "28.11–28.28", "28.17–28.22"),
    ("BOT", "27.37–28.74", "27.81–27.99", "27.86–27.93"),
]

_OPENING = """\
# Optimizer instability by MERT, PRO and MIRA on n-best lists

Clark et al. (2011) and Fu et al. tuned the same systems repeatedly. So does [truegain tune](../tune.md), here on
lists of a small neural system (Multi30k): A has the features Forward, LM and WordPenalty, B all seven. {runs} runs of
each by MERT with {starts} (with more, most runs of A are equal), PRO and MIRA. *Distinct*: runs with weights of their
own, and with outputs of their own; all count. Made by `python -m benchmarks.studies optimizers`.

## How much do scores vary? (Clark et al., table 1 and figure 1)
"""

_ABOVE = """\
The paper's test sets are BTEC and WMT. s_test is above s_dev in {larger} of {number} cells; in the paper always,
between [neural seeds](clark2011.md) in 2 of 8.

## A against B (Clark et al., table 2)

Single runs, and the middle 95 % of `clark2011` in {draws} draws; the paper has 50 runs for 20.
"""

_FU = """\
## What is drawn (Fu et al., tables 7 and 8)

{runs} runs of each, as in the paper; *both*: new runs on new segments.
"""

_SAME = """\
The same features by two optimizers. On all {number} pairs ({pairs}),
randomization and bootstrap agree on {rows} by rows, {runs} by runs; in the paper on 5 and 10 of 10.
"""

_NULL_WORDS = """\
## True nulls: runs of one system, split in two

Rejections at 5 %: {nulls} splits, {resamples} resamples.
"""

_CLOSING = """\
## What follows

- s_test is at most .22 BLEU, a quarter of s_sel, and largest by MERT, whose s_dev asks for more restarts. PRO and MIRA
  hardly vary, but PRO loses .5 BLEU of B: runs of one optimizer do not show that.
- s_test is above s_dev for PRO and MIRA on `coco2017`, another domain, and for MIRA of B on both sets: overfitting, as
  in the paper, but by less than .1 BLEU.
- B gains 1.9 to 2.8 BLEU, over twice s_sel (the paper: less than it): every p is the smallest possible.
- Tests that agree may both be wrong. Of true nulls `fu-bootstrap` rejects 10 to 20 %, rows up to 35 %, `clark2011` up
  to 22 %, `fu-ar` 3 to 8 %. `crossed` rejects 1.5 % at most: it also asks for new segments.
"""
