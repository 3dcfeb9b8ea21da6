"""One answer wherever it is computed: fingerprints of results on data that the project makes, engine by engine.

``python -m benchmarks.one_answer threads/2 processes/2 torch:cpu`` prints a table; the same command on another machine,
with another number of threads or on a GPU prints the same fingerprints. They are of the numbers that :data:`COLUMNS`
lists, and of no words; ``--words`` prints those of whole results too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import Any

import truegain as tg
from benchmarks.numbers import Row, digest, rows_of
from benchmarks.scale import engine_of
from benchmarks.simulation import SystemSpec, simulate
from truegain.corpus import Corpus
from truegain.engines.engine import Engine
from truegain.readers.memory import corpus_from_memory

__all__ = ["fingerprint", "main"]

#: What is computed: the study and its options; with one run of each system, or with three.
WORKS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "AR": ("compare", 1, {"test": "ar", "unit": "segment"}),
    "bootstrap": ("compare", 1, {"test": "bootstrap"}),
    "block": ("compare", 1, {"test": "stationary-bootstrap", "unit": "block"}),
    "crossed": ("compare", 3, {"test": "crossed"}),
    "dealt": ("compare", 3, {"test": "clark2011"}),
    "all pairs": ("rank", 1, {"test": "bootstrap"}),
}
#: What is held of results: the columns of each table, whose rows are told apart by metric, test, baseline and system.
COLUMNS: dict[str, tuple[str, ...]] = {
    "systems": ("score", "run_scores", "standard_error", "ci"),
    "comparisons": ("delta", "standard_error", "ci", "p", "p_mc", "p_adjusted", "exceedances", "better"),
    "pairs": ("delta", "standard_error", "p", "p_adjusted", "exceedances", "better"),
    "ranking": ("place", "best", "worst", "cluster"),
    "variability": ("average", "s_sel", "s_dev", "s_test", "units", "run", "interaction"),
}
_QUALITIES = (0.5, 0.52, 0.55, 0.551, 0.58, 0.6, 0.601, 0.65, 0.7, 0.8, 0.81, 0.9)


def main() -> None:
    """Print the table; fail where two engines differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "engines",
        nargs="*",
        default=["threads"],
        help="threads/1, threads/2, processes/2, dask/2, dask-processes/2, mpi/2, torch:cuda, …",
    )
    parser.add_argument("--resamples", type=int, default=20_000)
    parser.add_argument("--words", action="store_true", help="fingerprints of whole results too, words and all")
    chosen = parser.parse_args()
    data = _corpora()
    print("| | " + " | ".join(chosen.engines) + " |")
    print("|---" * (len(chosen.engines) + 1) + "|")
    same = True
    with ExitStack() as begun:
        engines = [begun.enter_context(named(name)) for name in chosen.engines]
        for work in WORKS:
            results = [computed(work, data, engine, chosen.resamples) for engine in engines]
            numbers = [fingerprint(result) for result in results]
            same &= len(set(numbers)) == 1
            print(f"| {work} | " + " | ".join(f"`{number}`" for number in numbers) + " |", flush=True)
            if chosen.words:
                whole = [hashlib.blake2b(result.encode(), digest_size=8).hexdigest() for result in results]
                print(f"| {work}, words | " + " | ".join(f"`{word}`" for word in whole) + " |", flush=True)
    if not same:
        raise SystemExit("the engines differ")


def named(name: str) -> AbstractContextManager[Engine]:
    """Give an engine by its name, with the number of its workers after a slash."""
    kind, _, jobs = name.rpartition("/") if name[-1].isdecimal() and "://" not in name else (name, "", "")
    return engine_of(kind, int(jobs) if jobs else None)


def computed(work: str, corpora: dict[int, Corpus], engine: Engine, resamples: int) -> str:
    """Return the result as JSON."""
    study, runs, options = WORKS[work]
    result = getattr(tg, study)(
        corpora[runs],
        metrics=["bleu", "chrf", "ter"],
        resamples=resamples,
        engine=engine,
        **options,
    )
    return str(result.render("json"))


def fingerprint(result: str) -> str:
    """Return the digest of the numbers that are listed."""
    return digest(listed(rows_of(json.loads(result), digests=False)))


def listed(rows: list[Row]) -> list[Row]:
    """Return the rows of the tables in :data:`COLUMNS`, with their columns alone; those of lists have their places."""
    return [
        Row(
            row.table,
            row.key,
            {name: value for name, value in row.numbers.items() if name.split(".")[0] in COLUMNS[row.table]},
        )
        for row in rows
        if row.table in COLUMNS
    ]


def _corpora() -> dict[int, Corpus]:
    """Return the same systems with one run each and with three."""
    specifications = [SystemSpec(name=f"s{i}", quality=quality, runs=3) for i, quality in enumerate(_QUALITIES)]
    made = simulate(segments=400, systems=specifications)
    outputs = {name: [list(run) for run in runs] for name, runs in made.systems.items()}
    whole = corpus_from_memory(list(made.references[0]), outputs, documents=list(made.documents))
    first = replace(whole, systems=tuple(replace(one, runs=one.runs[:1]) for one in whole.systems))
    few = replace(whole, systems=whole.systems[:3])
    return {1: first, 3: few}


if __name__ == "__main__":
    main()
