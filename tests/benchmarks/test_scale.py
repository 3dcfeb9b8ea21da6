"""The measure of workers elsewhere, at small sizes, and the arithmetic of its model."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.scale import main
from benchmarks.scale_model import Constants, cost_tables, whole_table

CONSTANTS = Constants(
    extraction={"bleu": 4e-6},
    per_draw=1e-9,
    per_column=5e-11,
    per_swap=4e-10,
    text_bytes=100.0,
    statistics_bytes=80.0,
    table_bytes=8.0,
    result_bytes=8.0,
    columns=20,
)


def test_seconds_fall_with_workers_and_bytes_grow() -> None:
    one, many = (whole_table(CONSTANTS, 1e6, 1_000, workers) for workers in (1, 10))
    assert one.extraction_seconds == pytest.approx(8.0)
    assert one.resampling_seconds == pytest.approx(2.0)
    assert many.extraction_seconds == pytest.approx(0.8)
    assert one.extraction_bytes == pytest.approx(1e6 * (100 + 2 * 80))
    assert one.resampling_bytes == pytest.approx(1e6 * 20 * 8 + 1000 * 2 * 8)
    assert many.resampling_bytes - one.resampling_bytes == pytest.approx(9 * 1e6 * 20 * 8)


def test_a_table_that_fits_no_machine_is_told_of() -> None:
    measured, model = cost_tables(CONSTANTS)
    rows = model.splitlines()
    assert sum("does not fit" in row for row in rows) == 2  # 10^9 and 10^10
    assert measured[1][1] == "4.00 µs per segment and system"
    assert "9.00 µs" in cost_tables(replace(CONSTANTS, extraction={"bleu": 9e-6}))[0][1][1]


def test_the_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    marks = "".join(f"<!-- {name}: begin -->\nold\n<!-- {name}: end -->\n" for name in ("overhead", "model"))
    page.write_text(f"before\n{marks}after\n")
    main(["--segments", "100", "--repeats", "1", "--engines", "threads", "processes", "--output", str(page)])
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    rows = [line for line in text.splitlines() if "| ×" in line]
    assert len(rows) == 4
    assert all(line.count("| ×") == 3 for line in rows)
    with (tmp_path / "data" / "scale.csv").open(newline="") as file:
        whole = [row for row in csv.DictReader(file) if row["engine"] == "processes"]
    assert len(whole) == 8
    assert {row["same answer"] for row in whole} == {"yes"}
