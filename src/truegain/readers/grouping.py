"""Documents, domains and other labels that segments are grouped by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from truegain.inputs import IN_MEMORY, FileRole, InputFile
from truegain.notes import Note


@dataclass(frozen=True)
class Grouping:
    """The document and the domain of each segment, None if they are not known, other labels, and notes."""

    documents: list[str] | None = None
    domains: list[str] | None = None
    notes: tuple[Note, ...] = ()
    files: tuple[InputFile, ...] = ()
    labels: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)

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
