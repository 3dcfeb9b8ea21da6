"""Outputs of translation systems whose true quality is known, because it was chosen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from truegain.errors import InputError
from truegain.simulation.language import write_parallel_text
from truegain.simulation.scene import Scene, text_streams

_RESERVED_NAMES = {"docs", "ref"}  # their files are taken
# What is made is held in memory, and no test set is nearly as large.
_MOST_SEGMENTS = 10_000_000
_MOST_VERSIONS = 1_000  # runs, references
_LARGEST_SD = 100.0  # of logits, where every run is all right or all wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSpec:
    """A system to simulate.

    Parameters
    ----------
    name : str
        Letters, digits, ``-`` and ``_``; it names the files of the system.
    quality : float
        The expected share of words rendered without a mistake, between 0 and 1.
    runs : int, default 1
        Number of runs, as of a system trained several times.
    """

    name: str
    quality: float
    runs: int = 1

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", self.name):
            raise InputError(f"the name of a system must be made of letters, digits, '-' and '_'; got {self.name!r}")
        if self.name.lower() in _RESERVED_NAMES:
            raise InputError(f"a system cannot be called {self.name!r}: its files would be taken for other ones")
        if not 0 < self.quality < 1:
            raise InputError(f"the quality of {self.name!r} must be above 0 and below 1; got {self.quality!r}")
        _require_whole(f"the number of runs of {self.name!r}", self.runs, least=1, most=_MOST_VERSIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedTestSet:
    """A test set and the outputs of systems.

    Parameters
    ----------
    references : tuple of tuple of str
        The segments of each reference.
    documents : tuple of str
        The document of each segment; the segments of a document follow each other.
    systems : dict of str to tuple of tuple of str
        For each system, the segments of each run.
    """

    references: tuple[tuple[str, ...], ...]
    documents: tuple[str, ...]
    systems: dict[str, tuple[tuple[str, ...], ...]]

    def write(self, directory: Path) -> list[Path]:
        """Write the test set as text files with one segment per line.

        Parameters
        ----------
        directory : Path
            Where to write; it is made if it does not exist.

        Returns
        -------
        list of Path
            ``ref.1.txt``, ``ref.2.txt``, …, ``docs.txt`` and, for each system, ``NAME.txt`` or, if it has
            several runs, ``NAME.1.txt``, ``NAME.2.txt``, ….
        """
        files = {f"ref.{number}.txt": lines for number, lines in enumerate(self.references, start=1)}
        files["docs.txt"] = self.documents
        for name, runs in self.systems.items():
            if len(runs) == 1:
                files[f"{name}.txt"] = runs[0]
            else:
                files |= {f"{name}.{number}.txt": lines for number, lines in enumerate(runs, start=1)}
        directory.mkdir(parents=True, exist_ok=True)
        for name, lines in files.items():
            (directory / name).write_bytes("".join(line + "\n" for line in lines).encode())
        return [directory / name for name in files]


def simulate(
    *,
    segments: int = 1000,
    systems: Sequence[SystemSpec],
    references: int = 2,
    correlation: float = 0.6,
    document_correlation: float = 0.2,
    run_sd: float = 0.05,
    seed: int = 12345,
) -> SimulatedTestSet:
    """Make a test set and the outputs of systems of known quality.

    Systems of equal quality are exchangeable: exchanging their names leaves the distribution of the test set as
    it is. With ``run_sd=0`` their outputs are exchangeable document by document as well, and with
    ``document_correlation=0`` segment by segment. With ``run_sd`` above 0 two single runs differ truly, although
    their systems do not.

    Parameters
    ----------
    segments : int, default 1000
        Number of segments.
    systems : sequence of SystemSpec
        The systems; a system's outputs depend neither on the other systems nor on their order.
    references : int, default 2
        Number of references, which are paraphrases of each other.
    correlation : float, default 0.6
        Correlation between systems, from 0 to 1, both of the difficulty of a segment and of the mistakes in it.
    document_correlation : float, default 0.2
        Correlation, from 0 to 1, of the difficulty between segments of a document.
    run_sd : float, default 0.05
        Standard deviation of a run's quality, in logits, from 0 to 100.
    seed : int, default 12345
        One seed, one test set.

    Returns
    -------
    SimulatedTestSet
        References, documents and outputs.

    Raises
    ------
    InputError
        If an argument is out of its range or two systems have the same name.
    """
    _require_whole("the number of segments", segments, least=1, most=_MOST_SEGMENTS)
    _require_whole("the number of references", references, least=1, most=_MOST_VERSIONS)
    _require_whole("the seed", seed, least=0)
    for what, value in (("correlation", correlation), ("document_correlation", document_correlation)):
        if not 0 <= value <= 1:
            raise InputError(f"{what} must be from 0 to 1; got {value!r}")
    if not 0 <= run_sd <= _LARGEST_SD:
        raise InputError(f"run_sd must be from 0 to {_LARGEST_SD:g}; got {run_sd!r}")
    _require_distinct_names(systems)

    plan, *renderers = text_streams(seed, renderings=1 + references)
    text = write_parallel_text(segments=segments, plan=plan, renderers=renderers)
    scene = Scene(
        translation=text.renderings[0],
        documents=text.documents,
        correlation=correlation,
        document_correlation=document_correlation,
        run_sd=run_sd,
        seed=seed,
    )
    return SimulatedTestSet(
        references=text.renderings[1:],
        documents=text.documents,
        systems={spec.name: scene.outputs(name=spec.name, quality=spec.quality, runs=spec.runs) for spec in systems},
    )


def _require_whole(what: str, value: int, *, least: int, most: int | None = None) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"{what} must be a whole number of at least {least}; got {value!r}")
    if most is not None and value > most:
        raise InputError(f"{what} must be at most {most:,}; got {str(value)[:40]}")


def _require_distinct_names(systems: Sequence[SystemSpec]) -> None:
    if not systems:
        raise InputError("there must be at least one system to simulate")
    seen: set[str] = set()
    for spec in systems:
        # Some file systems take names that differ in case only for the same name.
        if spec.name.lower() in seen:
            raise InputError(f"two systems are called {spec.name!r}", hint="give every system a name of its own")
        seen.add(spec.name.lower())
