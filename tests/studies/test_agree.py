"""Metrics held against people, on one test set and on several: what is read, decided, shown and refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import hypothesis
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import strategies as st
from scipy import stats

import truegain as tg
from tests.agreement.test_measures import made
from tests.refusals import kinds, refused
from truegain.agreement.assessment import Assessment
from truegain.agreement.judged import Judged
from truegain.agreement.lookup import MEASURES
from truegain.notes import Note
from truegain.readers.scores_beside import system_level
from truegain.readers.system_scores import SystemScores
from truegain.report.model import Table
from truegain.results import load
from truegain.studies import agree
from truegain.studies.agree import AgreeResult

Command = Callable[..., tuple[int, str, str]]
Scores = dict[str, list[Any]]
SEGMENTS = 60
DOCUMENTS = [f"d{one // 3}" for one in range(SEGMENTS)]


def judgements(systems: int = 8, seed: int = 1) -> tuple[Scores, dict[str, Scores]]:
    """People's scores, and metrics that are close to them, less close, and noise."""
    random = np.random.default_rng(seed)
    human = np.round(random.normal(0, 1, (systems, SEGMENTS)) + np.linspace(0, 2, systems)[:, None], 1)
    noises = {"close": 0.3, "far": 2.0, "noise": 30.0}
    names = [f"s{one}" for one in range(systems)]

    def named(values: Any) -> Scores:
        return dict(zip(names, values.tolist(), strict=True))

    return named(human), {name: named(human + random.normal(0, one, human.shape)) for name, one in noises.items()}


HUMAN, METRICS = judgements()
TESTS: tuple[Literal["perm-sys", "documents"], ...] = ("perm-sys", "documents")


def less(given: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: own for name, own in given.items() if name not in names}


def held(**options: Any) -> AgreeResult:
    return tg.agree(HUMAN, METRICS, **{"documents": DOCUMENTS, "resamples": 200, **options})


def agreeing(people: Sequence[float], scores: Sequence[float]) -> int:
    """Count pairs of systems in the same order by hand."""
    pairs = combinations(range(len(people)), 2)
    return sum((people[i] > people[j]) == (scores[i] > scores[j]) for i, j in pairs)


def write(folder: Path, name: str, scores: Scores) -> str:
    lines = [f"{system}\t{one}\n" for system, own in scores.items() for one in own]
    (folder / name).write_text("".join(lines), encoding="utf-8")
    return str(folder / name)


def test_the_closest_metric_is_the_best_by_every_measure() -> None:
    result = held()
    assert result.measures == ("accuracy", "spa", "system-pearson", "acc23", "kendall", "pearson")
    assert (result.test, result.claim, result.adjust) == ("perm-sys", "new systems", "maxt")
    assert (result.resamples, result.exhaustive) == (128, True)
    for measure in result.measures:
        assert result.placed(measure)[0].metric == "close"
        assert all(one.interval.low <= one.value <= one.interval.high for one in result.placed(measure))
    for measure in ("acc23", "kendall", "pearson"):
        assert result.pair(measure, "close", "noise").better is False
        assert (result[measure, "close"].cluster, result[measure, "noise"].worst) == (1, 3)
    assert [result[measure, "close"].threshold is None for measure in ("acc23", "spa")] == [False, True]
    assert result["acc23", "noise"].value == pytest.approx(result["acc23", "noise"].chance, abs=0.05)


@pytest.mark.parametrize(
    ("test", "measures", "adjustment"),
    [("documents", 6, "holm"), ("perm-sys", 6, "maxt"), ("perm-both", 3, "maxt"), ("pair-swaps", 1, "maxt")],
)
def test_every_test_tells_a_metric_from_noise(test: str, measures: int, adjustment: str) -> None:
    result = held(test=test)
    assert (len(result.measures), result.adjust) == (measures, adjustment)
    assert result.claim == ("new systems" if test == "perm-sys" else "these systems")
    one = result.pair("acc23", "close", "noise")
    assert one.better is False
    assert 0.0 < one.p <= one.p_adjusted <= 0.05


@pytest.mark.whole
def test_values_do_not_depend_on_the_test_and_a_seed_gives_one_answer() -> None:
    assert held().to_dict() == held().to_dict()
    assert [row.value for row in held()] == [row.value for row in held(test="documents")]


def test_new_systems_vary_more_than_these_of_which_all_pairs_right_are_no_certainty() -> None:
    new, these = held(), held(test="documents")
    for one in new.pairs:
        assert one.standard_error >= these.pair(one.measure, one.baseline, one.metric).standard_error - 1e-12
    new, these = (tg.agree(HUMAN, {"same": HUMAN}, measures=["accuracy"], test=test) for test in TESTS)
    assert new["accuracy", "same"].value == these["accuracy", "same"].value == 1.0
    assert new["accuracy", "same"].interval.low == pytest.approx(0.025 ** (1 / 28))
    assert these["accuracy", "same"].interval.low == 1.0


def test_few_systems_have_no_claim_about_new_ones_and_one_metric_no_pairs() -> None:
    human, metrics = judgements(4)
    result = tg.agree(human, metrics, resamples=50)
    assert (result.test, result.unit, result.n_units) == ("documents", "segment", SEGMENTS)
    assert "few-systems" in kinds(result.notes)
    with refused(naming=["perm-sys", 6, 4]):
        tg.agree(human, metrics, test="perm-sys")
    # A metric alone is measured.
    alone = tg.agree(HUMAN, {"close": METRICS["close"]}, resamples=50)
    assert alone.pairs == ()
    assert alone["accuracy", "close"].value == held()["accuracy", "close"].value


def test_measures_that_are_not_defined_are_left_out_unless_asked_for() -> None:
    people, metric = {"a": [1, 2, 3], "b": [2, 2, 3]}, {"a": [1, 2, 3], "b": [2, 2, 4]}
    result = tg.agree(people, {"m": metric}, resamples=20)
    assert "system-pearson" not in result.measures
    assert "acc23" in result.measures
    assert "no-measure" in kinds(result.notes)
    with refused():
        tg.agree(people, {"m": metric}, measures=["system-pearson"])


def negative(scores: Scores) -> Scores:
    return {system: [-value for value in values] for system, values in scores.items()}


NEGATIVE = {"close": negative(METRICS["close"])}
AGREED = {name: METRICS[name] for name in ("close", "far")}


@pytest.mark.parametrize(
    ("human", "metrics", "lower", "sign", "suspects"),
    [
        (HUMAN, AGREED, [], 1, ""),
        (HUMAN, NEGATIVE, [], -1, "close"),
        (HUMAN, NEGATIVE, ["close"], 1, ""),
        (negative(HUMAN), NEGATIVE, ["close", "human"], 1, ""),
        (negative(HUMAN), AGREED, [], -1, "human"),  # all metrics at once
        (HUMAN, AGREED, ["human"], -1, "human"),
    ],
)
def test_lower_scores_may_be_better(human: Scores, metrics: Any, lower: list[str], sign: int, suspects: str) -> None:
    result = tg.agree(human, metrics, measures=["pearson"], lower_is_better=lower, resamples=20)
    assert result["pearson", "close"].value == pytest.approx(sign * held()["pearson", "close"].value)
    doubts = [note.text for note in result.notes if note.kind == "against-people" and note.warning]
    assert [text.endswith(f" {suspects}") for text in doubts] == [True] * bool(suspects)
    with refused(naming=["lower_is_better"]):
        tg.agree(human, metrics, lower_is_better=["comet"])


def test_segments_that_were_not_rated_and_references_are_left_out() -> None:
    human = {system: [None if place < 6 else one for place, one in enumerate(own)] for system, own in HUMAN.items()}
    human["s1"][7] = None
    result = tg.agree(human, METRICS, documents=DOCUMENTS, resamples=50)
    assert (result.segments, result.n_units) == (SEGMENTS - 7, 18)
    assert ["53" in note.text for note in result.notes if note.kind == "not-rated"] == [True]
    # Human references are left out, too, unless asked for.
    human = {**HUMAN, "refA": HUMAN["s7"]}
    metrics = {name: {**own, "refA": own["s7"]} for name, own in METRICS.items()}
    result = tg.agree(human, metrics, resamples=50)
    assert "refA" not in result.systems
    assert "'refA'" in str(result.notes)
    assert "refA" in tg.agree(human, metrics, resamples=50, keep_references=True).systems


def test_files_of_mt_metrics_eval_with_scores_of_systems(tmp_path: Path) -> None:
    people = write(tmp_path, "xx.mqm.seg.score", HUMAN)
    (tmp_path / "scores").mkdir()
    for name, scores in METRICS.items():
        write(tmp_path / "scores", f"{name}-src.seg.score", {**scores, "unrated": scores["s0"]})
    beside = tmp_path / "scores/far-src.sys.score"
    beside.write_text("".join(f"s{place}\t{7 - place}\n" for place in range(8)) + "unrated\tNone\n")
    result = tg.agree(people, str(tmp_path / "scores"), documents=DOCUMENTS, resamples=50)
    assert result.metrics == ("close-src", "far-src", "noise-src")
    assert result["accuracy", "far-src"].value == pytest.approx(0.0, abs=0.2)
    assert result["acc23", "close-src"].value == pytest.approx(held(resamples=50)["acc23", "close"].value)
    assert (beside.name, "scores") in [(Path(file.name).name, file.role) for file in result.inputs.files]
    (doubt,) = [note for note in result.notes if note.warning]
    assert (doubt.kind, doubt.file) == ("system-scores", str(beside))
    assert "'unrated'" in str(result.notes)
    assert "far-src" in result.methods  # whose scores of systems were read


def test_segments_that_tables_of_people_lack_are_left_out_of_metrics(tmp_path: Path) -> None:
    rated = [place for place in range(SEGMENTS) if place % 4]

    def scores(name: str, given: Scores, places: Any) -> str:
        rows = [f"{system},{place + 1},{values[place]}\n" for system, values in given.items() for place in places]
        (tmp_path / name).write_text("system,id,score\n" + "".join(rows), encoding="utf-8")
        return str(tmp_path / name)

    people, same = scores("people.csv", HUMAN, rated), scores("a.csv", METRICS["close"], rated)
    wider = scores("b.csv", METRICS["close"], range(SEGMENTS))
    by_id = tmp_path / "docs.tsv"
    by_id.write_text("id\tdoc\n" + "".join(f"{place + 1}\t{DOCUMENTS[place]}\n" for place in range(SEGMENTS)[::-1]))
    options: dict[str, Any] = {"measures": ["accuracy", "kendall"], "resamples": 50}
    of_rated = [DOCUMENTS[place] for place in rated]
    expected = tg.agree(people, {"m": same}, documents=of_rated, **options)
    for documents in (by_id, [*DOCUMENTS], of_rated):
        found = tg.agree(people, {"m": wider}, documents=documents, **options)
        assert (found.agreement, found.segments, found.n_units) == (expected.agreement, 45, expected.n_units)
        (note,) = [note for note in found.notes if note.kind == "not-rated"]
        assert [str(part) in str(note) for part in (wider, 15, 60, "'1'")] == [True] * 4
    for documents in (["d"] * 50, [*DOCUMENTS, "d"]):
        with refused(naming=[len(documents)]):
            tg.agree(people, {"m": wider}, documents=documents, **options)
    with refused(naming=[15, 60, "'1'"]):
        tg.agree(wider, {"m": same}, **options)


# ---- What is said and shown


def off(noise: float, seed: int) -> Scores:
    random = np.random.default_rng(seed)
    return {name: (np.array(values) + random.normal(0, noise, SEGMENTS)).tolist() for name, values in HUMAN.items()}


NEAR = {f"near{seed}": off(0.3, seed) for seed in range(10, 15)}
NOISE = {f"noise{seed}": off(30, seed) for seed in range(5)}
TWO = less(METRICS, "far")


@pytest.mark.parametrize(
    ("metrics", "test", "measure", "sentence", "tone", "named"),
    [
        ({"close": METRICS["close"]}, "auto", "spa", agree.ALONE, "plain", ["close", "SPA", "95 %"]),
        (TWO, "auto", "acc23", agree.BEST, "good", ["close", "next noise", "p ="]),
        (TWO, "auto", "spa", agree.NONE_WORSE, "undecided", ["8 systems", "noise", "p ="]),
        (less(METRICS, "noise"), "documents", "accuracy", agree.NONE_WORSE, "undecided", ["20 documents"]),
        ({**METRICS, "same": METRICS["close"]}, "auto", "kendall", agree.TIED, "undecided", ["close and same agree"]),
        (METRICS, "documents", "accuracy", agree.RIVALS, "plain", ["not shown to be worse: far."]),
        (NEAR | NOISE, "auto", "kendall", agree.RIVALS, "plain", ["and 2 more."]),
    ],
)
def test_the_answer(metrics: Any, test: Any, measure: str, sentence: str, tone: str, named: list[str]) -> None:
    result = tg.agree(HUMAN, metrics, documents=DOCUMENTS, test=test, measures=[measure], resamples=200)
    (finding,) = result.findings
    assert re.fullmatch(re.sub(r"\\{.*?\\}", ".+", re.escape(sentence)), finding.text), finding
    assert (finding.tone, [name for name in named if name not in finding.text]) == (tone, []), finding


def test_one_table_and_the_rest_behind_a_flag() -> None:
    result = held()
    first, second = [table for table in result.tables(None) if isinstance(table, Table)]
    assert (first.kind, second.kind) == ("table", "further")
    headings = [[column.heading for column in table.columns] for table in (first, second)]
    assert headings[0] == ["metric", "SPA", "95 % CI of SPA", "pairwise accuracy", "acc-eq"]
    assert headings[1] == ["pairwise accuracy", "rank", "agreement", "95 % CI", "chance", "letters"]
    assert [name for _, name in second.sections] == [agree.LABELS[measure] for measure in result.measures]
    shown = [[row[0].text, row[1].value, *(cell.text[0] == "▸" for cell in row[1:])] for row in first.rows]
    placed = result.placed("spa")
    assert shown == [[row.metric, row.value, False, False, False, row.metric == "close"] for row in placed]
    assert ["Kendall" in result.render(all_tests=all_tests) for all_tests in (False, True)] == [False, True]
    assert "Pearson of segments" in held(measures=["kendall", "pearson"]).render()


@pytest.mark.parametrize(
    ("names", "beside", "named"),
    [
        (["close.seg.score", "close.seg.score"], "", "'close'"),
        (["empty"], "", ".seg.score"),
        (["none.seg.score"], "", "none.seg.score"),
        (["one.txt"], "", "one.txt"),
        (["wide.csv"], "", "(a, b)"),
        (["close.seg.score"], "s0\tx\n", "close.sys.score:1"),
        (["close.seg.score"], "s0\t1\ns0\t2\n", "'s0'"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path: Path, names: list[str], beside: str, named: str) -> None:
    people = write(tmp_path, "people.seg.score", HUMAN)
    write(tmp_path, "close.seg.score", METRICS["close"])
    (tmp_path / "empty").mkdir()
    (tmp_path / "one.txt").write_text("1\n2\n")
    (tmp_path / "wide.csv").write_text("system,item,a,b\nx,1,2,3\nx,2,3,3\ny,1,2,2\ny,2,3,1\n")
    if beside:
        (tmp_path / "close.sys.score").write_text(beside)
    with refused(naming=[named]):
        tg.agree(people, [str(tmp_path / name) for name in names])


@hypothesis.settings(max_examples=30, deadline=None)
@hypothesis.given(
    seed=st.integers(0, 10**6),
    sizes=st.tuples(st.integers(6, 9), st.integers(2, 12)),
    alpha=st.sampled_from([0.01, 0.05, 0.2, 0.45]),
    measure=st.sampled_from(list(MEASURES)),
    test=st.sampled_from(TESTS),
)
def test_p_and_interval_never_contradict_each_other(
    seed: int, sizes: tuple[int, int], alpha: float, measure: str, test: Literal["perm-sys", "documents"]
) -> None:
    systems, documents = sizes
    random = np.random.default_rng(seed)
    human = np.round(random.normal(0, 1, (systems, 3 * documents)) + random.normal(0, 1, (systems, 1)), 1)
    noise = np.repeat(np.exp(random.normal(0, 1, (4, 1, documents))), 3, axis=2)
    scores = human + noise * random.normal(0, 1, (4, *human.shape))
    scores[3] = scores[2]
    people, *metrics = (dict(zip("abcdefghi", one.tolist(), strict=False)) for one in (human, *scores))
    ids = np.repeat(np.arange(documents), 3).astype(str).tolist()
    named = dict(zip("wxyz", metrics, strict=True))
    result = tg.agree(people, named, documents=ids, alpha=alpha, measures=[measure], test=test, resamples=99)
    for one in result.pairs:
        assert (one.p <= alpha) == (not one.interval.low <= 0.0 <= one.interval.high), one
        assert one.p_adjusted >= one.p
    assert {one.p_adjusted for one in result.pairs if (one.baseline, one.metric) == ("y", "z")} == {1.0}


def test_p_for_new_documents_is_the_larger_one_of_swaps_and_students_t() -> None:
    result = held()
    deciding = set()
    for one in result.pairs:
        student = max(2.0**-19, 2.0 * float(stats.t.sf(abs(one.delta) / one.standard_error, 7)))
        places = [result.metrics.index(name) for name in (one.baseline, one.metric)]
        scores = np.array([list(own.values()) for own in (METRICS[one.baseline], METRICS[one.metric])])
        judged = Judged.of(np.array(list(HUMAN.values())), scores, np.arange(SEGMENTS) // 3)
        swaps = Assessment(one.measure, [judged], resamples=200, seed=result.seed).swapped("perm-sys").p_values()[0]
        assert one.p == pytest.approx(max(swaps, student)), places
        deciding.add(swaps > student)
    assert deciding == {True, False}


WORDS = [f"word{one}" for one in range(16)]


def texts(
    systems: int = 6, segments: int = 20, least: float = 0.4, step: float = 0.08, noise: float = 0.1, seed: int = 5
) -> tuple[Scores, dict[str, list[str]], list[str]]:
    """People's scores, outputs that differ from the reference in ever fewer words, and the reference."""
    random = np.random.default_rng(seed)
    reference = [list(random.choice(WORDS, 12)) for _ in range(segments)]
    people: Scores = {}
    outputs: dict[str, list[str]] = {}
    for place in range(systems):
        kept = random.random((segments, 12)) < least + step * place
        outputs[f"s{place}"] = [" ".join(np.where(own, line, "x")) for line, own in zip(reference, kept, strict=True)]
        people[f"s{place}"] = np.round(kept.mean(1) + random.normal(0, noise, segments), 2).tolist()
    return people, outputs, [" ".join(line) for line in reference]


def _beside(folder: Path, scores: Scores, systems: dict[str, float]) -> list[Note]:
    """Return the notes on a metric's scores of systems beside those of its segments."""
    (folder / "m.sys.score").write_text("".join(f"{name}\t{own}\n" for name, own in systems.items()))
    metric = write(folder, "m.seg.score", scores)
    notes = tg.agree(HUMAN, {"m": metric}, measures=["accuracy"], resamples=20).notes
    return [note for note in notes if note.kind == "system-scores" and note.file]


def test_scores_of_systems_that_contradict_those_of_segments_are_doubted(tmp_path: Path) -> None:
    scores = {name: [10.0 * value for value in values] for name, values in METRICS["close"].items()}
    means = np.array([np.mean(values) for values in scores.values()])
    random, spread = np.random.default_rng(1), float(np.std(means))
    of_corpus = means + random.normal(0.3 * spread, 0.1 * spread, 8)  # not quite the means
    honest = [means, means.round(2), means / 100 + 3, of_corpus]
    stale = [means / spread + random.normal(90, 1, 8), means[::-1]]
    for systems in (*honest, *stale):
        notes = _beside(tmp_path, scores, dict(zip(scores, systems.tolist(), strict=True)))
        assert [note.warning for note in notes] == [True] * any(systems is one for one in stale)


def test_scores_of_systems_that_hardly_differ_are_not_doubted() -> None:
    random, systems = np.random.default_rng(3), ["s0", "s1", "s2", "s3"]
    notes: list[Note] = []
    for seed in range(200):
        lengths = random.integers(5, 40, 150)  # by which a corpus score weights segments
        side = random.normal(50, 15, 150) + random.normal(0, 10, (4, 150)) + 0.3 * (seed % 3) * np.arange(4)[:, None]
        corpus = dict(zip(systems, np.average(side, axis=1, weights=lengths) - 7.0, strict=True))
        read = SystemScores("m.seg.score", {}, corpus, beside="m.sys.score")
        system_level(read, side, systems, notes, people=False)
    assert notes == []


@pytest.mark.parametrize(("off_by", "warns"), [(0.0, []), (0.004, []), (0.05, [False]), (5.0, [True])])
def test_scores_of_systems_by_people_are_means(tmp_path: Path, off_by: float, warns: list[bool]) -> None:
    people = write(tmp_path, "people.seg.score", HUMAN)
    beside = "".join(f"{name}\t{np.mean(values) + off_by}\n" for name, values in HUMAN.items())
    (tmp_path / "people.sys.score").write_text(beside)
    notes = tg.agree(people, {"close": METRICS["close"]}, measures=["accuracy"], resamples=20).notes
    assert [note.warning for note in notes if note.kind == "system-scores" and note.file] == warns


@pytest.mark.whole
def test_metrics_are_computed_from_outputs(tmp_path: Path, command: Command) -> None:
    people, outputs, reference = texts()
    result = tg.agree(people, outputs=outputs, references=reference, compute=["bleu", "ter"], resamples=20)
    assert result.metrics == tuple(info.key for info in result.computed) == ("bleu", "ter")
    # Of TER lower is better, which is known: nobody has to say it.
    assert result["accuracy", "ter"].value > 0.8
    assert "against-people" not in kinds(result.notes)
    scores = tg.score(reference, outputs, metrics=["bleu"]).scores
    right = agreeing([float(np.mean(people[score.name])) for score in scores], [score.score for score in scores])
    assert right == pytest.approx(result["accuracy", "bleu"].value * 15)
    folder = tmp_path / "outputs"
    folder.mkdir()
    for name, lines in {**outputs, "unrated": reference, "../ref": reference}.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (folder / ".hidden").write_text("x\n")
    human_file, near = write(tmp_path, "people.seg.score", people), write(tmp_path, "near.seg.score", people)
    given = ("--human", human_file, "--ref", str(tmp_path / "ref.txt"), "--outputs", str(folder), "-R", "20")
    code, out, said = command("agree", *given, "-m", "bleu", "-m", "ter", near, "-f", "json", "-q")
    assert code == 0, said
    read = json.loads(out)
    assert read["metrics"] == ["bleu", "ter", "near"]
    assert "'unrated'" in str(read["notes"])
    values = {(row["measure"], row["metric"]): row["value"] for row in read["agreement"]}
    assert [values[row.measure, row.metric] for row in result] == pytest.approx([row.value for row in result])
    assert command("agree", *given, "-q")[0] == 0  # bleu, if none is named


@pytest.mark.parametrize("form", ["wide", "by id", "long", "polars"])
def test_frames_are_taken_as_compare_takes_them(form: str) -> None:
    people: Scores = {"a": [1, 2, 3, None, 5], "b": [2, 2, 4, 4, 5], "c": [3, 4, 4, 1, 6]}
    metric: Scores = {"a": [1, 2, 3, 1, 4], "b": [2, 2, 3, 1, 5], "c": [3, 1, 5, 1, 6]}

    def frame(scores: Scores) -> Any:
        wide = pd.DataFrame(scores)
        rows = [(name, i, one) for name, own in scores.items() for i, one in enumerate(own)]
        long = pd.DataFrame(rows[::-1], columns=["system", "id", "score"])
        turned = wide.assign(id=range(len(wide))).iloc[::-1]  # rows with ids may stand in another order
        return {"wide": wide, "by id": turned, "long": long, "polars": pl.DataFrame(scores)}[form]

    plain = tg.agree(people, {"m": metric}, measures=["pearson", "acc23"], resamples=50)
    found = tg.agree(frame(people), {"m": frame(metric)}, measures=["pearson", "acc23"], resamples=50)
    assert [one.value for one in found] == pytest.approx([one.value for one in plain])
    assert found.segments == plain.segments == 4
    with refused(naming=['{"metric": frame}']):
        tg.agree(people, frame(metric))


OTHERS, OTHER_METRICS = judgements(6, seed=2)


def pooled(**options: Any) -> AgreeResult:
    turned = dict(reversed(OTHER_METRICS.items()))  # metrics are matched by name
    given = {"documents": [DOCUMENTS, DOCUMENTS], "resamples": 200, **options}
    return tg.agree([HUMAN, OTHERS], [METRICS, turned], **given)


def singles(**options: Any) -> list[AgreeResult]:
    both = ((HUMAN, METRICS), (OTHERS, OTHER_METRICS))
    return [tg.agree(*one, documents=DOCUMENTS, **{"resamples": 200, **options}) for one in both]


@pytest.mark.whole
def test_accuracy_counts_all_pairs_of_systems_and_other_measures_are_means() -> None:
    result, (first, second) = pooled(), singles()
    assert result.metrics == ("close", "far", "noise")
    assert [len(rated.systems) for rated in result.test_sets] == [8, 6]
    for place, metric in enumerate(result.metrics):
        right = sum(agreeing(rated.human, rated.scores[place]) for rated in result.test_sets)
        assert result["accuracy", metric].value == pytest.approx(right / (28 + 15))
        for measure in set(result.measures) - {"accuracy", "spa"}:  # SPA of the second set has other signs
            mean = (first[measure, metric].value + second[measure, metric].value) / 2
            assert result[measure, metric].value == pytest.approx(mean)
    assert result["acc23", "close"].threshold is None
    assert (result.segments, result.n_units, result.resamples, result.exhaustive) == (120, 40, 200, False)


@pytest.mark.whole
@pytest.mark.parametrize("test", ["documents", "perm-sys"])
def test_variances_are_added(test: Any) -> None:
    result, alone = pooled(test=test), singles(test=test)
    for one in result.pairs:
        if one.measure in ("pearson", "acc23"):
            errors = [own.pair(one.measure, one.baseline, one.metric).standard_error for own in alone]
            assert one.standard_error == pytest.approx(np.linalg.norm(errors) / 2)


@pytest.mark.parametrize("measure", list(MEASURES))
def test_test_sets_are_swapped_independently(measure: str) -> None:
    """Nulls of two equal test sets have half the mean square of one's; were they swapped alike, they had all of it."""
    judged = made(5, systems=8)
    one, two = (
        Assessment(measure, sets, resamples=2_000, seed=3).swapped("perm-sys") for sets in ([judged], [judged] * 2)
    )
    assert two.observed == pytest.approx(one.observed)
    assert (two.nulls**2).mean(axis=1) == pytest.approx((one.nulls**2).mean(axis=1) / 2, rel=0.2)


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
    code, _, said = command("agree", *humans, *sides[::-1])
    assert (code, "the folder 'zh-en'" in " ".join(said.split())) == (2, True), said


def alternating(scores: list[Any], first: int) -> list[Any]:
    return [one if place % 2 == first % 2 else None for place, one in enumerate(scores)]


PEOPLE, OUTPUTS, REFERENCE = texts()
COMPUTED = {"outputs": OUTPUTS, "references": REFERENCE, "compute": ["bleu"]}


@pytest.mark.parametrize(
    ("human", "metrics", "options", "naming"),
    [
        (HUMAN, {"m": less(METRICS["far"], "s3")}, {}, ["'s3'"]),
        (HUMAN, {"m": {**METRICS["far"], "s2": [None, *METRICS["far"]["s2"][1:]]}}, {}, []),
        ({"s0": HUMAN["s0"]}, METRICS, {}, ["'s0'"]),
        ({"refA": HUMAN["s0"], "s0": HUMAN["s0"]}, METRICS, {}, ["keep_references=True"]),
        (HUMAN, {}, {}, []),
        (HUMAN, {"human": METRICS["far"]}, {}, ["'human'"]),
        (HUMAN, {"m": {name: own[:9] for name, own in HUMAN.items()}}, {}, [9, 60]),
        (HUMAN, {"m": {name: [1.0] * SEGMENTS for name in HUMAN}}, {}, ["m", 1]),
        ({**HUMAN, "s0": [1, 2]}, METRICS, {}, ["'s1'", 60, "'s0'", 2]),
        ({**HUMAN, "s0": ["x"] * SEGMENTS}, METRICS, {}, ["s0"]),
        (3, METRICS, {}, ["int"]),
        (HUMAN, METRICS, {"documents": ["a"]}, [1, 60]),
        (HUMAN, METRICS, {"documents": ["a"] * SEGMENTS}, []),
        (HUMAN, METRICS, {"measures": ["bleu"]}, ["measures"]),
        (HUMAN, METRICS, {"measures": ["spa"], "test": "pair-swaps"}, ["acc23", "spa"]),
        (HUMAN, METRICS, {"adjust": "maxt", "test": "documents"}, ["maxt"]),
        (HUMAN, METRICS, {"resamples": 0}, ["resamples"]),
        ({name: alternating(own, int(name[1])) for name, own in HUMAN.items()}, METRICS, {}, [60, "'s0'", 30]),
        ([HUMAN, OTHERS], [METRICS, less(OTHER_METRICS, "far", "noise")], {}, ["'2'", "'far', 'noise'"]),
        ([HUMAN, OTHERS], [less(METRICS, "close"), OTHER_METRICS], {}, ["'1'", "'close'"]),
        ([HUMAN, OTHERS], METRICS, {}, ["metrics", 1]),
        ([HUMAN, OTHERS], [METRICS] * 2, {"documents": DOCUMENTS}, ["documents", 60]),
        ([HUMAN, OTHERS], [METRICS, OTHER_METRICS], {"documents": [DOCUMENTS, None]}, ["'1'"]),
        ([HUMAN, HUMAN], [METRICS, METRICS], {}, []),
        ([], [], {}, []),
        ([HUMAN, OTHERS], [METRICS, OTHER_METRICS], {"compute": ["bleu"]}, ["outputs"]),
        ([HUMAN, judgements(5)[0]], [METRICS, METRICS], {"test": "perm-sys"}, [6, 5]),
        (PEOPLE, (), COMPUTED | {"outputs": None}, ["outputs"]),
        (PEOPLE, (), COMPUTED | {"outputs": less(OUTPUTS, "s1", "s4")}, ["'s1', 's4'"]),
        (PEOPLE, (), COMPUTED | {"outputs": []}, ["outputs"]),
        (PEOPLE, (), COMPUTED | {"outputs": {name: [own, own] for name, own in OUTPUTS.items()}}, ["'s0'", 2]),
        (PEOPLE, (), COMPUTED | {"references": None}, ["reference"]),
        (PEOPLE, (), COMPUTED | {"compute": ["length"]}, ["Length"]),
        (PEOPLE, (), COMPUTED | {"compute": ["nosuch"]}, ["nosuch"]),
        (PEOPLE, {"bleu": PEOPLE}, COMPUTED, ["'bleu'"]),
        ({name: [*own, 1] for name, own in PEOPLE.items()}, (), COMPUTED, [20, 21]),
    ],
)
def test_what_does_not_fit_is_refused(human: Any, metrics: Any, options: dict[str, Any], naming: list[Any]) -> None:
    with refused(naming=naming):
        tg.agree(human, metrics, **options)
