"""MultEval's own table of its own example, cell by cell."""

from __future__ import annotations

import gzip
import re

import pytest

import truegain as tg
from benchmarks.data import REAL_DATA
from truegain.report.model import Table

DATA = REAL_DATA / "multeval_newstest2010"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="TRUEGAIN_DATA has no multeval_newstest2010")

NAMES = {"baseline": "baseline", "system 1": "sys1"}
METRICS = {"BLEU": "bleu:tokenize=none", "TER": "ter", "Length": "length"}


def read(name: str) -> list[str]:
    return gzip.decompress((DATA / "example" / f"{name}.gz").read_bytes()).decode().split("\n")[:-1]


def theirs() -> dict[tuple[str, str], list[str]]:
    """Average, s_sel, s_test and p by metric and system."""
    found: dict[tuple[str, str], list[str]] = {}
    metric = ""
    for line in (DATA / "peer_multeval0.5.1_table.tex").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"\\multirow\{3\}\{\*\}\{(\w+)", line):
            metric = heading[1]
        elif line.startswith("& "):
            _, system, *cells = (part.strip() for part in line.removesuffix(r"\\").split("&"))
            found[metric, system] = cells
    return found


def test_the_table_is_theirs() -> None:
    systems = {ours: [read(f"hyps.lc.tok.en.{ours}.opt{run}") for run in range(3)] for ours in NAMES.values()}
    result = tg.compare(
        read("refs.test2010.lc.tok.en.0"),
        systems,
        metrics=list(METRICS.values()),
        test="multeval-ar",
        adjust="none",
        resamples=10_000,
    )
    (table,) = (item for item in result.arranged("multeval", decimals=1).items if isinstance(item, Table))
    rows = [[cell.text for cell in row] for row in table.rows]
    expected = [theirs()[metric, system] for metric in METRICS for system in NAMES]
    assert [row[0].split(" ")[0] for row in rows[::2]] == list(METRICS)
    for row, (average, s_sel, s_test, p) in zip(rows, expected, strict=True):
        assert row[2:5] == [average, s_sel, s_test]
        if p == "-":
            assert row[5] == "–"
        else:  # two decimals there, and randomization by another generator
            assert float(row[5].removeprefix("<")) == pytest.approx(float(p), abs=0.015)
    assert "Tested with MultEval's randomization (two-sided; MultEval 0.5.1)" in " ".join(table.notes)
