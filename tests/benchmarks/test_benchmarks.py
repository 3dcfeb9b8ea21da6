"""Every benchmark runs on a tiny test set, and truegain and its peer give the same results there; no time is tested."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.significance import _paired_ar_test

from benchmarks import __main__ as everything
from benchmarks import (
    command,
    comparemt,
    dependence,
    edges,
    edges_page,
    edits,
    engines,
    extraction,
    gpu,
    information,
    long_tables,
    means,
    memory,
    meteor,
    multeval,
    ranking,
    ranking_errors,
    resampling,
    rows,
    summaries,
    tuning,
)
from benchmarks import notes as honest_notes
from benchmarks.curves import Curve
from benchmarks.data import APART, Data, simulated
from benchmarks.machine import describe_machine
from benchmarks.table import as_json, cells, markdown_table, notes, plain_table
from benchmarks.timing import Row, Skipped
from tests.tuning.test_optimizers import made
from truegain.metrics.bleu import BLEU
from truegain.readers.memory import corpus_from_memory


@pytest.fixture(scope="module")
def data() -> Data:
    return simulated(30, 3)


def check(row: Row | Skipped) -> None:
    assert isinstance(row, Row)
    assert row.agree
    assert row.ratio is not None
    assert row.ratio > 0


def test_long_tables(tmp_path: Path) -> None:
    time, memory = long_tables.measure(tmp_path, (3, 20, 2), repeats=1)
    check(time)
    assert memory.ours > 20


MEASURES: dict[str, Callable[[Data, Path], Row | Skipped]] = {
    "mert": lambda *_: tuning.measure(made(1, BLEU(tokenize="none")), "made", restarts=3),
    "extraction, BLEU": lambda data, _: extraction.measure(data, "BLEU", repeats=1),
    "extraction, chrF": lambda data, _: extraction.measure(data, "chrF", repeats=1),
    "TER": lambda data, _: edits.measure_ter(data, repeats=1),
    "TER, long": lambda data, _: edits.measure_ter(edits.joined(data, 3), repeats=1),
    "WER": lambda data, _: edits.measure_wer(data, repeats=1),
    "ROUGE": lambda data, _: summaries.measure(edits.joined(data, 3, "\t"), stem=False, repeats=1),
    "ROUGE, stems": lambda data, _: summaries.measure(edits.joined(data, 3, "\t"), stem=True, repeats=1),
    "NIST": lambda data, _: information.measure(data, repeats=1),
    "many systems": lambda data, folder: command.measure_many(data, folder, resamples=50),
    "whole command": lambda data, folder: command.measure_compare(data, folder, resamples=50, repeats=1),
    "bootstrap with intervals": lambda data, _: resampling.measure_bootstrap_with_intervals(
        data, resamples=200, repeats=1
    ),
    "max-t beside Holm": lambda data, _: resampling.measure_max_t(data, resamples=500, repeats=1),
    "mean, randomization": lambda *_: means.measure_randomization(50, resamples=400, repeats=1),
    "mean, bootstrap": lambda *_: means.measure_bootstrap(50, resamples=400, repeats=1),
    "mean, blocks": lambda *_: means.measure_stationary(50, resamples=400, repeats=1),
}


@pytest.mark.parametrize("name", MEASURES)
def test_both_give_the_same(data: Data, tmp_path: Path, name: str) -> None:
    check(MEASURES[name](data, tmp_path))


@pytest.mark.parametrize("metric", ["BLEU", "chrF", "TER"])
def test_both_give_the_same_on_resamples(data: Data, metric: str) -> None:
    check(resampling.measure_bootstrap(data, metric, resamples=200, repeats=1))
    check(resampling.measure_randomization(data, metric, resamples=500, repeats=1))


def test_a_target_is_of_the_work_it_was_set_for(data: Data) -> None:
    pair = data.first(2)
    assert resampling.measure_bootstrap(pair, resamples=1_000, repeats=1).target == 60.0
    assert resampling.measure_bootstrap(pair, resamples=200, repeats=1).target is None
    assert resampling.measure_bootstrap(pair, "chrF", resamples=1_000, repeats=1).target is None


def test_sacrebleu_does_not_count_ties(data: Data) -> None:
    """On few segments TER has many: counted as there, p-values are the same, and counted as here they are not."""
    experiment = resampling._experiment(data, "TER")
    theirs = resampling._Peer(experiment, "TER").run(_paired_ar_test, 4_000)
    strict = resampling._without_ties(experiment, 4_000)
    ours = [one.p for one in resampling.randomization_p_values(experiment, 4_000)[0]]
    for peer, without, p in zip(theirs, strict, ours, strict=True):
        assert resampling._same_share(peer.p_value, without, 4_000)
        assert p > without


def test_engines_give_the_same(data: Data) -> None:
    for row in engines.measure(data, resamples=600, repeats=1):
        if isinstance(row, Row):
            check(row)
        else:
            assert find_spec("torch") is None


@pytest.mark.slow
def test_meteor_beside_its_jar_and_with_its_start(data: Data, tmp_path: Path) -> None:
    row, *commands = (
        meteor.measure(data.first(2), repeats=1),
        *meteor.measure_commands(data.first(2), tmp_path, repeats=1),
    )
    for one in (row, commands[0]):
        if isinstance(one, Skipped):
            pytest.skip(one.reason)
        assert one.agree
    assert len(commands) == 2


@pytest.mark.slow
def test_multeval_has_a_figure_that_is_not_of_this_run(tmp_path: Path) -> None:
    row = multeval.measure(tmp_path, resamples=20)
    if isinstance(row, Skipped):
        pytest.skip(row.reason)
    assert "not of this run" in row.note
    assert row.peer == 720.0


def test_peers_are_left_out_where_they_are_not(data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multeval, "REAL_DATA", tmp_path)
    row = multeval.measure(tmp_path)
    assert isinstance(row, Skipped)
    assert "TRUEGAIN_DATA" in row.reason
    other = comparemt.measure(data, resamples=100, repeats=1)
    if find_spec("compare_mt") is None:
        assert isinstance(other, Skipped)
    else:
        check(other)


def test_pairs_on_a_device(data: Data) -> None:
    pytest.importorskip("torch")
    row = gpu.measure(data, resamples=300, checked=100, device="cpu")
    assert isinstance(row, Row)
    assert row.agree


def test_all_pairs(data: Data) -> None:
    check(ranking.measure(data, resamples=600, repeats=1, check=True))
    check(ranking.measure(simulated(40, 4, qualities=APART), resamples=600, repeats=1, apart=True, check=True))


def test_commands_and_memory(data: Data, tmp_path: Path) -> None:
    assert command.measure_help(repeats=1).ours > 0
    pages = command.measure_page(data, tmp_path, repeats=1)
    start = command.measure_start(data, tmp_path, resamples=50, repeats=1)
    for row in (pages, start, *memory.measure(data, tmp_path, resamples=50)):
        assert row.peer is not None
        assert 0.0 < row.peer < 10_000
        assert 0.0 < row.ours < 10_000
    row = ranking.measure_memory(data, tmp_path, resamples=50)
    assert 20 < row.ours < 1_000
    assert row.ratio is None


def test_a_target_is_a_ratio_to_reach_or_a_limit_to_keep() -> None:
    fast = Row("fast", "x", "ratio", 3.0, 1.0, 3.0, agree=True)
    slow = Row("slow", "y", "ratio", 2.9, 1.0, 3.0, agree=False, note="on a Sunday")
    small = Row("c", "", "megabytes", None, 299.0, 300.0)
    large = Row("d", "", "seconds", None, 0.3, 0.2)
    known = Row("e", "", "ratio", 2.0, 1.0, None)
    assert [row.met for row in (fast, slow, small, large, known)] == [True, False, True, False, None]
    assert as_json(slow)["ratio"] == 2.9
    assert cells(known)[2:] == ("2.000 s", "1.0000 s", "×2.0", "", "", "")
    said = notes([fast, slow, known], [Skipped("other", "not here")])
    assert said.startswith("Targets met: 1 of 2.\n\nMissed:\n\n- slow (y)\n\nNot the same result:\n\n- slow (y)\n")
    assert "- slow (y): on a Sunday" in said
    assert said.endswith("Not measured in this run:\n\n- other: not here")
    assert plain_table([fast, small]).count("\n") == 2
    assert markdown_table([fast, small]).count("\n") == 3
    assert "cores" in describe_machine()


def test_everything_in_small_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which rows there are, what goes into the files, and that a missed target is no failure."""
    slow = Row("slow", "", "ratio", 1.0, 1.0, 3.0)
    skipped = [one.work for one in rows.peers_that_are_not_here()]
    monkeypatch.setattr(rows, "all_rows", lambda *_: iter([slow, *rows.peers_that_are_not_here()]))
    everything.main(["--quick", "--output", str(tmp_path)])
    held = json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))
    assert held["rows"][0]["met"] is False
    assert [one["target"] for one in held["rows"][1:]] == [1.8, None]
    assert [one["work"] for one in held["skipped"]] == skipped
    curves = json.loads((tmp_path / "scaling.json").read_text(encoding="utf-8"))["curves"]
    assert {one["quantity"] for one in curves} == {"segments", "systems", "resamples", "threads"}
    assert len(list(tmp_path.glob("scaling-*.svg"))) == 4
    with pytest.raises(SystemExit):
        everything.main(["--quick", "--write-page"])


def test_the_page_keeps_what_is_around_its_table(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    marks = "<!-- table: begin -->\nold\n<!-- table: end -->\nb\n<!-- curves: begin -->\n<!-- curves: end -->\n"
    page.write_text(f"a\n{marks}c\n", encoding="utf-8")
    (tmp_path / "figures").mkdir()
    curve = Curve("segments", "extraction, 2 systems", ((1, 1.0), (10, 10.0)))
    written = []
    for _ in range(2):
        everything.write_page(page, [Row("w", "d", "ratio", 2.0, 1.0, 1.0)], [], [curve], "a machine")
        written.append(page.read_text(encoding="utf-8"))
    text, again = written
    assert text == again
    assert text.startswith("a\n<!-- table: begin -->\n| work |")
    assert "Measured on: a machine\n<!-- table: end -->\nb\n" in text
    assert "| segments | 1 | 1.00 |" in text
    assert text.endswith("(figures/scaling-segments.svg)\n<!-- curves: end -->\nc\n")
    scaling = (tmp_path / "data" / "scaling.csv").read_text(encoding="utf-8")
    assert scaling.splitlines()[1] == 'segments,"extraction, 2 systems",1: 1 s,10: 10 s,1.00'
    # And so the page of the project.
    page.write_text(everything._PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    everything.write_page(page, [], [], [], "nothing")
    assert "Measured on: nothing" in page.read_text(encoding="utf-8")


def test_edges_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (edges, edges_page):
        monkeypatch.setattr(module, "SHARES", (0.9,))
        monkeypatch.setattr(module, "ITEMS", (20,))
    monkeypatch.setattr(edges, "SAMPLED", ((0.9, 0.9), (0.9, 0.8)))
    monkeypatch.setattr(edges, "SAMPLED_ITEMS", (20,))
    monkeypatch.setattr(edges, "REAL_DATA", tmp_path)
    monkeypatch.setattr(edges, "largest_size", lambda least: (0.07, least, 1.0))
    monkeypatch.setattr(edges, "real_agreements", lambda: [edges_page.Agreement("WMT23", 7, 0)])
    edges.main(["--draws", "1", "--pairs", "20", "--jobs", "1", "--output", str(tmp_path / "page.md")])
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    words = " ".join(page.split())
    assert "score, independent items 1 95.7, 95.7 ≥ 90.0, 94.5–97.5 yes 87.6, 87.6 score, clusters" in words
    assert "tango 0.463 0.782 5.37 " in words
    assert " 20 83.7 1 − 0.18/n " in words
    assert "0 of 20 drawn pairs" in page
    assert "0 of 7 pairs" in page
    assert max(map(len, page.splitlines())) <= 125
    assert (tmp_path / "data" / "edges.csv").read_text(encoding="utf-8").count("\ndifference,0.9,20,") == 4
    assert edges.drawn_cells(0.9, 0.8, 0.3, 20, False, 1) == edges.drawn_cells(0.9, 0.8, 0.3, 20, False, 1)


def test_errors_of_rankings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [ranking_errors.Cell(30, "near copies", 5), ranking_errors.Cell(30, "skewed", 0)]
    monkeypatch.setattr(ranking_errors, "cells", lambda: few)
    ranking_errors.main(["--studies", "5", "--resamples", "99", "--jobs", "1", "--output", str(tmp_path / "page.md")])
    text = (tmp_path / "page.md").read_text()
    assert "\nnear copies  5       " in text
    assert "\nskewed       none    " in text
    rows = (tmp_path / "data" / "ranking-errors.csv").read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[:3] for row in rows[1:]] == [["near copies", "5", "30"], ["skewed", "none", "30"]]
    assert text.count("\nnear copies  ") == 2
    outcome = ranking_errors.run(few[0], studies=5, resamples=199)
    assert outcome.differences == 5 * 25
    assert outcome.shown["plain"] >= outcome.shown["maxt"] >= outcome.shown["holm"]
    assert ranking_errors.run(few[0], studies=5, resamples=199) == outcome


@pytest.fixture
def small_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of the real files, one with three systems, of which the last has dependent scores."""
    noise = np.random.default_rng(1).standard_normal((3, 60))
    noise[2] += np.repeat(np.arange(6.0), 10)
    files = [("small", corpus_from_memory(None, dict(zip("abc", noise, strict=True))), ["scores"])]
    for module in (dependence, honest_notes):
        monkeypatch.setattr(module, "real_files", lambda: iter(files))


@pytest.mark.usefixtures("small_file")
def test_dependence_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependence, "_SIZES", (100, 300))
    monkeypatch.setattr(dependence, "_RATIOS", (2.0,))
    monkeypatch.setattr(dependence, "_METRICS", ())
    dependence.main(["--sets", "3", "--dependent-sets", "20", "--jobs", "1", "--output", str(tmp_path / "page.md")])
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert page.count("\n300       2           ") == 1
    assert (tmp_path / "data" / "dependence.csv").read_text(encoding="utf-8").count(",2,") == 2
    assert "\n97 % zero           –" in page
    (row,) = (line.split() for line in page.splitlines() if line.startswith("small "))
    assert row == ["small", "60", "1", "3", "67", "0.00", "0.0", "0.0"]
    found = dependence.cell("8", 300, 2.0, 20)
    assert found == dependence.cell("8", 300, 2.0, 20)
    assert found.found > 10


@pytest.mark.usefixtures("small_file")
def test_notes_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(honest_notes, "runs_of_pool", lambda: iter(()))
    honest_notes.main(["--jobs", "1", "--output", str(tmp_path / "page.md")])
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "\ndependence          2            66.7    67 (small, scores)\n" in page
    assert "\nsmall, scores  3\n" in page
