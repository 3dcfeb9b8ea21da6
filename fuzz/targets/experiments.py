"""Experiment files: a table of settings, systems and test sets, of which all files that are named are there."""

from __future__ import annotations

from contextlib import chdir, suppress

from fuzz.held import file, folder
from truegain.errors import InputError
from truegain.readers.experiment_file import read_experiment

WORDS = [
    *(
        b"[[testset]]\n",
        b"[systems]\n",
        b"[testset.",
        b"name = ",
        b"reference = ",
        b'"a.txt"',
        b'"a.*.txt"',
        b"table = ",
    ),
    *(b"metrics = [", b'"bleu"', b'"comet:model=x"', b'{name = "chrf", ', b"resamples = ", b"scores = ", b"source = "),
    *(
        b"{testset}",
        b'"../x"',
        b'"/dev/zero"',
        b"documents = ",
        b"development = ",
        b"training_samples = ",
        b"output = ",
    ),
    *(b"'''", b"1e999", b"inf", b"true", b"1979-05-27", b"[[[", b"a.b.c = 1\n", b'"\\u0000"', b'"m.xml:s"'),
]
_TEXT = b"a b c\n"


def check(data: bytes) -> None:
    """Read an experiment, of which every test set has a name and systems."""
    for name in ("a.txt", "b.txt", "a.1.txt", "ref.txt"):
        file(name, _TEXT)
    path = file("fuzzed.toml", data)
    with chdir(folder()), suppress(InputError):
        found = read_experiment(path)
        for one in found.testsets:
            if not one.name or any(not files for files in one.systems.values()):
                raise AssertionError(f"{one} has no name, or a system without a file")
