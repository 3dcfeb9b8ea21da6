"""Counts of all pairs of systems on the device of the totals: in float64, and by numpy again if that is not certain.

The last bits of a square root or a quotient may differ between devices. A resample in which some deviation lies so
near its limit that they might decide, or whose score the device cannot tell, is left to numpy as a whole; ties differ
from what they tie with by far more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truegain.engines.pairs import PairCounts, PairQuestion, Steps
from truegain.engines.torch_device import fused_programs
from truegain.engines.totals import UniqueColumns
from truegain.statistics import Block, check_defined, nested_mean, system_scores

if TYPE_CHECKING:
    from torch import Tensor

_DOUBT = 2.0**-47  # of the largest score: many times what rounding can do, and a quarter of a tie's width at least
_AT_ONCE = 1 << 28  # bytes of differences


def count_on_device(
    totals: Tensor, distinct: UniqueColumns, blocks: Sequence[Block], questions: Sequence[PairQuestion], jobs: int
) -> list[PairCounts]:
    """Count in totals of unique columns (resamples, columns), one question per metric."""
    import torch

    device = totals.device
    column = torch.from_numpy(distinct.column).to(device)
    addition = torch.from_numpy(distinct.addition).to(device)
    scale = torch.from_numpy(distinct.scale).to(device)
    counted: list[PairCounts] = []
    doubtful = torch.zeros(totals.shape[0], dtype=torch.bool, device=device)
    scored: list[Tensor] = []
    for block in blocks:
        part = block.columns
        spread = totals.index_select(1, column[part]).add_(addition[part]).mul_(scale[part])
        scored.append(_scores_of_systems(block, spread))
        doubtful |= ~scored[-1].isfinite().all(1)
    asked = [_Asked.of(question, scores) for question, scores in zip(questions, scored, strict=True)]
    found = [one.count(doubtful) for one in asked]
    rows = doubtful.nonzero()[:, 0]
    if rows.numel():
        for one, (hits, maxima) in zip(asked, found, strict=True):
            less = one.only(rows).count(None)
            hits -= less[0]
            maxima -= less[1]
    by_numpy = _counted_by_numpy(totals[rows], distinct, blocks, questions, jobs) if rows.numel() else None
    for number, (hits, maxima) in enumerate(found):
        counts = PairCounts(hits.cpu().numpy(), maxima.cpu().numpy(), totals.shape[0] - rows.numel())
        counted.append(counts if by_numpy is None else counts + by_numpy[number])
    return counted


def _scores_of_systems(block: Block, totals: Tensor) -> Tensor:
    """Return scores (resamples, systems) of the columns of a metric."""
    import torch

    metric: Any = block.metric
    runs = metric.score_on_device(totals.reshape(totals.shape[0], -1, block.width))
    if all(count == 1 for count in block.run_counts):
        scores: Tensor = runs
        return scores
    edges = pairwise(np.cumsum((0, *block.run_counts)).tolist())
    means = [nested_mean(runs[:, a:b].unbind(1), block.samples_of(s)) for s, (a, b) in enumerate(edges)]
    return torch.stack(means, 1)


def _counted_by_numpy(
    totals: Tensor, distinct: UniqueColumns, blocks: Sequence[Block], questions: Sequence[PairQuestion], jobs: int
) -> list[PairCounts]:
    """Count from exact totals, as every other engine does."""
    columns = np.ascontiguousarray(totals.T.cpu().numpy())
    scores = system_scores(blocks, distinct.spread(columns)).reshape(len(blocks), -1, columns.shape[1])
    for block, part in zip(blocks, scores, strict=True):
        check_defined(part, block)
    return [question.count(part, jobs) for question, part in zip(questions, scores, strict=True)]


@dataclass(frozen=True)
class _Asked:
    """A question and the scores (resamples, systems), higher is better, on the device."""

    question: PairQuestion
    scores: Tensor
    margin: float

    @classmethod
    def of(cls, question: PairQuestion, scores: Tensor) -> _Asked:
        largest = float(scores.nan_to_num(0.0).abs().max())
        return cls(question, -scores if question.lower_is_better else scores, _DOUBT * max(largest, 1e-30))

    def only(self, rows: Tensor) -> _Asked:
        """Return the question for some of the resamples."""
        return _Asked(self.question, self.scores[rows], self.margin)

    def count(self, doubtful: Tensor | None) -> tuple[Tensor, Tensor]:
        """Count exceedances and maxima; mark uncertain resamples as doubtful, if marks are asked for."""
        import torch

        device = self.scores.device
        if (programs := fused_programs(str(device))) is not None:
            return self._count_fused(programs, doubtful)
        question, steps = self.question, self.question.steps
        hits = torch.zeros(question.centres.size, dtype=torch.int64, device=device)
        maxima = torch.zeros(0 if steps is None else steps.observed.size, dtype=torch.int64, device=device)
        margin = self.margin / question.factor
        limits = question.limits / question.factor
        alone = np.arange(limits.size) if steps is None else np.setdiff1d(np.arange(limits.size), steps.pairs)
        for rows in _slices(self.scores.shape[0], question.centres.size):
            scores = self.scores[rows]
            marks = None if doubtful is None else doubtful[rows]
            for pairs in (alone,) if steps is None else (alone, steps.pairs):
                deviations = _deviations(scores, question, pairs)
                reached = _reached(deviations, limits[pairs], margin, marks)
                hits.index_add_(0, torch.from_numpy(pairs).to(device), reached)
            if steps is not None:
                highest = deviations.mul_(torch.from_numpy(steps.scales).to(device)).cummax(1).values
                maxima += _reached(highest, steps.observed, self._margins(steps), marks)
        return hits, maxima

    def _count_fused(self, programs: Any, doubtful: Tensor | None) -> tuple[Tensor, Tensor]:
        import torch

        question, steps = self.question, self.question.steps
        scores = self.scores.T.contiguous()
        marks = torch.zeros(scores.shape[1], dtype=torch.int8, device=scores.device)

        def sent(*parts: NDArray[Any]) -> list[Tensor]:
            return [torch.from_numpy(np.ascontiguousarray(part)).to(scores.device) for part in parts]

        limits = question.limits / question.factor
        pairs = sent(question.firsts, question.seconds, question.centres, limits)
        hits: Tensor = programs.count_pairs(scores, *pairs, self.margin / question.factor, marks)
        maxima = torch.zeros(0, dtype=torch.int64, device=scores.device)
        if steps is not None:
            margins = self._margins(steps)
            stepped = sent(steps.firsts, steps.seconds, steps.centres, steps.scales, steps.observed, margins)
            maxima = programs.count_maxima(scores, *stepped, marks)
        if doubtful is not None:
            doubtful |= marks.bool()
        return hits, maxima

    def _margins(self, steps: Steps) -> NDArray[np.float64]:
        """Return what is not sure: a deviation is as certain as its scale allows, the largest as the least of them."""
        return np.maximum.accumulate(steps.scales * self.margin)


def _slices(resamples: int, pairs: int) -> list[slice]:
    size = max(1, _AT_ONCE // (8 * max(pairs, 1)))
    return [slice(first, min(first + size, resamples)) for first in range(0, resamples, size)]


def _deviations(scores: Tensor, question: PairQuestion, pairs: NDArray[np.intp]) -> Tensor:
    """Return the distance of each pair's difference from its centre, shape (resamples, pairs)."""
    import torch

    parts = (question.firsts[pairs], question.seconds[pairs], question.centres[pairs])
    one, other, centre = (torch.from_numpy(part).to(scores.device) for part in parts)
    return scores.index_select(1, other).sub_(scores.index_select(1, one)).sub_(centre).abs_()


def _reached(
    values: Tensor, limits: NDArray[np.float64], margins: NDArray[np.float64] | float, marks: Tensor | None
) -> Tensor:
    """Count the resamples in which each pair reaches its limit; mark those in which that is not certain."""
    import torch

    surely = torch.from_numpy(limits + margins).to(values.device)
    perhaps = torch.from_numpy(limits - margins).to(values.device)
    count = (values >= surely).sum(0)
    if marks is not None:
        possible = (values >= perhaps).sum(0)
        if bool((possible != count).any()):
            pairs = (possible != count).nonzero()[:, 0]
            near = values.index_select(1, pairs)
            marks |= ((near >= perhaps[pairs]) & (near < surely[pairs])).any(1)
    return count
