"""Names of files that contradict what the files are given as."""

from __future__ import annotations

import pytest

from truegain.readers.file_names import sources_as_references, swapped_roles, systems_as_runs


def test_roles_that_names_contradict() -> None:
    """A source for a reference, and a reference among the outputs while the reference has another name."""
    (note,) = sources_as_references(["src/ref.txt", "news.src.de.gz", "resource.txt"])
    assert (note.kind, note.text.split()[0]) == ("source-as-reference", "news.src.de.gz")
    assert [note.kind for note in swapped_roles(["released.de"], ["ref.de", "nightly.de"])] == ["reference-as-system"]
    assert swapped_roles(["refA.de"], ["refB.de"]) == swapped_roles([], ["ref.de"]) == []
    assert swapped_roles(["released.de"], ["outputs/ref.de"]) == []


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (["runs/bpe-full.00.txt", "runs/bpe-full.01.txt", "runs/bpe-half.00.txt", "runs/bpe-half.01.txt"], True),
        (["out/seed1/base.txt", "out/seed2/base.txt", "out/seed1/new.txt", "out/seed2/new.txt"], True),
        (["runs/bpe-full.00.txt", "runs/bpe-full.01.txt", "runs/bpe-full.02.txt"], False),
        (["new.s1.0.txt", "new.s1.1.txt", "new.s2.0.txt", "new.s2.1.txt"], False),
        (["seed1/new.txt", "seed2/new.txt"], False),
        (["gpuA.seed1.txt", "gpuA.seed2.txt", "gpuB.seed3.txt", "gpuB.seed4.txt"], False),
        (["gpuA.seed1.txt", "gpuA.seed2.txt", "gpuB.seed2.txt", "gpuB.seed3.txt"], True),
        (["fold1/seed1.txt", "fold1/seed2.txt", "fold2/seed1.txt", "fold2/seed2.txt"], False),
        (["new.split_1.seed1.txt", "new.split_1.seed2.txt", "new.split_2.seed1.txt", "new.split_2.seed2.txt"], False),
        ([f"{own}.fold{k}.seed{run}.txt" for own in ("base", "new") for k in (1, 2) for run in (1, 2)], True),
        (["a-fold1.run1.txt", "a-fold1.run2.txt", "a-Fold2.run1.txt", "a-Fold2.run2.txt"], False),
        (["a.txt", "b.txt", "c.txt"], False),
        (["new.txt"], False),
    ],
)
def test_runs_of_several_systems_under_one_name(files: list[str], told: bool) -> None:
    assert [note.kind for note in systems_as_runs("bpe", files)] == ["systems-as-runs"] * told
