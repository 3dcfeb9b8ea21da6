"""Curves of how time grows: their points, their slopes, and what is made of them; no time is tested."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import scaling
from benchmarks.curves import FIGURES, Curve, draw
from benchmarks.data import simulated
from benchmarks.scaling import Sizes, all_curves, rows


def test_every_curve_has_all_its_points() -> None:
    places = {"segments": (10, 70), "systems": (2, 3), "resamples": (50, 100)}
    sizes = Sizes(**places, few=2, many=3, bootstrap=50, randomization=60, spread=300, repeats=1)
    curves = list(all_curves(simulated(30, 2), simulated(20, 3), sizes))
    places["threads"] = (1, 2)
    for curve in curves:
        assert tuple(count for count, _ in curve.points) == places[curve.quantity]
        assert all(taken > 0 for _, taken in curve.points)
    assert len({(curve.quantity, curve.work) for curve in curves}) == len(curves)
    spread = [curve.work for curve in curves if curve.quantity == "threads"]
    assert [work.rpartition(", ")[2] for work in spread] == ["threads"] * 2
    assert "3 systems × BLEU + chrF + TER" in spread[0]


@given(st.floats(-2, 2), st.floats(0.001, 100))
def test_the_slope_is_the_power(power: float, scale: float) -> None:
    curve = Curve("segments", "w", tuple((count, scale * count**power) for count in (1, 3, 10, 100)))
    assert curve.slope == pytest.approx(power, abs=1e-9)


def test_segments_come_several_times_over_where_there_are_too_few() -> None:
    data = simulated(5, 2)
    longer = scaling._stretched(data, 12)
    assert longer.reference == (data.reference * 3)[:12]
    assert {len(outputs) for outputs in longer.systems.values()} == {12}
    assert scaling._stretched(data, 3).reference == data.reference[:3]


def test_what_two_threads_gain_is_a_row() -> None:
    curves = [
        Curve("threads", "extraction, threads", ((1, 1.8), (2, 1.0))),
        Curve("threads", "bootstrap, threads", ((1, 1.0), (2, 1.0))),
        Curve("threads", "extraction, processes", ((1, 1.7), (2, 1.0))),
        Curve("systems", "extraction", ((1, 1.7), (2, 1.0))),
    ]
    found = list(rows(curves, cores=2))
    assert [row.met for row in found] == [True, None, False]
    assert [row.note for row in found] == [""] * 3
    assert next(rows(curves, cores=1)).note == "this machine has one core"


def test_figures_say_the_slope_or_the_gain(tmp_path: Path) -> None:
    curves = [
        Curve("segments", "extraction, BLEU, 2 systems", ((1_000, 0.1), (10_000, 1.0))),
        Curve("segments", "bootstrap 1,000, BLEU, 2 systems", ((1_000, 0.1), (10_000, 10.0))),
        Curve("threads", "extraction, threads", ((1, 1.8), (2, 1.0))),
    ]
    written = draw(curves, tmp_path)
    assert [path.name for path in written] == ["scaling-segments.svg", "scaling-threads.svg"]
    first, second = (path.read_text(encoding="utf-8") for path in written)
    assert "extraction (slope 1.00)" in first
    assert "bootstrap 1,000 (slope 2.00)" in first
    assert "segments (BLEU, 2 systems)" in first
    assert "×1.80" in second
    assert set(FIGURES) == {"segments", "systems", "resamples", "threads"}


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    few = [Curve("systems", "extraction", ((1_000, 0.01), (100_000, 1.0)))]
    monkeypatch.setattr(scaling, "all_curves", lambda *_: iter(few))
    scaling.main(["--quick", "--output", str(tmp_path / "made" / "scaling.json")])
    assert "| systems | extraction | 1,000: 10 ms | 100,000: 1 s | 1.00 |" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["scaling-systems.svg", "scaling.json"]
    (held,) = json.loads((tmp_path / "made" / "scaling.json").read_text())["curves"]
    assert (held["slope"], held["points"]) == (1.0, [[1_000, 0.01], [100_000, 1.0]])
