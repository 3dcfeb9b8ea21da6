"""Texts that are not what they are given as: what is refused, and what is scored with a warning that stands first."""

from __future__ import annotations

import itertools
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import truegain as tg
from tests.refusals import refused
from truegain.corpus import Corpus, Run, System
from truegain.given_texts import check_names
from truegain.normal_forms import SAFE_RANGES, differing_forms, not_composed
from truegain.notes import Note
from truegain.readers.corpora import read_corpus
from truegain.report.model import Document, Paragraph
from truegain.report.model import remark as remark_of
from truegain.studies.compare import CompareResult
from truegain.studies.score import ScoreResult

COMPOSED = ["le café était fermé", "a plain line", "où est la clé ?", "Ångström", "가나다"]
FORMS = {form: [unicodedata.normalize(form, line) for line in COMPOSED] for form in ("NFC", "NFD")}
OUTPUTS = [line.replace("a", "A") for line in COMPOSED]


def written(folder: Path, name: str, lines: list[str]) -> str:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def warnings_of(result: ScoreResult | CompareResult) -> list[str]:
    return [note for note in map(str, result.notes) if note.startswith("Warning: ")]


# ---- Outputs that are a reference


def test_one_sentence_that_is_the_reference() -> None:
    """The example of a course: a translation of one sentence that is as good as the reference can be."""
    result = tg.score(["I always do."], {"A": ["I always do."], "B": ["I do that always."]}, metrics=["bleu"])
    assert [round(one.score, 1) for one in result.scores] == [100.0, 15.1]
    said = "Warning: A: its outputs are reference 1 to the letter; a reference may have been given as a system"
    assert warnings_of(result) == [said]
    stored = [note for note in result.to_dict()["notes"] if note.get("warning")]
    assert [(one["kind"], one["file"]) for one in stored] == [("reference-as-system", "A")]


# ---- One reference twice


def test_one_reference_twice(tmp_path: Path) -> None:
    path, out = written(tmp_path, "ref.txt", COMPOSED), written(tmp_path, "out.txt", OUTPUTS)
    (tmp_path / "link.txt").hardlink_to(path)
    link = str(tmp_path / "link.txt")
    for again in (path, f"{tmp_path}/./ref.txt", link):
        for references in ((path, again), (again, out, path)):
            with refused(naming=["reference"]):
                read_corpus([written(tmp_path, "o.txt", OUTPUTS)], list(references))
        with refused(naming=["reference"]):
            tg.score([Path(path), Path(again)], {"a": OUTPUTS}, resamples=10)
    with refused(naming=["reference"]):
        tg.score([COMPOSED, COMPOSED], {"a": OUTPUTS}, resamples=10)


def test_another_reference_of_the_same_content_is_said(tmp_path: Path) -> None:
    path, copy = (written(tmp_path, name, COMPOSED) for name in ("ref.txt", "copy.txt"))
    notes = read_corpus([written(tmp_path, "out.txt", OUTPUTS)], [path, copy]).notes
    assert [str(note) for note in notes] == [
        f"Warning: {copy}: it is {path} to the letter; a reference may have been given twice"
    ]
    assert read_corpus([str(tmp_path / "out.txt")], [path]).notes == ()


# ---- Forms of Unicode


def test_another_form_of_unicode_is_said() -> None:
    for form, other in itertools.product(FORMS, FORMS):
        result = tg.score(FORMS[form], {"a": FORMS[other][::-1], "b": FORMS[other]}, metrics=["bleu"], resamples=10)
        said = [note for note in warnings_of(result) if "Unicode form" in note]
        if form == other:
            assert said == []
        else:
            # Reversed, the lines with é, ô, Å, or Hangul face others: the third has é in common with the third.
            assert [note.partition(" write")[0] for note in said] == ["Warning: a: 1 segment", "Warning: b: 4 segments"]
            assert all("convert both to one form: uconv -x nfc" in note for note in said)
            assert result.scores[1].score < 40  # what is lost in silence


def test_only_what_would_match_counts() -> None:
    nfc, nfd = FORMS["NFC"], FORMS["NFD"]
    assert (not_composed(nfc), not_composed(nfd)) == ([], [0, 2, 3, 4])
    assert differing_forms(nfc, nfd, not_composed(nfd)) == 4
    assert differing_forms(nfd, nfc, not_composed(nfd)) == 4
    assert differing_forms(nfd, nfd, not_composed(nfd)) == 0
    # Another character than the one that is written in two ways; and one that has no composed form at all.
    assert differing_forms(["e\u0301"], ["è"], [0]) == 0
    assert differing_forms(["x\u0301"], ["x\u0301"], not_composed(["x\u0301"])) == 0
    assert differing_forms(["\u212b"], ["\u00c5"], not_composed(["\u212b"])) == 1
    assert differing_forms([None], ["e\u0301"], [0]) == 0


def test_safe_characters_are_never_part_of_another_form() -> None:
    """By the tables of Unicode: none changes alone, is put in another order, or is composed with one before it."""
    second = {0x1161 + i for i in range(21)} | {0x11A8 + i for i in range(27)}  # of syllables of Hangul, by rule
    for code in range(0x110000):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            second.add(int(parts[1], 16))
    safe = [code for first, last in SAFE_RANGES for code in range(first, last)]
    assert len(safe) > 39_000
    for code in safe:
        assert unicodedata.combining(chr(code)) == 0
        assert code not in second
        assert unicodedata.is_normalized("NFC", chr(code)), hex(code)


@given(st.lists(st.text(st.sampled_from("aé\u0301\u0323가ᄀ\u1161字\u212b🙂’"), max_size=6), max_size=600))
def test_lines_that_are_not_composed(lines: list[str]) -> None:
    assert not_composed(lines) == [i for i, line in enumerate(lines) if not unicodedata.is_normalized("NFC", line)]


# ---- Names


def test_names_that_look_the_same() -> None:
    check_names(["base", "Base", "base 2", "base2"])
    for other in ("base", "base ", "\tbase", "base\u00a0", "base\u3000"):
        with refused(naming=["'base'"]):
            check_names(["base", other])
        with refused(naming=["'base'"]):
            Corpus.build([System(name, (Run(name, ("a",)),)) for name in ("base", other)], [["a"]])
    with refused(naming=["'café'"]):
        check_names(["café", unicodedata.normalize("NFD", "café")])
    with refused(naming=["empty"]):
        check_names(["base", " "])


# ---- Where warnings stand


def test_warnings_follow_the_answer() -> None:
    title, remark = Paragraph("Title", "title"), Paragraph("A remark.")
    answer = Paragraph("Better.", "headline")
    warning = remark_of(Note("look", "look here", warning=True))
    lifted = Paragraph("Warning: look here.", "headline", "warning")
    assert Document((title, answer, remark, warning)).items == (title, answer, lifted, remark)
    assert Document((remark, warning)).items == (lifted, remark)
    assert Document((title, answer, remark)).items == (title, answer, remark)
    assert Document(Document((title, remark, warning)).items).items == (title, lifted, remark)


LINES = [f"the number {i} is not that of line {i * i}" for i in range(30)]
WORSE = [line.replace("number", "figure") if i % 2 else line for i, line in enumerate(LINES)]
OTHER = [line.replace("line", "row") if i % 3 else line for i, line in enumerate(LINES)]


def kinds(corpus: Corpus) -> list[str]:
    return [note.kind for note in corpus.notes if note.warning]


def corpus_of(references: list[list[str]], **systems: list[list[str]]) -> Corpus:
    built = [
        System(name, tuple(Run(f"{name}.{i}", tuple(run)) for i, run in enumerate(own)))
        for name, own in systems.items()
    ]
    return Corpus.build(built, references)


def test_a_run_of_two_systems_is_told() -> None:
    found = corpus_of([LINES], base=[WORSE, OTHER], new=[OTHER, LINES[::-1]])
    (note,) = [str(note) for note in found.notes if note.kind == "shared-run"]
    assert all(told in note for told in ("Warning: base.1", "a run of base", "new.0", "a run of new", "are the same"))
    assert "shared-run" not in kinds(corpus_of([LINES], base=[WORSE], new=[WORSE])), "the result says so"
    assert "shared-run" not in kinds(corpus_of([LINES], base=[WORSE, OTHER], new=[LINES[::-1]]))


@pytest.mark.parametrize("times", [2, 3, 4, 5, 12])
def test_a_test_set_that_stands_several_times_is_told(times: int) -> None:
    found = corpus_of([LINES * times], base=[WORSE * times], new=[OTHER * times])
    assert any(f"stands {times} times" in note.text for note in found.notes if note.warning)
    scores = np.random.default_rng(1).random((2, 40))
    told = tg.compare(
        None, {"a": np.tile(scores[0], times), "b": np.tile(scores[1], times)}, metrics=["scores"], resamples=50
    )
    assert "repeated-set" in [note.kind for note in told.notes]


def test_segments_that_occur_twice_are_not() -> None:
    """One that is repeated, a file that is, labels, and scores that are the same by chance."""
    assert kinds(corpus_of([[*LINES, *LINES]], base=[[*WORSE, *WORSE]], new=[[*WORSE, *OTHER]])) == []
    assert kinds(corpus_of([[*LINES, LINES[0]]], base=[[*WORSE, WORSE[0]]])) == []
    assert kinds(corpus_of([["yes", "no"] * 30], base=[["no", "no"] * 30])) == []
    told = tg.compare(None, {"a": [1, 0] * 30, "b": [0, 1] * 30}, metrics=["scores"], resamples=50)
    assert "repeated-set" not in [note.kind for note in told.notes]


def test_outputs_lost_where_others_have_some_are_told_first() -> None:
    lost = [*WORSE[:20], *[""] * 10]
    assert kinds(corpus_of([LINES], base=[OTHER], new=[lost])) == ["empty-segments"]
    assert kinds(corpus_of([LINES], base=[lost], new=[lost])) == [], "of both systems"
    assert kinds(corpus_of([lost], base=[OTHER], new=[lost]))[1:] == [], "the reference has none there"
    many = [f"{line} {i}" for i in range(10) for line in LINES]
    assert kinds(corpus_of([many], base=[many], new=[["", *many[1:]]])) == ["reference-as-system"], "one in 300"


def _left(outputs: list[str], references: list[str]) -> list[str]:
    corpus = Corpus.build([System("a", (Run("a.txt", tuple(outputs)),))], [references])
    return [str(note) for note in corpus.notes if note.kind in ("missing-as-text", "subword-marks")]


def test_words_for_missing_outputs_and_marks_of_subwords_are_told() -> None:
    plain = [f"line {i}" for i in range(50)]
    (text,) = _left(["nan"] * 3 + plain[3:], plain)
    assert text.startswith("Warning: a.txt: 3 outputs are 'nan' and nothing else")
    assert not _left(["nan"] * 2 + plain[2:], plain)
    assert not _left(["None", "other"] * 25, ["None", "other", "other", "None", "None"] * 10)
    for mark, line in (("@@", "li@@ ne"), ("▁", "▁line"), ("</s>", "line </s>")):
        (text,) = _left([line] * 50, plain)
        assert text.startswith(f"Warning: a.txt: 50 outputs hold {mark!r}")
        assert not _left([line] * 50, [line, *plain[1:]])
    assert not _left(["li@@ ne", *plain[1:]], plain)
