"""Every kernel, compiled, against the same file run as plain Python."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain.kernels
import truegain.version
from truegain.kernels import (
    alignments,
    compiled,
    draws,
    envelopes,
    missing,
    neighbours,
    ngrams,
    packed_sums,
    pairs,
    phrases,
    run,
    subsequences,
    tokens,
    widest,
)
from truegain.text.words import CodePoints, character_classes


def plain(kernel: ModuleType) -> ModuleType:
    """The kernel's source as an ordinary module, whatever is compiled."""
    name = kernel.__name__.rpartition(".")[2]
    path = Path(truegain.kernels.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"plain_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.__file__ == str(path)
    return module


def both(kernel: ModuleType, name: str, *arguments: Any) -> None:
    """Run both forms on copies of the arguments: the same result, and the same in every array."""
    first = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    second = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    a = run(getattr(kernel, name), *first)
    b = run(getattr(plain(kernel), name), *second)
    assert a == b
    for one, other in zip(first, second, strict=True):
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other)


def test_the_kernels_are_compiled() -> None:
    assert missing() == []
    assert compiled()


def test_missing_kernels_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    for name in ("draws.py", "_private.py"):
        (tmp_path / "kernels" / name).touch()
    monkeypatch.setattr(truegain.version, "__file__", str(tmp_path / "version.py"))
    assert missing() == ["draws"]


LINES = ["Hello, world 3.5-4 a.b ..", "", "  (x) 1,000. -- 4-5 €\u3000\u00a0z ", "&quot;...,,", "'tis 10.–\U0001f600,5"]


def spans() -> tuple[CodePoints, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    source = CodePoints.of(LINES)
    room = np.zeros(source.text.size, np.int64)
    return source, room, room.copy(), np.zeros(len(LINES) + 1, np.int64)


def test_split_13a() -> None:
    source, starts, ends, offsets = spans()
    both(tokens, "split_13a", source.text, source.bounds, character_classes(), starts, ends, offsets)


@pytest.mark.parametrize("detach", [False, True])
def test_split_blanks(detach: bool) -> None:
    source, starts, ends, offsets = spans()
    both(tokens, "split_blanks", source.text, source.bounds, character_classes(), detach, starts, ends, offsets)


@pytest.mark.parametrize("keep", [False, True])
def test_squeeze(keep: bool) -> None:
    source, _, _, offsets = spans()
    both(tokens, "squeeze", source.text, source.bounds, character_classes(), np.zeros(99, np.int32), offsets, keep)


def test_intern() -> None:
    source, starts, ends, offsets = spans()
    count = run(tokens.split_13a, source.text, source.bounds, character_classes(), starts, ends, offsets)
    slots = np.full(128, -1, np.int32)
    known = np.zeros(count, np.int64)
    arguments = (source.text, starts[:count], ends[:count], source.text, known, known.copy(), slots, 0, True)
    both(tokens, "intern", *arguments, np.zeros(count, np.int32))


@pytest.mark.parametrize("weighted", [False, True])
def test_matches_by_table(weighted: bool) -> None:
    generator = np.random.default_rng(3)
    lengths = generator.integers(0, 12, 30)
    reference_lengths = generator.integers(0, 12, 60)
    both(
        ngrams,
        "matches_by_table",
        np.delete(np.arange(30), [0, 7, 8]),
        generator.integers(-1, 6, lengths.sum()).astype(np.int32),
        np.concatenate([[0], np.cumsum(lengths)]),
        generator.integers(0, 5, reference_lengths.sum()).astype(np.int32),
        np.concatenate([[0], np.cumsum(reference_lengths)]),
        np.arange(0, 61, 2),
        np.zeros(5, np.int32),
        np.zeros((400, 4), np.int32),
        np.zeros((25, 6), np.int32),
        np.zeros((13, 3), np.int32),
        np.zeros((30, 5), np.int64),
        generator.integers(0, 99, (reference_lengths.sum() * weighted, 5)).astype(np.int32),
        np.zeros(25, np.int32),
    )


@pytest.mark.parametrize("no_context", [-1, 0, 5])
def test_number_longer(no_context: int) -> None:
    generator = np.random.default_rng(7)
    lengths = generator.integers(0, 12, 30)
    symbols = np.append(generator.integers(0, 5, lengths.sum() - 1), 5).astype(np.int32)  # one that occurs once
    both(
        ngrams,
        "number_longer",
        symbols,
        np.concatenate([[0], np.cumsum(lengths)]),
        2,
        no_context,
        np.where(generator.random(symbols.size) < 0.1, -1, symbols).astype(np.int32),
        np.bincount(symbols),
        np.zeros(256, np.int32),  # of which most are taken
        *(np.zeros(symbols.size, np.int64) for _ in range(3)),
    )


@pytest.mark.parametrize("orders", [1, 6, 32])
def test_matches_by_bits(orders: int) -> None:
    generator = np.random.default_rng(orders)
    lengths, reference_lengths = (generator.integers(0, 200, 30) for _ in range(2))
    both(
        ngrams,
        "matches_by_bits",
        np.delete(np.arange(30), [0, 7, 8]),
        generator.integers(-1, 4, lengths.sum()).astype(np.int32),
        np.concatenate([[0], np.cumsum(lengths)]),
        generator.integers(0, 3, reference_lengths.sum()).astype(np.int32),
        np.concatenate([[0], np.cumsum(reference_lengths)]),
        np.arange(31),
        np.zeros(3, np.int32),
        np.zeros(4, np.uint64),
        np.zeros((200, 2), np.int32),
        np.zeros(200 + orders, np.uint64),
        np.zeros(200, np.uint64),
        np.zeros((orders, 200), np.uint64),
        np.zeros((30, orders), np.int64),
    )


@pytest.mark.parametrize("most", [1, 3])
def test_union_hits(most: int) -> None:
    generator = np.random.default_rng(most)
    edges = []
    for texts, longest in ((5, 20), (8, 150)):  # said, wanted: the sentences of texts, and the words of sentences
        groups = np.concatenate([[0], np.cumsum(generator.integers(1, most + 1, texts))])
        edges.append((np.concatenate([[0], np.cumsum(generator.integers(0, longest, groups[-1]))]), groups))
    (said, said_groups), (wanted, wanted_groups) = edges
    both(
        subsequences,
        "union_hits",
        generator.integers(-1, 6, said[-1]).astype(np.int32),
        said,
        said_groups,
        generator.integers(0, 6, wanted[-1]).astype(np.int32),
        wanted,
        wanted_groups,
        np.array([0, 0, 1, 2, 3, 3, 4, 4]),
        np.zeros(6, np.int32),
        np.zeros(6, np.int32),
        np.zeros(6 * 3, np.uint64),
        np.zeros(21 * 3, np.uint64),
        np.zeros(20, np.int32),
        np.zeros(150, np.uint8),
        np.zeros(8, np.int64),
    )


def test_draws() -> None:
    keys = np.zeros(7, np.uint64)
    both(draws, "resample_keys", 2**64 - 3, 2**40 + 1, 2**32 - 2, keys)
    run(draws.resample_keys, 12345, 1, 0, keys)
    for units in (1, 2, 7, 64, 131):
        both(draws, "bootstrap_counts", keys, np.zeros((7, units), np.float32), np.zeros(units, np.uint32))
        room = np.zeros((1, 5), np.uint16), np.zeros(1, np.int32)
        both(draws, "bootstrap_bytes", keys, np.zeros((7, units), np.uint8), *room)
        for threshold in (0, 2**31, 2**32 // 5, 2**32):
            both(
                draws,
                "stationary_counts",
                keys,
                threshold,
                np.zeros((7, units), np.float32),
                np.zeros(units, np.uint32),
            )
    for strata in ([1], [131], [1, 1], [3, 4], [2, 64, 1, 30], [1] * 9):
        edges = np.concatenate([[0], np.cumsum(strata)])
        room = np.zeros((7, edges[-1]), np.float32), np.zeros(edges[-1], np.uint32)
        both(draws, "stratified_counts", keys, edges, *room)


@pytest.mark.parametrize("units", [1, 63, 64, 65, 149])
def test_packed_sums(units: int) -> None:
    generator = np.random.default_rng(units)
    keys = np.zeros(7, np.uint64)
    run(draws.resample_keys, 12345, 1, 0, keys)
    words = generator.integers(0, 2**50, 2 * units).astype(np.uint64)
    both_builds(packed_sums, "swap_sums", keys, words, np.zeros(8 * 256 * 2, np.uint64), np.zeros(2 * 7, np.uint64))
    for width, columns in ((4, 1), (4, 16), (8, 17), (8, 32)):
        for part, most in ((2, 0x7FFF), (64, 0x3FF), (150, 0x1B4)):
            rows = generator.integers(0, most + 1, (units, 4 * width)).astype("<u2")
            words = rows.view("<u8").astype(np.uint64).ravel()
            room = np.zeros(width, np.uint64), np.zeros((columns, 7), np.int64)
            both_builds(packed_sums, "draw_sums", keys, units, words, part, *room)


def both_builds(kernel: ModuleType, name: str, *arguments: Any) -> None:
    """As :func:`both`, of both builds of a kernel."""
    both(kernel, name, *arguments)
    with patch.object(kernel, name, getattr(widest(kernel.__name__.rpartition(".")[2]), name)):
        both(kernel, name, *arguments)


@pytest.mark.parametrize(
    ("segments", "runs", "width"), [(1, 1, 1), (1, 2, 1), (9, 2, 3), (13, 3, 1), (7, 6, 5), (0, 3, 2)]
)
def test_deal_sums(segments: int, runs: int, width: int) -> None:
    keys = np.zeros(5, np.uint64)
    run(draws.resample_keys, 12345, 4, 2**32 - 2, keys)
    values = np.random.default_rng(2).integers(-(2**40), 2**40, (segments, runs, width))
    both(draws, "deal_sums", keys, values, np.zeros(runs, np.uint32), np.zeros((5, runs, width), np.int64))


@pytest.mark.parametrize("width", [1, 3, 4, 30, 101])
def test_pairs(width: int) -> None:
    generator = np.random.default_rng(width)
    systems = 6
    scores = generator.normal(size=(systems, width))
    scores[3] = scores[1]
    firsts, seconds = (one.astype(np.int64) for one in np.triu_indices(systems, 1))
    centres = generator.normal(size=firsts.size) / 10
    limits = np.abs(scores[seconds, 0] - scores[firsts, 0] - centres) * 1.1  # reached exactly, once at least
    counts, sums = np.arange(firsts.size), np.linspace(0.0, 1.0, firsts.size)
    room = np.zeros((systems + 1, width), np.float32), np.zeros((systems + 1, 3)), np.zeros(width)
    largest = np.zeros(width), np.zeros(width, np.int64), np.zeros(firsts.size + 1, np.int64)
    for kernel in (pairs, widest("pairs")):
        for name, arguments in {
            "count_pairs": (centres, limits, 1.1, *room, counts),
            "count_above": (centres, limits, 1.1, counts),
            "square_sums": (centres, 1.1, sums),
            "count_maxima": (centres, sums + 0.5, np.sort(limits), *room, *largest, counts),
        }.items():
            both_of(kernel, name, scores, firsts, seconds, *arguments)


def both_of(kernel: ModuleType, name: str, *arguments: Any) -> None:
    """As :func:`both`, of a build of the pairs' kernel: its plain form is the same file."""
    first, second = ([one.copy() if isinstance(one, np.ndarray) else one for one in arguments] for _ in range(2))
    run(getattr(kernel, name), *first)
    run(getattr(plain(pairs), name), *second)
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_widest_build_is_one_of_the_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truegain.kernels, "_has_avx2", lambda: False)
    assert widest.__wrapped__("pairs") is pairs
    monkeypatch.setattr(truegain.kernels, "_has_avx2", lambda: True)
    assert widest.__wrapped__("pairs").__name__ in ("truegain.kernels.pairs", "truegain.kernels._pairs_avx2")
    assert widest.__wrapped__("tokens") is tokens


@pytest.mark.parametrize(("beam", "room"), [(1, 4000), (3, 4000), (40, 4000), (40, 30)])
def test_align(beam: int, room: int) -> None:
    generator = np.random.default_rng(beam)
    said, wanted = (np.concatenate([[0], np.cumsum(generator.integers(0, 9, 12))]) for _ in range(2))
    spots = []
    for offsets in (said, wanted):  # phrases of one and two words, by a number of their own
        rows = [
            [start, length, (start * length) % 5]
            for n in np.diff(offsets)
            for start in range(n)
            for length in (1, 2)
            if start + length <= n
        ]
        counts = [sum(start + length <= n for start in range(n) for length in (1, 2)) for n in np.diff(offsets)]
        spots += [np.array(rows, np.int32), np.concatenate([[0], np.cumsum(counts)])]
    both(
        alignments,
        "align",
        beam,
        generator.integers(0, 6, said[-1]).astype(np.int32),
        said,
        generator.integers(0, 6, wanted[-1]).astype(np.int32),
        wanted,
        np.arange(12),
        np.arange(4, dtype=np.int32),
        np.arange(6, dtype=np.int32),
        np.array([0, 0, 1, 2, 3, 3], np.int32),
        np.array([1, 2, 2, 5], np.int32),
        np.array([0, 0, 2, 3, 4, 4, 4]),
        np.array([1, 0, 0, 1, 0, 0], np.uint8),
        *spots,
        np.array([1, 2, 4], np.int32),
        np.array([0, 1, 1, 2, 3, 3]),
        np.array([3, 0], np.int32),
        np.array([0, 0, 1, 1, 1, 2]),
        room,
        np.zeros((12, 23), np.int64),
    )


def test_phrases() -> None:
    text = np.frombuffer("0.5\na b\nc\n0.1\nc\nd é\n0.2\nb\n".encode(), np.uint8)
    letters = np.frombuffer("abcd é".replace(" ", "").encode(), np.uint8)
    prints = np.zeros(5, np.uint64)
    both(phrases, "fingerprints", letters, np.array([1, 2, 3, 4, 6]), prints)
    run(phrases.fingerprints, letters, np.array([1, 2, 3, 4, 6]), prints)
    slots, numbers = np.zeros(16, np.uint64), np.zeros(16, np.int32)
    hashes = np.zeros(20, np.uint64)
    texts = np.array([0, 1, 2, 3, 4], np.int32), np.array([0, 3, 3, 5])
    nothing = np.zeros(0, np.uint64), np.zeros(0, np.int32), np.zeros((0, 3), np.int32), np.zeros(4, np.int64)
    both(phrases, "spans", *texts, prints, 2, *nothing, hashes)
    count = run(phrases.spans, *texts, prints, 2, *nothing, hashes)
    both(phrases, "occupy", hashes[: count - 2], slots, numbers)
    run(phrases.occupy, hashes[: count - 2], slots, numbers)
    both(phrases, "spans", *texts, prints, 2, slots, numbers, np.zeros((20, 3), np.int32), nothing[3], hashes)
    asked, found = np.append(hashes[: count - 2][::-1], np.uint64(0)), np.full(count - 1, -1, np.int32)
    both(phrases, "look_up", asked, slots, numbers, found)
    run(phrases.look_up, asked, slots, numbers, found)
    assert found.tolist() == [*range(count - 3, -1, -1), 0]
    counts = np.zeros(3, np.int64)
    pairs = np.zeros((9, 2), np.uint64)
    both(phrases, "entries", text, pairs, counts)
    run(phrases.entries, text, pairs, counts)
    assert counts.tolist() == [2, 21, 2]
    assert text[counts[1] :].tobytes() == b"0.2\nb\n"
    firsts, seconds = (np.ascontiguousarray(pairs[:2, side]) for side in range(2))
    chosen = firsts, np.array([1, 2]), seconds, slots, np.zeros((9, 2), np.uint64), np.zeros(9, np.uint8)
    both(phrases, "wanted", *chosen)
    assert run(phrases.wanted, *chosen) == 2
    assert chosen[-1][:2].tolist() == [3, 1]


def test_java_hashes() -> None:
    text = np.frombuffer("abcdefghijkl\U0001f600\uffff".encode("utf-16-le"), np.uint16)
    both(phrases, "java_hashes", text, np.array([0, 12, 12, 15]), np.zeros(4, np.uint32))


def test_envelopes() -> None:
    random = np.random.default_rng(4)
    edges = np.array([0, 1, 6, 9, 20], np.int64)
    features = random.integers(-3, 4, (20, 3)).astype(float)
    scores = np.empty(20)
    both(envelopes, "project", features, np.array([0.3, -1.0, 2.0]), scores)
    both(envelopes, "best_of_lists", edges, np.ascontiguousarray(features[:, 0]), np.zeros(4, np.int64))
    values, slopes = np.ascontiguousarray(features[:, 0]), np.ascontiguousarray(features[:, 1])
    rooms = np.zeros(4, np.int64), np.zeros(20), np.zeros(20, np.int64), np.zeros(20, np.int64)
    both(envelopes, "envelopes", edges, values, slopes, *rooms)


@pytest.mark.parametrize("count", [2, 35])
@pytest.mark.parametrize("strata", [[40], [1, 11, 25, 10, 3]])
def test_permuted_products(strata: list[int], count: int) -> None:
    random = np.random.default_rng(4)
    keys = random.integers(0, 2**64, (3, len(strata)), np.uint64)
    edges = np.cumsum([0, *strata])
    series = random.standard_normal((sum(strata), count))
    order = np.zeros(sum(strata), np.int64)
    both(neighbours, "permuted_products", keys, edges, series, 10, order, np.zeros((3, count, 2)))
