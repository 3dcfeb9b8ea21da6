"""A corpus is checked once: what fits together, what is said, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.refusals import refused
from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.notes import Note

REFERENCE = ["r1", "r2", "r3"]


def system(name: str, *runs: list[str]) -> System:
    return System(name, tuple(Run(f"{name}.{i}", tuple(lines)) for i, lines in enumerate(runs, 1)))


def scored(name: str, *runs: list[float]) -> System:
    return System(name, tuple(Run(f"{name}.{i}", None, {"score": np.array(run)}) for i, run in enumerate(runs, 1)))


def refusal(*systems: System, references: list[list[str]] | None = None, documents: list[str] | None = None) -> str:
    with pytest.raises(InputError) as caught:
        Corpus.build(systems, [REFERENCE] if references is None else references, documents=documents)
    return str(caught.value)


def test_what_fits_together_is_kept() -> None:
    corpus = Corpus.build(
        [system("a", ["x", "y", "z"]), system("b", ["x", "y", "w"], ["u", "v", "w"])],
        [REFERENCE, ["s1", "s2", "s3"]],
        documents=["d", "d", "e"],
        name="news",
        notes=[Note("seen", "a note")],
    )
    assert corpus.segments == 3
    assert corpus.references == (("r1", "r2", "r3"), ("s1", "s2", "s3"))
    assert corpus.documents == ("d", "d", "e")
    assert tuple(map(str, corpus.notes)) == ("a note",)
    assert [len(one.runs) for one in corpus.systems] == [1, 2]
    assert corpus.system("b").runs[1].outputs == ("u", "v", "w")
    with pytest.raises(KeyError):
        corpus.system("c")


def test_too_few_or_many_segments_are_told_by_the_first_line_without_counterpart() -> None:
    with refused(path="a.1", naming=["2 segments where reference 1 has 3: line 3 of reference 1 ('r3')"]):
        Corpus.build([system("a", ["x", "y"])], [REFERENCE])
    assert refusal(system("a", ["x", "y", "z", " the fourth ", "v"])).startswith(
        "a.1: 5 segments where reference 1 has 3: line 4 of a.1 ('the fourth') has no counterpart"
    )
    long = refusal(system("a", ["x", "y", "z", "word " * 100])).splitlines()
    assert "…" in long[0]
    assert max(map(len, long)) < 160
    # Counts are written with separators.
    message = refusal(system("a", ["x"] * 1234), references=[["y"] * 2345])
    assert "1,234 segments where reference 1 has 2,345: line 1,235 of reference 1" in message


def test_references_and_runs_and_scores_are_all_counted() -> None:
    assert "reference 2: 2 segments where reference 1 has 3" in refusal(
        system("a", ["x", "y", "z"]), references=[REFERENCE, ["s1", "s2"]]
    )
    assert "a.2: 2 segments" in refusal(system("a", ["x", "y", "z"], ["x", "y"]))
    assert "b.1: 2 segments where a.1 has 3: line 3 of a.1 has no counterpart" in refusal(
        scored("a", [1, 2, 3]), scored("b", [1, 2]), references=[]
    )
    both = System("a", (Run("a.1", ("x", "y", "z"), {"score": np.ones(4)}),))
    assert "4 segments" in refusal(both)


def test_nothing_at_all_is_refused() -> None:
    assert "there is no system to score" in refusal()
    assert "the system 'a' has no runs" in refusal(System("a", ()))
    bare: list[list[str]] = []
    for references in (bare, None):
        assert "a.1: there are no segments in it" in refusal(system("a", []), references=references)
        assert "a.1" in refusal(System("a", (Run("a.1"),)), references=references)  # neither outputs nor scores


def test_two_systems_of_one_name_are_refused() -> None:
    message = refusal(system("a", ["x", "y", "z"]), system("a", ["u", "v", "w"]))
    assert message.startswith("two systems are named 'a'")
    assert "NAME=FILE1,FILE2" in message


def test_the_file_of_a_reference_is_no_system(tmp_path: Path) -> None:
    path, link, copy = tmp_path / "ref", tmp_path / "link", tmp_path / "copy"
    for file in (path, copy):
        file.write_text("r1")
    link.symlink_to(path)
    for file in (path, link):
        with refused(naming=[file.name]):
            Corpus.build([System("a", (Run(str(file), ("r1",)),))], [["r1"]], reference_names=[str(path)])
    assert Corpus.build([System("a", (Run(str(copy), ("r1",)),))], [["r1"]], reference_names=[str(path)]).segments == 1


def test_a_wrong_number_of_documents_is_refused() -> None:
    assert refusal(system("a", ["x", "y", "z"]), documents=["d"]) == "there are 1 document ids for 3 segments"


@pytest.mark.parametrize("segments", [3, 5])
def test_transposed_references_are_recognised(segments: int) -> None:
    references = [[f"r1.{i}", f"r2.{i}"] for i in range(segments)]
    message = refusal(system("a", [f"x{i}" for i in range(segments)]), references=references)
    assert message.startswith(f"the references look transposed: {segments} references of 2 segments each")
    # As many references as segments are no mistake.
    assert Corpus.build([system("a", ["x", "y"])], [["r1", "r2"], ["s1", "s2"]]).segments == 2


def test_runs_with_the_same_texts_count_and_are_asked_about() -> None:
    corpus = Corpus.build(
        [system("a", ["x", "y", "z"], ["u", "v", "w"], ["x", "y", "z"], ["x", "y", "z"])], [REFERENCE]
    )
    assert [run.name for run in corpus.systems[0].runs] == ["a.1", "a.2", "a.3", "a.4"]
    (note,) = corpus.notes
    assert (note.kind, note.warning) == ("repeated-texts", False)
    assert "a.1, a.3, a.4" in note.text


def test_runs_with_the_same_scores_and_a_run_of_two_systems_count_without_a_note() -> None:
    scores = Corpus.build([scored("a", [1, 2], [1, 2]), scored("b", [1, 2], [2, 1])])
    texts = Corpus.build([system("a", ["x", "y", "z"]), system("b", ["x", "y", "z"])], [REFERENCE])
    for corpus, runs in ((scores, 2), (texts, 1)):
        assert [len(one.runs) for one in corpus.systems] == [runs, runs]
        assert corpus.notes == ()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["x", "", "z"], r"1 empty segment \(line 2\)"),
        ([" ", "\u3000", "z"], r"2 empty segments \(lines 1, 2\)"),
        ([*[""] * 7, "z"], r"7 empty segments \(lines 1, 2, 3, 4, 5\W+…\)"),
    ],
)
def test_empty_segments_are_counted_and_mentioned(lines: list[str], said: str) -> None:
    corpus = Corpus.build([system("a", lines)], [[f"r{i}" for i in range(len(lines))]])
    assert corpus.systems[0].runs[0].outputs == tuple(lines)
    (note,) = corpus.notes
    assert re.match(rf"a\.1: {said}", str(note))
