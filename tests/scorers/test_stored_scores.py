"""Stored scores of segments: those of processes that score at once, many entries, damaged ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from truegain.cache import Cache
from truegain.statistics import scored_once
from truegain.statistics.scored_once import SegmentScores

Begun = Callable[[], SegmentScores]


def digests(*numbers: int) -> dict[bytes, float]:
    """Scores of segments, by their numbers."""
    return {number.to_bytes(16, "little"): number / 8 for number in numbers}


@pytest.fixture
def another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Begun:
    """Return what a process that has just begun reads."""

    def begun() -> SegmentScores:
        monkeypatch.setattr(scored_once, "_known", {})
        return SegmentScores(Cache(tmp_path), "a scorer")

    return begun


def test_many_become_one(tmp_path: Path, another_process: Begun) -> None:
    """With others that add meanwhile, and begin to make one of them, too."""
    most = 0
    for number in range(60):
        one, other = another_process(), another_process()
        one.add(digests(2 * number))
        other.add(digests(2 * number + 1))
        most = max(most, Cache(tmp_path).info().entries)
    assert another_process().scores == digests(*range(120))
    assert scored_once._ENTRIES <= most < 2 * scored_once._ENTRIES


def test_what_cannot_be_joined_stays(tmp_path: Path, another_process: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(scored_once._ENTRIES):
        another_process().add(digests(number))
    late = another_process()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("truegain.cache.replace_file", full)
        with pytest.warns(RuntimeWarning, match="new scores of segments could not be kept in the cache"):
            late.add(digests(99))
    assert another_process().scores == digests(*range(scored_once._ENTRIES))


def test_a_cache_that_is_too_small_keeps_what_it_has_and_says_so(tmp_path: Path, another_process: Begun) -> None:
    another_process().add(digests(1))
    small = SegmentScores(Cache(tmp_path, limit=400), "a scorer")
    with pytest.warns(RuntimeWarning, match="raise TRUEGAIN_CACHE_SIZE") as said:
        small.add(digests(*range(2, 40)))
    assert len(said) == 1
    assert another_process().scores == digests(1)
    small.add(digests(2))  # what fits is kept without a word
    assert another_process().scores == digests(1, 2)


def test_a_damaged_entry_takes_no_other_with_it(tmp_path: Path, another_process: Begun) -> None:
    for number in range(4):
        another_process().add(digests(number))
    damaged = sorted(tmp_path.glob("*.statistics"))[1]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert another_process().scores == digests(0, 2, 3)
    assert not damaged.exists()


def test_the_oldest_go_first(tmp_path: Path, another_process: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scored_once, "_MOST", 6)
    for number in range(scored_once._ENTRIES + 1):
        another_process().add(digests(number))
    assert another_process().scores == digests(*range(scored_once._ENTRIES - 5, scored_once._ENTRIES + 1))


def test_scores_that_are_no_numbers_are_not_believed(tmp_path: Path, another_process: Begun) -> None:
    scores = another_process()
    cache = Cache(tmp_path)
    table = scored_once._packed({**digests(1), (2).to_bytes(16, "little"): float("nan")})
    for number, entry in enumerate((table, table[:, :2], table.astype(np.float64), table[:, 0])):
        assert cache.put(f"{scores._key}-{number}", entry)
    assert another_process().scores == digests(1)
    assert len(cache.keys(scores._key)) == 4
