"""The page that ``python -m benchmarks.calibration`` writes, with tiny numbers."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from benchmarks.calibration import __main__ as command
from benchmarks.calibration.bounds import Bound, bound_of
from benchmarks.calibration.page import Report, page, tables
from benchmarks.calibration.pools import simulated_pool
from benchmarks.calibration.scenarios import Outcome, Pools
from benchmarks.calibration.tables import sizes, unmet
from benchmarks.csv_tables import write_tables
from tests.known import known
from truegain.registry import TESTS
from truegain.studies.calibrate import Measured, Rate

DOCS = Path(__file__).resolve().parents[2] / "docs"
TABLES = [f"calibration-{name}.csv" for name in ("one-segment", "power", "sizes")]
_SECTIONS = ("Summary", "Data", "Real systems", "Power", "One segment differs")


@pytest.fixture(scope="module")
def report() -> Report:
    pool = simulated_pool(1500)
    real = {"one and other": simulated_pool(40)}
    made = Pools.build(pool, real, documents=210, segments=1500)
    return command.study(made, repetitions=2, resamples=9, jobs=1)


def test_the_page_names_every_test_in_every_place(report: Report) -> None:
    assert list(sizes(report.placed)) == list(TESTS)
    without = Report(**{**vars(report), "made": Pools(**{**vars(report.made), "real": {}})})
    assert "Left out" in page(without, None)
    text = page(report, "figures/some.svg")
    parts = dict(zip(_SECTIONS, text.split("\n## ")[1:], strict=True))
    assert all(part.startswith(name) for name, part in parts.items())
    for name in TESTS:
        assert f"|`{name}`" in parts["Summary"]
    assert "one and other" in parts["Real systems"]
    assert "|`mcnemar`" in parts["Power"]
    assert "|`fu-ar`" in parts["One segment differs"]
    assert "(figures/some.svg)" in text
    lines = [
        line for line in text.splitlines() if not line.startswith(("|", "-", "segment in")) and "(data/" not in line
    ]
    assert max(map(len, lines)) <= 125


def test_rows_have_as_many_cells_as_headings(report: Report) -> None:
    for table in re.findall(r"(?:^\|.*\n?)+", page(report, None), re.MULTILINE):
        assert len({row.count("|") for row in table.splitlines()}) == 1, table


def test_everything_is_written_beside_the_default_page_only(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "study", lambda *_: report)
    monkeypatch.setattr(command, "make_pools", lambda: report.made)
    monkeypatch.setattr(command, "PAGE", tmp_path / "docs" / "page.md")
    monkeypatch.setattr(command, "FIGURE", tmp_path / "docs" / "figures" / "some.svg")
    monkeypatch.setattr(command, "SIZES", tmp_path / "sizes.json")

    command.main(["--output", str(tmp_path / "elsewhere" / "page.md")])
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == [*TABLES, "page.md"]
    assert "some.svg" not in (tmp_path / "elsewhere" / "page.md").read_text(encoding="utf-8")

    command.main([])
    assert "(figures/some.svg)" in (tmp_path / "docs" / "page.md").read_text(encoding="utf-8")
    assert (tmp_path / "docs" / "figures" / "some.svg").read_bytes().startswith(b"<?xml")
    written = json.loads((tmp_path / "sizes.json").read_text(encoding="utf-8"))
    assert written["sizes"].keys() == TESTS.keys()
    assert "200 segments" in written["how"]
    assert "bounds" in capsys.readouterr().out


def test_one_test_renews_its_rows_and_no_others(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, shown = tmp_path / "page.md", tmp_path / "sizes.json"
    monkeypatch.setattr(command, "make_pools", lambda: report.made)
    monkeypatch.setattr(command, "PAGE", target)
    monkeypatch.setattr(command, "SIZES", shown)
    held = {name: 0.01 for name in TESTS if name != "tango"}
    shown.write_text(json.dumps({"how": "", "sizes": held}), encoding="utf-8")
    target.write_text(page(report, None), encoding="utf-8")
    write_tables(target, tables(report))
    before = {path: path.read_text(encoding="utf-8").splitlines() for path in [target, *tmp_path.glob("data/*.csv")]}
    command.main(["--only", "tango", "--repetitions", "40", "--jobs", "1", "--output", str(target)])
    for path, old in before.items():
        new = path.read_text(encoding="utf-8").splitlines()
        assert [line for line in new if "tango" not in line] == [line for line in old if "tango" not in line]
        assert len(new) == len(old)
        if path.name in ("page.md", TABLES[2]):
            assert new != old
    written = json.loads(shown.read_text(encoding="utf-8"))["sizes"]
    assert list(written) == list(TESTS)
    assert {name: size for name, size in written.items() if name != "tango"} == held


@pytest.mark.parametrize("test", ["ar", "none"])
def test_tests_that_bounds_are_of_are_not_measured_alone(test: str) -> None:
    with pytest.raises(SystemExit):
        command.main(["--only", test])


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_tables_have_every_test_and_the_columns_of_the_files(report: Report, tmp_path: Path) -> None:
    write_tables(tmp_path / "page.md", tables(report))
    for name in TABLES:
        made, held = (rows_of(folder / "data" / name) for folder in (tmp_path, DOCS))
        assert made[0].keys() == held[0].keys()
        assert f"(data/{name})" in page(report, None)
    for rows in (rows_of(folder / "data" / TABLES[2]) for folder in (tmp_path, DOCS)):
        assert {row["test"] for row in rows} == set(TESTS)
        assert {row["data"] for row in rows} >= {"segments", "ties", "documents", "heavy", "binary", "runs", "real"}


def test_the_page_shows_what_its_table_has() -> None:
    """The bounds that are told not to be met, and the sizes on 200 segments, are those of the file."""
    text = (DOCS / "calibration.md").read_text(encoding="utf-8")
    held = rows_of(DOCS / "data" / TABLES[2])
    bounded = [row for row in held if row["met"]]
    met = [row for row in bounded if row["met"] == "yes"]
    assert f"Of {len(bounded)} bounds, {len(met)} are met" in text
    summary = text.partition("## Summary")[2].partition("\n## ")[0].replace("*", "").splitlines()
    shown = {line.split("`")[1]: line.split("|")[3].strip() for line in summary if line[:2] == "|`"}
    place = {"data": "segments", "label": "200", "metric": "mean of segment scores"}
    found = {row["test"]: row["at 5 %"] for row in held if place.items() <= row.items()}
    assert found
    assert found.items() <= shown.items()


def outcome(group: str, units: int, test: str, share: float) -> Outcome:
    small = round(share * 2000)
    measured = Measured("mean", test, (0.04,) * small + (0.5,) * (2000 - small))
    return Outcome(group, f"{units:,}", units, {("mean", test): measured})


@pytest.mark.parametrize(
    ("group", "units", "test", "bound"),
    [
        ("segments", 30, "bootstrap", Bound(0.035, 0.07)),
        ("documents", 200, "bootstrap", Bound(0.04, 0.065)),
        ("ties", 200, "bootstrap", Bound(0.0, 0.065)),
        ("skewed", 200, "bootstrap", None),
        ("neighbours", 400, "ar", None),
        ("segments", 30, "t", None),
    ],
)
def test_bounds(group: str, units: int, test: str, bound: Bound | None) -> None:
    found = outcome(group, units, test, 0.05)
    assert bound_of(found, found.measured["mean", test]) == bound


def test_bound_of_randomization_leaves_room_for_error() -> None:
    found = outcome("real", 3004, "ar", 0.05)
    bound = known(bound_of(found, found.measured["mean", "ar"]))
    assert bound.low == 0.0
    assert bound.high == pytest.approx(0.0646, abs=1e-4)


@pytest.mark.parametrize(
    ("rejections", "verdict"), [(90, "yes"), (73, "within error"), (40, "**no**"), (200, "**no**")]
)
def test_verdicts(rejections: int, verdict: str) -> None:
    assert Bound(0.04, 0.065).verdict(Rate(0.05, rejections, 2000)) == verdict


def test_what_is_not_met_is_said() -> None:
    good = outcome("segments", 200, "bootstrap", 0.05)
    bad = outcome("segments", 1000, "bootstrap", 0.12)
    assert unmet([good]) == "All 1 bounds are met."
    said = unmet([good, bad])
    assert "Of 2 bounds, 1 are met" in said
    assert "segments, 1,000, mean of segment scores, `bootstrap`: **12.0**" in said
