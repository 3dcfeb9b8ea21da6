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
from tests.refusals import refused
from tests.sentences import says
from truegain.studies.threshold import USUAL, ThresholdResult

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


@pytest.fixture(scope="module")
def result() -> ThresholdResult:
    """Systems of two families, one of which is there twice."""
    systems = {**FIRST, "bpe-copy": FIRST["bpe-1"]}
    options: dict[str, Any] = {"metrics": ["bleu", "ter"], "documents": DOCUMENTS, "resamples": 2_000}
    return tg.threshold(REFERENCE, systems, groups="^(word|bpe)", **options)


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
    stricter = found(independent(12, 2_000, 3.0, 1), alpha=0.01)["scores"]
    assert stricter.gain / mine.gain == pytest.approx(2.3263478740 / Z, rel=1e-6)
    # The band agrees with the standard errors where it has pairs.
    many = found(independent(40, 400, 3.0, 5), resamples=4_000)["scores"]
    assert many.in_band >= 10
    assert many.band_gain == pytest.approx(many.gain, rel=0.12)
    assert mine.band_gain is None


@pytest.mark.parametrize(("subsets", "repetitions"), [("initial", [1, 1, 1]), ("random", [5, 5, 1])])
def test_one_over_the_root_of_the_size(subsets: Any, repetitions: list[int]) -> None:
    made = found(independent(12, 1_000, 3.0, 2), sizes=[100, 300, 1_000], subsets=subsets)
    law = known(made.law("scores"))
    assert law.exponent == pytest.approx(0.5, abs=0.06)
    assert known(law.low) - 0.02 <= 0.5 <= known(law.high) + 0.02
    # A high percentile of errors that are themselves found on few segments is a little too high.
    assert law.c == pytest.approx(Z * 3.0 * math.sqrt(2.0), rel=0.15)
    assert [one.repetitions for one in made.sizes] == repetitions
    assert [one.law for one in made.sizes] == pytest.approx([law.c / math.sqrt(size) for size in (100, 300, 1_000)])
    assert (made.sizes[-1].gain, made.sizes[-1].low) == (made["scores"].gain, made["scores"].low)


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


def test_groups_of_labels(result: ThresholdResult) -> None:
    assert [(one.group, one.pairs) for one in result.groups("bleu")] == [("all", 9), ("same", 3), ("different", 6)]
    labels = {one.system: one.label for one in result.labels}
    assert labels == {"word-1": "word", "word-2": "word", "bpe-1": "bpe", "bpe-2": "bpe", "bpe-copy": "bpe"}
    for pair in result.pairs:
        assert pair.group == ("same" if labels[pair.baseline] == labels[pair.system] else "different")
    errors = [one.se for one in result.pairs if (one.metric, one.group) == ("ter", "different")]
    assert result.threshold("ter", "different").gain == pytest.approx(Z * np.quantile(errors, 0.95))
    given = found(independent(3, 40, 3.0, 8), groups={"other": "x", "s0": "a", "s1": "a", "s2": "a"})
    assert [one.group for one in given.groups("scores")] == ["all", "same"]
    with pytest.raises(KeyError):
        given.threshold("scores", "different")


def test_identical_systems_are_no_pair_and_segments_stand_beside_documents(result: ThresholdResult) -> None:
    copies = [one for one in result.pairs if {one.baseline, one.system} == {"bpe-1", "bpe-copy"}]
    assert [(one.delta, one.p, one.se) for one in copies] == [(0.0, 1.0, 0.0)] * 2
    systems = {**FIRST, "bpe-copy": FIRST["bpe-1"]}
    alone = tg.threshold(REFERENCE, systems, groups="^(word|bpe)", resamples=2_000)
    for group in ("all", "same", "different"):
        assert result.threshold("bleu", group, "segment") == alone.threshold("bleu", group)
    assert result.unit == "document"


def test_the_same_on_any_number_of_threads() -> None:
    options: dict[str, Any] = {"resamples": 9_000, "sizes": [40, 80], "subsets": "random"}
    one, two = (tg.threshold(REFERENCE, FIRST, jobs=jobs, **options) for jobs in (1, 2))
    assert one == two
    assert one != tg.threshold(REFERENCE, FIRST, seed=2, **options)


def test_two_systems_have_no_interval_and_a_copy_is_no_third() -> None:
    made = found({"a": SCORES["s0"], "b": SCORES["s0"] + 2.0, "c": SCORES["s1"]})
    assert made["scores"].low is None
    made = found(independent(2, 100, 3.0, 11), sizes=[50, 100])
    assert (made["scores"].pairs, made["scores"].low, made.sizes[0].covered, made.draws) == (1, None, None, 0)
    (finding,) = made.findings
    assert says(finding.text, USUAL)
    assert f" {made['scores'].gain:.2f} score " in finding.text
    assert known(made.law("scores")).low is None


def test_records_and_pictures(result: ThresholdResult) -> None:
    records = result.to_records()
    assert [record["confidence"] for record in records] == [1.0 - one.p for one in result.pairs]
    assert (records[0]["baseline_label"], records[0]["threshold"]) == ("word", result["bleu"].gain)
    assert [picture.name for picture in result.pictures()] == ["confidence"]
    made = found(independent(3, 240, 3.0, 6), sizes="auto", resamples=100)
    assert [one.units for one in made.sizes] == [25, 50, 100, 240]
    assert "25" in made.picture("sizes").draw().alt


SCORES = independent(3, 100, 3.0, 12)
GROUPS: list[tuple[Any, list[object]]] = [
    ("^(x)", ["'^(x)'", "'s0', 's1', 's2'"]),
    ("s", ["'s'", 0]),
    ("(s)(.)", [2]),
    ("(", ["("]),
    ({"s0": "x"}, ["'s1', 's2'"]),
]
CLASSES: list[tuple[Any, list[object]]] = [
    ({("s0", "x"): "a"}, ["'x'"]),
    ({("s0", "s0"): "a"}, ["'s0'"]),
    ({("s0", "s1"): "all"}, ["'all'"]),
    ({("s0", "s1"): "a", ("s1", "s0"): "b"}, ["'s1' and 's0'", "'a' and 'b'"]),
    ({"s0": "a"}, ["'s0'"]),
    ({("s0", "s1"): ""}, ["''"]),
    ({}, []),
]


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ({"alpha": 0.5}, [0.5]),
        ({"subsets": "last"}, ["initial, random"]),
        ({"repetitions": 0}, ["repetitions"]),
        ({"unit": "block", "sizes": [50, 100]}, ["blocks"]),
        ({"block_length": 3.0}, ["blocks"]),
        ({"sizes": "auto", "unit": "document", "documents": [f"d{i // 5}" for i in range(100)]}, [10, 20]),
        *(({"sizes": sizes}, [10, 100, *sizes]) for sizes in ([50, 300], [5, 100], [100])),
        *(({"groups": groups}, naming) for groups, naming in GROUPS),
        *(({"pair_classes": classes}, naming) for classes, naming in CLASSES),
        ({"pair_classes": {("s0", "s1"): "a"}, "groups": "^(s)"}, []),
        *(
            ({"systems": {"a": a, "b": b}}, [])
            for a, b in (([1.0], [2.0]), ([1.0, 2.0],) * 2, ([1.0, 2.0], [2.0, 3.0]))
        ),
        ({"systems": {"a": [1.0, 2.0]}}, ["'a'"]),
    ],
)
def test_choices_that_cannot_be(options: dict[str, Any], naming: list[object]) -> None:
    with refused(naming=naming):
        found(**{"systems": SCORES, **options})


def test_metrics_that_have_no_gains() -> None:
    with refused():
        tg.threshold(REFERENCE, FIRST, metrics=["length"])


def test_systems_that_differ_at_the_end_of_the_test_set_alone(recwarn: pytest.WarningsRecorder) -> None:
    """On its beginning their standard error is nothing."""
    systems = {name: FIRST[name] for name in ("bpe-1", "word-1")}
    late = [*FIRST["bpe-1"][:-5], *FIRST["bpe-2"][-5:]]
    made = tg.threshold(REFERENCE, {"late": late, **systems}, sizes=[40, 80], resamples=500)
    assert not recwarn.list
    assert all(one.low is None or math.isfinite(one.low) for one in made.sizes)


@pytest.mark.parametrize(
    ("make", "kind", "naming"),
    [
        (lambda: found(independent(2, 100, 3.0, 9)), "few-systems", "2"),
        (lambda: found(independent(9, 100, 3.0, 9)), "few-systems", "9"),
        (lambda: found(independent(10, 100, 3.0, 9)), "few-systems", None),
        (lambda: found(independent(4, 50, 1.0, 4), resamples=100, alpha=0.001), "few-resamples", "100"),
        (lambda: found(independent(4, 10, 1.0, 4)), "few-units", "10"),
        (lambda: tg.threshold(REFERENCE, RUNS, resamples=100), "held-runs", ""),
        (lambda: tg.threshold(REFERENCE, FIRST, resamples=100), "held-runs", None),
        (lambda: found({"a": SCORES["s0"], "b": SCORES["s0"] + 2.0, "c": SCORES["s1"]}), "same", "a and b"),
    ],
)
def test_notes(make: Any, kind: str, naming: str | None) -> None:
    notes = [note.text for note in make().notes if note.kind == kind]
    assert [naming in text for text in notes] == ([] if naming is None else [True])


def test_classes_of_pairs() -> None:
    classes = {("s0", "s1"): "same", ("s2", "s1"): "same", ("s3", "s0"): "shared features", ("s2", "s3"): "different"}
    made = found(independent(5, 80, 3.0, 13), pair_classes=classes)
    assert made.classes == ("same", "shared features", "different")
    counts = {one.group: one.pairs for one in made.groups("scores")}
    assert list(counts.items()) == [("all", 10), ("same", 2), ("shared features", 1), ("different", 1)]
    known = {frozenset(pair): kind for pair, kind in classes.items()}
    assert [one.group for one in made.pairs] == [known.get(frozenset((one.baseline, one.system))) for one in made.pairs]
    (error,) = (one.se for one in made.pairs if one.group == "shared features")
    assert made.threshold("scores", "shared features").gain == pytest.approx(Z * error)
    assert {one["group"] for one in made.to_records()} == {*made.classes, None}
