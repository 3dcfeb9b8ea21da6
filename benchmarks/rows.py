"""Which rows the table has, and on what data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import (
    command,
    comparemt,
    edits,
    engines,
    extraction,
    gpu,
    information,
    long_tables,
    means,
    memory,
    meteor,
    multeval,
    ranking,
    resampling,
    summaries,
    tuning,
)
from benchmarks.data import APART, Data, realsumm, simulated, wmt17
from benchmarks.timing import Row, Skipped

__all__ = ["FULL", "QUICK", "Sizes", "TestSets", "all_rows", "peers_that_are_not_here"]


@dataclass(frozen=True)
class Sizes:
    """How much is measured.

    Attributes
    ----------
    small, large, many : (int, int)
        Segments and systems of the simulated test sets.
    edits, real_edits : int
        Segments for TER, which takes its peer long.
    commands : int
        Segments of all systems under BLEU, chrF and TER: likewise.
    page : (int, int)
        Segments and systems of the page that is written.
    bootstrap, randomization, large_randomization, spread : int
        Resamples; the fourth of the engines beside each other.
    all_pairs : tuple of (int, int)
        Resamples of all pairs, and how often they are measured.
    table : (int, int, int)
        Systems, items and samples of a long table.
    repeats : int
        At most: what takes long is measured less often.
    real : bool
        Whether to look for real outputs.
    """

    small: tuple[int, int] = (2_000, 10)
    large: tuple[int, int] = (20_000, 10)
    many: tuple[int, int] = (2_034, 150)
    edits: int = 300
    real_edits: int = 600
    commands: int = 1_000
    page: tuple[int, int] = (1_000, 26)
    bootstrap: int = 1_000
    randomization: int = 10_000
    large_randomization: int = 1_000
    spread: int = 100_000
    all_pairs: tuple[tuple[int, int], ...] = ((100_000, 3), (1_000_000, 1))
    table: tuple[int, int, int] = (200, 1_000, 5)
    repeats: int = 15
    real: bool = True


FULL = Sizes()
QUICK = Sizes(
    small=(60, 4),
    large=(80, 3),
    many=(40, 4),
    edits=30,
    commands=30,
    page=(30, 3),
    bootstrap=100,
    randomization=200,
    large_randomization=100,
    spread=600,
    all_pairs=((600, 1),),
    table=(3, 20, 2),
    repeats=1,
    real=False,
)


class TestSets:
    """The simulated test sets, made once for the table and the curves: the large ones take their time."""

    __test__ = False  # no class of tests

    def __init__(self, sizes: Sizes) -> None:
        self.small, self.large, self.many = (simulated(*size) for size in (sizes.small, sizes.large, sizes.many))


def all_rows(sets: TestSets, folder: Path, sizes: Sizes = FULL) -> Iterator[Row | Skipped]:
    """Every measurement, the quick ones first."""
    small, few = sets.small, min(sizes.repeats, 5)
    yield command.measure_help(repeats=min(sizes.repeats, 10))
    yield command.measure_compare(small, folder / "small", resamples=sizes.bootstrap, repeats=few)
    yield command.measure_start(small, folder / "small", resamples=sizes.bootstrap, repeats=few)
    yield from data_rows(small, sizes)
    for metric in ("chrF", "TER"):
        for systems in (2, 10):
            data = small.first(systems)
            yield resampling.measure_bootstrap(data, metric, resamples=sizes.bootstrap, repeats=few)
            yield resampling.measure_randomization(data, metric, resamples=sizes.randomization, repeats=few)
    yield comparemt.measure(small.first(2), resamples=sizes.bootstrap, repeats=min(few, 3))
    yield from means_rows(sizes)
    yield from edit_rows(small.segments(sizes.edits), few)
    yield from rouge_rows(edits.joined(small.first(2).segments(sizes.edits), 5, "\t"), few)
    yield meteor.measure(small.first(2), repeats=1)
    yield from meteor.measure_commands(small.first(2), folder / "meteor", repeats=min(few, 3))
    yield command.measure_many(small.segments(sizes.commands), folder / "many", resamples=sizes.randomization)
    yield command.measure_page(simulated(*sizes.page), folder / "page", repeats=min(few, 3))
    yield from engines.measure(small, resamples=sizes.spread, repeats=min(few, 3))
    if sizes.real:
        yield from real_rows(folder, sizes)
    yield from large_rows(sets.large, folder / "large", sizes)
    for resamples, repeats in sizes.all_pairs:
        yield ranking.measure(sets.many, resamples=resamples, repeats=repeats)
    apart = simulated(*sizes.many, qualities=APART)
    yield ranking.measure(apart, resamples=sizes.all_pairs[0][0], repeats=sizes.all_pairs[0][1], apart=True)
    yield ranking.measure_memory(sets.many, folder / "ranked", resamples=sizes.all_pairs[-1][0])
    yield gpu.measure(sets.many, resamples=sizes.all_pairs[-1][0])
    yield from long_tables.measure(folder / "table", sizes.table, repeats=min(few, 3))
    yield from peers_that_are_not_here()


def real_rows(folder: Path, sizes: Sizes) -> Iterator[Row | Skipped]:
    """Yield outputs of real systems, if they lie next to the project."""
    real = wmt17()
    if real is None:
        yield Skipped("rows on WMT17 en-de", "TRUEGAIN_DATA has no sacrebleu_wmt17_ende")
    else:
        yield command.measure_compare(real, folder / "real", resamples=sizes.bootstrap, repeats=min(sizes.repeats, 5))
        yield from data_rows(real, sizes)
        yield from edit_rows(real.first(2).segments(sizes.real_edits), min(sizes.repeats, 5))
    documents = realsumm()
    if documents is None:
        yield Skipped("rows on REALSumm", "TRUEGAIN_DATA has no realsumm_cnndm")
    else:
        yield from rouge_rows(documents.first(10), min(sizes.repeats, 5))
    yield multeval.measure(folder / "multeval")
    yield tuning.measure_real()


def large_rows(large: Data, folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Where memory counts; whatever takes the peer minutes is done once, with fewer trials."""
    yield from memory.measure(large, folder, resamples=sizes.randomization)
    yield command.measure_compare(large, folder, resamples=sizes.bootstrap, repeats=1, warm=False)
    yield from extraction_rows(large.first(2), 1)
    yield from resampling_rows(large.first(2), sizes, 1)
    yield resampling.measure_bootstrap(large, resamples=sizes.bootstrap, repeats=1)
    yield resampling.measure_randomization(large, resamples=sizes.large_randomization, repeats=1)


def data_rows(data: Data, sizes: Sizes) -> Iterator[Row]:
    """Yield extraction, NIST and resampling for two and for ten systems."""
    for systems in (2, 10):
        chosen = data.first(systems)
        yield from extraction_rows(chosen, sizes.repeats)
        yield information.measure(chosen, repeats=min(sizes.repeats, 3))
        yield from resampling_rows(chosen, sizes, sizes.repeats)


def extraction_rows(data: Data, repeats: int) -> Iterator[Row]:
    """BLEU and chrF."""
    for metric in ("BLEU", "chrF"):
        yield extraction.measure(data, metric, repeats=repeats)


def resampling_rows(data: Data, sizes: Sizes, repeats: int) -> Iterator[Row]:
    """Yield the bootstrap and approximate randomization."""
    yield resampling.measure_bootstrap(data, resamples=sizes.bootstrap, repeats=repeats)
    if len(data.systems) == 2:  # with more systems one interval hardly counts
        yield resampling.measure_bootstrap_with_intervals(data, resamples=sizes.bootstrap, repeats=repeats)
    yield resampling.measure_randomization(data, resamples=sizes.randomization, repeats=repeats)
    if len(data.systems) > 2:
        yield resampling.measure_max_t(data, resamples=sizes.randomization, repeats=min(repeats, 5))


def means_rows(sizes: Sizes) -> Iterator[Row]:
    """Scores of segments, of which the mean is tested."""
    segments, repeats = sizes.small[0], min(sizes.repeats, 3)
    yield means.measure_randomization(segments, resamples=sizes.randomization, repeats=repeats)
    yield means.measure_bootstrap(segments, resamples=sizes.randomization, repeats=repeats)
    yield means.measure_stationary(segments, resamples=sizes.randomization, repeats=repeats)


def edit_rows(data: Data, repeats: int) -> Iterator[Row]:
    """TER of all systems, of two on segments as they are and on long ones, and WER."""
    pair = data.first(2)
    if len(data.systems) > 2:
        yield edits.measure_ter(data, repeats=1)
    yield edits.measure_ter(pair, repeats=1)
    yield edits.measure_ter(edits.joined(pair, 3), repeats=1)
    yield edits.measure_wer(pair, repeats=repeats)


def rouge_rows(data: Data, repeats: int) -> Iterator[Row]:
    """ROUGE of words and of stems."""
    for stem in (False, True):
        yield summaries.measure(data, stem=stem, repeats=min(repeats, 3))


def peers_that_are_not_here() -> Iterator[Skipped]:
    """Programs that do the same work and come in no package, or that do other work; with what is known of them."""
    yield Skipped(
        "bootstrap beside the Moses script",
        "in no package; its bootstrap of 1,000 took 8.8 s on 2,016 segments once",
    )
    yield Skipped(
        "extraction, TER, beside tercom.jar",
        "in no package; it scored 2,000 segments a second once",
    )
    yield Skipped(
        "extraction, METEOR, beside nltk",
        "another metric: no paraphrases, and the weights of 2005",
    )
    yield Skipped("extraction, WER, beside rapidfuzz", "both WERs are made with it")
