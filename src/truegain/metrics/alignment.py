"""Word alignment: the alignment error rate (Och and Ney 2003), precision, recall and F (Fraser and Marcu 2007)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, one_of
from truegain.metrics.base import REFERENCE, References, only_reference, signature
from truegain.metrics.pairs import require_hypotheses
from truegain.metrics.ratios import MEASURES, share

_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")  # Python refuses to read numbers of thousands of digits
_ENOUGH = 20  # segments with links, of which none has a first word, if words are counted from 0

Link = tuple[int, int]


@dataclass(frozen=True)
class PreparedLinks:
    """The sure links of each segment, and those with the possible ones."""

    sure: list[set[Link]]
    possible: list[set[Link]]


@dataclass(frozen=True)
class Links:
    """Links between words, as ``0-0 1-2 2p2`` (``p`` or ``?`` for possible ones): base of AER and its like.

    Parameters
    ----------
    reference_base, system_base : int, optional
        Whether words are counted from 0 or from 1, in the reference and in the systems' outputs. By default from 0; a
        file without any word 0 is then refused, and the base must be given.
    """

    reference_base: int | None = None
    system_base: int | None = None

    name: ClassVar[str]
    reads: ClassVar[Literal["text"]] = "text"
    structure: ClassVar[str] = "links"
    limits: ClassVar[tuple[float, float]] = (0.0, 100.0)
    statistic_names: ClassVar[tuple[str, ...]] = ("sure_found", "possible_found", "links", "sure")
    # Cheap, and looked at anew each time: whether words are counted from 1 is asked of every file.
    cached: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for setting in ("reference_base", "system_base"):
            if getattr(self, setting) not in (None, 0, 1):
                raise InputError(f"{self.name}:{setting} must be 0 or 1; got {getattr(self, setting)}")

    @property
    def _bases(self) -> dict[str, object]:
        return {"ref_base": self.reference_base or 0, "sys_base": self.system_base or 0}

    def prepare(self, references: References) -> PreparedLinks:
        """Read the links of the reference."""
        lines = only_reference(references, self.name)
        found = [_links(line, self.reference_base or 0, number, REFERENCE) for number, line in enumerate(lines, 1)]
        possible = [sure | other for sure, other in found]
        if self.reference_base is None:
            self._check_base(possible, "reference_base", REFERENCE)
        return PreparedLinks([sure for sure, _ in found], possible)

    def statistics(self, hypotheses: Sequence[str], references: References | PreparedLinks) -> NDArray[np.int64]:
        """Count sure links found, possible links found, links, and sure links of the reference."""
        prepared = references if isinstance(references, PreparedLinks) else self.prepare(references)
        require_hypotheses(hypotheses, len(prepared.sure))
        found = [set.union(*_links(line, self.system_base or 0, number)) for number, line in enumerate(hypotheses, 1)]
        if self.system_base is None:
            self._check_base(found, "system_base")
        rows = [
            (len(links & sure), len(links & possible), len(links), len(sure))
            for links, sure, possible in zip(found, prepared.sure, prepared.possible, strict=True)
        ]
        return np.array(rows, np.int64).reshape(-1, 4)

    def _check_base(self, segments: Sequence[set[Link]], setting: str, path: str | None = None) -> None:
        """Refuse links that look as if words were counted from 1: a score would be garbage, and look like one."""
        linked = sum(bool(links) for links in segments)
        if linked >= _ENOUGH and all(0 not in link for links in segments for link in links):
            raise InputError(
                f"no link in {linked:,} segments has a word 0: words seem to be counted from 1",
                path=path,
                hint=(
                    "say so: ",
                    Setting("metrics", (f"{self.name}:{setting}=1",)),
                    f" (or {setting}=0, if they are counted from 0 after all)",
                ),
            )


@dataclass(frozen=True)
class AER(Links):
    """Alignment error rate in percent, 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|).

    A are the links of the system, S the sure ones of the reference, P its sure and possible ones. 0 if there are
    neither links nor sure ones. See :class:`Links` for the settings.

    References
    ----------
    Och and Ney (2003). A systematic comparison of various statistical alignment models. Computational Linguistics
    29(1).
    """

    name: ClassVar[str] = "aer"
    label: ClassVar[str] = "AER"
    higher_is_better: ClassVar[bool] = False
    #: Statistics of which the score knows only the sum.
    merged: ClassVar[tuple[tuple[int, ...], ...]] = ((0, 1), (2, 3))
    denominator: ClassVar[tuple[int, ...]] = (2, 3)

    def signature(self, references: int | str = 1) -> str:
        """Name the numbers from which words are counted."""
        return signature(nrefs=references, **self._bases)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the error rate of summed statistics (..., 4)."""
        totals = np.asarray(totals, np.float64)
        half = totals.shape[-1] // 2
        return np.asarray(100.0 - share(totals[..., :half].sum(-1), totals[..., half:].sum(-1)))


@dataclass(frozen=True)
class Alignment(Links):
    """Precision |A ∩ P| / |A|, recall |A ∩ S| / |S| or F, their weighted harmonic mean, in percent.

    The share of nothing is 100. See :class:`Links` for the other settings.

    Parameters
    ----------
    measure : str
        f, precision or recall.
    alpha : float, optional
        The weight of precision in F, 0.5 by default: 1 / (alpha / precision + (1 - alpha) / recall).

    References
    ----------
    Fraser and Marcu (2007). Measuring word alignment quality for statistical machine translation. Computational
    Linguistics 33(3).
    """

    measure: str = "f"
    alpha: float | None = None

    name: ClassVar[str] = "alignment"
    higher_is_better: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.measure not in MEASURES:
            raise one_of("alignment:measure", self.measure, list(MEASURES))
        if self.alpha is not None:
            if self.measure != "f":
                raise InputError(f"alignment:alpha does not go with measure={self.measure}", hint="only F has weights")
            if not 0.0 <= self.alpha <= 1.0:
                raise InputError(f"alignment:alpha must be from 0 to 1; got {self.alpha:g}")

    @property
    def denominator(self) -> tuple[int, ...]:
        """The links and the sure ones of the reference; of precision and of recall, one of them."""
        return {"f": (2, 3), "precision": (2,), "recall": (3,)}[self.measure]

    @property
    def _alpha(self) -> float:
        return 0.5 if self.alpha is None else self.alpha

    @property
    def label(self) -> str:
        """Name of the measure."""
        return f"Alignment {self.measure.upper() if self.measure == 'f' else self.measure}"

    def signature(self, references: int | str = 1) -> str:
        """Name the measure, and the numbers from which words are counted."""
        weight = {"alpha": f"{self._alpha:g}"} if self.measure == "f" else {}
        return signature(nrefs=references, measure=self.measure, **weight, **self._bases)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return precision, recall or F of summed statistics (..., 4)."""
        totals = np.asarray(totals, np.float64)
        precision = share(totals[..., 1], totals[..., 2])
        recall = share(totals[..., 0], totals[..., 3])
        if self.measure != "f":
            return precision if self.measure == "precision" else recall
        weighted = self._alpha * recall + (1.0 - self._alpha) * precision
        return share(precision * recall / 100.0, weighted, of_nothing=0.0)


def _links(line: str, base: int, number: int, path: str | None = None) -> tuple[set[Link], set[Link]]:
    """Return the sure links of a segment and the possible ones, counted from 0."""
    sure: set[Link] = set()
    possible: set[Link] = set()
    for text in line.split():
        match = _LINK.fullmatch(text)
        if match is None:
            raise InputError(
                f"{text[:40]!r} is not a link",
                path=path,
                line=number,
                hint="links are written 0-0 1-2, source before target; possible ones 1p2 or 1?2",
            )
        link = int(match[1]) - base, int(match[3]) - base
        if min(link) < 0:
            raise InputError(
                f"the link {text} has a word 0, and words are said to be counted from 1",
                path=path,
                line=number,
                hint="leave out the setting that says so: reference_base or system_base",
            )
        (sure if match[2] == "-" else possible).add(link)
    return sure, possible
