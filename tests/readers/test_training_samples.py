"""Training samples of runs by pattern and by manifest."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from tests.readers.files import write
from tests.refusals import refused
from truegain.readers.corpora import read_corpus
from truegain.readers.training_samples import with_training_samples
from truegain.studies.compare import CompareResult

LINES = ["a b c d", "e f g h", "i j k l"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Outputs of two systems, three training samples and two runs each, all different; training sets and manifest."""
    monkeypatch.chdir(tmp_path)
    write(Path("ref.txt"), LINES)
    for system, sample, run in itertools.product(("base", "new"), (1, 2, 3), (1, 2)):
        path = Path(f"{system}.sample0{sample}.run{run}.txt")
        write(path, [f"{line} {system} {sample} {run}" for line in LINES])
    write(Path("train.de"), LINES)
    tg.split(["train.de"], "sets", samples=3, size=2)
    return tmp_path


def read(given: str | None, systems: tuple[str, ...] = ("base=base.*.txt", "new=new.*.txt")) -> Any:
    return with_training_samples(read_corpus(systems, ["ref.txt"]), given)


@pytest.mark.parametrize("given", ["(sample[0-9]+)", "sets/manifest.json"])
def test_samples_are_found_in_names(given: str) -> None:
    corpus = read(given)
    for system in corpus.systems:
        assert [run.sample for run in system.runs] == [f"sample0{i}" for i in (1, 1, 2, 2, 3, 3)]
    training = corpus.inputs.training
    assert training.source == given
    drawn = ("bootstrap", 3, 2) if given.endswith("json") else (None, None, None)
    assert (training.scheme, training.lines, training.size) == drawn
    said = next(note.text for note in corpus.notes if note.kind == "training-samples")
    assert "base has 3 with 2 runs each" in said
    assert ("of 2 lines drawn with replacement from the same 3" in said) == given.endswith("json")
    assert read(None).inputs.training is None
    # Names are not parts of longer words.
    Path("base.sample01.run1.txt").rename("base.sample011.run1.txt")
    if given.endswith("json"):
        with refused(naming=["base.sample011.run1.txt"]):
            read(given)


@pytest.mark.parametrize(
    ("given", "naming"),
    [
        ("(sample0[12])", ["base.sample03.run1.txt", "(sample0[12])"]),
        ("(sample|run)", ["two", "'sample'", "'run'"]),
        ("(sample", ["(sample", "regular expression"]),
        ("(sample)([0-9]+)", ["(sample)([0-9]+)", "one group"]),
        ("(base|new)", ["'base'"]),
        ("nothing.json", ["nothing.json: "]),
        ("ref.txt", ["ref.txt", "JSON"]),
    ],
)
def test_what_is_refused(given: str, naming: list[object]) -> None:
    with refused(naming=naming):
        read(given)


@pytest.mark.parametrize(
    "change",
    [
        *({"sets": sets} for sets in ([], [{"name": "sample01"}], [{"name": "sample01", "lines": [1]}])),
        {"sets": [{"name": "a", "lines": 1}, {"name": "b", "lines": 2}]},
        {"sets": [{"name": "sample01", "lines": 2}]},
        *({"scheme": scheme} for scheme in ("other", "odd", ["half"])),
    ],
)
def test_what_is_no_manifest(change: dict[str, Any]) -> None:
    manifest = json.loads(Path("sets/manifest.json").read_text(encoding="utf-8")) | change
    with refused(naming=["'other'"] if change.get("scheme") == "other" else []):
        read(write(Path("manifest.json"), json.dumps(manifest)))


def test_fixed_halves_are_refused() -> None:
    for system in ("base", "new"):
        for number, half in ((1, "odd"), (2, "even")):
            Path(f"{system}.sample0{number}.run1.txt").rename(f"{half}.{system}.out")
    with refused(naming=["'even'"]):
        read("(odd|even)", ("base=*.base.out", "new=*.new.out"))
    tg.split(["train.de"], "top", scheme="top")
    with refused(naming=["'top'"]):
        read("top/manifest.json")


def test_samples_given_twice_or_in_part_are_refused() -> None:
    runs = {"a": ["x y"], "b": ["x z"]}
    with refused("training_samples"):
        tg.compare(["x y"], {"base": runs, "new": runs}, training_samples="(a|b)")
    with refused(naming=["sample"]):
        tg.score(["x y"], {"base": runs, "new": ["x y"]})


def test_an_experiment_file_names_the_manifest_from_its_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = 'metrics = ["chrf"]\nresamples = 99\n[systems]\nbase = "base.*.txt"\nnew = "new.*.txt"\n'
    text = f'training_samples = "GIVEN"\n{settings}[[testset]]\nname = "news"\nreference = "ref.txt"\n'
    here = Path.cwd()
    for given in ("sets/manifest.json", "(sample[0-9]+)"):
        write(Path("exp.toml"), text.replace("GIVEN", given))
        monkeypatch.chdir(here.parent)
        (compared,) = tg.run(here / "exp.toml").sets
        monkeypatch.chdir(here)
        assert isinstance(compared, CompareResult)
        assert compared.comparisons[0].claim.training_data
    with refused(naming=["nothing.json"]):
        tg.run(write(Path("exp.toml"), text.replace("GIVEN", "nothing.json")))
    written = 'outputs = ["sets/manifest.json"]\n' + text.replace("GIVEN", "sets/manifest.json")
    with refused(line=1, naming=["exp.toml"]):
        tg.run(write(Path("exp.toml"), written))


def test_the_name_of_a_test_set_is_not_that_of_a_run() -> None:
    assert tg.compare(["x y"] * 2, {"base": ["x z"] * 2, "new": ["x y"] * 2}).testset.name == "test set"
