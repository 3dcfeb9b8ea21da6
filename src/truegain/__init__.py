"""truegain: is the gain real? Significance testing for machine translation and NLP."""

from __future__ import annotations

from truegain.version import __version__

TYPE_CHECKING = False  # type checkers take it for true; typing itself would take longer to import than all of this
if TYPE_CHECKING:
    from truegain.cache import Cache
    from truegain.corpus import Corpus
    from truegain.errors import InputError, TruegainError
    from truegain.metrics.custom import CustomMetric
    from truegain.readers.corpora import read_corpus
    from truegain.readers.experiment_file import ExperimentFile, read_experiment
    from truegain.results import load
    from truegain.studies.agree import agree
    from truegain.studies.calibrate import calibrate
    from truegain.studies.compare import compare
    from truegain.studies.domains import domains
    from truegain.studies.gate import gate
    from truegain.studies.inspect import inspect
    from truegain.studies.plan import plan
    from truegain.studies.pool import pool, run
    from truegain.studies.rank import rank
    from truegain.studies.reported_gains import significance
    from truegain.studies.run_intervals import intervals
    from truegain.studies.runs import replicate
    from truegain.studies.score import score
    from truegain.studies.threshold import threshold
    from truegain.studies.tune import tune
    from truegain.training_sets import TrainingSets, split

__all__ = [
    "Cache",
    "Corpus",
    "CustomMetric",
    "ExperimentFile",
    "InputError",
    "TrainingSets",
    "TruegainError",
    "__version__",
    "agree",
    "calibrate",
    "compare",
    "domains",
    "gate",
    "inspect",
    "intervals",
    "load",
    "plan",
    "pool",
    "rank",
    "read_corpus",
    "read_experiment",
    "replicate",
    "run",
    "score",
    "significance",
    "split",
    "threshold",
    "tune",
]

_HOMES = {
    "Cache": "cache",
    "Corpus": "corpus",
    "CustomMetric": "metrics.custom",
    "ExperimentFile": "readers.experiment_file",
    "InputError": "errors",
    "TrainingSets": "training_sets",
    "TruegainError": "errors",
    "agree": "studies.agree",
    "calibrate": "studies.calibrate",
    "compare": "studies.compare",
    "domains": "studies.domains",
    "gate": "studies.gate",
    "inspect": "studies.inspect",
    "intervals": "studies.run_intervals",
    "load": "results",
    "plan": "studies.plan",
    "pool": "studies.pool",
    "rank": "studies.rank",
    "read_corpus": "readers.corpora",
    "read_experiment": "readers.experiment_file",
    "replicate": "studies.runs",
    "run": "studies.pool",
    "score": "studies.score",
    "significance": "studies.reported_gains",
    "split": "training_sets",
    "threshold": "studies.threshold",
    "tune": "studies.tune",
}


if not TYPE_CHECKING:  # who looks at types only would take any name for one that is there

    def __getattr__(name: str) -> object:
        """Import on first use (PEP 562): ``import truegain`` alone costs nothing."""
        if name not in _HOMES:
            from truegain.old_names import OLD_NAMES

            said = f": {OLD_NAMES[name]}" if name in OLD_NAMES else ""
            raise AttributeError(f"module 'truegain' has no attribute {name!r}{said}")
        from importlib import import_module

        value = getattr(import_module(f"truegain.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
