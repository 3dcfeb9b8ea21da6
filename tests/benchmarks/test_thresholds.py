"""The pages on thresholds: the paper's figures next to those that the commands printed."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.data import ROOT
from benchmarks.pages import Page, Step
from benchmarks.profiles import Predicted, classes
from benchmarks.studies import PAGES, numbers_before, printed_before
from benchmarks.thresholds import beside, figure

NUMBERS = [
    {"step": "1", "metric": "bleu", "group": "all", "unit": "document", "gain": "0.8512"},
    {"step": "1", "metric": "bleu", "group": "all", "unit": "segment", "gain": "0.6973"},
    {"step": "2", "metric": "bleu", "group": "all", "unit": "segment", "gain": "2.0"},
]


def test_figures_are_those_of_the_results() -> None:
    assert figure(NUMBERS, 1, "bleu", "all", "segment") == "0.70"
    with pytest.raises(ValueError, match="unpack"):
        figure(NUMBERS, 1, "bleu", "same", "segment")


def test_the_papers_figures_are_scaled_by_the_root_of_the_size() -> None:
    made = beside(
        "segments",
        "Said.",
        [("x", 400, (("same", 1.0),))],
        [("y", 100, (2, "bleu", "all", "segment")), ("z", 1_600, (1, "bleu", "all", "segment"))],
    )(NUMBERS)
    assert "the paper: x, same  400       1.00       2.00    0.50\n" in made
    assert "here: y             100       2.00       2.00\n" in made


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_what_makes_them(page: Page) -> None:
    folder = ROOT / "docs" / "studies"
    printed = printed_before(page, folder)
    assert page.text(printed, numbers_before(page, folder)) == (folder / f"{page.name}.md").read_text(encoding="utf-8")
    assert page.outputs(printed) == (folder / "data" / f"{page.name}.txt").read_text(encoding="utf-8")


def test_a_page_shows_the_paragraphs_that_it_names() -> None:
    step = Step("## Said", "truegain compare", shown=("BLEU ↑", "p is"))
    assert step.section("BLEU ↑ 1\n\nTER ↓ 2\n\np is 3\n").endswith("```text\nBLEU ↑ 1\n\np is 3\n…\n```\n")
    assert step.section("BLEU ↑ 1\n\np is 3\n").endswith("```text\nBLEU ↑ 1\n\np is 3\n```\n")
    with pytest.raises(ValueError, match="no paragraph begins with 'p is'"):
        step.section("BLEU ↑ 1\n")


def test_classes_of_predictions() -> None:
    firsts, seconds = np.triu_indices(30, 1)
    generator = np.random.default_rng(1)
    probabilities = generator.uniform(0.0, 1.0, firsts.size)
    right = Predicted("x", 30, firsts, seconds, probabilities, generator.uniform(0.0, 1.0, firsts.size) < probabilities)
    assert all(one.kept for one in classes([right]))
    assert sum(one.pairs for one in classes([right])) == firsts.size
    wrong = Predicted("x", 30, firsts, seconds, probabilities, probabilities > 0.1)
    assert not all(one.kept for one in classes([wrong]))
