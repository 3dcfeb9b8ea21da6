"""Options, each described once, in a file for each command; here, the values that options with a choice may have."""

from typing import Literal

__all__ = [
    "Adjustment",
    "Alternative",
    "BootstrapInterval",
    "Family",
    "IntervalMethod",
    "ScoreInterval",
    "StrataChoice",
    "UnitChoice",
]

UnitChoice = Literal["auto", "segment", "document", "block", "domain", "testset"]
StrataChoice = Literal["auto", "none", "domain"]
BootstrapInterval = Literal["percentile", "basic", "bca", "normal"]
IntervalMethod = Literal["test", "percentile", "basic", "bca", "normal"]
ScoreInterval = Literal["auto", "percentile", "basic", "bca", "normal"]
Alternative = Literal["two-sided", "greater", "less"]
Adjustment = Literal["none", "bonferroni", "holm", "hochberg", "bh", "by", "maxt"]
Family = Literal["baseline", "all"]
