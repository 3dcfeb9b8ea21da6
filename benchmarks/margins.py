"""``python -m benchmarks.margins``: how often gates pass at the margin itself, written to docs/studies/margins.md.

The real data are not part of the project.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from benchmarks.data import REAL_DATA, ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from truegain.experiment import Experiment
from truegain.inference.distributions import normal_quantile, student_quantile
from truegain.inference.margins import STRENGTH, SkewedGain, exact_p, fewest_wins, region_probability, tango_z
from truegain.inference.proportions import FEW
from truegain.procedures.base import Pair, Trial
from truegain.procedures.margins import gain_at_margin
from truegain.readers.corpora import read_corpus
from truegain.resampling.units import Units
from truegain.statistics import SegmentStatistics
from truegain.version import __version__

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Counts = NDArray[np.int64] | Floats

_MARGINS = (0.005, 0.01, 0.02, 0.03, 0.05)
_ITEMS = (10, 20, 30, 50, 75, 100, 150, 200, 250, 268, 299, 300, 350, 400, 450, 500)
_SIZE = 5  # items of a document
_NULLS = ("0.98", "0.95", "0.90", "0.70", "whole", "whole amid noise", "half")
_METRICS = ("bleu:tokenize=none", "chrf", "ter")
_MQM = REAL_DATA / "wmt23_mtme" / "human-scores"
_POOL = ("bpe-full.00", "word-full.00", "bpe-full.01", "bpe-bk7.00", "bpe-r1.00", "bpe-odd.00")
_PAIRS = ((0, 1), (1, 0), (0, 2), (0, 3), (3, 4), (4, 5))


def smallest_z(items: int, margin: float) -> float:
    """Return the smallest of Tango's statistics whose exact p is 5 % or less."""
    wins, losses = np.indices((items + 1, items + 1))
    tables = (wins + losses <= items) & (wins - losses > -margin * items)
    wins, losses = wins[tables], losses[tables]
    z, first = np.unique(np.round(tango_z(wins, losses, items, -margin), 9), return_index=True)
    below, passing = -1, z.size - 1
    while passing - below > 1:
        middle = (below + passing) // 2
        p = exact_p(int(wins[first[middle]]), int(losses[first[middle]]), items, -margin)
        below, passing = (below, middle) if p <= 0.05 else (middle, passing)
    return float(z[passing])


def independent(margin: float) -> list[str]:
    """Enumerate: the size of the exact test and of Tango's, and the first number of identical scores that passes."""
    sizes: list[list[tuple[float, int]]] = [[], []]
    for items in _ITEMS:
        angles = np.linspace(math.asin(math.sqrt(margin)), math.pi / 2.0, int(40 * math.sqrt(items)) + 77)
        for own, smallest in zip(sizes, (smallest_z(items, margin), normal_quantile(0.95)), strict=True):
            fewest = fewest_wins(smallest - 2e-9, items, -margin)
            own.append((100 * region_probability(fewest, items, -margin, np.sin(angles) ** 2).max(), items))
    largest = [f"{size:.3f} (n = {items})" for size, items in map(max, sizes)]
    most = math.ceil(math.log(0.05) / math.log1p(-margin)) + 400
    passing = [items for items in range(1, most) if exact_p(0, 0, items, -margin) <= 0.05]
    return [f"{margin:g}", *largest, f"{passing[0]}{'' if len(passing) == most - passing[0] else ', not ever after'}"]


def correlated(draws: int, documents: int, old: float, new: float, seed: Sequence[int]) -> tuple[Bools, Bools]:
    """Draw which items are right, shape (draws, documents, items): beta-binomial, with a correlation of 0.3."""
    generator = np.random.default_rng(seed)
    grid, odds = np.linspace(0.0, 1.0, 4001), 1.0 / 0.3 - 1.0
    easy = generator.random((draws, documents))
    easy_for_new = np.where(generator.random(easy.shape) < 0.8, easy, generator.random(easy.shape))
    item = generator.random((draws, documents, _SIZE))
    item_for_new = np.where(generator.random(item.shape) < 0.6, item, generator.random(item.shape))
    chances = (
        np.interp(place, grid, betaincinv(mean * odds, (1.0 - mean) * odds, grid))[..., None]
        for mean, place in ((old, easy), (new, easy_for_new))
    )
    return item < next(chances), item_for_new < next(chances)


def at_margin(null: str, draws: int, documents: int, margin: float) -> tuple[Counts, Counts]:
    """Draw wins and losses of documents if the true loss is the margin."""
    seed = [documents, round(1000 * margin), _NULLS.index(null)]
    if null[0] == "0":
        old, new = correlated(draws, documents, float(null), float(null) - margin, seed)
        return (new & ~old).sum(2), (old & ~new).sum(2)
    generator = np.random.default_rng(seed)
    lost = generator.random((draws, documents)) < margin * (2 if null == "half" else 1)
    if null == "half":
        return np.zeros(lost.shape), np.where(lost, generator.binomial(_SIZE, 0.5, lost.shape), 0.0)
    won, noise = ((generator.random(lost.shape) < 0.04) & ~lost & ("noise" in null) for _ in range(2))
    return won.astype(float), np.where(lost, float(_SIZE), noise)


def passes(wins: Counts, losses: Counts, margin: float) -> list[Bools]:
    """Return which draws pass: by the t-test, by Tango's on effective items, and as the gate has it."""
    documents, items = wins.shape[1], wins.shape[1] * _SIZE
    won, lost = wins.sum(1) / items, losses.sum(1) / items
    gains = won - lost
    parts = (wins - losses - gains[:, None] * _SIZE) / items
    variance = documents / (documents - 1) * (parts**2).sum(1)
    differing, odd = won + lost - gains**2, ((wins != 0) | (losses != 0)).sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where(differing > 0, np.maximum(items * variance / differing, 1.0), 1.0)
        t = np.where(variance > 0, (gains + margin) / np.sqrt(variance), np.copysign(np.inf, gains + margin))
        skewness = np.where(variance > 0, (parts**3).sum(1) / variance**1.5, 0.0)
    share = np.minimum(odd / FEW, 1.0)
    effective = items / (share * effect + (1.0 - share) * np.maximum(1.0 + (_SIZE - 1) * 0.5, effect))
    z = tango_z(won * effective, lost * effective, effective, -margin)
    critical = student_quantile(0.95, documents - 1)
    best = np.maximum(gains, 0.0)
    unseen = np.maximum(1.0 - (margin + best) / (1.0 + best), 0.0) ** documents
    corrected = critical + np.maximum(-skewness, 0.0) * (2.0 * critical**2 + 1.0) / 6.0
    return [t >= critical, z >= critical, (z >= corrected) & (unseen <= 0.05)]


def in_documents(documents: int, draws: int) -> list[str]:
    """Return the largest shares of passes at four margins, over four models, and over three worse nulls."""
    shares = []
    for margin in (0.01, 0.02, 0.05, 0.1):
        passed = [passes(*at_margin(null, draws, documents, margin), margin) for null in _NULLS]
        shares.append(100 * np.array(passed).mean(2))
    largest = np.max(shares, 0)
    return [f"{documents}", *(f"{share:.1f}" for share in (*largest[:4].max(0), *largest[4:].max(0)))]


def power(draws: int) -> list[list[str]]:
    """Return the shares that pass with 60 documents, and of those the share that one item more right would fail."""
    rows = []
    for margin, (old, new) in itertools.product((0.01, 0.02, 0.05), ((0.9, 0.9), (0.9, 0.95))):
        olds, news = correlated(draws, 60, old, new, [7])
        flat = news.reshape(draws, -1).copy()
        flat[np.arange(draws), flat.argmin(1)] = True
        both = (news, flat.reshape(news.shape))
        passed, (*_, still) = (passes((one & ~olds).sum(2), (olds & ~one).sum(2), margin) for one in both)
        lost = 100 * (passed[-1] & ~still).sum() / max(passed[-1].sum(), 1)
        shown = [f"{100 * one.mean():.0f}" for one in passed]
        rows.append([f"{margin:g}", f"{old:g} → {new:g}", *shown, f"{lost:.2f}"])
    return rows


def mqm(language: str, draws: int) -> list[Floats]:
    """Return the shares of passes at the true gain of every ordered pair, with 150 and with 300 segments: t, gate."""
    text = gzip.decompress((_MQM / f"{language}.mqm.seg.score.gz").read_bytes()).decode().replace("None", "nan")
    scores: dict[str, list[float]] = {}
    for name, value in map(str.split, text.splitlines()):
        scores.setdefault(name, []).append(float(value))
    table = np.array([own for name, own in scores.items() if name[:3] != "ref" and not np.isnan(own).all()])
    table = table[:, ~np.isnan(table).any(0)]
    generator = np.random.default_rng(6)
    found = []
    for segments in (150, 300):
        shares = []
        for old, new in itertools.permutations(range(len(table)), 2):
            gains = table[new] - table[old]
            sample = gains[generator.integers(0, gains.size, (draws, segments))]
            parts = sample - sample.mean(1, keepdims=True)
            error = np.sqrt((parts**2).sum(1) / (segments - 1) / segments)
            t, skewness = (sample.mean(1) - gains.mean()) / error, (parts**3).sum(1) / (segments * error) ** 3
            critical = student_quantile(0.95, segments - 1)
            more = STRENGTH * np.maximum(-skewness, 0.0) * (2.0 * critical**2 + 1.0) / 6.0
            shares.append([100 * (t >= critical).mean(), 100 * (t >= critical + more).mean()])
        found.append(np.array(shares))
    return found


def corpus_scores(pair: tuple[int, int], draws: int) -> dict[tuple[str, int], Floats]:
    """Return the shares that pass at the true gain by t and the gate, and 2.5 standard errors above the margin."""
    folder, key = REAL_DATA / "nmt_pool" / "test2016", Pair(0, 1)
    corpus = read_corpus([str(folder / f"{_POOL[s]}.en.gz") for s in pair], [str(folder / "ref.en.gz")])
    settings: dict[str, Any] = dict.fromkeys(("cache", "engine", "progress"), None)
    whole = Experiment.prepare(corpus, _METRICS, unit="segment", seed=1, jobs=1, **settings)
    values, generator = whole.statistics.values, np.random.default_rng(7)
    truths = [Trial(whole, (key,)).delta((m, key)) for m in range(len(_METRICS))]
    found = {(metric.partition(":")[0], size): np.zeros(4) for metric in _METRICS for size in (100, 200, 400)}
    for size, _ in itertools.product((100, 200, 400), range(draws)):
        statistics = SegmentStatistics(values[generator.integers(0, len(values), size)], whole.statistics.blocks)
        sample = replace(whole, statistics=statistics, units=Units.segments(size))
        trial = Trial(sample, (key,), "greater", bounded=True)
        for m, truth in enumerate(truths):
            test = gain_at_margin(trial, (m, key))
            assert isinstance(test, SkewedGain)
            both = (replace(test, skewness=0.0), test)
            below = [one.p(truth - beyond * test.error) <= 0.05 for beyond in (0.0, 2.5) for one in both]
            found[_METRICS[m].partition(":")[0], size] += below
    return {cell: 100 * shares / draws for cell, shares in found.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.margins", description="Gates at their margin.")
    parser.add_argument("--draws", type=int, default=4000, help="samples per cell (default: 4000)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "studies" / "margins.md")
    options = parser.parse_args(arguments)
    asked: dict[str, tuple[Callable[..., Any], Sequence[Any], tuple[int, ...]]] = {
        "corpus": (corpus_scores, _PAIRS, (options.draws,)),
        "mqm": (mqm, ("en-de", "zh-en"), (options.draws,)),
        "exact": (independent, _MARGINS, ()),
        "documents": (in_documents, (20, 60, 200), (options.draws,)),
        "power": (power, (options.draws,), ()),
    }
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("forkserver")) as processes:
        tasks = {key: [processes.submit(work, one, *more) for one in over] for key, (work, over, more) in asked.items()}
        found = {key: [task.result() for task in several] for key, several in tasks.items()}
    options.output.write_text(page(found, options.draws), encoding="utf-8")


def page(found: Mapping[str, Sequence[Any]], draws: int) -> str:
    """Return the page."""
    exact = columns(["margin", "largest size", "Tango's", "identical scores pass from"], found["exact"])
    kinds = [f"{name}{worst}" for worst in ("", ", worst") for name in ("t", "Tango", "gate")]
    documents = columns(["documents", *kinds], found["documents"])
    heads = ["margin", "right", "t", "Tango", "gate", "of these lost by a win"]
    cells = {(cell, size): np.array([one[cell, size] for one in found["corpus"]]) for cell, size in found["corpus"][0]}
    cells |= {("MQM", size): np.concatenate(parts) for size, *parts in zip((150, 300), *found["mqm"], strict=True)}
    metrics = []
    for (metric, size), shares in cells.items():
        sizes = (f"{share.mean():.1f} ({share.max():.1f})" for share in shares.T[:2])
        metrics.append([metric, f"{size}", *sizes, *([f"{share.mean():.0f}" for share in shares.T[2:]] or ["–", "–"])])
    return f"""# Gates at their margin

How often does a [gate](../gate.md) pass if the true loss is the margin itself? It should in 5 % of cases, or fewer.
`python -m benchmarks.margins` (truegain {__version__}) measures it. Shares are in per cent.

## Independent 0/1 items, enumerated

The largest probability of a pass if the loss is the margin, over the share of items that differ, on a finer grid than
the gate's own: {len(_ITEMS)} test sets of {_ITEMS[0]} to {_ITEMS[-1]} items. Beyond 5,000 items Tango's test is used.

{exact}

## Documents of {_SIZE} items, simulated

The true loss is the margin, 0.01 to 0.1; {draws:,} samples per cell. Most passes by four beta-binomial models
(correlation 0.3; 98 to 70 % right), and if whole documents are lost, amid noise or not, or half documents. *Tango*: on
effective items. *gate*: corrected for skewness and for losses that no document shows.

{documents}

Passes with 60 documents. One item more right raises the variance, and so may lose a pass.

{columns(heads, found["power"][0])}

## Scores of many values

Samples of real segments, {draws:,} per pair, whose true gain is the margin: BLEU, chrF and TER of six pairs of systems
(`nmt_pool`, test2016), MQM of all ordered pairs of WMT23 (en-de, zh-en). Means over pairs; in parentheses, the worst
pair. *power*: passes if the margin is 2.5 standard errors below the true gain.

{columns(["metric", "segments", "t", "gate", "power, t", "gate"], metrics)}
"""


if __name__ == "__main__":
    main()
