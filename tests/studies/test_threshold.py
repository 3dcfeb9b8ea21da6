"""The gain that is usually significant: from the p-values of comparisons, and what is known beforehand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.known import known
from tests.refusals import kinds, refused
from truegain.report.model import Table
from truegain.studies.threshold import ThresholdResult

NAMES = {"word-1": 0.6, "word-2": 0.66, "bpe-1": 0.67, "bpe-2": 0.68}
MADE = simulate(segments=80, systems=[SystemSpec(name=name, quality=q, runs=2) for name, q in NAMES.items()])
REFERENCE = list(MADE.references[0])
RUNS = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}
FIRST = {name: runs[0] for name, runs in RUNS.items()}
DOCUMENTS = list(MADE.documents)
Z = 1.6448536269514722


def independent(systems: int, segments: int, sd: float, seed: int) -> dict[str, NDArray[np.float64]]:
    """Segment scores of systems that differ by independent noise alone: the error of a difference is sd·√(2/n)."""
    generator = np.random.default_rng(seed)
    common = generator.normal(50.0, 10.0, segments)
    return {f"s{i}": common + generator.normal(0.0, sd, segments) for i in range(systems)}


def found(systems: Any, **options: Any) -> ThresholdResult:
    return tg.threshold(None, systems, **{"metrics": ["scores"], "resamples": 1_000, "jobs": 1, **options})


def of_families(**options: Any) -> ThresholdResult:
    """Systems of two families, one of which is there twice."""
    systems = {**FIRST, "bpe-copy": FIRST["bpe-1"]}
    given: dict[str, Any] = {"metrics": ["bleu", "ter"], "documents": DOCUMENTS, "resamples": 2_000, **options}
    return tg.threshold(REFERENCE, systems, groups="^(word|bpe)", **given)


@pytest.fixture(scope="module")
def result() -> ThresholdResult:
    return of_families()


@pytest.mark.parametrize("unit", ["segment", "document", "block"])
def test_p_is_that_of_a_comparison_of_the_ordered_pair(unit: Any) -> None:
    options: dict[str, Any] = {"metrics": ["bleu", "ter"], "documents": DOCUMENTS, "unit": unit, "resamples": 500}
    if unit == "block":
        options["block_length"] = 3.0
    made = tg.threshold(REFERENCE, FIRST, **options)
    assert len(made.pairs) == 12
    for pair in made.pairs:
        two = {name: FIRST[name] for name in (pair.baseline, pair.system)}
        test: Any = "stationary-bootstrap" if unit == "block" else "bootstrap"
        result = tg.compare(REFERENCE, two, test=test, alternative="greater", changed_segments=0, **options)
        compared = result[pair.metric, pair.system]
        assert (pair.delta, pair.p, pair.exceedances) == (compared.delta, compared.p, compared.p_value.exceedances)
        assert pair.delta >= 0.0


def test_a_known_standard_error_gives_the_threshold() -> None:
    made = found(independent(12, 2_000, 3.0, 1))
    mine = made["scores"]
    assert mine.pairs == 66
    assert mine.gain == pytest.approx(Z * 3.0 * math.sqrt(2.0 / 2_000), rel=0.08)
    assert known(mine.low) <= mine.gain <= known(mine.high)
    errors = [pair.se for pair in made.pairs]
    assert mine.gain == pytest.approx(Z * np.quantile(errors, 0.95), rel=1e-6)
    stricter = found(independent(12, 2_000, 3.0, 1), alpha=0.01)["scores"]
    assert stricter.gain / mine.gain == pytest.approx(2.3263478740 / Z, rel=1e-6)
    # The band agrees with the standard errors where it has pairs.
    systems = independent(40, 400, 3.0, 5)
    many = found(systems, resamples=4_000)["scores"]
    assert many.in_band >= 10
    assert many.band_gain == pytest.approx(many.gain, rel=0.12)
    assert found({name: systems[name] for name in ("s0", "s1", "s2")})["scores"].band_gain is None


@pytest.mark.whole
def test_one_over_the_root_of_the_size() -> None:
    for subsets in ("initial", "random"):
        made = found(independent(12, 3_000, 3.0, 2), sizes=[100, 300, 1_000, 3_000], subsets=subsets)
        law = known(made.law("scores"))
        assert law.exponent == pytest.approx(0.5, abs=0.04)
        assert known(law.low) - 0.02 <= 0.5 <= known(law.high) + 0.02
        # A high percentile of errors that are themselves found on few segments is a little too high.
        assert law.c == pytest.approx(Z * 3.0 * math.sqrt(2.0), rel=0.15)
        assert [one.units for one in made.sizes] == [100, 300, 1_000, 3_000]
        assert [one.repetitions for one in made.sizes] == ([1] * 4 if subsets == "initial" else [5, 5, 5, 1])
        assert made.sizes[-1].gain == made["scores"].gain
        assert made.sizes[-1].low == made["scores"].low
        assert all(one.law == pytest.approx(law.c / math.sqrt(one.units)) for one in made.sizes)


@pytest.mark.parametrize(
    ("sizes", "labels"),
    [
        ([60, 120], {}),
        ([20, 40], {"documents": [f"d{i // 3}" for i in range(120)], "domains": (["news"] * 3 + ["talks"] * 3) * 20}),
    ],
)
def test_an_initial_part_is_the_test_set_cut_short(sizes: list[int], labels: dict[str, list[str]]) -> None:
    """Of documents these are the first ones of the file, of both domains."""
    systems = independent(4, 120, 3.0, 4)
    made = found(systems, sizes=sizes, **labels)
    assert [(one.units, one.segments) for one in made.sizes] == [(sizes[0], 60.0), (sizes[1], 120.0)]
    half = {name: scores[:60] for name, scores in systems.items()}
    alone = found(half, **{name: own[:60] for name, own in labels.items()})["scores"]
    assert (made.sizes[0].gain, made.sizes[0].low, made.sizes[0].high) == (alone.gain, alone.low, alone.high)


def test_groups(result: ThresholdResult) -> None:
    assert [(one.group, one.pairs) for one in result.groups("bleu")] == [("all", 9), ("same", 3), ("different", 6)]
    labels = {one.system: one.label for one in result.labels}
    assert labels == {"word-1": "word", "word-2": "word", "bpe-1": "bpe", "bpe-2": "bpe", "bpe-copy": "bpe"}
    for pair in result.pairs:
        assert pair.group == ("same" if labels[pair.baseline] == labels[pair.system] else "different")
    mine = [one for one in result.pairs if one.metric == "ter" and one.group == "different"]
    expected = Z * np.quantile([one.se for one in mine], 0.95)
    assert result.threshold("ter", "different").gain == pytest.approx(expected)
    groups = {"other": "x", **{name: name[:3] for name in FIRST}}
    given = tg.threshold(REFERENCE, FIRST, groups=groups, resamples=100, jobs=1)
    assert [one.label for one in given.labels] == ["wor", "wor", "bpe", "bpe"]
    with pytest.raises(KeyError):
        tg.threshold(REFERENCE, FIRST, resamples=50).threshold("bleu", "same")


def test_few_systems_and_one_label() -> None:
    made = found(independent(3, 40, 3.0, 8), groups="^(s)")
    assert [one.group for one in made.groups("scores")] == ["all", "same"]
    assert ["'s'" in note.text for note in made.notes if note.kind == "one-label"] == [True]
    made = found(independent(2, 100, 3.0, 9), sizes=[50, 100])
    assert (made["scores"].pairs, made["scores"].low, made.sizes[0].covered) == (1, None, None)
    notes = [kinds(found(independent(systems, 100, 3.0, 9)).notes) for systems in (2, 4, 10)]
    assert ["few-systems" in one for one in notes] == [True, True, False]


def test_identical_systems_are_no_pair_and_segments_stand_beside_documents(result: ThresholdResult) -> None:
    copies = [one for one in result.pairs if {one.baseline, one.system} == {"bpe-1", "bpe-copy"}]
    assert [(one.delta, one.p, one.se) for one in copies] == [(0.0, 1.0, 0.0)] * 2
    assert any("bpe-1 and bpe-copy" in note.text for note in result.notes)
    alone = of_families(unit="segment")
    for group in ("all", "same", "different"):
        assert result.over_segments("bleu", group) == alone.threshold("bleu", group)
    assert alone.over_segments("bleu") is None
    assert result.unit == "document"


def test_the_same_on_any_number_of_threads() -> None:
    options: dict[str, Any] = {"resamples": 9_000, "sizes": [40, 80], "subsets": "random"}
    one, two = (tg.threshold(REFERENCE, FIRST, jobs=jobs, **options) for jobs in (1, 2))
    assert one == two
    assert one != tg.threshold(REFERENCE, FIRST, seed=2, **options)


def number(value: float | None) -> str:
    return f"{known(value):.2f}"


def test_findings() -> None:
    usual = "A gain of {} score or more is usually significant here (one-sided p ≤ .05 over {} items"
    falls = "From {} to {} items the threshold in score falls as n^−{:.2f}"
    for systems, size in ((12, 600), (2, 100)):
        made = found(independent(systems, size, 3.0, 11), sizes=[50, size])
        mine, law = made["scores"], known(made.law("scores"))
        over, interval = ")", ""
        if systems > 2:
            over = f"; {number(mine.low)} – {number(mine.high)} over systems)"
            interval = f" (95 % CI {number(law.low)} – {number(law.high)})"
        assert [one.text for one in made.findings] == [
            usual.format(number(mine.gain), size) + f"{over}.",
            falls.format(50, size, law.exponent) + f"{interval}; it is about {law.c:.3g}/√n.",
        ]
        groups, sizes = (item for item in made.document().items if isinstance(item, Table))
        above, below = ([one for one in made.pairs if (one.delta >= mine.gain) is more] for more in (True, False))
        counts = [f"{sum(one.p <= 0.05 for one in rows)} of {len(rows)}" for rows in (above, below)]
        assert [cell.text for cell in groups.rows[0]][-2:] == counts
        assert "1.19" in groups.notes[0], "what a two-sided test takes"
        assert [row[-1].text for row in sizes.rows] == [number(one.law) for one in made.sizes]


def test_records_and_pictures(result: ThresholdResult) -> None:
    records = result.to_records()
    assert len(records) == 20
    assert records[0]["confidence"] == 1.0 - records[0]["p"]
    assert records[0]["baseline_label"] in ("word", "bpe")
    assert records[0]["threshold"] == result["bleu"].gain
    (only,) = result.pictures()
    assert all(told in only.alt for told in ("different labels: ", "same label: ", "of 6 pairs", "of 3 pairs"))
    made = found(independent(3, 240, 3.0, 6), sizes="auto", resamples=100)
    assert [one.units for one in made.sizes] == [25, 50, 100, 240]
    assert made.signature.count("|subsets:initial|") == 1
    (axes,) = made.picture("sizes").draw().figure.axes
    assert np.asarray(axes.lines[-1].get_xydata())[0].tolist() == [25, made.sizes[0].gain]


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ({"alpha": 0.5}, [0.5]),
        ({"subsets": "last"}, ["initial, random"]),
        ({"repetitions": 0}, ["repetitions"]),
        ({"unit": "block", "sizes": [50, 100]}, ["blocks"]),
        ({"block_length": 3.0}, ["blocks"]),
        ({"sizes": "auto", "unit": "document", "documents": [f"d{i // 5}" for i in range(100)]}, []),
        ({"sizes": [50, 300]}, [300, 100]),
        ({"sizes": [5, 100]}, [5]),
        ({"sizes": [100, 100]}, []),
        ({"groups": "^(x)"}, ["'^(x)'", "'s0', 's1' and 's2'"]),
        ({"groups": "s"}, ["'s'", 0]),
        ({"groups": "(s)(.)"}, [2]),
        ({"groups": "("}, ["("]),
        ({"groups": {"s0": "x"}}, ["'s1' and 's2'"]),
        ({"pair_classes": {("s0", "x"): "a"}}, ["'x'"]),
        ({"pair_classes": {("s0", "s0"): "a"}}, ["'s0'"]),
        ({"pair_classes": {("s0", "s1"): "all"}}, ["'all'"]),
        ({"pair_classes": {("s0", "s1"): "a", ("s1", "s0"): "b"}}, ["'s1' and 's0'", "'a' and 'b'"]),
        ({"pair_classes": {}}, []),
        ({"pair_classes": {"s0": "a"}}, ["'s0' and 'a'"]),
        ({"pair_classes": {("s0", "s1"): ""}}, []),
        ({"pair_classes": {("s0", "s1"): "a"}, "groups": "^(s)"}, []),
    ],
)
def test_choices_that_cannot_be(options: dict[str, Any], naming: list[object]) -> None:
    with refused(naming=naming):
        found(independent(3, 100, 3.0, 12), **options)


def test_metrics_and_systems_that_cannot_be() -> None:
    scores = independent(1, 50, 1.0, 3)["s0"]
    pairs = {(f"s{i}", f"s{j}"): f"{i}{j}" for i in range(5) for j in range(i)}
    cases: list[tuple[Any, dict[str, Any], list[object]]] = [
        *(
            ({"a": one, "b": other}, {}, [])
            for one, other in (([1.0], [2.0]), (scores, scores), (scores, scores + 2.0))
        ),
        (independent(5, 40, 3.0, 8), {"pair_classes": pairs}, [10, 6]),  # more classes than can be shown
        ({"a": scores}, {}, ["'a'"]),
    ]
    for systems, options, naming in cases:
        with refused(naming=naming):
            found(systems, **options)
    with refused():
        tg.threshold(REFERENCE, FIRST, metrics=["length"])


def test_systems_that_differ_at_the_end_of_the_test_set_alone(recwarn: pytest.WarningsRecorder) -> None:
    """On its beginning their standard error is nothing."""
    systems = {"late": [*FIRST["bpe-1"][:-5], *FIRST["bpe-2"][-5:]], **{one: FIRST[one] for one in ("bpe-1", "word-1")}}
    made = tg.threshold(REFERENCE, systems, sizes=[40, 80], resamples=500)
    assert not recwarn.list
    assert all(one.low is None or math.isfinite(one.low) for one in made.sizes)


def test_kinds_of_notes() -> None:
    few = {name: lines[:2] for name, lines in FIRST.items()}
    made = tg.threshold(REFERENCE[:2], few, resamples=500)
    assert made.threshold("bleu").gain > 100.0
    assert ["100" in note.text for note in made.notes if note.kind == "no-possible-gain"] == [True]
    made = found(independent(4, 50, 1.0, 4), resamples=100, alpha=0.001)
    assert [".001" in note.text for note in made.notes if note.kind == "few-resamples"] == [True]
    for systems, held in ((RUNS, True), (FIRST, False)):
        assert ("held-runs" in kinds(tg.threshold(REFERENCE, systems, resamples=100).notes)) is held
    scores = independent(3, 50, 1.0, 3)
    made = found({"a": scores["s0"], "b": scores["s0"] + 2.0, "c": scores["s1"]})
    assert any("a and b" in note.text for note in made.notes if note.kind == "same"), "never varies"
    assert made.threshold("scores").low is None


CLASSES = {("s0", "s1"): "same", ("s2", "s1"): "same", ("s3", "s0"): "shared features", ("s2", "s3"): "different"}


def test_classes_of_pairs() -> None:
    made = found(independent(5, 80, 3.0, 13), pair_classes=CLASSES)
    assert made.classes == ("same", "shared features", "different")
    counts = {one.group: one.pairs for one in made.groups("scores")}
    assert list(counts.items()) == [("all", 10), ("same", 2), ("shared features", 1), ("different", 1)]
    known = {frozenset(pair): kind for pair, kind in CLASSES.items()}
    assert [one.group for one in made.pairs] == [known.get(frozenset((one.baseline, one.system))) for one in made.pairs]
    (error,) = (one.se for one in made.pairs if one.group == "shared features")
    assert made.threshold("scores", "shared features").gain == pytest.approx(Z * error)
    (note,) = (note for note in made.notes if note.kind == "no-class")
    assert "6 of 10" in note.text
    (picture,) = made.pictures()
    assert all(f"{one}: " in picture.alt for one in made.classes)
    assert {one["group"] for one in made.to_records()} == {*made.classes, None}
