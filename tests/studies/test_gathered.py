"""Of very many comparisons, what is alike is said once."""

from __future__ import annotations

import re

import numpy as np

import truegain as tg
from tests.refusals import kinds
from truegain.report.model import Paragraph
from truegain.settings import Family
from truegain.studies.compare.result import CompareResult

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
