"""Basis of every study: a corpus scored under metrics, its units, observed and resampled scores."""

from truegain.experiment.checks import check_count, check_options
from truegain.experiment.clip_intervals import Limits, clip, clip_difference, limits_of
from truegain.experiment.contributions import TwoRuns, changed_pairs
from truegain.experiment.matching import check_same_systems, matched
from truegain.experiment.observed import rounding_of
from truegain.experiment.pooled import AveragedExperiment, averaged, joined
from truegain.experiment.prepared import Experiment
from truegain.experiment.units import STRATA, UNITS
from truegain.experiment.variability import check_development, median_runs, middle, variability
from truegain.metrics.base import gain
from truegain.statistics import check_defined

__all__ = [
    "STRATA",
    "UNITS",
    "AveragedExperiment",
    "Experiment",
    "Limits",
    "TwoRuns",
    "averaged",
    "changed_pairs",
    "check_count",
    "check_defined",
    "check_development",
    "check_options",
    "check_same_systems",
    "clip",
    "clip_difference",
    "gain",
    "joined",
    "limits_of",
    "matched",
    "median_runs",
    "middle",
    "rounding_of",
    "variability",
]
