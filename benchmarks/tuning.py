"""MERT beside the same search in plain numpy; ``python -m benchmarks.tuning`` prints the table of docs/tune.md.

The lists are of a small neural system, and not part of the project.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

import truegain as tg
from benchmarks.data import REAL_DATA
from benchmarks.pages import columns
from benchmarks.timing import Row, Skipped
from truegain.metrics.bleu import BLEU
from truegain.resampling.generator import RandomNumbers
from truegain.studies.tune import read_set
from truegain.tuning.lists import Lists
from truegain.tuning.mert import mert

__all__ = ["main", "measure", "measure_real"]

_SETS = ("val", "test2016")
_TARGET = 2.0
_SEED = 12345

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def measure_real(*, restarts: int = 20) -> Row | Skipped:
    """Return the row of the development set that comes with the lists; skipped if they are not there."""
    nbest, reference = _paths("val")
    try:
        lists = read_set("dev", nbest, reference, BLEU(tokenize="none"), ()).lists
    except tg.InputError:
        return Skipped("MERT on n-best lists", "TRUEGAIN_DATA has no nmt_nbest")
    return measure(lists, "val", restarts=restarts)


def measure(lists: Lists, name: str, *, restarts: int) -> Row:
    """Tune once by either, from the same random numbers; the same result means the same score."""
    start = time.process_time()
    ours = mert(lists, RandomNumbers(_SEED), restarts)
    middle = time.process_time()
    theirs = _Plain(lists).mert(RandomNumbers(_SEED), restarts)
    end = time.process_time()
    work = f"MERT, BLEU, {lists.features.shape[1]} features, {restarts} restarts, beside the same search in numpy"
    agree = abs(lists.score(ours) - lists.score(theirs)) < 1e-6
    data = f"{name}, {len(lists.features):,} hypotheses"
    return Row(work, data, "ratio", end - middle, middle - start, _TARGET, agree)


class _Plain:
    """MERT with numpy alone: lists are padded to one length, and the envelopes of all of them are followed at once."""

    def __init__(self, lists: Lists) -> None:
        sizes = np.diff(lists.edges)
        places = np.arange(sizes.max())
        self.lists = lists
        self.there = places < sizes[:, None]
        self.rows = np.where(self.there, lists.edges[:-1, None] + places, lists.edges[:-1, None])
        scale = np.sqrt(((lists.features - self._means()) ** 2).mean(0))
        self.scale = np.where(scale > 0.0, scale, 1.0)

    def _means(self) -> Floats:
        features = np.where(self.there[:, :, None], self.lists.features[self.rows], 0.0)
        means = features.sum(1) / self.there.sum(1)[:, None]
        return np.repeat(means, self.there.sum(1), axis=0)

    def mert(self, random: RandomNumbers, restarts: int) -> Floats:
        """Return the best weights of several starts."""
        width = len(self.scale)
        best, found = -np.inf, np.zeros(width)
        for _ in range(restarts):
            weights = (2.0 * random.random(width) - 1.0) / self.scale
            quality = self.quality(weights)
            for _ in range(100):
                before = quality
                for direction in (*np.eye(width), *random.normals(width, width)):
                    along = direction / self.scale
                    tried = weights + self.step(weights, along) * along
                    tried = tried / (np.abs(tried * self.scale).max() or 1.0)
                    own = self.quality(tried)
                    if own > quality + 1e-9:
                        weights, quality = tried, own
                if quality <= before:
                    break
            if quality > best:
                best, found = quality, weights
        return found

    def quality(self, weights: Floats) -> float:
        """Return the score of what the weights choose."""
        scores = np.where(self.there, (self.lists.features @ weights)[self.rows], -np.inf)
        chosen = self.rows[np.arange(len(scores)), scores.argmax(1)]
        return float(self.lists.quality(self.lists.statistics[chosen].sum(0) + self.lists.rest))

    def step(self, weights: Floats, direction: Floats) -> float:
        """Return the best step along a direction."""
        lists = self.lists
        firsts, points, before, after = self.envelopes(lists.features @ weights, lists.features @ direction)
        if not points.size:
            return 0.0
        order = np.argsort(points, kind="stable")
        points = points[order]
        changes = lists.statistics[after[order]] - lists.statistics[before[order]]
        totals = np.cumsum([lists.statistics[firsts].sum(0) + lists.rest, *changes], axis=0)
        margin = max(0.1, 0.1 * float(points[-1] - points[0]))
        ends = np.concatenate([[points[0] - 2 * margin], points, [points[-1] + 2 * margin]])
        widths = np.diff(ends)
        wide = widths > 1e-6 * max(1.0, float(np.abs(weights).max()))
        quality = np.where(wide, lists.quality(totals), -np.inf)
        middles = ends[:-1] + widths / 2
        return float(middles[np.lexsort((np.abs(middles), -widths, -quality))[0]])

    def envelopes(self, values: Floats, slopes: Floats) -> tuple[Ints, Floats, Ints, Ints]:
        """Return the row that is best at the far left of each list, and all changes: points, rows before and after."""
        high, steep = values[self.rows], np.where(self.there, slopes[self.rows], np.inf)
        flattest = steep.min(1, keepdims=True)
        at = np.where(steep == flattest, high, -np.inf).argmax(1)
        steep = np.where(self.there, steep, -np.inf)
        rows = self.rows
        firsts = rows[np.arange(len(rows)), at]
        points, before, after = [], [], []
        while True:
            own = np.arange(len(rows))
            value, slope = high[own, at][:, None], steep[own, at][:, None]
            steeper = steep > slope
            going = steeper.any(1)
            if not going.any():
                break
            rows, high, steep, at = rows[going], high[going], steep[going], at[going]
            value, slope, steeper = value[going], slope[going], steeper[going]
            with np.errstate(divide="ignore", invalid="ignore"):
                x = np.where(steeper, (value - high) / (steep - slope), np.inf)
            nearest = x.min(1, keepdims=True)
            kept = np.where(x == nearest, steep, -np.inf)
            kept = np.where(kept == kept.max(1, keepdims=True), high, -np.inf)
            own, then = np.arange(len(rows)), kept.argmax(1)
            points.append(nearest[:, 0])
            before.append(rows[own, at])
            after.append(rows[own, then])
            at = then
        if not points:
            return firsts, np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64)
        return firsts, np.concatenate(points), np.concatenate(before), np.concatenate(after)


def main() -> None:
    """Print the table of docs/tune.md."""
    paths = {name: _paths(name) for name in _SETS}
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
            rows.append([f"{len(result.features)} features, {optimizer}", *scores, f"{seconds:.0f} s"])
    first = [f"{one.first:.2f}" for one in result.sets if one.first is not None]
    best = [f"{one.best:.2f}" for one in result.sets if one.best is not None]
    print(columns(["BLEU", *_SETS, "processor time"], [["1-best", *first, ""], *rows, ["oracle", *best, ""]]))


def _paths(name: str) -> tuple[str, str]:
    return str(REAL_DATA / "nmt_nbest" / f"{name}.nbest.gz"), str(REAL_DATA / "nmt_pool" / name / "ref.en.gz")


if __name__ == "__main__":
    main()
