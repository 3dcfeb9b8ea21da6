"""Tagged words in columns, as CoNLL-2003 has them: one word per line, its tag in the last column."""

from __future__ import annotations

from dataclasses import dataclass, field

from truegain.errors import InputError
from truegain.readers.formats import File, Format, Layout
from truegain.readers.orders import first_difference
from truegain.readers.plain import Lines

_NEW_DOCUMENT = "-DOCSTART-"


@dataclass(frozen=True)
class TaggedWords(Lines):
    """Sentences of tagged words; a segment is a line of their tags."""

    words: list[list[str]] = field(default_factory=list, repr=False)
    places: list[int] = field(default_factory=list, repr=False)  # the first line of each sentence

    def fit(self, other: Lines) -> Lines:
        """Check that the words of another file are those of this one, if it has words."""
        if isinstance(other, TaggedWords):
            for number, (mine, theirs) in enumerate(zip(self.words, other.words, strict=False)):
                if mine != theirs:
                    self._refuse(other, number)
        return other

    def _refuse(self, other: TaggedWords, number: int) -> None:
        mine, theirs = self.words[number], other.words[number]
        place = first_difference(mine, theirs)
        found, wanted = (repr(words[place]) if place < len(words) else "the end of it" for words in (theirs, mine))
        raise InputError(
            f"sentence {number + 1:,} has other words than in {self.name}: {found} stands where {wanted} does "
            f"({self.name}, line {self.places[number] + place:,})",
            path=other.name,
            line=other.places[number] + place,
            hint="are they the same sentences? Tags alone, one line per sentence, are taken as they are",
        )


def _read(file: File, layout: Layout) -> TaggedWords:
    """Read sentences between empty lines; ``-DOCSTART-`` begins a document and is no sentence."""
    source = file.lines
    words: list[list[str]] = [[]]
    tags: list[list[str]] = [[]]
    documents: list[int] = []
    places: list[int] = []
    document = 0
    for number, line in enumerate(source.lines, 1):
        columns = line.split("\t") if "\t" in line else line.split()
        if not line.strip():
            if words[-1]:
                words.append([])
                tags.append([])
            continue
        if columns[0] == _NEW_DOCUMENT:
            if words[-1]:
                raise InputError(
                    "a document begins inside a sentence; an empty line was expected",
                    path=source.name,
                    line=number,
                    hint="sentences, and -DOCSTART-, stand between empty lines",
                )
            document += 1
            continue
        if len(columns) < 2 or not columns[-1].strip():
            raise InputError(
                f"the word {columns[0]!r} has no tag", path=source.name, line=number, hint="a word per line: EU B-ORG"
            )
        if not words[-1]:
            documents.append(document)
            places.append(number)
        words[-1].append(columns[0])
        tags[-1].append(columns[-1].strip())
    if not words[-1]:
        words.pop()
        tags.pop()
    if not words:
        raise InputError("there are no sentences in it", path=source.name, hint="is this the right file?")
    return TaggedWords(
        source.name,
        [" ".join(one) for one in tags],
        source.notes,
        documents=tuple(f"document {one}" for one in documents) if document else None,
        structure="tags",
        words=words,
        places=places,
    )


FORMAT = Format("tagged words in columns, a word per line", text=_read, metrics=("span_f1",))
