"""Test sets drawn from a set that is taken for the population: p of all pairs on each, and the sign in the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from truegain.engines.engine import Engine
from truegain.engines.work import Resampling
from truegain.executors.over import over
from truegain.experiment import Experiment, check_defined
from truegain.inference.agreement import Kinds, one_sided
from truegain.inference.all_pairs import AllPairs
from truegain.inference.pvalues import small_sample_factor
from truegain.inference.thresholds import percentile
from truegain.memory_check import BLAS_THREAD, need
from truegain.resampling.design import Design
from truegain.resampling.generator import resample_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units, UnitTable
from truegain.statistics import Block, system_scores

#: Of a draw, metric by metric and pair by pair: the difference, p and the standard error, 0 if nothing varies.
_Drawn = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class Counted:
    """Counts under one metric, pair by pair.

    Attributes
    ----------
    cases, same, ties : array (kinds, pairs)
        Of each kind of p, see :class:`truegain.inference.agreement.Kinds`.
    p : array (kinds,)
        The sum of p over the cases.
    undirected : int
    wrong : float
        Cases without a difference on the draw; with p up to alpha for a system that is not better in the population.
    errors : array (pairs,)
        The root mean square over draws of each pair's standard error.
    usual : array (draws,)
        The 95th percentile of the standard errors of each draw; 0 if nothing varies.
    """

    cases: NDArray[np.float64]
    same: NDArray[np.float64]
    ties: NDArray[np.float64]
    p: NDArray[np.float64]
    undirected: int
    wrong: float
    errors: NDArray[np.float64]
    usual: NDArray[np.float64]


def count_draws(
    experiment: Experiment,
    units: int,
    draws: int,
    *,
    kinds: Kinds,
    resamples: int,
    progress: Callable[[int], None] | None,
) -> list[Counted]:
    """Draw test sets of ``units`` units, with replacement, test all pairs on each, and count, metric by metric.

    With replacement, so that the set is exactly the population which the draws are samples of. What a draw gives
    depends on its number alone; the counts do not depend on where it is done.
    """
    from threadpoolctl import threadpool_limits

    population = _differences(experiment, experiment.scores)
    shape = (len(population), len(kinds.ends), population.shape[1])
    cases, same, ties = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    sums = np.zeros(shape[:2])
    undirected, wrong = np.zeros(shape[0], np.int64), np.zeros(shape[0])
    squares, usual = np.zeros(population.shape), np.zeros((shape[0], draws))
    workers = experiment.engine.workers
    population_of_units = _Population(
        experiment.table,
        experiment.units,
        experiment.statistics.blocks,
        experiment.rounding,
        experiment.seed,
        units,
        resamples,
    )
    if workers.shares_memory:
        need(BLAS_THREAD * workers.jobs)
    with threadpool_limits(1, user_api="blas"):  # each draw in one thread, with BLAS on one processor inside it
        for number, (deltas, p, errors) in enumerate(over(_drawn, population_of_units, 0, draws, workers, size=1)):
            directed = deltas != 0.0
            right = np.sign(deltas) == np.sign(population)
            tied = population == 0.0
            inside = kinds.of(p) & directed[:, None]
            cases += inside
            same += inside * np.where(tied, 0.5, right)[:, None]
            ties += inside & tied[:, None]
            sums += (inside * p[:, None]).sum(-1)
            undirected += (~directed).sum(-1)
            # Of a tie neither system is the right one, and each is found half of the time.
            wrong += ((directed & (p <= kinds.alpha)) * np.where(tied, 0.5, ~right)).sum(-1)
            squares += errors**2
            usual[:, number] = [percentile(row[row > 0.0]) if row.any() else 0.0 for row in errors]
            if progress is not None:
                progress(1)
    errors = np.sqrt(squares / draws)
    return [
        Counted(cases[m], same[m], ties[m], sums[m], int(undirected[m]), float(wrong[m]), errors[m], usual[m])
        for m in range(len(population))
    ]


@dataclass(frozen=True)
class _Population:
    """What test sets are drawn from, and how they are tested."""

    table: UnitTable
    units: Units
    blocks: tuple[Block, ...]
    rounding: NDArray[np.float64]
    seed: int
    size: int
    resamples: int


def _drawn(population: _Population, number: int, _: int) -> _Drawn:
    """Draw a test set, by its number, and test all pairs on it."""
    places = uniforms(resample_keys(population.seed, Stream.DRAWN_UNITS, number, 1), population.size)[0]
    chosen = (places * population.units.count).astype(np.int64)
    table = UnitTable(population.table.values[chosen], population.table.scale)
    sizes = population.units.sizes[chosen]
    drawn = Units(population.units.kind, np.repeat(np.arange(population.size), sizes), population.size)
    seed = int(resample_keys(population.seed, Stream.DRAW_SEEDS, number, 1)[0])
    score = partial(system_scores, population.blocks)
    observed = score(table.totals[:, None])
    work = Resampling(Design(drawn, "bootstrap", seed), table, score)
    values = Engine().resample(work, population.resamples)
    factor = small_sample_factor(population.size, drawn.effective_number)
    systems = len(population.blocks[0].run_counts)
    deltas, p, errors = [], [], []
    for m, block in enumerate(population.blocks):
        rows = slice(m * systems, (m + 1) * systems)
        check_defined(np.concatenate([observed[rows], values[rows]], axis=1), block)
        lower = block.metric.higher_is_better is False
        pairs = AllPairs(
            observed[rows, 0], values[rows], lower_is_better=lower, factor=factor, rounded=population.rounding[m]
        )
        deltas.append(np.where(np.abs(pairs.deltas) <= pairs.slacks, 0.0, pairs.deltas))
        p.append(one_sided(pairs))
        spreads = pairs.spreads()
        errors.append(np.where(spreads > pairs.slacks, spreads, 0.0))
    return np.stack(deltas), np.stack(p), np.stack(errors)


def _differences(experiment: Experiment, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the differences of all pairs, metric by metric, positive if the second is better; exactly 0 for a tie."""
    differences = []
    for block, observed, rounded in zip(experiment.statistics.blocks, scores, experiment.rounding, strict=True):
        lower = block.metric.higher_is_better is False
        pairs = AllPairs(observed, observed[:, None], lower_is_better=lower, rounded=rounded)
        differences.append(np.where(np.abs(pairs.deltas) <= pairs.slacks, 0.0, pairs.deltas))
    return np.stack(differences)
