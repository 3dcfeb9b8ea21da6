"""Several test sets as one: scores, draws, variances, and runs that are matched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.experiment.made import prepared
from tests.refusals import refused
from truegain.corpus import Corpus, Run, System
from truegain.experiment.matching import matched
from truegain.experiment.pooled import averaged, joined
from truegain.inference.variance import jackknife
from truegain.procedures.base import Pair
from truegain.procedures.randomization import swapped_differences

GENERATOR = np.random.default_rng(3)


def corpus(
    name: str, values: NDArray[np.float64], *, runs: Any = None, systems: Sequence[str] = ("a", "b"), **others: Any
) -> Corpus:
    """Of segment scores, shape (systems, runs, segments)."""
    made = []
    for system, own in zip(systems, values, strict=True):
        labels = zip(runs or map(str, range(len(own))), own, strict=True)
        files = tuple(Run(f"{name}/{system}.{label}.txt", None, {"score": row}) for label, row in labels)
        made.append(System(system, files))
    return Corpus.build(made, name=name, **others)


def values(segments: int, runs: int = 1) -> NDArray[np.float64]:
    return GENERATOR.normal(size=(2, runs, segments))


def test_scores_of_all_segments_and_of_the_mean() -> None:
    one, other = values(30), values(90)
    members = [prepared(corpus("x", one)), prepared(corpus("y", other))]
    assert joined(members).scores[0] == pytest.approx(np.concatenate([one, other], 2).mean((1, 2)))
    assert averaged(members).scores[0] == pytest.approx((one.mean((1, 2)) + other.mean((1, 2))) / 2)


def test_two_sets_of_one_size_do_not_share_their_draws() -> None:
    same = values(50)
    members = [prepared(corpus("x", same)), prepared(corpus("y", same))]
    alone = members[0].bootstrap(20_000)[0, 0].std()
    for pooled in (joined(members), averaged(members)):
        assert pooled.bootstrap(20_000)[0, 0].std() == pytest.approx(alone / np.sqrt(2), rel=0.06), "not alone itself"
        swapped = swapped_differences(pooled, [Pair(0, 1)], 20_000)[0, Pair(0, 1)]
        single = swapped_differences(members[0], [Pair(0, 1)], 20_000)[0, Pair(0, 1)]
        assert swapped.std() == pytest.approx(single.std() / np.sqrt(2), rel=0.06)


def test_every_set_is_resampled_within_itself() -> None:
    """Sets that are constant cannot vary, however far apart they are."""
    members = [prepared(corpus(name, np.full((2, 1, n), level))) for name, n, level in (("x", 20, 1.0), ("y", 60, 9.0))]
    for pooled in (joined(members), averaged(members)):
        assert np.ptp(pooled.bootstrap(200)) == pytest.approx(0.0, abs=1e-12)


def test_the_jackknife_of_the_mean_adds_up_over_sets() -> None:
    members = [prepared(corpus("x", values(15))), prepared(corpus("y", values(400)))]
    mean = averaged(members)
    own = [jackknife(one.left_out[0, 1], None) for one in members]
    assert jackknife(mean.left_out[0, 1], mean.units.strata) == pytest.approx(sum(own) / 4)


def test_the_smallest_set_decides_how_sure_the_mean_is() -> None:
    unequal = averaged([prepared(corpus("x", values(10))), prepared(corpus("y", values(1000)))])
    assert 9.0 < unequal.freedom < 10.0
    equal = averaged([prepared(corpus("x", values(50))), prepared(corpus("y", values(50)))])
    assert equal.freedom == pytest.approx(98.0)
    assert unequal.factor(0.95) > equal.factor(0.95) > 1.0


def test_documents_domains_and_bare_segments_keep_their_units() -> None:
    documents = [f"d{i // 4}" for i in range(20)]
    domains = ["p"] * 8 + ["q"] * 12
    members = [
        prepared(corpus("x", values(20), documents=documents, domains=domains)),
        prepared(corpus("y", values(20), documents=documents)),
        prepared(corpus("z", values(6))),
    ]
    pooled = joined(members)
    assert (pooled.units.kind, pooled.units.count, pooled.units.strata) == ("document", 16, (2, 3, 5, 6))
    assert pooled.corpus.documents is not None
    assert len(set(pooled.corpus.documents)) == 16, "two sets may call their documents alike"


@pytest.mark.parametrize(
    ("place", "names", "first", "second"),
    [
        ("y", ["2", "0", "1"], [0, 1, 2], [1, 2, 0]),
        ("y", ["00", "01", "02"], [0, 1, 2], [0, 1, 2]),  # zeros before a number do not matter
        ("y", ["0", "2"], [0, 2], [0, 1]),
        ("y", ["2", "1", "3"], [1, 2], [1, 0]),  # names that agree in part are not matched by order
        ("y", ["0", "1", "01"], [0, 1], [0, 1]),  # 1 and 01 are two runs
        ("y", ["1"], [1], [0]),
        ("y", ["01"], [1], [0]),
        ("y/2", ["1"], [1], [0]),
        ("y", ["1.out"], [1], [0]),
    ],
)
def test_runs_are_matched_by_their_names(place: str, names: list[str], first: list[int], second: list[int]) -> None:
    """Of three runs of the first test set those that the second has too: which of each, in the order of the first."""
    one, other = values(20, 3), values(30, len(names))
    same, notes = matched([prepared(corpus("x", one)), prepared(corpus(place, other, runs=names))])
    expected = [f"{name} is pooled over the {len(first)} of" for name in "ab"] if len(first) < 3 else []
    assert [told in note.text for told, note in zip(expected, notes, strict=True)] == [True] * len(expected)
    assert np.allclose(same[0].run_scores[0], one[:, first].mean(2).ravel())
    assert np.allclose(same[1].run_scores[0], other[:, second].mean(2).ravel())


def test_the_mean_of_test_sets_has_the_runs_of_the_first() -> None:
    one, other = values(20, 3), values(30, 3)
    same, _ = matched([prepared(corpus("x", one)), prepared(corpus("y", other, runs=["2", "0", "1"]))])
    pooled = averaged(same)
    assert np.allclose(pooled.run_scores[0], (one.mean(2) + other[:, [1, 2, 0]].mean(2)).ravel() / 2)
    assert [run.name for run in pooled.corpus.systems[0].runs] == ["0", "1", "2"]


def test_other_names_are_matched_by_order_and_that_is_said() -> None:
    _, notes = matched([prepared(corpus("x", values(9, 2))), prepared(corpus("y", values(9, 2), runs=["p", "q"]))])
    assert notes[0].kind == "runs-by-order"


def test_runs_and_systems_without_a_counterpart_are_refused() -> None:
    one = values(9, 3)
    with refused(naming=["(3 on x, 2 on y)"]):
        matched([prepared(corpus("x", one)), prepared(corpus("y", values(9, 2), runs=["p", "q"]))])
    with refused():
        matched([prepared(corpus("x", one)), prepared(corpus("y", values(9, 1), runs=["other"]))])
    with refused(naming=["'b' is only on x", "'c' is only on y"]):
        matched([prepared(corpus("x", values(9))), prepared(corpus("y", values(9), systems=("a", "c")))])


def test_the_mean_says_where_a_set_is_small() -> None:
    members = [prepared(corpus("x", values(5))), prepared(corpus("y", values(400)))]
    note = averaged(members).few_units_note()
    assert note is not None
    assert "only 5 items on x" in note.text
    assert averaged(members[1:] * 2).few_units_note() is None


def test_pieces_are_the_same_as_the_whole() -> None:
    members = [prepared(corpus("x", values(12, 2))), prepared(corpus("y", values(30, 2)))]
    mean = averaged(members)
    whole = mean.bootstrap_runs(60)
    assert np.array_equal(whole[..., 25:], mean.bootstrap_runs(35, first=25))
    assert np.array_equal(whole, replace(mean).bootstrap_runs(60))
