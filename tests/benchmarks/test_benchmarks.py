"""Every benchmark runs on a tiny test set, and truegain and its peer give the same results there; no time is tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import (
    command,
    edits,
    extraction,
    information,
    memory,
    poisson_errors,
    ranking,
    ranking_errors,
    resampling,
    streaming,
    summaries,
)
from benchmarks.__main__ import as_json, describe_machine, markdown_table, plain_table
from benchmarks.data import Data, simulated
from benchmarks.timing import Row


@pytest.fixture(scope="module")
def data() -> Data:
    return simulated(30, 3)


def check(row: Row) -> None:
    assert row.agree
    assert row.ratio is not None
    assert row.ratio > 0


@pytest.mark.parametrize("metric", ["BLEU", "chrF"])
def test_extraction(data: Data, metric: str) -> None:
    check(extraction.measure(data, metric, repeats=1))


def test_edit_distances(data: Data) -> None:
    check(edits.measure_ter(data, repeats=1))
    check(edits.measure_wer(data, repeats=1))
    long = edits.joined(data, 3)
    assert len(long.reference) == 10
    check(edits.measure_ter(long, repeats=1))


@pytest.mark.parametrize("stem", [False, True])
def test_rouge(data: Data, stem: bool) -> None:
    check(summaries.measure(edits.joined(data, 3, "\t"), stem=stem, repeats=1))


def test_nist(data: Data) -> None:
    check(information.measure(data, repeats=1))


def test_many_systems(data: Data, tmp_path: Path) -> None:
    check(command.measure_many(data, tmp_path, resamples=50))


def test_peer_caches_are_cleared() -> None:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    Tokenizer13a()("a line")
    extraction.clear_peer_caches()
    assert Tokenizer13a.__call__.cache_info().currsize == 0


def test_bootstrap(data: Data) -> None:
    check(resampling.measure_bootstrap(data, resamples=200, repeats=1))


def test_bootstrap_with_intervals(data: Data) -> None:
    check(resampling.measure_bootstrap_with_intervals(data, resamples=200, repeats=1))


def test_randomization(data: Data) -> None:
    check(resampling.measure_randomization(data, resamples=500, repeats=1))


def test_max_t_beside_holm(data: Data) -> None:
    check(resampling.measure_max_t(data, resamples=500, repeats=1))


def test_all_pairs(data: Data) -> None:
    check(ranking.measure(data, resamples=600, repeats=1, check=True))


def test_whole_command(data: Data, tmp_path: Path) -> None:
    check(command.measure_compare(data, tmp_path, resamples=50, repeats=1))


def test_help() -> None:
    assert command.measure_help(repeats=1).ours > 0


def test_memory_of_many_systems(data: Data, tmp_path: Path) -> None:
    row = ranking.measure_memory(data, tmp_path, resamples=50)
    assert 20 < row.ours < 1_000
    assert row.ratio is None


def test_memory(data: Data, tmp_path: Path) -> None:
    row = memory.measure(data, tmp_path, resamples=50)
    assert 1 < row.ours < 10_000


def test_a_target_is_a_ratio_to_reach_or_a_limit_to_keep() -> None:
    fast = Row("a", "", "ratio", 3.0, 1.0, 3.0)
    slow = Row("b", "", "ratio", 2.9, 1.0, 3.0, agree=True)
    small = Row("c", "", "megabytes", None, 299.0, 300.0)
    large = Row("d", "", "seconds", None, 0.3, 0.2)
    assert [row.met for row in (fast, slow, small, large)] == [True, False, True, False]
    assert as_json(slow)["ratio"] == 2.9


def test_tables_have_a_line_for_every_row() -> None:
    rows = [Row("work", "data", "ratio", 1.0, 0.5, 3.0, agree=True), Row("memory", "", "megabytes", None, 95.0, 300.0)]
    assert plain_table(rows).count("\n") == 2
    assert "×2.0" in plain_table(rows)
    assert markdown_table(rows).count("\n") == 3
    assert "cores" in describe_machine()


def test_errors_of_rankings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [ranking_errors.Cell(30, "near copies", 5), ranking_errors.Cell(30, "skewed", 0)]
    monkeypatch.setattr(ranking_errors, "cells", lambda: few)
    ranking_errors.main(["--studies", "5", "--resamples", "99", "--jobs", "1", "--output", str(tmp_path / "page.md")])
    text = (tmp_path / "page.md").read_text()
    assert "| near copies | 5 | 30 |" in text
    assert "| skewed | none | 30 |" in text
    assert text.count("| near copies |") == 2
    outcome = ranking_errors.run(few[0], studies=5, resamples=199)
    assert outcome.differences == 5 * 25
    assert outcome.shown["plain"] >= outcome.shown["maxt"] >= outcome.shown["holm"]
    assert ranking_errors.run(few[0], studies=5, resamples=199) == outcome


def test_shards(tmp_path: Path) -> None:
    found = streaming.measure(3_000, 4, tmp_path, resamples=20)
    assert found.identical
    assert found.size == (tmp_path / "shard0.sums").stat().st_size
    assert "the same bytes" in streaming.words(found)


def test_errors_of_poisson_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poisson_errors, "_SIZES", (30,))
    monkeypatch.setattr(poisson_errors, "_LEVEL_SIZES", (30,))
    few = ["--sets", "3", "--resamples", "50", "--null-sets", "3", "--null-resamples", "19", "--jobs", "1"]
    poisson_errors.main([*few, "--output", str(tmp_path / "page.md")])
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert page.count("| 30 |") == 2
    assert poisson_errors.level(30, sets=3, resamples=19) == poisson_errors.level(30, sets=3, resamples=19)
