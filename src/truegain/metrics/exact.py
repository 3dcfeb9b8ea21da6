"""Exact match: the share of segments whose text is the reference, to the letter or as SQuAD compares answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.errors import one_of
from truegain.metrics.base import References, segment_references, signature
from truegain.metrics.means import MeanOfSegments
from truegain.metrics.pairs import require_hypotheses, require_references
from truegain.notes import Note
from truegain.text.answers import plain_answer

_NORMALIZERS: dict[str, Callable[[str], str]] = {"none": str, "squad": plain_answer}

_REPEATED = 5  # times that labels stand in the reference on average; answers in words do not
_NOTED = 0.01  # of the outputs that have a label that is noted


@dataclass(frozen=True)
class PreparedAnswers:
    """References as they are compared, those of each segment together."""

    answers: list[list[str]]


class Matches(MeanOfSegments, ABC):
    """Base of shares of matching segments: whether each matches any of its references, in percent."""

    structure: ClassVar[str] = "labels"
    statistic_names: ClassVar[tuple[str, ...]] = ("right", "segments")

    def prepare(self, references: References) -> PreparedAnswers:
        """Bring the references into the form in which they are compared."""
        lines, groups = segment_references(references)
        require_references(groups)
        answers = self._compared(lines)
        return PreparedAnswers([answers[begin:end] for begin, end in pairwise(groups.tolist())])

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedAnswers) -> NDArray[np.int64]:
        """Return 1 if the segment matches, else 0; and 1."""
        prepared = references if isinstance(references, PreparedAnswers) else self.prepare(references)
        require_hypotheses(hypotheses, len(prepared.answers))
        given = self._compared(hypotheses)
        right = [one in answers for one, answers in zip(given, prepared.answers, strict=True)]
        return np.column_stack([np.array(right, np.int64), np.ones(len(right), np.int64)])

    def advice_beside(
        self, outputs: Sequence[str], references: Sequence[Sequence[str | None]], name: str
    ) -> list[Note]:
        """Warn of labels that no reference has, if it has none of them or writes them in another way."""
        lines = [line for side in references for line in side if line is not None]
        right = set(self._compared(lines))
        if len(right) * _REPEATED > len(lines):
            return []
        given = Counter(self._compared(outputs))
        wrong = {label: count for label, count in given.most_common() if label not in right}
        if len(wrong) == len(given):
            text = (
                f"none of its labels ({_some(wrong)}) stands in the reference ({_some(sorted(right))}): all count as "
                "wrong"
            )
            return [Note("unknown-labels", text, file=name, warning=True)]
        known = {_plain(label): label for label in right}
        for label, count in wrong.items():
            if count >= _NOTED * len(outputs) and (twin := known.get(_plain(label))) is not None:
                times = f"{count:,} time{'' if count == 1 else 's'}"
                text = f"its label {label!r} ({times}) never stands in the reference, {twin!r} does: it counts as wrong"
                return [Note("unknown-labels", text, file=name, warning=True)]
        return []

    @abstractmethod
    def _compared(self, lines: Sequence[str]) -> list[str]:
        """Return the lines as they are compared."""


@dataclass(frozen=True)
class ExactMatch(Matches):
    """The share of segments whose text equals a reference, in percent.

    Parameters
    ----------
    normalize : str
        none: to the letter. squad: in lowercase, without punctuation, articles and additional white space.

    References
    ----------
    Rajpurkar, Zhang, Lopyrev and Liang (2016). SQuAD: 100,000+ questions for machine comprehension of text. EMNLP 2016.
    """

    normalize: str = "none"

    name: ClassVar[str] = "exact"
    label: ClassVar[str] = "exact match"

    def __post_init__(self) -> None:
        if self.normalize not in _NORMALIZERS:
            raise one_of("exact:normalize", self.normalize, list(_NORMALIZERS))

    def signature(self, references: int | str = 1) -> str:
        """Name the number of references and how texts are compared."""
        return signature(nrefs=references, norm=self.normalize)

    def _compared(self, lines: Sequence[str]) -> list[str]:
        return list(map(_NORMALIZERS[self.normalize], lines))


def _plain(label: str) -> str:
    """Return a label without case, quotes and the marks around it; numbers as they are written shortest."""
    plain = label.casefold().strip(" \t\"'`()[].:")
    try:
        return f"{float(plain):g}"
    except ValueError:
        return plain


def _some(labels: Iterable[str]) -> str:
    """Return the first labels, in quotes."""
    first = list(islice(labels, 4))
    return ", ".join([*(repr(label[:40]) for label in first[:3]), *(["…"] if len(first) > 3 else [])])
