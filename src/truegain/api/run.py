"""An experiment from its file."""

from __future__ import annotations

from pathlib import Path

from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.readers.experiment_file import read_experiment
from truegain.studies.pool import study
from truegain.studies.pool.result import PooledResult

__all__ = ["run"]


def run(
    experiment: str | Path,
    *,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> PooledResult:
    """Run the experiment that a TOML file describes; its outputs are not written, ``save`` of the result does that.

    Parameters
    ----------
    experiment : str or Path
        See docs/experiments.md; :func:`truegain.read_experiment` reads it without running it.
    jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    read = read_experiment(experiment)
    return study.pool(
        read.corpora(),
        metrics=read.metrics,
        development=read.development_corpus(),
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
        **read.settings,
    )
