"""Reported gains of left-out systems, predicted from profiles: docs/studies/thresholds-profiles.md holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from benchmarks.profiles import METRICS, Predicted, classes, predicted, profiles
from truegain.studies.threshold import ThresholdResult


def without(profile: ThresholdResult, names: set[str]) -> ThresholdResult:
    """Return the profile without these systems."""
    from msgspec.structs import replace

    return replace(
        profile,
        scores=tuple(one for one in profile.scores if one.name not in names),
        pairs=tuple(one for one in profile.pairs if not names & {one.baseline, one.system}),
        labels=tuple(one for one in profile.labels if one.system not in names),
    )


@pytest.mark.slow
def test_left_out_systems(shared_data: Path) -> None:
    made = list(profiles(resamples=5_000, data=shared_data))
    assert [one.testset.name[:5] for one in made] == ["WMT11", "WMT17", "WMT23", "WMT23", "pool ", "pool "]
    pooled: list[Predicted] = []
    for metric in METRICS:
        mine = [predicted(one, metric) for one in made]
        assert all(one.kept for one in classes(mine)), classes(mine)
        pooled += mine
    found = classes(pooled)
    assert all(one.kept for one in found), found
    assert sum(one.pairs for one in found) > 30_000
    assert all(one.pairs > 200 for one in found)
    similar = classes([predicted(one, metric, similar=True) for one in made if one.labels for metric in METRICS])
    assert all(one.kept for one in similar), similar


def test_the_product_predicts_the_same(shared_data: Path) -> None:
    """What the page measures is what ``truegain.significance`` says of a profile without the two systems."""
    profile = next(profiles(resamples=1_000, data=shared_data)).rounded()
    found = predicted(profile, "BLEU")
    pairs = [one for one in profile.pairs if one.metric == "bleu"]
    doubtful = np.flatnonzero((found.probabilities > 0.1) & (found.probabilities < 0.9))[:5]
    assert doubtful.size == 5
    for place in doubtful:
        one = pairs[place]
        left = without(profile, {one.baseline, one.system})
        said = tg.significance(left, one.delta, metric="bleu").gains[0].probability
        assert said == pytest.approx(found.probabilities[place], rel=1e-6)
