"""What a comparison says: which sentence is chosen for which outcome, and what limits it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import truegain as tg
from tests.refusals import kinds
from tests.sentences import unmarked
from truegain.inference.claims import Claim
from truegain.inference.effects import Effect
from truegain.inference.results import Caveat, Comparison
from truegain.report.model import Table
from truegain.studies import compared as said
from truegain.studies.compare import CompareResult
from truegain.studies.compared import answer, to_show_notes

SAMPLE = Path(tg.__file__).resolve().parent / "sample"
BLEU, CHRF, OTHER = ("bleu", "better"), ("chrf", "better"), ("bleu", "similar")
NEW_RUNS = Claim("new runs", "document")
Outcomes = dict[tuple[str, str], Any]


@pytest.fixture(scope="module")
def stored() -> CompareResult:
    """Of three systems, under BLEU and chrF."""
    names = ("baseline", "better", "similar")
    systems = [f"{name}={SAMPLE}/{name}.1.txt" for name in names]
    corpus = tg.read_corpus(systems, [str(SAMPLE / "ref.1.txt")], documents=str(SAMPLE / "docs.txt"))
    return tg.compare(corpus, metrics=["bleu", "chrf"], resamples=99)


def changed(
    result: CompareResult, outcomes: Outcomes, *, systems: int = 2, metrics: int = 2, **others: Any
) -> CompareResult:
    """Return the result of so many systems and metrics, with other outcomes: +1, -1 or 0, or fields."""

    def outcome(one: Comparison) -> Comparison:
        given = outcomes.get((one.metric, one.system), 0)
        fields = dict(given) if isinstance(given, dict) else {"sign": given}
        sign = fields.pop("sign", 0)
        p = 0.01 if sign else 0.5
        plain = {"delta": 1.5 * sign + 0.25 * (not sign), "better": sign > 0 if sign else None}
        plain |= {"significant": bool(sign), "p": p, "p_adjusted": p, "ci": (-2.0, 3.0), "standard_error": 0.2}
        return replace(one, **(plain | fields))

    kept = [metric.key for metric in result.metrics[:metrics]]
    names = ("better", "similar")[:systems]
    rows = [outcome(one) for one in result.comparisons if one.metric in kept and one.system in names]
    return replace(result, comparisons=tuple(rows), metrics=result.metrics[:metrics], **others)


FIGURES = "BLEU: +1.50, 95 % CI −2.00 – +3.00, p = .010."
BETTER = "better is better than baseline in"
SHOWN = f"{BETTER} BLEU (+1.50) and chrF2 (+1.50)."
NEITHER = "not shown to differ from baseline in BLEU or chrF2."
IDENTICAL = {"delta": 0.0, "effect": Effect(0, 300, 0, None)}
RUNS = {"sign": 1, "claim": NEW_RUNS}


ALONE = "better is not shown to differ from baseline in BLEU: +0.25, 95 % CI −2.00 – +3.00, p = .500."
BEST = "similar is better than baseline in BLEU (+1.50)."
SAME = "better is scored identically to baseline on every segment in BLEU."
AGAINST = "better is worse than baseline in"


@pytest.mark.parametrize(
    ("outcomes", "shape", "expected"),
    [
        ({BLEU: 1, CHRF: 1}, (1, 2), [SHOWN]),
        ({BLEU: 1, CHRF: 1}, (2, 2), [SHOWN, "similar is not shown to differ from it in either."]),
        ({BLEU: -1}, (1, 2), [f"{AGAINST} BLEU (−1.50).", "better is not shown to differ from it in chrF2."]),
        ({}, (2, 2), [f"better and similar are {NEITHER}"]),
        ({}, (1, 2), [f"better is {NEITHER}"]),
        ({BLEU: 1, CHRF: -1}, (1, 2), [f"{BETTER} BLEU (+1.50).", f"{AGAINST} chrF2 (−1.50)."]),
        ({BLEU: 1}, (1, 1), [f"{BETTER} {FIGURES}"]),
        ({BLEU: RUNS}, (1, 1), [f"{BETTER} {FIGURES.replace(':', ', for new runs on new documents:')}"]),
        ({}, (1, 1), [ALONE]),
        ({OTHER: 1}, (2, 1), [BEST, "better is not shown to differ from it in BLEU."]),
        ({BLEU: IDENTICAL}, (2, 1), [SAME, "similar is not shown to differ from it in BLEU."]),
    ],
)
def test_the_answer_on_few_systems(
    stored: CompareResult, outcomes: Outcomes, shape: tuple[int, int], expected: list[str]
) -> None:
    found = answer(changed(stored, outcomes, systems=shape[0], metrics=shape[1]), "segment")
    assert [unmarked(one.text) for one in found] == list(map(unmarked, expected))
    assert found[0].tone == ("good" if "+1" in expected[0] else "bad" if "−1" in expected[0] else "undecided")


def test_metrics_without_a_direction_and_shares(stored: CompareResult) -> None:
    bleu = stored.metrics[0]
    undirected = changed(stored, {BLEU: {"sign": 1, "better": None}}, systems=1, metrics=1)
    (found,) = answer(replace(undirected, metrics=(replace(bleu, higher_is_better=None),)), "segment")
    assert (unmarked(found.text), found.tone) == (unmarked(f"better is higher than baseline in {FIGURES}"), "plain")
    scores = tuple(replace(one, score=0.6 + 0.05 * (one.name == "better")) for one in stored.scores)
    for systems, sign, expected in (
        (1, 1, "is better than baseline: 65.0 % against 60.0 % BLEU (+5.0 points)."),
        (1, 0, "is not shown to differ from baseline: 65.0 % against 60.0 % BLEU (+5.0 points)."),
        (2, 0, "is not shown to differ from baseline (+5.0 points)."),
    ):
        shares = changed(stored, {BLEU: {"sign": sign, "delta": 0.05}}, systems=systems, metrics=1, scores=scores)
        first = answer(replace(shares, metrics=(replace(bleu, percent=True),)), "question")[0]
        assert first.text == f"better {expected}"


@pytest.mark.parametrize(
    ("doubted", "shape", "members"),
    [
        ([BLEU, CHRF], (1, 2), "better in BLEU, better in chrF2"),
        ([BLEU], (1, 2), "better in BLEU"),
        ([BLEU], (2, 1), "better"),
    ],
)
def test_what_is_to_be_doubted(
    stored: CompareResult, doubted: list[tuple[str, str]], shape: tuple[int, int], members: str
) -> None:
    ties = Caveat("ties", "most segments are ties")
    outcomes = {key: {"sign": 1, "caveats": (ties,) if key in doubted else ()} for key in (BLEU, CHRF)}
    found = answer(changed(stored, outcomes, systems=shape[0], metrics=shape[1]), "segment")
    assert (found[-1].text, found[-1].tone) == (said.NOT_RELIABLE(reason=ties.text, members=members), "warning")
    assert found[0].tone == "plain"
    # Of what is not shown nothing needs to be doubted.
    unshown = {key: {"caveats": (ties,)} for key in (BLEU, CHRF)}
    assert len(answer(changed(stored, unshown, systems=1), "segment")) == 1


def test_how_many_units_would_show_a_gain(stored: CompareResult) -> None:
    """n ((1.96 + 0.84) SE / Δ)²: 38 documents, an error of 0.2 and a gain of 0.25 or a loss of 0.15."""
    for delta, expected in ((0.25, "190"), (-0.15, "530"), (0.1, ""), (0.9, "")):
        result = changed(stored, {BLEU: {"delta": delta}}, systems=1, metrics=1)
        side, gain = ("gain", "+0.25 BLEU") if delta > 0 else ("loss", "0.15 BLEU")
        slots = {"side": side, "gain": gain, "units": f"{expected} documents", "system": "better"}
        sentences = [said.TO_SHOW(**slots)] if expected else []
        assert [note.text for note in to_show_notes(result, "segment")] == sentences
    of_runs = changed(stored, {BLEU: {"delta": 0.25, "claim": NEW_RUNS}}, systems=1, metrics=1)
    assert to_show_notes(of_runs, "segment") == []
    margin = changed(stored, {BLEU: {"delta": 0.0}}, systems=1, metrics=1, null_gain=-0.25)
    assert [note.text.partition(" ")[2][:6] for note in to_show_notes(margin, "segment")] == ["decide"]


# ---- Many systems

RANDOM = np.random.default_rng(3)
COMMON = RANDOM.normal(size=80)
SYSTEMS = {f"s{i}": COMMON + RANDOM.normal(0.08 * i - 0.16, 0.5, 80) for i in range(8)}


def many(**options: Any) -> CompareResult:
    return tg.compare(None, SYSTEMS, **{"metrics": ["scores"], "baseline": "s2", "resamples": 999, **options})


def test_many_systems_are_counted_and_stand_by_score() -> None:
    result = many(adjust="none")
    shown = [one for one in result if one.significant]
    assert shown
    text = result.findings[0].text
    assert unmarked(text).startswith("Of 7 systems ")
    assert text.count("s2") == 1
    best = max(shown, key=lambda one: one.delta)
    assert f"({best.system} " in text
    (table,) = (item for item in result.document().items if isinstance(item, Table))
    names = [row[0].text for row in table.rows]
    deltas = [0.0 if name == "s2" else result[name].delta for name in names]
    outcomes = [0 if name == "s2" or not result[name].significant else np.sign(result[name].delta) for name in names]
    assert outcomes == sorted(outcomes, reverse=True)
    assert [place for place in range(1, 8) if outcomes[place] != outcomes[place - 1]] == list(table.breaks)
    for side in (1, 0, -1):
        own = [delta for delta, outcome in zip(deltas, outcomes, strict=True) if outcome == side]
        assert own == sorted(own, reverse=True)


def test_none_of_many_and_all_pairs() -> None:
    silent = unmarked(many(alternative="less", baseline="s0").findings[0].text)
    assert silent.startswith("The 7 systems are not shown to be worse than s0 in")
    result = many(baseline=None, family="all")
    count = sum(one.significant for one in result)
    assert result.findings[0].text == said.PAIRS(count=count, pairs=28, metric=result.metrics[0].label)
    straddling = [one for one in result if "straddling" in kinds(one.notes)]
    notes = [note for note in result.notes if note.kind == "straddling"]
    assert len(straddling) > 3
    assert [note.scope for note in notes] == [f"{len(straddling)} of 28 comparisons"]


def test_what_is_significant_alone_is_said_with_intervals_that_are_not_adjusted() -> None:
    result = many(adjust="bonferroni")
    alone = [one.system for one in result if one.p <= 0.05 < one.p_adjusted]
    assert alone
    (note,) = (note for note in result.notes if note.kind == "not-adjusted")
    assert alone[0] in note.text
    assert "not-adjusted" not in kinds(many(adjust="none").notes)


def test_other_tests_are_further_and_those_without_a_chance_are_left_out() -> None:
    runs = {name: [scores + 0.01 * k for k in range(2)] for name, scores in list(SYSTEMS.items())[:2]}
    result = tg.compare(None, runs, metrics=["scores"], resamples=99)
    assert [one.test for one in result] == ["crossed", "ar", "run-permutation"]
    (table,) = (item for item in result.document().items if isinstance(item, Table) and item.kind == "further")
    assert [row[0].text for row in table.rows] == ["crossed", "ar"]
    assert "these runs on new" in result.render("terminal", all_tests=True)
    assert "these runs on new" not in result.render("terminal")


def test_a_test_that_excludes_no_gain_says_so() -> None:
    """Two differences can be swapped in four ways: no p is below .05, whatever gain is tested."""
    result = tg.compare(None, {"base": [1.0, 2.0, 3.0], "new": [2.0, 4.0, 3.0]}, metrics=["scores"], resamples=99)
    assert "+1.000 no gain is excluded p = .500" in unmarked(result.findings[0].text)
    assert "∞" not in result.findings[0].text
