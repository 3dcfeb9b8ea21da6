"""Meaning of gains to people: profiles of agree, read by compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.known import known
from tests.refusals import kinds, refused
from tests.studies.test_agree import texts
from truegain.inference.rank_shares import RankedPairs, RankShares
from truegain.studies.agree import AgreeResult
from truegain.studies.compare import CompareResult
from truegain.studies.human import RankedGain

Command = Callable[..., tuple[int, str, str]]
PEOPLE, OUTPUTS, REFERENCE = texts(8, 30, 0.6, 0.04, 0.3, seed=4)
FEW: dict[str, Any] = {"measures": ["accuracy"], "resamples": 20}


def profile(compute: tuple[str, ...] = ("bleu", "ter"), systems: int = 8, references: Any = REFERENCE) -> AgreeResult:
    people, outputs = ({name: own[name] for name in list(PEOPLE)[:systems]} for own in (PEOPLE, OUTPUTS))
    return tg.agree(people, outputs=outputs, references=references, compute=compute, **FEW)


def flat() -> AgreeResult:
    """Return a profile of systems that all say the same."""
    return tg.agree(PEOPLE, outputs=dict.fromkeys(PEOPLE, OUTPUTS["s0"]), references=REFERENCE, **FEW)


def compared(given: Any, names: tuple[str, ...] = ("s3", "s5"), **options: Any) -> CompareResult:
    options = {"metrics": ["bleu", "ter"], "resamples": 20, **options}
    return tg.compare(REFERENCE, {name: OUTPUTS[name] for name in names}, human_agreement=given, **options)


def found(result: CompareResult) -> list[RankedGain]:
    return list(known(result.human_agreement).gains)


def test_a_profile_says_how_often_people_rank_such_systems_the_same_way(tmp_path: Path) -> None:
    result = compared(profile())
    bleu, ter = found(result)
    assert (bleu.metric, bleu.baseline, bleu.system) == ("bleu", "s3", "s5")
    for one in (bleu, ter):
        assert 0.5 < known(one.share) < 1.0
        assert known(one.low) <= known(one.share) <= known(one.high)
    assert known(result.human_agreement).fingerprint in result.signature
    share = f"{100 * (bleu.share or 0):.0f} %"
    for name in ("terminal", "md"):
        assert f"people ranked {share} of system pairs" in " ".join(result.render(name).split())
    assert result.to_records()[0]["human_share"] == bleu.share
    profile().save(tmp_path / "people.json")
    again = compared(str(tmp_path / "people.json"))
    assert found(again) == found(result)


def test_pairs_of_several_test_sets_count_within_each() -> None:
    random = np.random.default_rng(9)
    scores = [{f"s{one}": (random.normal(0, 1, 30) + one / 4).tolist() for one in range(count)} for count in (8, 7)]
    people = [{name: (np.array(own) + random.normal(0, 1, 30)).tolist() for name, own in one.items()} for one in scores]
    both = tg.agree(people, [{"scores": one} for one in scores], measures=["accuracy"], resamples=20)
    systems = {name: np.array(scores[0][name]) for name in ("s1", "s4")}
    result = tg.compare(None, systems, metrics=["scores"], resamples=20, human_agreement=both)
    told = known(result.human_agreement)
    assert (told.systems, told.test_sets) == (15, ("1", "2"))
    pairs = [RankedPairs(np.array(own.scores[0]), np.array(own.human)) for own in both.test_sets]
    assert [own.gains.size for own in pairs] == [28, 21]
    ((share, low, high),) = RankShares(pairs).at([abs(result["scores", "s4"].delta)], 0.95)
    (one,) = found(result)
    assert (one.share, one.low, one.high) == pytest.approx((share, low, high), abs=1e-8)


def test_a_gain_above_all_of_the_profile_is_not_extrapolated() -> None:
    result = compared(profile(systems=6), ("s0", "s7"), metrics=["bleu"])
    (one,) = found(result)
    assert (one.share, one.low, one.high, one.largest < result["bleu", "s7"].delta) == (None, None, None, True)
    many = compared(profile(systems=6), tuple(OUTPUTS), metrics=["bleu"])
    for shown in (result, many):
        assert "above all gains of the profile" in " ".join(shown.render("terminal").split())


def test_metrics_that_the_profile_lacks_and_scores_that_were_read_are_said() -> None:
    result = compared(profile(("bleu",)), metrics=["bleu", "chrf"])
    (note,) = [note for note in result.notes if note.kind == "human-agreement"]
    assert "chrf" in note.text
    assert [one.metric for one in found(result)] == ["bleu"]
    scores = {f"s{one}": [float((one + 1) * place % 7 + one) for place in range(30)] for one in range(8)}
    people = tg.agree(PEOPLE, {"scores": scores}, measures=["accuracy"], resamples=20)
    systems = {name: np.array(scores[name]) for name in ("s0", "s4")}
    result = tg.compare(None, systems, metrics=["scores"], resamples=20, human_agreement=people)
    assert "human-agreement" in kinds(result.notes)


@pytest.mark.parametrize(
    ("given", "options", "naming"),
    [
        (lambda: profile(("chrf",)), {}, ["chrf", "bleu"]),
        (lambda: profile(("bleu",)), {"metrics": ["bleu:lowercase=true"]}, ["bleu:lowercase=true"]),
        (lambda: profile(systems=5), {}, [5, 6]),
        (lambda: compared(None), {}, ["truegain.agree", "CompareResult"]),
        (lambda: "none.json", {}, ["none.json"]),
        (lambda: flat(), {"metrics": ["bleu"]}, ["BLEU"]),
        (lambda: profile(references=[REFERENCE, OUTPUTS["s7"]]), {"metrics": ["bleu"]}, ["nrefs:2|", "nrefs:1|"]),
    ],
)
def test_what_is_no_profile_for_it_is_refused(
    given: Callable[[], Any], options: dict[str, Any], naming: list[object]
) -> None:
    with refused(naming=naming):
        compared(given(), **options)
