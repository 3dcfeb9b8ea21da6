"""MERT, PRO and MIRA against Moses' own tests, scikit-learn, and a naive twin."""

from __future__ import annotations

import gzip
import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from benchmarks.data import REAL_DATA
from truegain.metrics.bleu import BLEU
from truegain.metrics.chrf import CHRF
from truegain.metrics.ter import TER
from truegain.resampling.generator import RandomNumbers
from truegain.tuning.lists import Lists
from truegain.tuning.mert import mert
from truegain.tuning.mira import Steps, mira
from truegain.tuning.pro import Pairs, drawn_pairs, logistic_weights, pro, sentence_quality

MOSES = REAL_DATA / "moses_mert"
needs_moses = pytest.mark.skipif(not MOSES.exists(), reason="TRUEGAIN_DATA has no moses_mert")
WORDS = ("the", "cat", "sat", "on", "a", "mat", "black", "dog", "under")


def made(seed: int, metric: Any, features: int = 4, sentences: int = 12, size: int = 9) -> Lists:
    """Lists whose first feature says how many words are right, with noise."""
    random = np.random.default_rng(seed)
    texts, wanted, rows = [], [], []
    for _ in range(sentences):
        reference = list(random.choice(WORDS, 8))
        for _ in range(size):
            said = [word if random.random() < 0.6 else str(random.choice(WORDS)) for word in reference]
            right = sum(a == b for a, b in zip(said, reference, strict=True))
            texts.append(" ".join(said))
            wanted.append(" ".join(reference))
            rows.append([right + random.normal(0, 2), *random.normal(0, 3, features - 1)])
    statistics = np.asarray(metric.statistics(texts, [wanted]), np.float64)
    edges = np.arange(0, sentences * size + 1, size, dtype=np.int64)
    return Lists(edges, np.array(rows), statistics, np.zeros(statistics.shape[1]), metric)


def of_moses() -> Lists:
    """The features and BLEU statistics of Moses' own test of mert, ten sentences."""

    def blocks(name: str) -> list[NDArray[np.float64]]:
        found: list[list[list[float]]] = []
        with gzip.open(MOSES / "mert" / name, "rt") as lines:
            for line in lines:
                if line.startswith(("FEATURES_TXT_BEGIN", "SCORES_TXT_BEGIN")):
                    found.append([])
                elif not line.startswith(("FEATURES", "SCORES")) and line.strip():
                    found[-1].append([float(one) for one in line.split()])
        return [np.array(one) for one in found]

    features, scores = blocks("FEATSTAT.txt.gz"), blocks("SCORESTAT.txt.gz")
    theirs = np.concatenate(scores)  # matches and totals of orders 1 to 4 by turns, then the reference length
    own = np.column_stack([theirs[:, 1], theirs[:, 8], theirs[:, 0:8:2], theirs[:, 1:8:2]])
    edges = np.concatenate([[0], np.cumsum([len(one) for one in features])]).astype(np.int64)
    return Lists(edges, np.concatenate(features), own, np.zeros(10), BLEU(tokenize="none", smooth_method="none"))


@needs_moses
def test_mert_reaches_what_moses_reached() -> None:
    lists = of_moses()
    said = (MOSES / "mert" / "expected.txt").read_text(encoding="utf-8")
    point = [float(one) for one in said.partition("Best point:")[2].partition("=>")[0].split()]
    assert lists.score(np.array(point)) == pytest.approx(30.4339, abs=2e-4)
    assert lists.score(mert(lists, RandomNumbers(1), 20)) >= 30.4339


@pytest.mark.parametrize("metric", [BLEU(tokenize="none"), CHRF(), TER()], ids=["bleu", "chrf", "ter"])
def test_every_optimizer_is_better_than_the_first_feature_by_any_metric(metric: Any) -> None:
    lists = made(1, metric)
    random = RandomNumbers(2)
    turned = -1.0 if metric.higher_is_better is False else 1.0
    start = turned * lists.score(np.eye(4)[1])
    steps = Steps(passes=10)
    found = {"mert": mert(lists, random, 5), "pro": pro(lists, random, Pairs()), "mira": mira(lists, random, steps)}
    reached = {name: turned * lists.score(weights) for name, weights in found.items()}
    assert all(one > start + 5.0 for one in reached.values())
    assert reached["mert"] == max(reached.values())
    assert all(weights[0] > 0.0 for weights in found.values())


def test_mert_is_not_beaten_by_random_weights() -> None:
    lists = made(3, BLEU(tokenize="none"))
    random = RandomNumbers(4)
    best = max(lists.score(weights) for weights in random.normals(3000, 4))
    assert lists.score(mert(lists, random, 10)) >= best


def moses_pairs() -> list[NDArray[np.float64]]:
    """What Moses' own pro samples from the same lists: differences of features, the better hypothesis first."""
    found: list[tuple[str, NDArray[np.float64]]] = []
    with gzip.open(MOSES / "pro" / "expected.txt.gz", "rt") as lines:
        for line in (line for line in lines if line.startswith("STDOUT_")):
            label, *rest = line.partition("=")[2].split()
            values = np.zeros(14)
            values[[int(name.removeprefix("F")) for name in rest[::2]]] = [float(one) for one in rest[1::2]]
            found.append((label, values))
    for (label, values), (other, turned) in zip(found[::2], found[1::2], strict=True):  # each pair twice, mirrored
        assert {label, other} == {"0", "1"}
        np.testing.assert_array_equal(values, -turned)
    return [values for label, values in found if label == "1"]


@pytest.mark.whole
@needs_moses
def test_pairs_are_of_the_kind_that_moses_samples() -> None:
    lists = of_moses()
    quality = sentence_quality(lists.metric, lists.statistics)
    better, worse = drawn_pairs(lists, RandomNumbers(1), Pairs())
    own: list[list[float]] = [[] for _ in range(lists.count)]
    for one, other in zip(better, worse, strict=True):
        own[int(np.searchsorted(lists.edges, one, side="right")) - 1].append(float(quality[one] - quality[other]))
    theirs: list[list[float]] = [[] for _ in range(lists.count)]
    for values in moses_pairs():
        for number, (begin, end) in enumerate(itertools.pairwise(lists.edges)):
            features = lists.features[begin:end]
            away = np.abs(features[:, None] - features[None] - values).max(axis=2)
            if away.min() < 1e-3 * max(1.0, float(np.abs(values).max())):
                first, second = np.unravel_index(away.argmin(), away.shape)
                theirs[number].append(float(quality[begin + first] - quality[begin + second]))
    assert [len(one) for one in own] == [len(one) for one in theirs] == [0, *[50] * 7, 0, 0]
    assert min(min(one) for one in theirs if one) >= 0.05
    for one, other in zip(own, theirs, strict=True):
        assert not one or np.mean(one) == pytest.approx(np.mean(other), abs=0.005)


@pytest.mark.whole
@pytest.mark.parametrize("penalty", [1.0, 30.0])
def test_logistic_regression_is_that_of_scikit_learn(penalty: float) -> None:
    lists = made(5, BLEU(tokenize="none"))
    better, worse = drawn_pairs(lists, RandomNumbers(6), Pairs())
    differences = (lists.features[better] - lists.features[worse]) / lists.spread
    assert len(differences) > 300
    both = np.concatenate([differences, -differences])
    labels = np.repeat([1, 0], len(differences))
    peer = LogisticRegression(C=1.0 / penalty, fit_intercept=False, tol=1e-12, max_iter=10_000).fit(both, labels)
    np.testing.assert_allclose(logistic_weights(differences, penalty), peer.coef_[0], atol=1e-6)


def test_pairs_are_the_furthest_apart_that_were_drawn() -> None:
    lists = made(7, BLEU(tokenize="none"), sentences=5)
    better, worse = drawn_pairs(lists, RandomNumbers(8), Pairs(drawn=40, least=0.1, kept=6))
    quality = sentence_quality(lists.metric, lists.statistics)
    random = RandomNumbers(8)
    wanted: list[tuple[float, ...]] = []
    for begin, end in zip(lists.edges[:-1], lists.edges[1:], strict=True):
        drawn = random.integers(int(begin), int(end), 40, 2)
        gains = sorted((abs(quality[a] - quality[b]) for a, b in drawn), reverse=True)
        wanted += [one for one in gains[:6] if one >= 0.1]
    found = quality[better] - quality[worse]
    assert sorted(found) == pytest.approx(sorted(wanted))
    assert np.all(found >= 0.1)


def test_sentence_scores_are_bleu_plus_one() -> None:
    statistics = np.array([[5.0, 6.0, 4.0, 2.0, 1.0, 0.0, 5.0, 4.0, 3.0, 2.0]])
    precision = 4 / 5 * (2 + 1) / (4 + 1) * (1 + 1) / (3 + 1) * (0 + 1) / (2 + 1)
    wanted = np.exp(1 - 6 / 5) * precision**0.25
    assert sentence_quality(BLEU(tokenize="none"), statistics) == pytest.approx([wanted])
    assert sentence_quality(TER(), np.array([[3.0, 6.0]])) == pytest.approx([-0.5])


def naive_mira(lists: Lists, random: RandomNumbers, steps: Steps) -> NDArray[np.float64]:
    """Batch MIRA step by step, in plain Python."""
    scale = lists.spread
    weights, sums, taken = [0.0] * len(scale), [0.0] * len(scale), 0
    background = [1.0] * lists.statistics.shape[1]
    best, found = -np.inf, np.zeros(len(scale))
    for _ in range(steps.passes):
        for one in random.permutation(lists.count):
            rows = range(lists.edges[one], lists.edges[one + 1])
            phi = {row: [x / s for x, s in zip(lists.features[row], scale, strict=True)] for row in rows}
            model = {row: sum(a * b for a, b in zip(phi[row], weights, strict=True)) for row in rows}
            gain = {}
            for row in rows:
                joined = np.array([a + b for a, b in zip(background, lists.statistics[row], strict=True)])
                gain[row] = float(lists.metric.score(joined)) / 100 * background[1]
            hope = max(rows, key=lambda row: model[row] + gain[row])
            fear = max(rows, key=lambda row: model[row] - gain[row])
            away = [a - b for a, b in zip(phi[hope], phi[fear], strict=True)]
            loss = gain[hope] - gain[fear] - (model[hope] - model[fear])
            length = sum(a * a for a in away)
            if loss > 0 and length > 0:
                step = min(steps.largest, loss / length)
                weights = [w + step * a for w, a in zip(weights, away, strict=True)]
            background = [0.999 * a + b for a, b in zip(background, lists.statistics[hope], strict=True)]
            sums = [a + b for a, b in zip(sums, weights, strict=True)]
            taken += 1
        average = np.array(sums) / taken / scale
        if lists.score(average) > best:
            best, found = lists.score(average), average
    return found


def test_mira_is_its_naive_twin() -> None:
    for seed in range(3):
        lists = made(10 + seed, BLEU(tokenize="none"))
        steps = Steps(passes=4)
        found = mira(lists, RandomNumbers(seed), steps)
        np.testing.assert_allclose(found, naive_mira(lists, RandomNumbers(seed), steps), rtol=1e-9)


def test_one_seed_one_answer() -> None:
    lists = made(20, BLEU(tokenize="none"))
    few, steps = Pairs(drawn=100), Steps(passes=3)
    first, second = (
        [mert(lists, RandomNumbers(5), 3), pro(lists, RandomNumbers(5), few), mira(lists, RandomNumbers(5), steps)]
        for _ in range(2)
    )
    np.testing.assert_array_equal(first, second)


def test_a_feature_that_is_the_same_everywhere_changes_nothing() -> None:
    lists = made(30, BLEU(tokenize="none"))
    constant = np.column_stack([lists.features, np.full(len(lists.features), 7.0)])
    more = replace(lists, features=np.ascontiguousarray(constant))
    found = mira(more, RandomNumbers(1), Steps(passes=3))
    assert found[-1] == 0.0
    np.testing.assert_allclose(found[:-1], mira(lists, RandomNumbers(1), Steps(passes=3)))
    assert pro(more, RandomNumbers(1), Pairs(drawn=100))[-1] == 0.0
