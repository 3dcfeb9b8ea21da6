"""``make sanitize`` takes minutes: here, only that what it names is there."""

from __future__ import annotations

from fuzz import sanitize


def test_the_tests_that_it_runs_are_there() -> None:
    assert [name for name in sanitize.TESTS if not (sanitize.ROOT / name).exists()] == []


def test_the_level_that_it_lowers_is_the_one_of_the_build() -> None:
    assert sanitize.LEVEL in (sanitize.ROOT / "setup.py").read_text(encoding="utf-8")
