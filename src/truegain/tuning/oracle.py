"""Oracle of n-best lists: the hypotheses with the best, or the worst, score of the corpus."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from truegain.tuning.lists import Lists
from truegain.tuning.pro import sentence_quality

_ROUNDS = 50


def oracle(lists: Lists, *, worst: bool = False) -> NDArray[np.int64]:
    """Return the rows of the hypotheses that a greedy search finds best, or worst, for the whole corpus.

    The search begins with the best hypothesis of each list alone, and goes from list to list, taking what is best with
    all others as they are, until nothing changes. The score of the corpus rises with each change; another choice of
    several hypotheses at once may still be better.
    """
    sign = -1.0 if worst else 1.0
    alone = sign * sentence_quality(lists.metric, lists.statistics)
    edges = lists.edges.tolist()
    chosen = np.array([a + int(np.argmax(alone[a:b])) for a, b in itertools.pairwise(edges)], np.int64)
    totals = lists.statistics[chosen].sum(axis=0) + lists.rest
    for _ in range(_ROUNDS):
        changed = False
        for one, (first, last) in enumerate(itertools.pairwise(edges)):
            others = totals - lists.statistics[chosen[one]]
            quality = sign * lists.quality(others + lists.statistics[first:last])
            best = int(np.argmax(quality))
            if quality[best] > quality[chosen[one] - first]:
                chosen[one] = first + best
                totals = others + lists.statistics[chosen[one]]
                changed = True
        if not changed:
            break
    return chosen
