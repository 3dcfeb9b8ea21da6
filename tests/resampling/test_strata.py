"""Units in strata: numbered anew, and drawn within each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.engines.engine import Engine, Resampling
from truegain.errors import InputError
from truegain.resampling.design import Design
from truegain.resampling.units import Units, UnitTable


def test_all_units_are_in_one_stratum_by_default() -> None:
    assert Units.segments(4).strata == (4,)
    assert Units.documents("abca").strata == (3,)
    assert Units.blocks(4, 2.0).strata == (4,)


def test_segments_are_numbered_stratum_by_stratum() -> None:
    units = Units.segments(6).stratified(["news", "talk", "news", "law", "talk", "news"])
    assert units.kind == "segment"
    assert units.of_segment.tolist() == [0, 3, 1, 5, 4, 2]
    assert units.strata == (3, 2, 1)
    assert units.sums(np.arange(6.0)[:, None])[:, 0].tolist() == [0, 2, 5, 1, 4, 3]


def test_documents_are_numbered_stratum_by_stratum() -> None:
    units = Units.documents("abacbd").stratified("xyxxyx")
    assert units.names == ("a", "c", "d", "b")
    assert units.of_segment.tolist() == [0, 3, 0, 1, 3, 2]
    assert units.strata == (3, 1)
    assert units.sizes.tolist() == [2, 1, 1, 2]


@given(st.data())
def test_sums_are_those_of_the_right_segments(data: st.DataObject) -> None:
    """Whatever the numbers, a unit's sum, its name and its stratum belong together."""
    segments = data.draw(st.integers(1, 30))
    ids = [str(data.draw(st.integers(0, 9))) for _ in range(segments)]
    stratum = {one: "s" + str(data.draw(st.integers(0, 3))) for one in ids}
    values = np.array([[float(2**i % 1009), 1.0] for i in range(segments)])
    by_document = data.draw(st.booleans())
    before = Units.documents(ids) if by_document else Units.segments(segments)
    units = before.stratified([stratum[one] for one in ids])
    assert (units.count, sum(units.strata), len(units.strata)) == (
        before.count,
        before.count,
        len(set(stratum.values())),
    )
    sums = UnitTable.build(values, units).values
    np.testing.assert_array_equal(sums, units.sums(values))
    inside = np.repeat(list(dict.fromkeys(stratum[one] for one in ids)), units.strata)
    for unit in range(units.count):
        members = np.flatnonzero(units.of_segment == unit)
        np.testing.assert_array_equal(sums[unit], values[members].sum(0))
        assert {stratum[ids[i]] for i in members} == {inside[unit]}
        if by_document:
            assert units.names is not None
            assert {ids[i] for i in members} == {units.names[unit]}
            assert members.size == ids.count(units.names[unit])
    # Stable: in a stratum, units are in the order in which they were.
    firsts = [np.flatnonzero(units.of_segment == unit)[0] for unit in range(units.count)]
    for part in np.split(np.array(firsts), np.cumsum(units.strata)[:-1]):
        assert (np.diff(part) > 0).all()


def test_new_strata_take_the_place_of_old_ones() -> None:
    ids = ["a", "b", "a", "c"]
    once = Units.documents(ids).stratified("xyxx")
    again = once.stratified("1112")
    assert again.strata == (2, 1)
    assert again.names == ("a", "b", "c")
    assert again.of_segment.tolist() == [0, 1, 0, 2]


def test_a_document_in_two_strata() -> None:
    with pytest.raises(InputError, match=r"document 'b' lies in 2 strata: news, talk\n.*must lie in one stratum"):
        Units.documents("aabbc").stratified(["news", "news", "news", "talk", "talk"])


def test_a_unit_without_a_name_in_two_strata() -> None:
    with pytest.raises(InputError, match="document 2 lies in 2 strata"):
        Units("document", np.array([0, 1, 1]), 2).stratified("xxy")


def test_strata_of_too_few_segments() -> None:
    with pytest.raises(InputError, match=r"strata of 2 segments\D* 3 segments"):
        Units.segments(3).stratified("xy")


def test_blocks_know_no_strata() -> None:
    with pytest.raises(InputError, match="cannot be drawn within strata"):
        Units.blocks(4, 2.0).stratified("xxyy")


def test_units_must_fit_together() -> None:
    with pytest.raises(ValueError, match="hold 5 units of 4"):
        Units("segment", np.arange(4), 4, strata=(2, 3))
    with pytest.raises(ValueError, match="blocks have a mean length"):
        Units("segment", np.arange(4), 4, mean_length=2.0)
    with pytest.raises(ValueError, match="blocks have a mean length"):
        Units("block", np.arange(4), 4)


def test_strata_are_kept_in_every_resample() -> None:
    """The number of segments of each language, summed like any other statistic, does not change."""
    language = np.random.default_rng(1).integers(0, 3, 200)
    table_of = np.eye(3, dtype=np.float64)[language]
    units = Units.segments(200).stratified([str(one) for one in language])
    totals = Engine().resample(
        Resampling(Design(units, "bootstrap", 4), UnitTable.build(table_of, units), lambda t: t), 100
    )
    np.testing.assert_array_equal(totals, np.repeat(table_of.sum(0)[:, None], 100, 1))


def test_strata_take_the_variance_between_them_away() -> None:
    rng = np.random.default_rng(2)
    stratum = np.arange(300) % 3
    values = (10 * stratum + rng.integers(0, 5, 300)).astype(np.float64)[:, None]
    units = Units.segments(300).stratified([str(one) for one in stratum])
    totals = Engine().resample(
        Resampling(Design(units, "bootstrap", 4), UnitTable.build(values, units), lambda t: t), 20_000
    )
    expected = sum(100 * values[stratum == one].var() for one in range(3))
    assert totals.var() == pytest.approx(expected, rel=0.05)
    assert expected < 0.1 * 300 * values.var()


def test_swaps_do_not_mind_strata() -> None:
    units = Units.segments(70)
    whole = Design(units, "swap", 8).weights(0, 10)
    np.testing.assert_array_equal(Design(units.stratified("xy" * 35), "swap", 8).weights(0, 10), whole)


def test_draws_are_alike_without_strata_and_blocks() -> None:
    plain, strata = Units.segments(6), Units.segments(6).stratified(["a", "a", "b", "b", "b", "c"])
    assert Design(plain, "bootstrap", 0).draws_alike
    assert Design(plain.stratified(["a"] * 6), "bootstrap", 0).draws_alike
    for units in (strata, Units.segments(6).stratified(["a", "b"] * 3), Units.blocks(6, 2.0)):
        assert not Design(units, "bootstrap", 0).draws_alike
    assert not Design(plain, "swap", 0).draws_alike
