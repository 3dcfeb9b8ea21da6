"""Results: what is read off other parts."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import pytest

from tests.refusals import refused
from truegain.fields import documented
from truegain.inference.claims import Claim
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import PValue, clopper_pearson
from truegain.inference.results import (
    STUDENT_TESTS,
    Caveat,
    Comparison,
    StandardErrors,
    SystemScore,
    TestedPair,
    TestSet,
)
from truegain.studies.codec import write
from truegain.studies.compare.sentences import INTERVALS_FROM
from truegain.studies.decode import read
from truegain.studies.gate.check import GateCheck
from truegain.studies.intervals.findings import PairFinding
from truegain.studies.rank.parts import RankedPair
from truegain.studies.threshold.parts import GainPair

FOUND = Comparison(
    metric="bleu",
    baseline="a",
    system="b",
    delta=1.0,
    interval=Interval(0.5, 1.5, 0.95, "percentile"),
    p_value=PValue(0.03, 2, 99),
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


def test_a_comparison_tells_its_p_value() -> None:
    assert (FOUND.p, FOUND.resamples) == (0.03, 99)
    assert FOUND.p_mc == clopper_pearson(2, 99)


def test_tables_mark_what_is_significant_by_a_test_that_keeps_its_level() -> None:
    caveats = (Caveat("units", "there are few units"),)
    assert FOUND.marked is False
    assert replace(FOUND, caveats=caveats).marked is False
    assert replace(FOUND, significant=True).marked is True
    assert replace(FOUND, significant=True, caveats=caveats).marked is False


def test_pairs_of_all_studies_have_the_same_beginning() -> None:
    for kind in (Comparison, GateCheck, RankedPair, GainPair, PairFinding):
        assert [one.name for one in fields(kind)][:4] == ["metric", "baseline", "system", "delta"]
    own = [{one.name for one in fields(kind)} for kind in (Comparison, GateCheck)]
    assert {one.name for one in fields(TestedPair)} <= own[0] & own[1]


def test_pairs_of_which_there_are_many_are_small() -> None:
    """Of 150 systems there are 11,175 for each metric."""
    assert not hasattr(RankedPair("bleu", "a", "b", 1.0, 0.03, 0.06, 2, None), "__dict__")
    assert not hasattr(GainPair("bleu", "a", "b", 1.0, None, 0.03, 2, 0.5), "__dict__")


@pytest.mark.parametrize("scores", [(30.0,), (30.0, 31.0, 32.0)])
def test_a_system_has_as_many_runs_as_scores(scores: tuple[float, ...]) -> None:
    names = tuple(f"run {i}" for i in range(len(scores)))
    assert SystemScore("a", "bleu", 31.0, names, scores, None).runs == len(scores)


def test_stored_runs_have_a_name_each() -> None:
    score = SystemScore("a", "bleu", 31.0, ("one", "two"), (30.0, 32.0), None)
    assert read(SystemScore, write(score)) == score
    with refused(naming=["2", "1"]):
        read(SystemScore, {**write(score), "run_names": ["one"]})


def test_stored_intervals_are_of_a_kind_that_the_test_has() -> None:
    own = Interval(0.5, 1.5, 0.95, "t")
    for test in STUDENT_TESTS:
        found = replace(FOUND, test=test, asked=test, interval=own)
        assert read(Comparison, write(found)) == found
    with refused(naming=["ar", "t"]):
        read(Comparison, write(replace(FOUND, test="ar", asked="ar", interval=own)))
    assert tuple(INTERVALS_FROM) == STUDENT_TESTS  # sentences say where they are from


def test_stored_segments_have_65536_references_at_most() -> None:
    most = TestSet("a", 10, 65_536, None, None, "0")
    assert read(TestSet, write(most)) == most
    with refused():
        read(TestSet, {**write(most), "references": 65_537})


def test_ways_of_a_study_are_left_out_unless_they_are_other_than_usual() -> None:
    @documented
    @dataclass(frozen=True)
    class Study:
        """Study with what several have."""

        standard_errors: StandardErrors = False

    assert write(Study()) == {}
    unusual = Study(standard_errors=True)
    assert write(unusual) == {"standard_errors": True}
    assert (read(Study, {}), read(Study, write(unusual))) == (Study(), unusual)
