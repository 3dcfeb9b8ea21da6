"""Does the verdict depend on the metric, or on the test? Every two systems under every metric, by AR and bootstrap.

``python -m benchmarks.studies metrics-disagree`` writes the page. The data are not part of the project.
"""

from __future__ import annotations

import gzip
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.csv_tables import link, write_tables
from benchmarks.data import REAL_DATA
from benchmarks.pages import columns
from truegain.corpus import Corpus, Run
from truegain.inference.multiplicity import holm
from truegain.readers.memory import corpus_from_memory
from truegain.studies.compare import compare
from truegain.version import __version__

__all__ = ["METRICS", "TESTS", "Counts", "Pool", "Verdicts", "counted", "decided", "page", "pools", "write"]

#: The metrics compared, as asked for on text as it is written and on text that is tokenised already.
METRICS = {
    "BLEU": ("bleu", "bleu:tokenize=none"),
    "NIST": ("nist", "nist:tokenize=none"),
    "chrF": ("chrf", "chrf"),
    "TER": ("ter", "ter"),
    "METEOR": ("meteor:lowercase=true,tokenize=13a", "meteor"),
}
#: The recommended forms, and the paper's own; each has its randomization first and its bootstrap second.
TESTS = {"recommended": ("ar", "bootstrap"), "the paper's": ("riezler2005-ar", "riezler2005-bootstrap")}
_LEVELS = (0.05, 0.01)
_RESAMPLES = 10_000

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pool:
    """Systems on a test set, every two of which are compared."""

    name: str
    about: str
    corpus: Corpus
    tokenised: bool
    unit: Literal["segment", "document"] = "segment"


@dataclass(frozen=True)
class Verdicts:
    """P-values and directions of all pairs: arrays with one element a pair, in the same order everywhere.

    Attributes
    ----------
    directions : mapping of str to array
        By metric: 1 where the second system is the better one, -1 where it is the worse, 0 where they are equal.
    p : mapping of (str, str) to array
        By metric and test.
    longer : array
        1 where the outputs of the second system have more words, -1 where they have fewer.
    with_length : mapping of str to float
        By metric: the correlation of quality and length over systems.
    """

    pool: str
    about: str
    directions: Mapping[str, Ints]
    p: Mapping[tuple[str, str], Floats]
    longer: Ints
    with_length: Mapping[str, float]

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return next(iter(self.directions.values())).size

    @property
    def tests(self) -> list[str]:
        """The tests that were run."""
        return list(dict.fromkeys(test for _, test in self.p))

    def of(self, metric: str, test: str, level: float = 0.05) -> Ints:
        """1 where the second system is significantly better, -1 where it is significantly worse, else 0."""
        return np.where(self.p[metric, test] <= level, self.directions[metric], 0)


@dataclass(frozen=True)
class Counts:
    """How two verdicts on the same pairs go together."""

    same: int
    neither: int
    first: int
    second: int
    contradict: int


def counted(first: Ints, second: Ints) -> Counts:
    """Count the pairs with the same verdict, with that of one side only, and with opposite ones."""
    return Counts(
        same=int(((first != 0) & (first == second)).sum()),
        neither=int(((first == 0) & (second == 0)).sum()),
        first=int(((first != 0) & (second == 0)).sum()),
        second=int(((first == 0) & (second != 0)).sum()),
        contradict=int((first * second < 0).sum()),
    )


def decided(pool: Pool, *, resamples: int = _RESAMPLES, jobs: int = 1) -> Verdicts:
    """Compare every two systems under every metric, by every test that the unit allows."""
    tests = [name for both in TESTS.values() for name in both]
    if pool.unit != "segment":  # the paper's tests are defined on segments
        tests = list(TESTS["recommended"])
    asked = {spec[pool.tokenised]: label for label, spec in METRICS.items()}
    found = compare(
        pool.corpus,
        metrics=list(asked),
        test=tests,
        unit=pool.unit,
        family="all",
        adjust="none",
        resamples=resamples,
        jobs=jobs,
        changed_segments=0,
    )
    words = {system.name: _words(system.runs[0]) for system in pool.corpus.systems}
    deltas: dict[str, list[float]] = {label: [] for label in METRICS}
    p: dict[tuple[str, str], list[float]] = {(label, test): [] for label in METRICS for test in tests}
    longer: dict[tuple[str, str], int] = {}
    for one in found:
        p[asked[one.metric], one.test].append(one.p)
        longer[one.baseline, one.system] = words[one.system] - words[one.baseline]
        if one.test == tests[0]:
            deltas[asked[one.metric]].append(one.delta)
    lower = {info.key for info in found.metrics if not info.higher_is_better}
    correlations = {}
    for spec, label in asked.items():
        scores = {one.name: one.score for one in found.scores if one.metric == spec}
        correlation = np.corrcoef([words[name] for name in scores], list(scores.values()))[0, 1]
        correlations[label] = float(-correlation if spec in lower else correlation)
    return Verdicts(
        pool.name,
        pool.about,
        {label: np.sign(several).astype(np.int64) for label, several in deltas.items()},
        {key: np.array(several) for key, several in p.items()},
        np.sign(list(longer.values())).astype(np.int64),
        correlations,
    )


def _words(run: Run) -> int:
    return sum(len(line.split()) for line in run.outputs or ())


def pools(folder: Path = REAL_DATA) -> Iterator[Pool]:
    """Yield the test sets of the page that are there."""
    wmt, made = folder / "wmt11_deen", folder / "nmt_pool" / "test2016"
    outputs = {_stem(path): _lines(path) for path in sorted((wmt / "systems").glob("*.gz"))}
    documents = [line.split("\t")[0] for line in _lines(wmt / "docs.tsv.gz")]
    corpus = corpus_from_memory(_lines(wmt / "ref.en.gz"), outputs, documents=documents)
    about = "newstest2011 German-English, 20 systems of the shared task, 3,003 segments"
    yield Pool("WMT11, segments", f"{about}; segments are swapped and drawn", corpus, tokenised=False)
    yield Pool("WMT11, documents", "The same, by its 110 documents", corpus, tokenised=False, unit="document")
    reference = _lines(made / "ref.en.gz")
    for name, pattern, about in (
        (
            "Pool, systems",
            "*-bk*.gz",
            "24 small Transformers (Multi30k German-English, 1,000 segments of test2016), word or subword\nvocabulary, "
            "each trained on 29,000, 14,500 or 7,250 sentence pairs of its own",
        ),
        (
            "Pool, runs of one system",
            "bpe-full.*.gz",
            "20 runs of such a system that differ in the random seed alone: what is significant here is true of two\n"
            "runs, not of two systems",
        ),
    ):
        runs = {_stem(path): _lines(path) for path in sorted(made.glob(pattern))}
        yield Pool(name, about, corpus_from_memory(reference, runs), tokenised=True)


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".en")


def _lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")


def share_table(found: Verdicts) -> str:
    """Return the share of pairs that differ by each test and metric; AR also at 1 % and by Holm's adjustment."""
    rows = []
    tests = [test for test in found.tests if test != "riezler2005-ar"]  # the same as ar
    for metric in METRICS:
        ar = found.p[metric, "ar"]
        extra = [(ar <= _LEVELS[1]).mean(), (np.array(holm(ar.tolist())) <= _LEVELS[0]).mean()]
        shares = [(found.p[metric, test] <= _LEVELS[0]).mean() for test in tests]
        rows.append([metric, *(f"{100 * share:.1f}" for share in (*shares, *extra))])
    return columns(["", *tests, "ar-1%", "ar-Holm"], rows)


def metric_rows(found: Verdicts) -> list[list[str]]:
    """Return how the verdicts of every two metrics go together, by AR / by bootstrap."""
    rows = []
    for one, other in itertools.combinations(METRICS, 2):
        by = [counted(found.of(one, test), found.of(other, test)) for test in TESTS["recommended"]]
        turned = int((found.directions[one] * found.directions[other] < 0).sum())
        against = found.of(one, "ar") * found.of(other, "ar") < 0
        shorter = int((found.of(one, "ar") * found.longer < 0)[against].sum())
        fields = ("same", "neither", "first", "second", "contradict")
        cells = [" / ".join(str(getattr(counts, field)) for counts in by) for field in fields]
        lengths = f"{shorter} : {int(against.sum()) - shorter}" if against.any() else "–"
        rows.append([f"{one}, {other}", str(turned), *cells, lengths])
    return rows


def forms_rows(found: Verdicts) -> list[list[str]]:
    """Return AR against the bootstrap, metric by metric, in the recommended form and in the paper's."""
    rows = []
    for form, (ar, bootstrap) in TESTS.items():
        if ar not in found.tests:
            continue
        for metric in METRICS:
            cells: list[str] = []
            for level in _LEVELS:
                counts = counted(found.of(metric, ar, level), found.of(metric, bootstrap, level))
                cells.extend(map(str, (counts.same, counts.first, counts.second)))
            first, second = found.p[metric, ar], found.p[metric, bootstrap]
            middle = (first > 0.002) & (first < 0.5)  # where neither is at its end
            lower = f"{100 * (second[middle] < first[middle]).mean():.0f}" if middle.any() else "–"
            rows.append([form, metric, *cells, lower])
    return rows


def all_metrics(found: Verdicts) -> str:
    """Say what all metrics show together, by AR, in one sentence."""
    verdicts = np.stack([found.of(metric, "ar") for metric in METRICS])
    adjusted = np.stack([np.array(holm(found.p[metric, "ar"].tolist())) for metric in METRICS]) <= _LEVELS[0]
    alike = int((verdicts == verdicts[0]).all(0).sum())
    against, surely = (
        int(((several > 0).any(0) & (several < 0).any(0)).sum())
        for several in (verdicts, np.where(adjusted, verdicts, 0))
    )
    some = found.pairs - alike - against
    lengths = ", ".join(f"{metric} {number:+.2f}" for metric, number in found.with_length.items())
    return (
        f"By AR all {len(METRICS)} metrics give one verdict on {alike} of {found.pairs} pairs; on {some} some see a\n"
        f"difference and others none; on {against} two contradict each other, with Holm's adjustment on {surely}. "
        f"Correlation of\nquality and length over systems: {lengths}."
    )


def tables(everything: Sequence[Verdicts]) -> dict[str, list[list[str]]]:
    """Return the tables of two metrics and of two tests, for the files beside the page."""
    each = ("both", "AR only", "bootstrap only")
    levels = [f"{one}, {100 * level:.0f} %" for level in _LEVELS for one in each]
    fields = ["other order", "same verdict", "neither", "first only", "second only", "contradict", "shorter"]
    return {
        _METRIC_FILE: [
            ["systems", "metrics", *fields],
            *([one.pool, *row] for one in everything for row in metric_rows(one)),
        ],
        _FORM_FILE: [
            ["systems", "tests", "metric", *levels, "p lower, %"],
            *([one.pool, *row] for one in everything for row in forms_rows(one)),
        ],
    }


def section(found: Verdicts) -> str:
    """Return what is shown of a collection."""
    return f"## {found.pool}\n\n{found.about}. {found.pairs} pairs.\n\n{share_table(found)}\n\n{all_metrics(found)}\n"


def page(sections: Sequence[str], *, resamples: int = _RESAMPLES) -> str:
    """Return the page, given the sections of collections."""
    opening = _OPENING.format(
        version=__version__, resamples=resamples, metrics=link(_METRIC_FILE), tests=link(_FORM_FILE)
    )
    made = "Made by `python -m benchmarks.studies metrics-disagree`; do not edit the figures by hand.\n"
    return "\n".join([opening, *sections, _CLOSING, made])


def write(path: Path) -> None:
    """Run the study and write the page and its tables."""
    jobs = os.cpu_count() or 1
    everything = [decided(pool, jobs=jobs) for pool in pools()]
    path.write_text(page([section(found) for found in everything]), encoding="utf-8")
    write_tables(path, tables(everything))


_METRIC_FILE, _FORM_FILE = "metrics-disagree-metrics", "metrics-disagree-tests"

_OPENING = """\
# Does the verdict depend on the metric? (Riezler and Maxwell 2005)

Yes: on WMT11, chrF and TER call 31 of 190 pairs of systems significant *in opposite directions*.

Riezler and Maxwell ("On some pitfalls in automatic evaluation and significance testing for MT", 2005) found that NIST
is more sensitive than BLEU, that p-values of approximate randomization are more conservative than those of the
bootstrap, and that many pairwise comparisons need stricter levels than 5 %. Here every two systems are compared under
each metric by `ar` and `bootstrap`, two-sided and centred, and by the paper's `riezler2005-ar` and
`riezler2005-bootstrap`: {resamples:,} resamples (truegain {version}, seed 12345). P-values are not adjusted unless it
says Holm. `riezler2005-ar` has the p-values of `ar` here.

Every two metrics are in {metrics} (*shorter*: how often each is for the shorter outputs; by `ar` / by `bootstrap`), and
every two tests in {tests} (*p lower*: share of pairs, p of AR between .002 and .5, with a lower p by the bootstrap).
Tables below: share of pairs significant at 5 %, in per cent.
"""

_CLOSING = """\
## What follows

- **The verdict depends on the metric.** On WMT11 chrF and TER contradict each other on 31 of 190 pairs, TER and
  METEOR on as many; all five metrics agree on 124. Even BLEU and NIST contradict each other on 4 pairs, and on 16 more
  only one of them is significant. A p-value is about the difference in one metric, not about whether that metric
  measures what you mean.
- **These contradictions are not chance.** Of the 31 of chrF and TER, 29 remain with documents as units, and 25 with
  documents and Holm's adjustment. Choose the metric before the outputs are there, and report the others.
- **Most of it is length.** Whenever chrF contradicts BLEU, NIST or TER on WMT11, chrF is for the longer output
  (METEOR nearly always); whenever TER contradicts another, TER is for the shorter one. Among runs of one system NIST
  and TER favour brevity. With 97 % of the words NIST's penalty is 0.4 %, BLEU's 3 %.
- **Is NIST more sensitive than BLEU?** On the systems of the pool yes, on WMT11 hardly. But among runs of one system,
  of which none is better, it finds 11 % against 0.5 %. Tests of single runs cannot tell; several runs can
  ([runs](../runs.md)).
- **Does the bootstrap reject more often than randomization?** The paper's does: its p is lower on nearly every pair,
  because it folds (|δ| less the mean of |δ|), which rejects 10.7 % of true nulls ([calibration](../calibration.md)).
  Centred, the bootstrap differs from randomization on at most two pairs per row.
- **Many pairs, many findings.** Among runs of one system 9.5 and 11 % of pairs are significant by TER and NIST, 2 and
  5 % at the 1 % level, and none by Holm's adjustment.
"""
