"""Several test sets: each as compare has it, all of them together, and on how many a gain is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.known import known
from tests.refusals import refused
from tests.sentences import says
from truegain.corpus import Corpus
from truegain.inference.multiplicity import holm, partial_conjunction
from truegain.inference.pvalues import PValue
from truegain.readers.memory import corpus_from_memory
from truegain.studies.parts import Evidence, Replicability
from truegain.studies.pool import MICRO, NOT_RELIABLE, OF_MANY, ON_ALL, ON_NONE, ON_SOME, UNSURE, PooledResult
from truegain.words import Sentence

LINES = [f"the {one} sat on the {other}" for one in ("cat", "dog", "bird") for other in ("mat", "log")]
QUALITIES = {"base": 0.70, "new": 0.77}


def made(
    name: str, segments: int, seed: int, *, runs: int = 1, documents: bool = True, systems: Sequence[str] = ()
) -> Corpus:
    """A simulated test set, on which new is better than base."""
    names = systems or tuple(QUALITIES)
    specs = [SystemSpec(name=one, quality=QUALITIES.get(one, 0.72), runs=runs) for one in names]
    texts = simulate(segments=segments, systems=specs, seed=seed)
    outputs = {one: [list(run) for run in texts.systems[one]] for one in names}
    ids = list(texts.documents) if documents else None
    return corpus_from_memory(list(texts.references[0]), outputs, documents=ids, name=name)


SETS = [made("news", 200, 1), made("talks", 200, 2), made("web", 60, 3, documents=False)]
RUNS = [made("news", 120, 1, runs=3), made("talks", 120, 2, runs=3)]
#: All segments as one test set.
TOGETHER = corpus_from_memory(
    [line for one in SETS for line in one.references[0] if line is not None],
    {name: [line for one in SETS for line in one.system(name).runs[0].outputs or ()] for name in QUALITIES},
)


def pooled(corpora: Any, metrics: Sequence[str] = ("bleu",)) -> PooledResult:
    return tg.pool(corpora, metrics=metrics, resamples=50)


@pytest.fixture(scope="module")
def result() -> PooledResult:
    return tg.pool(SETS, metrics=["bleu", "ter", "length"], resamples=400)


@pytest.fixture(scope="module")
def runs() -> PooledResult:
    return tg.pool(RUNS, metrics=["chrf"], resamples=400)


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"test": "bootstrap"},
        {"test": ["t", "ar"]},
        *({"null_gain": gain, "alternative": "greater"} for gain in (0.5, -2.0)),
    ],
)
def test_every_set_is_what_compare_gives(choice: dict[str, Any]) -> None:
    options: dict[str, Any] = {"metrics": ["bleu", "ter"], "resamples": 200, "seed": 7, **choice}
    pooled = tg.pool(SETS, **options)
    assert list(pooled) == [tg.compare(corpus, **options) for corpus in SETS]
    assert pooled["talks"] is pooled.sets[1]
    assert known(pooled.macro).null_gain == choice.get("null_gain", 0.0)


def test_pooled_scores(result: PooledResult) -> None:
    micro, macro = known(result.micro), known(result.macro)
    for metric in ("bleu", "ter", "length"):
        deltas = [one[metric, "new"].delta for one in result.sets]
        scores = [one.score(metric, "new").score for one in result.sets]
        assert macro[metric, "new"].delta == pytest.approx(np.mean(deltas))
        assert macro.score(metric, "new").score == pytest.approx(np.mean(scores))
    whole = tg.compare(TOGETHER, metrics=["bleu"], resamples=100)
    assert micro["bleu", "new"].delta == pytest.approx(whole["bleu", "new"].delta)
    assert micro.testset.segments == 460
    # A metric that weighs by all references is that of one corpus.
    micro = known(tg.pool(SETS, metrics=["nist"], resamples=50).micro)
    whole = tg.compare(TOGETHER, metrics=["nist"], resamples=50)
    assert micro.score("nist", "new").score == pytest.approx(whole.score("nist", "new").score, rel=1e-12)


def test_what_is_said_of_units() -> None:
    """Of a small set in the mean; of few documents once; which sets have segments as units."""
    notes = pooled([SETS[0], made("tiny", 6, 9, documents=False)]).notes
    assert [note.scope for note in notes if note.kind == "few-units" and "tiny" in note.text] == ["macro"]
    notes = pooled([made("news", 60, 1), made("talks", 60, 2), made("web", 200, 3)]).notes
    assert {note.scope for note in notes if note.kind == "few-units"} == {"macro", "news, talks"}
    one = replace(SETS[2], documents=("d",) * SETS[2].segments)
    for last in (one, SETS[2]):
        assert "units on web:" in next(
            note.text for note in pooled([SETS[0], last]).notes if note.kind == "unit-choice"
        )
    assert [note.kind for note in pooled(SETS[:2]).notes][:1] == ["unit"]


def test_pooled_tests(result: PooledResult, runs: PooledResult) -> None:
    assert list(runs) == [tg.compare(corpus, metrics=["chrf"], resamples=400) for corpus in RUNS]
    for level in (known(result.micro), known(result.macro)):
        one = level["bleu", "new"]
        assert (one.test, str(one.claim)) == ("ar", "this output of each on new documents of these test sets")
        assert one.interval.low < one.delta < one.interval.high
        assert one.p < min(own["bleu", "new"].p for own in result.sets) + 0.02
    for level in (known(runs.micro), known(runs.macro)):
        one = level["chrf", "new"]
        assert (one.test, str(one.claim)) == ("crossed", "new runs on new documents of these test sets")
        assert str(level["chrf", "new", "run-permutation"].claim) == "new runs on these test sets"


def test_run_variance_does_not_average_out() -> None:
    """The same runs, as good or as bad on every set: many sets do not make few runs more."""
    generator = np.random.default_rng(1)
    effects = generator.normal(size=(2, 3, 1))
    scores = [
        {name: list(effects[s] + 0.1 * generator.normal(size=(3, 100))) for s, name in enumerate("ab")}
        for _ in range(8)
    ]
    pooled = tg.pool({f"set {i}": (None, one) for i, one in enumerate(scores)}, metrics=["scores"], resamples=200)
    one, mean = (level["scores", "b"].interval for level in (pooled.sets[0], known(pooled.macro)))
    assert mean.high - mean.low == pytest.approx(one.high - one.low, rel=0.1)


def test_replicability(result: PooledResult) -> None:
    assert [(one.metric, one.system, one.side) for one in result.replicability] == [
        ("bleu", "new", "better"),
        ("ter", "new", "better"),
    ], "of length neither way is better"
    one = result.replicated("bleu", "new")
    p_values = [
        tg.compare(corpus, metrics=["bleu"], alternative="greater", resamples=400)["bleu", "new"].p for corpus in SETS
    ]
    assert [piece.p for piece in one.sets] == p_values
    assert [piece.p_adjusted for piece in one.sets] == pytest.approx(holm(p_values))
    assert list(one.at_least) == pytest.approx(partial_conjunction(p_values))
    assert one.shown == len(one.named) >= 1


def test_a_hypothesis_has_one_p_value() -> None:
    """Of a one-sided comparison the claims take its p, also where it stopped by itself."""
    choices: list[dict[str, Any]] = [
        {},
        {"resamples": "auto"},
        {"test": ["ar", "t"]},
        {"null_gain": -2.0, "test": "bootstrap"},
    ]
    for options in choices:
        pooled = tg.pool(SETS[:2], metrics=["bleu"], alternative="greater", **({"resamples": 300} | options))
        own = [one["bleu", "new"].p_value for one in pooled.sets]
        assert [piece.p_value for piece in pooled.replicability[0].sets] == own


@pytest.mark.parametrize("test", ["sign", "t", ["wilcoxon", "ar"]])
def test_claims_rest_on_the_test_that_is_shown(test: str | list[str]) -> None:
    first = test if isinstance(test, str) else test[0]
    pooled = tg.pool(SETS[:2], metrics=["bleu"], test=test, resamples=200)
    alone = [tg.compare(one, metrics=["bleu"], test=first, alternative="greater", resamples=200) for one in SETS[:2]]
    evidence = pooled.replicability[0].sets
    assert [(piece.test, piece.p) for piece in evidence] == [(first, one["bleu", "new"].p) for one in alone]
    assert f"|claims:{first}|" in pooled.signature


def test_a_test_that_is_two_sided_or_of_one_set_has_another_beside_it() -> None:
    result = tg.pool(SETS[:2], metrics=["bleu"], test="sacrebleu-ar", resamples=200)
    assert {piece.test for piece in result.replicability[0].sets} == {"ar"}
    assert "claims:" not in result.signature
    single = tg.pool(SETS[:2], metrics=["bleu"], test="koehn2004", resamples=100)
    assert [single.sets[0].comparisons[0].test, known(single.macro).comparisons[0].test] == ["koehn2004", "ar"]
    assert any("koehn2004" in note.text for note in single.notes if note.kind == "chosen-test")


def test_claims_are_decided_at_the_levels_they_are_held_against() -> None:
    pooled = tg.pool(SETS, metrics=["bleu"], resamples="auto")
    assert known(pooled.macro).comparisons[0].p_value.sequence is not None
    for piece in pooled.replicability[0].sets:
        low, high = piece.p_value.interval
        assert piece.p_value.sequence == (low, high)
        for count in (1, 2, 3):
            assert not low <= 0.05 / count < high
    assert pooled.replicability[0].unsure == ()


def test_claims_that_more_resamples_may_decide_otherwise() -> None:
    def claim(*exceedances: int) -> Replicability:
        p_values = [PValue((one + 1) / 401, one, 400) for one in exceedances]
        plain = [one.p for one in p_values]
        evidence = tuple(Evidence(testset="x", test="ar", p_adjusted=1.0, **one.fields) for one in p_values)
        return Replicability("bleu", "base", "new", "better", evidence, tuple(partial_conjunction(plain)), 0.05)

    assert claim(0, 0, 200).unsure == ()
    ends = [pytest.approx(2 * end) for end in PValue(0.0, 10, 400).interval]
    assert claim(0, 10, 200).unsure == ((2, *ends),)
    few = pooled(RUNS, metrics=["chrf", "ter"])
    assert any(says(note.text, UNSURE) for note in few.notes) == any(one.unsure for one in few.replicability)


def test_one_set_is_a_comparison() -> None:
    alone = tg.pool(SETS[:1], metrics=["bleu"], resamples=200)
    assert (alone.micro, alone.macro) == (None, None)
    assert alone.replicability[0].at_least == (alone.replicability[0].sets[0].p,)


def test_the_order_of_the_systems_is_that_of_the_first_set() -> None:
    turned = replace(SETS[1], systems=SETS[1].systems[::-1])
    pooled = tg.pool([SETS[0], turned], metrics=["bleu"], resamples=100)
    assert pooled.sets[1] == tg.pool(SETS[:2], metrics=["bleu"], resamples=100).sets[1]


@pytest.mark.parametrize(("family", "adjustment"), [("baseline", "maxt"), ("all", "holm"), ("baseline", "none")])
def test_many_systems(family: Any, adjustment: Any) -> None:
    names = ("base", "new", "c", "d", "e")
    corpora = [made(name, 60, seed, systems=names) for name, seed in (("x", 4), ("y", 5))]
    result = tg.pool(corpora, metrics=["bleu"], family=family, adjust=adjustment, resamples=100)
    (table,) = cast(Any, result.tables(None))
    assert len(table.rows) / 4 == (4 if family == "baseline" else 10)
    assert table.breaks[:3] == (2, 6, 10)
    assert {one.adjust for one in known(result.macro).comparisons} == {adjustment}
    assert says(result.findings[-1].text, OF_MANY)


@pytest.mark.parametrize(
    ("corpora", "options", "sentence", "tone"),
    [
        (SETS[:2], {}, ON_ALL, "good"),
        (SETS[:2], {"baseline": "new", "alternative": "less"}, ON_ALL, "bad"),
        ([SETS[0], made("weak", 20, 4)], {}, ON_SOME, "good"),
        ([made(name, 20, seed, systems=("c", "d")) for name, seed in (("x", 4), ("y", 6))], {}, ON_NONE, "undecided"),
        (SETS, {"null_gain": -9.0, "alternative": "greater"}, ON_ALL, "good"),
    ],
)
def test_findings(corpora: Any, options: dict[str, Any], sentence: Sentence, tone: str) -> None:
    """On how many sets a gain is shown: one sentence of the metrics that agree; then the table, with both answers."""
    result = tg.pool(corpora, metrics=["bleu", "chrf"], resamples=400, **options)
    found = [one for one in result.findings if any(says(one.text, form) for form in (ON_ALL, ON_SOME, ON_NONE))]
    assert any(says(one.text, sentence) and one.tone == tone for one in found)
    assert len(found) <= 2
    (table,) = cast(Any, result.tables(None))
    assert [row[0].text for row in table.rows][-2:] == ["all (micro)", "mean (macro)"]
    assert [heading for _, heading in table.sections] == ["BLEU ↑", "chrF2 ↑"]
    assert result.methods


def test_records_and_what_is_cited(result: PooledResult, runs: PooledResult) -> None:
    assert {"ar", "pool", "truegain"} <= set(result.used()[1])
    assert {"crossed", "runs"} <= set(runs.used()[1])
    records = result.to_records()
    assert [record["pooling"] for record in records] == [""] * 9 + ["micro"] * 3 + ["macro"] * 3
    assert records[0]["p_one_sided"] == result.replicability[0].sets[0].p
    assert (records[2]["metric"], records[2]["p_one_sided"], records[2]["sets"]) == ("length", None, 3)


@pytest.mark.parametrize(
    ("given", "options", "naming"),
    [
        ([SETS[0], SETS[0]], {}, ["'news'"]),
        (SETS, {"unit": "block"}, ["unit", "'block'"]),
        ([SETS[0], made("other", 20, 1, systems=("base", "c"))], {}, ["'new'", "'c'", "news", "other"]),
        (SETS, {"test": "ar", "null_gain": 0.5}, ["ar"]),
        (SETS[0], {}, ["Corpus"]),
        ({"a": 3}, {}, ["'a'", "(references", "systems)", "int"]),
        ({"a": (["a", "b"], {"x": ["a"]})}, {}, ["test set 'a'", 1, 2]),
        ({"a": ({"x": ["a", "b"]}, ["a", "b"])}, {}, ["test set 'a'", "systems"]),
    ],
)
def test_what_is_refused(given: Any, options: dict[str, Any], naming: list[object]) -> None:
    for study in (tg.pool, tg.domains) if isinstance(given, dict) else (tg.pool,):
        with refused(naming=naming):
            study(given, **options)


def test_the_same_segments_are_not_two_test_sets() -> None:
    again = replace(SETS[0], name="again")
    others = replace(again, references=(tuple(f"{line} indeed" for line in again.references[0]),))
    for one in (again, others):
        with refused(naming=["news and again", "several references"]):
            tg.pool([SETS[0], SETS[1], one], metrics=["bleu"], resamples=50)


def test_segments_that_two_sets_share_are_told_of() -> None:
    sets = [SETS[2], replace(SETS[2].of_segments(range(1, SETS[2].segments)), name="part")]
    pooled = tg.pool(sets, metrics=["bleu"], resamples=50)
    found = tg.domains(sets, metrics=["bleu"], resamples=50, draws=0)
    for result in (pooled, found):
        (note,) = (note for note in result.notes if note.kind == "same-outputs" and note.warning)
        assert "59" in note.text


def test_labels_that_two_sets_share_are_not_segments_in_common() -> None:
    random = np.random.default_rng(3)
    labels = np.array(["a quite long label, no doubt", *map(str, range(200))])
    drawn = [[[str(one) for one in random.choice(labels, 100)] for _ in range(3)] for _ in range(2)]
    sets = [corpus_from_memory(ref, {"a": a, "b": b}, name=name) for name, (ref, a, b) in zip("xy", drawn, strict=True)]
    pooled = tg.pool(sets, metrics=["bleu"], resamples=50)
    assert not any(note.kind == "same-outputs" for note in pooled.notes)


@pytest.mark.parametrize("interval", ["percentile", "basic", "bca", "normal"])
def test_intervals_of_every_kind(interval: Any) -> None:
    for _, level in tg.pool(SETS[:2], metrics=["bleu"], interval=interval, resamples=400).levels:
        one = level["bleu", "new"]
        assert one.interval.method == interval
        assert one.interval.low < one.delta < one.interval.high


def test_one_run_against_several() -> None:
    mixed = [replace(one, systems=(replace(old, runs=old.runs[:1]), new)) for one in RUNS for old, new in [one.systems]]
    one = known(tg.pool(mixed, metrics=["chrf"], resamples=100).macro)["chrf", "new"]
    assert (one.test, "vary alike" in str(one.claim)) == ("crossed", True)


def correlated(name: str, gain: float, *, documents: bool) -> Corpus:
    """Scores whose differences are the same for ten neighbours, but for some noise."""
    random = np.random.default_rng(len(name))
    base = random.normal(size=300)
    shared = np.repeat(random.normal(size=30), 10)
    new = base + gain + shared - shared.mean() + random.normal(scale=0.1, size=300)
    named = [i // 10 for i in range(300)] if documents else None
    return replace(corpus_from_memory(None, {"base": base, "new": new}, documents=named), name=name)


def test_a_claim_on_several_sets_takes_over_what_speaks_against_one() -> None:
    sets = [correlated("one", 0.2, documents=False), correlated("second", 3.0, documents=False)]
    pooled = tg.pool(sets, metrics=["scores"], resamples=1000)
    one = pooled.replicability[0]
    assert [level["new"].marked for level in pooled.sets] == [False, True]
    assert [[caveat.kind for caveat in piece.caveats] for piece in one.sets] == [["dependence"], []]
    assert (one.shown, one.marked, one.named) == (2, 1, ("one", "second"))
    assert [note.scope.split()[0] for note in pooled.notes if says(note.text, NOT_RELIABLE)] == ["one"]


def test_pooled_answers_take_over_what_speaks_against_a_set() -> None:
    """Also if another set has documents, so that documents are the unit of all together."""
    for documents in (False, True):
        sets = [correlated("one", 0.3, documents=False), correlated("second", 0.3, documents=documents)]
        pooled = tg.pool(sets, metrics=["scores"], resamples=1000)
        for level in (known(pooled.micro), known(pooled.macro)):
            assert level["new"].significant
            assert [caveat.kind for caveat in level["new"].caveats] == ["dependence"]
        scopes = [note.scope for note in pooled.notes if says(note.text, NOT_RELIABLE)]
        assert any(MICRO in scope for scope in scopes)
    documented = [correlated("one", 0.3, documents=True), correlated("second", 0.3, documents=True)]
    pooled = tg.pool(documented, metrics=["scores"], resamples=1000)
    assert not known(pooled.macro)["new"].caveats
    assert pooled.replicability[0].marked == pooled.replicability[0].shown


def parts(corpus: Corpus) -> tuple[Any, ...]:
    outputs = {system.name: list(system.runs[0].outputs or ()) for system in corpus.systems}
    return list(corpus.references[0]), outputs, *([] if corpus.documents is None else [corpus.documents])


def test_sets_by_name() -> None:
    by_name = {one.name: one if one.name == "talks" else parts(one) for one in SETS}
    pooled, listed = (tg.pool(given, metrics=["bleu"], resamples=50) for given in (by_name, SETS))
    assert [one.testset.name for one in pooled.sets] == ["news", "talks", "web"]
    assert known(pooled.macro).comparisons == known(listed.macro).comparisons
