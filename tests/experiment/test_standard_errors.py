"""Standard errors: against statsmodels, formulas by hand and the bootstrap's standard deviation."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.experiment.made import prepared
from truegain.corpus import Corpus
from truegain.experiment.pooled import averaged, joined
from truegain.readers.memory import corpus_from_memory
from truegain.settings import UnitChoice

Floats = NDArray[np.float64]
GENERATOR = np.random.default_rng(23)


@pytest.fixture
def sample() -> Corpus:
    """The bundled sample: two systems, one run each, with documents."""
    folder = Path(tg.__file__).parent / "sample"
    systems = [str(folder / name) for name in ("baseline.1.txt", "better.1.txt")]
    return tg.read_corpus(systems, [str(folder / "ref.1.txt")], documents=str(folder / "docs.txt"))


def scored(values: Floats, **others: Any) -> Corpus:
    """Return a corpus of segment scores, shape (systems, runs, segments)."""
    return corpus_from_memory(None, {name: [*own] for name, own in zip("ab", values, strict=True)}, **others)


@pytest.mark.parametrize("design", range(8))
def test_score_prints_those_of_statsmodels_on_random_designs(design: int) -> None:
    """Clusters of any number and size, some of one item; scores of any scale, 0/1 among them.

    Its default takes (N − 1) / (N − k) besides, which is 1 with a constant alone.
    """
    api = pytest.importorskip("statsmodels.api")
    generator = np.random.default_rng(design)
    sizes = generator.geometric(0.2, size=generator.integers(3, 40))
    groups = generator.permutation(np.repeat(np.arange(sizes.size), sizes))
    documents = [f"d{group}" for group in groups]

    def clustered(y: Floats) -> float:
        fitted = api.OLS(y, np.ones(y.size)).fit(cov_type="cluster", cov_kwds={"groups": groups})
        return float(fitted.bse[0])

    y, other = (generator.normal(size=sizes.size)[groups] + generator.normal(size=groups.size) for _ in range(2))
    y = (y > 0).astype(float) if design % 2 else y * 10.0 ** generator.integers(-3, 4)
    result = tg.score(None, {"s": y}, metrics=["scores"], documents=documents, resamples=10)
    expected = clustered(y)
    assert result.scores[0].standard_error == pytest.approx(expected, rel=1e-9)
    shown = 100.0 * expected if design % 2 else expected  # shares are shown in percent
    assert f" {shown:.6f} " in result.render("terminal", decimals=5)
    both = prepared(scored(np.stack([[y], [other]]), documents=documents))
    assert both.standard_error(0, 0, 1) == pytest.approx(clustered(other - y), rel=1e-9)


def test_means_over_segments() -> None:
    values = GENERATOR.normal(size=(2, 1, 87))
    alone = prepared(scored(values)).standard_error(0, 0)
    assert alone == pytest.approx(values[0, 0].std(ddof=1) / math.sqrt(87), rel=1e-9)


def test_within_domains_only_what_varies_inside_them_counts() -> None:
    domains = ["x"] * 30 + ["y"] * 50 + ["z"]
    values = GENERATOR.normal(size=(2, 1, 81)) + np.repeat([0.0, 9.0, 5.0], [30, 50, 1])
    y = values[0, 0]
    parts = [y[:30], y[30:80]]
    expected = math.sqrt(sum(part.size * part.var(ddof=1) for part in parts)) / 81
    assert prepared(scored(values, domains=domains)).standard_error(0, 0) == pytest.approx(expected, rel=1e-9)


def test_of_several_runs_the_mean_varies_over_segments_alone() -> None:
    values = GENERATOR.normal(size=(2, 3, 60)) + GENERATOR.normal(size=(1, 1, 60))
    mean = values[0].mean(0)
    found = prepared(scored(values)).standard_error(0, 0)
    assert found == pytest.approx(mean.std(ddof=1) / math.sqrt(60), rel=1e-9)


def test_mean_of_test_sets_adds_their_variances() -> None:
    members = [prepared(scored(GENERATOR.normal(size=(2, 1, count)))) for count in (40, 90)]
    own = [member.standard_error(0, 0, 1) or math.nan for member in members]
    assert averaged(members).standard_error(0, 0, 1) == pytest.approx(math.hypot(*own) / 2, rel=1e-9)
    weights = np.array([40, 90]) / 130
    # All segments as one corpus: each set's part has its share of the segments.
    assert joined(members).standard_error(0, 0, 1) == pytest.approx(math.hypot(*(weights * own)), rel=1e-9)


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_corpus_metrics_agree_with_the_bootstrap(sample: Corpus, unit: UnitChoice) -> None:
    """BLEU, chrF and TER are no means: the bootstrap's standard deviation, which takes no derivative, says the same."""
    experiment = prepared(sample, ["bleu", "chrf", "ter"], unit=unit)
    drawn = experiment.bootstrap(4_000)
    widening = math.sqrt(experiment.units.count / (experiment.units.count - 1))
    for m in range(3):
        assert experiment.standard_error(m, 0) == pytest.approx(drawn[m, 0].std() * widening, rel=0.06)
        gains = drawn[m, 1] - drawn[m, 0]
        assert experiment.standard_error(m, 0, 1) == pytest.approx(gains.std() * widening, rel=0.06)


def test_blocks_agree_with_the_stationary_bootstrap(sample: Corpus) -> None:
    experiment = prepared(sample, ["chrf"], unit="block", block_length=5.0).in_blocks()
    blocks = experiment.units.count / 5.0
    drawn = experiment.bootstrap(4_000)[0, 0]
    widening = math.sqrt(blocks / (blocks - 1.0))
    assert experiment.standard_error(0, 0) == pytest.approx(drawn.std() * widening, rel=0.06)


def test_scores_that_cannot_vary_and_equal_systems_have_no_error() -> None:
    """All matches are right, however the segments are weighted: no statistic may be moved alone."""
    lines = ["a b c d e", "f g h i j k", "l m n o p q r"]
    result = tg.score(lines, {"same": lines}, metrics=["bleu", "chrf", "ter"], resamples=10)
    assert [one.standard_error for one in result.scores] == [0.0, 0.0, 0.0]
    values = np.repeat(GENERATOR.normal(size=(1, 1, 40)), 2, axis=0)
    assert prepared(scored(values)).standard_error(0, 0, 1) == 0.0


def test_claims_about_new_runs_have_the_variation_of_runs() -> None:
    values = GENERATOR.normal(size=(2, 4, 80)) + GENERATOR.normal(size=(2, 4, 1))
    tests = ["crossed", "welch", "run-permutation", "ar"]
    result = tg.compare(scored(values), metrics=["scores"], test=tests, resamples=50)
    found = {one.test: one.standard_error for one in result.comparisons}
    runs = values.mean(2)
    over_runs = math.sqrt((runs.var(1, ddof=1) / 4).sum())
    assert found["welch"] == found["run-permutation"] == pytest.approx(over_runs)
    difference = values[1].mean(0) - values[0].mean(0)
    over_segments = difference.std(ddof=1) / math.sqrt(80)
    assert found["ar"] == pytest.approx(over_segments, rel=1e-9)
    crossed = found["crossed"]
    assert crossed is not None
    assert over_runs < crossed <= math.hypot(over_runs, over_segments)


def test_that_of_the_crossed_test_is_not_below_that_with_the_runs_as_they_are() -> None:
    """Runs with equal scores that differ by segment: the part of it taken off again would leave too little."""
    values = GENERATOR.normal(size=(2, 2, 80))
    values += values.mean(2).mean(1)[:, None, None] - values.mean(2)[:, :, None]
    result = tg.compare(scored(values), metrics=["scores"], resamples=200, standard_errors=True)
    found = {one.test: one for one in result.comparisons}
    assert found["crossed"].standard_error == found["ar"].standard_error
    assert found["crossed"].interval.low <= found["ar"].interval.low
