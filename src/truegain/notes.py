"""Notes: what to know of inputs, choices and tests, each with a kind that programs can use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec.structs import replace

from truegain.rows import Number, Row, field

#: Undecided is a sentence about a difference that is not shown; plain is one that claims no difference.
Tone = Literal["plain", "good", "bad", "warning", "undecided", "quiet", "strong"]

#: Kinds of notes on how files were read.
_OF_INPUTS = frozenset(("columns", "documents", "paired-by-id", "samples", "system-order", "systems"))

_MANY = 3  # files of which a note is made one by one


class Finding(Row, omit_defaults=True):
    """A part of the answer: a sentence, and whether it is good or bad news."""

    text: Annotated[str, field("The sentence.")]
    tone: Annotated[Tone, field("What it is for the system: good, bad, undecided; or plain.")] = "plain"


class Note(Row, omit_defaults=True):
    """A sentence without its full stop, and what it is about; ``str`` words it whole."""

    kind: Annotated[str, field("A short name that stays the same whatever the text says, such as empty-segments.")]
    text: Annotated[str, field("The sentence, or a clause that follows what it is about.")]
    scope: Annotated[str, field("The metric, the test set or the comparison that it is about; empty for all.")] = ""
    file: Annotated[str, field("The file that it is about; empty for none.")] = ""
    more: Annotated[Number, field("Further files of which the same is said.")] = 0
    summary: Annotated[
        str, field("The text without the figures of one comparison, to be said once of many; empty if it cannot be.")
    ] = ""
    warning: Annotated[bool, field("Whether it must not be missed: it is shown before any table.")] = False

    def __str__(self) -> str:
        """Write the note: ``Warning: news: out.txt: the text; and so of 2 more files``."""
        before = (*(["Warning"] if self.warning else []), *(one for one in (self.scope, self.file) if one))
        after = f"; and so of {self.more:,} more file{'' if self.more == 1 else 's'}" if self.more else ""
        return ": ".join((*before, f"{self.text}{after}"))

    @property
    def of_inputs(self) -> bool:
        """Whether it says how all files were read: a screen leaves it out unless methods are asked for."""
        return self.kind in _OF_INPUTS and not self.warning and (self.kind == "system-order" or not self.file)

    def about(self, scope: str) -> Note:
        """Return the same note about a metric, a test set or a comparison."""
        return replace(self, scope=f"{scope}: {self.scope}" if self.scope else scope)

    def capitalized(self) -> Note:
        """Return the same note with a text that can begin a sentence."""
        return replace(self, text=self.text[:1].upper() + self.text[1:])


Findings = Annotated[tuple[Finding, ...], field("The answer, in sentences.")]
Notes = Annotated[tuple[Note, ...], field("What to know of inputs, choices and tests.")]


def gathered(notes: Iterable[Note]) -> list[Note]:
    """Return the notes without repetitions; of a kind that more than three files have, the first, and of how many more.

    Gathered notes among them count for all their files.
    """
    kinds: dict[object, list[Note]] = {}
    for note in dict.fromkeys(notes):
        kinds.setdefault((note.kind, note.scope, note.warning) if note.file else note, []).append(note)
    found = []
    for same in kinds.values():
        files = len({note.file for note in same if not note.more}) + sum(1 + note.more for note in same if note.more)
        found += same if files <= _MANY else [replace(same[0], more=files - 1)]
    return found
