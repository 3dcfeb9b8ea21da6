"""Outputs in another order than their references, and references in another language, are told; bad outputs are not."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import truegain as tg
from truegain.corpus import Corpus, Run, System

SAMPLE = Path(tg.__file__).parent / "sample"
REFERENCE, BASE, NEW = (
    (SAMPLE / name).read_text(encoding="utf-8").splitlines() for name in ("ref.1.txt", "baseline.1.txt", "better.1.txt")
)
SOURCE = [one.translate(str.maketrans("aeioubcdfghlmnprst", "ouaeizvgtkbrnlsdmp")) for one in REFERENCE]
SHUFFLED = random.Random(1).sample(NEW, len(NEW))


def doubts(reference: list[str], metric: str = "bleu", **systems: list[str] | list[list[str]]) -> list[str]:
    result = tg.score(reference, systems, metrics=[metric], resamples=50)
    return [str(note) for note in result.notes if note.kind == "unlike-reference"]


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
@pytest.mark.parametrize("lines", [SHUFFLED, [*NEW[1:], NEW[0]]], ids=["shuffled", "shifted"])
def test_lines_in_another_order_are_told(metric: str, lines: list[str]) -> None:
    (told,) = doubts(REFERENCE, metric, base=BASE, new=lines)
    assert all(word in told for word in ("new: ", "another order", "reference 1"))


def test_references_without_names_get_some() -> None:
    """A corpus that a program puts together by itself need not name them."""
    systems = tuple(System(name, (Run(name, tuple(lines)),)) for name, lines in (("base", BASE), ("new", SHUFFLED)))
    for count, names in ((1, ("reference 1",)), (2, ("reference 1", "reference 2"))):
        corpus = Corpus("made", len(REFERENCE), (tuple(REFERENCE),) * count, systems)
        assert corpus.reference_names == names
        (told,) = (one for one in tg.score(corpus, resamples=50).notes if one.kind == "unlike-reference")
        assert "than reference 1" in str(told)
    assert replace(corpus, reference_names=("x", "y")).reference_names == ("x", "y")


def test_the_run_or_the_reference_of_another_test_set_is_told_once() -> None:
    (told,) = doubts(REFERENCE, base=BASE, new=[NEW, SHUFFLED])
    assert "new.2: " in told
    (told,) = doubts(REFERENCE[::-1], base=BASE, new=NEW)
    assert "reference 1: " in told
    assert doubts(REFERENCE, only=SHUFFLED)


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_a_source_as_the_reference_is_told(metric: str) -> None:
    for reference, outputs, named in ((SOURCE, NEW, "reference 1: "), (REFERENCE, SOURCE, "new: ")):
        (told,) = doubts(reference, metric, base=BASE, new=outputs)
        assert named in told
        assert "another language" in told


def test_bad_outputs_are_not() -> None:
    """Half of the words lost, all in capitals, pieces of words, empty lines; texts in which all lines are alike."""
    poor = [" ".join(one.split()[::3]) for one in NEW]
    pieces = [" ".join(f"▁{word[:2]} {word[2:]}" for word in one.split()) for one in NEW]
    empty = [one if i % 4 == 0 else "" for i, one in enumerate(NEW)]
    for bad in (poor, [one.upper() for one in NEW], pieces, empty):
        assert not doubts(REFERENCE, base=BASE, new=bad)
    assert not doubts(REFERENCE, new=poor)
    labels = [("the answer is yes", "the answer is no")[i % 2] for i in range(60)]
    assert not doubts(labels, base=labels, new=labels[1:] + labels[:1])
    assert not doubts(["甲乙丙丁戊己庚辛", "子丑寅卯辰巳午未"] * 20, base=["甲乙丁丙戊庚己辛", "子丑卯寅辰午巳未"] * 20)


def test_texts_by_a_template_are_told_only_in_another_order() -> None:
    """Names in them are often wrong, and their lines resemble each other; still they resemble their own most."""
    draw = random.Random(11)
    syllables = ["ka", "ro", "min", "tel", "sou", "vik", "len", "dor", "hus", "bel", "tar", "nog"]
    names = ["".join(draw.choices(syllables, k=4)) for _ in range(400)]
    forms = (
        "please book a table at {} in {} for {} people",
        "the weather in {} will be {} with {} tomorrow",
        "what is the name of the {} near {} and {}",
    )
    parts = [(form, draw.choices(names, k=3)) for form in draw.choices(forms, k=120)]
    reference = [form.format(*own) for form, own in parts]
    weak = [form.format(*(one if draw.random() < 0.1 else draw.choice(names) for one in own)) for form, own in parts]
    assert not doubts(reference, good=reference, weak=weak)
    (told,) = doubts(reference, good=reference, weak=draw.sample(weak, len(weak)))
    assert all(word in told for word in ("weak: ", "another order"))
