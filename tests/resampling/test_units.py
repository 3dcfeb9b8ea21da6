"""Units and their exact statistics."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.resampling.design import Design, check_seed
from truegain.resampling.generator import resample_keys
from truegain.resampling.streams import Stream
from truegain.resampling.units import GroupKind, Units, UnitTable


def test_documents_are_gathered_wherever_they_stand() -> None:
    units = Units.documents(["b", "a", "b", "c", "a", "b"])
    assert units.count == 3
    assert units.of_segment.tolist() == [0, 1, 0, 2, 1, 0]
    assert units.sizes.tolist() == [3, 2, 1]
    assert units.sums(np.arange(6.0)[:, None]).tolist() == [[7.0], [5.0], [3.0]]


def test_groups_of_any_kind() -> None:
    units = Units.groups("domain", ["news", "law", "news"])
    assert (units.kind, units.count, units.names) == ("domain", 2, ("news", "law"))
    assert Units.documents("aba").names == ("a", "b")
    assert Units.segments(3).names is None


def test_nouns() -> None:
    grouped: list[GroupKind] = ["document", "domain", "testset"]
    assert [Units.groups(kind, "ab").noun for kind in grouped] == ["document", "domain", "test set"]
    assert Units.segments(3).noun == Units.blocks(3, 2.0).noun == "segment"


@pytest.mark.parametrize("fraction", [1.0, 0.1])
def test_segments_in_another_order_have_the_same_numbers(fraction: float) -> None:
    """Rounding looks at single segments, so it must not depend on how they are numbered."""
    values = fraction * np.arange(-6.0, 6.0).reshape(4, 3)
    plain, turned = (UnitTable.build(values, one) for one in (Units.segments(4), Units.segments(4).stratified("xyxy")))
    np.testing.assert_array_equal(turned.values, plain.values[[0, 2, 1, 3]])
    np.testing.assert_array_equal(turned.scale, plain.scale)


def test_effective_number() -> None:
    assert Units.segments(40).effective_number == 40
    assert Units.documents(["a"] * 3 + ["b"] * 3).effective_number == 2
    assert Units.documents(["a"] * 9 + ["b"]).effective_number == pytest.approx(100 / 82)


def test_whole_numbers_stay_as_they_are() -> None:
    values = np.array([[1.0, -5.0], [2.0, 7.0]])
    table = UnitTable.build(values, Units.segments(2))
    assert table.values.tolist() == values.tolist()
    assert table.scale.tolist() == [1.0, 1.0]


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0, 1)), min_size=2, max_size=40), st.integers(1, 5))
def test_fractions_are_rounded_finely_and_summed_exactly(rows: list[tuple[float, float]], size: int) -> None:
    values = np.array(rows)
    units = Units.documents([str(i // size) for i in range(len(rows))])
    table = UnitTable.build(values, units)
    assert (table.values == np.rint(table.values)).all()
    assert (np.log2(table.scale) == np.rint(np.log2(table.scale))).all()
    assert units.count * np.abs(table.values).max() < 2**53
    exact = [sum(Fraction(x) for x in values[:, c]) for c in range(2)]
    for total, expected, column in zip(table.totals, exact, values.T, strict=True):
        assert abs(Fraction(float(total)) - expected) <= Fraction(1e-12) * len(rows) * Fraction(
            max(np.abs(column).max(), 1e-9)
        )


def test_columns_of_one_kind_have_one_scale() -> None:
    values = np.array([[0.1, 1000.3, 0.1], [0.2, 5.5, 0.7]])
    table = UnitTable.build(values, Units.segments(2), np.array([0, 0, 1]))
    assert table.scale[0] == table.scale[1] != table.scale[2]
    difference = table.differences(np.array([1]), np.array([0]))
    assert (difference.values * difference.scale)[:, 0] == pytest.approx([1000.2, 5.3], abs=1e-9)


def test_large_whole_numbers_are_rounded_too() -> None:
    table = UnitTable.build(np.array([[2.0**60 + 2**20], [1.0]]), Units.segments(2))
    assert table.scale[0] > 1
    assert 2 * np.abs(table.values).max() < 2**53
    assert table.totals[0] == pytest.approx(2.0**60, rel=1e-12)


def test_a_table_is_sent_without_what_an_engine_keeps_of_it() -> None:
    table = UnitTable.build(np.array([[1.0, 0.3], [2.0, 0.1]]), Units.segments(2))
    table.kept["engine"] = lambda: None  # what could not be sent
    sent = pickle.loads(pickle.dumps(table))
    np.testing.assert_array_equal(sent.values, table.values)
    np.testing.assert_array_equal(sent.scale, table.scale)
    assert sent.kept == {}


def test_too_large_for_any_sum() -> None:
    with pytest.raises(InputError, match="too large"):
        UnitTable.build(np.array([[1e300], [1e300]]), Units.segments(2))


@pytest.mark.parametrize("scheme", ["bootstrap", "swap"])
def test_designs_are_pure_functions_of_the_resample(scheme: str) -> None:
    design = Design(Units.segments(77), scheme, 5)  # type: ignore[arg-type]
    whole: NDArray[np.float64] = np.asarray(design.weights(0, 50), np.float64)
    parts = [design.weights(a, b) for a, b in ((0, 7), (7, 8), (8, 50))]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    if scheme == "bootstrap":
        assert (whole.sum(1) == 77).all()
    else:
        assert set(np.unique(whole)) == {0.0, 1.0}


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds(seed: int) -> None:
    with pytest.raises(InputError, match="seed must be"):
        check_seed(seed)


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**64 - 1])
def test_seeds_from_nothing_to_64_bits(seed: int) -> None:
    assert check_seed(seed) == seed


def test_no_two_uses_share_their_random_numbers() -> None:
    designs = [Design(Units.segments(9), "bootstrap", 1), Design(Units.segments(9), "swap", 1)]
    designs.append(Design(Units.blocks(9, 3.0), "bootstrap", 1))
    keys = [design.keys(0, 5).tolist() for design in designs]
    keys.append(resample_keys(1, Stream.DEALS, 0, 5).tolist())
    assert len({key for some in keys for key in some}) == 20


@pytest.mark.parametrize("size", [1e-5, 0.3, 0.9999, 1.0001, 1.9, 1e6 + 0.1])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_fractions_are_as_fine_as_two_spare_bits_allow(size: float, sign: float) -> None:
    """One bit for a difference of two columns, one for the roundings themselves: the largest of a kind decides."""
    values = sign * np.array([[size, size / 64]])
    table = UnitTable.build(values, Units.segments(1), np.array([0, 0]))
    assert table.scale[0] == table.scale[1]
    assert 2**50 < size / table.scale[0] <= 2**51


def test_whole_numbers_are_kept_up_to_half_of_what_is_exact() -> None:
    assert UnitTable.build(np.array([[2.0**52 - 1]]), Units.segments(1)).scale.tolist() == [1.0]
    assert UnitTable.build(np.array([[2.0**52]]), Units.segments(1)).scale.tolist() == [2.0]


def test_the_largest_sum_there_may_be() -> None:
    assert UnitTable.build(np.array([[1e300]]), Units.segments(1)).totals == pytest.approx([1e300])


def test_what_rounding_may_do_is_known_of_every_column() -> None:
    """Whole numbers and halves are kept as they are; one tenth is enough for a loss, of half a step at most each."""
    values = np.array([[3.0, 0.5, 0.1], [1.0, 1.5, 0.5], [2.0, 2.0, 1.0], [0.0, 0.0, 0.25]])
    units = Units.segments(4)
    assert UnitTable.build(values[:, :1], units).loss == pytest.approx([0.0])
    table = UnitTable.build(values, units)
    assert table.loss is not None
    assert table.loss.tolist() == [0.0, 0.0, 2.0 * table.scale[2]]
    off = [abs(Fraction(total) - sum(map(Fraction, own))) for total, own in zip(table.totals, values.T, strict=True)]
    assert off[:2] == [0, 0]
    assert 0 < off[2] <= table.loss[2]


def test_totals_and_sizes_are_in_the_scale_of_the_statistics() -> None:
    values = np.array([[1.5, -3.0], [-2.5, 4.0], [0.25, -8.0]])
    table = UnitTable.build(values, Units.segments(3))
    assert table.totals.tolist() == pytest.approx([-0.75, -7.0], abs=1e-12)
    assert table.sizes.tolist() == pytest.approx([4.25, 15.0], abs=1e-12)


def test_differences_are_the_same_however_many_units_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    table = UnitTable.build(np.arange(30.0).reshape(10, 3) ** 2, Units.segments(10))
    columns = np.array([2, 1, 2, 0]), np.array([0, 0, 1, 2])
    whole = table.differences(*columns)
    np.testing.assert_array_equal(whole.values, table.values[:, columns[0]] - table.values[:, columns[1]])
    monkeypatch.setattr("truegain.resampling.units._TAKEN", 12)
    np.testing.assert_array_equal(table.differences(*columns).values, whole.values)


def test_tables_beside_each_other_have_the_columns_of_both() -> None:
    units = Units.segments(3)
    one, other = np.array([[1.0, 0.1], [2.0, 0.2], [3.0, 0.7]]), np.array([[5.0], [6.0], [0.3]])
    both = UnitTable.build(one, units).beside(UnitTable.build(other, units))
    assert both.values.shape == (3, 3)
    assert both.totals == pytest.approx([6.0, 1.0, 11.3])
    table = UnitTable.build(one, units)
    assert table.beside(UnitTable.build(np.empty((3, 0)), units)) is table
