"""Units and strata: what is drawn or swapped as a whole, and within what, through compare and score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import lfilter

import truegain as tg
from tests.experiment.made import prepared
from tests.refusals import kinds, refused
from truegain.engines.engine import Engine
from truegain.executors.over import Workers
from truegain.inference.intervals import Interval
from truegain.notes import Note
from truegain.readers.memory import corpus_from_memory
from truegain.registry import TESTS
from truegain.report.data import json_text
from truegain.studies.compare import CompareResult, compare
from truegain.studies.score import ScoreResult, score

N = 90
DOMAINS = ["news"] * 45 + ["talks"] * 27 + ["mail"] * 18
DOCUMENTS = [f"d{i // 3}" for i in range(N)]  # none of them in two domains
#: Scores that depend on the domain alone.
BY_DOMAIN = np.array([{"news": 3.0, "talks": 1.0, "mail": 8.0}[domain] for domain in DOMAINS])

Scores = NDArray[np.float64]


def noisy(seed: int, gain: float = 0.0, segments: int = N) -> Scores:
    return np.random.default_rng(seed).normal(gain, 1.0, segments)


def pair(seed: int = 1, gain: float = 0.4) -> dict[str, Scores]:
    return {"old": noisy(seed), "new": noisy(seed + 1, gain)}


def dependent(seed: int, segments: int = 600, correlation: float = 0.8) -> Scores:
    """Each segment much like the one before."""
    noise = np.random.default_rng(seed).normal(size=segments + 100)
    return np.asarray(lfilter([1.0], [1.0, -correlation], noise)[100:])


def compared(systems: dict[str, Any], **options: Any) -> CompareResult:
    return tg.compare(None, systems, metrics=["scores"], **{"resamples": 500, **options})


def scored(systems: dict[str, Any], **options: Any) -> ScoreResult:
    return tg.score(None, systems, metrics=["scores"], **{"resamples": 500, **options})


def interval_of(values: Scores, **options: Any) -> Interval:
    found = scored({"s": values}, **options)["scores", "s"].interval
    assert found is not None
    return found


def width(interval: Interval) -> float:
    return interval.high - interval.low


def mentions(notes: Sequence[Note], *texts: str) -> bool:
    return any(all(text in note.text for text in texts) for note in notes)


# Strata.


@pytest.mark.parametrize("unit", ["segment", "document"])
@pytest.mark.parametrize("method", ["percentile", "basic", "normal", "bca"])
def test_domains_keep_their_share(unit: str, method: str) -> None:
    options: dict[str, Any] = {"unit": unit, "documents": DOCUMENTS, "domains": DOMAINS, "interval": method}
    within = scored({"s": BY_DOMAIN}, **options)["scores", "s"]
    assert within.interval is None, "nothing varies within domains"
    across = interval_of(BY_DOMAIN, strata="none", **options)
    assert width(across) > 0.5


@pytest.mark.parametrize(
    ("test", "interval"), [("bootstrap", "test"), ("bootstrap", "percentile"), ("ar", "percentile")]
)
def test_the_interval_of_a_gain_is_drawn_within_domains(test: str, interval: str) -> None:
    systems = {"old": np.zeros(N), "new": BY_DOMAIN}
    options: dict[str, Any] = {"domains": DOMAINS, "test": test, "interval": interval}
    within = compared(systems, **options)["scores", "new"]
    assert width(within.interval) == pytest.approx(0.0, abs=1e-6)  # p takes what is so near for equal
    across = compared(systems, strata="none", **options)["scores", "new"]
    assert width(across.interval) > 0.5
    assert within.delta == across.delta == pytest.approx(BY_DOMAIN.mean())


def test_auto_is_domains_where_they_are_known() -> None:
    auto, asked, without = (
        compared(pair(), domains=DOMAINS, strata=strata, test="bootstrap") for strata in ("auto", "domain", "none")
    )
    said = "Bootstrap resamples draw segments within each of the 3 domains"
    assert auto == asked
    for result in (auto, scored(pair(), domains=DOMAINS)):
        assert said in map(str, result.notes)
    assert not mentions(without.notes, "domains")
    one, plain = without["scores", "new"], compared(pair(), test="bootstrap")["scores", "new"]
    assert (one.p, one.interval) == (plain.p, plain.interval)
    assert auto["scores", "new"].interval != one.interval
    assert auto.testset.domains == 3
    found = compared(pair(), documents=DOCUMENTS, domains=DOMAINS)
    assert (found.unit, found.n_units) == ("document", 30)
    assert said.replace("segments", "documents") in map(str, found.notes)


def test_swaps_are_the_same_within_domains() -> None:
    mixed = compared(pair(), test="ar")["scores", "new"]
    for strata in ("auto", "none"):
        one = compared(pair(), domains=DOMAINS, strata=strata, test="ar")["scores", "new"]
        assert (one.p, one.interval) == (mixed.p, mixed.interval)


@pytest.mark.parametrize(("test", "said"), [("ar", True), ("bootstrap", False)])
def test_intervals_that_domains_widen_are_noted(test: str, said: bool) -> None:
    text = "Swaps ignore domains: intervals of Δ are too wide if domains differ in their gains"
    assert (text in map(str, compared(pair(), domains=DOMAINS, test=test).notes)) is said
    assert text not in map(str, compared(pair(), domains=DOMAINS, test=test, strata="none").notes)
    assert text not in map(str, compared(pair(), domains=DOMAINS, test=test, interval="percentile").notes)


def test_a_document_in_two_domains() -> None:
    astray = [f"d{i // 10}" for i in range(N)]  # the fifth and the eighth lie in two
    found = compared(pair(), documents=astray, domains=DOMAINS)
    assert mentions(found.notes, "Units were not drawn within domains: document 'd4' lies in 2 strata: news, talks")
    assert found["scores", "new"] == compared(pair(), documents=astray)["scores", "new"]
    with refused(naming=["'d4'", "2"]):
        compared(pair(), documents=astray, domains=DOMAINS, strata="domain")
    by_segment = compared(pair(), documents=astray, domains=DOMAINS, strata="domain", unit="segment")
    assert mentions(by_segment.notes, "draw segments within each of the 3 domains")


def test_domains_of_one_unit() -> None:
    lonely = ["one"] + ["other"] * (N - 1)
    found = compared(pair(), domains=lonely)
    assert mentions(found.notes, "one of them holds a single segment", "intervals are too narrow")
    assert not mentions(compared(pair(), domains=["one"] * N).notes, "within"), "one domain is no stratum"
    every = compared(pair(), domains=[str(i) for i in range(N)], test="bootstrap")["scores", "new"]
    assert width(every.interval) == pytest.approx(0.0, abs=1e-6)


# Domains and test sets as units.


@pytest.mark.parametrize(("unit", "noun"), [("domain", "domain"), ("testset", "test set")])
def test_whole_domains(unit: str, noun: str) -> None:
    names = [f"set {i // 15}" for i in range(N)]
    shared = np.repeat(noisy(3, 0.6, 6), 15)
    systems = {"old": np.zeros(N), "new": shared + 0.01 * noisy(4)}
    found = compared(systems, domains=names, unit=unit, resamples=4000)
    one = found["scores", "new"]
    assert (found.unit, found.n_units, one.unit, one.n_units) == (unit, 6, noun, 6)
    assert str(one.claim) == f"this output of each on new {noun}s"
    assert re.fullmatch(rf"the outputs of new and old are exchangeable\W+{noun} by {noun}", one.null)
    assert mentions(found.notes, f"With only 6 {noun}s")
    exact = compared(systems, domains=names, unit=unit, test="exact")["scores", "new"]
    assert (exact.test, exact.n_units) == ("exact", 6)
    assert (exact.p * 2**6).is_integer()
    assert one.p == pytest.approx(exact.p, abs=4 * np.sqrt(0.25 / 4000))
    assert width(one.interval) > 2 * width(compared(systems)["scores", "new"].interval)
    assert not mentions(found.notes, "within each"), "units are not drawn within themselves"


def test_few_test_sets_cannot_tell() -> None:
    systems = {"old": np.zeros(N), "new": np.ones(N)}
    one = compared(systems, domains=DOMAINS, unit="testset", test="ar")["scores", "new"]
    assert mentions(one.notes, "only 3 of 3 test sets differ", "no exact p of randomization is below 0.25")
    assert not one.significant


def test_units_of_domains_as_units_of_documents() -> None:
    as_domains = compared(pair(), domains=DOCUMENTS, unit="domain")["scores", "new"]
    as_documents = compared(pair(), documents=DOCUMENTS, unit="document")["scores", "new"]
    assert (as_domains.p, as_domains.interval) == (as_documents.p, as_documents.interval)


@pytest.mark.parametrize(("unit", "nouns"), [("domain", "domains"), ("testset", "test sets")])
def test_domains_that_cannot_be_the_unit(unit: str, nouns: str) -> None:
    for study in (compared, scored):
        with refused(naming=[nouns, "truegain.read_corpus", "domain_column"]):
            study(pair(), unit=unit)
        with refused(naming=[nouns]):
            study(pair(), unit=unit, domains=["one"] * N)
        with refused("strata", "unit"):
            study(pair(), unit=unit, domains=DOMAINS, strata="domain")


def test_literal_tests_keep_to_segments() -> None:
    """Whatever the unit: they are defined on segments."""
    plain = compared(pair(), test="koehn2004")["scores", "new"]
    for options in ({"unit": "domain"}, {"strata": "domain"}, {"documents": DOCUMENTS}, {"unit": "block"}):
        found = compared(pair(), test="koehn2004", domains=DOMAINS, **options)["scores", "new"]
        assert (found.p, found.unit, found.n_units) == (plain.p, "segment", N)


# Blocks.


def test_blocks_widen_intervals_of_dependent_segments() -> None:
    values = dependent(1)
    plain, blocks = interval_of(values), interval_of(values, unit="block")
    assert width(blocks) > 1.7 * width(plain)
    systems = {"old": np.zeros(values.size), "new": values}
    plain_gain, block_gain = (compared(systems, unit=unit)["scores", "new"] for unit in ("segment", "block"))
    assert width(block_gain.interval) > 1.7 * width(plain_gain.interval)
    assert block_gain.p > plain_gain.p
    assert (block_gain.test, block_gain.unit, block_gain.n_units) == ("stationary-bootstrap", "block", values.size)
    assert str(block_gain.claim) == "this output of each on new segments"
    # Those of independent segments change little.
    alone = noisy(7, 0.0, 600)
    assert width(interval_of(alone, unit="block")) == pytest.approx(width(interval_of(alone)), rel=0.15)


def test_the_length_is_said() -> None:
    values = dependent(3)
    given = scored({"s": values}, unit="block", block_length=7.5)
    assert (given.unit, given.n_units) == ("block", 600)
    assert mentions(given.notes, "Blocks of 7.5 segments on average", "as given")
    chosen = scored({"s": values}, unit="block")
    assert mentions(chosen.notes, "segments on average", "by the rule of Politis and White")
    few = scored({"s": values[:60]}, unit="block", block_length=10)
    assert mentions(few.notes, "With only 6 blocks")


def test_stationary_bootstrap_is_the_bootstrap_of_blocks() -> None:
    systems = {"old": np.zeros(600), "new": dependent(4) + 0.3}
    by_test = compared(systems, test="stationary-bootstrap")
    by_unit = compared(systems, unit="block", test="bootstrap")
    one, other = by_test["scores", "new"], by_unit["scores", "new"]
    assert (one.p, one.interval, by_test.unit, by_unit.unit) == (other.p, other.interval, "block", "block")
    beside = compared(systems, test=["ar", "stationary-bootstrap"])
    assert beside["scores", "new", "stationary-bootstrap"].p == one.p
    assert beside["scores", "new"].interval == compared(systems)["scores", "new"].interval


@pytest.mark.parametrize("documents", [None, DOCUMENTS])
def test_stationary_bootstrap_says_nothing_of_domains(documents: Sequence[str] | None) -> None:
    """Its blocks run across them."""
    found = compared(pair(), domains=DOMAINS, documents=documents, test="stationary-bootstrap")
    plain = compared(pair(), documents=documents, test="stationary-bootstrap")
    assert found["scores", "new"] == plain["scores", "new"]
    assert not mentions(found.notes, "within each of the 3 domains")


@pytest.mark.parametrize(
    ("options", "named", "naming"),
    [
        ({"unit": "block", "strata": "domain", "domains": DOMAINS}, ["strata", "unit"], []),
        ({"test": "stationary-bootstrap", "strata": "domain", "domains": DOMAINS}, ["strata", "unit"], []),
        *(
            ({"unit": "block", "block_length": x}, [], ["1", "90", "segment"])
            for x in (0, 0.5, -3, N + 1, float("nan"))
        ),
        ({"block_length": 3.0}, ["unit"], []),  # it would be left unused, and nobody told
        ({"unit": "block", "interval": "bca"}, ["interval"], []),
        ({"test": "stationary-bootstrap", "interval": "bca"}, ["interval"], []),
        ({"unit": "block", "test": "ar"}, ["test", "unit"], []),
        ({"unit": "block", "test": "exact"}, ["test", "unit"], []),
    ],
)
def test_what_blocks_cannot_be(options: dict[str, Any], named: list[str], naming: list[str]) -> None:
    """Within domains, shorter than a segment or longer than the test set, for BCa intervals, swapped."""
    for study in (compared,) if "test" in options else (compared, scored):
        with refused(*named, naming=naming):
            study(pair(), **options)


def test_the_signature_says_how_long_blocks_were() -> None:
    for study in (compared, scored):
        assert "|unit:block|length:3|" in study(pair(), unit="block", block_length=3.0).signature


def test_documents_are_put_together_for_blocks() -> None:
    """Segments of a document are neighbours wherever they stand."""
    values = dependent(6, 300)
    ids = [f"d{i // 30}" for i in range(300)]
    mixed = np.argsort(np.arange(300) % 30, kind="stable")  # the first of each document, then the second, …
    options: dict[str, Any] = {"unit": "block", "block_length": 10}
    straight = interval_of(values, documents=ids, **options)
    apart = interval_of(values[mixed], documents=[ids[i] for i in mixed], **options)
    assert (apart.low, apart.high) == pytest.approx((straight.low, straight.high), rel=1e-12)


# One answer.


@pytest.mark.parametrize(
    "options",
    [
        {"unit": "segment", "domains": DOMAINS},
        {"unit": "document", "documents": DOCUMENTS, "domains": DOMAINS},
        {"unit": "domain", "domains": DOMAINS},
        {"unit": "block"},
        {"unit": "block", "block_length": 4.5, "documents": DOCUMENTS},
    ],
)
def test_same_answer_for_any_threads_and_chunks(options: dict[str, Any]) -> None:
    given = {key: options[key] for key in ("documents", "domains") if key in options}
    chosen = {key: value for key, value in options.items() if key not in given}
    corpus = corpus_from_memory(None, pair(), **given)
    expected: tuple[str, str] | None = None
    for jobs, chunk in ((1, None), (2, None), (3, 17), (1, 100)):
        engine = Engine(Workers(jobs), chunk=chunk)
        comparison = compare(corpus, metrics=["scores"], jobs=jobs, engine=engine, resamples=300, **chosen)
        scores = score(corpus, metrics=["scores"], jobs=jobs, engine=engine, resamples=300, **chosen)
        found = json_text(comparison.to_dict()), json_text(scores.to_dict())
        expected = expected or found
        assert found == expected


def test_one_document_is_no_unit() -> None:
    for study in (compared, scored):
        with refused("unit"):
            study(pair(), unit="document", documents=["d"] * N)
    assert mentions(compared(pair(), documents=["d"] * N).notes, "All segments are in one document")


@pytest.mark.parametrize("test", [name for name, entry in TESTS.items() if entry.unit == "segment"])
def test_tests_of_segments_say_so_where_documents_are_known(test: str) -> None:
    data = {name: (values > 0).astype(float) for name, values in pair().items()}
    found = compared(data, documents=DOCUMENTS, test=test)
    assert [note.text.partition(" ")[0] for note in found.notes if note.kind == "segments-as-units"] == [test]
    assert "segments-as-units" not in kinds(compared(data, test=test).notes)


def test_pieces_of_the_bootstrap_are_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept of many runs is bounded by the piece, and the answer does not depend on it."""
    generator = np.random.default_rng(8)
    corpus = corpus_from_memory(None, {name: list(generator.normal(size=(3, 40))) for name in ("a", "b")})
    made = [prepared(corpus, seed=3) for _ in range(2)]
    whole, runs = made[0].bootstrap(500), made[0].bootstrap_runs(500)
    np.testing.assert_allclose(made[0].run_deviations(500), runs.std(-1), rtol=1e-10)
    monkeypatch.setattr("truegain.experiment.prepared._PIECE", 64)
    np.testing.assert_array_equal(made[1].bootstrap(500), whole)
    np.testing.assert_allclose(made[1].run_deviations(500), runs.std(-1), rtol=1e-10)


@pytest.mark.parametrize(
    ("unit", "strata"),
    [("segment", "none"), ("segment", "domain"), ("document", "none"), ("document", "domain"), ("block", "none")],
)
def test_standard_errors_of_many_pairs_are_those_of_each(unit: str, strata: str) -> None:
    systems = {f"s{i}": noisy(i, 0.1 * i) for i in range(5)}
    corpus = corpus_from_memory(None, systems, documents=DOCUMENTS, domains=DOMAINS)
    options: Any = {"unit": unit, "strata": strata, "block_length": 4.0 if unit == "block" else None}
    experiment = prepared(corpus, engine=Engine(), **options)
    if unit == "block":
        experiment = experiment.in_blocks()
        assert experiment.units.mean_length == 4.0
    pairs = [(a, b) for a in range(5) for b in range(5) if a != b]
    expected = [experiment.standard_error(0, *one) for one in pairs]
    assert experiment.standard_errors(0, pairs) == expected
    assert len(set(expected)) == 10
