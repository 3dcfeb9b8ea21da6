"""One answer wherever it is computed: fingerprints of results on data that the project makes, engine by engine.

``python -m benchmarks.one_answer threads processes torch:cpu`` prints a table; the same command on another machine,
with another number of threads or on a GPU prints the same fingerprints.
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import replace
from typing import Any

import truegain as tg
from truegain.corpus import Corpus
from truegain.readers.memory import corpus_from_memory
from truegain.simulation import SystemSpec, simulate

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
_QUALITIES = (0.5, 0.52, 0.55, 0.551, 0.58, 0.6, 0.601, 0.65, 0.7, 0.8, 0.81, 0.9)


def main() -> None:
    """Print the table; fail where two engines differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*", default=["threads"], help="threads, threads/1, processes, torch:cuda, …")
    parser.add_argument("--resamples", type=int, default=20_000)
    chosen = parser.parse_args()
    data = _corpora()
    print("| | " + " | ".join(chosen.engines) + " |")
    print("|---" * (len(chosen.engines) + 1) + "|")
    same = True
    for work in WORKS:
        found = [fingerprint(work, data, engine, chosen.resamples) for engine in chosen.engines]
        same &= len(set(found)) == 1
        print(f"| {work} | " + " | ".join(f"`{one}`" for one in found) + " |", flush=True)
    if not same:
        raise SystemExit("the engines differ")


def fingerprint(work: str, corpora: dict[int, Corpus], engine: str, resamples: int) -> str:
    """Of the result as JSON."""
    study, runs, options = WORKS[work]
    name, _, jobs = engine.partition("/")
    result = getattr(tg, study)(
        corpora[runs],
        metrics=["bleu", "chrf", "ter"],
        resamples=resamples,
        engine=name,
        jobs=int(jobs) if jobs else None,
        **options,
    )
    return hashlib.blake2b(result.render("json").encode(), digest_size=8).hexdigest()


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
