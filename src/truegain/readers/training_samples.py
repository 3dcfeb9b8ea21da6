"""The training sample of each run: found in names of files by a pattern, or by the manifest of ``truegain split``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from msgspec import structs

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError, Setting
from truegain.inputs import IN_MEMORY, SampleRuns, TrainingData
from truegain.notes import Note
from truegain.readers.labels import one_group
from truegain.readers.plain import read_lines
from truegain.readers.strict_json import parse_json
from truegain.settings.split import DRAWN, FIXED

_EXAMPLE = "out/[^/]*[.](sample[0-9]+)[.]"
_FOUND = "the name of a run's file is its training sample"


@dataclass(frozen=True)
class _Manifest:
    """Content of a manifest: how samples were drawn, from how many lines, their names, and the lines of each."""

    scheme: Literal["bootstrap", "half"]
    lines: int
    size: int
    names: tuple[str, ...]

    @property
    def pattern(self) -> re.Pattern[str]:
        """Find the name of a set, not as a part of a longer word or number."""
        return re.compile(rf"(?<![0-9A-Za-z])({'|'.join(map(re.escape, self.names))})(?![0-9A-Za-z])")


def is_manifest(given: str) -> bool:
    """Return whether training samples are given by a manifest: a pattern has a group in parentheses."""
    return "(" not in given


def with_training_samples(corpus: Corpus, given: str | None) -> Corpus:
    """Return the corpus with the training sample of every run, if they are known.

    Parameters
    ----------
    corpus : Corpus
        Its runs may have their samples already: a program can give runs by sample.
    given : str, optional
        A pattern with one group in parentheses that finds the sample's name in the name of a run, or the manifest of
        ``truegain split``: the names of its training sets are then looked for.

    Raises
    ------
    InputError
        If a run has no sample, a system has runs of one sample only, or the samples are fixed halves.
    """
    known = any(system.samples for system in corpus.systems)
    if given is None and not known:
        return corpus
    if given is not None and known:
        raise InputError(
            "training samples are given twice, as a mapping and by name",
            hint=("leave out ", Setting("training_samples")),
        )
    manifest = None
    systems = corpus.systems
    if given is not None:
        manifest = _read_manifest(given) if is_manifest(given) else None
        pattern = one_group(given, _FOUND, _EXAMPLE) if manifest is None else manifest.pattern
        systems = tuple(
            replace(one, runs=tuple(replace(run, sample=_sample(run, pattern, given)) for run in one.runs))
            for one in systems
        )
    _check(systems)
    training = TrainingData(
        tuple(
            SampleRuns(system.name, sample, count)
            for system in systems
            for sample, count in sorted(Counter(run.sample for run in system.runs if run.sample is not None).items())
        ),
        IN_MEMORY if given is None else given,
        None if manifest is None else manifest.scheme,
        None if manifest is None else manifest.lines,
        None if manifest is None else manifest.size,
    )
    return replace(
        corpus,
        systems=systems,
        notes=(*corpus.notes, _note(systems, manifest)),
        inputs=structs.replace(corpus.inputs, training=training),
    )


def _sample(run: Run, pattern: re.Pattern[str], given: str) -> str:
    """Return what a pattern finds in the name of a run; names of several sets are no answer."""
    found = list(dict.fromkeys(match[1] for match in pattern.finditer(run.name) if match[1]))
    if not found:
        raise InputError(
            f"{given!r} finds no training sample in the name of this run",
            path=run.name,
            hint="the name of every run must say its sample, such as out/base.sample01.txt",
        )
    if len(found) > 1:
        raise InputError(
            f"{given!r} finds two training samples in the name of this run, {found[0]!r} and {found[1]!r}",
            path=run.name,
            hint="rename it, or write a pattern that finds one",
        )
    return found[0]


def _check(systems: Sequence[System]) -> None:
    """Refuse samples from which nothing can be said of new training data."""
    for system in systems:
        bare = next((run.name for run in system.runs if run.sample is None), None)
        if bare is not None:
            raise InputError(
                f"the training sample of {bare} is not known, and those of other runs are",
                hint="give the training samples of all systems, or of none",
            )
        if set(system.samples) <= set(FIXED):
            raise _fixed(system.samples[0])
        if len(system.samples) < 2:
            raise InputError(
                f"all runs of {system.name!r} are of the training sample {system.samples[0]!r}: nothing is known of "
                "how much samples vary",
                hint="train each system on two samples or more; three can be matched",
            )


def _fixed(name: str) -> InputError:
    return InputError(
        f"the training sample {name!r} is a fixed half: halves that complement each other are no random samples, and "
        "say nothing of new training data",
        hint="leave out the training samples, or draw random ones",
    )


def _read_manifest(path: str) -> _Manifest:
    found: Any = parse_json("\n".join(read_lines(path).lines), path)
    sets = found.get("sets") if isinstance(found, dict) else None
    if not isinstance(sets, list) or not sets or not all(isinstance(one, dict) for one in sets):
        raise _no_manifest(path, "it has no list of sets")
    scheme, lines = found.get("scheme"), found.get("lines")
    names, every = [one.get("name") for one in sets], [one.get("lines") for one in sets]
    if scheme in FIXED:
        raise _fixed(scheme)
    if scheme not in DRAWN or not isinstance(lines, int):
        raise _no_manifest(path, f"the scheme {scheme!r} is none of {', '.join((*DRAWN, *FIXED))}")
    if not all(isinstance(name, str) and name for name in names) or not all(isinstance(one, int) for one in every):
        raise _no_manifest(path, "a set has no name, or no number of lines")
    if len(set(every)) > 1:
        raise _no_manifest(path, "its sets differ in their number of lines")
    return _Manifest(scheme, lines, every[0], tuple(names))


def _no_manifest(path: str, why: str) -> InputError:
    return InputError(
        f"this is not a manifest of training sets: {why}",
        path=path,
        hint=f"give the manifest.json that truegain split wrote, or a pattern such as {_EXAMPLE!r}",
    )


def _note(systems: Sequence[System], manifest: _Manifest | None) -> Note:
    """Say how many samples there are, and what new training data means."""
    parts = []
    for system in systems:
        counts = sorted(set(Counter(run.sample for run in system.runs).values()))
        runs = (
            "1 run"
            if counts == [1]
            else f"{counts[0]} runs"
            if len(counts) == 1
            else f"{counts[0]} to {counts[-1]} runs"
        )
        parts.append(f"{system.name} has {len(system.samples)} with {runs} each")
    drawn = "drawn as these were"
    if manifest is not None:
        how = "with replacement" if manifest.scheme == "bootstrap" else "without replacement"
        drawn = f"of {manifest.size:,} lines drawn {how} from the same {manifest.lines:,}"
    text = f"Training samples: {', '.join(parts)}. New training data means other samples {drawn}"
    return Note("training-samples", text)
