"""Parts in files: what is written is read, and every damage is said."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.engines.part_files import MAGIC, Call, Part, read_part
from truegain.errors import InputError

PART = Part(
    2,
    3,
    {
        "aa": Call("resample", 7, (np.array([[1.5, -0.0], [np.nan, 5e-324]]),)),
        "bb": Call("deal", 2, (np.zeros((3, 1)),)),
        "cc": Call("count", 9, (np.array([3, 0]), np.empty(0, np.int64))),
    },
    "truegain compare 'ä b' \x1b[31m",
)


def written(folder: Path, data: bytes) -> Path:
    path = folder / "file.part"
    path.write_bytes(data)
    return path


def test_what_is_written_is_read(tmp_path: Path) -> None:
    found = read_part(written(tmp_path, PART.pack()))
    assert (found.part, found.parts, found.command, found.version) == (2, 3, PART.command, PART.version)
    assert list(found.calls) == list(PART.calls)
    for key, call in PART.calls.items():
        other = found.calls[key]
        assert (other.kind, other.resamples) == (call.kind, call.resamples)
        for one, two in zip(call.arrays, other.arrays, strict=True):
            assert (one.shape, one.tobytes()) == (two.shape, two.tobytes())


def test_the_same_bytes_every_time() -> None:
    assert PART.pack() == PART.pack()
    assert PART.pack().startswith(MAGIC)


PACKED = PART.pack()


@pytest.mark.whole
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(st.integers(0, len(PACKED) - 1), st.integers(1, 255))
def test_a_byte_that_is_another(tmp_path: Path, place: int, change: int) -> None:
    damaged = bytearray(PACKED)
    damaged[place] ^= change
    with refused():
        read_part(written(tmp_path, bytes(damaged)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(0, len(PACKED) - 1), st.binary(max_size=20))
def test_a_file_that_is_cut_short_or_goes_on(tmp_path: Path, length: int, more: bytes) -> None:
    for data in (PACKED[:length], PACKED[:length] + more, PACKED + more):
        if data != PACKED:
            with pytest.raises(InputError):
                read_part(written(tmp_path, data))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_with_a_right_checksum(tmp_path: Path, data: bytes, opened: bool) -> None:
    content = (MAGIC if opened else b"") + data
    with pytest.raises(InputError):
        read_part(written(tmp_path, content + hashlib.blake2b(content, digest_size=32).digest()))


def packed(header: Any, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    content = MAGIC + len(text).to_bytes(8, "little") + text + body
    return content + hashlib.blake2b(content, digest_size=32).digest()


def header(**changes: Any) -> dict[str, Any]:
    call = {"key": "aa", "kind": "resample", "resamples": 2, "arrays": [["<f8", 1, 2]]}
    call |= {name: changes.pop(name) for name in list(changes) if name in call}
    return {"version": "1", "part": 1, "parts": 1, "command": "", "calls": [call]} | changes


def test_a_header_by_hand(tmp_path: Path) -> None:
    found = read_part(written(tmp_path, packed(header(), np.array([1.0, 2.0]).tobytes())))
    assert found.calls["aa"].arrays[0].tolist() == [[1.0, 2.0]]


HEADERS: dict[str, Any] = {
    "no header": b"",
    "no JSON": b"{",
    "no object": [],
    "deep": b"[" * 100_000,
    "not UTF-8": b"\xff",
    "no part": header(part=0),
    "a part too many": header(part=2),
    "too many parts": header(parts=10**6),
    "a number of parts that is none": header(parts="1"),
    "a choice for a part": header(part=True),
    "no calls": header(calls=None),
    "a call that is none": header(calls=[1]),
    "another kind": header(kind="pickle"),
    "a kind that is no text": header(kind=[]),
    "a key that is no text": header(key=3),
    "another command": header(command=3),
    "another version": header(version=None),
    "objects": header(arrays=[["|O8", 1, 2]]),
    "a shape below zero": header(arrays=[["<f8", -1, -2]]),
    "an endless shape": header(arrays=[["<f8", 2**70, 2]]),
    "a shape of fractions": header(arrays=[["<f8", 1.0, 2]]),
    "a shape for other resamples": header(arrays=[["<f8", 2, 1]]),
    "one axis": header(arrays=[["<f8", 2]]),
    "no array": header(arrays=[]),
    "an array without a name": header(arrays=[[]]),
    "whole numbers": header(arrays=[["<i8", 1, 2]]),
    "counts that are fractions": header(kind="count", arrays=[["<f8", 2]]),
    "counts in a table": header(kind="count", arrays=[["<i8", 1, 2]]),
    "resamples below zero": header(resamples=-2),
    "a body too long": header(resamples=1, arrays=[["<f8", 1, 1]]),
}


@pytest.mark.parametrize("number", [1e308, -1e308, np.inf])
def test_scores_that_no_score_can_be(tmp_path: Path, number: float) -> None:
    with refused():
        read_part(written(tmp_path, packed(header(), np.array([number, 0.0]).tobytes())))


@pytest.mark.parametrize("counts", [[-1, 0], [0, 3], [0, 2**62]])
def test_counts_of_more_resamples_than_there_are(tmp_path: Path, counts: list[int]) -> None:
    counted = header(kind="count", arrays=[["<i8", 2]])
    read_part(written(tmp_path, packed(counted, np.array([0, 2]).tobytes())))
    with refused():
        read_part(written(tmp_path, packed(counted, np.array(counts).tobytes())))


@pytest.mark.parametrize("what", HEADERS)
def test_headers_that_are_whole_and_wrong(tmp_path: Path, what: str) -> None:
    with refused():
        read_part(written(tmp_path, packed(HEADERS[what], np.array([1.0, 2.0]).tobytes())))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", "a\0b"):
        with refused():
            read_part(path)
