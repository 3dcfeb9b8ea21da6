"""What segments contribute to a gain: exact for means, antisymmetric, and what a swap of the texts themselves shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU as PeerBLEU
from sacrebleu.metrics import TER as PeerTER

from tests.experiment.made import prepared
from tests.refusals import refused
from truegain.changed_segments import ChangedPair
from truegain.experiment import Experiment, TwoRuns, changed_pairs, contributions, median_runs, variability
from truegain.metrics.bleu import BLEU
from truegain.metrics.chrf import CHRF
from truegain.metrics.custom import CustomMetric
from truegain.metrics.segment_scores import SegmentScores
from truegain.readers.memory import corpus_from_memory

Floats = NDArray[np.float64]
SAMPLE = Path(__file__).resolve().parents[2] / "src" / "truegain" / "sample"


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def two(metric: Any, old: Floats, new: Floats) -> TwoRuns:
    return TwoRuns(metric, old, new, np.stack([old.sum(0), new.sum(0)]))


def scores(values: Floats) -> Floats:
    return np.stack([values, np.ones_like(values)], axis=-1)


means = arrays.arrays(np.float64, st.integers(1, 40), elements=st.floats(-1e3, 1e3, width=32))


@given(st.data(), means, st.booleans())
def test_of_a_mean_they_are_the_differences_and_add_up(data: st.DataObject, old: Floats, lower: bool) -> None:
    new = data.draw(arrays.arrays(np.float64, old.size, elements=st.floats(-1e3, 1e3, width=32)))
    pair = two(SegmentScores(lower_is_better=lower), scores(old), scores(new))
    sign = -1.0 if lower else 1.0
    size = max(np.abs(old).max(), np.abs(new).max()) or 1.0
    assert pair.contributions == pytest.approx(sign * (new - old) / old.size, rel=1e-9, abs=1e-11 * size)
    assert pair.contributions.sum() == pytest.approx(pair.delta, rel=1e-9, abs=1e-11 * size)


def statistics(segments: int) -> st.SearchStrategy[Floats]:
    """Sound statistics of BLEU: matches are no more than n-grams, and these go with the length."""

    def build(rows: list[tuple[int, int, list[float]]]) -> Floats:
        found = []
        for length, reference, shares in rows:
            totals = [max(length - n, 0) for n in range(4)]
            correct = [int(share * total) for share, total in zip(shares, totals, strict=True)]
            found.append([length, reference, *correct, *totals])
        return np.array(found, np.float64)

    row = st.tuples(
        st.integers(0, 40), st.integers(1, 40), st.lists(st.floats(0, 1), min_size=4, max_size=4).map(sorted)
    )
    return st.lists(row, min_size=segments, max_size=segments).map(build)


@pytest.mark.whole
@given(st.integers(1, 25).flatmap(lambda n: st.tuples(statistics(n), statistics(n), st.just(n))), st.data())
def test_swapped_systems_negate_and_groups_are_what_brute_force_says(
    sides: tuple[Floats, Floats, int], data: st.DataObject
) -> None:
    old, new, n = sides
    metric = BLEU()
    pair, back = two(metric, old, new), two(metric, new, old)
    np.testing.assert_allclose(pair.contributions, -back.contributions, atol=1e-10)
    groups = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), np.intp)
    found = pair.of_groups(groups, 4)
    for group in range(4):
        inside = (groups == group)[:, None]
        swapped = np.where(inside, new, old), np.where(inside, old, new)
        before, after = (metric.score(b.sum(0)) - metric.score(a.sum(0)) for a, b in ((old, new), swapped))
        assert found[group] == pytest.approx(float(before - after) / 2, abs=1e-10)
        assert found[group] == pytest.approx(pair.together(np.flatnonzero(groups == group)), abs=1e-12)
    assert pair.together(range(n)) == pytest.approx(pair.delta, abs=1e-10)
    for i in range(n):
        assert pair.contributions[i] == pytest.approx(pair.together([i]), abs=1e-12)


@given(st.integers(1, 25).flatmap(lambda n: st.tuples(statistics(n), st.integers(0, n - 1))))
def test_equal_outputs_contribute_exactly_nothing(drawn: tuple[Floats, int]) -> None:
    old, place = drawn
    new = old.copy()
    new[place] = [7, 9, 5, 3, 2, 1, 7, 6, 5, 4]
    pair = two(BLEU(), old, new)
    others = np.delete(pair.contributions, place)
    assert not others.any()
    assert set(np.concatenate(pair.most(3)).tolist()) <= {place}


def test_pieces_of_many_segments_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    old, new = generator.integers(1, 9, (2, 101, 18)).astype(float)
    whole = two(CHRF(), old, new).contributions
    monkeypatch.setattr(contributions, "_ROWS", 7)
    np.testing.assert_array_equal(two(CHRF(), old, new).contributions, whole)


def peer_bleu(outputs: list[str], references: list[list[str]]) -> float:
    return float(PeerBLEU().corpus_score(outputs, references).score)


def peer_ter(outputs: list[str], references: list[list[str]]) -> float:
    return -float(PeerTER().corpus_score(outputs, references).score)


@pytest.mark.parametrize(
    ("metric", "peer", "n"), [("bleu", peer_bleu, 40), pytest.param("ter", peer_ter, 12, marks=pytest.mark.whole)]
)
def test_they_are_what_swapping_the_texts_shows(metric: str, peer: Any, n: int) -> None:
    """The score of the swapped texts by sacreBLEU, which knows nothing of sums of statistics."""
    references = [lines("ref.1.txt")[:n], lines("ref.2.txt")[:n]]
    old, new = lines("baseline.1.txt")[:n], lines("better.1.txt")[:n]
    experiment = prepared(corpus_from_memory(references, {"a": old, "b": new}), [metric])
    pair = TwoRuns.of(experiment, 0, (0, 0), (1, 0))
    delta = peer(new, references) - peer(old, references)
    assert pair.delta == pytest.approx(delta, abs=1e-9)
    for group in ([1], [7], [3, 4, 5], list(range(n // 2)), list(range(n))):
        swapped_old, swapped_new = list(old), list(new)
        for i in group:
            swapped_old[i], swapped_new[i] = new[i], old[i]
        after = peer(swapped_new, references) - peer(swapped_old, references)
        assert pair.together(group) == pytest.approx((delta - after) / 2, abs=1e-9)


def test_most_goes_by_number_where_contributions_are_the_same() -> None:
    gains = np.array([0.0, 2.0, -1.0, 2.0, 0.5, -1.0, 0.0, 2.0])
    pair = two(SegmentScores(), scores(np.full(8, 0.1)), scores(0.1 + gains))
    up, down = pair.most(3)
    assert (up.tolist(), down.tolist()) == ([1, 3, 7], [2, 5])
    assert pair.most(2)[0].tolist() == [1, 3]
    assert pair.most(9)[0].tolist() == [1, 3, 7, 4]
    assert pair.most(0)[0].tolist() == []


def test_rounding_decides_nothing() -> None:
    """0.1 + 0.2 is not 0.3, and both contribute as much."""
    old, new = np.zeros(3), np.array([0.3, 0.1 + 0.2, 1e-17])
    pair = two(SegmentScores(), scores(old), scores(new))
    assert [one.tolist() for one in pair.most(3)] == [[0, 1], []]
    assert pair.contributions[2] == 0.0


@pytest.fixture(scope="module")
def sample() -> Experiment:
    systems = {name: [lines(f"{name}.{run}.txt") for run in (1, 2)] for name in ("baseline", "better", "similar")}
    corpus = corpus_from_memory([lines("ref.1.txt"), lines("ref.2.txt")], systems, documents=lines("docs.txt"))
    return prepared(corpus, ["bleu", "chrf", "ter", "wer", "cer", "per", "length"], unit="document", strata="none")


def test_moved_pairs_of_every_metric(sample: Experiment) -> None:
    found = changed_pairs(sample, [(0, 1), (0, 2), (2, 1)], count=4)
    keys = [block.key for block in sample.statistics.blocks]
    assert [(one.metric, one.baseline, one.system) for one in found] == [
        (key, *pair)
        for key in keys
        for pair in (("baseline", "better"), ("baseline", "similar"), ("similar", "better"))
    ]
    for one in found:
        assert len(one.up) == len(one.down) == 4
        ups, downs = ([segment.contribution for segment in side] for side in (one.up, one.down))
        assert ups == sorted(ups, reverse=True)
        assert min(ups) > 0.0
        assert downs == sorted(downs)
        assert max(downs) < 0.0
        first = one.up[0]
        assert first.document == lines("docs.txt")[first.number - 1]
        assert first.references == (lines("ref.1.txt")[first.number - 1], lines("ref.2.txt")[first.number - 1])
        assert first.baseline_output == lines(f"{one.baseline_run}.txt")[first.number - 1]
        assert first.system_output == lines(f"{one.system_run}.txt")[first.number - 1]
        assert first.share == pytest.approx(first.contribution / one.delta)
        assert len(first.baseline_statistics) == len(first.system_statistics) == len(one.statistic_names)


def test_what_the_listed_explain_together(sample: Experiment) -> None:
    one = changed_pairs(sample, [(0, 1)], count=6)[0]
    pair = TwoRuns.of(sample, 0, (0, 0), (1, 0))
    assert one.explained_up == pair.together([segment.number - 1 for segment in one.up])
    assert one.explained_down == pair.together([segment.number - 1 for segment in one.down])
    values = pair.contributions
    assert (one.up_count, one.down_count) == (int((values > 0).sum()), int((values < 0).sum()))
    assert min(one.up_count, one.down_count) > len(one.up) == len(one.down) == 6, "more than are listed"
    assert one.explained_up == pytest.approx(sum(segment.contribution for segment in one.up), rel=0.05)


def test_the_known_median_runs_are_taken() -> None:
    """On the development set another run is in the middle than on the test set."""
    base, new = [0.1, 0.2, 0.3], [[0.5, 0.5, 0.5], [0.6, 0.6, 0.6], [0.7, 0.7, 0.9]]
    development = corpus_from_memory(None, {"a": base[:2], "b": [[9.0, 9.0], [8.0, 8.0], [8.5, 8.5]]})
    experiment = prepared(corpus_from_memory(None, {"a": base, "b": new}), ["scores"])
    assert median_runs(experiment) == [[0, 1]]
    assert median_runs(experiment, development) == [[0, 2]]
    assert changed_pairs(experiment, [(0, 1)], count=1)[0].system_run == "b.2"
    told = variability(experiment, 20, development)
    found = changed_pairs(experiment, [(0, 1)], count=1, variability=told)[0]
    assert found.system_run == "b.3"
    assert found.delta == pytest.approx(2.3 / 3 - 0.2)


def test_scores_without_texts_and_systems_alike() -> None:
    values = [0.5, 0.25, 0.75]
    experiment = prepared(corpus_from_memory(None, {"a": values, "b": values, "c": [0.5, 0.5, 0.5]}), ["scores"])
    same, other = changed_pairs(experiment, [(0, 1), (0, 2)], count=3)
    assert same.up == same.down == ()
    assert same.delta == same.explained_up == same.explained_down == 0.0
    # A gain of nothing has no shares, though segments speak for either side.
    assert [(one.number, one.share) for one in (*other.up, *other.down)] == [(2, None), (3, None)]
    assert other.up[0].references == ()
    assert other.up[0].baseline_output is other.up[0].system_output is None


def letters_over(least: int) -> CustomMetric:
    """The letters over the number of outputs of so many letters."""
    return CustomMetric(
        name="odd",
        segment_statistics=lambda outputs, refs: [[len(o), len(o) >= least] for o in outputs],
        total_score=lambda totals: totals[..., 0] / totals[..., 1],
        statistic_names=("letters", "long"),
    )


def test_a_segment_without_a_score_has_none() -> None:
    outputs = {"a": ["four", "abc", "longer"], "b": ["fours", "ab", "longest"]}
    corpus = corpus_from_memory(["x", "y", "z"], outputs)
    found: ChangedPair = changed_pairs(prepared(corpus, [letters_over(4)]), [(0, 1)], count=3)[0]
    by_number = {one.number: one for one in (*found.up, *found.down)}
    assert by_number[2].baseline_score is None
    assert by_number[1].baseline_score == 4.0


def test_a_metric_that_is_not_defined_on_a_swap_is_refused() -> None:
    corpus = corpus_from_memory(["x", "y"], {"a": ["four", ""], "b": ["", "abc"]})
    experiment = prepared(corpus, [letters_over(1)])
    with refused(naming=["odd", "2 of 2"]):
        changed_pairs(experiment, [(0, 1)], count=3)
