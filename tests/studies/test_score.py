"""score: scores, intervals, single segments; how scores vary over runs and test sets, and the run to read."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
import scipy.stats
from msgspec.structs import replace
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU as Peer

import truegain as tg
from tests.known import known
from tests.refusals import kinds, refused
from truegain.inference.results import MetricInfo, Variability
from truegain.metrics.segment_scores import SegmentScores
from truegain.readers.memory import corpus_from_memory
from truegain.report.model import Table
from truegain.studies.advice import LARGE, OVERFITTED, advice, varies_more

REFERENCES = ["the cat sat on the mat", "a dog ran off in the rain", "it was late", "they left"] * 10
OUTPUTS = ["the cat sat on a mat", "a dog ran in the rain", "it is late", ""] * 10


def test_score_and_interval() -> None:
    result = tg.score(REFERENCES, {"s": OUTPUTS}, metrics=["bleu", "chrf"], resamples=500)
    found = result["bleu", "s"]
    assert found.score == pytest.approx(Peer().corpus_score(OUTPUTS, [REFERENCES]).score, abs=1e-9)
    assert known(found.interval).low < found.score < known(found.interval).high
    assert "empty-segments" in kinds(result.notes)
    with pytest.raises(KeyError):
        result["ter", "s"]
    few = tg.score(["a b c d e", "f g h i j"], {"s": ["a b c d e", "x y"]}, metrics=["bleu", "ter"], resamples=200)
    assert all(known(one.interval).low >= 0 for one in few.scores), "within the metric"
    assert known(few["bleu", "s"].interval).high <= 100


def test_single_segments_as_sacrebleus_sentence_bleu() -> None:
    result = tg.score(REFERENCES, {"s": OUTPUTS}, resamples=10, segments=True)
    peer = Peer(effective_order=True)
    expected = [peer.sentence_score(o, [r]).score for o, r in zip(OUTPUTS, REFERENCES, strict=True)]
    assert result.segments["bleu", "s"] == pytest.approx(expected, abs=1e-9)
    assert [row["s bleu"] for row in result.to_records()] == pytest.approx(expected, abs=1e-9)
    assert len(json.loads(result.render("json"))["segments"][0]["scores"]) == 40
    shown = result.document().items
    assert [len(item.rows) for item in shown if isinstance(item, Table)] == [40, 1]
    assert "to_pandas()" in repr(result), "a notebook shows no long table"


def test_one_segment_has_no_interval() -> None:
    result = tg.score(["the cat sat down now"], {"s": ["the cat sat down there"]})
    assert result["bleu", "s"].interval is None
    assert "no-intervals" in kinds(result.notes)
    assert result.to_records()[0]["low"] is None


def test_intervals_have_any_level_as_nothing_is_tested() -> None:
    intervals = [
        known(tg.score(REFERENCES, {"s": OUTPUTS}, resamples=200, alpha=alpha)["bleu", "s"].interval)
        for alpha in (0.05, 0.5, 0.7)
    ]
    widths = [interval.high - interval.low for interval in intervals]
    assert widths[0] > widths[1] > widths[2] > 0.0
    for alpha, meant in ((0.95, "0.05"), (0.8, "0.2"), (0.99999, "0.05")):
        with refused(naming=[0.8, alpha, f"{meant}?"]):
            tg.score(REFERENCES, {"s": OUTPUTS}, alpha=alpha)


# ---- Clark et al.'s table 1, its components, and advice

Floats = NDArray[np.float64]
Runs = list[Floats]


N = 80


def some_runs(count: int, seed: int, *, run: float = 0.3, segments: int = N) -> Runs:
    rng = np.random.default_rng(seed)
    shared = rng.normal(20.0, 1.0, segments)
    return [shared + run * rng.normal() + 0.8 * rng.normal(size=segments) for _ in range(count)]


SYSTEMS = {"base": some_runs(4, 1), "new": some_runs(3, 2), "one": some_runs(1, 3)}
DEVELOPMENT = {"base": some_runs(4, 11, segments=33), "new": some_runs(3, 12, segments=33), "one": some_runs(1, 13)}
DEVELOPMENT["one"] = [run[:33] for run in DEVELOPMENT["one"]]


def scored(systems: dict[str, Runs], **options: Any) -> dict[str, Variability]:
    settings = {"metrics": ["scores"], "resamples": 2000, **options}
    return {one.system: one for one in tg.score(None, {**systems}, **settings).variability}


def two_way(runs: Runs) -> tuple[float, float, float]:
    """Mean squares of an analysis of variance over segments, runs and the rest, as components of one run's score."""
    scores = np.stack(runs)
    m, n = scores.shape
    rest = scores - scores.mean(1, keepdims=True) - scores.mean(0) + scores.mean()
    inner = (rest**2).sum() / ((m - 1) * (n - 1)) / n
    over_runs = scores.mean(1).var(ddof=1)
    over_segments = scores.mean(0).var(ddof=1) / n
    return max(over_segments - inner / m, 0.0), max(over_runs - inner, 0.0), inner


def test_components_and_deviations() -> None:
    found = scored(SYSTEMS)
    assert list(found) == ["base", "new", "one"]
    for name in ("base", "new"):
        one, runs = found[name], SYSTEMS[name]
        means = np.array([run.mean() for run in runs])
        components = [math.sqrt(variance) for variance in two_way(runs)]
        assert [one.units, one.run, one.interaction] == pytest.approx(components)
        assert (one.average, one.s_test) == pytest.approx((means.mean(), means.std(ddof=1)))
        assert (one.metric, one.runs, one.s_dev) == ("scores", len(runs), None)
        # The bootstrap's standard deviation of a mean is known: that of the scores over √n.
        assert one.s_sel == pytest.approx(np.mean([run.std() / math.sqrt(N) for run in runs]), rel=0.04)
    together = scored({"base": SYSTEMS["base"], "new": SYSTEMS["new"]})["base"].s_sel
    alone = [scored({"base": [run], "new": SYSTEMS["new"]})["base"].s_sel for run in SYSTEMS["base"]]
    assert together == pytest.approx(np.mean(alone), rel=1e-9), "of the same resamples"


def test_one_run_has_segments_only() -> None:
    one, run = scored(SYSTEMS)["one"], SYSTEMS["one"][0]
    assert (one.runs, one.s_test, one.s_dev, one.run, one.interaction) == (1, None, None, None, None)
    assert one.units == pytest.approx(run.std(ddof=1) / math.sqrt(N))
    assert scored({name: runs[:1] for name, runs in SYSTEMS.items()}) == {}


def test_documents_are_the_test_sets_units() -> None:
    """Segments of a document are alike: test sets of other documents vary more than of other segments."""
    rng = np.random.default_rng(5)
    shared = np.repeat(rng.normal(0.0, 2.0, 10), 8)
    systems = {name: [run + shared for run in runs] for name, runs in SYSTEMS.items()}
    documents = [f"d{i // 8}" for i in range(N)]
    plain, grouped = scored(systems), scored(systems, documents=documents)
    for name in ("base", "new"):
        assert grouped[name].s_sel > 2 * plain[name].s_sel
        assert grouped[name].units > 2 * plain[name].units
        assert grouped[name].s_test == plain[name].s_test


def middle_of(name: str, runs: Runs) -> list[str]:
    """The run in the middle, or the two."""
    order = np.argsort([run.mean() for run in runs])
    return [f"{name}.{number + 1}" for number in order[(len(runs) - 1) // 2 : len(runs) // 2 + 1]]


@pytest.mark.parametrize("places", [(1, 2, 3, 4), (4, 3, 2, 1), (3, 1, 4, 2), (2, 4, 1, 3)])
def test_the_median_run_is_the_one_in_the_middle_and_of_two_the_first(places: tuple[int, ...]) -> None:
    """Whatever the rounding of their distances to the median."""
    shape = np.arange(10.0)
    for step in (0.1, 1 / 3, 0.7):
        runs = [shape * (1 + place / 7) - (shape * (1 + place / 7)).mean() + step * place for place in places]
        first = next(number for number, place in enumerate(places) if place in (2, 3))
        assert scored({"a": runs}, resamples=9)["a"].median_run == f"a.{first + 1}"
        middle = places[:3].index(sorted(places[:3])[1])
        assert scored({"a": runs[:3]}, resamples=9)["a"].median_run == f"a.{middle + 1}"


def test_development_set() -> None:
    found = scored(SYSTEMS, development=(None, {**DEVELOPMENT}))
    plain = scored(SYSTEMS)
    for name in ("base", "new"):
        one = found[name]
        assert one.s_dev == pytest.approx(np.array([run.mean() for run in DEVELOPMENT[name]]).std(ddof=1))
        assert one.median_run in middle_of(name, DEVELOPMENT[name])
        assert replace(one, s_dev=None, median_run=plain[name].median_run) == plain[name]
    assert found["one"].s_dev is None
    # As a corpus, and with the systems in another order, too.
    turned = {name: DEVELOPMENT[name] for name in ("new", "base", "one")}
    for same in (corpus_from_memory(None, {**DEVELOPMENT}), (None, {**turned})):
        assert scored(SYSTEMS, development=same) == found
    assert any(found[name].median_run != plain[name].median_run for name in ("base", "new")), "data that could tell"


def test_runs_that_coincide_on_one_set_are_runs_on_both() -> None:
    test, dev = some_runs(4, 1), some_runs(4, 11, segments=33)
    test[1], dev[3] = test[0], dev[0]
    both = {"a": [*test, test[2]], "one": SYSTEMS["one"]}
    development = {"a": [*dev, dev[2]], "one": DEVELOPMENT["one"]}
    result = tg.score(None, {**both}, metrics=["scores"], resamples=50, development=(None, {**development}))
    (found,) = [one for one in result.variability if one.system == "a"]
    assert found.runs == 5
    assert found.s_dev == pytest.approx(np.array([run.mean() for run in development["a"]]).std(ddof=1))
    assert found.s_test == pytest.approx(np.array([run.mean() for run in both["a"]]).std(ddof=1))
    assert scored(both)["a"].runs == 5


@pytest.mark.parametrize("study", [tg.score, tg.compare])
def test_the_test_set_as_its_own_development_set_is_warned_of(study: Any) -> None:
    for given, said in ((SYSTEMS, [True]), (DEVELOPMENT, [])):
        notes = study(None, {**SYSTEMS}, metrics=["scores"], resamples=50, development=(None, {**given})).notes
        assert [note.warning for note in notes if note.kind == "development-is-test"] == said


@pytest.mark.parametrize(
    ("s_test", "s_dev", "runs", "more"),
    [(0.4, 0.1, 2, False), (0.4, 0.1, 3, False), (0.45, 0.1, 3, True), (0.4, 0.1, 10, True), (0.1, 0.1, 99, False)],
)
def test_more_variation_on_the_test_set_is_claimed_beyond_chance(
    s_test: float, s_dev: float, runs: int, more: bool
) -> None:
    assert varies_more(s_test, s_dev, runs) is more
    assert more is bool(scipy.stats.f.sf((s_test / s_dev) ** 2, runs - 1, runs - 1) <= 0.05)


@pytest.mark.parametrize(
    "other",
    [
        {"base": DEVELOPMENT["base"], "new": DEVELOPMENT["new"]},  # a system less
        {**DEVELOPMENT, "more": DEVELOPMENT["new"]},  # one more
        {**DEVELOPMENT, "base": DEVELOPMENT["base"][:3]},  # a run less
        {"first": DEVELOPMENT["base"], "new": DEVELOPMENT["new"], "one": DEVELOPMENT["one"]},  # another name
    ],
)
def test_development_set_of_other_systems_is_refused(other: dict[str, Runs]) -> None:
    for study in (tg.score, tg.compare):
        with refused("development", naming=["base (4), new (3), one (1)"]):
            study(None, {**SYSTEMS}, metrics=["scores"], resamples=9, development=(None, {**other}))


def test_lower_is_better_bca_and_blocks_change_nothing() -> None:
    up, down = (scored(SYSTEMS, metrics=[SegmentScores(lower_is_better=lower)]) for lower in (False, True))
    assert up == down
    for options in ({"interval": "bca"}, {"unit": "block", "block_length": 3.0}):
        assert scored(SYSTEMS, **options)["base"].s_test == up["base"].s_test


def test_score_and_compare_carry_the_same() -> None:
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": 500, "development": (None, {**DEVELOPMENT})}
    score, compare = tg.score(None, {**SYSTEMS}, **options), tg.compare(None, {**SYSTEMS}, **options)
    assert score.variability == compare.variability
    shown = score.render("terminal")
    assert all(row.median_run in shown for row in score.variability)
    assert "s_dev" in shown
    assert "s_dev" not in tg.score(None, {**SYSTEMS}, metrics=["scores"], resamples=99).render("terminal")


def varying(system: str, s_sel: float, s_dev: float | None, s_test: float | None) -> Variability:
    return Variability(system, "bleu", 3, 20.0, s_sel, s_dev, s_test, 0.0, 0.0, 0.0, "run.1")


def test_advice_is_given_of_what_is_more_than_half_of_the_difference() -> None:
    metric = MetricInfo("bleu", "BLEU", True, "")
    varies = [varying("a", 0.9, 0.05, 0.26), varying("b", 0.25, 0.3, 0.27), varying("c", 0.3, None, None)]
    named = {"s_sel": "a (0.90) and c (0.30)", "s_dev": "b (0.30)", "s_test": "a (0.26) and b (0.27)"}
    expected = [LARGE[name](systems=systems, gain="0.50", metric="BLEU") for name, systems in named.items()]
    given = [note.text for note in advice(varies, {"bleu": -0.5}, [metric])]
    assert given == [*expected, OVERFITTED(metric="BLEU", systems="a")]
    assert not [*advice(varies, {"bleu": 2.0}, [metric]), *advice(varies, {}, [metric])]


def test_two_systems_are_asked_about_by_their_difference() -> None:
    close = {"base": SYSTEMS["base"], "new": [run + 0.01 for run in SYSTEMS["base"]]}
    far = {"base": SYSTEMS["base"], "new": [run + 9.0 for run in SYSTEMS["base"]]}
    three = close | {"third": SYSTEMS["new"]}

    large = {"large-s_sel", "large-s_test"}
    for systems, gain, said in ((close, None, large), (far, None, set()), (three, None, set()), (three, 0.01, large)):
        notes = tg.score(None, {**systems}, metrics=["scores"], resamples=100, gain=gain).notes
        assert {kind for kind in kinds(notes) if kind.startswith("large-")} == said


def test_a_gain_takes_runs_and_intervals_and_one_of_nothing_is_refused() -> None:
    for gain in (0.0, math.nan, math.inf):
        with refused(naming=["gain"]):
            tg.score("a", {"x": ["a", "b"]}, gain=gain)
    given: Any
    for given, intervals in ((["a b", "c"], True), ([["a b", "c"], ["a", "c"]], False)):
        with refused():
            tg.score(["a b", "c d"], {"x": given}, gain=0.5, intervals=intervals)
