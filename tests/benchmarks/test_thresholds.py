"""The pages on thresholds: the paper's figures next to those that the commands printed."""

from __future__ import annotations

import pytest

from benchmarks.data import ROOT
from benchmarks.pages import Page, Step
from benchmarks.profiles import Predicted, classes
from benchmarks.studies import PAGES, printed_before
from benchmarks.thresholds import THRESHOLDS, beside, figure

PRINTED = """\
task  1,200 segments

BLEU: pairs       number  threshold      95 % CI  by segment  in band  band
all                   45       0.85  0.81 – 0.91        0.70        2     –
same label            20       0.84  0.80 – 0.91        0.69        1     –

TER: pairs  number  threshold  95 % CI  in band  band
all             45       1.20        –        2     –
"""


def test_figures_are_those_that_were_printed() -> None:
    assert figure(PRINTED, "BLEU", "same label", "by segment") == "0.69"
    assert figure(PRINTED, "TER", "all", "threshold") == "1.20"


def test_the_papers_figures_are_scaled_by_the_root_of_the_size() -> None:
    made = beside(
        "segments", "Said.", [("x", 400, (("same", 1.0),))], [("y", 100, lambda printed: printed[0]), ("z", 1_600, str)]
    )(["2.00"])
    assert "the paper: x, same  400       1.00       2.00    0.50\n" in made
    assert "here: y             100       2.00       2.00\n" in made


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_what_makes_them(page: Page) -> None:
    folder = ROOT / "docs" / "studies"
    printed = printed_before(page, folder)
    assert page.text(printed) == (folder / f"{page.name}.md").read_text(encoding="utf-8")
    assert page.outputs(printed) == (folder / "data" / f"{page.name}.txt").read_text(encoding="utf-8")


def test_pages_on_thresholds_have_the_papers_figures() -> None:
    assert all(page.beside for page in THRESHOLDS)


def test_a_page_shows_the_paragraphs_that_it_names() -> None:
    step = Step("## Said", "truegain compare", shown=("BLEU ↑", "p is"))
    assert step.section("BLEU ↑ 1\n\nTER ↓ 2\n\np is 3\n").endswith("```text\nBLEU ↑ 1\n\np is 3\n…\n```\n")
    assert step.section("BLEU ↑ 1\n\np is 3\n").endswith("```text\nBLEU ↑ 1\n\np is 3\n```\n")
    with pytest.raises(ValueError, match="no paragraph begins with 'p is'"):
        step.section("BLEU ↑ 1\n")


def test_classes_of_predictions() -> None:
    import numpy as np

    firsts, seconds = np.triu_indices(30, 1)
    generator = np.random.default_rng(1)
    probabilities = generator.uniform(0.0, 1.0, firsts.size)
    right = Predicted("x", 30, firsts, seconds, probabilities, generator.uniform(0.0, 1.0, firsts.size) < probabilities)
    assert all(one.kept for one in classes([right]))
    assert sum(one.pairs for one in classes([right])) == firsts.size
    wrong = Predicted("x", 30, firsts, seconds, probabilities, probabilities > 0.1)
    assert not all(one.kept for one in classes([wrong]))
