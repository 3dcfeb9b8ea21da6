"""inspect: segments, documents, lengths, words and n-grams, against naive counts; what is said and what is kept."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import json
import math
import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.conftest import only_with_all
from tests.refusals import kinds, refused
from tests.schema import VALIDATOR, written
from tests.sentences import says
from truegain.corpus import Corpus
from truegain.metrics.bleu import BLEU
from truegain.readers.corpora import read_corpus
from truegain.report.model import Line
from truegain.studies.inspect import RAISED, InspectResult, Movement, inspect, marked, visible
from truegain.studies.inspect_words import SIDES, USES, length_labels
from truegain.text.tokenizers import split_into_words
from truegain.text.usage import SideBySide

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "src" / "truegain" / "sample"


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


@cache
def tokens(line: str) -> list[str]:
    return split_into_words([line], "13a").texts()[0]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    systems = [f"{name}={SAMPLE}/{name}.*.txt" for name in ("baseline", "better", "similar")]
    return read_corpus(systems, [f"{SAMPLE}/ref.1.txt"], documents=f"{SAMPLE}/docs.txt")


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> InspectResult:
    return inspect(corpus, metrics=["bleu", "ter"], baseline="baseline", system="better", count=6)


def movement_of(result: InspectResult, metric: str) -> Movement:
    return next(movement for movement in result.movements if movement.metric == metric)


def test_the_median_runs_are_named(found: InspectResult, corpus: Corpus) -> None:
    movement = movement_of(found, "bleu")
    scores = {one.name: one for one in found.scores if one.metric == "bleu"}
    for name, run, score in (
        ("baseline", movement.baseline_run, movement.baseline_score),
        ("better", movement.system_run, movement.system_score),
    ):
        assert (run, score) in zip(scores[name].run_names, scores[name].run_scores, strict=True)
        assert run.endswith(f"{name}.1.txt")  # of two, the first
        assert run in found.render()
    assert found["bleu"].delta == movement.delta == movement.system_score - movement.baseline_score
    assert movement.delta_of_means == pytest.approx(scores["better"].score - scores["baseline"].score)
    notes = [note for note in found.notes if note.kind == "median-runs"]
    assert [f"{movement.delta_of_means:+.2f}" in notes[0].text, len(notes)] == [True, 2]  # one per metric
    with pytest.raises(KeyError):
        found["chrf"]
    # One run is its own median.
    single = inspect(lines("ref.1.txt"), {"a": lines("baseline.1.txt"), "b": lines("better.1.txt")})
    assert "median-runs" not in kinds(single.notes)


def test_a_metric_without_a_better_side_is_raised_and_favours_nobody() -> None:
    found = inspect(["x y", "z"], {"a": ["x", "z z z"], "b": ["x y", "z z"]}, metrics=["length"])
    assert found["length"].up[0].contribution > 0
    assert [says(finding.text, RAISED) for finding in found.findings] == [True]
    shown = found.render()
    assert ("favour" in shown, "Raising Length" in shown, "Lowering Length" in shown) == (False, True, True)


def test_the_median_run_on_the_development_set() -> None:
    """It is another one than that on the test set."""
    runs: dict[str, Any] = {"a": [["x y z w"], ["x y z"], ["x y"]], "b": ["x y z w"], "c": ["x"]}
    development: dict[str, Any] = {"a": [["k l"], ["k l m n"], ["k l m"]], "b": ["k l m n"], "c": ["k"]}
    options: dict[str, Any] = {"metrics": ["wer"], "system": "b", "baseline": "a"}
    here = inspect(["x y z w"], runs, **options)
    there = inspect(["x y z w"], runs, development=(["k l m n"], development), **options)
    assert [movement_of(result, "wer").baseline_run for result in (here, there)] == ["a.2", "a.3"]
    del development["b"]
    with refused(naming=["b (1)"]):
        inspect(["x y z w"], runs, development=(["k l m n"], development), **options)


def test_segments_add_up_and_documents_partition_them(found: InspectResult) -> None:
    for one in found.movements:
        assert one.up + one.down + one.still == 300
        assert one.sum_up > 0 > one.sum_down
        assert one.sum_up + one.sum_down == pytest.approx(one.delta, rel=0.02)
    counts = Counter(lines("docs.txt"))
    for metric in ("bleu", "ter"):
        mine = [own for own in found.documents if own.metric == metric]
        assert {own.label: own.segments for own in mine} == counts
        assert [abs(own.contribution) for own in mine] == sorted((abs(own.contribution) for own in mine), reverse=True)
        assert sum(own.contribution for own in mine) == pytest.approx(found[metric].delta, rel=0.02)
        first = mine[0]
        inside = [i for i, name in enumerate(lines("docs.txt")) if name == first.label]
        reference, *outputs = ([lines(f"{name}.1.txt")[i] for i in inside] for name in ("ref", "baseline", "better"))
        alone = movement_of(inspect(reference, dict(zip("ab", outputs, strict=True)), metrics=[metric]), metric)
        assert first.baseline_score == pytest.approx(alone.baseline_score, abs=1e-9)
        assert first.delta == pytest.approx(alone.delta, abs=1e-9)


def test_lengths_partition_the_segments(found: InspectResult) -> None:
    lengths = [len(tokens(line)) for line in lines("ref.1.txt")]
    edges = [0, 10, 20, 30, 40, 50, 60, math.inf]
    for metric in ("bleu", "ter"):
        mine = [one for one in found.lengths if one.metric == metric]
        assert [one.label for one in mine] == ["<10", "10–19", "20–29", "30–39", "40–49", "50–59", "≥60"]
        assert [one.segments for one in mine] == [
            sum(low <= length < high for length in lengths) for low, high in itertools.pairwise(edges)
        ]
        assert mine[-1].segments == 0
        assert (mine[-1].baseline_score, mine[-1].delta, mine[-1].contribution) == (None, None, 0.0)
        assert sum(one.contribution for one in mine) == pytest.approx(found[metric].delta, rel=0.02)


def test_labels_of_lengths() -> None:
    assert length_labels((1, 2, 5)) == ("<1", "1", "2–4", "≥5")


def counts_of(references: list[str], *outputs: list[str]) -> dict[tuple[str, ...], list[int]]:
    """By n-gram: how often references have it, then how often outputs do, then how often rightly."""
    texts = SideBySide([references], outputs, "13a")
    counts: dict[tuple[str, ...], list[int]] = {}
    for usage in texts.usages(4):
        rows = np.column_stack([usage.wanted, usage.produced.T, usage.matched.T]).tolist()
        counts |= {texts.ngram(int(place), usage.order): row for place, row in zip(usage.places, rows, strict=True)}
    return counts


@pytest.mark.parametrize("training", ["ref.2.txt", *only_with_all(None)])
def test_words_by_frequency(training: str | None) -> None:
    references, old, new = lines("ref.1.txt"), lines("baseline.1.txt"), lines("better.1.txt")
    counted = references if training is None else lines(training)
    frequencies = Counter(word for line in counted for word in tokens(line))
    expected = {label: np.zeros(5, int) for label in ("0", "1", "2", "3–4", "5–9", "10–99", "100–999", "≥1000")}
    for ngram, counts in counts_of(references, old, new).items():
        if len(ngram) == 1:
            bucket = bisect_right([1, 2, 3, 5, 10, 100, 1000], frequencies[ngram[0]])
            expected[list(expected)[bucket]] += counts
    source = None if training is None else SAMPLE / training
    found = inspect(references, {"a": old, "b": new}, frequencies=source)
    assert {one.frequency: [one.wanted, *one.produced, *one.matched] for one in found.words} == {
        label: counts.tolist() for label, counts in expected.items()
    }
    assert (found.words[0].wanted == 0) is (training is None)
    for one in found.words:
        for side in (0, 1):
            if one.wanted and one.matched[side]:
                precision, recall = one.matched[side] / one.produced[side], one.matched[side] / one.wanted
                assert (one.precision[side], one.recall[side]) == pytest.approx((100 * precision, 100 * recall))
                assert one.f1[side] == pytest.approx(200 * precision * recall / (precision + recall))
    if training is not None:
        assert found.words == inspect(references, {"a": old, "b": new}, frequencies=counted).words
        assert found.frequencies == str(source)


def test_ngrams_are_those_that_differ_most() -> None:
    references, old, new = lines("ref.1.txt"), lines("baseline.1.txt"), lines("better.1.txt")
    counts = counts_of(references, old, new)
    found = inspect(references, {"a": old, "b": new}, ngrams=7).ngrams
    assert [(one.use, one.more) for one in found[::7]] == [*itertools.product(USES, SIDES)]
    for one in found:
        assert [one.reference, *one.produced, *one.matched] == counts[one.words]
        old_count, new_count = {
            "right": one.matched,
            "over": tuple(max(count - one.reference, 0) for count in one.produced),
            "under": tuple(max(one.reference - count, 0) for count in one.produced),
        }[one.use]
        assert one.difference == (new_count - old_count) * (1 if one.more == "system" else -1) > 0
    ranks = [(better - base) / math.sqrt(max(better + base, 1)) for *_, base, better in counts.values()]
    assert found[0].difference / math.sqrt(sum(found[0].matched)) == pytest.approx(max(ranks))


def right_ngrams(references: list[str], old: list[str], new: list[str], **options: Any) -> list[str]:
    found = inspect(references, {"a": old, "b": new}, **options).ngrams
    return [" ".join(one.words) for one in found if (one.use, one.more) == ("right", "system")]


def test_ngrams_that_say_the_same_are_listed_once() -> None:
    """New York is right thrice, and so are New and York; in New York and New York is as often as the town alone."""
    references = ["he lives in New York now", "she was in New York today", "we like New York a lot", "so it is"]
    old = ["he lives in Boston now", "she was in Boston today", "we like Boston a lot", "so it is"]
    right = right_ngrams(references, old, [*references[:3], "so is it"])
    assert right[0] == "New York"
    assert not {"New", "York", "in New York"} & {*right}
    references = ["x one two three four five six", "one two three four five six y", "z it is"]
    right = right_ngrams(references, ["x", "y", "z it is so"], [*references[:2], "z is it"], ngrams=5)
    # All 4-grams of the six words are right as often; of two that differ by a word at either end the first is enough.
    assert right[:2] == ["one two three four", "three four five six"]
    assert "two three four five" not in right


@pytest.mark.whole
def test_swapped_systems_are_the_mirror_image() -> None:
    references, old, new = lines("ref.1.txt"), lines("baseline.1.txt"), lines("better.1.txt")
    there, back = inspect(references, {"a": old, "b": new}), inspect(references, {"b": new, "a": old})
    assert [one.number for one in there["bleu"].up] == [one.number for one in back["bleu"].down]
    assert [(one.delta or 0.0) for one in there.words] == pytest.approx([-(one.delta or 0.0) for one in back.words])
    for more, mirror in (("system", "baseline"), ("baseline", "system")):
        mine = [one.words for one in there.ngrams if (one.use, one.more) == ("right", more)]
        assert mine == [one.words for one in back.ngrams if (one.use, one.more) == ("right", mirror)]


@pytest.mark.parametrize(
    ("options", "pair"),
    [
        ({"baseline": "baseline", "system": "similar"}, ("baseline", "similar")),
        ({"system": "similar"}, ("baseline", "similar")),
        ({"system": "baseline"}, ("better", "baseline")),
    ],
)
def test_which_two(corpus: Corpus, options: dict[str, str], pair: tuple[str, str]) -> None:
    found = inspect(corpus, count=0, ngrams=0, **options)  # type: ignore[arg-type]
    assert (found.baseline, found.system) == pair
    assert {one.name for one in found.scores} == set(pair)
    assert found.changed_segments[0].up == found.changed_segments[0].down == ()
    assert found.ngrams == ()


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ({}, ["baseline, better, similar"]),
        ({"baseline": "better"}, ['baseline="better"', 'system="baseline"']),
        ({"baseline": "bettr"}, ["'bettr'", "'better'"]),
        ({"baseline": "better", "system": "better"}, ["'better'"]),
        ({"system": "better", "tokenize": "13b"}, ["tokenize", "13a"]),
        ({"system": "better", "tokenize": "spm"}, ["tokenize", "13a"]),
        ({"system": "better", "ngrams": 1.5}, ["1.5"]),
        ({"system": "better", "jobs": 0}, ["jobs"]),
        ({"system": "better", "records": "pages"}, ["segments", "documents"]),
        ({"system": "better", "frequencies": "nowhere.txt"}, ["nowhere.txt"]),
        ({"system": "better", "metrics": []}, []),
        *(
            ({"system": "better", "length_buckets": edges}, ["length_buckets"])
            for edges in ((), (0, 5), (10, 10), (20, 10), (-3,))
        ),
    ],
)
def test_what_cannot_be_inspected_is_refused(corpus: Corpus, options: dict[str, Any], naming: list[str]) -> None:
    with refused(naming=naming):
        inspect(corpus, **options)


def test_segments_are_shown_by_the_ids_of_the_input(tmp_path: Path) -> None:
    rows = [("a", i, 0.1 * i) for i in range(12)] + [("b", i, 1.0 if i == 7 else 0.1 * i) for i in range(12)]
    text = "".join(f"{system},{i},{score}\n" for system, i, score in rows)
    (tmp_path / "long.csv").write_text(f"system,question_id,score\n{text}")
    corpus = read_corpus([str(tmp_path / "long.csv")], outputs_are_scores=True)
    result = inspect(corpus, metrics=["scores"])
    (one,) = result["scores"].up
    assert (one.number, one.id) == (8, "7")
    assert "segment 8 · id 7" in result.render("terminal")
    assert '"id":"7"' in result.render("html").replace(": ", ":")
    VALIDATOR.validate(result.to_dict())
    assert InspectResult.from_dict(json.loads(result.render("json"))) == result.rounded()
    assert corpus.of_segments([2, 7]).ids == ("2", "7")
    same = replace(corpus, ids=tuple(str(i + 1) for i in range(12)))
    assert inspect(same, metrics=["scores"])["scores"].up[0].id is None


def test_systems_that_are_the_same_and_one_segment() -> None:
    found = inspect(["the cat sat", "a dog"], {"a": ["the cat", "dog"], "b": ["the cat", "dog"]}, documents=["x", "y"])
    assert (found.movements[0].still, found.ngrams) == (2, ())
    assert all(one.share is None for one in found.documents)
    single = inspect(["the cat sat down"], {"a": ["the cat sat up"], "b": ["the cat sat down now"]})
    assert single["bleu"].up[0].share == pytest.approx(1.0)
    for result in (found, single):
        check(result)


NASTY = [
    *("", "   ", "\x1b[31mred\x1b[0m", "a\rb\u2028c\x85d", "line\nbreak", "\ud800", "\t\x01", "\u202egnihton"),
    *("| pipe & <b>tag</b> $x_1$ \\cmd{y} 100 % #", "[-not-] {+marks+} **bold** `code`", "=SUM(A1)"),
    *("عربي עברית", "漢字かな交じり文", "हिन्दी शब्द", "🙂👩‍👩‍👧 e\u0301", "word " * 3000, "x" * 5000),
]


@pytest.mark.parametrize("format", ["terminal", "md", "latex", "json", "csv"])
def test_nasty_texts(format: str) -> None:
    references = ["a plain reference of some words"] * len(NASTY)
    systems = {"[b]{old}[/b]": NASTY, "n|e&w\x1b[1m": NASTY[1:] + NASTY[:1]}
    documents = [f"d{i % 3}_&" for i in range(17)]
    found = inspect(references, systems, metrics=["chrf", "bleu"], count=20, documents=documents)
    text = found.render(format)
    if format in ("terminal", "md"):
        body = re.sub(r"n\|e&w\x1b\[1m", "", text)
        assert "\x1b[31m" not in body
        assert "\u202e" not in body
    if format == "terminal":
        assert max(cell_len(line) for line in text.split("\n")) <= 100
        assert "(5,000 characters)" in " ".join(text.split())
    if format == "json":
        assert json.loads(text)["changed_segments"][0]["up"]


def marks(old: str, new: str) -> list[Line]:
    return marked(old, new, ("old", "new"))


@given(st.text(max_size=30), st.text(max_size=30))
def test_marked_pieces_are_the_outputs_and_a_screen_can_show_them(old: str, new: str) -> None:
    for text, line in zip((old, new), marks(old, new), strict=True):
        whole = "".join(piece.text if piece.tone == "plain" else piece.text[2:-2] for piece in line.pieces)
        assert whole == visible(text)
        assert all(one.isprintable() or not one.isascii() for one in whole)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("the old cat.", "the new cat!", ("the [-old-] cat[-.-]", "the {+new+} cat{+!+}")),
        ("a b c", "a x y c", ("a [-b-] c", "a {+x y+} c")),
        ("don't go", "do n't go", ("[-don't-] go", "{+do n't+} go")),
        ("猫が座る", "犬が座る", ("[-猫-]が座る", "{+犬+}が座る")),
        ("a .", "a.", ("[-a .-]", "{+a.+}")),
        ("", "new", ("", "{+new+}")),
        ("same", "same", ("same", "same")),
        ("3.5 per cent", "3.6 per cent", ("[-3.5-] per cent", "{+3.6+} per cent")),
        ("0-0 1-1 2p2", "1-1 0-0 3-3", ("0-0 1-1 [-2p2-]", "1-1 0-0 {+3-3+}")),  # links have no order
    ],
)
def test_marks(old: str, new: str, told: tuple[str, str]) -> None:
    assert tuple("".join(piece.text for piece in line.pieces) for line in marks(old, new)) == told


def check(found: InspectResult) -> None:
    """The JSON fits the schema, and the result can be read again from it."""
    data = written(found)
    again = InspectResult.from_dict(data)
    assert json.loads(again.render("json")) == data
    assert again.render() == InspectResult.from_dict(again.to_dict()).render()


def test_all_segments() -> None:
    references = [lines("ref.1.txt"), lines("ref.2.txt")]
    old, new = lines("baseline.1.txt"), lines("better.1.txt")
    found = inspect(references, {"a": old, "b": new}, count=1, everything=True)
    records = found.to_records()
    assert [one["segment"] for one in records] == list(range(1, 301))
    assert [one["reference_2"] for one in records] == references[1]
    assert [one["system_output"] for one in records] == new
    assert sum(one["contribution"] for one in records) == pytest.approx(found["bleu"].delta, rel=0.02)
    peer = BLEU().for_segments
    statistics = peer.statistics(new, references).astype(float)
    assert [one["system_score"] for one in records] == pytest.approx(peer.score(statistics).tolist())
    check(found)


@pytest.mark.parametrize(
    ("records", "rows", "column"),
    [
        ("segments", 10, "reference"),
        ("documents", 38, "document"),
        ("lengths", 7, "length"),
        ("words", 8, "frequency"),
        ("ngrams", 60, "ngram"),
    ],
)
def test_records(corpus: Corpus, records: Any, rows: int, column: str) -> None:
    found = inspect(corpus, system="better", baseline="baseline", records=records)
    written = list(csv.DictReader(io.StringIO(found.render("csv"))))
    assert len(written) == len(found.to_records()) == rows
    assert written[0][column] == str(found.to_records()[0][column]) != ""
    if records == "segments":
        first = found["bleu"].up[0]
        assert (written[0]["segment"], written[0]["reference"]) == (str(first.number), first.references[0])


def test_it_says_where_contributions_do_not_add_up() -> None:
    """One output is shorter than the reference, the other is not: the brevity penalty sets in between them."""
    references = [f"the small cat number {i} sat on the old mat and slept all day" for i in range(40)]
    old = [line.replace(" all day", "") for line in references]
    new = [line.replace("cat", "dog") + " long" for line in references]
    found, wer = (inspect(references, {"a": old, "b": new}, metrics=[metric]) for metric in ("bleu", "wer"))
    movement = found.movements[0]
    assert abs(movement.sum_up + movement.sum_down - movement.delta) > 0.02 * abs(movement.delta)
    assert ["not-additive" in kinds(one.notes) for one in (found, wer)] == [True, False]


@pytest.mark.whole
@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(*[st.lists(st.sampled_from(["a", "b", "c", "d."]), max_size=6)] * 3), min_size=1, max_size=6))
def test_any_texts(segments: list[tuple[list[str], ...]]) -> None:
    reference, old, new = ([" ".join(words[side]) for words in segments] for side in range(3))
    if reference in (old, new):
        return
    found = inspect(reference, {"a": old, "b": new}, metrics=["bleu", "wer"], count=3)
    for metric in ("bleu", "wer"):
        assert sum(one.segments for one in found.lengths if one.metric == metric) == len(reference)
    check(found)


@pytest.mark.parametrize(
    ("metric", "gold", "old", "new"),
    [
        ("scores", None, (0.1, 0.3), (0.2, 0.2)),
        ("aer", "0-0 1-1", ("0-0 2-1", "1-1"), ("1-1 0-0", "2-1")),
        ("tag_accuracy", "N V", ("N N", "N V"), ("N V", "N N")),
        ("parseval", "(S (A (N a)) (N b))", ("(S (N a) (N b))", "(S (A (N a)) (N b))"), ("(S (A (N a)) (N b))",) * 2),
    ],
)
def test_scores_and_structures_have_no_words(metric: str, gold: str | None, old: Any, new: Any) -> None:
    found = inspect(
        None if gold is None else [gold] * 2, {"old": old, "new": new}, metrics=[metric], documents=["d", "e"]
    )
    assert (found.lengths, found.words, found.ngrams) == ((), (), ())
    assert "no-texts" in kinds(found.notes)
    assert (found.movements[0].up, found.documents[0].label) == (1, "d")
    check(found)


def test_the_page_shows_what_is_printed() -> None:
    page = (ROOT / "docs" / "inspect.md").read_text(encoding="utf-8")
    code, shown = (re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)[0] for kind in ("python", "text"))
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "inspect.md", "exec"), names)
    for part in shown.split("…\n"):
        assert re.sub("[,;]", "", part.rstrip("\n")) in re.sub("[,;]", "", printed.getvalue())
