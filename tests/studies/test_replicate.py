"""replicate: how the conclusion depends on which runs were made, and how many are needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.corruption import WORDS, corrupted
from tests.known import known
from tests.refusals import refused
from truegain.inference.power import Plan
from truegain.metrics.segment_scores import SegmentScores
from truegain.studies.runs import NEEDED, NOT_SHOWN, SHOWN, Drawn, ReplicateResult
from truegain.words import share_text

Floats = NDArray[np.float64]
Runs = list[Floats]
N = 100


def pool(
    counts: tuple[int, int], gain: float, run: float = 0.1, common: float = 1.0, seed: int = 0, segments: int = N
) -> dict[str, Runs]:
    """Runs of two systems: effects of segment, segment × system, run (of exactly this mean and SD), segment × run."""
    rng = np.random.default_rng(seed)
    difficulty = 3.0 * rng.normal(size=segments)
    found = {}
    for name, count, mean in zip(("old", "new"), counts, (20.0, 20.0 + gain), strict=True):
        system = rng.normal(size=segments)
        effects = rng.normal(size=count)
        effects = (effects - effects.mean()) / effects.std(ddof=1)
        own = common * (system - system.mean())
        found[name] = [
            mean + difficulty + own + run * effect + noise - noise.mean()
            for effect, noise in zip(effects, rng.normal(size=(count, segments)), strict=True)
        ]
    return found


def study(systems: dict[str, Runs], **options: Any) -> ReplicateResult:
    settings = {"metrics": ["scores"], "repetitions": 20, "resamples": 99, "counts": (1, 2, 3), **options}
    return tg.replicate(None, {**systems}, **settings)


SYSTEMS = pool((6, 5), gain=0.3, run=0.2)


def drawn(result: ReplicateResult, test: str, count: int) -> Drawn:
    return next(one for one in result.drawn if (one.test, one.count) == (test, count))


@pytest.mark.whole
@pytest.mark.parametrize("lower", [False, True])
def test_picked_runs_are_the_best_the_middle_and_the_worst(lower: bool) -> None:
    metric = SegmentScores(lower_is_better=lower)
    result = study(SYSTEMS, metrics=[metric], resamples=499)
    sign = -1.0 if lower else 1.0
    middles = {run.system: int(run.median_run.rpartition(".")[2]) - 1 for run in result.variability}
    ways: dict[str, dict[str, Floats]] = {}
    for name, runs in SYSTEMS.items():
        low, *_, high = sorted(runs, key=lambda run: sign * run.mean())
        ways[name] = {"low": low, "median": runs[middles[name]], "high": high}
    assert [(one.new, one.old) for one in result.picked] == [("high", "low"), ("median", "median"), ("low", "high")]
    for one in result.picked:
        old, new = ways["old"][one.old], ways["new"][one.new]
        (expected,) = tg.compare(None, {"old": old, "new": new}, metrics=[metric], test="ar", resamples=499)
        assert one.delta == pytest.approx(sign * (new.mean() - old.mean()))
        assert (one.p, one.metric) == (expected.p, "scores")


def test_numbers_of_runs_to_draw() -> None:
    """Those above the pool are left out; claims about new runs need two of each."""
    result = study(SYSTEMS, counts=(9, 3, 1, 5, 3, 6, 20), test=["ar", "crossed", "welch"])
    several = [(count, test) for count in (3, 5) for test in ("ar", "crossed", "welch")]
    assert [(one.count, one.test) for one in result.drawn] == [(1, "ar"), *several]
    records = result.to_records()
    assert [(record["runs"], record["test"]) for record in records] == [(1, "ar"), *several]
    result = study(SYSTEMS, counts=(1,), test="crossed")
    assert (result.drawn, [finding.text for finding in result.findings]) == ((), [needed_sentence(result)])


def test_all_runs_are_one_draw() -> None:
    systems = {name: runs[:4] for name, runs in SYSTEMS.items()}
    result = study(systems, counts=(4,), test=["ar", "crossed", "run-permutation"])
    whole = tg.compare(None, {**systems}, metrics=["scores"], resamples=99)
    observed = whole["scores", "new"].delta
    for one in result.drawn:
        expected = whole["scores", "new", one.test]
        assert (one.delta.low, one.delta.median, one.delta.high) == pytest.approx((observed,) * 3)
        assert (one.p.low, one.p.high) == pytest.approx((expected.p, expected.p), rel=1e-6)
        assert one.shown == float(expected.p <= 0.05)
        assert one.other_way == 0.0


@pytest.mark.whole
def test_gains_spread_less_with_more_runs() -> None:
    systems = pool((20, 20), gain=0.3, run=0.5)
    result = study(systems, counts=(1, 4, 10), test="ar", repetitions=120)
    for one in result.drawn:
        # The mean of m of M runs drawn without replacement has the variance s²/m (1 − m/M); the middle 95 % of draws.
        s = np.sqrt(sum(np.var([run.mean() for run in runs], ddof=1) for runs in systems.values()))
        expected = 2 * 1.96 * s / np.sqrt(one.count) * np.sqrt(1 - one.count / 20)
        assert one.delta.low <= one.delta.median <= one.delta.high
        assert one.delta.high - one.delta.low == pytest.approx(expected, rel=0.25)
        assert one.delta.median == pytest.approx(0.3, abs=0.1)


def test_with_replacement_as_clark_et_al() -> None:
    systems = pool((3, 3), gain=0.3, run=0.5)
    options: dict[str, Any] = {"counts": (2, 3, 10), "test": "ar", "repetitions": 40}
    without, repeated = (study(systems, replacement=way, **options) for way in (False, True))
    assert [[one.count for one in result.drawn] for result in (without, repeated)] == [[2, 3], [2, 3, 10]]
    once, again = (drawn(result, "ar", 3).delta for result in (without, repeated))
    assert once.low == pytest.approx(once.high)
    assert again.low < again.high - 0.1
    assert repeated.replacement


def test_one_seed_one_answer_and_progress_adds_up() -> None:
    seen: dict[str, list[int]] = {}

    def progress(stage: str, done: int, total: int) -> None:
        seen.setdefault(stage, [0, total])[0] += done

    one = study(SYSTEMS, seed=1, progress=progress).to_dict()
    assert one == study(SYSTEMS, seed=1, jobs=3).to_dict()
    assert one["drawn"] != study(SYSTEMS, seed=2).to_dict()["drawn"]
    assert all(done == total for done, total in seen.values())
    assert len(seen) >= 2


def test_every_metric_is_studied() -> None:
    shares = {"old": 0.3, "new": 0.2}
    systems = {name: [corrupted(WORDS, share, i) for i in range(3)] for name, share in shares.items()}
    result = tg.replicate(WORDS, systems, metrics=["bleu", "ter"], counts=(1, 2), repetitions=8, resamples=49)
    assert [metric.key for metric in result.metrics] == ["bleu", "ter"]
    for part in (result.picked, result.drawn, result.needed):
        assert {one.metric for one in part} == {"bleu", "ter"}
    assert all(one.delta > 0 for one in result.picked if one.new != "low")
    result = study(SYSTEMS, documents=[f"d{i // 5}" for i in range(N)])
    assert (result.unit, result.n_units) == ("document", 20)


def test_runs_needed_follows_the_plan() -> None:
    systems = pool((20, 20), gain=0.6, run=0.2, common=0.5)
    (one,) = study(systems).needed
    scores = [np.array(runs) for runs in systems.values()]
    rests = [side - side.mean(1, keepdims=True) - side.mean(0) + side.mean() for side in scores]
    inner = [(rest**2).sum() / (19 * (N - 1)) / N for rest in rests]
    over_segments = (scores[1].mean(0) - scores[0].mean(0)).var(ddof=1) / N
    plan = Plan(
        common=over_segments - sum(inner) / 20,
        runs=tuple(side.mean(1).var(ddof=1) - rest for side, rest in zip(scores, inner, strict=True)),
        interactions=tuple(inner),
        units=float(N),
    )
    runs = known(one.runs)
    assert runs > 2
    assert plan.power(0.6, (runs, runs)) >= 0.8 > plan.power(0.6, (runs - 1, runs - 1))
    assert one.limit == pytest.approx(plan.power(0.6, (1000, 1000)))
    (other,) = study(systems, gain=1.0, power=0.9).needed
    assert (one.gain, one.observed, other.gain, other.observed) == pytest.approx((0.6, 0.6, 1.0, 0.6))
    assert plan.power(1.0, (known(other.runs),) * 2) >= 0.9
    (never,) = study(pool((6, 6), gain=0.1)).needed
    assert never.runs is None, "no number of runs may be enough"
    assert never.limit < 0.8


def needed_sentence(result: ReplicateResult) -> str:
    (one,) = result.needed
    template = NOT_SHOWN if one.runs is None else NEEDED
    shares = {"power": share_text(one.power), "limit": share_text(one.limit)}
    return template(gain=f"+{one.gain:.2f}", metric="score", units="items", needed=one, **shares)


@pytest.mark.parametrize(
    ("gain", "run", "contrary", "winner"),
    [(0.9, 0.2, False, "new"), (-0.9, 0.2, False, "old"), (0.15, 0.4, True, "new")],
)
def test_findings(gain: float, run: float, contrary: bool, winner: str) -> None:
    result = study(pool((6, 5), gain=gain, run=run, common=0.1), counts=(1, 2), alpha=0.3, repetitions=60)
    one = drawn(result, "ar", 1)
    assert (one.other_way > 0.0) is contrary, "in favour of whichever is better over all runs"
    assert one.shown > one.other_way
    shares = {"share": share_text(one.shown), "other": share_text(one.other_way)}
    names = {"system": winner, "baseline": "old" if winner == "new" else "new", "metric": "score"}
    expected = SHOWN(runs="1 run", row=one, **shares, **names)
    assert [finding.text for finding in result.findings] == [expected, needed_sentence(result)]


def test_development_set() -> None:
    development = pool((6, 5), gain=0.1, seed=5, segments=30)
    result = study(SYSTEMS, development=(None, {**development}))
    assert all(one.s_dev is not None for one in result.variability)
    with refused():
        study(SYSTEMS, development=(None, {"old": development["old"], "new": development["new"][:4]}))


@pytest.mark.parametrize(
    ("systems", "options", "naming"),
    [
        (SYSTEMS, {"test": "nonsense"}, ["test"]),
        (SYSTEMS, {"repetitions": 0}, [1]),
        (SYSTEMS, {"power": 1.0}, ["power"]),
        (SYSTEMS, {"unit": "block"}, ["unit", "'block'"]),
        (SYSTEMS, {"counts": (0, 2)}, [5, "0, 2"]),
        (SYSTEMS, {"counts": (8, 9)}, [5, "8, 9"]),
        ({"old": SYSTEMS["old"]}, {}, [1]),
        ({**SYSTEMS, "more": SYSTEMS["old"]}, {}, [3]),
        ({"old": SYSTEMS["old"][:1], "new": SYSTEMS["new"]}, {}, ["'old'"]),
    ],
)
def test_refuses(systems: dict[str, Runs], options: dict[str, Any], naming: list[object]) -> None:
    with refused(*(() if options else ("systems",)), naming=naming):
        study(systems, **options)
