"""Draws and counts of pairs in one pass each, by programs that Triton builds for a GPU.

What torch does in ten passes over memory is done while words and scores are in registers: the same whole numbers, and
the same operations in float64. What is not certain is marked, as :mod:`truegain.engines.torch_pairs` says.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor


def count_draws(keys: Tensor, units: int) -> Tensor:
    """Count how often a bootstrap of one stratum draws each unit, shape (resamples, units)."""
    counts = torch.zeros(keys.numel(), units, dtype=torch.int32, device=keys.device)
    width = 256
    words = (units + 1) // 2
    with torch.cuda.device_of(keys):
        _count_draws[(keys.numel(), triton.cdiv(words, width))](keys, counts, units, words, WIDTH=width)
    return counts


def count_pairs(
    scores: Tensor, firsts: Tensor, seconds: Tensor, centres: Tensor, limits: Tensor, margin: float, marks: Tensor
) -> Tensor:
    """Count the resamples in which each pair's deviation is sure to reach its limit, and mark those that are not sure.

    Parameters
    ----------
    scores : Tensor
        Shape (systems, resamples), contiguous.
    firsts, seconds, centres, limits : Tensor
        One for each pair.
    margin : float
        How near a limit is not sure.
    marks : Tensor of int8
        One for each resample; 1 is written.
    """
    pairs, resamples = firsts.numel(), scores.shape[1]
    counts = torch.zeros(pairs, dtype=torch.int32, device=scores.device)
    size, width, rounds = 8, 256, 16
    grid = (triton.cdiv(pairs, size), triton.cdiv(resamples, width * rounds))
    given = (scores, firsts, seconds, centres, limits - margin, limits + margin, counts, marks, pairs, resamples)
    with torch.cuda.device_of(scores):
        _count_pairs[grid](*given, PAIRS=size, WIDTH=width, ROUNDS=rounds)
    return counts.long()


def count_maxima(
    scores: Tensor,
    firsts: Tensor,
    seconds: Tensor,
    centres: Tensor,
    scales: Tensor,
    observed: Tensor,
    margins: Tensor,
    marks: Tensor,
) -> Tensor:
    """Count the resamples in which the largest deviation of each pair and those before it is sure to reach a value."""
    pairs, resamples = firsts.numel(), scores.shape[1]
    counts = torch.zeros(pairs, dtype=torch.int32, device=scores.device)
    size, width = 16, 64
    limits = (observed - margins, observed + margins)
    given = (scores, firsts, seconds, centres, scales, *limits, counts, marks, pairs, resamples)
    with torch.cuda.device_of(scores):
        _count_maxima[(triton.cdiv(resamples, width),)](*given, PAIRS=size, WIDTH=width)
    return counts.long()


@triton.jit
def _count_draws(keys, counts, units, words, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    number = tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)
    key = tl.load(keys + row).to(tl.uint64, bitcast=True)
    word = key + (number + 1).to(tl.uint64) * 0x9E3779B97F4A7C15
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB
    word = word ^ (word >> 31)
    low = ((word & 0xFFFFFFFF) * units) >> 32
    high = ((word >> 32) * units) >> 32
    place = counts + row.to(tl.int64) * units
    tl.atomic_add(place + low.to(tl.int64), 1, mask=number < words, sem="relaxed")
    tl.atomic_add(place + high.to(tl.int64), 1, mask=number < units // 2, sem="relaxed")


@triton.jit
def _count_pairs(
    scores,
    firsts,
    seconds,
    centres,
    perhaps,
    surely,
    counts,
    marks,
    pairs,
    resamples,
    PAIRS: tl.constexpr,
    WIDTH: tl.constexpr,
    ROUNDS: tl.constexpr,
):
    own = tl.program_id(0) * PAIRS + tl.arange(0, PAIRS)
    there = own < pairs
    one = tl.load(firsts + own, mask=there, other=0)[:, None] * resamples
    other = tl.load(seconds + own, mask=there, other=0)[:, None] * resamples
    centre = tl.load(centres + own, mask=there, other=0.0)[:, None]
    low = tl.load(perhaps + own, mask=there, other=float("inf"))[:, None]
    high = tl.load(surely + own, mask=there, other=float("inf"))[:, None]
    count = tl.zeros((PAIRS,), tl.int32)
    for number in range(ROUNDS):
        place = (tl.program_id(1) * ROUNDS + number) * WIDTH + tl.arange(0, WIDTH)
        within = place < resamples
        both = there[:, None] & within[None, :]
        deviation = tl.load(scores + other + place[None, :], mask=both, other=0.0)
        deviation -= tl.load(scores + one + place[None, :], mask=both, other=0.0)
        deviation = tl.abs(deviation - centre)
        sure = (deviation >= high) & both
        count += tl.sum(sure.to(tl.int32), 1)
        near = tl.max(((deviation >= low) & both).to(tl.int32) - sure.to(tl.int32), 0)
        tl.store(marks + place, near.to(tl.int8), mask=within & (near > 0))
    tl.atomic_add(counts + own, count, mask=there, sem="relaxed")


@triton.jit
def _larger(one, other):
    return tl.maximum(one, other)


@triton.jit
def _count_maxima(
    scores,
    firsts,
    seconds,
    centres,
    scales,
    perhaps,
    surely,
    counts,
    marks,
    pairs,
    resamples,
    PAIRS: tl.constexpr,
    WIDTH: tl.constexpr,
):
    place = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    within = place < resamples
    before = tl.zeros((WIDTH,), tl.float64)
    doubt = tl.zeros((WIDTH,), tl.int32)
    for begin in range(0, pairs, PAIRS):
        own = begin + tl.arange(0, PAIRS)
        there = own < pairs
        both = there[:, None] & within[None, :]
        one = tl.load(firsts + own, mask=there, other=0)[:, None] * resamples
        other = tl.load(seconds + own, mask=there, other=0)[:, None] * resamples
        deviation = tl.load(scores + other + place[None, :], mask=both, other=0.0)
        deviation -= tl.load(scores + one + place[None, :], mask=both, other=0.0)
        deviation = tl.abs(deviation - tl.load(centres + own, mask=there, other=0.0)[:, None])
        deviation *= tl.load(scales + own, mask=there, other=0.0)[:, None]
        highest = tl.maximum(tl.associative_scan(deviation, 0, _larger), before[None, :])
        sure = (highest >= tl.load(surely + own, mask=there, other=float("inf"))[:, None]) & both
        possible = (highest >= tl.load(perhaps + own, mask=there, other=float("inf"))[:, None]) & both
        doubt = tl.maximum(doubt, tl.max(possible.to(tl.int32) - sure.to(tl.int32), 0))
        tl.atomic_add(counts + own, tl.sum(sure.to(tl.int32), 1), mask=there, sem="relaxed")
        before = tl.maximum(before, tl.max(deviation, 0))
    tl.store(marks + place, doubt.to(tl.int8), mask=within & (doubt > 0))
