"""Groups of segments, words and n-grams that made the difference between two systems."""

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
Side = Literal["baseline", "system"]
USES: tuple[Use, ...] = ("right", "over", "under")
SIDES: tuple[Side, ...] = ("system", "baseline")

#: Where buckets of frequencies begin.
FREQUENCIES = (0, 1, 2, 3, 5, 10, 100, 1000)

_NEARLY = 0.2
_POOL = 20  # candidates of each order for one place in a list: some say the same as others
_TIES = 10_000  # as many more, where they are no better than each other

_Pair = tuple[int, int]
_Shares = tuple[float | None, float | None]
_Scores = tuple[float | None, float | None, float | None]


class GroupGain(Row):
    """A group of segments: the scores on it alone, and what it contributes to the gain on the test set."""

    metric: MetricKey
    label: Annotated[str, field("A document, or a range of lengths.", show="text")]
    segments: Annotated[Number, field("The number of segments.")]
    baseline_score: Annotated[float | None, field("The baseline's score; none if it has none.", show="score")]
    system_score: Annotated[float | None, field("The system's score; none if it has none.", show="score")]
    delta: Annotated[float | None, field("The gain; none without both scores.", "Δ", "gain")]
    contribution: Annotated[
        float, field("Half of what the gain loses if the two outputs of all its segments are swapped.", show="gain")
    ]
    share: Annotated[
        float | None, field("The contribution as a share of the gain; none if that is zero.", show="percent")
    ]


class WordBucket(Row):
    """The words of some range of frequencies; pairs are of the baseline and of the system."""

    low: Annotated[Number, field("The lowest frequency of the range.")]
    high: Annotated[Number | None, field("The highest frequency of the range; none if it has no upper end.")]
    types: Annotated[Number, field("The number of different words that the references have of it.")]
    wanted: Annotated[Number, field("The number of words that they have in all.", "in ref")]
    produced: Annotated[_Pair, field("The number of words of it that the outputs have.")]
    matched: Annotated[_Pair, field("The number of those that the references have too.")]
    precision: Annotated[_Shares, field("Matches over what was produced, in percent.", show="pair")] = (None, None)
    recall: Annotated[_Shares, field("Matches over what the references have, in percent.", show="pair")] = (None, None)
    f1: Annotated[_Shares, field("The harmonic mean of the two, in percent.", "F1", "pair")] = (None, None)
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
            frequency=_range_label(self.low, self.high),
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


def length_labels(edges: Sequence[int]) -> tuple[str, ...]:
    """Write ``<10``, ``10–19``, …, ``≥60``; refuse edges that do not rise."""
    if not edges or min(edges) < 1 or sorted(set(edges)) != list(edges):
        given = ", ".join(map(str, edges))
        raise InputError(
            f"edges of length buckets must be whole numbers that rise from 1 or more; got {given}",
            hint=(Setting("length_buckets", (10, 20, 30)), " has the buckets <10, 10–19, 20–29 and ≥30"),
        )
    inner = [_range_label(low, high - 1) for low, high in itertools.pairwise(edges)]
    return (f"<{edges[0]}", *inner, _range_label(edges[-1], None))


def _range_label(low: int, high: int | None) -> str:
    if high is None:
        return f"≥{low}"
    return f"{low}" if low == high else f"{low}–{high}"


def group_gains(metric: str, two: TwoRuns, groups: NDArray[np.intp], labels: Sequence[str]) -> list[GroupGain]:
    """Return scores, gains and contributions of groups; ``groups`` has the number of each segment's."""
    count = len(labels)
    sizes = np.bincount(groups, minlength=count).tolist()
    scores = [side.tolist() for side in two.scores_of_groups(groups, count)]
    contributions = two.of_groups(groups, count).tolist()
    gains = []
    for label, size, old, new, contribution in zip(labels, sizes, *scores, contributions, strict=True):
        defined = size > 0 and math.isfinite(old) and math.isfinite(new)
        own: _Scores = (old, new, float(two.gain(old, new))) if defined else (None, None, None)
        gains.append(GroupGain(metric, label, size, *own, contribution, two.share(contribution)))
    return gains


def word_buckets(
    texts: SideBySide, words: Usage, training: Iterable[Sequence[str]] | None = None
) -> tuple[WordBucket, ...]:
    """Return how well two outputs produce the words of the references, by frequency in these or in ``training``."""
    counts = words.wanted if training is None else texts.frequencies(training)[texts.word_numbers(words)]
    numbers = np.searchsorted(FREQUENCIES, counts, side="right") - 1
    ends = [*(low - 1 for low in FREQUENCIES[1:]), None]
    buckets = []
    for number, (low, high) in enumerate(zip(FREQUENCIES, ends, strict=True)):
        inside = numbers == number
        wanted = words.wanted[inside]
        produced, matched = (side[:, inside].sum(1).tolist() for side in (words.produced, words.matched))
        types = int(np.count_nonzero(wanted))
        buckets.append(WordBucket(low, high, types, int(wanted.sum()), tuple(produced), tuple(matched)))
    return tuple(buckets)


def ngram_uses(texts: SideBySide, usages: Sequence[Usage], count: int) -> tuple[NgramUse, ...]:
    """Return the n-grams that differ most between two outputs: at most ``count`` for each use and each output.

    They are ranked by their difference in units of what it would vary by, were all occurrences independent:
    (b − a) / √n, n being the matches (or, of what is used too often or too rarely, the occurrences) in both outputs.
    Differences alone would list the most frequent words, ratios alone the rarest. What contains a listed n-gram, or is
    part of one, is left out if its difference is within a fifth of that one's, or if it contains it without the two
    outputs differing more on it: (b + 1) / (a + b + 2). So is what has the same counts as a listed one and all words
    except one in common.
    """
    if count == 0:
        return ()
    uses: list[NgramUse] = []
    for use, more in itertools.product(USES, SIDES):
        candidates = [one for usage in usages for one in _candidates(texts, usage, use, more, _POOL * count)]
        chosen: list[_Candidate] = []
        for candidate in sorted(candidates, key=_Candidate.key):
            if len(chosen) == count:
                break
            if not any(candidate.repeats(listed) for listed in chosen):
                chosen.append(candidate)
        uses += [candidate.use for candidate in chosen]
    return tuple(uses)


@dataclass(frozen=True)
class _Candidate:
    rank: float
    odds: float  # how much of what both do is done by the one that does more, smoothed
    use: NgramUse

    def key(self) -> tuple[float, int, int, tuple[str, ...]]:
        """To sort by: of those that rank the same the greater difference first, then the longer."""
        return -self.rank, -self.use.difference, -len(self.use.words), self.use.words

    def repeats(self, listed: _Candidate) -> bool:
        """Return whether it says only what a listed one says already."""
        mine, other = self.use, listed.use
        longer = _within(other.words, mine.words)
        if not longer and not _within(mine.words, other.words):
            # Parts of one longer n-gram: the same except for a word at either end.
            overlap = mine.words[1:] == other.words[:-1] or other.words[1:] == mine.words[:-1]
            counts = [(one.reference, one.produced, one.matched) for one in (mine, other)]
            return len(mine.words) > 2 and overlap and counts[0] == counts[1]
        if abs(mine.difference - other.difference) <= _NEARLY * max(mine.difference, other.difference):
            return True
        return longer and self.odds <= listed.odds


def _candidates(texts: SideBySide, usage: Usage, use: Use, more: Side, count: int) -> Iterator[_Candidate]:
    if use == "right":
        counts, size = usage.matched, usage.matched.sum(0)
    else:
        sign = {"over": 1, "under": -1}[use]
        counts, size = np.maximum(sign * (usage.produced - usage.wanted), 0), usage.produced.sum(0)
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
        words = texts.ngram(int(usage.places[place]), usage.order)
        produced, matched = (tuple(side[:, place].tolist()) for side in (usage.produced, usage.matched))
        found = NgramUse(use, more, words, int(usage.wanted[place]), produced, matched, int(difference[place]))
        yield _Candidate(float(rank[place]), float(odds[place]), found)


def _within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))
