"""The manifest of ``truegain split``, and patterns: the training sample of each run."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from fuzz.held import file
from truegain.corpus import Corpus
from truegain.errors import InputError
from truegain.readers.memory import corpus_from_memory
from truegain.readers.training_samples import with_training_samples

WORDS = [
    *(b'{"scheme":', b'"bootstrap"', b'"half"', b'"odd"', b'"lines":', b'"sets":[', b'"name":', b'"sample01"', b"{}"),
    *(b"null", b"[]", b"true", b"1e999", b"9" * 20, b'"\\ud800"', b'""', b'"s"'),
]


def _corpus() -> Corpus:
    runs = {name: [[f"a {run}", "b c"] for run in range(3)] for name in ("x", "y")}
    made = corpus_from_memory(["a b", "b c"], runs)
    systems = [
        replace(
            system,
            runs=tuple(replace(run, name=f"out/{system.name}.sample0{i + 1}.txt") for i, run in enumerate(system.runs)),
        )
        for system in made.systems
    ]
    return replace(made, systems=tuple(systems))


_CORPUS = _corpus()


def check(data: bytes) -> None:
    """Find a sample for every run, or refuse."""
    with suppress(InputError):
        found = with_training_samples(_CORPUS, file("manifest.json", data))
        if not all(run.sample for system in found.systems for run in system.runs):
            raise AssertionError("a run has no sample")
