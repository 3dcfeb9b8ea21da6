"""Results: what is read off other parts."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from truegain.inference.claims import Claim
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import PValue, clopper_pearson
from truegain.inference.results import STUDENT_TESTS, Caveat, Comparison, SystemScore, TestedPair
from truegain.studies.compared import SOURCES as INTERVALS_FROM
from truegain.studies.gate import GateCheck
from truegain.studies.rank_groups import RankedPair
from truegain.studies.run_intervals import PairFinding
from truegain.studies.threshold import GainPair

FOUND = Comparison(
    metric="bleu",
    baseline="a",
    system="b",
    delta=1.0,
    **Interval(0.5, math.inf, 0.95, "percentile").fields,
    **PValue(0.03, 2, 99).fields,
    p_adjusted=0.06,
    adjust="holm",
    test="paired-bootstrap",
    asked="paired-bootstrap",
    unit="segment",
    n_units=100,
    seed=1,
    alternative="two-sided",
    null="no gain",
    claim=Claim("this run", "segment"),
    significant=False,
    better=None,
)


def test_a_comparison_has_its_p_value_and_its_interval_in_fields_of_their_own() -> None:
    assert FOUND.p_value == PValue(0.03, 2, 99)
    assert FOUND.p_mc == clopper_pearson(2, 99)
    assert (FOUND.ci, FOUND.interval) == ((0.5, None), Interval(0.5, math.inf, 0.95, "percentile"))


def test_tables_mark_what_is_significant_by_a_test_that_keeps_its_level() -> None:
    caveats = (Caveat("units", "there are few units"),)
    assert FOUND.marked is False
    assert replace(FOUND, caveats=caveats).marked is False
    assert replace(FOUND, significant=True).marked is True
    assert replace(FOUND, significant=True, caveats=caveats).marked is False


def test_pairs_of_all_studies_have_the_same_beginning() -> None:
    for kind in (Comparison, GateCheck, RankedPair, GainPair, PairFinding):
        assert kind.__struct_fields__[:4] == ("metric", "baseline", "system", "delta")
    assert set(TestedPair.__struct_fields__) <= set(Comparison.__struct_fields__) & set(GateCheck.__struct_fields__)


def test_pairs_of_which_there_are_many_are_small() -> None:
    """Of 150 systems there are 11,175 for each metric."""
    assert not hasattr(RankedPair("bleu", "a", "b", 1.0, 0.03, 0.06, 2, None), "__dict__")
    assert not hasattr(GainPair("bleu", "a", "b", 1.0, None, 0.03, 2, 0.5), "__dict__")


@pytest.mark.parametrize("scores", [(30.0,), (30.0, 31.0, 32.0)])
def test_a_system_has_as_many_runs_as_scores(scores: tuple[float, ...]) -> None:
    names = tuple(f"run {i}" for i in range(len(scores)))
    score = SystemScore("a", "bleu", 31.0, names, scores)
    assert (score.runs, score.interval) == (len(scores), None)


def test_sentences_say_where_intervals_of_students_kind_are_from() -> None:
    assert tuple(INTERVALS_FROM) == STUDENT_TESTS
