"""The headline: one answer on each pair of systems over all metrics, the same wherever it is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import truegain as tg
from tests.refusals import kinds
from truegain.inference.results import Caveat, Comparison
from truegain.report.model import Paragraph, Table
from truegain.settings import Family
from truegain.studies.compare.headline import headline
from truegain.studies.compare.result import CompareResult

SAMPLE = Path(tg.__file__).resolve().parent / "sample"


@pytest.fixture(scope="module")
def stored() -> CompareResult:
    """Of three systems, under BLEU and chrF."""
    return compared("*", metrics=["bleu", "chrf"])


def compared(runs: str, **options: Any) -> CompareResult:
    """Compare systems of the sample."""
    names = ("baseline", "better", "similar") if runs == "*" else ("baseline", "better")
    systems = [f"{name}={SAMPLE}/{name}.{runs}.txt" for name in names]
    references = [str(SAMPLE / f"ref.{number}.txt") for number in (1, 2)]
    documents = str(SAMPLE / "docs.txt") if runs == "*" else None
    corpus = tg.read_corpus(systems, references, documents=documents)
    return tg.compare(corpus, resamples=1000, **options)


def changed(result: CompareResult, answers: dict[tuple[str, str], Any], **others: Any) -> CompareResult:
    """Return the result with other outcomes: +1, -1 or 0 by metric and system."""

    def outcome(one: Comparison) -> Comparison:
        given = answers.get((one.metric, one.system), 0)
        more = dict(given) if isinstance(given, dict) else {"sign": given}
        sign = more.pop("sign", 0)
        p = 0.01 if sign else 0.5
        changes: dict[str, Any] = {"delta": 1.5 * sign, "better": sign > 0 if sign else None, "significant": bool(sign)}
        return replace(one, **(changes | {"p": p, "p_adjusted": p} | more))

    first = [one for metric in result.metrics for one in result.primary_tests(metric.key)]
    return replace(result, comparisons=tuple(outcome(one) for one in first), **others)


BLEU, CHRF = ("bleu", "better"), ("chrf", "better")


@pytest.mark.parametrize(
    ("answers", "answer", "words"),
    [
        ({BLEU: 1, CHRF: 1}, "better", "better is better than baseline by BLEU (+1.50) and chrF2 (+1.50)"),
        ({BLEU: -1, CHRF: -1}, "worse", "better is worse than baseline by BLEU (−1.50) and chrF2 (−1.50)"),
        ({BLEU: 1}, "better", "better is better than baseline by BLEU (+1.50)"),
        ({}, "not shown", "by BLEU or chrF2"),
        ({BLEU: 1, CHRF: -1}, "metrics disagree", "better is worse than baseline by chrF2 (−1.50)"),
    ],
)
def test_the_answer_over_all_metrics(
    stored: CompareResult, answers: dict[tuple[str, str], Any], answer: str, words: str
) -> None:
    one, other = changed(stored, answers).headline
    assert (one.baseline, one.system, one.answer, one.reliable) == ("baseline", "better", answer, True)
    assert words in one.text
    assert other.answer == "not shown"


def test_the_strongest_doubt_stands_beside_the_answer(stored: CompareResult) -> None:
    size, ties = Caveat("size", "this test rejects 9 % of true nulls"), Caveat("ties", "most segments are ties")
    result = changed(stored, {BLEU: {"sign": 1, "caveats": (size, ties)}, CHRF: 1})
    one = result.headline[0]
    assert not one.reliable
    assert "by BLEU: most segments are ties" in one.text
    assert isinstance(shown := headline(result)[0], Paragraph)
    assert shown.tone == "undecided"
    # A decision that the adjustment changes is said with both p.
    close = {"p": 0.028, "p_adjusted": 0.056, "adjust": "holm"}
    said = changed(stored, {BLEU: close}).headline[0].text
    assert "(p = 0.028)" in said
    assert "(p = 0.056)" in said


@pytest.mark.parametrize(
    ("gain", "alternative", "sign", "words"),
    [
        (0.5, "greater", 1, "better is better than baseline by more than 0.5"),
        (0.5, "greater", 0, "do not show that better is better than baseline by more than 0.5"),
        (-0.5, "greater", 0, "do not rule out that better is worse than baseline by more than 0.5"),
        (0.5, "two-sided", 0, "other than +0.5"),
        (0.0, "greater", 0, "not shown to be better than baseline"),
    ],
)
def test_another_gain_than_zero(stored: CompareResult, gain: float, alternative: str, sign: int, words: str) -> None:
    answers = {key: {"sign": s, "alternative": alternative} for key, s in ((BLEU, sign), (CHRF, 0))}
    one = changed(stored, answers, null_gain=gain).headline[0]
    assert words in one.text
    assert one.answer == ("above" if sign else "not shown")


def test_the_same_answer_is_first_everywhere_and_the_verdict_on_one_metric(stored: CompareResult) -> None:
    single = compared("1")
    assert [one.text for one in single.headline] == single.verdicts()
    parts = [getattr(item, "kind", "") for item in single.document().items]
    assert parts.count("headline") == len(single.headline)
    assert "verdict" not in parts
    answer = stored.headline[0].text
    assert json.loads(stored.render("json"))["headline"][0]["text"] == answer
    assert " ".join(stored.render("terminal").split("\n\n")[1].split()).startswith(answer)
    assert stored.render("md").split("\n\n")[1].startswith(answer)
    assert f"\n% {answer}\n" in stored.render("latex", layout="paper")


def many(count: int, **options: Any) -> CompareResult:
    words = [f"a b c d e f{i} g h" for i in range(60)]
    systems = {f"s{k}": [one if i % (k + 2) else one[:-4] for i, one in enumerate(words)] for k in range(count)}
    return tg.compare(words, systems, metrics=["bleu", "ter"], resamples=200, **options)


def table_of(result: CompareResult) -> Table:
    table = result.document().items[1]
    assert isinstance(table, Table)
    assert table.kind == "headline"
    return table


def test_many_systems_have_a_table_of_signs() -> None:
    result = many(6)
    table = table_of(result)
    assert [column.heading for column in table.columns] == ["against s0", "Δ BLEU", "Δ TER", "answer"]
    assert [row[0].text for row in table.rows] == [f"s{k}" for k in range(1, 6)]
    for row, one in zip(table.rows, result.headline, strict=True):
        assert row[-1].text.removesuffix(" ?") == one.answer
        assert row[-1].text.endswith(" ?") != one.reliable
        signs = [{"better": "▲", "worse": "▼", "not shown": "·"}[own.answer] for own in one.metrics]
        assert [cell.text[0] for cell in row[1:3]] == signs
    assert result.report().sections[0].items == (table,)
    assert all(one.kind == "table" for one in result.report().sections[1].items if isinstance(one, Table))
    tex = result.render("latex", layout="paper")
    assert tex.count(r"\begin{tabular") == 1
    assert "▲" not in tex
    # Of all pairs the table counts wins and losses.
    result = many(5, family="all")
    table = table_of(result)
    ups = sum(int(row[1].text.split()[1]) for row in table.rows)
    downs = sum(int(row[1].text.split()[3]) for row in table.rows)
    shown = sum(one.significant for one in result.primary_tests("bleu"))
    assert ups == downs == shown > 0


# ---- Of very many comparisons, what is alike is said once

RANDOM = np.random.default_rng(3)
COMMON = RANDOM.normal(size=80)
SYSTEMS = {f"s{i}": COMMON + RANDOM.normal(0.08 * i, 0.5, 80) for i in range(8)}


def paragraphs(result: CompareResult, kind: str) -> list[str]:
    return [one.text for one in result.document().items if isinstance(one, Paragraph) and one.kind == kind]


def test_monte_carlo_errors_of_many_pairs() -> None:
    result = tg.compare(None, SYSTEMS, metrics=["scores"], family="all", resamples=999)
    straddling = [one for one in result.comparisons if "straddling" in kinds(one.notes)]
    assert len(straddling) > 3
    said = [text for text in paragraphs(result, "remark") if "straddles" in text]
    assert len(said) == 1
    assert f"{len(straddling)} of 28 comparisons: the Monte-Carlo error of the adjusted p straddles 0.05" in said[0]


def test_a_metric_without_a_direction_is_told_of_together() -> None:
    texts = {name: ["x " * max(1, round(9 + 2 * value)) for value in values] for name, values in SYSTEMS.items()}
    reference = ["x x x x x x x x x"] * 80
    families: list[tuple[Family, int]] = [("baseline", 3), ("all", 9)]
    for family, most in families:
        result = tg.compare(reference, texts, metrics=["length"], family=family, resamples=999)
        verdicts = paragraphs(result, "headline")
        assert len(verdicts) <= most
        assert not any(re.search("better|worse", text) for text in verdicts)
        assert any("higher" in text for text in verdicts)
