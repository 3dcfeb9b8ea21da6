"""``python -m benchmarks.notes``: how often each note is made of honest files.

Written to docs/studies/notes.md.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.data import REAL_DATA, ROOT
from benchmarks.dependence_files import real_files
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from truegain.corpus import Corpus
from truegain.readers.corpora import read_corpus
from truegain.readers.memory import corpus_from_memory
from truegain.settings.compare import CompareOptions
from truegain.studies.compare import compare_corpus
from truegain.version import __version__

__all__ = ["Counts", "main"]

_PAGE = ROOT / "docs" / "studies" / "notes.md"
_SEED = 20_261_119


@dataclass(frozen=True)
class Counts:
    """Comparisons of one kind, and how many of them have a note or a caveat of each kind."""

    kind: str
    comparisons: int
    having: Counter[str]


def right_or_wrong(corpus: Corpus) -> Corpus:
    """Return the same systems with 1 for the outputs in which people found no error, which have a score of 0."""
    scores = {system.name: system.runs[0].scores["score"] for system in corpus.systems}
    return corpus_from_memory(None, {name: (np.asarray(own) == 0.0).astype(float) for name, own in scores.items()})


def pairs_of(corpus: Corpus, most: int) -> Iterator[Corpus]:
    """Return corpora of two systems each: all pairs, or so many of them as they come in a shuffle."""
    pairs = list(combinations(corpus.systems, 2))
    order = np.random.default_rng(_SEED).permutation(len(pairs))
    for place in order[:most]:
        yield replace(corpus, systems=pairs[place])


def counts(kind: str, files: Sequence[tuple[Corpus, list[str]]], most: int) -> Counts:
    """Compare the pairs of systems of every file."""
    having: Counter[str] = Counter()
    made = 0
    with threadpool_limits(limits=1):
        for corpus, metrics in files:
            for pair in pairs_of(corpus, most):
                options = CompareOptions(None, None, metrics=metrics, resamples=1_000, jobs=1, cache=None)
                result = compare_corpus(pair, options)
                kinds = {note.kind for note in result.notes}
                for comparison in result.comparisons:
                    kinds.update(note.kind for note in comparison.notes)
                    kinds.update(f"caveat: {caveat.kind}" for caveat in comparison.caveats)
                having.update(kinds)
                made += 1
    return Counts(kind, made, having)


def runs_of_pool() -> Iterator[tuple[Corpus, list[str]]]:
    """Read the systems of Multi30k that were trained several times, each with all its runs."""
    for test_set in ("test2016", "coco2017"):
        folder = REAL_DATA / "nmt_pool" / test_set
        if not folder.is_dir():
            continue
        names = sorted({path.name.split(".")[0] for path in folder.glob("*.*.en.gz")})
        systems = [f"{name}={folder}/{name}.*.en.gz" for name in names]
        yield read_corpus(systems, [str(folder / "ref.en.gz")]), ["bleu"]


def files_by_kind() -> dict[str, list[tuple[Corpus, list[str]]]]:
    """Return every file: texts, scores, and scores cut into right and wrong."""
    kinds: dict[str, list[tuple[Corpus, list[str]]]] = defaultdict(list)
    for name, corpus, metrics in real_files():
        texts = corpus.systems[0].runs[0].outputs is not None
        kinds[f"{name}, {'texts' if texts else 'scores'}"].append((corpus, metrics))
        scores = None if texts else np.array([system.runs[0].scores["score"] for system in corpus.systems])
        if name.startswith("WMT23") and scores is not None and (scores <= 0).all() and (scores == 0).any():
            kinds[f"{name}, without errors or not"].append((right_or_wrong(corpus), metrics))
    if trained := list(runs_of_pool()):
        kinds["Multi30k, runs"] = trained
    return kinds


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare the pairs of all files, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.notes", description="Notes on honest files.")
    parser.add_argument("--pairs", type=int, default=20, help="of systems, of every file (default: 20)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE, help="the page (default: docs/studies/notes.md)")
    options = parser.parse_args(arguments)
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("forkserver")) as pool:
        submitted = [pool.submit(counts, kind, files, options.pairs) for kind, files in files_by_kind().items()]
        done = [one.result() for one in submitted]
    options.output.write_text(page(done, options.pairs), encoding="utf-8")
    print(options.output)


def page(done: Sequence[Counts], most: int) -> str:
    """Return the page: of every kind of note, its share of the comparisons of each kind."""
    total = sum((one.having for one in done), Counter[str]())
    everything = sum(one.comparisons for one in done)
    rows = [
        [kind, f"{count:,}", f"{100 * count / everything:.1f}", _most(done, kind)]
        for kind, count in total.most_common()
    ]
    sets = [[one.kind, f"{one.comparisons:,}"] for one in done]
    return f"""# Notes on honest files

A note is for files with a mistake in them, or says what a reader of the result must know. `python -m benchmarks.notes`
(truegain {__version__}) compares pairs of systems on public test sets, as they were published but without their
documents, at most {most} pairs of a file, and counts the comparisons that have each kind of note or caveat. Those that
are not in the table were never made.

{columns(["kind", "comparisons", "all, %", "most often, %"], rows)}

The comparisons:

{columns(["files", "comparisons"], sets)}
"""


def _most(done: Sequence[Counts], kind: str) -> str:
    largest = max(done, key=lambda one: one.having[kind] / one.comparisons)
    return f"{100 * largest.having[kind] / largest.comparisons:.0f} ({largest.kind})"


if __name__ == "__main__":
    main()
