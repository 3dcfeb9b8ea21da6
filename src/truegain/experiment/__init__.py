"""What every study begins with: a corpus scored under metrics, its units, observed and resampled scores."""

from truegain.experiment.prepared import Experiment, Progress, check_defined, check_options, within
from truegain.experiment.units import STRATA, UNITS, StrataChoice, UnitChoice
from truegain.experiment.variability import middle, variability

__all__ = [
    "STRATA",
    "UNITS",
    "Experiment",
    "Progress",
    "StrataChoice",
    "UnitChoice",
    "check_defined",
    "check_options",
    "middle",
    "variability",
    "within",
]
