"""Reported gains without outputs: from a profile, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

import truegain as tg
from tests.known import known
from tests.refusals import refused
from truegain.studies.threshold import ThresholdResult

Z = 1.6448536269514722


def systems(count: int = 12, segments: int = 800) -> dict[str, NDArray[np.float64]]:
    """Two families whose systems share half of their noise."""
    generator = np.random.default_rng(1)
    shared = generator.normal(0.0, 3.0, (2, segments))
    return {
        f"{'ab'[i % 2]}{i}": 50.0 + 0.05 * i + shared[i % 2] + generator.normal(0.0, 2.0 + 0.1 * i, segments)
        for i in range(count)
    }


@pytest.fixture(scope="module")
def profile() -> ThresholdResult:
    return tg.threshold(None, systems(), metrics=["scores"], groups="^(.)", resamples=1_000, jobs=1)


def test_the_probability_rises_from_nothing_to_certainty(profile: ThresholdResult) -> None:
    errors = np.array([one.se for one in profile.pairs])
    gains = [Z * float(np.quantile(errors, q)) for q in (0.0, 0.1, 0.5, 0.9, 1.0)]
    found = [one.probability for one in tg.significance(profile, [0.5 * gains[0], *gains, 1.5 * gains[-1]])]
    assert found == sorted(found)
    assert found[0] < 0.01
    assert found[-1] > 0.99
    assert found[3] == pytest.approx(0.5, abs=0.2)
    for one in tg.significance(profile, [0.02, 0.2, 0.3, 0.4, 0.6]):
        assert 0.0 <= known(one.low) <= one.probability <= known(one.high) <= 1.0


def test_similar_systems_need_smaller_gains(profile: ThresholdResult, tmp_path: Path) -> None:
    same = profile.threshold("scores", "same").gain
    alike, all_pairs = (tg.significance(profile, same, similar=similar) for similar in (True, False))
    assert alike.gains[0].probability > all_pairs.gains[0].probability + 0.2
    assert (alike.group, alike.pairs, alike.systems) == ("same", 30, 12)
    assert (all_pairs.group, all_pairs.pairs) == ("all", 66)
    profile.save(tmp_path / "profile.json")
    assert tg.significance(tmp_path / "profile.json", same, similar=True) == alike


def test_a_larger_test_set_is_a_smaller_error(profile: ThresholdResult) -> None:
    """Twice the error on a quarter of the segments: half the errors on all of them say the same."""
    there = tg.significance(profile, 0.4, segments=200)
    halved = replace(profile, pairs=tuple(replace(one, se=one.se * 2.0) for one in profile.pairs))
    same = tg.significance(halved, 0.4)
    assert there.gains[0].probability == pytest.approx(same.gains[0].probability, abs=0.05)
    assert [note.kind for note in there.notes] == ["rescaled"]
    assert not same.notes
    assert "2.00" in there.notes[0].text


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        *(({"gain": gain}, ["gain"]) for gain in (0.0, -1.0, float("nan"), float("inf"), [0.3, 0.0], [], 1.2)),
        *(({"gain": 0.3, "segments": segments}, [4, 800]) for segments in (0, 199, 3_201)),
    ],
)
def test_limits(profile: ThresholdResult, options: dict[str, Any], naming: list[object]) -> None:
    assert 0.595 < max(one.delta for one in profile.pairs) < 0.6
    with refused(naming=naming):
        tg.significance(profile, **options)
    for segments in (200, 3_200):
        tg.significance(profile, 1.19, segments=segments)


def test_what_is_no_profile(profile: ThresholdResult, tmp_path: Path) -> None:
    text = profile.render("json")
    files = {
        "other.json": (tg.significance(profile, 0.3).render("json"), ["'significance'", "'threshold'"]),
        "damaged.json": (text[: len(text) // 2], ["damaged.json"]),
        "changed.json": (text.replace('"alpha": 0.05', '"alpha": 0.04'), ["changed"]),
    }
    for name, (written, naming) in files.items():
        (tmp_path / name).write_text(written, encoding="utf-8")
        with refused(naming=naming):
            tg.significance(tmp_path / name, 0.3)
    for given, named in ((tmp_path / "none.json", ["none.json"]), ({}, ["truegain.threshold", "dict"])):
        with refused(naming=named):
            tg.significance(given, 0.3)


def test_profiles_that_say_too_little() -> None:
    few, some = (tg.threshold(None, systems(n), metrics=["scores"], groups="^(.)", resamples=100) for n in (4, 6))
    plain = tg.threshold(None, systems(6), metrics=["scores"], resamples=100)
    assert "6 systems" in tg.significance(some, 0.3).notes[0].text
    for profile, similar, naming in ((few, False, [6, 10]), (some, True, [6, 10]), (plain, True, [])):
        with refused(naming=naming):
            tg.significance(profile, 0.3, similar=similar)


def test_a_class_of_pairs_can_be_the_similar_ones(profile: ThresholdResult) -> None:
    groups = {(one.baseline, one.system): str(one.group) for one in profile.pairs}
    made = tg.threshold(None, systems(), metrics=["scores"], pair_classes=groups, resamples=1_000, jobs=1)
    for similar in (False, True):
        assert tg.significance(made, 0.3, similar=similar).gains == tg.significance(profile, 0.3, similar=similar).gains
    other = {pair: f"{group}s" for pair, group in groups.items()}
    renamed = tg.threshold(None, systems(), metrics=["scores"], pair_classes=other, resamples=100)
    with refused(naming=["differents, sames"]):
        tg.significance(renamed, 0.3, similar=True)


def test_the_metric() -> None:
    lines = [f"the {['cat', 'dog', 'cow'][i % 3]} sat on {i} mats today" for i in range(60)]
    changed = [line.replace("sat", "sits") for line in lines]
    outputs = {f"s{k}": [(lines, changed)[i * (k + 3) % 7 < 3][i] for i in range(60)] for k in range(6)}
    made = tg.threshold(lines, outputs, metrics=["bleu:tokenize=none", "chrf"], resamples=100)
    for wrong in (None, "ter"):
        with refused(naming=["bleu:tokenize=none, chrf"]):
            tg.significance(made, 0.3, metric=wrong)
    for name in ("bleu", "bleu:tokenize=none"):
        assert tg.significance(made, 0.3, metric=name).metrics[0].key == "bleu:tokenize=none"


def test_shown(profile: ThresholdResult) -> None:
    made = tg.significance(profile, [0.05, 0.35, 1.0])
    assert [one["gain"] for one in made.to_records()] == [0.05, 0.35, 1.0]
    shares = ["< 1 %", f"{100 * made.gains[1].probability:.0f} %", "> 99 %"]
    for finding, gain, share in zip(made.findings, ("0.05", "0.35", "1"), shares, strict=True):
        text = f"A gain of {gain} score on 800 segments is significant with a probability of {share}."
        assert finding.text == text
