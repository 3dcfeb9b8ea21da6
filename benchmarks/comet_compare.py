"""``python -m benchmarks.comet_compare``: what comet-compare says of real COMET scores, and what ``compare`` does.

Prints the table of docs/coming-from-comet.md, of WMT23's systems, which are not part of the project. comet-compare
(2.2.7) decides by a paired t-test over segments at 5 %, for each pair alone, and counts who wins in 300 subsamples of
40 % of the segments.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from scipy.stats import ttest_rel

import truegain as tg
from benchmarks.data import REAL_DATA
from benchmarks.runs import table
from truegain.readers.corpora import read_corpus

__all__ = ["main"]

_SPLITS, _RATIO, _TIE = 300, 0.4, 0.001  # of comet-compare
_NOT_SYSTEMS = ("refA", "synthetic_ref")


def _row(pair: str) -> list[str]:
    folder = REAL_DATA / "wmt23_mtme"
    corpus = read_corpus(
        [str(folder / "metric-scores" / pair / "COMET-refA.seg.score.gz")],
        documents=str(folder / "documents" / f"{pair}.docs.gz"),
        outputs_are_scores=True,
    )
    corpus = replace(corpus, systems=tuple(one for one in corpus.systems if one.name not in _NOT_SYSTEMS))
    result = tg.compare(corpus, metrics=["scores"], family="all")
    scores = {one.name: np.asarray(next(iter(one.runs[0].scores.values()))) for one in corpus.systems}
    drawn = np.random.default_rng(1).integers(0, corpus.segments, (int(corpus.segments * _RATIO), _SPLITS))
    theirs, ours, sure = 0, 0, []
    for (_, x), (_, y) in itertools.combinations(scores.items(), 2):
        rejected = ttest_rel(x, y).pvalue <= 0.05
        theirs += rejected
        if rejected:
            gain = x - y
            wins = (gain[drawn].mean(axis=0) * np.sign(gain.mean()) >= _TIE).mean()
            sure.append(wins)
    ours = sum(one.significant for one in result.comparisons)
    pairs = len(result.comparisons)
    return [
        pair,
        f"{corpus.segments:,}",
        f"{len(set(corpus.documents or ())):,}",
        f"{pairs}",
        f"{theirs}",
        f"{pairs - theirs}",
        f"{100 * min(sure):.0f} %",
        f"{ours}",
    ]


def main() -> None:
    """Print the table."""
    head = [
        "",
        "segments",
        "documents",
        "pairs",
        "t-test: better",
        "“equal”",
        "least wins of a better one",
        "truegain: better",
    ]
    print(table(head, [_row(pair) for pair in ("en-de", "zh-en")], 1))


if __name__ == "__main__":
    main()
