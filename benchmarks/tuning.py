"""``python -m benchmarks.tuning``: what one run of each optimizer reaches on real n-best lists, and how long it takes.

Prints the table of docs/tune.md, of lists of a small neural system, which are not part of the project.
"""

from __future__ import annotations

import time

import truegain as tg
from benchmarks.data import REAL_DATA
from benchmarks.runs import table

__all__ = ["main"]

_SETS = ("val", "test2016")


def main() -> None:
    """Print the table."""
    paths = {
        name: (str(REAL_DATA / "nmt_nbest" / f"{name}.nbest.gz"), str(REAL_DATA / "nmt_pool" / name / "ref.en.gz"))
        for name in _SETS
    }
    rows = []
    for features in (("Forward", "LM", "WordPenalty"), ()):
        for optimizer in ("mert", "pro", "mira"):
            start = time.process_time()
            result = tg.tune(
                paths["val"][1],
                paths["val"][0],
                apply={"test2016": paths["test2016"]},
                metric="bleu:tokenize=none",
                optimizer=optimizer,
                features=features,
                runs=1,
                jobs=1,
            )
            seconds = time.process_time() - start
            scores = [f"{score:.2f}" for score in result.runs[0].scores if score is not None]
            rows.append([f"{len(result.features)} features, `{optimizer}`", *scores, f"{seconds:.0f} s"])
    first = [f"{one.first:.2f}" for one in result.sets if one.first is not None]
    best = [f"{one.best:.2f}" for one in result.sets if one.best is not None]
    print(table(["BLEU", *_SETS, "processor time"], [["1-best", *first, ""], *rows, ["oracle", *best, ""]], 1))


if __name__ == "__main__":
    main()
