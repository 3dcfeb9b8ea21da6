"""truegain: is the gain real? Significance testing for machine translation and NLP."""

from __future__ import annotations

from truegain.version import __version__

TYPE_CHECKING = False  # type checkers take it for true; typing itself would take longer to import than all of this
if TYPE_CHECKING:
    from truegain.api.calibrate import calibrate
    from truegain.api.compare import compare
    from truegain.api.domains import domains
    from truegain.api.gate import gate
    from truegain.api.inspect import inspect
    from truegain.api.intervals import intervals
    from truegain.api.merge import merge
    from truegain.api.plan import plan
    from truegain.api.pool import pool
    from truegain.api.rank import rank
    from truegain.api.replicate import replicate
    from truegain.api.run import run
    from truegain.api.score import score
    from truegain.api.stats import stats
    from truegain.api.threshold import threshold
    from truegain.api.write_part import write_part
    from truegain.cache import Cache
    from truegain.corpus import Corpus
    from truegain.engines.parts import PartEngine
    from truegain.engines.stored import StoredEngine
    from truegain.errors import InputError, TruegainError
    from truegain.metrics.custom import CustomMetric
    from truegain.readers.corpora import read_corpus
    from truegain.readers.experiment_file import ExperimentFile, read_experiment
    from truegain.simulation import SystemSpec, simulate
    from truegain.streaming.sums import Sums
    from truegain.studies.stored import load

__all__ = [
    "Cache",
    "Corpus",
    "CustomMetric",
    "ExperimentFile",
    "InputError",
    "PartEngine",
    "StoredEngine",
    "Sums",
    "SystemSpec",
    "TruegainError",
    "__version__",
    "calibrate",
    "compare",
    "domains",
    "gate",
    "inspect",
    "intervals",
    "load",
    "merge",
    "plan",
    "pool",
    "rank",
    "read_corpus",
    "read_experiment",
    "replicate",
    "run",
    "score",
    "simulate",
    "stats",
    "threshold",
    "write_part",
]

_HOMES = {
    "Cache": "cache",
    "Corpus": "corpus",
    "CustomMetric": "metrics.custom",
    "ExperimentFile": "readers.experiment_file",
    "InputError": "errors",
    "Sums": "streaming.sums",
    "PartEngine": "engines.parts",
    "StoredEngine": "engines.stored",
    "SystemSpec": "simulation",
    "TruegainError": "errors",
    "calibrate": "api.calibrate",
    "compare": "api.compare",
    "domains": "api.domains",
    "gate": "api.gate",
    "inspect": "api.inspect",
    "intervals": "api.intervals",
    "load": "studies.stored",
    "merge": "api.merge",
    "plan": "api.plan",
    "pool": "api.pool",
    "rank": "api.rank",
    "read_corpus": "readers.corpora",
    "read_experiment": "readers.experiment_file",
    "replicate": "api.replicate",
    "run": "api.run",
    "score": "api.score",
    "simulate": "simulation",
    "stats": "api.stats",
    "threshold": "api.threshold",
    "write_part": "api.write_part",
}


if not TYPE_CHECKING:  # who looks at types only would take any name for one that is there

    def __getattr__(name: str) -> object:
        """Import on first use (PEP 562): ``import truegain`` alone costs nothing."""
        if name not in _HOMES:
            raise AttributeError(f"module 'truegain' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"truegain.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
