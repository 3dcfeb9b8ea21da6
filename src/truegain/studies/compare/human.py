"""Meaning of gains to people: how often they rank pairs of systems with such a gain the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from truegain.errors import InputError
from truegain.inference.rank_shares import FEWEST_SYSTEMS, RankedPairs, RankShares
from truegain.inference.results import Comparison, MetricInfo
from truegain.notes import Note
from truegain.studies.agree.result import AgreeResult
from truegain.studies.compare.human_parts import HumanAgreement, RankedGain
from truegain.studies.profiles import read_profile


def human_agreement(
    given: Any, metrics: Sequence[MetricInfo], comparisons: Sequence[Comparison], level: float
) -> tuple[HumanAgreement, list[Note]]:
    """Estimate, from a profile, the share of pairs with each gain that people rank the same way.

    Raises
    ------
    InputError
        If the profile has too few systems, or none of the metrics.
    """
    profile = read_profile(given, AgreeResult)
    for own in profile.test_sets:
        if len(own.systems) < FEWEST_SYSTEMS:
            raise InputError(
                f"the profile has {len(own.systems)} systems, and it takes {FEWEST_SYSTEMS} to say something of others",
                hint="make a profile of more systems",
            )
    notes: list[Note] = []
    gains: list[RankedGain] = []
    for metric in metrics:
        missing = _missing(profile, metric)
        if missing:
            notes.append(
                Note("human-agreement", f"the profile does not tell how often people agree: {missing}", metric.label)
            )
            continue
        if metric.key not in {one.key for one in profile.computed}:
            text = "the profile's scores were given, not computed, so their settings may differ"
            notes.append(Note("human-agreement", text, scope=metric.label))
        gains += _gains(profile, metric, [one for one in comparisons if one.metric == metric.key], level)
    if not gains:
        raise InputError(
            "the profile has none of the metrics: " + "; ".join(f"{_missing(profile, one)}" for one in metrics),
            hint="make one with the same metrics, computed from outputs",
        )
    systems = sum(len(own.systems) for own in profile.test_sets)
    names = tuple(own.name for own in profile.test_sets)
    return HumanAgreement(tuple(gains), level, names, systems, profile.fingerprint), notes


def _missing(profile: AgreeResult, metric: MetricInfo) -> str | None:
    """Return why a profile tells nothing of a metric; None if it does."""
    if metric.key not in profile.metrics:
        return f"it has {', '.join(profile.metrics)}, not {metric.key}"
    place = profile.metrics.index(metric.key)
    if all(len(set(own.scores[place])) == 1 for own in profile.test_sets):
        return f"all its systems have the same {metric.label}"
    known = next((one for one in profile.computed if one.key == metric.key), None)
    own = metric.signature
    if known is not None and _settings(known.signature) != _settings(own):
        return f"its {metric.key} was computed as {known.signature}, and here as {own}"
    return None


def _settings(signature: str) -> list[str]:
    """Return what a signature says apart from the version."""
    return [one for one in signature.split("|") if not one.startswith("version:")]


def _gains(
    profile: AgreeResult, metric: MetricInfo, comparisons: Sequence[Comparison], level: float
) -> list[RankedGain]:
    place = profile.metrics.index(metric.key)
    shares = RankShares([RankedPairs(np.array(own.scores[place]), np.array(own.human)) for own in profile.test_sets])
    sizes = [abs(one.delta) for one in comparisons]
    found = []
    for one, size, (share, low, high) in zip(comparisons, sizes, shares.at(sizes, level), strict=True):
        known = size <= shares.largest
        found.append(
            RankedGain(
                metric.key,
                one.baseline,
                one.system,
                share=share if known else None,
                low=min(low, share) if known else None,
                high=max(high, share) if known else None,
                largest=shares.largest,
            )
        )
    return found
