"""Basis of every study: a corpus scored under metrics, its units, observed and resampled scores."""

from truegain.experiment.checks import check_alpha, check_count, check_gains, check_options
from truegain.experiment.clip_intervals import Limits, clip, clip_difference, limits_of
from truegain.experiment.contributions import TwoRuns, changed_pairs
from truegain.experiment.observed import rounding_of
from truegain.experiment.prepared import Experiment
from truegain.experiment.units import STRATA, UNITS
from truegain.experiment.variability import median_runs, middle, variability, with_development
from truegain.metrics.base import gain
from truegain.statistics import check_defined

__all__ = [
    "STRATA",
    "UNITS",
    "Experiment",
    "Limits",
    "TwoRuns",
    "changed_pairs",
    "check_alpha",
    "check_count",
    "check_defined",
    "check_gains",
    "check_options",
    "clip",
    "clip_difference",
    "gain",
    "limits_of",
    "median_runs",
    "middle",
    "rounding_of",
    "variability",
    "with_development",
]
