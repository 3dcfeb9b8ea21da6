"""Experiment files: what they say, and what is said of those that cannot be used."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import pytest

from tests.readers.files import write
from tests.refusals import refused
from truegain.readers.experiment_file import LIMIT, ExperimentFile, read_experiment
from truegain.readers.experiment_keys import DEVELOPMENT, EXPERIMENT, SETTINGS, TESTSET

GOOD = """\
name = "two sets"
metrics = ["bleu", {name = "chrf", word_order = 2}]
baseline = "base"
test = ["ar", "t"]
alpha = 0.01
resamples = "auto"
adjust = "bh"
outputs = ["report.html", "out/table.tex"]

[systems]
base = "{testset}/base.*.txt"
new = ["{testset}/new.1.txt", "{testset}/new.2.txt"]

[[testset]]
name = "news"
reference = "news/ref.txt"
source = "news/src.txt"
documents = "news/docs.txt"

[[testset]]
name = "talks"
reference = ["talks/ref.txt", "talks/ref2.txt"]
domain = "talks"
"""
NEWS = '[[testset]]\nname = "news"\nreference = "news/ref.txt"\n'
SHORT = NEWS + 'systems = {a = "news/base.1.txt", b = "news/new.1.txt"}\n'
DEVELOPED = """
[development]
reference = "talks/ref.txt"
systems = {NEW = "talks/new.*.txt", base = "talks/base.*.txt"}
"""
LINES = ["the cat sat on the mat", "a dog ran off", "it was late", "they left at noon"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("news", "talks"):
        place = tmp_path / name
        place.mkdir()
        for system, run in itertools.product(("base", "new"), (1, 2)):
            text = [f"{line} {system if i == run else ''}".strip() for i, line in enumerate(LINES)]
            write(place / f"{system}.{run}.txt", text)
        for one, text in (("ref", LINES), ("ref2", LINES), ("src", LINES), ("docs", ["d1", "d1", "d2", "d2"])):
            write(place / f"{one}.txt", text)
    (tmp_path / "out").mkdir()
    return tmp_path


def written(folder: Path, text: str, name: str = "experiment.toml") -> str:
    return write(folder / name, text)


def test_what_a_file_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its paths go from it."""
    read = read_experiment(written(folder, GOOD))
    assert isinstance(read, ExperimentFile)
    assert read.name == "two sets"
    assert read.metrics == ("bleu", "chrf:word_order=2")
    said = {"baseline": "base", "test": ("ar", "t"), "alpha": 0.01, "resamples": "auto", "adjust": "bh"}
    assert read.settings == said
    assert [one.name for one in read.testsets] == ["news", "talks"]
    news = read.testsets[0]
    assert news.systems["base"] == tuple(str(folder / f"news/base.{run}.txt") for run in (1, 2))
    assert read.outputs == (str(folder / "report.html"), str(folder / "out/table.tex"))
    first, second = read.corpora()
    assert (first.name, first.segments, first.documents) == ("news", 4, ("d1", "d1", "d2", "d2"))
    assert [len(system.runs) for system in first.systems] == [2, 2]
    assert (len(second.references), second.domains) == (2, ("talks",) * 4)
    monkeypatch.chdir(folder)
    assert read_experiment("experiment.toml").testsets[0].references == ("news/ref.txt",), "as a user would write it"
    developed = read_experiment(written(folder, GOOD + DEVELOPED.replace("NEW", "new"))).development_corpus()
    assert developed is not None
    assert [system.name for system in developed.systems] == ["base", "new"]


def test_defaults(folder: Path) -> None:
    """Those that `init` writes as comments may be written, too."""
    read = read_experiment(written(folder, SHORT, "short.toml"))
    assert (read.name, read.metrics, read.settings, read.outputs) == ("short", ("bleu",), {}, ())
    defaults = {key: one.default for key, one in SETTINGS.items() if one.default is not None}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in defaults.items())
    given = read_experiment(written(folder, lines + SHORT)).settings
    assert {key: value[0] if isinstance(value, tuple) else value for key, value in given.items()} == defaults


def test_scores_instead_of_text(folder: Path) -> None:
    write(folder / "three.scores", "0.1\n0.2\n0.3\n")
    systems = 'systems = {a = "three.scores", b = "three.scores"}'
    read = read_experiment(written(folder, f'metrics = ["scores"]\n[[testset]]\nname = "x"\n{systems}\n'))
    assert read.corpora()[0].systems[0].runs[0].outputs is None
    (folder / "four.scores").write_text("1\n2\n3\n4\n")
    beside = 'systems = {a = "news/base.1.txt"}\nscores = {a = "four.scores"}\n'
    read = read_experiment(written(folder, NEWS + beside))
    assert read.metrics == ("bleu", "scores")
    assert list(read.corpora()[0].systems[0].runs[0].scores) == ["score"]


METRICS, OUTPUTS = 'metrics = ["bleu", {', '["report.html", "out/table.tex"]'
REFERENCE, BASE = 'reference = "news/ref.txt"', 'base = "{testset}/base.*.txt"'


@pytest.mark.parametrize(
    ("old", "new", "line", "naming"),
    [
        ("baseline =", "basline =", 3, ["'basline'", "'baseline'"]),
        ('source = "news/src.txt"', 'sauce = "x"', 17, ["'sauce'", "testset 1", "'source'"]),
        ('domain = "talks"', 'zzz = "talks"', 23, ["'zzz'", "testset 2", "name, reference"]),
        ("alpha = 0.01", "alpha = 5", 5, ["alpha", 0, 1, 5]),
        ('domain = "talks"', "references_per_line = 1001", 23, ["references_per_line", 1, 1000, 1001]),
        ("alpha = 0.01", 'standard_errors = "no"', 5, ["standard_errors", "true", "false", "'no'"]),
        ('test = ["ar", "t"]', 'test = "arr"', 4, ["test", "auto"]),
        ('baseline = "base"', 'baseline = "old"', 3, ["'old'", "base, new"]),
        ('name = "news"', "name = 5", 15, ["name", 5]),
        (METRICS, "metrics = [5, {", 2, ["metrics"]),
        (REFERENCE, "reference = []", 16, ["reference"]),
        (BASE, 'base = "{testset}/bass.*.txt"', 11, ["base", "'news/bass.*.txt'"]),
        (BASE, '"a=b" = "x"', 11, ["'a=b'"]),
        ('name = "talks"', 'name = "news"', None, ["two", "'news'"]),
        ('domain = "talks"', 'domain = "x"\ndomain_column = "y"', 23, ["domain", "twice"]),
        (OUTPUTS, '"../report.html"', 8, ["'../report.html'", "out of the folder"]),
        (OUTPUTS, '"/tmp/report.html"', 8, ["out of the folder", "save()"]),
        (OUTPUTS, '"out/../../x.html"', 8, ["out of the folder"]),
        (OUTPUTS, '"news/ref.txt"', 8, ["'news/ref.txt'", "reads"]),
        (OUTPUTS, '"experiment.toml"', 8, ["'experiment.toml'", "reads"]),
        (OUTPUTS, '"link/table.tex"', 8, ["out of the folder"]),
        ("[[testset]]", "[testset]", None, ["not TOML"]),
        ("[systems]", "[systems", 10, ["not TOML"]),
    ],
)
def test_what_is_wrong_is_said(folder: Path, old: str, new: str, line: int | None, naming: list[object]) -> None:
    assert old in GOOD
    (folder / "link").symlink_to(folder.parent)
    with refused(path=folder / "experiment.toml", line=line, naming=naming):
        read_experiment(written(folder, GOOD.replace(old, new)))


def test_files_that_are_missing_or_of_another_length_are_named(folder: Path) -> None:
    with refused(path=folder / "news/documents.txt", naming=["experiment.toml", "'news'"]):
        read_experiment(written(folder, GOOD.replace("news/docs.txt", "news/documents.txt")))
    (folder / "news/src.txt").write_text("one\n")
    with refused(naming=["src.txt", "1", "4"]):
        read_experiment(written(folder, GOOD)).corpora()


@pytest.mark.parametrize(
    ("text", "naming"),
    [
        (GOOD + 'systems = {third = "talks/new.1.txt"}\n', ["'third'", "'talks'", "'news'"]),
        *((text, ["no test set"]) for text in ("", "alpha = 0.05\n", "testset = []\n")),
        (NEWS, ["no systems"]),
        (GOOD + DEVELOPED.replace("NEW", "old"), ["base, new"]),
        (GOOD + "\n[development]\n", ["reference", "systems"]),
    ],
)
def test_sets_and_systems_that_are_missing(folder: Path, text: str, naming: list[object]) -> None:
    with refused(naming=naming):
        read_experiment(written(folder, text))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_and_devices_are_neither_waited_for_nor_written_to(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    os.mkfifo(folder / "pipe.html")
    first = next(one for one in folder.rglob("*.txt") if one.name != "pipe.txt").relative_to(folder)
    text = f'[[testset]]\nname = "a"\nreference = "{first}"\n[testset.systems]\nbase = "{first}"\nnew = "FILE"\n'
    for name in ("pipe.txt", "p?pe.txt", "/dev/null", "/dev/zero"):
        with refused(naming=["pipe or a device"]):
            read_experiment(written(folder, text.replace("FILE", name)))
    with refused(naming=["'pipe.html'", "pipe or a device"]):
        read_experiment(written(folder, 'outputs = ["pipe.html"]\n' + text.replace("FILE", str(first))))


@pytest.mark.parametrize(
    ("data", "naming"),
    [
        (b'name = "\xff"\n', ["9", "0xff", "UTF-8"]),
        (b"#" * (LIMIT + 1), ["4 MB"]),
        (b"a = " + b"[" * 5000, ["TOML"]),
        (b"alpha = " + b"9" * 5000, ["TOML"]),
    ],
)
def test_files_that_are_none(folder: Path, data: bytes, naming: list[object]) -> None:
    (folder / "odd.toml").write_bytes(data)
    for path, named in ((folder / "odd.toml", naming), (folder / "none.toml", ["none.toml"]), (folder, [])):
        with refused(naming=named):
            read_experiment(path)


def test_every_key_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
    for key in (*EXPERIMENT.keys, *TESTSET.keys, *DEVELOPMENT.keys):
        assert f"`{key}`" in page, key
