"""Record of what was read: files and their rows, how rows were paired, and the sources of documents and domains."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from msgspec.structs import replace

from truegain.notes import Note
from truegain.rows import Count, Number, Row, field

#: The name of what a program gave as a list or an array.
IN_MEMORY = "in memory"

#: What a file holds.
FileRole = Literal[
    "reference",
    "outputs",
    "scores",
    "documents",
    "domains",
    "source",
    "hypotheses",
    "development reference",
    "development outputs",
    "development scores",
]
#: How rows of files were paired: in their order, or by ids.
Pairing = Literal["line", "id"]

_ON_DEVELOPMENT: dict[FileRole, FileRole] = {
    "reference": "development reference",
    "outputs": "development outputs",
    "scores": "development scores",
}


class InputFile(Row):
    """File that was read, or what a program gave instead."""

    name: Annotated[str, field('The file; "in memory" for lists and arrays.')]
    role: Annotated[FileRole, field("What it holds.")]
    rows: Annotated[Number, field("The number of rows; of scores, before samples of one item were averaged.")]
    system: Annotated[
        str | None, field("The system whose outputs or scores it holds. Several files of one system are its runs.")
    ] = None
    column: Annotated[str | None, field("The column of texts, or of documents, in a table.")] = None
    id_column: Annotated[
        str | None, field("The column of ids by which rows were matched; none if there is no such column.")
    ] = None
    samples: Annotated[
        tuple[Count, Count], field("The least and the most rows of an item; scores of several rows are averaged.")
    ] = (1, 1)


class SampleRuns(Row):
    """Runs of a system that were trained on one sample."""

    system: Annotated[str, field("The system.")]
    sample: Annotated[str, field("The training sample. The same name in two systems is the same sample.")]
    runs: Annotated[Count, field("The number of runs.")]


class TrainingData(Row):
    """Training samples of the runs."""

    samples: Annotated[tuple[SampleRuns, ...], field("The samples of each system.")]
    source: Annotated[
        str, field('What names them: a pattern, the manifest of training sets, or "in memory" if a program gave them.')
    ]
    scheme: Annotated[
        Literal["bootstrap", "half"] | None, field("How they were drawn, by the manifest; none without one.")
    ] = None
    lines: Annotated[Count | None, field("The number of lines that they were drawn from, by the manifest.")] = None
    size: Annotated[Count | None, field("The number of lines of each sample, by the manifest.")] = None


class Inputs(Row):
    """All that was read for a test set."""

    files: Annotated[tuple[InputFile, ...], field("The files, in the order in which they were given.")] = ()
    pairing: Annotated[Pairing, field("How rows of different files were paired.")] = "line"
    documents: Annotated[
        str | None, field('The file that names the documents of segments, or "in memory"; none if they are not known.')
    ] = None
    domains: Annotated[
        str | None, field('The file that names the domains of segments, or "in memory"; none if they are not known.')
    ] = None
    training: Annotated[TrainingData | None, field("The training samples of the runs; none if they are not known.")] = (
        None
    )

    @property
    def runs(self) -> dict[str, int]:
        """The number of runs of each system that were given."""
        found: dict[str, dict[str, int]] = {}
        for file in self.files:
            if file.system is not None and file.role in ("outputs", "scores"):
                counts = found.setdefault(file.system, {})
                counts[file.role] = counts.get(file.role, 0) + 1
        return {system: max(counts.values()) for system, counts in found.items()}

    def notes(self) -> list[Note]:
        """Return what should be said of choices that were made."""
        said = []
        columns = list(dict.fromkeys(file.id_column for file in self.files if file.id_column is not None))
        if self.pairing == "id" and columns:
            named = " and ".join(map(repr, columns))
            text = f"Rows were paired by the ids in the column{'s' if len(columns) > 1 else ''} {named}"
            said.append(Note("paired-by-id", text))
        if self.documents not in (None, IN_MEMORY) and not any(file.role == "documents" for file in self.files):
            said.append(Note("documents", f"Documents are those that {self.documents} names"))
        return said

    def beside(self, development: Inputs | None) -> Inputs:
        """Return all that was read for this test set and for its development set."""
        if development is None:
            return self
        files = [replace(file, role=_ON_DEVELOPMENT.get(file.role, file.role)) for file in development.files]
        return replace(self, files=(*self.files, *files))

    @classmethod
    def together(cls, several: Iterable[Inputs]) -> Inputs:
        """Return what was read for several test sets."""
        held = list(several)
        return cls(
            tuple(file for one in held for file in one.files),
            "id" if held and all(one.pairing == "id" for one in held) else "line",
            _listed(one.documents for one in held),
            _listed(one.domains for one in held),
            next((one.training for one in held), None),
        )


def _listed(names: Iterable[str | None]) -> str | None:
    known = list(dict.fromkeys(name for name in names if name is not None))
    return ", ".join(known) if known else None


@dataclasses.dataclass(frozen=True)
class Grouping:
    """The document and the domain of each segment, None if they are not known, other labels, and notes."""

    documents: list[str] | None = None
    domains: list[str] | None = None
    notes: tuple[Note, ...] = ()
    files: tuple[InputFile, ...] = ()
    labels: Mapping[str, tuple[str | None, ...]] = dataclasses.field(default_factory=dict)

    def with_domains(self, given: Grouping) -> Grouping:
        """Replace the domains by those that were given for themselves; add documents that came with them."""
        text = "domains as they were given, not those of the file of documents"
        said = [] if self.domains is None else [Note("domains", text)]
        notes = (*self.notes, *given.notes, *said)
        files = (*(file for file in self.files if file.role != "domains"), *given.files)
        documents = self.documents if self.documents is not None else given.documents
        return Grouping(documents, given.domains, notes, files, {**self.labels, **given.labels})

    def source(self, role: FileRole) -> str | None:
        """Return where documents, or domains, come from: a file, or memory; None if they are not known."""
        known = self.documents if role == "documents" else self.domains
        return None if known is None else next((file.name for file in self.files if file.role == role), IN_MEMORY)
