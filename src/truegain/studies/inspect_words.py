"""Lengths, words and n-grams that made the difference between two systems."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.experiment.contributions import TwoRuns
from truegain.rows import MetricKey, Number, Row, field
from truegain.text.usage import SideBySide, Usage

#: How an output may use an n-gram more often than another: rightly, the reference of the segment having it too; or, on
#: the whole test set, too often or too rarely.
Use = Literal["right", "over", "under"]
USES: tuple[Use, ...] = ("right", "over", "under")
Side = Literal["baseline", "system"]
SIDES: tuple[Side, ...] = ("system", "baseline")

#: Where buckets of frequencies begin.
FREQUENCIES = (0, 1, 2, 3, 5, 10, 100, 1000)

_NEARLY = 0.2
_POOL = 20  # candidates of each order for one place in a list: some say the same as others
_TIES = 10_000  # as many more, where they are no better than each other

_Pair = tuple[int, int]
_Shares = tuple[float | None, float | None]


class GroupGain(Row):
    """A group of segments: the scores on it alone, and what it contributes to the gain on the test set."""

    metric: MetricKey
    label: Annotated[str, field("A document, or a range of lengths.", show="text")]
    segments: Annotated[Number, field("The number of segments.")]
    baseline_score: Annotated[
        float | None,
        field("The baseline's score; none if the group is empty, or the metric has no score for it.", show="score"),
    ]
    system_score: Annotated[
        float | None,
        field("The system's score; none if the group is empty, or the metric has no score for it.", show="score"),
    ]
    delta: Annotated[
        float | None, field("The gain; none if the group is empty, or the metric has no score for it.", "Δ", "gain")
    ]
    contribution: Annotated[
        float, field("Half of what the gain loses if the two outputs of all its segments are swapped.", show="gain")
    ]
    share: Annotated[
        float | None, field("The contribution as a share of the gain; none if that is zero.", show="percent")
    ]


class WordBucket(Row):
    """The words of some range of frequencies."""

    low: Annotated[Number, field("The lowest frequency of the range.")]
    high: Annotated[Number | None, field("The highest frequency of the range; none if it has no upper end.")]
    types: Annotated[Number, field("The number of different words that the references have of it.")]
    wanted: Annotated[Number, field("The number of words that they have in all.", "in ref")]
    produced: Annotated[_Pair, field("The number of words of it that the baseline and the system have.")]
    matched: Annotated[_Pair, field("The number of those that the references have too.")]
    precision: Annotated[
        _Shares,
        field(
            "Matches over what was produced, in percent, of the baseline and of the system; none if nothing was.",
            show="pair",
        ),
    ] = (None, None)
    recall: Annotated[
        _Shares,
        field("Matches over what the references have, in percent, of the baseline and of the system.", show="pair"),
    ] = (None, None)
    f1: Annotated[
        _Shares,
        field(
            "The harmonic mean of precision and recall, in percent, of the baseline and of the system.", "F1", "pair"
        ),
    ] = (None, None)
    delta: Annotated[float | None, field("The difference in F1.", "Δ F1", "gain")] = None
    frequency: Annotated[str, field("The range: ``1``, ``3–4``, ``≥1000``.", "words by frequency", "text")] = ""

    def __post_init__(self) -> None:
        both = list(zip(self.matched, self.produced, strict=True))
        old, new = (_percent(2 * matched, produced + self.wanted) for matched, produced in both)
        self._derive(
            precision=tuple(_percent(matched, produced) for matched, produced in both),
            recall=tuple(_percent(matched, self.wanted) for matched in self.matched),
            f1=(old, new),
            delta=None if old is None or new is None else new - old,
            frequency=f"≥{self.low}" if self.high is None else range_label(self.low, self.high),
        )


def _percent(part: int, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None


class NgramUse(Row):
    """An n-gram that one of the two outputs uses more often in some way."""

    use: Annotated[Use, field("In which way.")]
    more: Annotated[Side, field("Which output does so more often.")]
    words: Annotated[tuple[str, ...], field("The words of the n-gram.")]
    reference: Annotated[Number, field("How often the references have it.", "in ref")]
    produced: Annotated[_Pair, field("How often the baseline and the system have it.", "used", "pair")]
    matched: Annotated[_Pair, field("How often they have it rightly.", "right", "pair")]
    difference: Annotated[Number, field("By how many times more often.", "by")]
    ngram: Annotated[str, field("The n-gram, its words between blanks.", show="text")] = ""

    def __post_init__(self) -> None:
        self._derive(ngram=" ".join(self.words))


def check_edges(edges: Sequence[int]) -> tuple[int, ...]:
    """Refuse edges of buckets that do not rise."""
    checked = tuple(edges)
    if not checked or min(checked) < 1 or sorted(set(checked)) != list(checked):
        given = ", ".join(map(str, checked))
        raise InputError(
            f"edges of length buckets must be whole numbers that rise from 1 or more; got {given}",
            hint=(Setting("length_buckets", (10, 20, 30)), " has the buckets <10, 10–19, 20–29 and ≥30"),
        )
    return checked


def length_labels(edges: Sequence[int]) -> tuple[str, ...]:
    """Write ``<10``, ``10–19``, …, ``≥60``."""
    inner = [range_label(low, high - 1) for low, high in itertools.pairwise(edges)]
    return (f"<{edges[0]}", *inner, f"≥{edges[-1]}")


def range_label(low: int, high: int) -> str:
    """Write ``3–4``, or ``3`` if that is all."""
    return f"{low}" if low == high else f"{low}–{high}"


def group_gains(metric: str, two: TwoRuns, groups: NDArray[np.intp], labels: Sequence[str]) -> tuple[GroupGain, ...]:
    """Return scores, gains and contributions of groups; ``groups`` has the number of each segment's."""
    count = len(labels)
    sizes = np.bincount(groups, minlength=count).tolist()
    scores = [side.tolist() for side in two.scores_of_groups(groups, count)]
    contributions = two.of_groups(groups, count).tolist()
    found = []
    for label, size, old, new, contribution in zip(labels, sizes, *scores, contributions, strict=True):
        defined = size > 0 and math.isfinite(old) and math.isfinite(new)
        found.append(
            GroupGain(
                metric=metric,
                label=label,
                segments=size,
                baseline_score=old if defined else None,
                system_score=new if defined else None,
                delta=float(two.gain(old, new)) if defined else None,
                contribution=contribution,
                share=two.share(contribution),
            )
        )
    return tuple(found)


def word_buckets(
    texts: SideBySide, words: Usage, training: Iterable[Sequence[str]] | None = None
) -> tuple[WordBucket, ...]:
    """Return how well two outputs produce the words of the references, by frequency.

    Parameters
    ----------
    texts : SideBySide
    words : Usage
        Of its words.
    training : iterable of lists of lines, optional
        The text whose counts are the frequencies; by default the references themselves.
    """
    counts = words.wanted if training is None else texts.frequencies(training)[texts.word_numbers(words)]
    bucket = np.searchsorted(FREQUENCIES, counts, side="right") - 1
    ends = [*(low - 1 for low in FREQUENCIES[1:]), None]
    found = []
    for number, (low, high) in enumerate(zip(FREQUENCIES, ends, strict=True)):
        mine = bucket == number
        produced, matched = words.produced[:, mine].sum(1).tolist(), words.matched[:, mine].sum(1).tolist()
        found.append(
            WordBucket(
                low=low,
                high=high,
                types=int(np.count_nonzero(words.wanted[mine])),
                wanted=int(words.wanted[mine].sum()),
                produced=(produced[0], produced[1]),
                matched=(matched[0], matched[1]),
            )
        )
    return tuple(found)


def ngram_uses(texts: SideBySide, usages: Sequence[Usage], count: int) -> tuple[NgramUse, ...]:
    """Return the n-grams that differ most between two outputs: at most ``count`` for each use and each output.

    They are ranked by their difference in units of what it would vary by, were all occurrences independent:
    (b − a) / √n, n being the matches (or, of what is used too often or too rarely, the occurrences) in both outputs.
    Differences alone would list the most frequent words, ratios alone the rarest. What contains a listed n-gram, or is
    part of one, is left out if its difference is within a fifth of that one's, or if it contains it without the two
    outputs differing more on it: (b + 1) / (a + b + 2). So is what has the same counts as a listed one and all words
    except one in common.
    """
    found = []
    for use in USES:
        for more in SIDES:
            found.extend(_listed(texts, usages, use, more, count))
    return tuple(found)


@dataclass(frozen=True)
class _Candidate:
    rank: float
    odds: float  # how much of what both do is done by the one that does more, smoothed
    use: NgramUse

    @property
    def key(self) -> tuple[float, int, int, tuple[str, ...]]:
        """To sort by: of those that rank the same the greater difference first, then the longer."""
        return -self.rank, -self.use.difference, -len(self.use.words), self.use.words

    def echoes(self, listed: _Candidate) -> bool:
        """Return whether it says only what another says already."""
        mine, other = self.use, listed.use
        longer, shorter = _within(other.words, mine.words), _within(mine.words, other.words)
        if not longer and not shorter:
            counts = [(one.reference, one.produced, one.matched) for one in (mine, other)]
            return counts[0] == counts[1] and _overlap(mine.words, other.words)
        if abs(mine.difference - other.difference) <= _NEARLY * max(mine.difference, other.difference):
            return True
        return longer and self.odds <= listed.odds


def _listed(texts: SideBySide, usages: Sequence[Usage], use: Use, more: Side, count: int) -> list[NgramUse]:
    if count == 0:
        return []
    candidates = [one for usage in usages for one in _candidates(texts, usage, use, more, _POOL * count)]
    chosen: list[_Candidate] = []
    for one in sorted(candidates, key=lambda candidate: candidate.key):
        if len(chosen) == count:
            break
        if not any(one.echoes(other) for other in chosen):
            chosen.append(one)
    return [one.use for one in chosen]


def _candidates(texts: SideBySide, usage: Usage, use: Use, more: Side, count: int) -> Iterator[_Candidate]:
    if use == "right":
        counts, size = usage.matched, usage.matched.sum(0)
    else:
        excess = usage.produced - usage.wanted
        counts, size = np.maximum(excess if use == "over" else -excess, 0), usage.produced.sum(0)
    less, most = counts if more == "system" else counts[::-1]
    difference = most - less
    rank = difference / np.sqrt(np.maximum(size, 1))
    odds = (most + 1) / (most + less + 2)
    places = np.flatnonzero(difference > 0)
    if places.size > count:
        edge = np.partition(rank[places], places.size - count)[places.size - count]
        ties = places[rank[places] == edge][:_TIES]
        places = np.concatenate([places[rank[places] > edge], ties])
    for place in places.tolist():
        produced, matched = usage.produced[:, place].tolist(), usage.matched[:, place].tolist()
        found = NgramUse(
            use=use,
            more=more,
            words=texts.ngram(int(usage.places[place]), usage.order),
            reference=int(usage.wanted[place]),
            produced=(produced[0], produced[1]),
            matched=(matched[0], matched[1]),
            difference=int(difference[place]),
        )
        yield _Candidate(float(rank[place]), float(odds[place]), found)


def _overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two are the same except for a word at either end: parts of one longer n-gram."""
    return len(one) > 2 and (one[1:] == other[:-1] or other[1:] == one[:-1])


def _within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))
