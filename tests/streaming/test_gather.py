"""From files to sums: what would be read at once, whatever the pieces; and refusals before anything is written."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import truegain as tg
from tests.refusals import kinds, refused
from truegain.metrics.lookup import make_metrics
from truegain.readers import streams
from truegain.readers.memory import corpus_from_memory
from truegain.simulation import SystemSpec, simulate
from truegain.statistics import collect
from truegain.streaming import gather as module
from truegain.streaming.gather import gather
from truegain.streaming.sums import to_bytes
from truegain.streaming.sums_file import add_up

MADE = simulate(segments=90, systems=[SystemSpec(name=name, quality=q, runs=2) for name, q in (("a", 0.6), ("b", 0.7))])
REFERENCE = list(MADE.references[0])
RUNS = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}
DOCUMENTS = list(MADE.documents)


def shard(first: int, last: int, *, documents: bool = False, **options: Any) -> tg.Sums:
    part = slice(first, last)
    options = {"metrics": ["bleu", "rouge1", "ter"], "resamples": 40, **options}
    return gather(
        {name: [run[part] for run in runs] for name, runs in RUNS.items()},
        [REFERENCE[part]],
        documents=DOCUMENTS[part] if documents else None,
        first=first + 1,
        **options,
    )


@pytest.mark.parametrize("documents", [False, True])
def test_sums_are_those_of_the_statistics_of_all(documents: bool) -> None:
    sums = shard(0, 90, documents=documents)
    statistics = collect(corpus_from_memory(REFERENCE, RUNS), make_metrics(["bleu", "rouge1", "ter"]))
    whole = [column for column, kind in enumerate(sums.description.kinds) if sums.exponents[kind] == 0]
    np.testing.assert_array_equal(sums.totals[whole], statistics.totals[whole])
    np.testing.assert_allclose(sums.totals * sums.scale, statistics.totals, rtol=1e-7)
    assert sums.units == (len(set(DOCUMENTS)) if documents else 90)


@pytest.mark.whole
@settings(max_examples=15)
@given(
    st.lists(st.integers(1, 89), max_size=3, unique=True),
    st.integers(1, 50),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_any_cut_and_any_order(places: list[int], lines: int, documents: bool, chance: Any) -> None:
    """The sums of all shards are those of one, however files and pieces are cut."""
    edges = [0, *sorted(places), 90]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "pieces", lambda given: streams.pieces(given, lines=lines))
        shards = [(str(a), shard(a, b, documents=documents)) for a, b in itertools.pairwise(edges)]
    chance.shuffle(shards)
    merged = add_up(shards)
    once = shard(0, 90, documents=documents)
    assert to_bytes(merged) == to_bytes(once)


def test_files_compressed_or_not(tmp_path: Path) -> None:
    files: dict[str, list[str]] = {}
    for name, runs in RUNS.items():
        for number, run in enumerate(runs):
            path = tmp_path / f"{name}{number}.txt{'.gz' if number else ''}"
            data = "\n".join(run).encode() + b"\n"
            path.write_bytes(gzip.compress(data) if number else data)
            files.setdefault(name, []).append(str(path))
    (tmp_path / "ref.txt").write_text("\n".join(REFERENCE))
    told: list[tuple[str, int, int]] = []
    sums = gather(
        files,
        [str(tmp_path / "ref.txt")],
        metrics=["bleu", "rouge1", "ter"],
        resamples=40,
        progress=lambda *one: told.append(one),
    )
    memory = shard(0, 90)
    assert (sums.name, sums.run_names) == ("ref", tuple(path for paths in files.values() for path in paths))
    assert sums.fingerprint == memory.fingerprint
    np.testing.assert_array_equal(sums.poisson, memory.poisson)
    assert {stage for stage, _, _ in told} == {"summing"}
    assert sum(done for _, done, _ in told) == told[0][2] == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_the_fingerprint_knows_every_segment_and_its_place() -> None:
    def of(lines: Sequence[str], first: int = 1) -> int:
        return gather({"a": [lines]}, [["x"] * len(lines)], first=first, resamples=1).fingerprint

    assert len({of(["a", "b"]), of(["b", "a"]), of(["a", "c"]), of(["a", "b"], 2), of(["a"])}) == 5


def again(first: int, last: int, number: int, **options: Any) -> tg.Sums:
    """Some of the segments, under other numbers."""
    part = slice(first, last)
    runs = {name: [run[part] for run in given] for name, given in RUNS.items()}
    return gather(runs, [REFERENCE[part]], first=number + 1, metrics=["bleu"], resamples=40, **options)


def test_a_shard_that_is_given_twice_under_other_numbers() -> None:
    one, two = again(0, 30, 0), again(30, 90, 30)
    for repeated, numbers in ((again(0, 30, 90), (91, 120, 1, 30)), (again(30, 90, 90), (91, 150, 31, 90))):
        with refused(naming=numbers):
            add_up([("a", one), ("b", two), ("c", repeated)])
        with refused():
            add_up([("c", repeated), ("b", two), ("a", one)])
    # Also if shards were merged before, and whatever they were cut into.
    halves = add_up([("x", again(0, 10, 90)), ("y", again(10, 30, 100))])
    with refused(naming=(91, 120, 1, 30)):
        add_up([("a", one), ("b", two), ("c", halves)])


def test_shards_that_differ_in_one_line_are_no_repeats() -> None:
    lines = [f"line {i}" for i in range(40)]
    made = [gather({"a": [lines]}, [lines[::-1]], resamples=5)]
    for changed in ([*lines[:-1], "other"], lines[::-1], [*lines[:20], *lines[20:][::-1]]):
        number = made[-1].ranges[0][1]
        made.append(gather({"a": [changed]}, [lines[::-1]], first=number + 1, resamples=5))
    assert add_up([(str(i), one) for i, one in enumerate(made)]).notes == ()
    swapped = gather({"a": [lines[::-1]]}, [lines], first=201, resamples=5)  # the outputs as the reference
    assert add_up([("a", made[0]), ("b", swapped)]).segments == 80


def test_scores_repeat_by_chance_in_small_shards_only() -> None:
    def of(values: Sequence[int], first: int) -> tg.Sums:
        return tg.stats(None, {"a": values, "b": values[::-1]}, metrics=["scores"], first=first, resamples=5, jobs=1)

    small = [of([0, 1, 1], first) for first in (1, 4, 7)]
    for order in (small, small[::-1]):
        assert len(add_up([(str(i), one) for i, one in enumerate(order)]).notes) == 1
    with refused(naming=["61", "120", "1", "60"]):
        add_up([("a", of([0, 1, 1] * 20, 1)), ("b", of([0, 1, 1] * 20, 61))])


def test_scores() -> None:
    values = np.random.default_rng(1).normal(0.8, 0.1, (2, 50))
    sums = tg.stats(None, {"a": values[0], "b": values[1]}, metrics=["scores"], resamples=9, jobs=1)
    assert sums.description.metrics[0].column == "score"
    assert sums.description.references == 0
    np.testing.assert_allclose((sums.totals * sums.scale)[[0, 2]], values.sum(1), atol=1e-5)
    assert sums.totals[[1, 3]].tolist() == [50, 50]


def test_tables_of_scores(tmp_path: Path) -> None:
    for name, step in (("a", 0.5), ("b", 0.25)):
        rows = "".join(f"{step * i}\t{i + 1}\n" for i in range(30))
        (tmp_path / f"{name}.tsv").write_text(f"errors\twords\n{rows}")
    files = {name: [str(tmp_path / f"{name}.tsv")] for name in ("a", "b")}
    sums = gather(files, metrics=["scores:column=errors,over=words,lower_is_better=yes"], resamples=5)
    assert (sums.totals * sums.scale).tolist() == [217.5, 465.0, 108.75, 465.0]
    with refused():
        gather(files, metrics=["scores"], resamples=5)


def test_lines_of_tables_are_counted_with_their_header(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("score\n0.1\n0.2\n")
    (tmp_path / "b.txt").write_text("0.1\n0.2\n0.3\n")
    (tmp_path / "c.tsv").write_text("score\n0.1\n0.2\n0.3\n0.4\n")
    for one, other, ends in (("a.tsv", "b.txt", "a.tsv"), ("a.tsv", "c.tsv", "a.tsv"), ("c.tsv", "b.txt", "b.txt")):
        with refused(path=tmp_path / ends, line=3):
            gather({"a": [str(tmp_path / one)], "b": [str(tmp_path / other)]}, metrics=["scores"], resamples=5)


def test_empty_segments_are_counted_and_advice_is_given() -> None:
    outputs = ["a b ."] * 20 + [" ", ""]
    sums = gather({"a": [outputs]}, [["a b c"] * 22], resamples=1)
    assert sums.empty.tolist() == [0, 2]


@pytest.mark.parametrize(
    "change",
    [
        {"metrics": ["nist"]},
        {"metrics": ["bleu", "scores"]},
        {"references": []},
        {"metrics": ["scores"]},
        {"systems": {}},
        {"systems": {"a": []}},
        {"systems": {"a": [["x"]]}},
        {"documents": ["d", " ", "d"]},
        {"documents": ["news\td", "news\te", "news\te"]},
        {"documents": ["d", "d"]},
        {"first": 0},
        {"resamples": 0},
        {"resamples": 1.5},
        {"jobs": 0},
        {"seed": -1},
        {"metrics": ["blue"]},
    ],
    ids=str,
)
def test_refusals(change: dict[str, Any]) -> None:
    options: dict[str, Any] = {"systems": {"a": [["x", "y", "z"]]}, "references": [["r1", "r2", "r3"]], **change}
    with refused():
        gather(options.pop("systems"), options.pop("references"), **{"resamples": 2, **options})


def test_a_piece_that_is_right_is_no_copy_of_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "pieces", lambda given: streams.pieces(given, lines=2))
    sums = gather(
        {"a": [["r1", "r2", "r3", "x"]], "b": [["r1", "x", "r3", "r4"]]}, [["r1", "r2", "r3", "r4"]], resamples=2
    )
    assert sums.segments == 4
    assert sums.copied.tolist() == [[3, 3]]


def test_a_reference_given_as_a_system() -> None:
    """Scored, as one that is right in all it says, and said when all shards are there."""
    lines = [f"line {i} has these words" for i in range(80)]
    other = lines[::-1]
    parts = [
        gather({"b": [other[a:b]], "a": [lines[a:b]]}, [["x"] * (b - a), lines[a:b]], first=a + 1, resamples=9)
        for a, b in ((0, 40), (40, 80))
    ]
    merged = tg.merge(parts)
    assert next(one.score for one in merged.scores if one.name == "a") == pytest.approx(100.0)
    assert len([note for note in merged.notes if note.warning]) == 1
    wrong = gather({"b": [other], "a": [lines]}, [["x"] * 80, [*lines[1:], "x"]], resamples=9)
    assert not any(note.warning for note in tg.merge(wrong).notes)


def test_one_file_twice(tmp_path: Path) -> None:
    path, link = tmp_path / "ref.txt", tmp_path / "link.txt"
    path.write_text("a b\nc d\n")
    link.symlink_to(path)
    out = tmp_path / "out.txt"
    out.write_text("a b\nc e\n")
    for again in (path, link):
        with refused():
            gather({"a": [str(out)]}, [str(path), str(again)], resamples=2)
        with refused(naming=["ref.txt"]):
            gather({"a": [str(again)]}, [str(path)], resamples=2)
    with refused(naming=["a ", "a"]):
        gather({"a": [["x"]], "a ": [["y"]]}, [["x"]], resamples=2)


def test_memory_does_not_grow_with_the_segments() -> None:
    """Generators of lines, of which no more than a piece is held at once."""
    held = most = 0

    class Line(str):
        __slots__ = ()

        def __new__(cls, text: str) -> Line:
            nonlocal held, most
            held += 1
            most = max(most, held)
            return super().__new__(cls, text)

        def __del__(self) -> None:
            nonlocal held
            held -= 1

    count = 3 * streams._LINES
    gather(
        {"a": [(Line(f"a b c {i % 7}") for i in range(count))]},
        [(Line(f"a b d {i % 5}") for i in range(count))],
        resamples=1,
    )
    assert most <= 4 * streams._LINES + 10
    assert held == 0


def test_runs_that_do_not_resemble_their_references_are_told_in_every_order() -> None:
    def of(first: int, last: int, shift: int) -> tg.Sums:
        part = slice(first, last)
        outputs = RUNS["a"][0][part]
        moved = [*outputs[shift:], *outputs[:shift]]
        return gather({"a": [outputs], "b": [moved]}, [REFERENCE[part]], first=first + 1, resamples=40)

    for shift in (0, 1):
        for shards in itertools.permutations([("one", of(0, 45, shift)), ("two", of(45, 90, shift))]):
            assert ("unlike-reference" in kinds(add_up(shards).notes)) == (shift == 1)
    one, two = of(0, 45, 1), of(45, 90, 0)
    assert to_bytes(add_up([("one", one), ("two", two)])) == to_bytes(add_up([("two", two), ("one", one)]))
    few = [RUNS["a"][0][i] for i in (1, 2, 0)]
    assert not gather({"a": [RUNS["a"][0][:3]], "b": [few]}, [REFERENCE[:3]], resamples=40).notes
