"""The measure of heavy use, at small sizes: it runs to its end, and everything holds."""

from __future__ import annotations

import pytest

from benchmarks.load import measure


def test_everything_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUEGAIN_CACHE", "")  # set anew by the measure; put back after the test
    found = list(measure(quick=True))
    assert {one.outcome for one in found} == {"done", "results the same, cache sound", "refused"}
    assert all(one.seconds > 0 for one in found)
