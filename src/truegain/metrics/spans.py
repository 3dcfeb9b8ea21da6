"""F1 of labelled spans (named entities, chunks) in BIO tags and their kin, as conlleval counts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, one_of
from truegain.metrics.base import REFERENCE, References, only_reference, require_as_many_tags, signature
from truegain.metrics.pairs import require_hypotheses
from truegain.metrics.ratios import FScore

# The marks of a tag, in BIO, IOB1, BIOES, BILOU and BMES.
_MARKS = {"B": "B", "I": "I", "M": "I", "E": "E", "L": "E", "S": "S", "U": "S", "O": "O"}

Span = tuple[str, int, int]


@dataclass(frozen=True)
class PreparedSpans:
    """The spans of each segment of the reference, and how many tags it has."""

    spans: list[set[Span]]
    tags: list[int]


@dataclass(frozen=True)
class SpanF1(FScore):
    """F1, precision or recall of spans, in percent: one is right if the reference has it, with that type.

    A segment is a line of tags, ``B-PER I-PER O``. As conlleval reads them, and seqeval by default: a span begins at B
    or S, after O or another type, and after E or S; so IOB1, BIO and BIOES mean what they should, and tags out of order
    still mean something. L and U (BILOU) are read as E and S, M (BMES) as I.

    Parameters
    ----------
    measure : str
        f, precision or recall.
    type : str, optional
        Count spans of this type only.

    References
    ----------
    Tjong Kim Sang and De Meulder (2003). Introduction to the CoNLL-2003 shared task: language-independent named entity
    recognition. CoNLL 2003.
    """

    type: str | None = None

    name: ClassVar[str] = "span_f1"
    structure: ClassVar[str] = "tags"
    statistic_names: ClassVar[tuple[str, ...]] = ("correct", "gold_spans", "sys_spans")

    @property
    def label(self) -> str:
        """Name of the measure."""
        of = "" if self.type is None else f"{self.type} "
        return f"{of}{'span' if of else 'Span'} {'F1' if self.measure == 'f' else self.measure}"

    def signature(self, references: int | str = 1) -> str:
        """Name what is measured, and of which spans."""
        return signature(nrefs=references, measure=self.measure, type=self.type or "all", spans="conlleval")

    def prepare(self, references: References) -> PreparedSpans:
        """Find the spans of the reference."""
        tags = [line.split() for line in only_reference(references, self.name)]
        spans = [_spans(one, number, REFERENCE) for number, one in enumerate(tags, 1)]
        types = sorted({span[0] for one in spans for span in one})
        if self.type is not None and self.type not in types:
            if not types:
                raise InputError(
                    f"it has no spans, of the type {self.type!r} or any other", path=REFERENCE, hint="leave type out"
                )
            raise one_of("span_f1:type, a type of the reference,", self.type, types)
        return PreparedSpans([self._of_type(one) for one in spans], [len(one) for one in tags])

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedSpans) -> NDArray[np.int64]:
        """Count spans that are right, spans of the reference and spans of the system."""
        prepared = references if isinstance(references, PreparedSpans) else self.prepare(references)
        require_hypotheses(hypotheses, len(prepared.spans))
        rows = []
        for number, (line, gold, length) in enumerate(zip(hypotheses, prepared.spans, prepared.tags, strict=True), 1):
            tags = line.split()
            require_as_many_tags(tags, length, number)
            found = self._of_type(_spans(tags, number, None))
            rows.append((len(gold & found), len(gold), len(found)))
        return np.array(rows, np.int64).reshape(-1, 3)

    def _of_type(self, found: set[Span]) -> set[Span]:
        return found if self.type is None else {span for span in found if span[0] == self.type}


def _spans(tags: Sequence[str], number: int, path: str | None) -> set[Span]:
    """Return the spans of a line of tags: type, first tag, and the tag after the last."""
    found = set()
    before, kind_before, start = "O", "", 0
    for place, tag in enumerate([*tags, "O"]):
        mark = _MARKS.get(tag[0])
        if mark is None or (len(tag) > 1 and (tag[1] != "-" or mark == "O")):
            raise InputError(
                f"{tag!r} in sentence {number:,} is not a tag of a span",
                path=path,
                hint="tags are O, B-TYPE, I-TYPE, and E-TYPE and S-TYPE where they are used",
            )
        kind = tag[2:]
        changes = kind != kind_before
        if before != "O" and (changes or before in "ES" or mark in "BSO"):
            found.add((kind_before, start, place))
        if mark != "O" and (changes or before in "ESO" or mark in "BS"):
            start = place
        before, kind_before = mark, kind
    return found
