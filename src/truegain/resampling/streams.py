"""The streams of random numbers: what is drawn from a seed, each with a number of its own."""

from __future__ import annotations

from enum import IntEnum


class Stream(IntEnum):
    """Name what random numbers are for; two studies may have a number in common, never two parts of one study.

    In three places a number is given twice: 401 to test sets pooled and to runs in intervals, 501 to 503 to thresholds
    and to domains. No study makes both, and other numbers would change what they answered before.
    """

    # Resamples of units, and runs dealt out again
    BOOTSTRAP = 1
    SWAPS = 2
    BLOCKS = 3
    DEALS = 4

    # Orders of segments, to test their dependence
    DEPENDENCE = 7

    # Runs of two systems, drawn or regrouped
    RUNS_OF_FIRST = 101
    RUNS_OF_SECOND = 102
    RUN_SWAPS = 103
    REGROUPINGS = 104

    # Calibration
    NULL_SEEDS = 201
    NULL_SWAPS = 202
    NULL_CHOICES = 203
    NULL_DEALS = 204
    NULL_TIES = 205

    # Replications
    REPLICATED_RUNS = 301
    REPLICATED_UNITS = 302

    # Several test sets, intervals over runs, and groups
    SET_SEEDS = 401
    INTERVAL_RUNS = 401
    GROUP_SEEDS = 402
    GROUP_LABELS = 403

    # Thresholds
    THRESHOLD_SYSTEMS = 501
    THRESHOLD_PARTS = 502
    THRESHOLD_REPEATED = 503

    # Domains
    DRAWN_UNITS = 501
    DRAW_SEEDS = 502
    DOMAIN_SYSTEMS = 503

    # Training sets, and optimizers
    TRAINING_SETS = 601
    TUNING = 602

    # Agreement with people
    AGREE_SYSTEM_SWAPS = 701
    AGREE_CELL_SWAPS = 702
    AGREE_SIGNS = 703
    AGREE_CHANCE = 704
    AGREE_PAIRS = 705
    AGREE_DOCUMENTS = 706
    AGREE_SETS = 707
    AGREE_NORMALS = 708
