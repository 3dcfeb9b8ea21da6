"""What every study begins with: a corpus scored under metrics, its units, observed and resampled scores."""

from truegain.experiment.contributions import TwoRuns, moved_pairs
from truegain.experiment.prepared import Experiment, Progress, check_defined, check_options, within, within_differences
from truegain.experiment.units import STRATA, UNITS, StrataChoice, UnitChoice
from truegain.experiment.variability import median_runs, middle, variability

__all__ = [
    "STRATA",
    "UNITS",
    "Experiment",
    "Progress",
    "StrataChoice",
    "TwoRuns",
    "UnitChoice",
    "check_defined",
    "check_options",
    "median_runs",
    "middle",
    "moved_pairs",
    "variability",
    "within",
    "within_differences",
]
