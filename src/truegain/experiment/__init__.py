"""What every study begins with: a corpus scored under metrics, its units, observed and resampled scores."""

from truegain.experiment.contributions import TwoRuns, moved_pairs
from truegain.experiment.pooled import AveragedExperiment, averaged, check_same_systems, joined, matched
from truegain.experiment.prepared import (
    Experiment,
    Progress,
    check_count,
    check_defined,
    check_options,
    within,
    within_differences,
)
from truegain.experiment.units import STRATA, UNITS, StrataChoice, UnitChoice
from truegain.experiment.variability import median_runs, middle, variability

__all__ = [
    "STRATA",
    "UNITS",
    "AveragedExperiment",
    "Experiment",
    "Progress",
    "StrataChoice",
    "TwoRuns",
    "UnitChoice",
    "averaged",
    "check_count",
    "check_defined",
    "check_options",
    "check_same_systems",
    "joined",
    "matched",
    "median_runs",
    "middle",
    "moved_pairs",
    "variability",
    "within",
    "within_differences",
]
