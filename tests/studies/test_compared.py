"""What a comparison says: which sentence is chosen for which outcome, and what limits it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import truegain as tg
from tests.refusals import kinds
from tests.sentences import unmarked
from truegain.inference.claims import Claim
from truegain.inference.results import Caveat, Comparison
from truegain.readers.columns import corpus_from_table
from truegain.report.model import Table
from truegain.studies import compared as said
from truegain.studies.compare import CompareResult
from truegain.studies.compared import answer, to_show_notes
from truegain.words import Sentence

SAMPLE = Path(tg.__file__).resolve().parent / "sample"
BLEU, CHRF, OTHER = ("bleu", "better"), ("chrf", "better"), ("bleu", "similar")
NEW_RUNS = Claim("new runs", "document")
Outcomes = dict[tuple[str, str], Any]
Said = list[tuple[Sentence, dict[str, Any]]]


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


def sentences(expected: Said) -> list[str]:
    return [sentence(**slots) for sentence, slots in expected]


def beyond(system: str, phrase: str, metrics: str, **more: Any) -> dict[str, Any]:
    return {"system": system, "beyond": phrase, "metrics": metrics, **more}


FIGURES = {"metric": "BLEU", "gain": "+1.50", "interval": "95 % CI −2.00 – +3.00", "p": "p = .010"}
BETTER, WORSE = "better than baseline", "worse than baseline"
BOTH = "BLEU (+1.50) and chrF2 (+1.50)"
FIRST = {"sought": "differ from baseline", "metrics": "BLEU or chrF2"}


@pytest.mark.parametrize(
    ("outcomes", "shape", "expected"),
    [
        ({BLEU: 1, CHRF: 1}, (1, 2), [(said.SHOWN, beyond("better", BETTER, BOTH))]),
        (
            {BLEU: 1, CHRF: 1},
            (2, 2),
            [
                (said.SHOWN, beyond("better", BETTER, BOTH)),
                (said.NOT_SHOWN, {"who": "similar is", "sought": "differ from it", "metrics": "either"}),
            ],
        ),
        (
            {BLEU: -1},
            (1, 2),
            [
                (said.SHOWN, beyond("better", WORSE, "BLEU (−1.50)")),
                (said.NOT_SHOWN, {"who": "better is", "sought": "differ from baseline", "metrics": "chrF2"}),
            ],
        ),
        ({}, (2, 2), [(said.NOT_SHOWN, {"who": "better and similar are", **FIRST})]),
        ({}, (1, 2), [(said.NOT_SHOWN, {"who": "better is", **FIRST})]),
        (
            {BLEU: 1, CHRF: -1},
            (1, 2),
            [
                (
                    said.DISAGREE,
                    beyond("better", BETTER, "BLEU (+1.50)", against=WORSE, others="chrF2 (−1.50)"),
                )
            ],
        ),
        ({BLEU: 1}, (1, 1), [(said.SHOWN_ALONE, FIGURES | {"system": "better", "beyond": BETTER})]),
        (
            {BLEU: {"sign": 1, "claim": NEW_RUNS}},
            (1, 1),
            [
                (
                    said.SHOWN_ALONE_FOR,
                    FIGURES | {"system": "better", "beyond": BETTER, "claim": "new runs on new documents"},
                )
            ],
        ),
        (
            {},
            (1, 1),
            [
                (
                    said.NOT_SHOWN_ALONE,
                    FIGURES | {"who": "better is", "sought": "differ from baseline", "gain": "+0.25", "p": "p = .500"},
                )
            ],
        ),
        (
            {OTHER: 1},
            (2, 1),
            [
                (said.SHOWN, beyond("similar", BETTER, "BLEU (+1.50)")),
                (said.NOT_SHOWN_AGAIN, {"who": "better is", "sought": "differ from it"}),
            ],
        ),
        (
            {BLEU: {"delta": 0.0, "ci": (0.0, 0.0)}},
            (1, 1),
            [(said.SAME, {"system": "better", "baseline": "baseline", "metrics": "BLEU", "unit": "document"})],
        ),
    ],
)
def test_the_answer_on_few_systems(
    stored: CompareResult, outcomes: Outcomes, shape: tuple[int, int], expected: Said
) -> None:
    found = answer(changed(stored, outcomes, systems=shape[0], metrics=shape[1]), "segment")
    assert [one.text for one in found] == sentences(expected)
    good, bad = (any(sign in found[0].text for sign in signs) for signs in (("(+1", ": +1"), ("(−1", ": −1")))
    shown = {(True, False): "good", (False, True): "bad", (True, True): "plain", (False, False): "undecided"}
    assert found[0].tone == shown[good, bad]


@pytest.mark.parametrize(
    ("gain", "side", "sign", "sentence", "slots"),
    [
        (0.5, "greater", 1, said.SHOWN, {"system": "better", "beyond": f"{BETTER} by more than 0.5"}),
        (-0.5, "greater", 1, said.SHOWN, {"system": "better", "beyond": f"not {WORSE} by more than 0.5"}),
        (0.5, "greater", 0, said.NOT_SHOWN, {"who": "better is", "sought": f"be {BETTER} by more than 0.5"}),
        (-0.5, "greater", 0, said.MAY_BE, {"systems": "better", "beyond": f"{WORSE} by more than 0.5"}),
        (0.5, "less", 0, said.MAY_BE, {"systems": "better", "beyond": f"{BETTER} by more than 0.5"}),
        (
            0.5,
            "two-sided",
            0,
            said.NOT_SHOWN,
            {"who": "better is", "sought": "have a gain over baseline other than +0.5"},
        ),
        (0.0, "greater", 0, said.NOT_SHOWN, {"who": "better is", "sought": f"be {BETTER}"}),
        (0.0, "less", 0, said.NOT_SHOWN, {"who": "better is", "sought": f"be {WORSE}"}),
    ],
)
def test_what_was_sought(
    stored: CompareResult, gain: float, side: str, sign: int, sentence: Sentence, slots: dict[str, Any]
) -> None:
    outcomes = {key: {"sign": sign, "alternative": side} for key in (BLEU, CHRF)}
    (found,) = answer(changed(stored, outcomes, systems=1, null_gain=gain), "segment")
    metrics = "BLEU (+1.50) and chrF2 (+1.50)" if sign else "BLEU or chrF2"
    assert found.text == sentence(metrics=metrics, **slots)
    assert found.tone == ("good" if sign else "undecided")


def test_metrics_without_a_direction_and_shares(stored: CompareResult) -> None:
    bleu, chrf = stored.metrics
    undirected = changed(stored, {BLEU: {"sign": 1, "better": None}}, systems=1, metrics=1)
    (found,) = answer(replace(undirected, metrics=(replace(bleu, higher_is_better=None),)), "segment")
    assert (found.text, found.tone) == (
        said.SHOWN_ALONE(system="better", beyond="higher than baseline", **FIGURES),
        "plain",
    )
    scores = tuple(replace(one, score=0.6 + 0.05 * (one.name == "better")) for one in stored.scores)
    for systems, sign, sentence in (
        (1, 1, said.SHOWN_SHARES),
        (1, 0, said.NOT_SHOWN_SHARES),
        (2, 0, said.NOT_SHOWN_POINTS),
    ):
        outcomes = {("bleu", "better"): {"sign": sign, "delta": 0.05}}
        shares = changed(stored, outcomes, systems=systems, metrics=1, scores=scores)
        shares = replace(shares, metrics=(replace(bleu, percent=True),))
        first = answer(shares, "question")[0]
        slots = {"who": "better is", "system": "better", "beyond": BETTER, "sought": "differ from baseline"}
        figures = {"score": "65.0", "other": "60.0", "metric": "BLEU", "gain": "+5.0 points"}
        assert first.text == sentence(**slots, **figures)
    assert chrf.label == "chrF2"


@pytest.mark.parametrize(
    ("doubted", "shape", "sentence", "members"),
    [
        ([BLEU, CHRF], (1, 2), said.NOT_RELIABLE, ""),
        ([BLEU], (1, 2), said.NOT_RELIABLE_FOR, "better in BLEU"),
        ([BLEU], (2, 1), said.NOT_RELIABLE_FOR, "better"),
    ],
)
def test_what_is_to_be_doubted(
    stored: CompareResult, doubted: list[tuple[str, str]], shape: tuple[int, int], sentence: Sentence, members: str
) -> None:
    ties = Caveat("ties", "most segments are ties")
    outcomes = {key: {"sign": 1, "caveats": (ties,) if key in doubted else ()} for key in (BLEU, CHRF)}
    found = answer(changed(stored, outcomes, systems=shape[0], metrics=shape[1]), "segment")
    assert (found[-1].text, found[-1].tone) == (sentence(reason=ties.text, members=members), "warning")
    assert found[0].tone == "plain"
    # Of what is not shown nothing needs to be doubted.
    unshown = {key: {"caveats": (ties,)} for key in (BLEU, CHRF)}
    assert len(answer(changed(stored, unshown, systems=1), "segment")) == 1


def test_how_many_units_would_show_a_gain(stored: CompareResult) -> None:
    """n ((1.96 + 0.84) SE / Δ)²: 38 documents, an error of 0.2 and a gain of 0.25 or a loss of 0.15."""
    for delta, expected in ((0.25, 190), (-0.15, 530), (0.1, None), (0.9, None)):
        result = changed(stored, {BLEU: {"delta": delta}}, systems=1, metrics=1)
        found = [note.text for note in to_show_notes(result, "segment")]
        sentence = said.TO_SHOW_GAIN if delta > 0 else said.TO_SHOW_LOSS
        gain = "+0.25 BLEU" if delta > 0 else "0.15 BLEU"
        units = f"{expected:,} documents" if expected else ""
        assert found == ([sentence(gain=gain, units=units, system="better")] if expected else [])
    of_runs = changed(stored, {BLEU: {"delta": 0.25, "claim": NEW_RUNS}}, systems=1, metrics=1)
    assert to_show_notes(of_runs, "segment") == []
    margin = changed(stored, {BLEU: {"delta": 0.0}}, systems=1, metrics=1, null_gain=-0.25)
    assert [note.text.partition(" ")[2][:6] for note in to_show_notes(margin, "segment")] == ["decide"]


def test_the_answer_is_stored_and_the_same_everywhere(stored: CompareResult) -> None:
    texts = [one.text for one in stored.findings]
    data = json.loads(stored.render("json"))
    assert [one["text"] for one in data["findings"]] == texts
    assert not {"headline", "verdicts"} & set(data)
    assert " ".join(stored.render("terminal").split()).startswith(" ".join(texts))
    assert all(text in stored.render("md") for text in texts)
    assert f"\n% {texts[0]}\n" in stored.render("latex", layout="paper")
    assert stored.render("html").count("changed-segments") == 0 == len(stored.changed_segments)


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
    assert many(alternative="less", baseline="s0").findings[0].text.startswith("None of 7 systems is shown to be worse")
    result = many(baseline=None, family="all")
    count = sum(one.significant for one in result)
    assert result.findings[0].text == said.PAIRS(count=count, pairs=28, metric=result.metrics[0].label)
    straddling = [one for one in result if "straddling" in kinds(one.notes)]
    notes = [note for note in result.notes if note.kind == "straddling"]
    assert len(straddling) > 3
    assert [f"{len(straddling)} of 28 comparisons" in note.scope for note in notes] == [True]


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


def test_how_files_were_read_is_shown_with_the_methods_alone(tmp_path: Path) -> None:
    rows = [f"{system},q{i},{(i * place) % 3}" for place, system in enumerate(("a", "b"), 1) for i in range(20)]
    table = tmp_path / "results.csv"
    table.write_text("\n".join(["system,id,score", *rows]))
    result = tg.compare(corpus_from_table(str(table), scores=True), metrics=["scores"], resamples=99)
    assert {"systems", "system-order", "paired-by-id"} <= {note.kind for note in result.notes if note.of_inputs}
    assert "Systems come from" not in result.render()
    assert "Systems come from" in result.render(methods=True)
    assert "Systems come from" in result.render("md")
