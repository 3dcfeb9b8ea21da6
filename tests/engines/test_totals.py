"""The processor's engine: exact, and the same for any chunks and threads."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.engines.cases import designs
from truegain.engines import totals
from truegain.engines.engine import Engine, Resampling
from truegain.engines.totals import UniqueColumns
from truegain.executors.over import Workers
from truegain.resampling.design import Design, Scheme
from truegain.resampling.units import Units, UnitTable
from truegain.scratch import stretches

SCHEMES: list[Scheme] = ["bootstrap", "swap"]
PARTS = [(0, 100), (100, 1), (101, 29), (130, 100)]


def identity(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    return totals


def a_table(units: int, kind: str) -> UnitTable:
    generator = np.random.default_rng(units)
    values = generator.integers(0, 60, (units, 7)).astype(float)
    values[:, 3] = values[:, 0]  # repeated columns are summed once
    values[:, 4] = 0
    values[:, 5] = values[:, 1] + 7  # and so is one that differs by a constant
    if kind == "signed":
        values -= 30
    if kind == "large":
        values *= 2.0**30
    if kind == "fractions":
        values = values / 7 - 3
    return UnitTable.build(values, Units.segments(units))


@pytest.mark.parametrize("sort", range(5))
@pytest.mark.parametrize("kind", ["counts", "signed", "large", "fractions"])
@pytest.mark.parametrize("units", [1, 2, 9, 64, 300])
def test_totals_are_exact(sort: int, kind: str, units: int) -> None:
    table = a_table(units, kind)
    design = designs(units, 11)[sort]
    found = Engine().resample(Resampling(design, table, identity), 40)
    weights = design.weights(0, 40).astype(np.int64)
    whole = table.values.astype(np.int64).astype(object)  # Python's integers
    expected = (weights.astype(object) @ whole).T
    assert (found == (expected.astype(float) * table.scale[:, None])).all()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("chunk", [1, 7, 64, 1000, None])
def test_same_bits_for_any_chunks_and_threads(scheme: Scheme, jobs: int, chunk: int | None) -> None:
    table = a_table(123, "fractions")
    design = Design(Units.segments(123), scheme, 3)
    reference = Engine().resample(Resampling(design, table, identity), 230)
    found = Engine(Workers(jobs), chunk=chunk).resample(Resampling(design, table, identity), 230)
    assert found.tobytes() == reference.tobytes()


@pytest.mark.parametrize("sort", range(5))
@pytest.mark.parametrize(("jobs", "chunk"), [(1, None), (2, 7)])
def test_parts_are_what_is_made_at_once(sort: int, jobs: int, chunk: int | None) -> None:
    table = a_table(123, "fractions")
    design = designs(123, 3)[sort]
    whole = Engine().resample(Resampling(design, table, identity), 230)
    engine, seen = Engine(Workers(jobs), chunk=chunk), list[int]()
    parts = [engine.resample(Resampling(design, table, identity), size, seen.append, first=a) for a, size in PARTS]
    assert np.concatenate(parts, 1).tobytes() == whole.tobytes()
    assert sum(seen) == 230
    np.testing.assert_array_equal(
        engine.resample(Resampling(design, table, identity), 3, first=2**40),
        Engine(chunk=1).resample(Resampling(design, table, identity), 3, first=2**40),
    )


@pytest.mark.parametrize("resamples", [0, -1])
def test_no_resamples(resamples: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Engine().resample(
            Resampling(Design(Units.segments(9), "swap", 1), a_table(9, "counts"), identity), resamples, first=5
        )


@pytest.mark.parametrize("kind", ["counts", "signed", "fractions"])
def test_look_up_and_product_agree(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_table(300, kind)
    design = Design(Units.segments(300), "swap", 3)
    looked_up = Engine().resample(Resampling(design, table, identity), 100)
    used: list[bool] = []
    product = totals._Product.__call__

    def spy(self: totals._Product, first: int, last: int) -> NDArray[np.float64]:
        used.append(True)
        return product(self, first, last)

    monkeypatch.setattr(totals._Product, "__call__", spy)
    monkeypatch.setattr(totals, "compiled", lambda: False)
    assert Engine().resample(Resampling(design, table, identity), 100).tobytes() == looked_up.tobytes()
    assert used


def nearly_all_at_the_top(columns: int, units: int, span: int) -> NDArray[np.float64]:
    """Sums of draws come as near to their bound as they can."""
    values = np.repeat(np.arange(columns) % 3.0, units).reshape(columns, units) + span
    values[:, 0] -= span
    return values


def as_they_are(values: NDArray[np.float64]) -> UniqueColumns:
    """Columns of which each is summed and none is changed."""
    columns = len(values)
    return UniqueColumns(values, np.arange(columns), np.zeros(columns), np.ones(columns))


INSIDE = [(1, 1, 9), (1, 2, 32767), (2, 3, 16383), (3, 10, 6553), (1, 70, 1023), (32, 301, 1023), (16, 1000, 655)]
INSIDE += [(17, 1000, 655), (32, 999, 655), (16, 2**15, 60), (17, 2**14, 60)]
OUTSIDE = [(1, 2, 32768), (2, 3, 16384), (3, 10, 6554), (1, 70, 1024), (33, 301, 655), (1, 70, 65536), (1, 70, 2**30)]
OUTSIDE += [(16, 2**15 + 1, 60), (17, 2**14 + 1, 60)]


@pytest.mark.parametrize(("edge", "inside"), [*((one, True) for one in INSIDE), *((one, False) for one in OUTSIDE)])
def test_sums_of_drawn_rows_up_to_their_bounds(edge: tuple[int, int, int], inside: bool) -> None:
    units = edge[1]
    values = nearly_all_at_the_top(*edge)
    design = Design(Units.segments(units), "bootstrap", 5)
    chosen = totals._chosen(design, as_they_are(values))
    assert isinstance(chosen, totals._DrawnSums if inside else totals._Product)
    expected = design.weights(7, 27).astype(np.int64) @ values.astype(np.int64).T
    np.testing.assert_array_equal(chosen(7, 27), expected.T)


@pytest.mark.parametrize("seed", range(30))
def test_sums_of_drawn_rows_and_product_agree(seed: int) -> None:
    generator = np.random.default_rng(seed)
    columns, units = int(generator.integers(1, 33)), int(generator.integers(1, 400))
    low = generator.integers(-(2**40), 2**40, columns)
    values = low[:, None] + generator.integers(0, generator.integers(1, 1024, (columns, 1)), (columns, units))
    design = Design(Units.segments(units), "bootstrap", seed)
    distinct = as_they_are(values.astype(float))
    drawn = totals._chosen(design, distinct)
    assert isinstance(drawn, totals._DrawnSums)
    assert drawn(3, 40).tobytes() == totals._Product(design, distinct)(3, 40).tobytes()


def test_rows_are_drawn_only_where_all_are_drawn_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_table(50, "counts")
    chosen = [type(totals._chosen(one, UniqueColumns.of(table, one))) for one in designs(50, 1)]
    assert chosen == [totals._DrawnSums, *[totals._Product] * 2, *[totals._SubsetSums] * 2]
    monkeypatch.setattr(totals, "compiled", lambda: False)
    assert {type(totals._chosen(one, UniqueColumns.of(table, one))) for one in designs(50, 1)} == {totals._Product}


def test_nothing_to_pack() -> None:
    assert totals._PackedRows.of(np.zeros((0, 5))) is None
    assert totals._PackedRows.of(np.zeros((3, 0))) is None


def test_single_precision_only_where_it_is_exact() -> None:
    units = Units.segments(1000)
    design = Design(units, "bootstrap", 1)
    small = np.full((1, 1000), 16_777.0)
    assert totals._Product(design, as_they_are(small))._values.dtype == np.float32
    assert totals._Product(design, as_they_are(small + 1))._values.dtype == np.float64


@pytest.mark.parametrize("sort", range(4))
@pytest.mark.parametrize("most", [3, 2**14, 2**24, 2**40])
def test_products_in_stretches_are_exact(sort: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    units = 1 << 12
    values = np.random.default_rng(most).integers(-most, most, (5, units)).astype(float)
    design = designs(units, 3)[sort]
    monkeypatch.setattr(totals, "_MANY_UNITS", 1 << 11)
    monkeypatch.setattr(totals, "compiled", lambda: False)
    monkeypatch.setattr(totals, "_MOST_WEIGHTS", 8 * 4 * units)
    found = totals._chosen(design, as_they_are(values))
    assert isinstance(found, totals._ProductInStretches)
    assert found.chunk == (32 if sort == 3 else 8)
    np.testing.assert_array_equal(found(7, 12), values.astype(np.int64) @ design.weights(7, 12).astype(np.int64).T)


def test_weights_that_pile_up_are_multiplied_in_double_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    units, most = 1 << 11, 2.0**15
    values = np.asarray(most - np.random.default_rng(1).integers(0, 9, (2, units)), np.float64)
    design = Design(Units.blocks(units, 40.0), "bootstrap", 3)
    monkeypatch.setattr(totals, "_FEWEST_UNITS", 1)
    found = totals._ProductInStretches(design, as_they_are(values))
    weights = design.weights(0, 9)
    piled = np.array([weights[:, part].sum(1).max() for part in stretches(units, found._stretch)]) * most > 2**24
    assert piled.any()
    assert not piled.all()
    np.testing.assert_array_equal(found(0, 9), values.astype(np.int64) @ weights.astype(np.int64).T)


def test_many_columns_are_packed_and_unpacked() -> None:
    generator = np.random.default_rng(8)
    values = generator.integers(-5, 2000, (100, 90)).astype(float)
    table = UnitTable.build(values, Units.segments(100))
    design = Design(Units.segments(100), "swap", 2)
    found = Engine().resample(Resampling(design, table, identity), 64)
    expected = design.weights(0, 64).astype(np.int64) @ values.astype(np.int64)
    np.testing.assert_array_equal(found, expected.T)


def test_columns_that_need_no_sum_of_their_own() -> None:
    table = a_table(50, "counts")
    swap, draw = (Design(Units.segments(50), scheme, 1) for scheme in SCHEMES[::-1])
    assert len(UniqueColumns.of(table, swap).values) == 6
    assert len(UniqueColumns.of(table, draw).values) == 5
    # The weights of strata and of blocks have the same sum, which the missing column relies on.
    for design in designs(50, 1)[:3]:
        assert (design.weights(0, 200).sum(1) == 50).all()


def test_progress_counts_every_resample_once() -> None:
    seen: list[int] = []
    design = Design(Units.segments(10), "bootstrap", 2)
    Engine(chunk=7).resample(Resampling(design, a_table(10, "counts"), identity), 20, seen.append)
    assert sum(seen) == 20
    assert len(seen) == 3


def test_memory_is_bounded_by_the_chunk() -> None:
    import tracemalloc

    units = Units.segments(20_000)
    table = UnitTable.build(np.ones((20_000, 3)) * np.arange(20_000)[:, None] % 50, units)
    design = Design(units, "bootstrap", 1)
    tracemalloc.start()
    Engine().resample(Resampling(design, table, lambda totals: totals[:1]), 2000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6, "2,000 × 20,000 weights at once would be 160 MB"
