"""Statistics on disk: found again, never believed when damaged, never in the way."""

from __future__ import annotations

import errno
import hashlib
import os
import struct
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import truegain as tg
from tests.refusals import refused
from truegain.cache import Cache, digest_lines, key_of

REFERENCE = [f"the cat number {i} sat on the mat" for i in range(12)]
SYSTEMS = {
    "base": [f"the cat number {i} sits on a mat" for i in range(12)],
    "new": [f"the cat number {i} sat on {'a' if i % 3 else 'the'} mat" for i in range(12)],
}


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def compare(cache: Cache | None, **options: Any) -> dict[str, Any]:
    return tg.compare(REFERENCE, SYSTEMS, resamples=50, cache=cache, jobs=1, **options).to_dict()


def entries(cache: Cache) -> list[Path]:
    return sorted(path for path in cache.directory.iterdir() if path.suffix == ".statistics")


@pytest.mark.parametrize(
    "values",
    [
        np.arange(12, dtype=np.int32).reshape(3, 4),
        np.array([[0.1, -1e300], [np.pi, 5e-324]]),
        np.zeros((0, 4)),
        np.asfortranarray(np.arange(6).reshape(2, 3)),
    ],
)
def test_what_was_put_is_found_again(cache: Cache, values: NDArray[Any]) -> None:
    cache.put("key", values)
    assert cache.get("other") is None
    found = cache.get("key")
    assert found is not None
    assert found.dtype == values.dtype
    np.testing.assert_array_equal(found, values)


@pytest.mark.parametrize("place", [0, 1, 5, 22, 25, 38, 40, 60, 100, -1])
@pytest.mark.parametrize("flipped", [True, False])
def test_an_entry_with_a_flipped_bit_or_cut_there_is_noticed_and_removed(
    cache: Cache, place: int, flipped: bool
) -> None:
    cache.put("key", np.arange(100))
    (path,) = entries(cache)
    data = bytearray(path.read_bytes())
    data[place] ^= 4
    path.write_bytes(data if flipped else data[:place])
    assert cache.get("key") is None
    assert not path.exists()


def sealed(key: str, body: bytes) -> bytes:
    """An entry whose checksum fits, whatever it holds."""
    told = f"{key}\n{len(body)} {zlib.crc32(body)}".encode()
    return b"truegain-statistics-4\n" + hashlib.blake2b(told, digest_size=16).digest() + body


def numbers(kind: bytes, *shape: int, values: bytes = b"") -> bytes:
    return kind + struct.pack(f"<{1 + len(shape)}Q", len(shape), *shape) + values


# Twelve segments with ten statistics of BLEU each are what the entry should hold.
IMPOSSIBLE = {
    "nothing": b"",
    "NaN": numbers(b"<f8", 12, 10, values=np.full(120, np.nan).tobytes()),
    "one infinite": numbers(b"<f8", 12, 10, values=np.r_[np.zeros(119), np.inf].tobytes()),
    "texts": numbers(b"<U1", 12, 10, values=np.full(120, "x").tobytes()),
    "objects": numbers(b"|O8", 12, 10, values=bytes(960)),
    "a deep header": b"\x93NUMPY\x01\x00" + struct.pack("<H", 60_000) + b"(" * 60_000,
    "an archive": b"PK\x03\x04" + bytes(40),
    "too few numbers": numbers(b"<f8", 12, 10, values=bytes(8)),
    "too many numbers": numbers(b"<f8", 12, 10, values=bytes(968)),
    "a shape that is not there": numbers(b"<f8")[:5],
    "axes without end": b"<f8" + struct.pack("<Q", 2**63),
    "three axes": numbers(b"<f8", 12, 10, 1, values=bytes(960)),
    "an endless shape": numbers(b"<f8", 2**63, 2),
    "nothing times endless": numbers(b"<f8", 0, 2**63),
    "another shape": numbers(b"<f8", 10, 12, values=bytes(960)),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_an_impossible_entry_is_computed_again(cache: Cache, bleu_calls: list[int], what: str) -> None:
    expected = compare(cache)
    assert len(bleu_calls) == 2
    path = entries(cache)[0]
    whole = path.read_bytes()
    path.write_bytes(sealed(path.stem, IMPOSSIBLE[what]))
    assert compare(cache) == expected
    assert len(bleu_calls) == 3
    assert path.read_bytes() == whole


@settings(deadline=None)
@given(st.binary(max_size=60), st.sampled_from([b"", b"<i4", b"<i8", b"<f8", numbers(b"<f8", 1, 1)]))
def test_any_bytes_under_a_checksum_that_fits(body: bytes, opening: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        cache = Cache(Path(place))
        (Path(place) / "key.statistics").write_bytes(sealed("key", opening + body))
        found = cache.get("key")
        assert found is None or np.isfinite(found).all()


@pytest.mark.parametrize("kind", [bool, np.uint8, np.float32, ">i4"])
def test_other_numbers_are_kept_as_floats(cache: Cache, kind: Any) -> None:
    cache.put("key", np.array([[0, 1], [1, 0]]).astype(kind))
    found = cache.get("key")
    assert found is not None
    assert found.dtype == (np.int32 if kind == ">i4" else np.float64)
    assert found.tolist() == [[0, 1], [1, 0]]


def test_statistics_are_computed_once_for_any_test(cache: Cache, bleu_calls: list[int]) -> None:
    without = compare(None)
    bleu_calls.clear()
    first = compare(cache)
    assert len(bleu_calls) == 2
    again = compare(cache)
    compare(cache, test="bootstrap")
    compare(cache, seed=1, alpha=0.1, unit="segment", baseline="new")
    assert len(bleu_calls) == 2
    assert first == again == without


def test_other_references_are_other_entries(cache: Cache, bleu_calls: list[int]) -> None:
    compare(cache)
    tg.compare([REFERENCE, REFERENCE[::-1]], SYSTEMS, resamples=50, cache=cache, jobs=1)
    tg.compare([REFERENCE[::-1], REFERENCE], SYSTEMS, resamples=50, cache=cache, jobs=1)
    assert len(bleu_calls) == 6


def test_the_entries_used_longest_ago_go_first(tmp_path: Path) -> None:
    values = np.arange(1000)
    cache = Cache(tmp_path)
    cache.put("probe", values)
    size = cache.info().size
    cache.clear()
    cache = Cache(tmp_path, limit=3 * size)
    for age, key in enumerate(["a", "b", "c"]):
        cache.put(key, values)
        os.utime(tmp_path / f"{key}.statistics", (1000 + age, 1000 + age))
    assert cache.info().entries == 3
    assert cache.get("a") is not None  # used now, so "b" is the oldest
    cache.put("d", values)
    assert {path.stem for path in entries(cache)} == {"a", "c", "d"}
    assert cache.info().size <= cache.limit
    cache.put("larger than the bound", np.arange(5000))
    assert {path.stem for path in entries(cache)} == {"a", "c", "d"}


@pytest.mark.parametrize("where", ["os.fdopen", "pathlib.Path.replace"])
def test_a_write_that_fails_leaves_nothing_behind(cache: Cache, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    cache.put("key", np.ones(3))
    monkeypatch.setattr(where, full)
    cache.put("key", np.zeros(3))
    cache.put("other", np.zeros(3))
    monkeypatch.undo()
    assert [path.name for path in cache.directory.iterdir()] == ["key.statistics"]
    found = cache.get("key")
    assert found is not None
    assert found.tolist() == [1.0, 1.0, 1.0]


def test_a_directory_that_cannot_be_written_is_no_error(tmp_path: Path, bleu_calls: list[int]) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "cache")
    assert compare(cache) == compare(None)
    assert len(bleu_calls) == 4
    assert cache.info().entries == 0
    assert cache.clear() == 0


def test_info_and_clear(cache: Cache) -> None:
    assert cache.info().entries == 0
    cache.put("a", np.ones(3))
    cache.put("b", np.ones(3))
    (cache.directory / "mine.txt").write_text("not the cache's")
    info = cache.info()
    assert (info.directory, info.entries) == (cache.directory, 2)
    assert info.size == sum(path.stat().st_size for path in entries(cache))
    assert cache.clear() == 2
    assert [path.name for path in cache.directory.iterdir()] == ["mine.txt"]


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("TRUEGAIN_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value, place in (
        ("HOME", "", ".cache/truegain"),
        ("XDG_CACHE_HOME", "xdg", "xdg/truegain"),
        ("TRUEGAIN_CACHE", "own", "own"),
    ):
        monkeypatch.setenv(variable, str(tmp_path / value))
        assert Cache().directory == tmp_path / place


def test_how_large_the_cache_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Cache().limit == 1 << 30
    monkeypatch.setenv("TRUEGAIN_CACHE_SIZE", "")
    assert Cache().limit == 1 << 30
    monkeypatch.setenv("TRUEGAIN_CACHE_SIZE", "12345")
    assert Cache().limit == 12345
    assert Cache(limit=7).limit == 7
    for size in ("1GB", "1e9", "lots"):
        monkeypatch.setenv("TRUEGAIN_CACHE_SIZE", size)
        with refused(naming=["number"]):
            Cache()


_lines = st.lists(st.one_of(st.none(), st.text(st.characters(), max_size=5)), max_size=5)


@settings(deadline=None)
@given(_lines, _lines)
def test_fingerprints_tell_lines_apart(one: list[str | None], other: list[str | None]) -> None:
    assert (digest_lines(one) == digest_lines(other)) == (one == other)


def test_nothing_and_an_empty_line_differ() -> None:
    assert len({digest_lines(lines) for lines in ([], [""], [None], ["", ""], ["", None])}) == 5


@settings(deadline=None)
@given(st.text(st.sampled_from("ab\x00\x01\x08"), max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_where_a_line_ends_is_part_of_its_fingerprint(text: str, first: int, second: int) -> None:
    one, other = ([text[:at], text[at:]] for at in (min(first, len(text)), min(second, len(text))))
    assert (digest_lines(one) == digest_lines(other)) == (one == other)
    assert digest_lines(one) != digest_lines([text])


@settings(deadline=None)
@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_keys_tell_their_parts_apart(one: list[bytes], other: list[bytes]) -> None:
    assert (key_of(*one) == key_of(*other)) == (one == other)


def test_keys_are_names_of_files() -> None:
    assert key_of("a/../b", b"\x00").isalnum()
    assert key_of("a") == key_of(b"a")


def test_what_a_killed_process_left_is_swept_up(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    old, young = tmp_path / ".new-old", tmp_path / ".new-young"
    for path in (old, young):
        path.write_bytes(b"half an entry")
    os.utime(old, (1, 1))
    cache.put("key", np.ones((2, 2)))
    assert not old.exists()
    assert young.exists(), "another process may be writing it"
