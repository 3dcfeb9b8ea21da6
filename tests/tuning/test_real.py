"""Tuning on the real lists of a small neural system, which are not part of the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import truegain as tg
from truegain.studies.tune import TuneResult

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tune.md"
#: The best of 60 random weights on val and on test2016, with all seven features.
RANDOM_SEARCH = 45.9


def tuned(shared_data: Path, optimizer: str, **options: object) -> TuneResult:
    sets = {
        name: (shared_data / "nmt_nbest" / f"{name}.nbest.gz", shared_data / "nmt_pool" / name / "ref.en.gz")
        for name in ("val", "test2016")
    }
    nbest, reference = sets.pop("val")
    given = {"metric": "bleu:tokenize=none", "optimizer": optimizer, "runs": 1, **options}
    return tg.tune(reference, nbest, apply=sets, **given)  # type: ignore[arg-type]


@pytest.mark.whole
def test_mert_is_above_random_search(shared_data: Path) -> None:
    result = tuned(shared_data, "mert", restarts=3)
    assert len(result.features) == 7
    assert result.scores(0)[0] > RANDOM_SEARCH


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["mert", "pro", "mira"])
def test_the_figures_of_the_page(shared_data: Path, optimizer: str) -> None:
    (said,) = re.findall(rf"7 features, {optimizer} +([\d.]+) +([\d.]+)", PAGE.read_text(encoding="utf-8"))
    (run,) = tuned(shared_data, optimizer).runs
    assert tuple(f"{score:.2f}" for score in run.scores if score is not None) == said
