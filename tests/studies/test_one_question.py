"""Two ways to ask one question give one answer: gates and comparisons, rankings and all pairs, parts and whole sets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from truegain.errors import InputError
from truegain.inference.results import Comparison
from truegain.readers.memory import corpus_from_memory
from truegain.registry import TESTS
from truegain.studies import tested
from truegain.studies.compare import CompareResult
from truegain.studies.compared import GainInGroup
from truegain.studies.parts import Replicability
from truegain.studies.rank import RankResult

SEGMENTS = 60
SETTINGS = [*itertools.product((1, 3), (False, True), (1, 2, 3))]
over_settings = pytest.mark.parametrize(("runs", "documents", "seed"), SETTINGS)


def made(systems: str, runs: int, documents: bool, seed: int) -> tuple[list[str], dict[str, Any], list[str] | None]:
    """References, systems of about the same quality, and documents of five segments if they are known."""
    specs = [SystemSpec(name=name, quality=0.55 + 0.03 * i, runs=runs) for i, name in enumerate(systems)]
    data = simulate(segments=SEGMENTS, references=1, systems=specs, seed=seed)
    outputs = {
        name: [list(run) for run in texts] if runs > 1 else list(texts[0]) for name, texts in data.systems.items()
    }
    ids = [f"document {i // 5}" for i in range(SEGMENTS)] if documents else None
    return list(data.references[0]), outputs, ids


def answers(comparisons: tuple[Comparison, ...]) -> Iterator[tuple[Any, ...]]:
    for one in comparisons:
        yield one.metric, one.baseline, one.system, one.test, one.delta, one.p_value.p, one.p_adjusted, one.interval


@pytest.mark.parametrize(
    ("require", "margin"), [("better", 0.0), ("better", 0.3), ("not-worse", 0.5), ("no-loss-shown", None)]
)
@over_settings
def test_a_gate_is_a_one_sided_comparison_with_a_margin(
    runs: int, documents: bool, seed: int, require: Any, margin: float | None
) -> None:
    references, systems, ids = made("ab", runs, documents, seed)
    loss = require == "no-loss-shown"
    gain = -(margin or 0.0) if require == "not-worse" else margin or 0.0
    for test in ("bootstrap", "skew-t") if runs == 1 else ("bootstrap", "crossed"):
        asked: dict[str, Any] = {"metrics": ["bleu", "chrf"], "documents": ids, "seed": seed, "test": test}
        found = tg.gate(references, systems, require=require, margin=margin, resamples=199, **asked)
        # Crossed comparisons with a gain of zero swap units; a gate draws them, so that its bound says what p says.
        null_gain = 1e-9 if test == "crossed" and gain == 0.0 else gain
        # Each metric can fail a gate that looks for losses: it is tested at its share of alpha.
        compared = tg.compare(
            references,
            systems,
            alternative="less" if loss else "greater",
            null_gain=null_gain,
            alpha=0.05 / 2 if loss else 0.05,
            adjust="none",
            resamples=199,
            **asked,
        )
        for check, comparison in zip(found.checks, compared.comparisons, strict=True):
            assert check.p_value.p == pytest.approx(comparison.p_value.p, abs=1e-8)
            ours, theirs = (check.upper, comparison.interval.high) if loss else (check.lower, comparison.interval.low)
            assert ours == pytest.approx(theirs, abs=1e-12)


#: The tests that need people, scores with two values, or several runs: the others take any two outputs.
SPECIAL = ("raters", "tango", "mcnemar", "crossed", "run-permutation", "welch", "fu-bootstrap", "fu-ar")


@pytest.mark.parametrize("adjust", ["holm", "maxt"])
@pytest.mark.parametrize("test", [name for name in TESTS if name not in SPECIAL])
@pytest.mark.parametrize("documents", [False, True])
def test_a_ranking_tests_all_pairs_as_a_comparison_of_all_does(test: str, adjust: str, documents: bool) -> None:
    references, systems, ids = made("abc", 1, documents, seed=1)
    asked: dict[str, Any] = {"metrics": ["bleu", "chrf"], "documents": ids, "test": test, "adjust": adjust}
    both = (
        (lambda: tg.rank(references, systems, resamples=199, **asked)),
        (lambda: tg.compare(references, systems, resamples=199, family="all", **asked)),
    )
    check_same_pairs(*both)


@pytest.mark.parametrize("unit", ["segment", "document", "block"])
@pytest.mark.parametrize("adjust", ["maxt", "holm", "bh", "none"])
def test_a_ranking_over_units(unit: str, adjust: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "_GROUP", 2)  # several groups of pairs
    references, systems, ids = made("abc", 1, True, seed=2)
    asked: dict[str, Any] = {"documents": ids, "unit": unit, "adjust": adjust, "resamples": 199}
    test = "stationary-bootstrap" if unit == "block" else "bootstrap"
    check_same_pairs(
        lambda: tg.rank(references, systems, **asked),
        lambda: tg.compare(references, systems, family="all", test=test, **asked),
    )


@pytest.mark.parametrize("test", ["auto", *SPECIAL[3:]])
@pytest.mark.parametrize(("runs", "documents", "seed"), SETTINGS[::2])
def test_a_ranking_of_several_runs(runs: int, documents: bool, seed: int, test: str) -> None:
    references, systems, ids = made("abc", runs, documents, seed)
    asked: dict[str, Any] = {"metrics": ["bleu", "chrf"], "documents": ids, "seed": seed, "resamples": 199}
    ours = test if test != "auto" else "bootstrap" if runs == 1 else "crossed"
    asked |= {"adjust": "maxt" if ours == "bootstrap" else "holm"}
    check_same_pairs(
        lambda: tg.rank(references, systems, test=test, **asked),
        lambda: tg.compare(references, systems, family="all", test=ours, **asked),
    )


def refusal_of(study: Callable[[], Any]) -> str:
    """Return what a study is refused with; nothing if it is not."""
    try:
        study()
    except InputError as error:
        return error.message
    return ""


def check_same_pairs(rank: Callable[[], RankResult], compare: Callable[[], CompareResult]) -> None:
    """Hold the pairs of both together, or the words of both refusals."""
    refused = (refusal_of(rank), refusal_of(compare))
    if any(refused):
        assert refused[0] == refused[1]
        return
    ranked, compared = rank(), compare()
    assert ranked.scores == compared.scores
    for pair, other in zip(ranked.pairs, compared.comparisons, strict=True):
        assert (pair.metric, pair.baseline, pair.system) == (other.metric, other.baseline, other.system)
        assert (pair.delta, pair.p, pair.better) == (other.delta, other.p, other.better)
        assert (pair.p_adjusted, pair.exceedances) == (other.p_adjusted, other.p_value.exceedances)


@over_settings
def test_domains_of_one_test_set_are_test_sets(runs: int, documents: bool, seed: int) -> None:
    """Each by itself, and all of their segments as one corpus."""
    references, systems, ids = made("abc", runs, documents, seed)
    domains = [("law", "news", "talks")[i // 20] for i in range(SEGMENTS)]
    asked: dict[str, Any] = {"metrics": ["bleu", "chrf"], "seed": seed, "resamples": 199}
    grouped: dict[str, Any] = {"documents": ids, "domains": domains, "by": "domain"}
    by_domain = tg.compare(references, systems, strata="domain", adjust="none", **grouped, **asked)
    sets = {}
    for i, name in enumerate(("law", "news", "talks")):
        part = slice(20 * i, 20 * i + 20)
        of_set = {name: [run[part] for run in texts] if runs > 1 else texts[part] for name, texts in systems.items()}
        own = None if ids is None else ids[part]
        sets[name] = corpus_from_memory(references[part], of_set, documents=own)
    pooled = tg.pool(sets, adjust="none", **asked)
    assert pooled.micro is not None
    assert [*answers(pooled.micro.comparisons)] == [*answers(by_domain.comparisons)]
    for result in pooled.sets:
        for one in itertools.chain(*(result.primary_tests(metric) for metric in ("bleu", "chrf"))):
            same = in_group(by_domain, result.testset.name, one)
            scores = [result.score(one.metric, name).score for name in (one.baseline, one.system)]
            assert (same.delta, [same.baseline_score, same.system_score]) == (one.delta, scores)
            if same.comparison is not None:
                assert [*answers((replace(same.comparison, p_adjusted=one.p_adjusted),))] == [*answers((one,))]

    one_sided = tg.compare(
        references, systems, documents=ids, domains=domains, by="domain", alternative="greater", **asked
    )
    for claim in pooled.replicability:
        for evidence in claim.sets:
            comparison = in_group(one_sided, evidence.testset, claim).comparison
            assert comparison is None or (comparison.test, comparison.p) == (evidence.test, evidence.p)


def in_group(result: CompareResult, group: str, pair: Comparison | Replicability) -> GainInGroup:
    """Return the gain of a pair in a group."""
    assert result.groups is not None
    gains = result.groups.of(pair.metric, pair.baseline, pair.system)
    return next(gain for gain in gains if gain.group == group)
