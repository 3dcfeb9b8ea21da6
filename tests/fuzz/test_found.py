"""What fuzzing starts from and what it found, tried again: an answer or a refusal, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz import targets
from fuzz.guided import FOUND, ROOT, SEEDS

CASES = [
    pytest.param(target, path, id=f"{home.name}/{target}/{path.name}")
    for target in targets.names()
    for home in (SEEDS, FOUND)
    for path in sorted((home / target).glob("*"))
]


@pytest.mark.parametrize(("target", "path"), CASES)
def test_nothing_breaks(target: str, path: Path) -> None:
    targets.load(target).check(path.read_bytes())


def test_every_target_has_something_to_start_from() -> None:
    assert {path.name for path in SEEDS.iterdir()} == set(targets.names())


def test_nothing_found_is_of_no_target() -> None:
    assert {path.name for path in FOUND.iterdir()} <= set(targets.names())


def test_the_page_says_how_many_there_are() -> None:
    page = (ROOT / "docs" / "fuzzing.md").read_text(encoding="utf-8")
    assert f"one of {len(targets.names())} files in" in " ".join(page.split())
    table = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    assert f"of {len(targets.names())} targets]" in table
