"""Metrics held against people on several test sets: what is pooled, how it varies, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.agreement.test_measures import made
from tests.refusals import refused
from tests.studies.test_agree import DOCUMENTS, HUMAN, METRICS, Scores, judgements, write
from truegain.agreement.assessment import Assessment
from truegain.agreement.lookup import MEASURES
from truegain.report.figures.style import make_figure
from truegain.studies.agree.result import AgreedSet, AgreeResult
from truegain.studies.stored import load

Command = Callable[..., tuple[int, str, str]]
OTHERS, OTHER_METRICS = judgements(6, seed=2)


def pooled(**options: Any) -> AgreeResult:
    turned = dict(reversed(OTHER_METRICS.items()))  # metrics are matched by name
    given = {"documents": [DOCUMENTS, DOCUMENTS], "resamples": 200, **options}
    return tg.agree([HUMAN, OTHERS], [METRICS, turned], **given)


def singles(**options: Any) -> list[AgreeResult]:
    both = ((HUMAN, METRICS), (OTHERS, OTHER_METRICS))
    return [tg.agree(*one, documents=DOCUMENTS, **{"resamples": 200, **options}) for one in both]


def agreeing(own: AgreedSet, metric: int) -> tuple[int, int]:
    """Count pairs of systems by hand."""
    people, scores = own.human, own.scores[metric]
    pairs = list(combinations(range(len(people)), 2))
    return sum((people[i] > people[j]) == (scores[i] > scores[j]) for i, j in pairs), len(pairs)


@pytest.mark.whole
def test_accuracy_counts_all_pairs_of_systems_and_other_measures_are_means() -> None:
    result = pooled()
    assert result.metrics == ("close", "far", "noise")
    assert [len(own.systems) for own in result.test_sets] == [8, 6]
    for place, metric in enumerate(result.metrics):
        counts = [agreeing(own, place) for own in result.test_sets]
        assert [count for _, count in counts] == [28, 15]
        right = sum(count for count, _ in counts)
        assert result["accuracy", metric].value == pytest.approx(right / 43)
        for measure in set(result.measures) - {"accuracy", "spa"}:  # SPA of the second set has other signs
            mean = np.mean([one[measure, metric].value for one in singles()])
            assert result[measure, metric].value == pytest.approx(mean)
    assert result["acc23", "close"].threshold is None
    assert (result.segments, result.n_units, result.resamples, result.exhaustive) == (120, 40, 200, False)


@pytest.mark.whole
@pytest.mark.parametrize("test", ["documents", "perm-sys"])
def test_variances_are_added(test: Any) -> None:
    result, alone = pooled(test=test), singles(test=test)
    for measure, weights in (("pearson", (0.5, 0.5)), ("acc23", (0.5, 0.5))):
        for one in result.pairs:
            if one.measure == measure:
                errors = [own.pair(measure, one.baseline, one.metric).standard_error for own in alone]
                total = sum((weight * error) ** 2 for weight, error in zip(weights, errors, strict=True))
                assert one.standard_error == pytest.approx(np.sqrt(total))


def test_degrees_of_freedom_lie_between_those_of_a_set_and_their_sum() -> None:
    sets = [made(1), made(2, systems=9)]
    for measure in ("pearson", "accuracy"):
        found = Assessment(measure, sets, resamples=50, seed=1).spreads(new_systems=True)
        assert all(6 - 1e-9 <= one.freedom <= 14 + 1e-9 for one in found)


@pytest.mark.parametrize("measure", list(MEASURES))
def test_test_sets_are_swapped_independently(measure: str) -> None:
    """Nulls of two equal test sets have half the mean square of one's; were they swapped alike, they had all of it."""
    judged = made(5, systems=8)
    one, two = (
        Assessment(measure, sets, resamples=2_000, seed=3).swapped("perm-sys") for sets in ([judged], [judged] * 2)
    )
    assert two.observed == pytest.approx(one.observed)
    assert (two.nulls**2).mean(axis=1) == pytest.approx((one.nulls**2).mean(axis=1) / 2, rel=0.2)


@pytest.mark.whole
def test_more_test_sets_show_more() -> None:
    (first, second), both = singles(measures=["acc23"]), pooled(measures=["acc23"])
    errors = [one.pair("acc23", "far", "noise").standard_error for one in (first, second, both)]
    assert errors[2] < max(errors[:2])
    assert both.pair("acc23", "close", "noise").better is False


def test_folders_of_language_pairs(tmp_path: Path, command: Command) -> None:
    for pair, people, metrics in (("en-de", HUMAN, METRICS), ("zh-en", OTHERS, OTHER_METRICS)):
        write(tmp_path, f"{pair}.mqm.seg.score", people)
        (tmp_path / pair).mkdir()
        for name, own in metrics.items():
            write(tmp_path / pair, f"{name}.seg.score", own)
        (tmp_path / f"{pair}.docs").write_text("".join(f"{one}\n" for one in DOCUMENTS))
    sides = [str(tmp_path / pair) for pair in ("en-de", "zh-en")]
    humans = [part for side in sides for part in ("--human", f"{side}.mqm.seg.score")]
    documents = [part for side in sides for part in ("--docs", f"{side}.docs")]
    saved = str(tmp_path / "result.json")
    code, _, said = command("agree", *humans, *documents, *sides, "-R", "200", "-q", "-o", saved)
    assert code == 0, said
    result = load(saved)
    assert isinstance(result, AgreeResult)
    assert [own.name for own in result.test_sets] == ["en-de", "zh-en"]
    assert result["kendall", "close"].value == pytest.approx(pooled()["kendall", "close"].value)
    for arguments, expected in (
        ((*humans, sides[0]), "METRIC"),
        ((*humans, *sides, *documents[:2]), "--docs"),
        ((*humans, *sides[::-1]), "the folder 'zh-en'"),
        ((*humans[:2], sides[0], *documents), "documents"),
    ):
        code, _, said = command("agree", *arguments)
        assert (code, expected in " ".join(said.split())) == (2, True), said


@pytest.mark.whole
def test_tests_of_these_systems_serve_as_well() -> None:
    for test in ("perm-both", "pair-swaps"):
        one = pooled(test=test, measures=["acc23"]).pair("acc23", "close", "noise")
        assert 0.0 < one.p <= 0.05


@pytest.mark.whole
def test_figures_of_agreement_and_of_systems() -> None:
    result = pooled(measures=["acc23", "pearson"])
    first, second, third = result.pictures()
    assert (first.name, second.name, third.name) == ("agreement", "agreement-pearson", "scatter")
    drawing: Any = first.drawing
    placed = result.placed("acc23")
    assert drawing.labels == tuple(one.metric for one in placed)
    assert [score.low for score in drawing.panels[0].scores] == [one.interval.low for one in placed]
    assert drawing.panels[0].mark == pytest.approx(np.mean([one.chance for one in placed]))
    assert drawing.rules == tuple(i for i in (1, 2) if placed[i].cluster > placed[i - 1].cluster)
    scatter: Any = third.drawing
    place = result.metrics.index(scatter.panels[1].title)
    for own, points in zip(result.test_sets, scatter.panels[1].points, strict=True):
        assert points == tuple(zip(own.human, own.scores[place], strict=True))
    for picture in result.pictures():
        assert make_figure(picture.drawing).get_figwidth() in (3.35, 6.9)


def less(metrics: dict[str, Scores], *names: str) -> dict[str, Scores]:
    return {name: own for name, own in metrics.items() if name not in names}


@pytest.mark.parametrize(
    ("human", "metrics", "options", "naming"),
    [
        ([HUMAN, OTHERS], [METRICS, less(OTHER_METRICS, "far", "noise")], {}, ["'2'", "'far', 'noise'"]),
        ([HUMAN, OTHERS], [less(METRICS, "close"), OTHER_METRICS], {}, ["'1'", "'close'"]),
        ([HUMAN, OTHERS], METRICS, {}, ["metrics", 1]),
        ([HUMAN, OTHERS], [METRICS] * 2, {"documents": DOCUMENTS}, ["documents", 60]),
        ([HUMAN, OTHERS], [METRICS, OTHER_METRICS], {"documents": [DOCUMENTS, None]}, ["'1'"]),
        ([HUMAN, HUMAN], [METRICS, METRICS], {}, []),
        ([], [], {}, []),
        ([HUMAN, OTHERS], [METRICS, OTHER_METRICS], {"compute": ["bleu"]}, ["outputs"]),
        ([HUMAN, judgements(5)[0]], [METRICS, METRICS], {"test": "perm-sys"}, [6, 5]),
    ],
)
def test_what_does_not_fit_is_refused(human: Any, metrics: Any, options: dict[str, Any], naming: list[object]) -> None:
    with refused(naming=naming):
        tg.agree(human, metrics, **options)
