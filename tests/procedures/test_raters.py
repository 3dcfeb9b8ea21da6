"""The test of raters: what it claims, what it needs, and how often it rejects true nulls."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import truegain as tg
from benchmarks.raters import BOUND, Design, p_values
from tests.refusals import kinds, refused
from truegain.readers.corpora import read_corpus
from truegain.studies.compare import CompareResult

Row = tuple[str, str, str, str, float]


def written(path: Path, rows: Iterable[Sequence[object]], *, columns: str = "system item document rater score") -> str:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([columns.split(), *rows])
    return str(path)


def read(*files: str, documents: str | None = None) -> tg.Corpus:
    return read_corpus(files, documents=documents, outputs_are_scores=True)


def compared(file: str, metrics: Sequence[str] = ("scores",), **options: Any) -> CompareResult:
    return tg.compare(read(file), metrics=list(metrics), resamples=500, **options)


def ratings(*, raters: int = 4, each: int = 2, documents: int = 10, systems: int = 2, gain: float = 2.0) -> list[Row]:
    rng = np.random.default_rng(raters + 10 * each + 100 * systems)
    rows: list[Row] = []
    for document in range(documents):
        who = rng.permutation(raters)[:each] if each > 1 else [document % raters]
        for segment, system, rater in ((s, m, r) for s in range(3) for m in range(systems) for r in who):
            score = round(70 + gain * system + 3 * float(rng.normal()) + float(rater), 1)
            rows.append((f"s{system}", f"{document}.{segment}", f"d{document}", f"r{rater}", score))
    return rows


def test_plans_and_thresholds_hold_raters_fixed_and_say_so(tmp_path: Path) -> None:
    """Raters who see the gain differently: more documents with the same raters do not show it to new ones."""
    rng = np.random.default_rng(5)
    seen = rng.normal(2.0, 3.0, 5)
    rows = [
        (f"s{system}", f"{d}.{s}", f"d{d}", f"r{r}", round(60 + system * seen[r] + 4 * float(rng.normal()), 2))
        for d, s, system, r in itertools.product(range(15), range(3), range(2), range(5))
    ]
    corpus = read(written(tmp_path / "ratings.csv", rows))
    tested = tg.compare(corpus, metrics=["scores"], resamples=100)
    planned = tg.plan(corpus, metrics=["scores"], gain=2.0)
    by_raters, by_documents = (one.standard_error for one in tested.comparisons)
    ratio = (by_raters or 0.0) / (by_documents or 1.0)
    assert ratio > 2.0
    for result in (planned, tg.threshold(corpus, metrics=["scores"], resamples=100)):
        (note,) = (one for one in result.notes if one.kind == "raters-held")
        assert note.warning
        assert f"{ratio:.1f}" in note.text
    (note,) = (one for one in planned.notes if one.kind == "raters-held")
    assert int(note.text.split("the power is ")[1].split(" %")[0]) < 40 < 100 * planned.predicted[1].powers[0]
    assert planned.predicted_samples == ()
    with refused():
        tg.plan(corpus, metrics=["scores"], sample_counts=[2])


def test_raters_who_see_the_same_gain_are_no_reason_to_warn(tmp_path: Path) -> None:
    for rows in (ratings(documents=30), ratings(raters=2)):
        planned = tg.plan(read(written(tmp_path / "ratings.csv", rows)), metrics=["scores"])
        (note,) = (one for one in planned.notes if one.kind == "raters-held")
        assert not note.warning


@pytest.mark.parametrize(("alpha", "shown"), [(-0.05, "−0.05"), (-0.001, "0.00"), (0.5, "0.50")])
def test_numbers_below_zero_have_a_true_minus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alpha: float, shown: str
) -> None:
    monkeypatch.setattr("truegain.procedures.raters.krippendorff_alpha", lambda *_: alpha)
    told = {note.kind: note.text for note in compared(written(tmp_path / "r.csv", ratings(gain=-9.0))).notes}
    assert f" {shown};" in told["raters"]
    assert "s1 − s0: −" in told["standardised"]


def test_it_is_the_default_of_ratings_by_three_people_or_more(tmp_path: Path) -> None:
    found = compared(written(tmp_path / "ratings.csv", ratings()))
    one, other = found.comparisons
    assert (one.test, str(one.claim)) == ("raters", "this output of each on new documents with new raters")
    assert (other.test, str(other.claim)) == ("ar", "this output of each on new documents")
    assert one.claim.raters
    assert not other.claim.raters
    assert one.delta == pytest.approx(found.scores[1].score - found.scores[0].score)
    assert one.interval.low <= 0.0 <= one.interval.high or one.p < 0.05
    reach = (one.interval.high - one.interval.low) / 2.0
    assert one.standard_error is not None
    assert other.standard_error is not None
    assert 1.96 <= reach / one.standard_error <= 12.71  # Student's quantiles
    assert one.standard_error != other.standard_error
    assert {"raters", "standardised"} <= kinds(found.notes)


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    rows = ratings()
    shuffled = [rows[i] for i in np.random.default_rng(1).permutation(len(rows))]
    files = [written(tmp_path / f"{n}.csv", own) for n, own in enumerate((rows, shuffled))]
    first, second = (compared(file).comparisons[0] for file in files)
    assert (first.p, first.delta, first.interval) == (second.p, second.delta, second.interval)


def test_each_document_by_one_rater(tmp_path: Path) -> None:
    found = compared(written(tmp_path / "ratings.csv", ratings(each=1)))
    assert found.comparisons[0].test == "raters"
    assert "raters" in kinds(found.notes)


@pytest.mark.parametrize("raters", [1, 2])
def test_too_few_raters(tmp_path: Path, raters: int) -> None:
    file = written(tmp_path / "ratings.csv", ratings(raters=raters, each=raters))
    found = compared(file)
    assert [one.test for one in found.comparisons] == ["ar"]
    assert "no-new-raters" in kinds(found.notes)
    with refused():
        compared(file, test="raters")


@pytest.mark.parametrize("raters", [1, 2])
def test_too_few_raters_of_one_pair(tmp_path: Path, raters: int) -> None:
    """All four raters rated the third system, and some of them the first two."""
    rows = [row for row in ratings(raters=4, each=4, systems=3) if row[0] == "s2" or row[3] in ("r0", "r1")[:raters]]
    corpus = read(written(tmp_path / "ratings.csv", rows))
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": 200}
    found = tg.compare(corpus, **options)
    assert [(one.system, one.test) for one in found.primary_tests("scores")] == [("s1", "ar"), ("s2", "raters")]
    other = tg.compare(corpus, baseline="s2", **options)
    assert {one.test for one in other.primary_tests("scores")} == {"raters"}
    ranked = tg.rank(corpus, **options)
    assert ranked.test == "bootstrap"
    for notes in (found.notes, ranked.notes):
        assert any("s0 and s1" in str(note) for note in notes if note.kind == "no-new-raters")
    assert "raters-held" in kinds(tg.threshold(corpus, **options).notes)
    for study in (tg.compare, tg.rank):
        with refused(naming=["s0", "s1", 3]):
            study(corpus, test="raters", **options)


def test_raters_of_unequal_weight_are_few(tmp_path: Path) -> None:
    """One rater of all documents and two of some, who do not show how much raters differ."""
    rows = ratings(raters=3, each=3, documents=12)
    by_share = {
        documents: written(
            tmp_path / f"{documents}.csv", [row for row in rows if row[3] == "r0" or int(row[2][1:]) < documents]
        )
        for documents in (1, 7)
    }
    found = compared(by_share[1])
    gate = tg.gate(read(by_share[1]), metrics=["scores"], baseline="s0")
    assert [one.test for one in found.comparisons] == ["ar"]
    with refused(naming=["1.1"]):
        compared(by_share[1], test="raters")
    for notes in (found.notes, gate.notes):
        assert any("1.1" in note.text for note in notes if note.kind == "no-new-raters")
    assert "1.1" in str(tg.plan(read(by_share[1]), metrics=["scores"]).notes)
    assert "no-new-raters" in kinds(note for note in gate.notes if note.warning)
    assert compared(by_share[7]).comparisons[0].test == "raters"
    assert tg.gate(read(by_share[7]), metrics=["scores"], baseline="s0").checks[0].test == "raters"


@pytest.mark.parametrize(
    ("column", "named", "known"),
    [
        *((name, "r0 r1 r2 r3", True) for name in ("judge", "grader", "evaluator_id", "Annotator_Name", "judge_model")),
        ("judge", "0 1 2 3", True),
        ("evaluator_id", "0 1 2 3", True),
        ("judge", "r r r r", False),
    ],
)
def test_raters_by_other_names(tmp_path: Path, column: str, named: str, known: bool) -> None:
    names = named.split()
    rows = [(*row[:3], names[int(row[3][1:])], row[4]) for row in ratings(each=4)]
    corpus = read(written(tmp_path / "r.csv", rows, columns=f"system item document {column} score"))
    assert (corpus.raters is not None) == known


def test_judgements_and_scores_are_no_raters(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = [(*row[:3], str(rng.integers(1, 6)), row[4]) for row in ratings(each=2)]
    corpus = read(written(tmp_path / "scores.csv", rows, columns="system item document judge score"))
    assert corpus.raters is None
    assert list(corpus.systems[0].runs[0].scores) == ["judge", "score"]
    said = [(*row[:3], f"It is good: {number}", row[4]) for number, row in enumerate(rows)]
    assert read(written(tmp_path / "said.csv", said, columns="system item document judge score")).raters is None


def test_a_column_of_raters_can_be_named(tmp_path: Path) -> None:
    file = written(tmp_path / "r.csv", ratings(), columns="system item document who score")
    with refused(naming=["2", "who"]):
        read(file)
    corpus = read_corpus([file], rater_column="who", outputs_are_scores=True)
    assert corpus.raters == 4
    (tmp_path / "x.toml").write_text(
        'metrics = ["scores"]\nresamples = 100\n[[testset]]\nname = "one"\ntable = "r.csv"\nrater_column = "who"\n'
    )
    assert "4 whos" in str(tg.run(tmp_path / "x.toml"))
    with refused():
        read_corpus([file], rater_column="whom", outputs_are_scores=True)
    with refused(naming=["who"]):
        read_corpus([file], rater_column="who")


def wordings(prompts: int = 5, items: int = 40) -> list[tuple[str, str, str, str]]:
    """Scores of two systems under several wordings of a prompt, each of which has a gain of its own."""
    rng = np.random.default_rng(5)
    views, hard = rng.normal(0.4, 0.5, prompts), rng.normal(size=items)
    return [
        (name, f"w{prompt}", f"q{item}", f"{hard[item] + system * views[prompt] + rng.normal(0.0, 0.5):.3f}")
        for item, prompt, (system, name) in itertools.product(range(items), range(prompts), enumerate(("base", "new")))
    ]


def two_way_p(rows: list[tuple[str, str, str, str]]) -> float:
    """Return the p of the gain by both ways of clustering, from the table of gains by item and prompt."""
    scores = np.array([float(row[3]) for row in rows])
    items, prompts = (len({row[column] for row in rows}) for column in (2, 1))
    gains = np.diff(scores.reshape(items, prompts, 2), axis=2)[:, :, 0]
    rest = gains - gains.mean()

    def variance(sums: Any) -> float:
        return float((sums**2).sum() * sums.size / (sums.size - 1) / gains.size**2)

    by_item, by_prompt, by_both = variance(rest.sum(1)), variance(rest.sum(0)), variance(rest)
    whole = max(by_item + by_prompt - by_both, by_item, by_prompt)
    share = max(by_prompt - 0.15 * max(1 - 3 / prompts, 0) * by_both, 0) / whole
    freedom = 1 / ((1 - share) ** 2 / (items - 1) + share**2 / (prompts - 1))
    return float(2 * stats.t.sf(abs(gains.mean()) / np.sqrt(whole), freedom))


def test_new_prompts(tmp_path: Path) -> None:
    """Prompts that are named as raters are what the claim is about; five wordings are no 200 independent items."""
    rows = wordings()
    file = written(tmp_path / "p.csv", rows, columns="system prompt question_id score")
    corpus = read_corpus([file], rater_column="prompt", outputs_are_scores=True)
    first, beside = tg.compare(corpus, metrics=["scores"], resamples=999).comparisons
    assert first.p == pytest.approx(two_way_p(rows), abs=1e-9)
    assert first.p > 0.05 > beside.p
    assert (first.claim.rater_noun, beside.claim.raters) == ("prompt", False)
    asked = read_corpus([file], id_column="prompt,question_id", outputs_are_scores=True)
    assert tg.compare(asked, metrics=["scores"], resamples=999).comparisons[0].p < 0.01
    ranked = tg.rank(corpus, metrics=["scores"], resamples=99)
    gate = tg.gate(corpus, metrics=["scores"], baseline="base", margin=0.1, resamples=99)
    assert [ranked.claim.rater_noun, gate.checks[0].claim.rater_noun] == ["prompt", "prompt"]


@pytest.mark.parametrize("first", ["w", ""])  # names, and numbers that are no scores
def test_what_prompts_are_is_asked(tmp_path: Path, first: str) -> None:
    rows = [(name, prompt.replace("w", first), item, score) for name, prompt, item, score in wordings()]
    file = written(tmp_path / "p.csv", rows, columns="system prompt question_id score")
    with refused("rater_column", "id_column", naming=["prompt,question_id"]):
        read(file)
    named = read(written(tmp_path / "j.csv", rows, columns="system judge question_id score"))
    assert (named.raters, named.rater_noun) == (5, "judge")


def test_what_prompts_are_is_asked_of_files_of_one_system(tmp_path: Path) -> None:
    files = [
        written(tmp_path / f"{name}.csv", [row[1:] for row in wordings() if row[0] == name], columns="prompt qid score")
        for name in ("base", "new")
    ]
    with refused("rater_column", "id_column", naming=["prompt,qid"]):
        read(*files)


def test_the_prompt_of_each_item_is_no_wording(tmp_path: Path) -> None:
    rows = [(name, f"{prompt} {item}", item, score) for name, prompt, item, score in wordings(prompts=2)]
    rows = [(f"{name}{copy}", prompt, item, score) for copy in "ab" for name, prompt, item, score in rows]
    file = written(tmp_path / "p.csv", rows, columns="system prompt question_id score")
    with refused("repeat_column", naming=["prompt"]):
        read(file)


def test_a_rating_without_a_rater_is_refused(tmp_path: Path) -> None:
    rows = ratings()
    rows[3] = (*rows[3][:3], "", rows[3][4])
    with refused(naming=["rater"]):
        compared(written(tmp_path / "ratings.csv", rows))


def test_blocks_and_ratios_are_refused(tmp_path: Path) -> None:
    with refused():
        compared(written(tmp_path / "ratings.csv", ratings()), test="raters", unit="block")
    rows = [(*row, 1) for row in ratings()]
    ratio = written(tmp_path / "ratio.csv", rows, columns="system item document rater errors words")
    with refused():
        compared(ratio, metrics=("scores:column=errors,over=words",), test="raters")


def test_systems_and_sides_change_places(tmp_path: Path) -> None:
    file = written(tmp_path / "ratings.csv", ratings())
    there, back = (compared(file, test="raters", baseline=name).comparisons[0] for name in ("s0", "s1"))
    assert (back.delta, back.p) == (-there.delta, there.p)
    assert (back.interval.low, back.interval.high) == pytest.approx((-there.interval.high, -there.interval.low))
    greater, less = (compared(file, test="raters", alternative=side).comparisons[0] for side in ("greater", "less"))
    assert greater.p + less.p == pytest.approx(1.0)
    assert min(greater.p, less.p) == pytest.approx(there.p / 2.0)
    turned = compared(file, ("scores:lower_is_better=true",), test="raters").comparisons[0]
    assert (turned.delta, turned.p) == (-there.delta, there.p)


def test_the_interval_holds_the_gains_that_are_not_rejected(tmp_path: Path) -> None:
    file = written(tmp_path / "ratings.csv", ratings())
    one = compared(file, test="raters").comparisons[0]
    for end in (one.interval.low, one.interval.high):
        beyond, within = (
            compared(file, test="raters", null_gain=one.delta + (end - one.delta) * by).comparisons[0]
            for by in (1.001, 0.999)
        )
        assert beyond.p <= 0.05 < within.p


def test_ratings_of_one_system_only_are_told(tmp_path: Path) -> None:
    rows = ratings(raters=5, each=5, gain=0.0)
    assert not [note for note in compared(written(tmp_path / "all.csv", rows)).notes if note.kind == "unshared-ratings"]
    lenient = [(*row[:4], row[4] + 20.0) if row[3] == "r4" else row for row in rows]
    some = [row for row in lenient if (row[0], row[3]) != ("s1", "r4")]
    file = written(tmp_path / "some.csv", some)
    (told,) = (note for note in compared(file).notes if note.kind == "unshared-ratings")
    shared = [row for row in some if row[3] != "r4"]
    fair = compared(written(tmp_path / "fair.csv", shared)).comparisons[0].delta
    assert told.warning
    assert told.scope == "score"
    assert "30 of 270" in told.text
    assert f"{fair:+.3g}".replace("-", "−") in told.text
    assert abs(compared(file).comparisons[0].delta - fair) > 4.0
    gate = tg.gate(read(file), metrics=["scores"], baseline="s0", resamples=500)
    assert "unshared-ratings" in kinds(gate.notes)
    third = [("s2", *row[1:]) for row in shared if row[0] == "s0"]
    ranked = tg.rank(read(written(tmp_path / "3.csv", [*some, *third])), metrics=["scores"], resamples=500)
    assert "30 of 390" in str(ranked.notes)
    (few,) = (n for n in compared(written(tmp_path / "few.csv", rows[1:])).notes if n.kind == "unshared-ratings")
    assert not few.warning


@pytest.mark.parametrize("each", [1, 4, 5])
def test_raters_of_one_system_each(tmp_path: Path, each: int) -> None:
    rows = [
        row
        for row in ratings(raters=2 * each, each=2 * each, documents=12)
        if (int(row[3][1:]) < each) == (row[0] == "s0")
    ]
    corpus = read(written(tmp_path / "r.csv", rows))
    if each < 5:
        studies: list[Callable[..., Any]] = [tg.compare, tg.rank, partial(tg.gate, baseline="s0")]
        for study in studies:
            with refused(naming=["'s0'"]):
                study(corpus, metrics=["scores"], resamples=500)
        assert tg.score(corpus, metrics=["scores"]).scores
    else:
        found = tg.compare(corpus, metrics=["scores"], resamples=500)
        assert found.comparisons[0].test == "raters"
        assert "s1 − s0" in str(found.notes)


@pytest.mark.parametrize("known", [True, False])
def test_scores_that_no_rater_gave_claim_nothing_of_new_ones(tmp_path: Path, known: bool) -> None:
    """One score for each output, whoever is named beside it; or no column that names a rater."""
    of_output: dict[tuple[str, ...], float] = {}
    rows = [(*row[:4], of_output.setdefault(row[:2], row[4])) for row in ratings()] if known else ratings(each=1)
    columns = f"system item document {'rater' if known else 'colour'} score"
    file = written(tmp_path / "ratings.csv", rows, columns=columns)
    assert [one.test for one in compared(file).comparisons] == ["ar"]
    with refused():
        compared(file, test="raters")


def test_equal_systems_do_not_differ(tmp_path: Path) -> None:
    rows = [(name, *row[1:]) for row in ratings(systems=1) for name in ("a", "b")]
    one = compared(written(tmp_path / "ratings.csv", rows), test="raters").comparisons[0]
    assert (one.delta, one.p, one.better) == (0.0, 1.0, None)


def test_scores_that_were_swapped_are_refused(tmp_path: Path) -> None:
    """Who rated what is known of the ratings as they were given, not of what `calibrate` makes of them."""
    corpus = read(written(tmp_path / "ratings.csv", ratings()))
    with refused():
        tg.calibrate(corpus, metrics=["scores"], test="raters", repetitions=5, resamples=19)


def test_ranks_hold_for_new_raters(tmp_path: Path) -> None:
    file = written(tmp_path / "ratings.csv", ratings(systems=4, documents=20, gain=4.0))
    found = tg.rank(read(file), metrics=["scores"])
    assert (found.test, found.adjust) == ("raters", "holm")
    assert str(found.claim) == "this output of each on new documents with new raters"
    pairs = compared(file, family="all", test="raters")
    assert [one.p for one in found.pairs] == [one.p for one in pairs.comparisons]
    held = tg.rank(read(file), metrics=["scores"], test="bootstrap")
    assert not held.claim.raters
    with refused():
        tg.rank(read(file), metrics=["scores"], adjust="maxt")


@pytest.mark.whole
def test_errors_marked_by_several_raters(shared_data: Path) -> None:
    """WMT23 zh-en: eight raters; what holds of new raters is less than what holds of these."""
    folder = shared_data / "wmt23_mtme"
    files = sorted(map(str, (folder / "human-scores").glob("zh-en.mqm.rater*.seg.rating.gz")))
    assert len(files) == 8
    documents = str(folder / "documents" / "zh-en.docs.gz")
    found, held = (
        tg.rank(read(*files, documents=documents), metrics=["mqm"], test=test, resamples=1000)
        for test in ("auto", "bootstrap")
    )
    assert found.test == "raters"
    apart, also = (sum(one.better is not None for one in result.pairs) for result in (found, held))
    assert (apart, len(found.pairs)) == (63, 120)
    assert also > 85


@pytest.mark.whole
@pytest.mark.parametrize("each", ["one, uneven", "two, balanced", "all"])
@pytest.mark.parametrize("raters", [3, 8])
def test_the_size(each: str, raters: int) -> None:
    """Few data sets, a wide bound; the study has more: docs/studies/calibration-of-raters.md."""
    sets = 300
    rates = np.mean([p_values(Design(each, raters, 30, 0.4), n) <= 0.05 for n in range(sets)], axis=0)
    assert rates[0] <= BOUND + 3.0 * (BOUND * (1.0 - BOUND) / sets) ** 0.5
    assert rates[1] > rates[0]
