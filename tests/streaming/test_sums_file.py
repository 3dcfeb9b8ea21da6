"""Sums as files: what is written comes back, and whatever else a file holds is refused in words."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.errors import InputError
from truegain.notes import Note
from truegain.streaming.fold import Fold
from truegain.streaming.sums import MAGIC, Description, MetricPart, Sums, to_bytes, write_sums
from truegain.streaming.sums_file import from_bytes, read_sums

ARRAYS = ("exponents", "totals", "reach", "poisson", "swaps", "drawn", "differing", "empty", "copied", "documents")

NOTES = [Note("b", "b", file="x", more=2), Note("a", "a", warning=True)]


def made(unit: str = "segment", *, first: int = 3, seed: int = 1) -> Sums:
    metrics = (MetricPart("bleu", "sig", ("a", "b")), MetricPart("scores", "sig", ("c",), "comet"))
    fold = Fold(Description(metrics, ("base", "n\udc80ew"), (1, 2), 1, unit, 5, 2**64 - 1))
    values = np.random.default_rng(seed).integers(0, 9, (7, 9)).astype(np.float64)
    values[2, 7] = 0.5
    documents = [f"d{i // 3}" for i in range(7)] if unit == "document" else None
    fold.add(values, first, documents)
    return fold.sums(name="é", run_names=("x", "y", "z"), fingerprint=2**64 - 1, notes=NOTES)


WHOLE = {unit: to_bytes(made(unit)) for unit in ("segment", "document")}


def sealed(body: bytes) -> bytes:
    return body + hashlib.blake2b(body, digest_size=16).digest()


def opened(data: bytes) -> tuple[dict[str, Any], bytes]:
    start = len(MAGIC) + 8
    (length,) = struct.unpack_from("<Q", data, len(MAGIC))
    return json.loads(data[start : start + length]), data[start + length : -16]


def closed(header: Any, numbers: bytes) -> bytes:
    text = json.dumps(header).encode()
    return sealed(MAGIC + struct.pack("<Q", len(text)) + text + numbers)


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_what_is_written_comes_back(tmp_path: Path, unit: str) -> None:
    sums = made(unit)
    sums.save(tmp_path / "a.sums")
    back = read_sums(tmp_path / "a.sums")
    assert back.description == sums.description
    for name in ("name", "run_names", "ranges", "fingerprint", "notes", "segments", "units", "effective_units"):
        assert getattr(back, name) == getattr(sums, name)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(back, name), getattr(sums, name))
    assert to_bytes(back) == WHOLE[unit]
    assert [path.name for path in tmp_path.iterdir()] == ["a.sums"]


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a text\n")
    for path in (tmp_path / "none.sums", tmp_path, "a\0b", tmp_path / "text"):
        with refused():
            read_sums(path)
    with refused():
        write_sums(made(), tmp_path / "none" / "a.sums")


@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_damaged_bytes_are_refused(unit: str, data: st.DataObject) -> None:
    """Bytes changed, cut off or added: always refused, for the checksum does not fit."""
    whole = WHOLE[unit]
    place = data.draw(st.integers(0, len(whole) - 1))
    how = data.draw(st.sampled_from(["change", "cut", "add"]))
    if how == "change":
        bits = data.draw(st.integers(1, 255))
        damaged = whole[:place] + bytes([whole[place] ^ bits]) + whole[place + 1 :]
    else:
        damaged = whole[:place] if how == "cut" else whole[:place] + data.draw(st.binary(min_size=1)) + whole[place:]
    with refused():
        from_bytes(damaged)


@pytest.mark.whole
@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_numbers_under_a_checksum_that_fits(unit: str, data: st.DataObject) -> None:
    """Whoever wrote them: sums that can be added, or a refusal."""
    header, numbers = opened(WHOLE[unit])
    place = 8 * data.draw(st.integers(0, len(numbers) // 8 - 1))
    value = data.draw(st.integers(-(2**63), 2**63 - 1) | st.integers(-50, 50))
    changed = numbers[:place] + struct.pack("<q", value) + numbers[place + 8 :]
    try:
        sums = from_bytes(closed(header, changed))
    except InputError:
        return
    other = made(unit, first=100)
    assert from_bytes(to_bytes(sums + other)).segments == 14


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.whole
@given(st.sampled_from(sorted(WHOLE)), st.data(), ANY)
def test_headers_under_a_checksum_that_fits(unit: str, data: st.DataObject, value: Any) -> None:
    header, numbers = opened(WHOLE[unit])
    key = data.draw(st.sampled_from(sorted(header)))
    if data.draw(st.booleans()):
        header[key] = value
    else:
        del header[key]
    try:
        sums = from_bytes(closed(header, numbers))
    except InputError:
        return
    to_bytes(sums)


@pytest.mark.parametrize(
    "change",
    [
        {"resamples": 10**18},
        {"runs": [2**20 - 1, 1]},
        {"runs": [1, 0]},
        {"systems": ["a", "a"]},
        {"unit": "block"},
        {"ranges": [[3, 10], [10, 12]]},
        {"ranges": [[10, 3]]},
        {"ranges": []},
        {"metrics": []},
        {"fingerprint": "xyz"},
        {"contents": ["xyz"]},
        {"contents": ["f" * 16]},
        {"contents": [None, None]},
        {"seed": 2**64},
        {"seed": True},
        {"run_names": ["x"]},
        {"documents": 1},
    ],
)
def test_headers_that_do_not_fit(change: dict[str, Any]) -> None:
    header, numbers = opened(WHOLE["segment"])
    with refused():
        from_bytes(closed({**header, **change}, numbers))


def test_a_header_that_is_none() -> None:
    _, numbers = opened(WHOLE["segment"])
    for content in (
        *(closed(header, numbers) for header in ("no table", 3, None)),
        sealed(MAGIC + struct.pack("<Q", 3) + b"{{{" + numbers),
        sealed(MAGIC + struct.pack("<Q", 100_000) + b"[" * 100_000 + numbers),
        sealed(MAGIC + struct.pack("<Q", 2**63) + b"{}"),
    ):
        with refused():
            from_bytes(content)
