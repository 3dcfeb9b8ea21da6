"""Names of files that contradict what the files are given as."""

from __future__ import annotations

from truegain.readers.file_names import sources_as_references, swapped_roles


def test_roles_that_names_contradict() -> None:
    """A source for a reference, and a reference among the outputs while the reference has another name."""
    assert [note.text for note in sources_as_references(["src/ref.txt", "news.src.de.gz", "resource.txt"])] == [
        "news.src.de.gz has the name of a source, and was taken for a reference"
    ]
    assert [note.kind for note in swapped_roles(["released.de"], ["ref.de", "nightly.de"])] == ["reference-as-system"]
    assert swapped_roles(["refA.de"], ["refB.de"]) == swapped_roles([], ["ref.de"]) == []
    assert swapped_roles(["released.de"], ["outputs/ref.de"]) == []
