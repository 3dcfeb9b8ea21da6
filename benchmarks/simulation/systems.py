"""Outputs of translation systems whose true quality is known, because it was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.simulation.language import write_parallel_text
from benchmarks.simulation.scene import Scene, text_streams


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
    """
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
